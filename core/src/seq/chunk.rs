//! Chunks: many items in one array.
//!
//! In: a type of array. Out: how many items an array of it holds, how much memory they take, and
//! fewer of them.
//! Assumes: nothing.

use crate::dense::DenseVec;
use crate::kernel::Element;
use crate::ragged::{Item, Ragged};

/// An array of items: what a step computes at once.
///
/// | items | chunk |
/// |---|---|
/// | `T`, products of scalars too | `Vec<T>` |
/// | `[T]`; `[[T]]` … | `Ragged<T>`; `Ragged<Ragged<T>>` … |
/// | `[T; n]`; `[[T; m]; n]` … | `DenseVec<T, 2>`; `DenseVec<T, 3>` …: the first axis is that of the items |
/// | tuples with arrays in them | tuples of chunks |
/// | the numbers of items | [`Indices`] |
pub trait Chunk: Default + Send + Sync {
    /// What all items of a sequence have in common: the lengths of their axes, if these are sizes.
    #[doc(hidden)]
    type Common: Default;

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

    /// Lets a chunk without items know what these would have in common.
    #[doc(hidden)]
    fn assume(&mut self, common: &Self::Common);
}

impl<T: Element> Chunk for Vec<T> {
    type Common = ();

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

    fn assume(&mut self, (): &()) {}
}

impl<T: Item> Chunk for Ragged<T>
where
    T::Values: Chunk,
{
    type Common = ();

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

    fn assume(&mut self, (): &()) {}
}

impl<T: Element, const RANK: usize> Chunk for DenseVec<T, RANK> {
    type Common = Option<[usize; RANK]>;

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

    /// The length of the first axis of what is in common means nothing.
    fn assume(&mut self, common: &Self::Common) {
        let (_, shape) = self.parts();
        if let (0, Some(common)) = (shape[0], common) {
            shape[1..].copy_from_slice(&common[1..]);
        }
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

    fn assume(&mut self, (): &()) {}
}
