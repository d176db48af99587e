//! Array operations inside of a nest's body: sequential, in lanes, inlined into it.
//!
//! In: as the skeletons of the same names, and a flag. Out: the same bits as theirs.
//! Assumes: the caller is a [`Nest`](crate::Nest), which passes on the lanes and the flag that it was
//! given. Violations go to the flag, in the order that the skeletons report them.

mod sorts;

pub use sorts::{
    argselect_to, argsort_rows, argsort_to, select_to, sort_elements, sort_elements_rows,
    sort_elements_to, sort_rows, sort_to,
};

use core::slice;

use crate::blocks::{Visit, cover, single};
use crate::by_hand::{self, kept_total};
use crate::join::Joined;
use crate::kernel::{Combine, Flag, Fold, Kernel, LANES, Product};
use crate::lanes::ROW;
use crate::level;
use crate::long;
use crate::overhang::{self, PART};
use crate::packing::Kept;
use crate::product::{Bases, Placed};
use crate::rows::{Rows, other_length};
use crate::{fold as folds, keep, row_sums, scan as scans, scatter as scatters, short};

/// The values of `0..n`, into slices of length `n`.
///
/// # Panics
/// When a slice has another length, which the compiler has to rule out. So for [`scan`].
#[cfg_attr(optimised, inline(always))]
pub fn write<const L: usize, K: Kernel, F: Flag>(
    kernel: &K,
    n: usize,
    out: <K::Out as Product>::Slices<'_>,
    flag: &mut F,
) {
    fill::<L, K, F>(kernel, n, bases::<K>(out, n), flag);
}

/// Writes the values of `0..n` behind `out`, which has room for them and is the caller's.
#[cfg_attr(optimised, inline(always))]
fn fill<const L: usize, K: Kernel, F: Flag>(
    kernel: &K,
    n: usize,
    out: Bases<K::Out>,
    flag: &mut F,
) {
    if !long::write(kernel, n, out, flag) {
        cover::<K, _, F, L>(kernel, 0..n, &mut Store::<K>(out), flag);
    }
}

/// As [`write()`], into arrays of the body's own, which get their lengths here. Without memory the flag
/// is told, and nothing written; so for [`scan_to`] and [`write_and_reduce`].
#[cfg_attr(optimised, inline(always))]
pub fn write_to<const L: usize, K: Kernel, F: Flag>(
    kernel: &K,
    n: usize,
    mut outs: <K::Out as Product>::Outs<'_>,
    flag: &mut F,
) {
    let Some(bases) = prepare::<K, F>(&mut outs, n, flag) else {
        return;
    };
    fill::<L, K, F>(kernel, n, bases, flag);
    // SAFETY: `prepare` made room for `0..n`, and these elements have been written.
    unsafe { K::Out::finish(outs, n) };
}

#[cfg_attr(optimised, inline(always))]
fn prepare<K: Kernel, F: Flag>(
    outs: &mut <K::Out as Product>::Outs<'_>,
    n: usize,
    flag: &mut F,
) -> Option<Bases<K::Out>> {
    match K::Out::prepare(outs, n) {
        Ok(bases) => Some(Bases::new(bases)),
        Err(failure) => {
            flag.fail(failure);
            None
        }
    }
}

/// [`write_to`], and [`reduce_from`] over what it wrote, in one pass.
#[cfg_attr(optimised, inline(always))]
pub fn write_and_reduce<const L: usize, K: Combine, F: Flag>(
    kernel: &K,
    n: usize,
    init: K::Out,
    mut outs: <K::Out as Product>::Outs<'_>,
    flag: &mut F,
) -> K::Out {
    let Some(bases) = prepare::<K, F>(&mut outs, n, flag) else {
        return init;
    };
    if n == 0 || values_fail(kernel, n, flag) {
        return init;
    }
    let total = long::write_and_total(kernel, n, bases, flag)
        .unwrap_or_else(|| kept_total::<L, K, F>(kernel, n, bases, flag));
    // SAFETY: `prepare` made room for `0..n`, all of which have been written.
    unsafe { K::Out::finish(outs, n) };
    kernel.combine(init, total, flag)
}

