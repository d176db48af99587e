//! Reciprocal square roots: accuracy and special values in each number of lanes.

use ragged_core::Level;
use ragged_core::math::{Estimates, Rsqrt};

/// The bound of `docs/maths.md`.
const BOUND: f64 = 1.5;

/// Calls `$check` for the numbers of lanes that the processor has.
macro_rules! each_level {
    ($check:ident) => {
        let level = Level::detect();
        $check::<16>(true);
        if level >= Level::V3 {
            $check::<32>(false);
        }
        if level >= Level::V4 {
            $check::<64>(true);
        }
    };
}

#[test]
fn singles() {
    each_level!(check_f32);
}

#[test]
fn doubles() {
    each_level!(check_f64);
}

fn check_f32<const L: usize>(subnormals: bool) {
    let (mut worst, mut at) = (0.0, 0.0);
    let first = if subnormals {
        1
    } else {
        f32::MIN_POSITIVE.to_bits()
    };
    let step = (0x7f80_0000 / (20 * crate::sampled_points() as u32)) | 1;
    let mut bits = (first..0x7f80_0000).step_by(step as usize);
    while let Some(next) = bits.next() {
        let mut x = [f32::from_bits(next); L];
        x[1..].fill_with(|| bits.next().map_or(1.0, f32::from_bits));
        for (x, r) in x.into_iter().zip(Estimates::here().rsqrt_lanes(x)) {
            let exact = 1.0 / f64::from(x).sqrt();
            let unit = f64::from((exact as f32).next_up()) - f64::from(exact as f32);
            let error = ((f64::from(r) - exact) / unit).abs();
            if error > worst {
                (worst, at) = (error, x);
            }
        }
    }
    println!("f32 in {L} lanes: {worst} at {at:e}");
    assert!(worst <= BOUND, "{L} lanes: {worst} ulp at {at:e}");
    special::<f32, L>([0.0, -0.0, f32::INFINITY, f32::NAN, -1.0, 4.0]);
}

fn check_f64<const L: usize>(subnormals: bool) {
    let (mut worst, mut at) = (0.0, 0.0);
    let points = 20 * crate::sampled_points();
    let first = if subnormals {
        1
    } else {
        f64::MIN_POSITIVE.to_bits()
    };
    let step = (f64::INFINITY.to_bits() / points) | 1;
    let mut bits = (first..f64::INFINITY.to_bits()).step_by(step as usize);
    while let Some(next) = bits.next() {
        let mut x = [f64::from_bits(next); L];
        x[1..].fill_with(|| bits.next().map_or(1.0, f64::from_bits));
        for (x, r) in x.into_iter().zip(Estimates::here().rsqrt_lanes(x)) {
            // r = (1 - e) / sqrt(x) with 2 e = 1 - x r², to first order; exact but for that.
            let product = x * r;
            let rest = x.mul_add(r, -product);
            let twice = (-product).mul_add(r, 1.0) - rest * r;
            let error = (twice / 2.0 * r / (r.next_up() - r)).abs();
            if error > worst {
                (worst, at) = (error, x);
            }
        }
    }
    println!("f64 in {L} lanes: {worst} at {at:e}");
    assert!(worst <= BOUND, "{L} lanes: {worst} ulp at {at:e}");
    special::<f64, L>([0.0, -0.0, f64::INFINITY, f64::NAN, -1.0, 4.0]);
}

/// What the plain operations give, to the sign; NaN is NaN.
fn special<T: Rsqrt + std::fmt::Debug, const L: usize>(values: [T; 6]) {
    for x in values {
        let (r, plain) = (Estimates::here().rsqrt_lanes([x; L])[L - 1], x.rsqrt());
        assert_eq!(format!("{r:?}"), format!("{plain:?}"), "{L} lanes of {x:?}");
    }
}
