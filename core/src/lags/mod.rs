//! Sums of values of two parts, one of which moves along with the index: correlations, convolutions.
//!
//! In: what a body reads per step, what it reads per sum of step and index (or their difference), the
//! value of the two, and how many steps each index has. Out: the bits that each sum alone gives, in the
//! order of Note [Order of combination] in `reduce.rs`.
//! Assumes: a value depends on nothing but the two parts; a body that is wrong gives wrong values or a
//! panic.
//!
//! Note \[Lags\]: the sum at index (lag) `g` is over the values of `left(k)` and `right(g + k)`. With lanes
//! over the steps each value takes two loads, of which one goes across the end of a cache line, as far
//! as lags are no multiples of a vector. With lanes over the lags, one number is spread over the lanes,
//! and what it meets in `N` vectors of lags, the next but `LANES` meets in `N` vectors as well, all but
//! one of them the same. So registers hold the sums of `N` vectors of lags in `J` accumulators a vector's
//! width apart: `J * N` values for `J` numbers and `J + N - 1` vectors.
//!
//! The language has step `k` in accumulator `k % 64` of its chunk. What is in registers together are
//! accumulators `phase + LANES * j`, and all their steps are gone through before the next ones': so the tree
//! over accumulators is walked depth first, in registers as far as it goes. Both parts are read where they lie,
//! or computed once and packed. Lags end at steps of their own: what is behind the first end is added under
//! masks.

mod outer;
mod places;
mod tile;

use core::hint::black_box;
use core::ops::Range;

pub use self::outer::lags_to;
use self::places::{Left, Numbers, Right, Room, place};
use self::tile::Steps;
use crate::error::Failure;
use crate::kernel::{CHUNK, Fast, Flag, LANES, Product};
use crate::level::{TileTask, dispatch_tiles};
use crate::memory;
use crate::nest::Nest;
use crate::overhang::PART;
use crate::recycle::Buffer;
use crate::rows::Rows;
use crate::tiles::Same;
use crate::vector::{Real, Vector};

/// A nest whose body is one sum of values of two parts: of `LEFT` floats per step, `RIGHT` per step and lag
/// together, which is the innermost index; all others are the row. All is emitted with `#[inline(always)]`.
pub trait Lags<const LEFT: usize, const RIGHT: usize>: Nest {
    /// The type of parts and values.
    type Scalar: Real;
    /// What depends on steps alone.
    type Left: Same<Self::Scalar, LEFT>;
    /// What depends on the sum, or difference, of lag and step.
    type Right: Same<Self::Scalar, RIGHT>;
    /// Whether that is the lag less the step.
    const BACK: bool;
    /// Where left parts of this row lie, if they are elements of an array one after another, and the place
    /// there of that of step 0, which wraps.
    fn left_lies(&self, _row: usize) -> Option<(&[Self::Scalar], usize)> {
        None
    }
    /// The same of right parts.
    fn right_lies(&self, _row: usize) -> Option<(&[Self::Scalar], usize)> {
        None
    }
    /// How many additions and subtractions a value takes.
    const ADDITIONS: usize;
    /// Whether the one parts or the others ever call [`Flag::check`].
    const FAIL: [bool; 2];
    /// How many steps the sum at an index has; nothing after a violated check.
    fn steps<F: Flag>(&self, index: usize, steps: &mut usize, flag: &mut F);
    /// The left parts of steps `start .. start + L`, in this row. Parts that no sum has may be any.
    fn left<const L: usize, F: Flag>(
        &self,
        row: usize,
        start: usize,
        out: <Self::Left as Product>::Slots<'_, L>,
        flag: &mut F,
    );
    /// The right parts of sums `start .. start + L` of lag and step, or differences, which wrap.
    fn right<const L: usize, F: Flag>(
        &self,
        row: usize,
        start: usize,
        out: <Self::Right as Product>::Slots<'_, L>,
        flag: &mut F,
    );
    /// A step: as [`Tiles::step`](crate::Tiles::step).
    fn step<V: Vector<Scalar = Self::Scalar>>(
        &self,
        sum: V,
        left: [V; LEFT],
        right: [V; RIGHT],
        moved: usize,
        one: V,
    ) -> V;
    /// As [`Nest::run`], from the sum of the values.
    fn finish<F: Flag>(
        &self,
        index: usize,
        sum: Self::Scalar,
        rows: &mut <Self::Outs as Rows>::Places<'_>,
        flag: &mut F,
    );
}

