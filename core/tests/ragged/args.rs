//! What may be passed for an array of arrays, what is copied, and that the element type comes from
//! the function.

#![allow(
    clippy::needless_borrows_for_generic_args,
    reason = "borrows are what is tested"
)]

use std::rc::Rc;
use std::sync::Arc;

use ragged_core::{AsRagged, DenseArg, DenseVec, Ragged, RaggedArg, RaggedError, RaggedView};

/// Offsets, elements, whether nothing was copied.
type Got = (Vec<i64>, Vec<f32>, bool);

fn rows(xs: impl AsRagged<f32, 1>) -> Got {
    let xs = xs.ragged_arg();
    assert_eq!(xs.rows() + 1, xs.offsets(0).len());
    let elements = xs.elements().expect("memory").to_vec();
    (xs.offsets(0).to_vec(), elements, xs.is_borrowed())
}

/// The rows as nested lists, and whether nothing was copied.
fn lists(xs: impl AsRagged<(u8, bool), 2>) -> (String, bool) {
    let xs = xs.ragged_arg();
    let [outer, inner] = xs.levels();
    let rows = RaggedView::new(inner, xs.elements().expect("memory")).expect("offsets");
    let lists = RaggedView::new(outer, rows).expect("offsets");
    (format!("{lists:?}"), xs.is_borrowed())
}

#[test]
fn ragged_arrays_are_borrowed() {
    let mut xs = Ragged::from(vec![vec![1.0, 2.0], vec![], vec![3.0]]);
    let (boxed, rc, arc) = (
        Box::new(xs.clone()),
        Rc::new(xs.clone()),
        Arc::new(xs.clone()),
    );
    let expected = (vec![0, 2, 2, 3], vec![1.0, 2.0, 3.0], true);
    for got in [
        rows(&xs),
        rows(&&xs),
        rows(xs.view()),
        rows(&xs.view()),
        rows(&mut xs.view()),
        rows(&boxed),
        rows(&rc),
        rows(&arc),
        rows(xs.view().ragged_arg()),
        rows(&xs.view().ragged_arg()),
    ] {
        assert_eq!(got, expected);
    }
    assert_eq!(rows(&mut xs), expected);
    assert_eq!(rows(&&mut xs), expected);
    assert_eq!(rows(&mut &xs), expected);
    assert_eq!(rows(&mut &mut xs), expected);
}

#[test]
fn the_element_type_comes_from_the_function() {
    assert_eq!(rows(&Ragged::from(vec![vec![1.0], vec![]])).0, [0, 1, 1]);
    assert_eq!(rows(&Ragged::from(vec![vec![], vec![]])).0, [0, 0, 0]);
    assert_eq!(rows(&Ragged::from([[], []])).0, [0, 0, 0]);
    assert_eq!(rows(&Ragged::new()).0, [0]);
    assert_eq!(rows(&vec![vec![1.0], vec![]]).0, [0, 1, 1]);
    assert_eq!(rows(&[vec![], vec![]]).0, [0, 0, 0]);
    assert_eq!(rows(&[&[1.0, 2.0][..], &[]]).0, [0, 2, 2]);
    assert_eq!(rows(RaggedView::new(&[0, 1], &[1.0]).unwrap()).0, [0, 1]);
    assert_eq!(lists(&vec![vec![vec![]]]).0, "[[[]]]");
    assert_eq!(lists(&Ragged::from(&[&[&[][..]][..]])).0, "[[[]]]");
}

#[test]
fn what_a_view_leaves_out_is_cut_off() {
    let xs = Ragged::from(vec![vec![1.0, 2.0], vec![], vec![3.0], vec![4.0]]);
    assert_eq!(
        rows(xs.view().rows(0..2)),
        (vec![0, 2, 2], vec![1.0, 2.0], true)
    );
    assert_eq!(
        rows(xs.view().rows(1..3)),
        (vec![0, 0, 1], vec![3.0], false)
    );
    assert_eq!(rows(xs.view().rows(4..4)), (vec![0], vec![], false));
    let later = xs.view().rows(2..4);
    let arg = AsRagged::<f32, 1>::ragged_arg(&later);
    assert!(std::ptr::eq(arg.elements().unwrap(), &xs.values()[2..]));
    let none = RaggedView::new(&[0], &[5.0]).unwrap();
    assert_eq!(rows(none), (vec![0], vec![], true));

    let x = |n: u8| (n, n > 1);
    let deep = Ragged::from(vec![
        vec![vec![vec![x(1)], vec![]], vec![]],
        vec![vec![vec![x(2)]]],
    ]);
    let (first, second) = (deep.row(0), deep.row(1));
    assert_eq!(lists(first), ("[[[(1, false)], []], []]".to_owned(), true));
    assert_eq!(lists(second), ("[[[(2, true)]]]".to_owned(), false));
    let arg = AsRagged::<(u8, bool), 2>::ragged_arg(&second);
    assert_eq!(arg.levels(), [&[0, 1][..], &[0, 1]]);
    assert_eq!(arg.elements(), Ok(&[x(2)][..]));
    assert!(std::ptr::eq(
        &arg.elements().unwrap()[0],
        deep.values().values().values().last().unwrap()
    ));
}

