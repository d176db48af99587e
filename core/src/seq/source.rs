//! Sources: what items come from.
//!
//! In: an iterator of a user's, or a number of items. Out: chunks of items, in order, until there are
//! no more or an error comes in the place of one.
//! Assumes: nobody asks again after the end, or after an error that is not forgiven.

use core::marker::PhantomData;
use core::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::chunk::{Chunk, Indices};
use super::item::{Room, SeqItem};
use super::lengths::{Axes, Lengths};
use crate::error::{Error, ErrorKind, Result, Site};

/// What items come from.
pub trait Source {
    /// What they are put into.
    type Chunk: Chunk;

    /// Whether its items are computed as they are asked for, so that those which nobody asks for may not
    /// fail.
    #[doc(hidden)]
    const COMPUTES: bool = false;

    /// Puts the next item, of at most `largest` bytes, behind those of the chunk; `false` at the end.
    ///
    /// Errors: as the item has them; then the chunk holds the items before it.
    fn pull(&mut self, chunk: &mut Self::Chunk, largest: usize) -> Result<bool>;

    /// Lets a chunk without items know what items have in common, if some have come.
    #[doc(hidden)]
    fn assume(&self, _chunk: &mut Self::Chunk) {}

    /// Whether nobody wants the part of it any more that has failed, of which there is then no more, while
    /// others go on: a chunk without items can be filled as if nothing had failed. Asked when all has been
    /// computed that was read.
    #[doc(hidden)]
    fn forgive(&mut self) -> bool {
        false
    }

