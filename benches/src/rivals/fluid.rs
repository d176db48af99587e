//! A step of an incompressible flow, f32: velocities are carried along by themselves, the pressure that
//! their sources ask for is found by relaxation, and pushes them until there are no sources.
//!
//! The expert finds once where a pixel's content came from for both directions, and fetches neighbours in
//! pairs. Relaxation is most of the work, and goes as in [`jacobi`](super::jacobi): several sweeps in one
//! pass over the grid, in a window of few rows.

use crate::levels::{Level, kernel};
use crate::memory::prefetch;
use rayon::prelude::*;
use std::ops::Range;

/// Sweeps per pass over the grid.
const SWEEPS: usize = 20;

/// The fewest rows per task: what bands compute twice at their borders stays small beside them.
const BAND: usize = 4 * SWEEPS;

/// Columns per strip.
const STRIP: usize = 2048;

/// Velocities across and down, and pressures, of all pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// Columns.
    pub width: usize,
    /// Pixels per step to the right.
    pub across: Vec<f32>,
    /// Pixels per step down.
    pub down: Vec<f32>,
    /// The pressure.
    pub pressure: Vec<f32>,
}

impl Flow {
    fn height(&self) -> usize {
        self.across.len() / self.width
    }

    fn checked(&self) {
        let len = self.across.len();
        assert!(self.width >= 2 && len >= 2 * self.width && len.is_multiple_of(self.width));
        assert!(self.down.len() == len && self.pressure.len() == len);
    }
}

/// A step later, as rayon gives it.
pub fn plain(flow: &Flow, trips: usize) -> Flow {
    flow.checked();
    let (n, m) = (flow.height(), flow.width);
    let each = |at: &(dyn Fn(usize, usize) -> f32 + Sync)| -> Vec<f32> {
        let places = (0..n * m).into_par_iter();
        places.map(|place| at(place / m, place % m)).collect()
    };
    let carried = |a: &[f32]| {
        each(&|i, j| {
            let y = (i as f32 - flow.down[i * m + j]).clamp(0.0, (n - 1) as f32);
            let x = (j as f32 - flow.across[i * m + j]).clamp(0.0, (m - 1) as f32);
            let (i, j) = (y as usize, x as usize);
            let (y, x) = (y - i as f32, x - j as f32);
            let (below, right) = ((i + 1).min(n - 1), (j + 1).min(m - 1));
            let [a, b, c, d] =
                [(i, j), (i, right), (below, j), (below, right)].map(|(i, j)| a[i * m + j]);
            let (above, below) = (a + x * (b - a), c + x * (d - c));
            above + y * (below - above)
        })
    };
    let (a, d) = (carried(&flow.across), carried(&flow.down));
    // The four neighbours; a border pixel is its own beyond.
    let beside = |xs: &[f32], i: usize, j: usize| {
        let (above, below) = (i.saturating_sub(1), (i + 1).min(n - 1));
        let (left, right) = (j.saturating_sub(1), (j + 1).min(m - 1));
        [
            xs[above * m + j],
            xs[below * m + j],
            xs[i * m + left],
            xs[i * m + right],
        ]
    };
    let sources = each(&|i, j| {
        let ([_, _, left, right], [above, below, _, _]) = (beside(&a, i, j), beside(&d, i, j));
        0.5 * ((right - left) + (below - above))
    });
    let mut pressure = flow.pressure.clone();
    for _ in 0..trips {
        pressure = each(&|i, j| {
            let [above, below, left, right] = beside(&pressure, i, j);
            0.25 * (above + below + left + right - sources[i * m + j])
        });
    }
    let pushed = |at: &(dyn Fn(usize, usize) -> f32 + Sync)| each(at);
    Flow {
        width: m,
        across: pushed(&|i, j| {
            let [_, _, left, right] = beside(&pressure, i, j);
            a[i * m + j] - 0.5 * (right - left)
        }),
        down: pushed(&|i, j| {
            let [above, below, _, _] = beside(&pressure, i, j);
            d[i * m + j] - 0.5 * (below - above)
        }),
        pressure,
    }
}

