//! Squared distances of each point of one set from each of another, in f32.
//!
//! The expert lays the second set out by columns, in panels that fit the first cache, and keeps a
//! tile of distances in registers while it goes through the coordinates. Processors with AVX-512
//! have as many pipes for fused operations as for additions: so that all work, half of the
//! differences are made by a fused operation that multiplies by 1, which gives the same bits.

use crate::levels::{Level, kernel};
use crate::memory::{self, as_uninit, copy, fence};
use rayon::prelude::*;
use std::mem::MaybeUninit;

/// Points of the second set in a panel: two vectors where those are widest.
const PANEL: usize = 32;

/// Points of the first set in a tile.
const TILE: usize = 8;

/// Points of the first set per task.
const BAND: usize = 64;

/// As rayon gives it, row by row.
pub fn plain(ps: &[f32], qs: &[f32], dims: usize) -> Vec<f32> {
    let rows = ps.par_chunks(dims).flat_map_iter(|p| {
        let square = |(x, y): (&f32, &f32)| (x - y) * (x - y);
        let distance = move |q: &[f32]| p.iter().zip(q).map(square).sum();
        qs.chunks(dims).map(distance)
    });
    rows.collect()
}

/// As an expert writes it.
pub fn expert(ps: &[f32], qs: &[f32], dims: usize) -> Vec<f32> {
    at(Level::best(), ps, qs, dims)
}

/// As an expert writes it, into a buffer.
pub fn expert_into(out: &mut [f32], ps: &[f32], qs: &[f32], dims: usize) {
    into(Level::best(), as_uninit(out), ps, qs, dims);
}

/// The expert's version at a level.
pub fn at(level: Level, ps: &[f32], qs: &[f32], dims: usize) -> Vec<f32> {
    let len = ps.len() / dims * (qs.len() / dims);
    // SAFETY: `into` writes every element.
    unsafe { memory::fresh(len, |out| into(level, out, ps, qs, dims)) }
}

fn into(level: Level, out: &mut [MaybeUninit<f32>], ps: &[f32], qs: &[f32], dims: usize) {
    let (height, width) = (ps.len() / dims, qs.len() / dims);
    assert_eq!(out.len(), height * width);
    let panels = panels(qs, dims);
    let bands = out
        .par_chunks_mut(BAND * width)
        .zip(ps.par_chunks(BAND * dims));
    bands.for_each(|(out, ps)| {
        for (panel, columns) in panels.chunks(PANEL * dims).enumerate() {
            let tiles = out.chunks_mut(TILE * width).zip(ps.chunks(TILE * dims));
            for (out, ps) in tiles {
                tile(level, out, width, panel * PANEL, ps, columns, dims);
            }
        }
        fence();
    });
}

/// The points by panels, in each coordinate by coordinate; the last panel is filled up with zeros.
fn panels(qs: &[f32], dims: usize) -> Vec<f32> {
    let mut panels = vec![0.0; (qs.len() / dims).next_multiple_of(PANEL) * dims];
    for (j, q) in qs.chunks(dims).enumerate() {
        for (k, x) in q.iter().enumerate() {
            panels[j / PANEL * PANEL * dims + k * PANEL + j % PANEL] = *x;
        }
    }
    panels
}

/// Distances of up to `TILE` points from a panel, to the columns of `out` that begin at `from`.
fn tile(
    level: Level,
    out: &mut [MaybeUninit<f32>],
    width: usize,
    from: usize,
    ps: &[f32],
    columns: &[f32],
    dims: usize,
) {
    #[cfg(target_arch = "x86_64")]
    if level.is_v4() && ps.len() == TILE * dims && from + PANEL <= width {
        return wide::tile(level, out, width, from, ps, columns, dims);
    }
    let mut all = [0.0; PANEL];
    let columns_left = PANEL.min(width - from);
    for (out, p) in out.chunks_mut(width).zip(ps.chunks(dims)) {
        row(level, &mut all, p, columns);
        copy(&mut out[from..from + columns_left], &all[..columns_left]);
    }
}

