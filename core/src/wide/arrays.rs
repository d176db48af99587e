//! What nests, loops and convoys do with the arrays of wide products.
//!
//! In: arrays, rows or parts of arrays, component by component. Out: those of both products, one product
//! after the other. Assumes: nothing; the unsafe methods pass their caller's promises on to each part.

use core::ops::Range;

use super::Wide;
use crate::error::Failure;
use crate::join::{Joined, other_count};
use crate::kernel::Product;
use crate::rooms::Parts;
use crate::rows::Rows;
use crate::states::States;

impl<P: States, Q: States> States for (Wide, P, Q) {
    const FIRST: usize = P::FIRST;
    type Arrays = (Wide, P::Arrays, Q::Arrays);
    type Views<'a> = (Wide, P::Views<'a>, Q::Views<'a>);

    fn none() -> Self::Arrays {
        (Wide, P::none(), Q::none())
    }

    fn views(arrays: &Self::Arrays) -> Self::Views<'_> {
        (Wide, P::views(&arrays.1), Q::views(&arrays.2))
    }

    fn filled(arrays: &mut Self::Arrays, n: usize) -> Option<Self::Bases> {
        let behind = Q::filled(&mut arrays.2, n)?;
        Some((Wide, P::filled(&mut arrays.1, n)?, behind))
    }

    #[inline(always)]
    fn fetch(bases: Self::Bases, at: usize, count: usize) {
        P::fetch(bases.1, at, count);
        Q::fetch(bases.2, at, count);
    }

    #[inline(always)]
    unsafe fn window<'a>(bases: Self::Bases, at: usize, count: usize) -> Self::Views<'a> {
        // SAFETY: promised by the caller.
        unsafe {
            (
                Wide,
                P::window(bases.1, at, count),
                Q::window(bases.2, at, count),
            )
        }
    }

    fn room(arrays: &mut Self::Arrays, n: usize) -> Result<Self::Bases, Failure> {
        let first = P::room(&mut arrays.1, n)?;
        Ok((Wide, first, Q::room(&mut arrays.2, n)?))
    }

    fn zeros(arrays: &mut Self::Arrays, n: usize) -> Result<Self::Bases, Failure> {
        let first = P::zeros(&mut arrays.1, n)?;
        Ok((Wide, first, Q::zeros(&mut arrays.2, n)?))
    }

    fn places(arrays: &mut Self::Arrays) -> Self::Outs<'_> {
        (Wide, P::places(&mut arrays.1), Q::places(&mut arrays.2))
    }

    unsafe fn written(arrays: &mut Self::Arrays, n: usize) {
        // SAFETY: promised by the caller.
        unsafe {
            P::written(&mut arrays.1, n);
            Q::written(&mut arrays.2, n);
        }
    }

    #[inline(always)]
    unsafe fn shift(bases: Self::Bases, from: usize, to: usize, count: usize) {
        // SAFETY: promised by the caller.
        unsafe {
            P::shift(bases.1, from, to, count);
            Q::shift(bases.2, from, to, count);
        }
    }
}

impl<P: Parts, Q: Parts> Parts for (Wide, P, Q) {
    type Rooms<'a> = (Wide, P::Rooms<'a>, Q::Rooms<'a>);

    #[cfg_attr(optimised, inline(always))]
    unsafe fn rooms<'a>(bases: Self::Bases, at: usize, count: usize) -> Self::Rooms<'a> {
        // SAFETY: promised by the caller.
        unsafe {
            (
                Wide,
                P::rooms(bases.1, at, count),
                Q::rooms(bases.2, at, count),
            )
        }
    }

    #[cfg_attr(optimised, inline(always))]
    fn starts(rooms: &mut Self::Rooms<'_>, count: usize) -> Option<Self::Bases> {
        let behind = Q::starts(&mut rooms.2, count)?;
        Some((Wide, P::starts(&mut rooms.1, count)?, behind))
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn full<'a>(rooms: Self::Rooms<'a>) -> Self::Views<'a> {
        // SAFETY: promised by the caller.
        unsafe { (Wide, P::full(rooms.1), Q::full(rooms.2)) }
    }

    #[cfg_attr(optimised, inline(always))]
    fn lie_at(views: Self::Views<'_>, bases: Self::Bases, at: usize, count: usize) -> bool {
        P::lie_at(views.1, bases.1, at, count) && Q::lie_at(views.2, bases.2, at, count)
    }
}

impl<P: Joined, Q: Joined> Joined for (Wide, P, Q) {
    type Ends<'a> = (Wide, P::Ends<'a>, Q::Ends<'a>);
    type Onto<'a, 'e: 'a> = (Wide, P::Onto<'a, 'e>, Q::Onto<'a, 'e>);

    #[cfg_attr(optimised, inline(always))]
    fn ends(vecs: &mut Self::Vecs) -> Self::Ends<'_> {
        (Wide, P::ends(&mut vecs.1), Q::ends(&mut vecs.2))
    }

    #[cfg_attr(optimised, inline(always))]
    fn room(ends: &mut Self::Onto<'_, '_>, n: usize) -> Result<Self::Bases, Failure> {
        let first = P::room(&mut ends.1, n)?;
        Ok((Wide, first, Q::room(&mut ends.2, n)?))
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn grown(ends: Self::Onto<'_, '_>, n: usize) {
        // SAFETY: promised by the caller.
        unsafe {
            P::grown(ends.1, n);
            Q::grown(ends.2, n);
        }
    }

    fn count(vecs: &Self::Vecs) -> usize {
        match (P::count(&vecs.1), Q::count(&vecs.2)) {
            (count, other) if count == other => count,
            _differ => other_count(),
        }
    }

    fn is_full(vecs: &Self::Vecs) -> bool {
        P::is_full(&vecs.1) && Q::is_full(&vecs.2)
    }

    fn give(outs: Self::Outs<'_>, vecs: Self::Vecs) -> Result<(), Failure> {
        P::give(outs.1, vecs.1)?;
        Q::give(outs.2, vecs.2)
    }

    unsafe fn copy(vecs: &Self::Vecs, bases: Self::Bases, at: usize) {
        // SAFETY: promised by the caller.
        unsafe {
            P::copy(&vecs.1, bases.1, at);
            Q::copy(&vecs.2, bases.2, at);
        }
    }

    fn leave(vecs: Self::Vecs) {
        P::leave(vecs.1);
        Q::leave(vecs.2);
    }
}

