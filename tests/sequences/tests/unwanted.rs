//! An error in the place of an item that nobody wants is not seen, whatever chunks there are, and one in the
//! place of an item that is wanted always is.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use ragged::seq::Limits;
use ragged::{ErrorKind, Result};

ragged::accel! {
    pub fn first_of_two(xs: Seq<i64>, ys: Seq<i64>) -> (i64, i64) {
        let few = zip(xs, ys).take_while(|(x, _)| x < 5);
        (few.map(|(x, y)| x + 10 * y).sum(), ys.sum())
    }
    pub fn second_of_two(xs: Seq<i64>, ys: Seq<i64>) -> (i64, i64) {
        let few = zip(ys, xs).take_while(|(_, x)| x < 5);
        (few.map(|(y, x)| x + 10 * y).sum(), ys.sum())
    }
    pub fn between(xs: Seq<i64>, ys: Seq<i64>, zs: Seq<i64>) -> (i64, i64) {
        let few = zip(ys, xs).take_while(|(_, x)| x < 5);
        (few.map(|(y, x)| x + 10 * y).sum(), zip(ys, zs).map(|(y, z)| y * z).sum())
    }
    pub fn two_of_three(xs: Seq<i64>, ys: Seq<i64>, zs: Seq<i64>) -> (i64, i64, i64) {
        let few = zip(xs, zs).take_while(|(x, _)| x < 5).map(|(x, _)| x);
        let some = zip(ys, zs).take_while(|(y, _)| y < 5).map(|(y, _)| y);
        (few.sum(), some.sum(), zs.sum())
    }
    pub fn computed(xs: Seq<i64>, ys: Seq<i64>, zs: Seq<i64>) -> (i64, i64) {
        let whole = xs.flat_map(|x| [100 / x]);
        let few = zip(ys, whole).take_while(|(_, x)| x > 5);
        (few.map(|(y, x)| x + y).sum(), zip(ys, zs).map(|(y, z)| y * z).sum())
    }
    pub fn rows_beside(xs: Seq<[i64]>, rows: Seq<[i64; n]>, ws: [i64; n], zs: Seq<i64>) -> (i64, [i64; n]) {
        let few = zip(zs, xs).take_while(|(_, row)| row.sum() < 5).map(|(z, row)| z + row.sum());
        (few.sum(), zip(zs, rows).fold(ws, |a, (z, b)| zip(a, b).map(|(a, b)| a + b + z)))
    }
    pub fn behind(xs: Seq<i64>, ys: Seq<i64>, zs: Seq<i64>) -> (i64, i64) {
        (ys.take(3).chain(xs).take_while(|x| x < 5).sum(), zs.sum())
    }
    pub fn behind_three(xs: Seq<i64>, ys: Seq<i64>, zs: Seq<i64>) -> (i64, i64) {
        (ys.take(3).chain(xs).take(3).sum(), zs.sum())
    }
    pub fn then(xs: Seq<i64>, ys: Seq<i64>) -> Seq<i64> { xs.take_while(|x| x < 5).chain(ys) }
    pub fn ended(xs: Seq<i64>, ys: Seq<i64>) -> (i64, i64) {
        (zip(xs.filter(|x| x > 1), ys).map(|(x, y)| x * y).sum(), xs.take(4).sum())
    }
    pub fn ended_small(xs: Seq<i64>, ys: Seq<i8>) -> (i64, i64) {
        (zip(xs.filter(|x| x > 1), ys).map(|(x, y)| x * y as i64).sum(), xs.take(4).sum())
    }
    pub fn ended_rows(xs: Seq<[i64; n]>, ys: Seq<i64>) -> (i64, i64) {
        let sums = xs.map(|row| row.sum());
        (zip(sums.filter(|x| x > 1), ys).map(|(x, y)| x * y).sum(), sums.take(4).sum())
    }
}

type Torn = std::vec::IntoIter<std::result::Result<i64, &'static str>>;

/// These, then an error.
fn torn(all: Vec<i64>) -> Torn {
    let all: Vec<_> = all.into_iter().map(Ok).chain([Err("torn")]).collect();
    all.into_iter()
}

fn torn_never(n: i64) -> Torn {
    (0..n).map(Ok).collect::<Vec<_>>().into_iter()
}

fn each_limit(check: impl Fn(&Limits)) {
    for items in [1, 2, 3, 4, 5, 7, 1000, usize::MAX] {
        check(&Limits::new().items(items));
    }
}

fn is_torn<T: std::fmt::Debug>(result: Result<T>) {
    let error = result.expect_err("what is wanted is torn");
    assert!(matches!(error.kind(), ErrorKind::Source { .. }), "{error}");
}

const SUM: i64 = 499_500;

#[test]
fn an_error_beside_what_goes_on() {
    each_limit(|limits| {
        let with = || limits.clone();
        for run in [first_of_two::with, second_of_two::with] {
            assert_eq!(
                run(with(), torn(vec![1, 2, 9]), torn_never(1000)),
                Ok((13, SUM))
            );
            is_torn(run(with(), torn(vec![1, 2]), torn_never(1000)));
            is_torn(run(with(), torn(vec![1, 9]), torn(vec![1, 2, 3])));
        }
    });
}

