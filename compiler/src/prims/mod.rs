//! The operators and scalar functions of the language: one record each.
//!
//! Everything that is said about an operator in one place: name, arity, what its arguments are,
//! docs and an example (from which `docs/language.md` is made and tested). How it is typed, shaped
//! and interpreted is one arm of an exhaustive `match` in each of those stages.

mod complex;
mod dense;
mod floats;
mod order;
mod record;
mod scalar_fns;
mod scalars;
mod sizes;
mod table;

pub use complex::{
    COMPLEX_FNS, ComplexFn, ComplexOp, Number, Reals, complex_fn, complex_struct, component,
    compute,
};
pub use order::Sorted;
pub use record::{Means, Prim, PrimGroup, PrimInfo, along_axis, record, records};
pub use scalar_fns::{Domain, Gives, SCALAR_FNS, ScalarFn, scalar_fn};
pub use scalars::{Extreme, FastOp, MathsFn, Method, ScalarOp};

/// Elements that reductions and scans combine on their own, see `docs/language.md`, Meaning.
pub const CHUNK: usize = 16384;

/// Accumulators of a recognised operator in a chunk.
pub const LANES: usize = 64;

/// Elements for each bin that `permute` and `histogram` combine on their own, at least (and never
/// fewer than [`CHUNK`] in all), where the operator is recognised.
pub const PER_BIN: usize = 16;

/// What a length counts at most where lengths are summed: more elements than any memory holds, and
/// few enough that sums stay in range.
pub const MOST_LENGTH: u64 = 1 << 47;

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
    /// `f16`
    F16,
    /// `bf16`
    Bf16,
    /// `f32`
    F32,
    /// `f64`
    F64,
}

impl Scalar {
    /// Every scalar type.
    pub const ALL: [Scalar; 14] = [
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
        Scalar::F16,
        Scalar::Bf16,
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
            Scalar::F16 => "f16",
            Scalar::Bf16 => "bf16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// The scalar type called `name`.
    pub fn by_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|scalar| scalar.name() == name)
    }

    /// `f16`, `bf16`, `f32` or `f64`.
    pub fn is_float(self) -> bool {
        self.is_half() || matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// A float of 16 bits: it is computed with as `f32`, and each result rounded.
    pub fn is_half(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::Bf16)
    }

    /// Any integer type, `usize` included.
    pub fn is_int(self) -> bool {
        !self.is_float() && self != Scalar::Bool
    }

    /// A signed integer type.
    pub fn is_signed_int(self) -> bool {
        matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)
    }

    /// An integer type without negative numbers, `usize` included.
    pub fn is_unsigned_int(self) -> bool {
        self.is_int() && !self.is_signed_int()
    }

    /// The unsigned integer type of the same size; itself, if it is no signed integer type.
    pub fn unsigned(self) -> Scalar {
        match self {
            Scalar::I8 => Scalar::U8,
            Scalar::I16 => Scalar::U16,
            Scalar::I32 => Scalar::U32,
            Scalar::I64 => Scalar::U64,
            Scalar::Bool
            | Scalar::U8
            | Scalar::U16
            | Scalar::U32
            | Scalar::U64
            | Scalar::Usize
            | Scalar::F16
            | Scalar::Bf16
            | Scalar::F32
            | Scalar::F64 => self,
        }
    }

    /// Size in bits (`usize` counts as 64: the language is defined for 64-bit machines).
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 8,
            Scalar::I16 | Scalar::U16 | Scalar::F16 | Scalar::Bf16 => 16,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 32,
            Scalar::I64 | Scalar::U64 | Scalar::Usize | Scalar::F64 => 64,
        }
    }
}

/// Names that the language has and this version does not compile.
pub const PLANNED: &[&str] = &["random_f32", "random_u64"];
