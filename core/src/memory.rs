//! Memory for results: fallible, uninitialised, in huge pages where large.
//!
//! In: a vector and a number of elements. Out: room for them, or a failure.
//! Assumes: a Linux kernel for the advice about huge pages; elsewhere there is none.

#[cfg(target_arch = "x86_64")]
use core::any::TypeId;
#[cfg(target_arch = "x86_64")]
use core::arch::{asm, x86_64::*};
#[cfg(target_os = "linux")]
use core::ffi::{c_int, c_void};

use crate::budget;
use crate::error::Failure;
use crate::kernel::{Element, Product};
#[cfg(target_arch = "x86_64")]
use crate::level::{MAX_LANES, has_lanes};
use crate::overhang::PART;
use crate::recycle;

/// Vectors from this size on ask for huge pages.
const HUGE: usize = 4 << 20;

/// Empties `vec` and makes room for `n` elements.
///
/// Errors: `OutOfMemory` when the allocator refuses, or a step's budget, or when the size does not fit
/// into `isize`.
pub(crate) fn reserve<T: Element>(vec: &mut Vec<T>, n: usize) -> Result<(), Failure> {
    if vec.capacity() < n && !recycle::in_body() {
        budget::give(vec.capacity() * size_of::<T>());
        budget::take(n.saturating_mul(size_of::<T>()))?;
    }
    reserve_aside(vec, n)
}

/// The same of what is not counted: see Note \[Budgets\] in `budget`.
pub(crate) fn reserve_aside<T: Element>(vec: &mut Vec<T>, n: usize) -> Result<(), Failure> {
    vec.clear();
    if vec.capacity() >= n {
        return Ok(());
    }
    // A new vector: growing would copy nothing, but may move the old pages about.
    *vec = Vec::new();
    if let Some(kept) = recycle::take(n) {
        *vec = kept;
        return Ok(());
    }
    vec.try_reserve_exact(n).map_err(|_| Failure::OutOfMemory {
        bytes: n.saturating_mul(size_of::<T>()),
    })?;
    advise_huge(vec.as_mut_ptr().cast(), n * size_of::<T>());
    Ok(())
}

/// A vector with room for `n` elements, for what users make.
pub(crate) fn with_room<T>(n: usize) -> Vec<T> {
    let mut vec = Vec::<T>::with_capacity(n);
    advise_huge(vec.as_mut_ptr().cast(), n.saturating_mul(size_of::<T>()));
    vec
}

/// As [`reserve`]; gives where the room starts, which is at a cache line.
pub(crate) fn reserve_lines<T: Element>(vec: &mut Vec<T>, n: usize) -> Result<*mut T, Failure> {
    let line = (LINE / size_of::<T>().max(1)).max(1);
    reserve(vec, n.saturating_add(line))?;
    let start = vec.as_mut_ptr();
    Ok(start.wrapping_add((line - misses_line(start, 0)) % line))
}

/// Asks the kernel to back the whole pages of a range by huge ones, if it is large. Only speed depends on it.
#[cfg(target_os = "linux")]
fn advise_huge(start: *mut u8, bytes: usize) {
    const MADV_HUGEPAGE: c_int = 14;
    let skip = start.align_offset(PAGE);
    if bytes < HUGE || skip >= bytes {
        return;
    }
    let length = (bytes - skip) & !(PAGE - 1);
    // SAFETY: the range lies inside of an allocation of `bytes` bytes (the check above), and this
    // advice changes no contents; on failure nothing happens.
    unsafe { madvise(start.wrapping_add(skip).cast(), length, MADV_HUGEPAGE) };
}

/// Whether the system has not given pages to these bytes yet, by that in the middle: it will clear each
/// page when it is first written, and leave it in the caches. Only speed depends on it.
#[cfg(target_os = "linux")]
pub(crate) fn is_new(start: *const u8, bytes: usize) -> bool {
    let middle = start.wrapping_add(bytes / 2);
    let page = middle.wrapping_sub(middle.addr() % PAGE);
    let mut there = 1;
    // SAFETY: `mincore` reads no memory and writes one byte per page; addresses that are not mapped
    // are an error, after which the page counts as there.
    unsafe { mincore(page.cast_mut().cast(), PAGE, &raw mut there) == 0 && there & 1 == 0 }
}

#[cfg(target_os = "linux")]
const PAGE: usize = 4096;

#[cfg(target_os = "linux")]
unsafe extern "C" {
    fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    fn mincore(address: *mut c_void, length: usize, there: *mut u8) -> c_int;
}

#[cfg(not(target_os = "linux"))]
fn advise_huge(_start: *mut u8, _bytes: usize) {}

#[cfg(not(target_os = "linux"))]
pub(crate) fn is_new(_start: *const u8, _bytes: usize) -> bool {
    false
}

