//! Reductions of many dear values of arrays that lie together both along the columns and along the
//! steps: lanes run over the columns, a strip of steps at a time.
//!
//! In: as `few.rs`, of any number of steps. Out: the same totals.
//! Assumes: values are dear, but little of them depends on the column alone, which is found again at
//! each step.
//!
//! Note [Strips for columns]: lanes over the steps would read all of them for each column again, from a
//! farther cache where they are many, and move each element that is read through a register per column:
//! processors that have many operations under way at once run out of registers for their results
//! before they run out of work. So a few columns go through a strip of steps, accumulator by accumulator:
//! those whose steps share cache lines one after the other, so that these are read once. What is read of
//! a step is one element for all columns of a block, and what is read of the columns stays where it is.

use super::sums::tree;
use super::{Across, Work, both};
use crate::kernel::{Flag, LANES, Product};
use crate::math::FUSING;
use crate::strips::registers;

/// The steps of a strip: what 16 accumulators read of it, which lie in the same cache lines, fits the nearest
/// cache, and accumulators go through them seldom.
const STEPS: usize = 4096;

/// Bytes of a value from which on its elements are taken to be large ones.
const LARGE: usize = 16;

/// Bytes of a value whose accumulators still fit.
const LARGEST: usize = 32;

/// Whether values are dear and their accumulators small.
pub(super) const fn applies<C: Across>() -> bool {
    C::DEAR && C::Value::BYTES <= LARGEST
}

/// How many columns a block has at a level of `L` lanes: so many that the accumulators of a step take
/// three in eight of the registers at most. Estimates are made for all lanes of the highest level only.
pub(super) const fn block<C: Across>(lanes: usize) -> usize {
    if C::FAST && lanes == 64 {
        return lanes;
    }
    let mut block = lanes / 2;
    while block > 4 && block * C::Value::BYTES > registers(lanes) * 3 / 8 {
        block /= 2;
    }
    block
}

/// The accumulators of a block, at the start of a cache line: LLVM puts what it has no registers for at
/// places as they come, unless something there has such an alignment, and vectors across the ends of
/// cache lines take longer.
#[repr(align(64))]
struct Room<T>([T; LANES]);

/// The totals of columns `start .. start + B`, at a level of `L` lanes: hastily, if that may be, and again with
/// care where one is not finite.
#[inline(always)]
pub(super) fn total<C: Across, F: Flag, const B: usize, const L: usize>(
    work: Work<'_, C>,
    row: usize,
    start: usize,
    flag: &mut F,
) -> <C::Value as Product>::Lanes<B> {
    // Fewer lanes have no estimates.
    if const { C::HASTY && B >= FUSING } {
        let sum = sum::<C, F, B, L, true>(work, row, start, flag);
        if work.body.are_finite::<B>(&sum) {
            return sum;
        }
    }
    sum::<C, F, B, L, false>(work, row, start, flag)
}

#[inline(always)]
fn sum<C: Across, F: Flag, const B: usize, const L: usize, const HASTY: bool>(
    work: Work<'_, C>,
    row: usize,
    start: usize,
    flag: &mut F,
) -> <C::Value as Product>::Lanes<B> {
    let body = &work.body.copied();
    let neutral = body.neutral().splat::<B>();
    let reach = body.reach();
    assert!(work.shape.steps <= reach);
    let strip = if C::Value::BYTES > LARGE {
        STEPS / 2
    } else {
        STEPS
    };
    let mut sum = neutral;
    for c in 0..work.chunks() {
        let chunk = work.chunk(c);
        let Room(acc) = &mut Room([neutral; LANES]);
        for first in chunk.clone().step_by(strip) {
            // The last changes nothing, and tells LLVM that what is read is there.
            let end = chunk.end.min(first + strip).min(reach);
            for (q, acc) in acc.iter_mut().enumerate() {
                let mut part = C::Value::whole::<B, B>(acc, 0);
                // Without a count of rounds beside it, as `step_by` has one.
                let mut k = first + q;
                while k < end {
                    add::<C, F, B, L, HASTY>(body, (row, start, k), &mut part, flag);
                    k += LANES;
                }
                *acc = C::Value::whole::<B, B>(&part, 0);
            }
        }
        tree::<C, F, B>(body, acc, 1, chunk.len().min(LANES), flag);
        sum = match c {
            0 => acc[0],
            _ => both::<C, F, B>(body, &sum, &acc[0], flag),
        };
    }
    sum
}

/// Combines the values of columns `start .. start + B` at a step with what came before.
#[inline(always)]
fn add<C: Across, F: Flag, const B: usize, const L: usize, const HASTY: bool>(
    body: &C,
    (row, start, k): (usize, usize, usize),
    part: &mut <C::Value as Product>::Lanes<B>,
    flag: &mut F,
) {
    if const { C::FUSES && L >= FUSING } {
        return body.accumulate::<B, HASTY, F>(row, start, k, C::Value::slots(part), flag);
    }
    let mut lanes = C::Value::zero().splat::<B>();
    body.values::<B, F>(row, start, k, C::Value::slots(&mut lanes), flag);
    // A copy: LLVM looks at no more than 100 uses of an array before it fears for others.
    let lanes = C::Value::whole::<B, B>(&lanes, 0);
    for l in 0..B {
        let (a, b) = (C::Value::get(part, l), C::Value::get(&lanes, l));
        C::Value::set(part, l, body.combine(a, b, flag));
    }
}
