//! Reductions of few steps, which would fill no lanes, or of dear values (`dear.rs`): one block of
//! columns after the other, each from its first step to its results, while its accumulators are in
//! registers and the nearest cache.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use super::sums::reversed;
use super::{Across, Blocks, Shape, Work, both, columns_to, dear, finish_block, first};
use crate::error::Failure;
use crate::kernel::{CHUNK, Fast, Flag, LANES, Product};
use crate::level::{MAX_LANES, Task, dispatch};
use crate::nest::nest_to;
use crate::parallel;
use crate::product::Bases;
use crate::rows::Rows;

/// No level of lanes: that numbers are reduced before one is looked for.
const FIRST: usize = usize::MAX;

/// From more steps on, lanes over them are as good: the 40 instructions around a reduction are few.
const FEW: usize = 1024;

/// Units per thread, where columns are enough: so that no thread waits long for another.
const UNITS: usize = 4;

/// The same of dear values, of which a block of columns takes long.
const DEAR_UNITS: usize = 64;

/// The tree is over one chunk.
const _: () = assert!(FEW <= CHUNK);

/// [`columns_to`] where reductions have few steps, or dear values, and there are columns enough for
/// lanes, else [`nest_to`]: for arrays that lie together both along the columns and along the steps.
///
/// Cost, errors: as [`columns_to`].
pub fn few_steps_to<C: Across>(
    body: &C,
    shape: Shape,
    widths: <C::Outs as Rows>::Widths,
    mut outs: <C::Outs as Product>::Outs<'_>,
) -> Result<(), Failure> {
    let n = shape.rows.saturating_mul(shape.columns);
    let by_columns = shape.steps <= FEW || dear::applies::<C>() && busy(shape);
    if shape.columns < MAX_LANES || !by_columns {
        return nest_to(body, n, widths, outs);
    }
    if shape.steps == 0 {
        return columns_to(body, shape, widths, outs);
    }
    let out = Bases::new(C::Outs::prepare(&mut outs, n)?);
    let violated = AtomicBool::new(false);
    let units = match const { dear::applies::<C>() } {
        true => DEAR_UNITS,
        false => UNITS,
    };
    let share = shape.columns.div_ceil(units * rayon::current_num_threads());
    let work = Work::new(body, shape).within(share);
    let cost = shape.steps.saturating_mul(work.width.min(shape.columns));
    let cost = cost.saturating_mul(C::COST as usize);
    parallel::for_ranges(shape.rows * work.blocks, 1, cost, &|range| {
        if dispatch(Units { work, range, out }) {
            violated.store(true, Ordering::Relaxed);
        }
    });
    if violated.into_inner() {
        // The same again in the order of the language, which finds the first violation.
        return nest_to(body, n, widths, outs);
    }
    // SAFETY: `prepare` made room for all results, and each unit has written its own.
    unsafe { C::Outs::finish(outs, n) };
    Ok(())
}

/// Whether there are columns for all threads.
fn busy(shape: Shape) -> bool {
    let blocks = shape.rows.saturating_mul(shape.columns / MAX_LANES);
    blocks >= 2 * rayon::current_num_threads()
}

/// Some units, which no other task has.
struct Units<'a, C: Across> {
    work: Work<'a, C>,
    range: Range<usize>,
    out: Bases<C::Outs>,
}

impl<C: Across> Task for Units<'_, C> {
    /// Whether a check was violated.
    type Out = bool;

    #[inline(always)]
    fn run<const L: usize>(self) -> bool {
        let mut flag = Fast::default();
        for unit in self.range {
            let blocks = self.work.unit(unit);
            match blocks.columns.len() {
                _any if const { dear::applies::<C>() } && self.work.shape.steps > FEW => {
                    dear_results::<C, Fast, L>(self.work, &blocks, self.out, &mut flag);
                }
                columns if const { first::applies::<C>() } && columns >= L => {
                    first_results::<C, Fast, L>(self.work, &blocks, self.out, &mut flag);
                }
                columns if columns >= L => {
                    results::<C, Fast, L, 0>(self.work, &blocks, self.out, &mut flag);
                }
                columns if columns >= 4 => {
                    results::<C, Fast, 4, 0>(self.work, &blocks, self.out, &mut flag);
                }
                _few => results::<C, Fast, 1, 0>(self.work, &blocks, self.out, &mut flag),
            }
            if flag.violated() {
                return true;
            }
        }
        false
    }
}

