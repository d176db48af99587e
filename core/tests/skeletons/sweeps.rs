//! Loops of sweeps, tiled in time or not, against one sweep after the other; and rows.

use std::ops::Range;

use ragged_core::{
    ArrayOut, Buffer, Columns, Edged, Failure, Flag, Kernel, Product, Row, Rowed, Span, States,
    Sweep, Sweeps, copy, divide, get, span, write_rows_to,
};

use crate::everywhere;

/// `x[i - R][j] + x[i + R][j] - 3 * x[i][j - 1] + by` inside, and `x[i][j]` at the edges; `limit` is
/// what no value may reach.
#[derive(Clone)]
pub(crate) struct Near<'a, const R: usize> {
    pub(crate) x: &'a [i32],
    pub(crate) from: usize,
    pub(crate) pad: usize,
    pub(crate) rows: usize,
    pub(crate) width: usize,
    pub(crate) by: i32,
    pub(crate) limit: i32,
}

impl<const R: usize> Near<'_, R> {
    /// Elements from one row to the next.
    fn stride(&self) -> usize {
        self.width + self.pad
    }

    fn place(&self, row: usize, column: usize) -> usize {
        (row * self.stride() + column).wrapping_sub(self.from)
    }

    fn one<F: Flag>(&self, row: usize, column: usize, flag: &mut F) -> i32 {
        let read = |at: usize| get(self.x, at);
        let (here, far) = (self.place(row, column), R.wrapping_mul(self.stride()));
        let inside = value(
            read(here.wrapping_sub(far)),
            read(here.wrapping_add(far)),
            read(here.wrapping_sub(1)),
            self.by,
        );
        let out = match self.is_edge(row, column) {
            true => read(here),
            false => inside,
        };
        let at = row * self.width + column;
        flag.check(out >= self.limit, 7, [at as i64, i64::from(out), 0]);
        out
    }

    fn is_edge(&self, i: usize, j: usize) -> bool {
        i < R || i + R >= self.rows || j == 0
    }
}

fn value(up: i32, down: i32, left: i32, by: i32) -> i32 {
    up.wrapping_add(down)
        .wrapping_sub(left.wrapping_mul(3))
        .wrapping_add(by)
}

impl<const R: usize> Kernel for Near<'_, R> {
    type Out = (i32,);
    const COST: u32 = 60;

    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (out,): <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        let (rows, columns) = divide::<L>(start, self.width);
        for l in 0..L {
            out[l] = self.one(rows[l], columns[l], flag);
        }
    }
}

pub(crate) struct NearRow<'a> {
    up: Span<'a, i32>,
    down: Span<'a, i32>,
    left: Span<'a, i32>,
    first: usize,
    by: i32,
    limit: i32,
}

impl Row for NearRow<'_> {
    type Out = (i32,);

    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        at: usize,
        (out,): <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        let up = self.up.block::<L>(at, 0);
        let down = self.down.block::<L>(at, 0);
        let left = self.left.block::<L>(at, 0);
        for l in 0..L {
            out[l] = value(up[l], down[l], left[l], self.by);
            let at = self.first + at + l;
            flag.check(out[l] >= self.limit, 7, [at as i64, i64::from(out[l]), 0]);
        }
    }
}

impl<const R: usize> Rowed for Near<'_, R> {
    type Row<'r>
        = NearRow<'r>
    where
        Self: 'r;

    fn inside(&self, rows: Range<usize>, width: usize) -> Range<usize> {
        let mut columns = Columns::all(width);
        columns.when(rows.start >= R && rows.end - 1 + R < self.rows);
        columns.differ(0, 0);
        columns.range()
    }

    fn row(&self, row: usize, columns: Range<usize>) -> NearRow<'_> {
        let first = row * self.width + columns.start;
        let at = self.place(row, columns.start);
        NearRow {
            up: span(self.x, at - R * self.stride(), &columns, 0),
            down: span(self.x, at + R * self.stride(), &columns, 0),
            left: span(self.x, at - 1, &columns, 0),
            first,
            by: self.by,
            limit: self.limit,
        }
    }
}