/// As [`write_to`], into arrays that the body only reads.
#[cfg_attr(optimised, inline(always))]
pub fn write_local<const L: usize, K: Kernel, F: Flag>(
    kernel: &K,
    n: usize,
    mut locals: <K::Out as Product>::Locals<'_, '_>,
    flag: &mut F,
) {
    let Some(bases) = room::<K, F>(&mut locals, n, flag) else {
        return;
    };
    let mut written = n;
    if const { overhang::applies::<K, F, L>() } && !long::applies::<K, F>(n) {
        written = overhang::write_padded::<K, F, L>(kernel, n, bases, flag);
    } else {
        fill::<L, K, F>(kernel, n, bases, flag);
    }
    // SAFETY: `room` made room for `n` and a round behind, and so many have been written.
    unsafe { K::Out::fill(locals, n, written) };
}

/// Room for `n` elements, and for a round behind them.
#[cfg_attr(optimised, inline(always))]
fn room<K: Kernel, F: Flag>(
    locals: &mut <K::Out as Product>::Locals<'_, '_>,
    n: usize,
    flag: &mut F,
) -> Option<Bases<K::Out>> {
    match K::Out::own(locals, n.saturating_add(LANES)) {
        Ok(bases) => Some(Bases::new(bases)),
        Err(failure) => {
            flag.fail(failure);
            None
        }
    }
}

/// [`write_local`], and [`reduce_from`] over what it wrote, in one pass.
#[cfg_attr(optimised, inline(always))]
pub fn write_local_and_reduce<const L: usize, K: Combine, F: Flag>(
    kernel: &K,
    n: usize,
    init: K::Out,
    mut locals: <K::Out as Product>::Locals<'_, '_>,
    flag: &mut F,
) -> K::Out {
    let Some(bases) = room::<K, F>(&mut locals, n, flag) else {
        return init;
    };
    if n == 0 || values_fail(kernel, n, flag) {
        return init;
    }
    let (total, written) = if let Some(total) = long::write_and_total(kernel, n, bases, flag) {
        (total, n)
    } else if const { overhang::applies::<K, F, L>() && row_sums::may_apply::<K, L>() }
        && n > PART
        && summed::<L, K>()
    {
        // Fewer values are still in registers.
        kept_sum::<L, K, F>(kernel, n, bases, flag)
    } else if const { overhang::applies::<K, F, L>() && K::COMMUTATIVE } && n <= LANES {
        let total = overhang::total::<K, F, L>(kernel, n, Some(bases));
        (total, n.next_multiple_of(PART))
    } else {
        (kept_total::<L, K, F>(kernel, n, bases, flag), n)
    };
    // SAFETY: `room` made room for `n` and a round behind, and so many have been written.
    unsafe { K::Out::fill(locals, n, written) };
    kernel.combine(init, total, flag)
}

/// Whether a reduction sums what it has written by code by hand.
#[cfg_attr(optimised, inline(always))]
fn summed<const L: usize, K: Combine>() -> bool {
    row_sums::applies::<K, L>() && level::has_lanes::<L>()
}

/// The values of `0..n` that are summed from where they are written while that is in the nearest cache.
const NEAR: usize = 1024;

/// The sum of the values of `0..n`, which go to `bases`, where there is room for a round more, and how
/// many have been written.
#[cfg_attr(optimised, inline(always))]
fn kept_sum<const L: usize, K: Combine, F: Flag>(
    kernel: &K,
    n: usize,
    bases: Bases<K::Out>,
    flag: &mut F,
) -> (K::Out, usize) {
    if n > NEAR {
        // SAFETY: `summed` has said so.
        return (
            unsafe { by_hand::otherwise_kept::<K, L>(kernel, n, bases) },
            n,
        );
    }
    let first: *const <K::Out as Product>::First = K::Out::first(bases.get()).cast();
    // There are registers for all accumulators beside what makes the values.
    if const { L == LANES } {
        let (acc, written) = overhang::write_combined::<K, F>(kernel, n, bases, flag);
        let whole = n - n % LANES;
        // SAFETY: at least `n` have been written, and there is one component, as there is code.
        let rest = unsafe { slice::from_raw_parts(first.add(whole), n - whole) };
        let acc = K::Out::firsts(&acc);
        // SAFETY: `summed` has said so.
        return (unsafe { row_sums::sum_with::<K>(acc, rest) }, written);
    }
    let written = overhang::write_padded::<K, F, L>(kernel, n, bases, flag);
    // SAFETY: as above.
    let row = unsafe { slice::from_raw_parts(first, n) };
    // SAFETY: as above.
    (unsafe { row_sums::row_sum::<K, false, L>(row) }, written)
}

