//! Values that are kept, strip by strip.
//!
//! In: a kernel whose first component says which of its values are kept, and that takes its turns with
//! others. Out: the other components of these, one after another, and how many they are.
//! Assumes: nothing.
//!
//! As in Note \[Twice\] in `keep.rs`, those of a strip are counted first: what they are made of has been
//! left in a near cache by the kernels before. But those kernels do not run once more if there is too little
//! room for all. So there is room for as many as there are indices from the beginning, of which the system
//! gives pages for what is written only; for slices, which have no more than they need, it is elsewhere.

use core::ops::Range;

use crate::blocks::each;
use crate::chain::Chain;
use crate::convoy::{State, Strip};
use crate::error::Failure;
use crate::keep::{Counted, Keeping};
use crate::kernel::{Flag, Kernel, Product};
use crate::packing::Kept;
use crate::parallel;
use crate::product::Bases;

/// Where kept values go, and how many there are.
pub struct Keeps<'s, P: Kept> {
    outs: <P::Values as Product>::Outs<'s>,
    /// For how many values there is room behind `out`.
    room: usize,
    /// Where they are if they go to slices.
    elsewhere: Option<<P::Values as Product>::Vecs>,
    out: Bases<P::Values>,
    chain: Chain<usize>,
}

impl<'s, P: Kept> Keeps<'s, P> {
    /// With nothing kept yet, of `n` values.
    ///
    /// Errors: no memory.
    pub fn new(mut outs: <P::Values as Product>::Outs<'s>, n: usize) -> Result<Self, Failure> {
        let (out, elsewhere) = match P::Values::has_slice(&outs) {
            true => {
                let mut vecs = P::Values::empty();
                P::Values::reserve(&mut vecs, n)?;
                (P::Values::bases(&mut vecs), Some(vecs))
            }
            false => (P::Values::prepare(&mut outs, n)?, None),
        };
        Ok(Keeps {
            outs,
            room: n,
            elsewhere,
            out: Bases::new(out),
            chain: Chain::new(Some(0)),
        })
    }

    /// Behind the last strip: gives how many there are, all of which are where they go then.
    ///
    /// Errors: `ResultLength` for a slice of another length; no memory.
    pub fn finish(mut self) -> Result<usize, Failure> {
        let total = self.chain.into_carry().unwrap_or(0);
        if self.elsewhere.is_some() {
            let to = Bases::<P::Values>::new(P::Values::prepare(&mut self.outs, total)?);
            let copy = |range: Range<usize>| {
                // SAFETY: strips have written so many values, since each writes as many as it counts or
                // panics, and then nobody gets this; `prepare` has made room for them.
                unsafe { P::Values::copy_range(self.out.get(), to.get(), range) };
            };
            let bytes = P::Values::BYTES.max(1);
            parallel::for_ranges(total, PART, COST * bytes, &copy);
        }
        // SAFETY: there is room for `n`, of which so many have been written: just now, or, as above, by
        // strips.
        unsafe { P::Values::finish_few(self.outs, total) };
        Ok(total)
    }
}

/// Values that are copied at a time at least, and estimated scalar operations of a byte of them.
const PART: usize = 1 << 12;
const COST: usize = 2;

impl<P: Kept> State for Keeps<'_, P> {
    fn abandon(&self) {
        drop(self.chain.guard());
    }

    fn restart(&mut self) {
        self.chain = Chain::new(Some(0));
    }
}

/// Keeps those of the values of a strip whose first component says so, behind those of the strips before.
#[cfg_attr(optimised, inline(always))]
pub fn keep<const L: usize, K: Kernel<Out: Kept>, F: Flag>(
    kernel: &K,
    strip: &Strip,
    keeps: &Keeps<'_, K::Out>,
    flag: &mut F,
) {
    strip.begin(flag);
    let mut counted = Counted::<L>::new();
    each::<K, _, F, L, false>(kernel, strip.range(), &mut counted, flag);
    let c = strip.chunk();
    let place = keeps.chain.wait(c).unwrap_or(0);
    let end = place + counted.count;
    assert!(
        end <= keeps.room,
        "no room for what is kept; please report this"
    );
    keeps.chain.pass(c, c + 1, Some(end));
    if counted.count > 0 {
        let mut kept = Keeping::<K, L>::new(keeps.out, end);
        kept.place = place;
        each::<K, _, F, L, false>(kernel, strip.range(), &mut kept, flag);
        kept.ends();
    }
}
