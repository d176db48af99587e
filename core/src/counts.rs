//! Reductions that count the indices at which a condition holds.
//!
//! In: a kernel whose values are conditions as numbers, added up. Out: the number that `reduce.rs` gives:
//! sums of integers are the same in any order.
//! Assumes: what `Combine::TELLS` says.
//!
//! Note [Counts]: a condition on bytes fills a vector with 64 lanes, but numbers of eight bytes to add
//! up fill eight. So the conditions are added up in bytes, as many blocks as a byte can count, and
//! these then in numbers. A condition on numbers of four or eight bytes comes in lanes as wide, and to
//! bring eight vectors of them together takes longer than to add each up: those are counted as wide
//! as they come (`Combine::TALLY`). What does not fill a block is one all the same where that may be
//! (Note [Overhang]).

use core::ops::Range;

use crate::blocks::{Rest, each, singly};
use crate::kernel::{Combine, Flag, Tally};
use crate::overhang::{self, Beyond};

/// Whether a kernel's values are counted: not where a body gathers, to which a lane costs more than to
/// add it up, and most of a short row's block would be for nothing.
pub(crate) const fn applies<K: Combine, const L: usize>() -> bool {
    K::TELLS && !K::GATHERS && L > 1
}

/// The total of a range of values. `INSIDE` of a nest, or not.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn total<K: Combine, F: Flag, const L: usize, const INSIDE: bool>(
    kernel: &K,
    range: Range<usize>,
    flag: &mut F,
) -> K::Out {
    let Range { mut start, end } = range;
    let mut count = 0;
    while end - start >= L {
        let blocks = (end - start) / L;
        let blocks = match const { K::TALLY } {
            Tally::Bytes => blocks.min(u8::MAX as usize),
            Tally::Words => blocks.min(u32::MAX as usize),
            Tally::Longs => blocks,
        };
        let starts = (0..blocks).map(|block| start + block * L);
        count += match const { K::TALLY } {
            Tally::Bytes => {
                let mut counts = [0_u8; L];
                starts.for_each(|at| add::<K, F, L>(kernel, at, L, &mut counts, flag));
                sum(&counts)
            }
            Tally::Words => {
                let mut counts = [0_u32; L];
                starts.for_each(|at| kernel.tally_words::<L, F>(at, &mut counts, flag));
                sum(&counts)
            }
            Tally::Longs => {
                let mut counts = [0_u64; L];
                starts.for_each(|at| kernel.tally::<L, F>(at, &mut counts, flag));
                sum(&counts)
            }
        };
        start += blocks * L;
    }
    if const { INSIDE && overhang::applies::<K, F, L>() } {
        if start < end {
            let mut counts = [0_u8; L];
            add::<K, Beyond, L>(kernel, start, end - start, &mut counts, &mut Beyond);
            count += sum(&counts);
        }
        return kernel.number(count);
    }
    let mut rest = Rest {
        kernel,
        total: kernel.number(count),
    };
    match INSIDE {
        true => each::<K, _, F, 16, true>(kernel, start..end, &mut rest, flag),
        false => singly(kernel, start..end, &mut rest, flag),
    }
    rest.total
}

/// Counts, lane by lane, which of the first `among` conditions from `start` on hold.
#[cfg_attr(optimised, inline(always))]
fn add<K: Combine, F: Flag, const L: usize>(
    kernel: &K,
    start: usize,
    among: usize,
    counts: &mut [u8; L],
    flag: &mut F,
) {
    let mut holds = [false; L];
    kernel.holds::<L, F>(start, &mut holds, flag);
    for l in 0..L {
        counts[l] = counts[l].wrapping_add(u8::from(holds[l] & (l < among)));
    }
}

#[cfg_attr(optimised, inline(always))]
fn sum<C: Copy + Into<u64>, const L: usize>(counts: &[C; L]) -> usize {
    let mut sum = 0_u64;
    for count in counts {
        sum += (*count).into();
    }
    sum as usize
}
