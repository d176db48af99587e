//! Values of the wrong kind, and how to write what was meant.

use ragged::accel;

accel! {
    struct Point { x: f32, y: f32 }

    fn double<T: Float>(x: T) -> T { x * 2 }

    pub fn doubled(x: f32) -> f32 { double(x) }

    pub fn whole(xs: [f32]) -> f32 { xs }

    pub fn of_array(xs: [f32]) -> f32 { 1.0 + xs }

    pub fn nothing(x: f32) -> f32 { let y = x * (); x }

    pub fn third(p: (f32, f32)) -> f32 { p.2 }

    pub fn component(x: f32) -> f32 { x[0] }

    pub fn deep(xs: [f32]) -> f32 { xs[0][1] }

    pub fn unit(x: f32) -> f32 { let y = x + 1.0; }

    pub fn inner(xs: [f32]) -> f32 { xs.fold(0.0, |(a, x)| a + x) }

    pub fn part(p: Point) -> f32 { let Point { x } = p; x }

    pub fn both(xs: [f32; n], ys: [f32; n]) -> [f32] { for (x, y) in (xs, ys) { x + y } }

    pub fn sum_of_both(xs: [f32], ys: [f32]) -> f32 { (xs, ys).map(|(x, y)| x + y).sum() }

    pub fn below(n: usize) -> usize { n.map(|i| i).sum() }

    pub fn all_of(xs: [f32]) -> bool { xs.all(|x| x > 0.0, 1) }

    pub fn indicator(b: bool) -> f32 { b as f32 }

    pub fn together(x: f32) -> (f32, f32) { x as (f32, f32) }

    pub fn assigned(xs: [f32]) -> [f32] { let mut ys = xs; (0..3).map(|i| { ys[i] = 1.0; ys[i] }) }

    pub fn leaves(xs: [f32]) -> [f32] { let mut y = 0.0; for x in xs { y = xs.map(|z| { break; z }).sum(); } xs }
}

accel! {
    pub fn cases(x: f32) -> i32 { match x { 0.0 => 1, 1.0 => 2 } }
}

accel! {
    const SIDE: i32 = 3;

    pub fn square(xs: [f32; SIDE]) -> f32 { xs.sum() }
}

fn main() {}
