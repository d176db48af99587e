//! Sorts of elements by their keys, against std's stable ones.

use std::cmp;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

use ragged_core::sort::Key;
use ragged_core::{ArrayOut, Failure, Flag, Kernel, Moves, Product, sort_elements_to};

use super::sorts::{BEYOND_CACHES, LARGE, SIZES, SPREADS, bits, float_in_range};
use crate::everywhere;

/// Keys and what moves along with each; `DEAR`: what may fail, and so is computed once.
macro_rules! kernels {
    ($($name:ident: $($a:ident $A:ty),*; $at:ident => $along:expr;)*) => { $(
        struct $name<'a, T, const DEAR: bool> {
            keys: &'a [T],
            fails: Option<usize>,
        }

        impl<T: Key, const DEAR: bool> Kernel for $name<'_, T, DEAR> {
            type Out = (T, $($A),*);
            const COST: u32 = 1;
            const CHECKS: bool = DEAR;
            #[inline(always)]
            fn block<const L: usize, F: Flag>(
                &self,
                start: usize,
                (keys, $($a),*): <Self::Out as Product>::Slots<'_, L>,
                flag: &mut F,
            ) {
                for l in 0..L {
                    let $at = start + l;
                    flag.check(self.fails == Some($at), 7, [$at as i64, 0, 0]);
                    keys[l] = self.keys[$at];
                    ($($a[l],)*) = $along;
                }
            }
        }

        /// What moves along and the key are two things.
        impl<T: Key, const DEAR: bool> Moves for $name<'_, T, DEAR> {
            type To = (($($A,)*), T);
            #[inline(always)]
            fn result((key, $($a),*): Self::Out) -> Self::To {
                (($($a,)*), key)
            }
        }

        impl<T: Key, const DEAR: bool> $name<'_, T, DEAR> {
            /// Sorts, and looks whether the elements are those at these places.
            fn gives(keys: &[T], places: &[usize]) {
                let kernel = $name::<T, DEAR> { keys, fails: None };
                let (mut along, mut sorted) = (Vec::new(), Vec::new());
                let outs = (ArrayOut::vec(&mut along), ArrayOut::vec(&mut sorted));
                sort_elements_to(&kernel, keys.len(), outs).expect("it sorts");
                let wanted = places.iter().map(|$at| {
                    let $at = *$at;
                    $along
                });
                assert!(wanted.eq(along.iter().copied()), "{} of these", keys.len());
                let bits = |key: &T| key.to_bits();
                let wanted = places.iter().map(|at| bits(&keys[*at]));
                assert!(wanted.eq(sorted.iter().map(bits)), "{} keys", keys.len());
            }
        }
    )* };
}

kernels! {
    Short: a u16; at => (at as u16 ^ 5,);
    Packed: a u8, b bool, c i16; at => (at as u8, at.is_multiple_of(3), !(at as i16));
    Long: a f64; at => (-(at as f64),);
    // With padding between them.
    Longest: a u16, b f64, c i32; at => (at as u16, at as f64, !at as i32);
}

/// Random, in order, few, one of many, and two runs.
const KINDS: [usize; 5] = [0, 1, 4, 6, 9];

fn sorts<T: Key>(n: usize, kind: usize, of: fn(u64) -> T, compare: fn(&T, &T) -> cmp::Ordering) {
    let keys: Vec<T> = bits(n, SPREADS[kind]).into_iter().map(of).collect();
    let mut places: Vec<usize> = (0..n).collect();
    places.sort_by(|a, b| compare(&keys[*a], &keys[*b]));
    Short::<T, false>::gives(&keys, &places);
    Packed::<T, true>::gives(&keys, &places);
    Long::<T, false>::gives(&keys, &places);
    Longest::<T, false>::gives(&keys, &places);
    Longest::<T, true>::gives(&keys, &places);
}

#[test]
fn few_and_some() {
    for (n, kind) in SIZES.into_iter().flat_map(|n| KINDS.map(|kind| (n, kind))) {
        sorts::<i32>(n, kind, |bits| bits as i32, Ord::cmp);
        sorts::<f64>(n, kind, f64::from_bits, f64::total_cmp);
        sorts::<u8>(n, kind, |bits| bits as u8, Ord::cmp);
        sorts::<bool>(n, kind, |bits| bits % 2 == 1, Ord::cmp);
    }
}

#[test]
fn many() {
    for (n, kind) in LARGE.into_iter().flat_map(|n| KINDS.map(|kind| (n, kind))) {
        sorts::<u64>(n, kind, |bits| bits, Ord::cmp);
        everywhere(|| sorts::<i16>(n, kind, |bits| bits as i16, Ord::cmp));
    }
}

#[test]
fn beyond_caches() {
    sorts::<f32>(BEYOND_CACHES, 0, float_in_range, f32::total_cmp);
    sorts::<i64>(BEYOND_CACHES, 4, |bits| bits as i64, Ord::cmp);
}

#[test]
fn an_element_that_fails_ends_the_sort() {
    let keys = &[1_u8; 1000][..];
    let kernel = Long::<u8, true> {
        keys,
        fails: Some(600),
    };
    let (mut along, mut sorted) = (Vec::new(), Vec::new());
    let outs = (ArrayOut::vec(&mut along), ArrayOut::vec(&mut sorted));
    match sort_elements_to(&kernel, 1000, outs) {
        Err(Failure::Check { id: 7, values }) => assert_eq!(values[0], 600),
        other => panic!("{other:?}"),
    }
    let mut room = [0; 2];
    let outs = (ArrayOut::vec(&mut along), ArrayOut::slice(&mut room));
    let found = sort_elements_to(&Long::<u8, false> { keys, fails: None }, 3, outs);
    let short: Result<(), _> = Err(Failure::ResultLength { len: 3, room: 2 });
    assert_eq!(format!("{found:?}"), format!("{short:?}"));
}

/// Keys that are others each time that they are asked for.
struct Changing(AtomicU32);

impl Kernel for Changing {
    type Out = (u32, u32);
    const COST: u32 = 1;
    const CHECKS: bool = false;
    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (keys, numbers): <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        for l in 0..L {
            let random = self.0.fetch_add(0x9e37_79b9, Ordering::Relaxed);
            keys[l] = random ^ random >> 15;
            numbers[l] = (start + l) as u32;
        }
    }
}

impl Moves for Changing {
    type To = (u32, u32);
    #[inline(always)]
    fn result(values: Self::Out) -> Self::To {
        values
    }
}

#[test]
fn keys_that_change_are_a_panic_or_in_wrong_order() {
    for n in [1, 17, 193, 5000, LARGE[0], 400_000] {
        let (mut keys, mut numbers) = (Vec::new(), Vec::new());
        let outs = (ArrayOut::vec(&mut keys), ArrayOut::vec(&mut numbers));
        let kernel = Changing(AtomicU32::new(7));
        let found = catch_unwind(AssertUnwindSafe(|| sort_elements_to(&kernel, n, outs)));
        if n >= LARGE[0] {
            let message = found.expect_err("so many cannot go to other buckets by chance");
            let message = message.downcast_ref::<&str>().copied();
            assert!(message.is_some_and(|it| it.contains("the second time")));
            assert!(keys.is_empty());
        } else {
            assert!(matches!(found, Ok(Ok(()))));
            assert_eq!((keys.len(), numbers.len()), (n, n));
        }
    }
}
