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

use crate::blocks::{Visit, each, single, singly};
use crate::counts;
use crate::error::Failure;
use crate::first;
use crate::gathered;
use crate::kernel::{CHUNK, Combine, Fast, Flag, LANES, Product, Report, lanes_of};
use crate::level::{MAX_LANES, Task, dispatch, has_lanes};
use crate::overhang;
use crate::parallel;
use crate::product::Bases;
use crate::rough;
use crate::scan::joined;
use crate::seek;
use crate::strips;
use crate::write::first_violation;

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

/// `init` combined with the total of the first chunk, that with the total of the second, and so on:
/// what [`reduce()`] gives if the values behind `init` were preceded by whole chunks whose total it is.
///
/// Cost and errors: as [`reduce()`].
pub fn reduce_on<K: Combine>(kernel: &K, n: usize, init: K::Out) -> Result<K::Out, Failure> {
    let total = totals(kernel, n, Some(init))?;
    Ok(total.unwrap_or(init))
}

/// The values of `0..n` combined as Note [Order of combination] says; `None` when `n` is 0.
///
/// Cost: `n` bodies and combinations, in parallel and in lanes; of a search no more than about those up to
/// what is found.
/// Errors: the violated check of the lowest index, then of the first combination; no memory.
pub fn reduce<K: Combine>(kernel: &K, n: usize) -> Result<Option<K::Out>, Failure> {
    totals(kernel, n, None)
}

fn totals<K: Combine>(
    kernel: &K,
    n: usize,
    before: Option<K::Out>,
) -> Result<Option<K::Out>, Failure> {
    if n == 0 {
        return Ok(None);
    }
    if const { K::SEEKS } {
        let total = seek::least(kernel, n);
        let sought = joined(kernel, before, total, &mut Report::default());
        return Ok(Some(sought));
    }
    let chunks = n.div_ceil(CHUNK);
    let (total, violated) = match parallel::threads(chunks, CHUNK * K::COST as usize) {
        1 => dispatch(Totals {
            kernel,
            n,
            chunks: 0..chunks,
            before,
            totals: None,
        }),
        _ => in_parallel(kernel, n, chunks, before)?,
    };
    if violated {
        return Err(diagnose(kernel, n, before));
    }
    Ok(Some(total))
}

/// Parts of what a thread takes at once elsewhere: memory is slower than bodies are estimated to be, and
/// what the last thread is still at when the others have nothing left is lost.
const SHARES: usize = 4;

#[inline(never)]
fn in_parallel<K: Combine>(
    kernel: &K,
    n: usize,
    chunks: usize,
    before: Option<K::Out>,
) -> Result<(K::Out, bool), Failure> {
    let mut room = K::Out::empty();
    K::Out::reserve(&mut room, chunks)?;
    let totals = Bases::<K::Out>::new(K::Out::bases(&mut room));
    let violated = AtomicBool::new(false);
    parallel::for_ranges(chunks, 1, SHARES * CHUNK * K::COST as usize, &|chunks| {
        let (_, bad) = dispatch(Totals {
            kernel,
            n,
            chunks,
            before: None,
            totals: Some(totals),
        });
        if bad {
            violated.store(true, Ordering::Relaxed);
        }
    });
    // SAFETY: `for_ranges` has covered `0..chunks`, and `Totals` writes each chunk's total.
    let total = |c| unsafe { K::Out::read(totals.get(), c) };
    let mut report = Report::default();
    let mut sum = joined(kernel, before, total(0), &mut report);
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
    /// What the first of them is combined with, if there is something.
    before: Option<K::Out>,
    /// Where each chunk's total goes; `None` when only their combination is wanted.
    totals: Option<Bases<K::Out>>,
}

impl<K: Combine> Task for Totals<'_, K> {
    /// The combination of these chunks' totals; whether a check was violated.
    type Out = (K::Out, bool);

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> (K::Out, bool) {
        let mut flag = Fast::default();
        let Totals { kernel, n, .. } = self;
        let (chunks, totals) = (self.chunks, self.totals);
        let sum = join::<K, Fast, L, false>(kernel, n, chunks, self.before, totals, &mut flag);
        (sum, flag.violated())
    }
}

