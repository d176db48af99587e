//! What becomes of chunks of results: their items are handed out one by one, or they are put one
//! behind the other.
//!
//! In: chunks that a step has made. Out: items, or one array.
//! Assumes: nothing.

use core::ops::Range;

use super::chunk::Chunk;
use super::item::reserve;
use crate::dense::{self, Dense, DenseVec, DenseView};
use crate::error::Failure;
use crate::kernel::Element;
use crate::ragged::{Item, Ragged, RaggedView};

/// A chunk whose items can be handed out one by one.
///
/// | items | owned | lent |
/// |---|---|---|
/// | `T` | `T` | `T` |
/// | `[T]`, `[T; n]` | `Vec<T>` | `&[T]` |
/// | `[[T]]` … | [`Ragged<T>`](crate::Ragged) | [`RaggedView<T>`](crate::RaggedView) |
/// | `[[T; m]; n]` … | [`Dense<T, 2>`](crate::Dense) | [`DenseView<T, 2>`](crate::DenseView) |
/// | tuples with arrays in them | tuples of these | tuples of these |
pub trait Items: Append + 'static {
    /// What an item is in Rust if it stands alone.
    type Item;

    /// What it is where it lies, among the others.
    type Lent<'a>;

    /// A copy of item `i`. Panics if there is none.
    fn item(&self, i: usize) -> Self::Item;

    /// Item `i`. Panics if there is none.
    fn lent(&self, i: usize) -> Self::Lent<'_>;
}

impl<T: Element> Items for Vec<T> {
    type Item = T;
    type Lent<'a> = T;

    #[inline]
    fn item(&self, i: usize) -> T {
        self[i]
    }

    #[inline]
    fn lent(&self, i: usize) -> T {
        self[i]
    }
}

impl<T: Element> Items for Ragged<T> {
    type Item = Vec<T>;
    type Lent<'a> = &'a [T];

    fn item(&self, i: usize) -> Vec<T> {
        self.lent(i).to_vec()
    }

    #[inline]
    fn lent(&self, i: usize) -> &[T] {
        self.row(i)
    }
}

impl<U: Item> Items for Ragged<Ragged<U>>
where
    U::Values: Append,
{
    type Item = Ragged<U>;
    type Lent<'a> = RaggedView<'a, U>;

    fn item(&self, i: usize) -> Ragged<U> {
        self.lent(i).to_ragged()
    }

    #[inline]
    fn lent(&self, i: usize) -> RaggedView<'_, U> {
        self.row(i)
    }
}

impl<T: Element> Items for DenseVec<T, 2> {
    type Item = Vec<T>;
    type Lent<'a> = &'a [T];

    fn item(&self, i: usize) -> Vec<T> {
        self.lent(i).to_vec()
    }

    #[inline]
    fn lent(&self, i: usize) -> &[T] {
        row(self, i)
    }
}

/// For each number of axes of an item that of its chunk.
macro_rules! axes {
    ($($rank:literal $more:literal [$($axis:literal)*];)*) => { $(
        impl<T: Element> Items for DenseVec<T, $more> {
            type Item = Dense<T, $rank>;
            type Lent<'a> = DenseView<'a, T, $rank>;

            fn item(&self, i: usize) -> Dense<T, $rank> {
                let (shape, elements) = ([$(self.shape()[$axis]),*], row(self, i).to_vec());
                let item = DenseVec::new(shape, elements);
                item.expect("rows have as many elements as the inner axes say").into()
            }

            #[inline]
            fn lent(&self, i: usize) -> DenseView<'_, T, $rank> {
                dense::view([$(self.shape()[$axis]),*], row(self, i))
            }
        }
    )* };
}

axes! {
    2 3 [1 2];
    3 4 [1 2 3];
    4 5 [1 2 3 4];
    5 6 [1 2 3 4 5];
}

/// The elements of item `i`.
fn row<T, const RANK: usize>(chunk: &DenseVec<T, RANK>, i: usize) -> &[T] {
    let shape = chunk.shape();
    assert!(i < shape[0], "item {i} of {}", shape[0]);
    let width: usize = shape[1..].iter().product();
    &chunk.as_slice()[i * width..(i + 1) * width]
}

/// Chunks that can be put one behind the other.
pub trait Append: Chunk {
    /// Puts the items of another chunk behind these. Memory grows by more than is needed, so that
    /// many small chunks cost no more than few large ones.
    ///
    /// Errors: `OutOfMemory`; check `id` if items of sizes in common have other ones than those before
    /// them, with the length of the first axis that differs, of these and of the others.
    fn append(&mut self, more: &Self, id: u32) -> Result<(), Failure> {
        self.append_some(more, 0..more.items(), id)
    }

    /// Puts some of the items of another chunk behind these. Panics if there are not so many.
    ///
    /// Errors: as for [`append`](Append::append).
    #[doc(hidden)]
    fn append_some(&mut self, more: &Self, items: Range<usize>, id: u32) -> Result<(), Failure>;
}

impl<T: Element> Append for Vec<T> {
    #[inline]
    fn append_some(&mut self, more: &Self, items: Range<usize>, _id: u32) -> Result<(), Failure> {
        let more = &more[items];
        reserve(self, more.len())?;
        self.extend_from_slice(more);
        Ok(())
    }
}

impl<T: Item> Append for Ragged<T>
where
    T::Values: Append,
{
    fn append_some(&mut self, more: &Self, items: Range<usize>, id: u32) -> Result<(), Failure> {
        let (all, more) = more.parts();
        let (offsets, values) = self.parts_mut();
        // No rows may have no offsets at all.
        let [first, ends @ ..] = all.get(items.start..=items.end).unwrap_or_default() else {
            assert!(items.is_empty(), "rows {items:?} of none");
            return values.append_some(more, 0..0, id);
        };
        reserve(offsets, ends.len() + 1)?;
        let last = ends.last().unwrap_or(first);
        values.append_some(more, *first as usize..*last as usize, id)?;
        if offsets.is_empty() {
            offsets.push(0);
        }
        let begin = offsets[offsets.len() - 1];
        offsets.extend(ends.iter().map(|end| begin + (end - first)));
        Ok(())
    }
}

impl<T: Element, const RANK: usize> Append for DenseVec<T, RANK> {
    fn append_some(&mut self, more: &Self, items: Range<usize>, id: u32) -> Result<(), Failure> {
        let (elements, shape) = self.parts();
        let before = shape[0];
        if before == 0 {
            shape.copy_from_slice(more.shape());
            shape[0] = items.len();
        } else if !items.is_empty() {
            let mut axes = shape[1..].iter().zip(&more.shape()[1..]);
            if let Some((these, others)) = axes.find(|(these, others)| these != others) {
                let values = [*these as i64, *others as i64, 0];
                return Err(Failure::Check { id, values });
            }
            shape[0] += items.len();
        }
        let width: usize = more.shape()[1..].iter().product();
        let more = &more.as_slice()[items.start * width..items.end * width];
        if let Err(failure) = reserve(elements, more.len()) {
            shape[0] = before;
            return Err(failure);
        }
        elements.extend_from_slice(more);
        Ok(())
    }
}
