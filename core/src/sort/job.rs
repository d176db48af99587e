//! What is sorted, and what is asked for.
//!
//! In: keys. Out: items, which are sorted by their bits; of these, in order, the results.

use core::cmp::Ordering;
use core::marker::PhantomData;

use super::Key;
use crate::kernel::Element;

/// What is moved about: something with a key. Items of one key are in the order of their positions, or
/// cannot be told apart. Sealed: code rests on it that keys do not change.
pub trait Item: Element + Ord {
    /// None is greater.
    const LAST: Self;
    /// Whether two can change places without a branch.
    const SMALL: bool = true;
    /// The key as a number.
    fn bits(self) -> u64;
}

macro_rules! numbers {
    ($($t:ty)*) => { $(
        impl Item for $t {
            const LAST: Self = Self::MAX;

            #[inline(always)]
            fn bits(self) -> u64 {
                u64::from(self)
            }
        }
    )* };
}

numbers!(u8 u16 u32 u64);

/// One kind of sort.
pub(super) trait Job: Sync {
    /// What items are made of.
    type From: Element;
    /// What is moved about.
    type Item: Item;
    /// What is asked for.
    type To: Element;
    /// The rest of it, once items are there.
    type Rest: Job<From = Self::Item, Item = Self::Item, To = Self::To, Rest = Self::Rest>;
    /// The item of the element at a position.
    fn item(from: Self::From, at: usize) -> Self::Item;
    /// What is asked for of an item.
    fn result(item: Self::Item) -> Self::To;
}

/// Keys, in order.
pub(super) struct Values<T>(PhantomData<fn() -> T>);

impl<T: Key> Job for Values<T> {
    type From = T;
    type Item = T::Bits;
    type To = T;
    type Rest = Rest<Self>;

    #[inline(always)]
    fn item(from: T, _: usize) -> T::Bits {
        from.to_bits()
    }

    #[inline(always)]
    fn result(item: T::Bits) -> T {
        T::of_bits(item)
    }
}

/// The positions of keys, of which there are at most `u32::MAX`, of at most 32 bits each.
pub(super) struct NearPositions<T>(PhantomData<fn() -> T>);

/// A key of at most 32 bits, and a position.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Near(u64);

impl Item for Near {
    const LAST: Self = Near(u64::MAX);

    #[inline(always)]
    fn bits(self) -> u64 {
        self.0 >> 32
    }
}

impl<T: Key> Job for NearPositions<T> {
    type From = T;
    type Item = Near;
    type To = usize;
    type Rest = Rest<Self>;

    #[inline(always)]
    fn item(from: T, at: usize) -> Near {
        Near(from.to_bits().bits() << 32 | at as u64)
    }

    #[inline(always)]
    fn result(item: Near) -> usize {
        item.0 as u32 as usize
    }
}

/// The positions of any keys.
pub(super) struct FarPositions<T>(PhantomData<fn() -> T>);

/// Any key, and a position.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Far {
    key: u64,
    position: u64,
}

impl Ord for Far {
    #[inline(always)]
    fn cmp(&self, other: &Self) -> Ordering {
        // As one number, which is compared without a branch.
        let number = |it: &Far| u128::from(it.key) << 64 | u128::from(it.position);
        number(self).cmp(&number(other))
    }
}

impl PartialOrd for Far {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    #[inline(always)]
    fn lt(&self, other: &Self) -> bool {
        self.cmp(other).is_lt()
    }
}

impl Item for Far {
    const LAST: Self = Far {
        key: u64::MAX,
        position: u64::MAX,
    };
    const SMALL: bool = false;

    #[inline(always)]
    fn bits(self) -> u64 {
        self.key
    }
}

impl<T: Key> Job for FarPositions<T> {
    type From = T;
    type Item = Far;
    type To = usize;
    type Rest = Rest<Self>;

    #[inline(always)]
    fn item(from: T, at: usize) -> Far {
        Far {
            key: from.to_bits().bits(),
            position: at as u64,
        }
    }

    #[inline(always)]
    fn result(item: Far) -> usize {
        item.position as usize
    }
}

/// The rest of a sort, of items that are there already.
pub(super) struct Rest<J>(PhantomData<fn() -> J>);

impl<J: Job> Job for Rest<J> {
    type From = J::Item;
    type Item = J::Item;
    type To = J::To;
    type Rest = Self;

    #[inline(always)]
    fn item(from: J::Item, _: usize) -> J::Item {
        from
    }

    #[inline(always)]
    fn result(item: J::Item) -> J::To {
        J::result(item)
    }
}
