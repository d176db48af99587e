//! Places for items behind those of a chunk, to be written one after the other.
//!
//! In: a chunk, and how many items may come. Out: as many default items behind the others, lent to be
//! overwritten; what has not been is cut off again.
//! Assumes: all items take as many bytes.
//!
//! Note \[Places\]. An item that is put behind the others changes the length of a vector, which is in
//! memory, and the next one has to wait for that; for a tuple there is one for each component. Places
//! are pointers that stay in registers. To fill them with defaults first costs little, since they
//! are few at a time: they are in the nearest cache when they are written.

use core::iter;
use core::slice::{ChunksExactMut, IterMut};

use super::chunk::Chunk;
use super::fault::Fault;
use super::item::{SeqItem, reserve};
use crate::dense::DenseVec;
use crate::error::Failure;
use crate::kernel::Element;

/// The most places at a time.
const MOST: usize = 64;

/// Where rows of a shape go, the first axis of which means nothing.
#[doc(hidden)]
#[derive(Debug)]
pub struct RowPlaces<'a, T, const RANK: usize> {
    rows: ChunksExactMut<'a, T>,
    shape: [usize; RANK],
}

impl<T: Element, const RANK: usize> RowPlaces<'_, T, RANK> {
    /// Writes an item of this shape.
    #[inline]
    pub(super) fn put(&mut self, shape: [usize; RANK], row: &[T]) -> Result<(), Fault> {
        let mut axes = (1..RANK).map(|axis| (shape[axis], self.shape[axis]));
        if !axes.all(|(len, before)| len == before) {
            return Err(Fault::shape(shape, self.shape));
        }
        next(&mut self.rows).copy_from_slice(row);
        Ok(())
    }
}

/// The next place.
#[inline]
pub(super) fn next<P>(places: &mut impl Iterator<Item = P>) -> P {
    places.next().expect("a place for each item")
}

/// Places for single values.
pub(super) fn of_values<T: Element>(
    values: &mut Vec<T>,
    items: usize,
) -> Result<IterMut<'_, T>, Failure> {
    Ok(more(values, items)?.iter_mut())
}

/// Places for rows of a shape, if that is known and has elements.
pub(super) fn of_rows<'a, T: Element, const RANK: usize>(
    chunk: &'a mut DenseVec<T, RANK>,
    items: usize,
    common: &Option<[usize; RANK]>,
) -> Result<Option<RowPlaces<'a, T, RANK>>, Failure> {
    let Some(common) = common else {
        return Ok(None);
    };
    let width: usize = common[1..].iter().product();
    if width == 0 {
        return Ok(None);
    }
    let (elements, shape) = chunk.parts();
    let rows = more(elements, items * width)?.chunks_exact_mut(width);
    let before = shape[0];
    *shape = *common;
    shape[0] = before + items;
    let shape = *common;
    Ok(Some(RowPlaces { rows, shape }))
}

/// So many default elements behind those of a vector.
fn more<T: Element>(vec: &mut Vec<T>, n: usize) -> Result<&mut [T], Failure> {
    reserve(vec, n)?;
    let before = vec.len();
    vec.extend(iter::repeat_n(T::default(), n));
    Ok(&mut vec[before..])
}

/// Writes some items into places behind those of the chunk, until these are used up: whether there may be
/// more, or nothing if there are no places.
///
/// Errors: of the item behind those that are in the chunk then.
#[inline]
pub(super) fn put_some<C, M, I>(
    items: &mut I,
    most: usize,
    chunk: &mut C,
    common: &C::Common,
) -> Result<Option<bool>, Fault>
where
    C: Chunk,
    I: Iterator<Item: SeqItem<C, M>>,
{
    let before = chunk.items();
    let (count, ended) = write(items, most.min(MOST), chunk, common);
    chunk.truncate(before + count);
    ended
}

/// The same, and how many there are; places that are left stay.
#[inline]
fn write<C, M, I>(
    items: &mut I,
    most: usize,
    chunk: &mut C,
    common: &C::Common,
) -> (usize, Result<Option<bool>, Fault>)
where
    C: Chunk,
    I: Iterator<Item: SeqItem<C, M>>,
{
    let mut places = match chunk.places(most, common) {
        Ok(Some(places)) => places,
        Ok(None) => return (0, Ok(None)),
        Err(failure) => return (0, Err(failure.into())),
    };
    for count in 0..most {
        let Some(item) = items.next() else {
            return (count, Ok(Some(false)));
        };
        if let Err(fault) = item.place(&mut places) {
            return (count, Err(fault));
        }
    }
    (most, Ok(Some(true)))
}
