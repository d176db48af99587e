//! The Mandelbrot set as a picture: `cargo run --release --example mandelbrot [file.png]`.

mod picture;

use ndarray::Array2;
use ragged::accel;
use std::time::Instant;

accel! {
    /// Steps until each point of a `width` × `height` picture leaves the circle of radius 2, at
    /// most `limit`. The loop ends for each point on its own.
    pub fn mandelbrot(width: usize, height: usize, limit: i32) -> [i32] {
        let step = 3.6 / width as f32;
        for at in 0..width * height {
            let cx = ((at % width) as f32 - 0.72 * width as f32) * step;
            let cy = ((at / width) as f32 - 0.5 * height as f32) * step;
            escape(cx, cy, limit)
        }
    }

    fn escape(cx: f32, cy: f32, limit: i32) -> i32 {
        let (mut x, mut y, mut steps) = (0.0, 0.0, 0);
        while steps < limit && x * x + y * y <= 4.0 {
            (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
            steps += 1;
        }
        steps
    }

    /// Red, green and blue for each number of steps.
    pub fn colour(steps: [i32; n], limit: i32) -> [(u8, u8, u8); n] {
        for s in steps {
            let angle = 6.3 * sqrt(s as f32 / limit as f32);
            if s == limit { (0, 0, 0) }
            else { (shade(angle + 0.3), shade(angle + 0.9), shade(angle + 1.7)) }
        }
    }

    fn shade(angle: f32) -> u8 { (128.0 - 127.0 * cos(angle)) as u8 }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = picture::path_or("mandelbrot.png");
    let (width, height, limit) = (1920, 1080, 255);
    let start = Instant::now();
    let steps = mandelbrot(width, height, limit)?;
    let time = start.elapsed();
    let pixels = colour(&steps, limit)?;
    picture::write(&path, &Array2::from_shape_vec((height, width), pixels)?)?;
    println!(
        "{width} × {height} in {:.1} ms, written to {path}\n",
        time.as_secs_f64() * 1e3
    );
    print!("{}{}", mandelbrot::EXPLAIN, colour::EXPLAIN);
    Ok(())
}
