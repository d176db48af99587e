//! Signatures: types and sizes that parameters and results cannot have.

use ragged::accel;

accel! {
    pub fn normalise(xs: [f32]) -> () { }

    pub fn doubled(x: f32) { x * 2.0 }

    pub fn guess(x: _) -> f32 { 1.0 }

    pub fn nothing(x: ()) -> f32 { 1.0 }

    pub fn nothings(xs: ([f32], ())) -> f32 { 1.0 }

    pub fn items(xs: Seq<f32>) -> f32 { 1.0 }

    fn each(f: impl Fn([f32; n]) -> f32, xs: [f32; n]) -> f32 { f(xs) }

    fn both((f, g): impl Fn(f32) -> f32, x: f32) -> f32 { x }

    struct Signal { samples: [f32; n], rate: f32 }

    struct Tree { value: f32, children: [Tree] }

    #[derive(Debug)]
    pub struct List { pub first: f32, pub rest: Rest }

    #[derive(Debug)]
    pub struct Rest { pub list: (List, u8) }

    pub fn sum(list: List) -> f32 { list.first + sum(list.rest.list.0) }
}

accel! {
    pub fn apply(f: impl Fn(f32) -> f32, x: f32) -> f32 { f(x) }

    pub fn items_of(xs: [f32]) -> f32 { let ys: Seq<f32> = xs; ys.sum() }

    fn first<T: Num>(x: T) -> T { x }

    pub fn instance(x: i32) -> i32 { first::<[i32; 3]>(x) }

    pub fn cast(x: i32) -> i32 { let y = x as [i32; 3]; y[0] }
}

fn main() {}
