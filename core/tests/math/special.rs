//! Special values and results that must be exact.

use ragged_core::math::{FUSING, Maths, MulAdd};

/// Equal bits, or both NaN: what a float's shortest digits tell.
#[track_caller]
fn same<T: std::fmt::Debug>(computed: T, expected: T) {
    assert_eq!(format!("{computed:?}"), format!("{expected:?}"));
}

macro_rules! special_values {
    ($test:ident, $type:ident, $largest_exp:expr, $least_exp:expr) => {
        #[test]
        fn $test() {
            const INF: $type = $type::INFINITY;
            const NAN: $type = $type::NAN;
            let least = $type::from_bits(1);
            same(Maths::exp(0.0 as $type), 1.0);
            same(Maths::exp(-0.0 as $type), 1.0);
            same(Maths::exp(INF), INF);
            same(Maths::exp(-INF), 0.0);
            same(Maths::exp(NAN), NAN);
            same(Maths::exp($type::MAX), INF);
            same(Maths::exp($type::MIN), 0.0);
            same(Maths::exp(least), 1.0);
            assert!(Maths::exp($largest_exp as $type) < INF);
            same(Maths::exp(($largest_exp as $type).next_up()), INF);
            same(Maths::exp($least_exp as $type), least);
            same(Maths::exp(($least_exp as $type).next_down()), 0.0);

            same(Maths::ln(1.0 as $type), 0.0);
            same(Maths::ln(0.0 as $type), -INF);
            same(Maths::ln(-0.0 as $type), -INF);
            same(Maths::ln(-1.0 as $type), NAN);
            same(Maths::ln(-least), NAN);
            same(Maths::ln(-INF), NAN);
            same(Maths::ln(INF), INF);
            same(Maths::ln(NAN), NAN);

            for (x, sign) in [(0.0, 1.0), (-0.0, 1.0), (least, 1.0), (-least, 1.0)] {
                same(Maths::sin(x), x);
                same(Maths::cos(x), sign as $type);
                same(Maths::tanh(x), x);
            }
            for x in [INF, -INF, NAN] {
                same(Maths::sin(x), NAN);
                same(Maths::cos(x), NAN);
            }
            same(Maths::tanh(INF), 1.0);
            same(Maths::tanh(-INF), -1.0);
            same(Maths::tanh(NAN), NAN);
            same(Maths::tanh($type::MAX), 1.0);
            same(Maths::tanh(-30.0 as $type), -1.0);
        }
    };
}

special_values!(special_values_of_single, f32, 88.72283f32, -103.97208f32);
special_values!(
    special_values_of_double,
    f64,
    709.782712893384f64,
    -745.1332191019411f64
);

macro_rules! powers {
    ($test:ident, $type:ident, $odd:expr, $even:expr) => {
        #[test]
        fn $test() {
            const INF: $type = $type::INFINITY;
            let specials = [
                0.0,
                1.0,
                2.0,
                3.0,
                0.5,
                1.5,
                $odd,
                $even,
                $type::MAX,
                $type::MIN_POSITIVE,
                INF,
                $type::from_bits(1),
                1.0 + $type::EPSILON,
                1.0 - $type::EPSILON,
                $type::NAN,
            ];
            let values = specials.map(|x| [x, -x]).concat();
            for &x in &values {
                for &y in &values {
                    let (ours, std) = (Maths::pow(x, y), x.powf(y));
                    let near = (ours.is_nan() && std.is_nan())
                        || ours.to_bits().abs_diff(std.to_bits()) <= 1;
                    assert!(near, "{x:e}^{y:e} is {ours:e}, not {std:e}");
                    let exact = std == 0.0 || std.is_infinite() || std.abs() == 1.0;
                    assert!(
                        !exact || ours.to_bits() == std.to_bits(),
                        "{x:e}^{y:e} is {ours:e}"
                    );
                }
                same(Maths::pow(x, 1.0), x);
                same(Maths::pow(x, 0.0), 1.0);
            }
        }
    };
}