/// Results of at least so many bytes are written round the caches, which they would not fit into.
const STREAM: usize = 32 << 20;

/// The bytes of a cache line.
pub(crate) const LINE: usize = 64;

/// Whether `n` elements of this product are to be written round the caches.
pub(crate) fn streams<P: Product>(n: usize) -> bool {
    beyond_caches(n.saturating_mul(P::BYTES))
}

/// Whether results of so many bytes are to be written round the caches.
pub(crate) fn beyond_caches(bytes: usize) -> bool {
    cfg!(target_arch = "x86_64") && bytes >= STREAM
}

/// Whether `n` elements of each component are whole cache lines, however small they are.
pub(crate) fn are_lines(n: usize) -> bool {
    n.is_multiple_of(LINE)
}

/// Elements by which `base + at` lies behind the start of a cache line; 0 if no whole number.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn misses_line<T>(base: *mut T, at: usize) -> usize {
    let size = size_of::<T>().max(1);
    let behind = base.wrapping_add(at).addr() % LINE;
    if behind.is_multiple_of(size) {
        behind / size
    } else {
        0
    }
}

/// At least `n` elements in a vector, the first time zeros, from the start of a cache line on.
pub(crate) fn zeros_from_line<T: Element>(vec: &mut Vec<T>, n: usize) -> Result<*mut T, Failure> {
    let line = LINE / size_of::<T>().max(1);
    let len = n.saturating_add(line);
    if vec.len() < len {
        reserve(vec, len)?;
        vec.resize(len, T::default());
    }
    let start = vec.as_mut_ptr();
    let skip = (line - misses_line(start, 0).min(line)) % line.max(1);
    // SAFETY: fewer than `line` of `n + line` elements are left out.
    Ok(unsafe { start.add(skip) })
}

/// Asks for `count` elements from `start` on, to be in a core's own cache. Only speed depends on it.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn fetch<T>(start: *const T, count: usize) {
    lines(start, count, |line| {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch never faults, wherever it points.
        unsafe {
            _mm_prefetch::<_MM_HINT_T1>(line);
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = line;
    });
}

/// As [`fetch`], by pairs of lines, of which there are few: how many pairs is easier foretold than how many lines.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn fetch_pairs<T>(start: *const T, count: usize) {
    let (mut at, pair) = (0, 2 * LINE / size_of::<T>());
    while at < count {
        fetch(start.wrapping_add(at), pair);
        at += pair;
    }
}

/// As [`fetch`], of what is to be written soon: into the nearest cache.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn fetch_to_write<T>(start: *const T, count: usize) {
    lines(start, count, |line| {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        unsafe {
            _mm_prefetch::<_MM_HINT_ET0>(line);
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = line;
    });
}

/// Each cache line's distance of `count` elements from `start` on.
#[cfg_attr(optimised, inline(always))]
fn lines<T>(start: *const T, count: usize, mut f: impl FnMut(*const i8)) {
    let (mut line, bytes) = (0, count * size_of::<T>());
    while line < bytes {
        f(start.cast::<i8>().wrapping_add(line));
        line += LINE;
    }
}

/// Writes one block of lanes to `to`; with `stream`, round the caches if it is whole lines.
///
/// # Safety
/// `to` is valid for writing the block. With `stream`, `dispatch` has chosen a level of at least `L`
/// lanes, so that the processor has what that names.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn store<T: Element, const N: usize, const L: usize>(
    lanes: &[T; N],
    to: *mut T,
    stream: bool,
) {
    #[cfg(target_arch = "x86_64")]
    if const { size_of::<[T; N]>().is_multiple_of(LINE) }
        && stream
        && to.addr().is_multiple_of(LINE)
    {
        let (from, to): (*const u8, *mut u8) = (lanes.as_ptr().cast(), to.cast());
        let lines = size_of::<[T; N]>() / LINE;
        // SAFETY: the caller promises room for the block, which is whole lines and starts at one, and
        // the features; numbers of one size have no padding between them.
        unsafe {
            match is_numbers::<T>() {
                true => stream_lines::<L>(from, to, lines),
                false => (0..lines)
                    .for_each(|line| stream_bytes(from.add(line * LINE), to.add(line * LINE))),
            }
        }
        return;
    }
    let _ = stream;
    // SAFETY: promised by the caller; a local block does not overlap the output.
    unsafe { core::ptr::copy_nonoverlapping(lanes.as_ptr(), to, N) }
}

