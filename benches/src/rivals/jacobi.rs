//! Jacobi relaxation in f32: each sweep replaces every point inside by the average of itself and its
//! four neighbours; the border stays.
//!
//! The expert makes several sweeps in one pass over the grid. Within a strip of a band of rows, sweep
//! k + 1 follows sweep k one row behind and writes each row over the one above it of the sweep
//! before, which nobody needs any more: so all sweeps share a window of few rows, which stay in
//! the near caches. Neighbouring strips and bands compute what both need at their borders twice.

use crate::levels::{Level, kernel};
use crate::memory::prefetch;
use rayon::prelude::*;
use std::ops::Range;

/// Sweeps per pass over the grid.
const SWEEPS: usize = 20;

/// Rows of a sweep that are made together.
const TOGETHER: usize = 4;

/// The fewest rows per task: what bands compute twice at their borders stays small beside them.
const BAND: usize = 4 * SWEEPS;

/// Columns per strip: the window of all sweeps takes half of a second cache.
const STRIP: usize = 2048;

/// One vector where those are widest.
const LANES: usize = 16;

/// A rectangle of numbers with a border.
#[derive(Clone, Copy)]
pub struct Grid<'a> {
    points: &'a [f32],
    width: usize,
}

impl<'a> Grid<'a> {
    /// A grid of rows of this width.
    ///
    /// # Panics
    /// If there is no whole number of rows.
    pub fn new(points: &'a [f32], width: usize) -> Self {
        assert!(points.len().is_multiple_of(width));
        Grid { points, width }
    }

    fn height(&self) -> usize {
        self.points.len() / self.width
    }
}

/// As rayon gives it.
pub fn plain(start: Grid, sweeps: usize) -> Vec<f32> {
    let (width, height) = (start.width, start.height());
    let mut now = start.points.to_vec();
    let mut next = now.clone();
    for _ in 0..sweeps {
        let rows = next.par_chunks_mut(width).enumerate();
        rows.filter(|(i, _)| *i > 0 && i + 1 < height)
            .for_each(|(i, row)| {
                let inside = row.iter_mut().enumerate().skip(1).take(width - 2);
                inside.for_each(|(j, point)| {
                    let at = i * width + j;
                    let column = now[at] + now[at - width] + now[at + width];
                    *point = (column + now[at - 1] + now[at + 1]) * 0.2;
                });
            });
        std::mem::swap(&mut now, &mut next);
    }
    now
}

/// As an expert writes it.
pub fn expert(start: Grid, sweeps: usize) -> Vec<f32> {
    at(Level::best(), start, sweeps)
}

/// The expert's version at a level.
pub fn at(level: Level, start: Grid, sweeps: usize) -> Vec<f32> {
    let width = start.width;
    let tasks = 2 * rayon::current_num_threads();
    let band = start.height().div_ceil(tasks).max(BAND);
    let mut now = start.points.to_vec();
    let mut next = now.clone();
    let mut done = 0;
    while done < sweeps {
        let sweeps = SWEEPS.min(sweeps - done);
        let grid = Grid::new(&now, width);
        let bands = next.par_chunks_mut(band * width).enumerate();
        bands.for_each(|(i, out)| {
            let rows = i * band..i * band + out.len() / width;
            for from in (0..width).step_by(STRIP) {
                Tile::new(grid, sweeps, rows.clone(), from).run(level, out);
            }
        });
        std::mem::swap(&mut now, &mut next);
        done += sweeps;
    }
    now
}

/// The part of `0..len` that is at most `more` away from `part`.
fn around(part: &Range<usize>, more: usize, len: usize) -> Range<usize> {
    part.start.saturating_sub(more)..len.min(part.end + more)
}

/// A strip of a band under way.
struct Tile<'a> {
    grid: Grid<'a>,
    /// The rows and columns to be made.
    rows: Range<usize>,
    columns: Range<usize>,
    /// The columns that they need.
    needed: Range<usize>,
    sweeps: usize,
    window: Window,
}

impl<'a> Tile<'a> {
    fn new(grid: Grid<'a>, sweeps: usize, rows: Range<usize>, first_column: usize) -> Self {
        let columns = first_column..grid.width.min(first_column + STRIP);
        let needed = around(&columns, sweeps, grid.width);
        let window = Window::new(sweeps, needed.len());
        Tile {
            grid,
            rows,
            columns,
            needed,
            sweeps,
            window,
        }
    }

