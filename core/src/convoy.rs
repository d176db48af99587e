//! Kernels over one index space that run together, strip by strip.
//!
//! In: kernels, some of which read at their own index what others make. Out: what each of them gives by
//! itself, to the bit.
//! Assumes: no operator has checks.
//!
//! Note [Strip by strip]: a strip is a chunk, the unit of the order of combination, so the kernels keep that
//! order and their own code. Each takes its part of a strip before the next kernel does. What one makes
//! and only others of the convoy read is never in memory as a whole: a strip of it is, in a near cache.
//! Workers take strips in order. Scans wait for the carry as in Note \[Chained chunks\] in `chain.rs`; the totals of
//! reductions are added up in order, whenever they come.
//! If several kernels have checks, the failure of the first kernel that fails is the first failure, however
//! late its strip is: for that, the kernels are asked one after another.

use core::cell::Cell;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::chain::Chain;
use crate::error::Failure;
pub use crate::keep_strips::{Keeps, keep};
use crate::kernel::{CHUNK, Combine, Fast, Flag, Kernel, Product, Report};
use crate::level::{Task, dispatch};
use crate::memory;
use crate::parallel;
use crate::product::Bases;
use crate::reduce::{chunk, chunk_total};
pub use crate::rooms::{Arrays, Parts};
use crate::scan::{How, Part, again, joined, prefixes};
pub use crate::scatter_strips::{Placing, scatter};
use crate::states::States;
pub use crate::turned::{Turning, turned};
use crate::write::write_range;

/// Kernels that run together.
pub trait Convoy: Sync {
    /// What they write to memory.
    type Outs: Arrays;
    /// What only they read, and a strip of which is enough.
    type Own: Arrays;
    /// What goes from strip to strip, around arrays that live for `'s`.
    type State<'s>: State;
    /// The kernels that may call [`Flag::check`], by number, in order.
    const CHECKS: &'static [usize];
    /// Estimated scalar operations per index.
    fn cost(&self) -> usize;
    /// Runs each kernel on a strip, and gives what has been written to memory. Emitted with
    /// `#[inline(always)]`.
    fn strip<'r, const L: usize, F: Flag>(
        &self,
        strip: &Strip,
        state: &Self::State<'_>,
        outs: <Self::Outs as Arrays>::Rooms<'r>,
        own: <Self::Own as Arrays>::Rooms<'r>,
        flag: &mut F,
    ) -> <Self::Outs as Arrays>::Views<'r>;
}

/// Some consecutive indices.
#[derive(Debug)]
pub struct Strip {
    range: Range<usize>,
    /// How many indices there are in all.
    n: usize,
    /// How many kernels have begun with it.
    begun: Cell<usize>,
    /// The only kernel that is asked whether it fails.
    asked: Option<usize>,
}

impl Strip {
    /// The first index.
    #[cfg_attr(optimised, inline(always))]
    pub fn start(&self) -> usize {
        self.range.start
    }

    pub(crate) fn chunk(&self) -> usize {
        self.range.start / CHUNK
    }

    /// How many indices there are in all strips.
    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn all(&self) -> usize {
        self.n
    }

    /// All of the indices.
    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The next kernel begins.
    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn begin<F: Flag>(&self, flag: &mut F) {
        if const { F::KEEPS_FIRST } {
            let kernel = self.begun.replace(self.begun.get() + 1);
            flag.listen(self.asked.is_none_or(|asked| asked == kernel));
        }
    }
}

/// What goes from strip to strip.
pub trait State: Send + Sync {
    /// Tells whoever waits that a worker has panicked.
    fn abandon(&self);
    /// Begins again.
    fn restart(&mut self);
}

/// The carries of a scan.
pub struct Carries<P: Product> {
    start: Option<P>,
    chain: Chain<P>,
}

impl<P: Product> Carries<P> {
    /// With what stands in front of the first element, if anything does.
    pub fn new(start: Option<P>) -> Self {
        Carries {
            start,
            chain: Chain::new(start),
        }
    }

