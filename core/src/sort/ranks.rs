//! Places of an order of few keys.
//!
//! In: keys and places. Out: the bits of the keys that are there in ascending order. Assumes: nothing.
//!
//! Note \[Ranks\]. How few keys compare cannot be guessed, and to partition them is to guess. So each is compared
//! with all, in lanes: the greatest of those that no more keys are less than is at the place.

use super::Key;
use super::items::Item;

/// As many keys are few.
pub(crate) const FEW: usize = 64;

/// The bits at these places of the order of [`FEW`] keys at most; any at places that there are not.
///
/// Cost: the square of how many keys there are, in lanes.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn few_at<T: Key, const P: usize>(keys: &[T], places: [usize; P]) -> [T::Bits; P] {
    match keys.len() {
        0..=8 => among::<T, 8, P>(keys, places),
        9..=16 => among::<T, 16, P>(keys, places),
        17..=32 => among::<T, 32, P>(keys, places),
        _more => among::<T, FEW, P>(keys, places),
    }
}

/// The same of `N` keys at most.
#[cfg_attr(optimised, inline(always))]
fn among<T: Key, const N: usize, const P: usize>(keys: &[T], places: [usize; P]) -> [T::Bits; P] {
    // What is behind them has the rank of what is as great, or one that is no place of theirs.
    let mut all = [T::Bits::LAST; N];
    all.iter_mut()
        .zip(keys)
        .for_each(|(to, key)| *to = key.to_bits());
    let mut less = [0_u32; N];
    for at in 0..keys.len().min(N) {
        let one = all[at];
        for l in 0..N {
            less[l] += u32::from(one < all[l]);
        }
    }
    places.map(|place| {
        let place = place.min(N) as u32;
        let mut found = T::Bits::default();
        for l in 0..N {
            let here = if less[l] <= place { all[l] } else { found };
            found = if here > found { here } else { found };
        }
        found
    })
}
