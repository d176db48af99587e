//! Arrays and views of `ndarray` as dense arrays.
//!
//! What lies in memory in row-major order is borrowed. Everything else (steps, negative steps,
//! transposes, axes of step 0 of a broadcast) is read where it lies by kernels that can, and copied
//! for others.

use core::mem;

use ndarray::{Array, ArrayBase, ArrayRef, Data, Dim, Dimension, ViewRepr};

use super::out::Home;
use super::{ArrayArg, AsDense, AsDenseOut, DenseArg, DenseOut, DenseVec};
use crate::kernel::Element;
use crate::strided;

fn from_ref<T: Element, D: Dimension, const RANK: usize>(
    xs: &ArrayRef<T, D>,
) -> DenseArg<'_, T, RANK> {
    let mut shape = [0; RANK];
    shape.copy_from_slice(xs.shape());
    let elements = match xs.as_slice() {
        Some(slice) => ArrayArg::borrowed(slice),
        None => strided::argument(xs.view()),
    };
    DenseArg { shape, elements }
}

macro_rules! as_dense {
    ($({$($generics:tt)*} $ty:ty;)*) => { $(
        // The note says what to pass; a list of these types would bury it.
        #[diagnostic::do_not_recommend]
        impl<T: Element, const RANK: usize $($generics)*> AsDense<T, RANK> for $ty
        where
            Dim<[usize; RANK]>: Dimension,
        {
            fn dense_arg(&self) -> DenseArg<'_, T, RANK> {
                from_ref(self)
            }
        }
    )* };
}

as_dense! {
    {} &ArrayRef<T, Dim<[usize; RANK]>>;
    {} &mut ArrayRef<T, Dim<[usize; RANK]>>;
    {, S: Data<Elem = T>} &ArrayBase<S, Dim<[usize; RANK]>, T>;
    {, S: Data<Elem = T>} &mut ArrayBase<S, Dim<[usize; RANK]>, T>;
    {, S: Data<Elem = T>} &&ArrayBase<S, Dim<[usize; RANK]>, T>;
    {} ArrayBase<ViewRepr<&'_ T>, Dim<[usize; RANK]>, T>;
    {} ArrayBase<ViewRepr<&'_ mut T>, Dim<[usize; RANK]>, T>;
}

impl<T, const RANK: usize> From<DenseVec<T, RANK>> for Array<T, Dim<[usize; RANK]>>
where
    Dim<[usize; RANK]>: Dimension,
{
    /// Without a copy.
    fn from(dense: DenseVec<T, RANK>) -> Self {
        let mut shape = Dim::<[usize; RANK]>::default();
        shape.slice_mut().copy_from_slice(dense.shape());
        let array = Array::from_shape_vec(shape, dense.into_vec());
        array.expect("a `DenseVec` has as many elements as its shape says")
    }
}

impl<T, const RANK: usize> Home<T, RANK> for Array<T, Dim<[usize; RANK]>>
where
    Dim<[usize; RANK]>: Dimension,
{
    fn put(&mut self, made: DenseVec<T, RANK>) {
        *self = made.into();
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, const RANK: usize> AsDenseOut<T, RANK> for Array<T, Dim<[usize; RANK]>>
where
    Dim<[usize; RANK]>: Dimension,
{
    fn dense_out(&mut self) -> DenseOut<'_, T, RANK> {
        let (memory, _start) = mem::take(self).into_raw_vec_and_offset();
        DenseOut::new(memory, self)
    }
}
