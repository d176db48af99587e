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
//! to eliminate idle time due to memory bandwidth and network limitations", IPDPS 2000). Two windows
//! of rows slide along, one for every other sweep: row `i` of a sweep lies where row `i` of the sweep
//! before the last did, which nobody needs any more by then. The first sweep reads the arrays
//! themselves, the last one writes the next ones, and both find them fetched. In a window rows begin
//! at cache lines, or else half of what is read and written would lie in two of them.
//!
//! A step of a few rows may be more than the nearest cache holds, if rows are long. So a step is done
//! in strips: all sweeps compute their part of a strip before the first one goes on to the next.
//! Each sweep is behind the one before along a row as well, by at least as many elements as it reads
//! beside its own, in whole cache lines; where that is not known, a strip is a whole row.
//!
//! Between slabs the rows that both need are computed by both, so that slabs depend on nothing but the
//! arrays before (overlapped tiling; Krishnamoorthy and others, "Effective automatic parallelization
//! of stencil computations", PLDI 2007): a sweep computes as many rows more on each side as later ones
//! reach. What is computed twice has the same bits. Where no check can fail, several such passes over
//! the arrays go without a barrier between them (see `order.rs`).
//!
//! Where rows go on from the other end, they are taken as repeated on both sides (see Note \[Turns\] in
//! `cascade.rs`), and the first slab needs rows before the first one as others do. The first sweep reads the
//! arrays as they are, on both ends: so a pass waits for the one before.

use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::error::Failure;
use crate::inside::Inside;
use crate::kernel::{Fast, Flag, Product};
use crate::level::{Task, dispatch};
use crate::parallel;
use crate::product::Bases;
use crate::row_blocks::{To, part};
use crate::rowed::{Edged, write_rows_to};
pub use crate::states::States;

mod order;
mod plan;

use order::Order;
use plan::{MOST, Parts, Plan, Shape, WINDOWS};

/// One trip: a kernel whose values are the next elements of arrays that it reads.
pub trait Sweep: Edged<Out: States> {
    /// How far from its own index on each side an index reads these arrays, along each axis, outermost
    /// first; beyond the first one `usize::MAX` where that is not known.
    const REACH: &'static [usize];
    /// Whether rows go on from the other end.
    const ROUND: bool;
    /// The kernel, reading other arrays.
    type At<'s>: Edged<Out = Self::Out>
    where
        Self: 's;
    /// The kernel, reading parts of the arrays that start at element `from` of arrays in which `pad`
    /// elements lie behind each row of the innermost axis.
    fn at<'s>(
        &'s self,
        arrays: <Self::Out as States>::Views<'s>,
        from: usize,
        pad: usize,
    ) -> Self::At<'s>;
    /// The same kernel, for arrays that have rows beyond both ends, if rows go on from the other end.
    type Beyond<'s>: Edged<Out = Self::Out>
    where
        Self: 's;
    /// As [`at`](Sweep::at); the start may be negative, a number that wraps.
    fn beyond<'s>(
        &'s self,
        arrays: <Self::Out as States>::Views<'s>,
        from: usize,
        pad: usize,
    ) -> Self::Beyond<'s>;
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

