//! A mistake in one block leaves the others alone.

ragged::accel! {
    pub fn wrong(x: f32) -> f32 { y }
}

ragged::accel! {
    pub fn right(x: f32) -> f32 { x }
}

fn main() {
    let _unused_result: f32 = right(1.0).unwrap() + wrong(1.0).unwrap();
}
