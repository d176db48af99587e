//! Dense arrays where rows may have any lengths.
//!
//! In: an array whose rows have one length. Out: offsets per level; the elements, borrowed where they
//! lie in row-major order.
//! Assumes: nothing.

use core::array;

#[cfg(feature = "ndarray")]
use ndarray::{ArrayBase, ArrayRef, Data, Dim, ViewRepr};

use super::{AsRagged, RaggedArg};
use crate::args::ArrayArg;
use crate::dense::{AsDense, DenseArg, DenseVec};
use crate::error::Failure;
use crate::kernel::Element;
use crate::memory;
use crate::recycle::Buffer;

fn rows_of<T: Element, const RANK: usize, const LEVELS: usize>(
    dense: DenseArg<'_, T, RANK>,
) -> RaggedArg<'_, T, LEVELS> {
    let (shape, elements) = dense.into_parts();
    match elements.elements().and_then(|_| offsets_of(shape)) {
        Ok(offsets) => RaggedArg {
            offsets: offsets.map(|offsets| ArrayArg::copied(Ok(offsets))),
            elements,
        },
        Err(failure) => RaggedArg::failed(failure),
    }
}

fn offsets_of<const RANK: usize, const LEVELS: usize>(
    shape: [usize; RANK],
) -> Result<[Buffer<i64>; LEVELS], Failure> {
    let mut offsets: [Buffer<i64>; LEVELS] = array::from_fn(|_| Buffer::new());
    let mut rows = 1;
    for (offsets, lens) in offsets.iter_mut().zip(shape.windows(2)) {
        // No overflow: the lengths of a dense array but those that are 0 give at most `isize::MAX`.
        rows *= lens[0];
        memory::reserve(offsets.as_vec(), rows + 1)?;
        let ends = (0..=rows).map(|row| (row * lens[1]) as i64);
        offsets.as_vec().extend(ends);
    }
    Ok(offsets)
}

/// For each number of levels the number of axes.
macro_rules! as_ragged {
    ($($levels:literal $rank:literal),*) => { $(
        as_ragged! { @types $levels $rank:
            {} DenseArg<'_, T, $rank>;
            {} &DenseArg<'_, T, $rank>;
            {} &DenseVec<T, $rank>;
            {} &mut DenseVec<T, $rank>;
            {} &&DenseVec<T, $rank>;
        }
        #[cfg(feature = "ndarray")]
        as_ragged! { @types $levels $rank:
            {} &ArrayRef<T, Dim<[usize; $rank]>>;
            {} &mut ArrayRef<T, Dim<[usize; $rank]>>;
            {, S: Data<Elem = T>} &ArrayBase<S, Dim<[usize; $rank]>, T>;
            {, S: Data<Elem = T>} &mut ArrayBase<S, Dim<[usize; $rank]>, T>;
            {, S: Data<Elem = T>} &&ArrayBase<S, Dim<[usize; $rank]>, T>;
            {} ArrayBase<ViewRepr<&'_ T>, Dim<[usize; $rank]>, T>;
            {} ArrayBase<ViewRepr<&'_ mut T>, Dim<[usize; $rank]>, T>;
        }
    )* };
    (@types $levels:literal $rank:literal: $({$($generics:tt)*} $ty:ty;)*) => { $(
        // The note says what to pass; a list of these types would bury it.
        #[diagnostic::do_not_recommend]
        impl<T: Element $($generics)*> AsRagged<T, $levels> for $ty {
            fn ragged_arg(&self) -> RaggedArg<'_, T, $levels> {
                rows_of(AsDense::<T, $rank>::dense_arg(self))
            }
        }
    )* };
}

as_ragged! { 1 2, 2 3, 3 4, 4 5, 5 6 }