    /// Puts items into a chunk without items, until it has enough; `false` at the end.
    ///
    /// Errors: as for [`Source::pull`].
    fn fill(&mut self, chunk: &mut Self::Chunk, quota: &mut Quota<'_>) -> Result<bool> {
        while !quota.is_met(chunk.items(), chunk.bytes()) {
            if !self.pull(chunk, quota.largest)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// What is lent to a driver, and goes on behind it.
impl<S: Source> Source for &mut S {
    type Chunk = S::Chunk;
    const COMPUTES: bool = S::COMPUTES;

    #[inline]
    fn pull(&mut self, chunk: &mut S::Chunk, largest: usize) -> Result<bool> {
        (**self).pull(chunk, largest)
    }

    fn assume(&self, chunk: &mut S::Chunk) {
        (**self).assume(chunk);
    }

    fn forgive(&mut self) -> bool {
        (**self).forgive()
    }

    fn fill(&mut self, chunk: &mut S::Chunk, quota: &mut Quota<'_>) -> Result<bool> {
        (**self).fill(chunk, quota)
    }
}

/// When a chunk has enough items.
#[derive(Debug)]
pub struct Quota<'a> {
    /// So many items are enough.
    pub(super) items: usize,
    /// So many bytes are enough.
    pub(super) bytes: usize,
    /// Chunks but the last have a multiple of so many items.
    pub(super) block: usize,
    /// So many items are all that are wanted.
    pub(super) most: usize,
    /// The bytes that one item may take.
    pub(super) largest: usize,
    /// Set when the next chunk could be computed at once.
    pub(super) idle: &'a AtomicBool,
    /// The number of items at which the clock is looked at.
    pub(super) look: usize,
    /// How many items there were when it was looked at before, and what it said.
    looked: (usize, Duration),
    /// At most so many items come between two looks.
    ahead: usize,
    pub(super) start: Instant,
}

/// How long a source may take before what it gave is computed, if nothing else is to do. Long beside
/// what a step costs that has little to do.
const PATIENCE: Duration = Duration::from_millis(1);

/// How long items take between two looks at the clock: some hundred times what a look costs.
const BETWEEN_LOOKS: Duration = Duration::from_micros(4);

/// The most items between two looks where they come in bursts: a look takes a nanosecond of each then, and
/// what came at once waits for so many slow ones at most.
const AHEAD_OF_BURSTS: usize = 32;

impl<'a> Quota<'a> {
    /// At least one item; then as many as there are until one of the numbers is reached, or, if
    /// `idle` is set, until some time has passed since `start`.
    pub(super) fn new(
        (items, bytes): (usize, usize),
        largest: usize,
        idle: &'a AtomicBool,
        start: Instant,
    ) -> Self {
        Quota {
            items,
            bytes,
            block: 1,
            most: usize::MAX,
            largest,
            idle,
            look: 1,
            looked: (0, Duration::ZERO),
            ahead: usize::MAX,
            start,
        }
    }

    /// The same, but that only whole blocks of so many items are enough.
    pub(super) fn in_blocks(self, block: usize) -> Self {
        Quota { block, ..self }
    }

    /// Looks at the clock more often if items are of an iterator that does not know how many it has, as
    /// those of channels and of files do not: after a burst of them the next one may take any time.
    #[inline]
    fn mind_bursts(&mut self, items: &impl Iterator) {
        let (least, most) = items.size_hint();
        if least < usize::MAX && most != Some(least) {
            self.ahead = AHEAD_OF_BURSTS;
        }
    }

    /// How many items are missing in the block that has been begun.
    #[inline]
    fn missing(&self, items: usize) -> usize {
        match items % self.block {
            0 => 0,
            begun => self.block - begun,
        }
    }

    #[inline]
    pub(super) fn is_met(&mut self, items: usize, bytes: usize) -> bool {
        if items >= self.most {
            return true;
        }
        if self.missing(items) > 0 {
            return false;
        }
        if items >= self.look {
            return self.is_met_by(items, bytes);
        }
        items > 0 && (items >= self.items || bytes >= self.bytes)
    }

    /// The same, with a look at the clock, and when to take the next one: after items that take as long
    /// as many looks do, if they come as fast as those since the last one, but not before items that are
    /// fast have become eight times as many. Few, for the next of them may be slow.
    #[cold]
    fn is_met_by(&mut self, items: usize, bytes: usize) -> bool {
        let time = self.start.elapsed();
        let (before, then) = self.looked;
        let each = (time - then).as_secs_f64() / items.saturating_sub(before).max(1) as f64;
        let more = (BETWEEN_LOOKS.as_secs_f64() / each.max(1e-12)) as usize;
        let more = more.min(items.saturating_mul(7)).clamp(1, self.ahead);
        self.looked = (items, time);
        self.look = items.saturating_add(more);
        let is_slow = time >= PATIENCE && self.idle.load(Ordering::Relaxed);
        is_slow || items >= self.items || bytes >= self.bytes
    }

    /// How many items of so many bytes are put into a chunk at most; 0 if the bytes are not known.
    fn all(&self, item: usize) -> usize {
        let by_bytes = self.bytes.checked_div(item).map_or(0, |items| items + 1);
        let items = by_bytes
            .min(self.items)
            .checked_next_multiple_of(self.block);
        items.unwrap_or(0).min(self.most)
    }

    /// The room in a chunk that has these, until the clock is looked at.
    #[inline]
    fn room(&self, items: usize, bytes: usize) -> Room {
        Room {
            items: self.some(items, bytes),
            bytes: self.bytes.saturating_sub(bytes),
            largest: self.largest,
        }
    }

    /// How many items may be put into a chunk that has these before it may be full, if they are of
    /// one size, and the clock is looked at.
    #[inline]
    fn some(&self, items: usize, bytes: usize) -> usize {
        let missing = self.missing(items);
        if missing > 0 {
            return missing.min(self.most - items);
        }
        let until_full = match (self.bytes - bytes).checked_div(bytes / items.max(1)) {
            None => self.items - items,
            Some(by_bytes) => by_bytes.min(self.items - items),
        };
        until_full
            .min(self.look - items)
            .max(1)
            .next_multiple_of(self.block)
            .min(self.most - items)
    }
}

/// The items of an iterator, as a sequence: see [`items`].
pub struct Iter<C: Chunk, I, M> {
    items: I,
    next: usize,
    common: C::Common,
    axes: Option<Axes>,
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
        axes: None,
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

    fn assume(&self, chunk: &mut C) {
        if let Some(axes) = &self.axes {
            axes.assume(chunk);
        }
        chunk.assume(&self.common);
    }

    #[inline]
    fn pull(&mut self, chunk: &mut C, largest: usize) -> Result<bool> {
        let room = Room {
            items: 1,
            bytes: 0,
            largest,
        };
        self.some(chunk, room)
    }

    #[inline]
    fn fill(&mut self, chunk: &mut C, quota: &mut Quota<'_>) -> Result<bool> {
        chunk.prepare(quota.all(chunk.item_bytes()));
        quota.mind_bursts(&self.items);
        loop {
            let (items, bytes) = (chunk.items(), chunk.bytes());
            if quota.is_met(items, bytes) {
                return Ok(true);
            }
            if !self.some(chunk, quota.room(items, bytes))? {
                return Ok(false);
            }
        }
    }
}

impl<C, I, M> Iter<C, I, M>
where
    C: Chunk,
    I: Iterator,
    I::Item: SeqItem<C, M>,
{
    /// The same, of items whose axes are these sizes.
    #[must_use]
    pub fn sized(self, lengths: &Lengths, sizes: &'static [usize]) -> Self {
        Iter {
            axes: Some(Axes::new(lengths, sizes)),
            ..self
        }
    }

    /// Puts at least one item into the chunk, if there is any, and as many as there is room for; `false`
    /// if there are no more.
    #[inline]
    fn some(&mut self, chunk: &mut C, room: Room) -> Result<bool> {
        let (items, bytes) = (chunk.items(), chunk.bytes());
        let more = I::Item::put_some(&mut self.items, room, chunk, &mut self.common);
        let new = chunk.items() - items;
        // Several at once are of one size, which the first was looked at for, or were looked at.
        if !C::LIMITS_ITEMS && new == 1 && chunk.bytes() - bytes > room.largest {
            return Err(self.too_large(chunk, bytes, room.largest));
        }
        if let (0, 1.., Some(axes)) = (self.next, new, &self.axes) {
            axes.learn(chunk);
        }
        self.next += new;
        match more {
            Ok(true) => Ok(true),
            Ok(false) => {
                self.assume(chunk);
                Ok(false)
            }
            Err(fault) => Err(fault.error(self.site, self.parameter, self.next)),
        }
    }

    /// The error for the last item of the chunk, which is cut off.
    #[cold]
    fn too_large(&self, chunk: &mut C, before: usize, room: usize) -> Error {
        let bytes = chunk.bytes() - before;
        chunk.truncate(chunk.items() - 1);
        self.site.whole(ErrorKind::ItemTooLarge {
            parameter: self.parameter,
            item: self.next,
            bytes,
            room,
        })
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
        let items = quota.items.max(1).next_multiple_of(quota.block);
        self.take(chunk, items.min(quota.most));
        Ok(self.next < self.end)
    }
}
