//! Items that are more than a block takes, or in the wrong place.

use ragged::accel;

accel! {
    pub const LIMIT: f32 = 1.0;

    struct Pair<T> { first: T, second: T }

    struct Metres(f32);

    pub fn length(&self, other: [f32]) -> f32 { other.sum() }

    pub fn local_function(x: f32) -> f32 {
        fn twice(x: f32) -> f32 { 2.0 * x }
        twice(x)
    }

    pub fn local_constant(x: f32) -> f32 {
        const FACTOR: f32 = 2.0;
        FACTOR * x
    }

    pub fn local_enum(x: f32) -> f32 {
        enum Sign { Plus, Minus }
        x
    }
}

fn main() {
    let _ = local_function(1.0);
}
