//! Scans (prefix combinations), in an order that depends on positions alone.
//!
//! In: a kernel with an operator, perhaps a start value. Out: all prefixes, and the total.
//! Assumes: as `reduce.rs`, whose totals the carries between chunks are.
//!
//! Note [Scan in turns]: workers take parts in order, of a few chunks each. A worker computes its part's
//! values and totals, notes them (`running.rs`), and turns the values into prefixes while they are still in
//! its cache, if the totals of all parts before are known. If not, because another worker is at one of them
//! and perhaps put aside by the system, it sums what comes next meanwhile: at worst the elements are read
//! twice. It waits only where the values take memory of its own, or it has summed too much already, and for
//! workers that are at lower parts and do not wait, so any number of threads will do.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::error::Failure;
use crate::kernel::{CHUNK, Combine, Fast, Flag, Operator, Product, Report};
use crate::level::{self, Task, dispatch};
use crate::memory;
use crate::parallel;
use crate::prefixes::{in_blocks, in_order, short};
use crate::product::Bases;
use crate::reduce::{chunk, chunk_total};
use crate::running::{MOST_WAITING, Mine, RunningTotals};
use crate::summed;
use crate::sums;
use crate::write::first_violation;

/// Elements that a commutative scan treats at once. Part of the language's meaning.
pub const BLOCK: usize = 16;

/// The vectors of prefixes, and the total.
pub type Scanned<P> = (<P as Product>::Vecs, Option<P>);

/// The prefixes of the values of `0..n`, in new vectors, and the total with `start` included.
///
/// Without `start`, a commutative operator starts from `neutral()`; any other starts with the
/// first element, and cannot be `exclusive`. The total is `None` when there is neither an element
/// nor a start.
///
/// Cost: `n` bodies, about 6 `n` combinations in lanes (3 `n` if not commutative), in parallel.
/// Errors: the violated check of the lowest index, then of the first combination; no memory;
/// `Internal` for an exclusive scan that has nothing to start with.
pub fn scan<K: Combine>(
    kernel: &K,
    n: usize,
    start: Option<K::Out>,
    exclusive: bool,
) -> Result<Scanned<K::Out>, Failure> {
    let mut vecs = K::Out::empty();
    let total = scan_to(kernel, n, start, exclusive, K::Out::outs(&mut vecs))?;
    Ok((vecs, total))
}

/// As [`scan()`], straight into the caller's memory.
///
/// Cost and errors: as [`scan()`]; `ResultLength` for a slice of another length. After an error the
/// contents are unspecified.
pub fn scan_to<K: Combine>(
    kernel: &K,
    n: usize,
    start: Option<K::Out>,
    exclusive: bool,
    mut outs: <K::Out as Product>::Outs<'_>,
) -> Result<Option<K::Out>, Failure> {
    let out = Bases::new(K::Out::prepare(&mut outs, n)?);
    let total = fill(kernel, n, start, exclusive, out)?;
    // SAFETY: `prepare` made room for `n`, and `fill` without an error has written `0..n`.
    unsafe { K::Out::finish(outs, n) };
    Ok(total)
}

/// Writes the prefixes `0..n` behind `out`, which has room for them and is the caller's.
pub(crate) fn fill<K: Combine>(
    kernel: &K,
    n: usize,
    start: Option<K::Out>,
    exclusive: bool,
    out: Bases<K::Out>,
) -> Result<Option<K::Out>, Failure> {
    if n == 0 {
        return Ok(start);
    }
    let start = start.or_else(|| K::COMMUTATIVE.then(|| kernel.neutral()));
    if exclusive && start.is_none() {
        return Err(Failure::Internal);
    }
    let chunks = n.div_ceil(CHUNK);
    let threads = parallel::threads(chunks, CHUNK * K::COST.max(4) as usize);
    let together = together::<K::Out>(chunks, threads);
    let parts = chunks.div_ceil(together);
    let run = Run {
        kernel,
        n,
        parts,
        together,
        how: How {
            exclusive,
            stream: memory::streams::<K::Out>(n),
        },
        out,
        next: AtomicUsize::new(0),
        carries: RunningTotals::new(start, parts)?,
        violated: AtomicBool::new(false),
    };
    parallel::workers(threads, &|| work(&run));
    if run.violated.into_inner() {
        return Err(diagnose(kernel, n, start, exclusive));
    }
    Ok(run.carries.into_last())
}

