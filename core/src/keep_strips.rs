//! Values that are kept, strip by strip.
//!
//! In: a kernel whose first component says which of its values are kept, and that takes its turns with
//! others. Out: the other components of these, one after another, and how many they are.
//! Assumes: nothing.
//!
//! As in Note \[Twice\] in `keep.rs`, those of a strip are counted first: what they are made of has been
//! left in a near cache by the kernels before. But those kernels do not run once more if there turns out to
//! be too little room for all. So there is room for as many as there are indices from the beginning, of
//! which the system gives pages for what is written only: in a vector without memory, which gives back what
//! it does not need; else elsewhere, for the strips from that on for which there is too little. Where a caller
//! has kept as many before, these are none.

use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::blocks::each;
use crate::chain::Chain;
use crate::convoy::{State, Strip};
use crate::error::Failure;
use crate::keep::{Counted, Keeping};
use crate::kernel::{Flag, Kernel, Product};
use crate::packed::{Components, Laid};
use crate::packing::Kept;
use crate::parallel;
use crate::product::Bases;

/// The elements of the arrays that kept values lie in.
type Arrays<P, T> = <T as Laid<<P as Kept>::Values>>::Arrays;

/// Where kept values go, and how many there are.
pub struct Keeps<'s, P: Kept, T: Laid<P::Values> = Components> {
    outs: <T::Arrays as Product>::Outs<'s>,
    to: Bases<T::Arrays>,
    /// For how many values there is room there.
    room: usize,
    /// Whether that was made for all of `n`.
    grown: bool,
    n: usize,
    /// Room for all of `n`, if there is too little where they go.
    _vecs: Option<<T::Arrays as Product>::Vecs>,
    elsewhere: Bases<T::Arrays>,
    /// The first that are there: all from these on are.
    first: AtomicUsize,
    chain: Chain<usize>,
}

impl<'s, P: Kept, T: Laid<P::Values>> Keeps<'s, P, T> {
    /// With nothing kept yet, of `n` values.
    ///
    /// Errors: no memory.
    pub fn new(mut outs: <T::Arrays as Product>::Outs<'s>, n: usize) -> Result<Self, Failure> {
        let (mut to, mut room) = Arrays::<P, T>::at_hand(&mut outs, n);
        let grown = room == 0 && !Arrays::<P, T>::has_slice(&outs);
        if grown {
            to = Arrays::<P, T>::prepare(&mut outs, n)?;
            room = n;
        }
        let (mut vecs, mut elsewhere) = (None, to);
        if room < n {
            let vecs = vecs.insert(Arrays::<P, T>::empty());
            Arrays::<P, T>::reserve(vecs, n)?;
            elsewhere = Arrays::<P, T>::bases(vecs);
        }
        Ok(Keeps {
            outs,
            to: Bases::new(to),
            room,
            grown,
            n,
            _vecs: vecs,
            elsewhere: Bases::new(elsewhere),
            first: AtomicUsize::new(usize::MAX),
            chain: Chain::new(Some(0)),
        })
    }

    /// Behind the last strip: gives how many there are, all of which are where they go then.
    ///
    /// Errors: `ResultLength` for a slice of another length; no memory.
    pub fn finish(mut self) -> Result<usize, Failure> {
        let total = self.chain.into_carry().unwrap_or(0);
        if total > self.room {
            let first = self.first.into_inner().min(total);
            // SAFETY: strips have written all up to `total`, since each writes as many as it counts or
            // panics, and then nobody gets this: those before the first that are elsewhere where they go.
            unsafe { copy::<T::Arrays>(self.to, self.elsewhere, first) };
            let to = Bases::new(Arrays::<P, T>::prepare(&mut self.outs, total)?);
            // SAFETY: all of them are elsewhere now, and `prepare` has made room for them.
            unsafe { copy::<T::Arrays>(self.elsewhere, to, total) };
        } else {
            // Of vectors nothing becomes of it; a slice may be longer.
            Arrays::<P, T>::prepare(&mut self.outs, total)?;
        }
        // SAFETY: there is room for so many, which have been written: just now, or by strips, as above.
        unsafe {
            match self.grown {
                true => Arrays::<P, T>::finish_few(self.outs, total),
                false => Arrays::<P, T>::finish(self.outs, total),
            }
        }
        Ok(total)
    }

    /// Where a strip writes values from `place` up to `end`.
    #[cfg_attr(optimised, inline(always))]
    fn out(&self, place: usize, end: usize) -> Bases<T::Arrays> {
        assert!(
            end <= self.n,
            "no room for what is kept; please report this"
        );
        match end <= self.room {
            true => self.to,
            false => {
                self.first.fetch_min(place, Ordering::Relaxed);
                self.elsewhere
            }
        }
    }
}

/// Copies the first `count` values to where these of the other are.
///
/// # Safety
/// They are there, and there is room for them, which nobody else accesses.
unsafe fn copy<V: Product>(from: Bases<V>, to: Bases<V>, count: usize) {
    let copy = |range: Range<usize>| {
        // SAFETY: promised by the caller; ranges do not overlap.
        unsafe { V::copy_range(from.get(), to.get(), range) };
    };
    parallel::for_ranges(count, PART, COST * V::BYTES.max(1), &copy);
}

/// Values that are copied at a time at least, and estimated scalar operations of a byte of them.
const PART: usize = 1 << 12;
const COST: usize = 2;

impl<P: Kept, T: Laid<P::Values>> State for Keeps<'_, P, T> {
    fn abandon(&self) {
        drop(self.chain.guard());
    }

    fn restart(&mut self) {
        self.chain = Chain::new(Some(0));
        self.first = AtomicUsize::new(usize::MAX);
    }
}

/// Keeps those of the values of a strip whose first component says so, behind those of the strips before.
#[cfg_attr(optimised, inline(always))]
pub fn keep<const L: usize, K, T, F: Flag>(
    kernel: &K,
    strip: &Strip,
    keeps: &Keeps<'_, K::Out, T>,
    flag: &mut F,
) where
    K: Kernel<Out: Kept>,
    T: Laid<<K::Out as Kept>::Values>,
{
    strip.begin(flag);
    let mut counted = Counted::<L>::new();
    each::<K, _, F, L, false>(kernel, strip.range(), &mut counted, flag);
    let c = strip.chunk();
    let place = keeps.chain.wait(c).unwrap_or(0);
    let end = place + counted.count;
    keeps.chain.pass(c, c + 1, Some(end));
    if counted.count > 0 {
        let mut kept = Keeping::<K, T, L>::new(keeps.out(place, end), end);
        kept.place = place;
        each::<K, _, F, L, false>(kernel, strip.range(), &mut kept, flag);
        kept.ends();
    }
}
