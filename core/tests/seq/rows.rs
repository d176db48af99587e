//! Rows of one array stay where they are; others are copied.

use std::ops::Range;
use std::sync::Arc;

use ragged_core::seq::{Chunk, Limits, Rows, Source, items, run};
use ragged_core::{ArrayArg, AsArray, AsRagged, ErrorKind, Ragged, RaggedView, SeqItem, Whole};

use super::{SITE, with_threads};

/// What comes in chunks of at most so many, and whether all chunks with elements were lent.
fn chunks<'i, M>(
    rows: impl IntoIterator<Item = impl SeqItem<Rows<'i, u32>, M>>,
    limits: Limits,
) -> ragged_core::Result<(Vec<Vec<u32>>, bool)> {
    let source = items::<Rows<'_, u32>, _, _>(&SITE, "xs", rows);
    let (mut seen, mut lent) = (Vec::new(), true);
    run(source, limits, |chunk: &Rows<'_, u32>, _| {
        let arg = chunk.ragged_arg();
        assert_eq!(arg.offsets(0), chunk.view().offsets());
        assert_eq!(arg.elements(), Ok(chunk.view().values()));
        lent &= chunk.is_lent() || chunk.view().values().is_empty();
        seen.extend(chunk.view().iter().map(<[u32]>::to_vec));
        Ok(true)
    })?;
    Ok((seen, lent))
}

fn lists(n: u32) -> Vec<Vec<u32>> {
    (0..n).map(|i| (0..i * 7 % 11).collect()).collect()
}

#[test]
fn those_of_an_array_are_lent() {
    for n in [0, 1, 2, 30, 3000] {
        let (lists, whole) = (lists(n), Ragged::from(lists(n)));
        for limits in [1, 3, 100].map(|most| Limits::new().items(most)) {
            let want = Ok((lists.clone(), true));
            assert_eq!(chunks(&whole, limits.clone()), want);
            assert_eq!(chunks(whole.iter(), limits.clone()), want);
            assert_eq!(chunks(whole.view(), limits.clone()), want);
            let (rows, lent) = chunks(&lists, limits).expect("no errors");
            assert_eq!((rows, lent), (lists.clone(), n < 2));
        }
        let want = Ok((lists.clone(), true));
        assert_eq!(chunks(&whole, Limits::new().memory(1000)), want);
    }
}

#[test]
fn parts_of_an_array_are_lent() {
    let values: Vec<u32> = (0..9).collect();
    let part = RaggedView::new(&[2, 2, 5, 6], &values).expect("in order");
    let want = vec![vec![], vec![2, 3, 4], vec![5]];
    assert_eq!(chunks(part, Limits::new()), Ok((want.clone(), true)));
    let backwards = part.iter().rev();
    let (rows, lent) = chunks(backwards, Limits::new()).expect("no errors");
    assert_eq!((rows.into_iter().rev().collect(), lent), (want, false));
    let begun = &mut part.iter();
    assert_eq!(begun.next(), Some(&[][..]));
    let want = vec![vec![2, 3, 4], vec![5]];
    assert_eq!(chunks(begun.clone(), Limits::new()), Ok((want, true)));
}

/// A row of a column that others share.
struct Shared(Arc<Vec<u32>>, Range<usize>);

impl AsArray<u32> for &Shared {
    fn array_arg(&self) -> ArrayArg<'_, u32> {
        ArrayArg::borrowed(&self.0[self.1.clone()])
    }

    fn whole(&self) -> Option<Whole<u32>> {
        Some(self.0.clone())
    }
}

/// The rows of a column, without the column itself.
fn shared(lists: &[Vec<u32>]) -> impl Iterator<Item = Shared> {
    let column = Arc::new(lists.concat());
    let mut end = 0;
    let rows = lists.iter().map(move |row| {
        end += row.len();
        Shared(column.clone(), end - row.len()..end)
    });
    rows.collect::<Vec<_>>().into_iter()
}

#[test]
fn those_that_share_what_holds_them_are_kept() {
    for n in [1, 2, 30, 3000] {
        let mut lists = lists(n);
        lists[0] = vec![9];
        for limits in [1, 7, 100].map(|most| Limits::new().items(most)) {
            let want = Ok((lists.clone(), true));
            assert_eq!(chunks(shared(&lists), limits), want);
        }
        for limits in [7, 100].map(|most| Limits::new().items(most)) {
            let both = shared(&lists).chain(shared(&lists));
            let (rows, _) = chunks(both, limits.clone()).expect("no errors");
            assert_eq!(rows, [&lists[..], &lists].concat());
            let backwards = Vec::from_iter(shared(&lists)).into_iter().rev();
            let (rows, lent) = chunks(backwards, limits).expect("no errors");
            assert!(rows.iter().rev().eq(&lists));
            assert!(!lent || n < 30);
        }
    }
}

