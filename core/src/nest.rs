//! Nested parallelism: a body per index that may hold operations on whole arrays.
//!
//! In: a nest, the number of its indices and the width of each output's rows. Out: all rows.
//! Assumes: nothing; a body that is wrong gives wrong rows or a panic.
//!
//! Indices run in parallel. What a body does with arrays ([`inner`](crate::inner)) is sequential, in
//! lanes, and compiled into the body for each feature level.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::error::Failure;
use crate::kernel::{Fast, Flag, Product, Report};
use crate::level::{Task, apart, dispatch};
use crate::memory;
use crate::parallel;
use crate::product::Bases;
use crate::recycle;
pub use crate::rows::{RowOut, Rows};
use crate::uneven;

/// A body that runs once per index of an outer space, and may hold inner array operations.
pub trait Nest: Sync {
    /// The scalar types of its outputs, one per output.
    type Outs: Rows;
    /// Whether it ever calls [`Flag::check`].
    const CHECKS: bool;
    /// Estimated scalar operations per index. Known at run time: the extents of inner operations
    /// count.
    fn cost(&self) -> usize;
    /// Computes index `index` into one row per output. Emitted with `#[inline(always)]`.
    fn run<const L: usize, F: Flag>(
        &self,
        index: usize,
        rows: &mut <Self::Outs as Rows>::Places<'_>,
        flag: &mut F,
    );
}

/// The rows of `0..n`, one after another, in new vectors of `n` times its width each.
///
/// Cost: `n` bodies, in parallel.
/// Errors: the violated check of the lowest index, and there the first in the order of the body; no
/// memory.
pub fn nest<N: Nest>(
    nest: &N,
    n: usize,
    widths: <N::Outs as Rows>::Widths,
) -> Result<<N::Outs as Rows>::Vecs, Failure> {
    let mut vecs = N::Outs::empty();
    nest_to(nest, n, widths, N::Outs::outs(&mut vecs))?;
    Ok(N::Outs::vecs(vecs))
}

/// The rows of `0..n`, one after another, straight into the caller's memory.
///
/// Cost and errors: as [`nest()`]; `ResultLength` for a slice of another length than `n` times the
/// width. After an error the contents are unspecified.
pub fn nest_to<N: Nest>(
    nest: &N,
    n: usize,
    widths: <N::Outs as Rows>::Widths,
    outs: <N::Outs as Product>::Outs<'_>,
) -> Result<(), Failure> {
    let shares: Shares<'_> = &|run| parallel::for_ranges(n, 1, nest.cost(), run);
    in_shares(nest, n, widths, outs, shares, &|range, out| {
        run(nest, range, out)
    })
}

/// Writes and closes the rows of these indices, unless a check is violated, which it says.
pub(crate) fn run<N: Nest>(nest: &N, range: Range<usize>, out: Out<N::Outs>) -> bool {
    dispatch(Run { nest, range, out })
}

/// As [`nest_to`], where index `i` reads the row of an irregular array from `offsets[i]` to
/// `offsets[i + 1]`: threads get shares of as many elements of that. (Offsets that are none make the
/// shares uneven, nothing else.)
pub fn nest_by_to<N: Nest>(
    nest: &N,
    n: usize,
    offsets: &[i64],
    widths: <N::Outs as Rows>::Widths,
    outs: <N::Outs as Product>::Outs<'_>,
) -> Result<(), Failure> {
    by_rows(nest, n, offsets, widths, outs, &|range, out| {
        run(nest, range, out)
    })
}

/// As [`nest_by_to`], where `run` writes and closes the rows of each index of a range, unless it says
/// that a check was violated.
pub(crate) fn by_rows<N: Nest>(
    nest: &N,
    n: usize,
    offsets: &[i64],
    widths: <N::Outs as Rows>::Widths,
    outs: <N::Outs as Product>::Outs<'_>,
    run: &(dyn Fn(Range<usize>, Out<N::Outs>) -> bool + Sync),
) -> Result<(), Failure> {
    if offsets.len() != n + 1 {
        return nest_to(nest, n, widths, outs);
    }
    let shares: Shares<'_> = &|run| uneven::for_rows(offsets, nest.cost(), run);
    in_shares(nest, n, widths, outs, shares, run)
}

/// What calls a function on ranges that cover all indices.
pub(crate) type Shares<'s> = &'s dyn Fn(&(dyn Fn(Range<usize>) + Sync));

/// Runs a nest in shares of its indices; `run` writes and closes the rows of each index of a range,
/// unless it says that a check was violated.
pub(crate) fn in_shares<N: Nest>(
    nest: &N,
    n: usize,
    widths: <N::Outs as Rows>::Widths,
    outs: <N::Outs as Product>::Outs<'_>,
    shares: Shares<'_>,
    run: &(dyn Fn(Range<usize>, Out<N::Outs>) -> bool + Sync),
) -> Result<(), Failure> {
    write_rows(n, widths, outs, shares, run, |out| diagnose(nest, n, out))
}

