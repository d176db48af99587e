//! Sorts of two arrays one behind the other, of which each may be in order, against std's. Nothing in them depends on levels.

use std::cmp::Ordering;

use ragged_core::sort::Key;
use ragged_core::{ArrayOut, Element, Flag, Kernel, Product, argsort_to, joined, sort_to};

use super::sorts::{BEYOND_CACHES, SPREADS, bits};

/// The elements of two arrays.
struct Two<'a, T> {
    xs: &'a [T],
    ys: &'a [T],
}

impl<T: Element> Kernel for Two<'_, T> {
    type Out = (T,);
    const COST: u32 = 1;
    const JOINS: bool = true;
    #[inline(always)]
    fn joins(&self, n: usize) -> [&[T]; 2] {
        joined(self.xs, self.ys, self.xs.len(), n)
    }
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (keys,): <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        for l in 0..L {
            let at = start + l;
            keys[l] = match at.checked_sub(self.xs.len()) {
                None => self.xs[at],
                Some(at) => self.ys[at],
            };
        }
    }
}

type Compare<T> = fn(&T, &T) -> Ordering;

/// Sorts as many as there are, and all but the last few.
fn gives<T: Key>(xs: &[T], ys: &[T], compare: Compare<T>) {
    let kernel = Two { xs, ys };
    let all = [xs, ys].concat();
    for n in [all.len(), all.len().saturating_sub(3)] {
        let mut sorted = all[..n].to_vec();
        sorted.sort_by(compare);
        let mut found = vec![T::default(); 3];
        sort_to(&kernel, n, (ArrayOut::vec(&mut found),)).expect("it sorts");
        let alike = |(a, b): (&T, &T)| compare(a, b) == Ordering::Equal;
        let (x, y) = (xs.len(), ys.len());
        assert!(found.len() == n, "{x} and {y}");
        assert!(found.iter().zip(&sorted).all(alike), "{x} and {y}");
    }
}

fn merges<T: Key>(of: fn(u64) -> T, compare: Compare<T>) {
    for spread in SPREADS {
        for (n, m) in [
            (0, 0),
            (0, 1),
            (1, 0),
            (1, 1),
            (3, 5),
            (64, 1),
            (1000, 3000),
            (9000, 7),
        ] {
            let made = |n, add| -> Vec<T> {
                let all = bits(n + add, spread);
                all.into_iter().skip(add).map(of).collect()
            };
            let (mut xs, mut ys) = (made(n, 0), made(m, 7));
            gives(&xs, &ys, compare);
            xs.sort_by(compare);
            gives(&xs, &ys, compare);
            ys.sort_by(compare);
            gives(&xs, &ys, compare);
        }
    }
}

#[test]
fn integers() {
    merges::<u8>(|bits| bits as u8, Ord::cmp);
    merges::<i32>(|bits| bits as i32, Ord::cmp);
    merges::<u64>(|bits| bits, Ord::cmp);
    merges::<i64>(|bits| bits as i64, Ord::cmp);
    merges::<usize>(|bits| bits as usize, Ord::cmp);
    merges::<bool>(|bits| bits % 2 == 1, Ord::cmp);
}

#[test]
fn floats() {
    merges::<f32>(|bits| f32::from_bits(bits as u32), f32::total_cmp);
    merges::<f64>(f64::from_bits, f64::total_cmp);
}

/// Wherever it is, at the border of parts too.
#[test]
fn one_that_is_out_of_order() {
    let numbers = |n: i32, by: i32| Vec::from_iter((0..n).map(|i| by * i));
    for (n, m, step) in [(200, 300, 1), (5000, 1, 177), (2048, 2048, 41)] {
        let (xs, ys) = (numbers(n, 3), numbers(m, 2));
        for at in (0..xs.len()).step_by(step) {
            for other in [-1, 300, 1 << 20] {
                let mut xs = xs.clone();
                xs[at] = other;
                gives(&xs, &ys, Ord::cmp);
                gives(&ys, &xs, Ord::cmp);
            }
        }
    }
}

#[test]
fn many_on_all_threads() {
    let numbers = |n: usize, by: usize| Vec::from_iter((0..n).map(|i| (by * i) as i32));
    for (n, m) in [
        (BEYOND_CACHES, BEYOND_CACHES / 2),
        (140_001, 99_999),
        (3, BEYOND_CACHES),
    ] {
        for (by, other) in [(2, 3), (1, 1), (1, 1000)] {
            let (mut xs, ys) = (numbers(n, by), numbers(m, other));
            gives(&xs, &ys, Ord::cmp);
            let last = n - 1;
            xs.swap(last, last / 2);
            gives(&xs, &ys, Ord::cmp);
        }
    }
}

#[test]
fn positions_are_those_of_both() {
    let (xs, ys) = ([1, 3, 3, 5], [0, 3, 6]);
    let kernel = Two { xs: &xs, ys: &ys };
    let mut found = Vec::new();
    argsort_to(&kernel, 7, (ArrayOut::vec(&mut found),)).expect("it sorts");
    assert_eq!(found, [4, 0, 1, 2, 5, 3, 6]);
}
