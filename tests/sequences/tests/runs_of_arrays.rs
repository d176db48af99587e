//! Scans and reductions of sequences of arrays over the ends of blocks: the bits of those of an array.

use ragged::accel;
use ragged::seq::Limits;

accel! {
    fn plus(a: [f64], b: [f64]) -> [f64] { zip(a, b).map(|(x, y)| x + y) }
    fn behind(a: [f64], b: [f64]) -> [f64] { zip(a, b).map(|(x, y)| x * 0.75 + y * 0.25) }

    pub fn sums(xs: Seq<[f64; 2]>) -> [[f64]] { xs.scan(plus).collect() }
    pub fn sums_of_array(xs: [[f64; 2]]) -> [[f64]] { xs.scan(plus) }
    pub fn sums_from(xs: Seq<[f64; 2]>, from: [f64]) -> [[f64]] { xs.prescan(from, plus).collect() }
    pub fn sums_of_array_from(xs: [[f64; 2]], from: [f64; 2]) -> [[f64]] { xs.prescan(from, plus) }
    pub fn smoothed(xs: Seq<[f64; 2]>) -> [[f64]] { xs.scan(behind).collect() }
    pub fn smoothed_array(xs: [[f64; 2]]) -> [[f64]] { xs.scan(behind) }
    pub fn smoothed_from(xs: Seq<[f64; 2]>, from: [f64]) -> [[f64]] { xs.prescan(from, behind).collect() }
    pub fn smoothed_array_from(xs: [[f64; 2]], from: [f64; 2]) -> [[f64]] { xs.prescan(from, behind) }
    pub fn longest(xs: Seq<[f64]>) -> [usize] { xs.scan(longer).map(|x| x.len()).collect() }
    fn longer(a: [f64], b: [f64]) -> [f64] { if a.len() < b.len() { b } else { a } }
    pub fn some_sums(xs: Seq<[f64; 2]>) -> [(f64, [f64])] {
        xs.filter(|x| x[0] < 0.5)
            .map(|x| (x[0], x))
            .scan(|a, b| (a.0 + b.0, plus(a.1, b.1)))
            .collect()
    }
    pub fn some_sums_of_array(xs: [[f64; 2]]) -> [(f64, [f64])] {
        xs.filter(|x| x[0] < 0.5)
            .map(|x| (x[0], x))
            .scan(|a, b| (a.0 + b.0, plus(a.1, b.1)))
    }
    pub fn total(xs: Seq<[f64; 2]>, from: [f64]) -> [f64] { xs.reduce(from, plus) }
    pub fn total_of_array(xs: [[f64; 2]], from: [f64; 2]) -> [f64] { xs.reduce(from, plus) }
}

fn rows(n: usize) -> Vec<[f64; 2]> {
    let number = |i: usize| 1.0 / (1 + i * 7919 % 1013) as f64;
    (0..n).map(|i| [number(i), number(i + 500)]).collect()
}

fn flat(rows: impl IntoIterator<Item = impl AsRef<[f64]>>) -> Vec<u64> {
    let rows = rows.into_iter();
    rows.flat_map(|row| row.as_ref().iter().map(|x| x.to_bits()).collect::<Vec<_>>())
        .collect()
}

#[test]
fn prefixes_and_totals_go_on_behind_the_end_of_a_block() {
    let from = [0.1, 0.3];
    for n in [1, 16384, 16385, 2 * 16384 + 70] {
        let xs = rows(n);
        let own = |rows: ragged::Result<ragged::Ragged<f64>>| flat(rows.unwrap().iter());
        assert_eq!(own(sums(&xs)), own(sums_of_array(&xs)), "{n} sums");
        assert_eq!(
            own(sums_from(&xs, &from)),
            own(sums_of_array_from(&xs, &from)),
            "{n} sums from a start"
        );
        assert_eq!(own(smoothed(&xs)), own(smoothed_array(&xs)), "{n} smoothed");
        assert_eq!(
            own(smoothed_from(&xs, &from)),
            own(smoothed_array_from(&xs, &from)),
            "{n} smoothed from a start"
        );
        let [p, q] = [total(&xs, &from), total_of_array(&xs, &from)].map(Result::unwrap);
        assert_eq!(p, q, "{n} in total");
    }
}

#[test]
fn the_ends_of_chunks_make_no_difference_behind_a_block() {
    let (n, from) = (16384 + 300, [0.1, 0.3]);
    let xs = rows(n);
    let own = |rows: ragged::Result<ragged::Ragged<f64>>| flat(rows.unwrap().iter());
    let some = format!("{:?}", some_sums_of_array(&xs));
    for items in [64, 100, 9999] {
        let limits = || Limits::new().items(items);
        let array = own(sums_of_array(&xs));
        assert_eq!(own(sums::with(limits(), &xs)), array, "{items} sums");
        let array = own(smoothed_array_from(&xs, &from));
        let sequence = own(smoothed_from::with(limits(), &xs, &from));
        assert_eq!(sequence, array, "{items} smoothed");
        let sequence = format!("{:?}", some_sums::with(limits(), &xs));
        assert_eq!(sequence, some, "{items} behind a filter");
    }
}

#[test]
fn arrays_of_any_lengths_are_carried_over_blocks() {
    let n = 16384 + 300;
    let rows: Vec<Vec<f64>> = (0..n).map(|i| vec![0.0; i * i % 61 + i / 16384]).collect();
    let mut most = 0;
    let wanted: Vec<usize> = rows
        .iter()
        .map(|row| {
            most = most.max(row.len());
            most
        })
        .collect();
    let limits = Limits::new().items(1000);
    assert_eq!(longest::with(limits, &rows), Ok(wanted));
}
