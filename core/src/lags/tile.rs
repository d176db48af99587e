//! Tiles of sums that stay in registers.
//!
//! In: packed parts. Out: the sums of some vectors of lags.
//! Assumes: what the unsafe functions ask for. See Note \[Lags\] in `mod.rs`.

use super::{Lags, Part};
use crate::kernel::LANES;
use crate::vector::{Real, Vector};

/// Sums of `N` vectors of lags in `J` accumulators.
type Tile<V, const J: usize, const N: usize> = [[V; N]; J];

/// The most lanes of a vector, and one more than the sums that wait in a tree whose leaves are tiles.
const MOST_LANES: usize = 16;
const HEIGHT: usize = 5;

/// A tile: all its lags have the steps below `first`, and none has those from `last` on.
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
    /// Where left parts are, unknown to LLVM to be there.
    pub(super) again: [*const V::Scalar; 2],
    /// Where the right parts of step 0 are.
    pub(super) lag: usize,
    pub(super) first: usize,
    pub(super) last: usize,
    /// The end of each lag.
    pub(super) ends: [V; N],
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
    /// A round of steps more than `last`, and the lags for all of these, are packed. So for all that follow.
    #[inline(always)]
    pub(super) unsafe fn total(&self) -> [V; N] {
        let neutral = V::splat(V::Scalar::NEUTRAL);
        let mut low = [[neutral; N]; MOST_LANES];
        let leaves = const { LANES / J } / V::LANES;
        for phase in 0..V::LANES {
            let mut waiting = [[[neutral; N]; J]; HEIGHT];
            let mut height = 0;
            for leaf in 0..leaves {
                let apart = reversed(leaf, leaves) * J * V::LANES;
                // SAFETY: promised by the caller.
                let mut own = unsafe { self.leaf(phase + apart) };
                for _pair in 0..leaf.trailing_ones() {
                    height -= 1;
                    for j in 0..J {
                        own[j] = self.sum(&waiting[height][j], &own[j]);
                    }
                }
                waiting[height] = own;
                height += 1;
            }
            let mut own = waiting[0];
            let mut half = J / 2;
            while half > 0 {
                for j in 0..half {
                    own[j] = self.sum(&own[j], &own[j + half]);
                }
                half /= 2;
            }
            low[phase] = own[0];
        }
        let mut half = V::LANES / 2;
        while half > 0 {
            for phase in 0..half {
                low[phase] = self.sum(&low[phase], &low[phase + half]);
            }
            half /= 2;
        }
        low[0]
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
        let behind = (J - 1) * V::LANES;
        let mut k = phase;
        // SAFETY: promised by the caller.
        unsafe {
            if k + behind < self.first {
                // LLVM knows that the sum of a value and the neutral element is the value.
                acc = self.round::<false>(acc, k);
                k += LANES;
            }
            while k + behind < self.first {
                acc = self.round::<false>(acc, k);
                k += LANES;
            }
            while k < self.last {
                acc = self.round::<true>(acc, k);
                k += LANES;
            }
        }
        acc
    }

    /// Adds steps `k + LANES * j` to accumulators `j`, the first of which is below `last`; only those that a
    /// lag has, if it is `MASKED`.
    ///
    /// # Safety
    /// See `total`.
    #[inline(always)]
    unsafe fn round<const MASKED: bool>(&self, mut acc: Tile<V, J, N>, k: usize) -> Tile<V, J, N> {
        for j in 0..J {
            // SAFETY: promised by the caller.
            acc[j] = unsafe { self.step::<MASKED>(&acc[j], k + j * V::LANES) };
        }
        acc
    }

    /// Adds step `k` to an accumulator. All right parts but one are those of the step that is a vector's
    /// width before, and still in registers: LLVM sees that the addresses are the same.
    ///
    /// # Safety
    /// See `total`.
    #[inline(always)]
    unsafe fn step<const MASKED: bool>(&self, acc: &[V; N], k: usize) -> [V; N] {
        let mut sums = *acc;
        let step = match MASKED {
            true => V::splat(V::Scalar::whole(k)),
            false => self.part.one,
        };
        for n in 0..N {
            let at = n * V::LANES;
            let at = match B::BACK {
                true => self.lag + at - k,
                false => self.lag + at + k,
            };
            // SAFETY: promised by the caller.
            let (left, right) = unsafe { (self.left(k, n), self.right(at)) };
            let next = (self.part.sums.nest).step(acc[n], left, right, 0, self.part.one);
            sums[n] = match MASKED {
                true => step.below(self.ends[n], next, acc[n]),
                false => next,
            };
        }
        sums
    }

    /// The left parts of step `k`, for vector `n` of the lags.
    ///
    /// # Safety
    /// They are packed.
    #[inline(always)]
    unsafe fn left(&self, k: usize, n: usize) -> [V; LEFT] {
        let from = match n < N.div_ceil(2) {
            true => self.again[n % 2],
            false => self.part.places[0],
        };
        let mut all = [V::splat(V::Scalar::NEUTRAL); LEFT];
        for part in 0..LEFT {
            // SAFETY: promised by the caller.
            all[part] = V::splat(unsafe { *from.add(part * self.part.widths[0] + k) });
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

/// The bits of one of `count` numbers, a power of two, in the other order.
#[inline(always)]
fn reversed(number: usize, count: usize) -> usize {
    match count {
        1 => 0,
        count => number.reverse_bits() >> (usize::BITS - count.trailing_zeros()),
    }
}
