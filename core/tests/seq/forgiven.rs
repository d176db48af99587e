//! Sources that fail where nobody wants more of them, while others go on.

use std::cell::RefCell;

use ragged_core::seq::{
    After, Beside, End, Limits, Source, after, at_most, beside, items, nested, run, stream, until,
};
use ragged_core::{ErrorKind, Result};

use super::SITE;

/// The numbers below `n`, then an error.
fn torn(parameter: &'static str, n: usize) -> impl Source<Chunk = Vec<usize>> {
    let numbers = (0..=n).map(move |i| if i == n { Err("torn") } else { Ok(i) });
    items(&SITE, parameter, numbers)
}

fn numbers(n: usize) -> impl Source<Chunk = Vec<usize>> {
    items(&SITE, "numbers", 0..n)
}

/// The same of a sequence whose results are items.
fn computed(n: usize, limits: &Limits) -> impl Source<Chunk = Vec<usize>> + use<> {
    let step = |chunk: &Vec<usize>, _last, out: &mut Vec<usize>| {
        out.extend(chunk);
        Ok(true)
    };
    nested(&SITE, stream(torn("within", n), limits.clone(), step))
}

/// What has come of three sources of which the first and the second are wanted as long as their numbers are small:
/// all of it.
fn three<A, B, C>(sources: (A, B, C), most: [usize; 2], limits: &Limits) -> (Result<()>, [usize; 3])
where
    A: Source<Chunk = Vec<usize>>,
    B: Source<Chunk = Vec<usize>>,
    C: Source<Chunk = Vec<usize>>,
{
    let ends = [End::default(), End::default()];
    let (first, second, third) = sources;
    let first = until(first, ends[0].clone());
    let second = until(second, ends[1].clone());
    let seen = RefCell::new([0; 3]);
    let source = beside((first, third, second), &[0b001, 0b010, 0b100]);
    let mut all: [Vec<usize>; 3] = Default::default();
    let ended = run(source, limits.clone(), |Beside((xs, zs, ys)), _| {
        for (at, new) in [xs, ys, zs].into_iter().enumerate() {
            all[at].extend(new);
        }
        for (end, (all, most)) in ends.iter().zip(all.iter().zip(most)) {
            if all.len() >= most {
                end.set();
            }
        }
        Ok(true)
    });
    for (at, all) in all.iter().enumerate() {
        assert!(all.iter().copied().eq(0..all.len()), "none is missing");
        seen.borrow_mut()[at] = all.len();
    }
    (ended, seen.into_inner())
}

fn each_limit(check: impl Fn(&Limits)) {
    for size in [1, 2, 3, 5, 8, 1000] {
        check(&Limits::new().items(size));
    }
}

fn is_of(ended: Result<()>, failed: &str) {
    let error = ended.expect_err("it is wanted");
    let is_source = matches!(error.kind(), ErrorKind::Source { .. });
    assert!(is_source && error.to_string().contains(failed), "{error}");
}

#[test]
fn others_go_on_with_no_item_missing() {
    each_limit(|limits| {
        for (n, m) in [(0, 0), (0, 4), (4, 0), (3, 3), (3, 7), (7, 3), (20, 4)] {
            let sources = (torn("xs", n), torn("ys", m), numbers(50));
            let (ended, seen) = three(sources, [n, m], limits);
            if n > 0 && m > 0 {
                assert_eq!((ended, seen), (Ok(()), [n, m, 50]));
            } else {
                // The step has not said before that it wants none.
                is_of(ended, if n == 0 { "xs" } else { "ys" });
            }
        }
    });
}

#[test]
fn what_is_wanted_still_fails() {
    each_limit(|limits| {
        let sources = || (torn("xs", 4), torn("ys", 6), numbers(50));
        let (ended, seen) = three(sources(), [5, 6], limits);
        is_of(ended, "xs");
        assert_eq!(seen, [4; 3]);
        let (ended, seen) = three(sources(), [4, 7], limits);
        is_of(ended, "ys");
        assert_eq!(seen, [4, 6, 6]);
        let sources = (torn("xs", 4), torn("ys", 6), torn("zs", 8));
        let (ended, seen) = three(sources, [4, 6], limits);
        is_of(ended, "zs");
        assert_eq!(seen, [4, 6, 8]);
    });
}

#[test]
fn two_that_fail_in_one_round_are_forgiven_one_by_one() {
    each_limit(|limits| {
        for most in [[4, 4], [4, 5], [5, 4]] {
            for which in 0..3 {
                let ended = match which {
                    0 => three(
                        (computed(4, limits), computed(4, limits), numbers(9)),
                        most,
                        limits,
                    ),
                    1 => three(
                        (computed(4, limits), torn("ys", 4), numbers(9)),
                        most,
                        limits,
                    ),
                    _ => three(
                        (torn("xs", 4), computed(4, limits), numbers(9)),
                        most,
                        limits,
                    ),
                };
                match most {
                    [4, 4] => assert_eq!(ended, (Ok(()), [4, 4, 9])),
                    _ => {
                        is_of(ended.0, "");
                        assert_eq!(ended.1, [4, 4, 4]);
                    }
                }
            }
        }
    });
}

#[test]
fn what_comes_behind_is_read_on() {
    each_limit(|limits| {
        for (n, forgives) in [(4, true), (5, false)] {
            let end = End::default();
            let first = until(at_most(torn("xs", 4), 100), end.clone());
            let mut all = Vec::new();
            let source = after(first, numbers(6));
            let ended = run(source, limits.clone(), |After(xs, ys), _| {
                all.extend(xs.iter().chain(ys));
                if all.len() >= n {
                    end.set();
                }
                Ok(true)
            });
            match forgives {
                true => assert_eq!((ended, all), (Ok(()), (0..4).chain(0..6).collect())),
                false => is_of(ended, "xs"),
            }
        }
    });
}

#[test]
fn what_comes_behind_beside_others_is_read_in_the_same_round() {
    each_limit(|limits| {
        let end = End::default();
        let first = after(until(torn("xs", 4), end.clone()), numbers(6));
        let source = beside((first, numbers(50)), &[0b01, 0b10]);
        let (mut all, mut others, mut pairs) = (Vec::<usize>::new(), 0, 0);
        let ended = run(source, limits.clone(), |Beside((After(xs, ys), zs)), _| {
            let new = xs.iter().chain(ys);
            all.extend(new);
            others += zs.len();
            pairs += (xs.len() + ys.len()).min(zs.len());
            if all.len() >= 4 {
                end.set();
            }
            Ok(true)
        });
        assert_eq!(ended, Ok(()));
        assert!(all.into_iter().eq((0..4).chain(0..6)));
        assert_eq!((others, pairs), (50, 10), "none came too late");
    });
}
