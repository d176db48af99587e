//! `match` and patterns.

use ragged::accel;

accel! {
    const LIMIT: i32 = 3;

    pub fn constant(xs: [f32]) -> f32 { let LIMIT = xs.sum(); 1.0 }

    pub fn holes(n: u8) -> i32 { match n { 0 => 1, 1..=100 => 2 } }

    pub fn pairs(a: bool, b: bool) -> i32 { match (a, b) { (true, _) => 1, (_, true) => 2 } }

    pub fn partial(t: (i32, f32)) -> i32 { let (1, x) = t; 1 }

    pub fn reversed(n: i32) -> i32 { match n { 5..=3 => 1, _ => 2 } }

    pub fn arms(n: i32) -> f32 { match n { 0 => 1.0, _ => n } }

    pub fn arity(t: (i32, f32)) -> i32 { let (a, b, c) = t; a }

    pub fn twice(t: (i32, i32)) -> i32 { let (a, a) = t; a }
}

fn main() {}
