//! What is sorted.
//!
//! In: keys, or items. Out: items, which are sorted by their bits.

use core::cmp::Ordering;
use core::marker::PhantomData;

use super::{Key, Shared};
use crate::kernel::Element;

/// What is moved about: something with a key. Sealed: code rests on it that keys do not change.
pub trait Item: Element + Ord {
    /// None is greater.
    const LAST: Self;
    /// Whether two can change places without a branch.
    const SMALL: bool = true;
    /// Whether any sort of them will do: items of one key are in the order of their positions, or cannot
    /// be told apart.
    const ALIKE: bool = true;
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

/// A key and a position.
pub(super) trait Rank: Item {
    /// Of this key, or of its lowest bits.
    fn new(bits: u64, position: usize) -> Self;
    /// The position.
    fn position(self) -> usize;
}

/// A key of at most 32 bits, and a position of as many.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Near(u64);

impl Item for Near {
    const LAST: Self = Near(u64::MAX);

    #[inline(always)]
    fn bits(self) -> u64 {
        self.0 >> 32
    }
}

impl Rank for Near {
    #[inline(always)]
    fn new(bits: u64, position: usize) -> Self {
        Near(bits << 32 | position as u64)
    }

    #[inline(always)]
    fn position(self) -> usize {
        self.0 as u32 as usize
    }
}

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

impl Rank for Far {
    #[inline(always)]
    fn new(key: u64, position: usize) -> Self {
        let position = position as u64;
        Far { key, position }
    }

    #[inline(always)]
    fn position(self) -> usize {
        self.position as usize
    }
}

/// A key as it lies in memory: for who compares keys, and moves them, but does not look at parts of their bits.
#[derive(Clone, Copy, Default, Debug)]
#[repr(transparent)]
pub(super) struct Raw<T>(T);

impl<T: Key> PartialEq for Raw<T> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl<T: Key> Eq for Raw<T> {}

impl<T: Key> Ord for Raw<T> {
    #[inline(always)]
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.to_bits().cmp(&other.0.to_bits())
    }
}

impl<T: Key> PartialOrd for Raw<T> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Key> Item for Raw<T> {
    const LAST: Self = Raw(T::GREATEST);

    #[inline(always)]
    fn bits(self) -> u64 {
        self.0.to_bits().bits()
    }
}

/// Where items come from.
pub(super) trait Source: Copy + Sync {
    /// What they are.
    type Item: Item;
    /// That of the element `at`.
    ///
    /// # Safety
    /// There is one, which nobody writes meanwhile.
    unsafe fn item(&self, at: usize) -> Self::Item;
}

/// Keys in memory.
pub(super) struct Keys<T>(pub(super) Shared<T>);

/// Keys in memory, each with its position.
pub(super) struct Numbered<T, R> {
    keys: Shared<T>,
    ranks: PhantomData<fn() -> R>,
}

/// Items in memory.
pub(super) struct Items<I>(pub(super) Shared<I>);

macro_rules! copied {
    ($($name:ident<$($t:ident),*>)*) => { $(
        impl<$($t),*> Clone for $name<$($t),*> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$($t),*> Copy for $name<$($t),*> {}
    )* };
}

copied!(Keys<T> Numbered<T, R> Items<I>);

impl<T: Key> Source for Keys<T> {
    type Item = T::Bits;

    #[inline(always)]
    unsafe fn item(&self, at: usize) -> T::Bits {
        // SAFETY: promised by the caller.
        unsafe { *self.0.at(at) }.to_bits()
    }
}

impl<T, R> Numbered<T, R> {
    pub(super) fn new(keys: Shared<T>) -> Self {
        let ranks = PhantomData;
        Numbered { keys, ranks }
    }
}

impl<T: Key, R: Rank> Source for Numbered<T, R> {
    type Item = R;

    #[inline(always)]
    unsafe fn item(&self, at: usize) -> R {
        // SAFETY: promised by the caller.
        let key = unsafe { *self.keys.at(at) };
        R::new(key.to_bits().bits(), at)
    }
}

impl<I: Item> Source for Items<I> {
    type Item = I;

    #[inline(always)]
    unsafe fn item(&self, at: usize) -> I {
        // SAFETY: promised by the caller.
        unsafe { *self.0.at(at) }
    }
}
