//! Eight f32 in a vector of AVX2, under masks.

use std::arch::x86_64::*;

/// Lanes of a vector.
pub(super) const LANES: usize = 8;

/// Set, then not.
static SET: [i32; 2 * LANES] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];

/// The mask of the first `len` lanes, all if there are more.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn first(len: usize) -> __m256i {
    let set = &SET[LANES - len.min(LANES)..][..LANES];
    // SAFETY: these are eight numbers.
    unsafe { _mm256_loadu_si256(set.as_ptr().cast()) }
}

/// The numbers from `at` on of the lanes of the mask, `other` in the other lanes.
///
/// # Safety
/// The lanes of the mask are there.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn load(at: *const f32, mask: __m256i, other: __m256) -> __m256 {
    // SAFETY: promised by the caller.
    let x = unsafe { _mm256_maskload_ps(at, mask) };
    _mm256_blendv_ps(other, x, _mm256_castsi256_ps(mask))
}

/// The largest lane.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn largest(x: __m256) -> f32 {
    let halves = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps::<1>(x));
    let pairs = _mm_max_ps(halves, _mm_movehl_ps(halves, halves));
    _mm_cvtss_f32(_mm_max_ss(pairs, _mm_movehdup_ps(pairs)))
}

/// The sum of the lanes.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn sum(x: __m256) -> f32 {
    let halves = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps::<1>(x));
    let pairs = _mm_add_ps(halves, _mm_movehl_ps(halves, halves));
    _mm_cvtss_f32(_mm_add_ss(pairs, _mm_movehdup_ps(pairs)))
}

/// The largest of some elements, of which those 1024 bytes further on are fetched.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn largest_of(elements: &[f32]) -> f32 {
    let least = _mm256_set1_ps(f32::NEG_INFINITY);
    let mut most = [least; 4];
    let (rounds, rest) = elements.as_chunks::<{ 4 * LANES }>();
    for round in rounds {
        crate::memory::prefetch(&raw const round[0], 1024);
        crate::memory::prefetch(&raw const round[2 * LANES], 1024);
        for (i, most) in most.iter_mut().enumerate() {
            // SAFETY: a round is four vectors.
            let x = unsafe { _mm256_loadu_ps(round.as_ptr().add(LANES * i)) };
            *most = _mm256_max_ps(*most, x);
        }
    }
    for (block, most) in rest.chunks(LANES).zip(&mut most) {
        // SAFETY: the mask leaves out what is behind the block.
        let x = unsafe { load(block.as_ptr(), first(block.len()), least) };
        *most = _mm256_max_ps(*most, x);
    }
    let pairs = [
        _mm256_max_ps(most[0], most[1]),
        _mm256_max_ps(most[2], most[3]),
    ];
    largest(_mm256_max_ps(pairs[0], pairs[1]))
}
