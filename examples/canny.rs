//! The edges in a photograph, by Canny's method (J. Canny, "A Computational Approach to Edge
//! Detection", 1986): `cargo run --release --example canny [file.png]`. Draws the photograph beside
//! its edges.

mod picture;

use ndarray::{Array2, Axis};
use ragged::accel;
use std::time::Instant;

accel! {
    /// How bright each pixel looks, of 255.
    pub fn grey(photo: [[(u8, u8, u8); m]; n]) -> [[u8; m]; n] {
        for row in photo {
            for (red, green, blue) in row {
                ((77 * red as u32 + 150 * green as u32 + 29 * blue as u32) / 256) as u8
            }
        }
    }

    /// Pixels that belong to edges are 1: those whose slope is at least `high`, and those above `low`
    /// that hang together with one of these.
    pub fn edges(grey: [[u8; m]; n], low: i16, high: i16) -> [[u8; m]; n] {
        let marked = marked(ridges(slopes(smooth(grey))), low, high);
        // With a frame of no edge, so that each pixel has eight beside it.
        let (tall, wide) = (n + 2, m + 2);
        let framed = generate((tall, wide), |i, j| {
            if i == 0 || i > n || j == 0 || j > m { NONE } else { marked[i - 1][j - 1] }
        });
        // Edges grow once everywhere, then only beside what is new.
        let (old, mut marks) = (framed.flatten(), grown(framed).flatten());
        let mut new = (0..tall * wide).filter(|at| marks[at] != old[at]);
        let around = [0, 1, 2, wide, wide + 2, 2 * wide, 2 * wide + 1, 2 * wide + 2]
            .map(|by| by.wrapping_sub(wide + 1));
        while new.len() > 0 {
            let reached = around.flat_map(|by| {
                new.map(|at| at.wrapping_add(by)).filter(|at| marks[at] == MAYBE)
            });
            marks = marks.scatter(reached, fill(SURE, reached.len()));
            new = reached.unique();
        }
        let marks = marks.reshape((tall, wide));
        for row in marks[1..n + 1] { for mark in row[1..m + 1] { (mark == SURE) as u8 } }
    }

    const NONE: u8 = 0;
    const MAYBE: u8 = 1;
    const SURE: u8 = 2;

    // What may be of an edge and is beside what is.
    fn grown(marks: [[u8; m]; n]) -> [[u8; m]; n] {
        marks.stencil(fill(NONE), |at| {
            let beside = max(at(-1, -1), max(at(-1, 0), at(-1, 1)));
            let beside = max(beside, max(at(0, -1), at(0, 1)));
            let beside = max(beside, max(at(1, -1), max(at(1, 0), at(1, 1))));
            if at(0, 0) == MAYBE && beside == SURE { SURE } else { at(0, 0) }
        })
    }

    // By the weights 1, 4, 6, 4, 1 of 16, down and across.
    fn smooth(grey: [[u8; m]; n]) -> [[u8; m]; n] {
        let down = grey.stencil(mirror, |at| {
            let (beside, far) = (at(-1, 0) as u16 + at(1, 0) as u16, at(-2, 0) as u16 + at(2, 0) as u16);
            6 * at(0, 0) as u16 + 4 * beside + far
        });
        down.stencil(mirror, |at| {
            let (beside, far) = (at(0, -1) + at(0, 1), at(0, -2) + at(0, 2));
            ((6 * at(0, 0) + 4 * beside + far) / 256) as u8
        })
    }

    // How steep it is (Sobel), and in which of four directions: across, down or along a diagonal.
    fn slopes(grey: [[u8; m]; n]) -> [[(i16, u8); m]; n] {
        grey.stencil(clamp, |at| {
            let (above, below) = (2 * at(-1, 0) as i16, 2 * at(1, 0) as i16);
            let (left, right) = (2 * at(0, -1) as i16, 2 * at(0, 1) as i16);
            let (a, b) = (at(-1, -1) as i16, at(-1, 1) as i16);
            let (c, d) = (at(1, -1) as i16, at(1, 1) as i16);
            let (x, y) = (b + right + d - a - left - c, c + below + d - a - above - b);
            // The tangent of 22.5° is 0.414.
            let (wide, high) = (abs(x as i32), abs(y as i32));
            let direction = if 1000 * high < 414 * wide { 0 }
                else if 1000 * wide < 414 * high { 1 }
                else if (x > 0) == (y > 0) { 2 }
                else { 3 };
            (abs(x) + abs(y), direction)
        })
    }

    // The slope where it is steepest among its neighbours in its direction, elsewhere 0.
    fn ridges(slopes: [[(i16, u8); m]; n]) -> [[i16; m]; n] {
        slopes.stencil(fill((0, 0)), |at| {
            let (slope, direction) = at(0, 0);
            let (before, behind) = match direction {
                0 => (at(0, -1).0, at(0, 1).0),
                1 => (at(-1, 0).0, at(1, 0).0),
                2 => (at(-1, -1).0, at(1, 1).0),
                _ => (at(-1, 1).0, at(1, -1).0),
            };
            if slope > before && slope >= behind { slope } else { 0 }
        })
    }

    fn marked(ridges: [[i16; m]; n], low: i16, high: i16) -> [[u8; m]; n] {
        for row in ridges { for slope in row { if slope >= high { SURE } else if slope >= low { MAYBE } else { NONE } } }
    }

    /// Edges as a picture.
    pub fn drawn(edges: [[u8; m]; n]) -> [[(u8, u8, u8); m]; n] {
        for row in edges { for edge in row { if edge == 1 { (255, 230, 160) } else { (24, 26, 38) } } }
    }
}

