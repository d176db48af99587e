//! An array operation inside the body of another.

use ragged::accel;

accel! {
    pub fn moving(xs: [f32]) -> [f32] {
        for i in 0..xs.len() { xs[..i].sum() }
    }

    pub fn powers(xs: [f32], n: usize) -> [f32] {
        xs.map(|x| generate(n, |i| x * i as f32).sum())
    }

    fn total(xs: [f32], k: f32) -> f32 { xs.map(|x| x * k).sum() }

    pub fn called(xs: [f32]) -> [f32] {
        for x in xs { total(xs, x) }
    }

    pub fn literal(xs: [f32]) -> [f32] {
        for x in xs { [x, 1.0, 2.0][(x as usize) % 3] }
    }
}

accel! {
    pub fn state(n: usize) -> [i32] {
        for i in 0..n {
            let mut a = fill(0, 3);
            a[i % 3] = 1;
            a[0]
        }
    }
}

fn main() {}
