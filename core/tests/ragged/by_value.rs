//! Rows by value.

use ragged_core::Ragged;

#[test]
fn rows_of_elements_are_vectors() {
    let rows = Ragged::from([&[1, 2][..], &[], &[3]]);
    let mut vectors: Vec<Vec<i32>> = Vec::new();
    for row in rows.clone() {
        vectors.push(row);
    }
    assert_eq!(vectors, [vec![1, 2], vec![], vec![3]]);
    assert_eq!(rows.into_iter().collect::<Ragged<i32>>(), vectors);
}

#[test]
fn rows_of_arrays_are_arrays() {
    let lists = Ragged::from(vec![
        vec![vec![1], vec![2, 3]],
        vec![],
        vec![vec![], vec![4]],
    ]);
    let rows: Vec<Ragged<i32>> = lists.into_iter().collect();
    assert_eq!(rows[0], [vec![1], vec![2, 3]]);
    assert!(rows[1].is_empty());
    // Its offsets and values are its own.
    assert_eq!(rows[2].clone().into_parts(), (vec![0, 0, 1], vec![4]));
}

#[test]
fn from_both_ends() {
    let mut rows = Ragged::from([&[1][..], &[2], &[3], &[]]).into_iter();
    assert_eq!((rows.len(), rows.next_back()), (4, Some(vec![])));
    assert_eq!(
        (rows.next(), rows.size_hint()),
        (Some(vec![1]), (2, Some(2)))
    );
    assert_eq!(format!("{rows:?}"), "[[2], [3]]");
    assert_eq!(rows.clone().rev().collect::<Vec<_>>(), [[3], [2]]);
    assert_eq!((rows.next(), rows.next()), (Some(vec![2]), Some(vec![3])));
    assert_eq!((rows.next(), rows.next_back(), rows.len()), (None, None, 0));
    assert_eq!(format!("{rows:?}"), "[]");
}

#[test]
fn some_left_out() {
    let rows = Ragged::from([[0], [1], [2], [3], [4]]);
    let odd: Vec<_> = rows.clone().into_iter().skip(1).step_by(2).collect();
    assert_eq!(odd, [[1], [3]]);
    let mut rows = rows.into_iter();
    assert_eq!(
        (rows.nth_back(1), rows.nth(2)),
        (Some(vec![3]), Some(vec![2]))
    );
    assert_eq!((rows.nth(7), rows.nth_back(0)), (None, None));
}

#[test]
fn without_rows() {
    let mut none = Ragged::<Ragged<f32>>::new().into_iter();
    assert_eq!((none.len(), none.next(), none.next_back()), (0, None, None));
    assert_eq!(format!("{none:?}"), "[]");
}
