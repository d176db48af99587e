//! Nests whose rows have lengths of their own, and shares of indices by the rows that they read.

use ragged_core::{ArrayOut, Failure, Flag, Nest, Rows, nest_by_to, uneven_to};

use crate::everywhere;

/// Row `i` of an output is `i`, as often as it is long; of the other half of that.
struct Counted {
    lens: Vec<usize>,
    /// The index that fails.
    fails: Option<usize>,
}

impl Nest for Counted {
    type Outs = (u32, u8);
    const CHECKS: bool = true;

    fn cost(&self) -> usize {
        100
    }

    fn run<const L: usize, F: Flag>(
        &self,
        index: usize,
        rows: &mut <Self::Outs as Rows>::Places<'_>,
        flag: &mut F,
    ) {
        flag.check(self.fails == Some(index), 7, [index as i64, 0, 0]);
        if flag.violated() {
            return;
        }
        rows.0.copy(&vec![index as u32; self.lens[index]]);
        rows.1.copy(&vec![index as u8; self.lens[index] / 2 * 3]);
    }
}

fn counted(n: usize) -> Counted {
    let lens = (0..n).map(|i| match i % 11 {
        3 => 0,
        5 => 700,
        _ => i * 7919 % 13,
    });
    let lens = lens.collect();
    Counted { lens, fails: None }
}

fn offsets(lens: impl Iterator<Item = usize>) -> Vec<i64> {
    let ends = lens.scan(0, |end, len| {
        *end += len as i64;
        Some(*end)
    });
    [0].into_iter().chain(ends).collect()
}

/// Both outputs; the second has three numbers per offset.
fn made(nest: &Counted, whole: &[i64], halves: &[i64]) -> Result<(Vec<u32>, Vec<u8>), Failure> {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let outs = (ArrayOut::vec(&mut a), ArrayOut::vec(&mut b));
    uneven_to(nest, nest.lens.len(), (whole, halves), (1, 3), outs)?;
    Ok((a, b))
}

#[test]
fn rows_lie_one_after_another() {
    everywhere(|| {
        for n in [0, 1, 2, 1000, 30_000] {
            let nest = counted(n);
            let whole = offsets(nest.lens.iter().copied());
            let halves = offsets(nest.lens.iter().map(|len| len / 2));
            let (a, b) = made(&nest, &whole, &halves).unwrap();
            let rows = nest.lens.iter().enumerate();
            let wanted: Vec<u32> = rows.flat_map(|(i, len)| vec![i as u32; *len]).collect();
            assert_eq!(a, wanted);
            let rows = nest.lens.iter().enumerate();
            let wanted: Vec<u8> = rows
                .flat_map(|(i, len)| vec![i as u8; len / 2 * 3])
                .collect();
            assert_eq!(b, wanted);
        }
    });
}

#[test]
fn the_lowest_index_fails_first() {
    everywhere(|| {
        let mut nest = counted(5000);
        nest.fails = Some(4321);
        let whole = offsets(nest.lens.iter().copied());
        let halves = offsets(nest.lens.iter().map(|len| len / 2));
        let failure = made(&nest, &whole, &halves).unwrap_err();
        assert!(
            matches!(
                failure,
                Failure::Check {
                    id: 7,
                    values: [4321, 0, 0]
                }
            ),
            "{failure:?}"
        );
    });
}

#[test]
fn what_are_no_offsets_is_refused() {
    let nest = counted(3);
    let good = offsets(nest.lens.iter().copied());
    let halves = offsets(nest.lens.iter().map(|len| len / 2));
    for bad in [
        &[][..],
        &[0, 1],
        &[0, 1, 2, 3, 4],
        &[1, 1, 2, 3],
        &[0, 2, 1, 3],
        &[0, i64::MIN, 0, 1],
    ] {
        assert!(made(&nest, bad, &halves).is_err(), "{bad:?}");
        assert!(made(&nest, &good, bad).is_err(), "{bad:?}");
    }
}

/// Each index once.
struct Identity;

impl Nest for Identity {
    type Outs = (usize,);
    const CHECKS: bool = false;

    fn cost(&self) -> usize {
        1 << 20
    }

    fn run<const L: usize, F: Flag>(
        &self,
        index: usize,
        rows: &mut <Self::Outs as Rows>::Places<'_>,
        _flag: &mut F,
    ) {
        rows.0.put(index);
    }
}

#[test]
fn shares_cover_all_indices_whatever_the_offsets_are() {
    everywhere(|| {
        for n in [0, 1, 7, 500] {
            let rising = offsets((0..n).map(|i| i % 5 * 1000));
            let falling = rising.iter().rev().copied().collect();
            let wild = (0..=n).map(|i| (i as i64 * 7919 % 101) - 50).collect();
            for offsets in [
                rising,
                falling,
                wild,
                vec![0; n + 1],
                vec![3; n],
                Vec::new(),
            ] {
                let mut out = Vec::new();
                nest_by_to(&Identity, n, &offsets, (1,), (ArrayOut::vec(&mut out),)).unwrap();
                assert_eq!(out, (0..n).collect::<Vec<_>>(), "{offsets:?}");
            }
        }
    });
}
