//! Types that Rust and other languages have and the language spells otherwise.

use ragged::accel;

accel! {
    pub fn local(x: f32) -> f32 { let y: Vec = x; y }

    pub fn double_precision(x: double) -> f64 { x }

    pub fn integer(n: int) -> i32 { n }

    pub fn size(n: size_t) -> usize { n }

    pub fn truth(b: boolean) -> bool { b }

    pub fn wide(n: u128) -> u64 { 1 }

    pub fn letter(c: char) -> u32 { 1 }

    pub fn text(s: str) -> usize { 1 }

    pub fn maybe(xs: [f32]) -> Option { xs.max() }
}

fn main() {}
