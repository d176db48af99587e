//! What goes wrong with an item.
//!
//! In: the error of a user's source, or what an item has that it must not have. Out: an
//! [`ErrorKind`], once the parameter and the number of the item are known.
//! Assumes: nothing.

use core::error::Error;
use core::fmt;
use std::sync::Arc;

use crate::error::{ErrorKind, Failure, Site};

/// The error that a source of items gave, or what takes results. Equal to itself and its clones only, since errors cannot
/// be compared.
#[derive(Clone)]
pub struct SourceError(Arc<dyn Error + Send + Sync>);

impl SourceError {
    /// The error.
    pub fn get(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.0
    }
}

impl From<Box<dyn Error + Send + Sync>> for SourceError {
    fn from(error: Box<dyn Error + Send + Sync>) -> Self {
        SourceError(error.into())
    }
}

impl PartialEq for SourceError {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::addr_eq(Arc::as_ptr(&self.0), Arc::as_ptr(&other.0))
    }
}

impl Eq for SourceError {}

impl fmt::Debug for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Why an item could not be put into a chunk.
#[derive(Debug)]
#[doc(hidden)]
pub enum Fault {
    /// No memory.
    Failed(Failure),
    /// It has this shape, the others have the second.
    Shape(Box<[usize]>, Box<[usize]>),
    /// It takes so many bytes, where there is room for the second.
    TooLarge(usize, usize),
    /// There is none, but this error.
    Source(SourceError),
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Self {
        Fault::Failed(failure)
    }
}

impl Fault {
    /// For an item of one shape among items of another; the lengths of the first axes mean nothing.
    /// Shapes come by value: where they are compared they are in registers.
    #[cold]
    #[inline(never)]
    pub(super) fn shape<const RANK: usize>(item: [usize; RANK], before: [usize; RANK]) -> Self {
        Fault::Shape(item[1..].into(), before[1..].into())
    }

    /// The error for item `item` of this parameter.
    #[cold]
    pub(super) fn error(
        self,
        site: &Site,
        parameter: &'static str,
        item: usize,
    ) -> crate::error::Error {
        match self {
            Fault::Failed(failure) => site.failure(failure),
            Fault::Shape(shape, before) => site.whole(ErrorKind::ItemShape {
                parameter,
                item,
                shape,
                before,
            }),
            Fault::TooLarge(bytes, room) => site.whole(ErrorKind::ItemTooLarge {
                parameter,
                item,
                bytes,
                room,
            }),
            Fault::Source(error) => site.whole(ErrorKind::Source {
                parameter,
                item,
                error,
            }),
        }
    }
}
