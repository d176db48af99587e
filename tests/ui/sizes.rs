//! Sizes that contradict each other.

use ragged::accel;

accel! {
    pub fn zipped(xs: [f32; 5], ys: [f32; 3]) -> f32 {
        zip(xs, ys).map(|(x, y)| x * y).sum()
    }

    pub fn result(xs: [f32; n]) -> [f32; n] {
        xs.chain([1.0])
    }

    pub fn literal(xs: [f32; 4]) -> f32 { zip(xs, [1.0, 2.0, 3.0]).map(|(x, y)| x * y).sum() }

    fn five(xs: [f32; 5]) -> f32 { xs.sum() }

    pub fn call(xs: [f32; 3]) -> f32 { five(xs) }

    const N: usize = 4;

    pub fn variable(xs: [f32; N]) -> f32 { let ys: [f32; 3] = xs; ys.sum() }

    pub fn tuple(xs: [f32; n]) -> f32 {
        let (ys, zs): ([f32; n], [f32; n]) = (xs, xs[1..]);
        ys.sum() + zs.sum()
    }

    pub fn constants(xs: [f32; N]) -> [f32; 3] { xs }
}

accel! {
    pub fn unknown(xs: [f32]) -> [f32; m] { xs }

    pub fn of_float(n: f32, xs: [f32; n]) -> f32 { xs.sum() }
}

fn main() {}
