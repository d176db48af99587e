//! Names resolved, every expression typed, generics specialised.
//!
//! Functions here are instances: no type parameter is left. Function-typed parameters remain as
//! locals that [`ExprKind::CallLocal`] calls; calls between functions remain calls (`shaped` inlines
//! them, with their size constraints). There are no methods, no overloads and no implicit
//! conversions; every literal has its final type.

use crate::ids::{FuncId, LocalId, SizeId, StructId};
use crate::prims::{Prim, Scalar, ScalarOp};
use crate::source::SrcSpan;
use proc_macro2::{Ident, TokenStream};

/// A block after type inference.
#[derive(Debug)]
pub struct Program {
    /// Structs of the block and of imported units.
    pub structs: Vec<StructDef>,
    /// All instances that are exported or reachable from one. A callee comes before its callers.
    pub functions: Vec<Function>,
}

/// A struct: a product with names.
#[derive(Debug)]
pub struct StructDef {
    pub name: String,
    pub ident: Ident,
    pub fields: Vec<(String, Type)>,
    /// The item as written, for emission; `None` for structs of imported units.
    pub tokens: Option<TokenStream>,
    /// What the user derives.
    pub derives: Vec<String>,
}

/// One instance of a function.
#[derive(Debug)]
pub struct Function {
    /// Name as written.
    pub name: String,
    /// The name's token.
    pub ident: Ident,
    /// For exported functions.
    pub export: Option<Export>,
    pub params: Vec<Param>,
    /// Result type with the sizes of the signature.
    pub ret: SigType,
    /// Size names of the signature, first mention first.
    pub sizes: Vec<SizeName>,
    pub body: Expr,
    /// All locals of the body and the parameters' patterns, by [`LocalId`].
    pub locals: Vec<Local>,
    /// The signature.
    pub src: SrcSpan,
}

/// How an exported function is shown.
#[derive(Debug)]
pub struct Export {
    pub vis: TokenStream,
    pub docs: TokenStream,
    /// Name to emit: that of the function, or `name_f32` for an instance of a generic one.
    pub name: String,
    /// The instance's types, empty if the function is not generic.
    pub instance: Vec<Type>,
}

/// A size name of a signature (`n` in `[f32; n]`), usable in the body as a `usize`.
#[derive(Debug)]
pub struct SizeName {
    pub name: String,
    /// First mention.
    pub src: SrcSpan,
    /// The local that the body reads for it.
    pub local: LocalId,
}

/// A parameter.
#[derive(Debug)]
pub struct Param {
    pub pattern: Pattern,
    pub ty: ParamType,
    /// The name for messages and for the emitted signature (`argN` for a pattern).
    pub name: String,
    pub src: SrcSpan,
}

/// A parameter's type.
#[derive(Debug)]
pub enum ParamType {
    Value(SigType),
    /// The pattern is a plain `Bind`.
    Fn {
        args: Vec<Type>,
        ret: Type,
    },
}

/// A type of the signature, with sizes.
#[derive(Clone, Debug)]
pub enum SigType {
    Scalar(Scalar),
    Tuple(Vec<SigType>),
    /// Of scalars and products of scalars only, or with arrays in it: fields in order.
    Struct(StructId, Vec<SigType>),
    Array {
        elem: Box<SigType>,
        size: SizeSpec,
        src: SrcSpan,
    },
}

/// The size of an array in a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SizeSpec {
    /// `[T]`
    Own,
    /// `[T; n]`
    Named(SizeId),
    /// `[T; 4]`, or the name of a `const`.
    Known(u64),
    /// `[T; k]` where `k` is a `usize` parameter of the function.
    Param(LocalId),
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Scalar(Scalar),
    /// `()` is the empty tuple: the type of statements.
    Tuple(Vec<Type>),
    Struct(StructId),
    Array(Box<Type>),
}

/// A local.
#[derive(Debug)]
pub struct Local {
    pub name: String,
    pub ty: LocalType,
    pub mutable: bool,
    pub src: SrcSpan,
}

/// A local holds a value, or is a function-typed parameter.
#[derive(Clone, Debug)]
pub enum LocalType {
    Value(Type),
    Fn,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub src: SrcSpan,
}

/// A scalar constant. Floats carry bits, so that equal constants are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Const {
    pub ty: Scalar,
    /// Two's complement, sign-extended to 64 bits for signed types; IEEE bits; 0/1.
    pub bits: u64,
}

/// Kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    Const(Const),
    Local(LocalId),
    /// A scalar operation; operands are evaluated left to right. Integer `Div`/`Rem` check for
    /// zero; `usize` `Add`/`Sub`/`Mul` written as `+ - *` are checked (see `checked`).
    Scalar {
        op: ScalarOp,
        args: Vec<Expr>,
        /// Written as an operator on `usize` (`+ - *`): leaving 0..2^64 is an error. Also set for
        /// integer `/` and `%`: a zero divisor is an error.
        checked: bool,
    },
    /// `a && b`, lazy.
    And(Box<Expr>, Box<Expr>),
    /// `a || b`, lazy.
    Or(Box<Expr>, Box<Expr>),
    /// A tuple, or a struct's fields in order of declaration.
    Tuple(Vec<Expr>),
    Field(Box<Expr>, usize),
    /// An array literal (`[v; n]` is `Prim::Fill`).
    Array(Vec<Expr>),
    /// `lo..hi` as an array of an integer type; empty if reversed. `..=` has been made `hi + 1`
    /// by `inclusive`.
    Range {
        lo: Box<Expr>,
        hi: Box<Expr>,
        inclusive: bool,
    },
    /// `a[i]`, checked.
    Index(Box<Expr>, Box<Expr>),
    /// `a[lo..hi]`, checked; a missing bound is 0 or the length.
    Slice {
        array: Box<Expr>,
        lo: Option<Box<Expr>>,
        hi: Option<Box<Expr>>,
        inclusive: bool,
    },
    /// An array operator. Function-typed arguments are in `fns`, in order.
    Prim {
        prim: Prim,
        args: Vec<Expr>,
        fns: Vec<FnValue>,
    },
    /// A call of another function. `args` are matched with value parameters in order, `fns` with
    /// function-typed parameters in order.
    Call {
        func: FuncId,
        args: Vec<Expr>,
        fns: Vec<FnValue>,
    },
    /// A call of a function-typed parameter.
    CallLocal {
        local: LocalId,
        args: Vec<Expr>,
    },
    If {
        cond: Box<Expr>,
        then: Box<Expr>,
        else_: Box<Expr>,
    },
    /// Arms are exhaustive: the last one that can be reached always matches.
    Match {
        scrutinee: Box<Expr>,
        arms: Vec<Arm>,
    },
    /// The type is `()` when there is no value.
    Block {
        stmts: Vec<Stmt>,
        value: Option<Box<Expr>>,
    },
    /// `while`; the type is `()`.
    While {
        cond: Box<Expr>,
        body: Box<Expr>,
        label: LoopId,
    },
    /// `loop`; the type is that of its `break` values.
    Loop {
        body: Box<Expr>,
        label: LoopId,
    },
    /// `for p in e { … }` with statements only; `source` is an array (a range most often).
    ForStmt {
        pattern: Pattern,
        source: Box<Expr>,
        body: Box<Expr>,
        label: LoopId,
    },
    /// Leaves loop `label`; with a value for `loop`. Its own type is `()` (never used).
    Break {
        label: LoopId,
        value: Option<Box<Expr>>,
    },
    Continue {
        label: LoopId,
    },
    /// `place = value`; compound assignment has been expanded.
    Assign {
        place: Place,
        value: Box<Expr>,
    },
    /// `assert!(cond, "message")`
    Assert {
        cond: Box<Expr>,
        message: String,
    },
    /// `dbg!(e)`: `e`, printed by the interpreter.
    Dbg(Box<Expr>),
}

/// A loop of a function body; unique within the function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LoopId(pub u32);

/// What is passed for a function: a closure (named functions and `T::max` have become closures), or
/// a function parameter handed on.
#[derive(Clone, Debug)]
pub enum FnValue {
    Lambda(Lambda),
    Local(LocalId),
}

/// A closure; it may read any local in scope and assigns none of them.
#[derive(Clone, Debug)]
pub struct Lambda {
    pub params: Vec<Pattern>,
    pub body: Box<Expr>,
    pub src: SrcSpan,
}

/// An arm.
#[derive(Clone, Debug)]
pub struct Arm {
    pub pattern: Pattern,
    pub guard: Option<Expr>,
    pub body: Expr,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// The pattern always matches.
    Let { pattern: Pattern, value: Expr },
    /// Value dropped (type `()` in most cases).
    Expr(Expr),
}

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    pub kind: PatternKind,
    pub ty: Type,
    pub src: SrcSpan,
}

/// Kinds of patterns. Struct patterns have become tuples of all fields.
#[derive(Clone, Debug)]
pub enum PatternKind {
    Wild,
    /// `x`, `x @ p`
    Bind(LocalId, Option<Box<Pattern>>),
    Tuple(Vec<Pattern>),
    Const(Const),
    /// Inclusive bounds.
    Range {
        lo: Option<Const>,
        hi: Option<Const>,
    },
    /// Every alternative binds nothing or the same locals.
    Or(Vec<Pattern>),
}

/// What is assigned to.
#[derive(Clone, Debug)]
pub struct Place {
    pub local: LocalId,
    pub path: Vec<PlaceStep>,
    pub src: SrcSpan,
}

/// A step into a value.
#[derive(Clone, Debug)]
pub enum PlaceStep {
    Field(usize),
    /// Checked against the length.
    Index(Expr),
}
