//! Nested Rust arrays as dense arrays: they are contiguous and in row-major order already.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use super::{ArrayArg, AsDense, DenseArg};
use crate::kernel::Element;

/// What the items are of an array of `T` with `RANK` axes: arrays, one level for each axis but the
/// outermost.
pub trait Row<T: Element, const RANK: usize>: Copy {
    /// The array of these items.
    fn dense(rows: &[Self]) -> DenseArg<'_, T, RANK>;
}

macro_rules! rows {
    ($($rank:literal: $ty:ty, [$($inner:ident)*], $($flatten:ident)*;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: Element $(, const $inner: usize)*> Row<T, $rank> for $ty {
            #[inline]
            fn dense(rows: &[Self]) -> DenseArg<'_, T, $rank> {
                DenseArg {
                    shape: [rows.len() $(, $inner)*],
                    elements: ArrayArg::borrowed(rows$(.$flatten())*),
                }
            }
        }
    )* };
}

rows! {
    2: [T; A], [A], as_flattened;
    3: [[T; B]; A], [A B], as_flattened as_flattened;
    4: [[[T; C]; B]; A], [A B C], as_flattened as_flattened as_flattened;
    5: [[[[T; D]; C]; B]; A], [A B C D], as_flattened as_flattened as_flattened as_flattened;
    6: [[[[[T; E]; D]; C]; B]; A], [A B C D E],
        as_flattened as_flattened as_flattened as_flattened as_flattened;
}

macro_rules! as_dense {
    ($({$($generics:tt)*} $ty:ty;)*) => { $(
        as_dense!(@one {$($generics)*} &$ty);
        as_dense!(@one {$($generics)*} &mut $ty);
        as_dense!(@one {$($generics)*} &&$ty);
        as_dense!(@one {$($generics)*} &&mut $ty);
    )* };
    (@one {$($generics:tt)*} $ty:ty) => {
        // The note says what to pass; a list of these types would bury it.
        #[diagnostic::do_not_recommend]
        impl<T: Element, R: Row<T, RANK>, const RANK: usize $($generics)*> AsDense<T, RANK> for $ty {
            #[inline]
            fn dense_arg(&self) -> DenseArg<'_, T, RANK> {
                R::dense(&self[..])
            }
        }
    };
}

as_dense! {
    {} [R];
    {, const N: usize} [R; N];
    {} Vec<R>;
    {} Box<[R]>;
    {} Rc<[R]>;
    {} Arc<[R]>;
    {} Rc<Vec<R>>;
    {} Arc<Vec<R>>;
    {} Cow<'_, [R]>;
}
