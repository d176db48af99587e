//! Patterns that Rust has and the language has not.

use ragged::accel;

accel! {
    struct Point { x: f32, y: f32 }

    pub fn by_reference(pair: (f32, f32)) -> f32 { let (ref x, y) = pair; x + y }

    pub fn dereferenced(xs: [f32]) -> [f32] { xs.map(|&x| x + 1.0) }

    pub fn variant(x: i32) -> i32 { match x { Some(y) => y, _ => 0 } }

    pub fn path(x: i32) -> i32 { match x { std::i32::MAX => 1, _ => 0 } }

    pub fn long_name(p: Point) -> f32 { let self::Point { x, y } = p; x + y }

    pub fn bounds(x: i32) -> bool { match x { const { 2 }..=9 => true, crate::LOW..=3 => true, _ => false } }

    pub fn rests(t: (i32, i32, i32, i32)) -> i32 { let (first, .., middle, ..) = t; first + middle }

    pub fn rest(x: i32) -> i32 { match x { 0 => 1, .. => 2 } }

    pub fn numbered(p: Point) -> f32 { let Point { 0: x, 1: y } = p; x + y }

    pub fn made(x: f32) -> Point { Point { 0: x, 1: x } }

    pub fn a_macro(x: i32) -> i32 { match x { zero!() => 1, _ => 2 } }
}

fn main() {}
