//! Loops whose state is the same in every lane: how their text reads arrays.

mod emitted;

use emitted::text;

#[test]
fn a_counter_is_one_number() {
    let text = text(
        "pub fn f(cs: [f32; k], xs: [f32; n]) -> [f32; n] {
             for x in xs { let mut s = 0.0; for j in 0..k { s = s * x + cs[j]; } s }
         }",
    );
    // Its place in the state, and an element for all lanes.
    assert!(text.contains("([f32;L],[usize;1],[f32;L],)"), "{text}");
    assert!(
        text.contains("lete0=__r::Flag::read(flag,&g_p0_0,a"),
        "{text}"
    );
}

#[test]
fn a_column_is_read_in_blocks() {
    let text = text(
        "pub fn f(a: [[f32; m]; n]) -> [f32; m] {
             for j in 0..m { let mut s = 0.0; for i in 0..n { s = s * 0.5 + a[i][j]; } s }
         }",
    );
    assert!(
        text.contains("lete0=__r::load_near::<f32,{L}>(self.p0_0,"),
        "{text}"
    );
}

#[test]
fn a_count_of_its_own_for_each_lane_is_an_array_of_lanes() {
    let text = text(
        "pub fn f(xs: [f32; n]) -> [f32; n] {
             for i in 0..n { let mut s = 0.0; for j in i..n { s = s * 0.5 + xs[j]; } s }
         }",
    );
    assert!(!text.contains("lete0="), "{text}");
}

#[test]
fn a_short_reduction_at_each_place_of_a_row_is_a_loop() {
    let text = text(
        "pub fn f(lines: [[u8]], word: [u8]) -> [usize] {
             for line in lines {
                 line.windows(word.len()).count(|part| zip(part, word).all(|(a, b)| a == b))
             }
         }",
    );
    assert!(!text.contains("Buffer"), "nothing is stored: {text}");
    let (_, after) = text
        .split_once("loop{if!(((a")
        .expect("all lanes leave together");
    assert!(
        after.contains("__r::load_near::<u8,{L}>(self.p0_1,"),
        "{text}"
    );
}
