//! The values that are kept of those of a kernel, one after another.
//!
//! In: a kernel whose first component says which of its values are kept. Out: the other components of
//! these, and how many they are.
//! Assumes: nothing.
//!
//! Note \[Twice\]. Where a value goes depends on how many before it are kept. So those of a part are counted
//! first, and then computed again where they go, while what they are made of is in a near cache: a value
//! is mostly cheaper than to be written somewhere and read back. Lanes are brought together without
//! branches, which writes beyond those that are kept, as long as a part has room for a block. Workers take
//! parts in order and hand on how many are kept (Note \[Chained chunks\] in `chain.rs`). A worker knows that
//! without while it is alone, and counts only where there may be too little room for a part. If there turns
//! out to be too little for all, there is once the number is known, and all parts are computed once more.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::blocks::{Visit, each};
use crate::chain::Chain;
use crate::error::Failure;
use crate::join::Joined;
use crate::kernel::{Fast, Flag, Kernel, Product};
use crate::level::{MAX_LANES, Task, dispatch, has_lanes};
use crate::long;
use crate::overhang::{self, PART};
use crate::packed::{Components, Laid, Make, Packed};
use crate::packing::Kept;
use crate::parallel;
use crate::product::Bases;
use crate::write::first_violation;

/// Bytes of values that are counted together at most: what they are made of stays in a second-level cache
/// then, which is about as much. With less, workers wait for each other, and memory for them.
const NEAR: usize = 256 << 10;

/// Indices that are counted together at least.
const LEAST: usize = 1 << 10;

/// Indices whose kept values are counted together, such that each of the threads gets its share of all.
fn share<K: Kernel<Out: Kept>>(n: usize, threads: usize) -> usize {
    let near = NEAR / Values::<K>::BYTES.max(4);
    let share = near.min(n.div_ceil(8 * threads)).max(LEAST);
    share.next_multiple_of(MAX_LANES)
}

/// Lanes of a block of which it pays to ask whether any of them is kept at all: to write none takes as
/// long as to write all, where few are kept blocks without any are the rule, and else the exception.
const WIDE: usize = 32;

pub(crate) type Values<K> = <<K as Kernel>::Out as Kept>::Values;

/// The elements of the arrays that the kept values of a kernel lie in.
type Arrays<K, T> = <T as Laid<Values<K>>>::Arrays;

/// The kept ones of the values of `0..n`, one after another, straight into the caller's memory; gives
/// how many they are.
///
/// Cost: `2 * n` bodies, or `3 * n` without room at first, in parallel and in lane blocks, or `n` on one
/// thread with room for all; see Note \[Twice\].
/// Errors: the violated check of the lowest index; `ResultLength` for a slice of another length; no
/// memory. After an error the contents are unspecified.
pub fn keep_to<K: Kernel<Out: Kept>>(
    kernel: &K,
    n: usize,
    outs: <Values<K> as Product>::Outs<'_>,
) -> Result<usize, Failure> {
    keep_as::<K, Components>(kernel, n, outs)
}

/// As [`keep_to`], into one array of the elements that `M` makes of the values.
pub fn keep_packed_to<K: Kernel<Out: Kept<Values = M::Parts>>, M: Make>(
    kernel: &K,
    n: usize,
    outs: <(M::Whole,) as Product>::Outs<'_>,
) -> Result<usize, Failure> {
    keep_as::<K, Packed<M>>(kernel, n, outs)
}

fn keep_as<K: Kernel<Out: Kept>, T: Laid<Values<K>>>(
    kernel: &K,
    n: usize,
    mut outs: <Arrays<K, T> as Product>::Outs<'_>,
) -> Result<usize, Failure> {
    let (bases, room) = Arrays::<K, T>::at_hand(&mut outs, n);
    let parts = count_and_write::<K, T>(kernel, n, Bases::new(bases), room)?;
    let total = parts.total;
    let out = Bases::new(Arrays::<K, T>::prepare(&mut outs, total)?);
    if total > room {
        let Parts { share, places, .. } = &parts;
        let cost = share.saturating_mul(K::COST as usize);
        parallel::for_ranges(places.len(), 1, cost, &|parts| {
            dispatch(Pack::<K, T> {
                kernel,
                n,
                share: *share,
                parts,
                places,
                total,
                out,
            });
        });
    }
    // SAFETY: `prepare` made room for `total`, which is what the parts have kept and written, there or,
    // where there was room, already before, or a worker has not returned.
    unsafe { Arrays::<K, T>::finish(outs, total) };
    Ok(total)
}

