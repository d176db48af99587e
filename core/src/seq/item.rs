//! Items: what a user's iterator may give.
//!
//! In: an item. Out: it is behind those of a chunk, or there is an error, and the chunk is to be cut
//! back to the items that it had.
//! Assumes: nothing.

use core::array;
use core::convert::Infallible;
use core::error::Error;
use core::iter;
use core::marker::PhantomData;
use core::mem;
use core::slice::IterMut;

use super::chunk::Chunk;
use super::fault::Fault;
use super::places::{self, RowPlaces};
use super::rows::{self, Rows, row_bytes};
use crate::args::AsArray;
use crate::dense::{AsDense, DenseVec};
use crate::error::Failure;
use crate::kernel::Element;
use crate::ragged::{AsRagged, Nested, Ragged, RaggedArg};

/// What an item of a sequence may be in Rust, for a sequence whose [`Chunk`]s are `C`s:
///
/// * `Seq<T>` of scalars and products of scalars: a `T` or a `&T`;
/// * `Seq<[T]>` and `Seq<[T; n]>`: what [`AsArray`] takes, also by value: vectors, slices, arrays,
///   `Box`, `Arc`, `Cow`, arrays and views of `ndarray`;
/// * `Seq<[[T]]>` and deeper: what [`AsRagged`] takes, also by value: `Ragged`, a `RaggedView`, nested
///   vectors, slices, arrays;
/// * `Seq<[[T; m]; n]>` and of more axes: what [`AsDense`] takes, also by value: arrays and views of
///   `ndarray`, nested Rust arrays, a [`DenseVec`];
/// * tuples with arrays in them: tuples of these;
/// * a `Result` of any of these, whose errors end the sequence with an [`Error`](crate::Error).
///
/// `M` says which of them it is; it is always inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an item of this sequence, whose items are collected in a `{C}`",
    label = "the iterator gives `{Self}`",
    note = "items of a `Seq<T>`, in a `Vec<T>`, are `T` or `&T`; of a `Seq<[T]>` or `Seq<[T; n]>`, in `Rows<'_, T>` \
            or `DenseVec<T, 2>`, `Vec<T>`, `&[T]`, `[T; N]` …; of a `Seq<[[T]]>`, in a `Ragged<Ragged<T>>`, \
            `Ragged<T>`, `Vec<Vec<T>>` …; of a `Seq<[[T; m]; n]>`, in a `DenseVec<T, 3>`, two-dimensional arrays \
            of `ndarray`, `[[T; M]; N]` …; or a `Result` of these"
)]
pub trait SeqItem<C: Chunk, M> {
    /// Puts the item behind those of the chunk. After an error the chunk has to be cut back.
    #[doc(hidden)]
    fn put(self, chunk: &mut C, common: &mut C::Common) -> Result<(), Fault>;

    /// Writes the item where the next one goes.
    #[doc(hidden)]
    fn place(self, places: &mut C::Places<'_>) -> Result<(), Fault>;

    /// Puts at least one item, and as many as there is room for, behind those of the chunk; `false` if
    /// there are no more.
    ///
    /// Errors: as the item behind those that are in the chunk then has them.
    #[doc(hidden)]
    #[inline]
    fn put_some<I>(
        items: &mut I,
        room: Room,
        chunk: &mut C,
        common: &mut C::Common,
    ) -> Result<bool, Fault>
    where
        I: Iterator<Item = Self>,
        Self: Sized,
    {
        if C::IS_EVEN
            && let Some(more) = places::put_some(items, room.items, chunk, common)?
        {
            return Ok(more);
        }
        let Some(item) = items.next() else {
            return Ok(false);
        };
        let before = chunk.items();
        let put = item.put(chunk, common);
        if put.is_err() {
            chunk.truncate(before);
        }
        put.map(|()| true)
    }
}

/// What there is room for in a chunk, beside what it has.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// So many items: at least one.
    pub items: usize,
    /// So many bytes: where they are full, no further item is put there.
    pub bytes: usize,
    /// What one item may take. One that takes more comes alone.
    pub largest: usize,
}

impl Room {
    /// How many rows of these lengths are put there, at least one if there is any.
    pub(super) fn count(self, lens: impl Iterator<Item = usize>, element: usize) -> usize {
        let mut bytes = 0;
        let mut count = 0;
        for len in lens.take(self.items) {
            let row = len * element + size_of::<i64>();
            if count > 0 && (bytes >= self.bytes || row > self.largest) {
                break;
            }
            bytes += row;
            count += 1;
            if row > self.largest {
                break;
            }
        }
        count
    }
}

/// Marks items that are there: see [`SeqItem`].
#[derive(Debug)]
pub enum Plain {}

/// Marks items that may be an error instead: see [`SeqItem`].
#[derive(Debug)]
pub struct Fallible<M>(PhantomData<M>);

