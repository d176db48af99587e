//! Arrays of products whose components lie together or apart.
//!
//! In: one slice of tuples, or a tuple of slices. Out: the reads of `lanes.rs`, of elements of either.
//! Assumes: what those assume; slices of a tuple have one length.
//!
//! A kernel that reads such an array is generic over where its components are, so that neither form
//! is copied into the other, and each is compiled to loads of its own. What is not asked for of an
//! element is not loaded: an element is put together in registers, and LLVM drops the rest.

use core::mem::MaybeUninit;
use core::ops::Range;

use crate::kernel::Element;
use crate::lanes::{self, NonEmpty};

/// The elements of a block of lanes.
pub trait Lanes<E> {
    /// The element of a lane.
    fn at(&self, lane: usize) -> E;
}

/// An array of `E`s that may be read at any index, as [`NonEmpty`].
pub trait Gather<E>: Copy {
    /// The element at `i`, or the last one, or the default value where there is none.
    fn get(&self, i: usize) -> E;
}

/// An array of `E`s: a slice of them, or if these are tuples a tuple of arrays of their components,
/// of one length.
pub trait Elements<E: Element>: Copy + Send + Sync {
    /// The elements of a block, where they are.
    type Block<'b, const L: usize>: Lanes<E>
    where
        Self: 'b;
    /// The elements of a block, moved.
    type Moved<const L: usize>: Lanes<E>;
    /// Room for a block.
    type Room<const L: usize>;
    /// What stands for the last element of an array that has none.
    type None;
    /// See [`Elements::gather`].
    type Gather<'b>: Gather<E>
    where
        Self: 'b;

    /// How many there are.
    fn len(self) -> usize;

    /// Whether there are none.
    #[cfg_attr(optimised, inline(always))]
    fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Some of them. Panics if there are not so many.
    fn part(self, range: Range<usize>) -> Self;

    /// As [`get`](crate::get).
    fn get(self, i: usize) -> E;

    /// As [`load`](crate::load).
    fn load<'b, const L: usize>(self, start: usize) -> Self::Block<'b, L>
    where
        Self: 'b;

    /// As [`load_once`](crate::load_once).
    fn load_once<'b, const L: usize>(self, start: usize) -> Self::Block<'b, L>
    where
        Self: 'b;

    /// As [`load_last`](crate::load_last).
    fn load_last<'b, const L: usize>(self, start: usize, stride: usize) -> Self::Block<'b, L>
    where
        Self: 'b;

    /// As [`load_fetched`](crate::load_fetched).
    fn load_fetched<'b, const L: usize>(self, start: usize, stride: usize) -> Self::Block<'b, L>
    where
        Self: 'b;

    /// As [`load_row`](crate::load_row).
    fn load_row<'b, const L: usize>(self, start: usize) -> Self::Block<'b, L>
    where
        Self: 'b;

    /// As [`load_near`](crate::load_near).
    fn load_near<'b, const L: usize>(
        self,
        start: usize,
        room: &'b mut Self::Room<L>,
    ) -> Self::Block<'b, L>
    where
        Self: 'b;

    /// As [`load_rem`](crate::load_rem).
    fn load_rem<'b, const L: usize>(
        self,
        start: usize,
        by: usize,
        room: &'b mut Self::Room<L>,
    ) -> Self::Block<'b, L>
    where
        Self: 'b;

    /// As [`load_div`](crate::load_div).
    fn load_div<const L: usize>(self, start: usize, by: usize) -> Self::Moved<L>;

    /// As [`load_rev`](crate::load_rev).
    fn load_rev<const L: usize>(self, start: usize) -> Self::Moved<L>;

    /// Room without contents.
    fn room<const L: usize>() -> Self::Room<L>;

    /// See [`Elements::None`].
    fn none() -> Self::None;

    /// The same, to be read at any index.
    fn gather<'b>(self, none: &'b Self::None) -> Self::Gather<'b>
    where
        Self: 'b;
}

impl<E: Element, const L: usize> Lanes<E> for &[E; L] {
    #[cfg_attr(optimised, inline(always))]
    fn at(&self, lane: usize) -> E {
        self[lane]
    }
}

impl<E: Element, const L: usize> Lanes<E> for [E; L] {
    #[cfg_attr(optimised, inline(always))]
    fn at(&self, lane: usize) -> E {
        self[lane]
    }
}

