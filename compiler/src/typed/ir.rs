//! Names resolved, every expression typed, generics specialised.
//!
//! Functions here are instances: no type parameter is left. Function-typed parameters remain as
//! locals that [`ExprKind::CallLocal`] calls; calls between functions remain calls (`shaped` inlines
//! them, with their size constraints). There are no methods, no overloads and no implicit
//! conversions; every literal has its final type.

mod signature;

use crate::ids::{FuncId, LocalId, StructId};
use crate::prims::{ComplexOp, Prim, Scalar, ScalarOp};
use crate::source::SrcSpan;
use proc_macro2::{Ident, TokenStream};
pub use signature::{Export, Param, ParamType, SigType, SizeName, SizeSpec};
use std::cmp::Ordering;

/// A block after type inference.
#[derive(Debug)]
pub struct Program {
    /// Structs of the block and of imported units.
    pub structs: Vec<StructDef>,
    /// All instances that are exported or reachable from one. A callee comes before its callers.
    pub functions: Vec<Function>,
    /// Whether any `dbg!` was written.
    pub prints: bool,
}

/// A struct: a product with names.
#[derive(Debug)]
pub struct StructDef {
    /// Its name.
    pub name: String,
    /// The name's token.
    pub ident: Ident,
    /// Names and types, as declared.
    pub fields: Vec<(String, Type)>,
    /// Where Rust has it.
    pub home: Home,
    /// What the user derives.
    pub derives: Vec<String>,
}

/// Where Rust has a struct.
#[derive(Debug)]
pub enum Home {
    /// In the block: the item as written, for emission.
    Block(TokenStream),
    /// Outside of it.
    Outside(Outside),
    /// In `num-complex`: the complex numbers with components of this type.
    Complex(Scalar),
    /// Nowhere: it is of an imported unit, or holds an array, and stays inside.
    Inside,
}

/// A struct that Rust has already.
#[derive(Debug)]
pub struct Outside {
    /// Its path, as written.
    pub path: TokenStream,
    /// Its fields.
    pub fields: Vec<OutsideField>,
}

/// A field of such a struct.
#[derive(Debug)]
pub struct OutsideField {
    /// The token of its name.
    pub ident: Ident,
    /// Its type, with the sizes of arrays.
    pub ty: SigType,
    /// Where that is.
    pub src: SrcSpan,
}

/// One instance of a function.
#[derive(Debug)]
pub struct Function {
    /// Name as written.
    pub name: String,
    /// The name's token.
    pub ident: Ident,
    /// `#[fast]`: what it computes, and what it calls for that, need not round as written. The
    /// interpreter rounds as written all the same.
    pub fast: bool,
    /// For exported functions.
    pub export: Option<Export>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Result type with the sizes of the signature.
    pub ret: SigType,
    /// Size names of the signature, first mention first. One that no parameter mentions is a size
    /// of the result: it has no value before the result is there, says that all arrays at
    /// its mentions have one length, and the body does not read it.
    pub sizes: Vec<SizeName>,
    /// What it computes.
    pub body: Expr,
    /// All locals of the body and the parameters' patterns, by [`LocalId`].
    pub locals: Vec<Local>,
    /// The signature.
    pub src: SrcSpan,
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// A scalar.
    Scalar(Scalar),
    /// `()` is the empty tuple: the type of statements.
    Tuple(Vec<Type>),
    /// A struct of the program.
    Struct(StructId),
    /// An array, its size left to `shaped`.
    Array(Box<Type>),
}

/// A local.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub ty: LocalType,
    /// Declared with `mut`.
    pub mutable: bool,
    /// Elements or slices of it are assigned.
    pub in_parts: bool,
    /// Made by the compiler: the user has no name for it.
    pub temporary: bool,
    /// Its declaration.
    pub src: SrcSpan,
}

/// A local holds a value, or is a function-typed parameter.
#[derive(Clone, Debug)]
pub enum LocalType {
    /// A value.
    Value(Type),
    /// A function-typed parameter.
    Fn,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// The expression as written.
    pub src: SrcSpan,
}

/// A scalar constant. Floats carry bits, so that equal constants are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Const {
    /// Its type.
    pub ty: Scalar,
    /// Two's complement, sign-extended to 64 bits for signed types; IEEE bits; 0/1.
    pub bits: u64,
}

impl Const {
    /// Which of two of one type sorts put first: that of `total_cmp` for floats.
    pub fn order(self, other: Const) -> Ordering {
        match self.ty {
            Scalar::F16 | Scalar::Bf16 | Scalar::F32 | Scalar::F64 => {
                self.total().cmp(&other.total())
            }
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => {
                (self.bits as i64).cmp(&(other.bits as i64))
            }
            Scalar::Bool | Scalar::U8 | Scalar::U16 | Scalar::U32 => self.bits.cmp(&other.bits),
            Scalar::U64 | Scalar::Usize => self.bits.cmp(&other.bits),
        }
    }

