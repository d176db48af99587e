//! Rounding, casts, `min`, `max` and `clamp`: exactly as `std`, but for what the docs say.

use super::measure::Random;
use ragged_core::math::{Maths, Order, cast};

fn singles() -> Vec<f32> {
    let mut random = Random(5);
    let edges = [
        0.0, 0.3, 0.5, 1.0, 1.5, 2.5, 127.5, 128.0, 255.9, 256.0, 32768.0, 65535.9, 8388607.5,
    ];
    let powers = (20..70).map(|e| 2f32.powi(e));
    let near = edges
        .into_iter()
        .chain(powers)
        .flat_map(|x: f32| [x.next_down(), x, x.next_up()]);
    let rare = [
        f32::INFINITY,
        f32::NAN,
        f32::MAX,
        f32::MIN_POSITIVE,
        f32::from_bits(1),
        0.49999997,
    ];
    let some = (0..200_000).map(|_| f32::from_bits(random.bits() as u32));
    near.chain(rare).chain(some).flat_map(|x| [x, -x]).collect()
}

fn doubles() -> Vec<f64> {
    let mut random = Random(6);
    let edges = [
        0.49999999999999994,
        4503599627370495.5,
        2147483647.5,
        4294967295.5,
        9007199254740993.0,
    ];
    let near = edges
        .into_iter()
        .flat_map(|x: f64| [x.next_down(), x, x.next_up(), -x]);
    let some = (0..200_000).map(|_| random.double((-3, 70)));
    singles()
        .into_iter()
        .map(f64::from)
        .chain(near)
        .chain(some)
        .collect()
}

macro_rules! same_as_std {
    ($values:expr; $($name:ident $lanes:ident)*) => {
        for x in $values {
            $(
                let expected = x.$name();
                for y in [Maths::$name(x), Maths::$lanes([x; 4])[1], Maths::$lanes([x; 32])[9]] {
                    let same = y.to_bits() == expected.to_bits() || (y.is_nan() && x.is_nan());
                    assert!(same, "{}({x:e}) is {y:e}", stringify!($name));
                }
            )*
        }
    };
}

#[test]
fn rounding_is_that_of_std() {
    same_as_std!(singles(); floor floor_lanes ceil ceil_lanes trunc trunc_lanes round round_lanes);
    same_as_std!(doubles(); floor floor_lanes ceil ceil_lanes trunc trunc_lanes round round_lanes);
}

macro_rules! casts {
    ($values:expr; $($name:ident $to:ty),*) => {
        for x in $values {
            $(assert_eq!(cast::$name(x), x as $to, "{}({x:e})", stringify!($name));)*
        }
    };
}

#[test]
fn casts_are_those_of_as() {
    casts!(singles();
        f32_to_i8 i8, f32_to_i16 i16, f32_to_i32 i32, f32_to_i64 i64, f32_to_isize isize,
        f32_to_u8 u8, f32_to_u16 u16, f32_to_u32 u32, f32_to_u64 u64, f32_to_usize usize);
    casts!(doubles();
        f64_to_i8 i8, f64_to_i16 i16, f64_to_i32 i32, f64_to_i64 i64, f64_to_isize isize,
        f64_to_u8 u8, f64_to_u16 u16, f64_to_u32 u32, f64_to_u64 u64, f64_to_usize usize);
}

#[test]
fn copysign_is_that_of_std_but_of_nan() {
    for x in doubles() {
        for sign in [1.0, -1.0, 0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY] {
            let y = Maths::copysign(x, sign);
            assert!(y.to_bits() == x.copysign(sign).to_bits() || x.is_nan());
        }
        if !x.is_nan() {
            let short = x as f32;
            let same = Maths::copysign(short, -f32::NAN).to_bits() == short.abs().to_bits();
            assert!(same && Maths::copysign(x, -f64::NAN).to_bits() == x.abs().to_bits());
        }
    }
}

#[test]
fn min_and_max_ignore_nan_and_order_the_zeros() {
    let values = [f64::NEG_INFINITY, -1.5, -0.0, 0.0, 1.5, f64::INFINITY]; // in order
    for (i, &a) in values.iter().enumerate() {
        for (j, &b) in values.iter().enumerate() {
            let (low, high) = (values[std::cmp::min(i, j)], values[std::cmp::max(i, j)]);
            assert_eq!(Order::min(a, b).to_bits(), low.to_bits(), "min({a}, {b})");
            assert_eq!(Order::max(a, b).to_bits(), high.to_bits(), "max({a}, {b})");
            assert_eq!(
                Order::min(a as f32, b as f32).to_bits(),
                (low as f32).to_bits()
            );
            assert_eq!(
                Order::max(a as f32, b as f32).to_bits(),
                (high as f32).to_bits()
            );
        }
        for (x, y) in [(a, f64::NAN), (f64::NAN, a)] {
            assert_eq!(Order::min(x, y).to_bits(), a.to_bits());
            assert_eq!(Order::max(x, y).to_bits(), a.to_bits());
        }
    }
    assert!(Order::min(f64::NAN, f64::NAN).is_nan() && Order::max(f32::NAN, f32::NAN).is_nan());
    assert_eq!(
        (
            Order::min(3u8, 5),
            Order::max(-3i64, 5),
            Order::clamp(7i32, 1, 5)
        ),
        (3, 5, 5)
    );
}

#[test]
fn clamp_is_that_of_std_without_its_panics() {
    for x in doubles() {
        assert_eq!(
            Order::clamp(x, -1.5, 2.5).to_bits(),
            x.clamp(-1.5, 2.5).to_bits()
        );
    }
    assert!(Order::clamp(f32::NAN, 0.0, 1.0).is_nan());
    assert_eq!(Order::clamp(0.5f32, 2.0, 1.0), 1.0);
    assert_eq!(Order::clamp(0.5f32, f32::NAN, 1.0), 0.5);
}
