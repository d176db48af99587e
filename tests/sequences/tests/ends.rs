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
fn a_thread_that_reads_stops_as_well() {
    let mut all = Vec::new();
    let ended = some_then::for_each(0.., 7..9, 100_000, |x| {
        all.push(x);
        Ok::<(), std::fmt::Error>(())
    });
    assert_eq!(ended, Ok(()));
    assert!(all.iter().copied().eq((0..100_000).chain(7..9)));
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
