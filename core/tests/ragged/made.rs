//! Every way to make one, and every way to read it.

use ragged_core::{Ragged, RaggedError, RaggedView};

fn text(rows: &impl std::fmt::Debug) -> String {
    format!("{rows:?}")
}

#[test]
fn from_nested_lists_the_type_is_inferred() {
    let floats = Ragged::from(vec![vec![1.0, 2.0], vec![], vec![3.0]]);
    assert_eq!(text(&floats), "[[1.0, 2.0], [], [3.0]]");
    let of_arrays = Ragged::from([[1_u8, 2], [3, 4]]);
    assert_eq!(text(&of_arrays), "[[1, 2], [3, 4]]");
    let slices = Ragged::from([&[1, 2][..], &[], &[3]]);
    assert_eq!(slices, Ragged::from(vec![vec![1, 2], vec![], vec![3]]));
    let rows = vec![vec![true], vec![]];
    assert_eq!(Ragged::from(&rows), Ragged::from(&rows[..]));
    assert_eq!(Ragged::from(&rows), Ragged::from(rows));
    let deep = Ragged::from(vec![vec![vec![vec!['a']], vec![]], vec![]]);
    assert_eq!(text(&deep), "[[[['a']], []], []]");
    // Slices that live for ever could be elements, too.
    let deep: Ragged<Ragged<u8>> = Ragged::from(&[&[&[1, 2][..], &[]][..], &[]]);
    assert_eq!(text(&deep), "[[[1, 2], []], []]");
    let boxed: Box<[Box<[i64]>]> = Box::new([Box::new([1]), Box::new([])]);
    assert_eq!(text(&Ragged::from(&boxed)), "[[1], []]");
}

#[test]
fn elements_may_be_arrays() {
    let points: Ragged<[f32; 2]> = vec![vec![[1.0, 2.0]], vec![]].into();
    assert_eq!(points.row(0), [[1.0, 2.0]]);
    let rows: Ragged<Ragged<f32>> = vec![vec![[1.0, 2.0]], vec![]].into();
    assert_eq!(rows.row(0).row(0), [1.0, 2.0]);
}

#[test]
fn collected_and_extended() {
    let triangle: Ragged<usize> = (0..4).map(|n| (0..n).collect::<Vec<_>>()).collect();
    assert_eq!(text(&triangle), "[[], [0], [0, 1], [0, 1, 2]]");
    let mut lists: Ragged<Ragged<usize>> = [&triangle, &Ragged::new()].into_iter().collect();
    lists.extend([triangle.view().rows(1..3), triangle.view().rows(4..4)]);
    lists.push(vec![vec![7]]);
    lists.push([[8, 9]]);
    lists.push(Ragged::from([[5]]));
    assert_eq!(
        text(&lists),
        "[[[], [0], [0, 1], [0, 1, 2]], [], [[0], [0, 1]], [], [[7]], [[8, 9]], [[5]]]"
    );
    assert_eq!(lists.lens().collect::<Vec<_>>(), [4, 0, 2, 0, 1, 1, 1]);
    assert_eq!(lists.values().offsets().first(), Some(&0));
}

#[test]
fn rows_are_read_and_changed() {
    let mut rows = Ragged::from([&[1, 2][..], &[], &[3]]);
    assert_eq!((rows.len(), rows.is_empty()), (3, false));
    assert_eq!(
        (rows.row(0), rows.row(1), rows.row(2)),
        (&[1, 2][..], &[][..], &[3][..])
    );
    assert_eq!((rows.get(2), rows.get(3)), (Some(&[3][..]), None));
    assert_eq!((rows.get(usize::MAX), &rows[0]), (None, &[1, 2][..]));
    rows[0][1] = 5;
    rows.row_mut(2)[0] = 6;
    rows.values_mut()[0] = 4;
    assert_eq!(
        rows.iter().rev().collect::<Vec<_>>(),
        [&[6][..], &[], &[4, 5]]
    );
    let mut both = rows.iter();
    assert_eq!(
        (both.len(), both.next_back(), both.next()),
        (3, Some(&[6][..]), Some(&[4, 5][..]))
    );
    assert_eq!(text(&both), "[[]]");
    assert_eq!(
        (both.next(), both.next(), both.next_back(), both.len()),
        (Some(&[][..]), None, None, 0)
    );
    let sums: Vec<i32> = (&rows).into_iter().map(|row| row.iter().sum()).collect();
    assert_eq!(sums, [9, 0, 6]);
}

