//! Reductions, in an order of combination that depends on positions alone.
//!
//! In: a kernel with an operator. Out: the combination of its values.
//! Assumes: the operator is associative as far as the user cares; the order is fixed anyway.
//!
//! Note [Order of combination]: chunks of `CHUNK` elements. In a chunk of a commutative operator,
//! element `i` goes to accumulator `i % LANES`, and the accumulators are combined in a fixed tree;
//! otherwise strictly left to right, from the chunk's first element. Then the chunks' totals left
//! to right.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::error::Failure;
use crate::kernel::{CHUNK, Combine, Fast, Flag, LANES, Product, Report};
use crate::level::{Task, dispatch};
use crate::parallel;
use crate::product::Bases;
use crate::write::{first_violation, one};

/// `init` combined with [`reduce()`]'s result; `init` itself when there is nothing to reduce.
///
/// Cost and errors: as [`reduce()`].
pub fn reduce_from<K: Combine>(kernel: &K, n: usize, init: K::Out) -> Result<K::Out, Failure> {
    let Some(total) = reduce(kernel, n)? else {
        return Ok(init);
    };
    let mut flag = Report::default();
    let out = kernel.combine(init, total, &mut flag);
    flag.failure().map_or(Ok(out), Err)
}

/// The values of `0..n` combined as Note [Order of combination] says; `None` when `n` is 0.
///
/// Cost: `n` bodies and combinations, in parallel and in lanes.
/// Errors: the violated check of the lowest index, then of the first combination; no memory.
pub fn reduce<K: Combine>(kernel: &K, n: usize) -> Result<Option<K::Out>, Failure> {
    if n == 0 {
        return Ok(None);
    }
    let chunks = n.div_ceil(CHUNK);
    let (total, violated) = match parallel::threads(chunks, CHUNK * K::COST as usize) {
        1 => dispatch(Totals {
            kernel,
            n,
            chunks: 0..chunks,
            totals: None,
        }),
        _ => in_parallel(kernel, n, chunks)?,
    };
    if violated {
        return Err(diagnose(kernel, n));
    }
    Ok(Some(total))
}

#[inline(never)]
fn in_parallel<K: Combine>(kernel: &K, n: usize, chunks: usize) -> Result<(K::Out, bool), Failure> {
    let mut room = K::Out::empty();
    K::Out::reserve(&mut room, chunks)?;
    let totals = Bases::<K::Out>::new(K::Out::bases(&mut room));
    let violated = AtomicBool::new(false);
    parallel::for_ranges(chunks, 1, CHUNK * K::COST as usize, &|chunks| {
        let (_, bad) = dispatch(Totals {
            kernel,
            n,
            chunks,
            totals: Some(totals),
        });
        if bad {
            violated.store(true, Ordering::Relaxed);
        }
    });
    // SAFETY: `for_ranges` has covered `0..chunks`, and `Totals` writes each chunk's total.
    let total = |c| unsafe { K::Out::read(totals.get(), c) };
    let mut report = Report::default();
    let mut sum = total(0);
    for c in 1..chunks {
        sum = kernel.combine(sum, total(c), &mut report);
    }
    Ok((sum, violated.into_inner() || report.violated()))
}

/// The totals of some chunks.
struct Totals<'a, K: Combine> {
    kernel: &'a K,
    n: usize,
    chunks: Range<usize>,
    /// Where each chunk's total goes; `None` when only their combination is wanted.
    totals: Option<Bases<K::Out>>,
}

impl<K: Combine> Task for Totals<'_, K> {
    /// The combination of these chunks' totals; whether a check was violated.
    type Out = (K::Out, bool);

    #[inline(always)]
    fn run<const L: usize>(self) -> (K::Out, bool) {
        let mut flag = Fast::default();
        let mut sum = K::Out::zero();
        for c in self.chunks.clone() {
            let total = chunk_total::<K, L, Fast>(self.kernel, chunk(c, self.n), None, &mut flag);
            if let Some(totals) = self.totals {
                // SAFETY: `in_parallel` has made room for each chunk, and gives each to one task.
                unsafe { total.put(totals.get(), c) };
            }
            sum = match c == self.chunks.start {
                true => total,
                false => self.kernel.combine(sum, total, &mut flag),
            };
        }
        (sum, flag.violated())
    }
}

/// The elements of chunk `c`.
#[inline(always)]
pub(crate) fn chunk(c: usize, n: usize) -> Range<usize> {
    let start = c * CHUNK;
    start..n.min(start + CHUNK)
}

/// The combination of one chunk's values, which also go to `keep`, the chunk's first value first.
///
/// `keep`, if given, has room for the range, which belongs to the caller.
#[inline(always)]
pub(crate) fn chunk_total<K: Combine, const L: usize, F: Flag>(
    kernel: &K,
    range: Range<usize>,
    keep: Option<Bases<K::Out>>,
    flag: &mut F,
) -> K::Out {
    match K::COMMUTATIVE {
        true => strided::<K, L, F>(kernel, range, keep, flag),
        false => ordered::<K, L, F>(kernel, range, keep, flag),
    }
}

