//! Sources: what items come from.
//!
//! In: an iterator of a user's, or a number of items. Out: chunks of items, in order, until there are
//! no more or an error comes in the place of one.
//! Assumes: nobody asks again after the end or an error.

use core::marker::PhantomData;
use core::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::chunk::{Chunk, Indices};
use super::item::SeqItem;
use crate::error::{ErrorKind, Result, Site};

/// What items come from.
pub trait Source {
    /// What they are put into.
    type Chunk: Chunk;

    /// Puts the next item, of at most `largest` bytes, behind those of the chunk; `false` at the end.
    ///
    /// Errors: as the item has them; then the chunk holds the items before it.
    fn pull(&mut self, chunk: &mut Self::Chunk, largest: usize) -> Result<bool>;

    /// Puts items into a chunk without items, until it has enough; `false` at the end.
    ///
    /// Errors: as for [`Source::pull`].
    fn fill(&mut self, chunk: &mut Self::Chunk, quota: &mut Quota<'_>) -> Result<bool> {
        while !quota.is_met(chunk) {
            if !self.pull(chunk, quota.largest)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// When a chunk has enough items.
#[derive(Debug)]
pub struct Quota<'a> {
    /// So many items are enough.
    pub(super) items: usize,
    /// So many bytes are enough.
    pub(super) bytes: usize,
    /// The bytes that one item may take.
    pub(super) largest: usize,
    /// Set when the next chunk could be computed at once.
    pub(super) idle: &'a AtomicBool,
    /// The number of items at which the clock is looked at.
    pub(super) look: usize,
    pub(super) start: Instant,
}

/// How long a source may take before what it gave is computed, if nothing else is to do. Long beside
/// what a step costs that has little to do.
const PATIENCE: Duration = Duration::from_millis(2);

impl<'a> Quota<'a> {
    /// At least one item; then as many as there are until one of the numbers is reached, or, if
    /// `idle` is set, until some time has passed.
    pub(super) fn new(items: usize, bytes: usize, largest: usize, idle: &'a AtomicBool) -> Self {
        Quota {
            items,
            bytes,
            largest,
            idle,
            look: 1,
            start: Instant::now(),
        }
    }

    #[inline]
    fn is_met(&mut self, chunk: &impl Chunk) -> bool {
        let items = chunk.items();
        if items < self.look {
            return items >= self.items || (items > 0 && chunk.bytes() >= self.bytes);
        }
        self.is_met_by(chunk)
    }

    /// The same, with a look at the clock: after one item, two, four …, which is seldom enough for
    /// sources that are fast and often enough for those that are slow.
    #[cold]
    fn is_met_by(&mut self, chunk: &impl Chunk) -> bool {
        let items = chunk.items();
        self.look = items.saturating_mul(2);
        let waits = || self.idle.load(Ordering::Relaxed) && self.start.elapsed() >= PATIENCE;
        items >= self.items || chunk.bytes() >= self.bytes || waits()
    }
}

/// The items of an iterator, as a sequence: see [`items`].
pub struct Iter<C: Chunk, I, M> {
    items: I,
    next: usize,
    common: C::Common,
    site: &'static Site,
    parameter: &'static str,
    marker: PhantomData<fn(C) -> M>,
}

/// The items that were passed for this parameter.
pub fn items<C, I, M>(
    site: &'static Site,
    parameter: &'static str,
    items: I,
) -> Iter<C, I::IntoIter, M>
where
    C: Chunk,
    I: IntoIterator,
    I::Item: SeqItem<C, M>,
{
    Iter {
        items: items.into_iter(),
        next: 0,
        common: C::Common::default(),
        site,
        parameter,
        marker: PhantomData,
    }
}

impl<C, I, M> Source for Iter<C, I, M>
where
    C: Chunk,
    I: Iterator,
    I::Item: SeqItem<C, M>,
{
    type Chunk = C;

    #[inline]
    fn pull(&mut self, chunk: &mut C, largest: usize) -> Result<bool> {
        let (items, bytes) = (chunk.items(), chunk.bytes());
        let Some(item) = self.items.next() else {
            chunk.assume(&self.common);
            return Ok(false);
        };
        if let Err(fault) = item.put(chunk, &mut self.common) {
            chunk.truncate(items);
            return Err(fault.error(self.site, self.parameter, self.next));
        }
        let bytes = chunk.bytes() - bytes;
        if bytes > largest {
            chunk.truncate(items);
            return Err(self.site.whole(ErrorKind::ItemTooLarge {
                parameter: self.parameter,
                item: self.next,
                bytes,
                room: largest,
            }));
        }
        self.next += 1;
        Ok(true)
    }
}

/// Items that are their own numbers: see [`count`].
#[derive(Debug)]
pub struct Count {
    next: usize,
    end: usize,
}

/// The numbers `0..n`.
pub fn count(n: usize) -> Count {
    Count { next: 0, end: n }
}

impl Count {
    /// The next numbers, at most so many.
    fn take(&mut self, chunk: &mut Indices, most: usize) {
        if chunk.len == 0 {
            chunk.start = self.next;
        }
        let more = most.min(self.end - self.next);
        chunk.len += more;
        self.next += more;
    }
}

impl Source for Count {
    type Chunk = Indices;

    #[inline]
    fn pull(&mut self, chunk: &mut Indices, _largest: usize) -> Result<bool> {
        let before = chunk.len;
        self.take(chunk, 1);
        Ok(chunk.len > before)
    }

    fn fill(&mut self, chunk: &mut Indices, quota: &mut Quota<'_>) -> Result<bool> {
        self.take(chunk, quota.items.max(1));
        Ok(self.next < self.end)
    }
}