/// Chunks that a worker takes at once, at most.
const MOST_TOGETHER: usize = 4;

/// Bytes of these chunks: what stays in a second-level cache while more is read.
const TOGETHER: usize = 1 << 18;

/// Chunks that a worker takes at once, such that each gets its share of all.
fn together<P: Product>(chunks: usize, threads: usize) -> usize {
    let fitting = TOGETHER / (CHUNK * P::BYTES).max(1);
    let share = chunks / (16 * threads);
    fitting.min(share).clamp(1, MOST_TOGETHER)
}

/// The totals of a part's chunks.
type Totals<P> = [P; MOST_TOGETHER];

/// What the workers of one scan share.
struct Run<'a, K: Combine> {
    kernel: &'a K,
    n: usize,
    parts: usize,
    /// Chunks of a part.
    together: usize,
    how: How,
    out: Bases<K::Out>,
    /// The next part that nobody has taken.
    next: AtomicUsize,
    carries: RunningTotals<Option<K::Out>, Totals<K::Out>>,
    violated: AtomicBool,
}

impl<K: Combine> Run<'_, K> {
    /// A part that nobody else has taken, if there is one.
    fn take(&self) -> Option<usize> {
        let part = self.next.fetch_add(1, Ordering::Relaxed);
        (part < self.parts).then_some(part)
    }

    /// The chunks of a part, of which the last has fewer.
    fn chunks(&self, part: usize) -> Range<usize> {
        let first = part * self.together;
        first..self.n.div_ceil(CHUNK).min(first + self.together)
    }

    /// What is done for chunk `c`, which is so many chunks behind the first of its part.
    #[cfg_attr(optimised, inline(always))]
    fn part<const L: usize>(
        &self,
        c: usize,
        at: usize,
        scratch: Option<Bases<K::Out>>,
    ) -> Part<K::Out> {
        let range = chunk(c, self.n);
        // SAFETY: the chunk starts inside of the room for `n` elements.
        let out = Bases::new(unsafe { K::Out::advance(self.out.get(), range.start) });
        // SAFETY: there is room for a whole part.
        let aside =
            |room: Bases<K::Out>| Bases::new(unsafe { K::Out::advance(room.get(), at * CHUNK) });
        let values = match again::<K, L>() {
            true => None,
            false => Some(scratch.map_or(out, aside)),
        };
        Part { range, values, out }
    }
}

struct Worker<'a, 'k, K: Combine>(&'a Run<'k, K>);

fn work<K: Combine>(run: &Run<'_, K>) {
    dispatch(Worker(run));
    if run.how.stream {
        memory::fence();
    }
}

impl<K: Combine> Task for Worker<'_, '_, K> {
    type Out = ();

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) {
        let run = self.0;
        let mut flag = Fast::default();
        let mut room = K::Out::empty();
        let aside = run.how.stream && !again::<K, L>();
        let scratch = match aside && K::Out::reserve(&mut room, run.together * CHUNK).is_ok() {
            true => Some(Bases::new(K::Out::bases(&mut room))),
            false => None,
        };
        // There is one room for values aside.
        let mut mine = Mine::new(if scratch.is_some() { 1 } else { MOST_WAITING });
        let abandon = run.carries.guard();
        loop {
            while let Some(part) = mine.first()
                && let Some((carry, totals)) = run.carries.before(part)
            {
                let chunks = run.chunks(part);
                write::<K, L>(run, chunks, scratch, carry, &totals, &mut flag);
                mine.written();
            }
            if mine.has_room()
                && let Some(part) = mine.note(run.take())
            {
                let totals = sum::<K, L>(run, run.chunks(part), scratch, &mut flag);
                // Perhaps of parts behind it as well, which others have summed.
                run.carries.add(part, totals, |part, carry, totals| {
                    let totals = &totals[..run.chunks(part).len()];
                    totals.iter().fold(carry, |carry, total| {
                        Some(joined(run.kernel, carry, *total, &mut flag))
                    })
                });
            } else if mine.first().is_none() {
                break;
            } else {
                mine.pause();
            }
        }
        core::mem::forget(abandon);
        if flag.violated() {
            run.violated.store(true, Ordering::Relaxed);
        }
    }
}

