//! Products of more components than a tuple of elements has here, as products of products.
//!
//! In: two products. Out: that of the components of both. Assumes: nothing; the unsafe methods pass
//! their caller's promises on to each part.
//!
//! Note \[Wide products\]. Impls for tuples cost the user's build time, so those of elements end at 12.
//! Emitted code writes more components as `(Wide, (A, …), (M, …))`, whose last part may be of that form
//! too: as a type, as a value and as a pattern alike. All that is one per component is so nested as well,
//! and the mark is what keeps such a tuple apart from one of elements, since it is no [`Element`]. Where
//! the first component says what becomes of the others, it is a part of its own, so that what is behind it
//! is a product by itself.
//!
//! [`Element`]: crate::kernel::Element

mod arrays;

use core::ops::Range;

use crate::error::Failure;
use crate::kernel::Product;
use crate::overhang::PART;
use crate::packing::{Kept, set};
use crate::product::{Placed, Sealed};

/// Marks a product of products.
#[derive(Clone, Copy)]
pub struct Wide;

impl<P: Product, Q: Product> Sealed for (Wide, P, Q) {}

impl<P: Product, Q: Product> Product for (Wide, P, Q) {
    type First = P::First;
    type Slots<'a, const L: usize> = (Wide, P::Slots<'a, L>, Q::Slots<'a, L>);
    type Lanes<const L: usize> = (Wide, P::Lanes<L>, Q::Lanes<L>);
    type Vecs = (Wide, P::Vecs, Q::Vecs);
    type Outs<'a> = (Wide, P::Outs<'a>, Q::Outs<'a>);
    type Locals<'a, 'n: 'a> = (Wide, P::Locals<'a, 'n>, Q::Locals<'a, 'n>);
    type Slices<'a> = (Wide, P::Slices<'a>, Q::Slices<'a>);
    type Bases = (Wide, P::Bases, Q::Bases);

    const BYTES: usize = P::BYTES + Q::BYTES;

    #[cfg_attr(optimised, inline(always))]
    fn zero() -> Self {
        (Wide, P::zero(), Q::zero())
    }

    #[cfg_attr(optimised, inline(always))]
    fn splat<const L: usize>(self) -> Self::Lanes<L> {
        (Wide, self.1.splat(), self.2.splat())
    }