/// Sums of fewer steps are left to sums one by one, as are fewer lags than fill a vector.
const FEWEST_STEPS: usize = 24;

/// No memory holds what has more.
const MOST_STEPS: usize = isize::MAX as usize;

/// Indices whose right parts are packed together at most: with those of a chunk they fit a second cache.
const BLOCK: usize = 960;

/// The sums at the indices `0..n` of a nest in the body of another; none if they are better computed one by
/// one: there are few of them, or something fails, which the nest's own code finds.
#[inline(never)]
pub fn sums<N, F, const LEFT: usize, const RIGHT: usize>(nest: &N, n: usize) -> Buffer<N::Scalar>
where
    N: Lags<LEFT, RIGHT>,
    F: Flag,
{
    if F::KEEPS_FIRST {
        return Buffer::new();
    }
    let all = Sums {
        nest,
        row: 0,
        start: 0,
        lags: 0..n,
    };
    all.computed()
}

/// Sums of a row.
struct Sums<'a, N, const LEFT: usize, const RIGHT: usize> {
    nest: &'a N,
    row: usize,
    /// The index of its first lag.
    start: usize,
    lags: Range<usize>,
}

impl<N: Lags<LEFT, RIGHT>, const LEFT: usize, const RIGHT: usize> Sums<'_, N, LEFT, RIGHT> {
    /// Those at the lags; none if they are better computed one by one.
    fn computed(self) -> Buffer<N::Scalar> {
        dispatch_tiles(self).unwrap_or_default()
    }
}

impl<N: Lags<LEFT, RIGHT>, const LEFT: usize, const RIGHT: usize> TileTask
    for Sums<'_, N, LEFT, RIGHT>
{
    type Out = Result<Buffer<N::Scalar>, Failure>;
    type Scalar = N::Scalar;

    #[inline(always)]
    fn run<
        V: Vector<Scalar = N::Scalar>,
        const R: usize,
        const S: usize,
        const C: usize,
        const LEVEL: usize,
    >(
        self,
    ) -> Self::Out {
        // Sums fill most registers: half of 16, of 32 more, since numbers need none.
        if const { LEVEL == 64 && V::LANES == 8 } {
            self.all::<V, 8, 3>()
        } else if const { LEVEL == 64 } {
            self.all::<V, 4, 4>()
        } else {
            self.all::<V, 2, 4>()
        }
    }
}

