//! Temperatures of a plate with hot and cold places, by Jacobi relaxation: `cargo run --release
//! --example jacobi [file.png] [sweeps]`. Draws them with lines of equal temperature, and runs
//! beside two loops by hand.

mod picture;

use ndarray::Array2;
use ragged::accel;
use rayon::prelude::*;
use std::time::Instant;

accel! {
    use crate::picture::glow;

    /// A plate of 0.3 with an edge of 0, a hot wire and four cold discs; and what of it stays so.
    pub fn plate(height: usize, width: usize) -> ([[f32; width]; height], [[bool; width]; height]) {
        let places = for i in 0..height {
            for j in 0..width {
                let (x, y) = (j as f32 / height as f32, i as f32 / height as f32);
                let wire = abs(y - 0.5 - 0.3 * sin(7.0 * x)) < 0.02 && x > 0.15 && x < 1.45;
                let disc = hypot(rem_euclid(x, 0.9) - 0.225, y - 0.2) < 0.06
                    || hypot(rem_euclid(x - 0.45, 0.9) - 0.225, y - 0.8) < 0.06;
                let edge = i == 0 || j == 0 || i + 1 == height || j + 1 == width;
                if wire { (1.0, true) } else if disc || edge { (0.0, true) } else { (0.3, false) }
            }
        };
        let temperatures = for row in places { for (t, _) in row { t } };
        let held = for row in places { for (_, h) in row { h } };
        (temperatures, held)
    }

    /// Every place that is not held takes the mean of its four neighbours, again and again.
    pub fn relax(plate: [[f32; m]; n], held: [[bool; m]; n], sweeps: usize) -> [[f32; m]; n] {
        let mut t = plate;
        for _ in 0..sweeps {
            t = for i in 0..n {
                for j in 0..m {
                    if i == 0 || j == 0 || i + 1 == n || j + 1 == m || held[i][j] { t[i][j] }
                    else { 0.25 * (t[i - 1][j] + t[i + 1][j] + t[i][j - 1] + t[i][j + 1]) }
                }
            };
        }
        t
    }

    /// Colours of temperatures from 0 to 1, darker where a line of equal temperature runs.
    pub fn heat_map(t: [[f32; m]; n], lines: f32) -> [[(u8, u8, u8); m]; n] {
        for i in 0..n {
            for j in 0..m {
                let (red, green, blue) = glow(0.08 + 0.9 * t[i][j]);
                let here = floor(lines * t[i][j]);
                let below = floor(lines * t[min(i + 1, n - 1)][j]);
                let right = floor(lines * t[i][min(j + 1, m - 1)]);
                if here == below && here == right { (red, green, blue) }
                else { (red / 2, green / 2, blue / 2) }
            }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (path, sweeps) = (picture::path_or("jacobi.png"), picture::number_or(20_000)?);
    let (start, held) = plate(600, 960)?;

    let begin = Instant::now();
    let warm = relax(&start, &held, sweeps)?;
    let ours = begin.elapsed().as_secs_f64();
    let begin = Instant::now();
    let expected = by_hand(&start, &held, sweeps);
    let hand = begin.elapsed().as_secs_f64();
    assert_eq!(warm, expected);

    picture::write(&path, &heat_map(&warm, 20.0)?)?;
    let updates = (sweeps * start.len()) as f64 / 1e9;
    println!("{sweeps} sweeps over 600 × 960 places, drawn in {path}");
    println!(
        "accel!           {ours:6.2} s, {:5.2} billion places a second",
        updates / ours
    );
    println!(
        "rayon by hand    {hand:6.2} s, {:5.2} billion places a second",
        updates / hand
    );
    println!("both have the same bits\n\n{}", relax::EXPLAIN);
    Ok(())
}

/// Rows in parallel, from one array into another.
fn by_hand(start: &Array2<f32>, held: &Array2<bool>, sweeps: usize) -> Array2<f32> {
    let (height, width) = start.dim();
    let held = held.as_slice().expect("results are in row-major order");
    let mut now = start.iter().copied().collect::<Vec<_>>();
    let mut next = now.clone();
    for _ in 0..sweeps {
        let rows = next.par_chunks_mut(width).enumerate();
        rows.take(height - 1).skip(1).for_each(|(i, row)| {
            for at in i * width + 1..(i + 1) * width - 1 {
                let around = now[at - width] + now[at + width] + now[at - 1] + now[at + 1];
                row[at - i * width] = if held[at] { now[at] } else { 0.25 * around };
            }
        });
        std::mem::swap(&mut now, &mut next);
    }
    Array2::from_shape_vec((height, width), now).expect("the start's shape")
}
