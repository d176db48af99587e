//! Contracts where they say nothing.

use ragged::accel;

accel! {
    #![warn(unfused)]

    #[fused(all)]
    pub fn chosen(xs: [f32]) -> f32 { xs.sum() }

    #[regular = "yes"]
    pub fn set(xs: [f32]) -> f32 { xs.sum() }

    #[fused]
    #[regular]
    struct Point { x: f32 }

    #[work]
    pub fn unbounded(xs: [f32; n]) -> f32 { xs.sum() }

    #[space(n + )]
    pub fn half_written(xs: [f32; n]) -> f32 { xs.sum() }

    #[work(n)]
    fn inside(xs: [f32; n]) -> f32 { xs.sum() }

    #[fused]
    fn helper(xs: [f32]) -> f32 { xs.sum() }

    pub fn inner(xs: [f32]) -> f32 {
        #[fused]
        let twice = xs.map(|x| x * 2.0);
        twice.sum()
    }
}

fn main() {}
