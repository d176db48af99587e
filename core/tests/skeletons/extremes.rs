//! Maxima that are taken roughly first: the exact form's bits.

use ragged_core::math::{Order, Rough};
use ragged_core::{Combine, Flag, Kernel, Product, load, reduce};

use crate::{SIZES, everywhere, reference};

/// The greatest element, and beside it how many there are.
struct Greatest<'a>(&'a [f32]);

impl Kernel for Greatest<'_> {
    type Out = (f32, u64);
    const COST: u32 = 1;
    const CHECKS: bool = false;

    #[inline(always)]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        (x, one): <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        *x = *load::<f32, L>(self.0, start);
        *one = [1; L];
    }
}

impl Combine for Greatest<'_> {
    const COMMUTATIVE: bool = true;
    const ROUGH: bool = true;

    fn neutral(&self) -> Self::Out {
        (f32::NAN, 0)
    }

    #[inline(always)]
    fn combine<F: Flag>(&self, a: Self::Out, b: Self::Out, _flag: &mut F) -> Self::Out {
        (Order::max(a.0, b.0), a.1 + b.1)
    }

    #[inline(always)]
    fn rough_start(&self) -> Self::Out {
        (f32::NEG_INFINITY, 0)
    }

    #[inline(always)]
    fn roughly(&self, a: Self::Out, b: Self::Out) -> Self::Out {
        (a.0.greater(b.0), a.1 + b.1)
    }

    #[inline(always)]
    fn is_sure(&self, total: Self::Out) -> bool {
        total.0.is_sure()
    }
}

/// NaN counts as one value.
fn bits(x: f32) -> u32 {
    if x.is_nan() { 1 } else { x.to_bits() }
}

fn check(xs: &[f32]) {
    let expected = reference::reduce(xs, Some(f32::NAN), Order::max);
    let expected = expected.map(|most| (bits(most), xs.len() as u64));
    everywhere(|| {
        let found = reduce(&Greatest(xs), xs.len()).unwrap();
        let found = found.map(|(most, count)| (bits(most), count));
        assert_eq!(found, expected, "{} elements", xs.len());
    });
}

#[test]
fn of_numbers_zeros_infinities_and_nan() {
    let sets: [&[f32]; 7] = [
        &[1.5, -2.0, f32::NAN, 0.25, -0.0],
        &[-0.0, -1.0],
        &[-0.0, 0.0, f32::NAN, -3.0],
        &[f32::NAN, -f32::NAN],
        &[f32::NAN, f32::NEG_INFINITY],
        &[f32::INFINITY, 1.0, f32::NAN],
        &[-1.0e-45, -1.0, -0.0],
    ];
    for set in sets {
        for n in SIZES {
            let mut xs: Vec<f32> = (0..n).map(|i| set[i % set.len()]).collect();
            check(&xs);
            // What decides comes last.
            let (first, rest) = (set[0], &set[1..]);
            xs = (0..n).map(|i| rest[i % rest.len()]).collect();
            if let Some(last) = xs.last_mut() {
                *last = first;
            }
            check(&xs);
        }
    }
}
