//! Sequential folds: values in lane blocks, steps one by one.
//!
//! In: a kernel with a step. Out: the accumulator after all values, left to right.
//! Assumes: nothing.

use crate::blocks::{Visit, each};
use crate::error::Failure;
use crate::kernel::{Fast, Flag, Fold, Product, Report};
use crate::level::{Task, dispatch};
use crate::write::one;

/// `init` stepped through the values of `0..n`, left to right, on the calling thread.
///
/// Cost: `n` bodies in lane blocks, and `n` steps, each after the one before.
/// Errors: the violated check of the lowest index; at one index, the body's before the step's.
pub fn fold<K: Fold>(kernel: &K, n: usize, init: K::Acc) -> Result<K::Acc, Failure> {
    let (acc, violated) = dispatch(Steps { kernel, n, init });
    match violated {
        true => Err(diagnose(kernel, n, init)),
        false => Ok(acc),
    }
}

struct Steps<'a, K: Fold> {
    kernel: &'a K,
    n: usize,
    init: K::Acc,
}

impl<K: Fold> Task for Steps<'_, K> {
    /// The accumulator; whether a check was violated.
    type Out = (K::Acc, bool);

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> (K::Acc, bool) {
        let Steps { kernel, n, init } = self;
        let mut flag = Fast::default();
        let acc = steps::<K, Fast, L, false>(kernel, n, init, &mut flag);
        (acc, flag.violated())
    }
}

/// `init` stepped through the values of `0..n`; `INSIDE` of a nest, or not.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn steps<K: Fold, F: Flag, const L: usize, const INSIDE: bool>(
    kernel: &K,
    n: usize,
    init: K::Acc,
    flag: &mut F,
) -> K::Acc {
    let mut stepped = Stepped { kernel, acc: init };
    each::<K, _, F, L, INSIDE>(kernel, 0..n, &mut stepped, flag);
    stepped.acc
}

struct Stepped<'a, K: Fold> {
    kernel: &'a K,
    acc: K::Acc,
}

impl<K: Fold> Visit<K> for Stepped<'_, K> {
    #[cfg_attr(optimised, inline(always))]
    fn visit<const B: usize, F: Flag>(
        &mut self,
        _at: usize,
        lanes: &<K::Out as Product>::Lanes<B>,
        flag: &mut F,
    ) {
        for l in 0..B {
            self.acc = self.kernel.step(self.acc, K::Out::get(lanes, l), flag);
        }
    }
}

/// Steps up to the first violation.
#[cold]
#[inline(never)]
fn diagnose<K: Fold>(kernel: &K, n: usize, init: K::Acc) -> Failure {
    let mut report = Report::default();
    let mut acc = init;
    for i in 0..n {
        let x = one(kernel, i, &mut report);
        acc = kernel.step(acc, x, &mut report);
        if report.violated() {
            break;
        }
    }
    report.failure().unwrap_or(Failure::Internal)
}