#[test]
fn a_row_that_is_too_large_is_an_error_in_its_place() {
    let mut lists = lists(100);
    lists[57] = vec![0; 1000];
    let rows = Ragged::from(lists);
    let limits = || Limits::new().memory(4000);
    let slices = || rows.iter().take(usize::MAX);
    for ended in [
        chunks(rows.iter(), limits()),
        chunks(slices(), limits()),
        chunks(slices().map(<[u32]>::to_vec), limits()),
    ] {
        let error = ended.expect_err("large");
        let ErrorKind::ItemTooLarge { item, bytes, .. } = error.kind() else {
            panic!("{error}")
        };
        assert_eq!((*item, *bytes), (57, 4008));
    }
    // The limit of an item is half of all, whatever it comes with.
    for (len, fits) in [(498, true), (499, false)] {
        for (before, behind) in [(0, 0), (0, 3), (3, 0), (40, 3)] {
            let row = |len| vec![0; len];
            let rows = [vec![row(2); before], vec![row(len)], vec![row(2); behind]].concat();
            let limits = || Limits::new().memory(4000);
            let lent = Ragged::from(rows.clone());
            for ended in [
                chunks(&rows, limits()),
                chunks(rows.clone(), limits()),
                chunks(lent.iter(), limits()),
            ] {
                assert_eq!(ended.is_ok(), fits, "{before} {len} {behind}");
            }
        }
    }
}

#[test]
fn chunks_have_parts_and_become_shorter() {
    let (lists, whole) = (lists(10), Ragged::from(lists(10)));
    let copied = lists.iter().map(|row| &row[..]);
    check(items::<Rows<'_, u32>, _, _>(&SITE, "xs", &whole), &lists);
    check(items::<Rows<'_, u32>, _, _>(&SITE, "xs", copied), &lists);
    check(
        items::<Rows<'_, u32>, _, _>(&SITE, "xs", shared(&lists)),
        &lists,
    );
}

fn check<'i>(mut source: impl Source<Chunk = Rows<'i, u32>>, lists: &[Vec<u32>]) {
    let mut chunk = Rows::default();
    while source.pull(&mut chunk, usize::MAX).expect("no errors") {}
    chunk.gather();
    let rows = |chunk: &Rows<'_, u32>| Vec::from_iter(chunk.view().iter().map(<[u32]>::to_vec));
    for (from, to) in [(0, 0), (0, 10), (3, 7), (9, 10), (10, 10)] {
        let part = chunk.part(from..to).expect("memory");
        assert_eq!(rows(&part), lists[from..to]);
    }
    for len in [11, 10, 6, 1, 0] {
        chunk.truncate(len);
        assert_eq!(rows(&chunk), lists[..len.min(10)]);
    }
}

#[test]
fn rows_that_are_apart_come_in_order_and_unchanged() {
    for n in [0, 1, 2, 30, 3000] {
        let lists = lists(n);
        let slices: Vec<&[u32]> = lists.iter().map(Vec::as_slice).collect();
        let boxes: Vec<Box<[u32]>> = lists.iter().cloned().map(Vec::into_boxed_slice).collect();
        let fallible = || lists.iter().map(Ok::<_, std::fmt::Error>);
        let limits = [1, 3, 100].map(|most| Limits::new().items(most));
        for limits in limits.into_iter().chain([Limits::new().memory(1000)]) {
            let all = [
                chunks(&lists, limits.clone()),
                chunks(slices.iter().copied(), limits.clone()),
                chunks(&boxes, limits.clone()),
                chunks(fallible(), limits.clone()),
                // Not apart: the iterator gives what it has made.
                chunks(lists.clone(), limits),
            ];
            for rows in all {
                assert_eq!(rows.expect("no errors").0, lists);
            }
        }
    }
}

/// So many that threads share them, and some that are far larger than others.
#[test]
fn many_rows_that_are_apart_are_gathered_by_several_threads() {
    let row = |i: usize| {
        vec![
            i as u32;
            if i.is_multiple_of(1000) {
                300_000
            } else {
                i % 50
            }
        ]
    };
    let lists: Vec<Vec<u32>> = (0..3000).map(row).collect();
    for threads in [1, 2, 7] {
        let rows = with_threads(threads, || chunks(&lists, Limits::new()));
        assert!(rows.expect("no errors").0 == lists);
    }
}

#[test]
fn rows_of_any_elements_are_gathered() {
    let flags: Vec<Vec<bool>> = (0..500).map(|i| vec![i % 3 == 0; i % 40]).collect();
    let mut seen = Vec::new();
    let source = items::<Rows<'_, bool>, _, _>(&SITE, "xs", &flags);
    let ended = run(
        source,
        Limits::new().items(77),
        |chunk: &Rows<'_, bool>, _| {
            seen.extend(chunk.view().iter().map(<[bool]>::to_vec));
            Ok(true)
        },
    );
    ended.expect("no errors");
    assert_eq!(seen, flags);
}
