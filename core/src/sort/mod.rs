//! Sorting.
//!
//! In: a kernel that computes keys. Out: the keys in ascending order, or the positions of the elements in
//! the order of their keys, of equal ones the first first.
//! Assumes: nothing.
//!
//! Note \[Order of keys\]. What is sorted is `Key::Bits`, which are unsigned and in the order that the
//! language gives the keys: they are made when keys are read for the first time, and keys are made of them
//! when results are written. So a sort of keys is one of numbers, and as equal keys are the same bits,
//! what it gives does not depend on how it goes: not on threads, and not on levels. Positions are sorted
//! together with the keys in front, and no two are equal.

mod buckets;
mod digit;
mod job;
mod lines;
mod near;
mod network;
mod runs;

use job::{FarPositions, Item, Job, NearPositions, Values};
use runs::{Elements, Runs};

use crate::error::Failure;
use crate::kernel::Kernel;
use crate::memory;
use crate::out::ArrayOut;
use crate::parallel;
use crate::recycle::Buffer;
use crate::rows::{RowOut, Zeroed};
use crate::write::write_to;

/// A scalar of the language as a key. Sealed: code rests on it that its bits do not change.
pub trait Key: Zeroed {
    /// Numbers without a sign, in the order of the keys.
    type Bits: Item;
    /// How many of the lowest of `Item::bits` are used.
    const BITS: u32;
    /// The number of a key.
    fn to_bits(self) -> Self::Bits;
    /// The key of a number.
    fn of_bits(bits: Self::Bits) -> Self;
}

macro_rules! keys {
    ($($t:ty as $bits:ty, $count:block, $it:ident => $to:expr, $of:expr;)*) => { $(
        impl Key for $t {
            type Bits = $bits;
            const BITS: u32 = $count;

            #[inline(always)]
            fn to_bits(self) -> $bits {
                let $it = self;
                $to
            }

            #[inline(always)]
            fn of_bits($it: $bits) -> $t {
                $of
            }
        }
    )* };
}

/// Integers: those with a sign have it turned round, so that what is negative is before what is not.
macro_rules! integers {
    ($($t:ty as $bits:ty;)*) => {
        keys! { $(
            $t as $bits, { <$bits>::BITS }, it =>
                it as $bits ^ <$t>::MIN as $bits,
                (it ^ <$t>::MIN as $bits) as $t;
        )* }
    };
}

/// Floats: of what has a sign all bits are turned round, so that the order of the others is, and it is
/// before what has none, whose first bit is turned round. The order of `total_cmp`.
macro_rules! floats {
    ($($t:ty as $bits:ty, $signed:ty;)*) => {
        keys! { $(
            $t as $bits, { <$bits>::BITS }, it => {
                let bits = it.to_bits();
                bits ^ ((bits as $signed >> (<$bits>::BITS - 1)) as $bits | <$signed>::MIN as $bits)
            }, <$t>::from_bits(
                it ^ ((!it as $signed >> (<$bits>::BITS - 1)) as $bits | <$signed>::MIN as $bits)
            );
        )* }
    };
}

keys! { bool as u8, { 1 }, it => u8::from(it), it != 0; }

integers! {
    u8 as u8;
    u16 as u16;
    u32 as u32;
    u64 as u64;
    usize as u64;
    i8 as u8;
    i16 as u16;
    i32 as u32;
    i64 as u64;
}

floats! {
    f32 as u32, i32;
    f64 as u64, i64;
}

#[cfg(feature = "half")]
floats! {
    half::f16 as u16, i16;
    half::bf16 as u16, i16;
}

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
    let start = keys.as_mut_ptr();
    // SAFETY: these are keys, which may be written, and nobody else accesses.
    unsafe { run::<Values<T>>(start, start, keys.len(), T::BITS) }
}

