//! Sources that are read side by side, each as long as something needs it.
//!
//! In: a tuple of sources, and groups of these: what reads several of them reads as far as the shortest
//! goes. Out: a source whose chunks have as many items of each as there are, so that what is read
//! together has its items at the same places.

use core::convert::Infallible;
use core::ops::Range;

use super::chunk::Chunk;
use super::source::{Quota, Source};
use crate::error::{Failure, Result};

/// Several sequences, of which a group ends with the shortest of it: see [`beside`].
#[derive(Debug)]
pub struct SideBySide<S> {
    sources: S,
    reading: Reading,
}

/// The items of `sources`, a tuple, of each as long as it is in a group none of which has ended. A group
/// has a bit for each of its sources, from the lowest.
pub fn beside<S: Sides>(sources: S, groups: &'static [u32]) -> SideBySide<S> {
    SideBySide {
        sources,
        reading: Reading {
            groups,
            ended: 0,
            wanted: groups.iter().fold(0, |all, group| all | group),
        },
    }
}

/// Which sources are read on.
#[doc(hidden)]
#[derive(Debug)]
pub struct Reading {
    groups: &'static [u32],
    ended: u32,
    wanted: u32,
}

impl Reading {
    #[inline]
    pub(super) fn wants(&self, source: u32) -> bool {
        self.wanted >> source & 1 == 1
    }

    #[cold]
    pub(super) fn end(&mut self, source: u32) {
        self.ended |= 1 << source;
        let left = self.groups.iter().filter(|it| **it & self.ended == 0);
        self.wanted = left.fold(0, |all, group| all | group);
    }
}

/// Tuples of sources.
#[doc(hidden)]
pub trait Sides: Source<Chunk: Uneven> {
    /// [`Source::pull`] where items of some of them are computed: apart from the others, for whose loops it
    /// is too long.
    fn pull_each(&mut self, chunk: &mut Self::Chunk, largest: usize) -> Result<bool>;

    /// One item of each source that is wanted; which may end.
    ///
    /// Errors: as for [`Source::pull`].
    fn round(
        &mut self,
        chunk: &mut Self::Chunk,
        largest: usize,
        reading: &mut Reading,
    ) -> Result<()>;
}

/// Tuples of chunks with different numbers of items.
#[doc(hidden)]
pub trait Uneven: Chunk {
    /// How many items the longest has.
    fn longest(&self) -> usize;

    /// Of each those of the items that it has.
    ///
    /// Errors: as for [`Chunk::part`].
    fn part_of_each(&self, items: Range<usize>) -> core::result::Result<Self, Failure>;
}

/// A chunk of items of sequences side by side, which may have different numbers of them.
#[derive(Clone, Default, Debug)]
pub struct Beside<C>(pub C);

impl<C: Uneven> Chunk for Beside<C> {
    type Common = C::Common;
    type Places<'a>
        = Infallible
    where
        Self: 'a;

    #[inline]
    fn items(&self) -> usize {
        self.0.longest()
    }

    #[inline]
    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn truncate(&mut self, items: usize) {
        self.0.truncate(items);
    }

    fn part(&self, items: Range<usize>) -> core::result::Result<Self, Failure> {
        self.0.part_of_each(items).map(Beside)
    }

    fn gather(&mut self) {
        self.0.gather();
    }

    fn leave(&mut self) {
        self.0.leave();
    }

    fn assume(&mut self, common: &Self::Common) {
        self.0.assume(common);
    }
}

impl<S: Sides> Source for SideBySide<S> {
    type Chunk = Beside<S::Chunk>;
    const COMPUTES: bool = S::COMPUTES;

    #[inline]
    fn pull(&mut self, chunk: &mut Self::Chunk, largest: usize) -> Result<bool> {
        let more = self.round(chunk, largest);
        self.assume(chunk);
        more
    }

    #[inline]
    fn assume(&self, chunk: &mut Self::Chunk) {
        self.sources.assume(&mut chunk.0);
    }

    fn fill(&mut self, chunk: &mut Self::Chunk, quota: &mut Quota<'_>) -> Result<bool> {
        let more = loop {
            if quota.is_met(chunk.items(), chunk.bytes()) {
                break Ok(true);
            }
            match self.round(chunk, quota.largest) {
                Ok(true) => {}
                end => break end,
            }
        };
        self.assume(chunk);
        more
    }
}

impl<S: Sides> SideBySide<S> {
    /// Nothing is left of a round in which the last group ends, or a source fails.
    #[inline]
    fn round(&mut self, chunk: &mut Beside<S::Chunk>, largest: usize) -> Result<bool> {
        let items = chunk.items();
        let made = self.sources.round(&mut chunk.0, largest, &mut self.reading);
        let more = made.map(|()| self.reading.wanted != 0);
        if !matches!(more, Ok(true)) {
            chunk.truncate(items);
        }
        more
    }
}
