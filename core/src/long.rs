//! Rows inside of nests that are so long that all threads reduce, write, scan or filter them together.
//!
//! In: a kernel, and how many values it has. Out: the bits that the skeletons give, whose order goes by positions
//! alone.
//! Assumes: the caller is the body of a nest, which may be run on other threads as well.
//!
//! Note [Long rows]: a nest's threads take rows, each of them whole. A row that has most of all elements would
//! leave the others nothing to do, so it goes to the skeleton that an array outside of nests goes to. A thread that
//! waits for others meanwhile may begin another row: nothing of the body is in its way.

use crate::error::Failure;
use crate::keep::keep_all;
use crate::kernel::{Combine, Flag, Kernel, Product};
use crate::packing::Kept;
use crate::product::Bases;
use crate::recycle;
use crate::reduce::reduce;
use crate::scan as scans;
use crate::write::write_all;

/// Estimated scalar operations of a long row: it takes a few tenths of a millisecond, and what it costs to hand
/// parts of it to other threads is nothing beside.
const LONG: usize = 1 << 22;

/// Whether `n` values are so many.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn is_long<K: Kernel>(n: usize) -> bool {
    n >= const { LONG / (K::COST as usize + 1) }
}

/// Whether all threads are to make so many values: not where the first violation is looked for.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn applies<K: Kernel, F: Flag>(n: usize) -> bool {
    !F::KEEPS_FIRST && is_long::<K>(n)
}

/// The combination of the values of `0..n`, if all threads are to make it: one goes on alone where there are
/// fewer, or no memory for the totals of chunks. A violation goes to the flag; so for what follows.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn total<K: Combine, F: Flag>(kernel: &K, n: usize, flag: &mut F) -> Option<K::Out> {
    match applies::<K, F>(n) {
        true => total_by_all(kernel, n, flag),
        false => None,
    }
}

#[cold]
#[inline(never)]
fn total_by_all<K: Combine, F: Flag>(kernel: &K, n: usize, flag: &mut F) -> Option<K::Out> {
    match recycle::outside(|| reduce(kernel, n)) {
        Ok(total) => total,
        Err(Failure::OutOfMemory { .. }) => None,
        Err(failure) => {
            flag.fail(failure);
            Some(K::Out::zero())
        }
    }
}

/// Writes the values of `0..n` behind `out`, which has room for them and is the caller's, if all threads are to;
/// whether they have.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn write<K: Kernel, F: Flag>(
    kernel: &K,
    n: usize,
    out: Bases<K::Out>,
    flag: &mut F,
) -> bool {
    let all = applies::<K, F>(n);
    if all {
        write_by_all(kernel, n, out, flag);
    }
    all
}

#[cold]
#[inline(never)]
fn write_by_all<K: Kernel, F: Flag>(kernel: &K, n: usize, out: Bases<K::Out>, flag: &mut F) {
    or_fail(|| write_all(kernel, n, out), (), flag);
}

/// Both, if all threads are to: values are made twice, so it takes more than two to gain by that.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn write_and_total<K: Combine, F: Flag>(
    kernel: &K,
    n: usize,
    out: Bases<K::Out>,
    flag: &mut F,
) -> Option<K::Out> {
    match applies::<K, F>(n) && rayon::current_num_threads() > 2 {
        true => write_and_total_by_all(kernel, n, out, flag),
        false => None,
    }
}

#[cold]
#[inline(never)]
fn write_and_total_by_all<K: Combine, F: Flag>(
    kernel: &K,
    n: usize,
    out: Bases<K::Out>,
    flag: &mut F,
) -> Option<K::Out> {
    let total = total_by_all(kernel, n, flag)?;
    if !flag.violated() {
        write_by_all(kernel, n, out, flag);
    }
    Some(total)
}

/// The scan of the values of `0..n` behind `out`, which has room for it and is the caller's, and the total, if all
/// threads are to make it.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn scan<K: Combine, F: Flag>(
    kernel: &K,
    n: usize,
    (start, exclusive): (Option<K::Out>, bool),
    out: Bases<K::Out>,
    flag: &mut F,
) -> Option<Option<K::Out>> {
    applies::<K, F>(n).then(|| scan_by_all(kernel, n, (start, exclusive), out, flag))
}

#[cold]
#[inline(never)]
fn scan_by_all<K: Combine, F: Flag>(
    kernel: &K,
    n: usize,
    (start, exclusive): (Option<K::Out>, bool),
    out: Bases<K::Out>,
    flag: &mut F,
) -> Option<K::Out> {
    let scan = || scans::fill(kernel, n, start, exclusive, out);
    or_fail(scan, Some(K::Out::zero()), flag)
}

/// Writes the kept ones of the values of `0..n` behind `out`, which has room for all and is the caller's, if all
/// threads are to; how many they are.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn keep<K: Kernel<Out: Kept>, F: Flag>(
    kernel: &K,
    n: usize,
    out: Bases<<K::Out as Kept>::Values>,
    flag: &mut F,
) -> Option<usize> {
    applies::<K, F>(n).then(|| keep_by_all(kernel, n, out, flag))
}

#[cold]
#[inline(never)]
fn keep_by_all<K: Kernel<Out: Kept>, F: Flag>(
    kernel: &K,
    n: usize,
    out: Bases<<K::Out as Kept>::Values>,
    flag: &mut F,
) -> usize {
    or_fail(|| keep_all(kernel, n, out), 0, flag)
}

/// What `f` gives, which waits for other threads; after an error `otherwise`, and the flag is told.
fn or_fail<T, F: Flag>(f: impl FnOnce() -> Result<T, Failure>, otherwise: T, flag: &mut F) -> T {
    recycle::outside(f).unwrap_or_else(|failure| {
        flag.fail(failure);
        otherwise
    })
}
