//! Kernels over rows that run together, each some rows ahead of the next, through buffers of rows.
//!
//! In: kernels over one space, which read what others of them make within a fixed number of rows of their
//! own. Out: what the last one gives.
//! Assumes: no kernel has checks; one that reads elsewhere gives wrong values or a panic.
//!
//! Note [Row buffers]. A chain of stencils goes through memory once for each, if each makes a whole array.
//! Here a thread takes a slab of rows through all kernels: before the last one does some rows, those before
//! it do as many, ahead by as far as it reads. So of what they make only a few rows are there, which slide
//! along and stay in a near cache (sliding windows; Ragan-Kelley and others, "Halide: a language and compiler
//! for optimizing parallelism, locality, and recomputation in image processing pipelines", PLDI 2013). What
//! two slabs need is computed by both, so that slabs depend on nothing; it has the same bits.
//!
//! Note \[Turns\]. Where kernels go on from the other end, the rows are taken as repeated on both sides again and
//! again, each time a *turn*: a slab has rows before the first and behind the last one as it has them
//! elsewhere, computed again. Rows are numbered from the first of a turn so early that there are enough before
//! the slab. A kernel is given the rows of one turn at a time, by their numbers in it, and a window that starts
//! so many elements earlier or later; so it knows where it is, and finds the rows beside its own by adding to
//! their number.

use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::error::Failure;
use crate::inside::Inside;
use crate::kernel::{Fast, Product};
use crate::lanes::total;
use crate::level::{Task, apart, dispatch};
use crate::memory;
use crate::parallel;
use crate::product::Bases;
use crate::row_blocks::{To, part, rows};
use crate::rowed::Edged;
use crate::states::States;

mod plan;

use plan::{Plan, Shape};

/// Kernels that run together.
pub trait Cascade: Sync {
    /// What the last one yields.
    type Out: States;
    /// Rows of what the others yield.
    type Windows: Windows;
    /// By how many rows of the outermost axis each is ahead of the last, whose lead is 0: by at least as much
    /// as those behind it are, and as far as they read.
    const LEADS: &'static [usize];
    /// Whether they read what others make beyond the ends as well, where the rows of the other end are. See
    /// Note \[Turns\].
    const ROUND: bool;
    /// Estimated scalar operations per index.
    fn cost(&self) -> usize;
    /// Has each kernel do its rows of a step, in order. Emitted with `#[inline(always)]`.
    fn step<const L: usize>(&self, step: &mut Step<Self::Out>, windows: &mut Self::Windows);
}

/// The rows of what one kernel yields that others still need.
pub struct Window<P: States> {
    #[expect(dead_code, reason = "it owns what `bases` are the addresses of")]
    arrays: P::Arrays,
    bases: Bases<P>,
    /// How many elements of each component there are.
    count: usize,
}

impl<P: States> Window<P> {
    /// Their elements, from that on which [`Step::part`] says.
    #[inline(always)]
    pub fn views(&self) -> P::Views<'_> {
        // SAFETY: `make` has written so many, and who writes again borrows this value as a whole.
        unsafe { P::window(self.bases.get(), 0, self.count) }
    }
}

/// Several windows.
pub trait Windows: Send + Sized {
    /// Bytes of an element of each together.
    #[doc(hidden)]
    const BYTES: usize;
    /// With room for so many elements each.
    #[doc(hidden)]
    fn make(count: usize) -> Result<Self, Failure>;
    /// Moves elements of each window to its start: those of the `at`-th from `from` up to `ends[at]`.
    #[doc(hidden)]
    fn slide(&mut self, from: usize, ends: &[usize]);
}

macro_rules! windows {
    ($($P:ident $i:tt),+) => {
        impl<$($P: States<Arrays: Send>),+> Windows for ($(Window<$P>,)+) {
            const BYTES: usize = 0 $(+ $P::BYTES)+;

            fn make(count: usize) -> Result<Self, Failure> {
                Ok(($({
                    let mut arrays = $P::none();
                    let bases = Bases::new($P::zeros(&mut arrays, count)?);
                    Window { arrays, bases, count }
                },)+))
            }

            fn slide(&mut self, from: usize, ends: &[usize]) {
                $(self.$i.slide(from, ends[$i]);)+
            }
        }
    };
}

windows!(A 0);
windows!(A 0, B 1);
windows!(A 0, B 1, C 2);
windows!(A 0, B 1, C 2, D 3);
windows!(A 0, B 1, C 2, D 3, E 4);
windows!(A 0, B 1, C 2, D 3, E 4, F 5);
windows!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);

impl<P: States> Window<P> {
    fn slide(&mut self, from: usize, end: usize) {
        assert!(
            end <= self.count,
            "rows beyond a window; please report this"
        );
        // SAFETY: so many elements there are, all of them this value's alone and written.
        unsafe { P::shift(self.bases.get(), from, 0, end.saturating_sub(from)) };
    }
}

/// As many kernels as there are impls for.
const MOST: usize = 8;

