//! Memory for results: fallible, uninitialised, in huge pages where large.
//!
//! In: a vector and a number of elements. Out: room for them, or a failure.
//! Assumes: a Linux kernel for the advice about huge pages; elsewhere there is none.

use crate::error::Failure;

/// Vectors from this size on ask for huge pages.
const HUGE: usize = 4 << 20;

/// Empties `vec` and makes room for `n` elements.
///
/// Errors: `OutOfMemory` when the allocator refuses, or when the size does not fit into `isize`.
pub(crate) fn reserve<T>(vec: &mut Vec<T>, n: usize) -> Result<(), Failure> {
    vec.clear();
    if vec.capacity() >= n {
        return Ok(());
    }
    // A new vector: growing would copy nothing, but may move the old pages about.
    *vec = Vec::new();
    vec.try_reserve_exact(n).map_err(|_| Failure::OutOfMemory {
        bytes: n.saturating_mul(size_of::<T>()),
    })?;
    let bytes = n * size_of::<T>();
    if bytes >= HUGE {
        advise_huge(vec.as_mut_ptr().cast(), bytes);
    }
    Ok(())
}

/// Asks the kernel to back the whole pages of a range by huge ones. Only speed depends on it.
#[cfg(target_os = "linux")]
fn advise_huge(start: *mut u8, bytes: usize) {
    use core::ffi::{c_int, c_void};
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    const MADV_HUGEPAGE: c_int = 14;
    const PAGE: usize = 4096;
    let skip = start.align_offset(PAGE);
    if skip >= bytes {
        return;
    }
    let length = (bytes - skip) & !(PAGE - 1);
    // SAFETY: the range lies inside of an allocation of `bytes` bytes (the check above), and this
    // advice changes no contents; on failure nothing happens.
    unsafe { madvise(start.wrapping_add(skip).cast(), length, MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise_huge(_start: *mut u8, _bytes: usize) {}

/// Writes one block of lanes to `to`, round the caches where `stream` asks for it and alignment
/// allows it.
///
/// # Safety
/// `to` is valid for writing the block.
#[inline(always)]
pub(crate) unsafe fn store<T: Copy, const L: usize>(lanes: &[T; L], to: *mut T, stream: bool) {
    let _ = stream;
    // SAFETY: promised by the caller; a local block does not overlap the output.
    unsafe { core::ptr::copy_nonoverlapping(lanes.as_ptr(), to, L) }
}
