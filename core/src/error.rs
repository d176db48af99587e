//! Errors: what went wrong, where in the source, with which values.
//!
//! In: a [`Failure`] of a skeleton (an index into the function's table of checks, and values) and
//! the [`Site`] table that emitted code holds. Out: an [`Error`] that reads well.
//! Assumes: the table is the one that the kernel's check ids were made for; an id outside of it
//! becomes [`ErrorKind::Internal`], never a panic.

use core::fmt;

use crate::seq::SourceError;

/// The result of every exported function.
pub type Result<T> = core::result::Result<T, Error>;

/// Why a skeleton stopped, before it is known where in the source that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// Check `id` of the function's table was violated, with these values.
    Check {
        /// Index into [`Site::checks`].
        id: u32,
        /// What the check's message shows; see [`CheckKind`] for their meaning.
        values: [i64; 3],
    },
    /// No memory for a result or a temporary array.
    OutOfMemory {
        /// What was asked for; `usize::MAX` when the number itself does not fit.
        bytes: usize,
    },
    /// A result does not have the length of the memory that the caller gave for it.
    ResultLength {
        /// The result's.
        len: usize,
        /// The memory's.
        room: usize,
    },
    /// A contract between the compiler and this crate was broken.
    Internal,
}

/// Where an exported function is, and all that it checks. Emitted code holds one in a `static`.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The function's name.
    pub function: &'static str,
    /// The file that holds it, as `file!()` gives it.
    pub file: &'static str,
    /// The line of the function's name, for failures that belong to no check.
    pub line: u32,
    /// The column of the function's name, counted from 1.
    pub column: u32,
    /// The checks; their index is the `id` of [`Flag::check`](crate::Flag::check).
    pub checks: &'static [Check],
}

/// One check: its place in the source, and how to word its violation.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The file, where it is not that of the function: the check came with imported source.
    pub file: Option<&'static str>,
    /// Line in the file.
    pub line: u32,
    /// Column, counted from 1.
    pub column: u32,
    /// What is checked.
    pub kind: CheckKind,
    /// Names and messages; see [`CheckKind`].
    pub text: &'static [&'static str],
}

/// What a check checks: says what its `values` and `text` mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckKind {
    /// `values`: index, length.
    IndexOutOfRange,
    /// No values.
    DivisionByZero,
    /// `values`: left size, right size; `text`: left name, right name.
    SizeMismatch,
    /// `values`: left operand, right operand of the subtraction.
    SizeUnderflow,
    /// `values`: left operand, right operand.
    SizeOverflow,
    /// `values`: lower end, upper end, length.
    SliceOutOfRange,
    /// `text`: the operator.
    EmptyArray,
    /// `text`: the message.
    Assertion,
    /// `text`: the operator.
    StepZero,
    /// `values`: the index, the first and the last position that have it.
    DuplicateIndex,
    /// A size that no memory can hold, mostly a negative number as a size. `values`: the size.
    SizeTooLarge,
    /// No check: the place of a `dbg!`.
    Print,
}

impl Site {
    /// The error for a violation of check `id`.
    #[cold]
    pub fn error(&self, id: u32, values: [i64; 3]) -> Error {
        match self.checks.get(id as usize) {
            Some(check) => Error {
                file: check.file.unwrap_or(self.file),
                ..self.at(check.line, check.column, check.error_kind(values))
            },
            None => self.whole(ErrorKind::Internal),
        }
    }

    /// The value of a call of the run time, or the error for its failure.
    #[inline]
    pub fn checked<T>(&self, result: core::result::Result<T, Failure>) -> Result<T> {
        result.map_err(|failure| self.failure(failure))
    }

    /// The error for a skeleton's failure.
    #[cold]
    pub fn failure(&self, failure: Failure) -> Error {
        match failure {
            Failure::Check { id, values } => self.error(id, values),
            Failure::OutOfMemory { bytes } => self.whole(ErrorKind::OutOfMemory { bytes }),
            Failure::ResultLength { len, room } => {
                self.whole(ErrorKind::ResultLength { len, room })
            }
            Failure::Internal => self.whole(ErrorKind::Internal),
        }
    }

    /// The error of this kind, at the function's name.
    #[cold]
    pub(crate) fn whole(&self, kind: ErrorKind) -> Error {
        self.at(self.line, self.column, kind)
    }

    fn at(&self, line: u32, column: u32, kind: ErrorKind) -> Error {
        Error {
            function: self.function,
            file: self.file,
            line,
            column,
            kind,
        }
    }
}

