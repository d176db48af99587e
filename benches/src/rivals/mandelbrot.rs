//! Escape times of the Mandelbrot set in f32.
//!
//! The expert keeps four vectors of 16 points in flight; each leaves, and the next 16 points of the
//! row take its place, when no lane lives or the limit is reached. Only IEEE operations that give the
//! plain program's bits: doubling is exact, so `2xy + c` may be fused after `xy` is rounded.

use crate::levels::{Level, kernel};
use crate::memory;
use rayon::prelude::*;
use std::mem::MaybeUninit;

/// The part of the plane that is shown: from (-2.5, -1) to (1, 1).
const LEFT: f32 = -2.5;
const TOP: f32 = -1.0;
const WIDTH: f32 = 3.5;
const HEIGHT: f32 = 2.0;

/// Points of a block where there are no wide masks.
const LANES: usize = 32;

/// As rayon gives it: the number of steps for each point, row by row.
pub fn plain(width: usize, height: usize, limit: i32) -> Vec<i32> {
    let (dx, dy) = (WIDTH / width as f32, HEIGHT / height as f32);
    let points = (0..width * height).into_par_iter().map(|i| {
        let (x, y) = (i % width, i / width);
        steps(LEFT + x as f32 * dx, TOP + y as f32 * dy, limit)
    });
    points.collect()
}

