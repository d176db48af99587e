//! Sorting.
//!
//! In: a kernel that computes keys. Out: the keys in ascending order, or the positions of the elements in
//! the order of their keys, of equal ones the first first.
//! Assumes: nothing.
//!
//! Note \[Order of keys\]. Keys are compared by [`Item::bits`], which are unsigned and in the order that
//! the language gives the keys. So a sort of keys is one of numbers, and as equal keys are the same bits,
//! what it gives does not depend on how it goes: not on threads, and not on levels. Positions are sorted
//! together with the keys in front, and no two are equal.

mod radix;

use radix::Item;

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
    /// How many of the lowest [`Item::bits`] are used.
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

/// A key of at most 32 bits, and a position.
#[derive(Clone, Copy, Default, Debug)]
struct Near(u64);

impl Item for Near {
    #[inline(always)]
    fn bits(self) -> u64 {
        self.0 >> 32
    }

    #[inline(always)]
    fn position(self) -> u64 {
        self.0 & u64::from(u32::MAX)
    }
}

/// Any key, and a position.
#[derive(Clone, Copy, Default, Debug)]
struct Far {
    key: u64,
    position: u64,
}

impl Item for Far {
    #[inline(always)]
    fn bits(self) -> u64 {
        self.key
    }

    #[inline(always)]
    fn position(self) -> u64 {
        self.position
    }
}

/// The keys of `0..n` in ascending order.
///
/// Cost: `n` bodies and about as many moves of a key as it has bytes, in parallel.
/// Errors: as [`write_to`].
pub fn sort_to<K, T>(kernel: &K, n: usize, (mut out,): (ArrayOut<'_, T>,)) -> Result<(), Failure>
where
    K: Kernel<Out = (T,)>,
    T: Key,
{
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
    let mut keys = Buffer::new();
    write_to(kernel, n, (ArrayOut::buffer(&mut keys),))?;
    argsort_into(&keys, out)
}

/// Sorts keys.
pub(crate) fn sort<T: Key>(keys: &mut [T]) -> Result<(), Failure> {
    radix::sort(keys, T::BITS)
}

/// Writes the positions of keys in their order.
pub(crate) fn argsort_into<T: Key>(
    keys: &[T],
    mut out: ArrayOut<'_, usize>,
) -> Result<(), Failure> {
    let start = out.prepare(keys.len())?;
    // SAFETY: `prepare` made room for as many at `start`, which is this call's alone.
    unsafe { argsort_at(keys, start)? };
    // SAFETY: `argsort_at` has written as many as there are keys.
    unsafe { out.finish(keys.len()) };
    Ok(())
}

/// The same, to memory that may hold nothing yet.
///
/// # Safety
/// There is room for as many positions as there are keys at `out`, which nobody else accesses.
unsafe fn argsort_at<T: Key>(keys: &[T], out: *mut usize) -> Result<(), Failure> {
    if T::BITS <= 32 && keys.len() <= u32::MAX as usize {
        let near = |key: T, at: usize| Near(key.bits() << 32 | at as u64);
        // SAFETY: promised by the caller.
        return unsafe { positions(keys, near, out) };
    }
    let far = |key: T, at: usize| Far {
        key: key.bits(),
        position: at as u64,
    };
    // SAFETY: promised by the caller.
    unsafe { positions(keys, far, out) }
}

/// # Safety
/// As for [`argsort_at`].
unsafe fn positions<T: Key, I: Item>(
    keys: &[T],
    item: impl Fn(T, usize) -> I + Sync,
    out: *mut usize,
) -> Result<(), Failure> {
    /// Few items, which are on the stack.
    const FEW: usize = 64;
    let n = keys.len();
    let out = Shared(out);
    if n <= FEW {
        let mut items = [I::default(); FEW];
        for (at, (place, key)) in items.iter_mut().zip(keys).enumerate() {
            *place = item(*key, at);
        }
        radix::few(&mut items[..n]);
        for (at, item) in items[..n].iter().enumerate() {
            // SAFETY: there is room for `n`, says the caller.
            unsafe { out.write(at, item.position() as usize) };
        }
        return Ok(());
    }
    let mut items: Buffer<I> = Buffer::new();
    let vec = items.as_vec();
    memory::reserve(vec, n)?;
    let start = Shared(vec.as_mut_ptr());
    parallel::for_ranges(n, 1, COST, &|range| {
        for at in range {
            // SAFETY: `at` is below `n`, for which there is room, and this range's alone.
            unsafe { start.write(at, item(keys[at], at)) };
        }
    });
    // SAFETY: all have been written.
    unsafe { vec.set_len(n) };
    radix::sort(vec, T::BITS)?;
    let items: &[I] = vec;
    parallel::for_ranges(n, 1, COST, &|range| {
        for at in range {
            // SAFETY: as above; the caller says that there is room.
            unsafe { out.write(at, items[at].position() as usize) };
        }
    });
    Ok(())
}

/// Operations that it counts as to move an item.
const COST: usize = 16;

/// Memory of which each task writes elements of its own.
struct Shared<T>(*mut T);

impl<T> Shared<T> {
    /// # Safety
    /// There is room for an element `at` there, which nobody else accesses at this time.
    #[inline(always)]
    unsafe fn write(&self, at: usize, value: T) {
        // SAFETY: promised by the caller.
        unsafe { self.0.add(at).write(value) };
    }
}

// SAFETY: whoever writes says that nobody else accesses the element.
unsafe impl<T: Send> Sync for Shared<T> {}