/// What the parts of all indices have kept.
struct Parts {
    /// How many indices are a part.
    share: usize,
    /// Where those of each part go.
    places: Vec<AtomicUsize>,
    /// How many they are.
    total: usize,
}

/// Counts the kept values of `0..n`, and writes them behind `out` as far as there is room, which is the caller's.
fn count_and_write<K: Kernel<Out: Kept>, T: Laid<Values<K>>>(
    kernel: &K,
    n: usize,
    out: Bases<Arrays<K, T>>,
    room: usize,
) -> Result<Parts, Failure> {
    let threads = parallel::threads(n.div_ceil(LEAST), LEAST.saturating_mul(K::COST as usize));
    let share = share::<K>(n, threads);
    let parts = n.div_ceil(share);
    let workers = threads.min(parts);
    let run = Run::<K, T> {
        kernel,
        n,
        share,
        out,
        room,
        present: AtomicUsize::new(0),
        places: (0..parts).map(|_| AtomicUsize::new(0)).collect(),
        next: AtomicUsize::new(0),
        chain: Chain::new(Some(0)),
        violated: AtomicBool::new(false),
    };
    parallel::workers(workers, &|| dispatch(Worker(&run)));
    if run.violated.into_inner() {
        return Err(first_violation(kernel, n).unwrap_or(Failure::Internal));
    }
    Ok(Parts {
        share,
        places: run.places,
        total: run.chain.into_carry().unwrap_or(0),
    })
}

/// As [`keep_to`], behind `out`, which has room for all `n` and is the caller's.
pub(crate) fn keep_all<K: Kernel<Out: Kept>>(
    kernel: &K,
    n: usize,
    out: Bases<Values<K>>,
) -> Result<usize, Failure> {
    count_and_write::<K, Components>(kernel, n, out, n).map(|parts| parts.total)
}

/// As [`keep_to`], inside of a nest: sequential, in one pass, into arrays that take any length.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn keep_inside<K: Kernel<Out: Kept>, F: Flag, const L: usize>(
    kernel: &K,
    n: usize,
    mut outs: <Values<K> as Product>::Outs<'_>,
    flag: &mut F,
) -> usize {
    let out = match Values::<K>::prepare(&mut outs, n) {
        Ok(out) => Bases::new(out),
        Err(failure) => {
            flag.fail(failure);
            return 0;
        }
    };
    let count = long::keep(kernel, n, out, flag).unwrap_or_else(|| {
        let mut kept = Keeping::<K, Components, L>::new(out, n);
        each::<K, _, F, L, true>(kernel, 0..n, &mut kept, flag);
        kept.place
    });
    // SAFETY: `prepare` made room for `n`, of which so many have been written, from the first on.
    unsafe { Values::<K>::finish(outs, count) };
    count
}

/// As [`keep_inside`], behind the ends of arrays that grow.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn keep_onto<K: Kernel<Out: Kept<Values: Joined>>, F: Flag, const L: usize>(
    kernel: &K,
    n: usize,
    mut ends: <Values<K> as Joined>::Onto<'_, '_>,
    flag: &mut F,
) -> usize {
    let out = match Values::<K>::room(&mut ends, n.saturating_add(PART)) {
        Ok(out) => Bases::<Values<K>>::new(out),
        Err(failure) => {
            flag.fail(failure);
            return 0;
        }
    };
    let count = if let Some(count) = long::keep(kernel, n, out, flag) {
        count
    } else if const { overhang::keeps::<K, F, L>() } {
        // SAFETY: `room` made room for `n` and a part.
        unsafe { overhang::keep::<K, F, L>(kernel, n, out, flag) }
    } else {
        let mut kept = Keeping::<K, Components, L>::new(out, n);
        each::<K, _, F, L, true>(kernel, 0..n, &mut kept, flag);
        kept.place
    };
    // SAFETY: `room` made room for `n`, of which so many have been written, from the first on.
    unsafe { Values::<K>::grown(ends, count) };
    count
}