    #[cfg_attr(optimised, inline(always))]
    fn slots<const L: usize>(lanes: &mut Self::Lanes<L>) -> Self::Slots<'_, L> {
        (Wide, P::slots(&mut lanes.1), Q::slots(&mut lanes.2))
    }

    #[cfg_attr(optimised, inline(always))]
    fn slots_from<const W: usize, const L: usize>(
        lanes: &mut Self::Lanes<W>,
        first: usize,
    ) -> Self::Slots<'_, L> {
        let behind = Q::slots_from(&mut lanes.2, first);
        (Wide, P::slots_from(&mut lanes.1, first), behind)
    }

    #[cfg_attr(optimised, inline(always))]
    fn get<const L: usize>(lanes: &Self::Lanes<L>, l: usize) -> Self {
        (Wide, P::get(&lanes.1, l), Q::get(&lanes.2, l))
    }

    #[cfg_attr(optimised, inline(always))]
    fn set<const L: usize>(lanes: &mut Self::Lanes<L>, l: usize, value: Self) {
        P::set(&mut lanes.1, l, value.1);
        Q::set(&mut lanes.2, l, value.2);
    }

    #[cfg_attr(optimised, inline(always))]
    fn whole<const W: usize, const L: usize>(
        lanes: &Self::Lanes<W>,
        first: usize,
    ) -> Self::Lanes<L> {
        (Wide, P::whole(&lanes.1, first), Q::whole(&lanes.2, first))
    }

    #[cfg_attr(optimised, inline(always))]
    fn put_whole<const W: usize, const L: usize>(
        lanes: &Self::Lanes<L>,
        to: &mut Self::Lanes<W>,
        first: usize,
    ) {
        P::put_whole::<W, L>(&lanes.1, &mut to.1, first);
        Q::put_whole::<W, L>(&lanes.2, &mut to.2, first);
    }

    #[cfg_attr(optimised, inline(always))]
    fn firsts<const L: usize>(lanes: &Self::Lanes<L>) -> &[Self::First; L] {
        P::firsts(&lanes.1)
    }

    #[cfg_attr(optimised, inline(always))]
    fn firsts_mut<const L: usize>(lanes: &mut Self::Lanes<L>) -> &mut [Self::First; L] {
        P::firsts_mut(&mut lanes.1)
    }

    fn empty() -> Self::Vecs {
        (Wide, P::empty(), Q::empty())
    }

    fn reserve(vecs: &mut Self::Vecs, n: usize) -> Result<(), Failure> {
        P::reserve(&mut vecs.1, n)?;
        Q::reserve(&mut vecs.2, n)
    }

    fn bases(vecs: &mut Self::Vecs) -> Self::Bases {
        (Wide, P::bases(&mut vecs.1), Q::bases(&mut vecs.2))
    }

    #[cfg_attr(optimised, inline(always))]
    fn slice_bases(slices: &mut Self::Slices<'_>, n: usize) -> Option<Self::Bases> {
        let behind = Q::slice_bases(&mut slices.2, n)?;
        Some((Wide, P::slice_bases(&mut slices.1, n)?, behind))
    }

    #[cfg_attr(optimised, inline(always))]
    fn shortest(slices: &Self::Slices<'_>) -> usize {
        P::shortest(&slices.1).min(Q::shortest(&slices.2))
    }

    #[cfg_attr(optimised, inline(always))]
    fn place_at(self, slices: &mut Self::Slices<'_>, at: usize) {
        self.1.place_at(&mut slices.1, at);
        self.2.place_at(&mut slices.2, at);
    }

    unsafe fn set_len(vecs: &mut Self::Vecs, n: usize) {
        // SAFETY: promised by the caller.
        unsafe {
            P::set_len(&mut vecs.1, n);
            Q::set_len(&mut vecs.2, n);
        }
    }

    fn outs(vecs: &mut Self::Vecs) -> Self::Outs<'_> {
        (Wide, P::outs(&mut vecs.1), Q::outs(&mut vecs.2))
    }

    fn prepare(outs: &mut Self::Outs<'_>, n: usize) -> Result<Self::Bases, Failure> {
        let first = P::prepare(&mut outs.1, n)?;
        Ok((Wide, first, Q::prepare(&mut outs.2, n)?))
    }

    fn at_hand(outs: &mut Self::Outs<'_>, n: usize) -> (Self::Bases, usize) {
        let (first, room) = P::at_hand(&mut outs.1, n);
        let (behind, room_behind) = Q::at_hand(&mut outs.2, n);
        ((Wide, first, behind), room.min(room_behind))
    }

    fn has_slice(outs: &Self::Outs<'_>) -> bool {
        P::has_slice(&outs.1) || Q::has_slice(&outs.2)
    }

    unsafe fn finish_few(outs: Self::Outs<'_>, n: usize) {
        // SAFETY: promised by the caller.
        unsafe {
            P::finish_few(outs.1, n);
            Q::finish_few(outs.2, n);
        }
    }

    unsafe fn finish(outs: Self::Outs<'_>, n: usize) {
        // SAFETY: promised by the caller.
        unsafe {
            P::finish(outs.1, n);
            Q::finish(outs.2, n);
        }
    }

    #[cfg_attr(optimised, inline(always))]
    fn own(locals: &mut Self::Locals<'_, '_>, n: usize) -> Result<Self::Bases, Failure> {
        let first = P::own(&mut locals.1, n)?;
        Ok((Wide, first, Q::own(&mut locals.2, n)?))
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn fill(locals: Self::Locals<'_, '_>, n: usize, written: usize) {
        // SAFETY: promised by the caller.
        unsafe {
            P::fill(locals.1, n, written);
            Q::fill(locals.2, n, written);
        }
    }

    unsafe fn copy_range(from: Self::Bases, to: Self::Bases, range: Range<usize>) {
        // SAFETY: promised by the caller.
        unsafe {
            P::copy_range(from.1, to.1, range.clone());
            Q::copy_range(from.2, to.2, range);
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store<const L: usize>(
        lanes: &Self::Lanes<L>,
        bases: Self::Bases,
        at: usize,
        stream: bool,
    ) {
        // SAFETY: promised by the caller.
        unsafe {
            P::store(&lanes.1, bases.1, at, stream);
            Q::store(&lanes.2, bases.2, at, stream);
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_tile<const N: usize, const L: usize>(
        lanes: &Self::Lanes<N>,
        bases: Self::Bases,
        at: usize,
        stream: bool,
    ) {
        // SAFETY: promised by the caller.
        unsafe {
            P::store_tile::<N, L>(&lanes.1, bases.1, at, stream);
            Q::store_tile::<N, L>(&lanes.2, bases.2, at, stream);
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_from<const L: usize>(
        lanes: &Self::Lanes<L>,
        first: usize,
        bases: Self::Bases,
        at: usize,
        count: usize,
    ) {
        // SAFETY: promised by the caller.
        unsafe {
            P::store_from(&lanes.1, first, bases.1, at, count);
            Q::store_from(&lanes.2, first, bases.2, at, count);
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_part<const L: usize>(
        lanes: &Self::Lanes<PART>,
        bases: Self::Bases,
        at: usize,
        count: usize,
    ) {
        // SAFETY: promised by the caller.
        unsafe {
            P::store_part::<L>(&lanes.1, bases.1, at, count);
            Q::store_part::<L>(&lanes.2, bases.2, at, count);
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_kept<const L: usize>(
        lanes: &Self::Lanes<L>,
        flags: &[bool; L],
        bases: Self::Bases,
        at: usize,
    ) -> usize {
        // SAFETY: promised by the caller.
        unsafe {
            P::store_kept(&lanes.1, flags, bases.1, at);
            Q::store_kept(&lanes.2, flags, bases.2, at)
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn store_few_kept<const L: usize>(
        lanes: &Self::Lanes<PART>,
        (flags, count): (&[bool; PART], usize),
        bases: Self::Bases,
        at: usize,
    ) -> usize {
        // SAFETY: promised by the caller.
        unsafe {
            P::store_few_kept::<L>(&lanes.1, (flags, count), bases.1, at);
            Q::store_few_kept::<L>(&lanes.2, (flags, count), bases.2, at)
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn fetch_at<const L: usize>(
        lanes: &mut Self::Lanes<L>,
        first: usize,
        bases: Self::Bases,
        at: usize,
        count: usize,
    ) {
        // SAFETY: promised by the caller.
        unsafe {
            P::fetch_at(&mut lanes.1, first, bases.1, at, count);
            Q::fetch_at(&mut lanes.2, first, bases.2, at, count);
        }
    }

    #[cfg_attr(optimised, inline(always))]
    fn misses_line(bases: Self::Bases, at: usize) -> usize {
        P::misses_line(bases.1, at)
    }

    #[cfg_attr(optimised, inline(always))]
    fn lane_bases<const L: usize>(lanes: &mut Self::Lanes<L>) -> Self::Bases {
        (
            Wide,
            P::lane_bases(&mut lanes.1),
            Q::lane_bases(&mut lanes.2),
        )
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn room_bases<const L: usize>(room: *mut Self::Lanes<L>) -> Self::Bases {
        // SAFETY: the memory of each part, of which nothing is read.
        unsafe {
            let (first, behind) = (&raw mut (*room).1, &raw mut (*room).2);
            (Wide, P::room_bases(first), Q::room_bases(behind))
        }
    }

    #[cfg_attr(optimised, inline(always))]
    fn first(bases: Self::Bases) -> *mut u8 {
        P::first(bases.1)
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn read(bases: Self::Bases, at: usize) -> Self {
        // SAFETY: promised by the caller.
        unsafe { (Wide, P::read(bases.1, at), Q::read(bases.2, at)) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn put(self, bases: Self::Bases, at: usize) {
        // SAFETY: promised by the caller.
        unsafe {
            self.1.put(bases.1, at);
            self.2.put(bases.2, at);
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn advance(bases: Self::Bases, at: usize) -> Self::Bases {
        // SAFETY: promised by the caller.
        unsafe { (Wide, P::advance(bases.1, at), Q::advance(bases.2, at)) }
    }
}

impl<Q: Product> Kept for (Wide, (bool,), Q) {
    type Values = Q;

    #[cfg_attr(optimised, inline(always))]
    unsafe fn count<const L: usize>(lanes: &Self::Lanes<L>) -> usize {
        // SAFETY: promised by the caller.
        unsafe { set(&lanes.1.0) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn pack<const L: usize>(lanes: &Self::Lanes<L>, bases: Q::Bases, at: usize) -> usize {
        // SAFETY: promised by the caller.
        unsafe { Q::store_kept(&lanes.2, &lanes.1.0, bases, at) }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn pack_few<const L: usize>(
        lanes: &Self::Lanes<PART>,
        count: usize,
        bases: Q::Bases,
        at: usize,
    ) -> usize {
        // SAFETY: promised by the caller.
        unsafe { Q::store_few_kept::<L>(&lanes.2, (&lanes.1.0, count), bases, at) }
    }
}

impl<Q: Product> Placed for (Wide, (usize,), Q) {
    type Targets<'a> = Q::Slices<'a>;

    fn len(targets: &Self::Targets<'_>) -> usize {
        Q::shortest(targets)
    }

    #[cfg_attr(optimised, inline(always))]
    fn index(self) -> usize {
        self.1.0
    }

    #[cfg_attr(optimised, inline(always))]
    fn place(self, targets: &mut Self::Targets<'_>) {
        self.2.place_at(targets, self.1.0);
    }
}
