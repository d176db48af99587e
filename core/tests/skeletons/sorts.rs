//! Sorts, against std's of the same keys, with keys spread in many ways.

use std::cmp::Ordering;

use ragged_core::sort::Key;
use ragged_core::{
    ArrayOut, Element, Failure, Flag, Kernel, Product, argselect_to, argsort_to, select_to, sort_to,
};

use crate::everywhere;

/// Around networks, what is sorted by comparing, short tables, and buckets of buckets.
pub(crate) const SIZES: [usize; 18] = [
    0, 1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 64, 192, 193, 1000, 5000, 8191, 8192,
];

/// What threads share.
pub(crate) const LARGE: [usize; 1] = [140_001];

/// What goes round the caches.
pub(crate) const BEYOND_CACHES: usize = 1_100_003;

/// The elements.
struct Keys<'a, T, const LIES: bool = false> {
    xs: &'a [T],
    /// The element that fails.
    fails: Option<usize>,
}

impl<T: Element, const LIES: bool> Kernel for Keys<'_, T, LIES> {
    type Out = (T,);
    const COST: u32 = 1;
    const LIES: bool = LIES;
    #[inline(always)]
    fn lies(&self) -> &[T] {
        self.xs
    }
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (keys,): <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        for l in 0..L {
            flag.check(self.fails == Some(start + l), 7, [(start + l) as i64, 0, 0]);
            keys[l] = self.xs[start + l];
        }
    }
}

/// How the bits of keys are spread.
pub(crate) const SPREADS: [fn(u64, usize) -> u64; 11] = [
    |random, _| random,
    |_, at| at as u64,
    |_, at| !(at as u64),
    |_, _| 77,
    |random, _| random % 3,
    |random, _| random >> (random % 64),
    |random, at| if at.is_multiple_of(1000) { random } else { 5 },
    // One that nobody asks for its bits.
    |random, at| if at == 77_777 { random } else { random % 5000 },
    // Two runs, in few and in many.
    |_, at| at as u64 / 3 % 43,
    |_, at| at as u64 % 70_001 / 5,
    |_, at| at as u64 % 139_000,
];

pub(crate) fn bits(n: usize, spread: fn(u64, usize) -> u64) -> Vec<u64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let next = |at| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        spread(state, at)
    };
    (0..n).map(next).collect()
}

fn sorts_as_std<T: Key + PartialEq>(
    sizes: &[usize],
    of: fn(u64) -> T,
    compare: fn(&T, &T) -> Ordering,
) {
    for n in sizes.iter().copied() {
        for spread in SPREADS {
            sorts_spread_as_std(n, spread, of, compare);
        }
    }
}

fn sorts_spread_as_std<T: Key + PartialEq>(
    n: usize,
    spread: fn(u64, usize) -> u64,
    of: fn(u64) -> T,
    compare: fn(&T, &T) -> Ordering,
) {
    let xs: Vec<T> = bits(n, spread).into_iter().map(of).collect();
    let mut sorted = xs.clone();
    sorted.sort_by(compare);
    let mut places: Vec<usize> = (0..n).collect();
    places.sort_by(|a, b| compare(&xs[*a], &xs[*b]));
    let wanted = (&sorted[..], &places[..]);
    let (xs, fails) = (&xs[..], None);
    gives(&Keys::<T, false> { xs, fails }, wanted, compare);
    gives(&Keys::<T, true> { xs, fails }, wanted, compare);
}

fn gives<T: Key + PartialEq>(
    kernel: &impl Kernel<Out = (T,)>,
    (sorted, places): (&[T], &[usize]),
    compare: fn(&T, &T) -> Ordering,
) {
    let n = sorted.len();
    let alike = |(a, b): (&T, &T)| compare(a, b) == Ordering::Equal;
    everywhere(|| {
        let mut found = Vec::new();
        sort_to(kernel, n, (ArrayOut::vec(&mut found),)).expect("it sorts");
        assert!(
            found.len() == n && found.iter().zip(sorted).all(alike),
            "{n}"
        );
        let mut found = Vec::new();
        argsort_to(kernel, n, (ArrayOut::vec(&mut found),)).expect("it sorts");
        assert!(found == places, "{n}");
    });
    // One of them twice, and one that is not there.
    let at = [n / 2, n / 2, n.saturating_sub(1), n];
    let keys = select_to(kernel, n, at).expect("it selects");
    let found = argselect_to(kernel, n, at).expect("it selects");
    for ((at, key), found) in at.into_iter().zip(&keys).zip(found).filter(|it| it.0.0 < n) {
        assert!(alike((key, &sorted[at])), "the key at {at} of {n}");
        assert!(found == places[at], "the position at {at} of {n}");
    }
}