powers!(powers_of_single, f32, 16777215.0, 16777216.0);
powers!(
    powers_of_double,
    f64,
    9007199254740991.0,
    9007199254740992.0
);

#[test]
fn whole_powers_are_exact() {
    same(Maths::pow(2.0f64, 10.0), 1024.0);
    same(Maths::pow(2.0f32, 10.0), 1024.0);
    for base in 1u64..=200 {
        let mut power = 1u64;
        for exponent in 0.. {
            same(Maths::pow(base as f64, exponent as f64), power as f64);
            same(Maths::pow(-(base as f64), 2.0), (base * base) as f64);
            if power < 1 << 24 {
                same(Maths::pow(base as f32, exponent as f32), power as f32);
            }
            power = match power.checked_mul(base) {
                Some(next) if next < 1 << 53 && exponent < 60 => next,
                _ => break,
            };
        }
    }
    for exponent in -1074..1024 {
        let exact = f64::from_bits(if exponent < -1022 {
            1 << (exponent + 1074)
        } else {
            ((exponent + 1023) as u64) << 52
        });
        same(Maths::pow(2.0f64, f64::from(exponent)), exact);
    }
}

/// Where the `libm` crate's `f64` is 0, infinite or NaN: the same; elsewhere near.
macro_rules! as_libm {
    ($test:ident, $type:ident: $($name:ident $exact:ident)*) => {
        #[test]
        fn $test() {
            const NAN: $type = $type::NAN;
            let sizes = [
                0.0,
                $type::from_bits(1),
                $type::MIN_POSITIVE,
                1e-20,
                0.25,
                0.5,
                1.0 - $type::EPSILON,
                1.0,
                1.0 + $type::EPSILON,
                2.0,
                10.0,
                1000.0,
                $type::MAX,
                $type::INFINITY,
                NAN,
            ];
            let values = sizes.map(|x| [x, -x]).concat();
            let near = |ours: $type, std: $type, what: &str| {
                let nan = ours.is_nan() && std.is_nan();
                let close = ours.to_bits().abs_diff(std.to_bits()) <= 3;
                let exact = std == 0.0 || std.is_infinite();
                let same = ours.to_bits() == std.to_bits();
                assert!(
                    nan || same || close && !exact,
                    "{what} is {ours:e}, not {std:e}"
                );
            };
            for &x in &values {
                $(near(Maths::$name(x), libm::$exact(f64::from(x)) as $type, &format!("{}({x:e})", stringify!($name)));)*
                for &y in &values {
                    near(Maths::atan2(x, y), x.atan2(y), &format!("atan2({x:e}, {y:e})"));
                    near(Maths::hypot(x, y), x.hypot(y), &format!("hypot({x:e}, {y:e})"));
                }
                for n in [-3, -2, -1, 0, 1, 2, 3, 4, 5, 33, i32::MAX, i32::MIN] {
                    let power = f64::from(x).powf(f64::from(n)) as $type;
                    near(Maths::powi(x, n), power, &format!("powi({x:e}, {n})"));
                }
            }
        }
    };
}

as_libm!(special_values_of_more_of_single, f32: exp2 exp2 exp_m1 expm1 ln_1p log1p log2 log2 log10 log10 cbrt cbrt tan tan asin asin
    acos acos atan atan sinh sinh cosh cosh asinh asinh atanh atanh erf erf erfc erfc);
as_libm!(special_values_of_more_of_double, f64: exp2 exp2 exp_m1 expm1 ln_1p log1p log2 log2 log10 log10 cbrt cbrt tan tan asin asin
    acos acos atan atan sinh sinh cosh cosh asinh asinh atanh atanh erf erf erfc erfc);

