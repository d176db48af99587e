//! Reductions by `min` and `max` of floats, in one instruction per step where that is enough.
//!
//! In: a kernel with an operator that has a rough form. Out: the bits that its exact form gives.
//! Assumes: what `Combine::roughly` says.
//!
//! Note [Rough extremes]: which of two numbers is greater one comparison tells. The language asks for
//! more: a NaN is passed over, and of two zeros the positive one is greater, which takes five
//! operations. Where accumulators start at minus infinity, which no NaN is greater than, the
//! comparison alone passes over NaN as well, and leaves two doubts: a total of zero may have the wrong
//! sign, and one of minus infinity may stand for nothing but NaN. Then the chunk, which is in the
//! cache, is taken again, in the exact form. So that this costs little, elements must be cheap.

use core::ops::Range;

use crate::kernel::{Combine, Fast, Flag, Kernel, Product};
use crate::level::{Task, dispatch};
use crate::product::Bases;
use crate::reduce::strided;

/// Up to this cost elements are computed again rather than combined in the exact form.
pub(crate) const CHEAP: u32 = 8;

/// Whether a kernel's values are combined roughly first, in lanes.
pub(crate) const fn applies<K: Combine, F: Flag, const L: usize>() -> bool {
    K::ROUGH && K::COST <= CHEAP && !F::KEEPS_FIRST && L > 1
}

/// The total of a chunk, which also goes to `keep`. As [`strided`].
#[cfg_attr(optimised, inline(always))]
pub(crate) fn total<K: Combine, F: Flag, const L: usize, const INSIDE: bool>(
    kernel: &K,
    range: Range<usize>,
    keep: Option<Bases<K::Out>>,
    flag: &mut F,
) -> K::Out {
    let rough = Roughly(kernel);
    let total = strided::<Roughly<'_, K>, F, L, INSIDE>(&rough, range.clone(), keep, flag);
    if kernel.is_sure(total) {
        return total;
    }
    exactly(kernel, range)
}

/// A chunk again. What its checks say is known.
#[cold]
#[inline(never)]
pub(crate) fn exactly<K: Combine>(kernel: &K, range: Range<usize>) -> K::Out {
    dispatch(Exactly { kernel, range })
}

struct Exactly<'a, K: Combine> {
    kernel: &'a K,
    range: Range<usize>,
}

impl<K: Combine> Task for Exactly<'_, K> {
    type Out = K::Out;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> K::Out {
        let mut flag = Fast::default();
        strided::<K, Fast, L, false>(self.kernel, self.range, None, &mut flag)
    }
}

/// A kernel whose operator is the rough form.
pub(crate) struct Roughly<'a, K: Combine>(pub(crate) &'a K);

impl<K: Combine> Kernel for Roughly<'_, K> {
    type Out = K::Out;
    const COST: u32 = K::COST;
    const CHECKS: bool = K::CHECKS;
    const OVERHANGS: bool = K::OVERHANGS;

    #[cfg_attr(optimised, inline(always))]
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <K::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        self.0.block::<L, F>(start, out, flag);
    }
}

impl<K: Combine> Combine for Roughly<'_, K> {
    const COMMUTATIVE: bool = K::COMMUTATIVE;

    #[cfg_attr(optimised, inline(always))]
    fn neutral(&self) -> K::Out {
        self.0.rough_start()
    }

    #[cfg_attr(optimised, inline(always))]
    fn combine<F: Flag>(&self, a: K::Out, b: K::Out, _flag: &mut F) -> K::Out {
        self.0.roughly(a, b)
    }
}
