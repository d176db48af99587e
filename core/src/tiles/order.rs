//! Tiles of sums in registers, and the order in which steps are combined into them.
//!
//! In: packed parts. Out: the sums of a tile.
//! Assumes: parts are packed in the order of [`Leaves`]. See the notes in `mod.rs`.

use core::iter::StepBy;
use core::mem::MaybeUninit;
use core::ops::Range;

use super::Tiles;
use crate::kernel::LANES;
use crate::vector::{Real, Vector};

/// A tile of sums: rows of two vectors.
pub(super) type Tile<V, const R: usize> = [[V; 2]; R];

/// Sums that wait for what is on their right. Nothing is there in front: clearing them would take as
/// long as a few steps.
pub(super) type Waiting<V, const R: usize> = [MaybeUninit<Tile<V, R>>; MOST];

/// Room for such sums.
#[inline(always)]
pub(super) fn waiting<V, const R: usize>() -> Waiting<V, R> {
    [const { MaybeUninit::uninit() }; MOST]
}

/// One more than can wait, as a power of two: a remainder by it costs no more than a look whether there
/// is room.
const MOST: usize = (HEIGHT + 1).next_power_of_two();

/// The packed parts of a tile.
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
    /// The same for the second half of rows: see Note \[Spread by products\].
    pub(super) again: &'a [[[T; LEFT]; R]],
    pub(super) right: &'a [[[T; C]; RIGHT]],
}