/// The indices of a part.
fn part(part: usize, share: usize, n: usize) -> Range<usize> {
    part * share..n.min((part + 1) * share)
}

/// What workers share.
struct Run<'a, K: Kernel<Out: Kept>, T: Laid<Values<K>>> {
    kernel: &'a K,
    n: usize,
    /// How many of these are a part.
    share: usize,
    out: Bases<Arrays<K, T>>,
    /// For how many values there is room.
    room: usize,
    /// The workers that have begun, and not ended.
    present: AtomicUsize,
    /// Where those of each part go.
    places: Vec<AtomicUsize>,
    /// The next part that nobody has taken.
    next: AtomicUsize,
    /// How many values the parts before have kept.
    chain: Chain<usize>,
    violated: AtomicBool,
}

impl<K: Kernel<Out: Kept>, T: Laid<Values<K>>> Run<'_, K, T> {
    /// How many values there is room for behind those of the parts before `at`, if no other worker waits for this
    /// one's.
    fn room_alone(&self, at: usize) -> usize {
        match self.present.load(Ordering::Relaxed) {
            1 => self.room.saturating_sub(self.chain.wait(at).unwrap_or(0)),
            _several => 0,
        }
    }
}

/// Counts the kept values of parts, and writes them while there is room.
struct Worker<'a, 'k, K: Kernel<Out: Kept>, T: Laid<Values<K>>>(&'a Run<'k, K, T>);

impl<K: Kernel<Out: Kept>, T: Laid<Values<K>>> Task for Worker<'_, '_, K, T> {
    type Out = ();

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) {
        let run = self.0;
        let mut flag = Fast::default();
        let mut kept = Keeping::<K, T, L>::new(run.out, 0);
        let abandon = run.chain.guard();
        run.present.fetch_add(1, Ordering::Relaxed);
        loop {
            let at = run.next.fetch_add(1, Ordering::Relaxed);
            let Some(own) = run.places.get(at) else {
                break;
            };
            let range = part(at, run.share, run.n);
            // With nobody beside it, it need not count first to let others know soon.
            let fits = range.len() <= run.room_alone(at);
            let mut most = range.len();
            if !fits {
                let mut counted = Counted::<L>::new();
                each::<K, _, Fast, L, false>(run.kernel, range.clone(), &mut counted, &mut flag);
                most = counted.count;
            }
            let place = run.chain.wait(at).unwrap_or(0);
            let end = place + most;
            if !fits {
                run.chain.pass(at, at + 1, Some(end));
            }
            own.store(place, Ordering::Relaxed);
            if most == 0 || end > run.room {
                continue;
            }
            (kept.place, kept.end) = (place, end);
            each::<K, _, Fast, L, false>(run.kernel, range, &mut kept, &mut flag);
            match fits {
                true => run.chain.pass(at, at + 1, Some(kept.place)),
                false => kept.ends(),
            }
        }
        run.present.fetch_sub(1, Ordering::Relaxed);
        core::mem::forget(abandon);
        if flag.violated() {
            run.violated.store(true, Ordering::Relaxed);
        }
    }
}

/// Counts kept values, at a level of `L` lanes, which the processor has.
pub(crate) struct Counted<const L: usize> {
    pub(crate) count: usize,
}

impl<const L: usize> Counted<L> {
    /// # Panics
    /// As [`Keeping::new`].
    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn new() -> Self {
        has_level::<L>();
        Counted { count: 0 }
    }
}

impl<K: Kernel<Out: Kept>, const L: usize> Visit<K> for Counted<L> {
    #[cfg_attr(optimised, inline(always))]
    fn visit<const B: usize, F: Flag>(
        &mut self,
        _at: usize,
        lanes: &<K::Out as Product>::Lanes<B>,
        _flag: &mut F,
    ) {
        assert!(B <= L);
        // SAFETY: the level is there.
        self.count += unsafe { K::Out::count::<B>(lanes) };
    }
}

