//! Mistakes with sequences.

use ragged::accel;

accel! {
    pub fn backwards(xs: Seq<f32>) -> [f32] { xs.rev() }
    pub fn at(xs: Seq<f32>) -> f32 { xs[0] }
    pub fn field(xs: Seq<(f32, f32)>) -> f32 { xs.x }
    pub fn many(xs: [Seq<f32>]) -> f32 { 1.0 }
    pub fn pair(xs: (Seq<f32>, f32)) -> f32 { 1.0 }
    pub fn annotated(xs: [f32]) -> f32 { let ys: [Seq<f32>] = xs; 1.0 }
    pub fn annotated_pair(xs: [f32]) -> f32 { let ys: (f32, Seq<f32>) = (1.0, xs); 1.0 }
    pub fn made() -> Seq<usize> { produce(1, 2, |i| i) }
    pub fn collected(xs: [f32]) -> [f32] { xs.map(|x| x + 1.0).collect() }
    pub fn elements_of(x: f32) -> [f32] { x.elements() }
    pub fn mixed(xs: Seq<f32>, ys: [f32]) -> f32 { zip(xs, ys).map(|(x, y)| x * y).sum() }
    pub fn array(xs: Seq<f32>) -> [f32] { xs }
    pub fn stream_of(xs: [f32]) -> Seq<f32> { xs }
}

