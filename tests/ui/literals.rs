//! Literals that are not numbers of the language.

use ragged::accel;

accel! {
    pub fn huge() -> f64 { 1000000000000000000000000000000000000000 }

    pub fn wide(x: u64) -> u64 { (x * 3u128) as u64 }

    pub fn signed(i: usize) -> isize { i - 1isize }

    pub fn letter(b: u8) -> bool { b == 'a' }

    pub fn umlaut(c: u32) -> bool { c == 'ü' }

    pub fn text() -> [u8] { "text" }

    pub fn bytes() -> [u8] { b"text" }

    pub fn c_text() -> [u8] { c"text" }
}

fn main() {}