impl Check {
    fn error_kind(&self, [a, b, c]: [i64; 3]) -> ErrorKind {
        // Sizes travel as `i64`: the cast back is exact.
        let size = |value: i64| value as usize;
        match self.kind {
            CheckKind::IndexOutOfRange => ErrorKind::IndexOutOfRange {
                index: a,
                len: size(b),
            },
            CheckKind::DivisionByZero => ErrorKind::DivisionByZero,
            CheckKind::SizeMismatch => ErrorKind::SizeMismatch {
                left: self.text(0),
                left_size: size(a),
                right: self.text(1),
                right_size: size(b),
            },
            CheckKind::SizeUnderflow => ErrorKind::SizeUnderflow {
                left: size(a),
                right: size(b),
            },
            CheckKind::SizeOverflow => ErrorKind::SizeOverflow {
                left: size(a),
                right: size(b),
            },
            CheckKind::SliceOutOfRange => ErrorKind::SliceOutOfRange {
                lo: size(a),
                hi: size(b),
                len: size(c),
            },
            CheckKind::EmptyArray => ErrorKind::EmptyArray {
                operator: self.text(0),
            },
            CheckKind::Assertion => ErrorKind::Assertion {
                message: self.text(0),
            },
            CheckKind::DuplicateIndex => ErrorKind::DuplicateIndex {
                index: size(a),
                first: size(b),
                last: size(c),
            },
            CheckKind::SizeTooLarge => ErrorKind::SizeTooLarge { size: size(a) },
            CheckKind::Print => ErrorKind::Internal,
            CheckKind::StepZero => ErrorKind::StepZero {
                operator: self.text(0),
            },
        }
    }

    fn text(&self, i: usize) -> &'static str {
        self.text.get(i).copied().unwrap_or("?")
    }
}

/// What a function of a `ragged` program returns instead of panicking.
///
/// Names the function, the place in its source and the values, those of the lowest failing
/// position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    function: &'static str,
    file: &'static str,
    line: u32,
    column: u32,
    kind: ErrorKind,
}

impl Error {
    /// The exported function that was called.
    pub fn function(&self) -> &str {
        self.function
    }

    /// The source file, as `file!()` gives it.
    pub fn file(&self) -> &str {
        self.file
    }

    /// The line in that file.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The column in that line, counted from 1.
    pub fn column(&self) -> u32 {
        self.column
    }

    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Error {
            function,
            file,
            line,
            column,
            kind,
        } = self;
        write!(f, "`{function}` at {file}:{line}:{column}: {kind}")
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.kind {
            ErrorKind::Source { error, .. } | ErrorKind::Sink { error, .. } => Some(error.get()),
            _of_ragged => None,
        }
    }
}

