//! Rows inside of nests that are so long that all threads reduce them together.
//!
//! In: a kernel with an operator, and how many values it has. Out: the bits that `reduce.rs` gives, whose order
//! goes by positions alone.
//! Assumes: the caller is the body of a nest, which may be run on other threads as well.
//!
//! Note [Long rows]: a nest's threads take rows, each of them whole. A row that has most of all elements would
//! leave the others nothing to do, so it is cut into chunks, as an array that is reduced outside of nests is. A
//! thread that waits for others meanwhile may begin another row: nothing of the body is in its way.

use crate::error::Failure;
use crate::kernel::{Combine, Flag, Product};
use crate::recycle;
use crate::reduce::reduce;

/// Estimated scalar operations of a long row: it takes a few tenths of a millisecond, and what it costs to hand
/// parts of it to other threads is nothing beside.
const LONG: usize = 1 << 22;

/// Whether `n` values are reduced by all threads. One thread goes on alone where the first violation is
/// looked for.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn is_long<K: Combine, F: Flag>(n: usize) -> bool {
    if const { F::KEEPS_FIRST } {
        return false;
    }
    n >= const { LONG / (K::COST as usize + 1) }
}

/// The combination of the values of `0..n`, at least one; `None` without memory for the totals of its chunks. A
/// violation goes to the flag.
#[cold]
#[inline(never)]
pub(crate) fn total<K: Combine, F: Flag>(kernel: &K, n: usize, flag: &mut F) -> Option<K::Out> {
    match recycle::outside(|| reduce(kernel, n)) {
        Ok(total) => total,
        Err(Failure::OutOfMemory { .. }) => None,
        Err(failure) => {
            flag.fail(failure);
            Some(K::Out::zero())
        }
    }
}