/// Writes the first `count` of a few lanes to `to`, by instructions that a level of `L` lanes has.
///
/// # Safety
/// `to` is valid for writing so many elements.
///
/// # Panics
/// When there are fewer lanes.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn store_part<T: Element, const L: usize>(
    lanes: &[T; PART],
    to: *mut T,
    count: usize,
) {
    assert!(count <= PART);
    #[cfg(target_arch = "x86_64")]
    if const { L == MAX_LANES && matches!(size_of::<T>(), 1 | 2 | 4 | 8) }
        && has_lanes::<L>()
        && is_numbers::<T>()
    {
        // SAFETY: the caller's promise for the elements; `has_lanes` says that the processor has what
        // the highest level names; `PART` elements of this size, without padding.
        unsafe { masked(lanes.as_ptr().cast(), to.cast(), count, size_of::<T>()) };
        return;
    }
    // Two pieces that may overlap, of a length that rustc knows.
    macro_rules! pieces {
        ($($half:literal)*) => { $(
            if count >= $half {
                // SAFETY: `$half <= count`, and there are so many lanes; the caller's promise.
                unsafe {
                    let (from, behind) = (lanes.as_ptr(), count - $half);
                    from.copy_to_nonoverlapping(to, $half);
                    from.add(behind).copy_to_nonoverlapping(to.add(behind), $half);
                }
                return;
            }
        )* };
    }
    pieces!(8 4 2 1);
}

/// Copies the first `count` of `PART` elements of `size` bytes, 1, 2, 4 or 8.
///
/// # Safety
/// `from` may be read for all, which are initialised, and `to` be written for `count`, at most `PART`;
/// the processor has what `Level::V4` names.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
#[inline]
unsafe fn masked(from: *const u8, to: *mut u8, count: usize, size: usize) {
    const { assert!(PART == 16) };
    let mask = ((1_u32 << count) - 1) as u16;
    // SAFETY: the masks leave out what is behind `count`.
    unsafe {
        match size {
            1 => _mm_mask_storeu_epi8(to.cast(), mask, _mm_loadu_si128(from.cast())),
            2 => _mm256_mask_storeu_epi16(to.cast(), mask, _mm256_loadu_si256(from.cast())),
            4 => _mm512_mask_storeu_epi32(to.cast(), mask, _mm512_loadu_si512(from.cast())),
            _eight => {
                let (low, high) = (mask as u8, (mask >> 8) as u8);
                _mm512_mask_storeu_epi64(to.cast(), low, _mm512_loadu_si512(from.cast()));
                let (from, to) = (from.add(64), to.wrapping_add(64));
                _mm512_mask_storeu_epi64(to.cast(), high, _mm512_loadu_si512(from.cast()));
            }
        }
    }
}

/// Whether a `T` is one of the other type, which no constant may ask.
#[cfg(target_arch = "x86_64")]
#[cfg_attr(optimised, inline(always))]
pub(crate) fn is<T: 'static, Other: 'static>() -> bool {
    TypeId::of::<T>() == TypeId::of::<Other>()
}

/// Whether a `T` may be one of the other type, as far as its size says.
#[cfg(target_arch = "x86_64")]
pub(crate) const fn as_long<T, Other>() -> bool {
    size_of::<T>() == size_of::<Other>()
}

/// Whether `T` is a scalar of the language, or a few of one type: every bit of it belongs to its
/// value. (The size says that there is nothing between these; Rust does not promise it.)
#[cfg(target_arch = "x86_64")]
#[cfg_attr(optimised, inline(always))]
pub(crate) fn is_numbers<T: Element>() -> bool {
    // See Note [Decided before code is made] in `level.rs`: few types are as long.
    macro_rules! any {
        ($($s:ty)*) => { false $(
            || const { as_long::<T, $s>() } && is::<T, $s>()
            || const { as_long::<T, [$s; 2]>() } && is::<T, ($s, $s)>()
            || const { as_long::<T, [$s; 3]>() } && is::<T, ($s, $s, $s)>()
            || const { as_long::<T, [$s; 4]>() } && is::<T, ($s, $s, $s, $s)>()
        )* };
    }
    #[cfg(feature = "complex")]
    if any!(num_complex::Complex<f32> num_complex::Complex<f64>) {
        return true;
    }
    #[cfg(feature = "half")]
    if any!(half::f16 half::bf16) {
        return true;
    }
    any!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64)
}

