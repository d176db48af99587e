//! Expressions that Rust has and the language has not.

use ragged::accel;

accel! {
    pub fn dereferences(xs: [f32]) -> [f32] { xs.map(|x| *x + 1.0) }

    pub fn assigns_through(xs: [f32]) -> [f32] {
        let mut ys = xs;
        for i in 0..len(ys) { *ys[i] += 1.0; }
        ys
    }

    pub fn lends(xs: [f32]) -> [f32] {
        let mut ys = xs;
        sort(&mut ys);
        ys
    }

    pub fn pointer(xs: [f32]) -> f32 { let p = &raw const xs; 1.0 }

    pub fn tests(pair: (f32, f32)) -> f32 { if let (0.0, y) = pair { y } else { 1.0 } }

    pub fn drains(n: i32) -> i32 {
        let mut left = n;
        while let 1 = left { left -= 1; }
        left
    }

    pub fn catches(pair: (i32, i32)) -> i32 { let (0, y) = pair else { return 1; }; y }

    pub fn placeholder(x: f32) -> f32 { x.max(_) }

    pub fn unchecked(xs: [f32], i: usize) -> f32 { unsafe { xs[i] } }

    pub fn early(n: usize) -> usize { let size = const { 4 * 4 }; n + size }

    pub fn tried(x: i32) -> i32 { let y = try { x + 1 }; y }

    pub fn awaited(x: f32) -> f32 { let y = async { x * 2.0 }; y.await }

    pub fn later(xs: [f32]) -> [f32] { xs.map(async |x| x + 1.0) }

    pub fn generated(xs: [f32]) -> f32 { for x in xs { yield x; } 1.0 }

    pub fn labelled(x: i32) -> i32 {
        'found: {
            if x > 0 { break 'found 1; }
            2
        }
    }
}

fn main() {}
