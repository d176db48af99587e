//! The same with AVX2: vectors of eight.

use super::super::eights::{LANES, first, largest, largest_of, load};
use super::{PART, Rows};
use crate::memory::prefetch;
use std::arch::x86_64::*;

/// The rows from `first` on.
#[target_feature(enable = "avx2,bmi1")]
pub fn rows(out: &mut [usize], rows: Rows<'_, f32>, first: usize) {
    for (at, out) in out.iter_mut().enumerate() {
        let row = rows.row(first + at);
        prefetch(row.as_ptr(), 1024);
        *out = match row.len() {
            0..=8 => few::<1>(row),
            9..=16 => few::<2>(row),
            17..=32 => few::<4>(row),
            33..=64 => few::<8>(row),
            _many => many(row),
        };
    }
}

/// A row that fits into `N` registers.
#[inline]
#[target_feature(enable = "avx2,bmi1")]
fn few<const N: usize>(row: &[f32]) -> usize {
    let least = _mm256_set1_ps(f32::NEG_INFINITY);
    let (mut xs, mut most) = ([least; N], least);
    for (i, x) in xs.iter_mut().enumerate() {
        let mask = first(row.len().saturating_sub(LANES * i));
        // SAFETY: the mask leaves out what is behind the row.
        *x = unsafe { load(row.as_ptr().wrapping_add(LANES * i), mask, least) };
        most = _mm256_max_ps(most, *x);
    }
    let most = _mm256_set1_ps(largest(most));
    let mut equal = 0;
    for (i, x) in xs.into_iter().enumerate() {
        let mask = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_EQ_OQ>(x, most));
        equal |= u64::from(mask as u8) << (LANES * i);
    }
    equal.trailing_zeros() as usize
}

/// A longer row.
#[inline]
#[target_feature(enable = "avx2,bmi1")]
fn many(row: &[f32]) -> usize {
    let (mut most, mut part) = (f32::NEG_INFINITY, 0);
    for (at, elements) in row.chunks(PART).enumerate() {
        let here = largest_of(elements);
        if here > most {
            (most, part) = (here, at);
        }
    }
    let wanted = _mm256_set1_ps(most);
    let least = _mm256_set1_ps(f32::NEG_INFINITY);
    for (at, block) in row[part * PART..].chunks(LANES).enumerate() {
        // SAFETY: the mask leaves out what is behind the block.
        let x = unsafe { load(block.as_ptr(), first(block.len()), least) };
        let equal = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_EQ_OQ>(x, wanted));
        if equal != 0 {
            return part * PART + LANES * at + equal.trailing_zeros() as usize;
        }
    }
    0
}