    /// A number in the order of a float: of two with a sign, that whose other bits are the less is the
    /// greater.
    fn total(self) -> i64 {
        let bits = (self.bits << (64 - self.ty.bits())) as i64;
        bits ^ ((bits >> 63) as u64 >> 1) as i64
    }
}

/// Kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant.
    Const(Const),
    /// The value of a local.
    Local(LocalId),
    /// A scalar operation; operands are evaluated left to right. Integer `Div`/`Rem` check for
    /// zero; `usize` `Add`/`Sub`/`Mul` written as `+ - *` are checked (see `checked`).
    Scalar {
        /// The operation.
        op: ScalarOp,
        /// Its operands.
        args: Vec<Expr>,
        /// Written as an operator on `usize` (`+ - *`): leaving 0..2^64 is an error. Also set for
        /// integer `/`, `%` and their like: a zero divisor is an error.
        checked: bool,
    },
    /// An operation of which an operand is a complex number; the others are, or are of the type of
    /// its components.
    Complex {
        /// The operation.
        op: ComplexOp,
        /// Its operands.
        args: Vec<Expr>,
    },
    /// `a && b`, lazy.
    And(Box<Expr>, Box<Expr>),
    /// `a || b`, lazy.
    Or(Box<Expr>, Box<Expr>),
    /// A tuple, or a struct's fields in order of declaration.
    Tuple(Vec<Expr>),
    /// A field of a tuple or struct, by position.
    Field(Box<Expr>, usize),
    /// An array literal (`[v; n]` is `Prim::Fill`).
    Array(Vec<Expr>),
    /// `lo..hi` as an array of an integer type; empty if reversed. `..=` has been made `hi + 1`
    /// by `inclusive`.
    Range {
        /// The first.
        lo: Box<Expr>,
        /// The end.
        hi: Box<Expr>,
        /// Written `..=`.
        inclusive: bool,
    },
    /// `a[i]`, checked.
    Index(Box<Expr>, Box<Expr>),
    /// `a[lo..hi]`, checked; a missing bound is 0 or the length.
    Slice {
        /// What is cut.
        array: Box<Expr>,
        /// The first index.
        lo: Option<Box<Expr>>,
        /// The end.
        hi: Option<Box<Expr>>,
        /// Written `..=`.
        inclusive: bool,
    },
    /// An array operator. Function-typed arguments are in `fns`, in order. Constant arguments
    /// (the axes of `transpose`, the rank of `shape`) are [`ExprKind::Const`] of type `usize`.
    ///
    /// Operators along an axis, and those over several extents, are none here: they have become
    /// what they mean (see [`crate::prims::Means`]). For steps, `streamed` writes two with a third
    /// argument, `true`: a `reduce` that goes on from what it is given, chunk by chunk, and a
    /// `scan_from` whose prefixes are inclusive.
    Prim {
        /// The operator.
        prim: Prim,
        /// Its arguments that are values.
        args: Vec<Expr>,
        /// Its arguments that are functions.
        fns: Vec<FnValue>,
    },
    /// A call of another function. `args` are matched with value parameters in order, `fns` with
    /// function-typed parameters in order.
    Call {
        /// The function.
        func: FuncId,
        /// Its arguments that are values.
        args: Vec<Expr>,
        /// Its arguments that are functions.
        fns: Vec<FnValue>,
    },
    /// A call of a function-typed parameter.
    CallLocal {
        /// The parameter.
        local: LocalId,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `if`; the type is `()` where there is no `else`.
    If {
        /// A `bool`.
        cond: Box<Expr>,
        /// Where it holds.
        then: Box<Expr>,
        /// Where it does not.
        else_: Box<Expr>,
    },
    /// Arms are exhaustive: the last one that can be reached always matches.
    Match {
        /// What is matched.
        scrutinee: Box<Expr>,
        /// In order.
        arms: Vec<Arm>,
    },
    /// The type is `()` when there is no value.
    Block {
        /// In order.
        stmts: Vec<Stmt>,
        /// The value at the end.
        value: Option<Box<Expr>>,
    },
    /// `while`; the type is `()`.
    While {
        /// Looked at before each trip.
        cond: Box<Expr>,
        /// One trip.
        body: Box<Expr>,
        /// Its name for `break`.
        label: LoopId,
    },
    /// `loop`; the type is that of its `break` values.
    Loop {
        /// One trip.
        body: Box<Expr>,
        /// Its name for `break`.
        label: LoopId,
        /// Whether a `break` leaves it; its end is never reached if none does.
        ends: bool,
    },
    /// A body that `return` leaves: its value is that of the `break` that does. Every path through
    /// it ends in a `break`.
    Labelled {
        /// What is run, once.
        body: Box<Expr>,
        /// Its name for `break`.
        label: LoopId,
    },
    /// `for p in e { … }` with statements only; `source` is an array (a range most often).
    ForStmt {
        /// What each trip binds.
        pattern: Pattern,
        /// The array.
        source: Box<Expr>,
        /// One trip.
        body: Box<Expr>,
        /// Its name for `break`.
        label: LoopId,
    },
    /// Leaves `label`; with a value for `loop` and for a body. Its own type is `()` (never used).
    ///
    /// It and `Continue` stand in statements, in values that are bound or assigned, in guards and in
    /// branches of these: no operand leaves a loop that is around its expression.
    Break {
        /// The loop or body.
        label: LoopId,
        /// The value of a `loop` or body.
        value: Option<Box<Expr>>,
    },
    /// Goes on with the next trip.
    Continue {
        /// The loop.
        label: LoopId,
    },
    /// `place = value`; compound assignment has been expanded.
    Assign {
        /// What is assigned to.
        place: Place,
        /// The new value.
        value: Box<Expr>,
    },
    /// `assert!(cond, "message")`
    Assert {
        /// What must hold.
        cond: Box<Expr>,
        /// What the error says.
        message: String,
    },
    /// The array that a `let` or a closure binds has the size that its type says.
    Sized {
        /// The size in the type.
        size: Box<Expr>,
        /// The array's.
        len: Box<Expr>,
        /// The size as it is written.
        written: String,
        /// What has the type, with backquotes around names of the user's.
        name: String,
        /// Where that is bound.
        bound: SrcSpan,
    },
    /// `dbg!(e)`: `e`, which is printed.
    Dbg(Box<Expr>),
    /// An array as the sequence of its elements, of the same type. It says that what is made of it is
    /// gone through once, when it is asked for, and never all at hand.
    Streamed(Box<Expr>),
}

