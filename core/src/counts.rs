//! Reductions that count the indices at which a condition holds.
//!
//! In: a kernel whose values are conditions as numbers, added up. Out: the number that `reduce.rs` gives:
//! sums of integers are the same in any order.
//! Assumes: what `Combine::TELLS` says.
//!
//! Note [Counts]: a condition on bytes fills a vector with 64 lanes, but numbers of eight bytes to add
//! up fill eight. So the conditions are added up in bytes, as many blocks as a byte can count, and
//! these then in numbers. What does not fill a block is one all the same where that may be (Note
//! [Overhang]).

use core::ops::Range;

use crate::blocks::{Rest, each, singly};
use crate::kernel::{Combine, Flag};
use crate::overhang::{self, Beyond};

/// Blocks whose conditions a byte can count.
const BLOCKS: usize = u8::MAX as usize;

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
        let blocks = ((end - start) / L).min(BLOCKS);
        let mut counts = [0_u8; L];
        for block in 0..blocks {
            add::<K, F, L>(kernel, start + block * L, L, &mut counts, flag);
        }
        count += sum(&counts);
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
fn sum<const L: usize>(counts: &[u8; L]) -> usize {
    let mut sum = 0_u64;
    for count in counts {
        sum += u64::from(*count);
    }
    sum as usize
}
