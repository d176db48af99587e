//! Floats of every type as bits.
//!
//! In: numbers. Out: the bits of the nearest float of a type, and back. Assumes: a float type.

use super::Scalar;

/// What a float type of 16 bits is made of.
struct Format {
    /// Bits of the fraction.
    fraction: i32,
    /// The exponent of the smallest normal number.
    least: i32,
    /// The exponent of the largest number.
    greatest: i32,
}

const F16: Format = Format {
    fraction: 10,
    least: -14,
    greatest: 15,
};

const BF16: Format = Format {
    fraction: 7,
    least: -126,
    greatest: 127,
};

impl Scalar {
    /// The bits of the float of this type that is nearest to `x`, of two the even one.
    pub fn float_bits(self, x: f64) -> u64 {
        match self {
            Scalar::F16 => F16.bits(x),
            Scalar::Bf16 => BF16.bits(x),
            Scalar::F32 => u64::from((x as f32).to_bits()),
            Scalar::F64 => x.to_bits(),
            other => panic!("{} is no float type", other.name()),
        }
    }

    /// The number that these bits stand for, exactly.
    pub fn float_value(self, bits: u64) -> f64 {
        match self {
            Scalar::F16 => F16.value(bits),
            Scalar::Bf16 => BF16.value(bits),
            Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
            Scalar::F64 => f64::from_bits(bits),
            other => panic!("{} is no float type", other.name()),
        }
    }
}

impl Format {
    fn bits(&self, x: f64) -> u64 {
        let sign = u64::from(x.is_sign_negative()) << 15;
        let infinity = ((1 << (15 - self.fraction)) - 1) << self.fraction;
        if x.is_nan() {
            return infinity | 1 << (self.fraction - 1);
        }
        // The exponent of a subnormal `f64` is below all that are looked at here.
        let exponent = ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023;
        let exponent = exponent.max(self.least);
        // Numbers of this exponent are so far apart; all of this is exact but for the rounding.
        let step = exponent - self.fraction;
        let steps = (x.abs() / power(step)).round_ties_even();
        if exponent > self.greatest || steps * power(step) >= power(self.greatest + 1) {
            return sign | infinity;
        }
        // The first bit of a normal number, or a carry into the next exponent, adds 1 to it.
        sign | ((((exponent - self.least) as u64) << self.fraction) + steps as u64)
    }

    fn value(&self, bits: u64) -> f64 {
        let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
        let fraction = bits & ((1 << self.fraction) - 1);
        let exponent = ((bits & 0x7fff) >> self.fraction) as i32;
        let hidden = 1 << self.fraction;
        let unit = self.least - self.fraction;
        sign * match exponent {
            0 => fraction as f64 * power(unit),
            it if it > self.greatest - self.least + 1 => match fraction {
                0 => f64::INFINITY,
                _ => f64::NAN,
            },
            it => (fraction + hidden) as f64 * power(unit + it - 1),
        }
    }
}

/// 2 to the power of `exponent`.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}