    /// The total with the start included; none where there is neither that nor an element.
    pub fn total(self) -> Option<P> {
        self.chain.into_carry()
    }
}

impl<P: Product> State for Carries<P> {
    fn abandon(&self) {
        drop(self.chain.guard());
    }

    fn restart(&mut self) {
        self.chain = Chain::new(self.start);
    }
}

/// The totals of a reduction.
pub struct Totals<P: Product> {
    init: P,
    /// Whether the totals go on from `init`, which is otherwise combined with all of them.
    goes_on: bool,
    sum: Mutex<Sum<P>>,
}

/// The combination of the totals of the first chunks.
struct Sum<P> {
    /// How many chunks.
    chunks: usize,
    sum: Option<P>,
    /// Totals of later chunks that have come before their turn.
    early: Vec<(usize, P)>,
}

impl<P> Sum<P> {
    fn new() -> Self {
        Sum {
            chunks: 0,
            sum: None,
            early: Vec::new(),
        }
    }
}

impl<P: Product> Totals<P> {
    /// With what the reduction starts from.
    pub fn new(init: P) -> Self {
        Totals {
            init,
            goes_on: false,
            sum: Mutex::new(Sum::new()),
        }
    }

    /// With what the first total is combined with, on the left.
    pub fn on(init: P) -> Self {
        let goes_on = true;
        Totals {
            goes_on,
            ..Totals::new(init)
        }
    }

    /// The combination of all; what the reduction starts from, where there is no element.
    pub fn total(self) -> P {
        let sum = self.sum.into_inner();
        let sum = sum.unwrap_or_else(PoisonError::into_inner).sum;
        sum.unwrap_or(self.init)
    }

    fn lock(&self) -> MutexGuard<'_, Sum<P>> {
        self.sum.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the total of a strip.
    fn add<K: Combine<Out = P>, F: Flag>(&self, kernel: &K, strip: &Strip, total: P, flag: &mut F) {
        let mut all = self.lock();
        all.early.push((strip.chunk(), total));
        while let Some(next) = all.early.iter().position(|(chunk, _)| *chunk == all.chunks) {
            let (_, total) = all.early.swap_remove(next);
            let before = all.sum.or(self.goes_on.then_some(self.init));
            all.sum = Some(joined(kernel, before, total, flag));
            all.chunks += 1;
        }
        if all.chunks == strip.n.div_ceil(CHUNK) && !self.goes_on {
            all.sum = all.sum.map(|sum| kernel.combine(self.init, sum, flag));
        }
    }
}

impl<P: Product> State for Totals<P> {
    fn abandon(&self) {}

    fn restart(&mut self) {
        self.sum = Mutex::new(Sum::new());
    }
}

macro_rules! state {
    ($($T:ident $i:tt),*) => {
        impl<$($T: State),*> State for ($($T,)*) {
            fn abandon(&self) {
                $(self.$i.abandon();)*
            }

            fn restart(&mut self) {
                $(self.$i.restart();)*
            }
        }
    };
}

state!();
state!(A 0);
state!(A 0, B 1);
state!(A 0, B 1, C 2);
state!(A 0, B 1, C 2, D 3);
state!(A 0, B 1, C 2, D 3, E 4);
state!(A 0, B 1, C 2, D 3, E 4, F 5);
state!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
state!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
state!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
state!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
state!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
state!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, M 11);