/// The results of a unit, of dear values at a level of `DEAR` lanes if that is not 0, or of
/// [`FIRST`] of them.
#[inline(always)]
fn results<C: Across, F: Flag, const B: usize, const DEAR: usize>(
    work: Work<'_, C>,
    blocks: &Blocks,
    out: Bases<C::Outs>,
    flag: &mut F,
) {
    for block in 0..blocks.count::<B>() {
        let start = blocks.start::<B>(block);
        let total = match DEAR {
            0 => total::<C, F, B>(work, blocks.row, start, flag),
            FIRST => first::total::<C, F, B>(work, blocks.row, start, flag)
                .unwrap_or_else(|| total::<C, F, B>(work, blocks.row, start, flag)),
            _lanes => dear::total::<C, F, B, DEAR>(work, blocks.row, start, flag),
        };
        // SAFETY: `few_steps_to` has prepared `out`, and gives each unit to one task.
        unsafe { finish_block(work, blocks, block, &total, out, flag) };
    }
}

/// [`results`] of which the first of the least or greatest is found, at a level of `L` lanes.
#[inline(always)]
fn first_results<C: Across, F: Flag, const L: usize>(
    work: Work<'_, C>,
    blocks: &Blocks,
    out: Bases<C::Outs>,
    flag: &mut F,
) {
    match const { L } {
        64 => results::<C, F, 32, FIRST>(work, blocks, out, flag),
        32 => results::<C, F, 16, FIRST>(work, blocks, out, flag),
        16 => results::<C, F, 8, FIRST>(work, blocks, out, flag),
        _ => results::<C, F, 4, FIRST>(work, blocks, out, flag),
    }
}

/// [`results`] of dear values, at a level of `L` lanes. There are as many columns, though perhaps not in
/// the unit: then a block begins before it.
#[inline(always)]
fn dear_results<C: Across, F: Flag, const L: usize>(
    work: Work<'_, C>,
    blocks: &Blocks,
    out: Bases<C::Outs>,
    flag: &mut F,
) {
    match const { dear::block::<C>(L) } {
        64 => results::<C, F, 64, L>(work, blocks, out, flag),
        32 => results::<C, F, 32, L>(work, blocks, out, flag),
        16 => results::<C, F, 16, L>(work, blocks, out, flag),
        8 => results::<C, F, 8, L>(work, blocks, out, flag),
        _ => results::<C, F, 4, L>(work, blocks, out, flag),
    }
}

/// The totals of columns `start .. start + B`: the tree of accumulators depth first.
#[inline(always)]
fn total<C: Across, F: Flag, const B: usize>(
    work: Work<'_, C>,
    row: usize,
    start: usize,
    flag: &mut F,
) -> <C::Value as Product>::Lanes<B> {
    let (body, steps) = (work.body, work.shape.steps);
    let neutral = body.neutral().splat::<B>();
    // Totals that wait for the other half of their tree; accumulators without a step are left out.
    let mut waiting = [neutral; LANES.ilog2() as usize + 1];
    let leaves = steps.next_power_of_two().min(LANES);
    let (mut depth, mut live) = (0, 0);
    for leaf in 0..leaves {
        let at = reversed(leaf, leaves.ilog2());
        if at < steps {
            let mut sum = neutral;
            for k in (at..steps).step_by(LANES) {
                let mut lanes = C::Value::zero().splat::<B>();
                body.values::<B, F>(row, start, k, C::Value::slots(&mut lanes), flag);
                // A copy: LLVM looks at no more than 100 uses of an array before it fears for others.
                let lanes = C::Value::whole::<B, B>(&lanes, 0);
                sum = both::<C, F, B>(body, &sum, &lanes, flag);
            }
            waiting[depth] = sum;
            live = depth + 1;
        }
        depth += 1;
        for _pair in 0..leaf.trailing_ones() {
            depth -= 1;
            if live > depth {
                waiting[depth - 1] =
                    both::<C, F, B>(body, &waiting[depth - 1], &waiting[depth], flag);
                live = depth;
            }
        }
    }
    waiting[0]
}
