//! Nests whose indices give rows of lengths that nobody knows before they are there.
//!
//! In: a nest, and the number of its indices. Out: the rows, one after another, and their total length.
//! Assumes: nothing; a body that is wrong gives wrong rows or a panic.
//!
//! Note [One pass]. To write rows where they go takes their lengths, and what keeps some of the elements
//! of an array knows these no sooner than the elements. So each task writes its indices' rows behind each
//! other into memory of its own, which is copied together when all are done: a copy in order costs far
//! less than to compute what the rows are of twice.

use core::mem;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::append;
use crate::budget;
use crate::error::Failure;
use crate::kernel::{Element, Fast, Flag, Product, Report};
use crate::level::{Task, apart, dispatch};
use crate::memory;
use crate::parallel;
use crate::product::Bases;
use crate::recycle::{self, Buffer};
use crate::tuples::for_tuples;

/// A body that runs once per index of an outer space and gives rows of any lengths.
pub trait Join: Sync {
    /// The scalar types of its outputs, one per output.
    type Outs: Joined;
    /// Whether it ever calls [`Flag::check`].
    const CHECKS: bool;
    /// As that of a [`Nest`](crate::Nest).
    fn cost(&self) -> usize;
    /// Puts the rows of index `index` behind those of the indices before, of one length in each output.
    /// Emitted with `#[inline(always)]`.
    fn run<const L: usize, F: Flag>(
        &self,
        index: usize,
        rows: &mut <Self::Outs as Joined>::Ends<'_>,
        flag: &mut F,
    );
    /// Whether it asks for anything.
    const ASKS: bool = false;
    /// Asks for what index `index`, to be run in a while, reads where an element says.
    fn ask_far(&self, _index: usize) {}
    /// Asks for what index `index`, to be run soon, reads where that says which was asked for before.
    fn ask_near(&self, _index: usize) {}
}

/// Indices from what is run to what is asked for near; as many to what is asked for far.
const AHEAD: usize = 8;

/// How much longer than [`Join::cost`] says an index takes, which knows no lengths and takes elements
/// to be computed in full blocks of lanes: rows are short mostly, and lie anywhere.
const SLOWER: usize = 32;

/// The rows of `0..n`, one after another, straight into the caller's memory; gives how many elements
/// each output has.
///
/// Cost: `n` bodies, in parallel, and a copy of the rows; see Note [One pass].
/// Errors: the violated check of the lowest index, and there the first in the order of the body; no
/// memory; `ResultLength` for a slice of another length. After an error the contents are unspecified.
pub fn join_to<N: Join>(
    nest: &N,
    n: usize,
    mut outs: <N::Outs as Product>::Outs<'_>,
) -> Result<usize, Failure> {
    let cost = nest.cost().saturating_mul(SLOWER);
    let part = part(n, cost);
    let parts: Vec<Mutex<Part<N>>> = (0..n.div_ceil(part))
        .map(|_| Mutex::new(N::Outs::empty()))
        .collect();
    let violated = AtomicBool::new(false);
    let run = |at: usize| {
        let range = at * part..n.min((at + 1) * part);
        let mut rows = N::Outs::empty();
        // Before the body runs, so that memory of earlier parts is found. There may be none for so
        // many, and enough.
        let _ = N::Outs::reserve(&mut rows, FIRST.min(EACH * range.len()));
        let (rows, failed) = recycle::near(|| dispatch(Run { nest, range, rows }));
        *parts[at].lock().unwrap_or_else(PoisonError::into_inner) = rows;
        violated.fetch_or(failed, Ordering::Relaxed);
    };
    match parts.len() {
        0 | 1 => (0..parts.len()).for_each(run),
        several => parallel::each(several, &run),
    }
    if violated.into_inner() {
        return Err(diagnose(nest, n));
    }
    let parts = parts.into_iter().map(Mutex::into_inner);
    let mut parts: Vec<Part<N>> = parts
        .map(|it| it.unwrap_or_else(PoisonError::into_inner))
        .collect();
    if parts.len() == 1 && N::Outs::is_full(&parts[0]) {
        let rows = parts.remove(0);
        let count = N::Outs::count(&rows);
        return N::Outs::give(outs, rows).map(|()| count);
    }
    let mut firsts = Vec::with_capacity(parts.len());
    let mut total = 0;
    for rows in &parts {
        firsts.push(total);
        total += N::Outs::count(rows);
    }
    let out = Bases::<N::Outs>::new(N::Outs::prepare(&mut outs, total)?);
    parallel::for_ranges(
        parts.len(),
        1,
        COPIED.saturating_mul(total / parts.len().max(1)),
        &|range| {
            for at in range {
                // SAFETY: `prepare` made room for all parts together, of which each has its own.
                unsafe { N::Outs::copy(&parts[at], out.get(), firsts[at]) };
            }
        },
    );
    parts.into_iter().for_each(N::Outs::leave);
    // SAFETY: `prepare` made room for `total`, and all parts have been copied there.
    unsafe { N::Outs::finish(outs, total) };
    Ok(total)
}

