//! An incompressible flow, as one would first write it.

ragged::accel! {
    /// Velocity and pressure a step later: it is carried along by itself, and made free of sources
    /// again. `trips`: how often the pressure is improved.
    pub fn flow(
        across: [[f32; m]; n], down: [[f32; m]; n], pressure: [[f32; m]; n], trips: usize,
    ) -> ([[f32; m]; n], [[f32; m]; n], [[f32; m]; n]) {
        let (a, d) = (carried(across, across, down), carried(down, across, down));
        let sources = sources(a, d);
        let mut pressure = pressure;
        for _ in 0..trips {
            let around = pressure.stencil(clamp, |at| at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1));
            pressure = for (around, sources) in zip(around, sources) {
                for (p, s) in zip(around, sources) { 0.25 * (p - s) }
            };
        }
        let push_across = pressure.stencil(clamp, |at| 0.5 * (at(0, 1) - at(0, -1)));
        let push_down = pressure.stencil(clamp, |at| 0.5 * (at(1, 0) - at(-1, 0)));
        (less(a, push_across), less(d, push_down), pressure)
    }

    // How much more flows out of each pixel than into it.
    fn sources(across: [[f32; m]; n], down: [[f32; m]; n]) -> [[f32; m]; n] {
        let (x, y) = (across.stencil(clamp, |at| at(0, 1) - at(0, -1)), down.stencil(clamp, |at| at(1, 0) - at(-1, 0)));
        for (x, y) in zip(x, y) { for (x, y) in zip(x, y) { 0.5 * (x + y) } }
    }

    // What was where it came from.
    fn carried(a: [[f32; m]; n], across: [[f32; m]; n], down: [[f32; m]; n]) -> [[f32; m]; n] {
        generate((n, m), |i, j| {
            let (i, y, j, x) = source(i, j, n, m, across[i][j], down[i][j]);
            let (below, right) = (min(i + 1, n - 1), min(j + 1, m - 1));
            mixed(a[i][j], a[i][right], a[below][j], a[below][right], x, y)
        })
    }

    // Where a pixel's content was a step ago: the pixel there, and how far below and right of it.
    fn source(i: usize, j: usize, n: usize, m: usize, across: f32, down: f32) -> (usize, f32, usize, f32) {
        let y = clamp(i as f32 - down, 0.0, (n - 1) as f32);
        let x = clamp(j as f32 - across, 0.0, (m - 1) as f32);
        let (i, j) = (min(y as usize, n - 1), min(x as usize, m - 1));
        (i, y - i as f32, j, x - j as f32)
    }

    fn mixed(a: f32, b: f32, c: f32, d: f32, x: f32, y: f32) -> f32 {
        let (above, below) = (a + x * (b - a), c + x * (d - c));
        above + y * (below - above)
    }

    fn less(a: [[f32; m]; n], b: [[f32; m]; n]) -> [[f32; m]; n] {
        for (a, b) in zip(a, b) { for (a, b) in zip(a, b) { a - b } }
    }
}
