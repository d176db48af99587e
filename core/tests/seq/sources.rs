//! Where items come from.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use ragged_core::seq::{
    After, Beside, Chunk, Indices, Limits, Rows, Source, after, beside, count, items, run, stream,
};
use ragged_core::{DenseVec, ErrorKind, Result};

use super::SITE;

#[test]
fn numbers_take_no_memory() {
    let mut sum = 0;
    run(
        count(100_000_000),
        Limits::new().memory(1000),
        |chunk: &Indices, _| {
            assert_eq!(chunk.bytes(), 0);
            let (start, end) = (chunk.start(), chunk.start() + chunk.len());
            sum += (end * end - end) / 2 - (start * start - start.min(1) * start) / 2;
            Ok(true)
        },
    )
    .expect("no errors");
    assert_eq!(sum, 100_000_000 * (100_000_000 - 1) / 2);
}

#[test]
fn sources_side_by_side_end_with_the_shortest() {
    for (short, long) in [(0, 3), (5, 5), (70, 1000), (1000, 70), (5000, 4999)] {
        let names = items::<Vec<usize>, _, _>(&SITE, "xs", 0..short);
        let lists = (0..long).map(|i| vec![i; i % 3]);
        let lists = items::<Rows<'_, usize>, _, _>(&SITE, "ys", lists);
        let mut seen = 0;
        let mut lasts = 0;
        run(
            (names, lists, count(usize::MAX)),
            Limits::new(),
            |(xs, ys, is), last| {
                let ys = ys.view();
                assert_eq!((xs.len(), is.len()), (ys.len(), ys.len()));
                for (k, (x, y)) in xs.iter().zip(ys).enumerate() {
                    assert_eq!((*x, y), (seen, &vec![seen; seen % 3][..]));
                    assert_eq!(is.start() + k, seen);
                    seen += 1;
                }
                lasts += usize::from(last);
                Ok(true)
            },
        )
        .expect("no errors");
        assert_eq!((seen, lasts), (short.min(long), 1), "{short} beside {long}");
    }
}

#[test]
fn one_source_is_read_behind_the_other() {
    for (first, second) in [(0, 0), (0, 3), (5, 0), (70, 1000), (5000, 4999)] {
        for limits in [
            Limits::new(),
            Limits::new().items(1),
            Limits::new().items(7),
        ] {
            let lists = (0..first).map(|i| vec![i; i % 3]);
            let lists = items::<Rows<'_, usize>, _, _>(&SITE, "xs", lists);
            let (mut seen, mut lasts) = (0, 0);
            run(
                after(lists, count(second)),
                limits,
                |After(xs, is), last| {
                    for x in xs.view() {
                        assert_eq!(x, &vec![seen; seen % 3][..]);
                        seen += 1;
                    }
                    assert!(is.is_empty() || seen >= first, "the second began early");
                    for i in 0..is.len() {
                        assert_eq!(first + is.start() + i, seen);
                        seen += 1;
                    }
                    lasts += usize::from(last);
                    Ok(true)
                },
            )
            .expect("no errors");
            assert_eq!((seen, lasts), (first + second, 1), "{first}, then {second}");
        }
    }
}

/// Of `xs` all are wanted, of the others as many as there are pairs: `ys` with `xs`, `is` with `ys`.
#[test]
fn sources_are_read_side_by_side_as_long_as_something_needs_them() {
    let lens = [0, 1, 5, 70, 5000];
    for (n, m) in lens.iter().flat_map(|n| lens.map(|m| (*n, m))) {
        for limits in [
            Limits::new(),
            Limits::new().items(1),
            Limits::new().items(7),
        ] {
            let read = Cell::new(0);
            let ys = (0..m).map(|i| {
                read.set(i + 1);
                vec![i; i % 3]
            });
            let sources = (
                items::<Vec<usize>, _, _>(&SITE, "xs", 0..n),
                items::<Rows<'_, usize>, _, _>(&SITE, "ys", ys),
                count(usize::MAX),
            );
            let groups = &[0b001, 0b011, 0b110];
            let (mut seen, mut of_is, mut lasts) = ((0, 0), 0, 0);
            run(beside(sources, groups), limits, |chunk, last| {
                let Beside((xs, ys, is)) = chunk;
                assert_eq!(chunk.items(), xs.len().max(ys.items()).max(is.len()));
                assert!(xs.iter().copied().eq(seen.0..seen.0 + xs.len()));
                for (at, y) in ys.view().into_iter().enumerate() {
                    assert_eq!(y, &vec![seen.1 + at; (seen.1 + at) % 3][..]);
                }
                assert!(is.is_empty() || is.start() == of_is);
                // What is longer is behind the end of the other.
                assert!(xs.len() <= ys.items() || seen.1 + ys.items() == m);
                assert!(ys.items() <= xs.len() || seen.0 + xs.len() == n);
                seen = (seen.0 + xs.len(), seen.1 + ys.items());
                of_is += is.len();
                lasts += usize::from(last);
                Ok(true)
            })
            .expect("no errors");
            // `ys` are read to their end, for they are beside numbers without end.
            assert_eq!((seen, lasts, read.get()), ((n, m), 1, m), "{n} and {m}");
            assert!(of_is >= m, "{of_is} of {m}");
        }
    }
}