/// As [`write()`], into rows of the nest's outputs.
#[cfg_attr(optimised, inline(always))]
pub fn write_rows<const L: usize, K: Kernel<Out: Rows>, F: Flag>(
    kernel: &K,
    n: usize,
    mut rows: <K::Out as Rows>::Targets<'_, '_>,
    flag: &mut F,
) {
    let (bases, stream) = open::<K>(&mut rows, n);
    let is_long = long::applies::<K, F>(n);
    if const { L > 1 } && !is_long && stream && n >= L && level::has_lanes::<L>() {
        around::<L, K, F>(kernel, n, bases, flag);
    } else if const { overhang::applies::<K, F, L>() } && !is_long {
        overhang::write::<K, F, L>(kernel, n, bases, flag);
    } else {
        fill::<L, K, F>(kernel, n, bases, flag);
    }
    // SAFETY: each has written the elements `0..n`, which are all.
    unsafe { K::Out::written(rows) };
}

#[cfg_attr(optimised, inline(always))]
fn open<K: Kernel<Out: Rows>>(
    rows: &mut <K::Out as Rows>::Targets<'_, '_>,
    n: usize,
) -> (Bases<K::Out>, bool) {
    match K::Out::open(rows, n) {
        Some((bases, stream)) => (Bases::new(bases), stream),
        None => other_length(n),
    }
}

/// Writes the values of `0..n`, at least `L`, to a row of so many: round the caches, but for the
/// parts of cache lines at both ends. The processor has what a level of `L` lanes names.
#[cfg_attr(optimised, inline(always))]
fn around<const L: usize, K: Kernel, F: Flag>(
    kernel: &K,
    n: usize,
    out: Bases<K::Out>,
    flag: &mut F,
) {
    let out = out.get();
    let skip = K::Out::misses_line(out, L) % L;
    let mut at = 0;
    while n - at >= L {
        // One for each block, so that it stays in registers.
        let mut lanes = K::Out::zero().splat::<L>();
        kernel.block::<L, F>(at, K::Out::slots(&mut lanes), flag);
        // SAFETY: the block lies in `0..n`, the elements of a row that `write_rows` has for itself.
        unsafe { K::Out::store(&lanes, out, at, true) };
        // After the first block, go on at a cache line's start.
        at += L - if at == 0 { skip } else { 0 };
    }
    if at < n {
        let mut lanes = K::Out::zero().splat::<L>();
        kernel.block::<L, F>(n - L, K::Out::slots(&mut lanes), flag);
        // SAFETY: as above, for the elements behind the last block.
        unsafe { K::Out::store_from(&lanes, L - (n - at), out, at, n - at) };
    }
}

struct Store<K: Kernel>(Bases<K::Out>);

impl<K: Kernel> Visit<K> for Store<K> {
    #[cfg_attr(optimised, inline(always))]
    fn visit<const B: usize, F: Flag>(
        &mut self,
        at: usize,
        lanes: &<K::Out as Product>::Lanes<B>,
        _flag: &mut F,
    ) {
        // SAFETY: the block lies in `0..n`, and `bases` has found room for `n` elements in slices
        // that `write` has for itself.
        unsafe { K::Out::store(lanes, self.0.get(), at, false) };
    }
}

