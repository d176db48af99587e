//! The values that are kept of those of a kernel, one after another.
//!
//! In: a kernel whose first component says which of its values are kept. Out: the other components of
//! these, and how many they are.
//! Assumes: nothing.
//!
//! Note [Two passes]. Where a value goes depends on how many before it are kept. So these are counted
//! first, part by part in parallel; then each part is computed again and goes to its place. A value is
//! mostly cheaper than to be written somewhere and read back. Lanes are brought together without branches,
//! which writes beyond those that are kept, as long as a part has room for a block.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::blocks::{Visit, each};
use crate::error::Failure;
use crate::kernel::{Fast, Flag, Kernel, Product};
use crate::level::{Task, dispatch};
use crate::packing::Kept;
use crate::parallel;
use crate::product::Bases;
use crate::write::first_violation;

/// Indices whose kept values are counted together.
const PART: usize = 1 << 14;

type Values<K> = <<K as Kernel>::Out as Kept>::Values;

/// The kept ones of the values of `0..n`, one after another, straight into the caller's memory; gives
/// how many they are.
///
/// Cost: `2 * n` bodies, in parallel and in lane blocks; see Note [Two passes].
/// Errors: the violated check of the lowest index; `ResultLength` for a slice of another length; no
/// memory.
pub fn keep_to<K: Kernel<Out: Kept>>(
    kernel: &K,
    n: usize,
    mut outs: <Values<K> as Product>::Outs<'_>,
) -> Result<usize, Failure> {
    let parts = n.div_ceil(PART);
    let mut places: Vec<AtomicUsize> = (0..parts).map(|_| AtomicUsize::new(0)).collect();
    let violated = AtomicBool::new(false);
    let cost = PART.saturating_mul(K::COST as usize);
    parallel::for_ranges(parts, 1, cost, &|parts| {
        let places = &places;
        if dispatch(Count {
            kernel,
            n,
            parts,
            places,
        }) {
            violated.store(true, Ordering::Relaxed);
        }
    });
    if violated.into_inner() {
        return Err(first_violation(kernel, n).unwrap_or(Failure::Internal));
    }
    let mut total = 0;
    for place in &mut places {
        let count = core::mem::replace(place.get_mut(), total);
        total += count;
    }
    let out = Bases::new(Values::<K>::prepare(&mut outs, total)?);
    parallel::for_ranges(parts, 1, cost, &|parts| {
        let places = &places;
        dispatch(Pack {
            kernel,
            n,
            parts,
            places,
            total,
            out,
        });
    });
    // SAFETY: `prepare` made room for `total`, which is what the parts have kept and written; or
    // `Pack` has not returned.
    unsafe { Values::<K>::finish(outs, total) };
    Ok(total)
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
    let mut kept = Keeping::<K> {
        out,
        place: 0,
        end: n,
    };
    each::<K, _, F, L, true>(kernel, 0..n, &mut kept, flag);
    // SAFETY: `prepare` made room for `n`, of which so many have been written, from the first on.
    unsafe { Values::<K>::finish(outs, kept.place) };
    kept.place
}

/// The indices of a part.
fn part(part: usize, n: usize) -> Range<usize> {
    part * PART..n.min((part + 1) * PART)
}

/// Counts the kept values of some parts.
struct Count<'a, K> {
    kernel: &'a K,
    n: usize,
    parts: Range<usize>,
    places: &'a [AtomicUsize],
}

impl<K: Kernel<Out: Kept>> Task for Count<'_, K> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        let mut flag = Fast::default();
        for at in self.parts {
            let mut counted = Counted(0);
            let range = part(at, self.n);
            each::<K, _, Fast, L, false>(self.kernel, range, &mut counted, &mut flag);
            self.places[at].store(counted.0, Ordering::Relaxed);
        }
        flag.violated()
    }
}

struct Counted(usize);

impl<K: Kernel<Out: Kept>> Visit<K> for Counted {
    #[cfg_attr(optimised, inline(always))]
    fn visit<const B: usize, F: Flag>(
        &mut self,
        _at: usize,
        lanes: &<K::Out as Product>::Lanes<B>,
        _flag: &mut F,
    ) {
        self.0 += K::Out::count(lanes);
    }
}

/// Writes the kept values of some parts.
struct Pack<'a, K: Kernel<Out: Kept>> {
    kernel: &'a K,
    n: usize,
    parts: Range<usize>,
    /// Where those of each part go.
    places: &'a [AtomicUsize],
    /// How many there are in all.
    total: usize,
    out: Bases<Values<K>>,
}

impl<K: Kernel<Out: Kept>> Task for Pack<'_, K> {
    type Out = ();

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) {
        let mut flag = Fast::default();
        let place = |at: usize| match self.places.get(at) {
            Some(place) => place.load(Ordering::Relaxed),
            None => self.total,
        };
        let mut kept = Keeping::<K> {
            out: self.out,
            place: 0,
            end: 0,
        };
        for at in self.parts {
            (kept.place, kept.end) = (place(at), place(at + 1));
            let range = part(at, self.n);
            each::<K, _, Fast, L, false>(self.kernel, range, &mut kept, &mut flag);
            kept.ends();
        }
    }
}

/// Kept values on their way to their place.
struct Keeping<K: Kernel<Out: Kept>> {
    out: Bases<Values<K>>,
    /// Where the next one goes, and the end of the room behind `out` that is this value's alone.
    place: usize,
    end: usize,
}

impl<K: Kernel<Out: Kept>> Keeping<K> {
    /// Sees to it that all the room has been written.
    #[cfg_attr(optimised, inline(always))]
    fn ends(&self) {
        if self.place != self.end {
            other_count();
        }
    }
}

impl<K: Kernel<Out: Kept>> Visit<K> for Keeping<K> {
    #[cfg_attr(optimised, inline(always))]
    fn visit<const B: usize, F: Flag>(
        &mut self,
        _at: usize,
        lanes: &<K::Out as Product>::Lanes<B>,
        _flag: &mut F,
    ) {
        let room = self.end - self.place;
        if room >= B {
            // SAFETY: there is room for `B` values, and it is this value's alone.
            self.place += unsafe { K::Out::pack::<B>(lanes, self.out.get(), self.place) };
            return;
        }
        let mut last = Values::<K>::zero().splat::<B>();
        // SAFETY: these are `B` values.
        let count = unsafe { K::Out::pack::<B>(lanes, Values::<K>::lane_bases(&mut last), 0) };
        // A body that is not the same each time may keep more than have been counted.
        if count > room {
            other_count();
        }
        // SAFETY: `place + count <= end` by the line before.
        unsafe { Values::<K>::store_from::<B>(&last, 0, self.out.get(), self.place, count) };
        self.place += count;
    }
}

/// A mistake of the compiler.
#[cold]
#[inline(never)]
fn other_count() -> ! {
    panic!("a body keeps other values the second time; please report this");
}
