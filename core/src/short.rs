//! Reductions of rows that are shorter than a round of accumulators, inside of nests.
//!
//! In: a kernel with an operator and few indices. Out: the bits that `reduce.rs` gives.
//! Assumes: what `Combine::neutral` says, so that accumulators without a value may be left out.

use core::ops::Range;

use crate::blocks::{Visit, each, single};
use crate::counts;
use crate::kernel::{CHUNK, Combine, Flag, LANES, Product};
use crate::overhang;
use crate::reduce::{join, tree_of_4, tree_of_16};

/// The combination of the values of `0..n`, at least one, inside of a nest.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn total_inside<K: Combine, F: Flag, const L: usize>(
    kernel: &K,
    n: usize,
    flag: &mut F,
) -> K::Out {
    if const { counts::applies::<K, L>() } {
        return counts::total::<K, F, L, true>(kernel, 0..n, flag);
    }
    if const { overhang::applies::<K, F, L>() && K::COMMUTATIVE } {
        if n <= LANES {
            return overhang::total::<K, F, L>(kernel, n, None);
        }
    } else if const { K::COMMUTATIVE && L > 1 } && n <= LANES {
        return match n {
            ..=16 => by_fours(kernel, n, flag),
            _more => by_sixteens(kernel, n, flag),
        };
    }
    join::<K, F, L, true>(kernel, n, 0..n.div_ceil(CHUNK), None, None, flag)
}

/// The total of 1 to 16 values.
#[cfg_attr(optimised, inline(always))]
fn by_fours<K: Combine, F: Flag>(kernel: &K, n: usize, flag: &mut F) -> K::Out {
    let mut last = kernel.neutral().splat::<4>();
    for l in 0..3 {
        if l < n % 4 {
            let x = single::<K, F, true>(kernel, n / 4 * 4 + l, flag);
            K::Out::set(&mut last, l, x);
        }
    }
    let acc = quarters::<K, F, 4>(kernel, n, &last, flag);
    tree_of_4(kernel, &acc, flag)
}

/// The total of 1 to 64 values.
#[cfg_attr(optimised, inline(always))]
fn by_sixteens<K: Combine, F: Flag>(kernel: &K, n: usize, flag: &mut F) -> K::Out {
    let last = part_of_16(kernel, n / 16 * 16..n, flag);
    let acc = quarters::<K, F, 16>(kernel, n, &last, flag);
    tree_of_16(kernel, &acc, flag)
}

/// The combination of `len` values of one chunk, at least one, of which the first is `first` in
/// `values`. Behind the last there are more, up to a multiple of 64 from the first: any.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn few<K: Combine, F: Flag, const W: usize>(
    kernel: &K,
    values: &<K::Out as Product>::Lanes<W>,
    first: usize,
    len: usize,
    flag: &mut F,
) -> K::Out {
    if const { !K::COMMUTATIVE } {
        let mut total = K::Out::get(values, first);
        for at in first + 1..first + len {
            total = kernel.combine(total, K::Out::get(values, at), flag);
        }
        return total;
    }
    if len > LANES {
        return many::<K, F, W>(kernel, values, first..first + len, flag);
    }
    if len <= 4 {
        let acc = accumulators::<K, F, W, 4>(kernel, values, first, len, flag);
        return tree_of_4(kernel, &acc, flag);
    }
    let mut acc = part::<K, F, W>(kernel, values, first..first + len, 0, flag);
    if len > 32 {
        acc = both::<K, F, 16>(
            kernel,
            &acc,
            &part::<K, F, W>(kernel, values, first..first + len, 32, flag),
            flag,
        );
    }
    if len > 16 {
        let mut rest = part::<K, F, W>(kernel, values, first..first + len, 16, flag);
        if len > 48 {
            rest = both::<K, F, 16>(
                kernel,
                &rest,
                &part::<K, F, W>(kernel, values, first..first + len, 48, flag),
                flag,
            );
        }
        acc = both::<K, F, 16>(kernel, &acc, &rest, flag);
    }
    tree_of_16(kernel, &acc, flag)
}

/// [`few`] of more than a round of values.
#[cfg_attr(optimised, inline(always))]
fn many<K: Combine, F: Flag, const W: usize>(
    kernel: &K,
    values: &<K::Out as Product>::Lanes<W>,
    range: Range<usize>,
    flag: &mut F,
) -> K::Out {
    let mut acc = [kernel.neutral().splat::<16>(); LANES / 16];
    let mut first = range.start;
    while range.end - first > LANES {
        for (part, acc) in acc.iter_mut().enumerate() {
            let at = first + 16 * part;
            assert!(at <= W - 16);
            let mut sums = K::Out::zero().splat::<16>();
            for l in 0..16 {
                let value = K::Out::get(values, at + l);
                let sum = kernel.combine(K::Out::get(acc, l), value, flag);
                K::Out::set(&mut sums, l, sum);
            }
            *acc = sums;
        }
        first += LANES;
    }
    for (at, acc) in acc.iter_mut().enumerate() {
        let last = part::<K, F, W>(kernel, values, first..range.end, 16 * at, flag);
        *acc = both::<K, F, 16>(kernel, acc, &last, flag);
    }
    let even = both::<K, F, 16>(kernel, &acc[0], &acc[2], flag);
    let odd = both::<K, F, 16>(kernel, &acc[1], &acc[3], flag);
    tree_of_16(kernel, &both::<K, F, 16>(kernel, &even, &odd, flag), flag)
}

