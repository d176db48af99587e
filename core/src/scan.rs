//! Scans (prefix combinations), in an order that depends on positions alone.
//!
//! In: a kernel with an operator, perhaps a start value. Out: all prefixes, and the total.
//! Assumes: as `reduce.rs`, whose totals the carries between chunks are.
//!
//! Note [Chained scan]: workers take chunks in order. A worker computes its chunk's values and
//! total, waits for its turn, takes the carry and leaves it combined with the total for the next
//! chunk, then turns the values into prefixes while they are still in its cache. A worker never
//! waits except for lower chunks, whose workers are running, so any number of threads will do.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::chain::Chain;
use crate::error::Failure;
use crate::kernel::{CHUNK, Combine, Fast, Flag, Operator, Product, Report};
use crate::level::{self, Task, dispatch};
use crate::memory;
use crate::parallel;
use crate::prefixes::{in_blocks, in_order, last_block, short};
use crate::product::Bases;
use crate::reduce::{chunk, chunk_total, forward};
use crate::sums::{self, Carry};
use crate::write::{first_violation, one};

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

/// Writes the prefixes `0..n` behind `out`, which has room for them.
fn fill<K: Combine>(
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
    let run = Run {
        kernel,
        n,
        how: How {
            exclusive,
            stream: memory::streams::<K::Out>(n),
        },
        out,
        next: AtomicUsize::new(0),
        chain: Chain::new(start),
        violated: AtomicBool::new(false),
    };
    let threads = parallel::threads(n.div_ceil(CHUNK), CHUNK * K::COST.max(4) as usize);
    parallel::workers(threads, &|| work(&run));
    if run.violated.into_inner() {
        return Err(diagnose(kernel, n, start, exclusive));
    }
    Ok(run.chain.into_carry())
}

/// What the workers of one scan share.
struct Run<'a, K: Combine> {
    kernel: &'a K,
    n: usize,
    how: How,
    out: Bases<K::Out>,
    /// The next chunk that nobody has taken.
    next: AtomicUsize,
    chain: Chain<K::Out>,
    violated: AtomicBool,
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

    #[inline(always)]
    fn run<const L: usize>(self) {
        let run = self.0;
        let mut flag = Fast::default();
        let mut room = K::Out::empty();
        let apart = run.how.stream && !again::<K, L>();
        let scratch = match apart && K::Out::reserve(&mut room, CHUNK).is_ok() {
            true => Some(Bases::new(K::Out::bases(&mut room))),
            false => None,
        };
        let chunks = run.n.div_ceil(CHUNK);
        let abandon = run.chain.guard();
        loop {
            let c = run.next.fetch_add(1, Ordering::Relaxed);
            if c >= chunks {
                break;
            }
            let range = chunk(c, run.n);
            // SAFETY: the chunk starts inside of the room for `n` elements.
            let out = Bases::new(unsafe { K::Out::advance(run.out.get(), range.start) });
            let values = match again::<K, L>() {
                true => None,
                false => Some(scratch.unwrap_or(out)),
            };
            let total =
                chunk_total::<K, Fast, L, false>(run.kernel, range.clone(), values, &mut flag);
            let carry = run.chain.wait(c);
            run.chain
                .pass(c, joined(run.kernel, carry, total, &mut flag));
            let part = Part { range, values, out };
            prefixes::<K, L, Fast>(run.kernel, part, carry, run.how, &mut flag);
        }
        core::mem::forget(abandon);
        if flag.violated() {
            run.violated.store(true, Ordering::Relaxed);
        }
    }
}

