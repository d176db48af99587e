//! What the other modules import.

pub mod deep;

ragged::accel! {
    const SCALE: f32 = 2.0;

    const ROWS: usize = 2;

    struct Pair { a: f32, b: f32 }

    fn helper(p: Pair) -> f32 { p.a * p.b * SCALE }

    fn unused(x: f32) -> f32 { x }

    /// Needs a helper, a struct and a constant of its block.
    pub fn scaled_dot(xs: [f32; n], ys: [f32; n]) -> f32 {
        zip(xs, ys).map(|(a, b)| helper(Pair { a, b })).sum()
    }

    /// Has the size of a constant.
    pub fn first_rows(xs: [f32; ROWS]) -> f32 { xs[0] + xs[ROWS - 1] }

    /// Calls another exported function.
    pub fn norm(xs: [f32; n]) -> f32 { sqrt(scaled_dot(xs, xs) / SCALE) }

    /// Generic.
    #[instances(f32, f64)]
    pub fn mean_of<T: Float>(xs: [T; n], about: T) -> T { for x in xs { x - about }.sum() / n as T }

    /// For the crate.
    pub(crate) fn of_crate(x: i32) -> i32 { x + 1 }

    /// For the parent.
    pub(super) fn of_parent(x: i32) -> i32 { x + 2 }

    /// Divides: may fail here.
    pub fn quotients(xs: [i32], by: i32) -> [i32] {
        for x in xs {
            x / by
        }
    }

    /// Asserts.
    pub fn at(xs: [f32], i: usize) -> f32 {
        assert!(i < xs.len(), "the index is inside");
        xs[i]
    }

    /// A raw name.
    pub fn r#type(x: i32) -> i32 { x }
}
