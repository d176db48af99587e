//! Arrays as arguments: one trait, one impl per Rust type.
//!
//! In: what a user passes for an array. Out: a slice, borrowed where the type is contiguous.
//! Assumes: nothing.

use core::fmt;
use core::mem;
use core::ops::Range;
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use crate::error::Failure;
use crate::in_place::Source;
use crate::kernel::Element;
use crate::recycle::Buffer;

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
    /// The elements. Those that are not contiguous are copied, once, where they are asked for.
    fn array_arg(&self) -> ArrayArg<'_, T>;

    /// What holds the elements and those around them, if that is shared: a `Seq<[T]>` keeps it, and does
    /// not copy items that lie there one after another.
    #[inline]
    fn whole(&self) -> Option<Whole<T>> {
        None
    }
}

/// Elements that are shared: see [`AsArray::whole`].
pub type Whole<T> = Arc<dyn AsRef<[T]> + Send + Sync>;

/// The elements of an array argument.
#[derive(Debug)]
pub struct ArrayArg<'a, T: Element>(Elements<'a, T>);

#[derive(Debug)]
enum Elements<'a, T: Element> {
    Borrowed(&'a [T]),
    Copied(Buffer<T>),
    Failed(Failure),
    #[cfg_attr(
        not(feature = "ndarray"),
        expect(dead_code, reason = "only arrays of `ndarray` have such views")
    )]
    Strided(Arc<dyn View<T> + 'a>),
}

/// A view that is not contiguous. It has elements.
pub(crate) trait View<T>: Send + Sync {
    /// How many elements there are.
    fn len(&self) -> usize;
    /// All elements, copied the first time.
    ///
    /// Errors: no memory.
    fn elements(&self) -> Result<&[T], Failure>;
    /// Whether memory is gone through in the order of the elements, or nearly: whether no axis has a
    /// smaller step than the last.
    fn is_along_memory(&self) -> bool;
    /// Whether elements `width * i .. width * (i + 1)` are contiguous for each `i`.
    fn has_rows(&self, width: usize) -> bool;
    /// These elements as they lie, if they are contiguous.
    fn slice(&self, range: Range<usize>) -> Option<&[T]>;
    /// Writes these elements, one after another, into as many places.
    fn gather(&self, range: Range<usize>, room: &mut [T]);
}

impl<T> fmt::Debug for dyn View<T> + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a view of {} elements", self.len())
    }
}

impl<'a, T: Element> ArrayArg<'a, T> {
    /// Elements that are contiguous already.
    #[inline]
    pub fn borrowed(xs: &'a [T]) -> Self {
        ArrayArg(Elements::Borrowed(xs))
    }

    /// A copy of elements that were not.
    pub fn owned(xs: Vec<T>) -> Self {
        ArrayArg(Elements::Copied(xs.into()))
    }

    /// Elements that are not contiguous, to be read where they lie or copied.
    #[cfg(feature = "ndarray")]
    pub(crate) fn strided(xs: Arc<dyn View<T> + 'a>) -> Self {
        ArrayArg(Elements::Strided(xs))
    }

    /// A copy, if there was memory for it.
    pub(crate) fn copied(xs: Result<Buffer<T>, Failure>) -> Self {
        ArrayArg(match xs {
            Ok(xs) => Elements::Copied(xs),
            Err(failure) => Elements::Failed(failure),
        })
    }

    /// The elements; of a view that is not contiguous a copy, which is made the first time.
    ///
    /// Errors: `OutOfMemory` if they have to be copied, and cannot be.
    #[inline]
    pub fn elements(&self) -> Result<&[T], Failure> {
        match &self.0 {
            Elements::Borrowed(xs) => Ok(xs),
            Elements::Copied(xs) => Ok(xs),
            Elements::Failed(failure) => Err(*failure),
            Elements::Strided(view) => view.elements(),
        }
    }

    /// What `f` gives for the elements. Where it is known that these are borrowed nothing is left to
    /// be dropped afterwards, which matters for short arrays.
    ///
    /// Errors: as [`ArrayArg::elements`].
    #[inline]
    pub(crate) fn with<R>(self, f: impl FnOnce(&[T]) -> R) -> Result<R, Failure> {
        match self.0 {
            Elements::Borrowed(xs) => {
                // Else it is dropped behind `f`, and what it is looked up: LLVM fears that `f` has changed it.
                mem::forget(self);
                Ok(f(xs))
            }
            others => ArrayArg(others).elements().map(f),
        }
    }

    /// How many elements there are, if there was memory for them.
    #[doc(hidden)]
    pub fn count(&self) -> Option<usize> {
        match &self.0 {
            Elements::Strided(view) => Some(view.len()),
            _contiguous => self.elements().ok().map(<[T]>::len),
        }
    }

    /// Where the elements are, for kernels that read them there.
    ///
    /// Errors: as [`ArrayArg::elements`], but for views, of which nothing is copied here.
    #[inline]
    pub(crate) fn source(&self) -> Result<Source<'_, T>, Failure> {
        match &self.0 {
            Elements::Strided(view) => Ok(Source::strided(&**view)),
            _contiguous => self.elements().map(Source::whole),
        }
    }

    /// Whether they are contiguous where they were: then [`ArrayArg::elements`] copies nothing.
    pub fn is_borrowed(&self) -> bool {
        matches!(self.0, Elements::Borrowed(_))
    }

    /// The same, for as long as it is borrowed.
    #[inline]
    pub(crate) fn reborrow(&self) -> ArrayArg<'_, T> {
        ArrayArg(match &self.0 {
            Elements::Borrowed(xs) => Elements::Borrowed(xs),
            Elements::Copied(xs) => Elements::Borrowed(xs),
            Elements::Failed(failure) => Elements::Failed(*failure),
            Elements::Strided(view) => Elements::Strided(Arc::clone(view)),
        })
    }
}

impl<'a, T: Element> From<Cow<'a, [T]>> for ArrayArg<'a, T> {
    fn from(xs: Cow<'a, [T]>) -> Self {
        match xs {
            Cow::Borrowed(xs) => ArrayArg::borrowed(xs),
            Cow::Owned(xs) => ArrayArg::owned(xs),
        }
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
}

#[diagnostic::do_not_recommend]
impl<T: Element> AsArray<T> for ArrayArg<'_, T> {
    #[inline]
    fn array_arg(&self) -> ArrayArg<'_, T> {
        self.reborrow()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element> AsArray<T> for &ArrayArg<'_, T> {
    #[inline]
    fn array_arg(&self) -> ArrayArg<'_, T> {
        self.reborrow()
    }
}

#[cfg(feature = "ndarray")]
mod nd {
    use ndarray::{ArrayBase, ArrayRef, Data, Ix1, ViewRepr};

    use super::{ArrayArg, AsArray, Element};
    use crate::strided;

    fn from_ref<T: Element>(xs: &ArrayRef<T, Ix1>) -> ArrayArg<'_, T> {
        match xs.as_slice() {
            Some(slice) => ArrayArg::borrowed(slice),
            None => strided::argument(xs.view()),
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
