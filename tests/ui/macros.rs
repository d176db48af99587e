//! `assert!` and `dbg!`, and what they do not take.

use ragged::accel;

accel! {
    pub fn no_condition(x: f32) -> f32 { assert!(); x }

    pub fn name(x: f32, message: [u8]) -> f32 { assert!(x > 0.0, message); x }

    pub fn inline(x: f32) -> f32 { assert!(x > 0.0, "x is {x}"); x }

    pub fn arguments(x: f32, y: f32) -> f32 { assert!(x > y, "x is not above y", x, y); x }

    pub fn nothing(x: f32) -> f32 { dbg!(); x }

    pub fn two(x: f32, y: f32) -> f32 { dbg!(x, y); x }

    pub fn equal(x: i32, y: i32) -> i32 { assert_eq!(x, y); x }

    pub fn stops(x: i32) -> i32 { if x < 0 { panic!("negative") } else { x } }

    pub fn of_a_crate(x: i32) -> i32 { log::info!("called"); x }
}

fn main() {}
