//! Failures inside of nests: the lowest row's, and there the skeleton's; which rows are computed.

use ragged_core::{ArrayOut, Flag, fold, nest_to, reduce_from, scan, scatter, write};
use ragged_core::{Combine, Failure, Fold, Kernel, Nest, Product, Report, Rows, inner, load, nest};

use super::nests::WIDTHS;
use crate::everywhere;
use crate::values::{One, values};

/// Values with an index in front, which is check 3 where it is at least 1000; of values, negative
/// ones are check 5, and sums of 1000 or more check 7.
struct Checked<'a>(&'a [usize], &'a [i32]);

impl Kernel for Checked<'_> {
    type Out = (usize, i32);
    const COST: u32 = 3;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        let (o0, o1) = out;
        let (ix, xs) = (load::<_, L>(self.0, start), load::<_, L>(self.1, start));
        for l in 0..L {
            flag.check(ix[l] >= 1000, 3, [ix[l] as i64, 1000, 0]);
            flag.check(xs[l] < 0, 5, [i64::from(xs[l]), 0, 0]);
            o0[l] = ix[l];
            o1[l] = xs[l];
        }
    }
}

impl Combine for Checked<'_> {
    const COMMUTATIVE: bool = true;
    fn neutral(&self) -> (usize, i32) {
        (0, 0)
    }
    #[inline(always)]
    fn combine<F: Flag>(&self, a: Self::Out, b: Self::Out, flag: &mut F) -> Self::Out {
        let sum = a.1.wrapping_add(b.1);
        flag.check(sum >= 1000, 7, [i64::from(a.1), i64::from(b.1), 0]);
        (a.0.max(b.0), sum)
    }
}

impl Fold for Checked<'_> {
    type Acc = i32;
    #[inline(always)]
    fn step<F: Flag>(&self, acc: i32, x: Self::Out, flag: &mut F) -> i32 {
        let sum = acc.wrapping_add(x.1);
        flag.check(sum >= 1000, 8, [i64::from(acc), i64::from(x.1), 0]);
        sum
    }
}

#[derive(Clone, Copy, Debug)]
enum Operation {
    Write,
    Reduce,
    Fold,
    Scan,
    Scatter,
}

const OPERATIONS: [Operation; 5] = [
    Operation::Write,
    Operation::Reduce,
    Operation::Fold,
    Operation::Scan,
    Operation::Scatter,
];

/// One operation on each row of two matrices.
struct Each<'a> {
    ix: &'a [usize],
    xs: &'a [i32],
    width: usize,
    operation: Operation,
}

impl<'a> Each<'a> {
    fn row(&self, index: usize) -> Checked<'a> {
        let row = index * self.width..(index + 1) * self.width;
        Checked(&self.ix[row.clone()], &self.xs[row])
    }

    /// What the skeleton of the same name says about a row.
    fn whole(&self, index: usize) -> Option<Failure> {
        let (kernel, n) = (self.row(index), self.width);
        match self.operation {
            Operation::Write => write(&kernel, n).err(),
            Operation::Reduce => reduce_from(&kernel, n, (0, 0)).err(),
            Operation::Fold => fold(&kernel, n, 0).err(),
            Operation::Scan => scan(&kernel, n, None, true).err(),
            Operation::Scatter => scatter(&kernel, n, (&mut vec![0; 600],), 9).err(),
        }
    }
}

impl Nest for Each<'_> {
    type Outs = (usize, i32, i32);
    const CHECKS: bool = true;
    fn cost(&self) -> usize {
        1 << 20
    }
    #[inline(always)]
    fn run<const L: usize, F: Flag>(
        &self,
        index: usize,
        rows: &mut <Self::Outs as Rows>::Places<'_>,
        flag: &mut F,
    ) {
        let (a, b, to) = Self::Outs::slices(rows);
        let (kernel, n) = (&self.row(index), self.width);
        match self.operation {
            Operation::Write => inner::write::<L, _, F>(kernel, n, (a, b), flag),
            Operation::Reduce => {
                (a[0], b[0]) = inner::reduce_from::<L, _, F>(kernel, n, (0, 0), flag);
            }
            Operation::Fold => b[0] = inner::fold::<L, _, F>(kernel, n, 0, flag),
            Operation::Scan => {
                inner::scan::<L, _, F>(kernel, n, None, true, (a, b), flag);
            }
            Operation::Scatter => inner::scatter::<L, _, F>(kernel, n, (to,), 9, flag),
        }
    }
}

/// The lowest row is reported, and of that the same failure as the skeleton's.
#[test]
fn failures_are_those_of_the_first_row() {
    for width in [1, 3, 17, 64, 100, 16_390] {
        let n = if width < 1000 { 40 } else { 9 };
        for operation in OPERATIONS {
            let (mut ix, mut xs) = (vec![1; n * width], vec![0; n * width]);
            // Sums of the second half are too large, and the last row has bad values as well.
            for row in n / 2..n {
                xs[row * width] = 600;
                xs[row * width + width - 1] += 500;
                ix[row * width + width / 2] = 800;
            }
            ix[n * width - 1] = 2000;
            check_failures(Each {
                ix: &ix,
                xs: &xs,
                width,
                operation,
            });
            for row in [n - 1, n - 2, 2, 0] {
                xs[row * width + width / 2] = -4;
                ix[row * width + width - 1] = 1007;
                check_failures(Each {
                    ix: &ix,
                    xs: &xs,
                    width,
                    operation,
                });
            }
        }
    }
}

