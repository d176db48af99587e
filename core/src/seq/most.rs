//! A source of which no more than so many items are wanted: it is not asked for another, which may
//! never come.

use super::chunk::Chunk;
use super::source::{Quota, Source};
use crate::error::Result;

/// The first items of a sequence: see [`at_most`].
#[derive(Debug)]
pub struct AtMost<S> {
    source: S,
    left: usize,
}

/// The first `most` items of `source`, which is not read any further.
pub fn at_most<S: Source>(source: S, most: usize) -> AtMost<S> {
    AtMost { source, left: most }
}

impl<S: Source> Source for AtMost<S> {
    type Chunk = S::Chunk;
    const COMPUTES: bool = S::COMPUTES;

    #[inline]
    fn pull(&mut self, chunk: &mut S::Chunk, largest: usize) -> Result<bool> {
        if self.left == 0 {
            self.source.assume(chunk);
            return Ok(false);
        }
        let more = self.source.pull(chunk, largest)?;
        self.left -= usize::from(more);
        Ok(more)
    }

    fn assume(&self, chunk: &mut S::Chunk) {
        self.source.assume(chunk);
    }

    fn forgive(&mut self) -> bool {
        self.source.forgive()
    }

    fn fill(&mut self, chunk: &mut S::Chunk, quota: &mut Quota<'_>) -> Result<bool> {
        if self.left == 0 {
            self.source.assume(chunk);
            return Ok(false);
        }
        let before = quota.most;
        quota.most = before.min(self.left);
        let more = self.source.fill(chunk, quota);
        quota.most = before;
        self.left -= chunk.items();
        Ok(more? && self.left > 0)
    }
}
