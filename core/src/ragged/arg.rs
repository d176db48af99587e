//! Arrays of arrays as arguments: one trait, one impl per Rust type.
//!
//! In: what a user passes for an array of arrays of any lengths. Out: offsets per level, and the
//! elements as one slice; borrowed from a [`Ragged`](super::Ragged) or a view, copied once from
//! nested lists.
//! Assumes: nothing; see Note \[Offsets\] in `ragged.rs`.
//!
//! Note \[Whole arrays\]. Compiled functions take an array's elements for its rows one behind the
//! other, and give its offsets to results of the same shape. So of a view that leaves out values the
//! others are cut out: a slice at each level, and where its offsets do not begin at 0, a copy of them
//! that does. Elements are never copied for that.

use core::array;
use std::rc::Rc;
use std::sync::Arc;

use super::{Ragged, RaggedError, RaggedView, check};
use crate::args::ArrayArg;
use crate::error::Failure;
use crate::kernel::Element;
use crate::out::component;

/// What may be passed for an array of `T` with `LEVELS` levels of rows of any lengths, 1 for `[[T]]`,
/// 2 for `[[[T]]]`, to 5: a [`Ragged`] by reference, a [`RaggedView`], nested vectors, slices and
/// arrays by reference, a dense array by reference, and [`RaggedArg`] for anything else.
///
/// There are no impls for generic wrappers, so that `f(&Ragged::from(vec![vec![1.0], vec![]]))` takes
/// the element type from `f`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed as an array of `{T}` with rows of any lengths, {LEVELS} deep",
    label = "expected rows of `{T}`, {LEVELS} deep",
    note = "pass a reference to a `Ragged<{T}>` (1 deep; a `Ragged<Ragged<{T}>>` is 2 deep), a \
            `RaggedView`, or a reference to nested vectors, slices or arrays"
)]
pub trait AsRagged<T: Element, const LEVELS: usize> {
    /// The offsets and the elements. Copied, once, only where they do not lie like that.
    fn ragged_arg(&self) -> RaggedArg<'_, T, LEVELS>;
}

/// An array of arrays as an argument: offsets per level, the outermost first, and the elements.
///
/// Row `i` of the outermost level holds the rows `offsets(0)[i]..offsets(0)[i + 1]` of level 1, and
/// so on; rows of the last level hold elements. At each level the first offset is 0, none is less
/// than the one before it, and the last is the number of rows (elements) below.
///
/// ```
/// use ragged_core::RaggedArg;
///
/// let (lists, rows, elements) = ([0, 2, 3], [0, 1, 1, 3], [7, 8, 9]);
/// let arg = RaggedArg::new([&lists, &rows], &elements)?;
/// assert_eq!((arg.rows(), arg.offsets(1), arg.elements()), (2, &rows[..], Ok(&elements[..])));
/// let arg = RaggedArg::new([&lists[1..], &rows], &elements)?;
/// assert_eq!((arg.levels(), arg.elements()), ([&[0, 1][..], &[0, 2]], Ok(&elements[1..])));
/// assert!(RaggedArg::new([&lists, &rows[..3]], &elements).is_err());
/// # Ok::<(), ragged_core::RaggedError>(())
/// ```
#[derive(Debug)]
pub struct RaggedArg<'a, T: Element, const LEVELS: usize> {
    pub(super) offsets: [ArrayArg<'a, i64>; LEVELS],
    pub(super) elements: ArrayArg<'a, T>,
}

