//! Arrays as arguments: one trait, one impl per Rust type.
//!
//! In: what a user passes for an array. Out: a slice, borrowed where the type is contiguous.
//! Assumes: nothing.

use core::ops::Deref;
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use crate::kernel::Element;

/// What may be passed for an array of `T`: slices, vectors, arrays, boxes, and with the feature
/// `ndarray` one-dimensional arrays and views, all by reference.
///
/// There are no impls for generic wrappers, so that `f(&[1.0, 2.0])` and `f(&[])` take the element
/// type from `f`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed as an array of `{T}`",
    label = "expected an array of `{T}`",
    note = "pass `&[{T}]`, `&Vec<{T}>`, `&[{T}; N]` or a reference to a one-dimensional `ndarray`"
)]
pub trait AsArray<T: Element> {
    /// The elements. Copied, once, only where they are not contiguous.
    fn array_arg(&self) -> ArrayArg<'_, T>;
}

/// The elements of an array argument; a slice by `Deref`.
#[derive(Clone, Debug)]
pub struct ArrayArg<'a, T: Element>(Cow<'a, [T]>);

impl<'a, T: Element> ArrayArg<'a, T> {
    /// Elements that are contiguous already.
    #[inline]
    pub fn borrowed(xs: &'a [T]) -> Self {
        ArrayArg(Cow::Borrowed(xs))
    }

    /// A copy of elements that were not.
    pub fn owned(xs: Vec<T>) -> Self {
        ArrayArg(Cow::Owned(xs))
    }

    /// Whether nothing was copied.
    pub fn is_borrowed(&self) -> bool {
        matches!(self.0, Cow::Borrowed(_))
    }
}

impl<'a, T: Element> From<Cow<'a, [T]>> for ArrayArg<'a, T> {
    fn from(xs: Cow<'a, [T]>) -> Self {
        ArrayArg(xs)
    }
}

impl<T: Element> Deref for ArrayArg<'_, T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

macro_rules! as_array {
    ($({$($generics:tt)*} $ty:ty;)*) => { $(
        as_array!(@one {$($generics)*} &$ty);
        as_array!(@one {$($generics)*} &mut $ty);
        as_array!(@one {$($generics)*} &&$ty);
        as_array!(@one {$($generics)*} &&mut $ty);
        as_array!(@one {$($generics)*} &mut &$ty);
        as_array!(@one {$($generics)*} &mut &mut $ty);
    )* };
    (@one {$($generics:tt)*} $ty:ty) => {
        // The note says what to pass; a list of these types would bury it.
        #[diagnostic::do_not_recommend]
        impl<T: Element $($generics)*> AsArray<T> for $ty {
            #[inline]
            fn array_arg(&self) -> ArrayArg<'_, T> {
                ArrayArg::borrowed(&self[..])
            }
        }
    };
}

as_array! {
    {} [T];
    {, const N: usize} [T; N];
    {} Vec<T>;
    {} Box<[T]>;
    {} Rc<[T]>;
    {} Arc<[T]>;
    {} Rc<Vec<T>>;
    {} Arc<Vec<T>>;
    {} Cow<'_, [T]>;
    {} ArrayArg<'_, T>;
}

#[cfg(feature = "ndarray")]
mod nd {
    use ndarray::{ArrayBase, ArrayRef, Data, Ix1, ViewRepr};

    use super::{ArrayArg, AsArray, Element};

    fn from_ref<T: Element>(xs: &ArrayRef<T, Ix1>) -> ArrayArg<'_, T> {
        match xs.as_slice() {
            Some(slice) => ArrayArg::borrowed(slice),
            None => ArrayArg::owned(xs.iter().copied().collect()),
        }
    }

    macro_rules! as_array {
        ($({$($generics:tt)*} $ty:ty;)*) => { $(
            #[diagnostic::do_not_recommend]
            impl<T: Element $($generics)*> AsArray<T> for $ty {
                fn array_arg(&self) -> ArrayArg<'_, T> {
                    from_ref(self)
                }
            }
        )* };
    }

    as_array! {
        {} &ArrayRef<T, Ix1>;
        {} &mut ArrayRef<T, Ix1>;
        {, S: Data<Elem = T>} &ArrayBase<S, Ix1, T>;
        {, S: Data<Elem = T>} &mut ArrayBase<S, Ix1, T>;
        {, S: Data<Elem = T>} &&ArrayBase<S, Ix1, T>;
        {} ArrayBase<ViewRepr<&'_ T>, Ix1, T>;
        {} ArrayBase<ViewRepr<&'_ mut T>, Ix1, T>;
    }
}