/// The combination of `before`, if given, and of some chunks' totals, which also go to `totals`. `INSIDE` of a nest, or not.
///
/// `totals`, if given, has room for all chunks, and these belong to the caller.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn join<K: Combine, F: Flag, const L: usize, const INSIDE: bool>(
    kernel: &K,
    n: usize,
    chunks: Range<usize>,
    before: Option<K::Out>,
    totals: Option<Bases<K::Out>>,
    flag: &mut F,
) -> K::Out {
    if const { seek::applies::<K, L>() } && totals.is_none() {
        let range = chunk(chunks.start, n).start..chunk(chunks.end - 1, n).end;
        let total = seek::total::<K, F, L, INSIDE>(kernel, range, flag);
        return joined(kernel, before, total, flag);
    }
    let mut sum = K::Out::zero();
    for c in chunks.clone() {
        let total = match read_alone::<K, F, L>(kernel, chunk(c, n), n, flag) {
            Some(total) => total,
            None => chunk_total::<K, F, L, INSIDE>(kernel, chunk(c, n), None, flag),
        };
        if let Some(totals) = totals {
            // SAFETY: promised by the caller.
            unsafe { total.put(totals.get(), c) };
        }
        sum = match c == chunks.start {
            true => joined(kernel, before, total, flag),
            false => kernel.combine(sum, total, flag),
        };
    }
    sum
}

/// The total of a chunk of `0..n`, if its values are better made of elements that are read one by one
/// (`gathered.rs`): not where they are combined in one operation with what they are made of, or counted.
#[cfg_attr(optimised, inline(always))]
fn read_alone<K: Combine, F: Flag, const L: usize>(
    kernel: &K,
    range: Range<usize>,
    n: usize,
    flag: &mut F,
) -> Option<K::Out> {
    if const { F::KEEPS_FIRST || K::FUSES || K::COUNTS || !gathered::may_apply::<K, L>() } {
        return None;
    }
    // Bodies of nests say what lanes they have, and may be anybody's.
    if !gathered::applies::<K, L>() || !has_lanes::<L>() || !gathered::fits(&range, n) {
        return None;
    }
    let mut room = K::Out::zero().splat::<LANES>();
    // SAFETY: it applies, and the processor has the level.
    Some(unsafe { gathered::total::<K, F, L>(kernel, range, n, &mut room, flag) })
}

/// The elements of chunk `c`.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn chunk(c: usize, n: usize) -> Range<usize> {
    let start = c * CHUNK;
    start..n.min(start + CHUNK)
}

/// The combination of one chunk's values, which also go to `keep`, the chunk's first value first.
/// `INSIDE` of a nest, or not.
///
/// `keep`, if given, has room for the range, which belongs to the caller.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn chunk_total<K: Combine, F: Flag, const L: usize, const INSIDE: bool>(
    kernel: &K,
    range: Range<usize>,
    keep: Option<Bases<K::Out>>,
    flag: &mut F,
) -> K::Out {
    if const { !K::COMMUTATIVE } {
        return ordered::<K, F, L, INSIDE>(kernel, range, keep, flag);
    }
    if const { first::applies::<K, F, L>() } && keep.is_none() {
        return first::total::<K, F, L, INSIDE>(kernel, range, flag);
    }
    if const { counts::applies::<K, L>() } && keep.is_none() {
        return counts::total::<K, F, L, INSIDE>(kernel, range, flag);
    }
    if const { rough::applies::<K, F, L>() } {
        return rough::total::<K, F, L, INSIDE>(kernel, range, keep, flag);
    }
    strided::<K, F, L, INSIDE>(kernel, range, keep, flag)
}

/// Whether the accumulators of a block stay in registers over all rounds, beside the indices: so does each
/// block on its own, one after the other.
const fn counts_rounds<K: Combine, const L: usize>() -> bool {
    K::COUNTS && (L == MAX_LANES || K::Out::BYTES <= 8)
}

