//! Chunks: many items in one array.
//!
//! In: a type of array. Out: how many items an array of it holds, how much memory they take, and
//! fewer of them.
//! Assumes: nothing.

use core::convert::Infallible;
use core::mem;
use core::ops::{Deref, DerefMut, Range};
use core::slice::IterMut;

use super::item::reserve;
use super::places::{self, RowPlaces};
use crate::dense::DenseVec;
use crate::error::Failure;
use crate::kernel::Element;
use crate::memory::reserve_aside;
use crate::ragged::{Item, Ragged};
use crate::recycle::recycle;

/// An array of items: what a step computes at once.
///
/// | items | chunk |
/// |---|---|
/// | `T`, products of scalars too | `Vec<T>` |
/// | `[T]` | [`Rows`](super::Rows) |
/// | `[[T]]`; `[[[T]]]` … | `Ragged<Ragged<T>>`; `Ragged<Ragged<Ragged<T>>>` … |
/// | `[T; n]`; `[[T; m]; n]` … | `DenseVec<T, 2>`; `DenseVec<T, 3>` …: the first axis is that of the items |
/// | tuples with arrays in them | tuples of chunks |
/// | the numbers of items | [`Indices`] |
pub trait Chunk: Default + Send + Sync {
    /// What all items of a sequence have in common: the lengths of their axes, if these are sizes.
    #[doc(hidden)]
    type Common: Default;

    /// Whether all items take as many bytes.
    #[doc(hidden)]
    const IS_EVEN: bool = false;

    /// Whether what puts items there refuses those that are too large.
    #[doc(hidden)]
    const LIMITS_ITEMS: bool = false;

    /// Where further items are written; nothing ([`Infallible`]) where these may be of any size.
    #[doc(hidden)]
    type Places<'a>
    where
        Self: 'a;

    /// How many items there are.
    fn items(&self) -> usize;

    /// The bytes that they take.
    fn bytes(&self) -> usize;

    /// Removes all items, and keeps the memory.
    fn clear(&mut self) {
        self.truncate(0);
    }

    /// Keeps the first `items` items, or all if there are fewer.
    fn truncate(&mut self, items: usize);

    /// A copy of some of the items. Panics if there are not so many.
    ///
    /// Errors: `OutOfMemory`.
    #[doc(hidden)]
    fn part(&self, items: Range<usize>) -> Result<Self, Failure>;

    /// Makes one array of items that are still where they came from: before anything else looks at them,
    /// and on all threads, unlike what reading does.
    #[doc(hidden)]
    fn gather(&mut self) {}

    /// Leaves its memory to arrays that are made later, and has no items then.
    #[doc(hidden)]
    fn leave(&mut self);

    /// The bytes of an item, if all take as many and some have been here.
    #[doc(hidden)]
    fn item_bytes(&self) -> usize {
        0
    }

    /// Makes room for so many items in a chunk without items, in memory that others have left if there
    /// is some. A chunk that grew as it is filled would be moved, and the system would clear memory
    /// for each of its sizes. Without memory, or where bytes of items differ, nothing happens.
    #[doc(hidden)]
    fn prepare(&mut self, _items: usize) {}

    /// Puts so many default items behind the others, to be overwritten, if it is known what items have
    /// in common, and all take as many bytes: see Note \[Places\].
    ///
    /// Errors: `OutOfMemory`. Then, and where there is nothing, the chunk is to be cut back.
    #[doc(hidden)]
    fn places(
        &mut self,
        _items: usize,
        _common: &Self::Common,
    ) -> Result<Option<Self::Places<'_>>, Failure> {
        Ok(None)
    }

    /// Lets a chunk without items know what these would have in common.
    #[doc(hidden)]
    fn assume(&mut self, common: &Self::Common);

    /// Tells the lengths of the axes that are sizes, of a chunk that has items.
    #[doc(hidden)]
    fn each_length(&self, _tell: &mut dyn FnMut(usize)) {}

    /// Gives these to a chunk without items, as far as they are known.
    #[doc(hidden)]
    fn assume_lengths(&mut self, _next: &mut dyn FnMut() -> Option<usize>) {}
}

impl<T: Element> Chunk for Vec<T> {
    type Common = ();
    type Places<'a> = IterMut<'a, T>;
    const IS_EVEN: bool = true;

    #[inline]
    fn items(&self) -> usize {
        self.len()
    }

    #[inline]
    fn bytes(&self) -> usize {
        size_of_val(&self[..])
    }

    #[inline]
    fn truncate(&mut self, items: usize) {
        Vec::truncate(self, items);
    }

    fn part(&self, items: Range<usize>) -> Result<Self, Failure> {
        copy(&self[items])
    }

    fn leave(&mut self) {
        recycle(mem::take(self));
    }

    #[inline]
    fn item_bytes(&self) -> usize {
        size_of::<T>()
    }

    fn prepare(&mut self, items: usize) {
        make_room(self, items);
    }

    fn places(&mut self, items: usize, (): &()) -> Result<Option<IterMut<'_, T>>, Failure> {
        places::of_values(self, items).map(Some)
    }

    fn assume(&mut self, (): &()) {}
}

