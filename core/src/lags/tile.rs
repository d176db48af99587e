//! Tiles of sums that stay in registers.
//!
//! In: packed parts. Out: the sums of some vectors of lags.
//! Assumes: what the unsafe functions ask for. See Note \[Lags\] in `mod.rs`.

use core::mem::MaybeUninit;

use super::{Lags, Part};
use crate::kernel::LANES;
use crate::memory;
use crate::vector::{Real, Vector};

/// Sums of `N` vectors of lags in `J` accumulators.
type Tile<V, const J: usize, const N: usize> = [[V; N]; J];

/// The most tiles of a phase, or lanes of a vector.
const MOST: usize = 16;

/// How many trees of them there are that wait for others, and the whole one.
const HEIGHT: usize = MOST.trailing_zeros() as usize + 1;

/// A tile. Of rounds that begin below `whole` all steps are added, then of one that begins below `half` those of the first
/// half of the accumulators: lags have these, or they are 0. Of those below `last` each lag's own are added.
pub(super) struct Steps<
    'a,
    B,
    V: Vector,
    const J: usize,
    const N: usize,
    const LEFT: usize,
    const RIGHT: usize,
> {
    pub(super) part: &'a Part<'a, B, V, LEFT, RIGHT>,
    /// Where the right parts of step 0 are.
    pub(super) lag: usize,
    /// What will be read soon. Sums of a window take about as long as a core takes to read one, if it is asked for
    /// bit by bit.
    pub(super) behind: [&'a [V::Scalar]; 2],
    pub(super) whole: usize,
    pub(super) half: usize,
    pub(super) last: usize,
    /// The rounds that begin below have the step in accumulator `j` of each lag.
    pub(super) limits: Tile<V, J, N>,
}

impl<B, V, const J: usize, const N: usize, const LEFT: usize, const RIGHT: usize>
    Steps<'_, B, V, J, N, LEFT, RIGHT>
where
    B: Lags<LEFT, RIGHT, Scalar = V::Scalar>,
    V: Vector,
{
    /// The combination of all accumulators: the tree depth first.
    ///
    /// # Safety
    /// A round of steps more than `half` and `last`, and the lags for all of these, are packed. So for all that follow.
    #[inline(always)]
    pub(super) unsafe fn total(&self) -> [V; N] {
        let neutral = V::splat(V::Scalar::NEUTRAL);
        let (leaves, order) = const { (LANES / J / V::LANES, reversed(LANES / J / V::LANES)) };
        let mut low = [const { MaybeUninit::<[V; N]>::uninit() }; MOST];
        for phase in 0..V::LANES {
            for behind in self.behind {
                let part = behind.len() / V::LANES;
                memory::fetch(behind.as_ptr().wrapping_add(phase * part), part);
            }
            let mut waiting = [const { MaybeUninit::<Tile<V, J, N>>::uninit() }; HEIGHT];
            let mut own = [[neutral; N]; J];
            for leaf in 0..leaves {
                // SAFETY: promised by the caller.
                own = unsafe { self.leaf(phase + order[leaf] * J * V::LANES) };
                let height = leaf.trailing_ones() as usize;
                for lower in 0..height {
                    // SAFETY: the tree so high that is left of this one was written last.
                    let other = unsafe { waiting[lower].assume_init_ref() };
                    for j in 0..J {
                        own[j] = self.sum(&other[j], &own[j]);
                    }
                }
                waiting[height].write(own);
            }
            let mut half = J / 2;
            while half > 0 {
                for j in 0..half {
                    own[j] = self.sum(&own[j], &own[j + half]);
                }
                half /= 2;
            }
            low[phase].write(own[0]);
        }
        let mut half = V::LANES / 2;
        while half > 0 {
            for phase in 0..half {
                // SAFETY: those of all phases were written.
                let sums = unsafe { [phase, phase + half].map(|at| low[at].assume_init()) };
                low[phase].write(self.sum(&sums[0], &sums[1]));
            }
            half /= 2;
        }
        // SAFETY: as above.
        unsafe { low[0].assume_init() }
    }

    /// Sums in both kinds of pipes, see `tiles/mod.rs`.
    #[inline(always)]
    fn sum(&self, a: &[V; N], b: &[V; N]) -> [V; N] {
        let mut sums = *a;
        for n in 0..N {
            sums[n] = match n % 2 {
                0 => a[n].add(b[n]),
                _ => b[n].add_product(self.part.one, a[n]),
            };
        }
        sums
    }

    /// The accumulators `phase + LANES * j`, of their steps one after the other.
    ///
    /// # Safety
    /// See `total`.
    #[inline(always)]
    unsafe fn leaf(&self, phase: usize) -> Tile<V, J, N> {
        let mut acc = [[V::splat(V::Scalar::NEUTRAL); N]; J];
        let mut k = phase;
        // SAFETY: promised by the caller.
        unsafe {
            if k < self.whole {
                // LLVM knows that the sum of a value and the neutral element is the value.
                acc = self.round::<false>(acc, k, J);
                k += LANES;
            }
            while k < self.whole {
                acc = self.round::<false>(acc, k, J);
                k += LANES;
            }
            if k < self.half {
                acc = self.round::<false>(acc, k, J / 2);
            }
            while k < self.last {
                acc = self.round::<true>(acc, k, J);
                k += LANES;
            }
        }
        acc
    }

    /// Adds steps `k + LANES * j` to the first accumulators `j`, the first of which is below `last` or `half`; only those
    /// that a lag has, if it is `MASKED`. All right parts of a step but one are those of the step that is a vector's
    /// width before, and still in registers: LLVM sees that the addresses are the same.
    ///
    /// # Safety
    /// See `total`.
    #[inline(always)]
    unsafe fn round<const MASKED: bool>(
        &self,
        mut acc: Tile<V, J, N>,
        k: usize,
        first: usize,
    ) -> Tile<V, J, N> {
        let Part { sums, one, .. } = *self.part;
        let begun = match MASKED {
            true => V::splat(V::Scalar::whole(k)),
            false => one,
        };
        for j in 0..first {
            let k = k + j * V::LANES;
            // SAFETY: promised by the caller.
            let left = unsafe { self.left(k) };
            for n in 0..N {
                let at = n * V::LANES;
                let at = match B::BACK {
                    true => self.lag + at - k,
                    false => self.lag + at + k,
                };
                // SAFETY: promised by the caller.
                let right = unsafe { self.right(at) };
                let next = sums.nest.step(acc[j][n], left, right, 0, one);
                acc[j][n] = match MASKED {
                    true => begun.below(self.limits[j][n], next, acc[j][n]),
                    false => next,
                };
            }
        }
        acc
    }

    /// The left parts of step `k`, for all lags.
    ///
    /// # Safety
    /// They are packed.
    #[inline(always)]
    unsafe fn left(&self, k: usize) -> [V; LEFT] {
        let mut all = [V::splat(V::Scalar::NEUTRAL); LEFT];
        for part in 0..LEFT {
            // SAFETY: promised by the caller.
            all[part] = V::splat(unsafe { *self.part.place(0, part, k) });
        }
        all
    }

    /// The right parts from `at` on.
    ///
    /// # Safety
    /// So many are packed.
    #[inline(always)]
    unsafe fn right(&self, at: usize) -> [V; RIGHT] {
        let mut all = [V::splat(V::Scalar::NEUTRAL); RIGHT];
        for part in 0..RIGHT {
            // SAFETY: promised by the caller.
            all[part] = unsafe { V::load(self.part.place(1, part, at)) };
        }
        all
    }
}

/// The first `count` numbers, a power of two, by their bits in the other order.
const fn reversed(count: usize) -> [usize; MOST] {
    let mut order = [0; MOST];
    let mut at = 1;
    while at < count {
        order[at] = at.reverse_bits() >> (usize::BITS - count.trailing_zeros());
        at += 1;
    }
    order
}
