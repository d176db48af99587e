//! Which sums are computed together, with lanes over the lag: see the note in `emit/rust/lags.rs`.

mod emitted;

use emitted::text;

/// Sums of a body over windows of a signal of `$T`: `value`, at step `i` and `lag`.
fn of_windows(number: &str, value: &str) -> String {
    text(
        &"pub fn f(xs: [$T], starts: [usize; n], len: usize, lags: usize) -> [[$T; lags]; n] {
            for start in starts {
                let w = xs[start..start + len];
                for lag in 0..lags { (lag..len).map(|i| $value).sum() }
            }
        }"
        .replace("$T", number)
        .replace("$value", value),
    )
}

#[test]
fn sums_in_bodies_are_computed_together() {
    for number in ["f32", "f64"] {
        let back = of_windows(number, "w[i] * w[i - lag]");
        assert!(back.contains("__r::lag_sums"), "{back}");
        // A product with 0.
        assert!(back.contains("constVANISH:[bool;2]=[true,true]"), "{back}");
        let squares = of_windows(number, "(w[i] - w[i - lag]) * (w[i] - w[i - lag])");
        assert!(squares.contains("__r::lag_sums"), "{squares}");
        assert!(
            squares.contains("constVANISH:[bool;2]=[false,false]"),
            "{squares}"
        );
        // Steps begin at 0: what `i` moves along with is their sum with the lag.
        assert!(squares.contains("constBACK:bool=false"), "{squares}");
    }
}

#[test]
fn zeros_behind_are_seen_in_the_sign_of_0_alone() {
    let of = |sum: &str| {
        text(&format!(
            "pub fn f(rows: [[f64]; n], ks: [f64; m]) -> [[f64]; n] {{
                for row in rows {{
                    for lag in 0..max(row.len() + 1, m) - m {{ (0..m).map(|k| row[lag + k] * ks[k] * 3.0){sum} }}
                }}
            }}"
        ))
    };
    let vanish = "constVANISH:[bool;2]=[true,true]";
    assert!(of(".sum()").contains(vanish));
    assert!(of(".reduce(1.0, |a, b| a + b)").contains(vanish));
    assert!(of(".reduce(-0.0, |a, b| a + b)").contains("constVANISH:[bool;2]=[false,false]"));
    // A quotient of two that are 0 is none.
    let divided = of_windows("f64", "w[i] * (w[i - lag] / (w[i] * 2.0))");
    assert!(
        divided.contains("constVANISH:[bool;2]=[false,false]"),
        "{divided}"
    );
}

#[test]
fn rows_of_sums_are_computed_together() {
    let causal = text(
        "pub fn f(a: [[f32; m]; n]) -> [[f32; m]; n] {
            for row in a { for i in 0..m { (0..i + 1).map(|j| row[j] * row[i - j]).sum() } }
        }",
    );
    assert!(causal.contains("__r::lags_to"), "{causal}");
    assert!(causal.contains("constBACK:bool=true"), "{causal}");
}

#[test]
fn other_sums_are_computed_one_by_one() {
    for (number, value) in [
        // No floats.
        ("i32", "w[i] * w[i - lag]"),
        // Moves by two.
        ("f32", "w[i] * w[min(2 * i, len - 1)]"),
        // What depends on the lag alone.
        ("f32", "w[lag] * w[i - lag]"),
    ] {
        let text = of_windows(number, value);
        assert!(!text.contains("lag_sums"), "{number} {value}: {text}");
    }
}
