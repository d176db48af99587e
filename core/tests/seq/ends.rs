//! How sequences end: by themselves, early, by an error, by a panic.

use std::error::Error as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ragged_core::seq::{After, Append, Chunk, Limits, Rows, items, run, stream};
use ragged_core::{DenseVec, Error, ErrorKind, Ragged, Result, Site};

use super::{SITE, with_threads};

/// The items of a chunk, doubled; the last step adds a `-1`.
#[expect(clippy::ptr_arg, reason = "what a step takes")]
fn doubled(xs: &Vec<i64>, last: bool, out: &mut Vec<i64>) -> Result<bool> {
    out.extend(xs.iter().map(|x| x * 2));
    out.extend(last.then_some(-1));
    Ok(true)
}

fn xs<I: IntoIterator<Item = i64>>(xs: I) -> impl ragged_core::seq::Source<Chunk = Vec<i64>> {
    items::<Vec<i64>, _, _>(&SITE, "xs", xs)
}

/// The error that a step blames this item with.
fn failed(item: i64) -> Error {
    let site = if item == 77 { &SITE } else { &OTHER };
    site.error(0, [0; 3])
}

/// As [`SITE`], elsewhere.
static OTHER: Site = Site { line: 4, ..SITE };

#[test]
fn the_last_step_is_told_so_once() {
    for n in [0, 1, 63, 64, 65, 128, 1000, 100_000] {
        let got: Result<Vec<i64>> = stream(xs(0..n), Limits::new(), doubled).collect();
        let want: Vec<i64> = (0..n).map(|x| x * 2).chain([-1]).collect();
        assert_eq!(got, Ok(want), "{n}");
    }
}

#[test]
fn after_the_end_there_is_nothing() {
    let mut results = stream(xs(0..3), Limits::new(), doubled);
    assert_eq!(results.by_ref().count(), 4);
    assert!(results.next().is_none() && results.next().is_none());
}

#[test]
fn what_was_read_before_an_error_is_delivered() {
    for n in [0, 1, 64, 100, 30_000] {
        let lines = (0..n + 10).map(move |i| if i == n { Err("torn") } else { Ok(i) });
        let source = items::<Vec<i64>, _, _>(&SITE, "lines", lines);
        let mut results = stream(source, Limits::new(), doubled);
        for x in 0..n {
            assert_eq!(results.next(), Some(Ok(x * 2)));
        }
        let error = results.next().expect("an error").expect_err("an error");
        let text = format!("`test` at test.rs:3:8: item {n} of `lines` could not be read");
        assert_eq!(error.to_string(), text);
        assert_eq!(
            error.source().map(ToString::to_string),
            Some("torn".to_owned())
        );
        assert_eq!(error, error.clone());
        assert!(results.next().is_none());
    }
}

#[test]
fn errors_of_a_run_come_by_position() {
    let source = || {
        let lines = (0..200).map(|i| if i == 150 { Err("torn") } else { Ok(i) });
        items::<Vec<i64>, _, _>(&SITE, "lines", lines)
    };
    let got = run(source(), Limits::new(), |_, _| Ok(true));
    assert!(matches!(
        got.expect_err("torn").kind(),
        ErrorKind::Source { item: 150, .. }
    ));
    let got = run(source(), Limits::new(), |xs, last| {
        assert!(!last);
        let failed = xs.contains(&149);
        if failed {
            Err(SITE.error(0, [0; 3]))
        } else {
            Ok(true)
        }
    });
    assert_eq!(got.expect_err("internal").kind(), &ErrorKind::Internal);
}

#[test]
fn what_comes_before_an_error_of_a_step_does_not_depend_on_chunks() {
    // Fails at the wrong item first, if it gets both.
    let running = || {
        let mut sum = 0;
        move |xs: &Vec<i64>, _, out: &mut Vec<i64>| {
            if let Some(bad) = [90, 77].iter().find(|it| xs.contains(it)) {
                return Err(failed(*bad));
            }
            let sums = xs.iter().scan(sum, |sum, x| {
                *sum += x;
                Some(*sum)
            });
            out.extend(sums);
            sum += xs.iter().sum::<i64>();
            Ok(true)
        }
    };
    for items in [1, 2, 7, 64, 1000] {
        let mut results = stream(xs(0..1000), Limits::new().items(items), running());
        for x in 0..77 {
            assert_eq!(results.next(), Some(Ok(x * (x + 1) / 2)), "{items}");
        }
        let error = results.next().expect("an error").expect_err("an error");
        assert_eq!(error, failed(77), "{items}");
        assert!(results.next().is_none());
        let mut step = running();
        let all = run(xs(0..1000), Limits::new().items(items), |xs, last| {
            step(xs, last, &mut Vec::new())
        });
        assert_eq!(all, Err(failed(77)), "{items}");
    }
}

