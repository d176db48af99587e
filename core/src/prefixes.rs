//! The prefixes of one chunk, by any operator.
//!
//! In: the values of a chunk in memory, the carry into it. Out: its prefixes, in memory.
//! Assumes: room for the prefixes, which belongs to this thread (see `scan.rs`).

use crate::kernel::{Combine, Flag, Product, Report};
use crate::product::Bases;
use crate::reduce::forward;
use crate::scan::{BLOCK, How, Part, adds, has_sums, joined};
use crate::short::{block_total, part_of_16};
use crate::sums::{self, Carry};

/// Turns the `len` values of one chunk into prefixes. `values` and `out` may be the same.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn in_blocks<K: Combine, F: Flag>(
    kernel: &K,
    values: Bases<K::Out>,
    out: Bases<K::Out>,
    len: usize,
    mut carry: K::Out,
    how: How,
    flag: &mut F,
) {
    let mut at = 0;
    let mut block = K::Out::zero().splat::<BLOCK>();
    while at + BLOCK <= len {
        // SAFETY: `at + BLOCK <= len`, and `chunk_total` has just written `len` values, on this
        // thread, which alone has them.
        unsafe { K::Out::fetch_at(&mut block, 0, values.get(), at, BLOCK) };
        let (prefixes, next) = block_prefixes(kernel, block, carry, how.exclusive, flag);
        // SAFETY: `out` has room for `len` elements, which belong to this thread.
        unsafe { K::Out::store(&prefixes, out.get(), at, how.stream) };
        carry = next;
        at += BLOCK;
    }
    let last = Part {
        range: at..len,
        values: Some(values),
        // SAFETY: `out` has room for `len` elements.
        out: Bases::new(unsafe { K::Out::advance(out.get(), at) }),
    };
    let mut report = Report::default();
    last_block(kernel, last, carry, how.exclusive, &mut report);
    forward(report, flag);
}

/// The scan of the values of `0..n`, at most a block, inside of a nest; returns their total.
///
/// The block is filled up with neutral elements: no lane takes in one behind it.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn short<K: Combine, F: Flag, const L: usize>(
    kernel: &K,
    n: usize,
    carry: K::Out,
    exclusive: bool,
    out: Bases<K::Out>,
    flag: &mut F,
) -> K::Out {
    let mut block = part_of_16(kernel, 0..n, flag);
    let total = block_total(kernel, &block, flag);
    let mut prefixes = carry.splat::<{ BLOCK + 1 }>();
    // SAFETY: there is room for a block behind the carry; `scan_inside` has made sure of what
    // `sums.rs` asks for.
    unsafe {
        let to = K::Out::advance(K::Out::lane_bases(&mut prefixes), 1);
        if const { adds::<K, L>() } && has_sums::<K, L>() {
            let from = K::Out::first(K::Out::lane_bases(&mut block));
            let mut carry = Carry::new(carry);
            sums::prefixes::<K::Out, L>(from, K::Out::first(to), 1, &mut carry);
        } else {
            let (inclusive, _) = block_prefixes(kernel, block, carry, false, flag);
            K::Out::store(&inclusive, to, 0, false);
        }
    }
    let first = usize::from(!exclusive);
    // SAFETY: `out` has room for `n` elements, which belong to this thread.
    unsafe { K::Out::store_from(&prefixes, first, out.get(), 0, n) };
    total
}

type Block<K> = <<K as crate::Kernel>::Out as Product>::Lanes<BLOCK>;

/// The prefixes of one block, and the carry behind it.
#[cfg_attr(optimised, inline(always))]
fn block_prefixes<K: Combine, F: Flag>(
    kernel: &K,
    values: Block<K>,
    carry: K::Out,
    exclusive: bool,
    flag: &mut F,
) -> (Block<K>, K::Out) {
    let mut t = values;
    t = step::<K, 1, F>(kernel, t, flag);
    t = step::<K, 2, F>(kernel, t, flag);
    t = step::<K, 4, F>(kernel, t, flag);
    t = step::<K, 8, F>(kernel, t, flag);
    let mut inclusive = t;
    for l in 0..BLOCK {
        let prefix = kernel.combine(carry, K::Out::get(&t, l), flag);
        K::Out::set(&mut inclusive, l, prefix);
    }
    let next = K::Out::get(&inclusive, BLOCK - 1);
    if !exclusive {
        return (inclusive, next);
    }
    let mut shifted = carry.splat::<BLOCK>();
    for l in 1..BLOCK {
        K::Out::set(&mut shifted, l, K::Out::get(&inclusive, l - 1));
    }
    (shifted, next)
}

/// One step of the scan inside of a block: each lane takes in the one `D` before it.
#[cfg_attr(optimised, inline(always))]
fn step<K: Combine, const D: usize, F: Flag>(kernel: &K, old: Block<K>, flag: &mut F) -> Block<K> {
    let mut new = old;
    for l in D..BLOCK {
        let joined = kernel.combine(K::Out::get(&old, l - D), K::Out::get(&old, l), flag);
        K::Out::set(&mut new, l, joined);
    }
    new
}

/// The last, incomplete block, by the same steps with fewer lanes. The part's range is that of its
/// values.
#[inline(never)]
pub(crate) fn last_block<K: Combine>(
    kernel: &K,
    part: Part<K::Out>,
    carry: K::Out,
    exclusive: bool,
    report: &mut Report,
) {
    let len = part.range.len();
    let mut t = K::Out::zero().splat::<BLOCK>();
    if let Some(values) = part.values {
        // SAFETY: the caller has written these values on this thread.
        unsafe { K::Out::fetch_at(&mut t, 0, values.get(), part.range.start, len) };
    }
    let mut d = 1;
    while d < BLOCK {
        for l in (d..len).rev() {
            let joined = kernel.combine(K::Out::get(&t, l - d), K::Out::get(&t, l), report);
            K::Out::set(&mut t, l, joined);
        }
        d *= 2;
    }
    let mut prefixes = carry.splat::<{ BLOCK + 1 }>();
    for l in 0..len {
        let prefix = kernel.combine(carry, K::Out::get(&t, l), report);
        K::Out::set(&mut prefixes, l + 1, prefix);
    }
    let first = usize::from(!exclusive);
    // SAFETY: `out` has room for the range, which belongs to this thread.
    unsafe { K::Out::store_from(&prefixes, first, part.out.get(), 0, len) };
}

/// Prefixes of a chunk by an operator that is not known to be commutative: strictly in order.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn in_order<K: Combine, F: Flag>(
    kernel: &K,
    values: Bases<K::Out>,
    out: Bases<K::Out>,
    len: usize,
    mut carry: Option<K::Out>,
    exclusive: bool,
    flag: &mut F,
) {
    for i in 0..len {
        // SAFETY: `chunk_total` has just written `len` values on this thread.
        let x = unsafe { K::Out::read(values.get(), i) };
        let next = joined(kernel, carry, x, flag);
        let prefix = match (exclusive, carry) {
            (true, Some(carry)) => carry,
            _ => next,
        };
        // SAFETY: `out` has room for `len` elements, which belong to this thread.
        unsafe { prefix.put(out.get(), i) };
        carry = Some(next);
    }
}