impl<K: Sweep> Sweeps<K> {
    /// The arrays before the first trip, of these extents, outermost first.
    pub fn new<const RANK: usize>(
        arrays: <K::Out as States>::Arrays,
        extents: [usize; RANK],
    ) -> Self {
        let shape = Shape::new::<K>(&extents);
        Sweeps {
            arrays,
            spare: K::Out::none(),
            windows: K::Out::none(),
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
        match self.due.len() < self.plan.due() {
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
            let kernel = kernel.at(K::Out::views(&self.arrays), 0, 0);
            let outs = K::Out::places(&mut self.spare);
            write_rows_to(&kernel, n, width, outs)?;
        }
        core::mem::swap(&mut self.arrays, &mut self.spare);
        Ok(())
    }

    /// Does several sweeps; says whether that was in vain, and leaves the arrays as they are then.
    fn together(&mut self, due: &[K]) -> Result<bool, Failure> {
        let (shape, plan, n) = (self.shape, self.plan, self.shape.elements());
        let out = Bases::<K::Out>::new(K::Out::room(&mut self.spare, n)?);
        let Some(arrays) = K::Out::filled(&mut self.arrays, n) else {
            return Ok(true);
        };
        let arrays = [Bases::<K::Out>::new(arrays), out];
        let own = WINDOWS * plan.apart;
        let windows = K::Out::zeros(&mut self.windows, plan.threads * own)?;
        let windows = Bases::<K::Out>::new(windows);
        let (passes, worker) = (due.len().div_ceil(plan.sweeps), AtomicUsize::new(0));
        let order = Order::new(passes, shape.rows.div_ceil(plan.slab));
        parallel::workers(plan.threads, &|| {
            let at = worker.fetch_add(1, Ordering::Relaxed) * own;
            // SAFETY: one of `threads` workers, for each of which there is room.
            let windows = Bases::<K::Out>::new(unsafe { K::Out::advance(windows.get(), at) });
            order.work(|pass, slab| {
                let start = slab * plan.slab;
                let due = &due[due.len() * pass / passes..due.len() * (pass + 1) / passes];
                let first = shape.first::<K>(due.len());
                !dispatch(Slab {
                    due,
                    arrays: arrays[pass % 2],
                    shape,
                    plan,
                    slab: first + start..first + shape.rows.min(start + plan.slab),
                    windows,
                    out: arrays[(pass + 1) % 2],
                })
            });
        });
        if order.stopped() {
            return Ok(true);
        }
        if passes % 2 == 1 {
            // SAFETY: there is room for `n` elements, and the slabs have written each of them.
            unsafe { K::Out::written(&mut self.spare, n) };
            core::mem::swap(&mut self.arrays, &mut self.spare);
        }
        Ok(false)
    }
}

/// Takes a slab of rows through several sweeps.
struct Slab<'a, K: Sweep> {
    due: &'a [K],
    /// What the first of them reads, of which nobody writes meanwhile what is near the slab.
    arrays: Bases<K::Out>,
    shape: Shape,
    plan: Plan,
    slab: Range<usize>,
    /// This worker's memory.
    windows: Bases<K::Out>,
    out: Bases<K::Out>,
}

/// Elements that are needed soon.
struct Soon {
    start: usize,
    count: usize,
    /// How many of them are brought closer at a time.
    part: usize,
}

/// Where a slab is.
struct Front {
    /// The first row that has a place in the windows.
    base: usize,
    /// The row up to which each sweep has been done.
    done: [usize; MOST],
}

impl<K: Sweep> Task for Slab<'_, K> {
    /// Whether a check was violated.
    type Out = bool;

    #[inline(always)]
    fn run<const L: usize>(self) -> bool {
        let last = self.due.len() - 1;
        let mut flag = Fast::default();
        let done = core::array::from_fn(|sweep| self.needed(last.saturating_sub(sweep)).start);
        let (mut front, base) = (done[0], done[0]);
        let mut at = Front { base, done };
        let mut inside: [Inside; MOST] = core::array::from_fn(|_| Inside::up_to(self.end(base)));
        while at.done[last] < self.slab.end {
            front += self.plan.step;
            if front - at.base > self.plan.room {
                self.slide(&mut at);
                let end = self.end(at.base);
                inside.iter_mut().for_each(|inside| inside.forget(end));
            }
            let next: [usize; MOST] = core::array::from_fn(|sweep| {
                let top = self.needed(last.saturating_sub(sweep)).end;
                front.saturating_sub(sweep * K::REACH[0]).min(top)
            });
            let (mut strip, mut part) = (0, 0);
            let soon = self.soon(front, at.done[last]);
            while strip < self.shape.stride {
                for sweep in 0..=last {
                    self.fetch(&soon, part);
                    part += 1;
                    let (rows, columns) = (at.done[sweep]..next[sweep], self.columns(sweep, strip));
                    let known = &mut inside[sweep];
                    self.compute::<L>(sweep, rows, columns, at.base, known, &mut flag);
                }
                if flag.violated() {
                    return true;
                }
                strip += self.plan.strip;
            }
            for (done, next) in at.done.iter_mut().zip(next) {
                *done = next.max(*done);
            }
        }
        false
    }
}

