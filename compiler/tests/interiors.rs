//! What is computed in the middle of a stencil: nothing there asks about a border.

mod emitted;

use emitted::text;

/// The lanes of a stencil in the middle, which `impl Row` computes.
fn interior(border: &str, dims: usize) -> String {
    let (ty, taps) = match dims {
        1 => ("[f32; n]", "at(-1) + 0.5 * at(1) - at(0)"),
        2 => (
            "[[f32; m]; n]",
            "at(-1, 0) + 0.5 * at(1, 0) - at(0, -1) * at(0, 1)",
        ),
        _three => (
            "[[[f32; l]; m]; n]",
            "at(-1, 0, 0) + at(1, 0, 0) * at(0, -1, 0) - at(0, 1, 0) + at(0, 0, -1) - at(0, 0, 2)",
        ),
    };
    let text = text(&format!(
        "pub fn f(a: {ty}) -> {ty} {{ a.stencil({border}, |at| {taps}) }}"
    ));
    let of_row = text.split("impl__r::Rowfor").nth(1).expect("a row");
    let lanes = of_row.split("forlin0..L{").nth(1).expect("lanes");
    let end = lanes.find('}').expect("their end");
    lanes[..end].to_owned()
}

#[test]
fn the_middle_of_a_stencil_has_no_conditions() {
    for border in ["clamp", "mirror", "wrap", "fill(0.5)"] {
        for dims in 1..=3 {
            let lanes = interior(border, dims);
            let asks = ["if", "Order::", "check", "saturating", "%", "rem(", "get"];
            for ask in asks {
                assert!(!lanes.contains(ask), "{border}, {dims}: {ask} in {lanes}");
            }
            assert!(lanes.contains("o0[l]="), "{lanes}");
        }
    }
}

/// At the edge there are some.
#[test]
fn the_rest_of_it_has() {
    let text = text("pub fn f(a: [f32; n]) -> [f32; n] { a.stencil(clamp, |at| at(-1) + at(1)) }");
    let whole = text.split("impl__r::Kernelfor").nth(1).expect("a kernel");
    let whole = whole.split("impl__r::Rowfor").next().expect("its end");
    assert!(whole.contains("Order::min("), "{whole}");
}
