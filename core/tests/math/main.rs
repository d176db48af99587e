//! The scalar maths: accuracy, special values, and the same bits in every form.
//!
//! In: `RAGGED_MATH_POINTS`, sampled points per `f64` function (10^5; the `f32` functions take 20
//! times as many). Out: nothing. Assumes: nothing.
//! Largest errors over all `f32` and many more `f64`: the example `math_ulp`, `docs/maths.md`.

mod exact;
mod forms;
mod measure;
#[allow(clippy::approx_constant)]
mod points;
mod reference;
mod special;

use measure::{DOUBLES, POW_BOUNDS, SINGLES, Worst};
use reference::{Pair, Wide};

fn sampled_points() -> u64 {
    let asked = std::env::var("RAGGED_MATH_POINTS")
        .ok()
        .and_then(|text| text.parse().ok());
    asked.unwrap_or(100_000)
}

fn check(name: &str, worst: Worst, bound: f64) {
    assert!(
        worst.ulp <= bound,
        "{name}: {} ulp at {:?}, more than {bound}",
        worst.ulp,
        worst.at
    );
}

#[test]
fn singles_keep_their_bounds() {
    let points = 20 * sampled_points();
    for function in &SINGLES {
        let step = ((1 << 32) / points).max(1) as usize;
        check(
            function.name,
            measure::single(function, 0x1234_5678 % step as u32, step),
            function.bound,
        );
    }
    check("pow", measure::single_pow(points, 3), POW_BOUNDS.0);
}

#[test]
fn doubles_keep_their_bounds() {
    let points = sampled_points();
    for function in &DOUBLES {
        check(
            function.name,
            measure::double(function, points, 2),
            function.bound,
        );
    }
    check("pow", measure::double_pow(points, 2), POW_BOUNDS.1);
}

/// How far, as a part of itself, the reference is from an mpmath value.
fn distance(computed: Wide, (_, _, high, low, exponent): points::Point) -> f64 {
    let scale = 2f64.powi(computed.exponent - exponent);
    let Pair(h, l) = computed.value;
    (((h * scale - high) + (l * scale - low)) / high).abs()
}

#[test]
fn the_reference_agrees_with_mpmath() {
    type Reference = fn(f64, f64) -> Wide;
    let tables: [(&str, Reference, &[points::Point]); 6] = [
        ("exp", |x, _| reference::exp(x), points::EXP),
        ("ln", |x, _| reference::ln(x), points::LN),
        ("sin", |x, _| reference::sin(x), points::SIN),
        ("cos", |x, _| reference::cos(x), points::COS),
        ("tanh", |x, _| reference::tanh(x), points::TANH),
        ("pow", reference::pow, points::POW),
    ];
    for (name, function, values) in tables {
        for &point in values {
            let off = distance(function(point.0, point.1), point);
            assert!(
                off < 2f64.powi(-80),
                "{name}{point:?} is off by {off:e} of itself"
            );
        }
    }
}
