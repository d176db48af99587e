//! Sorts of very few elements.
//!
//! In: elements. Out: results, in the order of their items. Assumes: nothing.
//!
//! Note \[Networks\]. How short rows compare cannot be guessed, so a branch that depends on it costs more
//! than all comparisons. A sorting network compares the same places whatever they hold: that of Batcher's
//! odd-even merge sort (Knuth, The Art of Computer Programming 3, section 5.2.2, algorithm M). It has a
//! number of places that is a power of two; behind the items there are some that no item is behind. Reads
//! and writes do not branch either: what is behind the end is at the last place.

use super::items::{Item, Source};
use super::places::Place;

/// Sorts, if there are few enough, and items are small: two registers for each are too many.
///
/// # Safety
/// `from` has `n` elements, and there is room for as many results at `to`, which nobody else accesses
/// meanwhile. They are apart or the same.
#[inline(always)]
pub(super) unsafe fn sort<S: Source, P: Place<Item = S::Item>>(from: S, to: P, n: usize) -> bool {
    if const { !S::Item::SMALL } {
        return false;
    }
    // SAFETY: promised by the caller.
    unsafe {
        match n {
            0 => {}
            1..=4 => sort_padded::<S, P, 4>(from, to, n, four),
            5..=8 => sort_padded::<S, P, 8>(from, to, n, eight),
            9..=16 => sort_padded::<S, P, 16>(from, to, n, sixteen),
            _more => return false,
        }
    }
    true
}

/// Two places, of which the first gets the lesser item.
type Pair = (usize, usize);

/// The pairs of a network for `n` items.
const fn pairs<const COUNT: usize>(n: usize) -> [Pair; COUNT] {
    let (mut pairs, mut count) = ([(0, 0); COUNT], 0);
    let mut p = n / 2;
    while p > 0 {
        let (mut q, mut r, mut d) = (n / 2, 0, p);
        loop {
            let mut i = 0;
            while i < n - d {
                if i & p == r {
                    pairs[count] = (i, i + d);
                    count += 1;
                }
                i += 1;
            }
            if q == p {
                break;
            }
            (d, q, r) = (q - p, q / 2, p);
        }
        p /= 2;
    }
    assert!(count == COUNT);
    pairs
}

/// A function that sorts by such a network, one pair after another: no loop, so that items stay in
/// registers.
macro_rules! network {
    ($name:ident, $n:literal: $($pair:literal)*) => {
        #[inline(always)]
        fn $name<I: Item>(items: &mut [I; $n]) {
            const PAIRS: [Pair; [$($pair),*].len()] = pairs($n);
            $( exchange(items, const { PAIRS[$pair] }); )*
        }
    };
}

network!(four, 4: 0 1 2 3 4);
network!(eight, 8: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18);
network!(sixteen, 16: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62);

/// Puts the lesser of two items first.
#[inline(always)]
fn exchange<I: Item, const N: usize>(items: &mut [I; N], (i, j): Pair) {
    let (a, b) = (items[i], items[j]);
    let swap = b < a;
    items[i] = if swap { b } else { a };
    items[j] = if swap { a } else { b };
}

/// Sorts `n` elements, at least one and at most `N`, by a network for `N`.
///
/// # Safety
/// As for [`sort`].
#[inline(always)]
unsafe fn sort_padded<S: Source, P: Place<Item = S::Item>, const N: usize>(
    from: S,
    to: P,
    n: usize,
    network: impl Fn(&mut [S::Item; N]),
) {
    let mut items = [S::Item::LAST; N];
    for i in 0..N {
        let at = i.min(n - 1);
        // SAFETY: below `n`.
        let item = unsafe { from.item(at) };
        items[i] = if i < n { item } else { S::Item::LAST };
    }
    network(&mut items);
    for i in 0..N {
        let at = i.min(n - 1);
        // SAFETY: below `n`.
        unsafe { to.put(at, items[at]) };
    }
}
