//! Prints the cost of each function in ns per element, in loops over 4096 elements in L1 cache, at
//! the feature levels of x86-64, beside `std`'s function or cast in the same loop at the same level.
//!
//! `cargo run --release -p ragged-core --example math_speed -- [NAME …]`

#[cfg(target_arch = "x86_64")]
fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    println!(
        "{:18} {:>28} {:>28}",
        "", "ours: v1     v3     v4", "std: v1     v3     v4"
    );
    levels::all(&names);
}

#[cfg(not(target_arch = "x86_64"))]
fn main() {
    println!("levels are those of x86-64");
}

#[cfg(target_arch = "x86_64")]
mod levels {
    use ragged_core::math::{Maths, Order, cast};
    use std::hint::black_box;
    use std::time::Instant;

    const SIZE: usize = 4096;

    /// The least time of a call in 40 batches, in ns per element.
    fn time<T: Copy, U: Copy + Default>(
        x: &[T; SIZE],
        run: impl Fn(&[T; SIZE], &mut [U; SIZE]),
    ) -> f64 {
        let mut y = [U::default(); SIZE];
        let mut best = f64::INFINITY;
        for _ in 0..40 {
            let start = Instant::now();
            for _ in 0..10 {
                run(black_box(x), black_box(&mut y));
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        best / (10 * SIZE) as f64 * 1e9
    }

    /// One loop at three levels: `[f64; 3]`.
    macro_rules! at_levels {
        ($from:ty => $to:ty, $input:expr, $x:ident, $y:ident, $body:expr) => {{
            // No closure: it would not inherit the features of the function around it.
            #[inline(always)]
            fn body(x: &[$from; SIZE], y: &mut [$to; SIZE]) {
                for ($x, $y) in x.as_chunks::<64>().0.iter().zip(y.as_chunks_mut::<64>().0) {
                    $body;
                }
            }
            #[inline(never)]
            fn v1(x: &[$from; SIZE], y: &mut [$to; SIZE]) {
                body(x, y)
            }
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt,f16c")]
            #[inline(never)]
            fn v3(x: &[$from; SIZE], y: &mut [$to; SIZE]) {
                body(x, y)
            }
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,movbe,popcnt,f16c")]
            #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
            #[inline(never)]
            fn v4(x: &[$from; SIZE], y: &mut [$to; SIZE]) {
                body(x, y)
            }
            let x = $input;
            let mut out = [time(&x, v1), f64::NAN, f64::NAN];
            if is_x86_feature_detected!("avx2") {
                // SAFETY: AVX2 machines have the rest of the level.
                out[1] = time(&x, |x, y| unsafe { v3(x, y) });
            }
            if is_x86_feature_detected!("avx512dq") && is_x86_feature_detected!("avx512vl") {
                // SAFETY: machines with DQ and VL have the rest of the level.
                out[2] = time(&x, |x, y| unsafe { v4(x, y) });
            }
            out
        }};
    }

    macro_rules! line {
        ($names:ident, $name:expr, $from:ty => $to:ty, $input:expr, $v:ident, $ours:expr, $std:expr) => {
            if $names.is_empty() || $names.iter().any(|n| $name.contains(n.as_str())) {
                let ours = at_levels!($from => $to, $input, x, y, for l in 0..64 {
                    let $v = x[l];
                    y[l] = $ours;
                });
                let std = at_levels!($from => $to, $input, x, y, for l in 0..64 {
                    let $v = x[l];
                    y[l] = $std;
                });
                show($name, ours, std);
            }
        };
    }

    macro_rules! lanes {
        ($names:ident, $name:expr, $type:ty, $input:expr, $ours:ident $(, $factor:literal)?) => {
            if $names.is_empty() || $names.iter().any(|n| $name.contains(n.as_str())) {
                let ours = at_levels!($type => $type, $input, x, y, {
                    $(let mut exponents = *x;
                    for e in &mut exponents {
                        *e *= $factor;
                    })?
                    *y = lanes!(@call $ours, *x $(, exponents, $factor)?);
                });
                show($name, ours, [f64::NAN; 3]);
            }
        };
        ($names:ident, $name:expr, $type:ty, $input:expr, 16 $ours:ident) => {
            if $names.is_empty() || $names.iter().any(|n| $name.contains(n.as_str())) {
                let ours = at_levels!($type => $type, $input, x, y, {
                    for (x, y) in x.as_chunks::<16>().0.iter().zip(y.as_chunks_mut::<16>().0) {
                        *y = Maths::$ours(*x);
                    }
                });
                show($name, ours, [f64::NAN; 3]);
            }
        };
        (@call $ours:ident, $x:expr) => { Maths::$ours($x) };
        (@call $ours:ident, $x:expr, $y:expr, $factor:literal) => { Maths::$ours($x, $y) };
    }

    fn show(name: &str, ours: [f64; 3], std: [f64; 3]) {
        let text = |t: [f64; 3]| t.map(|t| format!("{t:6.3}")).join(" ");
        println!("{name:18} {:>28} {:>28}", text(ours), text(std));
    }

    macro_rules! functions {
        ($names:ident, $type:ident, $name:literal) => {
            let at = |low: $type, high: $type| -> [$type; SIZE] {
                std::array::from_fn(|i| low + (high - low) * ((i * 2654435761) % SIZE) as $type / SIZE as $type)
            };
            line!($names, concat!($name, "::exp"), $type => $type, at(-20.0, 20.0), v, Maths::exp(v), v.exp());
            line!($names, concat!($name, "::ln"), $type => $type, at(0.01, 100.0), v, Maths::ln(v), v.ln());
            line!($names, concat!($name, "::sin"), $type => $type, at(-100.0, 100.0), v, Maths::sin(v), v.sin());
            line!($names, concat!($name, "::cos"), $type => $type, at(-100.0, 100.0), v, Maths::cos(v), v.cos());
            lanes!($names, concat!($name, "::exp_lanes"), $type, at(-20.0, 20.0), exp_lanes);
            lanes!($names, concat!($name, "::sin_lanes"), $type, at(-100.0, 100.0), sin_lanes);
            lanes!($names, concat!($name, "::cos_lanes"), $type, at(-100.0, 100.0), cos_lanes);
            lanes!($names, concat!($name, "::pow_lanes"), $type, at(0.01, 100.0), pow_lanes, 0.1);
            line!($names, concat!($name, "::tanh"), $type => $type, at(-4.0, 4.0), v, Maths::tanh(v), v.tanh());
            line!($names, concat!($name, "::pow"), $type => $type, at(0.01, 100.0), v, Maths::pow(v, v * 0.1), v.powf(v * 0.1));
            line!($names, concat!($name, "::exp2"), $type => $type, at(-20.0, 20.0), v, Maths::exp2(v), v.exp2());
            line!($names, concat!($name, "::exp_m1"), $type => $type, at(-3.0, 3.0), v, Maths::exp_m1(v), v.exp_m1());
            line!($names, concat!($name, "::ln_1p"), $type => $type, at(-0.9, 10.0), v, Maths::ln_1p(v), v.ln_1p());
            line!($names, concat!($name, "::log2"), $type => $type, at(0.01, 100.0), v, Maths::log2(v), v.log2());
            line!($names, concat!($name, "::log10"), $type => $type, at(0.01, 100.0), v, Maths::log10(v), v.log10());
            line!($names, concat!($name, "::cbrt"), $type => $type, at(-100.0, 100.0), v, Maths::cbrt(v), v.cbrt());
            line!($names, concat!($name, "::tan"), $type => $type, at(-100.0, 100.0), v, Maths::tan(v), v.tan());
            line!($names, concat!($name, "::asin"), $type => $type, at(-1.0, 1.0), v, Maths::asin(v), v.asin());
            line!($names, concat!($name, "::acos"), $type => $type, at(-1.0, 1.0), v, Maths::acos(v), v.acos());
            line!($names, concat!($name, "::atan"), $type => $type, at(-5.0, 5.0), v, Maths::atan(v), v.atan());
            line!($names, concat!($name, "::sinh"), $type => $type, at(-5.0, 5.0), v, Maths::sinh(v), v.sinh());
            line!($names, concat!($name, "::cosh"), $type => $type, at(-5.0, 5.0), v, Maths::cosh(v), v.cosh());
            line!($names, concat!($name, "::asinh"), $type => $type, at(-5.0, 5.0), v, Maths::asinh(v), v.asinh());
            line!($names, concat!($name, "::acosh"), $type => $type, at(1.0, 50.0), v, Maths::acosh(v), v.acosh());
            line!($names, concat!($name, "::atanh"), $type => $type, at(-1.0, 1.0), v, Maths::atanh(v), v.atanh());
            lanes!($names, concat!($name, "::tan_lanes"), $type, at(-100.0, 100.0), tan_lanes);
            line!($names, concat!($name, "::erf"), $type => $type, at(-4.0, 4.0), v, Maths::erf(v), libm::erf(v.into()) as $type);
            line!($names, concat!($name, "::erfc"), $type => $type, at(-4.0, 4.0), v, Maths::erfc(v), libm::erfc(v.into()) as $type);
            line!($names, concat!($name, "::atan2"), $type => $type, at(-100.0, 100.0), v, Maths::atan2(v, 1.5), v.atan2(1.5));
            line!($names, concat!($name, "::hypot"), $type => $type, at(-100.0, 100.0), v, Maths::hypot(v, 1.5), v.hypot(1.5));
            line!($names, concat!($name, "::log"), $type => $type, at(0.01, 100.0), v, Maths::log(v, 1.5), v.log(1.5));
            line!($names, concat!($name, "::powi"), $type => $type, at(0.01, 100.0), v, Maths::powi(v, 5), v.powi(5));
            line!($names, concat!($name, "::sqrt"), $type => $type, at(0.01, 100.0), v, Maths::sqrt(v), v.sqrt());
            line!($names, concat!($name, "::floor"), $type => $type, at(-100.0, 100.0), v, Maths::floor(v), v.floor());
            line!($names, concat!($name, "::ceil"), $type => $type, at(-100.0, 100.0), v, Maths::ceil(v), v.ceil());
            line!($names, concat!($name, "::trunc"), $type => $type, at(-100.0, 100.0), v, Maths::trunc(v), v.trunc());
            line!($names, concat!($name, "::round"), $type => $type, at(-100.0, 100.0), v, Maths::round(v), v.round());
            lanes!($names, concat!($name, "::floor_lanes 16"), $type, at(-100.0, 100.0), 16 floor_lanes);
            lanes!($names, concat!($name, "::round_lanes 16"), $type, at(-100.0, 100.0), 16 round_lanes);
            line!($names, concat!($name, "::min"), $type => $type, at(-100.0, 100.0), v, Order::min(v, 1.5), v.min(1.5));
            line!($names, concat!($name, "::clamp"), $type => $type, at(-100.0, 100.0), v, Order::clamp(v, -1.0, 1.5), v.clamp(-1.0, 1.5));
        };
    }

    macro_rules! casts {
        ($names:ident, $($function:ident: $from:ty => $to:ty;)*) => {$(
            let input: [$from; SIZE] = std::array::from_fn(|i| ((i * 2654435761) % SIZE) as $from);
            line!($names, stringify!($function), $from => $to, input, v, cast::$function(v), v as $to);
        )*};
    }

    pub fn all(names: &[String]) {
        {
            functions!(names, f32, "f32");
        }
        functions!(names, f64, "f64");
        casts!(names,
            f32_to_i8: f32 => i8; f32_to_i16: f32 => i16; f32_to_i32: f32 => i32; f32_to_i64: f32 => i64;
            f32_to_u8: f32 => u8; f32_to_u16: f32 => u16; f32_to_u32: f32 => u32; f32_to_u64: f32 => u64;
            f64_to_i8: f64 => i8; f64_to_i16: f64 => i16; f64_to_i32: f64 => i32; f64_to_i64: f64 => i64;
            f64_to_u8: f64 => u8; f64_to_u16: f64 => u16; f64_to_u32: f64 => u32; f64_to_u64: f64 => u64;
        );
    }
}
