//! When an error of compiled code is that of the interpreter: its kind, its values and its place.

use crate::wrap::FIRST_LINE;
use ragged_compiler::interpret::{Trouble, TroubleKind};
use ragged_core::{Error, ErrorKind};

/// Whether both are one; if not, what differs.
pub(super) fn agree(error: &Error, trouble: &Trouble) -> Result<(), String> {
    if same_kind(error, trouble) && same_values(error, trouble) {
        return same_place(error, trouble);
    }
    Err(format!("compiled: {error}; interpreted: {trouble}"))
}

/// Whether an error and a trouble are of one kind.
fn same_kind(error: &Error, trouble: &Trouble) -> bool {
    use {ErrorKind as E, TroubleKind as T};
    matches!(
        (error.kind(), &trouble.kind),
        (E::IndexOutOfRange { .. }, T::IndexOutOfRange { .. })
            | (E::DivisionByZero, T::DivisionByZero)
            | (E::SizeMismatch { .. }, T::SizeMismatch { .. })
            | (E::SizeUnderflow { .. }, T::SizeUnderflow { .. })
            | (E::SizeOverflow { .. }, T::SizeOverflow { .. })
            | (E::SliceOutOfRange { .. }, T::SliceOutOfRange { .. })
            | (E::EmptyArray { .. }, T::EmptyArray)
            | (E::Assertion { .. }, T::Assertion { .. })
            | (E::StepZero { .. }, T::StepZero)
            | (E::DuplicateIndex { .. }, T::DuplicateIndex { .. })
            | (
                E::SizeTooLarge { .. } | E::OutOfMemory { .. },
                T::TooLarge { .. }
            )
    )
}

/// Whether an error and a trouble of one kind show the same values.
fn same_values(error: &Error, trouble: &Trouble) -> bool {
    use {ErrorKind as E, TroubleKind as T};
    let size = |x: &usize, y: &u64| *x as u64 == *y;
    match (error.kind(), &trouble.kind) {
        (E::IndexOutOfRange { index, len }, T::IndexOutOfRange { index: i, len: n }) => {
            *index as u64 == *i && size(len, n)
        }
        (
            E::SizeMismatch {
                left_size,
                right_size,
                ..
            },
            T::SizeMismatch { left, right },
        ) => {
            // Which of the two comes first is not part of the meaning.
            size(left_size, left) && size(right_size, right)
                || size(left_size, right) && size(right_size, left)
        }
        (E::SizeUnderflow { left, right }, T::SizeUnderflow { left: l, right: r })
        | (E::SizeOverflow { left, right }, T::SizeOverflow { left: l, right: r }) => {
            size(left, l) && size(right, r)
        }
        (
            E::SliceOutOfRange { lo, hi, len },
            T::SliceOutOfRange {
                lo: l,
                hi: h,
                len: n,
            },
        ) => size(lo, l) && size(hi, h) && size(len, n),
        (
            E::DuplicateIndex { index, first, last },
            T::DuplicateIndex {
                index: i,
                first: f,
                last: l,
            },
        ) => size(index, i) && size(first, f) && size(last, l),
        (E::Assertion { message }, T::Assertion { message: text }) => message == text,
        (E::SizeTooLarge { size: n }, T::TooLarge { size: m }) => size(n, m),
        _without_values => true,
    }
}

/// What sizes are of is said by a parameter, or by the construct that gives it: of sizes that differ the line
/// is compared. Memory that the machine does not have has no place. Rows that no memory can hold are too
/// large for what makes one and for what makes all, in the same line.
fn same_place(error: &Error, trouble: &Trouble) -> Result<(), String> {
    if matches!(error.kind(), ErrorKind::OutOfMemory { .. }) {
        return Ok(());
    }
    let (line, column) = (error.line() + 1 - FIRST_LINE, error.column());
    let (wanted, at) = (trouble.at.line, trouble.at.column);
    let line_alone = matches!(
        trouble.kind,
        TroubleKind::TooLarge { .. } | TroubleKind::SizeMismatch { .. }
    );
    if line == wanted && (column == at || line_alone) {
        return Ok(());
    }
    Err(format!(
        "compiled code names {line}:{column}, the interpreter {wanted}:{at}: {error}"
    ))
}
