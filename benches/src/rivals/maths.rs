//! `exp` and `ln` in f32 as straight lines that vectorise: IEEE operations and bits only.

/// e to the power of `x`, to about 1.5 units in the last place; 0 and infinity at the ends.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let (y, n) = exp_parts(x.clamp(-87.33, 88.72));
    // Halves of the exponent, since 2^128 is no f32 while its product with `y` may be.
    let half = n >> 1;
    y * power_of_two(half) * power_of_two(n - half)
}

/// The same for `x` that are not positive: the power of two is never too large.
#[inline(always)]
pub fn exp_below_zero(x: f32) -> f32 {
    let least = -87.33;
    let (y, n) = exp_parts(if x > least { x } else { least });
    y * power_of_two(n)
}

/// e to the power of `x` as a number near 1 and a power of two to go with it.
#[inline(always)]
fn exp_parts(x: f32) -> (f32, i32) {
    const LOG2_E: f32 = std::f32::consts::LOG2_E;
    // ln 2 in two parts: multiples of the first are exact.
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    // Adding and taking away 1.5 * 2^23 rounds to a whole number, which the low bits then hold.
    const ROUND: f32 = 12_582_912.0;
    let shifted = x * LOG2_E + ROUND;
    let n = shifted - ROUND;
    let r = (x - n * LN2_HIGH) - n * LN2_LOW;
    let mut p = 1.987_569_1e-4;
    p = p * r + 1.398_199_9e-3;
    p = p * r + 8.333_452e-3;
    p = p * r + 4.166_579_6e-2;
    p = p * r + 0.166_666_65;
    p = p * r + 0.5;
    let y = p * (r * r) + r + 1.0;
    (y, shifted.to_bits().wrapping_sub(ROUND.to_bits()) as i32)
}

#[inline(always)]
fn power_of_two(n: i32) -> f32 {
    f32::from_bits((n.wrapping_add(127) << 23) as u32)
}

/// The natural logarithm of a positive normal `x`, to about 1 unit in the last place.
#[inline(always)]
pub fn ln(x: f32) -> f32 {
    const SQRT_HALF: u32 = 0x3f35_04f3;
    const LN2_HIGH: f32 = 0.693_359_4;
    const LN2_LOW: f32 = -2.121_944_4e-4;
    // The mantissa between sqrt(1/2) and sqrt(2), the exponent to go with it.
    let above = x.to_bits().wrapping_sub(SQRT_HALF);
    let e = ((above as i32) >> 23) as f32;
    let m = f32::from_bits((above & 0x007f_ffff).wrapping_add(SQRT_HALF));
    let r = m - 1.0;
    let mut p = 7.037_683_6e-2;
    p = p * r - 0.115_146_1;
    p = p * r + 0.116_769_99;
    p = p * r - 0.124_201_41;
    p = p * r + 0.142_493_23;
    p = p * r - 0.166_680_58;
    p = p * r + 0.200_007_14;
    p = p * r - 0.249_999_94;
    p = p * r + 0.333_333_3;
    let square = r * r;
    let y = p * r * square + e * LN2_LOW - 0.5 * square;
    r + y + e * LN2_HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_is_accurate() {
        for i in -8700..8870 {
            let x = i as f32 * 0.01;
            let exact = f64::from(x).exp();
            assert!((f64::from(exp(x)) / exact - 1.0).abs() < 1.5e-7, "exp({x})");
            if x <= 0.0 {
                assert_eq!(exp_below_zero(x), exp(x));
            }
        }
    }

    #[test]
    fn ln_is_accurate() {
        for i in 1..20_000 {
            let x = i as f32 * i as f32 * 1e-4;
            let exact = f64::from(x).ln();
            let error = (f64::from(ln(x)) - exact).abs();
            assert!(error < 1.5e-7 * exact.abs().max(0.05), "ln({x})");
        }
    }
}
