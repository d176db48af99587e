//! Functions that call themselves.

use ragged::accel;

accel! {
    pub fn factorial(n: u64) -> u64 { if n == 0 { 1 } else { n * factorial(n - 1) } }

    fn even(n: u64) -> bool { if n == 0 { true } else { odd(n - 1) } }

    fn odd(n: u64) -> bool { if n == 0 { false } else { even(n - 1) } }

    pub fn parity(n: u64) -> bool { even(n) }

    pub fn sort(xs: [f32]) -> [f32] { if xs.len() < 2 { xs } else { sort(xs[1..]) } }
}

fn main() {}
