//! What the user's values became: one table per function, made by `shaped`, carried unchanged to
//! emission, where EXPLAIN shows it.

use crate::source::SrcSpan;

/// A value that the user has named, a component of one, or the result.
#[derive(Clone, Debug)]
pub struct Named {
    /// As the user writes it: `xs`, `pair.0`. Nothing for the result, `.0` for a part of it.
    pub name: String,
    /// Its declaration.
    pub src: SrcSpan,
    /// What it is.
    pub repr: Repr,
    /// Whether a body reads it that runs for each element of something, and does not depend on it.
    pub replicated: bool,
}

/// How a value varies over the parallel context in which it is defined (thesis §4.3): the lattice
/// avoided < regular < irregular. A value that is constant over its context is *replicated* by
/// having the representation of an outer level, never copied out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Repr {
    /// Nothing is nested: a scalar, wherever it stands, or an array of scalars that is defined
    /// outside of all parallelism.
    Avoided,
    /// Arrays in an array, or one for each element of something, all of one shape.
    Regular,
    /// The same, but their shapes differ: needs a segment descriptor.
    Irregular,
}
