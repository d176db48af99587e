//! Where the elements of blocks lie in rows: quotients and remainders of indices by a width.
//!
//! In: the first index, and what it is divided by. Out: quotient and remainder for each lane.
//! Assumes: nothing.

use core::hint::black_box;

/// Whether a block begins below zero and ends above it, as the one at the seam of a `chain` does in its
/// second part: quotients and remainders begin anew within it.
#[inline(always)]
pub(crate) fn wraps<const L: usize>(start: usize) -> bool {
    start > usize::MAX - L
}

/// Quotients and remainders of `start .. start + L` by `by`; a `by` of 0, which a check has to
/// report, counts as 1.
///
/// Cost: a division per block, or two.
#[inline(always)]
pub fn divide<const L: usize>(start: usize, by: usize) -> ([usize; L], [usize; L]) {
    let by = if by == 0 { 1 } else { by };
    let mut quotients = [0; L];
    let mut remainders = [0; L];
    let (quotient, remainder) = (start / by, start % by);
    if wraps::<L>(start) {
        for l in 0..L {
            let index = start.wrapping_add(l);
            quotients[l] = index / by;
            remainders[l] = index % by;
        }
    } else if by < L {
        const { assert!(L <= 128) };
        // `at < 2 L`, so its product with the reciprocal, which is rounded up by less than 2^-16, is too large by
        // less than 1 / by.
        let (remainder, by) = (remainder as u32, by as u32);
        let reciprocal = (1_u32 << 16).div_ceil(by);
        for l in 0..L {
            let at = remainder + l as u32;
            let more = (at * reciprocal) >> 16;
            quotients[l] = quotient + more as usize;
            remainders[l] = (at - more * by) as usize;
        }
    } else {
        for l in 0..L {
            // `remainder + l < by + L <= 2 * by`, and does not wrap: it is at most `start + l`.
            let beyond = remainder + l >= by;
            quotients[l] = quotient + usize::from(beyond);
            remainders[l] = remainder + l - if beyond { by } else { 0 };
        }
    }
    (quotients, remainders)
}

/// As [`divide`], for a `by` of at least `L`, and indices and a `by` of less than 2^31.
///
/// Without branches, and alike for each lane: LLVM unrolls loops over few lanes before it looks for
/// vectors, and finds them only in rows of equal operations. So neither may an addition of 0 vanish.
#[inline(always)]
pub fn divide_long<const L: usize>(start: usize, by: usize) -> ([i32; L], [i32; L]) {
    let (start, by) = (start as u32, (by as u32).max(1));
    let (quotient, remainder) = ((start / by) as i32, (start % by) as i32);
    let by = by as i32;
    // The lane, if it is in this block, at which the next quotient begins, and the remainder before.
    let [next, before] = black_box([by - remainder, remainder.wrapping_sub(1)]);
    let mut quotients = [0; L];
    let mut remainders = [0; L];
    for l in 0..L {
        // All ones from there on: not a comparison, which would become a branch.
        let on = next.wrapping_sub((l + 1) as i32) >> 31;
        quotients[l] = quotient.wrapping_sub(on);
        remainders[l] = before.wrapping_add((l + 1) as i32).wrapping_sub(by & on);
    }
    (quotients, remainders)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quotients_agree<const L: usize>(start: usize, by: usize) {
        let (quotients, remainders) = divide::<L>(start, by);
        for l in 0..L {
            let at = start.wrapping_add(l);
            let right = (at / by.max(1), at % by.max(1));
            assert_eq!(
                (quotients[l], remainders[l]),
                right,
                "{start} + {l} by {by}"
            );
        }
    }

    #[test]
    fn quotients_of_blocks() {
        for by in (0..200).chain([1 << 31, usize::MAX]) {
            for start in (0..300).chain((0..300).map(|i| usize::MAX - i)) {
                quotients_agree::<1>(start, by);
                quotients_agree::<16>(start, by);
                quotients_agree::<32>(start, by);
                quotients_agree::<64>(start, by);
            }
        }
    }
}