/// A step later, as an expert writes it.
pub fn expert(flow: &Flow, trips: usize) -> Flow {
    at(Level::best(), flow, trips)
}

/// The expert's version at a level.
pub fn at(level: Level, flow: &Flow, trips: usize) -> Flow {
    flow.checked();
    let (width, height) = (flow.width, flow.height());
    let band = height.div_ceil(2 * rayon::current_num_threads()).max(BAND) * width;
    let [mut across, mut down, mut sources] = [(); 3].map(|()| vec![0.0; height * width]);
    let rows = across.par_chunks_mut(width).zip(down.par_chunks_mut(width));
    rows.enumerate()
        .with_min_len(16)
        .for_each(|(i, (across, down))| {
            carry(level, across, down, flow, i);
        });
    let rows = sources.par_chunks_mut(width).enumerate().with_min_len(16);
    rows.for_each(|(i, out)| {
        let [above, _, below] = beside(&down, width, i);
        let middle = &across[i * width..][..width];
        sources_of(level, out, middle, above, below);
    });
    let mut pressure = flow.pressure.clone();
    let mut next = sources.clone();
    let mut done = 0;
    while done < trips {
        let sweeps = SWEEPS.min(trips - done);
        let bands = next.par_chunks_mut(band).enumerate();
        bands.for_each(|(i, out)| {
            let rows = i * band / width..(i * band + out.len()) / width;
            for from in (0..width).step_by(STRIP) {
                let grids = [&pressure[..], &sources];
                Tile::new(grids, width, sweeps, rows.clone(), from).run(level, out);
            }
        });
        std::mem::swap(&mut pressure, &mut next);
        done += sweeps;
    }
    let rows = across.par_chunks_mut(width).zip(down.par_chunks_mut(width));
    rows.enumerate()
        .with_min_len(16)
        .for_each(|(i, (across, down))| {
            push(level, across, down, beside(&pressure, width, i));
        });
    Flow {
        width,
        across,
        down,
        pressure,
    }
}

/// The rows above, at and below; the border's own beyond it.
fn beside(grid: &[f32], width: usize, row: usize) -> [&[f32]; 3] {
    let last = grid.len() / width - 1;
    [row.saturating_sub(1), row, (row + 1).min(last)].map(|row| &grid[row * width..][..width])
}

/// Pixels that are carried together.
const TOGETHER: usize = 32;

kernel! {
    /// What is carried to a row. Velocities are numbers.
    fn carry(across: &mut [f32], down: &mut [f32], flow: &Flow, row: usize) {
        let (n, m) = (flow.height(), flow.width);
        let (most_y, most_x) = ((n - 1) as f32, (m - 1) as f32);
        let here = row * m..row * m + m;
        let (by_across, by_down) = (&flow.across[here.clone()], &flow.down[here]);
        for from in (0..m).step_by(TOGETHER) {
            let len = TOGETHER.min(m - from);
            let (mut tops, mut bottoms) = ([0_i32; TOGETHER], [0_i32; TOGETHER]);
            let (mut ys, mut xs) = ([0.0_f32; TOGETHER], [0.0_f32; TOGETHER]);
            let mut are_last = [false; TOGETHER];
            let (mut left, mut up) = ([0.0; TOGETHER], [0.0; TOGETHER]);
            left[..len].copy_from_slice(&by_across[from..from + len]);
            up[..len].copy_from_slice(&by_down[from..from + len]);
            for k in 0..TOGETHER {
                let y = (row as f32 - up[k]).max(0.0).min(most_y);
                let x = ((from + k) as f32 - left[k]).max(0.0).min(most_x);
                // SAFETY: they are numbers, and small.
                let (i, j): (i32, i32) = unsafe { (y.to_int_unchecked(), x.to_int_unchecked()) };
                (ys[k], xs[k]) = (y - i as f32, x - j as f32);
                are_last[k] = j == m as i32 - 1;
                let j = j.min(m as i32 - 2);
                tops[k] = i * m as i32 + j;
                bottoms[k] = (i + 1).min(n as i32 - 1) * m as i32 + j;
            }
            for (out, grid) in [(&mut *across, &flow.across[..]), (&mut *down, &flow.down)] {
                let (mut tops_of, mut bottoms_of) = ([[0.0; 2]; TOGETHER], [[0.0; 2]; TOGETHER]);
                for k in 0..TOGETHER {
                    let pair = |at: i32| grid.as_ptr().wrapping_add(at as usize).cast::<[f32; 2]>();
                    // SAFETY: rows are below `n` and columns below `m - 1`.
                    unsafe {
                        tops_of[k] = pair(tops[k]).read();
                        bottoms_of[k] = pair(bottoms[k]).read();
                    }
                }
                let mut carried = [0.0; TOGETHER];
                for k in 0..TOGETHER {
                    let ([a, b], [c, d]) = (tops_of[k], bottoms_of[k]);
                    let (a, c) = if are_last[k] { (b, d) } else { (a, c) };
                    let (above, below) = (a + xs[k] * (b - a), c + xs[k] * (d - c));
                    carried[k] = above + ys[k] * (below - above);
                }
                out[from..from + len].copy_from_slice(&carried[..len]);
            }
        }
    }
}

