//! What may be passed for an array of several axes, what is copied, and that the element type comes
//! from the function.

#![allow(
    clippy::needless_borrows_for_generic_args,
    reason = "borrows are what is tested"
)]

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use ragged_core::{AsDense, AsDenseOut, DenseArg, DenseVec, Failure};

fn matrix(xs: impl AsDense<f32, 2>) -> ([usize; 2], Vec<f32>, bool) {
    let xs = xs.dense_arg();
    (
        xs.shape(),
        xs.elements().expect("memory").to_vec(),
        xs.is_borrowed(),
    )
}

fn shape<const RANK: usize>(xs: impl AsDense<(u8, bool), RANK>) -> ([usize; RANK], bool) {
    let xs = xs.dense_arg();
    assert_eq!(
        xs.elements().map(<[_]>::len),
        Ok(xs.shape().iter().product())
    );
    (xs.shape(), xs.is_borrowed())
}

#[test]
fn nested_arrays_are_borrowed() {
    let mut rows = vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let array = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let boxed: Box<[[f32; 3]]> = rows.clone().into();
    let arc: Arc<[[f32; 3]]> = rows.clone().into();
    let rc: Rc<Vec<[f32; 3]>> = Rc::new(rows.clone());
    let cow: Cow<'_, [[f32; 3]]> = Cow::Borrowed(&rows);
    let expected = ([2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], true);
    for got in [
        matrix(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]),
        matrix(&array),
        matrix(&&array),
        matrix(&array[..]),
        matrix(&rows),
        matrix(rows.as_slice()),
        matrix(&boxed),
        matrix(&arc),
        matrix(&rc),
        matrix(&cow),
    ] {
        assert_eq!(got, expected);
    }
    assert_eq!(matrix(&mut rows), expected);
    assert_eq!(matrix(&mut rows[1..]).0, [1, 3]);
}

#[test]
fn ranks_and_sizes_of_nested_arrays() {
    let x = (1, true);
    assert_eq!(shape(&[[[x; 4]; 3]; 2]), ([2, 3, 4], true));
    assert_eq!(shape(&vec![[[[x; 2]; 4]; 3]; 5]), ([5, 3, 4, 2], true));
    assert_eq!(shape(&[[[[[x; 1]; 2]; 4]; 3]; 5]), ([5, 3, 4, 2, 1], true));
    assert_eq!(
        shape(&[[[[[[x; 6]; 5]; 4]; 3]; 2]; 1]),
        ([1, 2, 3, 4, 5, 6], true)
    );
    assert_eq!(shape(&[[x; 0]; 3]), ([3, 0], true));
    assert_eq!(shape(&[[x; 3]; 0]), ([0, 3], true));
    assert_eq!(shape(&[[[x; 3]; 0]; 7]), ([7, 0, 3], true));
    assert_eq!(matrix(&Vec::<[f32; 5]>::new()).0, [0, 5]);
}

#[test]
fn flat_elements_with_a_shape() {
    let flat = [1.0, 2.0, 3.0, 4.0];
    let rows = DenseArg::new([2, 2], &flat[..]).expect("2 × 2 are 4");
    assert_eq!(matrix(&rows), ([2, 2], flat.to_vec(), true));
    assert_eq!(matrix(rows), ([2, 2], flat.to_vec(), true));
    assert!(DenseArg::new([2, 3], &flat[..]).is_none());
    let none: &[f32] = &[];
    assert!(DenseArg::new([1 << 40, 0], none).is_some());
    assert!(DenseArg::new([1 << 40, 1 << 40], none).is_none());
    assert!(DenseArg::new([0, 1 << 40, 1 << 40], none).is_none());
}

