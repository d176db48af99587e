//! Sources that nobody wants more of are not read on, so they may be endless; and what a sequence
//! without items is collected to.

use ragged::Result;

ragged::accel! {
    pub fn some_then(xs: Seq<i64>, ys: Seq<i64>, k: usize) -> Seq<i64> { xs.take(k).chain(ys) }
    pub fn while_then(xs: Seq<i64>, ys: Seq<i64>) -> i64 {
        xs.take_while(|x| x < 1000).chain(ys.filter(|y| y > 5).take(2)).sum()
    }
    pub fn pairs_then(xs: Seq<i64>, ys: Seq<i64>, zs: Seq<i64>) -> i64 {
        zip(xs, ys).map(|(x, y)| x * y).chain(zs).sum()
    }
    pub fn evens_and_all(xs: Seq<i64>, ys: Seq<i64>, k: usize) -> (i64, i64) {
        (xs.chain(ys).filter(|x| x % 2 == 0).take(k).sum(), xs.sum())
    }
    pub fn dot_and_all(xs: Seq<i64>, ys: Seq<i64>, zs: Seq<i64>) -> (i64, i64) {
        (zip(xs.filter(|x| x % 2 == 0).chain(ys), zs).map(|(x, z)| x * z).sum(), xs.sum())
    }
    pub fn first(xs: Seq<i64>, k: usize) -> Seq<i64> { xs.map(|x| x + 1).take(k) }
    pub fn windows(xs: Seq<i64>, k: usize) -> [i64] {
        xs.skip(2).windows(3).map(|w| w.sum()).take(k).collect()
    }
    pub fn pieces(xs: Seq<f64>, k: usize) -> f64 {
        let some = xs.chunks(5).take(k);
        some.map(|piece| piece.sum()).sum()
    }
    pub fn prefixes(xs: Seq<i64>, k: usize) -> i64 { xs.scan(|a, b| a + b).take(k).last_or(0) }
    pub fn of_blocks(xs: Seq<f64>, k: usize) -> f64 { xs.scan(|a, b| a + b).take(k).sum() }
    pub fn pairs(xs: Seq<i64>, ys: Seq<i64>, k: usize) -> i64 {
        zip(xs.enumerate(), ys).map(|((i, x), y)| i as i64 + x * y).take(k).sum()
    }
    pub fn both_ends(xs: Seq<i64>, j: usize, k: usize) -> (i64, [i64]) {
        (xs.take(j).sum(), xs.skip(1).take(k).collect())
    }
    pub fn behind(xs: Seq<i64>, ys: Seq<i64>, k: usize) -> Seq<i64> { xs.chain(ys).take(k) }
    pub fn then_some(xs: Seq<i64>, ys: Seq<i64>, j: usize, k: usize) -> Seq<i64> {
        xs.take(j).chain(ys.take(k))
    }
    pub fn rows_of(xs: Seq<[f32; n]>, k: usize) -> [[f32; n]] { xs.take(k).collect() }
    pub fn numbers() -> Seq<usize> { produce(|i| 2 * i) }

    pub fn rows(xs: Seq<[f32; 3]>) -> [[f32; 3]] { xs.collect() }
    pub fn matrices(xs: Seq<[[f32; k]; 2]>, ws: [f32; k]) -> [[[f32; k]; 2]] {
        xs.map(|m| m.map(|row| zip(row, ws).map(|(x, w)| x * w))).collect()
    }
    pub fn both(xs: Seq<[f32; n]>, ys: Seq<[f32; n]>, n: usize) -> [[f32; n]] { xs.chain(ys).collect() }
}

#[test]
fn what_is_taken_of_an_endless_source_may_be_followed() {
    let joined: Result<Vec<i64>> = some_then(0.., 7..9, 3).and_then(Iterator::collect);
    assert_eq!(joined, Ok(vec![0, 1, 2, 7, 8]));
    assert_eq!(while_then(0.., 0..), Ok(499_500 + 6 + 7));
    assert_eq!(pairs_then(0.., 0..4, 10..=10), Ok(1 + 4 + 9 + 10));
    assert_eq!(pairs_then(0..4, 0.., 10..=10), Ok(1 + 4 + 9 + 10));
}

