//! What arrays are called whose sizes contradict each other.

use ragged::accel;

accel! {
    fn both(xs: [f32; n], ys: [f32; n]) -> f32 { xs.sum() + ys.sum() }

    fn shorter(xs: [f32; n]) -> [f32; n] { xs[1..] }

    fn extended(xs: [f32]) -> [f32] { xs.chain([0.0]) }

    pub fn of_a_function(xs: [f32]) -> [f32] { shorter(xs) }

    pub fn slice(xs: [f32; n]) -> f32 { both(xs, xs[1..]) }

    pub fn operator(xs: [f32; n]) -> f32 { both(xs, xs.take(n - 1)) }

    pub fn call(xs: [f32; n]) -> f32 { both(xs, extended(xs)) }

    pub fn choice(xs: [f32; n], c: bool) -> f32 { both(xs, if c { xs[1..] } else { xs[..n - 1] }) }

    pub fn without_a_name(xs: [f32]) -> f32 {
        let ys = xs.filter(|x| x > 0.0);
        both(ys, ys[1..])
    }

    pub fn pairs(xs: [f32]) -> f32 {
        let ys = xs.filter(|x| x > 0.0);
        zip(ys, ys[1..]).map(|(x, y)| x * y).sum()
    }

    fn three(xs: [f32; 3]) -> f32 { xs.sum() }

    pub fn four() -> f32 { three([1.0, 2.0, 3.0, 4.0]) }
}

fn main() {}
