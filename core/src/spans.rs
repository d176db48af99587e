//! Parts of arrays that some columns of a row read.
//!
//! In: an array and the columns. Out: blocks of what they read, also some elements further on.
//! Assumes: nothing; a block outside of its array is a panic, never undefined behaviour.
//!
//! What lies a known number of elements beside something else is read by the same address and under
//! the same check: a row of few columns costs less, and the loop over it fewer registers.

use core::ops::Range;

use crate::kernel::Element;
use crate::lanes::fetch_near;

/// What some columns read of an array, and a known number of elements behind it.
pub struct Span<'a, T> {
    xs: &'a [T],
    /// Columns.
    count: usize,
}

/// The elements of `xs` that some columns read, the first of them at `start`, and `more` behind them.
///
/// # Panics
/// When they are not inside of `xs`, which the compiler has to rule out.
#[inline(always)]
pub fn span<'a, T: Element>(
    xs: &'a [T],
    start: usize,
    columns: &Range<usize>,
    more: usize,
) -> Span<'a, T> {
    let count = columns.len();
    let all = count + more;
    assert!(all >= count);
    Span {
        xs: &xs[start..][..all],
        count,
    }
}

impl<T: Element> Span<'_, T> {
    /// The elements that `L` columns from the `at`-th on read, or `further` elements behind those.
    ///
    /// # Panics
    /// When these are not all columns of the span, or are more elements than it has behind them.
    #[inline(always)]
    pub fn block<const L: usize>(&self, at: usize, further: usize) -> &[T; L] {
        // One comparison that does not change in the loop around, and one that is known.
        let starts = (self.count + 1).saturating_sub(L);
        if at >= starts || further > self.xs.len() - self.count {
            outside(at, self.count);
        }
        // SAFETY: `at + L <= count` and `further <= len - count` by the line before; `span` has seen
        // to it that `count <= len`.
        unsafe { &*self.xs.as_ptr().add(at + further).cast::<[T; L]>() }
    }
}

impl<T: Element> Span<'_, T> {
    /// As [`block`](Span::block), of columns that are read once, in order: asks for what comes next, less
    /// far ahead than where one array is read, since these are several rows at once.
    ///
    /// # Panics
    /// As `block`.
    #[inline(always)]
    pub fn fetched<const L: usize>(&self, at: usize, further: usize) -> &[T; L] {
        fetch_near::<T, L>(self.xs, at + further);
        self.block(at, further)
    }
}

#[cold]
#[inline(never)]
fn outside(at: usize, count: usize) -> ! {
    panic!("columns from {at} on are not inside of {count}; please report this");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_behind_a_span_belong_to_it() {
        let xs = [0, 1, 2, 3, 4, 5, 6, 7];
        let span = span(&xs, 1, &(3..8), 2);
        assert_eq!(span.block::<2>(0, 0), &[1, 2]);
        assert_eq!(span.block::<2>(3, 2), &[6, 7]);
        for (at, further) in [(4, 0), (0, 3), (usize::MAX, 0)] {
            let block = std::panic::catch_unwind(|| *span.block::<2>(at, further));
            assert!(block.is_err(), "{at} {further}");
        }
    }

    #[test]
    #[should_panic]
    fn a_span_is_inside_of_its_array() {
        span(&[0; 8], 1, &(3..8), 3);
    }
}