/// As [`chunk_total`], by a commutative operator in the form that the kernel calls `combine`.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn strided<K: Combine, F: Flag, const L: usize, const INSIDE: bool>(
    kernel: &K,
    range: Range<usize>,
    keep: Option<Bases<K::Out>>,
    flag: &mut F,
) -> K::Out {
    if const { lanes_of::<K>(L) < L } {
        return strided::<K, F, 32, INSIDE>(kernel, range, keep, flag);
    }
    // What `store` asks for: a round is whole blocks. (A constant.)
    assert!(
        LANES.is_multiple_of(L),
        "{L} lanes do not fill a round; please report this"
    );
    let mut acc = kernel.neutral().splat::<LANES>();
    let mut lanes = K::Out::zero().splat::<L>();
    let rounds = range.len() / LANES;
    let mut counted = 0;
    if const { counts_rounds::<K, L>() } && keep.is_none() {
        while counted < LANES {
            let slots = K::Out::slots_from(&mut acc, counted);
            if !kernel.accumulate_rounds::<L, F>(range.start + counted, rounds, slots, flag) {
                break;
            }
            counted += L;
        }
    }
    if const { strips::applies::<K, F, L>() } && keep.is_none() && counted == 0 {
        strips::add::<K, F, L>(kernel, range.start, rounds, &mut acc, flag);
        counted = LANES;
    }
    for round in if counted < LANES { 0 } else { rounds }..rounds {
        let at = range.start + round * LANES;
        let mut q = counted;
        while q < LANES {
            if K::FUSES && keep.is_none() {
                kernel.accumulate::<L, F>(at + q, K::Out::slots_from(&mut acc, q), flag);
            } else {
                kernel.block::<L, F>(at + q, K::Out::slots(&mut lanes), flag);
                store::<K, L>(&lanes, keep, at + q - range.start);
                for l in 0..L {
                    let x = K::Out::get(&lanes, l);
                    let sum = kernel.combine(K::Out::get(&acc, q + l), x, flag);
                    K::Out::set(&mut acc, q + l, sum);
                }
            }
            q += L;
        }
    }
    let rest = range.start + rounds * LANES..range.end;
    if const { INSIDE && overhang::applies::<K, F, L>() } {
        let acc = overhang::add::<K, L>(kernel, rest, acc, keep, range.start);
        return tree_of_64(kernel, &acc, flag);
    }
    let round = Round {
        kernel,
        acc,
        first: rest.start,
        keep,
        start: range.start,
    };
    if INSIDE {
        return round.close::<F, L, true>(rest, flag);
    }
    let mut report = Report::default();
    let total = close(round, rest, &mut report);
    forward(report, flag);
    total
}

/// The last, incomplete round of a chunk.
struct Round<'a, K: Combine> {
    kernel: &'a K,
    acc: <K::Out as Product>::Lanes<LANES>,
    /// The element that goes to the first accumulator.
    first: usize,
    keep: Option<Bases<K::Out>>,
    /// The chunk's first element.
    start: usize,
}

impl<K: Combine> Round<'_, K> {
    /// Adds the round to the accumulators, then combines these in the fixed tree.
    #[cfg_attr(optimised, inline(always))]
    fn close<F: Flag, const L: usize, const INSIDE: bool>(
        mut self,
        rest: Range<usize>,
        flag: &mut F,
    ) -> K::Out {
        let kernel = self.kernel;
        if const { !INSIDE } {
            singly(kernel, rest, &mut self, flag);
        } else if const { L == 1 } {
            each::<K, _, F, 1, true>(kernel, rest, &mut self, flag);
        } else {
            each::<K, _, F, 16, true>(kernel, rest, &mut self, flag);
        }
        tree_of_64(kernel, &self.acc, flag)
    }
}

/// The fixed tree.
#[cfg_attr(optimised, inline(always))]
fn tree_of_64<K: Combine, F: Flag>(
    kernel: &K,
    acc: &<K::Out as Product>::Lanes<LANES>,
    flag: &mut F,
) -> K::Out {
    let acc = halve::<K, F, LANES, 32>(kernel, acc, flag);
    tree_of_16(kernel, &halve::<K, F, 32, 16>(kernel, &acc, flag), flag)
}

/// A step of the fixed tree: combines the two halves of `W` accumulators. Into an array of its own,
/// of a length that LLVM knows, or it finds no vectors in it.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn halve<K: Combine, F: Flag, const W: usize, const HALF: usize>(
    kernel: &K,
    acc: &<K::Out as Product>::Lanes<W>,
    flag: &mut F,
) -> <K::Out as Product>::Lanes<HALF> {
    let (first, second) = (
        K::Out::whole::<W, HALF>(acc, 0),
        K::Out::whole::<W, HALF>(acc, HALF),
    );
    let mut half = K::Out::zero().splat::<HALF>();
    for l in 0..HALF {
        let sum = kernel.combine(K::Out::get(&first, l), K::Out::get(&second, l), flag);
        K::Out::set(&mut half, l, sum);
    }
    K::Out::whole(&half, 0)
}

/// The last steps of the fixed tree.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn tree_of_16<K: Combine, F: Flag>(
    kernel: &K,
    acc: &<K::Out as Product>::Lanes<16>,
    flag: &mut F,
) -> K::Out {
    let acc = halve::<K, F, 16, 8>(kernel, acc, flag);
    tree_of_4(kernel, &halve::<K, F, 8, 4>(kernel, &acc, flag), flag)
}