#[test]
#[should_panic(expected = "row 3 is out of range for an array of 3 rows")]
fn a_row_that_is_not_there() {
    let _ = Ragged::from([[1], [2], [3]]).row(3);
}

#[test]
#[should_panic(expected = "row 0 is out of range for an array of 0 rows")]
fn a_row_of_none_to_be_changed() {
    let _ = Ragged::<u8>::new().row_mut(0);
}

#[test]
fn without_rows() {
    let mut none = Ragged::<Ragged<f32>>::new();
    assert_eq!(
        (none.len(), none.is_empty(), none.offsets()),
        (0, true, &[0][..])
    );
    assert_eq!((none.iter().len(), text(&none)), (0, "[]".to_owned()));
    assert_eq!(none, Ragged::default());
    assert_eq!(none, Ragged::from_offsets(vec![0], Ragged::new()).unwrap());
    assert_eq!(none.clone().into_parts(), (vec![0], Ragged::new()));
    none.extend(Vec::<Ragged<f32>>::new());
    none.push(Ragged::new());
    assert_eq!(
        (text(&none), none.offsets()),
        ("[[]]".to_owned(), &[0, 0][..])
    );
}

#[test]
fn from_offsets_and_lengths() {
    let rows = Ragged::from_offsets(vec![0, 0, 2, 2, 3, 3], vec![1, 2, 3]).unwrap();
    assert_eq!(text(&rows), "[[], [1, 2], [], [3], []]");
    assert_eq!(
        rows,
        Ragged::from_lengths([0, 2, 0, 1, 0], vec![1, 2, 3]).unwrap()
    );
    assert_eq!(
        rows,
        Ragged::from_lengths(rows.lens(), vec![1, 2, 3]).unwrap()
    );
    assert_eq!(
        rows.clone().into_parts(),
        (vec![0, 0, 2, 2, 3, 3], vec![1, 2, 3])
    );
    let lists = Ragged::from_lengths([5_u8, 0], rows.clone()).unwrap();
    assert_eq!(text(&lists), "[[[], [1, 2], [], [3], []], []]");
    assert_eq!(lists.into_parts(), (vec![0, 5, 5], rows));
}

#[test]
fn bad_offsets() {
    let owned = |offsets: &[i64]| {
        let error = Ragged::from_offsets(offsets.to_vec(), vec![7, 8]).unwrap_err();
        (error.clone(), error.to_string())
    };
    let cases: [(&[i64], RaggedError, &str); 7] = [
        (
            &[],
            RaggedError::NoOffsets,
            "no offsets: there is one more than there are rows",
        ),
        (
            &[1, 2],
            RaggedError::First { offset: 1 },
            "the first offset is 1, but must be 0",
        ),
        (
            &[-1, 2],
            RaggedError::First { offset: -1 },
            "the first offset is -1, which is negative",
        ),
        (
            &[0, 2, 1, 2],
            RaggedError::Decreasing {
                at: 2,
                before: 2,
                offset: 1,
            },
            "offset 2 is 1, which is less than the one before it, 2",
        ),
        (
            &[0, i64::MAX, i64::MIN],
            RaggedError::Decreasing {
                at: 2,
                before: i64::MAX,
                offset: i64::MIN,
            },
            "offset 2 is -9223372036854775808, which is less than the one before it, \
             9223372036854775807",
        ),
        (
            &[0, 1],
            RaggedError::Last {
                offset: 1,
                values: 2,
            },
            "the last offset is 1, but there are 2 values",
        ),
        (
            &[0, 3],
            RaggedError::Last {
                offset: 3,
                values: 2,
            },
            "the last offset is 3, but there are 2 values",
        ),
    ];
    for (offsets, error, message) in cases {
        assert_eq!(owned(offsets), (error, message.to_owned()));
    }
    let rows = Ragged::from([[1], [2]]);
    assert_eq!(
        Ragged::from_offsets(vec![0, 3], rows).unwrap_err(),
        RaggedError::Last {
            offset: 3,
            values: 2
        }
    );
}

