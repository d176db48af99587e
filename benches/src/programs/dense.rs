//! Programs on arrays of arrays, as one would first write them.

ragged::accel! {
    const SOFTENING: f32 = 1e-3;

    fn accelerations(
        xs: [f32; n], ys: [f32; n], zs: [f32; n], masses: [f32; n],
    ) -> ([f32; n], [f32; n], [f32; n]) {
        zip(xs, ys, zs).map(|(x, y, z)| {
            let pulls = zip(xs, ys, zs, masses).map(|(other_x, other_y, other_z, mass)| {
                let dx = other_x - x;
                let dy = other_y - y;
                let dz = other_z - z;
                let square = dx * dx + dy * dy + dz * dz + SOFTENING;
                let pull = mass / (square * sqrt(square));
                (dx * pull, dy * pull, dz * pull)
            });
            let (along_x, along_y, along_z) = pulls.unzip();
            (along_x.sum(), along_y.sum(), along_z.sum())
        }).unzip()
    }

    pub fn nbody(
        xs: [f32; n], ys: [f32; n], zs: [f32; n], masses: [f32; n],
    ) -> ([f32; n], [f32; n], [f32; n]) {
        accelerations(xs, ys, zs, masses)
    }

    #[fast]
    pub fn nbody_fast(
        xs: [f32; n], ys: [f32; n], zs: [f32; n], masses: [f32; n],
    ) -> ([f32; n], [f32; n], [f32; n]) {
        accelerations(xs, ys, zs, masses)
    }

    pub fn row_sums(a: [[f32; m]; n]) -> [f32; n] { for row in a { row.sum() } }

    pub fn times(a: [[f32; m]; n], x: [f32; m]) -> [f32; n] {
        for row in a { zip(row, x).map(|(p, q)| p * q).sum() }
    }

    pub fn column_sums(a: [[f32; m]; n]) -> [f32; m] { a.sum_axis(0) }

    pub fn softmax(a: [[f32; m]; n]) -> [[f32; m]; n] {
        for row in a {
            let most = row.max();
            let powers = for x in row { exp(x - most) };
            let total = powers.sum();
            for p in powers { p / total }
        }
    }

    pub fn distances(ps: [[f32; d]; n], qs: [[f32; d]; m]) -> [[f32; m]; n] {
        for p in ps { for q in qs { zip(p, q).map(|(x, y)| (x - y) * (x - y)).sum() } }
    }

    pub fn jacobi(start: [[f32; m]; n], sweeps: usize) -> [[f32; m]; n] {
        let mut t = start;
        for _ in 0..sweeps {
            t = for i in 0..n {
                for j in 0..m {
                    if i == 0 || i + 1 == n || j == 0 || j + 1 == m { t[i][j] }
                    else { (t[i][j] + t[i - 1][j] + t[i + 1][j] + t[i][j - 1] + t[i][j + 1]) * 0.2 }
                }
            };
        }
        t
    }

    fn rows_by_columns<T: Float>(a: [[T; k]; n], b: [[T; m]; k]) -> [[T; m]; n] {
        let columns = b.transpose();
        for row in a { for column in columns { zip(row, column).map(|(x, y)| x * y).sum() } }
    }

    #[instances(f32, f64)]
    pub fn product<T: Float>(a: [[T; k]; n], b: [[T; m]; k]) -> [[T; m]; n] {
        rows_by_columns(a, b)
    }

    #[fast]
    #[instances(f32, f64)]
    pub fn product_fast<T: Float>(a: [[T; k]; n], b: [[T; m]; k]) -> [[T; m]; n] {
        rows_by_columns(a, b)
    }
}
