//! Names and numbers of arguments.

use ragged::accel;

accel! {
    const LIMIT: f32 = 1.0;

    struct Point { x: f32, y: f32 }

    pub fn variable(value: f32) -> f32 { valeu + 1.0 }

    pub fn constant(x: f32) -> f32 { min(x, LIMITS) }

    pub fn function(xs: [f32]) -> f32 { summ(xs) }

    pub fn method(xs: [f32]) -> [f32] { xs.mapp(|x| x) }

    pub fn iterator(xs: [f32]) -> [f32] { xs.iter().map(|x| x) }

    pub fn ty(x: float) -> f32 { x }

    pub fn string(x: String) -> f32 { 1.0 }

    pub fn signed(x: isize) -> f32 { 1.0 }

    pub fn other(x: Matrix) -> f32 { 1.0 }

    pub fn structure(p: Piont) -> f32 { p.x }

    pub fn of_float(x: f32) -> f32 { x * f32::TAU2 }

    pub fn too_few(xs: [f32]) -> f32 { xs.fold(|a, x| a + x) }

    pub fn too_many(xs: [f32]) -> f32 { xs.sum(0.0) }

    pub fn of_user(x: f32) -> f32 { variable(x, x) }

    pub fn of_closure(xs: [f32]) -> [f32] { xs.map(|x, y| x + y) }

    pub fn no_closure(xs: [f32]) -> [f32] { xs.map(1.0) }

    pub fn with_index(xs: [f32]) -> [f32] { xs.enumerate().map(|i, x| x) }

    pub fn of_rust(x: f32) -> f32 { my_rust_function(x) }

    pub fn twice(x: f32, x: f32) -> f32 { x }

    fn again(x: f32) -> f32 { x }

    fn again(x: f32) -> f32 { x }

    pub fn outer(xs: [f32]) -> usize { n }

    pub fn result_only(xs: [f32]) -> [f32; k] { xs }
}

fn my_rust_function(x: f32) -> f32 { x }

fn main() {
    my_rust_function(1.0);
}
