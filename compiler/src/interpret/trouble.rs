//! Run-time errors: what went wrong, where, and the values that show it.

use crate::source::{LineColumn, SrcSpan};
use std::fmt;

/// A run-time error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// What went wrong.
    pub kind: TroubleKind,
    /// Where the construct starts.
    pub at: LineColumn,
}

/// Kinds of run-time errors, with the values that show them. [`std::mem::discriminant`] compares
/// kinds alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TroubleKind {
    /// `index` is not below `len` (for a rotation: above it).
    IndexOutOfRange {
        /// The index.
        index: u64,
        /// The array's length.
        len: u64,
    },
    /// An integer `/` or `%` by zero.
    DivisionByZero,
    /// Two sizes that must be equal are not.
    SizeMismatch {
        /// The size that was there first.
        left: u64,
        /// The size that differs from it.
        right: u64,
    },
    /// `left - right` of `usize` is below zero.
    SizeUnderflow {
        /// The left operand.
        left: u64,
        /// The right operand.
        right: u64,
    },
    /// `left + right` or `left * right` of `usize` is 2^64 or more.
    SizeOverflow {
        /// The left operand.
        left: u64,
        /// The right operand.
        right: u64,
    },
    /// `lo..hi` does not lie within an array, or is reversed.
    SliceOutOfRange {
        /// First position.
        lo: u64,
        /// End, exclusive.
        hi: u64,
        /// The array's length.
        len: u64,
    },
    /// An operator that needs an element got none.
    EmptyArray,
    /// An `assert!` failed.
    Assertion {
        /// Its message.
        message: String,
    },
    /// `step_by(0)`
    StepZero,
    /// An index that must come once comes again.
    DuplicateIndex {
        /// The index.
        index: u64,
        /// The first position that has it; the lowest of all indices that come again.
        first: u64,
        /// The last position that has it.
        last: u64,
    },
    /// An array that cannot fit in memory; a negative size looks like one.
    TooLarge {
        /// The number of elements, at most `u64::MAX`.
        size: u64,
    },
    /// The step limit was reached: says nothing about the program.
    OutOfFuel,
}

impl Trouble {
    /// `kind`, at the start of `src`.
    pub(super) fn new(kind: TroubleKind, src: SrcSpan) -> Self {
        let at = src.start();
        Trouble { kind, at }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.at.line, self.at.column, self.kind)
    }
}

impl fmt::Display for TroubleKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TroubleKind::IndexOutOfRange { index, len } => {
                write!(f, "index {index} is out of range for length {len}")
            }
            TroubleKind::DivisionByZero => write!(f, "division by zero"),
            TroubleKind::SizeMismatch { left, right } => {
                write!(f, "sizes {left} and {right} do not match")
            }
            TroubleKind::SizeUnderflow { left, right } => {
                write!(f, "size {left} - {right} is below zero")
            }
            TroubleKind::SizeOverflow { left, right } => {
                write!(f, "size computed from {left} and {right} overflows")
            }
            TroubleKind::SliceOutOfRange { lo, hi, len } => {
                write!(f, "slice {lo}..{hi} is out of range for length {len}")
            }
            TroubleKind::EmptyArray => write!(f, "the array is empty"),
            TroubleKind::Assertion { message } if message.is_empty() => {
                write!(f, "assertion failed")
            }
            TroubleKind::Assertion { message } => write!(f, "assertion failed: {message}"),
            TroubleKind::StepZero => write!(f, "step is zero"),
            TroubleKind::DuplicateIndex { index, first, last } => {
                write!(f, "index {index} comes at {first} and again at {last}")
            }
            TroubleKind::TooLarge { size } => write!(f, "{size} elements do not fit in memory"),
            TroubleKind::OutOfFuel => write!(f, "step limit reached"),
        }
    }
}
