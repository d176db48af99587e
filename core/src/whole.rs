//! Arrays of lanes as values of vector type.
//!
//! In: arrays of a few numbers. Out: copies.
//! Assumes: nothing. LLVM takes loops over few lanes apart before it looks for vectors, and then finds
//! small ones that fit what is done last, with shuffles between. A copy by vectors says which lanes
//! belong together. It costs nothing: no instruction is left of it.

#[cfg(target_arch = "x86_64")]
use core::mem::MaybeUninit;

use crate::kernel::Element;

/// `N` of the elements, from the `first` on, as one value.
///
/// # Panics
/// When there are fewer.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn whole<T: Element, const N: usize>(xs: &[T], first: usize) -> [T; N] {
    let Some((xs, _)) = xs[first..].split_first_chunk::<N>() else {
        panic!("no {N} lanes from {first} on; please report this");
    };
    #[cfg(target_arch = "x86_64")]
    if crate::memory::is_numbers::<T>() {
        let mut lanes = MaybeUninit::<[T; N]>::uninit();
        // SAFETY: both are `N` numbers, without padding, all of which are written.
        return unsafe {
            copy::<[T; N]>(xs.as_ptr().cast(), lanes.as_mut_ptr().cast());
            lanes.assume_init()
        };
    }
    *xs
}

/// Writes all of the elements to those from the `first` on, as one value.
///
/// # Panics
/// When there are fewer.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn put<T: Element, const N: usize>(xs: &[T; N], to: &mut [T], first: usize) {
    let Some(to) = to[first..].first_chunk_mut::<N>() else {
        panic!("no {N} lanes from {first} on; please report this");
    };
    #[cfg(target_arch = "x86_64")]
    if crate::memory::is_numbers::<T>() {
        // SAFETY: both are `N` numbers, without padding, and `to` is borrowed alone.
        return unsafe { copy::<[T; N]>(xs.as_ptr().cast(), to.as_mut_ptr().cast()) };
    }
    *to = *xs;
}

/// Copies a value by vectors, the longest first.
///
/// No loops up to eight of them, as many as there are of such copies: LLVM's passes over loops would take longer
/// for them than for all else. The conditions are constants.
///
/// # Safety
/// `from` may be read and `to` be written as far as a `T` goes, and they do not overlap; all that is read
/// is initialised.
#[cfg(target_arch = "x86_64")]
#[cfg_attr(optimised, inline(always))]
unsafe fn copy<T>(from: *const u8, to: *mut u8) {
    use core::arch::x86_64::{__m128i, __m256i, __m512i};
    const LONG: usize = size_of::<__m512i>();
    /// Moves a vector.
    ///
    /// # Safety
    /// As for `copy`.
    #[cfg_attr(optimised, inline(always))]
    unsafe fn one<V>(from: *const u8, to: *mut u8, at: usize) {
        // SAFETY: promised by the caller.
        unsafe {
            let vector = from.add(at).cast::<V>().read_unaligned();
            to.add(at).cast::<V>().write_unaligned(vector);
        }
    }
    macro_rules! by {
        ($($at:expr => $vector:ty),+) => { $(
            if const { $at + size_of::<$vector>() <= size_of::<T>() } {
                // SAFETY: it lies in what the caller has promised.
                unsafe { one::<$vector>(from, to, $at) };
            }
        )+ };
    }
    by!(0 => __m512i, LONG => __m512i, 2 * LONG => __m512i, 3 * LONG => __m512i);
    by!(4 * LONG => __m512i, 5 * LONG => __m512i, 6 * LONG => __m512i, 7 * LONG => __m512i);
    if const { size_of::<T>() >= 9 * LONG } {
        for at in (8 * LONG..=size_of::<T>() - LONG).step_by(LONG) {
            // SAFETY: as above.
            unsafe { one::<__m512i>(from, to, at) };
        }
    }
    by!(size_of::<T>() & !63 => __m256i, size_of::<T>() & !31 => __m128i, size_of::<T>() & !15 => u64);
    by!(size_of::<T>() & !7 => u32, size_of::<T>() & !3 => u16, size_of::<T>() & !1 => u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copies<T: Element + PartialEq + std::fmt::Debug, const N: usize>(number: fn(usize) -> T) {
        let xs: Vec<T> = (0..N + 3).map(number).collect();
        assert_eq!(whole::<T, N>(&xs, 2)[..], xs[2..N + 2], "{N} lanes");
        let mut to = vec![T::default(); N + 3];
        put::<T, N>(&whole(&xs, 2), &mut to, 1);
        let nothing = T::default();
        assert_eq!((to[0], to[N + 1], to[N + 2]), (nothing, nothing, nothing));
        assert_eq!(to[1..=N], xs[2..N + 2], "{N} lanes");
    }

    #[test]
    fn all_lanes_are_copied_and_no_others() {
        macro_rules! of {
            ($($lanes:literal)+) => { $(
                copies::<u8, $lanes>(|at| (at % 251) as u8 + 1);
                copies::<u16, $lanes>(|at| at as u16 + 1);
                copies::<f32, $lanes>(|at| at as f32 + 1.0);
                copies::<u64, $lanes>(|at| at as u64 + 1);
                copies::<(f64, f64), $lanes>(|at| (at as f64 + 1.0, 0.5));
                copies::<(u8, u8, u8), $lanes>(|at| ((at % 251) as u8 + 1, 2, 3));
            )+ };
        }
        of!(1 2 3 4 5 7 8 9 15 16 17 21 31 32 33 47 63 64 65 71 72 73 127 128 129 191 255 257);
    }
}
