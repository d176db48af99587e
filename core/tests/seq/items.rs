//! What items of a sequence may be in Rust.

use std::borrow::Cow;
use std::sync::Arc;

use ragged_core::seq::{Append, Limits, Rows, items, run};
use ragged_core::{DenseVec, Element, ErrorKind, Ragged, RaggedView, Result, SeqItem};

use super::SITE;

/// All items, in one chunk.
fn collected<C: Append, M>(ms: impl IntoIterator<Item = impl SeqItem<C, M>>) -> Result<C> {
    let source = items::<C, _, _>(&SITE, "ms", ms);
    let mut all = C::default();
    run(source, Limits::default(), |chunk: &C, _| {
        all.append(chunk, 0).expect("memory");
        Ok(true)
    })?;
    Ok(all)
}

/// The same of items with lengths of their own.
fn rows<'i, T: Element, M>(
    ms: impl IntoIterator<Item = impl SeqItem<Rows<'i, T>, M>>,
) -> Result<Ragged<T>> {
    let source = items::<Rows<'_, T>, _, _>(&SITE, "ms", ms);
    let mut all = Ragged::default();
    run(source, Limits::default(), |chunk: &Rows<'_, T>, _| {
        all.extend(chunk.view());
        Ok(true)
    })?;
    Ok(all)
}

#[test]
fn scalars_come_by_value_and_by_reference() {
    assert_eq!(collected::<Vec<f32>, _>(vec![1.0, 2.0]), Ok(vec![1.0, 2.0]));
    assert_eq!(collected::<Vec<f32>, _>(&[1.0, 2.0]), Ok(vec![1.0, 2.0]));
    assert_eq!(collected::<Vec<usize>, _>(0..3), Ok(vec![0, 1, 2]));
    let pairs = (0..2).map(|i| (i, 0.5));
    assert_eq!(
        collected::<Vec<(usize, f64)>, _>(pairs),
        Ok(vec![(0, 0.5), (1, 0.5)])
    );
    let parsed = "1 2".split(' ').map(str::parse::<i32>);
    assert_eq!(collected::<Vec<i32>, _>(parsed), Ok(vec![1, 2]));
    assert_eq!(collected::<Vec<i32>, _>(Vec::<i32>::new()), Ok(vec![]));
}

#[test]
fn arrays_of_any_lengths_are_lists_of_all_kinds() {
    let want = Ok(Ragged::from(vec![vec![1.0, 2.0], vec![]]));
    let lists = vec![vec![1.0, 2.0], vec![]];
    assert_eq!(rows::<f64, _>(vec![vec![1.0, 2.0], vec![]]), want);
    assert_eq!(rows::<f64, _>(lists.clone()), want);
    assert_eq!(rows::<f64, _>(&lists), want);
    assert_eq!(rows::<f64, _>(lists.iter().map(|it| &it[..])), want);
    assert_eq!(rows::<f64, _>([&[1.0, 2.0][..], &[]]), want);
    let boxes = lists.clone().into_iter().map(Vec::into_boxed_slice);
    assert_eq!(rows::<f64, _>(boxes), want);
    let shared = lists.iter().map(|it| Arc::<[f64]>::from(&it[..]));
    assert_eq!(rows::<f64, _>(shared), want);
    let cows = lists.iter().map(|it| Cow::from(&it[..]));
    assert_eq!(rows::<f64, _>(cows), want);
    let results = lists.iter().map(Ok::<_, std::io::Error>);
    assert_eq!(rows::<f64, _>(results), want);
    assert_eq!(rows::<f64, _>(&Ragged::from(&lists)), want);
    let three = Ok(Ragged::from([[1, 2], [3, 4]]));
    assert_eq!(rows::<i32, _>([[1, 2], [3, 4]]), three);
    assert_eq!(rows::<i32, _>(&[[1, 2], [3, 4]]), three);
    let lines = "ab\nc".lines().map(str::as_bytes);
    assert_eq!(rows::<u8, _>(lines), Ok(Ragged::from([&b"ab"[..], b"c"])));
}

