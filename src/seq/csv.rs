//! Columns of CSV files as sequences, by the crate `csv`.
//!
//! ```
//! use ragged::seq::csv::rows;
//!
//! ragged::accel! {
//!     pub fn worth(sales: Seq<(f64, u32)>) -> f64 { sales.map(|(price, n)| price * n as f64).sum() }
//!     pub fn longest(names: Seq<[u8]>) -> usize { names.map(|name| name.len()).max_or(0) }
//! }
//!
//! let text = "name,n,price\nfig,3,0.5\n\"plum, red\",2,4\n";
//! let reader = || csv::Reader::from_reader(text.as_bytes());
//! assert_eq!(worth(rows::<(f64, u32)>(reader(), ["price", "n"])?)?, 9.5);
//! assert_eq!(longest(rows::<Vec<u8>>(reader(), [0])?)?, 9);
//!
//! // What is wrong is said with its line.
//! let reader = csv::Reader::from_reader(&b"n\n1\nseven\n"[..]);
//! let wrong: Result<Vec<u32>, _> = rows(reader, ["n"])?.collect();
//! assert_eq!(wrong.unwrap_err().to_string(), "line 3, field 1: `seven` is no `u32`");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::any::type_name;
use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::str::FromStr;
use std::io::Read;

use ::csv::{ByteRecord, Reader};

/// These columns of a CSV file, by number from 0, or by the names in the file's first line (unless
/// the reader has none: see `csv::ReaderBuilder`). Rows are scalars, for a `Seq<f64>`, or bytes,
/// `Vec<u8>`, for a `Seq<[u8]>`, or tuples of these, with a column for each. After an error there are
/// no further rows.
///
/// Errors: those of `csv`, a name that the first line lacks. Panics if there are not as many columns
/// as a row has fields.
pub fn rows<T: Row>(
    mut reader: Reader<impl Read>,
    columns: impl IntoIterator<Item = impl Column>,
) -> Result<Rows<T, impl Read>, Error> {
    let mut fields = Vec::new();
    for column in columns {
        fields.push(match column.number() {
            Ok(number) => number,
            Err(name) => {
                let names = reader.byte_headers()?;
                let found = names.iter().position(|it| it == name.as_bytes());
                found.ok_or_else(|| Error(Kind::NoColumn(name.to_owned())))?
            }
        });
    }
    assert_eq!(fields.len(), T::FIELDS, "a column for each field of a row");
    Ok(Rows {
        reader,
        fields,
        record: ByteRecord::new(),
        is_over: false,
        marker: PhantomData,
    })
}

/// How a column is named: by its number from 0, or its name in the first line.
pub trait Column {
    /// The number, or the name.
    fn number(&self) -> Result<usize, &str>;
}

impl Column for usize {
    fn number(&self) -> Result<usize, &str> {
        Ok(*self)
    }
}

impl Column for &str {
    fn number(&self) -> Result<usize, &str> {
        Err(self)
    }
}

/// What a row may be: a field, or a tuple of up to eight.
pub trait Row: Sized {
    /// How many fields it has.
    const FIELDS: usize;

    /// The row of fields.
    ///
    /// Errors: the number of a field that is not as it must be, and the type that it was to have.
    #[doc(hidden)]
    fn of(fields: &[&[u8]]) -> Result<Self, (usize, &'static str)>;
}

/// What is parsed, without spaces around it.
macro_rules! scalars {
    ($($ty:ty)*) => { $(
        impl Row for $ty {
            const FIELDS: usize = 1;

            fn of(fields: &[&[u8]]) -> Result<Self, (usize, &'static str)> {
                parsed(fields[0]).ok_or((0, type_name::<$ty>()))
            }
        }
    )* };
}

scalars! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64 bool char }

fn parsed<T: FromStr>(field: &[u8]) -> Option<T> {
    core::str::from_utf8(field).ok()?.trim().parse().ok()
}

impl Row for Vec<u8> {
    const FIELDS: usize = 1;

