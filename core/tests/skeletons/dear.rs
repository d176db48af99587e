//! Reductions of many dear values along columns, strip by strip: the stated order, bit for bit.

use std::ops::Range;

use ragged_core::{
    Across, ArrayOut, Flag, Level, Nest, Product, Rows, Shape, StepOf, few_steps_to,
};

use crate::everywhere;

/// More than one chunk, and more than a strip.
const STEPS: usize = 16384 + 1100;

/// The last unit is narrower than a block.
const COLUMNS: usize = 131;

const ROWS: usize = 3;

/// A value that depends on all three.
fn value(row: usize, column: usize, k: usize) -> f32 {
    ((row * 31 + column * 7 + k * 13) % 1009) as f32 * 0.37 - 150.0
}

/// Sums of such values, `FUSED`: added to where they are at levels with fused operations.
struct Sums<const FUSED: bool>;

impl<const FUSED: bool> Nest for Sums<FUSED> {
    type Outs = (f32,);
    const CHECKS: bool = false;
    fn cost(&self) -> usize {
        1
    }
    #[inline(always)]
    fn run<const L: usize, F: Flag>(
        &self,
        _index: usize,
        _rows: &mut <Self::Outs as Rows>::Places<'_>,
        _flag: &mut F,
    ) {
        unreachable!("there are columns for all threads");
    }
}

impl<const FUSED: bool> Across for Sums<FUSED> {
    type Value = (f32,);
    type Step<'s> = StepOf<'s, Self>;
    const COST: u32 = 20;
    const DEAR: bool = true;
    const FUSES: bool = FUSED;
    fn copied(&self) -> Self {
        Sums
    }
    fn reach(&self) -> usize {
        STEPS
    }
    fn along(&self, row: usize, k: usize, columns: Range<usize>) -> Self::Step<'_> {
        StepOf::new(self, row, k, columns)
    }
    #[inline(always)]
    fn values<const L: usize, F: Flag>(
        &self,
        row: usize,
        start: usize,
        k: usize,
        (out,): <Self::Value as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        assert!(start + L <= COLUMNS && k < STEPS);
        *out = std::array::from_fn(|l| value(row, start + l, k));
    }
    #[inline(always)]
    fn accumulate<const L: usize, const HASTY: bool, F: Flag>(
        &self,
        row: usize,
        start: usize,
        k: usize,
        (out,): <Self::Value as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        assert!(FUSED && Level::current() >= Level::V3);
        assert!(start + L <= COLUMNS && k < STEPS);
        for (l, out) in out.iter_mut().enumerate() {
            *out += value(row, start + l, k);
        }
    }
    fn neutral(&self) -> (f32,) {
        (-0.0,)
    }
    #[inline(always)]
    fn combine<F: Flag>(&self, a: (f32,), b: (f32,), _flag: &mut F) -> (f32,) {
        (a.0 + b.0,)
    }
    #[inline(always)]
    fn finish<const L: usize, F: Flag>(
        &self,
        _row: usize,
        _start: usize,
        totals: &<Self::Value as Product>::Lanes<L>,
        (out,): <Self::Outs as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        *out = totals.0;
    }
}

/// A sum in the stated order: 64 accumulators for each chunk, a tree over them, chunk after chunk.
fn expected(row: usize, column: usize) -> f32 {
    let steps: Vec<usize> = (0..STEPS).collect();
    let totals = steps.chunks(16384).map(|chunk| {
        let mut acc = [-0.0_f32; 64];
        for (at, k) in chunk.iter().enumerate() {
            acc[at % 64] += value(row, column, *k);
        }
        for half in [32, 16, 8, 4, 2, 1] {
            for l in 0..half {
                acc[l] += acc[l + half];
            }
        }
        acc[0]
    });
    totals.reduce(|a, b| a + b).expect("there are steps")
}

#[test]
fn columns_of_many_dear_values_keep_the_order() {
    keeps_the_order(&Sums::<false>);
}

#[test]
fn columns_that_are_added_to_where_they_are_keep_the_order() {
    keeps_the_order(&Sums::<true>);
}

fn keeps_the_order<const FUSED: bool>(body: &Sums<FUSED>) {
    let each = (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| expected(row, column)));
    let expected: Vec<u32> = each.map(f32::to_bits).collect();
    everywhere(|| {
        let shape = Shape {
            rows: ROWS,
            columns: COLUMNS,
            steps: STEPS,
        };
        let mut sums = Vec::new();
        few_steps_to(body, shape, (1,), (ArrayOut::vec(&mut sums),)).expect("nothing fails");
        let found: Vec<u32> = sums.into_iter().map(f32::to_bits).collect();
        assert_eq!(found, expected);
    });
}