    /// Makes all sweeps; `band` is what the result has of the tile's rows.
    fn run(mut self, level: Level, band: &mut [f32]) {
        let all = around(&self.rows, self.sweeps, self.grid.height());
        // Each sweep makes its rows one further behind than the sweep before.
        for front in (all.start..all.end + self.sweeps).step_by(TOGETHER) {
            self.fetch(front..all.end.min(front + TOGETHER));
            for sweep in 1..=self.sweeps {
                let wanted = around(&self.rows, self.sweeps - sweep, self.grid.height());
                let next = front.saturating_sub(sweep)..(front + TOGETHER).saturating_sub(sweep);
                let rows = wanted.start.max(next.start)..wanted.end.min(next.end);
                self.sweep(level, sweep, rows.clone());
                if sweep == self.sweeps {
                    self.hand_out(band, rows);
                }
            }
        }
    }

    /// Brings rows of the grid, and those after them closer.
    fn fetch(&mut self, rows: Range<usize>) {
        for row in rows {
            let from = row * self.grid.width;
            let points = &self.grid.points[from + self.needed.start..from + self.needed.end];
            let to = self.window.row(0, row);
            self.window.points[to].copy_from_slice(points);
            for point in points.iter().step_by(LANES) {
                prefetch(point, TOGETHER * self.grid.width * size_of::<f32>());
            }
        }
    }

    /// Takes finished rows to the result.
    fn hand_out(&self, band: &mut [f32], rows: Range<usize>) {
        let (from, len) = (self.columns.start - self.needed.start, self.columns.len());
        for row in rows {
            let to = (row - self.rows.start) * self.grid.width + self.columns.start;
            let points = &self.window.points[self.window.row(self.sweeps, row)];
            band[to..to + len].copy_from_slice(&points[from..from + len]);
        }
    }

    /// Makes rows of a sweep from those of the sweep before.
    fn sweep(&mut self, level: Level, sweep: usize, rows: Range<usize>) {
        let is_inside = |row: usize| row > 0 && row + 1 < self.grid.height();
        #[cfg(target_arch = "x86_64")]
        if level.is_v4() && rows.len() == TOGETHER && rows.clone().all(is_inside) {
            return wide::sweep(level, &mut self.window, sweep, rows.start);
        }
        for row in rows {
            let place = |row| self.window.row(sweep - 1, row);
            if is_inside(row) {
                let places = [row - 1, row, row + 1].map(place);
                let rows = self.window.points.get_disjoint_mut(places);
                let [above, here, below] = rows.expect("rows of a window do not overlap");
                average(level, above, here, below);
            } else {
                let (from, to) = (place(row), self.window.row(sweep, row));
                self.window.points.copy_within(from, to.start);
            }
        }
    }
}

/// The rows under way of all sweeps, aligned: row `r` of sweep `k` lies where row `r - 1` of the sweep
/// before did.
struct Window {
    points: Vec<f32>,
    /// Points before the first row.
    skip: usize,
    /// Points from row to row: a vector may be read or written past the end of each.
    stride: usize,
    width: usize,
    sweeps: usize,
}

impl Window {
    fn new(sweeps: usize, width: usize) -> Self {
        let stride = width.next_multiple_of(LANES) + LANES;
        let points = vec![0.0; (2 * sweeps + TOGETHER) * stride + LANES];
        let skip = points.as_ptr().align_offset(64).min(LANES);
        Window {
            points,
            skip,
            stride,
            width,
            sweeps,
        }
    }

    /// Where a row of a sweep lies.
    fn row(&self, sweep: usize, row: usize) -> Range<usize> {
        let slot = (row + self.sweeps - sweep) % (2 * self.sweeps + TOGETHER);
        let at = self.skip + slot * self.stride;
        at..at + self.width
    }
}

