//! Sorts inside of a nest's body. In: as the skeletons of the same names, and a flag. Out: the same bits.
//!
//! Assumes: as `inner.rs`.

use super::{write_rows, write_to};
use crate::error::Failure;
use crate::kernel::{Flag, Kernel, Product};
use crate::out::ArrayOut;
use crate::product::Bases;
use crate::recycle::Buffer;
use crate::rows::{RowOut, Rows, other_length};
use crate::sort::{self, Key, Moves};

/// As [`sort_to`](crate::sort_to). Many keys are shared with other threads all the same.
#[cfg_attr(optimised, inline(always))]
pub fn sort_to<const L: usize, K: Kernel<Out = (T,)>, T: Key, F: Flag>(
    kernel: &K,
    n: usize,
    (mut out,): (ArrayOut<'_, T>,),
    flag: &mut F,
) {
    if const { K::LIES } {
        return tell(flag, || sort::sort_into(&kernel.lies()[..n], out));
    }
    write_to::<L, K, F>(kernel, n, (out.reborrow(),), flag);
    tell(flag, || sort::sort(out.into_slice()));
}

/// The same, into a row of the nest's output.
#[cfg_attr(optimised, inline(always))]
pub fn sort_rows<const L: usize, K: Kernel<Out = (T,)>, T: Key, F: Flag>(
    kernel: &K,
    n: usize,
    (row,): (&mut RowOut<'_, T>,),
    flag: &mut F,
) {
    row.near();
    if const { K::LIES } {
        return tell(flag, || sort::sort_row(&kernel.lies()[..n], row));
    }
    write_rows::<L, K, F>(kernel, n, (row,), flag);
    tell(flag, || sort::sort(row.slice()));
}

/// As [`argsort_to`](crate::argsort_to).
#[cfg_attr(optimised, inline(always))]
pub fn argsort_to<const L: usize, K: Kernel<Out = (T,)>, T: Key, F: Flag>(
    kernel: &K,
    n: usize,
    (out,): (ArrayOut<'_, usize>,),
    flag: &mut F,
) {
    if const { K::LIES } {
        return tell(flag, || sort::argsort_into(&kernel.lies()[..n], out));
    }
    let mut keys = Buffer::new();
    write_to::<L, K, F>(kernel, n, (ArrayOut::buffer(&mut keys),), flag);
    tell(flag, || sort::argsort_into(&keys, out));
}

/// The same, into a row of the nest's output.
#[cfg_attr(optimised, inline(always))]
pub fn argsort_rows<const L: usize, K: Kernel<Out = (T,)>, T: Key, F: Flag>(
    kernel: &K,
    n: usize,
    (row,): (&mut RowOut<'_, usize>,),
    flag: &mut F,
) {
    if const { K::LIES } {
        return tell(flag, || sort::argsort_row(&kernel.lies()[..n], row));
    }
    let mut keys = Buffer::new();
    write_to::<L, K, F>(kernel, n, (ArrayOut::buffer(&mut keys),), flag);
    tell(flag, || sort::argsort_row(&keys, row));
}

/// As [`select_to`](crate::select_to).
#[cfg_attr(optimised, inline(always))]
pub fn select_to<const L: usize, K, T, F, const P: usize>(
    kernel: &K,
    n: usize,
    places: [usize; P],
    flag: &mut F,
) -> [T; P]
where
    K: Kernel<Out = (T,)>,
    T: Key,
    F: Flag,
{
    if const { K::LIES } {
        return keys_at(&kernel.lies()[..n], places, flag);
    }
    let mut keys = Buffer::new();
    write_to::<L, K, F>(kernel, n, (ArrayOut::buffer(&mut keys),), flag);
    keys_at(&keys, places, flag)
}

/// The same of keys in memory: few of them in the level's lanes.
#[cfg_attr(optimised, inline(always))]
fn keys_at<T: Key, F: Flag, const P: usize>(
    keys: &[T],
    places: [usize; P],
    flag: &mut F,
) -> [T; P] {
    if keys.len() <= sort::FEW {
        return sort::few_at(keys, places).map(T::of_bits);
    }
    told(flag, || sort::keys_at(keys, places)).unwrap_or([T::of_number(0); P])
}

/// As [`argselect_to`](crate::argselect_to).
#[cfg_attr(optimised, inline(always))]
pub fn argselect_to<const L: usize, K, T, F, const P: usize>(
    kernel: &K,
    n: usize,
    places: [usize; P],
    flag: &mut F,
) -> [usize; P]
where
    K: Kernel<Out = (T,)>,
    T: Key,
    F: Flag,
{
    if const { K::LIES } {
        return told(flag, || sort::positions_at(&kernel.lies()[..n], places)).unwrap_or([0; P]);
    }
    let mut keys = Buffer::new();
    write_to::<L, K, F>(kernel, n, (ArrayOut::buffer(&mut keys),), flag);
    told(flag, || sort::positions_at(&keys, places)).unwrap_or([0; P])
}

/// As [`sort_elements_to`](crate::sort_elements_to), into slices of length `n`.
///
/// # Panics
/// As [`write`](super::write).
#[cfg_attr(optimised, inline(always))]
pub fn sort_elements<const L: usize, K: Moves, F: Flag>(
    kernel: &K,
    n: usize,
    mut out: <K::To as Product>::Slices<'_>,
    flag: &mut F,
) {
    let Some(to) = K::To::slice_bases(&mut out, n) else {
        other_length(n)
    };
    // SAFETY: the slices have `n` elements, and are this call's alone.
    unsafe { sort_behind::<L, K, F>(kernel, n, Bases::new(to), flag) };
}

/// The same, into arrays of the body's own.
#[cfg_attr(optimised, inline(always))]
pub fn sort_elements_to<const L: usize, K: Moves, F: Flag>(
    kernel: &K,
    n: usize,
    mut outs: <K::To as Product>::Outs<'_>,
    flag: &mut F,
) {
    let to = match K::To::prepare(&mut outs, n) {
        Ok(to) => Bases::new(to),
        Err(failure) => return flag.fail(failure),
    };
    // SAFETY: `prepare` made room for `n`, all of which are written if nothing fails.
    unsafe {
        if sort_behind::<L, K, F>(kernel, n, to, flag) {
            K::To::finish(outs, n);
        }
    }
}

/// The same, into rows of the nest's output.
#[cfg_attr(optimised, inline(always))]
pub fn sort_elements_rows<const L: usize, K: Moves<To: Rows>, F: Flag>(
    kernel: &K,
    n: usize,
    mut rows: <K::To as Rows>::Targets<'_, '_>,
    flag: &mut F,
) {
    let Some((to, _)) = K::To::open(&mut rows, n) else {
        other_length(n)
    };
    // SAFETY: the rows have `n` elements, and are this call's alone; all are written if nothing fails.
    unsafe {
        if sort_behind::<L, K, F>(kernel, n, Bases::new(to), flag) {
            K::To::written(rows);
        }
    }
}

/// Whether nothing has failed; then all results are there.
///
/// # Safety
/// There is room for `n` results at `to`, which nobody else accesses meanwhile.
#[cfg_attr(optimised, inline(always))]
unsafe fn sort_behind<const L: usize, K: Moves, F: Flag>(
    kernel: &K,
    n: usize,
    to: Bases<K::To>,
    flag: &mut F,
) -> bool {
    let mut told = flag.violated();
    let write = |places: <K::Out as Product>::Outs<'_>| {
        write_to::<L, K, F>(kernel, n, places, flag);
        told |= flag.violated();
        if told { Err(Failure::Internal) } else { Ok(()) }
    };
    // SAFETY: promised by the caller.
    let sorted = unsafe { sort::sort_elements(kernel, n, to, write) };
    if let Err(failure) = sorted
        && !told
    {
        flag.fail(failure);
    }
    sorted.is_ok()
}

/// Tells the flag of a failure of what comes after values; after a failure of these nothing does.
#[cfg_attr(optimised, inline(always))]
fn tell<F: Flag>(flag: &mut F, rest: impl FnOnce() -> Result<(), Failure>) {
    told(flag, rest);
}

/// The same of what gives something, if it comes to that.
#[cfg_attr(optimised, inline(always))]
fn told<T, F: Flag>(flag: &mut F, rest: impl FnOnce() -> Result<T, Failure>) -> Option<T> {
    if flag.violated() {
        return None;
    }
    match rest() {
        Ok(value) => Some(value),
        Err(failure) => {
            flag.fail(failure);
            None
        }
    }
}