/// Where slopes are edges at all, and for certain.
const SLOPES: (i16, i16) = (40, 100);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = picture::path_or("canny.png");
    let photo = picture::read(include_bytes!("data/rocket.png"))?;
    let grey = grey(&photo)?;
    let begin = Instant::now();
    let found = edges(&grey, SLOPES.0, SLOPES.1)?;
    let time = begin.elapsed();
    assert_eq!(found, by_hand(&grey, SLOPES));
    let (wide, high) = (photo.ncols(), photo.nrows());
    let pixels = found.iter().filter(|it| **it == 1).count();
    println!(
        "{wide} × {high} pixels, {pixels} of them edges, in {:.2} ms",
        time.as_secs_f64() * 1e3
    );
    println!("the same pixels as by hand\n\n{}", edges::EXPLAIN);

    let drawn = drawn(&found)?;
    picture::write(
        &path,
        &ndarray::concatenate(Axis(1), &[photo.view(), drawn.view()])?,
    )?;
    println!("the photograph and its edges, written to {path}");
    Ok(())
}

/// The same, pixel after pixel, and along edges from those that are certain.
fn by_hand(grey: &Array2<u8>, (low, high): (i16, i16)) -> Array2<u8> {
    let (n, m) = grey.dim();
    let mirror = |i: i64, n: usize| {
        let i = i.unsigned_abs() as usize;
        if i < n { i } else { 2 * (n - 1) - i }
    };
    let clamp = |i: i64, n: usize| i.clamp(0, n as i64 - 1) as usize;
    let weights = [1, 4, 6, 4, 1];
    let five = |at: &dyn Fn(i64) -> i64| (0..5).map(|k| weights[k] * at(k as i64 - 2)).sum::<i64>();
    let down = Array2::from_shape_fn((n, m), |(i, j)| {
        five(&|k| i64::from(grey[(mirror(i as i64 + k, n), j)]))
    });
    let smooth = Array2::from_shape_fn((n, m), |(i, j)| {
        five(&|k| down[(i, mirror(j as i64 + k, m))]) / 256
    });
    let slopes = Array2::from_shape_fn((n, m), |(i, j)| {
        let at = |k: i64, l: i64| smooth[(clamp(i as i64 + k, n), clamp(j as i64 + l, m))];
        let side = |k: i64| at(-1, k) + 2 * at(0, k) + at(1, k);
        let row = |k: i64| at(k, -1) + 2 * at(k, 0) + at(k, 1);
        (side(1) - side(-1), row(1) - row(-1))
    });
    let steep = slopes.mapv(|(x, y)| x.abs() + y.abs());
    let ridge = |i: usize, j: usize| {
        let (x, y) = slopes[(i, j)];
        let (k, l) = match () {
            () if 1000 * y.abs() < 414 * x.abs() => (0, 1),
            () if 1000 * x.abs() < 414 * y.abs() => (1, 0),
            () if (x > 0) == (y > 0) => (1, 1),
            () => (1, -1),
        };
        let at = |k: i64, l: i64| {
            let (i, j) = (i as i64 + k, j as i64 + l);
            let inside = (0..n as i64).contains(&i) && (0..m as i64).contains(&j);
            if inside {
                steep[(i as usize, j as usize)]
            } else {
                0
            }
        };
        steep[(i, j)] > at(-k, -l) && steep[(i, j)] >= at(k, l)
    };
    let slope = |i: usize, j: usize| if ridge(i, j) { steep[(i, j)] } else { 0 };
    let mut found = Array2::zeros((n, m));
    let mut todo: Vec<(usize, usize)> = (0..n)
        .flat_map(|i| (0..m).map(move |j| (i, j)))
        .filter(|(i, j)| slope(*i, *j) >= i64::from(high))
        .collect();
    while let Some((i, j)) = todo.pop() {
        if found[(i, j)] == 1 || slope(i, j) < i64::from(low) {
            continue;
        }
        found[(i, j)] = 1;
        for i in i.saturating_sub(1)..n.min(i + 2) {
            todo.extend((j.saturating_sub(1)..m.min(j + 2)).map(|j| (i, j)));
        }
    }
    found
}