fn check_failures(it: Each<'_>) {
    let n = it.ix.len() / it.width;
    let expected = (0..n).find_map(|index| it.whole(index));
    assert!(expected.is_some(), "{:?}", it.operation);
    everywhere(|| {
        let got = nest(&it, n, (it.width, it.width, 600)).err();
        assert_eq!(got, expected, "{:?}, width {}", it.operation, it.width);
    });
}

#[test]
fn scatters_keep_the_last() {
    for width in WIDTHS {
        let ix: Vec<usize> = values::<usize>(3 * width).iter().map(|i| i % 600).collect();
        let xs: Vec<i32> = (0..3 * width).map(|i| i as i32).collect();
        let operation = Operation::Scatter;
        let it = Each {
            ix: &ix,
            xs: &xs,
            width,
            operation,
        };
        let mut expected = vec![0; 3 * 600];
        for (row, to) in expected.chunks_mut(600).enumerate() {
            scatter(&it.row(row), width, (to,), 9).unwrap();
        }
        everywhere(|| {
            let (_, _, got) = nest(&it, 3, (0, 0, 600)).unwrap();
            assert_eq!(got, expected);
        });
    }
}

/// Writes `value` to each element of its row, which has to be zero before; check 1 at `bad`.
struct Counts {
    cost: usize,
    bad: usize,
}

impl Nest for Counts {
    type Outs = (u32, bool);
    const CHECKS: bool = true;
    fn cost(&self) -> usize {
        self.cost
    }
    #[inline(always)]
    fn run<const L: usize, F: Flag>(
        &self,
        index: usize,
        rows: &mut <Self::Outs as Rows>::Places<'_>,
        flag: &mut F,
    ) {
        let (counts, marks) = Self::Outs::slices(rows);
        for count in counts {
            flag.check(*count != 0, 0, [index as i64, 0, 0]);
            *count += index as u32;
        }
        marks.fill(true);
        flag.check(index == self.bad, 1, [index as i64, 0, 0]);
    }
}

#[test]
fn every_row_is_computed_once() {
    everywhere(|| {
        for (n, width) in [
            (0, 3),
            (1, 1),
            (40_000, 1),
            (40_000, 0),
            (1001, 77),
            (3, 100_000),
        ] {
            for cost in [0, 1 << 14, usize::MAX] {
                let counts = Counts { cost, bad: n };
                let (got, marks) = nest(&counts, n, (width, 1)).unwrap();
                let expected: Vec<u32> = (0..n * width).map(|i| (i / width) as u32).collect();
                assert_eq!(got, expected);
                assert_eq!(marks, vec![true; n]);
                let (mut got, mut marks) = (vec![7; n * width], vec![true; 3]);
                let outs = (ArrayOut::slice(&mut got), ArrayOut::vec(&mut marks));
                nest_to(&counts, n, (width, 1), outs).unwrap();
                assert_eq!(got, expected);
                assert_eq!(marks, vec![true; n]);
            }
        }
    });
}

#[test]
fn rows_are_zero_again_when_the_violation_is_looked_for() {
    everywhere(|| {
        for bad in [0, 5, 39_999] {
            let counts = Counts { cost: 1 << 14, bad };
            let expected = Failure::Check {
                id: 1,
                values: [bad as i64, 0, 0],
            };
            assert_eq!(nest(&counts, 40_000, (2, 0)).err(), Some(expected));
        }
    });
}

#[test]
fn absurd_sizes_are_failures() {
    let counts = Counts { cost: 1, bad: 0 };
    for (n, width) in [
        (usize::MAX, 2),
        (1 << 40, 1 << 40),
        (1 << 52, 1),
        (1, usize::MAX),
    ] {
        let got = nest(&counts, n, (width, 0)).err();
        assert!(matches!(got, Some(Failure::OutOfMemory { .. })), "{got:?}");
    }
}

#[test]
fn slices_of_other_lengths_are_failures() {
    let counts = Counts { cost: 1, bad: 9 };
    let (mut got, mut marks) = (vec![0; 8], vec![]);
    let outs = (ArrayOut::slice(&mut got), ArrayOut::vec(&mut marks));
    let failure = Failure::ResultLength { len: 9, room: 8 };
    assert_eq!(nest_to(&counts, 3, (3, 1), outs), Err(failure));
}

/// A body that gives an operation a row of another length.
struct Wrong;

impl Nest for Wrong {
    type Outs = (f32,);
    const CHECKS: bool = false;
    fn cost(&self) -> usize {
        1
    }
    #[inline(always)]
    fn run<const L: usize, F: Flag>(
        &self,
        _index: usize,
        rows: &mut <Self::Outs as Rows>::Places<'_>,
        flag: &mut F,
    ) {
        let kernel = One::<f32, true>(&[1.0; 5]);
        inner::write::<L, _, F>(&kernel, 5, Self::Outs::slices(rows), flag);
    }
}

#[test]
#[should_panic(expected = "5 values for a row of another length")]
fn rows_of_other_lengths_panic() {
    let _ = nest(&Wrong, 1, (4,));
}

#[test]
#[should_panic(expected = "nothing to start a scan with")]
fn exclusive_scans_need_a_start() {
    let kernel = One::<i32, false>(&[1, 2, 3]);
    let mut flag = Report::default();
    inner::scan::<1, _, _>(&kernel, 3, None, true, (&mut [0; 3],), &mut flag);
}