/// The accumulators of the values from `skip` on, of those that are in `range`.
#[cfg_attr(optimised, inline(always))]
fn part<K: Combine, F: Flag, const W: usize>(
    kernel: &K,
    values: &<K::Out as Product>::Lanes<W>,
    range: Range<usize>,
    skip: usize,
    flag: &mut F,
) -> <K::Out as Product>::Lanes<16> {
    let len = range.len().saturating_sub(skip);
    accumulators::<K, F, W, 16>(kernel, values, range.start + skip, len, flag)
}

/// `B` accumulators: `len` of the values, from `first` on, and neutral ones behind them.
#[cfg_attr(optimised, inline(always))]
fn accumulators<K: Combine, F: Flag, const W: usize, const B: usize>(
    kernel: &K,
    values: &<K::Out as Product>::Lanes<W>,
    first: usize,
    len: usize,
    flag: &mut F,
) -> <K::Out as Product>::Lanes<B> {
    let lanes = K::Out::whole::<W, B>(values, first);
    let lanes = overhang::only::<K, B>(kernel, &lanes, len);
    both::<K, F, B>(kernel, &kernel.neutral().splat::<B>(), &lanes, flag)
}

/// The values of at most 16 indices, and neutral ones behind them.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn part_of_16<K: Combine, F: Flag>(
    kernel: &K,
    range: Range<usize>,
    flag: &mut F,
) -> <K::Out as Product>::Lanes<16> {
    let mut part = Part::<K> {
        first: range.start,
        values: kernel.neutral().splat::<16>(),
    };
    each::<K, _, F, 4, true>(kernel, range, &mut part, flag);
    part.values
}

struct Part<K: Combine> {
    first: usize,
    values: <K::Out as Product>::Lanes<16>,
}

impl<K: Combine> Visit<K> for Part<K> {
    #[cfg_attr(optimised, inline(always))]
    fn visit<const B: usize, F: Flag>(
        &mut self,
        at: usize,
        lanes: &<K::Out as Product>::Lanes<B>,
        _flag: &mut F,
    ) {
        let at = at - self.first;
        assert!(at <= 16 - B);
        for l in 0..B {
            K::Out::set(&mut self.values, at + l, K::Out::get(lanes, l));
        }
    }
}

/// The first steps of the tree over as many accumulators as there are values, 1 to `4 * B`: those
/// behind are neutral, so that combining with them, which is left out, changes nothing. By blocks,
/// which stay in registers; `last` holds the values of the last one if it is incomplete.
#[cfg_attr(optimised, inline(always))]
fn quarters<K: Combine, F: Flag, const B: usize>(
    kernel: &K,
    n: usize,
    last: &<K::Out as Product>::Lanes<B>,
    flag: &mut F,
) -> <K::Out as Product>::Lanes<B> {
    let mut acc = quarter::<K, F, B>(kernel, 0..n, last, flag);
    if n > B {
        let mut second = quarter::<K, F, B>(kernel, B..n, last, flag);
        if n > 2 * B {
            let third = quarter::<K, F, B>(kernel, 2 * B..n, last, flag);
            acc = both::<K, F, B>(kernel, &acc, &third, flag);
        }
        if n > 3 * B {
            let fourth = quarter::<K, F, B>(kernel, 3 * B..n, last, flag);
            second = both::<K, F, B>(kernel, &second, &fourth, flag);
        }
        acc = both::<K, F, B>(kernel, &acc, &second, flag);
    }
    acc
}

/// The accumulators of a range's first `B` values; of `last` if there are not so many.
#[cfg_attr(optimised, inline(always))]
fn quarter<K: Combine, F: Flag, const B: usize>(
    kernel: &K,
    range: Range<usize>,
    last: &<K::Out as Product>::Lanes<B>,
    flag: &mut F,
) -> <K::Out as Product>::Lanes<B> {
    let mut lanes = *last;
    if range.len() >= B {
        kernel.block::<B, F>(range.start, K::Out::slots(&mut lanes), flag);
    }
    both::<K, F, B>(kernel, &kernel.neutral().splat::<B>(), &lanes, flag)
}

/// The combinations of two blocks, lane by lane.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn both<K: Combine, F: Flag, const B: usize>(
    kernel: &K,
    a: &<K::Out as Product>::Lanes<B>,
    b: &<K::Out as Product>::Lanes<B>,
    flag: &mut F,
) -> <K::Out as Product>::Lanes<B> {
    let mut sums = K::Out::zero().splat::<B>();
    for l in 0..B {
        let sum = kernel.combine(K::Out::get(a, l), K::Out::get(b, l), flag);
        K::Out::set(&mut sums, l, sum);
    }
    sums
}

/// The total of one block of values, of which those behind the last are neutral.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn block_total<K: Combine, F: Flag>(
    kernel: &K,
    values: &<K::Out as Product>::Lanes<16>,
    flag: &mut F,
) -> K::Out {
    let acc = both::<K, F, 16>(kernel, &kernel.neutral().splat::<16>(), values, flag);
    tree_of_16(kernel, &acc, flag)
}
