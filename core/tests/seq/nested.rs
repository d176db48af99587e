//! Sequences whose results are items of others.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ragged_core::seq::{
    Beside, Chunk, End, Lengths, Limits, Source, beside, count, items, nested, run, stream,
};
use ragged_core::{DenseVec, ErrorKind, Ragged, Result};

use super::SITE;

/// Of the numbers below `n` those that 3 divides; none behind `fails`, which is an error.
fn thirds(n: usize, fails: usize, limits: Limits) -> impl Source<Chunk = Vec<usize>> {
    let numbers = items::<Vec<usize>, _, _>(&SITE, "xs", 0..n);
    let step = move |chunk: &Vec<usize>, _last, out: &mut Vec<usize>| {
        if chunk.contains(&fails) {
            return Err(SITE.error(0, [7, 8, 0]));
        }
        out.extend(chunk.iter().filter(|x| **x % 3 == 0));
        Ok(true)
    };
    nested(&SITE, stream(numbers, limits, step))
}

#[test]
fn results_are_items_beside_others() {
    for (n, others) in [
        (0, 5),
        (1, 5),
        (30, 10),
        (30, 11),
        (100_000, 7),
        (100_000, 40_000),
    ] {
        for size in [1, 7, 1 << 20] {
            let limits = Limits::new().items(size);
            let others_ = items::<Vec<usize>, _, _>(&SITE, "ys", 0..others);
            let mut seen = 0;
            let thirds = thirds(n, usize::MAX, limits.clone());
            run((thirds, others_), limits, |(xs, ys), _| {
                for (x, y) in xs.iter().zip(ys) {
                    assert_eq!((*x, *y), (3 * seen, seen));
                    seen += 1;
                }
                assert_eq!(xs.len(), ys.len());
                Ok(true)
            })
            .expect("no errors");
            assert_eq!(seen, n.div_ceil(3).min(others), "{n} beside {others}");
        }
    }
}

/// How many pairs of thirds, which fail at 30, and so many others there are before the end.
fn pairs(others: usize, swapped: bool) -> (usize, Result<()>) {
    let others = items::<Vec<usize>, _, _>(&SITE, "ys", 0..others);
    let thirds = thirds(1000, 30, Limits::new());
    let mut seen = 0;
    let ended = match swapped {
        false => run((thirds, others), Limits::new(), |(xs, _), _| {
            seen += xs.len();
            Ok(true)
        }),
        true => run((others, thirds), Limits::new(), |(_, xs), _| {
            seen += xs.len();
            Ok(true)
        }),
    };
    (seen, ended)
}

#[test]
fn what_nobody_asks_for_does_not_fail() {
    for swapped in [false, true] {
        for others in [0, 9, 10] {
            assert_eq!(pairs(others, swapped), (others, Ok(())));
        }
        let (seen, ended) = pairs(11, swapped);
        assert_eq!(seen, 10, "those before the error");
        assert_eq!(ended, Err(SITE.error(0, [7, 8, 0])), "it is asked for");
    }
}

#[test]
fn two_of_which_one_ends_where_the_other_fails() {
    for swapped in [false, true] {
        let failing = thirds(1000, 30, Limits::new());
        let ending = thirds(28, usize::MAX, Limits::new());
        let mut seen = 0;
        let mut see = |chunk: &(Vec<usize>, Vec<usize>), _| {
            seen += chunk.items();
            Ok(true)
        };
        let ended = match swapped {
            false => run((failing, ending), Limits::new(), &mut see),
            true => run((ending, failing), Limits::new(), &mut see),
        };
        assert_eq!((seen, ended), (10, Ok(())));
    }
}

#[test]
fn beside_sources_that_go_on() {
    // Pairs of the first two, and the third alone.
    for (others, error) in [(9, false), (10, false), (11, true)] {
        let thirds = thirds(1000, 30, Limits::new());
        let others_ = items::<Vec<usize>, _, _>(&SITE, "ys", 0..others);
        let source = beside((thirds, others_, count(50)), &[0b11, 0b100]);
        let mut seen = [0, 0];
        let ended = run(source, Limits::new(), |Beside((xs, ys, zs)), _| {
            seen[0] += xs.len().min(ys.len());
            seen[1] += zs.len();
            Ok(true)
        });
        assert_eq!(ended.is_err(), error, "{others}");
        let all = if error { 10 } else { 50 };
        assert_eq!(seen, [others.min(10), all], "{others}");
    }
}

