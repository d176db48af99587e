//! Loops that compute whole arrays from the last ones, again and again, tiled in time.
//!
//! In: the arrays, and one kernel per trip (a *sweep*) that reads them near its own row. Out: the
//! arrays after the last trip.
//! Assumes: nothing; a kernel that reads elsewhere gives wrong values or a panic.
//!
//! Note [Time tiles]. One pass over memory per sweep is what a plain loop costs. Here several sweeps
//! go together: a thread takes a slab of rows through all of them while its rows are in the cache.
//! Row `i` of a sweep needs the rows `i - r ..= i + r` of the sweep before. So inside a slab the
//! sweeps follow each other at a distance of `r` rows (time skewing; Wonnacott, "Using time skewing
//! to eliminate idle time due to memory bandwidth and network limitations", IPDPS 2000), each with a
//! window of a few rows that slides along: of all but the last sweep nothing else is stored. Between
//! slabs the rows that both need are computed by both, so that slabs depend on nothing but the arrays
//! before (overlapped tiling; Krishnamoorthy and others, "Effective automatic parallelization of
//! stencil computations", PLDI 2007): a sweep computes as many rows more on each side as later ones
//! reach. What is computed twice has the same bits.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::error::Failure;
use crate::kernel::{Fast, Flag, Product};
use crate::lanes::total;
use crate::level::{Task, dispatch};
use crate::parallel;
use crate::product::Bases;
use crate::rowed::{ROWS, Rowed, To, rows, write_rows_to};
pub use crate::states::States;

/// One trip: a kernel whose values are the next elements of arrays that it reads.
pub trait Sweep: Rowed<Out: States> {
    /// Rows on each side of its own (elements, where there is one dimension) that an index reads of
    /// these arrays.
    const REACH: usize;
    /// The kernel, reading other arrays.
    type At<'s>: Rowed<Out = Self::Out>
    where
        Self: 's;
    /// The kernel, reading parts of the arrays that start at element `from`.
    fn at<'s>(&'s self, arrays: <Self::Out as States>::Views<'s>, from: usize) -> Self::At<'s>;
}

/// The arrays of a loop, and the sweeps that have not been done yet.
pub struct Sweeps<K: Sweep> {
    arrays: <K::Out as States>::Arrays,
    /// Memory for the next ones.
    spare: <K::Out as States>::Arrays,
    windows: <K::Out as States>::Arrays,
    due: Vec<K>,
    shape: Shape,
    plan: Plan,
}

/// The extents of the arrays.
#[derive(Clone, Copy)]
struct Shape {
    /// Along the outermost axis.
    rows: usize,
    /// Elements of one row.
    stride: usize,
    /// Elements along the innermost axis.
    width: usize,
}

/// How sweeps are done together.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// How many.
    sweeps: usize,
    /// Rows of a sweep that are computed before the next sweep follows.
    step: usize,
    /// Rows of a window.
    room: usize,
    /// Rows of a slab.
    slab: usize,
    threads: usize,
}

impl<K: Sweep> Sweeps<K> {
    /// The arrays before the first trip, of these extents, outermost first.
    pub fn new<const RANK: usize>(
        arrays: <K::Out as States>::Arrays,
        extents: [usize; RANK],
    ) -> Self {
        let shape = Shape::new(&extents);
        Sweeps {
            arrays,
            spare: Default::default(),
            windows: Default::default(),
            due: Vec::new(),
            plan: Plan::of::<K>(shape),
            shape,
        }
    }

    /// One trip more.
    ///
    /// Errors: the violated check of the lowest index of the first sweep that has one; no memory.
    #[inline]
    pub fn push(&mut self, kernel: K) -> Result<(), Failure> {
        self.due.push(kernel);
        match self.due.len() < self.plan.sweeps {
            true => Ok(()),
            false => self.run(),
        }
    }

    /// The arrays after the last trip.
    ///
    /// Errors: as for [`push`](Sweeps::push).
    pub fn finish(mut self) -> Result<<K::Out as States>::Arrays, Failure> {
        self.run()?;
        Ok(self.arrays)
    }

    /// Does what is due.
    fn run(&mut self) -> Result<(), Failure> {
        let mut due = core::mem::take(&mut self.due);
        let violated = match due.len() {
            0 => false,
            1 => true,
            _several => self.together(&due)?,
        };
        if violated {
            // The arrays are as before: one after the other, to find the first violation.
            due.iter().try_for_each(|kernel| self.alone(kernel))?;
        }
        due.clear();
        self.due = due;
        Ok(())
    }

