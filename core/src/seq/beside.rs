//! Sources that are read side by side, each as long as something needs it.
//!
//! In: a tuple of sources, and groups of these: what reads several of them reads as far as the shortest
//! goes. Out: a source whose chunks have as many items of each as there are, so that what is read
//! together has its items at the same places.

use core::convert::Infallible;
use core::mem;
use core::ops::Range;

use super::chunk::Chunk;
use super::source::{Quota, Source};
use crate::error::{Error, Failure, Result};

/// Several sequences, of which a group ends with the shortest of it: see [`beside`].
#[derive(Debug)]
pub struct SideBySide<S: Source> {
    sources: S,
    reading: Reading,
    /// What there is of a round in which a source has failed.
    begun: Option<S::Chunk>,
    /// Whether that round goes on.
    is_forgiven: bool,
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
            had: 0,
            failed: Vec::new(),
        },
        begun: None,
        is_forgiven: false,
    }
}

/// Which sources are read on.
#[doc(hidden)]
#[derive(Debug)]
pub struct Reading {
    groups: &'static [u32],
    ended: u32,
    wanted: u32,
    /// Which had their turn in this round, while it is not over.
    had: u32,
    failed: Vec<Failed>,
}

/// A source that has failed in this round.
#[derive(Debug)]
struct Failed {
    source: u32,
    /// Whether the item was computed, which may not be asked for.
    computes: bool,
    error: Error,
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

    /// Whether it is this source's turn. Behind an item that has not come, and is not computed, nothing is
    /// read.
    #[inline]
    pub(super) fn asks(&self, source: u32) -> bool {
        let has_had = self.had >> source & 1 == 1;
        self.wants(source) && !has_had && self.failed.iter().all(|it| it.computes)
    }

    #[inline]
    pub(super) fn has_had(&mut self, source: u32) {
        self.had |= 1 << source;
    }

    #[cold]
    pub(super) fn fail(&mut self, source: u32, computes: bool, error: Error) {
        self.failed.push(Failed {
            source,
            computes,
            error,
        });
    }

    /// A source has failed behind which none had its turn.
    ///
    /// Errors: this one.
    #[cold]
    pub(super) fn break_off(&mut self, source: u32, error: Error) -> Result<()> {
        self.had = (2 << source) - 1;
        self.fail(source, false, error);
        self.end_round()
    }

    /// Errors: the first that somebody asks for.
    #[inline]
    pub(super) fn end_round(&mut self) -> Result<()> {
        if let Some(failed) = self.first_failed() {
            return Err(failed.error.clone());
        }
        self.failed.clear();
        self.had = 0;
        Ok(())
    }

    #[inline]
    fn first_failed(&self) -> Option<&Failed> {
        let mut failed = self.failed.iter();
        failed.find(|it| !it.computes || self.wants(it.source))
    }

    /// It is this source's turn again, which has something else for the item that failed, or has ended.
    fn forgive(&mut self, source: u32) {
        self.failed.retain(|it| it.source != source);
        self.had &= !(1 << source);
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

    /// What is left of a round that has been broken off, behind its other items.
    ///
    /// Errors: as for [`Source::pull`].
    fn rest_of_round(
        &mut self,
        chunk: &mut Self::Chunk,
        largest: usize,
        reading: &mut Reading,
    ) -> Result<()>;

    /// [`Source::forgive`] of one of them.
    fn forgive_one(&mut self, source: u32) -> bool;
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
        let more = match mem::take(&mut self.is_forgiven) {
            true => self.rest_of_round(chunk, largest),
            false => self.round(chunk, largest),
        };
        self.assume(chunk);
        more
    }

    #[inline]
    fn assume(&self, chunk: &mut Self::Chunk) {
        self.sources.assume(&mut chunk.0);
    }

    fn fill(&mut self, chunk: &mut Self::Chunk, quota: &mut Quota<'_>) -> Result<bool> {
        let mut more = match mem::take(&mut self.is_forgiven) {
            true => self.rest_of_round(chunk, quota.largest),
            false => Ok(true),
        };
        while matches!(more, Ok(true)) && !quota.is_met(chunk.items(), chunk.bytes()) {
            more = self.round(chunk, quota.largest);
        }
        self.assume(chunk);
        more
    }

    fn forgive(&mut self) -> bool {
        let failed = self.reading.first_failed().map(|it| it.source);
        let Some(source) = failed.filter(|_| self.begun.is_some()) else {
            return false;
        };
        self.is_forgiven = self.sources.forgive_one(source);
        if self.is_forgiven {
            self.reading.forgive(source);
        }
        self.is_forgiven
    }
}

impl<S: Sides> SideBySide<S> {
    /// Nothing is left of a round in which the last group ends, or a source fails.
    #[inline]
    fn round(&mut self, chunk: &mut Beside<S::Chunk>, largest: usize) -> Result<bool> {
        let items = chunk.items();
        let made = self.sources.round(&mut chunk.0, largest, &mut self.reading);
        self.over(made, chunk, items)
    }

    #[inline]
    fn over(
        &mut self,
        made: Result<()>,
        chunk: &mut Beside<S::Chunk>,
        items: usize,
    ) -> Result<bool> {
        if made.is_err() {
            // Without memory for it, what has failed is not forgiven.
            self.begun = chunk.0.part_of_each(items..usize::MAX).ok();
        }
        let more = made.map(|()| self.reading.wanted != 0);
        if !matches!(more, Ok(true)) {
            chunk.truncate(items);
        }
        more
    }

    /// What is left of the round in which a source has failed, at the beginning of a chunk.
    #[cold]
    fn rest_of_round(&mut self, chunk: &mut Beside<S::Chunk>, largest: usize) -> Result<bool> {
        if let Some(begun) = self.begun.take() {
            chunk.0 = begun;
        }
        let left = largest.saturating_sub(chunk.bytes());
        let reading = &mut self.reading;
        let made = self.sources.rest_of_round(&mut chunk.0, left, reading);
        self.over(made, chunk, 0)
    }
}
