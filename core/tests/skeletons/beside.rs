//! Blocks beside others, in a kernel over rows.

use std::fmt::Debug;
use std::ops::Range;

use ragged_core::{
    ArrayOut, Buffer, Element, Flag, Kernel, Product, Row, Rowed, Span, after, before, get, span,
    write_rows_to,
};

use crate::everywhere;

/// The left and right neighbours of each element, which is its own where it has none.
struct Beside<'a, T> {
    x: &'a [T],
    width: usize,
}

impl<T: Element> Kernel for Beside<'_, T> {
    type Out = (T, T);
    const COST: u32 = 1;

    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (left, right): <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        for l in 0..L {
            let (at, column) = (start + l, (start + l) % self.width);
            left[l] = get(self.x, at - usize::from(column > 0));
            right[l] = get(self.x, at + usize::from(column + 1 < self.width));
        }
    }
}

struct BesideRow<'a, T> {
    all: Span<'a, T>,
}

impl<T: Element> Row for BesideRow<'_, T> {
    type Out = (T, T);

    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        at: usize,
        (left, right): <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        let here = self.all.block::<L>(at, 1);
        *left = before::<T, L, F>(here, self.all.block::<L>(at, 0), flag);
        *right = after::<T, L, F>(here, self.all.block::<L>(at, 2), flag);
    }
}

impl<T: Element> Rowed for Beside<'_, T> {
    type Row<'r>
        = BesideRow<'r, T>
    where
        Self: 'r;

    fn inside(&self, _rows: Range<usize>, width: usize) -> Range<usize> {
        1..width.saturating_sub(1)
    }

    fn row(&self, row: usize, columns: Range<usize>) -> BesideRow<'_, T> {
        let at = row * self.width + columns.start;
        BesideRow {
            all: span(self.x, at - 1, &columns, 2),
        }
    }
}

fn check<T: Element + PartialEq + Debug>(of: impl Fn(usize) -> T) {
    for [rows, width] in [[1, 66], [5, 131], [4, 700], [3, 9]] {
        let x: Vec<T> = (0..rows * width).map(&of).collect();
        check_rows(&x, width);
    }
}

/// As [`check`], of these elements in rows of this width.
fn check_rows<T: Element + PartialEq + Debug>(x: &[T], width: usize) {
    let neighbour = |at: usize, end: usize, by: isize| match at % width == end {
        true => x[at],
        false => x[at.wrapping_add_signed(by)],
    };
    let left: Vec<T> = (0..x.len()).map(|at| neighbour(at, 0, -1)).collect();
    let right: Vec<T> = (0..x.len()).map(|at| neighbour(at, width - 1, 1)).collect();
    everywhere(|| {
        let (mut a, mut b) = (Buffer::new(), Buffer::new());
        let outs = (ArrayOut::buffer(&mut a), ArrayOut::buffer(&mut b));
        let kernel = Beside { x, width };
        write_rows_to(&kernel, x.len(), width, outs).unwrap();
        assert_eq!(a[..], left, "{} {width}", x.len());
        assert_eq!(b[..], right, "{} {width}", x.len());
    });
}

#[test]
fn neighbours_of_each_type_are_what_lies_beside() {
    check(|i| i as u8);
    check(|i| i as i16);
    check(|i| i as i32);
    check(|i| i as f32);
    check(|i| i as u64);
    check(|i| i as f64);
    check(|i| (i as f32, -(i as f32)));
    check(|i| (i as i32, i as f64));
}

/// Elements of four bytes at an odd address, as some types allow.
#[repr(C, align(64))]
struct Odd {
    byte: u8,
    x: [[(u8, u8, u8, u8); 140]; 8],
}

#[test]
fn neighbours_at_odd_addresses_are_what_lies_beside() {
    let of = |i: usize| (i as u8, (i >> 8) as u8, 3, !i as u8);
    let odd = Odd {
        byte: 0,
        x: core::array::from_fn(|row| core::array::from_fn(|at| of(row * 140 + at))),
    };
    assert_eq!(odd.x.as_ptr().addr() % 2, 1 - usize::from(odd.byte));
    check_rows(odd.x.as_flattened(), 140);
}
