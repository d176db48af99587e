//! The plainest skeleton: one value per index, written to where it belongs.
//!
//! In: a kernel and the size of its index space. Out: one vector per component.
//! Assumes: nothing. Vectors get their length only when each element has been written.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::error::Failure;
use crate::kernel::{Fast, Flag, Kernel, Product, Report};
use crate::level::{MAX_LANES, Task, dispatch};
use crate::memory;
use crate::parallel;
use crate::product::Bases;
use crate::reduce::forward;

/// The values of `0..n`, in new vectors.
///
/// Cost: `n` bodies, in parallel and in lane blocks; every element is written once.
/// Errors: the violated check of the lowest index; no memory.
pub fn write<K: Kernel>(kernel: &K, n: usize) -> Result<<K::Out as Product>::Vecs, Failure> {
    let mut vecs = K::Out::empty();
    write_to(kernel, n, K::Out::outs(&mut vecs))?;
    Ok(vecs)
}

/// The values of `0..n`, straight into the caller's memory.
///
/// Cost and errors: as [`write()`]; `ResultLength` for a slice of another length. After an error the
/// contents are unspecified.
pub fn write_to<K: Kernel>(
    kernel: &K,
    n: usize,
    mut outs: <K::Out as Product>::Outs<'_>,
) -> Result<(), Failure> {
    let out = Bases::new(K::Out::prepare(&mut outs, n)?);
    write_all(kernel, n, out)?;
    // SAFETY: `prepare` made room for `n`, and `write_all` without an error has written `0..n`.
    unsafe { K::Out::finish(outs, n) };
    Ok(())
}

/// Writes the elements `0..n` behind `out`, which has room for them and is the caller's.
pub(crate) fn write_all<K: Kernel>(
    kernel: &K,
    n: usize,
    out: Bases<K::Out>,
) -> Result<(), Failure> {
    let each = PerElement::even(MAX_LANES, K::COST as usize);
    fill(kernel, n, each, &|range, stream| {
        dispatch(Write {
            kernel,
            range,
            out,
            stream,
        })
    })
}

/// What is known of elements before they are computed.
pub(crate) struct PerElement {
    /// Ranges are multiples of this.
    pub(crate) step: usize,
    /// So many operations each takes, about.
    pub(crate) cost: usize,
    /// Whether it is in loops that may end early: then elements may take far less.
    pub(crate) ends_early: bool,
}

impl PerElement {
    /// Elements that all take about as long.
    pub(crate) fn even(step: usize, cost: usize) -> Self {
        PerElement {
            step,
            cost,
            ends_early: false,
        }
    }
}

/// Writes the elements `0..n` behind `out`, which has room for them: `run` writes a range of them,
/// round the caches or not, and says whether a check was violated.
pub(crate) fn fill<K: Kernel>(
    kernel: &K,
    n: usize,
    PerElement {
        step,
        cost,
        ends_early,
    }: PerElement,
    run: &(dyn Fn(Range<usize>, bool) -> bool + Sync),
) -> Result<(), Failure> {
    let violated = AtomicBool::new(false);
    let stream = memory::streams::<K::Out>(n);
    let run = &|range| {
        if run(range, stream) {
            violated.store(true, Ordering::Relaxed);
        }
        if stream {
            memory::fence();
        }
    };
    let first = match ends_early {
        true => parallel::ahead(n, step, cost, run),
        false => 0,
    };
    parallel::for_ranges(n - first, step, cost, &|range| {
        run(first + range.start..first + range.end);
    });
    if violated.into_inner() {
        return Err(first_violation(kernel, n).unwrap_or(Failure::Internal));
    }
    Ok(())
}

pub(crate) struct Write<'a, K: Kernel> {
    pub(crate) kernel: &'a K,
    pub(crate) range: Range<usize>,
    pub(crate) out: Bases<K::Out>,
    /// Round the caches.
    pub(crate) stream: bool,
}

impl<K: Kernel> Task for Write<'_, K> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        let Write {
            kernel,
            range,
            out,
            stream,
        } = self;
        let mut flag = Fast::default();
        // SAFETY: `fill` gives each range of the room behind `out` to one task.
        unsafe { write_range::<K, Fast, L>(kernel, range, out, 0, stream, &mut flag) };
        flag.violated()
    }
}

/// Writes the elements of a range behind `out`, where that of index `first` is the first; `stream` goes
/// round the caches.
///
/// # Safety
/// There is room for them, and nobody else accesses it meanwhile.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn write_range<K: Kernel, F: Flag, const L: usize>(
    kernel: &K,
    range: Range<usize>,
    out: Bases<K::Out>,
    first: usize,
    stream: bool,
    flag: &mut F,
) {
    let Range { start, end } = range;
    if end - start < L {
        return forward(write_scalars(kernel, start..end, out, first), flag);
    }
    let mut lanes = K::Out::zero().splat::<L>();
    let skip = match stream {
        true => K::Out::misses_line(out.get(), start - first + L) % L,
        false => 0,
    };
    let mut at = start;
    while at < end {
        // The last block overlaps the one before: the same values are written again.
        let block = if at + L <= end { at } else { end - L };
        kernel.block::<L, F>(block, K::Out::slots(&mut lanes), flag);
        // SAFETY: `start <= block` and `block + L <= end`; the range is the caller's.
        unsafe { K::Out::store(&lanes, out.get(), block - first, stream) };
        // After the first block, go on at a cache line's start.
        at += L - if at == start { skip } else { 0 };
    }
}

/// As [`write_range`], one element at a time.
#[inline(never)]
pub(crate) fn write_scalars<K: Kernel>(
    kernel: &K,
    range: Range<usize>,
    out: Bases<K::Out>,
    first: usize,
) -> Report {
    let mut report = Report::default();
    for i in range {
        let value = one(kernel, i, &mut report);
        // SAFETY: the callers' tasks have been given the room for this range alone.
        unsafe { value.put(out.get(), i - first) };
    }
    report
}

/// One value, computed with one lane. The only scalar copy of the body.
#[inline(never)]
pub(crate) fn one<K: Kernel>(kernel: &K, i: usize, report: &mut Report) -> K::Out {
    let mut lane = K::Out::zero().splat::<1>();
    kernel.block::<1, Report>(i, K::Out::slots(&mut lane), report);
    K::Out::get(&lane, 0)
}

/// The violated check of the lowest index, if any.
#[cold]
#[inline(never)]
pub(crate) fn first_violation<K: Kernel>(kernel: &K, n: usize) -> Option<Failure> {
    if const { !K::CHECKS } {
        return None;
    }
    let mut report = Report::default();
    for i in 0..n {
        one(kernel, i, &mut report);
        if report.violated() {
            break;
        }
    }
    report.failure()
}
