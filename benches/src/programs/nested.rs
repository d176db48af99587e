//! Programs on arrays of arrays of any lengths, as one would first write them.

ragged::accel! {
    pub fn smvm(rows: [[(usize, f64)]], v: [f64]) -> [f64] {
        for row in rows { sum(for (j, a) in row { a * v[j] }) }
    }

    pub fn above(xs: [f32], limit: f32) -> [f32] { xs.filter(|x| x > limit) }

    pub fn row_sums(rows: [[f32]]) -> [f32] { for row in rows { row.sum() } }

    pub fn softmax(rows: [[f32]]) -> [[f32]] {
        for row in rows {
            let most = row.max_or(0.0);
            let powers = for x in row { exp(x - most) };
            let total = powers.sum();
            for p in powers { p / total }
        }
    }

    /// The same with one quotient for each row, as the rival has it.
    pub fn softmax_by_factor(rows: [[f32]]) -> [[f32]] {
        for row in rows {
            let most = row.max_or(0.0);
            let powers = for x in row { exp(x - most) };
            let factor = 1.0 / powers.sum();
            for p in powers { p * factor }
        }
    }

    pub fn top_1(rows: [[f32]]) -> [usize] { for row in rows { row.argmax_or(0) } }

    pub fn matches(lines: [[u8]], word: [u8]) -> [usize] {
        for line in lines {
            line.windows(word.len()).count(|part| zip(part, word).all(|(a, b)| a == b))
        }
    }
}