#[test]
fn of_what_fails_at_one_place_the_first_counts() {
    let torn = || {
        let others = (0..100).map(|i| if i == 10 { Err("torn") } else { Ok(i) });
        items::<Vec<usize>, _, _>(&SITE, "ys", others)
    };
    let within = || thirds(1000, 30, Limits::new());
    let failed = Err(SITE.error(0, [7, 8, 0]));
    let ended = run((within(), torn()), Limits::new(), |_, _| Ok(true));
    assert_eq!(ended, failed);
    let source = beside((within(), torn()), &[0b11, 0b10]);
    assert_eq!(run(source, Limits::new(), |_, _| Ok(true)), failed);
    let source = beside((torn(), within()), &[0b11, 0b01]);
    let error = run(source, Limits::new(), |_, _| Ok(true)).expect_err("torn");
    assert!(matches!(error.kind(), ErrorKind::Source { item: 10, .. }));
}

#[test]
fn nothing_is_read_before_it_is_asked_for_nor_far_behind() {
    let read = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&read);
    let numbers = (0_usize..).inspect(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
    });
    let limits = Limits::new().items(10);
    let numbers = items::<Vec<usize>, _, _>(&SITE, "xs", numbers);
    let step = |chunk: &Vec<usize>, _last, out: &mut Vec<usize>| {
        out.extend(chunk);
        Ok(true)
    };
    let inner = nested(&SITE, stream(numbers, limits.clone(), step));
    let others = items::<Vec<usize>, _, _>(&SITE, "ys", 0..100);
    let mut all = stream(
        (inner, others),
        limits,
        |(xs, _), _, out: &mut Vec<usize>| {
            out.extend(xs);
            Ok(true)
        },
    );
    assert_eq!(read.load(Ordering::Relaxed), 0);
    assert_eq!(all.next(), Some(Ok(0)));
    assert!(read.load(Ordering::Relaxed) <= 40, "a few chunks");
    assert_eq!(
        all.map(|x| x.expect("no errors")).collect::<Vec<_>>(),
        (1..100).collect::<Vec<_>>()
    );
    assert!(read.load(Ordering::Relaxed) <= 140);
}

#[test]
fn rows_of_any_length_and_of_one() {
    let rows = |chunk: &Vec<usize>, _last, out: &mut Ragged<usize>| {
        for x in chunk {
            out.push(vec![*x; x % 4]);
        }
        Ok(true)
    };
    let numbers = items::<Vec<usize>, _, _>(&SITE, "xs", 0..1000);
    let ragged = nested(&SITE, stream(numbers, Limits::new().items(7), rows));
    let dense = |chunk: &Vec<usize>, _last, out: &mut DenseVec<usize, 2>| {
        let elements = chunk.iter().flat_map(|x| [*x, 2 * x]).collect();
        *out = DenseVec::new([chunk.len(), 2], elements).expect("it fits");
        Ok(true)
    };
    let numbers = items::<Vec<usize>, _, _>(&SITE, "ys", 0..1000);
    let dense = nested(&SITE, stream(numbers, Limits::new().items(9), dense));
    let mut at = 0;
    run((ragged, dense), Limits::new().items(64), |(xs, ys), _| {
        assert_eq!(xs.items(), ys.items());
        for i in 0..xs.items() {
            assert_eq!(xs.row(i), vec![at; at % 4]);
            assert_eq!(ys.as_slice()[2 * i..2 * i + 2], [at, 2 * at]);
            at += 1;
        }
        Ok(true)
    })
    .expect("no errors");
    assert_eq!(at, 1000);
}

#[test]
fn a_chunk_of_none_has_the_shape_of_its_sizes() {
    let lengths = Lengths::new(&[Some(3)]);
    let numbers = items::<Vec<usize>, _, _>(&SITE, "xs", 0..10);
    let none = |_: &Vec<usize>, _last, _: &mut DenseVec<usize, 2>| Ok(true);
    let none = nested(&SITE, stream(numbers, Limits::new(), none)).sized(&lengths, &[0]);
    let others = items::<Vec<usize>, _, _>(&SITE, "ys", 0..10);
    let mut shapes: Vec<Vec<usize>> = Vec::new();
    run((none, others), Limits::new(), |(xs, _), _| {
        shapes.push(xs.shape().to_vec());
        Ok(true)
    })
    .expect("no errors");
    assert_eq!(shapes, [vec![0, 3]]);
}

#[test]
fn a_result_that_is_too_large_is_an_error() {
    let step = |chunk: &Vec<usize>, _last, out: &mut Ragged<usize>| {
        for x in chunk {
            out.push(vec![*x; *x]);
        }
        Ok(true)
    };
    let numbers = items::<Vec<usize>, _, _>(&SITE, "xs", [1, 2, 3000, 4]);
    let inner = nested(&SITE, stream(numbers, Limits::new(), step));
    let others = items::<Vec<usize>, _, _>(&SITE, "ys", 0..10);
    let mut seen = 0;
    let ended = run(
        (inner, others),
        Limits::new().memory(10_000),
        |(xs, _), _| {
            seen += xs.items();
            Ok(true)
        },
    );
    let error = ended.expect_err("24 kB of 5");
    assert!(
        matches!(error.kind(), ErrorKind::OutOfMemory { bytes: 24_000.. }),
        "{error}"
    );
    assert_eq!(seen, 2);
}

