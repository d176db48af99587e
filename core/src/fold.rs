//! Sequential folds: values in lane blocks, steps one by one.
//!
//! In: a kernel with a step. Out: the accumulator after all values, left to right.
//! Assumes: nothing.

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

    #[inline(always)]
    fn run<const L: usize>(self) -> (K::Acc, bool) {
        let mut flag = Fast::default();
        let mut acc = self.init;
        let mut lanes = K::Out::zero().splat::<L>();
        let blocks = self.n / L;
        for block in 0..blocks {
            self.kernel
                .block::<L, Fast>(block * L, K::Out::slots(&mut lanes), &mut flag);
            for l in 0..L {
                acc = self.kernel.step(acc, K::Out::get(&lanes, l), &mut flag);
            }
        }
        let mut report = Report::default();
        let acc = steps(self.kernel, blocks * L, self.n, acc, &mut report);
        (acc, flag.violated() || report.violated())
    }
}

/// Steps through `from..to`, one value at a time, up to the first violation.
#[inline(never)]
fn steps<K: Fold>(
    kernel: &K,
    from: usize,
    to: usize,
    mut acc: K::Acc,
    report: &mut Report,
) -> K::Acc {
    for i in from..to {
        let x = one(kernel, i, report);
        acc = kernel.step(acc, x, report);
        if report.violated() {
            break;
        }
    }
    acc
}

#[cold]
#[inline(never)]
fn diagnose<K: Fold>(kernel: &K, n: usize, init: K::Acc) -> Failure {
    let mut report = Report::default();
    steps(kernel, 0, n, init, &mut report);
    report.failure().unwrap_or(Failure::Internal)
}
