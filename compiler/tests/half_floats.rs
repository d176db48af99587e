//! Values of floats of two bytes, and the bits of values: see `prims/floats.rs`.

use half::{bf16, f16};
use ragged_compiler::prims::Scalar;

fn agree(ty: Scalar, bits: u16, value: f64) {
    let ours = ty.float_value(u64::from(bits));
    assert!(ours.to_bits() == value.to_bits() || ours.is_nan() && value.is_nan());
    if !value.is_nan() {
        assert_eq!(ty.float_bits(value), u64::from(bits), "{value}");
    }
}

#[test]
fn every_half_has_its_value_and_the_value_its_bits() {
    for bits in 0..=u16::MAX {
        agree(Scalar::F16, bits, f16::from_bits(bits).to_f64_const());
        agree(Scalar::Bf16, bits, bf16::from_bits(bits).to_f64_const());
    }
}

#[test]
fn numbers_between_halves_are_rounded_to_the_nearest_and_to_even() {
    for bits in 0..u16::MAX {
        for ty in [Scalar::F16, Scalar::Bf16] {
            let (a, b) = (
                ty.float_value(bits.into()),
                ty.float_value((bits + 1).into()),
            );
            if !(a.is_finite() && b.is_finite() && (a < 0.0) == (b < 0.0)) {
                continue;
            }
            let middle = (a + b) / 2.0;
            let even = bits + (bits & 1);
            assert_eq!(ty.float_bits(middle), u64::from(even), "{middle}");
            let nearer = |to: f64| middle + (to - middle) / 1024.0;
            assert_eq!(ty.float_bits(nearer(a)), u64::from(bits), "{a}");
            assert_eq!(ty.float_bits(nearer(b)), u64::from(bits + 1), "{b}");
        }
    }
}

#[test]
fn what_is_too_large_is_infinite() {
    assert_eq!(Scalar::F16.float_bits(65519.99), 0x7bff);
    assert_eq!(Scalar::F16.float_bits(65520.0), 0x7c00);
    assert_eq!(Scalar::F16.float_bits(-1e300), 0xfc00);
    assert_eq!(Scalar::Bf16.float_bits(f32::MAX.into()), 0x7f80);
    assert_eq!(Scalar::Bf16.float_bits(f64::INFINITY), 0x7f80);
    assert_eq!(Scalar::F16.float_bits(1e-300), 0);
    assert_eq!(Scalar::F16.float_bits(f64::NAN), 0x7e00);
}
