//! Where emitted code notes that a check was violated.
//!
//! In: conditions, with what they compare. Out: whether one was violated, or the first of them.
//! Assumes: nothing.

use crate::beside::Moves;
use crate::error::Failure;
use crate::kernel::Element;
use crate::lanes::NonEmpty;

/// Where violated checks go.
///
/// Kernels are instantiated twice: with a flag that only ORs ([`Fast`]), in lane blocks at every
/// feature level, and with one that records the first violation and its values ([`Report`]), with
/// one lane, for tails and for the cold re-run.
pub trait Flag {
    /// Whether it keeps the first violation. What runs inside of a nest then computes all values
    /// before it combines any, which is the order of the language.
    const KEEPS_FIRST: bool;
    /// Whether the block that was given this flag reaches over the end of its indices: see
    /// [`Kernel::OVERHANGS`](crate::kernel::Kernel::OVERHANGS).
    const OVERHANGS: bool = false;
    /// Whether a block ends at the first of its checks that is violated: nobody looks at its values then.
    const ENDS: bool = false;
    /// Records a violation of check `id` (an index into the function's table of checks).
    /// Branch-free in [`Fast`].
    fn check(&mut self, violated: bool, id: u32, values: [i64; 3]);
    /// Looks at a check of each lane, where the block reaches over the end; else none is violated.
    #[cfg_attr(optimised, inline(always))]
    fn check_lanes<const L: usize>(&mut self, _violated: &[bool; L]) {}
    /// The element at `i`; of an index that is out of range any.
    #[cfg_attr(optimised, inline(always))]
    fn read<T: Element>(&self, xs: &NonEmpty<'_, T>, i: usize) -> T {
        xs.get(i)
    }
    /// The elements at these indices, or the last one of those that are out of range.
    #[cfg_attr(optimised, inline(always))]
    fn gather<T: Element, const L: usize>(&self, xs: &NonEmpty<'_, T>, at: &[usize; L]) -> [T; L] {
        let mut lanes = [T::default(); L];
        for l in 0..L {
            lanes[l] = xs.get(at[l]);
        }
        lanes
    }
    /// Whether any check was violated so far: loops look at it once per trip, since what is
    /// computed from replaced values may never end.
    fn violated(&self) -> bool;
    /// Records what else went wrong in the body of a nest: there was no memory, say.
    fn fail(&mut self, failure: Failure);
    /// Whether what is recorded from here on counts, where only one of several kernels is asked.
    #[doc(hidden)]
    #[cfg_attr(optimised, inline(always))]
    fn listen(&mut self, _listens: bool) {}
    /// How elements are moved within vectors, where the block that was given this flag may.
    #[doc(hidden)]
    #[cfg_attr(optimised, inline(always))]
    fn moves(&self) -> Option<Moves> {
        None
    }
}

/// The flag of the hot path: remembers *that* something was violated, not what.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fast {
    violated: bool,
}

impl Flag for Fast {
    const KEEPS_FIRST: bool = false;

    #[cfg_attr(optimised, inline(always))]
    fn violated(&self) -> bool {
        self.violated
    }

    #[cfg_attr(optimised, inline(always))]
    fn check(&mut self, violated: bool, _id: u32, _values: [i64; 3]) {
        self.violated |= violated;
    }

    #[inline]
    fn fail(&mut self, _failure: Failure) {
        self.violated = true;
    }
}

/// As [`Fast`], where processors read elements anywhere under a mask: an index that a check has found to be out of
/// range need not be made another one first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Masked(Fast);

impl Flag for Masked {
    const KEEPS_FIRST: bool = false;

    #[cfg_attr(optimised, inline(always))]
    fn violated(&self) -> bool {
        self.0.violated()
    }

    #[cfg_attr(optimised, inline(always))]
    fn check(&mut self, violated: bool, id: u32, values: [i64; 3]) {
        self.0.check(violated, id, values);
    }

    #[cfg_attr(optimised, inline(always))]
    fn read<T: Element>(&self, xs: &NonEmpty<'_, T>, i: usize) -> T {
        match const { matches!(size_of::<T>(), 4 | 8) } {
            true => xs.there(i).unwrap_or_default(),
            // Others are read one by one, each behind a branch.
            false => xs.get(i),
        }
    }

    #[inline]
    fn fail(&mut self, failure: Failure) {
        self.0.fail(failure);
    }
}

/// The flag of tails and of the cold re-run: keeps the first violation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    first: Option<Failure>,
    deaf: bool,
}

impl Report {
    /// The first violation, as the failure that the skeletons return.
    #[inline]
    pub fn failure(&self) -> Option<Failure> {
        self.first
    }
}

impl Flag for Report {
    const KEEPS_FIRST: bool = true;

    #[inline]
    fn violated(&self) -> bool {
        self.first.is_some()
    }

    #[inline]
    fn check(&mut self, violated: bool, id: u32, values: [i64; 3]) {
        if violated {
            self.fail(Failure::Check { id, values });
        }
    }

    #[inline]
    fn fail(&mut self, failure: Failure) {
        if !self.deaf {
            self.first.get_or_insert(failure);
        }
    }

    #[inline]
    fn listen(&mut self, listens: bool) {
        self.deaf = !listens;
    }
}
