//! Sorting.
//!
//! In: a kernel that computes keys. Out: the keys in ascending order, or the positions of the elements, or
//! what is asked for of these (`moved.rs`), in the order of their keys, of equal ones the first first.
//! Assumes: nothing.
//!
//! Note \[Order of keys\]. What is sorted is `Key::Bits`, which are unsigned and in the order that the
//! language gives the keys: they are made when keys are read for the first time, and keys are made of them
//! when results are written. So a sort of keys is one of numbers, and as equal keys are the same bits,
//! what it gives does not depend on how it goes: not on threads, and not on levels. Positions are sorted
//! together with the keys in front, and no two are equal. Elements that move along with their keys keep their
//! order in each pass.

mod along;
mod buckets;
mod digit;
mod items;
mod key;
mod lines;
mod merge;
mod moved;
mod near;
mod network;
mod places;
mod ranks;
mod runs;
mod select;

pub use key::Key;
pub(crate) use moved::sort_elements;
pub use moved::{Keyed, Moves, sort_elements_to};
pub(crate) use ranks::{FEW, few_at};
pub use select::{argselect_to, select_to};
pub(crate) use select::{keys_at, positions_at};

use items::{Far, Item, Items, Keys, Near, Numbered, Rank, Raw, Source};
use merge::Two;
use places::{InOrder, Place, Positions};
use runs::{Elements, Runs};

use crate::error::Failure;
use crate::kernel::Kernel;
use crate::memory;
use crate::out::ArrayOut;
use crate::recycle::Buffer;
use crate::rows::RowOut;
use crate::write::write_to;

