//! Arrays of arrays compared with nested lists.

use ragged_core::{Ragged, RaggedView};

#[test]
fn with_lists_of_every_kind_both_ways_round() {
    let rows = Ragged::from([&[1_u8, 2][..], &[], &[3]]);
    let view = rows.view();
    let vectors = vec![vec![1, 2], vec![], vec![3]];
    assert_eq!(rows, vectors);
    assert_eq!(vectors, rows);
    assert_eq!(view, vectors);
    assert_eq!(vectors, view);
    assert_eq!(&rows, &vectors[..]);
    assert_eq!(&vectors[..], rows);
    assert_eq!(view, &vectors[..]);
    assert!(rows == vectors[..] && vectors[..] == view);
    assert_eq!(rows, [vec![1, 2], vec![], vec![3]]);
    assert_eq!([&[1, 2][..], &[], &[3]], view);
    assert_eq!(rows, [&vec![1, 2], &vec![], &vec![3]]);
    let boxes: [Box<[u8]>; 3] = [Box::new([1, 2]), Box::new([]), Box::new([3])];
    assert_eq!(rows, boxes);
    assert_eq!(Ragged::from([[1, 2], [3, 4]]), [[1, 2], [3, 4]]);
}

#[test]
fn what_differs() {
    let rows = Ragged::from(vec![vec![1, 2], vec![3]]);
    assert_ne!(rows, vec![vec![1, 2], vec![4]]);
    assert_ne!(rows, vec![vec![1], vec![2, 3]]);
    assert_ne!(rows, vec![vec![1, 2]]);
    assert_ne!(rows, vec![vec![1, 2], vec![3], vec![]]);
    assert_ne!(rows.view(), [[1, 2], [3, 0]]);
    assert_ne!(Ragged::from([[f32::NAN]]), [[f32::NAN]]);
}

#[test]
fn without_rows_or_elements() {
    assert_eq!(Ragged::<f64>::new(), Vec::<Vec<f64>>::new());
    assert_eq!(Ragged::<f64>::new().view(), [[0.0; 2]; 0]);
    assert_eq!(
        Ragged::from_offsets(vec![0, 0, 0], vec![0.0; 0]).unwrap(),
        [[], []]
    );
    assert_ne!(Ragged::<f64>::new(), [[]]);
}

/// The rows of a view may be a part of longer offsets and values.
#[test]
fn views_that_leave_out_values() {
    let view = RaggedView::new(&[1, 3, 3, 4], &[1, 2, 3, 4, 5]).unwrap();
    assert_eq!(view, [vec![2, 3], vec![], vec![4]]);
    assert_eq!(view.rows(1..3), [vec![], vec![4]]);
}

#[test]
fn at_any_depth() {
    let nested = vec![vec![vec![1], vec![]], vec![], vec![vec![2, 3]]];
    let lists = Ragged::from(&nested);
    assert_eq!(lists, nested);
    assert_eq!(nested, lists.view());
    assert_eq!(lists, [&nested[0][..], &[], &nested[2]]);
    assert_eq!(lists.row(2), [[2, 3]]);
    assert_ne!(lists, vec![vec![vec![1]], vec![], vec![vec![2, 3]]]);
    let deep = Ragged::from(vec![vec![vec![vec!['a']], vec![]], vec![]]);
    assert_eq!(deep, vec![vec![vec![vec!['a']], vec![]], vec![]]);
}

#[test]
fn elements_are_compared_as_they_compare() {
    let words = Ragged::from([["a", "b"]]);
    assert_eq!(words, vec![vec![String::from("a"), String::from("b")]]);
    let points: Ragged<[f32; 2]> = vec![vec![[1.0, 2.0]], vec![]].into();
    assert_eq!(points, vec![vec![[1.0, 2.0]], vec![]]);
    let rows: Ragged<Ragged<f32>> = vec![vec![[1.0, 2.0]], vec![]].into();
    assert_eq!(rows, vec![vec![[1.0, 2.0]], vec![]]);
}

/// The type of the other side is inferred where it is an array, too.
#[test]
fn arrays_are_still_compared_with_each_other() {
    let rows: Ragged<u8> = vec![vec![1, 2], vec![]].into();
    assert_eq!(rows, Ragged::from([&[1, 2][..], &[]]));
    assert_eq!(Ok::<_, ()>(rows.clone()), Ok([&[1, 2][..], &[]].into()));
    assert_eq!(rows.view(), RaggedView::new(&[0, 2, 2], &[1, 2]).unwrap());
    assert_ne!(rows, Ragged::new());
}