#[test]
fn bad_lengths() {
    let error = Ragged::from_lengths([2, -1], vec![1]).unwrap_err();
    assert_eq!(error.to_string(), "length 1 is negative or too large");
    let error = Ragged::from_lengths([1, usize::MAX], vec![1]).unwrap_err();
    assert_eq!(
        error,
        RaggedError::OutOfRange {
            what: "length",
            at: 1
        }
    );
    let error = Ragged::from_lengths([i64::MAX, 1], vec![1]).unwrap_err();
    assert_eq!(
        error,
        RaggedError::OutOfRange {
            what: "length",
            at: 1
        }
    );
    let error = Ragged::from_lengths([1, 1], vec![1]).unwrap_err();
    assert_eq!(
        error,
        RaggedError::Last {
            offset: 2,
            values: 1
        }
    );
}

#[test]
fn views_may_leave_out_values() {
    let values = vec![1, 2, 3, 4, 5];
    let view = RaggedView::new(&[1, 3, 3, 4], &values).unwrap();
    assert_eq!(text(&view), "[[2, 3], [], [4]]");
    assert_eq!((view.len(), &view[2], view.get(3)), (3, &[4][..], None));
    assert_eq!(
        (view.offsets(), view.values()),
        (&[1, 3, 3, 4][..], &values[..])
    );
    assert_eq!(
        view.to_ragged().into_parts(),
        (vec![0, 2, 2, 3], vec![2, 3, 4])
    );
    assert_eq!(view, RaggedView::new(&[0, 2, 2, 3], &[2, 3, 4]).unwrap());
    assert_ne!(view, RaggedView::new(&[0, 2, 3, 3], &[2, 3, 4]).unwrap());
    assert_ne!(view, RaggedView::new(&[0, 2, 2, 3], &[2, 3, 5]).unwrap());
    assert_eq!(text(&view.rows(1..3)), "[[], [4]]");
    assert_eq!(text(&view.rows(3..3)), "[]");
    assert!(view.rows(3..3).to_ragged().is_empty());
    assert_eq!(Ragged::from(view.rows(0..1)), Ragged::from([[2, 3]]));
}

#[test]
fn views_of_views() {
    let rows = Ragged::from([&[1, 2][..], &[], &[3], &[4, 5]]);
    let lists = RaggedView::new(&[1, 1, 3], &rows).unwrap();
    assert_eq!(text(&lists), "[[], [[], [3]]]");
    let deeper = RaggedView::new(&[1, 2], lists).unwrap();
    assert_eq!(text(&deeper), "[[[[], [3]]]]");
    assert_eq!(deeper.to_ragged().row(0).to_ragged().into_parts().0, [0, 2]);
    let copy = deeper.row(0).row(0).to_ragged();
    assert_eq!(copy.into_parts(), (vec![0, 0, 1], vec![3]));
}

/// A view of what lives longer takes part in one of what does not.
#[test]
fn views_live_as_long_as_their_shortest_part() {
    fn outer(rows: RaggedView<'static, u8>) -> String {
        let offsets = vec![0, 2];
        text(&RaggedView::new(&offsets, rows).unwrap())
    }
    const OFFSETS: &[i64] = &[0, 1, 2];
    const VALUES: &[u8] = &[8, 9];
    assert_eq!(
        outer(RaggedView::new(OFFSETS, VALUES).unwrap()),
        "[[[8], [9]]]"
    );
}

#[test]
fn bad_views() {
    let error = |offsets: &[i64]| RaggedView::new(offsets, &[1, 2]).unwrap_err();
    assert_eq!(error(&[]), RaggedError::NoOffsets);
    assert_eq!(error(&[-1, 2]), RaggedError::First { offset: -1 });
    assert_eq!(
        error(&[3]),
        RaggedError::Last {
            offset: 3,
            values: 2
        }
    );
    assert_eq!(
        error(&[0, 3]),
        RaggedError::Last {
            offset: 3,
            values: 2
        }
    );
    assert_eq!(
        error(&[1, 0]),
        RaggedError::Decreasing {
            at: 1,
            before: 1,
            offset: 0
        }
    );
}