#[test]
fn chunks_have_parts_of_any_items() {
    fn check<C: Chunk + Append + PartialEq + std::fmt::Debug>(whole: &C) {
        for middle in 0..=whole.items() {
            let [front, back] = [0..middle, middle..whole.items()].map(|it| whole.part(it));
            let (mut front, back) = (front.expect("memory"), back.expect("memory"));
            assert_eq!(
                (front.items(), back.items()),
                (middle, whole.items() - middle)
            );
            front.append(&back, 0).expect("memory");
            assert_eq!(&front, whole);
        }
    }
    check(&vec![1, 2, 3]);
    check(&Ragged::<i32>::from(vec![vec![1, 2], vec![], vec![3]]));
    check(&Ragged::<Ragged<i32>>::from(vec![
        vec![vec![1], vec![]],
        vec![],
        vec![vec![2, 3]],
    ]));
    check(&DenseVec::new([3, 2], vec![1, 2, 3, 4, 5, 6]).expect("as many"));
    let both = || After(vec![1, 2], vec![3, 4, 5]);
    let parts = (0..=5).map(|middle| [0..middle, middle..5].map(|it| both().part(it)));
    for [front, back] in parts.map(|it| it.map(|part| part.expect("memory"))) {
        assert_eq!([front.0, back.0].concat(), both().0);
        assert_eq!([front.1, back.1].concat(), both().1);
    }
    check(&(vec![1, 2], Ragged::<i32>::from(vec![vec![1, 2], vec![]])));
}

#[test]
fn a_step_may_want_no_more() {
    let mut taken = 0;
    let step = |xs: &Vec<i64>, last: bool, out: &mut Vec<i64>| {
        assert!(!last);
        let more = xs.len().min(100 - taken);
        taken += more;
        out.extend(&xs[..more]);
        Ok(taken < 100)
    };
    let got: Result<Vec<i64>> = stream(xs(0..), Limits::new(), step).collect();
    assert!(got.is_ok_and(|got| got.into_iter().eq(0..100)));
}

#[test]
fn an_error_of_a_step_ends_the_results() {
    let step = |xs: &Vec<i64>, _, out: &mut Vec<i64>| {
        out.extend(xs);
        match xs.contains(&1000) {
            true => Err(SITE.error(0, [0; 3])),
            false => Ok(true),
        }
    };
    let got: Vec<Result<i64>> = stream(xs(0..), Limits::new(), step).collect();
    let (error, results) = got.split_last().expect("an error");
    assert!(error.is_err() && results.len() <= 1000);
    assert!(results.iter().zip(0..).all(|(got, want)| got == &Ok(want)));
}

#[test]
fn results_may_be_dropped_early() {
    let mut results = stream(xs(0..), Limits::new(), doubled);
    assert!(results.by_ref().take(1000).all(|it| it.is_ok()));
    drop(results);
}

#[test]
fn a_source_is_read_where_it_is_asked() {
    let here = std::thread::current().id();
    let calls = std::cell::Cell::new(0);
    let source = (0..10_000).inspect(|_| {
        calls.set(calls.get() + 1);
        assert_eq!(std::thread::current().id(), here);
    });
    let mut results = stream(xs(source), Limits::new(), doubled);
    assert_eq!(calls.get(), 0, "nothing is read before the first `next`");
    assert_eq!(results.by_ref().count(), 10_001);
}

#[test]
fn panics_go_on_to_the_caller() {
    for (at, in_source) in [
        (0, true),
        (0, false),
        (70, true),
        (70, false),
        (50_000, true),
        (50_000, false),
    ] {
        let source = xs((0..100_000).inspect(|x| assert!(!in_source || *x != at, "boom")));
        let step = |xs: &Vec<i64>, _, out: &mut Vec<i64>| {
            out.extend(xs);
            // Long enough to be computed beside the source.
            std::thread::sleep(std::time::Duration::from_micros(100));
            assert!(in_source || !xs.contains(&at), "boom");
            Ok(true)
        };
        let mut results = stream(source, Limits::new(), step);
        let mut seen = 0;
        let caught = catch_unwind(AssertUnwindSafe(|| {
            for result in results.by_ref() {
                assert_eq!(result, Ok(seen));
                seen += 1;
            }
        }));
        assert!(caught.is_err() && seen <= at, "{seen}");
        assert!(results.next().is_none());
    }
}

#[test]
fn results_are_those_of_any_number_of_threads() {
    let expected: Vec<Vec<usize>> = (0..20_000).map(|i| vec![i; i % 5]).collect();
    for threads in [1, 2, 4] {
        let got = with_threads(threads, || {
            let lists = (0..20_000).map(|i| vec![i; i % 5]);
            let source = items::<Rows<'_, usize>, _, _>(&SITE, "xs", lists);
            let step = |xs: &Rows<'_, usize>, _, out: &mut Ragged<usize>| {
                *out = xs.view().to_ragged();
                Ok(true)
            };
            stream(source, Limits::new(), step).collect::<Result<Vec<_>>>()
        });
        assert_eq!(got.as_ref(), Ok(&expected), "{threads}");
    }
}

#[test]
fn streams_go_to_other_threads() {
    fn is_send<T: Send>(_: &T) {}
    let results = stream(
        items::<Vec<i64>, _, _>(&SITE, "xs", 0..3),
        Limits::new(),
        doubled,
    );
    is_send(&results);
}
