//! Rows of nests and arrays of their bodies: memory that holds nothing before a body writes it.

use ragged_core::{ArrayOut, Buffer, Failure, Flag, Nest, Report, RowOut, Rows};
use ragged_core::{inner, nest, nest_to, reduce_from, scan};

use super::nests::WIDTHS;
use crate::everywhere;
use crate::values::{One, Value, values};

/// Elements by which a row begins behind the one before.
const STEP: usize = 3;

/// Each way to write a row, so many of them that they go round the caches.
struct Ways<'a> {
    data: &'a [u64],
    width: usize,
}

impl Nest for Ways<'_> {
    type Outs = (u64, u64, u64, bool);
    const CHECKS: bool = false;
    fn cost(&self) -> usize {
        1 << 21
    }
    #[inline(always)]
    fn run<const L: usize, F: Flag>(
        &self,
        index: usize,
        rows: &mut <Self::Outs as Rows>::Places<'_>,
        flag: &mut F,
    ) {
        let (written, prefixes, copied, mark) = rows;
        let row = &self.data[index * STEP..][..self.width];
        let kernel = One::<u64, true>(row);
        prefixes.near();
        inner::write_rows::<L, _, F>(&kernel, row.len(), (written,), flag);
        inner::scan_rows::<L, _, F>(&kernel, row.len(), None, false, (prefixes,), flag);
        copied.copy(row);
        mark.put(true);
    }
}

#[test]
fn rows_of_large_results_are_those_of_small_ones() {
    let data = values::<u64>(20_000);
    // The first three are large; rows of theirs begin at the start of a cache line, and beside it.
    for (n, width) in [
        (90, 16_384),
        (180, 8191),
        (1001, 1405),
        (3, 16),
        (5, 0),
        (2, 63),
    ] {
        let expected: Vec<u64> = (0..n)
            .flat_map(|i| &data[i * STEP..][..width])
            .copied()
            .collect();
        let it = Ways { data: &data, width };
        everywhere(|| {
            let (written, prefixes, copied, marks) =
                nest(&it, n, (width, width, width, 1)).unwrap();
            assert!(written == expected);
            assert!(copied == expected);
            assert_eq!(marks, vec![true; n]);
            let mut sums = prefixes
                .chunks(width.max(1))
                .zip(expected.chunks(width.max(1)));
            assert!(sums.all(|(sums, row)| {
                let mut total = 0_u64;
                sums.iter().zip(row).all(|(sum, x)| {
                    total = total.wrapping_add(*x);
                    total == *sum
                })
            }));
        });
    }
}

/// A body that leaves out rows.
struct Careless;

impl Nest for Careless {
    type Outs = (i32, i32);
    const CHECKS: bool = false;
    fn cost(&self) -> usize {
        1
    }
    #[inline(always)]
    fn run<const L: usize, F: Flag>(
        &self,
        index: usize,
        (a, b): &mut <Self::Outs as Rows>::Places<'_>,
        _flag: &mut F,
    ) {
        if index % 2 == 1 {
            a.slice()[1] = 5;
            b.put(6);
        }
    }
}

#[test]
fn what_a_body_leaves_out_is_zero() {
    everywhere(|| {
        let (mut a, mut b) = (vec![7; 9], vec![7; 3]);
        let outs = (ArrayOut::vec(&mut a), ArrayOut::slice(&mut b));
        nest_to(&Careless, 3, (3, 1), outs).unwrap();
        assert_eq!((a, b), (vec![0, 0, 0, 0, 5, 0, 0, 0, 0], vec![0, 6, 0]));
    });
}

#[test]
#[should_panic(expected = "2 values for a row of another length")]
fn copies_of_other_lengths_panic() {
    RowOut::from(&mut [0; 3][..]).copy(&[1, 2]);
}

#[test]
#[should_panic(expected = "1 values for a row of another length")]
fn single_values_for_longer_rows_panic() {
    RowOut::from(&mut [0; 3][..]).put(1);
}

#[test]
#[should_panic(expected = "2 values for a row of another length")]
fn kernels_of_other_lengths_panic() {
    let (kernel, mut row) = (One::<i32, true>(&[1, 2]), [0; 3]);
    let mut row = RowOut::from(&mut row[..]);
    inner::write_rows::<1, _, _>(&kernel, 2, (&mut row,), &mut Report::default());
}

fn own_arrays<T: Value, const C: bool>(n: usize) {
    let data = values::<T>(n);
    let (kernel, start) = (One::<T, C>(&data), (T::made_up(99),));
    let bits = |xs: &[T]| xs.iter().map(|x| x.bits()).collect::<Vec<_>>();
    let (sum,) = reduce_from(&kernel, n, start).unwrap();
    let ((prefixes,), total) = scan(&kernel, n, None, false).unwrap();
    let (mut written, mut scanned, mut reduced) = (Buffer::new(), Buffer::new(), Buffer::new());
    let mut flag = Report::default();
    inner::write_to::<16, _, _>(&kernel, n, (ArrayOut::buffer(&mut written),), &mut flag);
    let outs = (ArrayOut::buffer(&mut scanned),);
    let scanned_total = inner::scan_to::<16, _, _>(&kernel, n, None, false, outs, &mut flag);
    let outs = (ArrayOut::buffer(&mut reduced),);
    let (both,) = inner::write_and_reduce::<16, _, _>(&kernel, n, start, outs, &mut flag);
    assert_eq!(flag.failure(), None);
    assert_eq!(bits(&written), bits(&data));
    assert_eq!(bits(&scanned), bits(&prefixes));
    assert_eq!(bits(&reduced), bits(&data));
    assert_eq!(both.bits(), sum.bits());
    assert_eq!(
        scanned_total.map(|(total,)| total.bits()),
        total.map(|(total,)| total.bits())
    );
}

#[test]
fn arrays_of_bodies_are_those_of_the_skeletons() {
    for n in WIDTHS {
        own_arrays::<f32, true>(n);
        own_arrays::<f32, false>(n);
        own_arrays::<i64, true>(n);
        own_arrays::<i64, false>(n);
    }
}

#[test]
fn arrays_of_bodies_without_memory_are_failures() {
    let (kernel, n) = (One::<i64, true>(&[]), 1 << 60);
    let mut flags = [Report::default(); 3];
    let mut arrays = [(); 3].map(|()| Buffer::new());
    let [a, b, c] = arrays.each_mut().map(|array| (ArrayOut::buffer(array),));
    inner::write_to::<16, _, _>(&kernel, n, a, &mut flags[0]);
    inner::scan_to::<16, _, _>(&kernel, n, None, false, b, &mut flags[1]);
    let init = inner::write_and_reduce::<16, _, _>(&kernel, n, (7,), c, &mut flags[2]);
    assert_eq!(init, (7,));
    for flag in flags {
        assert_eq!(flag.failure(), Some(Failure::OutOfMemory { bytes: n * 8 }));
    }
    assert!(arrays.iter().all(|array| array.is_empty()));
}