#[inline(always)]
fn strided<K: Combine, const L: usize, F: Flag>(
    kernel: &K,
    range: Range<usize>,
    keep: Option<Bases<K::Out>>,
    flag: &mut F,
) -> K::Out {
    let mut acc = kernel.neutral().splat::<LANES>();
    let mut lanes = K::Out::zero().splat::<L>();
    let rounds = range.len() / LANES;
    for round in 0..rounds {
        let at = range.start + round * LANES;
        let mut q = 0;
        while q < LANES {
            kernel.block::<L, F>(at + q, K::Out::slots(&mut lanes), flag);
            store::<K, L>(&lanes, keep, at + q - range.start);
            for l in 0..L {
                let sum = kernel.combine(K::Out::get(&acc, q + l), K::Out::get(&lanes, l), flag);
                K::Out::set(&mut acc, q + l, sum);
            }
            q += L;
        }
    }
    let rest = range.start + rounds * LANES..range.end;
    let mut report = Report::default();
    let keep = keep.map(|keep| (keep, range.start));
    let total = close(kernel, acc, rest, keep, &mut report);
    forward(report, flag);
    total
}

/// Adds the last, incomplete round to the accumulators, then combines these in the fixed tree.
#[inline(never)]
fn close<K: Combine>(
    kernel: &K,
    mut acc: <K::Out as Product>::Lanes<LANES>,
    rest: Range<usize>,
    keep: Option<(Bases<K::Out>, usize)>,
    report: &mut Report,
) -> K::Out {
    let first = rest.start;
    for i in rest {
        let x = one(kernel, i, report);
        if let Some((keep, start)) = keep {
            put::<K>(x, Some(keep), i - start);
        }
        let sum = kernel.combine(K::Out::get(&acc, i - first), x, report);
        K::Out::set(&mut acc, i - first, sum);
    }
    let mut width = LANES / 2;
    while width > 0 {
        for l in 0..width {
            let sum = kernel.combine(K::Out::get(&acc, l), K::Out::get(&acc, l + width), report);
            K::Out::set(&mut acc, l, sum);
        }
        width /= 2;
    }
    K::Out::get(&acc, 0)
}

#[inline(always)]
fn ordered<K: Combine, const L: usize, F: Flag>(
    kernel: &K,
    range: Range<usize>,
    keep: Option<Bases<K::Out>>,
    flag: &mut F,
) -> K::Out {
    let mut report = Report::default();
    let mut total = one(kernel, range.start, &mut report);
    put::<K>(total, keep, 0);
    let mut lanes = K::Out::zero().splat::<L>();
    let mut at = range.start + 1;
    while at + L <= range.end {
        kernel.block::<L, F>(at, K::Out::slots(&mut lanes), flag);
        store::<K, L>(&lanes, keep, at - range.start);
        for l in 0..L {
            total = kernel.combine(total, K::Out::get(&lanes, l), flag);
        }
        at += L;
    }
    for i in at..range.end {
        let x = one(kernel, i, &mut report);
        put::<K>(x, keep, i - range.start);
        total = kernel.combine(total, x, flag);
    }
    forward(report, flag);
    total
}

/// Keeps a value, if asked to, as the chunk's element `at`.
#[inline(always)]
fn put<K: Combine>(value: K::Out, keep: Option<Bases<K::Out>>, at: usize) {
    if let Some(keep) = keep {
        // SAFETY: as for `store`.
        unsafe { value.put(keep.get(), at) };
    }
}

/// Keeps a block, if asked to, from the chunk's element `at` on.
#[inline(always)]
fn store<K: Combine, const L: usize>(
    lanes: &<K::Out as Product>::Lanes<L>,
    keep: Option<Bases<K::Out>>,
    at: usize,
) {
    if let Some(keep) = keep {
        // SAFETY: the callers' blocks lie inside of the range that `chunk_total` was given, for
        // which `keep` has room and which belongs to this thread.
        unsafe { K::Out::store(lanes, keep.get(), at, false) };
    }
}

/// A violation seen by the scalar body counts in the hot path's flag. In the cold re-run there is
/// none: the bodies' violations have been looked for before.
#[inline(always)]
pub(crate) fn forward<F: Flag>(report: Report, flag: &mut F) {
    if let Some(Failure::Check { id, values }) = report.failure() {
        flag.check(true, id, values);
    }
}

/// The violated check of the lowest index, else that of the first combination.
#[cold]
#[inline(never)]
fn diagnose<K: Combine>(kernel: &K, n: usize) -> Failure {
    if !K::CHECKS {
        return Failure::Internal;
    }
    if let Some(failure) = first_violation(kernel, n) {
        return failure;
    }
    let mut report = Report::default();
    let mut sum = None;
    for c in 0..n.div_ceil(CHUNK) {
        let total = chunk_total::<K, 1, Report>(kernel, chunk(c, n), None, &mut report);
        sum = Some(match sum {
            None => total,
            Some(sum) => kernel.combine(sum, total, &mut report),
        });
    }
    report.failure().unwrap_or(Failure::Internal)
}