#[test]
fn unsigned_keys() {
    sorts_as_std::<u32>(&SIZES, |bits| bits as u32, Ord::cmp);
    sorts_as_std::<u64>(&SIZES, |bits| bits, Ord::cmp);
}

#[test]
fn signed_and_small_keys() {
    sorts_as_std::<i64>(&SIZES, |bits| bits as i64, Ord::cmp);
    sorts_as_std::<i16>(&SIZES, |bits| bits as i16, Ord::cmp);
    sorts_as_std::<i32>(&SIZES, |bits| bits as i32, Ord::cmp);
    sorts_as_std::<i8>(&SIZES, |bits| bits as i8, Ord::cmp);
    sorts_as_std::<u8>(&SIZES, |bits| bits as u8, Ord::cmp);
    sorts_as_std::<u16>(&SIZES, |bits| bits as u16, Ord::cmp);
    sorts_as_std::<usize>(&SIZES, |bits| bits as usize, Ord::cmp);
    sorts_as_std::<bool>(&SIZES, |bits| bits % 2 == 1, Ord::cmp);
}

#[test]
fn many_keys() {
    sorts_as_std::<u32>(&LARGE, |bits| bits as u32, Ord::cmp);
    sorts_as_std::<f64>(&LARGE, f64::from_bits, f64::total_cmp);
}

/// Floats in a range, whose highest bits are nearly all the same.
pub(crate) fn float_in_range(bits: u64) -> f32 {
    (bits >> 40) as f32 * 1e-4 - 700.0
}

#[test]
fn keys_beyond_caches() {
    let random = SPREADS[0];
    let n = BEYOND_CACHES;
    sorts_spread_as_std::<i32>(n, random, |bits| bits as i32, Ord::cmp);
    sorts_spread_as_std::<f32>(n, random, float_in_range, f32::total_cmp);
}

#[cfg(feature = "half")]
#[test]
fn half_floats() {
    use half::{bf16, f16};
    let of = |bits| f16::from_bits(bits as u16);
    sorts_as_std::<f16>(&SIZES, of, f16::total_cmp);
    let of = |bits| bf16::from_bits(bits as u16);
    sorts_as_std::<bf16>(&SIZES, of, bf16::total_cmp);
}

#[test]
fn floats_that_are_equal_or_no_numbers_keep_their_bits() {
    let odd = [
        0.0,
        -0.0,
        f32::NAN,
        -f32::NAN,
        f32::INFINITY,
        -f32::INFINITY,
    ];
    let values: Vec<f32> = odd.into_iter().chain([1.0, -1.0, 1e-42]).collect();
    for n in [3, 9, 16, 1000, 200_000] {
        let xs: Vec<f32> = bits(n, |random, _| random % 9)
            .into_iter()
            .map(|at| values[at as usize])
            .collect();
        let mut wanted = xs.clone();
        wanted.sort_by(f32::total_cmp);
        let (xs, fails) = (&xs[..], None);
        everywhere(|| {
            let mut found = Vec::new();
            let kernel = Keys::<f32, true> { xs, fails };
            sort_to(&kernel, n, (ArrayOut::vec(&mut found),)).expect("it sorts");
            let alike = |(a, b): (&f32, &f32)| a.to_bits() == b.to_bits();
            assert!(found.iter().zip(&wanted).all(alike), "{n}");
        });
    }
}

