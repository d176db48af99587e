//! Programs over sequences: their input comes item by item, and never is in memory as a whole.

ragged::accel! {
    use crate::programs::words::digest;

    /// How many words come before the first whose digest is `wanted`. Words are as in `words::find`.
    pub fn find(words: Seq<([u32; 4], u32)>, wanted: (u32, u32, u32, u32)) -> usize {
        words.take_while(|(word, bits)| digest(word, bits) != wanted).count(|_| true)
    }

    /// What `audio::windows` finds, of each window.
    pub fn windows(windows: Seq<[f64]>, lags: usize) -> Seq<([f64], usize)> {
        windows.map(|window| {
            let alike = for lag in 0..lags {
                (lag..window.len()).map(|i| window[i] * window[i - lag]).sum()
            };
            (alike, window.pairwise(|a, b| (a < 0.0) != (b < 0.0)).count())
        })
    }

    fn shares(row: [f32]) -> [f32] {
        let most = row.max_or(0.0);
        let powers = for x in row { exp(x - most) };
        let total = powers.sum();
        for p in powers { p / total }
    }

    pub fn softmax(rows: Seq<[f32]>) -> Seq<[f32]> { rows.map(shares) }

    /// The row of this number: 65 to 500 elements, of a few values.
    fn made(row: usize) -> [f32] {
        let len = 65 + (wrapping_mul(row, 11400714819323198485) >> 40) % 436;
        for i in 0..len { ((i as u32 * 7 + row as u32 % 13) % 13) as f32 - 6.0 }
    }

    /// Softmax of `n` rows that the program makes itself.
    pub fn softmax_made(n: usize) -> Seq<[f32]> { produce(n, made).map(shares) }

    /// The same in memory.
    pub fn softmax_made_at_once(n: usize) -> [[f32]] { for row in 0..n { shares(made(row)) } }

    pub fn iota_square_sum(l: usize) -> u64 { produce(l, |i| i as u64).map(|x| x * x).sum() }

    pub fn sum(numbers: Seq<f64>) -> f64 { numbers.sum() }

    pub fn squares(numbers: Seq<f64>) -> f64 { numbers.map(|x| x * x).sum() }

    /// The sum of the exponentials of each row.
    pub fn powers(rows: Seq<[f64]>) -> Seq<f64> { for row in rows { row.map(exp).sum() } }

    /// Of each row what is known without a look at it: what reading takes.
    pub fn lengths(rows: Seq<[f64]>) -> Seq<usize> { for row in rows { row.len() } }

    /// A number for each row that takes many times as long as reading it.
    pub fn dear(rows: Seq<[f64]>) -> Seq<f64> { for row in rows { row.map(|x| exp(sin(exp(cos(x))))).sum() } }
}