impl<N: Lags<LEFT, RIGHT>, const LEFT: usize, const RIGHT: usize> Sums<'_, N, LEFT, RIGHT> {
    #[inline(always)]
    fn all<V: Vector<Scalar = N::Scalar>, const J: usize, const W: usize>(
        self,
    ) -> Result<Buffer<N::Scalar>, Failure> {
        if self.lags.len() < V::LANES || !self.seem_long() {
            return Ok(Buffer::new());
        }
        let most = match self.most(self.lags.clone()) {
            Some(most @ FEWEST_STEPS..=MOST_STEPS) => most,
            _few_or_failed => return Ok(Buffer::new()),
        };
        let n = self.lags.len();
        let lags = BLOCK.min(n) + W * V::LANES;
        let widths = widths(lags, most.min(CHUNK));
        let mut sums = Buffer::new();
        memory::reserve(sums.as_vec(), n + LEFT * widths[0] + RIGHT * widths[1])?;
        let room: *mut N::Scalar = sums.as_vec().as_mut_ptr();
        let (left, right) = (n, n + LEFT * widths[0]);
        let room = [(left, widths[0]), (right, widths[1])].map(|(at, width)| Room {
            to: room.wrapping_add(at),
            width,
        });
        let one = V::splat(black_box(N::Scalar::ONE));
        for start in self.lags.clone().step_by(BLOCK) {
            let lags = start..self.lags.end.min(start + BLOCK);
            let sums = sums
                .as_vec()
                .as_mut_ptr()
                .wrapping_add(start - self.lags.start);
            let most = match n <= BLOCK {
                true => most,
                false => self.most(lags.clone()).unwrap_or_default(),
            };
            for chunk in (0..most.max(1)).step_by(CHUNK) {
                let steps = chunk..most.min(chunk + CHUNK);
                // SAFETY: there is room for the parts of so many steps and lags, and for all sums, of which
                // those of the first chunk are written first.
                unsafe {
                    let places = self.parts(&lags, &steps, W * V::LANES, room);
                    let Some(places) = places else {
                        return Ok(Buffer::new());
                    };
                    let part = Part {
                        sums: &self,
                        places,
                        widths,
                        one,
                    };
                    part.all::<J, W>(lags.clone(), &steps, sums);
                }
            }
        }
        // SAFETY: `Part::all` has written the sums of all lags.
        unsafe { sums.as_vec().set_len(n) };
        Ok(sums)
    }

    /// Whether a sum at an end or in the middle has steps enough: to ask all takes as long as a few steps of
    /// each.
    #[inline(always)]
    fn seem_long(&self) -> bool {
        let Range { start, end } = self.lags;
        let mut most = 0;
        for lag in [start, start.midpoint(end), end - 1] {
            most = most.max(self.most(lag..lag + 1).unwrap_or(0));
        }
        most >= FEWEST_STEPS
    }

    /// The most steps of some sums, unless something fails.
    #[inline(always)]
    fn most(&self, lags: Range<usize>) -> Option<usize> {
        let mut flag = Fast::default();
        let mut most = 0;
        for lag in lags {
            let mut steps = 0;
            self.nest.steps(self.start + lag, &mut steps, &mut flag);
            most = most.max(steps);
        }
        (!flag.violated()).then_some(most)
    }

    /// Where the parts of these lags and steps are, left ones and right ones, which there is this room for; nothing
    /// if a check of one is violated.
    ///
    /// # Safety
    /// There is room for so many, as [`widths`] says of these lags and some more.
    #[inline(always)]
    unsafe fn parts(
        &self,
        lags: &Range<usize>,
        steps: &Range<usize>,
        more: usize,
        room: [Room<N::Scalar>; 2],
    ) -> Option<[*const N::Scalar; 2]> {
        let [count, all] = widths(lags.len() + more, steps.len());
        let lefts = Numbers {
            row: self.row,
            start: steps.start,
            count,
            live: 0..steps.len(),
        };
        let rights = Numbers {
            row: self.row,
            start: match N::BACK {
                true => lags.start.wrapping_sub(steps.end + LANES - 1),
                false => lags.start + steps.start,
            },
            count: all,
            live: match N::FAIL[1] {
                true => self.live(lags, steps),
                false => 0..0,
            },
        };
        let [left, right] = room;
        // SAFETY: promised by the caller.
        unsafe {
            Some([
                place::<N, Left<RIGHT>, LEFT>(self.nest, &lefts, left)?,
                place::<N, Right<LEFT>, RIGHT>(self.nest, &rights, right)?,
            ])
        }
    }

    /// The right parts that sums have, of all those of these lags and steps.
    #[inline(always)]
    fn live(&self, lags: &Range<usize>, steps: &Range<usize>) -> Range<usize> {
        let (mut first, mut end) = (usize::MAX, 0);
        for lag in lags.clone() {
            let mut count = 0;
            (self.nest).steps(self.start + lag, &mut count, &mut Fast::default());
            let Some(count @ 1..) = count.min(steps.end).checked_sub(steps.start) else {
                continue;
            };
            let at = lag - lags.start;
            let own = match N::BACK {
                true => at + steps.len() + LANES - count..at + steps.len() + LANES,
                false => at..at + count,
            };
            (first, end) = (first.min(own.start), end.max(own.end));
        }
        first.min(end)..end
    }
}