impl<E: Element> Gather<E> for NonEmpty<'_, E> {
    #[cfg_attr(optimised, inline(always))]
    fn get(&self, i: usize) -> E {
        NonEmpty::get(self, i)
    }
}

impl<E: Element> Elements<E> for &[E] {
    type Block<'b, const L: usize>
        = &'b [E; L]
    where
        Self: 'b;
    type Moved<const L: usize> = [E; L];
    type Room<const L: usize> = MaybeUninit<[E; L]>;
    type None = [E; 1];
    type Gather<'b>
        = NonEmpty<'b, E>
    where
        Self: 'b;

    #[cfg_attr(optimised, inline(always))]
    fn len(self) -> usize {
        <[E]>::len(self)
    }

    #[cfg_attr(optimised, inline(always))]
    fn part(self, range: Range<usize>) -> Self {
        &self[range]
    }

    #[cfg_attr(optimised, inline(always))]
    fn get(self, i: usize) -> E {
        lanes::get(self, i)
    }

    #[cfg_attr(optimised, inline(always))]
    fn load<'b, const L: usize>(self, start: usize) -> Self::Block<'b, L>
    where
        Self: 'b,
    {
        lanes::load(self, start)
    }

    #[cfg_attr(optimised, inline(always))]
    fn load_once<'b, const L: usize>(self, start: usize) -> Self::Block<'b, L>
    where
        Self: 'b,
    {
        lanes::load_once(self, start)
    }

    #[cfg_attr(optimised, inline(always))]
    fn load_last<'b, const L: usize>(self, start: usize, stride: usize) -> Self::Block<'b, L>
    where
        Self: 'b,
    {
        lanes::load_last(self, start, stride)
    }

    #[cfg_attr(optimised, inline(always))]
    fn load_fetched<'b, const L: usize>(self, start: usize, stride: usize) -> Self::Block<'b, L>
    where
        Self: 'b,
    {
        lanes::load_fetched(self, start, stride)
    }

    #[cfg_attr(optimised, inline(always))]
    fn load_row<'b, const L: usize>(self, start: usize) -> Self::Block<'b, L>
    where
        Self: 'b,
    {
        lanes::load_row(self, start)
    }

    #[cfg_attr(optimised, inline(always))]
    fn load_near<'b, const L: usize>(
        self,
        start: usize,
        room: &'b mut Self::Room<L>,
    ) -> Self::Block<'b, L>
    where
        Self: 'b,
    {
        lanes::load_near(self, start, room)
    }

    #[cfg_attr(optimised, inline(always))]
    fn load_rem<'b, const L: usize>(
        self,
        start: usize,
        by: usize,
        room: &'b mut Self::Room<L>,
    ) -> Self::Block<'b, L>
    where
        Self: 'b,
    {
        lanes::load_rem(self, start, by, room)
    }

    #[cfg_attr(optimised, inline(always))]
    fn load_div<const L: usize>(self, start: usize, by: usize) -> Self::Moved<L> {
        lanes::load_div(self, start, by)
    }

    #[cfg_attr(optimised, inline(always))]
    fn load_rev<const L: usize>(self, start: usize) -> Self::Moved<L> {
        lanes::load_rev(self, start)
    }

    #[cfg_attr(optimised, inline(always))]
    fn room<const L: usize>() -> Self::Room<L> {
        MaybeUninit::uninit()
    }

    #[cfg_attr(optimised, inline(always))]
    fn none() -> [E; 1] {
        [E::default()]
    }

    #[cfg_attr(optimised, inline(always))]
    fn gather<'b>(self, none: &'b [E; 1]) -> NonEmpty<'b, E>
    where
        Self: 'b,
    {
        NonEmpty::new(self, none)
    }
}