/// Steps until a point has left the circle of radius 2, at most `limit`.
fn steps(cx: f32, cy: f32, limit: i32) -> i32 {
    let (mut x, mut y, mut n) = (0.0, 0.0, 0);
    while n < limit && x * x + y * y <= 4.0 {
        (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
        n += 1;
    }
    n
}

/// As an expert writes it.
pub fn expert(width: usize, height: usize, limit: i32) -> Vec<i32> {
    at(Level::best(), width, height, limit)
}

/// The expert's version at a level.
pub fn at(level: Level, width: usize, height: usize, limit: i32) -> Vec<i32> {
    let (dx, dy) = (WIDTH / width as f32, HEIGHT / height as f32);
    // SAFETY: every row writes all of its points.
    unsafe {
        memory::fresh(width * height, |out| {
            let rows = out.par_chunks_mut(width.max(1)).enumerate();
            rows.for_each(|(y, out)| {
                let cy = TOP + y as f32 * dy;
                #[cfg(target_arch = "x86_64")]
                if level.is_v4() {
                    return wide::row(level, out, dx, cy, limit);
                }
                row(level, out, dx, cy, limit);
            });
        })
    }
}

kernel! {
    fn row(out: &mut [MaybeUninit<i32>], dx: f32, cy: f32, limit: i32) {
        for (block, out) in out.chunks_mut(LANES).enumerate() {
            let cx: [f32; LANES] =
                std::array::from_fn(|lane| LEFT + (block * LANES + lane) as f32 * dx);
            let (mut x, mut y, mut n) = ([0.0; LANES], [0.0; LANES], [0; LANES]);
            let mut live = [-1; LANES];
            for _ in 0..limit {
                for lane in 0..LANES {
                    let (xx, yy) = (x[lane] * x[lane], y[lane] * y[lane]);
                    live[lane] = if xx + yy <= 4.0 { live[lane] } else { 0 };
                    n[lane] -= live[lane];
                    y[lane] = 2.0 * x[lane] * y[lane] + cy;
                    x[lane] = xx - yy + cx[lane];
                }
                if live.iter().fold(0, |any, lane| any | lane) == 0 {
                    break;
                }
            }
            memory::copy(out, &n[..out.len()]);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::LEFT;
    use crate::levels::Level;
    use std::arch::x86_64::*;
    use std::hint::black_box;
    use std::mem::MaybeUninit;

    /// Vectors in flight.
    const SLOTS: usize = 5;

    /// Steps between two looks at who still lives.
    const STRIDE: i32 = 8;

    /// Sixteen neighbouring points under way.
    #[derive(Clone, Copy)]
    struct Slot {
        x: __m512,
        y: __m512,
        cx: __m512,
        n: __m512i,
        live: __mmask16,
        steps: i32,
        group: usize,
    }

    /// One row of points.
    pub fn row(level: Level, out: &mut [MaybeUninit<i32>], dx: f32, cy: f32, limit: i32) {
        assert!(level.is_v4());
        // SAFETY: the level has these features.
        unsafe { run(out, dx, cy, limit) }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
    fn run(out: &mut [MaybeUninit<i32>], dx: f32, cy: f32, limit: i32) {
        let groups = out.len().div_ceil(16);
        let (cy, four, two) = (_mm512_set1_ps(cy), _mm512_set1_ps(4.0), _mm512_set1_ps(2.0));
        // Known numbers would undo the work: a masked addition of 1 becomes two instructions, and an
        // unrolled loop runs one slot after the other, each waiting for itself.
        let one = _mm512_set1_epi32(black_box(1));
        let stride = black_box(STRIDE);
        let mut next = 0;
        let mut slots = [begin(usize::MAX, dx); SLOTS];
        for slot in &mut slots {
            *slot = begin(next, dx);
            next += 1;
        }
        // Groups past the end run like others and are not stored: at most three of them.
        let mut finished = 0;
        while finished < groups {
            for _ in 0..stride {
                for slot in &mut slots {
                    let xx = _mm512_mul_ps(slot.x, slot.x);
                    let yy = _mm512_mul_ps(slot.y, slot.y);
                    let xy = _mm512_mul_ps(slot.x, slot.y);
                    let square = _mm512_add_ps(xx, yy);
                    slot.live = _mm512_mask_cmp_ps_mask::<_CMP_LE_OQ>(slot.live, square, four);
                    slot.n = _mm512_mask_add_epi32(slot.n, slot.live, slot.n, one);
                    slot.y = _mm512_fmadd_ps(two, xy, cy);
                    slot.x = _mm512_add_ps(_mm512_sub_ps(xx, yy), slot.cx);
                }
            }
            for slot in &mut slots {
                slot.steps += STRIDE;
                if slot.live == 0 || slot.steps >= limit {
                    finished += usize::from(store(out, *slot, limit));
                    *slot = begin(next, dx);
                    next += 1;
                }
            }
        }
    }

    #[target_feature(enable = "avx512f")]
    fn begin(group: usize, dx: f32) -> Slot {
        let lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        let first = _mm512_set1_epi32((group as i32).wrapping_mul(16));
        let column = _mm512_cvtepi32_ps(_mm512_add_epi32(first, lanes));
        let offset = _mm512_mul_ps(column, _mm512_set1_ps(dx));
        Slot {
            x: _mm512_setzero_ps(),
            y: _mm512_setzero_ps(),
            cx: _mm512_add_ps(_mm512_set1_ps(LEFT), offset),
            n: _mm512_setzero_si512(),
            live: !0,
            steps: 0,
            group,
        }
    }

    /// Writes a group's counts; false if it lies past the end of the row.
    #[target_feature(enable = "avx512f")]
    fn store(out: &mut [MaybeUninit<i32>], slot: Slot, limit: i32) -> bool {
        let from = slot.group * 16;
        if from >= out.len() {
            return false;
        }
        let left = (out.len() - from).min(16);
        let mask = ((1_u32 << left) - 1) as __mmask16;
        let n = _mm512_min_epi32(slot.n, _mm512_set1_epi32(limit));
        // SAFETY: the mask keeps to the `left` elements from `from` on.
        unsafe { _mm512_mask_storeu_epi32(out.as_mut_ptr().add(from).cast(), mask, n) };
        true
    }
}

/// Steps made for all points together: the useful work.
pub fn total_steps(counts: &[i32]) -> f64 {
    counts.par_iter().map(|&n| f64::from(n)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_definition_on_every_level() {
        for (width, height, limit) in [(1, 1, 255), (100, 7, 255), (333, 50, 100), (16, 3, 1)] {
            let expected = plain(width, height, limit);
            for level in Level::available() {
                assert_eq!(at(level, width, height, limit), expected, "{level:?}");
            }
        }
    }
}
