//! Reductions that give where the first of the least or greatest numbers stands.
//!
//! In: a kernel that finds (`Combine::FINDS`). Out: the bits that its operator gives.
//! Assumes: what `FINDS`, `roughly` and `is_sure` say.
//!
//! Note [First of the greatest]: to carry an index beside each number, and to tell NaN and zeros apart
//! at each step, costs twenty times what the number alone costs. So the numbers are reduced roughly
//! (Note [Rough extremes]), which leaves the greatest, and the chunk, which is in the cache, is
//! looked through for it: up to the first that is equal. A total that is not sure is found by the
//! operator itself.

use core::ops::Range;

use crate::blocks::single;
use crate::kernel::{Combine, Fast, Flag, Product};
use crate::overhang::{self, PART};
use crate::reduce::strided;
use crate::rough::{CHEAP, Roughly, exactly};

/// Whether a kernel's numbers are reduced before one is looked for.
pub(crate) const fn applies<K: Combine, F: Flag, const L: usize>() -> bool {
    K::FINDS && K::COST <= CHEAP && !F::KEEPS_FIRST && L > 1
}

/// The total of a chunk.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn total<K: Combine, F: Flag, const L: usize, const INSIDE: bool>(
    kernel: &K,
    range: Range<usize>,
    flag: &mut F,
) -> K::Out {
    let rough = Roughly(kernel);
    let total = strided::<Roughly<'_, K>, F, L, INSIDE>(&rough, range.clone(), None, flag);
    if !kernel.is_sure(total) {
        return exactly(kernel, range);
    }
    let at = block_with::<K, L>(kernel, range.clone(), total);
    if const { INSIDE && overhang::applies::<K, F, L>() } {
        return look(kernel, at..range.end, total);
    }
    for i in at..range.end {
        let x = single::<K, Fast, INSIDE>(kernel, i, &mut Fast::default());
        if kernel.is_found(total, x) {
            return x;
        }
    }
    total
}

/// The first index of the block of `L` lanes with the number of a total; of what fills no block if none
/// of them has it.
#[cfg_attr(optimised, inline(always))]
fn block_with<K: Combine, const L: usize>(kernel: &K, range: Range<usize>, total: K::Out) -> usize {
    let mut at = range.start;
    while range.end - at >= L {
        let mut lanes = K::Out::zero().splat::<L>();
        kernel.block::<L, Fast>(at, K::Out::slots(&mut lanes), &mut Fast::default());
        let mut found = false;
        for l in 0..L {
            found |= kernel.is_found(total, K::Out::get(&lanes, l));
        }
        if found {
            break;
        }
        at += L;
    }
    at
}

/// The total of the values of `0..n`, 1 to 64, of a kernel whose blocks may reach over the end.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn few<K: Combine>(kernel: &K, n: usize) -> K::Out {
    let total = overhang::few(&Roughly(kernel), n, None);
    if !kernel.is_sure(total) {
        return exactly(kernel, 0..n);
    }
    look(kernel, 0..n, total)
}

/// The first value of the range with the number of a total, which is there, of a kernel whose blocks may
/// reach over the end.
#[cfg_attr(optimised, inline(always))]
fn look<K: Combine>(kernel: &K, range: Range<usize>, total: K::Out) -> K::Out {
    let mut at = range.start;
    while at < range.end {
        let lanes = overhang::part(kernel, at);
        let mut found = [0_u8; PART];
        for l in 0..PART {
            found[l] = u8::from(kernel.is_found(total, K::Out::get(&lanes, l)));
        }
        let zeros = u128::from_le_bytes(found).trailing_zeros() as usize;
        if zeros < 128 {
            return kernel.found(total, at + zeros / 8);
        }
        at += PART;
    }
    total
}