kernel! {
    fn sources_of(out: &mut [f32], across: &[f32], above: &[f32], below: &[f32]) {
        let m = out.len();
        let (across, above, below) = (&across[..m], &above[..m], &below[..m]);
        for j in 1..m - 1 {
            out[j] = 0.5 * ((across[j + 1] - across[j - 1]) + (below[j] - above[j]));
        }
        out[0] = 0.5 * ((across[1] - across[0]) + (below[0] - above[0]));
        out[m - 1] = 0.5 * ((across[m - 1] - across[m - 2]) + (below[m - 1] - above[m - 1]));
    }
}

kernel! {
    fn push(across: &mut [f32], down: &mut [f32], pressure: [&[f32]; 3]) {
        let m = across.len();
        let down = &mut down[..m];
        let [above, here, below] = pressure.map(|row| &row[..m]);
        for j in 1..m - 1 {
            across[j] -= 0.5 * (here[j + 1] - here[j - 1]);
        }
        across[0] -= 0.5 * (here[1] - here[0]);
        across[m - 1] -= 0.5 * (here[m - 1] - here[m - 2]);
        for j in 0..m {
            down[j] -= 0.5 * (below[j] - above[j]);
        }
    }
}

/// The part of `0..len` that is at most `more` away from `part`.
fn around(part: &Range<usize>, more: usize, len: usize) -> Range<usize> {
    part.start.saturating_sub(more)..len.min(part.end + more)
}

/// A strip of a band under way: row `r` of sweep `k` lies where row `r - 1` of the sweep before did.
struct Tile<'a> {
    pressure: &'a [f32],
    sources: &'a [f32],
    width: usize,
    sweeps: usize,
    /// The rows and columns to be made.
    rows: Range<usize>,
    columns: Range<usize>,
    /// The columns that they need.
    needed: Range<usize>,
    window: Vec<f32>,
}

