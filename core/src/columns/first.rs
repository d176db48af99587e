//! The first of the least or greatest of columns, in few operations per step.
//!
//! In: a body that finds (`Across::FINDS`), and steps that are few. Out: the bits that its operator gives.
//! Assumes: as Note [First of the greatest] in `first.rs`. Here the steps come one by one for all columns,
//! so each takes the place along with the number: in 32 bits, as wide as most numbers, since there are few
//! steps.

use super::{Across, Work};
use crate::kernel::{Flag, Product};

/// Whether a body's numbers are reduced so.
pub(super) const fn applies<C: Across>() -> bool {
    C::FINDS
}

/// The totals of columns `start .. start + B`; none if the operator itself is to find one of them.
#[inline(always)]
pub(super) fn total<C: Across, F: Flag, const B: usize>(
    work: Work<'_, C>,
    row: usize,
    start: usize,
    flag: &mut F,
) -> Option<<C::Value as Product>::Lanes<B>> {
    let body = work.body;
    let mut acc = body.rough_start().splat::<B>();
    // What is equal to where accumulators start is not taken: if nothing is, the first one stays.
    let mut places = [0_u32; B];
    for k in 0..work.shape.steps {
        let mut lanes = C::Value::zero().splat::<B>();
        body.values::<B, F>(row, start, k, C::Value::slots(&mut lanes), flag);
        for (l, place) in places.iter_mut().enumerate() {
            let old = C::Value::get(&acc, l);
            let next = body.roughly(old, C::Value::get(&lanes, l));
            *place = if body.is_found(old, next) {
                *place
            } else {
                k as u32
            };
            C::Value::set(&mut acc, l, next);
        }
    }
    let mut sure = true;
    for (l, place) in places.into_iter().enumerate() {
        let total = C::Value::get(&acc, l);
        sure &= body.is_sure(total);
        C::Value::set(&mut acc, l, body.found(total, place as usize));
    }
    sure.then_some(acc)
}