    fn of(fields: &[&[u8]]) -> Result<Self, (usize, &'static str)> {
        Ok(fields[0].to_vec())
    }
}

macro_rules! tuples {
    ($(($($field:ident $at:tt)+) $len:literal;)*) => { $(
        impl<$($field: Row),+> Row for ($($field,)+) {
            const FIELDS: usize = {
                assert!($($field::FIELDS == 1 &&)+ true, "a field of a row is no tuple");
                $len
            };

            fn of(fields: &[&[u8]]) -> Result<Self, (usize, &'static str)> {
                Ok(($($field::of(&fields[$at..=$at]).map_err(|(_, ty)| ($at, ty))?,)+))
            }
        }
    )* };
}

tuples! {
    (A 0 B 1) 2;
    (A 0 B 1 C 2) 3;
    (A 0 B 1 C 2 D 3) 4;
    (A 0 B 1 C 2 D 3 E 4) 5;
    (A 0 B 1 C 2 D 3 E 4 F 5) 6;
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6) 7;
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7) 8;
}

/// Rows of a CSV file: see [`rows`].
pub struct Rows<T, R> {
    reader: Reader<R>,
    /// The columns.
    fields: Vec<usize>,
    record: ByteRecord,
    is_over: bool,
    marker: PhantomData<fn() -> T>,
}

impl<T: Row, R: Read> Rows<T, R> {
    fn read(&mut self) -> Result<Option<T>, Error> {
        if !self.reader.read_byte_record(&mut self.record)? {
            return Ok(None);
        }
        let record = &self.record;
        let line = record.position().map_or(0, ::csv::Position::line);
        let mut fields: [&[u8]; 8] = [&[]; 8];
        for (field, at) in fields.iter_mut().zip(&self.fields) {
            *field = record
                .get(*at)
                .ok_or(Error(Kind::NoField { line, field: *at }))?;
        }
        let row = T::of(&fields[..T::FIELDS]);
        row.map(Some).map_err(|(at, ty)| {
            Error(Kind::NoValue {
                line,
                field: self.fields[at],
                text: String::from_utf8_lossy(fields[at]).into_owned(),
                ty,
            })
        })
    }
}

impl<T: Row, R: Read> Iterator for Rows<T, R> {
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Result<T, Error>> {
        if self.is_over {
            return None;
        }
        let row = self.read();
        self.is_over = !matches!(row, Ok(Some(_)));
        row.transpose()
    }
}

impl<T: Row, R: Read> FusedIterator for Rows<T, R> {}

/// What is wrong with a CSV file. Its text says the line; [`source`](core::error::Error::source) is the
/// error of `csv`, if it is one.
#[derive(Debug)]
pub struct Error(Kind);

#[derive(Debug)]
enum Kind {
    Csv(::csv::Error),
    NoColumn(String),
    NoField {
        line: u64,
        field: usize,
    },
    NoValue {
        line: u64,
        field: usize,
        text: String,
        ty: &'static str,
    },
}

impl Error {
    /// The line in which the record begins, from 1, if it is about one.
    pub fn line(&self) -> Option<u64> {
        match &self.0 {
            Kind::Csv(error) => error.position().map(::csv::Position::line),
            Kind::NoColumn(_) => None,
            Kind::NoField { line, .. } | Kind::NoValue { line, .. } => Some(*line),
        }
    }
}

impl From<::csv::Error> for Error {
    fn from(error: ::csv::Error) -> Self {
        Error(Kind::Csv(error))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Csv(error) => error.fmt(f),
            Kind::NoColumn(name) => write!(f, "no column is named `{name}`"),
            Kind::NoField { line, field } => {
                write!(f, "line {line}: there is no field {}", field + 1)
            }
            Kind::NoValue {
                line,
                field,
                text,
                ty,
            } => write!(f, "line {line}, field {}: `{text}` is no `{ty}`", field + 1),
        }
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.0 {
            Kind::Csv(error) => Some(error),
            Kind::NoColumn(_) | Kind::NoField { .. } | Kind::NoValue { .. } => None,
        }
    }
}
