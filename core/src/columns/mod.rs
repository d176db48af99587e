//! One reduction per column of a matrix: lanes run over the columns.
//!
//! In: a body that yields a value per row of results, column and step, an operator, and what becomes
//! of each total. Out: the bits that a reduction of each column alone gives, in the order of
//! Note [Order of combination] in `reduce.rs`.
//! Assumes: the operator is commutative in the sense of `Combine::COMMUTATIVE`; a body that is wrong
//! gives wrong values or a panic.
//!
//! Note [Accumulators in the cache]: step `k` of a chunk belongs to accumulator `k % LANES` of its
//! column, so a row of columns has up to 64 rows of accumulators, too many for registers. Narrow rows
//! are taken one after the other, as they lie in memory; all their accumulators stay in a near cache.
//! Of wide ones those of one accumulator come after one another, eight at once, each read from its
//! start to its end: that is as fast, and one row of accumulators is read and written once for eight
//! of the matrix. Parts of rows, each on a page of its own, would come at a third of the speed. The tree
//! is then walked depth first, so that one row per level is kept. Its subtrees are also what threads
//! share where columns are few; whoever is done with the second of two combines them. What eight rows
//! read is found before the loop over their columns (`Across::along`): with checks and positions in the
//! loop, fewer loads are under way at once.

mod dear;
mod few;
mod first;
mod parts;
mod rough;
mod sums;

use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

pub use self::few::few_steps_to;
use self::parts::Join;
use self::rough::Roughly;
pub(crate) use self::sums::both;
use self::sums::{Accumulators, Group, total as subtotal};
pub(crate) use self::sums::{Blocks, is_wide};
use crate::error::Failure;
use crate::kernel::{CHUNK, Fast, Flag, LANES, Product};
use crate::lanes::total;
use crate::level::{MAX_LANES, Task, dispatch};
use crate::nest::{Nest, nest_to};
use crate::parallel;
use crate::product::Bases;
use crate::reduce::chunk;
use crate::rowed::Row;
use crate::rows::Rows;

