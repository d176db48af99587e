//! Type parameters and their instances.

use ragged::accel;

accel! {
    pub fn missing<T: Num>(x: T) -> T { x }

    #[instances(f32)]
    pub fn superfluous(x: f32) -> f32 { x }

    #[instances(f32)]
    fn private<T: Num>(x: T) -> T { x }

    fn bound<T: Copy>(x: T) -> T { x }

    fn constant<const N: usize>(x: [f32; N]) -> f32 { x.sum() }

    fn function<F: Fn(f32) -> f32>(f: F) -> f32 { f(1.0) }
}

accel! {
    #[instances(f32, bool)]
    pub fn double<T: Num>(x: T) -> T { x + x }

    #[instances(f64)]
    pub fn unbounded<T>(x: T) -> T { x + x }

    fn half<T: Float>(x: T) -> T { x / 2.0 }

    pub fn caller(n: i32) -> i32 { half(n) }

    #[instances(f32, i32)]
    pub fn instance<T: Num>(x: T) -> T { x.sqrt() }
}

accel! {
    #[instances(f32, f64)]
    pub fn twice<T: Num>(x: T) -> T { x + x }

    pub fn twice_f64(x: f64) -> f64 { 2.0 * x }

    #[instances(f32, [f32])]
    pub fn same<T>(x: T) -> T { x }

    pub struct area { pub width: f32 }

    pub fn area(x: area) -> f32 { x.width * x.width }
}

accel! {
    #[instances(f32, f32)]
    pub fn again<T: Num>(x: T) -> T { y }

    pub fn again_f32(x: f32) -> f32 { x }

    pub struct size { pub width: f32 }

    pub fn size(x: size) -> f32 { x.width }
}

fn main() {}