impl<'a> Tile<'a> {
    fn new(
        [pressure, sources]: [&'a [f32]; 2],
        width: usize,
        sweeps: usize,
        rows: Range<usize>,
        first_column: usize,
    ) -> Self {
        let columns = first_column..width.min(first_column + STRIP);
        let needed = around(&columns, sweeps, width);
        let window = vec![0.0; (2 * sweeps + 2) * needed.len()];
        Tile {
            pressure,
            sources,
            width,
            sweeps,
            rows,
            columns,
            needed,
            window,
        }
    }

    /// Makes all sweeps; `band` is what the result has of the tile's rows.
    fn run(mut self, level: Level, band: &mut [f32]) {
        let height = self.pressure.len() / self.width;
        let all = around(&self.rows, self.sweeps, height);
        // Each sweep makes its rows one further behind than the sweep before.
        for front in all.start..all.end + self.sweeps {
            if front < all.end {
                self.fetch(front);
            }
            for sweep in 1..=self.sweeps.min(front) {
                let row = front - sweep;
                if around(&self.rows, self.sweeps - sweep, height).contains(&row) {
                    self.sweep(level, sweep, row, height);
                }
            }
            if let Some(row) = front.checked_sub(self.sweeps)
                && self.rows.contains(&row)
            {
                let from = self.columns.start - self.needed.start;
                let to = (row - self.rows.start) * self.width + self.columns.start;
                let points = &self.window[self.place(self.sweeps, row)][from..];
                band[to..to + self.columns.len()].copy_from_slice(&points[..self.columns.len()]);
            }
        }
    }

    /// Brings a row of the grid, and what follows closer.
    fn fetch(&mut self, row: usize) {
        let from = row * self.width;
        let points = &self.pressure[from + self.needed.start..from + self.needed.end];
        let sources = &self.sources[from + self.needed.start..from + self.needed.end];
        let to = self.place(0, row);
        self.window[to].copy_from_slice(points);
        for (point, source) in points.iter().step_by(16).zip(sources.iter().step_by(16)) {
            prefetch(point, self.width * size_of::<f32>());
            prefetch(source, self.width * size_of::<f32>());
        }
    }

    /// Where a row of a sweep lies.
    fn place(&self, sweep: usize, row: usize) -> Range<usize> {
        let width = self.needed.len();
        let slot = (row + self.sweeps - sweep) % (2 * self.sweeps + 2);
        slot * width..slot * width + width
    }

    /// Makes a row of a sweep from those of the sweep before.
    fn sweep(&mut self, level: Level, sweep: usize, row: usize, height: usize) {
        let from = row * self.width;
        let sources = &self.sources[from + self.needed.start..from + self.needed.end];
        let place = |row| self.place(sweep - 1, row);
        if row == 0 || row + 1 == height {
            // One neighbour is the row itself; the result goes where the row above would be.
            let to = self.place(sweep, row);
            let beside = place(if row == 0 { 1 } else { row - 1 });
            let (here, beside) = (
                self.window[place(row)].to_vec(),
                self.window[beside].to_vec(),
            );
            let out = &mut self.window[to];
            out.copy_from_slice(if row == 0 { &here } else { &beside });
            let below = if row == 0 { &beside } else { &here };
            return average(level, out, &here, below, sources);
        }
        let places = [row - 1, row, row + 1].map(place);
        let rows = self.window.get_disjoint_mut(places);
        let [above, here, below] = rows.expect("rows of a window do not overlap");
        average(level, above, here, below, sources);
    }
}

kernel! {
    /// Averages go to where the row above is.
    fn average(above: &mut [f32], here: &[f32], below: &[f32], sources: &[f32]) {
        let m = above.len();
        let (here, below, sources) = (&here[..m], &below[..m], &sources[..m]);
        for j in 1..m - 1 {
            above[j] = 0.25 * (above[j] + below[j] + here[j - 1] + here[j + 1] - sources[j]);
        }
        above[0] = 0.25 * (above[0] + below[0] + here[0] + here[1] - sources[0]);
        let last = m - 1;
        above[last] = 0.25 * (above[last] + below[last] + here[last - 1] + here[last] - sources[last]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_definition_on_every_level() {
        for (height, width, trips) in [
            (2, 2, 3),
            (5, 40, 0),
            (40, 50, 9),
            (BAND + 3, STRIP + 1, 3),
            (3 * BAND, 33, 45),
        ] {
            let grid = |factor: usize| -> Vec<f32> {
                let number = |at: usize| (at * factor % 1009) as f32 * 0.01 - 5.0;
                (0..height * width).map(number).collect()
            };
            let flow = Flow {
                width,
                across: grid(7919),
                down: grid(6101),
                pressure: grid(104_729),
            };
            let wanted = plain(&flow, trips);
            for level in Level::available() {
                assert!(
                    at(level, &flow, trips) == wanted,
                    "{level:?} {height} {width}"
                );
            }
        }
    }
}
