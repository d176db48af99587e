//! Array operations inside of a nest's body: sequential, in lanes, inlined into it.
//!
//! In: as the skeletons of the same names, and a flag. Out: the same bits as theirs.
//! Assumes: the caller is a [`Nest`](crate::Nest), which passes on the lanes and the flag that it was
//! given. Violations go to the flag, in the order that the skeletons report them.

use crate::blocks::{Visit, cover, single};
use crate::kernel::{Combine, Flag, Fold, Kernel, Product};
use crate::product::{Bases, Placed};
use crate::{fold as folds, scan as scans, scatter as scatters, short};

/// The values of `0..n`, into slices of length `n`.
///
/// # Panics
/// When a slice has another length, which the compiler has to rule out. So for [`scan`].
#[inline(always)]
pub fn write<const L: usize, K: Kernel, F: Flag>(
    kernel: &K,
    n: usize,
    out: <K::Out as Product>::Slices<'_>,
    flag: &mut F,
) {
    let mut store = Store::<K>(bases::<K>(out, n));
    cover::<K, _, F, L>(kernel, 0..n, &mut store, flag);
}

struct Store<K: Kernel>(Bases<K::Out>);

impl<K: Kernel> Visit<K> for Store<K> {
    #[inline(always)]
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

#[inline(always)]
fn bases<K: Kernel>(mut out: <K::Out as Product>::Slices<'_>, n: usize) -> Bases<K::Out> {
    match K::Out::slice_bases(&mut out, n) {
        Some(bases) => Bases::new(bases),
        None => other_length(n),
    }
}

#[cold]
#[inline(never)]
fn other_length(n: usize) -> ! {
    panic!("{n} values for a row of another length; please report this");
}

/// As [`reduce_from`](crate::reduce_from).
#[inline(always)]
pub fn reduce_from<const L: usize, K: Combine, F: Flag>(
    kernel: &K,
    n: usize,
    init: K::Out,
    flag: &mut F,
) -> K::Out {
    if n == 0 || values_fail(kernel, n, flag) {
        return init;
    }
    let total = short::total_inside::<K, F, L>(kernel, n, flag);
    kernel.combine(init, total, flag)
}

/// As [`fold`](crate::fold()).
#[inline(always)]
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
#[inline(always)]
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
    scans::scan_inside::<K, F, L>(kernel, n, init, exclusive, out, flag)
}

/// As [`scatter`](crate::scatter()): an index out of range is check `id`.
#[inline(always)]
pub fn scatter<const L: usize, K: Kernel, F: Flag>(
    kernel: &K,
    n: usize,
    mut targets: <K::Out as Placed>::Targets<'_>,
    id: u32,
    flag: &mut F,
) where
    K::Out: Placed,
{
    scatters::place::<K, F, L, true>(kernel, n, &mut targets, id, flag);
}

/// Whether a value fails: asked beforehand where the first violation is looked for, since all
/// values come before the first combination.
#[inline(always)]
fn values_fail<K: Kernel, F: Flag>(kernel: &K, n: usize, flag: &mut F) -> bool {
    if !F::KEEPS_FIRST || !K::CHECKS {
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
