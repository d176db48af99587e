//! Failures: the lowest position, from every skeleton, and no panic on absurd sizes.

use ragged_core::{ArrayOut, Combine, Failure, Flag, Fold, Kernel, NonEmpty, Product, load};
use ragged_core::{fold, reduce, scan, scatter, write, write_to};

use crate::everywhere;

/// Reads `table` at `ix`; the index is check 3, a negative value check 5.
struct Lookup<'a> {
    ix: &'a [usize],
    table: NonEmpty<'a, i32>,
}

impl<'a> Lookup<'a> {
    fn new(ix: &'a [usize], table: &'a [i32]) -> Self {
        Lookup {
            ix,
            table: NonEmpty::new(table, &[0]),
        }
    }
}

impl Kernel for Lookup<'_> {
    type Out = (usize, i32);
    const COST: u32 = 100;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        let (o0, o1) = out;
        let ix = load::<usize, L>(self.ix, start);
        for l in 0..L {
            let i = ix[l];
            flag.check(
                i >= self.table.len(),
                3,
                [i as i64, self.table.len() as i64, 0],
            );
            let x = self.table.get(i);
            flag.check(x < 0, 5, [x as i64, 0, 0]);
            o0[l] = i;
            o1[l] = x;
        }
    }
}

impl Combine for Lookup<'_> {
    const COMMUTATIVE: bool = true;
    fn neutral(&self) -> (usize, i32) {
        (0, 0)
    }
    /// Check 7: the sum of the values must stay below 1000.
    #[inline(always)]
    fn combine<F: Flag>(&self, a: Self::Out, b: Self::Out, flag: &mut F) -> Self::Out {
        let sum = a.1.wrapping_add(b.1);
        flag.check(sum >= 1000, 7, [a.1 as i64, b.1 as i64, 0]);
        (a.0.max(b.0), sum)
    }
}

impl Fold for Lookup<'_> {
    type Acc = i32;
    /// Check 8: as for `combine`.
    #[inline(always)]
    fn step<F: Flag>(&self, acc: i32, x: Self::Out, flag: &mut F) -> i32 {
        let sum = acc.wrapping_add(x.1);
        flag.check(sum >= 1000, 8, [acc as i64, x.1 as i64, 0]);
        sum
    }
}

fn check(id: u32, a: i64, b: i64) -> Failure {
    Failure::Check {
        id,
        values: [a, b, 0],
    }
}

fn all_fail(kernel: &Lookup<'_>, n: usize, expected: Failure) {
    assert_eq!(write(kernel, n).err(), Some(expected));
    let (mut a, mut b) = (vec![0; n], vec![0; n]);
    assert_eq!(
        write_to(kernel, n, (ArrayOut::slice(&mut a), ArrayOut::vec(&mut b))).err(),
        Some(expected)
    );
    assert_eq!(reduce(kernel, n).err(), Some(expected));
    assert_eq!(scan(kernel, n, None, false).err(), Some(expected));
    assert_eq!(fold(kernel, n, 0).err(), Some(expected));
    let mut target = vec![0; 5];
    assert_eq!(scatter(kernel, n, (&mut target,), 9).err(), Some(expected));
}

#[test]
fn the_lowest_position_is_reported() {
    let table = [0, 0, 0, 0, -4];
    everywhere(|| {
        for n in [1, 17, 64, 100, 16385, 60_000] {
            let mut ix = vec![1; n];
            for at in [n - 1, n / 2, n / 3, 0] {
                ix[at] = at + 100;
                all_fail(&Lookup::new(&ix, &table), n, check(3, at as i64 + 100, 5));
            }
            ix[0] = 4;
            all_fail(&Lookup::new(&ix, &table), n, check(5, -4, 0));
        }
    });
}

#[test]
fn combinations_are_reported_in_their_order() {
    everywhere(|| {
        // Element 40_000 is in chunk 2, whose total alone is still too small.
        let mut ix = vec![0; 60_000];
        ix[3] = 1;
        ix[40_000] = 1;
        let kernel = Lookup::new(&ix, &[0, 600]);
        assert!(write(&kernel, 60_000).is_ok());
        assert_eq!(reduce(&kernel, 60_000).err(), Some(check(7, 600, 600)));
        assert_eq!(
            scan(&kernel, 60_000, None, true).err(),
            Some(check(7, 600, 600))
        );
        assert_eq!(fold(&kernel, 60_000, 1).err(), Some(check(8, 601, 600)));
        assert_eq!(reduce(&kernel, 40_000).unwrap(), Some((1, 600)));
        assert_eq!(fold(&kernel, 40_000, 1), Ok(601));
    });
}

#[test]
fn scatter_checks_its_indices() {
    everywhere(|| {
        for n in [1, 64, 100, 1000] {
            let ix: Vec<usize> = (0..n).collect();
            let table = vec![1; n];
            let mut target = vec![0; n - 1];
            let failure = scatter(&Lookup::new(&ix, &table), n, (&mut target,), 9).err();
            assert_eq!(failure, Some(check(9, n as i64 - 1, n as i64 - 1)));
        }
    });
}

#[test]
fn empty_tables_read_the_dummy() {
    let ix = [0; 70];
    all_fail(&Lookup::new(&ix, &[]), 70, check(3, 0, 0));
    assert!(write(&Lookup::new(&[], &[]), 0).is_ok());
}

/// `i` for each index.
struct Iota;

impl Kernel for Iota {
    type Out = (usize, u8);
    const COST: u32 = 1;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        let (o0, o1) = out;
        for l in 0..L {
            o0[l] = start + l;
            o1[l] = 0;
        }
    }
}

#[test]
fn absurd_sizes_are_failures() {
    for n in [usize::MAX, usize::MAX / 8, isize::MAX as usize / 8, 1 << 52] {
        assert!(
            matches!(write(&Iota, n), Err(Failure::OutOfMemory { .. })),
            "{n}"
        );
    }
}

#[test]
fn slices_of_other_lengths_are_failures() {
    let (mut a, mut b) = (vec![0; 10], vec![0; 9]);
    assert_eq!(
        write_to(
            &Iota,
            10,
            (ArrayOut::slice(&mut a), ArrayOut::slice(&mut b))
        ),
        Err(Failure::ResultLength { len: 10, room: 9 })
    );
}