/// Runs a convoy over `0..n`, and gives its state behind the last strip.
///
/// Cost: that of its kernels, in parallel; memory for a strip of each of its own arrays per thread.
/// Errors: the violated check of the first kernel that has one, at its lowest index; no memory;
/// `ResultLength` for a slice of another length than `n`. After an error the contents are unspecified.
pub fn convoy_to<'s, C: Convoy>(
    convoy: &C,
    n: usize,
    state: C::State<'s>,
    mut outs: <C::Outs as Arrays>::Outs<'_>,
) -> Result<C::State<'s>, Failure> {
    let run = Run {
        convoy,
        n,
        outs: C::Outs::prepare(&mut outs, n)?,
        state,
        next: AtomicUsize::new(0),
        violated: AtomicBool::new(false),
        failure: Mutex::new(None),
    };
    let chunks = n.div_ceil(CHUNK);
    let threads = parallel::threads(chunks, CHUNK.saturating_mul(convoy.cost()));
    parallel::workers(threads, &|| work(&run));
    if run.violated.load(Ordering::Relaxed) {
        return Err(diagnose(run));
    }
    let failure = run.failure.into_inner();
    if let Some(failure) = failure.unwrap_or_else(PoisonError::into_inner) {
        return Err(failure);
    }
    // SAFETY: `prepare` made room for `n`, and workers without a failure have taken all strips, of
    // each of which `run_strip` has seen the elements.
    unsafe { C::Outs::finish(outs, n) };
    Ok(run.state)
}

/// What the workers share.
struct Run<'c, 's, C: Convoy> {
    convoy: &'c C,
    n: usize,
    outs: <C::Outs as Arrays>::Starts,
    state: C::State<'s>,
    /// The next strip that nobody has taken.
    next: AtomicUsize,
    violated: AtomicBool,
    /// Why a worker has not begun.
    failure: Mutex<Option<Failure>>,
}

impl<C: Convoy> Run<'_, '_, C> {
    /// Runs the strip that begins at `start`; `own` is room for a strip, and only the kernel `asked` tells
    /// the flag, if one is.
    ///
    /// # Safety
    /// The room behind `own` and that for this strip are this thread's.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn strip<const L: usize, F: Flag>(
        &self,
        start: usize,
        own: <C::Own as Arrays>::Starts,
        asked: Option<usize>,
        flag: &mut F,
    ) {
        let range = chunk(start / CHUNK, self.n);
        let count = range.len();
        // SAFETY: there is room for `n` elements, of which these are the caller's.
        let (outs, own) = unsafe {
            (
                C::Outs::rooms(self.outs, start, count),
                C::Own::rooms(own, 0, count),
            )
        };
        let strip = Strip {
            range,
            n: self.n,
            begun: Cell::new(0),
            asked,
        };
        let made = self
            .convoy
            .strip::<L, F>(&strip, &self.state, outs, own, flag);
        // Slices of this memory are there only once it has been written.
        assert!(
            C::Outs::lie_at(made, self.outs, start, count),
            "a convoy has left out an array; please report this"
        );
    }
}

fn work<C: Convoy>(run: &Run<'_, '_, C>) {
    let mut own = C::Own::none();
    match C::Own::own(&mut own, run.n.min(CHUNK)) {
        Ok(own) => dispatch(Worker { run, own }),
        Err(failure) => *run.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure),
    }
    memory::fence();
}

struct Worker<'a, 'c, 's, C: Convoy> {
    run: &'a Run<'c, 's, C>,
    /// Room for a strip.
    own: <C::Own as Arrays>::Starts,
}

impl<C: Convoy> Task for Worker<'_, '_, '_, C> {
    type Out = ();

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) {
        let Worker { run, own } = self;
        let mut flag = Fast::default();
        let abandon = Abandon(&run.state);
        loop {
            let start = run.next.fetch_add(CHUNK, Ordering::Relaxed);
            if start >= run.n {
                break;
            }
            // SAFETY: `own` is this worker's, and nobody else gets this strip.
            unsafe { run.strip::<L, Fast>(start, own, None, &mut flag) };
        }
        core::mem::forget(abandon);
        if flag.violated() {
            run.violated.store(true, Ordering::Relaxed);
        }
    }
}

/// Abandons the state when dropped, so that nobody waits for a worker that panicked.
struct Abandon<'a, S: State>(&'a S);

impl<S: State> Drop for Abandon<'_, S> {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

