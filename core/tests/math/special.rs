//! Special values and results that must be exact.

use ragged_core::math::Maths;

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
