//! Scatters: values that say themselves where they go.
//!
//! In: a kernel whose values start with an index, and slices. Out: the slices, written to.
//! Assumes: nothing; an index out of range is a failure.

use crate::error::Failure;
use crate::kernel::{Fast, Flag, Kernel, Product, Report};
use crate::level::{Task, dispatch};
pub use crate::product::Placed;
use crate::write::one;

/// Writes the value of each of `0..n` at its index; of several with one index, the last one stays.
///
/// Cost: `n` bodies in lane blocks, and `n` random writes, on the calling thread.
/// Errors: the violated check of the lowest position; for an index out of range that is check
/// `id`, with the index and the targets' length. After an error the contents are unspecified.
pub fn scatter<K>(
    kernel: &K,
    n: usize,
    mut targets: <K::Out as Placed>::Targets<'_>,
    id: u32,
) -> Result<(), Failure>
where
    K: Kernel,
    K::Out: Placed,
{
    let len = K::Out::len(&targets);
    match dispatch(Scatter {
        kernel,
        n,
        targets: &mut targets,
        len,
    }) {
        true => Err(diagnose(kernel, n, len, id)),
        false => Ok(()),
    }
}

struct Scatter<'a, 't, K: Kernel>
where
    K::Out: Placed,
{
    kernel: &'a K,
    n: usize,
    targets: &'a mut <K::Out as Placed>::Targets<'t>,
    len: usize,
}

impl<K: Kernel> Task for Scatter<'_, '_, K>
where
    K::Out: Placed,
{
    /// Whether a check was violated.
    type Out = bool;

    #[inline(always)]
    fn run<const L: usize>(self) -> bool {
        let mut flag = Fast::default();
        let mut lanes = K::Out::zero().splat::<L>();
        let blocks = self.n / L;
        for block in 0..blocks {
            self.kernel
                .block::<L, Fast>(block * L, K::Out::slots(&mut lanes), &mut flag);
            for l in 0..L {
                let value = K::Out::get(&lanes, l);
                flag.check(value.index() >= self.len, 0, [0; 3]);
                value.place(self.targets);
            }
        }
        flag.violated() | scatter_scalars(self.kernel, blocks * L, self.n, self.targets, self.len)
    }
}

#[inline(never)]
fn scatter_scalars<K: Kernel>(
    kernel: &K,
    from: usize,
    to: usize,
    targets: &mut <K::Out as Placed>::Targets<'_>,
    len: usize,
) -> bool
where
    K::Out: Placed,
{
    let mut report = Report::default();
    for i in from..to {
        let value = one(kernel, i, &mut report);
        report.check(value.index() >= len, 0, [0; 3]);
        value.place(targets);
    }
    report.violated()
}

#[cold]
#[inline(never)]
fn diagnose<K: Kernel>(kernel: &K, n: usize, len: usize, id: u32) -> Failure
where
    K::Out: Placed,
{
    let mut report = Report::default();
    for i in 0..n {
        let index = one(kernel, i, &mut report).index();
        report.check(index >= len, id, [index as i64, len as i64, 0]);
        if report.violated() {
            break;
        }
    }
    report.failure().unwrap_or(Failure::Internal)
}
