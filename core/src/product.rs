//! `Product` for tuples of 1 to 12 elements, and what only tuples with an index in front can.
//!
//! In: the element types. Out: their blocks, vectors and addresses, component by component.
//! Assumes: nothing; the unsafe methods pass their caller's promises on to each component.

use core::ops::Range;

use crate::error::Failure;
use crate::kernel::{Element, Product};
use crate::local::Local;
use crate::memory;
use crate::out::ArrayOut;
use crate::overhang::PART;
use crate::packing;
use crate::tuples::for_tuples;
use crate::whole::{put, whole};

/// Tuples of elements only: nobody else can implement [`Product`].
pub trait Sealed {}

macro_rules! product {
    (@first $T:ident $($rest:ident)*) => { $T };
    ($($T:ident $before:tt $i:tt),+) => {
        impl<$($T: Element),+> Sealed for ($($T,)+) {}

        impl<$($T: Element),+> Product for ($($T,)+) {
            type First = product!(@first $($T)+);
            type Slots<'a, const L: usize> = ($(&'a mut [$T; L],)+);
            type Lanes<const L: usize> = ($([$T; L],)+);
            type Vecs = ($(Vec<$T>,)+);
            type Outs<'a> = ($(ArrayOut<'a, $T>,)+);
            type Locals<'a, 'n: 'a> = ($(&'a mut Local<'n, $T>,)+);
            type Slices<'a> = ($(&'a mut [$T],)+);
            type Bases = ($(*mut $T,)+);

            #[cfg_attr(optimised, inline(always))]
            fn zero() -> Self {
                ($($T::default(),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn splat<const L: usize>(self) -> Self::Lanes<L> {
                ($([self.$i; L],)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn slots<const L: usize>(lanes: &mut Self::Lanes<L>) -> Self::Slots<'_, L> {
                ($(&mut lanes.$i,)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn slots_from<const W: usize, const L: usize>(
                lanes: &mut Self::Lanes<W>,
                first: usize,
            ) -> Self::Slots<'_, L> {
                ($(match lanes.$i[first..].first_chunk_mut() {
                    Some(part) => part,
                    None => panic!("{L} lanes from {first} on of {W}; please report this"),
                },)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn get<const L: usize>(lanes: &Self::Lanes<L>, l: usize) -> Self {
                ($(lanes.$i[l],)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn set<const L: usize>(lanes: &mut Self::Lanes<L>, l: usize, value: Self) {
                $(lanes.$i[l] = value.$i;)+
            }

            #[cfg_attr(optimised, inline(always))]
            fn whole<const W: usize, const L: usize>(
                lanes: &Self::Lanes<W>,
                first: usize,
            ) -> Self::Lanes<L> {
                ($(whole(&lanes.$i, first),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn put_whole<const W: usize, const L: usize>(
                lanes: &Self::Lanes<L>,
                to: &mut Self::Lanes<W>,
                first: usize,
            ) {
                $(put(&lanes.$i, &mut to.$i, first);)+
            }

            #[cfg_attr(optimised, inline(always))]
            fn firsts<const L: usize>(lanes: &Self::Lanes<L>) -> &[Self::First; L] {
                &lanes.0
            }

            #[cfg_attr(optimised, inline(always))]
            fn firsts_mut<const L: usize>(lanes: &mut Self::Lanes<L>) -> &mut [Self::First; L] {
                &mut lanes.0
            }

            fn empty() -> Self::Vecs {
                ($(Vec::<$T>::new(),)+)
            }

            fn reserve(vecs: &mut Self::Vecs, n: usize) -> Result<(), Failure> {
                $(memory::reserve_aside(&mut vecs.$i, n)?;)+
                Ok(())
            }

            fn bases(vecs: &mut Self::Vecs) -> Self::Bases {
                ($(vecs.$i.as_mut_ptr(),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn slice_bases(slices: &mut Self::Slices<'_>, n: usize) -> Option<Self::Bases> {
                let equal = true $(&& slices.$i.len() == n)+;
                equal.then(|| ($(slices.$i.as_mut_ptr(),)+))
            }

            #[cfg_attr(optimised, inline(always))]
            fn shortest(slices: &Self::Slices<'_>) -> usize {
                usize::MAX $(.min(slices.$i.len()))+
            }

            #[cfg_attr(optimised, inline(always))]
            fn place_at(self, slices: &mut Self::Slices<'_>, at: usize) {
                $(if let Some(slot) = slices.$i.get_mut(at) {
                    *slot = self.$i;
                })+
            }

            unsafe fn set_len(vecs: &mut Self::Vecs, n: usize) {
                // SAFETY: the caller has reserved and written `n` elements of each component.
                unsafe { $(vecs.$i.set_len(n);)+ }
            }

            fn outs(vecs: &mut Self::Vecs) -> Self::Outs<'_> {
                ($(ArrayOut::vec(&mut vecs.$i),)+)
            }

            fn prepare(outs: &mut Self::Outs<'_>, n: usize) -> Result<Self::Bases, Failure> {
                Ok(($(outs.$i.prepare(n)?,)+))
            }

            fn at_hand(outs: &mut Self::Outs<'_>, n: usize) -> (Self::Bases, usize) {
                let places = ($(outs.$i.at_hand(n),)+);
                let room = usize::MAX;
                $(let room = room.min(places.$i.1);)+
                (($(places.$i.0,)+), room)
            }

            fn has_slice(outs: &Self::Outs<'_>) -> bool {
                false $(|| outs.$i.is_slice())+
            }

            unsafe fn finish_few(outs: Self::Outs<'_>, n: usize) {
                // SAFETY: promised by the caller.
                unsafe { $(outs.$i.finish_few(n);)+ }
            }

            unsafe fn finish(outs: Self::Outs<'_>, n: usize) {
                // SAFETY: the caller has prepared and written `n` elements of each component.
                unsafe { $(outs.$i.finish(n);)+ }
            }

            #[cfg_attr(optimised, inline(always))]
            fn own(locals: &mut Self::Locals<'_, '_>, n: usize) -> Result<Self::Bases, Failure> {
                Ok(($(locals.$i.room(n)?,)+))
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn fill(locals: Self::Locals<'_, '_>, n: usize, written: usize) {
                // SAFETY: the caller has made room for and written so many elements of each.
                unsafe { $(locals.$i.fill(n, written);)+ }
            }

            unsafe fn copy_range(from: Self::Bases, to: Self::Bases, range: Range<usize>) {
                let (at, count) = (range.start, range.len());
                // SAFETY: promised by the caller.
                unsafe { $(to.$i.add(at).copy_from_nonoverlapping(from.$i.add(at), count);)+ }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn store<const L: usize>(
                lanes: &Self::Lanes<L>,
                bases: Self::Bases,
                at: usize,
                stream: bool,
            ) {
                // SAFETY: the caller's bases are valid for `at .. at + L` of each component.
                unsafe { $(memory::store::<_, L, L>(&lanes.$i, bases.$i.add(at), stream);)+ }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn store_tile<const N: usize, const L: usize>(
                lanes: &Self::Lanes<N>,
                bases: Self::Bases,
                at: usize,
                stream: bool,
            ) {
                // SAFETY: as for `store`, for `N` lanes.
                unsafe { $(memory::store::<_, N, L>(&lanes.$i, bases.$i.add(at), stream);)+ }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn store_from<const L: usize>(
                lanes: &Self::Lanes<L>,
                first: usize,
                bases: Self::Bases,
                at: usize,
                count: usize,
            ) {
                $(let from = &lanes.$i[first..first + count];
                // SAFETY: as for `store`; the slice has `count` lanes.
                unsafe { from.as_ptr().copy_to_nonoverlapping(bases.$i.add(at), count) };)+
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn store_part<const L: usize>(
                lanes: &Self::Lanes<PART>,
                bases: Self::Bases,
                at: usize,
                count: usize,
            ) {
                // SAFETY: as for `store`, for `count` lanes.
                unsafe { $(memory::store_part::<_, L>(&lanes.$i, bases.$i.add(at), count);)+ }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn store_kept<const L: usize>(
                lanes: &Self::Lanes<L>,
                flags: &[bool; L],
                bases: Self::Bases,
                at: usize,
            ) -> usize {
                // SAFETY: promised by the caller.
                unsafe { [$(packing::together(flags, &lanes.$i, bases.$i.add(at))),+][0] }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn store_few_kept<const L: usize>(
                lanes: &Self::Lanes<PART>,
                (flags, count): (&[bool; PART], usize),
                bases: Self::Bases,
                at: usize,
            ) -> usize {
                // SAFETY: promised by the caller.
                unsafe { [$(packing::few::<_, L>(flags, count, &lanes.$i, bases.$i.add(at))),+][0] }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn fetch_at<const L: usize>(
                lanes: &mut Self::Lanes<L>,
                first: usize,
                bases: Self::Bases,
                at: usize,
                count: usize,
            ) {
                $(let to = &mut lanes.$i[first..first + count];
                // SAFETY: the caller has written these elements; the slice has `count` lanes.
                unsafe { to.as_mut_ptr().copy_from_nonoverlapping(bases.$i.add(at), count) };)+
            }

            const BYTES: usize = 0 $(+ size_of::<$T>())+;

            #[cfg_attr(optimised, inline(always))]
            fn misses_line(bases: Self::Bases, at: usize) -> usize {
                memory::misses_line(bases.0, at)
            }

            #[cfg_attr(optimised, inline(always))]
            fn lane_bases<const L: usize>(lanes: &mut Self::Lanes<L>) -> Self::Bases {
                ($(lanes.$i.as_mut_ptr(),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn room_bases<const L: usize>(room: *mut Self::Lanes<L>) -> Self::Bases {
                // SAFETY: these are addresses in that memory, the caller says, of which nothing is read.
                unsafe { ($((&raw mut (*room).$i).cast::<$T>(),)+) }
            }

            #[cfg_attr(optimised, inline(always))]
            fn first(bases: Self::Bases) -> *mut u8 {
                bases.0.cast()
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn read(bases: Self::Bases, at: usize) -> Self {
                // SAFETY: the caller has written element `at` of each component.
                unsafe { ($(bases.$i.add(at).read(),)+) }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn put(self, bases: Self::Bases, at: usize) {
                // SAFETY: the caller's bases are valid for element `at` of each component.
                unsafe { $(bases.$i.add(at).write(self.$i);)+ }
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn advance(bases: Self::Bases, at: usize) -> Self::Bases {
                // SAFETY: each component has at least `at` elements, the caller says.
                unsafe { ($(bases.$i.add(at),)+) }
            }
        }
    };
}

for_tuples!(product);

/// A product with an index in front: where to put the other components.
pub trait Placed: Product {
    /// One mutable slice per component behind the index.
    type Targets<'a>: Send;
    /// The targets' length; the shortest one's if they differ.
    #[doc(hidden)]
    fn len(targets: &Self::Targets<'_>) -> usize;
    /// The index.
    #[doc(hidden)]
    fn index(self) -> usize;
    /// Writes the other components at the index; out of range, writes nothing.
    #[doc(hidden)]
    fn place(self, targets: &mut Self::Targets<'_>);
}

macro_rules! placed {
    (A0 - 0) => {};
    (A0 - 0, $($T:ident $i:tt $j:tt),+) => {
        impl<$($T: Element),+> Placed for (usize, $($T,)+) {
            type Targets<'a> = ($(&'a mut [$T],)+);

            fn len(targets: &Self::Targets<'_>) -> usize {
                let len = usize::MAX;
                $(let len = len.min(targets.$i.len());)+
                len
            }

            #[cfg_attr(optimised, inline(always))]
            fn index(self) -> usize {
                self.0
            }

            #[cfg_attr(optimised, inline(always))]
            fn place(self, targets: &mut Self::Targets<'_>) {
                $(if let Some(slot) = targets.$i.get_mut(self.0) {
                    *slot = self.$j;
                })+
            }
        }
    };
}

for_tuples!(placed);

/// Base addresses that may go to other threads, which write disjoint ranges.
pub struct Bases<P: Product>(P::Bases);

impl<P: Product> Clone for Bases<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Product> Copy for Bases<P> {}

// SAFETY: plain addresses of `Send` elements (`Element` asks for it, and [`Sealed`] rules out any
// other `P`); whoever writes through them promises in `Product::store` that no other thread accesses
// the range.
unsafe impl<P: Product> Send for Bases<P> {}
// SAFETY: as above; the addresses themselves are never changed.
unsafe impl<P: Product> Sync for Bases<P> {}

impl<P: Product> Bases<P> {
    pub(crate) fn new(bases: P::Bases) -> Self {
        Bases(bases)
    }

    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn get(self) -> P::Bases {
        self.0
    }
}
