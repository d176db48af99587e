//! Indices as floats, in lane blocks, for emitted code.
//!
//! In: where a block begins. Out: the numbers of its lanes, exact, or rounded as the conversion does.
//! Assumes: nothing.

use core::hint::black_box;

use crate::kernel::{Element, LANES};
use crate::level::MAX_LANES;

/// `convert(start + l)` for each lane; `convert` keeps the number of every index below `limit`, which
/// is at most 2^52.
///
/// Cost: an addition per lane, where a conversion would be one or several; on half of the lanes in a
/// multiplier, so that all pipes of the processor have work.
#[inline(always)]
pub fn index_f64<const L: usize>(
    start: usize,
    limit: u64,
    convert: impl Fn(usize) -> f64,
) -> [f64; L] {
    if L == 1 || start as u64 >= limit.saturating_sub(L as u64) {
        return far(start, convert);
    }
    // That `one` is 1, the compiler must not know.
    let (base, one) = (far_above(start), black_box(1.0));
    let mut lanes = [0.0; L];
    if const { L >= 32 } {
        // These levels have the fused instruction. Both ways are exact, and so the same.
        let half = L / 2;
        for l in 0..half {
            lanes[l] = base + (l as f64 - ONES);
            lanes[l + half] = base.mul_add(one, (l + half) as f64 - ONES);
        }
    } else {
        for l in 0..L {
            lanes[l] = base + (l as f64 - ONES);
        }
    }
    lanes
}

/// 2^52: from here to 2^53 the bits of a number count ones.
const ONES: f64 = 4_503_599_627_370_496.0;

/// `ONES + start`, of which `start` is less. Through memory, which is the cheap way into all lanes: units
/// for floats have no part in it.
#[inline(always)]
fn far_above(start: usize) -> f64 {
    black_box(f64::from_bits(ONES.to_bits() | start as u64))
}

/// Indices as floats that are counted in registers: those of `L` lanes in each of some rounds, which are
/// `LANES` apart.
pub struct Running<const L: usize> {
    /// All of them, where there are registers for a count per lane beside the sums.
    lanes: [f64; L],
    /// The first one elsewhere.
    first: usize,
    /// From one round to the next. Compilers must not know what it is, or they spread it over a vector in
    /// each round, which takes the time of half an addition to one.
    step: f64,
}

/// The indices from `start` on, and whether those of so many rounds are one another's by
/// [`Running::next`]; `limit` as for [`index_f64`].
#[inline(always)]
pub fn count_f64<const L: usize>(start: usize, rounds: usize, limit: u64) -> (Running<L>, bool) {
    let mut lanes = [0.0; L];
    for l in 0..L {
        lanes[l] = start.wrapping_add(l) as f64;
    }
    let end = rounds
        .checked_mul(LANES)
        .and_then(|count| start.checked_add(count));
    let exact = end.is_some_and(|end| (end as u64) < limit);
    (
        Running {
            lanes,
            first: start,
            step: black_box(LANES as f64),
        },
        exact,
    )
}

impl<const L: usize> Running<L> {
    /// This round's. With `HALF`, half of them are made in multipliers, so that all pipes of the processor
    /// have work. `one` is 1, which the compiler must not know.
    ///
    /// Cost: an addition per lane, here or in [`next`](Self::next).
    #[inline(always)]
    pub fn lanes<const HALF: bool>(&self, one: f64) -> [f64; L] {
        if const { L == MAX_LANES } {
            return self.lanes;
        }
        // Below the level with 32 lanes there is no fused instruction.
        let middle = if HALF && L >= 32 { L / 2 } else { L };
        let base = far_above(self.first);
        let mut lanes = [0.0; L];
        for l in 0..middle {
            lanes[l] = base + (l as f64 - ONES);
        }
        // Both ways are exact, and so the same.
        for l in middle..L {
            lanes[l] = base.mul_add(one, l as f64 - ONES);
        }
        lanes
    }

    /// Moves on to the next round.
    #[inline(always)]
    pub fn next<const HALF: bool>(&mut self, one: f64) {
        if const { L < MAX_LANES } {
            self.first = self.first.wrapping_add(LANES);
            return;
        }
        let middle = if HALF { L / 2 } else { L };
        for l in 0..middle {
            self.lanes[l] += self.step;
        }
        for l in middle..L {
            self.lanes[l] = self.lanes[l].mul_add(one, self.step);
        }
    }
}

/// As [`index_f64`], with a `limit` of at most 2^31, below which `convert` rounds the index.
#[inline(always)]
pub fn index_f32<const L: usize>(
    start: usize,
    limit: u64,
    convert: impl Fn(usize) -> f32,
) -> [f32; L] {
    if L == 1 || start as u64 >= limit.saturating_sub(L as u64) {
        return far(start, convert);
    }
    let mut lanes = [0.0; L];
    for l in 0..L {
        lanes[l] = (start as i32 + l as i32) as f32;
    }
    lanes
}

/// Inlined: what a function were to write into could not stay in registers.
#[inline(always)]
fn far<T: Element, const L: usize>(start: usize, convert: impl Fn(usize) -> T) -> [T; L] {
    let mut lanes = [T::default(); L];
    for l in 0..L {
        lanes[l] = convert(start.wrapping_add(l));
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts<const L: usize>() {
        for start in [0, 1, 1000, (1 << 52) - 3 * LANES - 1] {
            let (mut running, exact) = count_f64::<L>(start, 3, 1 << 52);
            assert!(exact);
            for round in 0..3 {
                let lanes = running.lanes::<true>(1.0);
                for (l, lane) in lanes.into_iter().enumerate() {
                    assert_eq!(lane, (start + round * LANES + l) as f64);
                }
                running.next::<true>(1.0);
            }
        }
        for (start, rounds) in [((1 << 52) - 3 * LANES, 3), (0, usize::MAX), (usize::MAX, 1)] {
            assert!(!count_f64::<L>(start, rounds, 1 << 52).1);
        }
    }

    #[test]
    fn indices_are_counted_until_they_are_no_longer_exact() {
        counts::<16>();
        counts::<32>();
        counts::<64>();
    }
}
