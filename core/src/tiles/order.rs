//! Tiles of sums in registers, and the order in which steps are combined into them.
//!
//! In: packed parts. Out: the sums of a tile.
//! Assumes: parts are packed in the order of [`Leaves`]. See Note [Leaves] in `mod.rs`.

use core::iter::StepBy;
use core::mem::MaybeUninit;
use core::ops::Range;

use super::Tiles;
use crate::kernel::LANES;
use crate::vector::{Real, Vector};

/// A tile of sums: rows of two vectors.
pub(super) type Tile<V, const R: usize> = [[V; 2]; R];

/// The packed parts of a tile: left ones of `R` rows, of which the tile has those from `from` on.
#[derive(Clone, Copy)]
pub(super) struct Parts<
    'a,
    T,
    const LEFT: usize,
    const RIGHT: usize,
    const R: usize,
    const C: usize,
> {
    pub(super) left: &'a [[[T; LEFT]; R]],
    pub(super) right: &'a [[[T; C]; RIGHT]],
    pub(super) from: usize,
}

impl<T: Real, const LEFT: usize, const RIGHT: usize, const R: usize, const C: usize>
    Parts<'_, T, LEFT, RIGHT, R, C>
{
    /// The combination of all steps for `S` rows, in the order of the tree.
    #[inline(always)]
    pub(super) fn total<B, V, const S: usize>(self, body: &B, leaves: &Leaves) -> Tile<V, S>
    where
        B: Tiles<LEFT, RIGHT, Scalar = T>,
        V: Vector<Scalar = T>,
    {
        if B::FREE {
            return self.leaf::<B, V, S>(body, 0..leaves.steps.len());
        }
        // Left siblings that wait for their right ones, by height; the highest is the result. Nothing
        // is there in front: clearing them would take as long as a few steps.
        let mut waiting = [const { MaybeUninit::<Tile<V, S>>::uninit() }; HEIGHT + 1];
        for t in (0..LANES).step_by(4) {
            let mut node = match leaves.single && !leaves.is_empty(t + 3) {
                true => self.four_steps::<B, V, S>(body, leaves.bounds[t]),
                false => self.four_leaves::<B, V, S>(body, leaves, t),
            };
            let mut height = 2;
            // A node that has been waiting is complete when its right sibling is.
            while t >> height & 1 == 1 {
                // SAFETY: bit `height` of `t` is set. The loop came by without it, and with the bits
                // below set, as the last leaves of the left sibling: it has written this place then.
                let left = unsafe { waiting[height].assume_init_ref() };
                node = match leaves.is_empty(t >> height << height) {
                    true => *left,
                    false => sum(left, &node),
                };
                height += 1;
            }
            waiting[height].write(node);
        }
        // SAFETY: at the last leaves all bits above the first two are set, so that the loop above has
        // ended at the greatest height.
        unsafe { waiting[HEIGHT].assume_init_read() }
    }

    /// The combination of four leaves from `t` on, in registers.
    #[inline(always)]
    fn four_leaves<B, V, const S: usize>(self, body: &B, leaves: &Leaves, t: usize) -> Tile<V, S>
    where
        B: Tiles<LEFT, RIGHT, Scalar = T>,
        V: Vector<Scalar = T>,
    {
        // Without values a leaf is neutral, and so are those behind it.
        let mut first = self.leaf::<B, V, S>(body, leaves.packed(t));
        if !leaves.is_empty(t + 1) {
            first = sum(&first, &self.leaf::<B, V, S>(body, leaves.packed(t + 1)));
        }
        if !leaves.is_empty(t + 2) {
            let mut second = self.leaf::<B, V, S>(body, leaves.packed(t + 2));
            if !leaves.is_empty(t + 3) {
                second = sum(&second, &self.leaf::<B, V, S>(body, leaves.packed(t + 3)));
            }
            first = sum(&first, &second);
        }
        first
    }

    /// The combination of four leaves of one step each, from step `at` on, without loops.
    #[inline(always)]
    fn four_steps<B, V, const S: usize>(self, body: &B, at: usize) -> Tile<V, S>
    where
        B: Tiles<LEFT, RIGHT, Scalar = T>,
        V: Vector<Scalar = T>,
    {
        let none = [[zero::<V>(); 2]; S];
        let first = self.step::<B, V, S>(body, at, &none);
        let first = sum(&first, &self.step::<B, V, S>(body, at + 1, &none));
        let second = self.step::<B, V, S>(body, at + 2, &none);
        let second = sum(&second, &self.step::<B, V, S>(body, at + 3, &none));
        sum(&first, &second)
    }

    /// The combination of some steps.
    #[inline(always)]
    fn leaf<B, V, const S: usize>(self, body: &B, steps: Range<usize>) -> Tile<V, S>
    where
        B: Tiles<LEFT, RIGHT, Scalar = T>,
        V: Vector<Scalar = T>,
    {
        let parts = Parts {
            left: &self.left[steps.clone()],
            right: &self.right[steps],
            ..self
        };
        let mut acc = [[zero::<V>(); 2]; S];
        for k in 0..parts.left.len() {
            acc = parts.step::<B, V, S>(body, k, &acc);
        }
        acc
    }

    /// The sums with the values of step `k`.
    #[inline(always)]
    fn step<B, V, const S: usize>(self, body: &B, k: usize, sums: &Tile<V, S>) -> Tile<V, S>
    where
        B: Tiles<LEFT, RIGHT, Scalar = T>,
        V: Vector<Scalar = T>,
    {
        let (left, right) = (&self.left[k], &self.right[k]);
        let mut columns = [[zero::<V>(); RIGHT]; 2];
        for half in 0..2 {
            for part in 0..RIGHT {
                let from = right[part].as_ptr().wrapping_add(half * V::LANES);
                // SAFETY: there are two vectors of numbers, as `Bands` asserts.
                columns[half][part] = unsafe { V::load(from) };
            }
        }
        let mut all = *sums;
        for r in 0..S {
            let row = splat::<V, LEFT>(&left[self.from + r]);
            all[r][0] = body.step(all[r][0], row, columns[0]);
            all[r][1] = body.step(all[r][1], row, columns[1]);
        }
        all
    }
}

