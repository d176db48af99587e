//! Scatters: values that say themselves where they go.
//!
//! In: a kernel whose values start with an index, and slices. Out: the slices, written to.
//! Assumes: nothing; an index out of range is a failure.

use core::ops::Range;

use crate::blocks::{Visit, each};
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
}

impl<K: Kernel> Task for Scatter<'_, '_, K>
where
    K::Out: Placed,
{
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        let mut flag = Fast::default();
        place::<K, Fast, L, false>(self.kernel, 0..self.n, self.targets, 0, &mut flag);
        flag.violated()
    }
}

/// Places the values of the range; an index out of range is check `id`. `INSIDE` of a nest, or not.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn place<K: Kernel, F: Flag, const L: usize, const INSIDE: bool>(
    kernel: &K,
    range: Range<usize>,
    targets: &mut <K::Out as Placed>::Targets<'_>,
    id: u32,
    flag: &mut F,
) where
    K::Out: Placed,
{
    let len = K::Out::len(targets);
    let mut into = Into::<K> { targets, len, id };
    each::<K, _, F, L, INSIDE>(kernel, range, &mut into, flag);
}

struct Into<'a, 't, K: Kernel>
where
    K::Out: Placed,
{
    targets: &'a mut <K::Out as Placed>::Targets<'t>,
    len: usize,
    id: u32,
}

impl<K: Kernel> Visit<K> for Into<'_, '_, K>
where
    K::Out: Placed,
{
    #[cfg_attr(optimised, inline(always))]
    fn visit<const B: usize, F: Flag>(
        &mut self,
        _at: usize,
        lanes: &<K::Out as Product>::Lanes<B>,
        flag: &mut F,
    ) {
        for l in 0..B {
            let value = K::Out::get(lanes, l);
            let values = [value.index() as i64, self.len as i64, 0];
            flag.check(value.index() >= self.len, self.id, values);
            value.place(self.targets);
        }
    }
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
