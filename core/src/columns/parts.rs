//! Units whose steps threads share.
//!
//! In: how the columns are cut, parts of their steps, and room for the total of each part. Out: these
//! totals, then those of all steps, combined in the tree of the language.
//! Assumes: what the tasks ask for.

use super::sums::{Accumulators, Group, total as subtotal};
use super::{Across, Blocks, Units, Work, both, finish, with_lanes};
use crate::kernel::{Fast, Flag, Product};
use crate::level::{Task, dispatch};
use crate::parallel;
use crate::product::Bases;

/// Computes the totals of all parts, those of each chunk's first part being its total then; `note` is
/// told of each task whether a check was violated.
pub(super) fn totals<C: Across>(
    work: Work<'_, C>,
    units: usize,
    kept: Bases<C::Value>,
    note: &(dyn Fn(bool) + Sync),
) {
    // One call of the pool, in which each thread combines what it has just computed.
    parallel::each(units * work.chunks(), &|tree| {
        let part = |g| Part {
            work,
            at: tree * work.groups + g,
            kept,
        };
        let live = work.chunk(tree % work.chunks()).len();
        parallel::tree(work.groups, &|g| note(dispatch(part(g))), &|low, high| {
            if high < live {
                note(dispatch(Pair(part(low), part(high))));
            }
        });
    });
}

/// A part of the steps, whose totals go to `kept`.
struct Part<'a, C: Across> {
    work: Work<'a, C>,
    at: usize,
    kept: Bases<C::Value>,
}

impl<C: Across> Part<'_, C> {
    /// Its unit, and which of its parts it is.
    #[inline(always)]
    fn place(&self) -> (Blocks, usize) {
        let parts = self.work.parts();
        (self.work.unit(self.at / parts), self.at % parts)
    }
}

impl<C: Across> Task for Part<'_, C> {
    /// Whether a check was violated.
    type Out = bool;

    #[inline(always)]
    fn run<const L: usize>(self) -> bool {
        let mut flag = Fast::default();
        let (blocks, part) = self.place();
        let columns = blocks.columns.len();
        with_lanes!(
            columns,
            L,
            keep(self.work, &blocks, part, self.kept, &mut flag)
        );
        flag.violated()
    }
}

#[inline(always)]
fn keep<C: Across, F: Flag, const B: usize>(
    work: Work<'_, C>,
    blocks: &Blocks,
    part: usize,
    kept: Bases<C::Value>,
    flag: &mut F,
) {
    let group = Group {
        first: part % work.groups,
        apart: work.groups,
    };
    let (steps, mut rows) = (work.chunk(part / work.groups), Accumulators::<C, B>::new());
    subtotal::<C, F, B>(work.body, blocks, steps, group, &mut rows, flag);
    for (block, total) in rows[..blocks.count::<B>()].iter().enumerate() {
        let (start, first) = (blocks.start::<B>(block), blocks.first::<B>(block));
        let at = work.kept(part, blocks.row, start + first);
        // SAFETY: `run` has made room for the totals of all parts and columns, and gives each part of
        // a unit to one task.
        unsafe { C::Value::store_from(total, first, kept.get(), at, B - first) };
    }
}

/// Two parts that are done, of one unit; the first becomes the total of both.
struct Pair<'a, C: Across>(Part<'a, C>, Part<'a, C>);

impl<C: Across> Task for Pair<'_, C> {
    /// Whether a check was violated.
    type Out = bool;

    #[inline(always)]
    fn run<const L: usize>(self) -> bool {
        let Pair(low, high) = self;
        let mut flag = Fast::default();
        let (blocks, part) = low.place();
        let (columns, parts) = (blocks.columns.len(), [part, high.place().1]);
        with_lanes!(
            columns,
            L,
            pair(low.work, &blocks, parts, low.kept, &mut flag)
        );
        flag.violated()
    }
}

#[inline(always)]
fn pair<C: Across, F: Flag, const B: usize>(
    work: Work<'_, C>,
    blocks: &Blocks,
    parts: [usize; 2],
    kept: Bases<C::Value>,
    flag: &mut F,
) {
    let [mut low, mut high] = [C::Value::zero().splat::<B>(); 2];
    for block in 0..blocks.count::<B>() {
        let (start, first) = (blocks.start::<B>(block), blocks.first::<B>(block));
        let [to, from] = parts.map(|part| work.kept(part, blocks.row, start));
        // SAFETY: `Part` has written the totals of both parts, which are this task's by now.
        unsafe {
            C::Value::fetch_at(&mut low, 0, kept.get(), to, B);
            C::Value::fetch_at(&mut high, 0, kept.get(), from, B);
            let sums = both::<C, F, B>(work.body, &low, &high, flag);
            C::Value::store_from(&sums, first, kept.get(), to + first, B - first);
        }
    }
}

/// Results from the totals of all chunks.
pub(super) struct Join<'a, C: Across> {
    pub(super) kept: Bases<C::Value>,
    pub(super) out: Units<'a, C>,
}

impl<C: Across> Task for Join<'_, C> {
    /// Whether a check was violated.
    type Out = bool;

    #[inline(always)]
    fn run<const L: usize>(self) -> bool {
        let mut flag = Fast::default();
        let Units { work, range, out } = self.out;
        for unit in range {
            let blocks = work.unit(unit);
            let columns = blocks.columns.len();
            with_lanes!(columns, L, joined(work, &blocks, self.kept, out, &mut flag));
        }
        flag.violated()
    }
}

#[inline(always)]
fn joined<C: Across, F: Flag, const B: usize>(
    work: Work<'_, C>,
    blocks: &Blocks,
    kept: Bases<C::Value>,
    out: Bases<C::Outs>,
    flag: &mut F,
) {
    let mut totals = Accumulators::<C, B>::new();
    let mut more = C::Value::zero().splat::<B>();
    for block in 0..blocks.count::<B>() {
        let mut total = more;
        for c in 0..work.chunks() {
            let at = work.kept(c * work.groups, blocks.row, blocks.start::<B>(block));
            // SAFETY: the first part of each chunk has the total of all of them.
            unsafe { C::Value::fetch_at(&mut more, 0, kept.get(), at, B) };
            total = match c {
                0 => more,
                _ => both::<C, F, B>(work.body, &total, &more, flag),
            };
        }
        totals.push(total);
    }
    // SAFETY: `run` has prepared `out`, and gives each unit to one task.
    unsafe { finish::<C, F, B>(work, blocks, &totals, out, flag) };
}