impl<K: Sweep> Slab<'_, K> {
    /// The row up to which windows from a row on have room for what is read around it.
    #[inline(always)]
    fn end(&self, base: usize) -> usize {
        let end = (base + self.plan.room).saturating_sub(K::REACH[0]);
        self.shape.last::<K>(end)
    }

    /// What the step after one reads of the arrays, and where it writes.
    #[inline(always)]
    fn soon(&self, front: usize, done: usize) -> [Soon; 2] {
        let Shape { rows, stride, .. } = self.shape;
        [front + K::REACH[0], done + self.plan.step].map(|row| {
            let row = match K::ROUND {
                true => row % rows,
                false => row.min(rows),
            };
            let count = self.plan.step.min(rows - row) * stride;
            Soon {
                start: row * stride,
                count,
                part: count.div_ceil(self.plan.parts),
            }
        })
    }

    /// Brings a part of it closer.
    #[inline(always)]
    fn fetch(&self, [read, written]: &[Soon; 2], part: usize) {
        let of = |it: &Soon| {
            let start = it.count.min(part * it.part);
            (it.start + start, it.part.min(it.count - start))
        };
        let (from, count) = of(read);
        K::Out::fetch(self.arrays.get(), from, count);
        let (to, count) = of(written);
        K::Out::fetch(self.out.get(), to, count);
    }

    /// The rows of a sweep that are needed, so many sweeps before the last.
    #[inline(always)]
    fn needed(&self, before: usize) -> Range<usize> {
        let more = before * K::REACH[0];
        self.slab.start.saturating_sub(more)..self.shape.last::<K>(self.slab.end + more)
    }

    /// What a sweep computes of each row in the strip that starts here.
    #[inline(always)]
    fn columns(&self, sweep: usize, strip: usize) -> Range<usize> {
        let behind = sweep.saturating_mul(self.shape.beside);
        let end = strip + self.plan.strip;
        let end = match end < self.shape.stride {
            true => end.saturating_sub(behind),
            false => self.shape.stride,
        };
        strip.saturating_sub(behind)..end
    }

    /// Computes a part of rows of a sweep, turn by turn; the first row with a place in the windows is
    /// `base`.
    #[inline(always)]
    fn compute<const L: usize>(
        &self,
        sweep: usize,
        mut rows: Range<usize>,
        columns: Range<usize>,
        base: usize,
        known: &mut Inside,
        flag: &mut Fast,
    ) {
        if !K::ROUND {
            return self.of_turn::<L>(sweep, rows, columns, base, known, flag);
        }
        while rows.start < rows.end {
            let turn = rows.start - rows.start % self.shape.rows;
            known.turn(turn, self.end(base).saturating_sub(turn));
            let own = rows.start - turn..self.shape.rows.min(rows.end - turn);
            rows.start = turn + own.end;
            let base = base.wrapping_sub(turn);
            self.of_turn::<L>(sweep, own, columns.clone(), base, known, flag);
        }
    }

    /// The same for rows of one turn, by their numbers in it, as `base` is, which may be negative.
    #[inline(always)]
    fn of_turn<const L: usize>(
        &self,
        sweep: usize,
        rows: Range<usize>,
        columns: Range<usize>,
        base: usize,
        known: &mut Inside,
        flag: &mut Fast,
    ) {
        if rows.is_empty() || columns.is_empty() {
            return;
        }
        let Shape { width, pad, .. } = self.shape;
        let first = base.wrapping_mul(self.shape.padded());
        let (bases, from, stride) = match sweep + 1 == self.due.len() {
            true => (self.out, 0, width),
            false => (self.window(sweep), first, width + pad),
        };
        let to = To {
            bases,
            first: from,
            stride,
            stream: false,
        };
        let parts = self.shape.parts(rows, columns);
        let due = &self.due[sweep];
        // SAFETY: the window has room for them (`run` slides it), and is this worker's alone; of the
        // output, the rows of the slab are this task's.
        unsafe {
            if K::ROUND && sweep > 0 {
                let kernel = due.beyond(self.before(sweep), first, pad);
                in_parts::<_, L>(&kernel, width, parts, known, to, flag);
            } else {
                let kernel = match sweep {
                    0 => {
                        let (read, from) = self.read();
                        due.at(read, from, 0)
                    }
                    _after => due.at(self.before(sweep), first, pad),
                };
                in_parts::<_, L>(&kernel, width, parts, known, to, flag);
            }
        }
    }

    /// What the first sweep reads, and the position at which that starts.
    #[inline(always)]
    fn read(&self) -> (<K::Out as States>::Views<'_>, usize) {
        let Range { start, end } = match K::ROUND {
            true => 0..self.shape.rows,
            false => self.needed(self.due.len()),
        };
        let (start, end) = (start * self.shape.stride, end * self.shape.stride);
        // SAFETY: these are rows of the arrays, written by this slab and its neighbours in the pass
        // before or by whoever made them, and not before the next pass again: if they are all rows, that
        // is another call (see `Plan::passes`).
        let read = unsafe { K::Out::window(self.arrays.get(), start, end - start) };
        (read, start)
    }

    /// The window that a sweep reads, if it is not the first.
    #[inline(always)]
    fn before(&self, sweep: usize) -> <K::Out as States>::Views<'_> {
        let count = self.plan.room * self.shape.padded();
        // SAFETY: a window holds numbers from the start, and nobody writes to this one meanwhile.
        unsafe { K::Out::window(self.window(sweep - 1).get(), 0, count) }
    }

    /// Where the rows of a sweep are kept.
    #[inline(always)]
    fn window(&self, sweep: usize) -> Bases<K::Out> {
        let at = sweep % WINDOWS * self.plan.apart;
        // SAFETY: `together` has made room for so many windows.
        Bases::new(unsafe { K::Out::advance(self.windows.get(), at) })
    }

    /// Moves the rows that are still needed to the start of the windows.
    #[inline(always)]
    fn slide(&self, at: &mut Front) {
        let (last, stride) = (self.due.len() - 1, self.shape.padded());
        let kept = at.done[last].saturating_sub(K::REACH[0]).max(at.base);
        for sweep in 0..last.min(WINDOWS) {
            let count = at.done[sweep].saturating_sub(kept) * stride;
            // SAFETY: these rows are in the window, which is this worker's alone.
            unsafe {
                K::Out::shift(
                    self.window(sweep).get(),
                    (kept - at.base) * stride,
                    0,
                    count,
                )
            };
        }
        at.base = kept;
    }
}

/// Computes parts of rows.
///
/// # Safety
/// As for [`part`].
#[inline(always)]
unsafe fn in_parts<K: Edged, const L: usize>(
    kernel: &K,
    width: usize,
    parts: Parts,
    known: &mut Inside,
    to: To<K::Out>,
    flag: &mut Fast,
) {
    for at in 0..parts.count {
        let Range { start, end } = parts.rows;
        let rows = start + at * parts.apart..end + at * parts.apart;
        let columns = parts.columns.clone();
        // SAFETY: promised by the caller.
        unsafe { part::<K, L>(kernel, width, rows, columns, known, to, flag) };
    }
}