#[test]
fn vectors_with_a_shape() {
    let flat = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let mut rows = DenseVec::new([3, 2], flat.clone()).expect("3 × 2 are 6");
    assert_eq!(matrix(&rows), ([3, 2], flat.clone(), true));
    assert_eq!((rows[[2, 0]], rows[[0, 1]]), (5.0, 2.0));
    rows[[1, 1]] = 9.0;
    assert_eq!(rows.as_slice(), [1.0, 2.0, 3.0, 9.0, 5.0, 6.0]);
    rows.as_mut_slice()[0] = 0.0;
    assert_eq!(rows.iter().sum::<f32>(), 25.0);
    assert_eq!((&rows).into_iter().count(), 6);
    assert_eq!(
        (rows.shape(), rows.len(), rows.is_empty()),
        (&[3, 2][..], 6, false)
    );
    assert!(DenseVec::new([2, 2], flat).is_none());
    assert!(DenseVec::<u8, 3>::default().is_empty());
}

#[test]
#[should_panic(expected = "index [0, 2] is out of range for an array of shape [3, 2]")]
fn no_index_reaches_into_the_next_row() {
    let _ = DenseVec::new([3, 2], vec![0; 6]).expect("3 × 2 are 6")[[0, 2]];
}

#[cfg(feature = "ndarray")]
mod with_ndarray {
    use super::{matrix, shape};
    use ndarray::{Array, Array2, Array3, ArrayView2, Axis, array, s};
    use ragged_core::{AsArray, AsDense, Dense, DenseVec, Failure};

    #[test]
    fn row_major_arrays_are_borrowed() {
        let mut a = array![[1.0, 2.0], [3.0, 4.0]];
        let mut shared = a.to_shared();
        let expected = ([2, 2], vec![1.0, 2.0, 3.0, 4.0], true);
        for got in [
            matrix(&array![[1.0, 2.0], [3.0, 4.0]]),
            matrix(&a),
            matrix(&&a),
            matrix(&shared),
            matrix(&mut shared),
            matrix(a.view()),
            matrix(&a.view()),
            matrix(&*a),
            matrix(&ndarray::CowArray::from(&a)),
            matrix(ArrayView2::from(&[[1.0, 2.0], [3.0, 4.0]])),
            matrix(a.clone().view_mut()),
            matrix(&mut a.clone().view_mut()),
        ] {
            assert_eq!(got, expected);
        }
        assert_eq!(matrix(&mut a), expected);
        assert_eq!(matrix(a.slice(s![1.., ..])), ([1, 2], vec![3.0, 4.0], true));
    }

    /// What `xs` is as an argument, which must have been copied if `copied` says so.
    fn check<const RANK: usize, D: ndarray::Dimension>(
        xs: ndarray::ArrayView<'_, f64, D>,
        copied: bool,
    ) where
        for<'a> &'a ndarray::ArrayView<'a, f64, D>: AsDense<f64, RANK>,
    {
        let arg = &xs;
        let arg = arg.dense_arg();
        assert_eq!(arg.shape(), xs.shape());
        // The logical order of the elements is row-major, wherever they lie.
        let elements: Vec<f64> = xs.iter().copied().collect();
        assert_eq!(arg.elements(), Ok(&elements[..]));
        assert_eq!(arg.is_borrowed(), !copied, "strides {:?}", xs.strides());
    }

    #[test]
    fn views_of_any_strides_are_read_in_order() {
        let a = Array::from_iter((0..60).map(f64::from));
        let a: Array3<f64> = a.into_shape_with_order((3, 4, 5)).expect("60 elements");
        check::<3, _>(a.view(), false);
        check::<3, _>(a.slice(s![..;2, 1..3, ..]), true);
        check::<3, _>(a.slice(s![.., .., ..;-1]), true);
        check::<3, _>(a.slice(s![..;-1, .., 1..4]), true);
        check::<3, _>(a.view().reversed_axes(), true);
        check::<2, _>(a.index_axis(Axis(0), 1), false);
        check::<2, _>(a.index_axis(Axis(1), 1), true);
        check::<2, _>(a.index_axis(Axis(2), 1), true);
        check::<2, _>(a.slice(s![1, .., 3]).broadcast((2, 4)).expect("rows"), true);
        let columns = a.slice(s![0, 0, ..]);
        let columns = columns.insert_axis(Axis(1));
        check::<2, _>(columns.broadcast((5, 3)).expect("columns"), true);
        let columns_first =
            Array::from_shape_vec(ndarray::ShapeBuilder::f((2, 2)), vec![1.0, 2.0, 3.0, 4.0]);
        check::<2, _>(columns_first.expect("4 elements").view(), true);
    }

