//! One source after another.
//!
//! In: two sources. Out: a source whose chunks have some items of the first, then some of the second;
//! of these none before the first has ended.

use core::convert::Infallible;
use core::ops::Range;

use super::chunk::Chunk;
use super::source::{Quota, Source};
use crate::error::{Failure, Result};

/// The items of one sequence, then those of another: see [`after`].
#[derive(Debug)]
pub struct Chained<A, B> {
    first: A,
    second: B,
    /// Whether the first one has ended.
    is_over: bool,
}

/// The items of `first`, and behind the last one those of `second`.
pub fn after<A: Source, B: Source>(first: A, second: B) -> Chained<A, B> {
    Chained {
        first,
        second,
        is_over: false,
    }
}

/// A chunk of items of two sequences one after the other.
#[derive(Clone, Default, Debug)]
pub struct After<A, B>(pub A, pub B);

impl<A: Chunk, B: Chunk> Chunk for After<A, B> {
    type Common = (A::Common, B::Common);
    type Places<'a>
        = Infallible
    where
        Self: 'a;

    #[inline]
    fn items(&self) -> usize {
        self.0.items() + self.1.items()
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.0.bytes() + self.1.bytes()
    }

    fn clear(&mut self) {
        self.0.clear();
        self.1.clear();
    }

    fn truncate(&mut self, items: usize) {
        let before = self.0.items();
        self.0.truncate(items);
        self.1.truncate(items.saturating_sub(before));
    }

    fn part(&self, items: Range<usize>) -> core::result::Result<Self, Failure> {
        let first = self.0.items();
        let of_first = items.start.min(first)..items.end.min(first);
        let of_second = items.start.saturating_sub(first)..items.end.saturating_sub(first);
        Ok(After(self.0.part(of_first)?, self.1.part(of_second)?))
    }

    fn gather(&mut self) {
        self.0.gather();
        self.1.gather();
    }

    fn leave(&mut self) {
        self.0.leave();
        self.1.leave();
    }

    fn assume(&mut self, common: &Self::Common) {
        self.0.assume(&common.0);
        self.1.assume(&common.1);
    }
}

impl<A: Source, B: Source> Source for Chained<A, B> {
    type Chunk = After<A::Chunk, B::Chunk>;
    const COMPUTES: bool = A::COMPUTES || B::COMPUTES;

    #[inline]
    fn pull(&mut self, chunk: &mut Self::Chunk, largest: usize) -> Result<bool> {
        let more = self.next(chunk, largest);
        self.assume(chunk);
        more
    }

    #[inline]
    fn assume(&self, chunk: &mut Self::Chunk) {
        self.first.assume(&mut chunk.0);
        self.second.assume(&mut chunk.1);
    }

    fn forgive(&mut self) -> bool {
        match self.is_over {
            true => self.second.forgive(),
            false => self.first.forgive(),
        }
    }

    fn fill(&mut self, chunk: &mut Self::Chunk, quota: &mut Quota<'_>) -> Result<bool> {
        let more = self.some(chunk, quota);
        self.assume(chunk);
        more
    }
}

impl<A: Source, B: Source> Chained<A, B> {
    #[inline]
    fn next(&mut self, chunk: &mut After<A::Chunk, B::Chunk>, largest: usize) -> Result<bool> {
        if !self.is_over {
            if self.first.pull(&mut chunk.0, largest)? {
                return Ok(true);
            }
            self.is_over = true;
        }
        self.second.pull(&mut chunk.1, largest)
    }

    fn some(
        &mut self,
        chunk: &mut After<A::Chunk, B::Chunk>,
        quota: &mut Quota<'_>,
    ) -> Result<bool> {
        if !self.is_over {
            if self.first.fill(&mut chunk.0, quota)? {
                return Ok(true);
            }
            self.is_over = true;
        }
        if chunk.items() == 0 {
            return self.second.fill(&mut chunk.1, quota);
        }
        // The chunk in which one ends and the other begins.
        while !quota.is_met(chunk.items(), chunk.bytes()) {
            if !self.second.pull(&mut chunk.1, quota.largest)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