impl<'a, T: Element, const LEVELS: usize> RaggedArg<'a, T, LEVELS> {
    /// The array with these offsets, the outermost first, and elements. Not all rows and elements
    /// need be held: as for [`RaggedView::new`], offsets may begin above 0.
    ///
    /// Cost: a pass over the offsets. Errors: what is wrong with them.
    pub fn new(offsets: [&'a [i64]; LEVELS], elements: &'a [T]) -> Result<Self, RaggedError> {
        check::levels(check::some, &offsets, elements.len())?;
        Ok(Self::whole(offsets, elements))
    }

    /// What these offsets, which are in order, hold; see Note \[Whole arrays\].
    fn whole(offsets: [&'a [i64]; LEVELS], elements: &'a [T]) -> Self {
        Self::cut(offsets, elements).unwrap_or_else(Self::failed)
    }

    fn cut(offsets: [&'a [i64]; LEVELS], elements: &'a [T]) -> Result<Self, Failure> {
        let rows = offsets.first().map(|outermost| outermost.len() - 1);
        let mut held = 0..rows.unwrap_or(elements.len());
        let mut whole = array::from_fn(|_| ArrayArg::borrowed(&[0]));
        for (whole, offsets) in whole.iter_mut().zip(offsets) {
            let part = &offsets[held.start..=held.end];
            let (first, last) = (part[0], part[part.len() - 1]);
            *whole = match first {
                0 => ArrayArg::borrowed(part),
                _ => ArrayArg::copied(Ok(component(part, |offset| offset - first)?)),
            };
            held = first as usize..last as usize;
        }
        Ok(RaggedArg {
            offsets: whole,
            elements: ArrayArg::borrowed(&elements[held]),
        })
    }

    /// No rows: there was no memory for them.
    pub(super) fn failed(failure: Failure) -> Self {
        RaggedArg {
            offsets: array::from_fn(|_| ArrayArg::borrowed(&[0])),
            elements: ArrayArg::copied(Err(failure)),
        }
    }

    /// How many rows the outermost level has.
    #[inline]
    pub fn rows(&self) -> usize {
        self.offsets(0).len() - 1
    }

    /// The offsets of a level, 0 for the outermost: one more than it has rows.
    ///
    /// Panics if there is no such level.
    #[inline]
    pub fn offsets(&self, level: usize) -> &[i64] {
        self.offsets[level].elements().unwrap_or(&[0])
    }

    /// The offsets of all levels, the outermost first.
    #[inline]
    pub fn levels(&self) -> [&[i64]; LEVELS] {
        array::from_fn(|level| self.offsets(level))
    }

    /// The elements.
    ///
    /// Errors: `OutOfMemory` if anything had to be copied, and could not be; there are no rows then.
    #[inline]
    pub fn elements(&self) -> Result<&[T], Failure> {
        self.elements.elements()
    }

    /// Whether nothing was copied.
    pub fn is_borrowed(&self) -> bool {
        self.elements.is_borrowed() && self.offsets.iter().all(ArrayArg::is_borrowed)
    }

    /// The same, for as long as it is borrowed.
    fn reborrow(&self) -> RaggedArg<'_, T, LEVELS> {
        RaggedArg {
            offsets: self.levels().map(ArrayArg::borrowed),
            elements: self.elements.reborrow(),
        }
    }
}

macro_rules! as_ragged {
    ($($ty:ty),*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Element, const LEVELS: usize> AsRagged<T, LEVELS> for $ty {
            #[inline]
            fn ragged_arg(&self) -> RaggedArg<'_, T, LEVELS> {
                self.reborrow()
            }
        }
    )* };
}

as_ragged! { RaggedArg<'_, T, LEVELS>, &RaggedArg<'_, T, LEVELS> }

/// For each number of levels what the rows of the outermost one hold, and names for the offsets.
macro_rules! levels {
    ($($levels:literal: $item:ty, [$($offsets:ident)*];)*) => { $(
        impl<'a, T: Element> From<RaggedView<'a, $item>> for RaggedArg<'a, T, $levels> {
            #[inline]
            fn from(view: RaggedView<'a, $item>) -> Self {
                $(let ($offsets, view) = (view.offsets(), view.values());)*
                RaggedArg::whole([$($offsets),*], view)
            }
        }

        levels! { @owned $levels, $item:
            &Ragged<$item>, &mut Ragged<$item>, &&Ragged<$item>, &&mut Ragged<$item>,
            &mut &Ragged<$item>, &mut &mut Ragged<$item>,
            &Box<Ragged<$item>>, &Rc<Ragged<$item>>, &Arc<Ragged<$item>>
        }
        levels! { @view $levels, $item:
            RaggedView<'_, $item>, &RaggedView<'_, $item>, &mut RaggedView<'_, $item>
        }
    )* };
    (@owned $levels:literal, $item:ty: $($ty:ty),*) => { $(
        // The note says what to pass; a list of these types would bury it.
        #[diagnostic::do_not_recommend]
        impl<T: Element> AsRagged<T, $levels> for $ty {
            #[inline]
            fn ragged_arg(&self) -> RaggedArg<'_, T, $levels> {
                self.view().into()
            }
        }
    )* };
    (@view $levels:literal, $item:ty: $($ty:ty),*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Element> AsRagged<T, $levels> for $ty {
            #[inline]
            fn ragged_arg(&self) -> RaggedArg<'_, T, $levels> {
                self.shortened().into()
            }
        }
    )* };
}

levels! {
    1: T, [a];
    2: Ragged<T>, [a b];
    3: Ragged<Ragged<T>>, [a b c];
    4: Ragged<Ragged<Ragged<T>>>, [a b c d];
    5: Ragged<Ragged<Ragged<Ragged<T>>>>, [a b c d e];
}
