//! Bounds of type parameters.

use ragged::accel;

accel! {
    fn default<T: Num = f32>(x: T) -> T { x }

    fn two<T: Num + Int>(x: T) -> T { x }

    fn copied<T: Num + Copy>(x: T) -> T { x }

    fn of_arrays<T>(xs: [T]) -> T where [T]: Num { xs.sum() }

    fn twice<T: Num>(x: T) -> T where T: Int { x }
}

fn main() {}
