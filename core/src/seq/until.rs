//! A source that is not read on when nobody wants more of it.
//!
//! In: a source, and a flag that a step sets. Out: a source that ends there, so that what comes behind
//! it begins. Which items it gives before that depends on when the step says so: all of those behind
//! are of no use to it, and neither is an error in the place of one.

use core::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::source::{Quota, Source};
use crate::error::Result;

/// Whether a source has been read far enough; clones are the same one.
#[derive(Clone, Default, Debug)]
pub struct End(Arc<AtomicBool>);

impl End {
    /// No more of it is wanted.
    #[inline]
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether that has been said.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A sequence as far as it is wanted: see [`until`].
#[derive(Debug)]
pub struct Until<S> {
    source: S,
    end: End,
    has_failed: bool,
}

/// The items of `source`, at least until `end` is set.
pub fn until<S: Source>(source: S, end: End) -> Until<S> {
    Until {
        source,
        end,
        has_failed: false,
    }
}

impl<S: Source> Source for Until<S> {
    type Chunk = S::Chunk;
    const COMPUTES: bool = S::COMPUTES;

    #[inline]
    fn pull(&mut self, chunk: &mut S::Chunk, largest: usize) -> Result<bool> {
        if self.end.is_set() {
            self.source.assume(chunk);
            return Ok(false);
        }
        let more = self.source.pull(chunk, largest);
        self.has_failed = more.is_err();
        more
    }

    fn assume(&self, chunk: &mut S::Chunk) {
        self.source.assume(chunk);
    }

    fn fill(&mut self, chunk: &mut S::Chunk, quota: &mut Quota<'_>) -> Result<bool> {
        if self.end.is_set() {
            self.source.assume(chunk);
            return Ok(false);
        }
        let more = self.source.fill(chunk, quota);
        self.has_failed = more.is_err();
        more
    }

    fn forgive(&mut self) -> bool {
        match self.end.is_set() {
            true => mem::take(&mut self.has_failed),
            false => self.source.forgive(),
        }
    }
}