/// What went wrong, with the values.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An index that is negative or not less than the length.
    IndexOutOfRange {
        /// The index.
        index: i64,
        /// The array's length.
        len: usize,
    },
    /// Integer division, or remainder, by zero.
    DivisionByZero,
    /// Two sizes that must be equal are not.
    SizeMismatch {
        /// The first array, as a message names it: `` `xs` ``, ``axis 1 of `a` ``.
        left: &'static str,
        /// Its size.
        left_size: usize,
        /// The second array.
        right: &'static str,
        /// Its size.
        right_size: usize,
    },
    /// A subtraction of sizes with a negative result.
    SizeUnderflow {
        /// What was subtracted from.
        left: usize,
        /// What was subtracted.
        right: usize,
    },
    /// A sum or product of sizes that does not fit.
    SizeOverflow {
        /// The left operand.
        left: usize,
        /// The right operand.
        right: usize,
    },
    /// A slice that begins or ends outside of the array, or reversed.
    SliceOutOfRange {
        /// The lower end.
        lo: usize,
        /// The upper end.
        hi: usize,
        /// The array's length.
        len: usize,
    },
    /// An operator without a value for an empty array.
    EmptyArray {
        /// The operator.
        operator: &'static str,
    },
    /// `assert!` failed.
    Assertion {
        /// Its message; empty if none is written.
        message: &'static str,
    },
    /// `scatter_unique` with an index that comes more than once.
    DuplicateIndex {
        /// The index.
        index: usize,
        /// The first position that has it.
        first: usize,
        /// The last position that has it.
        last: usize,
    },
    /// An array longer than any memory: mostly a negative number that became a size.
    SizeTooLarge {
        /// The size asked for.
        size: usize,
    },
    /// Steps or chunks of size zero.
    StepZero {
        /// The operator.
        operator: &'static str,
    },
    /// No memory.
    OutOfMemory {
        /// What was asked for; `usize::MAX` when the number itself does not fit.
        bytes: usize,
    },
    /// A result does not fit the slice that `into` was given for it, which cannot grow or shrink.
    ResultLength {
        /// The result's length.
        len: usize,
        /// The slice's.
        room: usize,
    },
    /// The source of a sequence gave an error in the place of an item.
    Source {
        /// The parameter that the sequence was passed for.
        parameter: &'static str,
        /// The number of the item, counted from 0.
        item: usize,
        /// What the source gave; also the [`source`](core::error::Error::source) of the [`Error`].
        error: SourceError,
    },
    /// What takes the results of a sequence gave an error.
    Sink {
        /// The number of the result, counted from 0.
        result: usize,
        /// What it gave; also the [`source`](core::error::Error::source) of the [`Error`].
        error: SourceError,
    },
    /// An item of a sequence whose items have sizes in common has other ones.
    ItemShape {
        /// The parameter that the sequence was passed for.
        parameter: &'static str,
        /// The number of the item, counted from 0.
        item: usize,
        /// The lengths of its axes.
        shape: Box<[usize]>,
        /// The lengths of the axes of the items before it.
        before: Box<[usize]>,
    },
    /// An item of a sequence that takes more memory than the limit leaves for it.
    ItemTooLarge {
        /// The parameter that the sequence was passed for.
        parameter: &'static str,
        /// The number of the item, counted from 0.
        item: usize,
        /// The bytes that it takes.
        bytes: usize,
        /// The bytes that it may take.
        room: usize,
    },
    /// A mistake of `ragged` itself; please report it.
    Internal,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IndexOutOfRange { index, len } => {
                write!(
                    f,
                    "index {index} is out of range for an array of length {len}"
                )
            }
            Self::DivisionByZero => write!(f, "integer division by zero"),
            Self::SizeMismatch {
                left,
                left_size,
                right,
                right_size,
            } => write!(
                f,
                "{left} has size {left_size}, but {right} has size {right_size}; they must be equal"
            ),
            Self::SizeUnderflow { left, right } => {
                write!(f, "the size `{left} - {right}` is negative")
            }
            Self::SizeOverflow { left, right } => {
                write!(f, "a size computed from {left} and {right} is too large")
            }
            Self::SliceOutOfRange { lo, hi, len } if lo > hi && lo > len => {
                write!(
                    f,
                    "slice {lo}..{hi} begins behind the end of an array of length {len}"
                )?;
                as_signed(f, *lo)
            }
            Self::SliceOutOfRange { lo, hi, len } if lo > hi => {
                write!(
                    f,
                    "slice {lo}..{hi} of an array of length {len} is reversed"
                )
            }
            Self::SliceOutOfRange { lo, hi, len } => {
                write!(
                    f,
                    "slice {lo}..{hi} is out of range for an array of length {len}"
                )?;
                as_signed(f, *hi)
            }
            Self::EmptyArray { operator } => write!(f, "`{operator}` of an empty array"),
            Self::Assertion { message: "" } => write!(f, "assertion failed"),
            Self::Assertion { message } => write!(f, "assertion failed: {message}"),
            Self::DuplicateIndex { index, first, last } => write!(
                f,
                "index {index} comes more than once, at positions {first} and {last} of the indices"
            ),
            Self::SizeTooLarge { size } => {
                // The largest number stands for a product that is larger than all numbers too.
                match *size {
                    usize::MAX => write!(f, "a size of {size} or more is larger than any memory")?,
                    size => write!(f, "size {size} is larger than any memory")?,
                }
                as_signed(f, *size)
            }
            Self::StepZero {
                operator: operator @ "step_by",
            } => write!(f, "`{operator}` with a step of zero"),
            Self::StepZero { operator } => write!(f, "`{operator}` of length zero"),
            Self::OutOfMemory { bytes: usize::MAX } => {
                write!(f, "the result does not fit into the address space")
            }
            Self::OutOfMemory { bytes } => write!(f, "no memory for {bytes} bytes"),
            Self::ResultLength { len, room } => write!(
                f,
                "the result has length {len}, but what it is to be written into has length {room}"
            ),
            Self::Source {
                parameter, item, ..
            } => write!(f, "item {item} of `{parameter}` could not be read"),
            Self::Sink { result, .. } => write!(f, "result {result} could not be handed on"),
            Self::ItemShape {
                parameter,
                item,
                shape,
                before,
            } => write!(
                f,
                "item {item} of `{parameter}` has shape {shape:?}, but those before it have shape {before:?}"
            ),
            Self::ItemTooLarge {
                parameter,
                item,
                bytes,
                room,
            } => write!(
                f,
                "item {item} of `{parameter}` takes {bytes} bytes, but the memory limit leaves {room} for it"
            ),
            Self::Internal => write!(f, "internal error of ragged; please report it"),
        }
    }
}

/// What a size is as a signed number, if it looks like a negative one that was made a size.
fn as_signed(f: &mut fmt::Formatter<'_>, size: usize) -> fmt::Result {
    match size as i64 {
        0.. => Ok(()),
        signed => write!(f, " (as a signed number: {signed})"),
    }
}