/// How many left parts there are of so many steps, and right ones of these and so many lags: tiles read a
/// round of steps more than there are.
#[inline(always)]
fn widths(lags: usize, steps: usize) -> [usize; 2] {
    let steps = steps + LANES;
    [steps, steps + lags].map(|width| width.next_multiple_of(PART))
}

/// Where parts are, left ones and right ones, and how many there is room for of each.
struct Part<'a, N, V: Vector, const LEFT: usize, const RIGHT: usize> {
    sums: &'a Sums<'a, N, LEFT, RIGHT>,
    places: [*const V::Scalar; 2],
    widths: [usize; 2],
    one: V,
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
    fn place(&self, side: usize, part: usize, at: usize) -> *const V::Scalar {
        self.places[side].wrapping_add(part * self.widths[side] + at)
    }

    /// Adds what the sums of these lags have of these steps, which are packed, to `sums`.
    ///
    /// # Safety
    /// These are the lags and steps that were packed last, and the next `W` vectors of lags too. There is
    /// room for all sums, and those of these lags have been written, if the steps are not the first.
    #[inline(always)]
    unsafe fn all<const J: usize, const W: usize>(
        &self,
        lags: Range<usize>,
        steps: &Range<usize>,
        sums: *mut V::Scalar,
    ) {
        let mut at = lags.start;
        while at < lags.end {
            let (lag, left) = (at - lags.start, at..lags.end);
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

    /// [`all`](Self::all) of the first `N` vectors of `lags`, the first of which is `lag` of those that are
    /// packed; gives how many they are.
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
        let mut ends = [V::Scalar::default(); MOST];
        let (mut first, mut last) = (steps.len(), 0);
        for (own, end) in lags.clone().zip(&mut ends) {
            let mut count = 0;
            (self.sums.nest).steps(self.sums.start + own, &mut count, &mut Fast::default());
            let here = count.min(steps.end).saturating_sub(steps.start);
            (first, last) = (first.min(here), last.max(here));
            *end = V::Scalar::whole(here);
        }
        let mut limits = [[self.one; N]; J];
        for j in 0..J {
            let apart = V::splat(V::Scalar::whole(j * V::LANES));
            for n in 0..N {
                // SAFETY: `MOST` numbers are as many as any tile has lags.
                let ends = unsafe { V::load(ends.as_ptr().wrapping_add(n * V::LANES)) };
                limits[j][n] = ends.sub(apart);
            }
        }
        let tile = Steps::<B, V, J, N, LEFT, RIGHT> {
            part: self,
            lag: match B::BACK {
                true => lag + steps.len() + LANES - 1,
                false => lag,
            },
            whole: first.saturating_sub((J - 1) * V::LANES),
            last,
            limits,
        };
        // SAFETY: promised by the caller.
        let total = unsafe { tile.total() };
        let mut own = [V::Scalar::default(); MOST];
        for n in 0..N {
            // SAFETY: as above.
            unsafe { total[n].store(own.as_mut_ptr().wrapping_add(n * V::LANES)) };
        }
        for (at, own) in (lag..).zip(&own[..lags.len()]) {
            // SAFETY: promised by the caller.
            unsafe {
                let sum = sums.add(at);
                sum.write(match steps.start {
                    0 => *own,
                    _ => sum.read().plus(*own),
                });
            }
        }
        lags.len()
    }
}
