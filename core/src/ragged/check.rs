//! What offsets have to be.
//!
//! In: offsets, and the number of values. Out: nothing, or what is wrong with them.
//! Assumes: nothing.

use core::fmt;

use crate::memory;

/// Why something is no array of arrays, or an array of arrays no matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RaggedError {
    /// There are no offsets: even an array without rows has one.
    NoOffsets,
    /// The first offset is not 0; of a view it is negative.
    First {
        /// The offset.
        offset: i64,
    },
    /// An offset is less than the one before it.
    Decreasing {
        /// Which one.
        at: usize,
        /// The offset before it.
        before: i64,
        /// The offset.
        offset: i64,
    },
    /// The last offset, or the sum of the lengths, is not the number of values; of a view it is
    /// greater.
    Last {
        /// The offset.
        offset: i64,
        /// How many values there are.
        values: usize,
    },
    /// A length, an offset or a column is negative or too large.
    OutOfRange {
        /// `"length"`, `"offset"` or `"column"`.
        what: &'static str,
        /// Which one.
        at: usize,
    },
    /// Not as many columns as values.
    Columns {
        /// How many columns.
        columns: usize,
        /// How many values.
        values: usize,
    },
    /// The rows of a matrix have one length, and these do not.
    Uneven {
        /// The first row that has another length than row 0.
        row: usize,
        /// Its length.
        length: usize,
        /// The length of row 0, and of those between.
        first: usize,
    },
}

impl fmt::Display for RaggedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOffsets => write!(f, "no offsets: there is one more than there are rows"),
            Self::First { offset } if *offset < 0 => {
                write!(f, "the first offset is {offset}, which is negative")
            }
            Self::First { offset } => write!(f, "the first offset is {offset}, but must be 0"),
            Self::Decreasing { at, before, offset } => write!(
                f,
                "offset {at} is {offset}, which is less than the one before it, {before}"
            ),
            Self::Last { offset, values } => {
                write!(
                    f,
                    "the last offset is {offset}, but there are {values} values"
                )
            }
            Self::OutOfRange { what, at } => {
                write!(f, "{what} {at} is negative or too large")
            }
            Self::Columns { columns, values } => {
                write!(f, "there are {columns} columns, but {values} values")
            }
            Self::Uneven { row, length, first } => write!(
                f,
                "row {row} has length {length}, but row 0 has length {first}"
            ),
        }
    }
}

impl core::error::Error for RaggedError {}

/// Checks the offsets of an array that owns so many values.
pub(super) fn all(offsets: &[i64], values: usize) -> Result<(), RaggedError> {
    let (first, last) = ends(offsets)?;
    if first != 0 {
        return Err(RaggedError::First { offset: first });
    }
    increasing(offsets)?;
    match usize::try_from(last) == Ok(values) {
        true => Ok(()),
        false => Err(RaggedError::Last {
            offset: last,
            values,
        }),
    }
}

/// Checks the offsets of a view of so many values.
pub(super) fn some(offsets: &[i64], values: usize) -> Result<(), RaggedError> {
    let (first, last) = ends(offsets)?;
    if first < 0 {
        return Err(RaggedError::First { offset: first });
    }
    increasing(offsets)?;
    match usize::try_from(last).is_ok_and(|last| last <= values) {
        true => Ok(()),
        false => Err(RaggedError::Last {
            offset: last,
            values,
        }),
    }
}

/// Checks the offsets of each level of rows, the outermost first, above so many elements.
pub(super) fn levels(
    check: impl Fn(&[i64], usize) -> Result<(), RaggedError>,
    offsets: &[&[i64]],
    elements: usize,
) -> Result<(), RaggedError> {
    let below = offsets
        .iter()
        .skip(1)
        .map(|rows| rows.len().saturating_sub(1));
    let below = below.chain([elements]);
    let mut levels = offsets.iter().zip(below);
    levels.try_for_each(|(offsets, below)| check(offsets, below))
}

fn ends(offsets: &[i64]) -> Result<(i64, i64), RaggedError> {
    let ends = offsets.first().copied().zip(offsets.last().copied());
    ends.ok_or(RaggedError::NoOffsets)
}

fn increasing(offsets: &[i64]) -> Result<(), RaggedError> {
    if offsets.is_sorted() {
        return Ok(());
    }
    let mut pairs = (1..).zip(offsets.windows(2));
    let decreasing = pairs.find(|(_, pair)| pair[0] > pair[1]);
    let (at, pair) = decreasing.expect("they are not sorted");
    let (before, offset) = (pair[0], pair[1]);
    Err(RaggedError::Decreasing { at, before, offset })
}

/// The offsets that belong to these lengths.
pub(super) fn offsets_of<L: TryInto<i64>>(
    lengths: impl IntoIterator<Item = L>,
) -> Result<Vec<i64>, RaggedError> {
    let lengths = lengths.into_iter();
    let mut offsets = memory::with_room(lengths.size_hint().0 + 1);
    let mut end = 0_i64;
    offsets.push(end);
    for (at, length) in lengths.enumerate() {
        let length = length.try_into().ok().filter(|length| *length >= 0);
        let next = length.and_then(|length| end.checked_add(length));
        let what = "length";
        end = next.ok_or(RaggedError::OutOfRange { what, at })?;
        offsets.push(end);
    }
    Ok(offsets)
}