    /// Large enough for several threads and blocks.
    #[test]
    fn large_views_are_copied_in_order() {
        let a = Array::from_iter((0..600_000).map(f64::from));
        let a: Array3<f64> = a.into_shape_with_order((600, 20, 50)).expect("600000");
        check::<3, _>(a.view().reversed_axes(), true);
        check::<3, _>(a.view().permuted_axes([1, 0, 2]), true);
        check::<3, _>(a.view().permuted_axes([2, 0, 1]), true);
        check::<3, _>(a.slice(s![..;-1, 1..;2, ..45]), true);
        check::<3, _>(a.slice(s![.., .., 3..;7]), true);
        let row = a.slice(s![7, .., 3]);
        check::<2, _>(row.broadcast((30_000, 20)).expect("rows"), true);
    }

    /// As many elements as a view may have, in eight bytes.
    #[test]
    fn a_view_that_no_memory_can_hold_is_an_error() {
        let one = ndarray::arr1(&[1.0_f64]);
        let huge = one.broadcast((1 << 31, 1 << 30)).expect("a view");
        let arg = AsDense::<f64, 2>::dense_arg(&huge);
        let bytes = usize::MAX;
        assert!(matches!(arg.elements(), Err(Failure::OutOfMemory { .. })));
        assert_eq!(arg.shape(), [1 << 31, 1 << 30]);
        let huge = one.broadcast(1 << 62).expect("a view");
        let arg = AsArray::<f64>::array_arg(&huge);
        assert_eq!(arg.elements(), Err(Failure::OutOfMemory { bytes }));
    }

    #[test]
    fn ranks_and_sizes() {
        let of = |shape: &[usize]| ndarray::ArrayD::from_elem(shape, (0_u8, false));
        let rank_6 = of(&[1, 2, 3, 1, 2, 3]);
        let rank_6 = rank_6
            .into_dimensionality::<ndarray::Ix6>()
            .expect("six axes");
        assert_eq!(shape(&rank_6), ([1, 2, 3, 1, 2, 3], true));
        assert_eq!(shape(&Array2::from_elem((0, 3), (0, true))), ([0, 3], true));
        assert_eq!(shape(&Array2::from_elem((3, 0), (0, true))).0, [3, 0]);
        let empty = Array2::from_elem((3, 4), (0, true));
        assert_eq!(shape(empty.slice(s![1..1, ..;2])).0, [0, 2]);
        assert_eq!(shape(empty.slice(s![.., 2..2]).reversed_axes()).0, [0, 3]);
    }

    #[test]
    fn results_are_written_into_arrays() {
        // Whatever the order of its elements was.
        let mut out = Array2::from_elem((5, 2), 0).reversed_axes();
        let at = out.as_ptr();
        assert_eq!(super::fill(&mut out, 3, 3), Ok(()));
        assert_eq!(out, Array2::from_elem((3, 3), 7));
        assert_eq!(out.as_ptr(), at);
        let bytes = usize::MAX;
        let failure = Failure::OutOfMemory { bytes };
        assert_eq!(super::fill(&mut out, 2, bytes), Err(failure));
        assert_eq!(out.dim(), (0, 0));
    }

    #[test]
    fn results_keep_their_memory() {
        let elements = vec![1, 2, 3, 4, 5, 6];
        let at = elements.as_ptr();
        let dense = DenseVec::new([2, 3], elements).expect("2 × 3 are 6");
        let array: Dense<i32, 2> = dense.into();
        assert_eq!(array, array![[1, 2, 3], [4, 5, 6]]);
        assert_eq!(array.as_ptr(), at);
        let none = DenseVec::new([4, 0, 1 << 40], Vec::<u8>::new()).expect("no elements");
        assert_eq!(Dense::from(none).dim(), (4, 0, 1 << 40));
    }
}