/// Indices of each part: as many in one as in another, since there may be few that take long.
fn part(n: usize, cost: usize) -> usize {
    let threads = parallel::threads(n, cost);
    if threads == 1 {
        return n.max(1);
    }
    let most = parallel::leaf(n, cost).max(n / (MOST * threads));
    n.div_ceil(n.div_ceil(most).next_multiple_of(threads))
}

/// Parts for each thread at most: while they are made, each has memory that it does not need yet.
const MOST: usize = 64;

/// Elements for which each part has room at first; fewer if there are not so many indices that each has
/// some.
const FIRST: usize = 1 << 14;
const EACH: usize = 64;

/// Estimated scalar operations for which a copied element counts.
const COPIED: usize = 2;

/// What a task makes.
type Part<N> = <<N as Join>::Outs as Product>::Vecs;

struct Run<'a, N: Join> {
    nest: &'a N,
    range: Range<usize>,
    rows: Part<N>,
}

impl<N: Join> Task for Run<'_, N> {
    /// The rows, and whether a check was violated.
    type Out = (Part<N>, bool);

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> (Part<N>, bool) {
        let Run {
            nest,
            range,
            mut rows,
        } = self;
        let mut violated = false;
        {
            let mut ends = N::Outs::ends(&mut rows);
            for index in range {
                if N::ASKS {
                    // The last ones ask for what follows the last one, wherever that is.
                    nest.ask_far(index.wrapping_add(2 * AHEAD));
                    nest.ask_near(index.wrapping_add(AHEAD));
                }
                let ends = &mut ends;
                // SAFETY: `dispatch` has called this.
                violated |= unsafe { apart::<_, L>(Row { nest, index, ends }) };
                if N::CHECKS && violated {
                    break;
                }
            }
        }
        (rows, violated)
    }
}

/// The rows of one index, to be appended. See Note [Apart] in `level.rs`.
struct Row<'r, 'e, N: Join> {
    nest: &'r N,
    index: usize,
    ends: &'r mut <N::Outs as Joined>::Ends<'e>,
}

impl<N: Join> Task for Row<'_, '_, N> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        let mut flag = Fast::default();
        self.nest.run::<L, Fast>(self.index, self.ends, &mut flag);
        flag.violated()
    }
}

/// The violated check of the lowest index, found by running all again, one lane at a time.
#[cold]
#[inline(never)]
fn diagnose<N: Join>(nest: &N, n: usize) -> Failure {
    if const { !N::CHECKS } {
        return Failure::Internal;
    }
    let mut report = Report::default();
    for index in 0..n {
        let mut row = N::Outs::empty();
        nest.run::<1, Report>(index, &mut N::Outs::ends(&mut row), &mut report);
        if report.violated() {
            break;
        }
    }
    report.failure().unwrap_or(Failure::Internal)
}

/// The end of an array that grows by rows.
#[derive(Debug)]
pub struct End<'a, T: Element>(&'a mut Vec<T>, Whose);

/// Who counts the memory of an array that grows.
#[derive(Clone, Copy, Debug)]
enum Whose {
    /// It grows in a body, and yet it stays.
    Joined,
    /// It is an array like any other.
    Own,
}

impl<'a, T: Element> From<&'a mut Buffer<T>> for End<'a, T> {
    fn from(buffer: &'a mut Buffer<T>) -> Self {
        End(buffer.as_vec(), Whose::Joined)
    }
}

impl<'a, T: Element> End<'a, T> {
    /// The end of an array that grows where it was made.
    #[inline]
    pub fn own(buffer: &'a mut Buffer<T>) -> Self {
        End(buffer.as_vec(), Whose::Own)
    }

    /// Puts a row there. Without memory the flag is told.
    #[cfg_attr(optimised, inline(always))]
    pub fn copy<F: Flag>(&mut self, row: &[T], flag: &mut F) {
        match self.room(row.len()) {
            Ok(_) => self.0.extend_from_slice(row),
            Err(failure) => flag.fail(failure),
        }
    }

