//! The tree as the user wrote it. No `syn` type lives past this stage.
//!
//! Names are unresolved strings with spans; nothing is typed. Method calls and free calls are kept
//! apart only by [`Call::method`], since each operator is both.

use crate::contracts::ir::Contracts;
use crate::source::SrcSpan;
use proc_macro2::{Ident, TokenStream};

/// One `accel!` block: imported units first, the block itself last.
#[derive(Debug)]
pub struct Program {
    /// Name scopes. The last is the block; the others are sources of imported functions, of which
    /// only `Unit::provides` is visible outside.
    pub units: Vec<Unit>,
    /// `Complex<f32>` and `Complex<f64>`, which need no declaration.
    pub builtin: Vec<Struct>,
}

/// A scope of items.
#[derive(Debug)]
pub struct Unit {
    /// Name under which this unit's one function or struct is visible to the unit that imports it;
    /// `None` for the block.
    pub provides: Option<Name>,
    /// Its own name inside this unit; `None` for the block.
    pub entry: Option<String>,
    /// Its path, as the importing block has written it.
    pub path: Option<TokenStream>,
    /// Positions in [`Program::units`] of the units imported here. A name in this unit is one of its
    /// own items, or what one of these provides. Each unit comes after those that it imports, and is
    /// imported once.
    pub imports: Vec<usize>,
    /// `const` items.
    pub consts: Vec<Const>,
    /// `struct` items.
    pub structs: Vec<Struct>,
    /// Functions.
    pub functions: Vec<Function>,
}

/// An identifier with its place.
#[derive(Clone, Debug)]
pub struct Name {
    /// The text, without `r#`.
    pub text: String,
    /// The token itself (its hygiene and span).
    pub ident: Ident,
}

/// `const N: usize = 8;`
#[derive(Debug)]
pub struct Const {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Its value.
    pub value: Expr,
}

/// `struct P { x: f32, y: f32 }`
#[derive(Debug)]
pub struct Struct {
    /// Its name.
    pub name: Name,
    /// Names and types of fields, in order.
    pub fields: Vec<(Name, Type)>,
    /// The item as written (attributes, visibility, derives), to be emitted once.
    pub tokens: TokenStream,
    /// Its visibility.
    pub vis: TokenStream,
    /// Whether the user derives `Clone` / `Copy` / `Default` already.
    pub derives: Vec<String>,
    /// Of a struct that Rust has already, `#[element(path)]`: the path.
    pub outside: Option<TokenStream>,
    /// The whole item.
    pub src: SrcSpan,
}

/// A function of the block.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// `#[fast]`
    pub fast: bool,
    /// `Some` for `pub` (in any form) functions: what to emit.
    pub export: Option<Export>,
    /// Type parameters (`T: Num`) in order.
    pub generics: Vec<Generic>,
    /// Parameters.
    pub params: Vec<Param>,
    /// Result type; `None` when it is not written (a mistake that `typed` reports).
    pub ret: Option<Type>,
    /// Body: a block.
    pub body: Expr,
    /// Signature, for messages about the function as a whole.
    pub src: SrcSpan,
    /// The item as written, for re-export to other blocks.
    pub tokens: TokenStream,
}

/// How an exported function is shown.
#[derive(Debug)]
pub struct Export {
    /// Visibility as written.
    pub vis: TokenStream,
    /// `#[doc]` attributes as written.
    pub docs: TokenStream,
    /// `#[instances(f32, f64)]`: types for the (single) type parameter, or tuples of types
    /// `#[instances((f32, i32), (f64, i64))]` for several.
    pub instances: Vec<Vec<Type>>,
    /// What it must hold to, by its own attributes and the block's.
    pub contracts: Contracts,
    /// Whether it need not hold to the block's.
    pub unfused: bool,
}

/// `T: Num`
#[derive(Debug)]
pub struct Generic {
    /// The parameter's name.
    pub name: Name,
    /// Its bound.
    pub bound: Bound,
}

/// Bounds on type parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// No bound: may only be moved around.
    Any,
    /// `Num`: integers and floats.
    Num,
    /// `Int`: integers.
    Int,
    /// `Float`: floats.
    Float,
}

