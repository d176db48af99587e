//! Where parts are: where they lie, or packed.
//!
//! In: which parts are read. Out: the address of the first, behind which the others are.
//! Assumes: as `mod.rs`.

use core::ops::Range;

use super::Lags;
use crate::kernel::{Fast, Flag, Product};
use crate::overhang::{Beyond, PART};
use crate::tiles::Same;
use crate::vector::Real;

/// The parts of one kind, `PARTS` of each number, of a nest.
pub(super) trait Side<N, const PARTS: usize> {
    type Scalar: Real;
    type Parts: Same<Self::Scalar, PARTS>;
    /// Whether a check of one may be violated.
    const FAIL: bool;
    fn lies(nest: &N, row: usize) -> Option<(&[Self::Scalar], usize)>;
    /// The parts of numbers `at[1] .. at[1] + L` in row `at[0]`.
    fn block<const L: usize, F: Flag>(
        nest: &N,
        at: [usize; 2],
        out: <Self::Parts as Product>::Slots<'_, L>,
        flag: &mut F,
    );
}

/// Left parts, of a nest with so many right ones.
pub(super) struct Left<const RIGHT: usize>;

impl<N: Lags<LEFT, RIGHT>, const LEFT: usize, const RIGHT: usize> Side<N, LEFT> for Left<RIGHT> {
    type Scalar = N::Scalar;
    type Parts = N::Left;
    const FAIL: bool = N::FAIL[0];

    #[inline(always)]
    fn lies(nest: &N, row: usize) -> Option<(&[N::Scalar], usize)> {
        nest.left_lies(row)
    }

    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        nest: &N,
        [row, start]: [usize; 2],
        out: <N::Left as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        nest.left::<L, F>(row, start, out, flag);
    }
}

/// Right parts, of a nest with so many left ones.
pub(super) struct Right<const LEFT: usize>;

impl<N: Lags<LEFT, RIGHT>, const LEFT: usize, const RIGHT: usize> Side<N, RIGHT> for Right<LEFT> {
    type Scalar = N::Scalar;
    type Parts = N::Right;
    const FAIL: bool = N::FAIL[1];

    #[inline(always)]
    fn lies(nest: &N, row: usize) -> Option<(&[N::Scalar], usize)> {
        nest.right_lies(row)
    }

    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        nest: &N,
        [row, start]: [usize; 2],
        out: <N::Right as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        nest.right::<L, F>(row, start, out, flag);
    }
}

/// Numbers of a row that have parts.
pub(super) struct Numbers {
    pub(super) row: usize,
    /// The first; they wrap.
    pub(super) start: usize,
    pub(super) count: usize,
    /// Those that sums have; the parts of others are any.
    pub(super) live: Range<usize>,
    /// If there are some, the parts of all others are made 0. They hold those that sums have.
    pub(super) kept: Option<Range<usize>>,
}

/// Room for parts, `width` of each.
#[derive(Clone, Copy)]
pub(super) struct Room<T> {
    pub(super) to: *mut T,
    pub(super) width: usize,
}

/// Where parts are.
#[derive(Clone, Copy)]
pub(super) struct Place<'a, T> {
    pub(super) from: *const T,
    /// What lies behind them in memory, about half as much: windows of an array often follow each other.
    pub(super) behind: &'a [T],
}

/// What lies behind some parts in memory. Sums of a window take about as long as a core takes to read one, if it is
/// asked for bit by bit.
#[derive(Clone, Copy)]
pub(super) struct Behind<T> {
    pub(super) from: *const T,
    /// How much of it is asked for with each lag.
    pub(super) of_lag: usize,
}

