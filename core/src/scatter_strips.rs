//! Scatters, strip by strip.
//!
//! In: a kernel whose values start with an index, and that takes its turns with others; slices. Out: the
//! slices, written to.
//! Assumes: nothing; an index out of range is a failure.

use std::sync::{Mutex, PoisonError};

use crate::chain::Chain;
use crate::convoy::{State, Strip};
use crate::kernel::{Flag, Kernel};
use crate::product::Placed;
use crate::scatter::place;

/// What a scatter writes to, one strip after another: of several elements with one index, the last one
/// stays.
pub struct Placing<'s, P: Placed> {
    targets: Mutex<P::Targets<'s>>,
    turns: Chain<()>,
}

impl<'s, P: Placed> Placing<'s, P> {
    /// With nothing placed yet.
    pub fn new(targets: P::Targets<'s>) -> Self {
        Placing {
            targets: Mutex::new(targets),
            turns: Chain::new(None),
        }
    }
}

impl<P: Placed> State for Placing<'_, P> {
    fn abandon(&self) {
        drop(self.turns.guard());
    }

    fn restart(&mut self) {
        self.turns = Chain::new(None);
    }
}

/// Puts the values of a strip at their indices, behind those of the strips before; an index out of range
/// is check `id`.
#[cfg_attr(optimised, inline(always))]
pub fn scatter<const L: usize, K: Kernel<Out: Placed>, F: Flag>(
    kernel: &K,
    strip: &Strip,
    placing: &Placing<'_, K::Out>,
    id: u32,
    flag: &mut F,
) {
    strip.begin(flag);
    let c = strip.chunk();
    placing.turns.wait(c);
    let targets = placing.targets.lock();
    let mut targets = targets.unwrap_or_else(PoisonError::into_inner);
    place::<K, F, L, false>(kernel, strip.range(), &mut targets, id, flag);
    drop(targets);
    placing.turns.pass(c, c + 1, None);
}