#[test]
fn acosh_is_nan_below_one() {
    for x in [
        1.0f64.next_down(),
        0.0,
        -1.0,
        -1e10,
        f64::NEG_INFINITY,
        f64::NAN,
    ] {
        same(Maths::acosh(x), f64::NAN);
        same(Maths::acosh(x as f32 - 1e-7), f32::NAN);
    }
    same(Maths::acosh(1.0), 0.0);
    same(Maths::acosh(1.0f32), 0.0);
    same(Maths::acosh(f64::INFINITY), f64::INFINITY);
    same(Maths::acosh(f32::INFINITY), f32::INFINITY);
}

#[test]
fn edges_of_what_std_lacks() {
    for x in [0.0f64, -0.0, 1e-310, -1e-310] {
        assert_eq!(Maths::erf(x).is_sign_negative(), x.is_sign_negative());
        same(Maths::erfc(x), 1.0);
    }
    same(Maths::erf(-0.0f32), -0.0);
    same(Maths::erf(f64::INFINITY), 1.0);
    same(Maths::erf(f32::NEG_INFINITY), -1.0);
    same(Maths::erf(f64::NAN), f64::NAN);
    same(Maths::erfc(f64::INFINITY), 0.0);
    same(Maths::erfc(f32::NEG_INFINITY), 2.0);
    same(Maths::erfc(f32::NAN), f32::NAN);
    same(Maths::log(8.0, 2.0), 3.0);
    same(Maths::log(1000.0f32, 10.0), 3.0);
    same(Maths::log(243.0, 3.0), 5.0);
    same(Maths::log(0.0, 3.0), f64::NEG_INFINITY);
    same(Maths::log(-1.0, 3.0), f64::NAN);
    same(Maths::log(2.0f32, -3.0), f32::NAN);
    same(Maths::log(2.0, 1.0), f64::INFINITY);
    same(Maths::log(1.0, 1.0), f64::NAN);
    same(Maths::log(f64::INFINITY, 2.0), f64::INFINITY);
    same(Maths::log(2.0, 0.0), -0.0);
}

#[test]
fn results_that_have_a_float_are_exact() {
    for k in -1074..=1023 {
        let power = Maths::exp2(f64::from(k));
        same(power, Maths::pow(2.0, f64::from(k)));
        same(Maths::log2(power), f64::from(k));
        if k % 3 == 0 {
            same(Maths::cbrt(power), Maths::exp2(f64::from(k / 3)));
        }
    }
    let mut power = 1.0f64;
    for k in 0..=22 {
        same(Maths::log10(power), f64::from(k));
        power *= 10.0;
    }
    for n in 1..=100_000u64 {
        let (x, cube) = (n as f64, (n * n * n) as f64);
        same(Maths::cbrt(cube), x);
        same(Maths::hypot(3.0 * x, -4.0 * x), 5.0 * x);
        same(Maths::hypot(3.0 * n as f32, 4.0 * n as f32), 5.0 * n as f32);
    }
    same(Maths::powi(3.0f64, 33), 5559060566555523.0);
    same(Maths::powi(-2.0f32, 127), -2f32.powi(127));
    same(Maths::powi(0.1f64, 2), 0.1 * 0.1);
    same(Maths::powi(0.1f32, 3), 0.1 * 0.1 * 0.1);
    same(Maths::powi(-0.0f64, -3), f64::NEG_INFINITY);
}

#[test]
fn fused_functions_have_the_special_values_of_the_others() {
    let edges = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    for x in edges.into_iter().chain([f64::MAX, f64::MIN]) {
        same(MulAdd::exp::<FUSING>(x), Maths::exp(x));
        same(MulAdd::exp::<FUSING>(x as f32), Maths::exp(x as f32));
    }
    for x in edges.into_iter().chain([1.0, -1.0]) {
        same(MulAdd::ln::<FUSING>(x), Maths::ln(x));
        same(MulAdd::ln::<FUSING>(x as f32), Maths::ln(x as f32));
    }
}