/// A nest whose body is one reduction, seen with lanes over its innermost index.
pub trait Across: Nest {
    /// What is combined.
    type Value: Product;
    /// Estimated scalar operations per value.
    const COST: u32;
    /// Whether a value takes longer than reading what it is made of, and little of that depends on the
    /// column alone.
    const DEAR: bool = false;
    /// As [`Combine::FAST`](crate::Combine::FAST).
    const FAST: bool = false;
    /// The values of columns `start .. start + L` of row `row` at step `k`. Emitted with
    /// `#[inline(always)]`.
    fn values<const L: usize, F: Flag>(
        &self,
        row: usize,
        start: usize,
        k: usize,
        out: <Self::Value as Product>::Slots<'_, L>,
        flag: &mut F,
    );
    /// A copy, where values are dear: in a local LLVM sees what no store in a loop can change, so that
    /// what it has found of lengths holds there. Emitted with `#[inline(always)]`.
    #[inline(always)]
    fn copied(&self) -> Self
    where
        Self: Sized,
    {
        unreachable!("`DEAR` says that there is none");
    }
    /// A number of steps up to which [`values`](Self::values) finds all that it reads by the step's number
    /// alone: with dear values, loops over no more need no check for each. Emitted with
    /// `#[inline(always)]`.
    #[inline(always)]
    fn reach(&self) -> usize {
        usize::MAX
    }
    /// Whether there is [`accumulate`](Self::accumulate).
    const FUSES: bool = false;
    /// Combines the [`values`](Self::values) with what is in `out`, on the left, lane by lane, without
    /// rounding them first: for levels with fused operations, in any number of lanes. If it is `HASTY`, from
    /// [`Hasty`](crate::math::Hasty) estimates: then a total is right if it
    /// [is finite](Self::are_finite). Emitted with `#[inline(always)]`.
    #[inline(always)]
    fn accumulate<const L: usize, const HASTY: bool, F: Flag>(
        &self,
        _row: usize,
        _start: usize,
        _k: usize,
        _out: <Self::Value as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        unreachable!("`FUSES` says that there is none");
    }
    /// Whether [`accumulate`](Self::accumulate) can be `HASTY`.
    const HASTY: bool = false;
    /// Whether all these totals are finite.
    #[inline(always)]
    fn are_finite<const L: usize>(&self, _totals: &<Self::Value as Product>::Lanes<L>) -> bool {
        unreachable!("`HASTY` says that there is none");
    }
    /// What is the same for some columns of a row at one step.
    type Step<'s>: Row<Out = Self::Value>
    where
        Self: 's;
    /// These columns of row `row` at step `k`. Emitted with `#[inline(always)]`.
    fn along(&self, row: usize, k: usize, columns: Range<usize>) -> Self::Step<'_>;
    /// As [`Combine::neutral`](crate::Combine::neutral).
    fn neutral(&self) -> Self::Value;
    /// The operator. Emitted with `#[inline(always)]`.
    fn combine<F: Flag>(&self, a: Self::Value, b: Self::Value, flag: &mut F) -> Self::Value;
    /// Whether there is [`roughly`](Self::roughly), and what goes with it.
    const ROUGH: bool = false;
    /// Where accumulators of [`roughly`](Self::roughly) start.
    #[inline(always)]
    fn rough_start(&self) -> Self::Value {
        unreachable!("`ROUGH` says that there is none");
    }
    /// As [`combine`](Self::combine), in fewer operations: a total is right if it
    /// [is sure](Self::is_sure). Emitted with `#[inline(always)]`.
    #[inline(always)]
    fn roughly(&self, _a: Self::Value, _b: Self::Value) -> Self::Value {
        unreachable!("`ROUGH` says that there is none");
    }
    /// Whether a total of [`roughly`](Self::roughly) is that of [`combine`](Self::combine).
    #[inline(always)]
    fn is_sure(&self, _total: Self::Value) -> bool {
        unreachable!("`ROUGH` says that there is none");
    }
    /// As [`Combine::FINDS`](crate::Combine::FINDS), with what goes with it; not with `ROUGH`.
    const FINDS: bool = false;
    /// As [`Combine::is_found`](crate::Combine::is_found). Emitted with `#[inline(always)]`.
    #[inline(always)]
    fn is_found(&self, _total: Self::Value, _x: Self::Value) -> bool {
        unreachable!("`FINDS` says that there is none");
    }
    /// As [`Combine::found`](crate::Combine::found). Emitted with `#[inline(always)]`.
    #[inline(always)]
    fn found(&self, _total: Self::Value, _index: usize) -> Self::Value {
        unreachable!("`FINDS` says that there is none");
    }
    /// The results of columns `start .. start + L` from their totals. Emitted
    /// with `#[inline(always)]`.
    fn finish<const L: usize, F: Flag>(
        &self,
        row: usize,
        start: usize,
        totals: &<Self::Value as Product>::Lanes<L>,
        out: <Self::Outs as Product>::Slots<'_, L>,
        flag: &mut F,
    );
}

/// A step of which nothing but its number is known.
pub struct StepOf<'s, C> {
    body: &'s C,
    row: usize,
    k: usize,
    start: usize,
}

impl<'s, C: Across> StepOf<'s, C> {
    /// Step `k` of these columns of a row.
    #[inline(always)]
    pub fn new(body: &'s C, row: usize, k: usize, columns: Range<usize>) -> Self {
        let start = columns.start;
        StepOf {
            body,
            row,
            k,
            start,
        }
    }
}

impl<C: Across> Row for StepOf<'_, C> {
    type Out = C::Value;

    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        at: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        self.body
            .values::<L, F>(self.row, self.start + at, self.k, out, flag);
    }
}

/// The extents of such a nest.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// All indices but the innermost level's.
    pub rows: usize,
    /// The innermost level's, which lanes run over.
    pub columns: usize,
    /// How many values each reduction has.
    pub steps: usize,
}