#[test]
fn nested_lists_are_copied() {
    let expected = (vec![0, 2, 2, 3], vec![1.0, 2.0, 3.0], false);
    let mut nested = vec![vec![1.0, 2.0], vec![], vec![3.0]];
    let slices: Vec<&[f32]> = nested.iter().map(|row| &row[..]).collect();
    let boxes: Box<[Box<[f32]>]> = nested.iter().map(|row| row.clone().into()).collect();
    let arcs: Arc<[Arc<[f32]>]> = nested.iter().map(|row| row.clone().into()).collect();
    let rcs: Rc<Vec<Rc<[f32]>>> = Rc::new(nested.iter().map(|row| row.clone().into()).collect());
    for got in [
        rows(&nested),
        rows(&&nested),
        rows(&nested[..]),
        rows(&slices),
        rows(&boxes),
        rows(&arcs),
        rows(&rcs),
        rows(&[&nested[0], &nested[1], &nested[2]]),
    ] {
        assert_eq!(got, expected);
    }
    assert_eq!(rows(&mut nested), expected);
    assert_eq!(
        rows(&[[1.0, 2.0], [3.0, 4.0]]),
        (vec![0, 2, 4], vec![1.0, 2.0, 3.0, 4.0], false)
    );
    assert_eq!(rows(&[&[1.0, 2.0], &[3.0, 4.0]]).0, [0, 2, 4]);
    assert_eq!(rows(&Vec::<Vec<f32>>::new()), (vec![0], vec![], false));

    let (x, y) = ((1, true), (2, false));
    let nested = vec![vec![], vec![vec![x, y], vec![]], vec![vec![]], vec![]];
    assert_eq!(
        lists(&nested),
        (
            "[[], [[(1, true), (2, false)], []], [[]], []]".to_owned(),
            false
        )
    );
    assert_eq!(lists(&[[vec![x]], [vec![]]]).0, "[[[(1, true)]], [[]]]");
    assert_eq!(lists(&[[[x]]]).0, "[[[(1, true)]]]");
}

#[test]
fn to_five_levels() {
    fn levels<const LEVELS: usize>(xs: impl AsRagged<char, LEVELS>) -> ([Vec<i64>; LEVELS], bool) {
        let xs = xs.ragged_arg();
        assert_eq!(xs.elements(), Ok(&['a', 'b'][..]));
        (xs.levels().map(<[i64]>::to_vec), xs.is_borrowed())
    }
    let two = vec![vec![], vec![vec!['a', 'b'], vec![]]];
    let three = vec![two.clone(), vec![]];
    let four = vec![vec![], three.clone()];
    let five = vec![four.clone()];
    let offsets = [
        vec![0, 2],
        vec![0, 0, 2],
        vec![0, 2, 2],
        vec![0, 0, 2],
        vec![0, 2, 2],
    ];
    let expected = (offsets, false);
    assert_eq!(levels::<5>(&five), expected);
    let (offsets, _) = expected;
    assert_eq!(levels::<5>(&Ragged::from(five)), (offsets.clone(), true));
    let [_, rest @ ..] = offsets;
    assert_eq!(levels::<4>(&four), (rest.clone(), false));
    assert_eq!(levels::<4>(&Ragged::from(four)), (rest.clone(), true));
    let [_, rest @ ..] = rest;
    assert_eq!(levels::<3>(&three), (rest.clone(), false));
    assert_eq!(
        levels::<3>(Ragged::from(three).view()),
        (rest.clone(), true)
    );
    let [_, rest @ ..] = rest;
    assert_eq!(levels::<2>(&two), (rest.clone(), false));
    assert_eq!(levels::<2>(&mut Ragged::from(two)), (rest.clone(), true));
}

