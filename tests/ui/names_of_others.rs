//! Functions that `ndarray`, NumPy, Haskell and Futhark have and the language spells otherwise.

use ragged::accel;

accel! {
    pub fn length(xs: [f32]) -> usize { xs.size() }

    pub fn folds(xs: [f32]) -> f32 { xs.foldl(0.0, |a, x| a + x) }

    pub fn reduces(xs: [f32]) -> f32 { xs.inject(add) }

    pub fn sums(xs: [f32]) -> [f32] { cumsum(xs) }

    pub fn product(xs: [f32; n], ys: [f32; n]) -> f32 { dot(xs, ys) }

    pub fn average(xs: [f32]) -> f32 { avg(xs) }

    pub fn largest(xs: [f32]) -> f32 { xs.maximum() }

    pub fn smallest(xs: [f32]) -> f32 { xs.minimum() }

    pub fn no_values(n: usize) -> [f32] { zeros(n) }

    pub fn one_each(n: usize) -> [f32] { ones(n) }

    pub fn pairs(xs: [f32; n], ys: [f32; n]) -> [f32; n] { zip_with(xs, ys, |x, y| x + y) }

    pub fn copies(n: usize, x: f32) -> [f32] { replicate(n, x) }

    pub fn turns(a: [[f32; m]; n]) -> [[f32; n]; m] { a.t() }

    pub fn sizes(a: [[f32; m]; n]) -> (usize, usize) { a.dim() }

    pub fn height(a: [[f32; m]; n]) -> usize { a.nrows() }

    pub fn width(a: [[f32; m]; n]) -> usize { a.ncols() }

    pub fn one_row(a: [[f32; m]; n]) -> [f32; m] { a.row(0) }

    pub fn one_column(a: [[f32; m]; n]) -> [f32; n] { a.column(0) }

    pub fn all_rows(a: [[f32; m]; n]) -> [f32; n] { a.rows().map(|r| r.sum()) }

    pub fn all_columns(a: [[f32; m]; n]) -> [f32; m] { a.columns().map(|c| c.sum()) }

    pub fn flattens(a: [[f32; m]; n]) -> [f32] { a.ravel() }

    pub fn reshapes(xs: [f32]) -> [[f32]] { xs.into_shape((2, 3)) }

    pub fn multiplies(a: [[f32; m]; n], b: [[f32; k]; m]) -> [[f32; k]; n] { matmul(a, b) }

    pub fn tiles(xs: [f32]) -> [f32] { tile(xs, 3) }
}

fn main() {}
