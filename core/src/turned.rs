//! What is written from the end on, strip by strip.
//!
//! In: a kernel that reads at `n - 1 - i` what others of its convoy make of index `i`, and nothing else of
//! that. Out: its elements, those of a strip `a..b` at `n - b..n - a`.
//! Assumes: nothing.
//!
//! So the prefixes of a scan from the right, which runs over the elements from the end on, are turned round
//! while they are in a near cache.

use core::sync::atomic::{AtomicBool, Ordering};

use crate::convoy::{State, Strip};
use crate::error::Failure;
use crate::kernel::{CHUNK, Flag, Kernel, Product};
use crate::memory;
use crate::product::Bases;
use crate::write::write_range;

/// Where such elements go.
pub struct Turning<'s, P: Product> {
    outs: P::Outs<'s>,
    to: Bases<P>,
    n: usize,
    /// For each strip, whether its elements are there.
    written: Vec<AtomicBool>,
}

impl<'s, P: Product> Turning<'s, P> {
    /// With nothing written yet, of `n` elements.
    ///
    /// Errors: `ResultLength` for a slice of another length; no memory.
    pub fn new(mut outs: P::Outs<'s>, n: usize) -> Result<Self, Failure> {
        let to = Bases::new(P::prepare(&mut outs, n)?);
        let strips = 0..n.div_ceil(CHUNK);
        Ok(Turning {
            outs,
            to,
            n,
            written: strips.map(|_| AtomicBool::default()).collect(),
        })
    }

    /// Behind the last strip: all elements are where they go.
    ///
    /// Errors: `Internal` if a strip has been left out.
    pub fn finish(mut self) -> Result<(), Failure> {
        if !self.written.iter_mut().all(|it| *it.get_mut()) {
            return Err(Failure::Internal);
        }
        // SAFETY: `new` has made room for `n` elements, and those of all strips have been written.
        unsafe { P::finish(self.outs, self.n) };
        Ok(())
    }
}

impl<P: Product> State for Turning<'_, P> {
    fn abandon(&self) {}

    fn restart(&mut self) {
        self.written.fill_with(AtomicBool::default);
    }
}

/// Writes the elements that are made of a strip of what the kernels before have made.
///
/// # Panics
/// If there are more or fewer elements than strips are of; the compiler has to rule that out.
#[cfg_attr(optimised, inline(always))]
pub fn turned<const L: usize, K: Kernel, F: Flag>(
    kernel: &K,
    strip: &Strip,
    turning: &Turning<'_, K::Out>,
    flag: &mut F,
) {
    strip.begin(flag);
    let n = turning.n;
    let range = strip.range();
    assert_eq!(
        strip.all(),
        n,
        "strips of another space; please report this"
    );
    let range = n - range.end..n - range.start;
    let stream = memory::streams::<K::Out>(n);
    // SAFETY: there is room for `n` elements, of which nobody else has those of this strip, which does
    // not leave its thread.
    unsafe { write_range::<K, F, L>(kernel, range, turning.to, 0, stream, flag) };
    turning.written[strip.chunk()].store(true, Ordering::Relaxed);
}
