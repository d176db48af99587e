//! Functions: what they take, what they give, and that they are not values.

use ragged::accel;

accel! {
    struct Point { x: f32, y: f32 }

    fn half(x: f32) -> f32 { x / 2.0 }

    fn twice<T: Num>(x: T) -> T { x + x }

    fn apply(f: impl Fn(f32) -> f32, x: f32) -> f32 { f(x, 1.0) }

    fn scanned(f: impl Fn(f32) -> f32, xs: [f32]) -> [f32] { xs.scan(f) }

    fn mapped(f: impl Fn(f32) -> f32, ns: [i32]) -> [f32] { ns.map(f) }

    pub fn point(x: f32) -> f32 { Point(x, x).x }

    pub fn number(z: f32) -> f32 { Complex(z, 0.0).re }

    pub fn hidden(sum: f32, xs: [f32]) -> f32 { sum(xs) }

    pub fn called(k: f32, x: f32) -> f32 { k(x + 1.0) }

    pub fn named(x: f32) -> f32 { let add = |a, b| a + b; add(x) }

    pub fn value(xs: [f32]) -> [f32] { let f = half; xs.map(f) }

    pub fn stored(x: f32) -> f32 { let fs = (|x| x + 1.0, 2); x }

    pub fn types_of_builtin(xs: [f32]) -> f32 { xs.sum::<f32>() }

    pub fn types_of_own(x: f32) -> f32 { twice::<f32, f32>(x) }

    pub fn gives(xs: [f32]) -> bool { xs.any(half) }

    pub fn of_pairs(xs: [f32], ys: [f32]) -> [f32] { xs.max(ys) }

    pub fn arguments(x: f32, y: f32) -> f32 { x.sqrt(y) }

    pub fn logarithm(x: f32) -> f32 { log(x) }

    pub fn collected(xs: [f32]) -> [f32] { xs.collect() }

    pub fn noisy(xs: [f32]) -> [f32] { xs.map(|x| x + random_f32) }
}

fn main() {}
