//! Several mistakes are reported together, and their callers stay silent.

use ragged::accel;

accel! {
    /// Documented.
    #[derive(Debug, PartialEq)]
    pub struct Point { pub x: f32, y: f32 }

    #[derive(Clone, Debug)]
    struct Inner { p: Point }

    pub fn wrong(xs: [f32], n: i32) -> f32 { xs.sum() + n }

    pub(crate) fn unknown(xs: [f32]) -> (f32, [f32]) { (1.0, xz) }

    pub fn right(p: Point, q: Inner) -> Point { p }

    pub fn arrays(ps: [Point], t: ([f32], i32)) -> [(Point, bool)] { for p in ps { (p, p.x > 0.0) } }

    #[instances((f32, usize), (f64, i32))]
    pub fn generic<T, U>(x: T, y: U) -> T { x }

    #[instances(f32, f64)]
    pub fn sum<T: Num>(xs: [T]) -> T { xs.sum() }

    pub fn function(f: impl Fn(f32) -> f32) -> f32 { f(1.0) }
}

mod inner {
    ragged::accel! {
        pub(super) fn nested(x: f32) -> f32 { y }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let total: f32 = wrong(&[1.0, 2.0], 3)?;
    let (x, xs): (f32, Vec<f32>) = unknown(&vec![total])?;
    let p = Point { x, y: xs[0] };
    println!("{:?} {}", right(p, Inner { p })?, right::EXPLAIN);
    assert_eq!(p, Point::default());
    let z: f64 = generic_f64_i32(1.0, 1)?;
    assert_eq!(z, f64::from(generic_f32_usize(1.0, 1)?));
    function(|x: f32| x)?;
    let q: Vec<(Point, bool)> = arrays(&[p], (&[1.0], 2))?;
    println!("{q:?} {}", sum_f32(&[1.0])? as f64 + sum_f64(&[1.0])?);
    println!("{}", inner::nested(1.0)?);
    println!("{}", inner::nested::EXPLAIN);
    Ok(())
}