impl<const R: usize> Edged for Near<'_, R> {
    /// Of both kinds some.
    const PADS: bool = !R.is_multiple_of(2);

    fn anywhere<const L: usize, F: Flag>(
        &self,
        row: usize,
        start: usize,
        (out,): <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        for l in 0..L {
            out[l] = self.one(row, start + l, flag);
        }
    }
}

impl<const R: usize> Sweep for Near<'_, R> {
    const REACH: &'static [usize] = &[R, 1];
    const ROUND: bool = false;
    type At<'s>
        = Near<'s, R>
    where
        Self: 's;
    type Beyond<'s>
        = Near<'s, R>
    where
        Self: 's;

    fn at<'s>(
        &'s self,
        (x,): <Self::Out as States>::Views<'s>,
        from: usize,
        pad: usize,
    ) -> Near<'s, R> {
        Near {
            x,
            from,
            pad,
            ..*self
        }
    }

    fn beyond<'s>(
        &'s self,
        arrays: <Self::Out as States>::Views<'s>,
        from: usize,
        pad: usize,
    ) -> Near<'s, R> {
        self.at(arrays, from, pad)
    }
}

pub(crate) fn start(n: usize) -> Vec<i32> {
    (0..n)
        .map(|i| (i as u32).wrapping_mul(2_654_435_761) as i32 >> 20)
        .collect()
}

/// All sweeps, one after the other, or the first value that reaches the limit.
fn reference<const R: usize>(
    mut x: Vec<i32>,
    [rows, width]: [usize; 2],
    sweeps: usize,
    limit: i32,
) -> Result<Vec<i32>, Failure> {
    for sweep in 0..sweeps {
        let old = x.clone();
        let edges = Near::<R> {
            x: &[],
            from: 0,
            pad: 0,
            rows,
            width,
            by: 0,
            limit,
        };
        for (at, x) in x.iter_mut().enumerate() {
            if !edges.is_edge(at / width, at % width) {
                let far = R * width;
                *x = value(old[at - far], old[at + far], old[at - 1], sweep as i32);
            }
            if *x >= limit {
                let values = [at as i64, i64::from(*x), 0];
                return Err(Failure::Check { id: 7, values });
            }
        }
    }
    Ok(x)
}

fn run<const R: usize>(
    x: &[i32],
    [rows, width]: [usize; 2],
    sweeps: usize,
    limit: i32,
) -> Result<Vec<i32>, Failure> {
    let mut all = Sweeps::new((copy(x)?,), [rows, width]);
    for sweep in 0..sweeps {
        let by = sweep as i32;
        all.push(Near::<R> {
            x: &[],
            from: 0,
            pad: 0,
            rows,
            width,
            by,
            limit,
        })?;
    }
    let (x,) = all.finish()?;
    Ok(x.to_vec())
}

#[test]
fn many_sweeps_are_one_after_the_other() {
    let shapes = [
        [0, 5],
        [5, 0],
        [1, 1],
        [3, 70],
        [70, 3],
        [2, 9000],
        [40, 500],
        [500, 40],
        [90, 29],
        [61, 30],
        [77, 65],
        [9000, 2],
        [133, 131],
        [14, 3_000],
        [8, 40_000],
        [170, 1500],
    ];
    for shape in shapes {
        let x = start(shape[0] * shape[1]);
        for sweeps in [0, 1, 2, 7, 19, 20, 21] {
            let near = reference::<1>(x.clone(), shape, sweeps, i32::MAX);
            let far = reference::<3>(x.clone(), shape, sweeps, i32::MAX);
            if shape[0] * shape[1] < 50_000 {
                everywhere(|| {
                    assert_eq!(
                        run::<1>(&x, shape, sweeps, i32::MAX),
                        near,
                        "{shape:?} {sweeps}"
                    );
                    assert_eq!(
                        run::<3>(&x, shape, sweeps, i32::MAX),
                        far,
                        "{shape:?} {sweeps}"
                    );
                });
            } else {
                assert_eq!(
                    run::<1>(&x, shape, sweeps, i32::MAX),
                    near,
                    "{shape:?} {sweeps}"
                );
            }
        }
    }
}

