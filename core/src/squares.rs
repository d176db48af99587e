//! Values written in squares: for kernels that read some array down its columns, as a transpose does.
//!
//! In: a kernel over a matrix. Out: its values, in an order in which what one row reads is still in
//! the cache for the next.
//! Assumes: nothing. Each index is computed as in `write.rs`.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::error::Failure;
use crate::kernel::{Fast, Flag, Kernel, Product};
use crate::level::{Task, dispatch};
use crate::memory;
use crate::parallel;
use crate::product::Bases;
use crate::write::{first_violation, write_to};

/// Rows of a square: more than the elements of a cache line, of which each is read in one of them.
const HIGH: usize = 64;

/// The values of `0..n`, rows of `width`, straight into the caller's memory.
///
/// Cost and errors: as [`write_to`].
pub fn write_squares_to<K: Kernel>(
    kernel: &K,
    n: usize,
    width: usize,
    mut outs: <K::Out as Product>::Outs<'_>,
) -> Result<(), Failure> {
    if n == 0 || width < HIGH || !n.is_multiple_of(width) {
        return write_to(kernel, n, outs);
    }
    let out = Bases::new(K::Out::prepare(&mut outs, n)?);
    let stream = memory::streams::<K::Out>(n);
    let violated = AtomicBool::new(false);
    let cost = width.saturating_mul(K::COST as usize);
    parallel::for_ranges(n / width, HIGH, cost, &|rows| {
        let squares = Squares {
            kernel,
            width,
            rows,
            out,
            stream,
        };
        if dispatch(squares) {
            violated.store(true, Ordering::Relaxed);
        }
        if stream {
            memory::fence();
        }
    });
    if violated.into_inner() {
        return Err(first_violation(kernel, n).unwrap_or(Failure::Internal));
    }
    // SAFETY: `prepare` made room for `n`, and `Squares` without a violation have written all rows.
    unsafe { K::Out::finish(outs, n) };
    Ok(())
}

/// Some rows.
struct Squares<'a, K: Kernel> {
    kernel: &'a K,
    /// At least `HIGH`.
    width: usize,
    rows: Range<usize>,
    out: Bases<K::Out>,
    /// Round the caches.
    stream: bool,
}

impl<K: Kernel> Task for Squares<'_, K> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        let mut flag = Fast::default();
        let mut lanes = K::Out::zero().splat::<L>();
        for first in self.rows.clone().step_by(HIGH) {
            let rows = first..self.rows.end.min(first + HIGH);
            for column in (0..self.width).step_by(L) {
                // The last block of a row overlaps the one before: the same values again.
                let column = column.min(self.width - L);
                for row in rows.clone() {
                    let at = row * self.width + column;
                    self.kernel
                        .block::<L, Fast>(at, K::Out::slots(&mut lanes), &mut flag);
                    // SAFETY: a level has at most `HIGH` lanes, so the block lies in the row, which
                    // is this task's alone.
                    unsafe { K::Out::store(&lanes, self.out.get(), at, self.stream) };
                }
            }
        }
        flag.violated()
    }
}
