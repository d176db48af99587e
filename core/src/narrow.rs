//! Reductions of the rows of matrices of few columns, many rows together.
//!
//! In: a nest whose body reduces the row of its index, and what computes the values of all rows, one after
//! another. Out: as the nest gives.
//! Assumes: nothing; bodies that are wrong give wrong rows or a panic.
//!
//! Note [Narrow rows]. As with rows of lengths of their own (Note [Segments] in `segments.rs`), a row of a few
//! elements does not fill a block of lanes. So values are computed in whole blocks across the ends of rows, into a
//! buffer, and combined from there, each row in the order that it has by itself. What is the same for all rows, such
//! as a vector by which each is multiplied, is written out again and again ([`Repeated`]), so that a block finds it
//! in one piece wherever it begins: read row by row, it would end with each row.

use core::ops::Range;

use crate::error::Failure;
use crate::gathered;
use crate::kernel::{Combine, Element, Fast, Flag, Kernel, LANES, Product};
use crate::level::{MAX_LANES, Task, apart, dispatch};
use crate::nest::{Opens, Out, Shares, in_shares, nest_to, one_by_one};
use crate::parallel;
use crate::rows::Rows;
use crate::segments::{Buffer, FEW, ROOM, Segments, TOGETHER, fill, total};

/// The widest rows that are computed together.
const MOST: usize = 96;

/// A row of at most 96 elements, written again and again.
#[derive(Clone, Debug)]
pub struct Repeated<T>([T; MOST + LANES]);

impl<T: Element> Repeated<T> {
    /// The first `width` elements of `row`, if that is narrow; else nothing of use.
    pub fn new(row: &[T], width: usize) -> Self {
        let mut lanes = [T::default(); MOST + LANES];
        if let Some(row) = row.get(..width).filter(|_| (1..=MOST).contains(&width)) {
            for part in lanes.chunks_mut(width) {
                part.copy_from_slice(&row[..part.len()]);
            }
        }
        Repeated(lanes)
    }

    /// The elements.
    pub fn elements(&self) -> &[T] {
        &self.0
    }
}

/// The elements at the remainders of `start .. start + L` by `by`, of a row of so many in [`Repeated`].
///
/// # Panics
/// For rows that are not narrow.
#[inline(always)]
pub fn load_repeated<T: Element, const L: usize>(row: &[T], start: usize, by: usize) -> &[T; L] {
    let at = start % by.max(1);
    row[at..]
        .first_chunk()
        .expect("a row is written out so often")
}

/// Whether `n` rows of this width are computed together: they fill a block, and matrices of so many elements hold
/// them.
pub fn is_narrow(n: usize, width: usize, elements: &[usize]) -> bool {
    let held = |all: usize| all >= LANES && elements.iter().all(|it| *it >= all);
    (1..=MOST).contains(&width) && n.checked_mul(width).is_some_and(held)
}

/// As [`nest_to`], where each index reduces a row of `width` of `values`, which are those of all rows. See Note
/// [Narrow rows].
///
/// Cost: that of all elements, in lanes, a tree per row, and in parallel.
pub fn narrow_to<N: Segments, V: Combine<Out = N::Value>>(
    nest: &N,
    values: &V,
    (n, width): (usize, usize),
    widths: <N::Outs as Rows>::Widths,
    outs: <N::Outs as Product>::Outs<'_>,
) -> Result<(), Failure> {
    if !is_narrow(n, width, &[]) {
        return nest_to(nest, n, widths, outs);
    }
    let shares: Shares<'_> = &|run| parallel::for_ranges(n, 1, nest.cost(), run);
    in_shares(nest, n, widths, outs, shares, &|rows, out| {
        dispatch(Run {
            nest,
            values,
            width,
            rows,
            out,
        })
    })
}

struct Run<'a, N: Segments, V> {
    nest: &'a N,
    values: &'a V,
    width: usize,
    rows: Range<usize>,
    out: Out<N::Outs>,
}

