//! Searches: the first index is found whoever finds it, and what is far behind it is not looked at.

use std::sync::atomic::{AtomicUsize, Ordering};

use ragged_core::kernel::{Combine, Flag, Kernel, Operator, Product};
use ragged_core::{reduce, reduce_from, reduce_on};

use crate::{SIZES, everywhere};

/// Every third index from one on, or none; counts the indices that it is asked for.
///
/// `IN_PARTS`: a part of the condition holds for these, and before them for one index in [`PARTS`].
struct Thirds<const IN_PARTS: bool = false> {
    from: usize,
    asked: AtomicUsize,
}

const PARTS: usize = 20_000;

impl<const IN_PARTS: bool> Thirds<IN_PARTS> {
    fn new(from: usize) -> Self {
        let asked = AtomicUsize::new(0);
        Thirds { from, asked }
    }

    fn holds_at(&self, i: usize) -> bool {
        i >= self.from && (i - self.from).is_multiple_of(3)
    }
}

impl<const IN_PARTS: bool> Kernel for Thirds<IN_PARTS> {
    type Out = (usize,);
    const COST: u32 = 1000;
    const CHECKS: bool = false;

    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (out,): <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        let mut holds = [false; L];
        self.holds::<L, F>(start, &mut holds, flag);
        for l in 0..L {
            out[l] = if holds[l] { start + l } else { usize::MAX };
        }
    }
}

impl<const IN_PARTS: bool> Combine for Thirds<IN_PARTS> {
    const COMMUTATIVE: bool = true;
    const OPERATOR: Operator = Operator::Least;
    const SEEKS: bool = true;
    const IN_THREES: bool = true;
    const IN_PARTS: bool = IN_PARTS;

    fn neutral(&self) -> Self::Out {
        (usize::MAX,)
    }

    #[inline(always)]
    fn combine<F: Flag>(&self, a: Self::Out, b: Self::Out, _flag: &mut F) -> Self::Out {
        (a.0.min(b.0),)
    }

    #[inline(always)]
    fn holds<const L: usize, F: Flag>(&self, start: usize, out: &mut [bool; L], _flag: &mut F) {
        self.asked.fetch_add(L, Ordering::Relaxed);
        for l in 0..L {
            out[l] = self.holds_at(start + l);
        }
    }

    #[inline(always)]
    fn may_hold<const L: usize, F: Flag>(&self, start: usize, out: &mut [bool; L], _flag: &mut F) {
        for l in 0..L {
            out[l] = (start + l).is_multiple_of(PARTS) || self.holds_at(start + l);
        }
    }

    fn number(&self, index: usize) -> Self::Out {
        (index,)
    }

    fn index(&self, (index,): Self::Out) -> usize {
        index
    }
}

#[test]
fn the_first_is_found_wherever_it_is() {
    everywhere(|| {
        for n in SIZES {
            for from in [0, 1, 383, 384, 385, n / 2, n.saturating_sub(1), n] {
                found_everywhere::<false>(from, n);
                found_everywhere::<true>(from, n);
            }
        }
    });
}

fn found_everywhere<const IN_PARTS: bool>(from: usize, n: usize) {
    let thirds = &Thirds::<IN_PARTS>::new(from);
    let found = if from < n { from } else { usize::MAX };
    let total = reduce(thirds, n);
    assert_eq!(total, Ok((n > 0).then_some((found,))), "{from} of {n}");
    let total = reduce_from(thirds, n, (7,));
    assert_eq!(total, Ok((found.min(7),)), "{from} of {n}");
    let total = reduce_on(thirds, n, (7,));
    assert_eq!(total, Ok((found.min(7),)), "{from} of {n}");
}

/// It would not end in a lifetime if it asked all.
#[test]
fn a_search_ends_at_what_it_finds() {
    everywhere(|| {
        for (from, most) in [(0, 384), (300, 384), (1_000_000, 1_050_000)] {
            let thirds = Thirds::<false>::new(from);
            assert_eq!(reduce(&thirds, 1 << 40), Ok(Some((from,))));
            let asked = thirds.asked.into_inner();
            assert!(asked <= most, "{asked} asked for {from}");
        }
    });
}

/// One block of at most 96 indices for each of the fifty for which the part holds; what is sought first in its
/// whole where it goes value by value.
#[test]
fn a_search_asks_for_a_part_of_the_condition_first() {
    everywhere(|| {
        let thirds = Thirds::<true>::new(1_000_000);
        assert_eq!(reduce(&thirds, 1 << 40), Ok(Some((1_000_000,))));
        let asked = thirds.asked.into_inner();
        assert!(asked <= 6_000, "{asked} asked");
    });
}
