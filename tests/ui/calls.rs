//! Calls, and values that look like calls.

use ragged::accel;

accel! {
    struct Table { values: [f32], width: usize }

    #[instances(f32)]
    pub fn twice<T: Num>(x: T) -> T { x + x }

    pub fn types_of_a_name(xs: [f32]) -> [f32] { xs.map(twice::<f32>) }

    pub fn size_as_type(xs: [f32]) -> f32 { first::<3>(xs) }

    pub fn field(t: Table, i: usize) -> f32 { (t.values)(i) }

    pub fn part(t: ([f32], usize), i: usize) -> f32 { t.0(i) }

    pub fn element(fs: [f32], i: usize) -> f32 { fs[0](i) }

    pub fn long_name(x: f32) -> Table { crate::Table { values: [x], width: 1 } }

    pub fn rest(x: f32) -> Table { Table { values: [x], .. } }

    pub fn no_end(xs: [f32]) -> [f32] { for i in 0.. { xs[i] } }

    pub fn no_ends(xs: [f32]) -> [f32] { slice(xs, ..) }

    pub fn named(x: f32) -> f32 { y := x + 1.0; y }
}

fn main() {}