#[test]
fn arrays_of_arrays_of_any_lengths() {
    let lists = vec![vec![vec![1], vec![2, 3]], vec![], vec![vec![]]];
    let whole: Ragged<Ragged<i32>> = lists.clone().into();
    let want = Ok(whole.clone());
    assert_eq!(collected::<Ragged<Ragged<i32>>, _>(lists.clone()), want);
    assert_eq!(collected::<Ragged<Ragged<i32>>, _>(&lists), want);
    assert_eq!(collected::<Ragged<Ragged<i32>>, _>(&whole), want);
    let owned = lists.iter().map(Ragged::<i32>::from);
    assert_eq!(collected::<Ragged<Ragged<i32>>, _>(owned), want);
    let values: Vec<i32> = (0..6).collect();
    let views = [
        RaggedView::new(&[1, 2, 4], &values).expect("in order"),
        RaggedView::new(&[3, 3], &values).expect("in order"),
    ];
    let want = Ragged::from(vec![vec![vec![1], vec![2, 3]], vec![vec![]]]);
    assert_eq!(collected::<Ragged<Ragged<i32>>, _>(views), Ok(want));
    let deep: Ragged<Ragged<Ragged<i32>>> = vec![lists.clone(), vec![], lists.clone()].into();
    let three = [lists.clone(), vec![], lists];
    assert_eq!(
        collected::<Ragged<Ragged<Ragged<i32>>>, _>(&three),
        Ok(deep)
    );
}

#[test]
fn dense_items_have_one_shape() {
    let want = DenseVec::new([2, 3], vec![1, 2, 3, 4, 5, 6]);
    let rows = vec![[1, 2, 3], [4, 5, 6]];
    assert_eq!(collected::<DenseVec<i32, 2>, _>(&rows).ok(), want);
    assert_eq!(
        collected::<DenseVec<i32, 2>, _>(vec![vec![1, 2, 3], vec![4, 5, 6]]).ok(),
        want
    );
    let want = DenseVec::new([2, 2, 3], (0..12).collect());
    let blocks = [[[0, 1, 2], [3, 4, 5]], [[6, 7, 8], [9, 10, 11]]];
    assert_eq!(collected::<DenseVec<i32, 3>, _>(blocks).ok(), want);
    let dense = blocks.map(|it| DenseVec::new([2, 3], it.as_flattened().to_vec()));
    let dense = dense.map(|it| it.expect("six elements"));
    assert_eq!(collected::<DenseVec<i32, 3>, _>(&dense).ok(), want);
    assert_eq!(collected::<DenseVec<i32, 3>, _>(dense).ok(), want);
    let empty = collected::<DenseVec<i32, 3>, _>([[[0; 0]; 4]; 5]);
    assert_eq!(empty.expect("no elements").shape(), [5, 4, 0]);
}

#[cfg(feature = "ndarray")]
#[test]
fn arrays_of_ndarray_have_any_strides() {
    use ndarray::{Array2, Array3, Axis, s};

    let blocks = Array3::from_shape_fn((4, 2, 3), |(i, j, k)| i * 6 + j * 3 + k);
    let want = DenseVec::new([4, 2, 3], (0..24).collect());
    assert_eq!(
        collected::<DenseVec<usize, 3>, _>(blocks.outer_iter()).ok(),
        want
    );
    let owned: Vec<Array2<usize>> = blocks.outer_iter().map(|it| it.to_owned()).collect();
    assert_eq!(collected::<DenseVec<usize, 3>, _>(&owned).ok(), want);
    assert_eq!(collected::<DenseVec<usize, 3>, _>(owned).ok(), want);
    let turned = blocks.clone().reversed_axes();
    let want = DenseVec::new([3, 2, 4], turned.iter().copied().collect());
    assert_eq!(
        collected::<DenseVec<usize, 3>, _>(turned.axis_iter(Axis(0))).ok(),
        want
    );
    let columns = blocks.slice(s![.., 0, ..]);
    let want = Ragged::from([[0, 6, 12, 18], [1, 7, 13, 19], [2, 8, 14, 20]]);
    assert_eq!(rows::<usize, _>(columns.columns()), Ok(want));
}