impl<N: Segments, V: Combine<Out = N::Value>> Task for Run<'_, N, V> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        // Such rows fill blocks of their own, or are combined where they lie.
        let even = self.width.is_multiple_of(16) || const { <N::Values<'_> as Kernel>::LIES };
        if const { L < 32 } || const { L < MAX_LANES } && self.width > FEW && even {
            // SAFETY: the rows are this task's, for which `in_shares` has made room.
            return unsafe { one_by_one::<_, L>(self.nest, self.rows, self.out) };
        }
        let mut buffer = Buffer::<N::Value>(N::Value::zero().splat());
        let together = TOGETHER / self.width;
        let (mut row, mut violated) = (self.rows.start, false);
        while row < self.rows.end && !violated {
            let end = self.rows.end.min(row + together);
            let rows = Run {
                rows: row..end,
                ..self
            };
            // SAFETY: as above; `dispatch` has called this.
            violated = unsafe {
                match (end - row) * self.width < L {
                    true => one_by_one::<_, L>(rows.nest, rows.rows, rows.out),
                    false => apart::<_, L>(Together(rows, &mut buffer)),
                }
            };
            row = end;
        }
        violated
    }
}

/// Rows that have at least as many elements together as the level has lanes. See Note [Apart] in `level.rs`.
struct Together<'a, 'b, N: Segments, V>(Run<'a, N, V>, &'b mut Buffer<N::Value>);

impl<N: Segments, V: Combine<Out = N::Value>> Task for Together<'_, '_, N, V> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        let Together(it, Buffer(buffer)) = self;
        let mut flag = Fast::default();
        let (start, count) = (it.rows.start * it.width, it.rows.len() * it.width);
        if const { gathered::alone::<V, L>() } {
            gathered::fill_alone::<_, _, ROOM>(it.values, start, count, buffer, &mut flag);
        } else {
            fill::<_, Fast, L, ROOM>(it.values, start, count, buffer, &mut flag);
        }
        for (at, row) in it.rows.enumerate() {
            let first = at * it.width;
            let total = total::<V, L>(it.values, buffer, (first, it.width), it.width, &mut flag);
            // SAFETY: the row is one of the task's, for which `in_shares` has made room.
            let mut places = unsafe { it.out.open(row..row + 1) };
            let nest = it.nest;
            nest.close::<L, Fast>(row, it.width, Some(total), &mut places, &mut flag);
            // SAFETY: this row.
            unsafe { it.out.close(places, row..row + 1) };
        }
        flag.violated()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_from_anywhere_in_them() {
        for width in [1, 2, 5, 16, 63, MOST] {
            let row: Vec<u16> = (0..width as u16).collect();
            let repeated = Repeated::new(&row, width);
            for start in (0..3 * width).chain([1_000_003]) {
                let lanes = load_repeated::<u16, LANES>(repeated.elements(), start, width);
                let wanted = |l: usize| row[(start + l) % width];
                assert!(
                    (0..LANES).all(|l| lanes[l] == wanted(l)),
                    "{start} of {width}"
                );
            }
        }
    }

    #[test]
    fn what_is_no_narrow_row_is_left_out() {
        assert_eq!(Repeated::new(&[7; MOST + 1], MOST + 1).elements()[0], 0);
        assert_eq!(Repeated::new(&[7; 3], 4).elements()[0], 0);
        assert_eq!(Repeated::<u8>::new(&[], 0).elements()[0], 0);
        assert!(is_narrow(32, 2, &[64, 65]) && !is_narrow(32, 2, &[64, 63]));
        assert!(!is_narrow(31, 2, &[64]) && !is_narrow(0, 2, &[0]));
        assert!(!is_narrow(3, 0, &[0]) && !is_narrow(1000, MOST + 1, &[1 << 20]));
        assert!(!is_narrow(usize::MAX, 2, &[]));
    }
}
