//! Rows that lie in memory, combined by code by hand.
//!
//! In: a kernel with an operator of which there is such code, and the first components of values in a row.
//! Out: the bits that `reduce.rs` gives.
//! Assumes: what the unsafe functions ask for.

use crate::kernel::{CHUNK, Combine, Fast, Flag, Operator, Product};
use crate::level::{Task, dispatch_at};
use crate::product::Bases;
use crate::reduce::{chunk, chunk_total, join};
use crate::{row_extremes, row_sums};

/// Whether there is code for a kernel's operator at a level of `L` lanes.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn applies<K: Combine, const L: usize>() -> bool {
    row_sums::applies::<K, L>() || row_extremes::applies::<K, L>()
}

/// Whether there may be, as far as constants tell.
pub(crate) const fn may_apply<K: Combine, const L: usize>() -> bool {
    row_sums::may_apply::<K, L>() || row_extremes::may_apply::<K, L>()
}

/// The combination of a row, any of one without elements, and whether it is that: if not, the row is too
/// long, or its numbers leave a doubt. `FAR`: it is not in the nearest cache.
///
/// # Safety
/// [`applies`] says that there is code, and the processor has what a level of so many lanes names.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn total<K: Combine, const FAR: bool, const L: usize>(
    kernel: &K,
    row: &[<K::Out as Product>::First],
) -> (K::Out, bool) {
    if const { matches!(K::OPERATOR, Operator::Add) } {
        return match row.len() <= CHUNK {
            // SAFETY: promised by the caller.
            true => (unsafe { row_sums::row_sum::<K, FAR, L>(row) }, true),
            false => (K::Out::zero(), false),
        };
    }
    // SAFETY: as above.
    unsafe { row_extremes::row_extreme::<K, FAR, L>(kernel, row) }
}

/// The combination of the values of `0..n`, at least one, by a kernel's own code. Apart, so that registers
/// are left where there is code by hand.
///
/// # Safety
/// The processor has what a level of `L` lanes names.
#[cold]
#[inline(never)]
pub(crate) unsafe fn otherwise<K: Combine, const L: usize>(kernel: &K, n: usize) -> K::Out {
    // SAFETY: promised by the caller.
    unsafe { dispatch_at::<_, L>(Otherwise { kernel, n }) }
}

/// The same; the values also go to `keep`, where there is room for them.
///
/// # Safety
/// As there.
#[cold]
#[inline(never)]
pub(crate) unsafe fn otherwise_kept<K: Combine, const L: usize>(
    kernel: &K,
    n: usize,
    keep: Bases<K::Out>,
) -> K::Out {
    // SAFETY: promised by the caller.
    unsafe { dispatch_at::<_, L>(OtherwiseKept(Otherwise { kernel, n }, keep)) }
}

struct Otherwise<'k, K> {
    kernel: &'k K,
    n: usize,
}

impl<K: Combine> Task for Otherwise<'_, K> {
    type Out = K::Out;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> K::Out {
        let Otherwise { kernel, n } = self;
        // The operators of which there is code check nothing, and the caller's level has said the same.
        let flag = &mut Fast::default();
        join::<K, Fast, L, true>(kernel, n, 0..n.div_ceil(CHUNK), None, None, flag)
    }
}

struct OtherwiseKept<'k, K: Combine>(Otherwise<'k, K>, Bases<K::Out>);

impl<K: Combine> Task for OtherwiseKept<'_, K> {
    type Out = K::Out;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> K::Out {
        let OtherwiseKept(Otherwise { kernel, n }, keep) = self;
        // As above.
        kept_total::<L, K, Fast>(kernel, n, keep, &mut Fast::default())
    }
}

/// The combination of the values of `0..n`, which go to `bases`, where there is room for them.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn kept_total<const L: usize, K: Combine, F: Flag>(
    kernel: &K,
    n: usize,
    bases: Bases<K::Out>,
    flag: &mut F,
) -> K::Out {
    let mut sum = K::Out::zero();
    for c in 0..n.div_ceil(CHUNK) {
        let range = chunk(c, n);
        // SAFETY: the chunk starts inside of the room for `n` elements.
        let keep = Bases::new(unsafe { K::Out::advance(bases.get(), range.start) });
        let total = chunk_total::<K, F, L, true>(kernel, range, Some(keep), flag);
        sum = match c {
            0 => total,
            _ => kernel.combine(sum, total, flag),
        };
    }
    sum
}