impl<P: Rows, Q: Rows> Rows for (Wide, P, Q) {
    type Places<'a> = (Wide, P::Places<'a>, Q::Places<'a>);
    type Targets<'a, 'r: 'a> = (Wide, P::Targets<'a, 'r>, Q::Targets<'a, 'r>);
    type Widths = (Wide, P::Widths, Q::Widths);
    type Offsets<'a> = (Wide, P::Offsets<'a>, Q::Offsets<'a>);
    type Uneven = (Wide, P::Uneven, Q::Uneven);
    type Vecs = (Wide, <P as Rows>::Vecs, <Q as Rows>::Vecs);

    fn vecs(vecs: <Self as Product>::Vecs) -> <Self as Rows>::Vecs {
        (Wide, P::vecs(vecs.1), Q::vecs(vecs.2))
    }

    #[cfg_attr(optimised, inline(always))]
    fn slices<'a>(places: &'a mut Self::Places<'_>) -> Self::Slices<'a> {
        (Wide, P::slices(&mut places.1), Q::slices(&mut places.2))
    }

    fn prepare_rows(
        outs: &mut Self::Outs<'_>,
        n: usize,
        widths: Self::Widths,
    ) -> Result<Self::Bases, Failure> {
        let first = P::prepare_rows(&mut outs.1, n, widths.1)?;
        Ok((Wide, first, Q::prepare_rows(&mut outs.2, n, widths.2)?))
    }

    unsafe fn finish_rows(outs: Self::Outs<'_>, n: usize, widths: Self::Widths) {
        // SAFETY: promised by the caller.
        unsafe {
            P::finish_rows(outs.1, n, widths.1);
            Q::finish_rows(outs.2, n, widths.2);
        }
    }

    fn row_bytes(widths: Self::Widths) -> usize {
        P::row_bytes(widths.1).saturating_add(Q::row_bytes(widths.2))
    }

    unsafe fn behind(starts: Self::Bases, widths: Self::Widths, row: usize) -> Self::Bases {
        // SAFETY: promised by the caller.
        unsafe {
            let first = P::behind(starts.1, widths.1, row);
            (Wide, first, Q::behind(starts.2, widths.2, row))
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn row<'a>(
        starts: Self::Bases,
        widths: Self::Widths,
        rows: Range<usize>,
        stream: bool,
    ) -> Self::Places<'a> {
        // SAFETY: promised by the caller.
        unsafe {
            let first = P::row(starts.1, widths.1, rows.clone(), stream);
            (Wide, first, Q::row(starts.2, widths.2, rows, stream))
        }
    }

    fn first_offsets<'a>(offsets: Self::Offsets<'a>, n: usize) -> Option<&'a [i64]> {
        Q::first_offsets(offsets.2, n)?;
        P::first_offsets(offsets.1, n)
    }

    fn totals(offsets: Self::Offsets<'_>, widths: Self::Widths) -> Self::Widths {
        let first = P::totals(offsets.1, widths.1);
        (Wide, first, Q::totals(offsets.2, widths.2))
    }

    #[cfg_attr(optimised, inline(always))]
    fn uneven(
        offsets: Self::Offsets<'_>,
        widths: Self::Widths,
        rows: Range<usize>,
    ) -> Self::Uneven {
        let first = P::uneven(offsets.1, widths.1, rows.clone());
        (Wide, first, Q::uneven(offsets.2, widths.2, rows))
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn uneven_row<'a>(
        starts: Self::Bases,
        at: Self::Uneven,
        stream: bool,
    ) -> Self::Places<'a> {
        // SAFETY: promised by the caller.
        unsafe {
            let first = P::uneven_row(starts.1, at.1, stream);
            (Wide, first, Q::uneven_row(starts.2, at.2, stream))
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn close(
        places: Self::Places<'_>,
        starts: Self::Bases,
        widths: Self::Widths,
        rows: Range<usize>,
    ) {
        // SAFETY: promised by the caller.
        unsafe {
            P::close(places.1, starts.1, widths.1, rows.clone());
            Q::close(places.2, starts.2, widths.2, rows);
        }
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn uneven_close(places: Self::Places<'_>, starts: Self::Bases, at: Self::Uneven) {
        // SAFETY: promised by the caller.
        unsafe {
            P::uneven_close(places.1, starts.1, at.1);
            Q::uneven_close(places.2, starts.2, at.2);
        }
    }

    #[cfg_attr(optimised, inline(always))]
    fn open(targets: &mut Self::Targets<'_, '_>, n: usize) -> Option<(Self::Bases, bool)> {
        let (first, stream) = P::open(&mut targets.1, n)?;
        let (behind, also) = Q::open(&mut targets.2, n)?;
        Some(((Wide, first, behind), stream && also))
    }

    #[cfg_attr(optimised, inline(always))]
    unsafe fn written(targets: Self::Targets<'_, '_>) {
        // SAFETY: promised by the caller.
        unsafe {
            P::written(targets.1);
            Q::written(targets.2);
        }
    }
}