#[cfg(target_pointer_width = "64")]
#[test]
fn views_with_sizes_as_offsets() {
    let offsets = [1_usize, 3, 3, 4];
    let view = RaggedView::with_sizes(&offsets, &[1, 2, 3, 4]).unwrap();
    assert_eq!(view.offsets(), [1, 3, 3, 4]);
    assert_eq!(view.offsets().as_ptr().addr(), offsets.as_ptr().addr());
    assert_eq!(text(&view), "[[2, 3], [], [4]]");
    let error = |offsets: &[usize]| RaggedView::with_sizes(offsets, &[1, 2]).unwrap_err();
    assert_eq!(error(&[]), RaggedError::NoOffsets);
    assert_eq!(error(&[usize::MAX]), RaggedError::First { offset: -1 });
    assert_eq!(
        error(&[0, 1 << 63]),
        RaggedError::Decreasing {
            at: 1,
            before: 0,
            offset: i64::MIN
        }
    );
    assert_eq!(
        error(&[0, 3]),
        RaggedError::Last {
            offset: 3,
            values: 2
        }
    );
}

#[test]
fn sparse_matrices() {
    let rows = Ragged::from_csr(&[0_i32, 0, 2], &[3_i64, 1], &["x", "y"]).unwrap();
    assert_eq!(text(&rows), r#"[[], [(3, "x"), (1, "y")]]"#);
    assert_eq!(rows.into_csr(), (vec![0, 0, 2], vec![3, 1], vec!["x", "y"]));
    let none = Ragged::<(usize, f64)>::new().into_csr();
    assert_eq!(none, (vec![0], vec![], vec![]));
    let error = Ragged::from_csr(&[0, 1], &[-1], &[1.0]).unwrap_err();
    assert_eq!(error.to_string(), "column 0 is negative or too large");
    let error = Ragged::from_csr(&[0, u64::MAX], &[1_u32], &[1.0]).unwrap_err();
    assert_eq!(error.to_string(), "offset 1 is negative or too large");
    let error = Ragged::from_csr(&[0, 1], &[1, 2], &[1.0]).unwrap_err();
    assert_eq!(error.to_string(), "there are 2 columns, but 1 values");
    let error = Ragged::from_csr(&[0, 2], &[1], &[1.0]).unwrap_err();
    assert_eq!(
        error,
        RaggedError::Last {
            offset: 2,
            values: 1
        }
    );
}

#[test]
fn back_to_nested_vectors() {
    let nested = vec![vec![vec![1], vec![]], vec![], vec![vec![2, 3]]];
    let ragged = Ragged::from(&nested);
    assert_eq!(Vec::<Vec<Vec<i32>>>::from(&ragged), nested);
    assert_eq!(Vec::<Vec<Vec<i32>>>::from(ragged.view()), nested);
    assert_eq!(Vec::<Vec<i32>>::from(ragged.row(0)), nested[0]);
    assert_eq!(Vec::<Vec<Vec<i32>>>::from(ragged), nested);
}

/// Functions over any element, or any depth.
#[test]
fn in_generic_functions() {
    fn longest<T: ragged_core::ragged::Item>(rows: &Ragged<T>) -> usize {
        rows.lens().max().unwrap_or(0)
    }
    fn show<T: ragged_core::Element + std::fmt::Debug + PartialEq>(rows: &Ragged<T>) -> String {
        assert_eq!(rows, &rows.clone());
        format!("{rows:?}")
    }
    assert_eq!(longest(&Ragged::from([&[1][..], &[2, 3]])), 2);
    assert_eq!(longest(&Ragged::from(vec![vec![vec![1, 2, 3]]])), 1);
    assert_eq!(show(&Ragged::from([[(1, 'x')]])), "[[(1, 'x')]]");
}

#[test]
#[should_panic(expected = "rows from 2 to 1 are reversed")]
fn reversed_rows_of_views() {
    let rows = Ragged::from([[1], [2]]);
    let (start, end) = (rows.len(), rows.len() - 1);
    let _ = rows.view().rows(start..end);
}

/// Offsets that [`Ragged::made`] was given wrongly are a panic where a row is asked for.
#[test]
#[should_panic]
fn wrong_offsets_of_compiled_functions() {
    let _ = Ragged::<u8>::made(vec![0, 9], vec![1]).row(0);
}

#[test]
#[should_panic]
fn negative_offsets_of_compiled_functions() {
    let _ = Ragged::<u8>::made(vec![0, -1], vec![1]).iter().next();
}