/// What is done at a time.
pub struct Step<P: States> {
    shape: Shape,
    /// The place of the last kernel.
    last: usize,
    /// The rows that each kernel still does now, and what is inside of its rows.
    ranges: [Range<usize>; MOST],
    inside: [Inside; MOST],
    /// The kernel that is at work, the rows of one turn among its own, and that turn's first row.
    member: usize,
    part: Range<usize>,
    turn: usize,
    /// Whether there are other turns.
    round: bool,
    /// The first row that has a place in the windows, and the one up to which there is room for what is
    /// read around it.
    base: usize,
    end: usize,
    out: Bases<P>,
    /// Round the caches.
    stream: bool,
    /// The row up to which the last kernel has written.
    written: usize,
    flag: Fast,
}

impl<P: States> Step<P> {
    /// Goes on to the next rows of a kernel, the `member`-th; says at which position in the whole arrays the
    /// elements in windows begin then. `None` if there are none.
    #[inline(always)]
    pub fn part(&mut self, member: usize) -> Option<usize> {
        let Range { start, end } = self.ranges[member];
        if start >= end {
            return None;
        }
        let (rows, inner) = (self.shape.rows, self.shape.lines());
        if self.round {
            self.turn = start - start % rows;
            self.part = start..end.min(self.turn + rows);
            let end = self.end.saturating_sub(self.turn);
            self.inside[member].turn(self.turn, end * inner);
        } else {
            self.part = start..end;
            self.inside[member].turn(0, self.end * inner);
        }
        (self.member, self.ranges[member].start) = (member, self.part.end);
        Some(self.from())
    }

    /// See [`part`](Step::part).
    #[inline(always)]
    fn from(&self) -> usize {
        let rows = self.base.wrapping_sub(self.turn);
        rows.wrapping_mul(self.shape.stride())
    }

    /// Does these rows.
    #[inline(always)]
    pub fn window<const L: usize, K: Edged<Out: States>>(
        &mut self,
        kernel: &K,
        window: &mut Window<K::Out>,
    ) {
        let range = self.part.clone();
        assert!(
            range.start >= self.base
                && (range.end - self.base) * self.shape.stride() <= window.count,
            "rows beyond a window; please report this"
        );
        let to = To {
            bases: window.bases,
            first: self.from(),
            stride: self.shape.width,
            stream: false,
        };
        // SAFETY: there is room up to the last of these rows, by the line before, and the first is not
        // below `base`; the window is borrowed.
        unsafe { self.compute::<L, K>(kernel, to) };
    }

    /// The same for the last kernel.
    #[inline(always)]
    pub fn last<const L: usize, K: Edged<Out = P>>(&mut self, kernel: &K) {
        let range = self.part.clone();
        assert!(
            self.member == self.last && range.start == self.written,
            "rows are done twice; please report this"
        );
        self.written = range.end;
        let to = To {
            bases: self.out,
            first: 0,
            stride: self.shape.width,
            stream: self.stream,
        };
        // SAFETY: the rows of a slab are its task's, up to the end of the arrays, for which there is room.
        unsafe { self.compute::<L, K>(kernel, to) };
    }

    /// # Safety
    /// There is room behind `to` for these rows, and nobody else accesses it meanwhile.
    #[inline(always)]
    unsafe fn compute<const L: usize, K: Edged>(&mut self, kernel: &K, to: To<K::Out>) {
        let rows = Compute {
            kernel,
            shape: self.shape,
            range: self.part.start - self.turn..self.part.end - self.turn,
            inside: &mut self.inside[self.member],
            to,
            flag: &mut self.flag,
        };
        // SAFETY: promised by the caller; `dispatch` has chosen `L`.
        unsafe { apart::<_, L>(rows) };
    }
}

/// Some rows of a kernel, for which there is room. See Note \[Apart\] in `level.rs`.
struct Compute<'a, K: Edged> {
    kernel: &'a K,
    shape: Shape,
    range: Range<usize>,
    inside: &'a mut Inside,
    to: To<K::Out>,
    flag: &'a mut Fast,
}

impl<K: Edged> Task for Compute<'_, K> {
    type Out = ();

    #[inline(always)]
    fn run<const L: usize>(self) {
        let Compute {
            kernel,
            range,
            to,
            flag,
            ..
        } = self;
        let Shape {
            inner, width, flat, ..
        } = self.shape;
        if !flat && width < L {
            let range = range.start * inner * width..range.end * inner * width;
            // SAFETY: `compute` makes no other of these.
            return unsafe { rows::<K, L>(kernel, width, range, to, flag) };
        }
        let (range, columns) = match flat {
            true => (0..1, range),
            false => (range.start * inner..range.end * inner, 0..width),
        };
        // SAFETY: as above. (In one place: it is most of a cascade's code.)
        unsafe { part::<K, L>(kernel, width, range, columns, self.inside, to, flag) };
    }
}

