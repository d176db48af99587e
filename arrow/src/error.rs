//! What is wrong with a column.

use core::error;
use core::fmt;

use arrow_schema::DataType;

/// The result of what takes columns.
pub type Result<T> = core::result::Result<T, Error>;

/// Why a column cannot be taken.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// It is of another type.
    Type {
        /// What was asked for.
        wanted: String,
        /// What it is.
        found: DataType,
    },
    /// It has nulls, or the lists in it have.
    Nulls {
        /// How many.
        count: usize,
    },
    /// A record batch has no column of this name.
    NoColumn(String),
    /// What gives record batches failed.
    Batches(Box<dyn error::Error + Send + Sync>),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Type { wanted, found } => {
                write!(f, "a column of {wanted} was expected, not of `{found}`")
            }
            Error::Nulls { count } => write!(f, "nulls in a column: {count}"),
            Error::NoColumn(name) => write!(f, "no column is named `{name}`"),
            Error::Batches(error) => error.fmt(f),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Error::Batches(error) => Some(&**error),
            Error::Type { .. } | Error::Nulls { .. } | Error::NoColumn(_) => None,
        }
    }
}