    fn alone(&mut self, kernel: &K) -> Result<(), Failure> {
        let (n, width) = (self.shape.elements(), self.shape.width);
        {
            let kernel = kernel.at(K::Out::views(&self.arrays), 0);
            let outs = K::Out::places(&mut self.spare);
            write_rows_to(&kernel, n, width, outs)?;
        }
        core::mem::swap(&mut self.arrays, &mut self.spare);
        Ok(())
    }

    /// Does several sweeps; says whether a check was violated, and leaves the arrays as they are then.
    fn together(&mut self, due: &[K]) -> Result<bool, Failure> {
        let Shape { rows, stride, .. } = self.shape;
        let Plan {
            room,
            slab,
            threads,
            ..
        } = self.plan;
        let n = self.shape.elements();
        let out = Bases::<K::Out>::new(K::Out::room(&mut self.spare, n)?);
        let own = (due.len() - 1) * room * stride;
        let windows = K::Out::room(&mut self.windows, threads * own)?;
        let windows = Bases::<K::Out>::new(windows);
        let (next, worker) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let violated = AtomicBool::new(false);
        let arrays = &self.arrays;
        let (shape, plan) = (self.shape, self.plan);
        parallel::workers(threads, &|| {
            let at = worker.fetch_add(1, Ordering::Relaxed) * own;
            loop {
                let start = next.fetch_add(slab, Ordering::Relaxed);
                if start >= rows {
                    break;
                }
                // SAFETY: one of `threads` workers, for each of which there is room.
                let windows = Bases::<K::Out>::new(unsafe { K::Out::advance(windows.get(), at) });
                let slab = start..rows.min(start + slab);
                if dispatch(Slab {
                    due,
                    arrays,
                    shape,
                    plan,
                    slab,
                    windows,
                    out,
                }) {
                    violated.store(true, Ordering::Relaxed);
                }
            }
        });
        if violated.into_inner() {
            return Ok(true);
        }
        // SAFETY: there is room for `n` elements, and the slabs have written each of them.
        unsafe { K::Out::written(&mut self.spare, n) };
        core::mem::swap(&mut self.arrays, &mut self.spare);
        Ok(false)
    }
}

impl Shape {
    fn new(extents: &[usize]) -> Shape {
        Shape {
            rows: extents[0],
            stride: total(&extents[1..]),
            width: extents[extents.len() - 1],
        }
    }

    /// How many elements there are; see [`total`].
    fn elements(self) -> usize {
        total(&[self.rows, self.stride])
    }
}

/// Bytes of windows that stay in a core's own cache.
const CACHE: usize = 512 << 10;

/// Arrays of less than so many bytes stay in the caches by themselves.
const SMALL: usize = 64 << 10;

/// The most sweeps that go together: with so many, memory is no longer what they wait for.
const MOST: usize = 8;

/// Bytes of a sweep after which the next one follows: it finds them in the nearest cache.
const STEP: usize = 16 << 10;

/// Slabs per thread, so that a thread that is late leaves some to others.
const SLABS: usize = 2;

/// How many times longer than what it needs beyond its ends a slab is at least.
const LONG: usize = 8;

impl Plan {
    fn of<K: Sweep>(shape: Shape) -> Plan {
        let Shape { rows, stride, .. } = shape;
        let bytes = stride.saturating_mul(K::Out::BYTES).max(1);
        let reach = K::REACH.max(1);
        // Each sweep but the last has a window, with room for a step and what the next one reads.
        let both = reach.saturating_mul(2);
        let least = bytes.saturating_mul(both.saturating_add(ROWS.min(both)));
        let sweeps = (CACHE / least + 1).min(MOST);
        if shape.elements().saturating_mul(K::Out::BYTES) < SMALL || sweeps < 2 {
            return Plan::ALONE;
        }
        let most = CACHE / (bytes * (sweeps - 1)) - 2 * reach;
        let step = match (most / 2).min((STEP / bytes).max(ROWS)) {
            few @ 0..ROWS => few.max(1),
            step => step - step % ROWS,
        };
        let cost = (K::COST as usize).saturating_mul(stride);
        let threads = parallel::threads(rows, cost.saturating_mul(sweeps));
        let slab = rows.div_ceil(threads * SLABS);
        Plan {
            sweeps,
            step,
            room: 2 * reach + most.min(4 * step),
            slab: slab.max(LONG * sweeps * reach),
            threads,
        }
    }

