//! Which code of the run time nests over rows take: what falls back to one row after another is seen here, and
//! not by benchmarks alone.

mod emitted;

use emitted::text;

#[test]
fn reductions_of_short_rows_go_together() {
    let sums = text("pub fn f(a: [[f32]]) -> [f32] { for r in a { r.sum() } }");
    assert!(sums.contains("__r::segments_to("), "{sums}");
    assert!(!sums.contains("constGATHERS:bool=true"), "{sums}");
    let counts = text("pub fn f(a: [[i32]]) -> [usize] { for r in a { r.count(|x| x > 0) } }");
    assert!(counts.contains("__r::counted_to("), "{counts}");
}

#[test]
fn reductions_of_narrow_rows_go_together() {
    let vector = "sum(for (x, y) in zip(r, v) { x * y })";
    for (parameters, result, rows) in [
        (
            "a: [[f64; m]; n], v: [f64; m]",
            "[f64; n]",
            format!("for r in a {{ {vector} }}"),
        ),
        (
            "a: [[f64]], v: [f64]",
            "[f64]",
            format!("for r in a {{ {vector} }}"),
        ),
        (
            "a: [[[f64; m]; k]; n], v: [f64; m]",
            "[[f64; k]; n]",
            format!("for b in a {{ for r in b {{ {vector} }} }}"),
        ),
        (
            "a: [[[f64]]], v: [f64]",
            "[[f64]]",
            format!("for b in a {{ for r in b {{ {vector} }} }}"),
        ),
    ] {
        let text = text(&format!("pub fn f({parameters}) -> {result} {{ {rows} }}"));
        assert!(text.contains("__r::narrow_to("), "{text}");
        assert!(text.contains("__r::load_repeated::<"), "{text}");
    }
    let sums = text("pub fn f(a: [[f64; m]; n]) -> [f64; n] { for r in a { r.sum() } }");
    assert!(sums.contains("__r::narrow_to("), "{sums}");
    assert!(!sums.contains("__r::load_repeated::<"), "{sums}");
}

#[test]
fn reductions_that_gather_say_so() {
    let smvm = text(
        "pub fn f(a: [[(usize, f64)]], v: [f64]) -> [f64] {
            for r in a { sum(for (j, x) in r { x * v[j] }) }
        }",
    );
    assert!(smvm.contains("__r::segments_to("), "{smvm}");
    assert!(smvm.contains("constGATHERS:bool=true"), "{smvm}");
}

#[test]
fn short_rows_are_written_together() {
    let softmax = text(
        "pub fn f(a: [[f64]]) -> [[f64]] {
            for r in a {
                let most = r.max_or(0.0);
                let powers = for x in r { exp(x - most) };
                let total = powers.sum();
                for p in powers { p / total }
            }
        }",
    );
    let weighted = text(
        "pub fn f(a: [[f64]], ks: [f64]) -> [[f64]] {
            for (r, k) in zip(a, ks) { for x in r { k * x } }
        }",
    );
    for rows in [softmax, weighted] {
        assert!(rows.contains("__r::batches_uneven_to("), "{rows}");
    }
}

#[test]
fn products_of_matrices_are_tiles() {
    let product = text(
        "pub fn f(a: [[f64; k]; n], b: [[f64; m]; k]) -> [[f64; m]; n] {
            for r in a { for c in b.transpose() { zip(r, c).map(|(x, y)| x * y).sum() } }
        }",
    );
    assert!(product.contains("__r::tiles_to("), "{product}");
}

/// What a body makes for itself is made once for each row, and the bodies in it read it where it lies; what they make
/// is made in the row.
#[test]
fn arrays_of_a_body_are_not_copied_into_those_inside() {
    let block = "pub fn f(a: [[f64]]) -> [[f64]] {
        for r in a {
            let w = for x in r { exp(x) };
            for x in r { sum(for y in w { x * y }) }
        }
    }";
    let nest = text(block);
    assert_eq!(
        nest.matches("__r::inner::write_local::").count(),
        1,
        "{nest}"
    );
    assert_eq!(nest.matches("__r::Buffer::").count(), 0, "{nest}");
    assert!(nest.contains("replicated:`w`,`x`"), "{nest}");
}