/// The results of all rows and columns, straight into the caller's memory.
///
/// Cost: `rows * columns * steps` values, in parallel and in lanes; where there are too few columns
/// for lanes, as [`nest_to`].
/// Errors: as [`nest_to`].
pub fn columns_to<C: Across>(
    body: &C,
    shape: Shape,
    widths: <C::Outs as Rows>::Widths,
    mut outs: <C::Outs as Product>::Outs<'_>,
) -> Result<(), Failure> {
    let n = shape.rows.saturating_mul(shape.columns);
    if shape.columns < FEWEST || shape.steps == 0 {
        return nest_to(body, n, widths, outs);
    }
    let out = Bases::new(C::Outs::prepare(&mut outs, n)?);
    let rough = C::ROUGH && {
        let rough = Roughly::new(body);
        !run(&rough, shape, out)? && !rough.doubts()
    };
    if !rough && run(body, shape, out)? {
        // The same again in the order of the language, which finds the first violation.
        return nest_to(body, n, widths, outs);
    }
    // SAFETY: `prepare` made room for all results, and `run` has written each.
    unsafe { C::Outs::finish(outs, n) };
    Ok(())
}

/// Fewer columns are left to reductions one by one, with lanes over their steps.
const FEWEST: usize = 4;

/// Subtrees per thread, where units are fewer than threads.
const SUBTREES: usize = 16;

/// Bytes of a row of accumulators: more than a page, so that reading is fast.
const WIDTH: usize = 64 << 10;

/// Computes all results; says whether a check was violated.
fn run<C: Across>(body: &C, shape: Shape, out: Bases<C::Outs>) -> Result<bool, Failure> {
    let mut work = Work::new(body, shape);
    let (width, units) = (work.width, shape.rows * work.blocks);
    if is_wide(C::Value::BYTES * width.min(shape.columns)) {
        let shares = SUBTREES * rayon::current_num_threads();
        let groups = shares.div_ceil(units.saturating_mul(work.chunks()).max(1));
        work.groups = groups.next_power_of_two().min(LANES);
    }
    let parts = work.parts();
    let violated = AtomicBool::new(false);
    let note = |bad: bool| {
        if bad {
            violated.store(true, Ordering::Relaxed);
        }
    };
    let cost = shape.steps.saturating_mul(width.min(shape.columns));
    let cost = cost.saturating_mul(C::COST as usize);
    if parallel::threads(units * parts, cost / parts) > units {
        let mut room = C::Value::empty();
        let all = total(&[parts, shape.rows, shape.columns]);
        C::Value::reserve(&mut room, all)?;
        let kept = Bases::<C::Value>::new(C::Value::bases(&mut room));
        parts::totals(work, units, kept, &note);
        parallel::for_ranges(units, 1, work.chunks() * width, &|range| {
            let out = Units { work, range, out };
            note(dispatch(Join { kept, out }));
        });
    } else {
        parallel::for_ranges(units, 1, cost, &|range| {
            note(dispatch(Units { work, range, out }));
        });
    }
    Ok(violated.into_inner())
}

/// How the columns are cut into units, blocks of a row of results.
struct Work<'a, C: Across> {
    body: &'a C,
    shape: Shape,
    /// The columns of a unit.
    width: usize,
    /// The units of a row of results.
    blocks: usize,
    /// The subtrees of a chunk that threads share, a power of two.
    groups: usize,
}

impl<C: Across> Clone for Work<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Across> Copy for Work<'_, C> {}

impl<'a, C: Across> Work<'a, C> {
    /// All of it, of which threads share no subtrees.
    fn new(body: &'a C, shape: Shape) -> Self {
        let width = (WIDTH / C::Value::BYTES.max(1)).next_multiple_of(MAX_LANES);
        Work {
            body,
            shape,
            width,
            blocks: shape.columns.div_ceil(width),
            groups: 1,
        }
    }

    /// The same with units of about so many columns at most.
    fn within(mut self, columns: usize) -> Self {
        self.width = self.width.min(columns.next_multiple_of(MAX_LANES));
        self.blocks = self.shape.columns.div_ceil(self.width);
        self
    }

