//! Reductions of dear values whose accumulators are too many for registers: some of them at a time.
//!
//! In: a kernel with a commutative operator, and whole rounds of its indices. Out: the accumulators of
//! `reduce.rs`, which combine the same values in the same order.
//! Assumes: nothing. Worth it where values are dear: they are computed strip by strip, and read once for
//! each part of the accumulators.
//!
//! Note [Strips]: a round has 64 accumulators of each component, which for three floats are 24 of
//! AVX2's vectors, of which there are 16: each round would move them through memory, together with
//! values that wait to be added. So a part of the accumulators, which stays in registers, goes through
//! all rounds of a strip before the next part does; what a strip reads stays in the nearest cache.

use crate::kernel::{Combine, Flag, LANES, Product};

/// The rounds of a strip: 1024 indices.
const ROUNDS: usize = 16;

/// From this cost on values take longer than reading again what they are made of.
const DEAR: u32 = 16;

/// From this cost on it does not matter where accumulators are, and wide blocks are better: values of some
/// lanes are computed while those of others wait for their latencies.
const VERY_DEAR: u32 = 128;

/// Bytes of registers at a level of `L` lanes: 16 of 16 or 32 bytes, or 32 of 64.
pub(crate) const fn registers(lanes: usize) -> usize {
    match lanes {
        64 => 32 * 64,
        32 => 16 * 32,
        _ => 16 * 16,
    }
}

/// Whether a kernel's accumulators are combined in parts, at a level of `L` lanes: where those of a round
/// leave not half of the registers to values.
pub(crate) const fn applies<K: Combine, F: Flag, const L: usize>() -> bool {
    let dear = K::COST >= DEAR && K::COST < VERY_DEAR;
    dear && !F::KEEPS_FIRST && L >= 16 && LANES * K::Out::BYTES > registers(L) / 2
}

/// Whether `B` accumulators of so many bytes leave enough registers to values, at a level of `L` lanes.
const fn fits(bytes: usize, block: usize, lanes: usize) -> bool {
    block * bytes <= registers(lanes) * 3 / 8
}

/// Combines `rounds` rounds of values, the first of them at `start`, with accumulators.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn add<K: Combine, F: Flag, const L: usize>(
    kernel: &K,
    start: usize,
    rounds: usize,
    acc: &mut <K::Out as Product>::Lanes<LANES>,
    flag: &mut F,
) {
    if const { K::FAST } {
        strips::<K, F, L>(kernel, start, rounds, acc, flag);
    } else if const { L > 16 && fits(K::Out::BYTES, 32, L) } {
        strips::<K, F, 32>(kernel, start, rounds, acc, flag);
    } else if const { fits(K::Out::BYTES, 16, L) } {
        strips::<K, F, 16>(kernel, start, rounds, acc, flag);
    } else {
        strips::<K, F, 4>(kernel, start, rounds, acc, flag);
    }
}

#[cfg_attr(optimised, inline(always))]
fn strips<K: Combine, F: Flag, const B: usize>(
    kernel: &K,
    start: usize,
    rounds: usize,
    acc: &mut <K::Out as Product>::Lanes<LANES>,
    flag: &mut F,
) {
    for first in (0..rounds).step_by(ROUNDS) {
        let strip = first..rounds.min(first + ROUNDS);
        for q in (0..LANES).step_by(B) {
            let mut part = K::Out::whole::<LANES, B>(acc, q);
            for round in strip.clone() {
                let at = start + round * LANES + q;
                if K::FUSES {
                    kernel.accumulate::<B, F>(at, K::Out::slots(&mut part), flag);
                    continue;
                }
                let mut lanes = K::Out::zero().splat::<B>();
                kernel.block::<B, F>(at, K::Out::slots(&mut lanes), flag);
                // A copy: LLVM looks at no more than 100 uses of an array before it fears for others.
                let lanes = K::Out::whole::<B, B>(&lanes, 0);
                for l in 0..B {
                    let sum = kernel.combine(K::Out::get(&part, l), K::Out::get(&lanes, l), flag);
                    K::Out::set(&mut part, l, sum);
                }
            }
            let part = K::Out::whole::<B, B>(&part, 0);
            for l in 0..B {
                K::Out::set(acc, q + l, K::Out::get(&part, l));
            }
        }
    }
}
