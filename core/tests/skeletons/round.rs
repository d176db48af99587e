//! Sweeps and cascades whose rows go on from the other end, against one kernel after the other.

use std::ops::Range;

use ragged_core::{
    ArrayOut, Buffer, Cascade, Columns, Edged, Failure, Flag, Kernel, Product, Row, Rowed, Span,
    States, Step, Sweep, Sweeps, Window, cascade_to, copy, divide, get, span,
};

use super::sweeps::start;
use crate::everywhere;

/// `3 * x[i - 1][j] + x[i + 2][j] - x[i][j + 1] + i + by`, all indices modulo the extents; or, if it is
/// `BEYOND`, with rows before the first and behind the last one.
#[derive(Clone)]
struct Ring<'a, const BEYOND: bool> {
    x: &'a [i32],
    from: usize,
    pad: usize,
    rows: usize,
    width: usize,
    by: i32,
}

fn value(up: i32, down: i32, right: i32, by: i32) -> i32 {
    up.wrapping_mul(3)
        .wrapping_add(down)
        .wrapping_sub(right)
        .wrapping_add(by)
}

impl<const BEYOND: bool> Ring<'_, BEYOND> {
    fn new(x: &[i32], [rows, width]: [usize; 2], by: i32, from: usize) -> Ring<'_, BEYOND> {
        Ring {
            x,
            from,
            pad: 0,
            rows,
            width,
            by,
        }
    }

    /// The same of another array.
    fn of<'x, const B: bool>(&self, x: &'x [i32], from: usize, pad: usize) -> Ring<'x, B> {
        let ring = Ring::new(x, [self.rows, self.width], self.by, from);
        Ring { pad, ..ring }
    }

    /// The position of a column of the row so many rows after another.
    fn place(&self, row: usize, by: isize, column: usize) -> usize {
        let row = match BEYOND {
            true => row.wrapping_add_signed(by),
            false => (row as isize + by).rem_euclid(self.rows as isize) as usize,
        };
        let first = row.wrapping_mul(self.width + self.pad);
        first.wrapping_add(column).wrapping_sub(self.from)
    }

    fn one(&self, row: usize, column: usize) -> i32 {
        let read = |by, column| get(self.x, self.place(row, by, column));
        let right = read(0, (column + 1) % self.width);
        value(read(-1, column), read(2, column), right, self.at(row))
    }

    fn at(&self, row: usize) -> i32 {
        self.by.wrapping_add(row as i32)
    }

    fn all(&self) -> Vec<i32> {
        let n = self.rows * self.width;
        let one = |at| self.one(at / self.width, at % self.width);
        (0..n).map(one).collect()
    }
}

impl<const BEYOND: bool> Kernel for Ring<'_, BEYOND> {
    type Out = (i32,);
    const COST: u32 = 60;

    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (out,): <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        let (rows, columns) = divide::<L>(start, self.width);
        for l in 0..L {
            out[l] = self.one(rows[l], columns[l]);
        }
    }
}

struct RingRow<'a> {
    up: Span<'a, i32>,
    down: Span<'a, i32>,
    right: Span<'a, i32>,
    by: i32,
}

impl Row for RingRow<'_> {
    type Out = (i32,);

    fn block<const L: usize, F: Flag>(
        &self,
        at: usize,
        (out,): <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        let up = self.up.block::<L>(at, 0);
        let down = self.down.block::<L>(at, 0);
        let right = self.right.block::<L>(at, 0);
        for l in 0..L {
            out[l] = value(up[l], down[l], right[l], self.by);
        }
    }
}

impl<const BEYOND: bool> Rowed for Ring<'_, BEYOND> {
    type Row<'r>
        = RingRow<'r>
    where
        Self: 'r;

    fn inside(&self, rows: Range<usize>, width: usize) -> Range<usize> {
        let mut columns = Columns::all(width);
        columns.less(1, width, 0, true);
        for row in rows {
            for by in [-1, 0, 2] {
                columns.read(self.x.len(), self.place(row, by, 0));
                columns.read(self.x.len(), self.place(row, by, 1));
            }
        }
        columns.range()
    }

    fn row(&self, row: usize, columns: Range<usize>) -> RingRow<'_> {
        let at = |by, column| self.place(row, by, column);
        RingRow {
            up: span(self.x, at(-1, columns.start), &columns, 0),
            down: span(self.x, at(2, columns.start), &columns, 0),
            right: span(self.x, at(0, columns.start + 1), &columns, 0),
            by: self.at(row),
        }
    }
}

