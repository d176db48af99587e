//! Constants of the block.

use ragged::accel;

accel! {
    const ZERO: i32 = 0;

    const BAD: i32 = 1 / ZERO;

    const CALL: f32 = sum([1.0]);

    const ROUND_1: i32 = ROUND_2;

    const ROUND_2: i32 = ROUND_1;

    const ARRAY: [f32; 2] = [1.0, 2.0];
}

fn main() {}
