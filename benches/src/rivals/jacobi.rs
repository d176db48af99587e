//! Jacobi relaxation in f32: each sweep replaces every point inside by the average of itself and its
//! four neighbours; the border stays.
//!
//! The expert makes several sweeps in one pass over the grid. Within a strip of a band of rows, sweep
//! k + 1 follows sweep k one row behind, and of each sweep only the rows that the next one needs are
//! kept: they fit the second cache, and those just written the first. Neighbouring strips
//! and bands compute what both need at their borders twice.

use crate::levels::{Level, kernel};
use rayon::prelude::*;
use std::ops::Range;

/// Sweeps per pass over the grid.
const SWEEPS: usize = 8;

/// Rows of a sweep that are made together.
const TOGETHER: usize = 4;

/// Rows of a sweep that are kept: what the next sweep reads for the rows that it makes together.
const KEPT: usize = TOGETHER + 2;

/// Rows per task.
const BAND: usize = 182;

/// Columns per strip.
const STRIP: usize = 736;

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
    let mut now = start.points.to_vec();
    let mut next = now.clone();
    let mut done = 0;
    while done < sweeps {
        let sweeps = SWEEPS.min(sweeps - done);
        let grid = Grid::new(&now, width);
        let bands = next.par_chunks_mut(BAND * width).enumerate();
        bands.for_each(|(band, out)| {
            for from in (0..width).step_by(STRIP) {
                Tile::new(grid, sweeps, band * BAND, from).run(level, out);
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
    /// The kept rows of each sweep, those of the grid itself first.
    kept: Vec<Kept>,
}

impl<'a> Tile<'a> {
    fn new(grid: Grid<'a>, sweeps: usize, first_row: usize, first_column: usize) -> Self {
        let rows = first_row..grid.height().min(first_row + BAND);
        let columns = first_column..grid.width.min(first_column + STRIP);
        let needed = around(&columns, sweeps, grid.width);
        let kept = (0..=sweeps).map(|_| Kept::new(needed.len())).collect();
        Tile {
            grid,
            rows,
            columns,
            needed,
            kept,
        }
    }

    /// Makes all sweeps; `band` is what the result has of the tile's rows.
    fn run(mut self, level: Level, band: &mut [f32]) {
        let sweeps = self.kept.len() - 1;
        let all = around(&self.rows, sweeps, self.grid.height());
        // Each sweep makes its rows one further behind than the sweep before.
        for front in (all.start..all.end + sweeps).step_by(TOGETHER) {
            self.fetch(front..all.end.min(front + TOGETHER));
            for sweep in 1..=sweeps {
                let wanted = around(&self.rows, sweeps - sweep, self.grid.height());
                let next = front.saturating_sub(sweep)..(front + TOGETHER).saturating_sub(sweep);
                let rows = wanted.start.max(next.start)..wanted.end.min(next.end);
                self.sweep(level, sweep, rows.clone());
                if sweep == sweeps {
                    self.hand_out(band, rows);
                }
            }
        }
    }

    /// Brings rows of the grid.
    fn fetch(&mut self, rows: Range<usize>) {
        for row in rows {
            let from = row * self.grid.width;
            let needed = from + self.needed.start..from + self.needed.end;
            self.kept[0]
                .row_mut(row)
                .copy_from_slice(&self.grid.points[needed]);
        }
    }

    /// Takes finished rows to the result.
    fn hand_out(&self, band: &mut [f32], rows: Range<usize>) {
        let (from, len) = (self.columns.start - self.needed.start, self.columns.len());
        for row in rows {
            let to = (row - self.rows.start) * self.grid.width + self.columns.start;
            let points = &self.kept[self.kept.len() - 1].row(row)[from..from + len];
            band[to..to + len].copy_from_slice(points);
        }
    }

    /// Makes rows of a sweep from those of the sweep before.
    fn sweep(&mut self, level: Level, sweep: usize, rows: Range<usize>) {
        let (before, after) = self.kept.split_at_mut(sweep);
        let (before, after) = (&before[sweep - 1], &mut after[0]);
        let is_inside = |row: usize| row > 0 && row + 1 < self.grid.height();
        #[cfg(target_arch = "x86_64")]
        if level.is_v4() && rows.len() == TOGETHER && rows.clone().all(is_inside) {
            return wide::sweep(level, before, after, rows.start);
        }
        for row in rows {
            let (out, here) = (after.row_mut(row), before.row(row));
            if is_inside(row) {
                average(level, out, before.row(row - 1), here, before.row(row + 1));
            } else {
                out.copy_from_slice(here);
            }
        }
    }
}

/// The last rows of one sweep, aligned.
struct Kept {
    points: Vec<f32>,
    /// Points before the first row.
    skip: usize,
    /// Points from row to row: a vector may be read or written past the end of each.
    stride: usize,
    width: usize,
}

impl Kept {
    fn new(width: usize) -> Self {
        let stride = width.next_multiple_of(LANES) + LANES;
        let points = vec![0.0; KEPT * stride + LANES];
        let skip = points.as_ptr().align_offset(64).min(LANES);
        Kept {
            points,
            skip,
            stride,
            width,
        }
    }

    /// Where a row begins.
    fn at(&self, row: usize) -> usize {
        self.skip + row % KEPT * self.stride
    }

    fn row(&self, row: usize) -> &[f32] {
        let at = self.at(row);
        &self.points[at..at + self.width]
    }

    fn row_mut(&mut self, row: usize) -> &mut [f32] {
        let at = self.at(row);
        &mut self.points[at..at + self.width]
    }
}

kernel! {
    /// The ends stay: they are the border, or are not needed.
    fn average(out: &mut [f32], above: &[f32], here: &[f32], below: &[f32]) {
        let width = out.len();
        let (above, here, below) = (&above[..width], &here[..width], &below[..width]);
        out[0] = here[0];
        for j in 1..width - 1 {
            out[j] = (here[j] + above[j] + below[j] + here[j - 1] + here[j + 1]) * 0.2;
        }
        out[width - 1] = here[width - 1];
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{KEPT, Kept, LANES, TOGETHER};
    use crate::levels::Level;
    use std::arch::x86_64::*;

    /// Makes `TOGETHER` rows inside of the grid, from `row` on.
    pub fn sweep(level: Level, before: &Kept, after: &mut Kept, row: usize) {
        assert!(level.is_v4());
        assert!(before.stride == after.stride && before.width == after.width);
        let width = before.width;
        // SAFETY: the level has these features, and both are of one shape.
        unsafe { run(before, after, row) };
        for row in row..row + TOGETHER {
            let here = before.row(row);
            let (first, last) = (here[0], here[width - 1]);
            let out = after.row_mut(row);
            (out[0], out[width - 1]) = (first, last);
        }
    }

    /// Neighbours to the left and right are taken from whole vectors, since a load across two lines of
    /// the cache is two. One of the additions is a fused operation that multiplies by 1, so that
    /// all pipes work.
    ///
    /// # Safety
    /// `after` has the shape of `before`.
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,bmi1,bmi2")]
    unsafe fn run(before: &Kept, after: &mut Kept, row: usize) {
        // A known number would be multiplied by no more.
        let one = _mm512_set1_ps(std::hint::black_box(1.0));
        let fifth = _mm512_set1_ps(0.2);
        let points = before.points.as_ptr();
        // SAFETY: each row begins within the points, with `stride` of them left.
        let from: [*const f32; KEPT] =
            std::array::from_fn(|r| unsafe { points.add(before.at(row + r - 1)) });
        let out: [usize; TOGETHER] = std::array::from_fn(|r| after.at(row + r));
        // SAFETY: as above.
        let out = out.map(|at| unsafe { after.points.as_mut_ptr().add(at) });
        // SAFETY: each row has at least one vector.
        let mut here: [__m512; TOGETHER] =
            std::array::from_fn(|r| unsafe { _mm512_loadu_ps(from[r + 1]) });
        let mut left = here;
        for at in (0..before.width).step_by(LANES) {
            // SAFETY: a row has a vector more than its points take.
            let load = |r: usize, at: usize| unsafe { _mm512_loadu_ps(from[r].add(at)) };
            let (first, last) = (load(0, at), load(TOGETHER + 1, at));
            for r in 0..TOGETHER {
                let right = load(r + 1, at + LANES);
                let above = if r == 0 { first } else { left[r - 1] };
                let below = if r + 1 == TOGETHER { last } else { here[r + 1] };
                let sum = _mm512_add_ps(here[r], above);
                let sum = _mm512_add_ps(sum, below);
                let sum = _mm512_fmadd_ps(before_of(left[r], here[r]), one, sum);
                let sum = _mm512_add_ps(sum, after_of(here[r], right));
                // SAFETY: as for loads.
                unsafe { _mm512_storeu_ps(out[r].add(at), _mm512_mul_ps(sum, fifth)) };
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
            (2 * BAND, 2 * STRIP - 1, 2 * SWEEPS),
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