#[test]
fn nothing_is_read_of_a_source_whose_groups_have_ended() {
    let read = Cell::new(0);
    let ys = (0..100_usize).inspect(|_| read.set(read.get() + 1));
    let sources = (
        items::<Vec<usize>, _, _>(&SITE, "xs", 0..10),
        items::<Vec<usize>, _, _>(&SITE, "ys", ys),
        items::<Vec<usize>, _, _>(&SITE, "zs", 0..1000),
    );
    let mut seen = 0;
    run(
        beside(sources, &[0b011, 0b100]),
        Limits::new(),
        |Beside((xs, ys, zs)), _| {
            assert!(xs.len() <= ys.len() && ys.len() <= zs.len());
            seen += zs.len();
            Ok(true)
        },
    )
    .expect("no errors");
    assert_eq!((read.get(), seen), (10, 1000));
}

#[test]
fn an_error_beside_others_comes_behind_the_items_before_it() {
    let fails = (0..100_usize).map(|i| match i {
        40 => Err("no more"),
        i => Ok(i),
    });
    for items_of_chunk in [1, 7, 1000] {
        let sources = (
            items::<Vec<usize>, _, _>(&SITE, "xs", 0..1000),
            items::<Vec<usize>, _, _>(&SITE, "ys", fails.clone()),
        );
        let mut seen = (0, 0);
        let limits = Limits::new().items(items_of_chunk);
        let error = run(
            beside(sources, &[0b01, 0b11]),
            limits,
            |Beside((xs, ys)), _| {
                seen = (seen.0 + xs.len(), seen.1 + ys.len());
                Ok(true)
            },
        )
        .expect_err("a source fails");
        assert!(error.to_string().contains("item 40 of `ys`"), "{error}");
        assert_eq!(seen, (40, 40));
    }
}

#[test]
fn chunks_have_whole_blocks_if_asked_for() {
    for n in [0, 1, 99, 100, 101, 12_345] {
        for limits in [
            Limits::new(),
            Limits::new().items(1),
            Limits::new().memory(64),
        ] {
            let plain = items::<Vec<usize>, _, _>(&SITE, "xs", 0..n);
            let beside = items::<Vec<u8>, _, _>(&SITE, "ys", (0..n + 7).map(|i| i as u8));
            let mut lens = Vec::new();
            let sources = (plain, beside, count(usize::MAX));
            run(sources, limits.in_blocks(100), |(xs, ys, is), _| {
                assert_eq!((xs.len(), is.len()), (ys.len(), ys.len()));
                lens.push(xs.len());
                Ok(true)
            })
            .expect("no errors");
            let last = lens.pop().unwrap_or(0);
            assert_eq!(lens.iter().sum::<usize>() + last, n);
            assert!(lens.iter().all(|len| len % 100 == 0), "{lens:?}");
        }
    }
}

#[test]
fn chunks_without_items_know_the_shape() {
    // So little memory that each chunk has one item, and the last one none.
    let limits = Limits::new().memory(32).items(1);
    let rows = (0..64).map(|i| [i, i]);
    let mut last_shape = None;
    let source = items::<DenseVec<i32, 2>, _, _>(&SITE, "ms", rows);
    run(source, limits.clone(), |chunk, last| {
        if last {
            last_shape = Some((chunk.shape()[0], chunk.shape()[1]));
        }
        Ok(true)
    })
    .expect("no errors");
    assert_eq!(last_shape, Some((0, 2)));
    // Also of a source that is not asked any more, since another has ended.
    let rows = || (0..64).map(|i| [i, i]);
    let first = items::<DenseVec<i32, 2>, _, _>(&SITE, "ms", rows());
    let second = items::<DenseVec<i32, 2>, _, _>(&SITE, "ns", rows());
    let mut last_shapes = None;
    run((first, second), limits, |(ms, ns), last| {
        if last {
            last_shapes = Some([ms.shape().to_vec(), ns.shape().to_vec()]);
        }
        Ok(true)
    })
    .expect("no errors");
    assert_eq!(last_shapes, Some([vec![0, 2], vec![0, 2]]));
}