#[diagnostic::do_not_recommend]
impl<C, M, I, E> SeqItem<C, Fallible<M>> for Result<I, E>
where
    C: Chunk,
    I: SeqItem<C, M>,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    #[inline]
    fn put(self, chunk: &mut C, common: &mut C::Common) -> Result<(), Fault> {
        match self {
            Ok(item) => item.put(chunk, common),
            Err(error) => Err(Fault::Source(error.into().into())),
        }
    }

    #[inline]
    fn place(self, places: &mut C::Places<'_>) -> Result<(), Fault> {
        match self {
            Ok(item) => item.place(places),
            Err(error) => Err(Fault::Source(error.into().into())),
        }
    }

    #[inline]
    fn put_some<R>(
        items: &mut R,
        room: Room,
        chunk: &mut C,
        common: &mut C::Common,
    ) -> Result<bool, Fault>
    where
        R: Iterator<Item = Self>,
    {
        let mut error = None;
        let mut good = iter::from_fn(|| items.next()?.map_err(|it| error = Some(it)).ok());
        let more = I::put_some(&mut good, room, chunk, common);
        match error {
            Some(error) => Err(Fault::Source(error.into().into())),
            None => more,
        }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element> SeqItem<Vec<T>, Plain> for T {
    #[inline]
    fn put(self, chunk: &mut Vec<T>, (): &mut ()) -> Result<(), Fault> {
        if chunk.len() == chunk.capacity() {
            reserve(chunk, 1)?;
        }
        chunk.push(self);
        Ok(())
    }

    #[inline]
    fn place(self, places: &mut IterMut<'_, T>) -> Result<(), Fault> {
        *places::next(places) = self;
        Ok(())
    }

    #[inline]
    fn put_some<I>(
        items: &mut I,
        room: Room,
        chunk: &mut Vec<T>,
        (): &mut (),
    ) -> Result<bool, Fault>
    where
        I: Iterator<Item = Self>,
    {
        reserve(chunk, room.items)?;
        let before = chunk.len();
        chunk.extend(items.take(room.items));
        Ok(chunk.len() == before + room.items)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element> SeqItem<Vec<T>, Plain> for &T {
    #[inline]
    fn put(self, chunk: &mut Vec<T>, common: &mut ()) -> Result<(), Fault> {
        (*self).put(chunk, common)
    }

    #[inline]
    fn place(self, places: &mut IterMut<'_, T>) -> Result<(), Fault> {
        (*self).place(places)
    }

    #[inline]
    fn put_some<I>(
        items: &mut I,
        room: Room,
        chunk: &mut Vec<T>,
        common: &mut (),
    ) -> Result<bool, Fault>
    where
        I: Iterator<Item = Self>,
    {
        T::put_some(&mut items.copied(), room, chunk, common)
    }
}

#[diagnostic::do_not_recommend]
impl<'i, T: Element, A: 'i> SeqItem<Rows<'i, T>, Plain> for A
where
    for<'a> &'a A: AsArray<T>,
{
    #[inline]
    fn put(self, chunk: &mut Rows<'i, T>, (): &mut ()) -> Result<(), Fault> {
        put_one(&self, chunk, usize::MAX)
    }

    fn place(self, places: &mut Infallible) -> Result<(), Fault> {
        match *places {}
    }

    #[inline]
    fn put_some<I>(
        items: &mut I,
        room: Room,
        chunk: &mut Rows<'i, T>,
        (): &mut (),
    ) -> Result<bool, Fault>
    where
        I: Iterator<Item = Self>,
    {
        if let Some(taken) = chunk.take(items, room) {
            let more = taken?;
            let row = chunk.last_bytes();
            if row > room.largest {
                chunk.truncate(chunk.items() - 1);
                return Err(Fault::TooLarge(row, room.largest));
            }
            return Ok(more);
        }
        let mut bytes = 0;
        for _ in 0..room.items {
            let Some(item) = items.next() else {
                return Ok(false);
            };
            put_one(&item, chunk, room.largest)?;
            bytes += chunk.last_bytes();
            if bytes >= room.bytes {
                break;
            }
        }
        Ok(true)
    }
}

/// Puts a row behind the others, unless it takes more bytes than `largest`.
#[inline]
fn put_one<'i, T: Element, A: 'i>(
    item: &A,
    chunk: &mut Rows<'i, T>,
    largest: usize,
) -> Result<(), Fault>
where
    for<'a> &'a A: AsArray<T>,
{
    let limit = |row: &[T]| match row_bytes::<T>(row.len()) {
        bytes if bytes > largest => Err(Fault::TooLarge(bytes, largest)),
        _fits => Ok(()),
    };
    if let Some(row) = rows::referred(item) {
        limit(row)?;
        return Ok(chunk.push_apart(row)?);
    }
    let put = |row: &[T]| {
        limit(row)?;
        Ok(chunk.push(row, || item.whole())?)
    };
    item.array_arg().with(put)?
}

/// For each number of levels of an item its rows, and what a chunk of such items is.
macro_rules! rows {
    ($($levels:literal $more:literal $chunk:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Element, A> SeqItem<$chunk, Plain> for A
        where
            for<'a> &'a A: AsRagged<T, $levels>,
        {
            fn put(self, chunk: &mut $chunk, (): &mut ()) -> Result<(), Fault> {
                let item = &self;
                Ok(put_rows::<T, $more, $levels>(chunk, item.ragged_arg())?)
            }

            fn place(self, places: &mut Infallible) -> Result<(), Fault> {
                match *places {}
            }
        }
    )* };
}

rows! {
    1 2 Ragged<Ragged<T>>;
    2 3 Ragged<Ragged<Ragged<T>>>;
    3 4 Ragged<Ragged<Ragged<Ragged<T>>>>;
    4 5 Ragged<Ragged<Ragged<Ragged<Ragged<T>>>>>;
}

#[diagnostic::do_not_recommend]
impl<T: Element, A> SeqItem<DenseVec<T, 2>, Plain> for A
where
    for<'a> &'a A: AsArray<T>,
{
    #[inline]
    fn put(self, chunk: &mut DenseVec<T, 2>, common: &mut Option<[usize; 2]>) -> Result<(), Fault> {
        let item = &self;
        let put = |row: &[T]| put_dense(chunk, common, [0, row.len()], row);
        item.array_arg().with(put)?
    }

    #[inline]
    fn place(self, places: &mut RowPlaces<'_, T, 2>) -> Result<(), Fault> {
        let item = &self;
        item.array_arg()
            .with(|row| places.put([0, row.len()], row))?
    }
}

/// For each number of axes of an item its axes, and those of a chunk of such items.
macro_rules! axes {
    ($($rank:literal $more:literal [$($axis:literal)*];)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Element, A> SeqItem<DenseVec<T, $more>, Plain> for A
        where
            for<'a> &'a A: AsDense<T, $rank>,
        {
            #[inline]
            fn put(
                self,
                chunk: &mut DenseVec<T, $more>,
                common: &mut Option<[usize; $more]>,
            ) -> Result<(), Fault> {
                let item = &self;
                let (shape, elements) = item.dense_arg().into_parts();
                elements.with(|it| put_dense(chunk, common, [0, $(shape[$axis]),*], it))?
            }

            #[inline]
            fn place(self, places: &mut RowPlaces<'_, T, $more>) -> Result<(), Fault> {
                let item = &self;
                let (shape, elements) = item.dense_arg().into_parts();
                elements.with(|it| places.put([0, $(shape[$axis]),*], it))?
            }
        }
    )* };
}

axes! {
    2 3 [0 1];
    3 4 [0 1 2];
    4 5 [0 1 2 3];
    5 6 [0 1 2 3 4];
}

fn put_rows<T, const MORE: usize, const LEVELS: usize>(
    chunk: &mut T::Ragged,
    item: RaggedArg<'_, T, LEVELS>,
) -> Result<(), Failure>
where
    T: Nested<MORE>,
    T::Ragged: Default,
{
    let elements = item.elements()?;
    let (mut offsets, mut values) = T::memory(mem::take(chunk));
    let whole = [0, item.rows() as i64];
    let levels = array::from_fn(|level| match level {
        0 => &whole[..],
        level => item.offsets(level - 1),
    });
    let put = put_row(offsets.each_mut(), &mut values, levels, elements);
    *chunk = T::made(offsets, values);
    put
}

/// Puts the rows of an item behind those of a chunk, level by level: that whose only row is the item
/// first.
fn put_row<T: Element, const LEVELS: usize>(
    offsets: [&mut Vec<i64>; LEVELS],
    values: &mut Vec<T>,
    item: [&[i64]; LEVELS],
    elements: &[T],
) -> Result<(), Failure> {
    reserve(values, elements.len())?;
    for (offsets, item) in offsets.into_iter().zip(item) {
        reserve(offsets, item.len())?;
        if offsets.is_empty() {
            offsets.push(0);
        }
        let begin = offsets[offsets.len() - 1];
        offsets.extend(item[1..].iter().map(|end| begin + end));
    }
    values.extend_from_slice(elements);
    Ok(())
}

#[inline]
fn put_dense<T: Element, const RANK: usize>(
    chunk: &mut DenseVec<T, RANK>,
    common: &mut Option<[usize; RANK]>,
    shape: [usize; RANK],
    item: &[T],
) -> Result<(), Fault> {
    let before = common.get_or_insert(shape);
    if *before != shape {
        return Err(Fault::shape(shape, *before));
    }
    let (elements, lens) = chunk.parts();
    reserve(elements, item.len())?;
    elements.extend_from_slice(item);
    let items = lens[0] + 1;
    *lens = shape;
    lens[0] = items;
    Ok(())
}

/// Makes room for `more` elements behind those that are there.
#[inline]
pub(super) fn reserve<T>(vec: &mut Vec<T>, more: usize) -> Result<(), Failure> {
    vec.try_reserve(more).map_err(|_| Failure::OutOfMemory {
        bytes: vec
            .len()
            .saturating_add(more)
            .saturating_mul(size_of::<T>()),
    })
}