/// Tuples of arrays, each with its number.
macro_rules! apart {
    ($($E:ident $S:ident $i:tt),+) => {
        impl<$($E, $S: Lanes<$E>),+> Lanes<($($E,)+)> for ($($S,)+) {
            #[cfg_attr(optimised, inline(always))]
            fn at(&self, lane: usize) -> ($($E,)+) {
                ($(self.$i.at(lane),)+)
            }
        }

        impl<$($E, $S: Gather<$E>),+> Gather<($($E,)+)> for ($($S,)+) {
            #[cfg_attr(optimised, inline(always))]
            fn get(&self, i: usize) -> ($($E,)+) {
                ($(self.$i.get(i),)+)
            }
        }

        impl<$($E: Element, $S: Elements<$E>),+> Elements<($($E,)+)> for ($($S,)+) {
            type Block<'b, const L: usize> = ($($S::Block<'b, L>,)+) where Self: 'b;
            type Moved<const L: usize> = ($($S::Moved<L>,)+);
            type Room<const L: usize> = ($($S::Room<L>,)+);
            type None = ($($S::None,)+);
            type Gather<'b> = ($($S::Gather<'b>,)+) where Self: 'b;

            #[cfg_attr(optimised, inline(always))]
            fn len(self) -> usize {
                self.0.len()
            }

            #[cfg_attr(optimised, inline(always))]
            fn part(self, range: Range<usize>) -> Self {
                ($(self.$i.part(range.clone()),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn get(self, i: usize) -> ($($E,)+) {
                ($(self.$i.get(i),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn load<'b, const L: usize>(self, start: usize) -> Self::Block<'b, L>
            where Self: 'b
            {
                ($(self.$i.load(start),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn load_once<'b, const L: usize>(self, start: usize) -> Self::Block<'b, L>
            where Self: 'b
            {
                ($(self.$i.load_once(start),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn load_last<'b, const L: usize>(self, start: usize, stride: usize) -> Self::Block<'b, L>
            where Self: 'b
            {
                ($(self.$i.load_last(start, stride),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn load_fetched<'b, const L: usize>(self, start: usize, stride: usize) -> Self::Block<'b, L>
            where Self: 'b
            {
                ($(self.$i.load_fetched(start, stride),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn load_row<'b, const L: usize>(self, start: usize) -> Self::Block<'b, L>
            where Self: 'b
            {
                ($(self.$i.load_row(start),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn load_near<'b, const L: usize>(self, start: usize, room: &'b mut Self::Room<L>) -> Self::Block<'b, L>
            where Self: 'b
            {
                ($(self.$i.load_near(start, &mut room.$i),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn load_rem<'b, const L: usize>(self, start: usize, by: usize, room: &'b mut Self::Room<L>) -> Self::Block<'b, L>
            where Self: 'b
            {
                ($(self.$i.load_rem(start, by, &mut room.$i),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn load_div<const L: usize>(self, start: usize, by: usize) -> Self::Moved<L>
            {
                ($(self.$i.load_div(start, by),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn load_rev<const L: usize>(self, start: usize) -> Self::Moved<L>
            {
                ($(self.$i.load_rev(start),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn room<const L: usize>() -> Self::Room<L> {
                ($($S::room(),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn none() -> Self::None {
                ($($S::none(),)+)
            }

            #[cfg_attr(optimised, inline(always))]
            fn gather<'b>(self, none: &'b Self::None) -> Self::Gather<'b>
            where
                Self: 'b,
            {
                ($(self.$i.gather(&none.$i),)+)
            }
        }
    };
}

apart!(A N 0, B O 1);
apart!(A N 0, B O 1, C P 2);
apart!(A N 0, B O 1, C P 2, D Q 3);
apart!(A N 0, B O 1, C P 2, D Q 3, E R 4);
apart!(A N 0, B O 1, C P 2, D Q 3, E R 4, F S 5);
apart!(A N 0, B O 1, C P 2, D Q 3, E R 4, F S 5, G T 6);
apart!(A N 0, B O 1, C P 2, D Q 3, E R 4, F S 5, G T 6, H U 7);
apart!(A N 0, B O 1, C P 2, D Q 3, E R 4, F S 5, G T 6, H U 7, I V 8);
apart!(A N 0, B O 1, C P 2, D Q 3, E R 4, F S 5, G T 6, H U 7, I V 8, J W 9);
apart!(A N 0, B O 1, C P 2, D Q 3, E R 4, F S 5, G T 6, H U 7, I V 8, J W 9, K X 10);
apart!(A N 0, B O 1, C P 2, D Q 3, E R 4, F S 5, G T 6, H U 7, I V 8, J W 9, K X 10, M Y 11);
