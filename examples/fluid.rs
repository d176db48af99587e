//! A photograph, stirred: colours that an incompressible flow carries along (J. Stam, "Stable
//! Fluids", 1999): `cargo run --release --example fluid [file.png] [steps]`. Draws it before and
//! after.

mod picture;

use ndarray::{Array2, Axis};
use ragged::accel;
use std::time::Instant;

accel! {
    /// The velocity, in pixels per step, of four whirls that turn in opposite senses, across and down.
    pub fn whirls(n: usize, m: usize) -> ([[f32; m]; n], [[f32; m]; n]) {
        // It flows along the lines on which this is constant, so what flows in also flows out.
        let stream = generate((n, m), |i, j| {
            let (y, x) = (i as f32 / n as f32, j as f32 / m as f32);
            let (a, b) = (sin(f32::PI * y), sin(f32::PI * x));
            80.0 * a * a * b * b * sin(2.0 * f32::PI * y) * sin(3.0 * f32::PI * x + 0.5)
        });
        (stream.stencil(clamp, |at| at(1, 0) - at(-1, 0)), stream.stencil(clamp, |at| at(0, -1) - at(0, 1)))
    }

    /// Velocity and pressure a step later: it is carried along by itself, and made free of sources
    /// again. `trips`: how often the pressure is improved.
    pub fn next(
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

    /// How much more flows out of each pixel than into it.
    pub fn sources(across: [[f32; m]; n], down: [[f32; m]; n]) -> [[f32; m]; n] {
        let (x, y) = (across.stencil(clamp, |at| at(0, 1) - at(0, -1)), down.stencil(clamp, |at| at(1, 0) - at(-1, 0)));
        for (x, y) in zip(x, y) { for (x, y) in zip(x, y) { 0.5 * (x + y) } }
    }

    /// Colours a step later.
    pub fn stirred(
        photo: [[(f32, f32, f32); m]; n], across: [[f32; m]; n], down: [[f32; m]; n],
    ) -> [[(f32, f32, f32); m]; n] {
        generate((n, m), |i, j| {
            let (i, y, j, x) = source(i, j, n, m, across[i][j], down[i][j]);
            let (a, b) = (photo[i][j], photo[i][min(j + 1, m - 1)]);
            let (c, d) = (photo[min(i + 1, n - 1)][j], photo[min(i + 1, n - 1)][min(j + 1, m - 1)]);
            (mixed(a.0, b.0, c.0, d.0, x, y), mixed(a.1, b.1, c.1, d.1, x, y), mixed(a.2, b.2, c.2, d.2, x, y))
        })
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

/// How often the pressure is improved in each step.
const TRIPS: usize = 60;

/// The mean of all pixels' three colours, from 0 to 255.
fn brightness(picture: &Array2<(u8, u8, u8)>) -> f64 {
    let sums = picture
        .iter()
        .map(|(r, g, b)| u64::from(*r) + u64::from(*g) + u64::from(*b));
    sums.sum::<u64>() as f64 / (3 * picture.len()) as f64
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = picture::path_or("fluid.png");
    let steps = picture::number_or(80)?;
    let photo = picture::read(include_bytes!("data/rocket.png"))?;
    let (high, wide) = photo.dim();
    let mut colours = photo.mapv(|(r, g, b)| (f32::from(r), f32::from(g), f32::from(b)));
    let (mut across, mut down) = whirls(high, wide)?;
    let mut pressure = Array2::zeros((high, wide));

    let begin = Instant::now();
    for _ in 0..steps {
        (across, down, pressure) = next(&across, &down, &pressure, TRIPS)?;
        colours = stirred(&colours, &across, &down)?;
    }
    let time = begin.elapsed();
    println!(
        "{steps} steps of {wide} × {high} pixels, {:.2} ms each",
        time.as_secs_f64() * 1e3 / steps.max(1) as f64
    );
    let sum = |of: &Array2<f32>| of.iter().map(|it| it.abs()).sum::<f32>();
    let sources = sum(&sources(&across, &down)?) / (sum(&across) + sum(&down));
    println!(
        "what flows out of a pixel and not into it: {:.2} % of the flow\n",
        100.0 * sources
    );
    assert!(sources < 0.01, "a liquid has no sources");
    println!("{}", next::EXPLAIN);

    let after = colours.mapv(|(r, g, b)| (r as u8, g as u8, b as u8));
    println!(
        "mean brightness before {:.4}, after {:.4}",
        brightness(&photo),
        brightness(&after)
    );
    picture::write(
        &path,
        &ndarray::concatenate(Axis(1), &[photo.view(), after.view()])?,
    )?;
    println!("before and after, written to {path}");
    Ok(())
}