/// Writes one cache line of products round the caches: what lies between their fields is not
/// initialised, and so no number in Rust's eyes, while assembler copies whatever is there.
///
/// # Safety
/// `from` may be read and `to`, the start of a line, be written for a line.
#[cfg(target_arch = "x86_64")]
#[cfg_attr(optimised, inline(always))]
unsafe fn stream_bytes(from: *const u8, to: *mut u8) {
    // SAFETY: the eight words of the line, which the caller promises; `movnti` is in the baseline.
    unsafe {
        asm!(
            "mov {a}, [{from}]",
            "mov {b}, [{from} + 8]",
            "mov {c}, [{from} + 16]",
            "mov {d}, [{from} + 24]",
            "movnti [{to}], {a}",
            "movnti [{to} + 8], {b}",
            "movnti [{to} + 16], {c}",
            "movnti [{to} + 24], {d}",
            "mov {a}, [{from} + 32]",
            "mov {b}, [{from} + 40]",
            "mov {c}, [{from} + 48]",
            "mov {d}, [{from} + 56]",
            "movnti [{to} + 32], {a}",
            "movnti [{to} + 40], {b}",
            "movnti [{to} + 48], {c}",
            "movnti [{to} + 56], {d}",
            from = in(reg) from,
            to = in(reg) to,
            a = out(reg) _,
            b = out(reg) _,
            c = out(reg) _,
            d = out(reg) _,
            options(nostack, preserves_flags),
        );
    }
}

/// Copies a cache line; with `stream`, round the caches.
///
/// # Safety
/// `from` may be read and `to`, the start of a line, be written for a line; all that is read is initialised.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn copy_line(from: *const u8, to: *mut u8, stream: bool) {
    #[cfg(target_arch = "x86_64")]
    if stream {
        // SAFETY: promised by the caller; SSE is in the baseline.
        return unsafe { lines_v1(from, to, 1) };
    }
    let _ = stream;
    // SAFETY: promised by the caller.
    unsafe { from.copy_to_nonoverlapping(to, LINE) };
}

/// Copies `bytes` bytes to `to`; with `stream`, its whole cache lines round the caches.
///
/// # Safety
/// `from` may be read and `to` be written so far, and they do not overlap; all that is read is
/// initialised (numbers without padding). `dispatch` has chosen `L`, so that the processor has what
/// its level names.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn copy<const L: usize>(
    from: *const u8,
    to: *mut u8,
    bytes: usize,
    stream: bool,
) {
    let head = (to.addr().wrapping_neg() % LINE).min(bytes);
    let mut done = 0;
    #[cfg(target_arch = "x86_64")]
    if stream {
        // SAFETY: `head <= bytes`, which the caller's `to` has room for.
        unsafe { from.copy_to_nonoverlapping(to, head) };
        let lines = (bytes - head) / LINE;
        // SAFETY: `head + lines * LINE <= bytes`; `to + head` is the start of a line if there are
        // any; the caller promises the features.
        unsafe { stream_lines::<L>(from.add(head), to.add(head), lines) };
        done = head + lines * LINE;
    }
    let _ = (stream, head);
    // SAFETY: `done <= bytes`, which the caller's `to` has room for.
    unsafe {
        from.add(done)
            .copy_to_nonoverlapping(to.add(done), bytes - done)
    };
}

/// Copies whole lines round the caches.
///
/// # Safety
/// `from` may be read and `to`, the start of a line, be written for so many lines; all that is read is
/// initialised; the processor has what a level of `L` lanes names.
#[cfg(target_arch = "x86_64")]
#[cfg_attr(optimised, inline(always))]
unsafe fn stream_lines<const L: usize>(from: *const u8, to: *mut u8, lines: usize) {
    // SAFETY: all promised by the caller.
    unsafe {
        match L {
            64 => lines_v4(from, to, lines),
            32 => lines_v3(from, to, lines),
            _ => lines_v1(from, to, lines),
        }
    }
}

/// A function that copies whole lines round the caches.
#[cfg(target_arch = "x86_64")]
macro_rules! lines {
    ($name:ident, $($features:literal)?, $vector:ident, $load:ident, $stream:ident) => {
        /// # Safety
        /// `from` may be read and `to`, the start of a line, be written for so many lines; all that
        /// is read is initialised.
        $(#[target_feature(enable = $features)])?
        #[inline]
        unsafe fn $name(from: *const u8, to: *mut u8, lines: usize) {
            let (from, to): (*const $vector, *mut $vector) = (from.cast(), to.cast());
            for at in 0..lines * (LINE / size_of::<$vector>()) {
                // SAFETY: both may be accessed for so many vectors, the caller says.
                unsafe { $stream(to.add(at), $load(from.add(at))) };
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
lines!(
    lines_v4,
    "avx512f",
    __m512i,
    _mm512_loadu_si512,
    _mm512_stream_si512
);
#[cfg(target_arch = "x86_64")]
lines!(
    lines_v3,
    "avx",
    __m256i,
    _mm256_loadu_si256,
    _mm256_stream_si256
);
#[cfg(target_arch = "x86_64")]
lines!(lines_v1, , __m128i, _mm_loadu_si128, _mm_stream_si128);

/// Makes writes round the caches visible to other threads, before a thread says that it is done.
pub(crate) fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is in the baseline.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}