#[test]
fn tuples_with_arrays_in_them() {
    fn check<M>(pairs: impl IntoIterator<Item = impl SeqItem<(Rows<'static, f64>, Vec<i32>), M>>) {
        let source = items::<(Rows<'_, f64>, Vec<i32>), _, _>(&SITE, "ms", pairs);
        let mut all = (Ragged::default(), vec![]);
        let end = run(source, Limits::default(), |(rows, numbers), _| {
            all.0.extend(rows.view());
            all.1.extend(numbers);
            Ok(true)
        });
        assert_eq!(end, Ok(()));
        assert_eq!(all, (Ragged::from([&[1.0][..], &[]]), vec![7, 8]));
    }
    check(vec![(vec![1.0], 7), (vec![], 8)]);
    check([(&[1.0][..], &7), (&[], &8)]);
}

#[test]
fn an_item_of_another_shape_is_named() {
    let got = collected::<DenseVec<i32, 2>, _>([&[1, 2][..], &[3, 4], &[5]]);
    let kind = ErrorKind::ItemShape {
        parameter: "ms",
        item: 2,
        shape: [1].into(),
        before: [2].into(),
    };
    let error = got.expect_err("rows of two lengths");
    assert_eq!(error.kind(), &kind);
    assert_eq!(
        error.to_string(),
        "`test` at test.rs:3:8: item 2 of `ms` has shape [1], but those before it have shape [2]"
    );
}

#[test]
fn many_items_of_one_size_come_up_to_an_error() {
    type Chunk = (DenseVec<usize, 2>, DenseVec<usize, 2>, Vec<usize>);
    let item = |i: usize, width: usize| ([i, 1], vec![i; width], i);
    for at in [0, 1, 2, 8, 63, 64, 65, 66, 500] {
        let good = (0..at).map(|i| Ok(item(i, 3)));
        let other_shape = good.clone().chain([Ok(item(at, 2)), Ok(item(at + 1, 3))]);
        let no_item = good.clone().chain([Err("none"), Ok(item(at + 1, 3))]);
        let sources = [good.collect(), other_shape.collect(), no_item.collect()];
        for (which, source) in <[Vec<_>; 3]>::into_iter(sources).enumerate() {
            let source = items::<Chunk, _, _>(&SITE, "ms", source);
            let mut all = Chunk::default();
            let got = run(source, Limits::default(), |chunk: &Chunk, _| {
                all.append(chunk, 0).expect("rows of one shape");
                Ok(true)
            });
            // The first item has the shape that the others are to have.
            let (good, ended) = match (which, at) {
                (0, _) => (at, "of no error"),
                (1, 0) => (1, "item 1 of `ms` has shape"),
                (1, _) => (
                    at,
                    "of `ms` has shape [2], but those before it have shape [3]",
                ),
                (_, _) => (at, "of `ms` could not be read"),
            };
            let message = got.map_or_else(|error| error.to_string(), |()| "of no error".into());
            assert!(message.contains(ended), "{at}: {message}");
            let width = if good > at { 2 } else { 3 };
            assert_eq!(all.2, (0..good).collect::<Vec<_>>());
            let pairs: Vec<usize> = (0..good).flat_map(|i| [i, 1]).collect();
            let rows: Vec<usize> = (0..good).flat_map(|i| vec![i; width]).collect();
            assert_eq!(
                (all.0.as_slice(), all.1.as_slice()),
                (&pairs[..], &rows[..])
            );
        }
    }
}
