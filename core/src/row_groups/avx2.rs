//! The trees of as many rows as a vector has lanes in one, for AVX2.
//!
//! In: what makes a vector of a row, and what combines two. Out: the total of each row of a batch.
//! Assumes: what the unsafe functions ask for that these are used in.

use core::arch::x86_64::*;

use crate::batches::{FEW, PARTS};

/// Elements of the parts of a row that no loop is needed for.
const MOST: usize = PARTS * FEW;

/// All bits of two words for each of these elements, then none.
static MASKS: [i32; 4 * MOST] = {
    let mut masks = [0; 4 * MOST];
    let mut at = 0;
    while at < 2 * MOST {
        masks[at] = !0;
        at += 1;
    }
    masks
};

/// The mask of a vector of elements of `WORDS` words each, those from `at` on in a row of `len`: of those that it
/// has. Further ones than the parts of a row are not asked for.
#[target_feature(enable = "avx2")]
#[inline]
pub(crate) fn mask<const WORDS: usize>(len: usize, at: usize) -> __m256i {
    let at = at.min(MOST - 8 / WORDS);
    let at = 2 * MOST - WORDS * len.min(MOST) + WORDS * at;
    // SAFETY: where all elements begin behind the row, the last vector's words end with the masks.
    unsafe { _mm256_loadu_si256(MASKS.as_ptr().add(at).cast()) }
}

/// As `avx512::words`: eight rows at a time.
macro_rules! words {
    ($batch:ident, $totals:ident, $few:ident, $many:ident, $op:ident) => {{
        use crate::batches::GROUP;
        use crate::row_groups::{longer, merged, rows};
        for first in (0..GROUP * $batch.groups()).step_by(8) {
            let r = rows!($batch, first, 8, [0 4 1 5 2 6 3 7], $few);
            let r = merged!(
                [r[0], r[1]; r[2], r[3]; r[4], r[5]; r[6], r[7];],
                _mm256_permute2f128_ps::<0x20>, _mm256_permute2f128_ps::<0x31>, $op
            );
            let r = merged!(
                [r[0], r[1]; r[2], r[3];],
                _mm256_shuffle_ps::<0x44>, _mm256_shuffle_ps::<0xEE>, $op
            );
            let [all] = merged!(
                [r[0], r[1];],
                _mm256_shuffle_ps::<0x88>, _mm256_shuffle_ps::<0xDD>, $op
            );
            _mm256_storeu_ps($totals.add(first), all);
        }
        longer!($batch, $totals, $many);
    }};
}
pub(crate) use words;

/// The same of numbers of 8 bytes: four rows at a time.
macro_rules! longs {
    ($batch:ident, $totals:ident, $few:ident, $many:ident, $op:ident) => {{
        use crate::batches::GROUP;
        use crate::row_groups::{longer, merged, rows};
        for first in (0..GROUP * $batch.groups()).step_by(4) {
            let r = rows!($batch, first, 4, [0 2 1 3], $few);
            let r = merged!(
                [r[0], r[1]; r[2], r[3];],
                _mm256_permute2f128_pd::<0x20>, _mm256_permute2f128_pd::<0x31>, $op
            );
            let [all] = merged!(
                [r[0], r[1];],
                _mm256_unpacklo_pd, _mm256_unpackhi_pd, $op
            );
            _mm256_storeu_pd($totals.add(first), all);
        }
        longer!($batch, $totals, $many);
    }};
}
pub(crate) use longs;
