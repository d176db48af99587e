//! Constants of the block.

use ragged::accel;

accel! {
    const ZERO: i32 = 0;

    const BAD: i32 = 1 / ZERO;

    const CALL: f32 = sum([1.0]);

    const ROUND_1: i32 = ROUND_2;

    const ROUND_2: i32 = ROUND_1;

    const SHORT: [f32; 3] = [1.0, 2.0];

    const LONG: [f32; 5000] = [0.0; 5000];

    const PAIR: (i32, i32) = (1, 2);

    pub fn sized(xs: [f32; PAIR]) -> f32 { xs.sum() }

    pub fn matched(x: i32) -> bool { match x { PAIR => true, _ => false } }
}

fn main() {}