kernel! {
    fn row(out: &mut [f32; PANEL], p: &[f32], columns: &[f32]) {
        let mut sums = [0.0; PANEL];
        for (x, column) in p.iter().zip(columns.as_chunks::<PANEL>().0) {
            for l in 0..PANEL {
                sums[l] += (x - column[l]) * (x - column[l]);
            }
        }
        *out = sums;
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{PANEL, TILE};
    use crate::levels::Level;
    use std::arch::x86_64::*;
    use std::mem::MaybeUninit;

    /// A full tile.
    pub fn tile(
        level: Level,
        out: &mut [MaybeUninit<f32>],
        width: usize,
        from: usize,
        ps: &[f32],
        columns: &[f32],
        dims: usize,
    ) {
        assert!(level.is_v4());
        assert!(ps.len() == TILE * dims && columns.len() == PANEL * dims);
        let mut rows = out.chunks_mut(width);
        let out = std::array::from_fn(|_| {
            let row = rows.next().expect("a full tile");
            row[from..from + PANEL].as_mut_ptr().cast::<f32>()
        });
        // SAFETY: the level has these features, and the lengths are checked.
        unsafe { run(out, ps, columns, dims) }
    }

    /// Stores past the caches where all places are aligned.
    ///
    /// # Safety
    /// There are `TILE * dims` coordinates of points and `PANEL * dims` of columns, and at each place
    /// of `out` room for `PANEL` distances.
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,bmi1,bmi2")]
    unsafe fn run(out: [*mut f32; TILE], ps: &[f32], columns: &[f32], dims: usize) {
        // A known number would be multiplied by no more.
        let one = _mm512_set1_ps(std::hint::black_box(1.0));
        let mut sums = [[_mm512_setzero_ps(); 2]; TILE];
        for k in 0..dims {
            // SAFETY: `k` is below `dims`, and a column of a panel is two vectors long.
            let column = unsafe {
                let column = columns.as_ptr().add(k * PANEL);
                [_mm512_loadu_ps(column), _mm512_loadu_ps(column.add(16))]
            };
            for (i, sums) in sums.iter_mut().enumerate() {
                // SAFETY: `i` is below `TILE`, and `k` below `dims`.
                let x = _mm512_set1_ps(unsafe { *ps.get_unchecked(i * dims + k) });
                let first = _mm512_sub_ps(x, column[0]);
                let second = _mm512_fmsub_ps(x, one, column[1]);
                sums[0] = _mm512_add_ps(sums[0], _mm512_mul_ps(first, first));
                sums[1] = _mm512_add_ps(sums[1], _mm512_mul_ps(second, second));
            }
        }
        let aligned = out.iter().all(|to| to.addr().is_multiple_of(64));
        for (to, sums) in out.iter().zip(&sums) {
            // SAFETY: there is room for two vectors, and it is aligned where that is asked for.
            unsafe {
                if aligned {
                    _mm512_stream_ps(*to, sums[0]);
                    _mm512_stream_ps(to.add(16), sums[1]);
                } else {
                    _mm512_storeu_ps(*to, sums[0]);
                    _mm512_storeu_ps(to.add(16), sums[1]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_definition_on_every_level() {
        for (height, width, dims) in [(1, 1, 1), (8, 32, 64), (70, 100, 7), (33, 96, 3)] {
            // Small whole numbers: every order of summation is exact.
            let ps: Vec<f32> = (0..height * dims).map(|i| (i * 7 % 23) as f32).collect();
            let qs: Vec<f32> = (0..width * dims).map(|i| (i * 5 % 19) as f32).collect();
            let mut expected = Vec::new();
            for i in 0..height {
                for j in 0..width {
                    let mut sum = 0.0;
                    for k in 0..dims {
                        let difference = ps[i * dims + k] - qs[j * dims + k];
                        sum += difference * difference;
                    }
                    expected.push(sum);
                }
            }
            for level in Level::available() {
                assert_eq!(at(level, &ps, &qs, dims), expected, "{level:?}");
            }
            assert_eq!(plain(&ps, &qs, dims), expected);
        }
    }
}
