//! Programs on arrays of arrays of any lengths, as one would first write them.

ragged::accel! {
    pub fn smvm(rows: [[(usize, f64)]], v: [f64]) -> [f64] {
        for row in rows { sum(for (j, a) in row { a * v[j] }) }
    }

    pub fn above(xs: [f32], limit: f32) -> [f32] { xs.filter(|x| x > limit) }
}