#[cfg_attr(optimised, inline(always))]
fn bases<K: Kernel>(mut out: <K::Out as Product>::Slices<'_>, n: usize) -> Bases<K::Out> {
    match K::Out::slice_bases(&mut out, n) {
        Some(bases) => Bases::new(bases),
        None => other_length(n),
    }
}

/// As [`reduce_from`](crate::reduce_from).
#[cfg_attr(optimised, inline(always))]
pub fn reduce_from<const L: usize, K: Combine, F: Flag>(
    kernel: &K,
    n: usize,
    init: K::Out,
    flag: &mut F,
) -> K::Out {
    if n == 0 || values_fail(kernel, n, flag) {
        return init;
    }
    if let Some(total) = long::total(kernel, n, flag) {
        return kernel.combine(init, total, flag);
    }
    let total = if const { K::LIES && !F::KEEPS_FIRST && by_hand::may_apply::<K, L>() }
        && in_place::<L, K>()
    {
        placed::<L, K>(kernel, n)
    } else {
        short::total_inside::<K, F, L>(kernel, n, flag)
    };
    kernel.combine(init, total, flag)
}

/// Whether a reduction reads its values where they lie, by code by hand.
#[cfg_attr(optimised, inline(always))]
fn in_place<const L: usize, K: Combine>() -> bool {
    by_hand::applies::<K, L>() && level::has_lanes::<L>()
}

/// Such a reduction of `0..n`.
#[cfg_attr(optimised, inline(always))]
fn placed<const L: usize, K: Combine>(kernel: &K, n: usize) -> K::Out {
    if let Some(row) = kernel.lies().get(..n) {
        // SAFETY: `in_place` has said so.
        let (total, sure) = unsafe {
            if const { K::NEAR } && size_of_val(row) <= ROW {
                by_hand::total::<K, false, L>(kernel, row)
            } else {
                by_hand::total::<K, true, L>(kernel, row)
            }
        };
        if sure {
            return total;
        }
    }
    // SAFETY: as above.
    unsafe { by_hand::otherwise::<K, L>(kernel, n) }
}

/// As [`fold`](crate::fold()).
#[cfg_attr(optimised, inline(always))]
pub fn fold<const L: usize, K: Fold, F: Flag>(
    kernel: &K,
    n: usize,
    init: K::Acc,
    flag: &mut F,
) -> K::Acc {
    folds::steps::<K, F, L, true>(kernel, n, init, flag)
}

/// As [`scan_to`](crate::scan_to): prefixes into slices of length `n`, and the total.
///
/// # Panics
/// Also for an exclusive scan that has nothing to start with.
#[cfg_attr(optimised, inline(always))]
pub fn scan<const L: usize, K: Combine, F: Flag>(
    kernel: &K,
    n: usize,
    init: Option<K::Out>,
    exclusive: bool,
    out: <K::Out as Product>::Slices<'_>,
    flag: &mut F,
) -> Option<K::Out> {
    let out = bases::<K>(out, n);
    if values_fail(kernel, n, flag) {
        return init.or_else(|| Some(kernel.neutral()));
    }
    prefixes::<L, K, F>(kernel, n, (init, exclusive), out, flag)
}

/// The scan of the values of `0..n` behind `out`, which has room for it and is the caller's.
#[cfg_attr(optimised, inline(always))]
fn prefixes<const L: usize, K: Combine, F: Flag>(
    kernel: &K,
    n: usize,
    (init, exclusive): (Option<K::Out>, bool),
    out: Bases<K::Out>,
    flag: &mut F,
) -> Option<K::Out> {
    match long::scan(kernel, n, (init, exclusive), out, flag) {
        Some(total) => total,
        None => scans::scan_inside::<K, F, L>(kernel, n, init, exclusive, out, flag),
    }
}

