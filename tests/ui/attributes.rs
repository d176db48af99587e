//! Attributes that say nothing, or not where they are.

use ragged::accel;

accel! {
    #![allow(dead_code)]

    #[derive(Clone, "Copy")]
    struct Derives { x: f32 }

    #[instances(f32 f64)]
    pub fn no_list<T: Num>(x: T) -> T { x }

    #[instances((f32, f64))]
    pub fn one_each<T: Num>(x: T) -> T { x }

    #[instances(f32, f64)]
    pub fn two_each<T: Num, U: Num>(x: T, y: U) -> T { x }

    pub fn documents(x: f32) -> f32 {
        /// Twice as much.
        let y = 2.0 * x;
        y
    }
}

fn main() {
    let _ = documents(1.0);
}