/// A parameter.
#[derive(Debug)]
pub struct Param {
    /// Its pattern (a name in most programs).
    pub pattern: Pattern,
    /// Its type.
    pub ty: ParamType,
    /// Pattern and type.
    pub src: SrcSpan,
}

/// The type of a parameter: a value's or a function's.
#[derive(Debug)]
pub enum ParamType {
    /// A value.
    Value(Type),
    /// `impl Fn(A, B) -> C`
    Fn {
        /// Argument types.
        args: Vec<Type>,
        /// Result type.
        ret: Type,
    },
}

/// A type as written.
#[derive(Clone, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where.
    pub src: SrcSpan,
}

/// Kinds of written types.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// A scalar, struct or type parameter by name; also `_`, as `Infer`.
    Name(Name),
    /// `_`
    Infer,
    /// `(A, B)`, also `()`.
    Tuple(Vec<Type>),
    /// `[T]`, `[T; n]`, `[T; 4]`
    Array(Box<Type>, SizeSpec),
    /// `Seq<A>`
    Seq(Box<Type>),
    /// `Complex<T>`
    Complex(Box<Type>),
}

/// What is written in the size position of an array type.
#[derive(Clone, Debug)]
pub enum SizeSpec {
    /// Nothing: a size of its own.
    Own,
    /// A name.
    Named(Name),
    /// A number.
    Known(u64, SrcSpan),
}

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// What it is.
    pub kind: PatternKind,
    /// Where.
    pub src: SrcSpan,
}

/// Kinds of patterns.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// `_`
    Wild,
    /// `..` inside a tuple or struct pattern.
    Rest,
    /// `x`, `mut x`, `x @ p`. A name of a `const` is recognised by `typed`.
    Bind {
        /// The name.
        name: Name,
        /// `mut`
        mutable: bool,
        /// `x @ p`
        inner: Option<Box<Pattern>>,
    },
    /// `(a, b)`
    Tuple(Vec<Pattern>),
    /// `P { x, y: p, .. }`
    Struct {
        /// Struct name.
        name: Name,
        /// Fields.
        fields: Vec<(Name, Pattern)>,
        /// Whether it ends in `..`.
        rest: bool,
    },
    /// `1`, `i32::MAX`
    Value(PatternValue),
    /// `a..=b`, `a..b`, `a..`, `..=b`.
    Range {
        /// Lower bound.
        lo: Option<PatternValue>,
        /// Upper bound.
        hi: Option<PatternValue>,
        /// `..=`
        inclusive: bool,
    },
    /// `p | q`
    Or(Vec<Pattern>),
    /// `x: T` (closure parameters and `let`).
    Typed(Box<Pattern>, Box<Type>),
}

/// What a pattern compares a scalar with.
#[derive(Clone, Debug)]
pub enum PatternValue {
    /// A literal, possibly negated.
    Literal(Literal),
    /// `LIMIT` as a bound of a range; by itself it is a [`PatternKind::Bind`].
    Const(Name),
    /// `i32::MAX`
    Associated(Name, Name),
}

/// A literal.
#[derive(Clone, Debug)]
pub struct Literal {
    /// Its value.
    pub value: LiteralValue,
    /// Its type suffix, `""` for none.
    pub suffix: String,
    /// Where.
    pub src: SrcSpan,
}

/// Values of literals.
#[derive(Clone, Debug, PartialEq)]
pub enum LiteralValue {
    /// `true`, `false`
    Bool(bool),
    /// An integer, with its sign (a pattern's `-1`; expressions negate with [`UnOp`]). Byte and
    /// `char` literals: `b'a'` is `Int(97)` with suffix `u8`.
    Int(i128),
    /// A float: the digits as written, without underscores and suffix (so that `f32` is parsed
    /// once, exactly), with the sign in patterns.
    Float(String),
}

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub src: SrcSpan,
}