/// As [`scan`], into rows of the nest's outputs.
#[cfg_attr(optimised, inline(always))]
pub fn scan_rows<const L: usize, K: Combine<Out: Rows>, F: Flag>(
    kernel: &K,
    n: usize,
    init: Option<K::Out>,
    exclusive: bool,
    mut rows: <K::Out as Rows>::Targets<'_, '_>,
    flag: &mut F,
) -> Option<K::Out> {
    let (out, _) = open::<K>(&mut rows, n);
    if values_fail(kernel, n, flag) {
        return init.or_else(|| Some(kernel.neutral()));
    }
    let total = prefixes::<L, K, F>(kernel, n, (init, exclusive), out, flag);
    // SAFETY: the scan has written the prefixes `0..n`, which are all.
    unsafe { K::Out::written(rows) };
    total
}

/// As [`scan`], into arrays of the body's own.
#[cfg_attr(optimised, inline(always))]
pub fn scan_to<const L: usize, K: Combine, F: Flag>(
    kernel: &K,
    n: usize,
    init: Option<K::Out>,
    exclusive: bool,
    mut outs: <K::Out as Product>::Outs<'_>,
    flag: &mut F,
) -> Option<K::Out> {
    let out = prepare::<K, F>(&mut outs, n, flag);
    let Some(out) = out.filter(|_| !values_fail(kernel, n, flag)) else {
        return init.or_else(|| Some(kernel.neutral()));
    };
    let total = prefixes::<L, K, F>(kernel, n, (init, exclusive), out, flag);
    // SAFETY: `prepare` made room for `0..n`, and the scan has written these prefixes.
    unsafe { K::Out::finish(outs, n) };
    total
}

/// As [`scatter`](crate::scatter()): an index out of range is check `id`.
#[cfg_attr(optimised, inline(always))]
pub fn scatter<const L: usize, K: Kernel, F: Flag>(
    kernel: &K,
    n: usize,
    mut targets: <K::Out as Placed>::Targets<'_>,
    id: u32,
    flag: &mut F,
) where
    K::Out: Placed,
{
    scatters::place::<K, F, L, true>(kernel, 0..n, &mut targets, id, flag);
}

/// As [`append`](crate::append()). Without memory the flag is told.
#[cfg_attr(optimised, inline(always))]
pub fn append<const L: usize, K: Kernel<Out: Joined>, F: Flag>(
    kernel: &K,
    n: usize,
    mut ends: <K::Out as Joined>::Onto<'_, '_>,
    flag: &mut F,
) {
    let out = match K::Out::room(&mut ends, n) {
        Ok(out) => Bases::new(out),
        Err(failure) => return flag.fail(failure),
    };
    fill::<L, K, F>(kernel, n, out, flag);
    // SAFETY: `room` made room for `n`, all of which have been written.
    unsafe { K::Out::grown(ends, n) };
}

/// The kept ones of the values of `0..n`, one after another, into arrays of the body's own; gives how
/// many they are. Without memory the flag is told.
#[cfg_attr(optimised, inline(always))]
pub fn keep_to<const L: usize, K: Kernel<Out: Kept>, F: Flag>(
    kernel: &K,
    n: usize,
    outs: <<K::Out as Kept>::Values as Product>::Outs<'_>,
    flag: &mut F,
) -> usize {
    keep::keep_inside::<K, F, L>(kernel, n, outs, flag)
}

/// As [`keep_to`], behind the ends of arrays that grow.
#[cfg_attr(optimised, inline(always))]
pub fn keep_onto<const L: usize, K: Kernel<Out: Kept<Values: Joined>>, F: Flag>(
    kernel: &K,
    n: usize,
    ends: <<K::Out as Kept>::Values as Joined>::Onto<'_, '_>,
    flag: &mut F,
) -> usize {
    keep::keep_onto::<K, F, L>(kernel, n, ends, flag)
}

/// Whether a value fails: asked beforehand where the first violation is looked for, since all
/// values come before the first combination.
#[cfg_attr(optimised, inline(always))]
fn values_fail<K: Kernel, F: Flag>(kernel: &K, n: usize, flag: &mut F) -> bool {
    if const { !F::KEEPS_FIRST || !K::CHECKS } {
        return false;
    }
    for i in 0..n {
        single::<K, F, true>(kernel, i, flag);
        if flag.violated() {
            return true;
        }
    }
    false
}
