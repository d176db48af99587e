//! Nests of a function itself: rows of lags, in parallel.
//!
//! In: a nest, how many rows there are, of how many lags. Out: as `nest.rs`.
//! Assumes: as `mod.rs`.

use super::{Lags, Sums};
use crate::error::Failure;
use crate::kernel::{Flag, Product};
use crate::nest::{Nest, Shares, in_shares, run};
use crate::parallel;
use crate::recycle::Buffer;
use crate::rows::Rows;

/// As [`nest_to`](crate::nest_to), of so many rows of so many lags each.
pub fn lags_to<N: Lags<LEFT, RIGHT>, const LEFT: usize, const RIGHT: usize>(
    nest: &N,
    [rows, columns]: [usize; 2],
    widths: <N::Outs as Rows>::Widths,
    outs: <N::Outs as Product>::Outs<'_>,
) -> Result<(), Failure> {
    let n = rows.saturating_mul(columns);
    // Enough for all threads, but no more: what lags read is packed for each block of them.
    let share = n.div_ceil(UNITS * rayon::current_num_threads()).max(1);
    let blocks = columns.div_ceil(share);
    let width = columns.div_ceil(blocks.max(1));
    let unit = |unit: usize| {
        let (row, lag) = (unit / blocks, unit % blocks * width);
        (row, lag..columns.min(lag + width))
    };
    let cost = nest.cost().saturating_mul(width);
    let shares: Shares<'_> = &|run| {
        parallel::for_ranges(rows * blocks, 1, cost, &|units| {
            for at in units {
                let (row, lags) = unit(at);
                let start = row * columns;
                run(start + lags.start..start + lags.end);
            }
        });
    };
    in_shares(nest, n, widths, outs, shares, &|range, out| {
        let row = range.start / columns.max(1);
        let start = row * columns;
        let lags = range.start - start..range.end - start;
        let first = range.start;
        let sums = Sums {
            nest,
            row,
            start,
            lags,
        };
        let sums = sums.computed();
        match sums.is_empty() {
            true => run(nest, range, out),
            false => run(&Summed { nest, first, sums }, range, out),
        }
    })
}

/// Parts of a row per thread, where rows are few.
const UNITS: usize = 2;

/// A nest some sums of which are known.
struct Summed<'a, N: Lags<LEFT, RIGHT>, const LEFT: usize, const RIGHT: usize> {
    nest: &'a N,
    /// The first of them.
    first: usize,
    sums: Buffer<N::Scalar>,
}

impl<N: Lags<LEFT, RIGHT>, const LEFT: usize, const RIGHT: usize> Nest
    for Summed<'_, N, LEFT, RIGHT>
{
    type Outs = N::Outs;
    const CHECKS: bool = N::CHECKS;

    fn cost(&self) -> usize {
        self.nest.cost()
    }

    #[inline(always)]
    fn run<const L: usize, F: Flag>(
        &self,
        index: usize,
        rows: &mut <Self::Outs as Rows>::Places<'_>,
        flag: &mut F,
    ) {
        let sum = self.sums[index - self.first];
        self.nest.finish(index, sum, rows, flag);
    }
}
