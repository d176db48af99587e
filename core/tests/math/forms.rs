//! The same bits from a value alone, in a block, and at every feature level.

use super::measure::Random;
use ragged_core::math::{Maths, MulAdd};

const LANES: usize = 32;

/// Blocks of ordinary values, and blocks in which large and special ones are among them.
fn blocks() -> Vec<[f64; LANES]> {
    let mut random = Random(9);
    let ordinary = |random: &mut Random| random.double((-10, 10));
    let small = |random: &mut Random| random.double((-10, 5));
    let any = |random: &mut Random| random.argument((-10, 30));
    let mut blocks = Vec::new();
    for i in 0..2000 {
        blocks.push(std::array::from_fn(|_| match i % 3 {
            0 => ordinary(&mut random),
            1 => any(&mut random),
            _ => small(&mut random),
        }));
    }
    blocks
}

/// Appends a block for each function of one value.
macro_rules! of_one {
    ($out:ident, $x:ident; $($function:ident)*) => {$({
        let mut lanes = *$x;
        for l in 0..LANES {
            lanes[l] = Maths::$function($x[l]);
        }
        $out.push(lanes);
    })*};
}

/// Appends a block for each function of two values.
macro_rules! of_two {
    ($out:ident, $x:ident, $y:ident; $($function:ident)*) => {$({
        let mut lanes = *$x;
        for l in 0..LANES {
            lanes[l] = Maths::$function($x[l], $y[l]);
        }
        $out.push(lanes);
    })*};
}

macro_rules! functions {
    ($name:ident, $type:ident) => {
        mod $name {
            use super::*;

            /// Every function, by value and by block.
            #[inline(always)]
            fn all(x: &[$type; LANES], y: &[$type; LANES]) -> Vec<[$type; LANES]> {
                let mut out = vec![
                    Maths::sin_lanes(*x),
                    Maths::cos_lanes(*x),
                    Maths::tan_lanes(*x),
                    Maths::exp_lanes(*x),
                    MulAdd::exp_lanes(*x),
                    Maths::pow_lanes(*x, *y),
                ];
                of_one!(out, x; sin cos tan exp);
                let mut fused = *x;
                for l in 0..LANES {
                    fused[l] = MulAdd::exp::<LANES>(x[l]);
                }
                out.push(fused);
                of_two!(out, x, y; pow);
                of_one!(out, x; ln tanh exp2 exp_m1 ln_1p log2 log10 cbrt asin acos atan sinh cosh);
                of_one!(out, x; asinh acosh atanh erf erfc);
                of_two!(out, x, y; log atan2 hypot);
                let mut powers = *x;
                for l in 0..LANES {
                    powers[l] = Maths::powi(x[l], y[l] as i32);
                }
                out.push(powers);
                out
            }

            #[inline(never)]
            fn baseline(x: &[$type; LANES], y: &[$type; LANES]) -> Vec<[$type; LANES]> {
                all(x, y)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma")]
            fn avx2(x: &[$type; LANES], y: &[$type; LANES]) -> Vec<[$type; LANES]> {
                all(x, y)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,fma")]
            fn avx512(x: &[$type; LANES], y: &[$type; LANES]) -> Vec<[$type; LANES]> {
                all(x, y)
            }

            /// The bits, NaNs made alike.
            fn bits(values: &[[$type; LANES]]) -> Vec<u64> {
                let one = |x: &$type| {
                    if x.is_nan() {
                        u64::MAX
                    } else {
                        x.to_bits().into()
                    }
                };
                values.iter().flatten().map(one).collect()
            }

            /// Where powers of a block are normal numbers no more, on both sides.
            #[test]
            fn powers_next_to_the_ends() {
                for end in [87.0, -87.0, 708.0, -708.0] {
                    for block in 0..2000_i32 {
                        let at = |l: usize| f64::from(block * 32 + l as i32 - 32_000);
                        let x = std::array::from_fn(|l| end as $type + at(l) as $type * 1e-5);
                        let found = [Maths::exp_lanes(x), MulAdd::exp_lanes(x)];
                        let expected = [x.map(Maths::exp), x.map(MulAdd::exp::<LANES>)];
                        assert_eq!(bits(&found), bits(&expected), "{x:?}");
                    }
                }
            }

            #[test]
            fn the_same_bits_in_every_form() {
                let blocks = blocks();
                for pair in blocks.windows(2) {
                    let (x, y) = (pair[0].map(|x| x as $type), pair[1].map(|y| y as $type));
                    let x = if pair[1][0] > 0.0 {
                        x.map($type::abs)
                    } else {
                        x
                    };
                    let expected = baseline(&x, &y);
                    assert_eq!(
                        bits(&expected[..6]),
                        bits(&expected[6..12]),
                        "sin, cos, tan, exp, fused exp, pow of {x:?}, {y:?}"
                    );
                    #[cfg(target_arch = "x86_64")]
                    {
                        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                            // SAFETY: just detected.
                            let found = unsafe { avx2(&x, &y) };
                            assert_eq!(bits(&found), bits(&expected), "AVX2 on {x:?}");
                        }
                        if is_x86_feature_detected!("avx512dq")
                            && is_x86_feature_detected!("avx512vl")
                        {
                            // SAFETY: machines with DQ and VL have F, BW, CD and FMA.
                            let found = unsafe { avx512(&x, &y) };
                            assert_eq!(bits(&found), bits(&expected), "AVX-512 on {x:?}");
                        }
                    }
                }
            }
        }
    };
}

functions!(single, f32);
functions!(double, f64);