#[cfg_attr(optimised, inline(always))]
pub(crate) fn tree_of_4<K: Combine, F: Flag>(
    kernel: &K,
    acc: &<K::Out as Product>::Lanes<4>,
    flag: &mut F,
) -> K::Out {
    let acc = halve::<K, F, 4, 2>(kernel, acc, flag);
    K::Out::get(&halve::<K, F, 2, 1>(kernel, &acc, flag), 0)
}

impl<K: Combine> Visit<K> for Round<'_, K> {
    #[cfg_attr(optimised, inline(always))]
    fn visit<const B: usize, F: Flag>(
        &mut self,
        at: usize,
        lanes: &<K::Out as Product>::Lanes<B>,
        flag: &mut F,
    ) {
        store::<K, B>(lanes, self.keep, at - self.start);
        let at = at - self.first;
        assert!(at <= LANES - B);
        let mut sums = K::Out::zero().splat::<B>();
        for l in 0..B {
            // One by one, but for the sums: LLVM joins these reads if no writes are in between.
            let (old, x) = (K::Out::get(&self.acc, at + l), K::Out::get(lanes, l));
            K::Out::set(&mut sums, l, self.kernel.combine(old, x, flag));
        }
        for l in 0..B {
            K::Out::set(&mut self.acc, at + l, K::Out::get(&sums, l));
        }
    }
}

/// As [`Round::close`], compiled once for all levels.
#[inline(never)]
fn close<K: Combine>(round: Round<'_, K>, rest: Range<usize>, report: &mut Report) -> K::Out {
    round.close::<Report, 1, false>(rest, report)
}

#[cfg_attr(optimised, inline(always))]
fn ordered<K: Combine, F: Flag, const L: usize, const INSIDE: bool>(
    kernel: &K,
    range: Range<usize>,
    keep: Option<Bases<K::Out>>,
    flag: &mut F,
) -> K::Out {
    let Range { start, end } = range;
    let total = single::<K, F, INSIDE>(kernel, start, flag);
    put::<K>(total, keep, 0);
    let mut row = InOrder {
        kernel,
        total,
        keep,
        start,
    };
    each::<K, _, F, L, INSIDE>(kernel, start + 1..end, &mut row, flag);
    row.total
}

struct InOrder<'a, K: Combine> {
    kernel: &'a K,
    total: K::Out,
    keep: Option<Bases<K::Out>>,
    /// The chunk's first element.
    start: usize,
}

impl<K: Combine> Visit<K> for InOrder<'_, K> {
    #[cfg_attr(optimised, inline(always))]
    fn visit<const B: usize, F: Flag>(
        &mut self,
        at: usize,
        lanes: &<K::Out as Product>::Lanes<B>,
        flag: &mut F,
    ) {
        store::<K, B>(lanes, self.keep, at - self.start);
        for l in 0..B {
            self.total = self.kernel.combine(self.total, K::Out::get(lanes, l), flag);
        }
    }
}

/// Keeps a value, if asked to, as the chunk's element `at`.
#[cfg_attr(optimised, inline(always))]
fn put<K: Combine>(value: K::Out, keep: Option<Bases<K::Out>>, at: usize) {
    if let Some(keep) = keep {
        // SAFETY: as for `store`.
        unsafe { value.put(keep.get(), at) };
    }
}

/// Keeps a block, if asked to, from the chunk's element `at` on.
#[cfg_attr(optimised, inline(always))]
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
#[cfg_attr(optimised, inline(always))]
pub(crate) fn forward<F: Flag>(report: Report, flag: &mut F) {
    if let Some(Failure::Check { id, values }) = report.failure() {
        flag.check(true, id, values);
    }
}

/// The violated check of the lowest index, else that of the first combination.
#[cold]
#[inline(never)]
fn diagnose<K: Combine>(kernel: &K, n: usize, before: Option<K::Out>) -> Failure {
    if const { !K::CHECKS } {
        return Failure::Internal;
    }
    if let Some(failure) = first_violation(kernel, n) {
        return failure;
    }
    let mut report = Report::default();
    let chunks = 0..n.div_ceil(CHUNK);
    join::<K, Report, 1, false>(kernel, n, chunks, before, None, &mut report);
    report.failure().unwrap_or(Failure::Internal)
}
