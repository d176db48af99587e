//! Accumulators of columns.
//!
//! In: values of blocks of columns, step by step. Out: the totals of a chunk of steps.
//! Assumes: see Note [Accumulators in the cache] in `mod.rs`.

use core::ops::Range;

use super::Across;
use crate::kernel::{Flag, LANES, Product};

/// Steps of an accumulator that are combined together, where rows are wide.
const TOGETHER: usize = 8;

/// Bytes of a row from which on it is wide.
const PAGE: usize = 4096;

/// The columns `columns` of a row in blocks of `B` lanes; the last overlaps the one before.
pub(super) struct Blocks {
    pub(super) row: usize,
    pub(super) columns: Range<usize>,
}

impl Blocks {
    #[inline(always)]
    pub(super) fn count<const B: usize>(&self) -> usize {
        self.columns.len().div_ceil(B)
    }

    #[inline(always)]
    pub(super) fn start<const B: usize>(&self, block: usize) -> usize {
        (self.columns.start + block * B).min(self.columns.end - B)
    }

    /// The first lane of a block that is not in the one before.
    #[inline(always)]
    pub(super) fn first<const B: usize>(&self, block: usize) -> usize {
        self.columns.start + block * B - self.start::<B>(block)
    }
}

/// Accumulators of a block of columns.
pub(super) type Accumulators<C, const B: usize> = Vec<<<C as Across>::Value as Product>::Lanes<B>>;

/// Combines the steps of a chunk that belong to accumulators `group` into these.
#[inline(always)]
pub(super) fn accumulate<C: Across, F: Flag, const B: usize>(
    body: &C,
    blocks: &Blocks,
    steps: Range<usize>,
    group: Range<usize>,
    acc: &mut [<C::Value as Product>::Lanes<B>],
    flag: &mut F,
) {
    let count = blocks.count::<B>();
    if count * B * C::Value::BYTES < PAGE {
        for round in steps.clone().step_by(LANES) {
            let end = (round + group.end).min(steps.end);
            for k in (round + group.start)..end {
                let from = (k - round - group.start) * count;
                add::<C, F, B>(body, blocks, k, &mut acc[from..from + count], flag);
            }
        }
        return;
    }
    for (l, own) in group.zip(acc.chunks_exact_mut(count)) {
        let mut k = steps.start + l;
        while k + (TOGETHER - 1) * LANES < steps.end {
            add_several::<C, F, B>(body, blocks, k, own, flag);
            k += TOGETHER * LANES;
        }
        while k < steps.end {
            add::<C, F, B>(body, blocks, k, own, flag);
            k += LANES;
        }
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
    let mut lanes = [C::Value::zero().splat::<B>(); TOGETHER];
    for (block, acc) in acc.iter_mut().enumerate() {
        let start = blocks.start::<B>(block);
        for (q, lanes) in lanes.iter_mut().enumerate() {
            let slots = C::Value::slots(lanes);
            body.values::<B, F>(blocks.row, start, k + q * LANES, slots, flag);
        }
        let mut sums = C::Value::zero().splat::<B>();
        for l in 0..B {
            let mut sum = C::Value::get(acc, l);
            for lanes in &lanes {
                sum = body.combine(sum, C::Value::get(lanes, l), flag);
            }
            C::Value::set(&mut sums, l, sum);
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
