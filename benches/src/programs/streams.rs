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

    pub fn softmax(rows: Seq<[f32]>) -> Seq<[f32]> {
        for row in rows {
            let most = row.max_or(0.0);
            let powers = for x in row { exp(x - most) };
            let total = powers.sum();
            for p in powers { p / total }
        }
    }

    pub fn iota_square_sum(l: usize) -> u64 { produce(l, |i| i as u64).map(|x| x * x).sum() }

    pub fn sum(numbers: Seq<f64>) -> f64 { numbers.sum() }

    pub fn squares(numbers: Seq<f64>) -> f64 { numbers.map(|x| x * x).sum() }

    /// The sum of the exponentials of each row.
    pub fn powers(rows: Seq<[f64]>) -> Seq<f64> { for row in rows { row.map(exp).sum() } }

    /// A number for each row that takes many times as long as reading it.
    pub fn dear(rows: Seq<[f64]>) -> Seq<f64> { for row in rows { row.map(|x| exp(sin(exp(cos(x))))).sum() } }
}
