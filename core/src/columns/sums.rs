//! Accumulators of columns.
//!
//! In: values of blocks of columns, step by step. Out: the totals of a chunk of steps.
//! Assumes: see Note [Accumulators in the cache] in `mod.rs`.

use core::ops::Range;

use super::Across;
use crate::kernel::{Flag, LANES, Product};
use crate::rowed::Row;

/// Steps of an accumulator that are combined together, where rows are wide.
const TOGETHER: usize = 8;

/// Bytes of a row from which on it is wide.
const PAGE: usize = 4096;

/// The columns `columns` of a row in blocks of `B` lanes; the last overlaps the one before.
pub(crate) struct Blocks {
    pub(crate) row: usize,
    pub(crate) columns: Range<usize>,
}

impl Blocks {
    #[inline(always)]
    pub(crate) fn count<const B: usize>(&self) -> usize {
        self.columns.len().div_ceil(B)
    }

    #[inline(always)]
    pub(crate) fn start<const B: usize>(&self, block: usize) -> usize {
        (self.columns.start + block * B).min(self.columns.end - B)
    }

    /// The first lane of a block that is not in the one before.
    #[inline(always)]
    pub(crate) fn first<const B: usize>(&self, block: usize) -> usize {
        self.columns.start + block * B - self.start::<B>(block)
    }
}

/// Accumulators of a block of columns.
pub(super) type Accumulators<C, const B: usize> = Vec<<<C as Across>::Value as Product>::Lanes<B>>;

/// Whether a row of so many bytes is wide.
pub(crate) fn is_wide(bytes: usize) -> bool {
    bytes >= PAGE
}

/// Every so many accumulators of a chunk, from the `first` on: a subtree of the tree that combines all.
#[derive(Clone, Copy)]
pub(super) struct Group {
    pub(super) first: usize,
    /// A power of two.
    pub(super) apart: usize,
}

/// The total of a group of accumulators of a chunk, which goes to the first row of `rows`; that is
/// neutral if there are no steps for any of them.
#[inline(always)]
pub(super) fn total<C: Across, F: Flag, const B: usize>(
    body: &C,
    blocks: &Blocks,
    steps: Range<usize>,
    group: Group,
    rows: &mut Accumulators<C, B>,
    flag: &mut F,
) {
    let count = blocks.count::<B>();
    let neutral = body.neutral().splat::<B>();
    let leaves = LANES / group.apart;
    let wide = is_wide(count * B * C::Value::BYTES);
    let kept = match wide {
        true => leaves.ilog2() as usize + 1,
        false => leaves.min(steps.len()).max(1),
    };
    rows.clear();
    rows.resize(kept * count, neutral);
    if wide {
        deep::<C, F, B>(body, blocks, steps, group, rows, flag);
    } else {
        flat::<C, F, B>(body, blocks, steps, group, rows, flag);
    }
}

/// [`total`] of narrow rows, which are taken as they lie in memory: all accumulators are kept.
#[inline(always)]
fn flat<C: Across, F: Flag, const B: usize>(
    body: &C,
    blocks: &Blocks,
    steps: Range<usize>,
    Group { first, apart }: Group,
    rows: &mut [<C::Value as Product>::Lanes<B>],
    flag: &mut F,
) {
    let count = blocks.count::<B>();
    for round in steps.clone().step_by(LANES) {
        let all = round + first..steps.end.min(round + LANES);
        for (k, row) in all.step_by(apart).zip(rows.chunks_exact_mut(count)) {
            add::<C, F, B>(body, blocks, k, row, flag);
        }
    }
    let live = steps.len().min(LANES).saturating_sub(first);
    tree::<C, F, B>(body, rows, count, live.div_ceil(apart), flag);
}

/// [`total`] of wide rows: the tree depth first, so that few rows of accumulators are kept.
#[inline(always)]
fn deep<C: Across, F: Flag, const B: usize>(
    body: &C,
    blocks: &Blocks,
    steps: Range<usize>,
    Group { first, apart }: Group,
    rows: &mut [<C::Value as Product>::Lanes<B>],
    flag: &mut F,
) {
    let count = blocks.count::<B>();
    let leaves = LANES / apart;
    // Totals that wait for the other half of their tree lie behind each other, and so many of these
    // have steps at all: those of lower accumulators.
    let (mut depth, mut live) = (0, 0);
    for leaf in 0..leaves {
        let at = first + apart * reversed(leaf, leaves.ilog2());
        if at < steps.len() {
            let row = &mut rows[depth * count..][..count];
            row.fill(body.neutral().splat::<B>());
            accumulate::<C, F, B>(body, blocks, steps.start + at..steps.end, row, flag);
            live = depth + 1;
        }
        depth += 1;
        for _pair in 0..leaf.trailing_ones() {
            depth -= 1;
            if live > depth {
                let (low, high) = rows.split_at_mut(depth * count);
                let low = &mut low[(depth - 1) * count..];
                for (low, high) in low.iter_mut().zip(&high[..count]) {
                    *low = both::<C, F, B>(body, low, high, flag);
                }
                live = depth;
            }
        }
    }
}

