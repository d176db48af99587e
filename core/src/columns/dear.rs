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
//! before they run out of work. So a few columns go through a strip of steps that stays in the nearest
//! cache, accumulator by accumulator. What is read of a step is one element for all columns of a block,
//! and what is read of the columns stays where it is.

use super::sums::tree;
use super::{Across, Work, both};
use crate::kernel::{Flag, LANES, Product};
use crate::strips::registers;

/// The steps of a strip: those of some arrays of small elements fit the nearest cache.
const STEPS: usize = 1024;

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

/// The totals of columns `start .. start + B`.
#[inline(always)]
pub(super) fn total<C: Across, F: Flag, const B: usize>(
    work: Work<'_, C>,
    row: usize,
    start: usize,
    flag: &mut F,
) -> <C::Value as Product>::Lanes<B> {
    let body = work.body;
    let neutral = body.neutral().splat::<B>();
    let strip = if C::Value::BYTES > LARGE {
        STEPS / 2
    } else {
        STEPS
    };
    let mut sum = neutral;
    for c in 0..work.chunks() {
        let chunk = work.chunk(c);
        let mut acc = [neutral; LANES];
        for first in chunk.clone().step_by(strip) {
            let end = chunk.end.min(first + strip);
            for (q, acc) in acc.iter_mut().enumerate() {
                let mut part = C::Value::whole::<B, B>(acc, 0);
                for k in (first + q..end).step_by(LANES) {
                    let mut lanes = C::Value::zero().splat::<B>();
                    body.values::<B, F>(row, start, k, C::Value::slots(&mut lanes), flag);
                    // A copy: LLVM looks at no more than 100 uses of an array before it fears for
                    // others.
                    let lanes = C::Value::whole::<B, B>(&lanes, 0);
                    for l in 0..B {
                        let (a, b) = (C::Value::get(&part, l), C::Value::get(&lanes, l));
                        C::Value::set(&mut part, l, body.combine(a, b, flag));
                    }
                }
                *acc = C::Value::whole::<B, B>(&part, 0);
            }
        }
        tree::<C, F, B>(body, &mut acc, 1, chunk.len().min(LANES), flag);
        sum = match c {
            0 => acc[0],
            _ => both::<C, F, B>(body, &sum, &acc[0], flag),
        };
    }
    sum
}
