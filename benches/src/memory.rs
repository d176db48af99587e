//! Large buffers: fresh vectors written once, huge pages, streaming stores, prefetch.

use rayon::prelude::*;
use std::mem::MaybeUninit;

/// Buffers below this many bytes fit into a cache: they are stored to in the ordinary way.
const STREAM_FROM: usize = 8 << 20;

/// Whether a buffer is so large that storing past the caches wins.
pub fn worth_streaming<T>(buffer: &[T]) -> bool {
    size_of_val(buffer) >= STREAM_FROM
}

/// A vector of `len` elements made by `fill` from uninitialised memory, in huge pages if large.
///
/// # Safety
/// `fill` writes every element of the slice that it is given.
pub unsafe fn fresh<T: Copy>(len: usize, fill: impl FnOnce(&mut [MaybeUninit<T>])) -> Vec<T> {
    let mut out = Vec::with_capacity(len);
    let spare = &mut out.spare_capacity_mut()[..len];
    advise_huge_pages(spare);
    fill(spare);
    // SAFETY: the capacity is at least `len`, and the caller's `fill` wrote every element.
    unsafe { out.set_len(len) };
    out
}

/// A vector with `f(i)` at `i`, made in parallel: for inputs, and for outputs touched before.
pub fn generate<T: Copy + Send>(len: usize, f: impl Fn(usize) -> T + Sync) -> Vec<T> {
    // SAFETY: `enumerate` visits every element.
    unsafe {
        fresh(len, |out| {
            out.par_iter_mut().enumerate().for_each(|(i, slot)| {
                slot.write(f(i));
            });
        })
    }
}

/// A slice seen as one whose elements are about to be written.
pub(crate) fn as_uninit<T: Copy>(slice: &mut [T]) -> &mut [MaybeUninit<T>] {
    // SAFETY: the layouts agree, and the callers in this crate only write initialised elements
    // through the result.
    unsafe { &mut *(std::ptr::from_mut(slice) as *mut [MaybeUninit<T>]) }
}

/// Asks the system for huge pages under a buffer; does nothing where that is unknown.
pub fn advise_huge_pages<T>(buffer: &mut [T]) {
    const HUGE: usize = 2 << 20;
    let start = (buffer.as_mut_ptr() as usize).next_multiple_of(HUGE);
    let end = (buffer.as_mut_ptr() as usize + size_of_val(buffer)) / HUGE * HUGE;
    if start < end {
        huge_pages(start, end - start);
    }
}

#[cfg(target_os = "linux")]
fn huge_pages(start: usize, bytes: usize) {
    use std::ffi::{c_int, c_void};
    const MADV_HUGEPAGE: c_int = 14;
    unsafe extern "C" {
        fn madvise(start: *mut c_void, bytes: usize, advice: c_int) -> c_int;
    }
    // SAFETY: the range is page-aligned and inside one allocation, and this advice changes no contents.
    // A refusal costs speed only.
    unsafe { madvise(start as *mut c_void, bytes, MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn huge_pages(_start: usize, _bytes: usize) {}

/// Brings the cache line `bytes` after `at` closer.
#[inline(always)]
pub fn prefetch<T>(at: *const T, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    prefetch_to::<T, { std::arch::x86_64::_MM_HINT_T0 }>(at, bytes);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (at, bytes);
}

/// Bytes from what is read to what is brought into the second cache besides: on another page, whose reads
/// processors follow apart.
const FAR: usize = 8192;

/// Brings the cache line so far after `at` into the second cache.
#[inline(always)]
pub fn prefetch_far<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    prefetch_to::<T, { std::arch::x86_64::_MM_HINT_T1 }>(at, FAR);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn prefetch_to<T, const CACHE: i32>(at: *const T, bytes: usize) {
    // SAFETY: SSE is part of x86-64, and a prefetch of any address is harmless.
    unsafe { std::arch::x86_64::_mm_prefetch::<CACHE>(at.cast::<i8>().wrapping_add(bytes)) };
}

/// Elements that may be stored in lumps of bytes: no padding.
///
/// # Safety
/// The type has no padding bytes and a size that divides 64.
pub unsafe trait Plain: Copy + Send + Sync {}

// SAFETY: a number of 4 bytes.
unsafe impl Plain for f32 {}
// SAFETY: a number of 4 bytes.
unsafe impl Plain for i32 {}
// SAFETY: a number of 8 bytes.
unsafe impl Plain for f64 {}
// SAFETY: two numbers of 4 bytes, 8 bytes in all.
unsafe impl Plain for (f32, f32) {}

/// Copies `from` to `to` with stores that bypass the caches. End the task with [`fence`].
///
/// # Panics
/// If the lengths differ.
#[inline(always)]
pub fn stream<T: Plain>(to: &mut [MaybeUninit<T>], from: &[T]) {
    assert_eq!(to.len(), from.len());
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
        let head = to.as_ptr().align_offset(16).min(to.len());
        let each = 16 / size_of::<T>();
        let blocks = (to.len() - head) / each;
        copy(&mut to[..head], &from[..head]);
        for block in 0..blocks {
            let at = head + block * each;
            // SAFETY: `at + each` is within both slices, `to` is aligned to 16 from `head` on, and
            // `Plain` has no padding.
            unsafe {
                let bytes = _mm_loadu_si128(from.as_ptr().add(at).cast::<__m128i>());
                _mm_stream_si128(to.as_mut_ptr().add(at).cast::<__m128i>(), bytes);
            }
        }
        let tail = head + blocks * each;
        copy(&mut to[tail..], &from[tail..]);
    }
    #[cfg(not(target_arch = "x86_64"))]
    copy(to, from);
}

/// Copies `from` to `to` in the ordinary way.
#[inline(always)]
pub fn copy<T: Copy>(to: &mut [MaybeUninit<T>], from: &[T]) {
    to.write_copy_of_slice(from);
}

/// Makes streaming stores visible to other threads.
pub fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of x86-64.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_at_any_offset() {
        let from = generate(1000, |i| i as f32);
        for skip in 0..20 {
            let mut to = vec![0.0; 1000];
            stream(as_uninit(&mut to[skip..]), &from[skip..]);
            fence();
            assert_eq!(to[skip..], from[skip..]);
        }
    }
}