/// The last so many bits in the other order.
pub(super) fn reversed(number: usize, bits: u32) -> usize {
    match bits {
        0 => 0,
        bits => number.reverse_bits() >> (usize::BITS - bits),
    }
}

/// Combines the first of the steps and each `LANES` further on into a row of accumulators.
#[inline(always)]
fn accumulate<C: Across, F: Flag, const B: usize>(
    body: &C,
    blocks: &Blocks,
    steps: Range<usize>,
    row: &mut [<C::Value as Product>::Lanes<B>],
    flag: &mut F,
) {
    let mut k = steps.start;
    while k + (TOGETHER - 1) * LANES < steps.end {
        add_several::<C, F, B>(body, blocks, k, row, flag);
        k += TOGETHER * LANES;
    }
    while k < steps.end {
        add::<C, F, B>(body, blocks, k, row, flag);
        k += LANES;
    }
}

/// Combines step `k` into a row of accumulators.
#[inline(always)]
fn add<C: Across, F: Flag, const B: usize>(
    body: &C,
    blocks: &Blocks,
    k: usize,
    acc: &mut [<C::Value as Product>::Lanes<B>],
    flag: &mut F,
) {
    let mut lanes = C::Value::zero().splat::<B>();
    for (block, acc) in acc.iter_mut().enumerate() {
        let start = blocks.start::<B>(block);
        body.values::<B, F>(blocks.row, start, k, C::Value::slots(&mut lanes), flag);
        *acc = both::<C, F, B>(body, acc, &lanes, flag);
    }
}

/// Combines step `k` and the next ones of the same accumulators: these are read and written once.
#[inline(always)]
fn add_several<C: Across, F: Flag, const B: usize>(
    body: &C,
    blocks: &Blocks,
    k: usize,
    acc: &mut [<C::Value as Product>::Lanes<B>],
    flag: &mut F,
) {
    let step = |q: usize| body.along(blocks.row, k + q * LANES, blocks.columns.clone());
    let steps: [C::Step<'_>; TOGETHER] = core::array::from_fn(step);
    let mut lanes = C::Value::zero().splat::<B>();
    for (block, acc) in acc.iter_mut().enumerate() {
        let at = blocks.start::<B>(block) - blocks.columns.start;
        let mut sums = *acc;
        for step in &steps {
            step.block::<B, F>(at, C::Value::slots(&mut lanes), flag);
            sums = both::<C, F, B>(body, &sums, &lanes, flag);
        }
        *acc = sums;
    }
}

/// Combines `live` rows of `count` blocks of accumulators in the fixed tree, into the first.
#[inline(always)]
pub(super) fn tree<C: Across, F: Flag, const B: usize>(
    body: &C,
    acc: &mut [<C::Value as Product>::Lanes<B>],
    count: usize,
    mut live: usize,
    flag: &mut F,
) {
    let mut half = LANES / 2;
    while half > 0 {
        // Accumulators without a value are neutral: left out.
        for l in half..live {
            for block in 0..count {
                let (a, b) = (acc[(l - half) * count + block], acc[l * count + block]);
                acc[(l - half) * count + block] = both::<C, F, B>(body, &a, &b, flag);
            }
        }
        live = live.min(half);
        half /= 2;
    }
}

/// The combinations of two blocks, lane by lane.
#[inline(always)]
pub(crate) fn both<C: Across, F: Flag, const B: usize>(
    body: &C,
    a: &<C::Value as Product>::Lanes<B>,
    b: &<C::Value as Product>::Lanes<B>,
    flag: &mut F,
) -> <C::Value as Product>::Lanes<B> {
    let mut sums = C::Value::zero().splat::<B>();
    for l in 0..B {
        let sum = body.combine(C::Value::get(a, l), C::Value::get(b, l), flag);
        C::Value::set(&mut sums, l, sum);
    }
    sums
}