#[test]
fn what_is_read_together_stays_together() {
    let products = (0..100).map(|i| i * (i + 1)).sum();
    each_limit(|limits| {
        let with = || limits.clone();
        for (xs, sum) in [([9, 9, 9], 0), ([1, 9, 9], 1), ([1, 2, 9], 13)] {
            let all = between::with(with(), torn(xs.to_vec()), 0..100, 1..102);
            assert_eq!(all, Ok((sum, products)));
        }
        let two = |xs: &[i64], ys: &[i64]| {
            two_of_three::with(with(), torn(xs.to_vec()), torn(ys.to_vec()), 0..1000)
        };
        assert_eq!(two(&[1, 9], &[2, 8]), Ok((1, 2, SUM)));
        assert_eq!(two(&[1, 9], &[2, 2, 2, 8]), Ok((1, 6, SUM)));
        assert_eq!(two(&[1, 1, 1, 9], &[2, 8]), Ok((3, 2, SUM)));
        is_torn(two(&[1, 9], &[2, 2, 2]));
        is_torn(two(&[1, 1, 1], &[2, 8]));
        let (xs, ys) = (torn(vec![1, 9]), torn(vec![2, 8]));
        is_torn(two_of_three::with(with(), xs, ys, torn(vec![0; 50])));
    });
}

#[test]
fn what_fails_as_it_is_computed() {
    each_limit(|limits| {
        let with = |xs: &[i64]| computed::with(limits.clone(), torn(xs.to_vec()), 0..100, 1..102);
        let products = (0..100).map(|i| i * (i + 1)).sum();
        assert_eq!(with(&[2, 50, 0]), Ok((50, products)));
        assert_eq!(with(&[2, 50]), Ok((50, products)));
        assert_eq!(with(&[2, 5, 50]), Ok((71, products)));
        is_torn(with(&[2, 4]));
        let error = with(&[2, 4, 0]).expect_err("a division by zero");
        assert_eq!(error.kind(), &ErrorKind::DivisionByZero);
    });
}

#[test]
fn arrays_beside_an_error() {
    let rows = || [Ok(vec![1, 2]), Ok(vec![7]), Err("torn")];
    each_limit(|limits| {
        let others = [[1, 2], [3, 4], [5, 6]];
        let all = rows_beside::with(limits.clone(), rows(), others, &[0, 1], 0..1000);
        assert_eq!(all, Ok((3, vec![12, 16])));
    });
}

#[test]
fn an_error_behind_in_a_chain() {
    each_limit(|limits| {
        let with = || limits.clone();
        assert_eq!(
            behind::with(with(), torn(vec![9]), 1..4, 0..1000),
            Ok((6, SUM))
        );
        assert_eq!(
            behind::with(with(), torn(vec![]), [1, 9, 1, 1], 0..1000),
            Ok((1, SUM))
        );
        is_torn(behind::with(with(), torn(vec![]), 1..4, 0..1000));
        assert_eq!(
            behind_three::with(with(), torn(vec![]), 1..4, 0..1000),
            Ok((6, SUM))
        );
        is_torn(behind_three::with(with(), torn(vec![]), 1..3, 0..1000));
        let all = then::with(with(), torn(vec![1, 2, 9]), 0..1000);
        let all: Result<Vec<i64>> = all.and_then(Iterator::collect);
        assert!(all.is_ok_and(|it| it.into_iter().eq([1, 2].into_iter().chain(0..1000))));
    });
}

#[test]
fn a_thread_that_reads_goes_on_as_well() {
    each_limit(|limits| {
        let mut all = Vec::new();
        let mut each = |xs, ys| {
            all.clear();
            let take = |x| {
                all.push(x);
                Ok::<(), std::fmt::Error>(())
            };
            let ended = then::for_each_with(limits.clone(), torn(xs), ys, take);
            (all.clone(), ended)
        };
        let (given, ended) = each(vec![1, 2, 9], torn(vec![6, 7]));
        assert_eq!(given, [1, 2, 6, 7]);
        is_torn(ended);
        let (given, ended) = each(vec![1, 9, 9], torn(vec![6, 7]));
        assert_eq!(given, [1, 6, 7]);
        is_torn(ended);
        let (given, ended) = each(vec![1, 2, 3], torn(vec![6, 7]));
        assert_eq!(given, [1, 2, 3]);
        is_torn(ended);
    });
}

#[test]
fn what_a_zip_has_left_is_not_wanted_by_others() {
    each_limit(|limits| {
        let with = || limits.clone();
        assert_eq!(
            ended::with(with(), torn(vec![1, 2, 3, 4, 5, 6]), [1, 1]),
            Ok((5, 10))
        );
        assert_eq!(
            ended::with(with(), torn(vec![1, 2, 3, 4]), [1, 1]),
            Ok((5, 10))
        );
        is_torn(ended::with(with(), torn(vec![1, 2, 3]), [1, 1]));
        let rows = |n| (1..=n).map(|i| Ok([i, 0])).chain([Err("torn")]);
        assert_eq!(ended_rows::with(with(), rows(6), [1, 1]), Ok((5, 10)));
        assert_eq!(ended_rows::with(with(), rows(4), [1, 1]), Ok((5, 10)));
        is_torn(ended_rows::with(with(), rows(3), [1, 1]));
    });
}

/// Nothing is read ahead where the limit leaves no room for a second chunk.
#[test]
fn a_source_that_stays_open_is_not_waited_for_when_nobody_wants_more() {
    let (give, items) = mpsc::channel();
    (1..=4).for_each(|x| give.send(x).expect("it is open"));
    let (done, end) = mpsc::channel();
    let limits = Limits::new().items(1).memory(48);
    thread::spawn(move || done.send(ended_small::with(limits, items, [1, 1])));
    let ended = end.recv_timeout(Duration::from_secs(20));
    assert_eq!(ended, Ok(Ok((5, 10))));
    drop(give);
}
