//! Parts of a buffer that outlive its owner.
//!
//! In: a buffer, and a range. Out: a slice.
//! Assumes: nothing.

use core::fmt;
use core::ops::{Deref, Range};
use std::sync::Arc;

use crate::args::{ArrayArg, AsArray};
use crate::kernel::Element;

/// A part of an array that others share: an item of a source that reads many at once.
///
/// It is used as the slice that it is, and can be passed for an array. Whoever keeps it keeps all of
/// the array in memory: [`to_vec`](slice::to_vec) makes a copy that stands alone.
#[derive(Clone)]
pub struct Part<T> {
    whole: Arc<Vec<T>>,
    begin: usize,
    end: usize,
}

impl<T> Part<T> {
    /// This part of an array. Panics if there is none.
    #[inline]
    pub fn new(whole: &Arc<Vec<T>>, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= whole.len());
        Part {
            whole: Arc::clone(whole),
            begin: range.start,
            end: range.end,
        }
    }

    /// The same without its last `len` elements.
    #[inline]
    pub(super) fn without_last(self, len: usize) -> Self {
        let end = self.end - len;
        Part { end, ..self }
    }
}

impl<T> Deref for Part<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.whole[self.begin..self.end]
    }
}

impl<T> AsRef<[T]> for Part<T> {
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T: fmt::Debug> fmt::Debug for Part<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(f)
    }
}

impl<T: PartialEq, U: AsRef<[T]> + ?Sized> PartialEq<U> for Part<T> {
    fn eq(&self, other: &U) -> bool {
        self[..] == *other.as_ref()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element> AsArray<T> for &Part<T> {
    #[inline]
    fn array_arg(&self) -> ArrayArg<'_, T> {
        ArrayArg::borrowed(self)
    }
}