/// Writes the prefixes of one chunk, and returns the carry behind it. `INSIDE` of a nest, or not.
#[inline(always)]
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
#[inline(always)]
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
    if K::COMMUTATIVE && L > 1 && n <= BLOCK {
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
const CHEAP: u32 = 4;

/// Whether the values are computed again, rather than kept, when they are turned into prefixes.
#[inline(always)]
fn again<K: Combine, const L: usize>() -> bool {
    has_sums::<K, L>() && K::COST <= CHEAP
}

/// Whether `sums.rs` does this kernel's steps.
#[inline(always)]
pub(crate) fn has_sums<K: Combine, const L: usize>() -> bool {
    K::COMMUTATIVE && K::OPERATOR == Operator::Add && sums::known::<K::Out, L>()
}

#[inline(always)]
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
#[inline(always)]
fn prefixes<K: Combine, const L: usize, F: Flag>(
    kernel: &K,
    part: Part<K::Out>,
    carry: Option<K::Out>,
    how: How,
    flag: &mut F,
) {
    let len = part.range.len();
    match (carry, part.values) {
        (Some(carry), _) if has_sums::<K, L>() => {
            in_vectors::<K, L, F>(kernel, part, carry, how, flag);
        }
        (Some(carry), Some(values)) if K::COMMUTATIVE => {
            in_blocks(kernel, values, part.out, len, carry, how, flag);
        }
        (carry, Some(values)) => {
            in_order(kernel, values, part.out, len, carry, how.exclusive, flag);
        }
        (_, None) => unreachable!("only `has_sums` kernels are computed again"),
    }
}

/// Elements whose prefixes are put together before they are written.
const BATCH: usize = 512;

/// Room for one block, which ends in the carry, and a batch behind it.
#[repr(align(64))]
struct Room<T>(T);

/// As [`in_blocks`], by the functions of `sums.rs`.
#[inline(always)]
fn in_vectors<K: Combine, const L: usize, F: Flag>(
    kernel: &K,
    part: Part<K::Out>,
    carry: K::Out,
    how: How,
    flag: &mut F,
) {
    let len = part.range.len();
    let mut room;
    let mut batch = None;
    if how.exclusive || how.stream {
        room = Room(carry.splat::<{ BLOCK + BATCH }>());
        batch = Some(K::Out::lane_bases(&mut room.0));
    }
    let mut carry = Carry::new(carry);
    let mut done = 0;
    while done < len {
        let count = (len - done).min(BATCH);
        // SAFETY: `out` has room for `len` elements, and `batch` for a block more than `count`.
        let (out, to) = unsafe {
            let out = K::Out::advance(part.out.get(), done);
            (
                out,
                batch.map_or(out, |batch| K::Out::advance(batch, BLOCK)),
            )
        };
        let mut at = 0;
        while at + L <= count {
            let mut lanes = K::Out::zero().splat::<L>();
            fetch::<K, L, F>(kernel, &part, done + at, &mut lanes, flag);
            let from = K::Out::lane_bases(&mut lanes);
            // SAFETY: `to` has room for `count` elements; `has_sums` was asked, and this code
            // belongs to a task.
            unsafe {
                let to = K::Out::first(K::Out::advance(to, at));
                sums::prefixes::<K::Out, L>(K::Out::first(from), to, L / BLOCK, &mut carry);
            }
            at += L;
        }
        if at < count {
            let mut lanes = K::Out::zero().splat::<L>();
            let rest = count - at;
            fetch_last::<K, L, F>(kernel, &part, rest, &mut lanes, flag);
            let from = K::Out::lane_bases(&mut lanes);
            let whole = rest / BLOCK * BLOCK;
            // SAFETY: as above, for `rest` elements.
            let out = unsafe {
                let to = K::Out::advance(to, at);
                let blocks = rest / BLOCK;
                sums::prefixes::<K::Out, L>(
                    K::Out::first(from),
                    K::Out::first(to),
                    blocks,
                    &mut carry,
                );
                Bases::new(K::Out::advance(to, whole))
            };
            let last = Part {
                range: whole..rest,
                values: Some(Bases::new(from)),
                out,
            };
            let mut report = Report::default();
            last_block(kernel, last, carry.get(), false, &mut report);
            forward(report, flag);
        }
        if let Some(batch) = batch {
            let first = BLOCK - usize::from(how.exclusive);
            // SAFETY: the batch holds `BLOCK + count` elements, `out` has room for `count`; the
            // products of `has_sums` are single numbers, without padding.
            unsafe {
                let from = K::Out::first(K::Out::advance(batch, first));
                let bytes = count * K::Out::BYTES;
                memory::copy::<L>(from, K::Out::first(out), bytes, how.stream);
                K::Out::read(batch, BLOCK + count - 1).put(batch, BLOCK - 1);
            }
        }
        done += count;
    }
}

/// The values of the chunk's elements `at .. at + L`.
#[inline(always)]
fn fetch<K: Combine, const L: usize, F: Flag>(
    kernel: &K,
    part: &Part<K::Out>,
    at: usize,
    lanes: &mut <K::Out as Product>::Lanes<L>,
    flag: &mut F,
) {
    match part.values {
        // SAFETY: `chunk_total` has written the chunk's values on this thread.
        Some(values) => unsafe { K::Out::fetch_at(lanes, 0, values.get(), at, L) },
        None => kernel.block::<L, F>(part.range.start + at, K::Out::slots(lanes), flag),
    }
}

/// The values of the chunk's last `count` elements, fewer than `L`.
#[inline(always)]
fn fetch_last<K: Combine, const L: usize, F: Flag>(
    kernel: &K,
    part: &Part<K::Out>,
    count: usize,
    lanes: &mut <K::Out as Product>::Lanes<L>,
    flag: &mut F,
) {
    let Range { start, end } = part.range;
    if let Some(values) = part.values {
        // SAFETY: as in `fetch`.
        unsafe { K::Out::fetch_at(lanes, 0, values.get(), end - start - count, count) };
    } else if end >= L {
        let mut whole = K::Out::zero().splat::<L>();
        kernel.block::<L, F>(end - L, K::Out::slots(&mut whole), flag);
        let to = K::Out::lane_bases(lanes);
        // SAFETY: the lanes have room for `count < L` elements.
        unsafe { K::Out::store_from(&whole, L - count, to, 0, count) };
    } else {
        let mut report = Report::default();
        for l in 0..count {
            K::Out::set(lanes, l, one(kernel, end - count + l, &mut report));
        }
        forward(report, flag);
    }
}

/// The violated check of the lowest index, else that of the first combination.
#[cold]
#[inline(never)]
fn diagnose<K: Combine>(kernel: &K, n: usize, start: Option<K::Out>, exclusive: bool) -> Failure {
    if !K::CHECKS {
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