/// A loop of a function body; unique within the function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LoopId(pub u32);

/// What is passed for a function: a closure (named functions and `T::max` have become closures), or
/// a function parameter handed on.
#[derive(Clone, Debug)]
pub enum FnValue {
    /// A closure.
    Lambda(Lambda),
    /// A function-typed parameter.
    Local(LocalId),
}

/// A closure; it may read any local in scope and assigns none of them.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// What it binds.
    pub params: Vec<Pattern>,
    /// What it gives.
    pub body: Box<Expr>,
    /// The closure as written.
    pub src: SrcSpan,
}

/// An arm.
#[derive(Clone, Debug)]
pub struct Arm {
    /// What it matches.
    pub pattern: Pattern,
    /// What must hold besides.
    pub guard: Option<Expr>,
    /// Its value.
    pub body: Expr,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// The pattern always matches.
    Let {
        /// What it binds.
        pattern: Pattern,
        /// The value.
        value: Expr,
    },
    /// Value dropped (type `()` in most cases).
    Expr(Expr),
}

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// What it is.
    pub kind: PatternKind,
    /// The type of what it matches.
    pub ty: Type,
    /// The pattern as written.
    pub src: SrcSpan,
}

/// Kinds of patterns. Struct patterns have become tuples of all fields.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// `_`
    Wild,
    /// `x`, `x @ p`
    Bind(LocalId, Option<Box<Pattern>>),
    /// A tuple or struct, field by field.
    Tuple(Vec<Pattern>),
    /// A constant.
    Const(Const),
    /// Inclusive bounds.
    Range {
        /// The least; any if missing.
        lo: Option<Const>,
        /// The greatest; any if missing.
        hi: Option<Const>,
    },
    /// Every alternative binds nothing or the same locals.
    Or(Vec<Pattern>),
}

/// What is assigned to.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable.
    pub local: LocalId,
    /// The way into its value.
    pub path: Vec<PlaceStep>,
    /// The place as written.
    pub src: SrcSpan,
}

/// A step into a value.
#[derive(Clone, Debug)]
pub enum PlaceStep {
    /// A field, by position.
    Field(usize),
    /// Checked against the length. What is assigned keeps the shape of the element: other lengths
    /// in it are an error.
    Index(Expr),
    /// `[lo..hi]`, checked as [`ExprKind::Slice`] is; the last step. What is assigned is an array
    /// of its shape: another length, or other lengths in its elements, are an error.
    Slice {
        /// The first index.
        lo: Option<Expr>,
        /// The end.
        hi: Option<Expr>,
        /// Written `..=`.
        inclusive: bool,
    },
}