#[test]
fn items_may_take_half_of_the_limit() {
    let lists = |long| (0..100).map(move |i| vec![0_u8; if i == 70 { long } else { 10 }]);
    for (long, fits) in [(400, true), (600, false)] {
        let source = items::<Rows<'_, u8>, _, _>(&SITE, "ms", lists(long));
        let mut bytes = 0;
        let got = run(source, Limits::new().memory(1000), |chunk, _| {
            bytes = bytes.max(chunk.bytes());
            Ok(true)
        });
        assert!(bytes <= 750, "{bytes}");
        match fits {
            true => got.expect("it fits"),
            false => assert_eq!(
                got.expect_err("too large").to_string(),
                "`test` at test.rs:3:8: item 70 of `ms` takes 608 bytes, but the memory limit leaves 500 for it"
            ),
        }
    }
}

#[test]
fn items_of_tuples_share_the_room() {
    let pairs = [
        (vec![0_u8; 400], vec![0_u8; 20]),
        (vec![0; 20], vec![0; 490]),
    ];
    let two = |(a, b): (Vec<u8>, Vec<u8>)| (a, b);
    let source = items::<(Rows<'_, u8>, Rows<'_, u8>), _, _>(&SITE, "ms", pairs.clone().map(two));
    let got = run(source, Limits::new().memory(1000), |_, _| Ok(true));
    assert!(matches!(
        got.expect_err("526 bytes").kind(),
        ErrorKind::ItemTooLarge { item: 1, .. }
    ));
    let [xs, ys] = [0, 1].map(|which| {
        let these = pairs
            .iter()
            .map(move |(a, b)| if which == 0 { a } else { b });
        items::<Rows<'_, u8>, _, _>(&SITE, ["xs", "ys"][which], these)
    });
    let got = run((xs, ys), Limits::new().memory(1000), |_, _| Ok(true));
    let kind = got.expect_err("526 bytes").kind().clone();
    assert!(
        matches!(
            kind,
            ErrorKind::ItemTooLarge {
                parameter: "ys",
                item: 1,
                ..
            }
        ),
        "{kind:?}"
    );
}

#[test]
fn a_source_may_be_asked_item_by_item() {
    let mut source = (
        count(2),
        items::<Vec<char>, _, _>(&SITE, "cs", "abc".chars()),
    );
    let mut chunk = Default::default();
    for more in [true, true, false] {
        assert_eq!(source.pull(&mut chunk, usize::MAX), Ok(more));
    }
    assert_eq!(chunk.1, ['a', 'b']);
}

#[test]
fn a_slow_source_is_read_while_a_step_computes() {
    let (pause, items_in_all) = (Duration::from_micros(300), 100);
    let read = AtomicUsize::new(0);
    let slow = (0..items_in_all).inspect(|i| {
        std::thread::sleep(pause);
        read.store(*i, Ordering::SeqCst);
    });
    let source = items::<Vec<usize>, _, _>(&SITE, "xs", slow);
    let mut beside = 0;
    let step = |xs: &Vec<usize>, last: bool, out: &mut Vec<usize>| {
        std::thread::sleep(pause * xs.len() as u32);
        out.extend(xs);
        // The first chunk tells how slow both are. From then on the next item comes meanwhile.
        let (Some(1..), Some(seen)) = (xs.first(), xs.last()) else {
            return Ok(true);
        };
        let is_any_left = !last && seen + 1 < items_in_all;
        while is_any_left && read.load(Ordering::SeqCst) <= *seen {
            std::thread::yield_now();
        }
        beside += 1;
        Ok(true)
    };
    let got: Result<Vec<usize>> = stream(source, Limits::new(), step).collect();
    assert!(got.is_ok_and(|got| got.into_iter().eq(0..items_in_all)));
    assert!(beside > 1, "{beside}");
}

#[test]
fn what_came_in_a_burst_does_not_wait_for_what_is_slow_after_it() {
    let (burst, slow) = (3000, 40);
    let read = AtomicUsize::new(0);
    // As a channel: how many there are is not known.
    let bursts = (0..burst + slow).filter(|i| {
        if *i >= burst {
            std::thread::sleep(Duration::from_millis(2));
        }
        read.store(*i, Ordering::SeqCst);
        true
    });
    let source = items::<Vec<usize>, _, _>(&SITE, "xs", bursts);
    let mut largest = 0;
    let step = |xs: &Vec<usize>, _last: bool, out: &mut Vec<usize>| {
        out.extend(xs);
        let slow = xs.iter().filter(|i| **i >= burst).count();
        largest = largest.max(slow);
        Ok(true)
    };
    let got: Result<Vec<usize>> = stream(source, Limits::new(), step).collect();
    assert!(got.is_ok_and(|got| got.into_iter().eq(0..burst + slow)));
    assert!(largest < slow, "all {slow} slow items came in one chunk");
}
