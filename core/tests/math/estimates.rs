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
    special::<f32, L>([0.0, -0.0, f32::INFINITY, f32::NAN, -1.0]);
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
    special::<f64, L>([0.0, -0.0, f64::INFINITY, f64::NAN, -1.0]);
}

/// What the plain operations give, to the sign; NaN is NaN.
fn special<T: Rsqrt + std::fmt::Debug, const L: usize>(values: [T; 5]) {
    for x in values {
        let (r, plain) = (Estimates::here().rsqrt_lanes([x; L])[L - 1], x.rsqrt());
        assert_eq!(format!("{r:?}"), format!("{plain:?}"), "{L} lanes of {x:?}");
    }
}

/// The bound of quotients by cubes.
const CUBE_BOUND: f64 = 5.0;

#[test]
fn singles_over_cubes() {
    macro_rules! check {
        ($($lanes:literal)*) => {$(
            if has_lanes($lanes) {
                check_f32_cubes::<$lanes>();
            }
        )*};
    }
    check!(16 32 64);
}

#[test]
fn doubles_over_cubes() {
    macro_rules! check {
        ($($lanes:literal)*) => {$(
            if has_lanes($lanes) {
                check_f64_cubes::<$lanes>();
            }
        )*};
    }
    check!(16 32 64);
}

fn has_lanes(lanes: usize) -> bool {
    let level = Level::detect();
    lanes == 16 || lanes == 32 && level >= Level::V3 || level >= Level::V4
}

/// Of numbers whose cubes are neither infinite nor subnormal.
fn check_f32_cubes<const L: usize>() {
    let mut worst = (0.0, 0.0);
    let range = 1e-24_f32.to_bits()..1e24_f32.to_bits();
    let step = (range.len() / (20 * crate::sampled_points() as usize)) | 1;
    let xs: Vec<f32> = range.step_by(step).map(f32::from_bits).collect();
    for (at, x) in xs.as_chunks::<L>().0.iter().enumerate() {
        let a = [1.0 + at as f32 / xs.len() as f32; L];
        for (x, q) in x.iter().zip(Estimates::here().over_cube_lanes(a, *x)) {
            let exact = f64::from(a[0]) / f64::from(*x).powf(1.5);
            let unit = f64::from((exact as f32).next_up()) - f64::from(exact as f32);
            let error = ((f64::from(q) - exact) / unit).abs();
            if error > worst.0 {
                worst = (error, *x);
            }
        }
    }
    println!("f32 over cubes in {L} lanes: {} at {:e}", worst.0, worst.1);
    assert!(
        worst.0 <= CUBE_BOUND,
        "{L} lanes: {} ulp at {:e}",
        worst.0,
        worst.1
    );
    special_over_cubes::<f32, L>([0.0, f32::INFINITY, f32::NAN, -1.0], [2.0, 0.0]);
}

fn check_f64_cubes<const L: usize>() {
    let mut worst = (0.0, 0.0);
    let range = 1e-190_f64.to_bits()..1e190_f64.to_bits();
    let step = ((range.end - range.start) / (20 * crate::sampled_points())) | 1;
    let xs: Vec<f64> = range.step_by(step as usize).map(f64::from_bits).collect();
    for x in xs.as_chunks::<L>().0 {
        for (x, q) in x
            .iter()
            .zip(Estimates::here().over_cube_lanes([1.0; L], *x))
        {
            // The cube of r with r² x = 1 - e, to first order; exact but for that.
            let r = x.rsqrt();
            let square = r * r;
            let square_rest = r.mul_add(r, -square);
            let e = (-x).mul_add(square, 1.0) - x * square_rest;
            let cube = square * r;
            let cube_rest = square.mul_add(r, -cube) + square_rest * r + 1.5 * e * cube;
            let error = ((q - cube) - cube_rest).abs() / (cube.next_up() - cube);
            if error > worst.0 {
                worst = (error, *x);
            }
        }
    }
    println!("f64 over cubes in {L} lanes: {} at {:e}", worst.0, worst.1);
    assert!(
        worst.0 <= CUBE_BOUND,
        "{L} lanes: {} ulp at {:e}",
        worst.0,
        worst.1
    );
    special_over_cubes::<f64, L>([0.0, f64::INFINITY, f64::NAN, -1.0], [2.0, 0.0]);
}

/// What the plain operations give; NaN is NaN.
fn special_over_cubes<T: Rsqrt + std::fmt::Debug, const L: usize>(xs: [T; 4], of: [T; 2]) {
    for (x, a) in xs.into_iter().flat_map(|x| of.map(|a| (x, a))) {
        let q = Estimates::here().over_cube_lanes([a; L], [x; L])[L - 1];
        let plain = a.over_cube(x);
        assert_eq!(
            format!("{q:?}"),
            format!("{plain:?}"),
            "{L} lanes of {a:?} and {x:?}"
        );
    }
}

/// Of hasty estimates: the same, or neither is finite, or the right one is and the hasty one shows that it is not.
#[test]
fn hasty_cubes_show_what_they_are_not() {
    macro_rules! check {
        ($($lanes:literal)*) => {$(
            if has_lanes($lanes) {
                let singles = (0..1_u32 << 16).map(|high| f32::from_bits(high << 16 | 0x5a5a));
                check_hasty::<f32, $lanes>(singles, [0.0, -0.0, f32::INFINITY, 1e-45], f32::is_finite);
                let doubles = (0..1_u64 << 16).map(|high| f64::from_bits(high << 48 | 0x5a5a_5a5a));
                check_hasty::<f64, $lanes>(doubles, [0.0, -0.0, f64::INFINITY, 5e-324], f64::is_finite);
            }
        )*};
    }
    check!(16 32 64);
}

fn check_hasty<T: Rsqrt + std::fmt::Debug, const L: usize>(
    values: impl Iterator<Item = T>,
    special: [T; 4],
    is_finite: fn(T) -> bool,
) {
    for x in values.chain(special) {
        let (a, x) = ([x.rsqrt(); L], [x; L]);
        let right = Estimates::here().over_cube_lanes(a, x)[L - 1];
        let hasty = Estimates::here().hasty::<true>().over_cube_lanes(a, x)[L - 1];
        let same = format!("{right:?}") == format!("{hasty:?}");
        assert!(
            same || !is_finite(hasty),
            "{L} lanes of {x:?}: {hasty:?} for {right:?}"
        );
    }
}