kernel! {
    /// Averages go to where the row above is. The ends stay: they are the border, or are not needed.
    fn average(above: &mut [f32], here: &[f32], below: &[f32]) {
        let width = above.len();
        let (here, below) = (&here[..width], &below[..width]);
        above[0] = here[0];
        for j in 1..width - 1 {
            above[j] = (here[j] + above[j] + below[j] + here[j - 1] + here[j + 1]) * 0.2;
        }
        above[width - 1] = here[width - 1];
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{LANES, TOGETHER, Window};
    use crate::levels::Level;
    use std::arch::x86_64::*;

    /// Rows that are read for those made together.
    const READ: usize = TOGETHER + 2;

    /// Makes `TOGETHER` rows inside of the grid, from `row` on.
    pub fn sweep(level: Level, window: &mut Window, sweep: usize, row: usize) {
        assert!(level.is_v4());
        let places: [usize; READ] =
            std::array::from_fn(|r| window.row(sweep - 1, row + r - 1).start);
        let last = window.width - 1;
        let ends: [_; TOGETHER] = std::array::from_fn(|r| {
            let here = places[r + 1];
            (window.points[here], window.points[here + last])
        });
        assert!(
            places
                .iter()
                .all(|at| at + window.width.next_multiple_of(LANES) + LANES <= window.points.len())
        );
        // SAFETY: the level has these features, and the places are those of rows.
        unsafe { run(&mut window.points, places, window.width) };
        for (at, (first, end)) in places.into_iter().zip(ends) {
            (window.points[at], window.points[at + last]) = (first, end);
        }
    }

    /// Neighbours to the left and right are taken from whole vectors, since a load across two lines of
    /// the cache is two. One of the additions is a fused operation that multiplies by 1, so that
    /// all pipes work.
    ///
    /// # Safety
    /// From each place on there are the points of a row, rounded up to whole vectors, and a vector.
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,bmi1,bmi2")]
    unsafe fn run(points: &mut [f32], places: [usize; READ], width: usize) {
        // A known number would be multiplied by no more.
        let one = _mm512_set1_ps(std::hint::black_box(1.0));
        let fifth = _mm512_set1_ps(0.2);
        // SAFETY: the places lie within the points.
        let rows = places.map(|at| unsafe { points.as_mut_ptr().add(at) });
        // SAFETY: a row has a vector more than its points take.
        let load = |r: usize, at: usize| unsafe { _mm512_loadu_ps(rows[r].add(at)) };
        let mut here: [__m512; TOGETHER] = std::array::from_fn(|r| load(r + 1, 0));
        let mut left = here;
        for at in (0..width).step_by(LANES) {
            let (first, last) = (load(0, at), load(READ - 1, at));
            for r in 0..TOGETHER {
                let right = load(r + 1, at + LANES);
                let above = if r == 0 { first } else { left[r - 1] };
                let below = if r + 1 == TOGETHER { last } else { here[r + 1] };
                let sum = _mm512_add_ps(here[r], above);
                let sum = _mm512_add_ps(sum, below);
                let sum = _mm512_fmadd_ps(before_of(left[r], here[r]), one, sum);
                let sum = _mm512_add_ps(sum, after_of(here[r], right));
                // SAFETY: as for loads. What is overwritten has been read.
                unsafe { _mm512_storeu_ps(rows[r].add(at), _mm512_mul_ps(sum, fifth)) };
                left[r] = here[r];
                here[r] = right;
            }
        }
    }

    /// The left neighbours of a vector's points.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn before_of(left: __m512, here: __m512) -> __m512 {
        let (left, here) = (_mm512_castps_si512(left), _mm512_castps_si512(here));
        _mm512_castsi512_ps(_mm512_alignr_epi32::<15>(here, left))
    }

    /// The right neighbours of a vector's points.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn after_of(here: __m512, right: __m512) -> __m512 {
        let (here, right) = (_mm512_castps_si512(here), _mm512_castps_si512(right));
        _mm512_castsi512_ps(_mm512_alignr_epi32::<1>(right, here))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_definition_on_every_level() {
        for (height, width, sweeps) in [
            (3, 3, 1),
            (5, 40, 0),
            (40, 50, 9),
            (BAND + 3, STRIP + 1, 3),
            (3 * BAND, 33, 2 * SWEEPS),
        ] {
            let start: Vec<f32> = (0..height * width).map(|i| (i * 7 % 23) as f32).collect();
            let mut now = start.clone();
            for _ in 0..sweeps {
                let before = now.clone();
                for i in 1..height - 1 {
                    for j in 1..width - 1 {
                        let at = i * width + j;
                        let column = before[at] + before[at - width] + before[at + width];
                        now[at] = (column + before[at - 1] + before[at + 1]) * 0.2;
                    }
                }
            }
            let grid = Grid::new(&start, width);
            for level in Level::available() {
                assert!(at(level, grid, sweeps) == now, "{level:?} {height} {width}");
            }
            assert!(plain(grid, sweeps) == now);
        }
    }
}