/// Writes keys in their order.
pub(crate) fn sort_into<T: Key>(keys: &[T], mut out: ArrayOut<'_, T>) -> Result<(), Failure> {
    let start = out.prepare(keys.len())?;
    // SAFETY: `prepare` made room for as many at `start`, which is this call's alone; `run` writes all.
    unsafe {
        run::<Values<T>>(keys.as_ptr(), start, keys.len(), T::BITS)?;
        out.finish(keys.len());
    }
    Ok(())
}

/// Writes keys in their order to a row.
///
/// # Panics
/// When it has another length.
pub(crate) fn sort_row<T: Key>(keys: &[T], row: &mut RowOut<'_, T>) -> Result<(), Failure> {
    let (to, n) = row.room();
    assert!(n == keys.len());
    // SAFETY: there is room for `n`, which is this call's alone; `run` writes all.
    unsafe {
        run::<Values<T>>(keys.as_ptr(), to, n, T::BITS)?;
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

/// Writes the positions of keys in their order, all or a failure.
///
/// # Safety
/// There is room for as many at `to`, which nobody else accesses meanwhile, apart from `keys`.
unsafe fn run_positions<T: Key>(keys: &[T], to: *mut usize) -> Result<(), Failure> {
    let (from, n) = (keys.as_ptr(), keys.len());
    // SAFETY: promised by the caller.
    unsafe {
        match T::BITS <= 32 && n <= u32::MAX as usize {
            true => run::<NearPositions<T>>(from, to, n, T::BITS),
            false => run::<FarPositions<T>>(from, to, n, T::BITS),
        }
    }
}

/// Writes the results of `n` elements in the order of the lowest `bits` of these, which are all that is set.
///
/// # Safety
/// There are so many elements at `from`, and there is room for as many results at `to`, which nobody else
/// accesses meanwhile. `to` and `from` are apart or the same.
unsafe fn run<J: Job>(
    from: *const J::From,
    to: *mut J::To,
    n: usize,
    bits: u32,
) -> Result<(), Failure> {
    if n <= near::FEW {
        // SAFETY: promised by the caller.
        unsafe { near::sort_few::<J>(from, to, n) };
        return Ok(());
    }
    // SAFETY: promised by the caller; nobody writes before `elements` has been used for the last time.
    let elements = unsafe { Elements::<J>::new(from, n) };
    match elements.runs() {
        Runs::One => {
            // SAFETY: promised by the caller.
            unsafe { elements.copy(to) };
            return Ok(());
        }
        Runs::Two(middle) if from.addr() != to.addr() => {
            // SAFETY: promised by the caller.
            unsafe { elements.merge(middle, to) };
            return Ok(());
        }
        Runs::Two(middle) => {
            let mut results = Buffer::new();
            memory::reserve(results.as_vec(), n)?;
            let place = results.as_vec().as_mut_ptr();
            // SAFETY: there is room for `n` results at both places.
            unsafe {
                elements.merge(middle, place);
                parallel::copy(place, to, n);
            }
            return Ok(());
        }
        Runs::Many => {}
    }
    if n >= buckets::MANY {
        // SAFETY: promised by the caller.
        return unsafe { buckets::sort::<J>(from, to, n, bits) };
    }
    let mut items = Buffer::new();
    memory::reserve(items.as_vec(), 2 * n)?;
    let items: *mut J::Item = items.as_vec().as_mut_ptr();
    // SAFETY: promised by the caller, and there is room for `n` items twice.
    unsafe {
        (0..n).for_each(|at| items.add(at).write(J::item(*from.add(at), at)));
        let places = near::Places {
            items,
            room: items.add(n),
            to,
            n,
            stream: false,
        };
        near::sort::<J::Rest>(&places, bits);
    }
    Ok(())
}

/// Memory of which each task accesses elements of its own.
struct Shared<T>(*mut T);

impl<T> Shared<T> {
    /// Where element `at` is.
    #[inline(always)]
    fn at(&self, at: usize) -> *mut T {
        self.0.wrapping_add(at)
    }
}

// SAFETY: whoever accesses an element says that nobody else does.
unsafe impl<T: Send> Sync for Shared<T> {}
