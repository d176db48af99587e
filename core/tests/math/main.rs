//! The scalar maths: accuracy, special values, and the same bits in every form.
//!
//! In: `RAGGED_MATH_POINTS`, sampled points per `f64` function (40000; the `f32` functions take 20
//! times as many). Out: nothing. Assumes: nothing.
//! Largest errors over all `f32` and many more `f64`: the example `math_ulp`, `docs/maths.md`.

mod derived;
#[allow(clippy::approx_constant, reason = "results that happen to be near one")]
mod derived_points;
mod estimates;
mod exact;
mod forms;
mod measure;
#[allow(clippy::approx_constant, reason = "results that happen to be near one")]
mod points;
mod reference;
mod special;

use measure::{FUSED, ONES, TWOS, Worst};
use reference::{Pair, Wide};

fn sampled_points() -> u64 {
    let asked = std::env::var("RAGGED_MATH_POINTS")
        .ok()
        .and_then(|text| text.parse().ok());
    asked.unwrap_or(40_000)
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
    for function in ONES.iter().chain(&FUSED) {
        let step = ((1 << 32) / points).max(1) as usize;
        check(
            function.name,
            measure::single(function, 0x1234_5678 % step as u32, step),
            function.bounds.0,
        );
    }
    for function in &TWOS {
        let worst = measure::single_two(function, points, 3);
        check(function.name, worst, function.bounds.0);
    }
}

#[test]
fn doubles_keep_their_bounds() {
    let points = sampled_points();
    for function in ONES.iter().chain(&FUSED) {
        let worst = measure::double(function, points, 2);
        check(function.name, worst, function.bounds.1);
    }
    for function in &TWOS {
        let worst = measure::double_two(function, points, 2);
        check(function.name, worst, function.bounds.1);
    }
}

/// The rows of the tables in `docs/maths.md` that begin with a function, a type and a bound, under
/// `heading` and before the next one.
fn stated(heading: &str) -> Vec<(&'static str, &'static str, f64)> {
    let docs = include_str!("../../../docs/maths.md");
    let after = docs.split_once(heading).expect("the heading").1;
    let row = |line: &'static str| {
        let mut cells = line.trim_start_matches('|').split('|').map(str::trim);
        let name = cells.next()?.strip_prefix('`')?.strip_suffix('`')?;
        Some((name, cells.next()?, cells.next()?.parse().ok()?))
    };
    let lines = after.lines().skip_while(|line| !line.starts_with("| `"));
    lines.map_while(row).collect()
}

#[test]
fn the_docs_state_the_bounds_that_are_tested() {
    let one = |it: &measure::One| (it.name, it.bounds);
    let plain = ONES
        .iter()
        .map(one)
        .chain(TWOS.iter().map(|it| (it.name, it.bounds)));
    let fused = FUSED.iter().map(one);
    let fused = fused.map(|(name, bounds)| (name.trim_end_matches(" fused"), bounds));
    let tables: [(&str, Vec<_>); 2] = [
        ("## Accuracy", plain.collect()),
        ("are of fused operations there", fused.collect()),
    ];
    for (heading, tested) in tables {
        let mut stated = stated(heading);
        for (name, (single, double)) in tested {
            for row in [(name, "f32", single), (name, "f64", double)] {
                let at = stated.iter().position(|it| *it == row);
                stated.remove(at.unwrap_or_else(|| panic!("{row:?} is not in {stated:?}")));
            }
        }
        assert_eq!(stated, [], "stated and not tested");
    }
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
    let tables: [(&str, Reference, &[points::Point]); 26] = [
        ("exp", |x, _| reference::exp(x), points::EXP),
        ("ln", |x, _| reference::ln(x), points::LN),
        ("sin", |x, _| reference::sin(x), points::SIN),
        ("cos", |x, _| reference::cos(x), points::COS),
        ("tanh", |x, _| reference::tanh(x), points::TANH),
        ("pow", reference::pow, points::POW),
        ("exp2", |x, _| derived::exp2(x), derived_points::EXP2),
        ("exp_m1", |x, _| derived::exp_m1(x), derived_points::EXP_M1),
        ("ln_1p", |x, _| derived::ln_1p(x), derived_points::LN_1P),
        ("log2", |x, _| derived::log2(x), derived_points::LOG2),
        ("log10", |x, _| derived::log10(x), derived_points::LOG10),
        ("cbrt", |x, _| derived::cbrt(x), derived_points::CBRT),
        ("tan", |x, _| derived::tan(x), derived_points::TAN),
        ("asin", |x, _| derived::asin(x), derived_points::ASIN),
        ("acos", |x, _| derived::acos(x), derived_points::ACOS),
        ("atan", |x, _| derived::atan(x), derived_points::ATAN),
        ("sinh", |x, _| derived::sinh(x), derived_points::SINH),
        ("cosh", |x, _| derived::cosh(x), derived_points::COSH),
        ("asinh", |x, _| derived::asinh(x), derived_points::ASINH),
        ("acosh", |x, _| derived::acosh(x), derived_points::ACOSH),
        ("atanh", |x, _| derived::atanh(x), derived_points::ATANH),
        ("erf", |x, _| derived::erf(x), derived_points::ERF),
        ("erfc", |x, _| derived::erfc(x), derived_points::ERFC),
        ("log", derived::log, derived_points::LOG),
        ("atan2", derived::atan2, derived_points::ATAN2),
        ("hypot", derived::hypot, derived_points::HYPOT),
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
