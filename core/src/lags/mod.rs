//! Sums of values of two parts, one of which moves along with the index: correlations, convolutions.
//!
//! In: what a body reads per step, what it reads per sum of step and index (or their difference), the
//! value of the two, and how many steps each index has. Out: the bits that each sum alone gives, in the
//! order of Note [Order of combination] in `reduce.rs`, but for the sign of a 0 where nobody sees it.
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
//! masks, or is 0.
//!
//! Note \[Zeros behind\]: masks cost half as much again, of which windows of some hundred steps have many. Where a
//! value is a product, and all sums end at one right part, right parts are packed with zeros instead of what is behind
//! that one (or in front, where they go back); where all sums have as many steps, left parts are. What sums have too
//! much is 0 then, as long as the other part is finite. If it is not, nor is the sum, which is then made once
//! more, under masks. Only the sign of a sum that is 0 may differ.

mod outer;
mod part;
mod places;
mod tile;

use core::hint::black_box;
use core::ops::Range;

pub use self::outer::lags_to;
use self::part::Part;
use self::places::{Behind, Left, Numbers, Place, Right, Room, place};
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
    /// Whether values are 0 if all left parts are, and if all right ones are, as long as the others are finite; and
    /// nobody sees the sign of a sum that is 0.
    const VANISH: [bool; 2];
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

/// Room for fewer numbers is of few sizes, so that what one index of a body leaves serves the next, which may have
/// more steps.
const SMALL: usize = 1 << 16;

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
        // Sums fill half of 32 registers, and three quarters of 16, where numbers come from memory.
        if const { LEVEL == 64 } {
            self.all::<V, 4, 4>()
        } else {
            self.all::<V, 4, 3>()
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
        let ends = match self.ends(self.lags.clone()) {
            Some(ends) if (FEWEST_STEPS..=MOST_STEPS).contains(&ends.most) => ends,
            _few_or_failed => return Ok(Buffer::new()),
        };
        let most = ends.most;
        let n = self.lags.len();
        let lags = BLOCK.min(n) + W * V::LANES;
        let widths = widths(lags, most.min(CHUNK));
        let mut sums = Buffer::new();
        let room = match n + LEFT * widths[0] + RIGHT * widths[1] {
            few @ ..SMALL => few.next_power_of_two(),
            many => many,
        };
        memory::reserve(sums.as_vec(), room)?;
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
            let ends = match n <= BLOCK {
                true => ends,
                false => self.ends(lags.clone()).unwrap_or_default(),
            };
            for chunk in (0..ends.most.max(1)).step_by(CHUNK) {
                let steps = chunk..ends.most.min(chunk + CHUNK);
                // SAFETY: there is room for the parts of so many steps and lags, and for all sums, of which
                // those of the first chunk are written first.
                unsafe {
                    let kept = self.kept(&lags, &steps, &ends, W * V::LANES);
                    let vanish = kept.iter().any(Option::is_some);
                    let places = self.parts(&lags, &steps, W * V::LANES, kept, room);
                    let Some(places) = places else {
                        return Ok(Buffer::new());
                    };
                    let part = Part {
                        sums: &self,
                        lags: lags.clone(),
                        behind: Behind::each(&places, lags.len()),
                        places,
                        widths,
                        vanish,
                        one,
                    };
                    part.all::<J, W>(&steps, sums);
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
            most = most.max(self.ends(lag..lag + 1).map_or(0, |ends| ends.most));
        }
        most >= FEWEST_STEPS
    }

    /// Where some sums end, unless something fails.
    #[inline(always)]
    fn ends(&self, lags: Range<usize>) -> Option<Ends> {
        let mut flag = Fast::default();
        let mut first = Ends::default();
        let (mut most, mut even, mut together) = (0, true, true);
        for lag in lags.clone() {
            let mut steps = 0;
            self.nest.steps(self.start + lag, &mut steps, &mut flag);
            let end = match N::BACK {
                true => lag.wrapping_sub(steps),
                false => lag.wrapping_add(steps),
            };
            if lag == lags.start {
                (first.most, first.together) = (steps, Some(end));
            }
            even &= first.most == steps;
            together &= first.together == Some(end);
            most = most.max(steps);
        }
        let together = first.together.filter(|_| together);
        (!flag.violated()).then_some(Ends {
            most,
            even,
            together,
        })
    }

    /// Which parts are kept of those of these lags and steps, left ones or right ones, where all others may be 0
    /// instead: see Note \[Zeros behind\].
    #[inline(always)]
    fn kept(
        &self,
        lags: &Range<usize>,
        steps: &Range<usize>,
        ends: &Ends,
        more: usize,
    ) -> [Option<Range<usize>>; 2] {
        let [_, count] = widths(lags.len() + more, steps.len());
        match ends.together {
            Some(end) if N::VANISH[1] => {
                let end = end
                    .wrapping_sub(self.first_right(lags, steps))
                    .cast_signed();
                let within = |at: isize| at.clamp(0, count.cast_signed()).cast_unsigned();
                [
                    None,
                    Some(match N::BACK {
                        true => within(end.saturating_add(1))..count,
                        false => 0..within(end),
                    }),
                ]
            }
            _apart if N::VANISH[0] && ends.even => [Some(0..steps.len()), None],
            _apart => [None, None],
        }
    }

    /// The first number of right parts of these lags and steps.
    #[inline(always)]
    fn first_right(&self, lags: &Range<usize>, steps: &Range<usize>) -> usize {
        match N::BACK {
            true => lags.start.wrapping_sub(steps.end + LANES - 1),
            false => lags.start + steps.start,
        }
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
        [left_kept, right_kept]: [Option<Range<usize>>; 2],
        room: [Room<N::Scalar>; 2],
    ) -> Option<[Place<'_, N::Scalar>; 2]> {
        let [count, all] = widths(lags.len() + more, steps.len());
        let lefts = Numbers {
            row: self.row,
            start: steps.start,
            count,
            live: 0..steps.len(),
            kept: left_kept,
        };
        let rights = Numbers {
            row: self.row,
            start: self.first_right(lags, steps),
            count: all,
            live: match N::FAIL[1] {
                true => self.live(lags, steps),
                false => 0..0,
            },
            kept: right_kept,
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

/// Where some sums end.
#[derive(Clone, Copy, Default)]
struct Ends {
    /// The most steps of one.
    most: usize,
    /// Whether all have as many.
    even: bool,
    /// The first number, counted from each sum's first right part on, that no sum has, if it is one for all.
    together: Option<usize>,
}

/// How many left parts there are of so many steps, and right ones of these and so many lags: tiles read a
/// round of steps more than there are.
#[inline(always)]
fn widths(lags: usize, steps: usize) -> [usize; 2] {
    let steps = steps + LANES;
    [steps, steps + lags].map(|width| width.next_multiple_of(PART))
}