impl<T> Behind<T> {
    /// Behind the parts at these places, of so many lags; but once what is behind both.
    #[inline(always)]
    pub(super) fn each([left, right]: &[Place<'_, T>; 2], lags: usize) -> [Self; 2] {
        let (left, right) = (left.behind, right.behind);
        let is_known = right.as_ptr_range().contains(&left.as_ptr());
        let left = if is_known { &[] } else { left };
        [left, right].map(|all| Behind {
            from: all.as_ptr(),
            of_lag: all.len().div_ceil(lags),
        })
    }
}

/// Where the parts of these numbers are: where they lie, or packed into the room; nowhere if a check of one
/// that sums have is violated.
///
/// # Safety
/// There is room for so many, as a multiple of [`PART`].
#[inline(always)]
pub(super) unsafe fn place<'a, N, S: Side<N, PARTS>, const PARTS: usize>(
    nest: &'a N,
    numbers: &Numbers,
    room: Room<S::Scalar>,
) -> Option<Place<'a, S::Scalar>> {
    let Some(kept) = &numbers.kept else {
        // SAFETY: promised by the caller.
        return found::<N, S, PARTS>(nest, numbers, 0..numbers.count)
            .or_else(|| unsafe { packed::<N, S, PARTS>(nest, numbers, room) });
    };
    // SAFETY: as above, and parts in memory do not lie in the room.
    unsafe {
        let place = match found::<N, S, PARTS>(nest, numbers, kept.clone()) {
            Some(Place { from, behind }) => {
                from.copy_to_nonoverlapping(room.to.add(kept.start), kept.len());
                let from = room.to.cast_const();
                Place { from, behind }
            }
            None => packed::<N, S, PARTS>(nest, numbers, room)?,
        };
        for part in 0..PARTS {
            for zeros in [0..kept.start, kept.end..numbers.count] {
                let to = room.to.add(part * room.width + zeros.start);
                to.write_bytes(0, zeros.len());
            }
        }
        Some(place)
    }
}

/// Where some of these numbers' parts lie, if they do.
#[inline(always)]
fn found<'a, N, S: Side<N, PARTS>, const PARTS: usize>(
    nest: &'a N,
    numbers: &Numbers,
    some: Range<usize>,
) -> Option<Place<'a, S::Scalar>> {
    if const { S::FAIL || PARTS > 1 } {
        return None;
    }
    let (all, first) = S::lies(nest, numbers.row)?;
    let start = first.wrapping_add(numbers.start).wrapping_add(some.start);
    let end = start.checked_add(some.len())?;
    let from = all.get(start..end)?.as_ptr();
    let behind = &all[end..];
    let behind = &behind[..behind.len().min(some.len() / 2)];
    Some(Place { from, behind })
}

/// Packs the parts of these numbers.
///
/// # Safety
/// As of [`place`].
#[inline(always)]
unsafe fn packed<'a, N, S: Side<N, PARTS>, const PARTS: usize>(
    nest: &'a N,
    numbers: &Numbers,
    room: Room<S::Scalar>,
) -> Option<Place<'a, S::Scalar>> {
    let Numbers {
        row, start, count, ..
    } = *numbers;
    let mut flag = Fast::default();
    for at in (0..count).step_by(PART) {
        // One for each block, so that it stays in registers.
        let mut lanes = S::Parts::zero().splat::<PART>();
        let place = [row, start.wrapping_add(at)];
        let live = numbers.live.start.max(at)..numbers.live.end.min(at + PART);
        if const { S::FAIL } && live.len() == PART {
            S::block::<PART, Fast>(nest, place, S::Parts::slots(&mut lanes), &mut flag);
        } else {
            S::block::<PART, Beyond>(nest, place, S::Parts::slots(&mut lanes), &mut Beyond);
        }
        if const { S::FAIL } && live.len() < PART {
            for l in live {
                let mut one = S::Parts::zero().splat::<1>();
                let place = [row, start.wrapping_add(l)];
                S::block::<1, Fast>(nest, place, S::Parts::slots(&mut one), &mut flag);
            }
        }
        for l in 0..PART {
            let parts = S::Parts::get(&lanes, l).numbers();
            for part in 0..PARTS {
                // SAFETY: promised by the caller.
                unsafe { room.to.add(part * room.width + at + l).write(parts[part]) };
            }
        }
    }
    let from = room.to.cast_const();
    let behind = &[];
    (!flag.violated()).then_some(Place { from, behind })
}