impl<T: Item> Chunk for Ragged<T>
where
    T::Values: Chunk,
{
    type Common = ();
    type Places<'a>
        = Infallible
    where
        Self: 'a;

    #[inline]
    fn items(&self) -> usize {
        self.len()
    }

    #[inline]
    fn bytes(&self) -> usize {
        let (offsets, values) = self.parts();
        size_of_val(offsets) + values.bytes()
    }

    fn truncate(&mut self, items: usize) {
        if items >= self.len() {
            return;
        }
        let (offsets, values) = self.parts_mut();
        offsets.truncate(items + 1);
        values.truncate(offsets[items] as usize);
    }

    fn part(&self, items: Range<usize>) -> Result<Self, Failure> {
        let (offsets, values) = self.parts();
        let mut part = Ragged::default();
        if items.is_empty() {
            return Ok(part);
        }
        let offsets = &offsets[items.start..=items.end];
        let [begin, end] = [0, offsets.len() - 1].map(|at| offsets[at] as usize);
        let (starts, elements) = part.parts_mut();
        *elements = values.part(begin..end)?;
        *starts = copy(offsets)?;
        starts.iter_mut().for_each(|start| *start -= begin as i64);
        Ok(part)
    }

    fn leave(&mut self) {
        let (offsets, values) = self.parts_mut();
        recycle(mem::take(offsets));
        values.leave();
    }

    fn assume(&mut self, (): &()) {}
}

impl<T: Element, const RANK: usize> Chunk for DenseVec<T, RANK> {
    type Common = Option<[usize; RANK]>;
    type Places<'a> = RowPlaces<'a, T, RANK>;
    const IS_EVEN: bool = true;

    #[inline]
    fn items(&self) -> usize {
        self.shape()[0]
    }

    #[inline]
    fn bytes(&self) -> usize {
        size_of_val(self.as_slice())
    }

    fn truncate(&mut self, items: usize) {
        let (elements, shape) = self.parts();
        if items < shape[0] {
            shape[0] = items;
            elements.truncate(shape.iter().product());
        }
    }

    fn part(&self, items: Range<usize>) -> Result<Self, Failure> {
        let width: usize = self.shape()[1..].iter().product();
        let mut part = DenseVec::default();
        let (elements, shape) = part.parts();
        *elements = copy(&self.as_slice()[items.start * width..items.end * width])?;
        shape.copy_from_slice(self.shape());
        shape[0] = items.len();
        Ok(part)
    }

    fn leave(&mut self) {
        recycle(mem::take(self).into_vec());
    }

    fn item_bytes(&self) -> usize {
        self.shape()[1..].iter().product::<usize>() * size_of::<T>()
    }

    fn prepare(&mut self, items: usize) {
        let width: usize = self.shape()[1..].iter().product();
        make_room(self.parts().0, items.saturating_mul(width));
    }

    fn places(
        &mut self,
        items: usize,
        common: &Self::Common,
    ) -> Result<Option<RowPlaces<'_, T, RANK>>, Failure> {
        places::of_rows(self, items, common)
    }

    /// The length of the first axis of what is in common means nothing.
    fn assume(&mut self, common: &Self::Common) {
        let (_, shape) = self.parts();
        if let (0, Some(common)) = (shape[0], common) {
            shape[1..].copy_from_slice(&common[1..]);
        }
    }

    fn each_length(&self, tell: &mut dyn FnMut(usize)) {
        self.shape()[1..].iter().for_each(|len| tell(*len));
    }

    fn assume_lengths(&mut self, next: &mut dyn FnMut() -> Option<usize>) {
        let (_, shape) = self.parts();
        let has_items = shape[0] > 0;
        for len in &mut shape[1..] {
            let known = next();
            *len = known.filter(|_| !has_items).unwrap_or(*len);
        }
    }
}

/// Room for `n` elements in a vector without elements, if there is memory. As for vectors that grow there
/// may be room for twice as many: of few sizes, what chunks leave serves later ones.
fn make_room<T: Element>(vec: &mut Vec<T>, n: usize) {
    if vec.capacity() < n {
        recycle(mem::take(vec));
        let room = n.checked_next_power_of_two().unwrap_or(n);
        // What is missing is missed again, and reported, by the item for which there is no room.
        let _ = reserve_aside(vec, room);
    }
}

pub(super) fn copy<T: Copy>(of: &[T]) -> Result<Vec<T>, Failure> {
    let mut copy = Vec::new();
    reserve(&mut copy, of.len())?;
    copy.extend_from_slice(of);
    Ok(copy)
}

/// A chunk whose memory later ones get when it is dropped: what the system has to clear takes longer to
/// fill.
#[derive(Default)]
pub(super) struct Reused<C: Chunk>(C);

impl<C: Chunk> Drop for Reused<C> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

impl<C: Chunk> Deref for Reused<C> {
    type Target = C;

    #[inline]
    fn deref(&self) -> &C {
        &self.0
    }
}

impl<C: Chunk> DerefMut for Reused<C> {
    #[inline]
    fn deref_mut(&mut self) -> &mut C {
        &mut self.0
    }
}

/// A chunk of items that are their own numbers: `start..start + len`, which takes no memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Indices {
    pub(super) start: usize,
    pub(super) len: usize,
}

impl Indices {
    /// The first number.
    #[inline]
    pub fn start(&self) -> usize {
        self.start
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Chunk for Indices {
    type Common = ();
    type Places<'a> = Infallible;

    #[inline]
    fn items(&self) -> usize {
        self.len
    }

    #[inline]
    fn bytes(&self) -> usize {
        0
    }

    #[inline]
    fn truncate(&mut self, items: usize) {
        self.len = self.len.min(items);
    }

    fn part(&self, items: Range<usize>) -> Result<Self, Failure> {
        assert!(items.end <= self.len, "item {} of {}", items.end, self.len);
        Ok(Indices {
            start: self.start + items.start,
            len: items.len(),
        })
    }

    fn leave(&mut self) {
        self.len = 0;
    }

    fn assume(&mut self, (): &()) {}
}
