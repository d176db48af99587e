//! The sums of some lags, tile by tile, as far as they follow from some steps.
//!
//! In: where the parts of these are. Out: the sums, or what is added to them.
//! Assumes: as `mod.rs`.

use core::mem::MaybeUninit;
use core::ops::Range;

use super::places::{Behind, Place};
use super::tile::{Steps, Tile};
use super::{Lags, Sums};
use crate::kernel::{Fast, LANES};
use crate::vector::{Real, Vector};

/// Where parts are, left ones and right ones, and how many there is room for of each.
pub(super) struct Part<'a, N, V: Vector, const LEFT: usize, const RIGHT: usize> {
    pub(super) sums: &'a Sums<'a, N, LEFT, RIGHT>,
    /// Those that parts are packed for.
    pub(super) lags: Range<usize>,
    pub(super) places: [Place<'a, V::Scalar>; 2],
    pub(super) widths: [usize; 2],
    /// What lies behind them.
    pub(super) behind: [Behind<V::Scalar>; 2],
    /// Whether what sums have too much is 0.
    pub(super) vanish: bool,
    pub(super) one: V,
}

/// The most lags of a tile.
const MOST: usize = 64;

impl<B, V, const LEFT: usize, const RIGHT: usize> Part<'_, B, V, LEFT, RIGHT>
where
    B: Lags<LEFT, RIGHT, Scalar = V::Scalar>,
    V: Vector,
{
    /// Where a part is.
    #[inline(always)]
    pub(super) fn place(&self, side: usize, part: usize, at: usize) -> *const V::Scalar {
        self.places[side]
            .from
            .wrapping_add(part * self.widths[side] + at)
    }

    /// Adds what the sums of all lags have of these steps, which are packed, to `sums`.
    ///
    /// # Safety
    /// These are the steps that were packed last, and the next `W` vectors of lags were packed too. There is
    /// room for all sums, and they have been written, if the steps are not the first.
    #[inline(always)]
    pub(super) unsafe fn all<const J: usize, const W: usize>(
        &self,
        steps: &Range<usize>,
        sums: *mut V::Scalar,
    ) {
        let Range { start, end } = self.lags;
        let mut at = start;
        while at < end {
            let (lag, left) = (at - start, at..end);
            // SAFETY: promised by the caller.
            at += unsafe {
                match left.len().div_ceil(V::LANES) {
                    1 => self.some::<J, 1>(lag, left, steps, sums),
                    vectors if vectors < W => self.some::<J, 2>(lag, left, steps, sums),
                    _many => self.some::<J, W>(lag, left, steps, sums),
                }
            };
        }
    }

    /// [`all`](Self::all) of the first `N` vectors of `lags`, the first of which is number `lag` of all; gives how many they are.
    ///
    /// # Safety
    /// As there, for so many vectors.
    #[inline(always)]
    unsafe fn some<const J: usize, const N: usize>(
        &self,
        lag: usize,
        lags: Range<usize>,
        steps: &Range<usize>,
        sums: *mut V::Scalar,
    ) -> usize {
        let lags = lags.start..lags.end.min(lags.start + N * V::LANES);
        let mut own = [const { MaybeUninit::<V::Scalar>::uninit() }; MOST];
        let mut limits = MaybeUninit::uninit();
        // One loop for both, so that there is one copy of all that a tile does.
        let mut careful = !self.vanish;
        loop {
            let tile = match careful {
                true => self.limited::<J, N>(lag, &lags, steps, &mut limits),
                false => self.unlimited::<J, N>(lag, &lags, steps),
            };
            // SAFETY: promised by the caller.
            let total = unsafe { tile.total() };
            for n in 0..N {
                // SAFETY: `MOST` numbers are as many as any tile has lags.
                unsafe { total[n].store(own.as_mut_ptr().cast::<V::Scalar>().add(n * V::LANES)) };
            }
            // SAFETY: all lags of the tile were written.
            let own = unsafe { own[..lags.len()].assume_init_ref() };
            if careful || all_finite(own) {
                // SAFETY: promised by the caller.
                unsafe { self.add(own, sums.add(lag), steps.start == 0) };
                break;
            }
            careful = true;
        }
        lags.len()
    }

    /// Adds these numbers to some, or writes the first.
    ///
    /// # Safety
    /// There is room for so many, which have been written if these are not the first.
    #[inline(always)]
    unsafe fn add(&self, own: &[V::Scalar], sums: *mut V::Scalar, are_first: bool) {
        for (at, own) in own.iter().enumerate() {
            // SAFETY: promised by the caller.
            unsafe {
                let sum = sums.add(at);
                sum.write(match are_first {
                    true => *own,
                    false => sum.read().plus(*own),
                });
            }
        }
    }

    /// How many of these steps a lag has.
    #[inline(always)]
    fn count(&self, lag: usize, steps: &Range<usize>) -> usize {
        let mut count = 0;
        (self.sums.nest).steps(self.sums.start + lag, &mut count, &mut Fast::default());
        count.min(steps.end).saturating_sub(steps.start)
    }

    /// The tile of some lags that all go on to the end of the longest: what is behind their own steps is 0.
    #[inline(always)]
    fn unlimited<const J: usize, const N: usize>(
        &self,
        lag: usize,
        lags: &Range<usize>,
        steps: &Range<usize>,
    ) -> Steps<'_, B, V, J, N, LEFT, RIGHT> {
        // Steps become more from lag to lag, or fewer.
        let ends = [lags.start, lags.end - 1].map(|lag| self.count(lag, steps));
        let last = ends[0].max(ends[1]);
        Steps {
            part: self,
            lag: self.at(lag, steps),
            behind: self.behind(lag),
            whole: last.saturating_sub(J / 2 * V::LANES),
            half: last,
            last: 0,
            limits: None,
        }
    }

    /// The tile of some lags, each with its own steps alone, of which a place holds the limits.
    #[inline(always)]
    fn limited<'a, const J: usize, const N: usize>(
        &'a self,
        lag: usize,
        lags: &Range<usize>,
        steps: &Range<usize>,
        limits: &'a mut MaybeUninit<Tile<V, J, N>>,
    ) -> Steps<'a, B, V, J, N, LEFT, RIGHT> {
        let mut ends = [V::Scalar::default(); MOST];
        let (mut first, mut last) = (steps.len(), 0);
        for (own, end) in lags.clone().zip(&mut ends) {
            let here = self.count(own, steps);
            (first, last) = (first.min(here), last.max(here));
            *end = V::Scalar::whole(here);
        }
        let limits = limits.write([[self.one; N]; J]);
        for j in 0..J {
            let apart = V::splat(V::Scalar::whole(j * V::LANES));
            for n in 0..N {
                // SAFETY: `MOST` numbers are as many as any tile has lags.
                let ends = unsafe { V::load(ends.as_ptr().wrapping_add(n * V::LANES)) };
                limits[j][n] = ends.sub(apart);
            }
        }
        Steps {
            part: self,
            lag: self.at(lag, steps),
            behind: self.behind(lag),
            whole: first.saturating_sub((J - 1) * V::LANES),
            half: 0,
            last,
            limits: Some(limits),
        }
    }

    /// What lies behind the parts, from what falls to a lag on.
    #[inline(always)]
    fn behind(&self, lag: usize) -> [Behind<V::Scalar>; 2] {
        self.behind.map(|all| Behind {
            from: all.from.wrapping_add(lag * all.of_lag),
            ..all
        })
    }

    /// Where the right parts of the first of these steps are.
    #[inline(always)]
    fn at(&self, lag: usize, steps: &Range<usize>) -> usize {
        match B::BACK {
            true => lag + steps.len() + LANES - 1,
            false => lag,
        }
    }
}

/// Whether all are numbers that are finite. All are asked, many at once.
#[inline(always)]
fn all_finite<T: Real>(sums: &[T]) -> bool {
    let mut are = true;
    for sum in sums {
        are &= sum.is_finite();
    }
    are
}