impl<const BEYOND: bool> Edged for Ring<'_, BEYOND> {
    const PADS: bool = true;

    fn anywhere<const L: usize, F: Flag>(
        &self,
        row: usize,
        start: usize,
        (out,): <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        for l in 0..L {
            out[l] = self.one(row, start + l);
        }
    }
}

impl Sweep for Ring<'_, false> {
    const REACH: &'static [usize] = &[2, usize::MAX];
    const ROUND: bool = true;
    type At<'s>
        = Ring<'s, false>
    where
        Self: 's;
    type Beyond<'s>
        = Ring<'s, true>
    where
        Self: 's;

    fn at<'s>(
        &'s self,
        (x,): <Self::Out as States>::Views<'s>,
        from: usize,
        pad: usize,
    ) -> Ring<'s, false> {
        self.of(x, from, pad)
    }

    fn beyond<'s>(
        &'s self,
        (x,): <Self::Out as States>::Views<'s>,
        from: usize,
        pad: usize,
    ) -> Ring<'s, true> {
        self.of(x, from, pad)
    }
}

fn one_by_one(x: &[i32], shape: [usize; 2], sweeps: usize) -> Vec<i32> {
    (0..sweeps).fold(x.to_vec(), |x, sweep| {
        Ring::<false>::new(&x, shape, sweep as i32, 0).all()
    })
}

fn swept(x: &[i32], shape: [usize; 2], sweeps: usize) -> Result<Vec<i32>, Failure> {
    let mut all = Sweeps::new((copy(x)?,), shape);
    for sweep in 0..sweeps {
        all.push(Ring::<false>::new(&[], shape, sweep as i32, 0))?;
    }
    let (x,) = all.finish()?;
    Ok(x.to_vec())
}

const SHAPES: [[usize; 2]; 16] = [
    [0, 5],
    [5, 0],
    [1, 1],
    [1, 900],
    [2, 9],
    [3, 70],
    [70, 3],
    [9, 64],
    [16, 3_000],
    [33, 1_001],
    [40, 500],
    [500, 40],
    [9_000, 2],
    [133, 131],
    [7, 5_000],
    [1_000, 65],
];

#[test]
fn sweeps_that_go_round_are_one_after_the_other() {
    for shape in SHAPES {
        let x = start(shape[0] * shape[1]);
        for sweeps in [0, 1, 2, 7, 21, 43] {
            let expected = Ok(one_by_one(&x, shape, sweeps));
            everywhere(|| assert_eq!(swept(&x, shape, sweeps), expected, "{shape:?} {sweeps}"));
        }
    }
}

/// Three kernels.
struct Chain<'a> {
    x: &'a [i32],
    shape: [usize; 2],
}

impl Cascade for Chain<'_> {
    type Out = (i32,);
    type Windows = (Window<(i32,)>, Window<(i32,)>);
    const LEADS: &'static [usize] = &[4, 2, 0];
    const ROUND: bool = true;

    fn cost(&self) -> usize {
        180
    }

    fn step<const L: usize>(&self, step: &mut Step<Self::Out>, windows: &mut Self::Windows) {
        let (first, second) = windows;
        while step.part(0).is_some() {
            let kernel = Ring::<false>::new(self.x, self.shape, 0, 0);
            step.window::<L, _>(&kernel, first);
        }
        let (a,) = first.views();
        let (rows, most) = (a.len() / self.shape[1], self.shape[0] + 2 * Self::LEADS[0]);
        assert!(rows <= most, "{rows} rows in memory, but {most} are needed");
        while let Some(from) = step.part(1) {
            let kernel = Ring::<true>::new(a, self.shape, 1, from);
            step.window::<L, _>(&kernel, second);
        }
        let (b,) = second.views();
        while let Some(from) = step.part(2) {
            step.last::<L, _>(&Ring::<true>::new(b, self.shape, 2, from));
        }
    }
}

#[test]
fn a_chain_that_goes_round_is_one_kernel_after_the_other() {
    for shape in SHAPES {
        let x = start(shape[0] * shape[1]);
        let expected = one_by_one(&x, shape, 3);
        everywhere(|| {
            let mut out = Buffer::new();
            let chain = Chain { x: &x, shape };
            cascade_to(&chain, shape, (ArrayOut::buffer(&mut out),)).expect("no checks");
            assert_eq!(out[..], expected, "{shape:?}");
        });
    }
}