/// Writes the kept values of some parts.
struct Pack<'a, K: Kernel<Out: Kept>, T: Laid<Values<K>>> {
    kernel: &'a K,
    n: usize,
    share: usize,
    parts: Range<usize>,
    /// Where those of each part go.
    places: &'a [AtomicUsize],
    /// How many there are in all.
    total: usize,
    out: Bases<Arrays<K, T>>,
}

impl<K: Kernel<Out: Kept>, T: Laid<Values<K>>> Task for Pack<'_, K, T> {
    type Out = ();

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) {
        let mut flag = Fast::default();
        let place = |at: usize| match self.places.get(at) {
            Some(place) => place.load(Ordering::Relaxed),
            None => self.total,
        };
        let mut kept = Keeping::<K, T, L>::new(self.out, 0);
        for at in self.parts {
            (kept.place, kept.end) = (place(at), place(at + 1));
            if kept.place == kept.end {
                continue;
            }
            let range = part(at, self.share, self.n);
            each::<K, _, Fast, L, false>(self.kernel, range, &mut kept, &mut flag);
            kept.ends();
        }
    }
}

/// Kept values on their way to their place, at a level of `L` lanes, which the processor has.
pub(crate) struct Keeping<K: Kernel<Out: Kept>, T: Laid<Values<K>>, const L: usize> {
    out: Bases<Arrays<K, T>>,
    /// Where the next one goes, and the end of the room behind `out` that is this value's alone.
    pub(crate) place: usize,
    pub(crate) end: usize,
}

impl<K: Kernel<Out: Kept>, T: Laid<Values<K>>, const L: usize> Keeping<K, T, L> {
    /// From the first place on.
    ///
    /// # Panics
    /// When the processor has no such level: once here, so that blocks need not ask.
    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn new(out: Bases<Arrays<K, T>>, end: usize) -> Self {
        has_level::<L>();
        let place = 0;
        Keeping { out, place, end }
    }

    /// Sees to it that all the room has been written.
    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn ends(&self) {
        if self.place != self.end {
            other_count();
        }
    }
}

impl<K: Kernel<Out: Kept>, T: Laid<Values<K>>, const L: usize> Visit<K> for Keeping<K, T, L> {
    #[cfg_attr(optimised, inline(always))]
    fn visit<const B: usize, F: Flag>(
        &mut self,
        _at: usize,
        lanes: &<K::Out as Product>::Lanes<B>,
        _flag: &mut F,
    ) {
        assert!(B <= L);
        // SAFETY: the level is there.
        if const { B >= WIDE } && unsafe { K::Out::count::<B>(lanes) } == 0 {
            return;
        }
        let room = self.end - self.place;
        if room >= B {
            // SAFETY: there is room for `B` values, and it is this value's alone; the level is there.
            self.place += unsafe { T::pack::<K::Out, B>(lanes, self.out.get(), self.place) };
            return;
        }
        let mut last = Arrays::<K, T>::zero().splat::<B>();
        let near = Arrays::<K, T>::lane_bases(&mut last);
        // SAFETY: these are `B` values; the level is there.
        let count = unsafe { T::pack::<K::Out, B>(lanes, near, 0) };
        // A body that is not the same each time may keep more than have been counted.
        if count > room {
            other_count();
        }
        // SAFETY: `place + count <= end` by the line before.
        unsafe { Arrays::<K, T>::store_from::<B>(&last, 0, self.out.get(), self.place, count) };
        self.place += count;
    }
}

/// # Panics
/// When the processor has no level of `L` lanes.
#[cfg_attr(optimised, inline(always))]
fn has_level<const L: usize>() {
    assert!(
        has_lanes::<L>(),
        "no level of {L} lanes; please report this"
    );
}

/// A mistake of the compiler.
#[cold]
#[inline(never)]
fn other_count() -> ! {
    panic!("a body keeps other values the second time; please report this");
}
