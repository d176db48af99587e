//! What has no order.

use ragged::accel;

accel! {
    struct Point { x: f32, y: f32 }

    struct Path { name: u32, points: [f32] }

    pub fn points(xs: [f32; n]) -> [usize] { zip(xs, xs).map(|(x, y)| Point { x, y }).argsort() }

    pub fn rows(xss: [[f32]]) -> [[f32]] { xss.sort() }

    pub fn waves(zs: [Complex<f32>]) -> [Complex<f32>] { zs.sort() }

    pub fn named_rows(xss: [[f32]]) -> usize { xss.enumerate().sort().len() }

    pub fn paths(xss: [[f32]]) -> usize { xss.map(|points| Path { name: 1, points }).argsort().len() }

    pub fn by_row(xss: [[f32]]) -> [[f32]] { xss.sort_by_key(|row| row) }

    pub fn by_phase(zs: [Complex<f64>]) -> [Complex<f64>] { zs.sort_by_key(|z| z * z) }

    pub fn one(x: f32) -> [f32] { sort(x) }

    pub fn compared(xs: [f32]) -> [f32] { xs.sort(|a, b| a > b) }

    pub fn without_key(xs: [f32]) -> [f32] { xs.sort_by_key() }

    pub fn groups(xss: [[f32]]) -> usize { xss.group_by_key(|row| row).len() }

    pub fn different(zs: [Complex<f64>]) -> [Complex<f64>] { zs.unique() }

    pub fn smallest(xs: [f32]) -> f32 { xs.kth_smallest(1.5) }

    pub fn three(xs: [f32]) -> [f32] { merge(xs, xs, xs) }

    pub fn two_types(xs: [f32], ys: [f64]) -> [f32] { xs.merge(ys) }

    pub fn place_of_row(xss: [[f32]]) -> (bool, usize) { xss.binary_search([1.0]) }

    pub fn other_key(xs: [f32], key: i32) -> (bool, usize) { xs.binary_search(key) }

    pub fn matched(xs: [i32], key: i32) -> usize { xs.binary_search(key) }

    pub fn no_predicate(xs: [i32]) -> usize { xs.partition_point(4) }

    pub fn no_answer(xs: [i32]) -> usize { xs.partition_point(|x| x) }

    pub fn merged_rows(xss: [[f32]]) -> [[f32]] { xss.merge(xss) }

    pub fn runs_of_rows(xss: [[f32]]) -> [[f32]] { xss.dedup() }
}

fn main() {}