/// Writes the rows of `0..n`, as [`in_shares`]; after a violation `diagnose` says which.
pub(crate) fn write_rows<R: Rows>(
    n: usize,
    widths: R::Widths,
    mut outs: R::Outs<'_>,
    shares: Shares<'_>,
    run: &(dyn Fn(Range<usize>, Out<R>) -> bool + Sync),
    diagnose: impl FnOnce(Out<R>) -> Failure,
) -> Result<(), Failure> {
    let out = Out {
        starts: Bases::new(R::prepare_rows(&mut outs, n, widths)?),
        widths,
        stream: memory::beyond_caches(R::row_bytes(widths).saturating_mul(n)),
    };
    let violated = AtomicBool::new(false);
    shares(&|range: Range<usize>| {
        if recycle::near(|| run(range, out)) {
            violated.store(true, Ordering::Relaxed);
        }
        if out.stream {
            memory::fence();
        }
    });
    if violated.into_inner() {
        return Err(diagnose(out));
    }
    // SAFETY: `prepare_rows` made room for `n` rows, and `run` has written and closed each of them.
    unsafe { R::finish_rows(outs, n, widths) };
    Ok(())
}

/// Where the rows go.
pub(crate) struct Out<R: Rows> {
    starts: Bases<R>,
    widths: R::Widths,
    /// Round the caches.
    stream: bool,
}

impl<R: Rows> Clone for Out<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Rows> Copy for Out<R> {}

impl<R: Rows> Out<R> {
    /// Where the rows from `row` on go, of so many for which there is room.
    ///
    /// # Safety
    /// There is room for so many rows.
    pub(crate) unsafe fn behind(self, row: usize) -> Self {
        // SAFETY: promised by the caller.
        let starts = unsafe { R::behind(self.starts.get(), self.widths, row) };
        let starts = Bases::new(starts);
        Out { starts, ..self }
    }
}

/// Where rows go, of one length or of lengths of their own.
pub(crate) trait Opens<R: Rows>: Copy {
    /// The rows of some indices, to be closed when they are written. (No closure writes them between:
    /// LLVM need not inline one, and outside of a level's function it has the baseline's
    /// instructions.)
    ///
    /// # Safety
    /// There is room for them, and nobody else accesses it until they are closed.
    unsafe fn open<'r>(self, indices: Range<usize>) -> R::Places<'r>;
    /// Ends the writing of the rows of some indices.
    ///
    /// # Safety
    /// As for `open`, which gave rows of these indices.
    unsafe fn close(self, rows: R::Places<'_>, indices: Range<usize>);
}

impl<R: Rows> Opens<R> for Out<R> {
    #[cfg_attr(optimised, inline(always))]
    unsafe fn open<'r>(self, indices: Range<usize>) -> R::Places<'r> {
        // SAFETY: promised by the caller.
        unsafe { R::row(self.starts.get(), self.widths, indices, self.stream) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn close(self, rows: R::Places<'_>, indices: Range<usize>) {
        // SAFETY: promised by the caller; the body has given back what it borrowed of them.
        unsafe { R::close(rows, self.starts.get(), self.widths, indices) };
    }
}

struct Run<'a, N: Nest> {
    nest: &'a N,
    range: Range<usize>,
    out: Out<N::Outs>,
}

impl<N: Nest> Task for Run<'_, N> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        // SAFETY: the range is part of `0..n`, for which `prepare_rows` has made room, and it is this task's
        // alone, which `dispatch` has called.
        unsafe { one_by_one::<_, L>(self.nest, self.range, self.out) }
    }
}

/// Rows in the nest's own body, until a check is violated, which it says.
///
/// # Safety
/// There is room for them where `out` opens them, nobody else accesses it, and the processor has the
/// instructions of the level with `L` lanes.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn one_by_one<N: Nest, const L: usize>(
    nest: &N,
    rows: Range<usize>,
    out: impl Opens<N::Outs>,
) -> bool {
    let mut violated = false;
    for index in rows {
        // SAFETY: promised by the caller.
        violated |= unsafe { apart::<_, L>(Row { nest, index, out }) };
        if N::CHECKS && violated {
            break;
        }
    }
    violated
}

/// The rows of one index, for which there is room where `out` opens them. See Note [Apart] in `level.rs`.
struct Row<'a, N, O> {
    nest: &'a N,
    index: usize,
    out: O,
}

impl<N: Nest, O: Opens<N::Outs>> Task for Row<'_, N, O> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        let Row { nest, index, out } = self;
        let mut flag = Fast::default();
        // SAFETY: `one_by_one` makes no other of these.
        let mut rows = unsafe { out.open(index..index + 1) };
        nest.run::<L, Fast>(index, &mut rows, &mut flag);
        // SAFETY: these rows.
        unsafe { out.close(rows, index..index + 1) };
        flag.violated()
    }
}

/// The violated check of the lowest index, found by running all again, one lane at a time.
#[cold]
#[inline(never)]
fn diagnose<N: Nest>(nest: &N, n: usize, out: Out<N::Outs>) -> Failure {
    if const { !N::CHECKS } {
        return Failure::Internal;
    }
    let mut report = Report::default();
    for index in 0..n {
        // SAFETY: as in `Run`, whose tasks have all ended.
        unsafe { one(nest, index, out, &mut report) };
        if report.violated() {
            break;
        }
    }
    report.failure().unwrap_or(Failure::Internal)
}

/// Runs an index again, one lane at a time.
///
/// # Safety
/// There is room for its rows behind `out`, and nobody else accesses that.
pub(crate) unsafe fn one<N: Nest>(nest: &N, index: usize, out: Out<N::Outs>, report: &mut Report) {
    // SAFETY: promised by the caller.
    let mut rows = unsafe { N::Outs::row(out.starts.get(), out.widths, index..index + 1, false) };
    nest.run::<1, Report>(index, &mut rows, report);
}
