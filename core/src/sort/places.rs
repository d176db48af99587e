//! Where results go.
//!
//! In: items in their order. Out: what is asked for of them, in memory.

use core::marker::PhantomData;

use super::items::{Item, Items, Rank};
use super::lines::{self, write_round};
use super::{Key, Shared};
use crate::memory;

/// The lanes of the level that every processor has.
const BASELINE: usize = 16;

/// Room for results.
pub(super) trait Place: Copy + Sync {
    /// What they are made of.
    type Item: Item;
    /// Writes what is asked for of an item.
    ///
    /// # Safety
    /// There is room for a result `at`, which nobody else accesses meanwhile.
    unsafe fn put(&self, at: usize, item: Self::Item);
    /// The room from `at` on.
    ///
    /// # Safety
    /// There is room for at least `at` results.
    unsafe fn behind(&self, at: usize) -> Self;
    /// Whether so many results are written round the caches.
    fn streams(n: usize) -> bool;
    /// Writes so many results, round the caches.
    ///
    /// # Safety
    /// There is room for them, which nobody else accesses meanwhile; who reads them elsewhere comes after
    /// a fence.
    unsafe fn put_round(&self, n: usize, item: impl Fn(usize) -> Self::Item);
    /// The same, of these, which are in a cache.
    ///
    /// # Safety
    /// As for [`put_round`](Self::put_round).
    #[inline(always)]
    unsafe fn put_block(&self, items: &[Self::Item]) {
        // SAFETY: promised by the caller.
        unsafe { self.put_round(items.len(), |at| items[at]) };
    }
}

/// Keys.
pub(super) struct InOrder<T>(pub(super) Shared<T>);

/// Positions.
pub(super) struct Positions<R> {
    to: Shared<usize>,
    ranks: PhantomData<fn() -> R>,
}

impl<R> Positions<R> {
    pub(super) fn new(to: Shared<usize>) -> Self {
        let ranks = PhantomData;
        Positions { to, ranks }
    }
}

impl<T> Clone for InOrder<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for InOrder<T> {}

impl<R> Clone for Positions<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Positions<R> {}

/// One array of `$to`, as a function of an item.
macro_rules! places {
    ($({$($generics:tt)*} $place:ty: $item:ty => $to:ty, $self:ident.$field:tt, $of:ident => $result:expr,
        $at:ident => $behind:expr;)*) => { $(
        impl<$($generics)*> Place for $place {
            type Item = $item;

            #[inline(always)]
            unsafe fn put(&$self, at: usize, $of: $item) {
                // SAFETY: promised by the caller.
                unsafe { $self.$field.at(at).write($result) };
            }

            #[inline(always)]
            unsafe fn behind(&$self, $at: usize) -> Self {
                $behind
            }

            fn streams(n: usize) -> bool {
                lines::streams::<$to>(n)
            }

            #[inline(always)]
            unsafe fn put_round(&$self, n: usize, item: impl Fn(usize) -> $item) {
                let result = |at| {
                    let $of = item(at);
                    $result
                };
                // SAFETY: promised by the caller; scalars, and items, have no padding.
                unsafe { write_round($self.$field.at(0), n, result) };
            }
        }
    )* };
}

places! {
    {T: Key} InOrder<T>: T::Bits => T, self.0, item => T::of_bits(item),
        at => InOrder(Shared(self.0.at(at)));
    {R: Rank} Positions<R>: R => usize, self.to, item => item.position(),
        at => Positions::new(Shared(self.to.at(at)));
}

impl<I: Item> Place for Items<I> {
    type Item = I;

    #[inline(always)]
    unsafe fn put(&self, at: usize, item: I) {
        // SAFETY: promised by the caller.
        unsafe { self.0.at(at).write(item) };
    }

    #[inline(always)]
    unsafe fn behind(&self, at: usize) -> Self {
        Items(Shared(self.0.at(at)))
    }

    fn streams(n: usize) -> bool {
        lines::streams::<I>(n)
    }

    #[inline(always)]
    unsafe fn put_round(&self, n: usize, item: impl Fn(usize) -> I) {
        // SAFETY: promised by the caller; items have no padding.
        unsafe { write_round(self.0.at(0), n, item) };
    }

    #[inline(always)]
    unsafe fn put_block(&self, items: &[I]) {
        let (from, to) = (items.as_ptr().cast(), self.0.at(0).cast());
        // SAFETY: promised by the caller; items have no padding, and every processor has so many lanes.
        unsafe { memory::copy::<BASELINE>(from, to, size_of_val(items), true) };
    }
}