    /// The row and the columns of a unit.
    #[inline(always)]
    fn unit(&self, unit: usize) -> Blocks {
        let start = unit % self.blocks * self.width;
        let end = self.shape.columns.min(start + self.width);
        Blocks {
            row: unit / self.blocks,
            columns: start..end,
        }
    }

    #[inline(always)]
    fn chunks(&self) -> usize {
        self.shape.steps.div_ceil(CHUNK)
    }

    #[inline(always)]
    fn chunk(&self, c: usize) -> Range<usize> {
        chunk(c, self.shape.steps)
    }

    /// The groups of all chunks.
    #[inline(always)]
    fn parts(&self) -> usize {
        self.chunks() * self.groups
    }

    /// Where the total of a part is kept of a column.
    #[inline(always)]
    fn kept(&self, part: usize, row: usize, column: usize) -> usize {
        (part * self.shape.rows + row) * self.shape.columns + column
    }
}

/// Computes the results of some blocks from their totals.
///
/// # Safety
/// `out` has room for all results, and those of the blocks are the caller's alone.
#[inline(always)]
unsafe fn finish<C: Across, F: Flag, const B: usize>(
    work: Work<'_, C>,
    blocks: &Blocks,
    totals: &[<C::Value as Product>::Lanes<B>],
    out: Bases<C::Outs>,
    flag: &mut F,
) {
    for (block, totals) in totals[..blocks.count::<B>()].iter().enumerate() {
        // SAFETY: promised by the caller.
        unsafe { finish_block(work, blocks, block, totals, out, flag) };
    }
}

/// [`finish`] of one block.
///
/// # Safety
/// As [`finish`].
#[inline(always)]
unsafe fn finish_block<C: Across, F: Flag, const B: usize>(
    work: Work<'_, C>,
    blocks: &Blocks,
    block: usize,
    totals: &<C::Value as Product>::Lanes<B>,
    out: Bases<C::Outs>,
    flag: &mut F,
) {
    let mut lanes = C::Outs::zero().splat::<B>();
    let (start, first) = (blocks.start::<B>(block), blocks.first::<B>(block));
    let slots = C::Outs::slots(&mut lanes);
    (work.body).finish::<B, F>(blocks.row, start, totals, slots, flag);
    let at = blocks.row * work.shape.columns + start + first;
    // SAFETY: promised by the caller.
    unsafe { C::Outs::store_from(&lanes, first, out.get(), at, B - first) };
}

/// Calls a function with the largest number of lanes that fits into some columns.
macro_rules! with_lanes {
    ($columns:expr, $L:ident, $f:ident($($arg:expr),*)) => {
        match $columns {
            columns if columns >= $L => $f::<C, Fast, $L>($($arg),*),
            columns if const { $L > 16 } && columns >= 16 => $f::<C, Fast, 16>($($arg),*),
            columns if columns >= 4 => $f::<C, Fast, 4>($($arg),*),
            _few => $f::<C, Fast, 1>($($arg),*),
        }
    };
}
use with_lanes;

/// Units from the first step to the results.
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
            let columns = blocks.columns.len();
            with_lanes!(columns, L, results(self.work, &blocks, self.out, &mut flag));
            if flag.violated() {
                return true;
            }
        }
        false
    }
}

#[inline(always)]
fn results<C: Across, F: Flag, const B: usize>(
    work: Work<'_, C>,
    blocks: &Blocks,
    out: Bases<C::Outs>,
    flag: &mut F,
) {
    let (body, count) = (work.body, blocks.count::<B>());
    let mut acc = Accumulators::<C, B>::new();
    let mut totals = Accumulators::<C, B>::new();
    for c in 0..work.chunks() {
        let all = Group { first: 0, apart: 1 };
        subtotal::<C, F, B>(body, blocks, work.chunk(c), all, &mut acc, flag);
        if c == 0 {
            core::mem::swap(&mut acc, &mut totals);
            continue;
        }
        for block in 0..count {
            totals[block] = both::<C, F, B>(body, &totals[block], &acc[block], flag);
        }
    }
    // SAFETY: `run` has prepared `out`, and gives each unit to one task.
    unsafe { finish::<C, F, B>(work, blocks, &totals, out, flag) };
}