#[test]
fn the_first_violation_is_that_of_the_first_sweep() {
    let shape = [150, 130];
    let x = start(150 * 130);
    let mut found = Vec::new();
    for limit in [0, 5_000, 20_000, 100_000, 1_000_000, 5_000_000] {
        let expected = reference::<1>(x.clone(), shape, 12, limit);
        everywhere(|| assert_eq!(run::<1>(&x, shape, 12, limit), expected, "{limit}"));
        found.push(expected.is_err());
    }
    assert!(found.contains(&true));
}

#[test]
fn extents_that_no_memory_holds_are_a_failure() {
    let failed = Err(Failure::OutOfMemory { bytes: usize::MAX });
    // Several sweeps go together, and one after the other.
    assert_eq!(run::<1>(&[], [1 << 60, 1 << 8], 9, i32::MAX), failed);
    assert_eq!(run::<1>(&[], [1 << 40, 1 << 40], 9, i32::MAX), failed);
    assert_eq!(run::<1>(&[], [usize::MAX, 0], 9, i32::MAX), Ok(Vec::new()));
}

#[test]
fn sweeps_that_reach_beyond_all_rows_are_one_after_the_other() {
    const FAR: usize = 1 << 63 | 1;
    let x = start(20_000);
    assert_eq!(run::<FAR>(&x, [20_000, 1], 3, i32::MAX), Ok(x));
}

#[test]
fn rows_are_written_once_each() {
    for shape in [
        [0, 3],
        [3, 0],
        [9, 27],
        [8, 30],
        [13, 40],
        [1, 64],
        [3, 66],
        [4, 65],
        [7, 64],
        [9, 129],
        [300, 200],
    ] {
        let [rows, width] = shape;
        let x = start(rows * width);
        let expected = reference::<1>(x.clone(), shape, 1, i32::MAX).unwrap();
        everywhere(|| {
            let mut out = Buffer::new();
            let kernel = Near::<1> {
                x: &x,
                from: 0,
                pad: 0,
                rows,
                width,
                by: 0,
                limit: i32::MAX,
            };
            write_rows_to(&kernel, rows * width, width, (ArrayOut::buffer(&mut out),)).unwrap();
            assert_eq!(out[..], expected, "{shape:?}");
        });
    }
}

#[test]
fn columns_are_cut_where_something_does_not_hold() {
    let cut = |f: &dyn Fn(&mut Columns)| {
        let mut columns = Columns::all(100);
        f(&mut columns);
        columns.range()
    };
    let minus = |n: usize| 0usize.wrapping_sub(n);
    assert_eq!(cut(&|_| {}), 0..100);
    // The column and 3 is less than 90, or not.
    assert_eq!(cut(&|it| it.less(3, 90, 0, true)), 0..87);
    assert_eq!(cut(&|it| it.less(3, 90, 0, false)), 87..100);
    assert_eq!(cut(&|it| it.less(3, 90, 1, true)), 0..88);
    // The column less 3 is a large number in the first columns.
    assert_eq!(cut(&|it| it.less(minus(3), 90, 0, true)), 3..93);
    assert_eq!(cut(&|it| it.less(0, minus(1), 0, true)), 0..0);
    assert_eq!(cut(&|it| it.differ(0, 0)), 1..100);
    assert_eq!(cut(&|it| it.differ(1, 100)), 0..99);
    assert_eq!(cut(&|it| it.differ(0, 200)), 0..100);
    assert_eq!(cut(&|it| it.once(99, 100)), 1..100);
    assert_eq!(cut(&|it| it.once(100, 60)), 0..20);
    assert_eq!(cut(&|it| it.read(50, minus(7))), 7..57);
    assert_eq!(cut(&|it| it.read(0, 0)), 0..0);
    assert_eq!(cut(&|it| it.when(false)), 0..0);
}
