//! Three stages at once: reading, computing, handing on.

use std::error::Error as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use ragged_core::seq::{Limits, Quota, Rows, Source, for_each, items};
use ragged_core::{ErrorKind, Result};

use super::{SITE, with_threads};

fn xs(xs: impl IntoIterator<Item = i64, IntoIter: Send>) -> impl Source<Chunk = Vec<i64>> + Send {
    items::<Vec<i64>, _, _>(&SITE, "xs", xs)
}

/// The items of a chunk, doubled; the last step adds a `-1`.
#[expect(clippy::ptr_arg, reason = "what a step takes")]
fn doubled(xs: &Vec<i64>, last: bool, out: &mut Vec<i64>) -> Result<bool> {
    out.extend(xs.iter().map(|x| x * 2));
    out.extend(last.then_some(-1));
    Ok(true)
}

/// What a sink cannot fail with.
type Never = std::convert::Infallible;

#[test]
fn results_come_in_order_where_they_are_wanted() {
    let here = std::thread::current().id();
    for n in [0, 1, 2, 1000, 300_000] {
        let mut got = Vec::new();
        let sink = |x| {
            assert_eq!(std::thread::current().id(), here);
            got.push(x);
            Ok::<_, Never>(())
        };
        assert_eq!(
            for_each(&SITE, xs(0..n), Limits::new(), doubled, sink),
            Ok(())
        );
        assert!(got.into_iter().eq((0..n).map(|x| x * 2).chain([-1])), "{n}");
    }
}

#[test]
fn all_stages_may_be_slow() {
    for (read, compute, hand_on) in [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)] {
        let nap = |wanted: u64| std::thread::sleep(Duration::from_micros(200 * wanted));
        for threads in [0, 1, 2] {
            let all = || {
                let source = xs((0..200).inspect(move |_| nap(read)));
                let step = |xs: &Vec<i64>, last, out: &mut _| {
                    xs.iter().for_each(|_| nap(compute));
                    doubled(xs, last, out)
                };
                let mut seen = 0;
                let sink = |_| {
                    nap(hand_on);
                    seen += 1;
                    Ok::<_, Never>(())
                };
                for_each(&SITE, source, Limits::new(), step, sink).map(|()| seen)
            };
            // On a thread that is none of the pool, too.
            let seen = match threads {
                0 => all(),
                _ => with_threads(threads, all),
            };
            assert_eq!(seen, Ok(201));
        }
    }
}

#[test]
fn errors_come_behind_what_was_before_them() {
    for n in [0, 1, 100, 30_000] {
        let lines = (0..n + 10).map(move |i| if i == n { Err("torn") } else { Ok(i) });
        let source = items::<Vec<i64>, _, _>(&SITE, "lines", lines);
        let mut seen = 0;
        let sink = |x| {
            assert_eq!(x, 2 * seen);
            seen += 1;
            Ok::<_, Never>(())
        };
        let error = for_each(&SITE, source, Limits::new(), doubled, sink).expect_err("torn");
        assert!(matches!(error.kind(), ErrorKind::Source { .. }));
        assert_eq!(seen, n);
    }
}

#[test]
fn chunks_have_no_more_items_than_the_limit() {
    let step = |xs: &Vec<i64>, last, out: &mut _| {
        assert!(xs.len() <= 7);
        doubled(xs, last, out)
    };
    let limits = Limits::new().items(7);
    let sink = |_| Ok::<_, Never>(());
    assert_eq!(for_each(&SITE, xs(0..1000), limits, step, sink), Ok(()));
}

#[test]
fn a_sink_may_fail() {
    let sink = |x| if x == 2468 { Err("full") } else { Ok(()) };
    let error = for_each(&SITE, xs(0..), Limits::new(), doubled, sink).expect_err("full");
    assert_eq!(
        error.to_string(),
        "`test` at test.rs:3:8: result 1234 could not be handed on"
    );
    assert_eq!(
        error.source().map(ToString::to_string),
        Some("full".to_owned())
    );
}

