//! Patterns that do not fit the value.

use ragged::accel;

accel! {
    struct Point { x: f32, y: f32 }

    const LOW: i32 = 1;
    const HIGH: i32 = 9;
    const PAIR: (i32, i32) = (1, 2);

    pub fn tuple(x: f32) -> f32 { let (a, b) = x; a + b }

    pub fn structure(p: Point) -> f32 { let (x, y) = p; x + y }

    pub fn of_arrays(xs: [f32], ys: [f32]) -> f32 { let (x, y) = xs; x * y }

    pub fn alternatives(t: (i32, i32)) -> i32 { match t { (x, 1) | (y, 2) => x, _ => 2 } }

    pub fn field_twice(p: Point) -> f32 { let Point { x, x: z, .. } = p; x + z }

    pub fn given_twice(a: f32) -> Point { Point { x: a, y: 1.0, x: 2.0 } }

    pub fn of_names(x: i32, high: i32) -> i32 {
        match x { LOW..=high => 1, PAIR.. => 2, u8::MIN..=9 => 3, HIGH..LOW => 4, i32::MOST => 5, Colour::Red => 6, _ => 7 }
    }

    pub fn apart(xs: [f32]) -> f32 { let (ys, zs) = xs.unzip(); ys.sum() + zs.sum() }

    pub fn fields(ps: [Point]) -> f32 { let (xs, ys) = ps.unzip(); xs.sum() + ys.sum() }
}

fn main() {}