#[test]
fn floats_by_their_total_order() {
    sorts_as_std::<f32>(&SIZES, |bits| f32::from_bits(bits as u32), f32::total_cmp);
    sorts_as_std::<f64>(&SIZES, f64::from_bits, f64::total_cmp);
}

#[test]
fn a_key_that_fails_ends_the_sort() {
    let xs = [1_u8; 1000];
    let (xs, fails) = (&xs[..], Some(600));
    let failure = |found: Result<(), Failure>| match found {
        Err(Failure::Check { id, values }) => (id, values[0]),
        other => panic!("{other:?}"),
    };
    let mut out = Vec::new();
    let places = (ArrayOut::vec(&mut out),);
    assert_eq!(
        failure(sort_to(&Keys::<_> { xs, fails }, 1000, places)),
        (7, 600)
    );
    let mut out = Vec::new();
    let places = (ArrayOut::vec(&mut out),);
    assert_eq!(
        failure(argsort_to(&Keys::<_> { xs, fails }, 1000, places)),
        (7, 600)
    );
}

#[test]
fn a_slice_has_to_have_the_length() {
    let kernel = Keys::<_> {
        xs: &[3_u8, 1, 2],
        fails: None,
    };
    let mut sorted = [0; 3];
    sort_to(&kernel, 3, (ArrayOut::slice(&mut sorted),)).expect("it sorts");
    assert_eq!(sorted, [1, 2, 3]);
    let short = argsort_to(&kernel, 3, (ArrayOut::slice(&mut [0; 2]),));
    assert!(matches!(
        short,
        Err(Failure::ResultLength { len: 3, room: 2 })
    ));
}

/// Around what is gathered at once, and where pivots of a sample are keys that nearly all are.
#[test]
fn places_of_many_keys() {
    for n in [32_767, 32_768, 140_001] {
        for spread in [
            SPREADS[0],
            |random, _| random % 3,
            |_, at| at as u64,
            |random, at| random * (at as u64 % 2),
        ] {
            let xs: Vec<u64> = bits(n, spread);
            let mut sorted = xs.clone();
            sorted.sort_unstable();
            let (xs, fails) = (&xs[..], None);
            let kernel = Keys::<u64, true> { xs, fails };
            everywhere(|| {
                for at in [0, 1, n / 1000, n / 2, n - n / 1000, n - 1] {
                    let [key] = select_to(&kernel, n, [at]).expect("it selects");
                    assert_eq!(key, sorted[at], "the key at {at} of {n}");
                    let [found] = argselect_to(&kernel, n, [at]).expect("it selects");
                    let before = |(i, x): (usize, &u64)| (*x, i) < (key, found);
                    let before = xs.iter().enumerate().filter(|it| before(*it));
                    assert!(
                        xs[found] == key && before.count() == at,
                        "the position at {at}"
                    );
                }
            });
        }
    }
}

/// Of which each is compared with all, the greatest number there is among them.
#[test]
fn places_of_few_keys() {
    fn all_places<T: Key + PartialEq + core::fmt::Debug>(keys: &[T]) {
        let mut order = keys.to_vec();
        order.sort_unstable_by_key(|key| key.to_bits());
        let n = keys.len();
        let (xs, fails) = (keys, None);
        let kernel = Keys::<T, true> { xs, fails };
        for at in 0..n {
            let [key, last] = select_to(&kernel, n, [at, n - 1]).expect("it selects");
            assert_eq!((key, last), (order[at], order[n - 1]), "{at} of {keys:?}");
        }
    }
    everywhere(|| {
        for n in 0..67 {
            for spread in [
                SPREADS[0],
                |random, _| random % 3,
                |random, _| 0_u64.wrapping_sub(random % 2),
            ] {
                let numbers = bits(n, spread);
                all_places::<u64>(&numbers);
                all_places::<u8>(&numbers.iter().map(|it| *it as u8).collect::<Vec<_>>());
                all_places::<i32>(&numbers.iter().map(|it| *it as i32).collect::<Vec<_>>());
                all_places::<bool>(&numbers.iter().map(|it| it % 2 == 1).collect::<Vec<_>>());
            }
        }
    });
}
