//! Tuples: of chunks, where items are tuples with arrays in them; of sources, which are read side by
//! side until the shortest ends.
//!
//! Assumes: the chunks of a tuple have as many items, but in [`Beside`](super::Beside).

use core::ops::Range;

use super::beside::{Reading, Sides, Uneven};
use super::chunk::Chunk;
use super::fault::Fault;
use super::item::SeqItem;
use super::results::{Append, Items};
use super::source::Source;
use crate::error::{Failure, Result};

/// An item of each source, of which some are computed: those beside a sequence that has ended are not asked
/// for, so they may not fail. The first that fails counts.
macro_rules! pull_each {
    ($self:ident, $chunk:ident, $left:ident, $($S:ident $i:tt),+) => {{
        let mut each = || {
            let mut failed = Ok(true);
            $(
                let before = $chunk.$i.bytes();
                match $self.$i.pull(&mut $chunk.$i, $left) {
                    Ok(true) => $left -= $chunk.$i.bytes() - before,
                    Err(error) if $S::COMPUTES => failed = failed.and(Err(error)),
                    Ok(false) => return Ok(false),
                    Err(error) => return failed.and(Err(error)),
                }
            )+
            failed
        };
        each()
    }};
}

/// The same, of the sources that are wanted, each as long as something needs it, and that have not had their
/// turn in this round.
macro_rules! rest_of_round {
    ($self:ident, $chunk:ident, $left:ident, $reading:ident, $($S:ident $i:tt),+) => {{
        $(
            if $reading.asks($i) {
                let before = $chunk.$i.bytes();
                match $self.$i.pull(&mut $chunk.$i, $left) {
                    Ok(true) => $left -= $chunk.$i.bytes() - before,
                    Ok(false) => $reading.end($i),
                    Err(error) => $reading.fail($i, $S::COMPUTES, error),
                }
                $reading.has_had($i);
            }
        )+
        let _: usize = $left;
        $reading.end_round()
    }};
}

