//! Sorting.
//!
//! In: a kernel that computes keys. Out: the keys in ascending order, or the positions of the elements in
//! the order of their keys, of equal ones the first first.
//! Assumes: nothing.
//!
//! Note \[Order of keys\]. Keys are compared by `Item::bits`, which are unsigned and in the order that
//! the language gives the keys. So a sort of keys is one of numbers, and as equal keys are the same bits,
//! what it gives does not depend on how it goes: not on threads, and not on levels. Positions are sorted
//! together with the keys in front, and no two are equal.

mod buckets;
mod job;
mod lines;
mod near;
mod runs;

use job::{FarPositions, Item, Job, NearPositions, Values};
use runs::{Elements, Runs};

use crate::error::Failure;
use crate::kernel::Kernel;
use crate::memory;
use crate::out::ArrayOut;
use crate::parallel;
use crate::recycle::Buffer;
use crate::rows::Zeroed;
use crate::write::write_to;

/// A scalar of the language as a key.
pub trait Key: Item + Zeroed {
    /// How many of the lowest `Item::bits` are used.
    const BITS: u32;
}

macro_rules! keys {
    ($($t:ty, $bits:literal, $it:ident => $key:expr;)*) => { $(
        impl Item for $t {
            #[inline(always)]
            fn bits(self) -> u64 {
                let $it = self;
                $key as u64
            }

            #[inline(always)]
            fn position(self) -> u64 {
                0
            }
        }

        impl Key for $t {
            const BITS: u32 = $bits;
        }
    )* };
}

/// The bits of a float: what has a sign, in the order of the others turned round, is before what has
/// none. The order of `total_cmp`.
macro_rules! float {
    ($it:ident, $signed:ty, $unsigned:ty) => {{
        let bits = $it.to_bits();
        let sign: $unsigned = 1 << (<$unsigned>::BITS - 1);
        bits ^ ((bits as $signed >> (<$unsigned>::BITS - 1)) as $unsigned | sign)
    }};
}

keys! {
    bool, 1, it => it;
    u8, 8, it => it;
    u16, 16, it => it;
    u32, 32, it => it;
    u64, 64, it => it;
    usize, 64, it => it;
    i8, 8, it => it as u8 ^ (1 << 7);
    i16, 16, it => it as u16 ^ (1 << 15);
    i32, 32, it => it as u32 ^ (1 << 31);
    i64, 64, it => it as u64 ^ (1 << 63);
    f32, 32, it => float!(it, i32, u32);
    f64, 64, it => float!(it, i64, u64);
}

#[cfg(feature = "half")]
keys! {
    half::f16, 16, it => float!(it, i16, u16);
    half::bf16, 16, it => float!(it, i16, u16);
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

/// Writes the positions of keys in their order.
pub(crate) fn argsort_into<T: Key>(
    keys: &[T],
    mut out: ArrayOut<'_, usize>,
) -> Result<(), Failure> {
    let n = keys.len();
    let start = out.prepare(n)?;
    // SAFETY: as in `sort_into`.
    unsafe {
        match T::BITS <= 32 && n <= u32::MAX as usize {
            true => run::<NearPositions<T>>(keys.as_ptr(), start, n, T::BITS)?,
            false => run::<FarPositions<T>>(keys.as_ptr(), start, n, T::BITS)?,
        }
        out.finish(n);
    }
    Ok(())
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
        let mut room = near::Room::new();
        // SAFETY: promised by the caller, and there is room for as many items.
        unsafe { near::sort::<J>(&places(from, to, room.start(), n), bits) };
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
    let first = items.as_vec().as_mut_ptr();
    // SAFETY: promised by the caller, and there is room for `n` items twice.
    unsafe { near::sort::<J>(&places(from, to, first, n), bits) };
    Ok(())
}

/// These places, with items behind the first `n`.
fn places<J: Job>(
    from: *const J::From,
    to: *mut J::To,
    first: *mut J::Item,
    n: usize,
) -> near::Places<J> {
    near::Places {
        from,
        first,
        second: first.wrapping_add(n),
        to,
        n,
    }
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