#[test]
fn what_comes_behind_is_not_read_on_since_the_first_one_was() {
    for n in [0, 3, 10, 100_000] {
        let all = n * (n - 1) / 2;
        assert_eq!(evens_and_all(0..n, 0.., 2), Ok((2, all)));
        assert_eq!(
            dot_and_all(0..n, 2.., [1, 1]),
            Ok((if n < 3 { 5 } else { 2 }, all))
        );
    }
    let torn = || [Ok(2), Ok(4), Err("torn")];
    assert_eq!(evens_and_all(0..3, torn(), 4), Ok((8, 3)));
    assert!(evens_and_all(0..3, torn(), 5).is_err());
}

#[test]
fn a_thread_that_reads_stops_as_well() {
    let mut all = Vec::new();
    let ended = some_then::for_each(0.., 7..9, 100_000, |x| {
        all.push(x);
        Ok::<(), std::fmt::Error>(())
    });
    assert_eq!(ended, Ok(()));
    assert!(all.iter().copied().eq((0..100_000).chain(7..9)));
}

/// `0..n`, of which nobody may ask for more: the next one may never come.
fn just(n: i64) -> impl Iterator<Item = i64> + Send {
    (0..).inspect(move |i| assert!(*i < n, "item {i} of {n} is asked for"))
}

fn just_floats(n: i64) -> impl Iterator<Item = f64> {
    just(n).map(|i| i as f64)
}

fn all<T, I: Iterator<Item = Result<T>>>(items: Result<I>) -> Result<Vec<T>> {
    items.and_then(Iterator::collect)
}

#[test]
fn no_item_behind_the_last_that_is_taken_is_asked_for() {
    for k in [0, 1, 2, 7, 100, 5000, 16_384, 20_000] {
        let n = k as i64;
        let ahead = |more| if k == 0 { 0 } else { n + more };
        assert!(all(first(just(n), k)).is_ok_and(|it| it.into_iter().eq(1..=n)));
        let sums = (0..n).map(|i| 3 * i + 9).collect();
        assert_eq!(windows(just(ahead(4)), k), Ok(sums));
        let sum = (0..5 * n).sum::<i64>() as f64;
        assert_eq!(pieces(just_floats(5 * n), k), Ok(sum));
        assert_eq!(prefixes(just(n), k), Ok((0..n).sum()));
        let blocks = k.next_multiple_of(16_384) as i64;
        assert!(of_blocks(just_floats(blocks), k).is_ok());
        assert_eq!(
            pairs(just(n), just(n), k),
            Ok((0..n).map(|i| i + i * i).sum())
        );
        assert_eq!(both_ends(just(ahead(1)), 3.min(k), k), {
            Ok(((0..n.min(3)).sum(), (1..=n).collect()))
        });
        let joined = (0..2).chain(0..n).take(k);
        assert!(
            all(behind(0..2, just(ahead(-2).max(0)), k)).is_ok_and(|it| it.into_iter().eq(joined))
        );
        let joined = (0..n).chain(0..n);
        assert!(all(then_some(just(n), just(n), k, k)).is_ok_and(|it| it.into_iter().eq(joined)));
    }
    let rows = just(5).map(|i| [i as f32; 3]);
    assert_eq!(rows_of(rows, 5).map(|it| it.dim()), Ok((5, 3)));
    let rows = just(0).map(|i| [i as f32; 3]);
    assert!(rows_of(rows, 0).is_ok_and(|it| it.is_empty()));
}

#[test]
fn a_thread_asks_for_no_item_behind_the_last_that_is_taken() {
    for k in [0, 1, 100, 20_000] {
        let mut all = Vec::new();
        let ended = then_some::for_each(just(k as i64), just(3), k, 3, |x| {
            all.push(x);
            Ok::<(), std::fmt::Error>(())
        });
        assert_eq!(ended, Ok(()));
        assert!(all.into_iter().eq((0..k as i64).chain(0..3)));
    }
}

#[test]
fn a_result_may_be_endless() {
    let first: Result<Vec<usize>> = numbers()
        .map(|all| all.take(100_000))
        .and_then(Iterator::collect);
    assert!(first.is_ok_and(|it| it.into_iter().eq((0..100_000).map(|i| 2 * i))));
}

#[test]
fn no_items_have_a_shape() {
    let none = || std::iter::empty::<Vec<f32>>();
    assert_eq!(rows(none()).map(|it| it.dim()), Ok((0, 3)));
    assert_eq!(both(none(), none(), 4).map(|it| it.dim()), Ok((0, 4)));
    assert_eq!(
        matrices(std::iter::empty::<[[f32; 2]; 2]>(), &[1.0, 2.0]).map(|it| it.dim()),
        Ok((0, 2, 2))
    );
}