#[test]
fn a_sink_may_fail_while_others_are_computed() {
    for threads in [0, 1, 2] {
        for at in [0, 1, 40, 3000] {
            let all = || {
                let step = |xs: &Vec<i64>, last, out: &mut _| {
                    std::thread::sleep(Duration::from_micros(100));
                    doubled(xs, last, out)
                };
                let mut seen = 0;
                let sink = |x| {
                    assert_eq!(x, 2 * seen);
                    seen += 1;
                    if x == 2 * at { Err("full") } else { Ok(()) }
                };
                let error = for_each(&SITE, xs(0..), Limits::new().items(16), step, sink);
                (error.expect_err("full"), seen)
            };
            let (error, seen) = match threads {
                0 => all(),
                _ => with_threads(threads, all),
            };
            assert!(matches!(error.kind(), ErrorKind::Sink { .. }));
            assert_eq!(seen, at + 1);
        }
    }
}

#[test]
fn a_step_may_want_no_more() {
    let mut seen = 0;
    let step = |xs: &Vec<i64>, _, out: &mut Vec<i64>| {
        out.extend(xs.iter().filter(|x| **x < 500));
        Ok(xs.last().is_none_or(|x| *x < 499))
    };
    let sink = |_| {
        seen += 1;
        Ok::<_, Never>(())
    };
    assert_eq!(for_each(&SITE, xs(0..), Limits::new(), step, sink), Ok(()));
    assert_eq!(seen, 500);
}

#[test]
fn panics_go_on_to_the_caller() {
    for at in [0, 1, 70, 20_000] {
        for stage in 0..3 {
            let boom = move |this: i32, x: i64| assert!(this != stage || x != at, "boom");
            let source = xs((0..100_000).inspect(move |x| boom(0, *x)));
            let step = |xs: &Vec<i64>, last, out: &mut _| {
                xs.iter().for_each(|x| boom(1, *x));
                doubled(xs, last, out)
            };
            let sink = |x| {
                boom(2, x / 2);
                Ok::<_, Never>(())
            };
            let all = || for_each(&SITE, source, Limits::new(), step, sink);
            assert!(catch_unwind(AssertUnwindSafe(all)).is_err(), "{at} {stage}");
        }
    }
}

#[test]
fn large_items_come_one_by_one() {
    // Each is more than a quarter of the limit: the next is read when this one has been computed.
    let lists = (0..50).map(|i| vec![i; 300]);
    let source = items::<Rows<'_, u8>, _, _>(&SITE, "xs", lists);
    let step = |xs: &Rows<'_, u8>, _, out: &mut Vec<usize>| {
        out.extend(xs.view().lens());
        Ok(true)
    };
    let mut seen = 0;
    let sink = |len| {
        assert_eq!(len, 300);
        seen += 1;
        Ok::<_, Never>(())
    };
    let limits = Limits::new().memory(1000);
    assert_eq!(for_each(&SITE, source, limits, step, sink), Ok(()));
    assert_eq!(seen, 50);
}

/// A source that has nothing now and then, which is no end.
struct Seldom<S> {
    source: S,
    calls: usize,
}

impl<S: Source> Source for Seldom<S> {
    type Chunk = S::Chunk;

    fn pull(&mut self, chunk: &mut S::Chunk, largest: usize) -> Result<bool> {
        self.source.pull(chunk, largest)
    }

    fn fill(&mut self, chunk: &mut S::Chunk, quota: &mut Quota<'_>) -> Result<bool> {
        self.calls += 1;
        if self.calls % 3 == 1 {
            return Ok(true);
        }
        self.source.fill(chunk, quota)
    }
}

#[test]
fn chunks_without_items_are_passed_over() {
    for (n, nap) in [(0, 0), (1, 0), (300, 50), (300_000, 0)] {
        let all = || {
            let step = |xs: &Vec<i64>, last, out: &mut Vec<i64>| {
                assert!(last || !xs.is_empty());
                // Longer than a hop to another thread takes.
                std::thread::sleep(Duration::from_micros(nap * xs.len() as u64));
                doubled(xs, last, out)
            };
            let mut got = Vec::new();
            let sink = |x| {
                got.push(x);
                Ok::<_, Never>(())
            };
            let source = Seldom {
                source: xs(0..n),
                calls: 0,
            };
            for_each(&SITE, source, Limits::new(), step, sink).map(|()| got)
        };
        let wanted: Vec<i64> = (0..n).map(|x| x * 2).chain([-1]).collect();
        // On a thread that is none of the pool, and on those of pools.
        for got in [all(), with_threads(1, all), with_threads(2, all)] {
            assert_eq!(got.as_ref(), Ok(&wanted));
        }
    }
}