/// Tuples of this length; for each component a chunk, an item, a marker, a source and its number.
macro_rules! tuples {
    ($($C:ident $I:ident $M:ident $S:ident $i:tt),+) => {
        impl<$($C: Chunk),+> Chunk for ($($C,)+) {
            type Common = ($($C::Common,)+);
            type Places<'a>
                = ($($C::Places<'a>,)+)
            where
                Self: 'a;
            const IS_EVEN: bool = true $(&& $C::IS_EVEN)+;

            #[inline]
            fn items(&self) -> usize {
                self.0.items()
            }

            #[inline]
            fn bytes(&self) -> usize {
                0 $(+ self.$i.bytes())+
            }

            fn clear(&mut self) {
                $(self.$i.clear();)+
            }

            fn truncate(&mut self, items: usize) {
                $(self.$i.truncate(items);)+
            }

            fn part(&self, items: Range<usize>) -> core::result::Result<Self, Failure> {
                Ok(($(self.$i.part(items.clone())?,)+))
            }

            fn gather(&mut self) {
                $(self.$i.gather();)+
            }

            fn leave(&mut self) {
                $(self.$i.leave();)+
            }

            fn item_bytes(&self) -> usize {
                match Self::IS_EVEN {
                    true => 0 $(+ self.$i.item_bytes())+,
                    false => 0,
                }
            }

            fn prepare(&mut self, items: usize) {
                $(self.$i.prepare(items);)+
            }

            #[inline]
            fn places(
                &mut self,
                items: usize,
                common: &Self::Common,
            ) -> core::result::Result<Option<Self::Places<'_>>, Failure> {
                Ok(Some(($(
                    match self.$i.places(items, &common.$i)? {
                        Some(places) => places,
                        None => return Ok(None),
                    },
                )+)))
            }

            fn assume(&mut self, common: &Self::Common) {
                $(self.$i.assume(&common.$i);)+
            }

            fn each_length(&self, tell: &mut dyn FnMut(usize)) {
                $(self.$i.each_length(tell);)+
            }

            fn assume_lengths(&mut self, next: &mut dyn FnMut() -> Option<usize>) {
                $(self.$i.assume_lengths(next);)+
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($C: Chunk, $I: SeqItem<$C, $M>, $M),+> SeqItem<($($C,)+), ($($M,)+)> for ($($I,)+) {
            #[inline]
            fn put(
                self,
                chunk: &mut ($($C,)+),
                common: &mut ($($C::Common,)+),
            ) -> core::result::Result<(), Fault> {
                $(self.$i.put(&mut chunk.$i, &mut common.$i)?;)+
                Ok(())
            }

            #[inline]
            fn place(
                self,
                places: &mut ($($C::Places<'_>,)+),
            ) -> core::result::Result<(), Fault> {
                $(self.$i.place(&mut places.$i)?;)+
                Ok(())
            }
        }

        impl<$($S: Source),+> Source for ($($S,)+) {
            type Chunk = ($($S::Chunk,)+);
            const COMPUTES: bool = false $(|| $S::COMPUTES)+;

            #[inline]
            fn pull(&mut self, chunk: &mut Self::Chunk, largest: usize) -> Result<bool> {
                if const { Self::COMPUTES } {
                    return self.pull_each(chunk, largest);
                }
                let items = chunk.items();
                let mut left = largest;
                let mut each = || {
                    $(
                        let before = chunk.$i.bytes();
                        if !self.$i.pull(&mut chunk.$i, left)? {
                            return Ok(false);
                        }
                        left -= chunk.$i.bytes() - before;
                    )+
                    Ok(true)
                };
                let more = each();
                if !matches!(more, Ok(true)) {
                    chunk.truncate(items);
                    // Those that were not asked any more.
                    self.assume(chunk);
                }
                more
            }

            fn assume(&self, chunk: &mut Self::Chunk) {
                $(self.$i.assume(&mut chunk.$i);)+
            }

            /// Not where items of others have been read in the same round, which are lost.
            fn forgive(&mut self) -> bool {
                !S0::COMPUTES && self.0.forgive()
            }
        }

        impl<$($C: Chunk),+> Uneven for ($($C,)+) {
            #[inline]
            fn longest(&self) -> usize {
                0 $(.max(self.$i.items()))+
            }

            fn part_of_each(
                &self,
                items: Range<usize>,
            ) -> core::result::Result<Self, Failure> {
                Ok(($({
                    let has = self.$i.items();
                    self.$i.part(items.start.min(has)..items.end.min(has))?
                },)+))
            }
        }

        impl<$($S: Source),+> Sides for ($($S,)+) {
            fn pull_each(&mut self, chunk: &mut Self::Chunk, largest: usize) -> Result<bool> {
                let items = chunk.items();
                let mut left = largest;
                let more = pull_each!(self, chunk, left, $($S $i),+);
                if !matches!(more, Ok(true)) {
                    chunk.truncate(items);
                    self.assume(chunk);
                }
                more
            }

            #[inline]
            fn round(
                &mut self,
                chunk: &mut Self::Chunk,
                largest: usize,
                reading: &mut Reading,
            ) -> Result<()> {
                let mut left = largest;
                if const { Self::COMPUTES } {
                    return self.rest_of_round(chunk, largest, reading);
                }
                $(
                    if reading.wants($i) {
                        let before = chunk.$i.bytes();
                        match self.$i.pull(&mut chunk.$i, left) {
                            Ok(true) => left -= chunk.$i.bytes() - before,
                            Ok(false) => reading.end($i),
                            Err(error) => return reading.break_off($i, error),
                        }
                    }
                )+
                let _: usize = left;
                Ok(())
            }

            fn rest_of_round(
                &mut self,
                chunk: &mut Self::Chunk,
                largest: usize,
                reading: &mut Reading,
            ) -> Result<()> {
                let mut left = largest;
                rest_of_round!(self, chunk, left, reading, $($S $i),+)
            }

            fn forgive_one(&mut self, source: u32) -> bool {
                match source {
                    $($i => self.$i.forgive(),)+
                    _none => false,
                }
            }
        }

        impl<$($C: Items),+> Items for ($($C,)+) {
            type Item = ($($C::Item,)+);
            type Lent<'a> = ($($C::Lent<'a>,)+);

            #[inline]
            fn item(&self, i: usize) -> Self::Item {
                ($(self.$i.item(i),)+)
            }

            #[inline]
            fn lent(&self, i: usize) -> Self::Lent<'_> {
                ($(self.$i.lent(i),)+)
            }
        }

        impl<$($C: Append),+> Append for ($($C,)+) {
            fn append_some(
                &mut self,
                more: &Self,
                items: Range<usize>,
                id: u32,
            ) -> core::result::Result<(), Failure> {
                $(self.$i.append_some(&more.$i, items.clone(), id)?;)+
                Ok(())
            }
        }
    };
}

tuples!(C0 I0 M0 S0 0, C1 I1 M1 S1 1);
tuples!(C0 I0 M0 S0 0, C1 I1 M1 S1 1, C2 I2 M2 S2 2);
tuples!(C0 I0 M0 S0 0, C1 I1 M1 S1 1, C2 I2 M2 S2 2, C3 I3 M3 S3 3);
tuples!(C0 I0 M0 S0 0, C1 I1 M1 S1 1, C2 I2 M2 S2 2, C3 I3 M3 S3 3, C4 I4 M4 S4 4);
tuples!(C0 I0 M0 S0 0, C1 I1 M1 S1 1, C2 I2 M2 S2 2, C3 I3 M3 S3 3, C4 I4 M4 S4 4, C5 I5 M5 S5 5);
tuples!(C0 I0 M0 S0 0, C1 I1 M1 S1 1, C2 I2 M2 S2 2, C3 I3 M3 S3 3, C4 I4 M4 S4 4, C5 I5 M5 S5 5, C6 I6 M6 S6 6);
tuples!(C0 I0 M0 S0 0, C1 I1 M1 S1 1, C2 I2 M2 S2 2, C3 I3 M3 S3 3, C4 I4 M4 S4 4, C5 I5 M5 S5 5, C6 I6 M6 S6 6, C7 I7 M7 S7 7);
tuples!(C0 I0 M0 S0 0, C1 I1 M1 S1 1, C2 I2 M2 S2 2, C3 I3 M3 S3 3, C4 I4 M4 S4 4, C5 I5 M5 S5 5, C6 I6 M6 S6 6, C7 I7 M7 S7 7, C8 I8 M8 S8 8);
tuples!(C0 I0 M0 S0 0, C1 I1 M1 S1 1, C2 I2 M2 S2 2, C3 I3 M3 S3 3, C4 I4 M4 S4 4, C5 I5 M5 S5 5, C6 I6 M6 S6 6, C7 I7 M7 S7 7, C8 I8 M8 S8 8, C9 I9 M9 S9 9);
tuples!(C0 I0 M0 S0 0, C1 I1 M1 S1 1, C2 I2 M2 S2 2, C3 I3 M3 S3 3, C4 I4 M4 S4 4, C5 I5 M5 S5 5, C6 I6 M6 S6 6, C7 I7 M7 S7 7, C8 I8 M8 S8 8, C9 I9 M9 S9 9, C10 I10 M10 S10 10);
tuples!(C0 I0 M0 S0 0, C1 I1 M1 S1 1, C2 I2 M2 S2 2, C3 I3 M3 S3 3, C4 I4 M4 S4 4, C5 I5 M5 S5 5, C6 I6 M6 S6 6, C7 I7 M7 S7 7, C8 I8 M8 S8 8, C9 I9 M9 S9 9, C10 I10 M10 S10 10, C11 I11 M11 S11 11);
