//! Statements, loops and what can be assigned to.

use ragged::accel;

accel! {
    const LIMIT: i32 = 10;

    pub fn unused(n: i32) -> i32 { n + 1; n }

    pub fn body(n: i32) -> i32 { let mut i = 0; while i < n { i += 1; i * 2 } i }

    pub fn last(n: i32) -> i32 { let mut i = 0; for k in 0..n { i += k; } }

    pub fn bound(n: i32) -> i32 { let mut i = n; let y = { i += 1; }; i }

    pub fn leaving(n: i32) -> i32 { let mut i = n; loop { i += 1; let k = break; } i }

    pub fn with_value(n: i32) -> i32 { let mut i = 0; while i < n { i += 1; if i == 3 { break i; } } 0 }

    pub fn without(n: i32) -> i32 { let mut i = 0; loop { i += 1; if i > n { break; } if i > 9 { break i; } } }

    pub fn no_value(n: i32) -> i32 { let mut i = 0; loop { i += 1; if i > n { break i; } if i > 9 { break; } } }

    pub fn label(n: i32) -> i32 { let mut i = n; 'rows: loop { i += 1; if i > 9 { break 'row; } } i }

    pub fn constant(n: i32) -> i32 { LIMIT = n; LIMIT }

    pub fn call(xs: [i32]) -> [i32] { let mut ys = xs; ys.take(2)[0] = 1; ys }

    pub fn of_slice(xs: [i32]) -> [i32] { let mut ys = xs; ys[1..][0] = 5; ys }

    pub fn pair(xs: [[f32; m]; n]) -> f32 { xs[(0, 1)] }

    pub fn deeper(xs: [[f32; m]; n]) -> f32 { xs[0][1][2] }

    pub fn of_tuple(t: (f32, f32)) -> f32 { t[0] }

    pub fn suffix(x: f32) -> f32 { x * 2.5i32 }
}

fn main() {}
