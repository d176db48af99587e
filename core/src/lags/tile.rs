//! Tiles of sums that stay in registers.
//!
//! In: packed parts. Out: the sums of some vectors of lags.
//! Assumes: what the unsafe functions ask for. See Note \[Lags\] in `mod.rs`.

use core::hint::black_box;
use core::mem::MaybeUninit;

use super::places::Behind;
use super::{Lags, Part};
use crate::kernel::LANES;
use crate::memory;
use crate::vector::{Real, Vector};

/// Sums of `N` vectors of lags in `J` accumulators.
pub(super) type Tile<V, const J: usize, const N: usize> = [[V; N]; J];

/// The most tiles of a phase, or lanes of a vector.
const MOST: usize = 16;

/// How many trees of pairs of them wait for others at most.
const HEIGHT: usize = MOST.trailing_zeros() as usize - 1;

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
    /// What will be read soon.
    pub(super) behind: [Behind<V::Scalar>; 2],
    pub(super) whole: usize,
    pub(super) half: usize,
    pub(super) last: usize,
    /// The rounds that begin below have the step in accumulator `j` of each lag. None if `last` is 0.
    pub(super) limits: Option<&'a Tile<V, J, N>>,
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
        let mut low = [const { MaybeUninit::<[V; N]>::uninit() }; MOST];
        for phase in 0..V::LANES {
            for behind in self.behind {
                let part = N * behind.of_lag;
                memory::fetch_pairs(behind.from.wrapping_add(phase * part), part);
            }
            // SAFETY: promised by the caller.
            let mut own = unsafe { self.tree(phase) };
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

    /// The combination of the leaves of a phase, in pairs: what the loop of one leaves stays where it is until that of
    /// the other ends.
    ///
    /// # Safety
    /// See `total`.
    #[inline(always)]
    unsafe fn tree(&self, phase: usize) -> Tile<V, J, N> {
        let (pairs, order) = const { (LANES / J / V::LANES / 2, reversed(LANES / J / V::LANES)) };
        // SAFETY: promised by the caller.
        let mut own = unsafe { self.leaf(phase) };
        let mut waiting = [const { MaybeUninit::<Tile<V, J, N>>::uninit() }; HEIGHT];
        for pair in 0..pairs {
            let [at, next] =
                [2 * pair, 2 * pair + 1].map(|leaf| phase + order[leaf] * J * V::LANES);
            if pair > 0 {
                // SAFETY: as above.
                own = unsafe { self.leaf(at) };
            }
            // SAFETY: as above.
            let other = unsafe { self.leaf(next) };
            own = self.both(&own, &other);
            let height = pair.trailing_ones() as usize;
            for lower in &waiting[..height] {
                // SAFETY: the tree so high that is left of this one was written last.
                own = self.both(unsafe { lower.assume_init_ref() }, &own);
            }
            if pair + 1 < pairs {
                waiting[height].write(own);
            }
        }
        own
    }

    /// The sums of each two accumulators.
    #[inline(always)]
    fn both(&self, a: &Tile<V, J, N>, b: &Tile<V, J, N>) -> Tile<V, J, N> {
        let mut sums = *a;
        for j in 0..J {
            sums[j] = self.sum(&a[j], &b[j]);
        }
        sums
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
        let mut acc;
        let mut k = phase;
        // SAFETY: promised by the caller.
        unsafe {
            if k < self.whole {
                // LLVM knows that the sum of a value and the neutral element is the value.
                acc = self.round([[V::splat(V::Scalar::NEUTRAL); N]; J], k, J, None);
                k += LANES;
                while k < self.whole {
                    acc = self.round(acc, k, J, None);
                    k += LANES;
                }
            } else {
                // Known, it would be in all accumulators before it is decided.
                acc = [[black_box(V::splat(V::Scalar::NEUTRAL)); N]; J];
            }
            if k < self.half {
                acc = self.round(acc, k, J / 2, None);
            }
            if let Some(limits) = self.limits {
                while k < self.last {
                    acc = self.round(acc, k, J, Some(limits));
                    k += LANES;
                }
            }
        }
        acc
    }

    /// Adds steps `k + LANES * j` to the first accumulators `j`, the first of which is below `last` or `half`; only those
    /// that a lag has, if there are `limits`. All right parts of a step but one are those of the step that is a vector's
    /// width before, and still in registers: LLVM sees that the addresses are the same.
    ///
    /// # Safety
    /// See `total`.
    #[inline(always)]
    unsafe fn round(
        &self,
        mut acc: Tile<V, J, N>,
        k: usize,
        first: usize,
        limits: Option<&Tile<V, J, N>>,
    ) -> Tile<V, J, N> {
        let Part { sums, one, .. } = *self.part;
        let begun = match limits {
            Some(_) => V::splat(V::Scalar::whole(k)),
            None => one,
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
                acc[j][n] = match limits {
                    Some(limits) => begun.below(limits[j][n], next, acc[j][n]),
                    None => next,
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
