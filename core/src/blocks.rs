//! The values of a kernel, block by block: the loop that sequential parts of skeletons share.
//!
//! In: a kernel and a range of its indices. Out: calls with blocks of values.
//! Assumes: nothing.
//!
//! Note [Short ranges]: what does not fill a block of `L` lanes is left to single values where ranges
//! are long: one function that is not inlined, so that a kernel is compiled for one lane once. Inside
//! of a nest ranges may be shorter than a block, and there are many of them. There smaller blocks
//! take over, of sizes in steps of four: each is one more copy of the kernel's body to compile.

use core::ops::Range;

use crate::kernel::{Combine, Flag, Kernel, Product, Report};
use crate::reduce::forward;
use crate::write::one;

/// What is done with a kernel's values.
pub(crate) trait Visit<K: Kernel> {
    /// Takes the values of `at .. at + B`. Must be inlined by force.
    fn visit<const B: usize, F: Flag>(
        &mut self,
        at: usize,
        lanes: &<K::Out as Product>::Lanes<B>,
        flag: &mut F,
    );
}

/// Visits the range in order, each value once. `INSIDE` of a nest, or not: see Note [Short ranges].
#[cfg_attr(optimised, inline(always))]
pub(crate) fn each<K: Kernel, V: Visit<K>, F: Flag, const L: usize, const INSIDE: bool>(
    kernel: &K,
    range: Range<usize>,
    visit: &mut V,
    flag: &mut F,
) {
    let Range { start, end } = range;
    let at = whole::<K, V, F, L>(kernel, start..end, visit, flag);
    match INSIDE {
        true => smaller::<K, V, F, L>(kernel, at..end, visit, flag),
        false => singly(kernel, at..end, visit, flag),
    }
}

/// Visits the range in whole blocks of `B` lanes while there are any; returns the index behind them.
#[cfg_attr(optimised, inline(always))]
fn whole<K: Kernel, V: Visit<K>, F: Flag, const B: usize>(
    kernel: &K,
    range: Range<usize>,
    visit: &mut V,
    flag: &mut F,
) -> usize {
    let mut lanes = K::Out::zero().splat::<B>();
    let mut at = range.start;
    while range.end - at >= B {
        kernel.block::<B, F>(at, K::Out::slots(&mut lanes), flag);
        visit.visit::<B, F>(at, &lanes, flag);
        at += B;
    }
    at
}

/// Visits the range in blocks of less than `L` lanes, smaller and smaller ones.
#[cfg_attr(optimised, inline(always))]
fn smaller<K: Kernel, V: Visit<K>, F: Flag, const L: usize>(
    kernel: &K,
    range: Range<usize>,
    visit: &mut V,
    flag: &mut F,
) {
    let Range { start: mut at, end } = range;
    if const { L > 16 } {
        at = whole::<K, V, F, 16>(kernel, at..end, visit, flag);
    }
    if const { L > 4 } {
        at = whole::<K, V, F, 4>(kernel, at..end, visit, flag);
    }
    if const { L > 1 } {
        whole::<K, V, F, 1>(kernel, at..end, visit, flag);
    }
}

/// Visits the range value by value, with the scalar copy of the body.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn singly<K: Kernel, V: Visit<K>, F: Flag>(
    kernel: &K,
    range: Range<usize>,
    visit: &mut V,
    flag: &mut F,
) {
    let mut report = Report::default();
    for i in range {
        let value = one(kernel, i, &mut report);
        visit.visit::<1, F>(i, &value.splat::<1>(), flag);
    }
    forward(report, flag);
}

/// One value.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn single<K: Kernel, F: Flag, const INSIDE: bool>(
    kernel: &K,
    index: usize,
    flag: &mut F,
) -> K::Out {
    if INSIDE {
        let mut lane = K::Out::zero().splat::<1>();
        kernel.block::<1, F>(index, K::Out::slots(&mut lane), flag);
        return K::Out::get(&lane, 0);
    }
    let mut report = Report::default();
    let value = one(kernel, index, &mut report);
    forward(report, flag);
    value
}

/// Visits the whole range in the largest blocks that fit into it; the last one overlaps the one
/// before. For visitors that may take values twice, inside of a nest.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn cover<K: Kernel, V: Visit<K>, F: Flag, const L: usize>(
    kernel: &K,
    range: Range<usize>,
    visit: &mut V,
    flag: &mut F,
) {
    let len = range.len();
    if len >= L {
        overlapping::<K, V, F, L>(kernel, range, visit, flag);
    } else if const { L > 16 } && len >= 16 {
        overlapping::<K, V, F, 16>(kernel, range, visit, flag);
    } else if const { L > 4 } && len >= 4 {
        overlapping::<K, V, F, 4>(kernel, range, visit, flag);
    } else if const { L > 1 } {
        overlapping::<K, V, F, 1>(kernel, range, visit, flag);
    }
}

/// As [`cover`], for ranges of at least `B` indices, or none.
#[cfg_attr(optimised, inline(always))]
fn overlapping<K: Kernel, V: Visit<K>, F: Flag, const B: usize>(
    kernel: &K,
    range: Range<usize>,
    visit: &mut V,
    flag: &mut F,
) {
    let Range { mut start, end } = range;
    let mut lanes = K::Out::zero().splat::<B>();
    while start < end {
        let at = start.min(end - B);
        kernel.block::<B, F>(at, K::Out::slots(&mut lanes), flag);
        visit.visit::<B, F>(at, &lanes, flag);
        start = at + B;
    }
}

/// Values that are combined from left to right: those behind the last whole block.
pub(crate) struct Rest<'a, K: Combine> {
    pub kernel: &'a K,
    pub total: K::Out,
}

impl<K: Combine> Visit<K> for Rest<'_, K> {
    #[cfg_attr(optimised, inline(always))]
    fn visit<const B: usize, F: Flag>(
        &mut self,
        _at: usize,
        lanes: &<K::Out as Product>::Lanes<B>,
        flag: &mut F,
    ) {
        for l in 0..B {
            let value = K::Out::get(lanes, l);
            self.total = self.kernel.combine(self.total, value, flag);
        }
    }
}