/// The violated check of the first kernel that has one, at its lowest index.
#[cold]
#[inline(never)]
fn diagnose<C: Convoy>(mut run: Run<'_, '_, C>) -> Failure {
    let mut own = C::Own::none();
    let starts = match C::Own::own(&mut own, run.n.min(CHUNK)) {
        Ok(starts) => starts,
        Err(failure) => return failure,
    };
    let mut report = Report::default();
    for kernel in C::CHECKS {
        run.state.restart();
        for start in (0..run.n).step_by(CHUNK) {
            // SAFETY: all workers have ended.
            unsafe { run.strip::<1, Report>(start, starts, Some(*kernel), &mut report) };
            if let Some(failure) = report.failure() {
                return failure;
            }
        }
    }
    Failure::Internal
}

/// A kernel's room for a strip, where its elements go.
#[cfg_attr(optimised, inline(always))]
fn room<P: Parts>(strip: &Strip, rooms: &mut P::Rooms<'_>) -> Bases<P> {
    let starts = P::starts(rooms, strip.range.len());
    Bases::new(starts.expect("a room that is no strip; please report this"))
}

/// The kernel's values of a strip, which go round the caches if all of them together are large and
/// `unread` here.
#[cfg_attr(optimised, inline(always))]
pub fn write<'r, const L: usize, K: Kernel<Out: Parts>, F: Flag>(
    kernel: &K,
    strip: &Strip,
    mut rooms: <K::Out as Parts>::Rooms<'r>,
    unread: bool,
    flag: &mut F,
) -> <K::Out as States>::Views<'r> {
    strip.begin(flag);
    let out = room::<K::Out>(strip, &mut rooms);
    let stream = unread && memory::streams::<K::Out>(strip.n);
    let (range, first) = (strip.range(), strip.range.start);
    // SAFETY: `room` has seen that the rooms are as long as the range.
    unsafe { write_range::<K, F, L>(kernel, range, out, first, stream, flag) };
    // SAFETY: `write_range` has written all of the range.
    unsafe { K::Out::full(rooms) }
}

/// The prefixes of a strip, as [`scan()`](crate::scan()) gives them. For `unread` see [`write()`].
///
/// # Panics
/// When there is nothing to start an exclusive scan with, which the compiler has to rule out.
#[cfg_attr(optimised, inline(always))]
pub fn scan<'r, const L: usize, K: Combine<Out: Parts>, F: Flag>(
    kernel: &K,
    strip: &Strip,
    carries: &Carries<K::Out>,
    exclusive: bool,
    mut rooms: <K::Out as Parts>::Rooms<'r>,
    unread: bool,
    flag: &mut F,
) -> <K::Out as States>::Views<'r> {
    strip.begin(flag);
    let out = room::<K::Out>(strip, &mut rooms);
    let again = again::<K, L>();
    let part = Part {
        range: strip.range(),
        values: (!again).then_some(out),
        out,
    };
    let range = strip.range();
    let total = chunk_total::<K, F, L, false>(kernel, range, part.values, flag);
    let c = strip.chunk();
    let carry = carries.chain.wait(c);
    let carry = carry.or_else(|| K::COMMUTATIVE.then(|| kernel.neutral()));
    assert!(
        !exclusive || carry.is_some(),
        "nothing to start a scan with; please report this"
    );
    let behind = joined(kernel, carry, total, flag);
    carries.chain.pass(c, c + 1, Some(behind));
    let how = How {
        exclusive,
        // What is read again is to stay near.
        stream: again && unread && memory::streams::<K::Out>(strip.n),
    };
    prefixes::<K, L, F>(kernel, part, carry, how, flag);
    // SAFETY: `prefixes` has written all of the strip.
    unsafe { K::Out::full(rooms) }
}

/// Takes a strip into a reduction.
#[cfg_attr(optimised, inline(always))]
pub fn reduce<const L: usize, K: Combine, F: Flag>(
    kernel: &K,
    strip: &Strip,
    totals: &Totals<K::Out>,
    flag: &mut F,
) {
    strip.begin(flag);
    let total = chunk_total::<K, F, L, false>(kernel, strip.range(), None, flag);
    totals.add(kernel, strip, total, flag);
}