/// The keys of `0..n` in ascending order.
///
/// Cost: `n` bodies, unless keys lie in memory, and a few moves of each key, in parallel.
/// Errors: as [`write_to`].
pub fn sort_to<K, T>(kernel: &K, n: usize, (mut out,): (ArrayOut<'_, T>,)) -> Result<(), Failure>
where
    K: Kernel<Out = (T,)>,
    T: Key,
{
    if const { K::LIES } {
        return sort_into(&kernel.lies()[..n], out);
    }
    if const { K::JOINS } && merge_into(kernel.joins(n), out.reborrow())? {
        return Ok(());
    }
    write_to(kernel, n, (out.reborrow(),))?;
    sort(out.into_slice())
}

/// The positions of `0..n` in ascending order of their keys, of equal ones the first first.
///
/// Cost and errors: as [`sort_to`].
pub fn argsort_to<K, T>(kernel: &K, n: usize, (out,): (ArrayOut<'_, usize>,)) -> Result<(), Failure>
where
    K: Kernel<Out = (T,)>,
    T: Key,
{
    if const { K::LIES } {
        return argsort_into(&kernel.lies()[..n], out);
    }
    let mut keys = Buffer::new();
    write_to(kernel, n, (ArrayOut::buffer(&mut keys),))?;
    argsort_into(&keys, out)
}

/// Sorts keys.
pub(crate) fn sort<T: Key>(keys: &mut [T]) -> Result<(), Failure> {
    let (start, n) = (Shared(keys.as_mut_ptr()), keys.len());
    // SAFETY: these are keys, which may be written, and nobody else accesses.
    unsafe { run(Keys(start), InOrder(start), n, T::BITS, true) }
}

/// Writes keys in their order.
pub(crate) fn sort_into<T: Key>(keys: &[T], mut out: ArrayOut<'_, T>) -> Result<(), Failure> {
    let start = out.prepare(keys.len())?;
    // SAFETY: `prepare` made room for as many at `start`, which is this call's alone; `run_keys` writes
    // all.
    unsafe {
        run_keys(keys, start)?;
        out.finish(keys.len());
    }
    Ok(())
}

/// Writes the keys of two arrays in their order if each is in order, as [`merge`](merge::Two) expects; else gives
/// `false`.
fn merge_into<T: Key>(keys: [&[T]; 2], mut out: ArrayOut<'_, T>) -> Result<bool, Failure> {
    let lens = keys.map(<[T]>::len);
    let from = keys.map(|keys| Items(Shared(keys.as_ptr().cast_mut().cast::<Raw<T>>())));
    let start = Shared(out.prepare(lens[0] + lens[1])?.cast::<Raw<T>>());
    // SAFETY: `prepare` made room for as many at `start`, which is this call's alone; `merge` writes all if it
    // says so.
    unsafe {
        let in_order = Two::new(from, lens, 0).merge(Items(start));
        if in_order {
            out.finish(lens[0] + lens[1]);
        }
        Ok(in_order)
    }
}

/// Writes keys in their order to a row.
///
/// # Panics
/// When it has another length.
pub(crate) fn sort_row<T: Key>(keys: &[T], row: &mut RowOut<'_, T>) -> Result<(), Failure> {
    let (to, n) = row.room();
    assert!(n == keys.len());
    // SAFETY: there is room for `n`, which is this call's alone; `run_keys` writes all.
    unsafe {
        run_keys(keys, to)?;
        row.written();
    }
    Ok(())
}

/// Writes the positions of keys in their order.
pub(crate) fn argsort_into<T: Key>(
    keys: &[T],
    mut out: ArrayOut<'_, usize>,
) -> Result<(), Failure> {
    let start = out.prepare(keys.len())?;
    // SAFETY: as in `sort_into`.
    unsafe {
        run_positions(keys, start)?;
        out.finish(keys.len());
    }
    Ok(())
}

/// The same, to a row.
///
/// # Panics
/// When it has another length.
pub(crate) fn argsort_row<T: Key>(keys: &[T], row: &mut RowOut<'_, usize>) -> Result<(), Failure> {
    let (to, n) = row.room();
    assert!(n == keys.len());
    // SAFETY: as in `sort_row`.
    unsafe {
        run_positions(keys, to)?;
        row.written();
    }
    Ok(())
}

/// Writes keys in their order, all or a failure.
///
/// # Safety
/// There is room for as many at `to`, which nobody else accesses meanwhile, apart from `keys`.
unsafe fn run_keys<T: Key>(keys: &[T], to: *mut T) -> Result<(), Failure> {
    let from = Keys(Shared(keys.as_ptr().cast_mut()));
    // SAFETY: promised by the caller.
    unsafe { run(from, InOrder(Shared(to)), keys.len(), T::BITS, false) }
}

/// Writes the positions of keys in their order, all or a failure.
///
/// # Safety
/// There is room for as many at `to`, which nobody else accesses meanwhile, apart from `keys`.
unsafe fn run_positions<T: Key>(keys: &[T], to: *mut usize) -> Result<(), Failure> {
    // SAFETY: promised by the caller.
    unsafe {
        match T::BITS <= 32 && keys.len() <= u32::MAX as usize {
            true => run_ranks::<T, Near>(keys, to),
            false => run_ranks::<T, Far>(keys, to),
        }
    }
}

/// The same, by items of this type, which has room for the positions of all.
///
/// # Safety
/// As for [`run_positions`].
unsafe fn run_ranks<T: Key, R: Rank>(keys: &[T], to: *mut usize) -> Result<(), Failure> {
    let from = Numbered::<T, R>::new(Shared(keys.as_ptr().cast_mut()));
    let to = Positions::<R>::new(Shared(to));
    // SAFETY: promised by the caller.
    unsafe { run(from, to, keys.len(), T::BITS, false) }
}

/// Writes the results of `n` elements in the order of the lowest `bits` of these, which are all that is set.
///
/// # Safety
/// `from` has so many elements, and there is room for as many results at `to`, which nobody else
/// accesses meanwhile. They are apart, or the same if `in_place`.
unsafe fn run<S: Source, P: Place<Item = S::Item>>(
    from: S,
    to: P,
    n: usize,
    bits: u32,
    in_place: bool,
) -> Result<(), Failure> {
    if n <= near::FEW {
        // SAFETY: promised by the caller.
        unsafe { near::sort_few(from, to, n, bits) };
        return Ok(());
    }
    // SAFETY: promised by the caller; nobody writes before `elements` has been used for the last time.
    let elements = unsafe { Elements::new(from, n) };
    match elements.runs() {
        Runs::One => {
            // SAFETY: promised by the caller.
            unsafe { elements.copy(to) };
            return Ok(());
        }
        Runs::Two(middle) if !in_place => {
            // SAFETY: promised by the caller.
            unsafe { elements.merge(middle, to) };
            return Ok(());
        }
        Runs::Two(middle) => {
            let mut items = Buffer::new();
            memory::reserve(items.as_vec(), n)?;
            let place = Shared(items.as_vec().as_mut_ptr());
            // SAFETY: there is room for `n` items there, and all of them once they are merged.
            unsafe {
                elements.merge(middle, Items(place));
                Elements::new(Items(place), n).copy(to);
            }
            return Ok(());
        }
        Runs::Many => {}
    }
    if n >= buckets::MANY {
        // SAFETY: promised by the caller.
        return unsafe { buckets::sort(from, to, n, bits) };
    }
    let mut items = Buffer::new();
    memory::reserve(items.as_vec(), 2 * n)?;
    let items: *mut S::Item = items.as_vec().as_mut_ptr();
    // SAFETY: promised by the caller, and there is room for `n` items twice.
    unsafe {
        // Indices are mostly small numbers of a large type: each digit less is a pass less.
        let (first, mut differ) = (from.item(0).bits(), 0);
        for at in 0..n {
            let item = from.item(at);
            differ |= item.bits() ^ first;
            items.add(at).write(item);
        }
        let places = near::Places {
            items,
            room: items.add(n),
            to,
            n,
            stream: false,
        };
        near::sort(&places, bits.min(u64::BITS - differ.leading_zeros()));
    }
    Ok(())
}

/// Memory of which each task accesses elements of its own.
struct Shared<T>(*mut T);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Shared<T> {}

impl<T> Shared<T> {
    /// Where element `at` is.
    #[inline(always)]
    fn at(&self, at: usize) -> *mut T {
        self.0.wrapping_add(at)
    }
}

// SAFETY: whoever accesses an element says that nobody else does.
unsafe impl<T: Send> Sync for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Send for Shared<T> {}