/// The values of the last kernel over the space of these extents, straight into the caller's memory.
///
/// Cost: that of the kernels, in parallel, and again of what two slabs share; memory for a few rows of what
/// the others yield, per thread.
/// Errors: no memory; `ResultLength` for a slice of another length.
pub fn cascade_to<C: Cascade, const RANK: usize>(
    cascade: &C,
    extents: [usize; RANK],
    mut outs: <C::Out as Product>::Outs<'_>,
) -> Result<(), Failure> {
    let (n, shape) = (total(&extents), Shape::new(&extents));
    let out = Bases::new(C::Out::prepare(&mut outs, n)?);
    if n > 0 {
        let plan = Plan::of(cascade, shape);
        let count = plan.room.saturating_mul(shape.stride());
        let windows = (0..plan.threads).map(|_| C::Windows::make(count));
        let run = Run {
            cascade,
            shape,
            out,
            stream: memory::streams::<C::Out>(n),
            windows: Mutex::new(windows.collect::<Result<_, _>>()?),
            next: AtomicUsize::new(0),
            plan,
        };
        parallel::workers(run.plan.threads, &|| run.work());
    }
    // SAFETY: `prepare` made room for `n`, and workers that return have done all slabs, of each of which
    // `Slab` has seen that it was written.
    unsafe { C::Out::finish(outs, n) };
    Ok(())
}

/// What the workers share.
struct Run<'c, C: Cascade> {
    cascade: &'c C,
    shape: Shape,
    out: Bases<C::Out>,
    stream: bool,
    /// For each worker.
    windows: Mutex<Vec<C::Windows>>,
    /// The next slab that nobody has taken.
    next: AtomicUsize,
    plan: Plan,
}

impl<C: Cascade> Run<'_, C> {
    fn work(&self) {
        let mut all = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(mut windows) = all.pop() else { return };
        drop(all);
        loop {
            let start = self.next.fetch_add(1, Ordering::Relaxed) * self.plan.slab;
            if start >= self.shape.rows {
                break;
            }
            dispatch(Slab {
                run: self,
                rows: start..self.shape.rows.min(start + self.plan.slab),
                windows: &mut windows,
            });
        }
        if self.stream {
            memory::fence();
        }
    }
}

/// Takes a slab of rows through the kernels.
struct Slab<'a, 'c, C: Cascade> {
    run: &'a Run<'c, C>,
    rows: Range<usize>,
    windows: &'a mut C::Windows,
}

impl<C: Cascade> Task for Slab<'_, '_, C> {
    type Out = ();

    #[inline(always)]
    fn run<const L: usize>(self) {
        let Slab { run, rows, windows } = self;
        let (shape, plan, leads) = (run.shape, &run.plan, C::LEADS);
        assert!(
            leads.last() == Some(&0),
            "the last kernel is ahead; please report this"
        );
        let most = leads[0];
        // The number of the first row of all: there are as many before it as a kernel may be ahead.
        let first = match C::ROUND {
            true => most.next_multiple_of(shape.rows),
            false => 0,
        };
        let rows = first + rows.start..first + rows.end;
        let last = |row: usize| match C::ROUND {
            true => row,
            false => row.min(shape.rows),
        };
        let base = rows.start.saturating_sub(most);
        let end = plan.end::<C>(shape, base);
        let mut step = Step {
            shape,
            last: leads.len() - 1,
            ranges: core::array::from_fn(|at| {
                let lead = leads.get(at).copied().unwrap_or(0);
                let start = rows.start.saturating_sub(lead);
                start..start
            }),
            inside: core::array::from_fn(|_| Inside::up_to(end * shape.lines())),
            member: 0,
            part: 0..0,
            turn: 0,
            round: C::ROUND,
            base,
            end,
            out: run.out,
            stream: run.stream,
            written: rows.start,
            flag: Fast::default(),
        };
        while step.written < rows.end {
            let next = rows.end.min(step.written + plan.step);
            if last(next + most) - step.base > plan.room {
                slide(&mut step, windows, leads);
                step.end = plan.end::<C>(shape, step.base);
                let end = step.end * shape.lines();
                step.inside.iter_mut().for_each(|it| it.forget(end));
            }
            for (range, lead) in step.ranges.iter_mut().zip(leads) {
                *range = range.end..last(next + lead);
            }
            run.cascade.step::<L>(&mut step, windows);
            assert!(
                step.written == step.ranges[step.last].end,
                "rows have been left out; please report this"
            );
        }
    }
}

/// Moves the rows that are still needed to the start of the windows.
#[inline(always)]
fn slide<P: States, W: Windows>(step: &mut Step<P>, windows: &mut W, leads: &[usize]) {
    let (base, stride) = (step.base, step.shape.stride());
    let kept = step.written.saturating_sub(leads[0]).max(base);
    let ends: [usize; MOST] =
        core::array::from_fn(|at| step.ranges[at].end.saturating_sub(base) * stride);
    windows.slide((kept - base) * stride, &ends);
    step.base = kept;
}
