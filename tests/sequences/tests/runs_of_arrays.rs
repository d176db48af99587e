//! Scans and reductions of sequences of arrays over the ends of blocks: the bits of those of an array.

use ragged::accel;

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
