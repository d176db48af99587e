//! Norms of an array, and of each row of a matrix.

ragged::accel! {
    fn length<T: Float>(xs: [T; n]) -> T { sqrt(xs.map(|x| x * x).sum()) }

    #[instances(f32, f64)]
    pub fn norm<T: Float>(xs: [T; n]) -> T { length(xs) }

    /// The sum of magnitudes, the Euclidean norm, the largest magnitude.
    fn three(xs: [f32; n]) -> (f32, f32, f32) {
        let magnitudes = xs.map(|x| abs(x));
        (magnitudes.sum(), length(xs), magnitudes.max_or(0.0))
    }

    pub fn norms(xs: [f32; n]) -> (f32, f32, f32) { three(xs) }

    pub fn norms_of_rows(a: [[f32; m]; n]) -> [(f32, f32, f32); n] { for row in a { three(row) } }
}