/// Each number in all lanes. No closures in this file: they would be compiled without the level's
/// instructions.
#[inline(always)]
fn splat<V: Vector, const N: usize>(numbers: &[V::Scalar; N]) -> [V; N] {
    let mut all = [zero::<V>(); N];
    for n in 0..N {
        all[n] = V::splat(numbers[n]);
    }
    all
}

/// The height of the tree over all accumulators.
const HEIGHT: usize = LANES.ilog2() as usize;

/// The neutral element of a sum, in all lanes.
#[inline(always)]
fn zero<V: Vector>() -> V {
    V::splat(V::Scalar::NEUTRAL)
}

/// The sums of two tiles.
#[inline(always)]
fn sum<V: Vector, const R: usize>(a: &Tile<V, R>, b: &Tile<V, R>) -> Tile<V, R> {
    let mut sums = *a;
    for r in 0..R {
        sums[r] = [a[r][0].add(b[r][0]), a[r][1].add(b[r][1])];
    }
    sums
}

/// The steps of a chunk in the order in which they are packed: that of the tree's leaves (Note
/// [Leaves]), or, where it is free, their own.
pub(super) struct Leaves {
    pub(super) steps: Range<usize>,
    free: bool,
    /// Whether no leaf has more than one step.
    single: bool,
    /// Where the steps of each leaf are packed, and where they end.
    bounds: [usize; LANES + 1],
}

impl Leaves {
    pub(super) fn new(steps: Range<usize>, free: bool) -> Leaves {
        let mut bounds = [0; LANES + 1];
        for t in 0..LANES {
            bounds[t + 1] = bounds[t] + leaf(&steps, accumulator(t)).len();
        }
        Leaves {
            single: steps.len() <= LANES,
            steps,
            free,
            bounds,
        }
    }

    /// Whether leaf `t` has no steps; then none does that is behind it in its subtree.
    #[inline(always)]
    fn is_empty(&self, t: usize) -> bool {
        self.bounds[t] == self.bounds[t + 1]
    }

    /// Where the steps of leaf `t` are packed.
    #[inline(always)]
    fn packed(&self, t: usize) -> Range<usize> {
        self.bounds[t]..self.bounds[t + 1]
    }

    /// The steps in the order in which they are packed.
    #[inline(always)]
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let leaves = if self.free { 1 } else { LANES };
        (0..leaves).flat_map(move |t| match self.free {
            true => self.steps.clone().step_by(1),
            false => leaf(&self.steps, accumulator(t)),
        })
    }

    /// Where step `round + l` of the chunk is packed.
    #[inline(always)]
    pub(super) fn place(&self, round: usize, l: usize) -> usize {
        match self.free {
            true => round + l,
            false => self.bounds[accumulator(l)] + round / LANES,
        }
    }
}

/// The steps of accumulator `l`.
fn leaf(steps: &Range<usize>, l: usize) -> StepBy<Range<usize>> {
    let start = (steps.start + l).min(steps.end);
    (start..steps.end).step_by(LANES)
}

/// The accumulator that is leaf `t` of the tree, and the leaf of accumulator `t`: the first step of the
/// tree, between the halves, is the last bit.
#[inline(always)]
fn accumulator(t: usize) -> usize {
    t.reverse_bits() >> (usize::BITS as usize - HEIGHT)
}
