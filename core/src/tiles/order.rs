//! Tiles of sums in registers, and the order in which steps are combined into them.
//!
//! In: packed parts. Out: the sums of a tile.
//! Assumes: parts are packed in the order of [`Leaves`]. See Note [Leaves] in `mod.rs`.

use core::iter::StepBy;
use core::ops::Range;

use super::Tiles;
use crate::kernel::LANES;
use crate::vector::{Real, Vector};

/// A tile of sums: rows of two vectors.
pub(super) type Tile<V, const R: usize> = [[V; 2]; R];

/// The combination of all packed steps for a tile, in the order of the tree.
#[inline(always)]
pub(super) fn total<T, V, const LEFT: usize, const RIGHT: usize, const R: usize, const C: usize>(
    body: &T,
    left: &[[[T::Scalar; LEFT]; R]],
    right: &[[[T::Scalar; C]; RIGHT]],
    leaves: &Leaves,
) -> Tile<V, R>
where
    T: Tiles<LEFT, RIGHT>,
    V: Vector<Scalar = T::Scalar>,
{
    if T::FREE {
        return leaf(body, left, right);
    }
    // Left siblings that wait for their right ones, by height; the highest is the result.
    let mut waiting = [[[zero::<V>(); 2]; R]; HEIGHT + 1];
    let mut at = 0;
    for (t, steps) in leaves.iter().enumerate() {
        let end = at + steps.len();
        let mut node = leaf(body, &left[at..end], &right[at..end]);
        at = end;
        let mut height = 0;
        // A node that has been waiting is complete when its right sibling is.
        while t >> height & 1 == 1 {
            // The least accumulator of the right sibling: without values, all are.
            let least = accumulator(t >> height << height);
            node = match least < left.len() {
                true => sum(&waiting[height], &node),
                false => waiting[height],
            };
            height += 1;
        }
        waiting[height] = node;
    }
    waiting[HEIGHT]
}

/// The combination of the steps of one accumulator.
#[inline(always)]
fn leaf<T, V, const LEFT: usize, const RIGHT: usize, const R: usize, const C: usize>(
    body: &T,
    left: &[[[T::Scalar; LEFT]; R]],
    right: &[[[T::Scalar; C]; RIGHT]],
) -> Tile<V, R>
where
    T: Tiles<LEFT, RIGHT>,
    V: Vector<Scalar = T::Scalar>,
{
    let mut acc = [[zero::<V>(); 2]; R];
    for (left, right) in left.iter().zip(right) {
        let mut columns = [[zero::<V>(); RIGHT]; 2];
        for half in 0..2 {
            for part in 0..RIGHT {
                let from = right[part].as_ptr().wrapping_add(half * V::LANES);
                // SAFETY: there are two vectors of numbers, as `Bands` asserts.
                columns[half][part] = unsafe { V::load(from) };
            }
        }
        for r in 0..R {
            let row = left[r].map(V::splat);
            acc[r][0] = body.step(acc[r][0], row, columns[0]);
            acc[r][1] = body.step(acc[r][1], row, columns[1]);
        }
    }
    acc
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
    /// Where the steps of each accumulator start.
    starts: [usize; LANES],
}

impl Leaves {
    #[inline(always)]
    pub(super) fn new(steps: Range<usize>, free: bool) -> Leaves {
        let mut it = Leaves {
            steps,
            free,
            starts: [0; LANES],
        };
        let mut start = 0;
        for t in 0..LANES {
            let l = accumulator(t);
            it.starts[l] = start;
            start += it.leaf(l).len();
        }
        it
    }

    /// The steps of accumulator `l`.
    #[inline(always)]
    fn leaf(&self, l: usize) -> StepBy<Range<usize>> {
        let start = (self.steps.start + l).min(self.steps.end);
        (start..self.steps.end).step_by(LANES)
    }

    /// The steps of one leaf after the other.
    #[inline(always)]
    pub(super) fn iter(&self) -> impl Iterator<Item = StepBy<Range<usize>>> + '_ {
        let leaves = if self.free { 1 } else { LANES };
        (0..leaves).map(move |t| match self.free {
            true => self.steps.clone().step_by(1),
            false => self.leaf(accumulator(t)),
        })
    }

    /// Where step `round + l` of the chunk is packed.
    #[inline(always)]
    pub(super) fn place(&self, round: usize, l: usize) -> usize {
        match self.free {
            true => round + l,
            false => self.starts[l] + round / LANES,
        }
    }
}

/// The accumulator that is leaf `t` of the tree: the first step of the tree, between the halves, is
/// the last bit.
#[inline(always)]
fn accumulator(t: usize) -> usize {
    t.reverse_bits() >> (usize::BITS as usize - HEIGHT)
}