impl<T: Real, const LEFT: usize, const RIGHT: usize, const R: usize, const C: usize>
    Parts<'_, T, LEFT, RIGHT, R, C>
{
    /// The combination of all steps, in the order of the tree; `TALL`: as the leaves say. `one` is 1,
    /// unknown to LLVM.
    #[inline(always)]
    pub(super) fn total<B, V, const TALL: bool>(
        self,
        body: &B,
        leaves: &Leaves,
        waiting: &mut Waiting<V, R>,
        one: V,
    ) -> Tile<V, R>
    where
        B: Tiles<LEFT, RIGHT, Scalar = T>,
        V: Vector<Scalar = T>,
    {
        if B::FREE {
            return self.leaf::<B, V>(body, one);
        }
        debug_assert!(TALL == leaves.is_tall());
        if !TALL && leaves.is_complete() {
            return self.complete::<B, V>(body, waiting, one);
        }
        let mut height = 0;
        for node in &leaves.nodes {
            let [start, two, three, four, end] = node.bounds;
            let mut own = match TALL {
                true => self.steps(start..end).leaf::<B, V>(body, one),
                false => {
                    let mut own = self.two_leaves::<B, V>(body, [start, two, three], one);
                    if three < end {
                        let next = self.two_leaves::<B, V>(body, [three, four, end], one);
                        own = sum(&own, &next, one);
                    }
                    own
                }
            };
            for _ in 0..node.sums {
                height -= 1;
                // SAFETY: a node takes what those before it have left, as `Leaves::new` has counted.
                own = sum(unsafe { waiting[height].assume_init_ref() }, &own, one);
            }
            waiting[height].write(own);
            height += 1;
        }
        // SAFETY: there are steps, so there is a node, and the first has written this.
        unsafe { waiting[0].assume_init() }
    }

    /// The same where the leaves are a complete tree of one step each: its subtrees of eight come in
    /// registers.
    #[inline(always)]
    fn complete<B, V>(self, body: &B, waiting: &mut Waiting<V, R>, one: V) -> Tile<V, R>
    where
        B: Tiles<LEFT, RIGHT, Scalar = T>,
        V: Vector<Scalar = T>,
    {
        let subtrees = self.left.len() / 8;
        let (mut height, mut n) = (0_usize, 0);
        loop {
            let mut own = self.steps(8 * n..8 * n + 8).eight_steps::<B, V>(body, one);
            n += 1;
            for _ in 0..n.trailing_zeros() {
                height -= 1;
                // SAFETY: the tree is complete, so the subtrees on the left wait.
                own = sum(
                    unsafe { waiting[height % MOST].assume_init_ref() },
                    &own,
                    one,
                );
            }
            if n >= subtrees {
                return own;
            }
            waiting[height % MOST].write(own);
            height += 1;
        }
    }

    /// Some of the steps.
    #[inline(always)]
    fn steps(self, steps: Range<usize>) -> Self {
        Parts {
            left: &self.left[steps.clone()],
            again: &self.again[steps.clone()],
            right: &self.right[steps],
        }
    }

    /// The combination of eight leaves of one step each, in registers.
    #[inline(always)]
    fn eight_steps<B, V>(self, body: &B, one: V) -> Tile<V, R>
    where
        B: Tiles<LEFT, RIGHT, Scalar = T>,
        V: Vector<Scalar = T>,
    {
        // That it knows each step, too.
        assert!(self.left.len() == 8 && self.again.len() == 8 && self.right.len() == 8);
        let two = self.step::<B, V, 0>(body, 0, [], one);
        let two = self.step::<B, V, 1>(body, 1, [&two], one);
        let own = self.step::<B, V, 0>(body, 2, [], one);
        let four = self.step::<B, V, 2>(body, 3, [&own, &two], one);
        let two = self.step::<B, V, 0>(body, 4, [], one);
        let two = self.step::<B, V, 1>(body, 5, [&two], one);
        let own = self.step::<B, V, 0>(body, 6, [], one);
        self.step::<B, V, 3>(body, 7, [&own, &two, &four], one)
    }

    /// The combination of two leaves within these bounds, of which the second may have no steps.
    #[inline(always)]
    fn two_leaves<B, V>(self, body: &B, [start, middle, end]: [usize; 3], one: V) -> Tile<V, R>
    where
        B: Tiles<LEFT, RIGHT, Scalar = T>,
        V: Vector<Scalar = T>,
    {
        let own = self.steps(start..middle).leaf::<B, V>(body, one);
        if middle == end {
            return own;
        }
        let next = self.steps(middle..end).leaf::<B, V>(body, one);
        sum(&own, &next, one)
    }

    /// The combination of all steps, one after the other.
    #[inline(always)]
    fn leaf<B, V>(self, body: &B, one: V) -> Tile<V, R>
    where
        B: Tiles<LEFT, RIGHT, Scalar = T>,
        V: Vector<Scalar = T>,
    {
        let first = Parts {
            left: &self.left[..1],
            again: &self.again[..1],
            right: &self.right[..1],
        };
        let mut acc = first.step::<B, V, 0>(body, 0, [], one);
        // Two at a time: what counts steps and looks for the last takes the place of numbers.
        let (left, left_rest) = self.left[1..].as_chunks::<2>();
        let (again, again_rest) = self.again[1..].as_chunks::<2>();
        let (right, right_rest) = self.right[1..].as_chunks::<2>();
        for k in 0..left.len().min(again.len()).min(right.len()) {
            let two = Parts {
                left: &left[k][..],
                again: &again[k][..],
                right: &right[k][..],
            };
            acc = two.step::<B, V, 1>(body, 0, [&acc], one);
            acc = two.step::<B, V, 1>(body, 1, [&acc], one);
        }
        if !(left_rest.is_empty() || again_rest.is_empty() || right_rest.is_empty()) {
            let last = Parts {
                left: left_rest,
                again: again_rest,
                right: right_rest,
            };
            acc = last.step::<B, V, 1>(body, 0, [&acc], one);
        }
        acc
    }

    /// The values of step `k`, added to each of these sums in turn: row by row, so that few are live.
    #[inline(always)]
    fn step<B, V, const N: usize>(
        self,
        body: &B,
        k: usize,
        sums: [&Tile<V, R>; N],
        one: V,
    ) -> Tile<V, R>
    where
        B: Tiles<LEFT, RIGHT, Scalar = T>,
        V: Vector<Scalar = T>,
    {
        let (left, right) = ([&self.left[k], &self.again[k]], &self.right[k]);
        let mut columns = [[zero::<V>(); RIGHT]; 2];
        for half in 0..2 {
            for part in 0..RIGHT {
                let from = right[part].as_ptr().wrapping_add(half * V::LANES);
                // SAFETY: there are two vectors of numbers, as `Bands` asserts.
                columns[half][part] = unsafe { V::load(from) };
            }
        }
        // So many additions of two values are better made as products, see Note [Both kinds of pipes].
        let spare = (B::ADDITIONS + N).saturating_sub(B::PRODUCTS);
        let mut all = [[zero::<V>(); 2]; R];
        for r in 0..R {
            for half in 0..2 {
                let row = splat::<V, LEFT>(&left[half][r]);
                let moved = (spare + half) / 2;
                // The second half is the last to read the row's numbers, which its own may replace.
                let of_value = match half {
                    0 => moved.saturating_sub(N.saturating_sub(1)),
                    _ => moved,
                };
                let of_sums = moved - of_value.min(B::ADDITIONS);
                // LLVM knows that the sum of a value and the neutral element is the value.
                let first = if N > 0 { sums[0][r][half] } else { zero() };
                let mut own = body.step(first, row, columns[half], of_value, one);
                for n in 1..N {
                    own = match n <= of_sums {
                        true => own.add_product(one, sums[n][r][half]),
                        false => sums[n][r][half].add(own),
                    };
                }
                all[r][half] = own;
            }
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

/// The sums of two tiles, in both kinds of pipes.
#[inline(always)]
fn sum<V: Vector, const R: usize>(a: &Tile<V, R>, b: &Tile<V, R>, one: V) -> Tile<V, R> {
    let mut sums = *a;
    for r in 0..R {
        sums[r] = [a[r][0].add(b[r][0]), b[r][1].add_product(one, a[r][1])];
    }
    sums
}

/// With so few steps, what waits in the tree costs more than what is loaded again for fewer rows at
/// once.
const SHORT: usize = 128;

/// The steps of a chunk in the order in which they are packed: that of the tree's leaves (Note
/// [Leaves]), or, where it is free, their own.
pub(super) struct Leaves {
    pub(super) steps: Range<usize>,
    free: bool,
    /// Where the steps of each leaf are packed, and where they end.
    bounds: [usize; LANES + 1],
    /// Where those of each accumulator are.
    places: [usize; LANES],
    /// What is computed in registers, from left to right.
    nodes: Vec<Node>,
}

/// A leaf with steps, or, unless tiles are tall, four in a row of which the first has some.
struct Node {
    /// Where the steps of each are packed, and where they end.
    bounds: [usize; 5],
    /// How many of the sums that wait take this node in turn.
    sums: usize,
}

impl Leaves {
    pub(super) fn new(steps: Range<usize>, free: bool) -> Leaves {
        let mut bounds = [0; LANES + 1];
        for t in 0..LANES {
            bounds[t + 1] = bounds[t] + leaf(&steps, accumulator(t)).len();
        }
        let mut places = [0; LANES];
        for l in 0..LANES {
            places[l] = bounds[accumulator(l)];
        }
        let mut leaves = Leaves {
            steps,
            free,
            bounds,
            places,
            nodes: Vec::new(),
        };
        leaves.nodes = leaves.nodes();
        leaves
    }

    /// Whether tiles have all the rows that registers hold one sum of.
    pub(super) fn is_tall(&self) -> bool {
        self.free || self.steps.len() > SHORT
    }

    /// Whether those with steps have one each and are the leaves of a complete tree, of eight or more.
    #[inline(always)]
    fn is_complete(&self) -> bool {
        let steps = self.steps.len();
        !self.free && (8..=LANES).contains(&steps) && steps.is_power_of_two()
    }

    /// Without values a leaf is neutral: those that have some are the leaves of a smaller tree. A node
    /// ends the subtrees that it is in and the next one is not; where it is on the right, what waits is
    /// what is on the left.
    fn nodes(&self) -> Vec<Node> {
        let leaves = if self.is_tall() { 1 } else { 4 };
        let has_steps = |node: &usize| !self.is_empty(node * leaves);
        let some: Vec<usize> = (0..LANES / leaves).filter(has_steps).collect();
        let sums = |i: usize| {
            let (own, next) = (some[i], some.get(i + 1).copied().unwrap_or(LANES));
            let ends = |height: &usize| own >> height & 1 == 1 && own >> height != next >> height;
            (0..HEIGHT).filter(ends).count()
        };
        let node = |i: usize| Node {
            bounds: core::array::from_fn(|n| self.bounds[some[i] * leaves + n.min(leaves)]),
            sums: sums(i),
        };
        (0..some.len()).map(node).collect()
    }

    /// Whether leaf `t` has no steps; then none does that is behind it in its subtree.
    fn is_empty(&self, t: usize) -> bool {
        self.bounds[t] == self.bounds[t + 1]
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
            false => self.places[l] + round / LANES,
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