    const ALONE: Plan = Plan {
        sweeps: 1,
        step: 0,
        room: 0,
        slab: 0,
        threads: 1,
    };
}

/// Takes a slab of rows through several sweeps.
struct Slab<'a, K: Sweep> {
    due: &'a [K],
    arrays: &'a <K::Out as States>::Arrays,
    shape: Shape,
    plan: Plan,
    slab: Range<usize>,
    /// This worker's memory.
    windows: Bases<K::Out>,
    out: Bases<K::Out>,
}

impl<K: Sweep> Task for Slab<'_, K> {
    /// Whether a check was violated.
    type Out = bool;

    #[inline(always)]
    fn run<const L: usize>(self) -> bool {
        let last = self.due.len() - 1;
        let mut flag = Fast::default();
        // Per sweep, the rows that are in its window.
        let mut there: [Range<usize>; MOST] = core::array::from_fn(|sweep| {
            let first = self.needed(last.saturating_sub(sweep)).start;
            first..first
        });
        let mut front = there[0].start;
        while there[last].end < self.slab.end {
            front += self.plan.step;
            for sweep in 0..=last {
                let top = self.needed(last - sweep).end;
                let end = front.saturating_sub(sweep * K::REACH).min(top);
                if end > there[sweep].end {
                    self.advance::<L>(sweep, end, &mut there, &mut flag);
                }
                if flag.violated() {
                    return true;
                }
            }
        }
        false
    }
}

impl<K: Sweep> Slab<'_, K> {
    /// The rows of a sweep that are needed, so many sweeps before the last.
    #[inline(always)]
    fn needed(&self, before: usize) -> Range<usize> {
        let more = before * K::REACH;
        self.slab.start.saturating_sub(more)..self.shape.rows.min(self.slab.end + more)
    }

    /// Computes the rows of a sweep up to `end`.
    #[inline(always)]
    fn advance<const L: usize>(
        &self,
        sweep: usize,
        end: usize,
        there: &mut [Range<usize>; MOST],
        flag: &mut Fast,
    ) {
        let Shape { stride, width, .. } = self.shape;
        let start = there[sweep].end;
        let to = match sweep + 1 == self.due.len() {
            true => To {
                bases: self.out,
                first: 0,
                stream: false,
            },
            false => {
                if end - there[sweep].start > self.plan.room {
                    let next = there[sweep + 1].end;
                    self.slide(sweep, &mut there[sweep], next.saturating_sub(K::REACH));
                }
                let first = there[sweep].start * stride;
                To {
                    bases: self.window(sweep),
                    first,
                    stream: false,
                }
            }
        };
        let (read, from) = match sweep {
            0 => (K::Out::views(self.arrays), 0),
            _after => {
                let rows = there[sweep - 1].clone();
                let window = self.window(sweep - 1).get();
                // SAFETY: these rows have been written, and nobody writes to the window meanwhile.
                let read = unsafe { K::Out::window(window, 0, rows.len() * stride) };
                (read, rows.start * stride)
            }
        };
        let kernel = self.due[sweep].at(read, from);
        // SAFETY: the window has room for them (`Plan::of`), and is this worker's alone; of the
        // output, the rows of the slab are this task's.
        unsafe { rows::<_, L>(&kernel, width, start * stride..end * stride, to, flag) };
        there[sweep].end = end;
    }

    /// Where the rows of a sweep are kept.
    #[inline(always)]
    fn window(&self, sweep: usize) -> Bases<K::Out> {
        let at = sweep * self.plan.room * self.shape.stride;
        // SAFETY: `together` has made room for a window per sweep but the last.
        Bases::new(unsafe { K::Out::advance(self.windows.get(), at) })
    }

    /// Moves the rows from `kept` on to the start of a window; those before are needed no longer.
    #[inline(always)]
    fn slide(&self, sweep: usize, there: &mut Range<usize>, kept: usize) {
        let (stride, kept) = (self.shape.stride, kept.max(there.start));
        let (from, count) = ((kept - there.start) * stride, (there.end - kept) * stride);
        // SAFETY: these rows are in the window, which is this worker's alone.
        unsafe { K::Out::shift(self.window(sweep).get(), from, 0, count) };
        there.start = kept;
    }
}
