//! Room for parts of arrays, of any number of them.
//!
//! In: addresses of arrays, component by component. Out: slices of a part of each, to be written once
//! and read then. Assumes: nothing; the unsafe methods pass their caller's promises on to each
//! component.

use core::mem::MaybeUninit;

use crate::error::Failure;
use crate::kernel::{Element, Product};
use crate::product::Bases;
use crate::states::States;
use crate::tuples::for_tuples;

/// A product of elements, `(A,)`, `(A, B)`, … to 12, of each of which there is a part of an array.
pub trait Parts: States {
    /// Room for each part.
    type Rooms<'a>;

    /// Room for `count` elements of each component, from `at` on.
    ///
    /// # Safety
    /// `bases` have room for these elements, which nobody else accesses while the rooms live.
    #[doc(hidden)]
    unsafe fn rooms<'a>(bases: Self::Bases, at: usize, count: usize) -> Self::Rooms<'a>;
    /// Where the elements go; `None` unless there is room for `count` of each component.
    #[doc(hidden)]
    fn starts(rooms: &mut Self::Rooms<'_>, count: usize) -> Option<Self::Bases>;
    /// The elements.
    ///
    /// # Safety
    /// Each has been written.
    #[doc(hidden)]
    unsafe fn full<'a>(rooms: Self::Rooms<'a>) -> Self::Views<'a>;
    /// Whether these are the `count` elements of each component from `at` on.
    #[doc(hidden)]
    fn lie_at(views: Self::Views<'_>, bases: Self::Bases, at: usize, count: usize) -> bool;
}

macro_rules! parts {
    ($($T:ident $before:tt $i:tt),+) => {
        impl<$($T: Element),+> Parts for ($($T,)+) {
            type Rooms<'a> = ($(&'a mut [MaybeUninit<$T>],)+);

            #[cfg_attr(optimised, inline(always))]
            unsafe fn rooms<'a>(bases: Self::Bases, at: usize, count: usize) -> Self::Rooms<'a> {
                // SAFETY: the caller has the room, and nobody else accesses it.
                unsafe { ($(
                    core::slice::from_raw_parts_mut(bases.$i.add(at).cast(), count),
                )+) }
            }

            #[cfg_attr(optimised, inline(always))]
            fn starts(rooms: &mut Self::Rooms<'_>, count: usize) -> Option<Self::Bases> {
                let all = true $(&& rooms.$i.len() == count)+;
                all.then(|| ($(rooms.$i.as_mut_ptr().cast(),)+))
            }

            #[cfg_attr(optimised, inline(always))]
            unsafe fn full<'a>(rooms: Self::Rooms<'a>) -> Self::Views<'a> {
                // SAFETY: the caller has written each element.
                unsafe { ($(
                    core::slice::from_raw_parts(rooms.$i.as_ptr().cast(), rooms.$i.len()),
                )+) }
            }

            #[cfg_attr(optimised, inline(always))]
            fn lie_at(
                views: Self::Views<'_>,
                bases: Self::Bases,
                at: usize,
                count: usize,
            ) -> bool {
                true $(&& views.$i.len() == count
                    && views.$i.as_ptr() == bases.$i.wrapping_add(at).cast_const())+
            }
        }
    };
}

for_tuples!(parts);

/// Arrays of which parts are made at a time: a product of elements, or none.
pub trait Arrays {
    /// Where results go.
    type Outs<'a>;
    /// Arrays that nobody sees.
    type Own;
    /// Room for a part of each.
    type Rooms<'a>;
    /// The elements of a part of each.
    type Views<'a>;
    /// Where elements go.
    #[doc(hidden)]
    type Starts: Copy + Send + Sync;

    /// Makes room for `n` elements in each place, and says where they go.
    #[doc(hidden)]
    fn prepare(outs: &mut Self::Outs<'_>, n: usize) -> Result<Self::Starts, Failure>;
    /// Empty arrays of one's own.
    #[doc(hidden)]
    fn none() -> Self::Own;
    /// Makes room for `n` elements in each array of one's own, and says where they go.
    #[doc(hidden)]
    fn own(own: &mut Self::Own, n: usize) -> Result<Self::Starts, Failure>;
    /// Room for `count` elements of each, from `at` on.
    ///
    /// # Safety
    /// There is room for these elements, which nobody else accesses while the rooms live.
    #[doc(hidden)]
    unsafe fn rooms<'a>(starts: Self::Starts, at: usize, count: usize) -> Self::Rooms<'a>;
    /// Whether these are the `count` elements of each from `at` on.
    #[doc(hidden)]
    fn lie_at(views: Self::Views<'_>, starts: Self::Starts, at: usize, count: usize) -> bool;
    /// Declares `n` elements of each place written.
    ///
    /// # Safety
    /// `prepare(outs, n)` succeeded, and each of the first `n` elements has been written since.
    #[doc(hidden)]
    unsafe fn finish(outs: Self::Outs<'_>, n: usize);
}

impl Arrays for () {
    type Outs<'a> = ();
    type Own = ();
    type Rooms<'a> = ();
    type Views<'a> = ();
    type Starts = ();

    fn none() {}

    fn prepare((): &mut (), _n: usize) -> Result<(), Failure> {
        Ok(())
    }

    fn own((): &mut (), _n: usize) -> Result<(), Failure> {
        Ok(())
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn rooms<'a>((): (), _at: usize, _count: usize) -> Self::Rooms<'a> {}

    #[cfg_attr(optimised, inline(always))]
    fn lie_at((): (), (): (), _at: usize, _count: usize) -> bool {
        true
    }

    unsafe fn finish((): (), _n: usize) {}
}

impl<P: Parts> Arrays for P {
    type Outs<'a> = <P as Product>::Outs<'a>;
    type Own = <P as States>::Arrays;
    type Rooms<'a> = <P as Parts>::Rooms<'a>;
    type Views<'a> = <P as States>::Views<'a>;
    type Starts = Bases<P>;

    fn prepare(outs: &mut Self::Outs<'_>, n: usize) -> Result<Bases<P>, Failure> {
        <P as Product>::prepare(outs, n).map(Bases::new)
    }

    fn none() -> Self::Own {
        P::none()
    }

    fn own(own: &mut Self::Own, n: usize) -> Result<Bases<P>, Failure> {
        P::room(own, n).map(Bases::new)
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn rooms<'a>(starts: Bases<P>, at: usize, count: usize) -> Self::Rooms<'a> {
        // SAFETY: promised by the caller.
        unsafe { <P as Parts>::rooms(starts.get(), at, count) }
    }

    #[cfg_attr(optimised, inline(always))]
    fn lie_at(views: Self::Views<'_>, starts: Bases<P>, at: usize, count: usize) -> bool {
        <P as Parts>::lie_at(views, starts.get(), at, count)
    }

    unsafe fn finish(outs: Self::Outs<'_>, n: usize) {
        // SAFETY: promised by the caller.
        unsafe { <P as Product>::finish(outs, n) };
    }
}
