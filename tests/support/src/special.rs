//! Random scalars that lie where mistakes are made.

use crate::literal::{float, greatest, integer, least};
use crate::rng::Rng;
use ragged_compiler::prims::Scalar;
use ragged_compiler::typed::ir::Const;

/// A scalar: an edge case, a small number or any number, each about as often.
pub fn special(rng: &mut Rng, ty: Scalar) -> Const {
    match ty {
        Scalar::Bool => Const {
            ty,
            bits: rng.bits() & 1,
        },
        Scalar::F16 => special_float(rng, ty, 65504.0, 2.0_f64.powi(-14)),
        Scalar::Bf16 => special_float(rng, ty, 3.3895313892515355e38, f32::MIN_POSITIVE.into()),
        Scalar::F32 => special_float(rng, ty, f32::MAX.into(), f32::MIN_POSITIVE.into()),
        Scalar::F64 => special_float(rng, ty, f64::MAX, f64::MIN_POSITIVE),
        int => special_int(rng, int),
    }
}

fn special_float(rng: &mut Rng, ty: Scalar, max: f64, tiny: f64) -> Const {
    let sign = if rng.chance(1, 2) { -1.0 } else { 1.0 };
    let magnitude = match rng.below(8) {
        0 => 0.0,
        1 => *rng.pick(&[f64::INFINITY, f64::NAN, max]),
        2 => *rng.pick(&[tiny, tiny / 2.0, tiny / 8.0, max / 2.0]),
        3 => *rng.pick(&[0.5, 1.0, 1.5, 2.5, 0.499_999_999_999_999_94, 8_388_609.0]),
        4 => around_a_power_of_two(rng),
        5 => rng.below(10) as f64,
        6 => rng.unit() * 100.0,
        _ => 2.0_f64.powi(rng.below(120) as i32 - 60) * (1.0 + rng.unit()),
    };
    float(sign * magnitude, ty)
}

/// Where casts to integers saturate.
fn around_a_power_of_two(rng: &mut Rng) -> f64 {
    let power = *rng.pick(&[7, 8, 15, 16, 23, 24, 31, 32, 53, 63, 64, 127]);
    let offset = *rng.pick(&[-1.0, -0.5, 0.0, 0.5, 1.0]);
    2.0_f64.powi(power) + offset
}

fn special_int(rng: &mut Rng, ty: Scalar) -> Const {
    let (lo, hi) = (least(ty), greatest(ty));
    let number = match rng.below(6) {
        0 => *rng.pick(&[lo, lo + 1, hi - 1, hi]),
        1 => 0,
        2 | 3 => rng.below(20) as i128 - if ty.is_signed_int() { 10 } else { 0 },
        4 => 1_i128 << rng.below(ty.bits() as usize),
        _ => i128::from(rng.bits()),
    };
    integer(number, ty)
}