    /// Makes room for `n` more elements, and says where they go.
    #[cfg_attr(optimised, inline(always))]
    fn room(&mut self, n: usize) -> Result<*mut T, Failure> {
        if self.0.capacity() - self.0.len() < n {
            self.grow(n)?;
        }
        Ok(self.0.spare_capacity_mut().as_mut_ptr().cast())
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, n: usize) -> Result<(), Failure> {
        if let Whose::Own = self.1 {
            return append::grow(self.0, n);
        }
        let need = self.0.len().saturating_add(n);
        // Not twice its length: where each row asks for more than it keeps, all would ask for more memory.
        let room = need.max(self.0.capacity().saturating_mul(2));
        budget::take(room.saturating_mul(size_of::<T>()))?;
        let mut larger = Vec::new();
        memory::reserve_aside(&mut larger, room)?;
        larger.extend_from_slice(self.0);
        let smaller = mem::replace(self.0, larger);
        budget::give(smaller.capacity() * size_of::<T>());
        recycle::recycle(smaller);
        Ok(())
    }
}

/// A product of scalars, `(A,)`, `(A, B)`, … to 12, of each of which rows of any lengths are joined.
pub trait Joined: Product<Vecs: Send + Sync> {
    /// One end per component.
    type Ends<'a>;
    /// One `&mut` end per component.
    type Onto<'a, 'e: 'a>;
    /// The ends of vectors.
    fn ends(vecs: &mut Self::Vecs) -> Self::Ends<'_>;
    /// Makes room for `n` more elements behind each end, and says where they go.
    #[doc(hidden)]
    fn room(ends: &mut Self::Onto<'_, '_>, n: usize) -> Result<Self::Bases, Failure>;
    /// Declares `n` more elements written.
    ///
    /// # Safety
    /// `room` succeeded for so many, and each has been written since where it said.
    #[doc(hidden)]
    unsafe fn grown(ends: Self::Onto<'_, '_>, n: usize);
    /// How many elements each of the vectors has.
    ///
    /// # Panics
    /// When they differ, which the compiler has to rule out.
    #[doc(hidden)]
    fn count(vecs: &Self::Vecs) -> usize;
    /// Whether the vectors have not much more memory than they need.
    #[doc(hidden)]
    fn is_full(vecs: &Self::Vecs) -> bool;
    /// Puts the vectors where results go.
    #[doc(hidden)]
    fn give(outs: Self::Outs<'_>, vecs: Self::Vecs) -> Result<(), Failure>;
    /// Copies the vectors to the elements from `at` on.
    ///
    /// # Safety
    /// There is room for them, which no other thread accesses meanwhile.
    #[doc(hidden)]
    unsafe fn copy(vecs: &Self::Vecs, bases: Self::Bases, at: usize);
    /// Leaves the memory of the vectors to others.
    #[doc(hidden)]
    fn leave(vecs: Self::Vecs);
}

macro_rules! joined {
    ($($T:ident $before:tt $i:tt),+) => {
        impl<$($T: Element),+> Joined for ($($T,)+) {
            type Ends<'a> = ($(End<'a, $T>,)+);
            type Onto<'a, 'e: 'a> = ($(&'a mut End<'e, $T>,)+);

            #[cfg_attr(optimised, inline(always))]
            fn ends(vecs: &mut Self::Vecs) -> Self::Ends<'_> {
                ($(End(&mut vecs.$i, Whose::Joined),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn room(ends: &mut Self::Onto<'_, '_>, n: usize) -> Result<Self::Bases, Failure> {
                Ok(($(ends.$i.room(n)?,)+))
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn grown(ends: Self::Onto<'_, '_>, n: usize) {
                $(let len = ends.$i.0.len() + n;
                // SAFETY: the caller has made room for and written `n` more elements.
                unsafe { ends.$i.0.set_len(len) };)+
            }

            fn count(vecs: &Self::Vecs) -> usize {
                let counts = [$(vecs.$i.len()),+];
                match counts.iter().all(|it| *it == counts[0]) {
                    true => counts[0],
                    false => other_count(),
                }
            }

            fn is_full(vecs: &Self::Vecs) -> bool {
                true $(&& vecs.$i.capacity() - vecs.$i.len() <= vecs.$i.capacity() / 5)+
            }

            fn give(outs: Self::Outs<'_>, vecs: Self::Vecs) -> Result<(), Failure> {
                $(outs.$i.give(Buffer::from(vecs.$i))?;)+
                Ok(())
            }

            unsafe fn copy(vecs: &Self::Vecs, bases: Self::Bases, at: usize) {
                // SAFETY: promised by the caller, of memory that is not theirs.
                unsafe { $(
                    let (from, to) = (&vecs.$i, bases.$i.add(at));
                    from.as_ptr().copy_to_nonoverlapping(to, from.len());
                )+ }
            }

            fn leave(vecs: Self::Vecs) {
                $(recycle::recycle(vecs.$i);)+
            }
        }
    };
}

for_tuples!(joined);

/// A mistake of the compiler.
#[cold]
#[inline(never)]
pub(crate) fn other_count() -> ! {
    panic!("rows of other lengths in one output than in another; please report this");
}