/// The totals of some chunks, whose values go aside if there is room, or to where prefixes are due, or nowhere if
/// they are computed again.
#[cfg_attr(optimised, inline(always))]
fn sum<K: Combine, const L: usize>(
    run: &Run<'_, K>,
    chunks: Range<usize>,
    scratch: Option<Bases<K::Out>>,
    flag: &mut Fast,
) -> Totals<K::Out> {
    let mut totals = [K::Out::zero(); MOST_TOGETHER];
    for (at, c) in chunks.enumerate() {
        let Part { range, values, .. } = run.part::<L>(c, at, scratch);
        totals[at] = chunk_total::<K, Fast, L, false>(run.kernel, range, values, flag);
    }
    totals
}

/// Writes the prefixes of some chunks, which have these totals.
#[cfg_attr(optimised, inline(always))]
fn write<K: Combine, const L: usize>(
    run: &Run<'_, K>,
    chunks: Range<usize>,
    scratch: Option<Bases<K::Out>>,
    mut carry: Option<K::Out>,
    totals: &Totals<K::Out>,
    flag: &mut Fast,
) {
    for (at, c) in chunks.enumerate() {
        let part = run.part::<L>(c, at, scratch);
        prefixes::<K, L, Fast>(run.kernel, part, carry, run.how, flag);
        carry = Some(joined(run.kernel, carry, totals[at], flag));
    }
}

/// Writes the prefixes of one chunk, and returns the carry behind it. `INSIDE` of a nest, or not.
#[cfg_attr(optimised, inline(always))]
fn next_chunk<K: Combine, F: Flag, const L: usize, const INSIDE: bool>(
    kernel: &K,
    part: Part<K::Out>,
    carry: Option<K::Out>,
    how: How,
    flag: &mut F,
) -> K::Out {
    let range = part.range.clone();
    let total = chunk_total::<K, F, L, INSIDE>(kernel, range, part.values, flag);
    prefixes::<K, L, F>(kernel, part, carry, how, flag);
    joined(kernel, carry, total, flag)
}

/// The scan of `0..n` behind `out`, which has room for it and is the caller's, on this thread.
///
/// # Panics
/// When there is nothing to start an exclusive scan with, or the processor has not what the number
/// of lanes stands for; the compiler has to rule out both.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn scan_inside<K: Combine, F: Flag, const L: usize>(
    kernel: &K,
    n: usize,
    start: Option<K::Out>,
    exclusive: bool,
    out: Bases<K::Out>,
    flag: &mut F,
) -> Option<K::Out> {
    if n == 0 {
        return start;
    }
    let mut carry = start.or_else(|| K::COMMUTATIVE.then(|| kernel.neutral()));
    assert!(
        !exclusive || carry.is_some(),
        "nothing to start a scan with; please report this"
    );
    // What `sums.rs` asks for.
    assert!(!has_sums::<K, L>() || level::has_lanes::<L>());
    if const { K::COMMUTATIVE && L > 1 } && n <= BLOCK {
        let into = carry.unwrap_or_else(|| kernel.neutral());
        let total = short::<K, F, L>(kernel, n, into, exclusive, out, flag);
        return Some(kernel.combine(into, total, flag));
    }
    let how = How {
        exclusive,
        stream: false,
    };
    for c in 0..n.div_ceil(CHUNK) {
        let range = chunk(c, n);
        // SAFETY: the chunk starts inside of the room for `n` elements.
        let out = Bases::new(unsafe { K::Out::advance(out.get(), range.start) });
        let values = match again::<K, L>() {
            true => None,
            false => Some(out),
        };
        let part = Part { range, values, out };
        carry = Some(next_chunk::<K, F, L, true>(kernel, part, carry, how, flag));
    }
    carry
}

