//! Minima and maxima of columns, in few operations per step.
//!
//! In: a body whose operator has a rough form. Out: its rough form as a body, which tells whether a
//! total is in doubt; then all is done again in the exact form.
//! Assumes: what `Across::roughly` says. As Note [Rough extremes] in `rough.rs`, but zeros are told
//! apart here: to take the steps of one column again costs as much as to take those of all.

use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use super::Across;
use crate::kernel::{Flag, Product};
use crate::nest::Nest;
use crate::rows::Rows;

/// The rough form of a body.
pub(super) struct Roughly<'a, C: Across> {
    body: &'a C,
    doubt: AtomicBool,
}

impl<'a, C: Across> Roughly<'a, C> {
    pub(super) fn new(body: &'a C) -> Self {
        let doubt = AtomicBool::new(false);
        Roughly { body, doubt }
    }

    /// Whether a result may be wrong.
    pub(super) fn doubts(self) -> bool {
        self.doubt.into_inner()
    }
}

impl<C: Across> Nest for Roughly<'_, C> {
    type Outs = C::Outs;
    const CHECKS: bool = C::CHECKS;

    fn cost(&self) -> usize {
        self.body.cost()
    }

    #[inline(always)]
    fn run<const L: usize, F: Flag>(
        &self,
        index: usize,
        rows: &mut <Self::Outs as Rows>::Places<'_>,
        flag: &mut F,
    ) {
        self.body.run::<L, F>(index, rows, flag);
    }
}

impl<C: Across> Across for Roughly<'_, C> {
    type Value = C::Value;
    type Step<'s>
        = C::Step<'s>
    where
        Self: 's;
    const COST: u32 = C::COST;

    #[inline(always)]
    fn along(&self, row: usize, k: usize, columns: Range<usize>) -> Self::Step<'_> {
        self.body.along(row, k, columns)
    }

    #[inline(always)]
    fn values<const L: usize, F: Flag>(
        &self,
        row: usize,
        start: usize,
        k: usize,
        out: <Self::Value as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        self.body.values::<L, F>(row, start, k, out, flag);
    }

    #[inline(always)]
    fn neutral(&self) -> Self::Value {
        self.body.rough_start()
    }

    #[inline(always)]
    fn combine<F: Flag>(&self, a: Self::Value, b: Self::Value, _flag: &mut F) -> Self::Value {
        self.body.roughly(a, b)
    }

    #[inline(always)]
    fn finish<const L: usize, F: Flag>(
        &self,
        row: usize,
        start: usize,
        totals: &<Self::Value as Product>::Lanes<L>,
        out: <Self::Outs as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        let mut sure = true;
        for l in 0..L {
            sure &= self.body.is_sure(C::Value::get(totals, l));
        }
        if !sure {
            self.doubt.store(true, Ordering::Relaxed);
        }
        self.body.finish::<L, F>(row, start, totals, out, flag);
    }
}