#[test]
fn dense_arrays_have_rows_of_one_length() {
    let elements = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let dense = DenseVec::new([2, 3], elements.to_vec()).unwrap();
    assert_eq!(rows(&dense), (vec![0, 3, 6], elements.to_vec(), false));
    let arg = DenseArg::new([3, 2], &elements[..]).unwrap();
    assert_eq!(rows(&arg).0, [0, 2, 4, 6]);
    assert_eq!(rows(arg).0, [0, 2, 4, 6]);
    let none: &[f32] = &[];
    assert_eq!(rows(DenseArg::new([3, 0], none).unwrap()).0, [0, 0, 0, 0]);
    assert_eq!(rows(DenseArg::new([0, 3], none).unwrap()).0, [0]);
    let deep = DenseVec::new([2, 1, 2], vec![(7, true); 4]).unwrap();
    assert_eq!(
        lists(&deep).0,
        "[[[(7, true), (7, true)]], [[(7, true), (7, true)]]]"
    );
    let none = DenseVec::new([0, 5, 9], vec![]).unwrap();
    assert_eq!(lists(&none).0, "[]");
}

/// More rows than memory has room for offsets: an error, and no rows.
#[test]
fn no_memory() {
    let none: &[f32] = &[];
    let rows = DenseArg::new([isize::MAX as usize, 0], none).unwrap();
    let rows = AsRagged::<f32, 1>::ragged_arg(&rows);
    assert!(rows.elements().is_err());
    assert_eq!((rows.rows(), rows.offsets(0)), (0, &[0][..]));
    assert!(AsRagged::<f32, 1>::ragged_arg(&rows).elements().is_err());
}

#[cfg(feature = "ndarray")]
#[test]
fn arrays_of_ndarray() {
    let mut a = ndarray::arr2(&[[1.0, 2.0], [3.0, 4.0]]);
    let expected = (vec![0, 2, 4], vec![1.0, 2.0, 3.0, 4.0], false);
    assert_eq!(rows(&a), expected);
    assert_eq!(rows(a.view()), expected);
    assert_eq!(rows(&a.to_shared()), expected);
    assert_eq!(rows(&a.view()), expected);
    assert_eq!(rows(&*a), expected);
    assert_eq!(rows(a.view_mut()), expected);
    assert_eq!(rows(&mut a), expected);
    assert_eq!(rows(a.t()).1, [1.0, 3.0, 2.0, 4.0]);
}

#[test]
fn checked_by_hand() {
    let elements = [1.0, 2.0];
    let arg = RaggedArg::new([&[0, 1, 2]], &elements).unwrap();
    assert_eq!(rows(&arg), (vec![0, 1, 2], vec![1.0, 2.0], true));
    let new = |outer: &[i64], inner: &[i64]| {
        let arg = RaggedArg::new([outer, inner], &elements);
        arg.map(|arg| arg.rows())
    };
    assert_eq!(new(&[0, 1, 3], &[0, 0, 1, 2]), Ok(2));
    assert_eq!(new(&[1], &[1, 1]), Ok(0));
    let arg = RaggedArg::new([&[1, 2][..], &[0, 1, 2]], &elements).unwrap();
    assert_eq!(
        (arg.levels(), arg.elements()),
        ([&[0, 1][..], &[0, 1]], Ok(&[2.0][..]))
    );
    assert_eq!(new(&[], &[0]), Err(RaggedError::NoOffsets));
    assert_eq!(new(&[0], &[]), Err(RaggedError::NoOffsets));
    assert_eq!(
        new(&[0, 2], &[0, 2]),
        Err(RaggedError::Last {
            offset: 2,
            values: 1
        })
    );
    assert_eq!(
        new(&[0, 1], &[0, 3]),
        Err(RaggedError::Last {
            offset: 3,
            values: 2
        })
    );
    assert_eq!(
        new(&[-1, 1], &[0, 2]),
        Err(RaggedError::First { offset: -1 })
    );
    assert_eq!(
        new(&[0, 1], &[1, 0]),
        Err(RaggedError::Decreasing {
            at: 1,
            before: 1,
            offset: 0
        })
    );
}
