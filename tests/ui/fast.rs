//! `#[fast]` where it says nothing.

use ragged::accel;

accel! {
    #[fast(fma)]
    pub fn chosen(xs: [f32]) -> f32 { xs.sum() }

    #[fast = "yes"]
    pub fn set(xs: [f32]) -> f32 { xs.sum() }

    #[fast]
    struct Point { x: f32 }

    #[fast]
    const HALF: f32 = 0.5;

    pub fn inner(xs: [f32]) -> f32 {
        #[fast]
        let twice = xs.map(|x| x * 2.0);
        twice.sum()
    }
}

fn main() {}