/// Writes `n` × `m` elements, as a function does; fails behind the elements if `m` is huge.
fn fill(out: &mut (impl AsDenseOut<i32, 2> + ?Sized), n: usize, m: usize) -> Result<(), Failure> {
    let mut out = out.dense_out();
    let (elements, shape) = out.parts();
    elements.copy(&vec![7; n * m.min(3)])?;
    shape.set([n, m])
}

#[test]
fn results_are_written_with_their_shape() {
    let mut out = DenseVec::new([2, 5], vec![0; 10]).expect("2 × 5 are 10");
    let at = out.as_slice().as_ptr();
    assert_eq!(fill(&mut out, 4, 2), Ok(()));
    assert_eq!((out.shape(), out.as_slice()), (&[4, 2][..], &[7; 8][..]));
    assert_eq!(out.as_slice().as_ptr(), at);
    assert_eq!(fill(&mut &mut out, 0, 1 << 40), Ok(()));
    assert_eq!((out.shape(), out.len()), (&[0, 1 << 40][..], 0));
    let bytes = usize::MAX;
    assert_eq!(
        fill(&mut out, 2, bytes),
        Err(Failure::OutOfMemory { bytes })
    );
    assert_eq!(out, DenseVec::default());
}

/// Rows of no elements, but more of them than any memory has bytes.
#[test]
fn a_shape_that_no_array_can_have_is_an_error() {
    let failure = Failure::OutOfMemory { bytes: usize::MAX };
    let set = |shape| {
        DenseVec::<u8, 3>::default()
            .dense_out()
            .parts()
            .1
            .set(shape)
    };
    assert_eq!(set([1 << 40, 0, 1 << 40]), Err(failure));
    assert_eq!(set([1 << 40, 0, 1]), Ok(()));
}

#[test]
fn results_are_written_into_nested_arrays() {
    let mut rows = vec![[1, 2, 3]; 5];
    let at = rows.as_ptr();
    assert_eq!(fill(&mut rows, 4, 3), Ok(()));
    assert_eq!((&rows[..], rows.as_ptr()), (&[[7; 3]; 4][..], at));
    let (len, room) = (2, 3);
    let failure = Failure::ResultLength { len, room };
    assert_eq!(fill(&mut rows, 4, 2), Err(failure));
    assert_eq!(rows, [[0; 3]; 0]);
    assert_eq!(fill(&mut rows, 0, 3), Ok(()));
    assert_eq!(rows, [[0; 3]; 0]);

    let mut none: Vec<[i32; 0]> = Vec::new();
    assert_eq!(fill(&mut none, 4, 0), Ok(()));
    assert_eq!(none.len(), 4);

    let mut slice = [[0; 3]; 2];
    assert_eq!(fill(&mut slice[..], 2, 3), Ok(()));
    assert_eq!(slice, [[7; 3]; 2]);
    let (len, room) = (3, 2);
    let failure = Failure::ResultLength { len, room };
    assert_eq!(fill(&mut slice, 3, 2), Err(failure));
    assert!(fill(&mut slice[..1], 2, 3).is_err());
}

/// Memory with room for a part of a row is given back, or left.
#[test]
fn nested_arrays_take_memory_of_any_capacity() {
    for room in [12, 13, 14, 1000] {
        let mut rows: Vec<[[u8; 2]; 3]> = Vec::new();
        let mut out = rows.dense_out();
        let (elements, shape) = out.parts();
        let mut memory = Vec::with_capacity(room);
        memory.extend(0..12);
        elements.give(memory.into()).unwrap();
        shape.set([2, 3, 2]).unwrap();
        drop(out);
        assert_eq!(rows, [[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]);
        rows.push([[0; 2]; 3]);
    }
}