/// Bodies up to this cost are computed twice rather than kept.
pub(crate) const CHEAP: u32 = 4;

/// Whether the values are computed again, rather than kept, when they are turned into prefixes.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn again<K: Combine, const L: usize>() -> bool {
    has_sums::<K, L>() && K::COST <= CHEAP
}

/// Whether `sums.rs` does this kernel's steps.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn has_sums<K: Combine, const L: usize>() -> bool {
    adds::<K, L>() && sums::known::<K::Out, L>()
}

/// What rustc can know of that before it makes code.
pub(crate) const fn adds<K: Combine, const L: usize>() -> bool {
    K::COMMUTATIVE && matches!(K::OPERATOR, Operator::Add) && L >= 32
}

#[cfg_attr(optimised, inline(always))]
pub(crate) fn joined<K: Combine, F: Flag>(
    kernel: &K,
    carry: Option<K::Out>,
    total: K::Out,
    flag: &mut F,
) -> K::Out {
    match carry {
        Some(carry) => kernel.combine(carry, total, flag),
        None => total,
    }
}

/// What is written, and how.
#[derive(Clone, Copy)]
pub(crate) struct How {
    pub(crate) exclusive: bool,
    /// Round the caches.
    pub(crate) stream: bool,
}

/// One chunk of a scan.
pub(crate) struct Part<P: Product> {
    pub(crate) range: Range<usize>,
    /// Where `chunk_total` has written the values; `None` if they are to be computed again.
    pub(crate) values: Option<Bases<P>>,
    /// Where the prefixes go. May be where the values are.
    pub(crate) out: Bases<P>,
}

/// Writes the prefixes of one chunk.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn prefixes<K: Combine, const L: usize, F: Flag>(
    kernel: &K,
    part: Part<K::Out>,
    carry: Option<K::Out>,
    how: How,
    flag: &mut F,
) {
    let len = part.range.len();
    match (carry, part.values) {
        (Some(carry), _) if const { adds::<K, L>() } && has_sums::<K, L>() => {
            if const { sums::has_lines::<L>() } && how.stream && !how.exclusive && len >= L {
                summed::in_lines::<K, L, F>(kernel, part, carry, flag);
            } else {
                summed::in_vectors::<K, L, F>(kernel, part, carry, how, flag);
            }
        }
        (Some(carry), Some(values)) if K::COMMUTATIVE => {
            in_blocks(kernel, values, part.out, len, carry, how, flag);
        }
        (carry, Some(values)) if const { !K::COMMUTATIVE } => {
            in_order(kernel, values, part.out, len, carry, how.exclusive, flag);
        }
        // A commutative operator has its neutral element for a carry.
        _none => unreachable!("only `has_sums` kernels are computed again"),
    }
}

/// The violated check of the lowest index, else that of the first combination.
#[cold]
#[inline(never)]
fn diagnose<K: Combine>(kernel: &K, n: usize, start: Option<K::Out>, exclusive: bool) -> Failure {
    if const { !K::CHECKS } {
        return Failure::Internal;
    }
    match first_violation(kernel, n) {
        Some(failure) => failure,
        None => first_combination(kernel, n, start, exclusive).unwrap_or_else(|failure| failure),
    }
}

fn first_combination<K: Combine>(
    kernel: &K,
    n: usize,
    start: Option<K::Out>,
    exclusive: bool,
) -> Result<Failure, Failure> {
    let mut room = K::Out::empty();
    K::Out::reserve(&mut room, n.min(CHUNK))?;
    let how = How {
        exclusive,
        stream: false,
    };
    let out = Bases::<K::Out>::new(K::Out::bases(&mut room));
    let mut report = Report::default();
    let mut carry = start;
    for c in 0..n.div_ceil(CHUNK) {
        let range = chunk(c, n);
        let values = Some(out);
        let part = Part { range, values, out };
        carry = Some(next_chunk::<K, Report, 1, false>(
            kernel,
            part,
            carry,
            how,
            &mut report,
        ));
    }
    report.failure().ok_or(Failure::Internal)
}
