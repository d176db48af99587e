//! Constants against known lengths.

ragged::accel! {
    const LAST: usize = 3;

    pub fn index(xs: [i32; 3]) -> i32 { xs[7] + xs[LAST] + xs[2] }

    pub fn slice(xs: [i32; 3]) -> [i32] { xs[5..] }

    pub fn end(xs: [i32; 3]) -> [i32] { xs[1..=LAST].chain(xs[..3]) }

    pub fn reversed(xs: [i32; 3]) -> [i32] { xs[2..1] }

    pub fn rows(xss: [[i32; 2]; n]) -> [i32; n] { for row in xss { row[2] } }

    pub fn literal() -> i32 { [1, 2][2] }

    fn third(ys: [i32]) -> i32 { ys[2] }

    pub fn called(xs: [i32; 2]) -> i32 { third(xs) }

    pub fn local(x: i32) -> i32 {
        let pair = [x, x];
        pair[LAST]
    }

    // Nothing is said where the program may have asked before.
    fn at_most_third(xs: [i32]) -> i32 { if xs.len() > 2 { xs[2] } else { 0 } }

    fn at_least(xs: [i32]) -> i32 {
        if xs.len() < 3 { return 0; }
        xs[2]
    }

    pub fn asked(xs: [i32; 2], k: i32) -> i32 {
        let sum = at_most_third(xs) + at_least(xs) + if k < 2 { xs[2] } else { 0 };
        sum + for i in 0..3 { if i < 2 { xs[i] } else { 0 } }.sum()
    }
}

fn main() {}
