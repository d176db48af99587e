//! Items that Rust has and a block has not.

use ragged::accel;

accel! {
    pub fn first(x: f32) -> f32 { x };

    trait Area { fn area(self) -> f32; }

    mod shapes { pub fn area(x: f32) -> f32 { x * x } }

    union Bits { x: f32, n: u32 }

    extern crate ndarray;

    extern "C" { fn sin(x: f64) -> f64; }

    macro_rules! square { ($x:expr) => { $x * $x } }

    lazy_static! { static ref LIMIT: f32 = 1.0; }

    pub const fn early(x: f32) -> f32 { x }

    pub unsafe fn raw(x: f32) -> f32 { x }

    pub extern "C" fn exported(x: f32) -> f32 { x }

    pub fn variadic(x: f32, ...) -> f32 { x }

    pub fn dynamic(f: &dyn Fn(f32) -> f32) -> f32 { f(1.0) }

    pub fn outside(x: f32) -> f32 { x * crate::limits::LIMIT }

    pub fn is_small(x: i32) -> bool { matches!(x, 0) }

    pub fn unequal(x: i32, y: i32) -> i32 { assert_ne!(x, y); x }

    pub fn checked(x: i32) -> i32 { debug_assert!(x > 0); x }

    pub fn filled(n: usize) -> [f32] { vec![0.0; n] }
}

fn main() {}
