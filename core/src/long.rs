//! Rows inside of nests that are so long that all threads reduce them together.
//!
//! In: a kernel with an operator, and how many values it has. Out: the bits that `reduce.rs` gives, whose order
//! goes by positions alone.
//! Assumes: the caller is the body of a nest, which may be run on other threads as well.
//!
//! Note [Long rows]: a nest's threads take rows, each of them whole. A row that has most of all elements would
//! leave the others nothing to do, so it is cut into chunks, as an array that is reduced outside of nests is. A
//! thread that waits for others meanwhile may begin another row: nothing of the body is in its way. (A
//! reduction of values that are kept as well, which the body reads again, is one thread's.)

use crate::error::Failure;
use crate::kernel::{Combine, Flag, Product};
use crate::recycle;
use crate::reduce::reduce;

/// Estimated scalar operations of a long row: it takes a few tenths of a millisecond, and what it costs to hand
/// parts of it to other threads is nothing beside.
const LONG: usize = 1 << 22;

/// Whether `n` values are so many.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn is_long<K: Combine>(n: usize) -> bool {
    n >= const { LONG / (K::COST as usize + 1) }
}

/// The combination of the values of `0..n`, if all threads are to make it: one goes on alone where there are
/// fewer, or no memory for the totals of chunks, and where the first violation is looked for. A violation goes
/// to the flag.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn total<K: Combine, F: Flag>(kernel: &K, n: usize, flag: &mut F) -> Option<K::Out> {
    if const { F::KEEPS_FIRST } {
        return None;
    }
    match is_long::<K>(n) {
        true => by_all_threads(kernel, n, flag),
        false => None,
    }
}

#[cold]
#[inline(never)]
fn by_all_threads<K: Combine, F: Flag>(kernel: &K, n: usize, flag: &mut F) -> Option<K::Out> {
    match recycle::outside(|| reduce(kernel, n)) {
        Ok(total) => total,
        Err(Failure::OutOfMemory { .. }) => None,
        Err(failure) => {
            flag.fail(failure);
            Some(K::Out::zero())
        }
    }
}