accel! {
    pub fn pattern(a @ b: Seq<f32>) -> f32 { 1.0 }
    pub fn apart(xs: Seq<f32>) -> f32 { let a @ b = xs; 1.0 }
    pub fn chosen(xs: Seq<f32>, c: bool) -> f32 { if c { xs.sum() } else { 0.0 } }
    pub fn again(rows: [[f32]], xs: Seq<f32>) -> [f32] { rows.map(|row| row.sum() + xs.sum()) }
    pub fn within(xs: Seq<f32>, ys: Seq<f32>) -> Seq<f32> { xs.map(|x| x + ys.sum()) }
    pub fn paired(xs: Seq<f32>) -> usize { let both = (xs, 1.0); 3 }
    pub fn shares(xs: Seq<f32>) -> Seq<f32> { let total = xs.sum(); xs.map(|x| x / total) }
    pub fn deviation(xs: Seq<f64>) -> f64 {
        let mean = xs.sum() / xs.count(|_| true) as f64;
        xs.map(|x| (x - mean) * (x - mean)).sum()
    }
    pub fn with_length(xs: Seq<usize>) -> Seq<usize> {
        let n = xs.count(|_| true) + 1;
        xs.map(|x| x + n)
    }
    pub fn beside(xs: Seq<f64>, ys: Seq<[f64; n]>) -> ([(f64, [f64; n])], f64) {
        let sums = ys.scan(|a, b| zip(a, b).map(|(x, y)| x + y));
        (zip(xs, sums).collect(), zip(xs, ys).map(|(x, y)| x * y.sum()).sum())
    }
    pub fn fewer(xs: Seq<f64>, ys: Seq<f64>) -> (f64, f64) {
        (zip(xs.filter(|x| x > 0.0), ys).map(|(x, y)| x * y).sum(), zip(xs, ys).map(|(x, y)| x + y).sum())
    }
    pub fn fewer_beside(xs: Seq<f64>, ys: Seq<f64>) -> Seq<f64> {
        let dot = zip(xs.filter(|x| x > 0.0), ys).map(|(x, y)| x * y).sum();
        xs.map(|x| 2.0 * x)
    }
    pub fn fewer_twice(xs: Seq<f64>, ys: Seq<f64>, zs: Seq<f64>) -> (f64, f64, f64) {
        let some = zip(xs.filter(|x| x > 0.0), ys).map(|(x, y)| x * y).sum();
        (some, zip(xs.chunks(2).map(|c| c.sum()), zs).map(|(x, z)| x * z).sum(), xs.sum())
    }
    pub fn fewer_of_one(xs: Seq<f64>) -> f64 {
        zip(xs, xs.filter(|x| x > 0.0)).map(|(x, y)| x * y).sum()
    }
    pub fn first_three(xs: Seq<f64>) -> Seq<(f64, f64)> { zip(xs.take(3).map(|x| -x), xs) }
    pub fn first_ones(xs: Seq<f64>) -> Seq<(f64, f64)> {
        zip(xs.take_while(|x| x > 0.0), xs)
    }
    pub fn neighbours(xs: Seq<f64>) -> Seq<f64> { zip(xs, xs.skip(1)).map(|(x, y)| y - x) }
    pub fn twice_each(xs: Seq<f64>) -> Seq<(f64, f64)> {
        zip(xs, xs.flat_map(|x| [x, x]))
    }
    pub fn pieces(xs: Seq<f64>, ys: Seq<f64>) -> Seq<f64> {
        zip(zip(xs, ys).chunks(10), ys).map(|(both, y)| both.map(|(a, b)| a * b * y).sum())
    }
    pub fn above_total(xs: Seq<f64>, ys: Seq<f64>) -> f64 {
        let total = ys.sum();
        zip(xs.filter(|x| x > total), ys).map(|(x, y)| x * y).sum()
    }
    pub fn cut_rows(xs: Seq<[f64; n]>, ys: Seq<usize>) -> Seq<[f64; n]> {
        zip(xs.map(|x| x.map(|v| v + 1.0)).filter(|x| x[0] > 0.0), ys).map(|(x, y)| x[..y])
    }
    pub fn doubled(xs: Seq<f64>) -> Seq<f64> { xs.chain(xs.map(|x| -x)) }
    pub fn stacked(xs: Seq<[f64; n]>, ys: Seq<[f64; m]>) -> [[f64]] {
        xs.map(|x| x.map(|v| -v)).chain(ys).collect()
    }
    pub fn behind_all(ys: Seq<usize>) -> Seq<usize> { produce(|i| 2 * i).filter(|i| i % 3 == 0).chain(ys) }
    pub fn forever() -> usize { produce(|i| 2 * i).filter(|i| i % 3 == 0).max() }
    pub fn all_pairs() -> [(usize, usize)] { zip(produce(|i| i), produce(|i| 2 * i)).collect() }
    pub fn beside_and_behind(xs: Seq<f64>, ys: Seq<f64>) -> (f64, f64) {
        (zip(xs, ys).map(|(x, y)| x * y).sum(), xs.chain(ys).sum())
    }
    pub fn two_behind(xs: Seq<f64>, ys: Seq<f64>, zs: Seq<f64>) -> (f64, f64) {
        (xs.chain(ys).sum(), xs.chain(zs).sum())
    }
    pub fn part_beside(xs: Seq<f64>, ys: Seq<f64>, zs: Seq<f64>) -> (f64, f64) {
        (zip(xs.chain(ys), zs).map(|(x, z)| x * z).sum(), ys.sum())
    }
    pub fn chained_pairs(
        a: Seq<f64>, b: Seq<f64>, c: Seq<f64>, d: Seq<f64>, e: Seq<f64>,
        f: Seq<f64>, g: Seq<f64>, h: Seq<f64>, i: Seq<f64>, j: Seq<f64>,
        k: Seq<f64>, l: Seq<f64>, m: Seq<f64>,
    ) -> f64 {
        dots(a, b) + dots(b, c) + dots(c, d) + dots(d, e) + dots(e, f) + dots(f, g)
            + dots(g, h) + dots(h, i) + dots(i, j) + dots(j, k) + dots(k, l) + dots(l, m)
    }
    fn dots(xs: Seq<f64>, ys: Seq<f64>) -> f64 { zip(xs, ys).map(|(x, y)| x * y).sum() }
    pub fn also(xs: Seq<f64>) -> Seq<f64> {
        let total = xs.sum();
        assert!(total > 0.0, "no items");
        xs.map(|x| x + 1.0)
    }
    pub fn sized(xs: Seq<[f64; n]>) -> [f64] {
        xs.fold(fill(0.0, n), |acc, x| zip(acc, x).map(|(a, b)| a + b))
    }
    #[work(1)]
    pub fn bounded(xs: Seq<f64>) -> Seq<f64> { xs.map(|x| x + 1.0) }
    fn scaled(xs: Seq<[f64; n]>) -> Seq<f64> { xs.map(|x| x.sum() / n as f64) }
    pub fn means(xs: Seq<[f64; m]>) -> Seq<f64> { scaled(xs) }
}

accel! {
    pub fn lengths(rows: Seq<[u8]>) -> [usize] { rows.map(|row| row.len()).collect() }
}

fn main() {
    let _ = lengths([1.0_f32, 2.0]);
    let _ = lengths(5);
}