/// Kinds of expressions.
#[derive(Debug)]
pub enum ExprKind {
    /// A literal.
    Literal(Literal),
    /// A name, with an optional type in front (`f32::max` is `path = [f32]`, `f32::MAX` too). In a
    /// place that is assigned to, `_` is a name.
    Path(Option<Name>, Name),
    /// `-e`, `!e`
    Unary(UnOp, Box<Expr>),
    /// `a + b`, `a < b`, `a && b`
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// `e as T`
    Cast(Box<Expr>, Type),
    /// `(a, b)`, also `()`
    Tuple(Vec<Expr>),
    /// `P { x: 1.0, ..base }`
    Struct {
        /// Struct name.
        name: Name,
        /// Fields.
        fields: Vec<(Name, Expr)>,
        /// `..base`
        base: Option<Box<Expr>>,
    },
    /// `e.x`, `e.0`
    Field(Box<Expr>, Name),
    /// `[a, b]`
    Array(Vec<Expr>),
    /// `[v; n]`
    Repeat(Box<Expr>, Box<Expr>),
    /// `a[i]`; `a[lo..hi]` is an index by a `Range`.
    Index(Box<Expr>, Box<Expr>),
    /// `lo..hi`, `lo..=hi`, and open forms (only inside an index).
    Range {
        /// Lower bound.
        lo: Option<Box<Expr>>,
        /// Upper bound.
        hi: Option<Box<Expr>>,
        /// `..=`
        inclusive: bool,
    },
    /// `f(args)`, `recv.f(args)`, `T::f(args)`
    Call(Call),
    /// `|p, q| e`
    Closure(Vec<Pattern>, Box<Expr>),
    /// `if c { a } else { b }`; `else` may be missing.
    If(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
    /// `match e { … }`
    Match(Box<Expr>, Vec<Arm>),
    /// `{ …; e }`
    Block(Block),
    /// `for p in e { … }`: an array if `typed` finds that the body has a value, else a statement.
    For(Pattern, Box<Expr>, Block, Option<Name>),
    /// `while c { … }`
    While(Box<Expr>, Block, Option<Name>),
    /// `loop { … }`
    Loop(Block, Option<Name>),
    /// `break 'label v`
    Break(Option<Name>, Option<Box<Expr>>),
    /// `continue 'label`
    Continue(Option<Name>),
    /// `return e`
    Return(Option<Box<Expr>>),
    /// `place = e`, `place op= e`, `(a, b) = e`
    Assign(Box<Expr>, Option<BinOp>, Box<Expr>),
    /// `assert!(c, "message")`
    Assert(Box<Expr>, Option<String>),
    /// `dbg!(e)`
    Dbg(Box<Expr>),
}

/// A call.
#[derive(Debug)]
pub struct Call {
    /// What is called: an operator, a scalar function, a user function or a function parameter.
    pub name: Name,
    /// `T` of `T::f(…)`.
    pub qualifier: Option<Name>,
    /// Turbofish types.
    pub turbofish: Vec<Type>,
    /// Arguments; of a method call, the receiver comes first.
    pub args: Vec<Expr>,
    /// Whether it was written as a method call.
    pub method: bool,
}

/// An arm of a `match`.
#[derive(Debug)]
pub struct Arm {
    /// Its pattern.
    pub pattern: Pattern,
    /// `if guard`
    pub guard: Option<Expr>,
    /// Its value.
    pub body: Expr,
}

/// `{ stmts; value }`
#[derive(Debug)]
pub struct Block {
    /// Statements.
    pub stmts: Vec<Stmt>,
    /// The last expression, when no `;` follows.
    pub value: Option<Box<Expr>>,
}

/// A statement.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "most statements are `let`s")]
pub enum Stmt {
    /// `let p: T = e;`
    Let {
        /// The pattern (with its type, as `PatternKind::Typed`, where written).
        pattern: Pattern,
        /// The value; `None` for `let x;`.
        value: Option<Expr>,
        /// The whole statement.
        src: SrcSpan,
    },
    /// `e;` — or a block-like expression without `;` that is not last.
    Expr(Expr),
}

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnOp {
    /// `-`
    Neg,
    /// `!`
    Not,
}

/// Binary operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `&&`
    And,
    /// `||`
    Or,
}
