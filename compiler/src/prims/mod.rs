//! The operators and scalar functions of the language: one record each.
//!
//! Everything that is said about an operator in one place: name, arity, what its arguments are,
//! docs and an example (from which `docs/language.md` is made and tested). How it is typed, shaped
//! and interpreted is one arm of an exhaustive `match` in each of those stages.

mod dense;
mod record;
mod table;

pub use record::{Means, Prim, PrimGroup, PrimInfo, Status, along_axis, record, records};

/// Scalar types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Scalar {
    /// `bool`
    Bool,
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`
    U64,
    /// `usize`
    Usize,
    /// `f32`
    F32,
    /// `f64`
    F64,
}

impl Scalar {
    /// Every scalar type.
    pub const ALL: [Scalar; 12] = [
        Scalar::Bool,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::Usize,
        Scalar::F32,
        Scalar::F64,
    ];

    /// Its name in Rust and in the language.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::Usize => "usize",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// The scalar type called `name`.
    pub fn by_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|scalar| scalar.name() == name)
    }

    /// `f32` or `f64`.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// Any integer type, `usize` included.
    pub fn is_int(self) -> bool {
        !self.is_float() && self != Scalar::Bool
    }

    /// A signed integer type.
    pub fn is_signed_int(self) -> bool {
        matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)
    }

    /// Size in bits (`usize` counts as 64: the language is defined for 64-bit machines).
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 8,
            Scalar::I16 | Scalar::U16 => 16,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 32,
            Scalar::I64 | Scalar::U64 | Scalar::Usize | Scalar::F64 => 64,
        }
    }
}

/// Scalar operations that stages after `typed` share. All total: a division by zero or an index out
/// of range is caught by a check statement of its own before it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScalarOp {
    // One operand.
    /// `-x`; integers wrap.
    Neg,
    /// `!x`
    Not,
    /// To the result's type, with the meaning of Rust's `as`.
    Cast,
    /// Absolute value; integers wrap.
    Abs,
    /// Square root.
    Sqrt,
    /// Largest whole number not above.
    Floor,
    /// Smallest whole number not below.
    Ceil,
    /// Nearest whole number, halves away from zero.
    Round,
    /// Whole part.
    Trunc,
    /// e to the power of x.
    Exp,
    /// Natural logarithm.
    Ln,
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Hyperbolic tangent.
    Tanh,
    /// Number of one bits.
    CountOnes,
    /// Number of zero bits.
    CountZeros,
    /// Number of leading zero bits.
    LeadingZeros,
    /// Number of trailing zero bits.
    TrailingZeros,
    // Two operands.
    /// `+`; integers wrap.
    Add,
    /// `-`; integers wrap.
    Sub,
    /// `*`; integers wrap.
    Mul,
    /// `/`; integers wrap.
    Div,
    /// `%`; integers wrap.
    Rem,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// The amount is taken modulo the width.
    Shl,
    /// The amount is taken modulo the width.
    Shr,
    /// Rotates the bits left.
    RotateLeft,
    /// Rotates the bits right.
    RotateRight,
    /// The smaller; ignores NaN.
    Min,
    /// The larger; ignores NaN.
    Max,
    /// x to the power of y.
    Pow,
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
    // Three operands.
    /// `Clamp(x, lo, hi)`: the nearest from `lo` to `hi`.
    Clamp,
    /// `Select(c, a, b)`: `a` where `c`, else `b`. Both are evaluated.
    Select,
}

/// Which scalar types a scalar function takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// Floats.
    Float,
    /// Integers.
    Int,
    /// Integers and floats.
    Num,
    /// Signed integers and floats.
    Signed,
}

/// A scalar function that is called by name.
pub struct ScalarFn {
    /// Its name, as method and free function.
    pub name: &'static str,
    /// What it becomes.
    pub op: ScalarOp,
    /// Number of arguments, the receiver included.
    pub arity: usize,
    /// Argument types; all arguments have the same type as the first, except that the amount of a
    /// rotation is `u32` and the counts (`count_ones` …) give `u32`.
    pub domain: Domain,
    /// One sentence.
    pub doc: &'static str,
}

macro_rules! scalar_fns {
    ($($name:literal $op:ident $arity:literal $domain:ident $doc:literal;)*) => {
        &[$(ScalarFn {
            name: $name, op: ScalarOp::$op, arity: $arity, domain: Domain::$domain, doc: $doc,
        }),*]
    };
}

/// Scalar functions by name.
pub const SCALAR_FNS: &[ScalarFn] = scalar_fns! {
    "abs" Abs 1 Signed "Absolute value; integers wrap (`i32::MIN.abs()` is `i32::MIN`).";
    "min" Min 2 Num "The smaller; NaN is ignored, -0 < +0.";
    "max" Max 2 Num "The larger; NaN is ignored, -0 < +0.";
    "clamp" Clamp 3 Num "`x.clamp(lo, hi)`: the nearest number from `lo` to `hi`; NaN stays NaN.";
    "sqrt" Sqrt 1 Float "Square root, correctly rounded.";
    "floor" Floor 1 Float "Largest whole number not above.";
    "ceil" Ceil 1 Float "Smallest whole number not below.";
    "round" Round 1 Float "Nearest whole number, halves away from zero.";
    "trunc" Trunc 1 Float "Whole part, towards zero.";
    "exp" Exp 1 Float "e to the power of the argument.";
    "ln" Ln 1 Float "Natural logarithm.";
    "sin" Sin 1 Float "Sine of an angle in radians.";
    "cos" Cos 1 Float "Cosine of an angle in radians.";
    "tanh" Tanh 1 Float "Hyperbolic tangent.";
    "pow" Pow 2 Float "`x.pow(y)`: x to the power of y (Rust's `powf`).";
    "count_ones" CountOnes 1 Int "Number of one bits, as `u32`.";
    "count_zeros" CountZeros 1 Int "Number of zero bits, as `u32`.";
    "leading_zeros" LeadingZeros 1 Int "Number of leading zero bits, as `u32`.";
    "trailing_zeros" TrailingZeros 1 Int "Number of trailing zero bits, as `u32`.";
    "rotate_left" RotateLeft 2 Int "Rotates the bits left by a `u32` amount.";
    "rotate_right" RotateRight 2 Int "Rotates the bits right by a `u32` amount.";
    "wrapping_add" Add 2 Int "Sum that wraps, for `usize` too.";
    "wrapping_sub" Sub 2 Int "Difference that wraps, for `usize` too.";
    "wrapping_mul" Mul 2 Int "Product that wraps, for `usize` too.";
};

/// The scalar function called `name`.
pub fn scalar_fn(name: &str) -> Option<&'static ScalarFn> {
    SCALAR_FNS.iter().find(|function| function.name == name)
}

/// Names that the language has and this version does not compile.
pub const PLANNED: &[&str] = &[
    "unflatten",
    "concat",
    "lens",
    "scatter_unique",
    "permute",
    "histogram",
    "filter",
    "partition",
    "compress",
    "dedup",
    "flat_map",
    "sort",
    "sort_by_key",
    "argsort",
    "group_by_key",
    "binary_search",
    "partition_point",
    "merge",
    "run_lengths",
    "unique",
    "kth_smallest",
    "pairs",
    "cartesian",
    "stencil",
    "random_f32",
    "random_u64",
    "produce",
    "elements",
    "tabulate",
    "collect",
    "cbrt",
    "exp2",
    "exp_m1",
    "ln_1p",
    "log2",
    "log10",
    "powi",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "hypot",
    "erf",
    "rem_euclid",
    "signum",
    "is_nan",
    "take_while",
];