#[test]
fn a_panic_within_goes_on_to_the_caller() {
    let caught = std::panic::catch_unwind(|| {
        let numbers = items::<Vec<usize>, _, _>(
            &SITE,
            "xs",
            (0..).map(|x| if x == 5000 { panic!("within") } else { x }),
        );
        let step = |chunk: &Vec<usize>, _last, out: &mut Vec<usize>| {
            out.extend(chunk);
            Ok(true)
        };
        let inner = nested(&SITE, stream(numbers, Limits::new().items(100), step));
        run((inner, count(10_000)), Limits::new(), |_, _| Ok(true))
    });
    let payload = caught.expect_err("it panics");
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"within"));
}

/// Numbers of which those that 3 divides are zipped with `others` numbers, and all are summed, also behind the end
/// of that: how many pairs there were, the sum, and what finishing gave. `asked` fails as long as results are
/// wanted, `summed` always, `read` in the source.
fn going_on(n: usize, others: usize, fails: [usize; 3], size: usize) -> (usize, usize, Result<()>) {
    let [asked, summed, read] = fails;
    let limits = Limits::new().items(size);
    let numbers = (0..n).map(|x| match x == read {
        true => Err(std::io::Error::other("no number")),
        false => Ok(x),
    });
    let numbers = items::<Vec<usize>, _, _>(&SITE, "xs", numbers);
    let (unwanted, mut sum) = (End::default(), 0);
    let flag = unwanted.clone();
    let step = |chunk: &Vec<usize>, _last, out: &mut Vec<usize>| {
        let failing = chunk.contains(&asked) && !flag.is_set();
        if failing || chunk.contains(&summed) {
            return Err(SITE.error(0, [7, 8, 0]));
        }
        out.extend(chunk.iter().filter(|x| **x % 3 == 0 && !flag.is_set()));
        sum += chunk.iter().sum::<usize>();
        Ok(true)
    };
    let mut thirds = nested(&SITE, stream(numbers, limits.clone(), step));
    let others = items::<Vec<usize>, _, _>(&SITE, "ys", 0..others);
    let mut pairs = 0;
    run((&mut thirds, others), limits, |(xs, _), _| {
        pairs += xs.len();
        Ok(true)
    })
    .expect("no error that is asked for");
    unwanted.set();
    let finished = thirds.finish();
    drop(thirds);
    (pairs, sum, finished)
}

const NEVER: usize = usize::MAX;

#[test]
fn what_others_want_more_of_goes_on() {
    for size in [1, 7, 1 << 20] {
        for (n, others) in [
            (0, 3),
            (1, 0),
            (30, 5),
            (30, 10),
            (30, 40),
            (10_000, 0),
            (10_000, 9),
        ] {
            let all = (usize::div_ceil(n, 3).min(others), (0..n).sum(), Ok(()));
            assert_eq!(going_on(n, others, [NEVER; 3], size), all);
        }
        // Of no result behind these has anybody asked.
        for (fails, others) in [(30, 9), (30, 10), (28, 10), (1, 1), (0, 0)] {
            let all = (others, (0..1000).sum(), Ok(()));
            assert_eq!(going_on(1000, others, [fails, NEVER, NEVER], size), all);
        }
    }
}

#[test]
fn what_goes_on_fails_where_it_must() {
    for size in [1, 7, 1 << 20] {
        for (fails, others) in [(30, 10), (28, 10), (900, 3), (999, 0)] {
            let (pairs, _, finished) = going_on(1000, others, [NEVER, fails, NEVER], size);
            assert_eq!((pairs, finished), (others, Err(SITE.error(0, [7, 8, 0]))));
            // The number before that which is not wanted any more.
            let (pairs, _, finished) = going_on(1000, others, [fails, 999, NEVER], size);
            assert_eq!((pairs, finished.is_err()), (others, true));
        }
        for (read, others) in [(30, 10), (28, 10), (900, 3), (999, 0)] {
            let (pairs, sum, finished) = going_on(1000, others, [NEVER, NEVER, read], size);
            let error = finished.expect_err("the source has failed");
            assert!(matches!(error.kind(), ErrorKind::Source { .. }), "{error}");
            assert_eq!((pairs, sum), (others, (0..read).sum()));
        }
    }
}
