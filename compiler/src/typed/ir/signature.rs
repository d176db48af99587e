//! Signatures: what a function takes and gives, with the sizes of arrays.

use super::{Pattern, Type};
use crate::contracts::ir::Contracts;
use crate::ids::{LocalId, SizeId, StructId};
use crate::prims::Scalar;
use crate::source::SrcSpan;
use proc_macro2::TokenStream;

/// How an exported function is shown.
#[derive(Debug)]
pub struct Export {
    /// The visibility as written.
    pub vis: TokenStream,
    /// The doc comments as written.
    pub docs: TokenStream,
    /// Name to emit: that of the function, or `name_f32` for an instance of a generic one.
    pub name: String,
    /// What errors call it: that name, or that of the function that it is a part of.
    pub shown: String,
    /// The instance's types, empty if the function is not generic.
    pub instance: Vec<Type>,
    /// What it must hold to.
    pub contracts: Contracts,
}

/// A size name of a signature (`n` in `[f32; n]`), usable in the body as a `usize`.
#[derive(Debug)]
pub struct SizeName {
    /// The name.
    pub name: String,
    /// First mention.
    pub src: SrcSpan,
    /// The local that the body reads for it.
    pub local: LocalId,
}

/// A parameter.
#[derive(Debug)]
pub struct Param {
    /// What it binds.
    pub pattern: Pattern,
    /// Its type.
    pub ty: ParamType,
    /// The name for messages and for the emitted signature (`argN` for a pattern).
    pub name: String,
    /// The whole parameter.
    pub src: SrcSpan,
}

/// A parameter's type.
#[derive(Debug)]
pub enum ParamType {
    /// A value.
    Value(SigType),
    /// The pattern is a plain `Bind`.
    Fn {
        /// What it takes.
        args: Vec<Type>,
        /// What it gives.
        ret: Type,
    },
}

/// A type of the signature, with sizes.
#[derive(Clone, Debug)]
pub enum SigType {
    /// A scalar.
    Scalar(Scalar),
    /// A tuple.
    Tuple(Vec<SigType>),
    /// Of scalars and products of scalars only, or with arrays in it: fields in order.
    Struct(StructId, Vec<SigType>),
    /// Over the border only: an array inside of a struct from outside ([`SizeSpec::Inline`]): the type
    /// of its elements, and so many fields.
    Vector(Box<SigType>, Vec<SigType>),
    /// An array.
    Array {
        /// The type of its elements.
        elem: Box<SigType>,
        /// Its size.
        size: SizeSpec,
        /// The type as written.
        src: SrcSpan,
    },
}

impl SigType {
    /// The type without its sizes.
    pub fn erased(&self) -> Type {
        match self {
            SigType::Scalar(scalar) => Type::Scalar(*scalar),
            SigType::Tuple(fields) => Type::Tuple(fields.iter().map(SigType::erased).collect()),
            SigType::Struct(id, _) => Type::Struct(*id),
            SigType::Array { elem, .. } | SigType::Vector(elem, _) => {
                Type::Array(Box::new(elem.erased()))
            }
        }
    }

    /// Whether it is a sequence.
    pub fn is_seq(&self) -> bool {
        let size = SizeSpec::Seq;
        matches!(self, SigType::Array { size: it, .. } if *it == size)
    }

    /// Makes a sequence the array of its items.
    pub fn unmark(&mut self) {
        if let SigType::Array { size, .. } = self
            && *size == SizeSpec::Seq
        {
            *size = SizeSpec::Own;
        }
    }

    /// Whether it is an array, or holds one.
    pub fn has_array(&self) -> bool {
        match self {
            SigType::Scalar(_) => false,
            SigType::Tuple(fields) | SigType::Struct(_, fields) => {
                fields.iter().any(SigType::has_array)
            }
            SigType::Vector(..) | SigType::Array { .. } => true,
        }
    }

    /// Whether it is an array that goes over the border by itself, or holds one.
    pub fn goes_apart(&self) -> bool {
        match self {
            SigType::Scalar(_) | SigType::Vector(..) => false,
            SigType::Tuple(fields) | SigType::Struct(_, fields) => {
                fields.iter().any(SigType::goes_apart)
            }
            SigType::Array { size, .. } => !matches!(size, SizeSpec::Inline(_)),
        }
    }
}

/// The size of an array in a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SizeSpec {
    /// `[T]`. Inside of another array only where a type parameter of a function that is not exported
    /// stands for an array: then any size.
    Own,
    /// `[T; n]`
    Named(SizeId),
    /// `[T; 4]`, or the name of a `const`.
    Known(u64),
    /// `[T; 4]` in a struct from outside: its elements are inside of the struct.
    Inline(u64),
    /// As `[T; 4]`, of an array that parts of a function over sequences pass on
    /// ([`crate::streamed`]): it has that length, which nothing need check.
    Held(u64),
    /// `[T; k]` where `k` is a `usize` parameter of the function.
    Param(LocalId),
    /// `Seq<T>`: a sequence, which is an array where it is consumed at once. It is a parameter or a
    /// result, no part of one, and none are left after [`crate::streamed`].
    Seq,
}
