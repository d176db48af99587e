//! Run-time checks: what is tested, where it stands in the source, and how a violation reads.
//!
//! One table per function, indexed by [`CheckId`](crate::ids::CheckId), carried unchanged from
//! `shaped` to emission, where it becomes the function's `Site`.

use crate::source::SrcSpan;

/// One check of a function.
#[derive(Clone, Debug)]
pub struct Check {
    pub kind: CheckKind,
    /// The construct that fails.
    pub src: SrcSpan,
}

/// What a check tests. The run-time values that go with a violation are listed in order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum CheckKind {
    /// Values: index, length.
    Index,
    /// Values: low, high, length.
    Slice,
    /// Integer division or remainder by zero.
    Division,
    /// `usize` subtraction below zero. Values: left, right.
    Underflow,
    /// `usize` addition or multiplication above the range. Values: left, right.
    Overflow,
    /// Two sizes that must be equal, each with what it is the size of. Values: left, right.
    Sizes { left: String, right: String },
    /// An operator that needs at least one element.
    Empty { operator: String },
    /// `step_by(0)`
    Step,
    /// A size that no memory can hold (a negative number as a size, usually). Value: the size.
    TooLarge,
    /// `assert!`
    Assert { message: String },
}
