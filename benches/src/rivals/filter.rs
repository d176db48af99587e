//! Elements above a limit, f32, in their order.
//!
//! What each part keeps is counted first, then each part writes to its own place: a vector at a time,
//! of which the kept lanes are brought together in a register. Reading twice is cheaper than writing
//! to one place more.

use crate::levels::{Level, kernel};
use crate::memory::{advise_huge_pages, prefetch};
use rayon::prelude::*;
use std::mem::MaybeUninit;

/// Elements per task.
const TASK: usize = 1 << 16;

/// Bytes from what is read to what is fetched.
const AHEAD: usize = 1024;

/// What is kept as rayon gives it.
pub fn plain(xs: &[f32], limit: f32) -> Vec<f32> {
    xs.par_iter().copied().filter(|x| *x > limit).collect()
}

/// What is kept as an expert writes it, into `out`.
pub fn expert_into(out: &mut Vec<f32>, xs: &[f32], limit: f32) {
    at_level(Level::best(), out, xs, limit);
}

/// The expert's version at a level.
pub fn at_level(level: Level, out: &mut Vec<f32>, xs: &[f32], limit: f32) {
    let parts = xs.par_chunks(TASK);
    let counts: Vec<usize> = parts.clone().map(|xs| count(level, xs, limit)).collect();
    let total = counts.iter().sum();
    out.clear();
    out.reserve(total);
    let mut rest = &mut out.spare_capacity_mut()[..total];
    advise_huge_pages(rest);
    let mut places = Vec::with_capacity(counts.len());
    for count in counts {
        let (place, others) = rest.split_at_mut(count);
        places.push(place);
        rest = others;
    }
    let written = parts.zip(places).map(|(xs, place)| {
        let room = place.len();
        pack(level, place, xs, limit) == room
    });
    assert!(written.reduce(|| true, |a, b| a & b));
    // SAFETY: each part has written all of its place, which together are these elements.
    unsafe { out.set_len(total) };
}

kernel! {
    fn count(xs: &[f32], limit: f32) -> usize {
        let mut counts = [0_u32; 64];
        let (blocks, rest) = xs.as_chunks::<64>();
        for block in blocks {
            for quarter in 0..4 {
                prefetch(&raw const block[16 * quarter], AHEAD);
            }
            for lane in 0..64 {
                counts[lane] += u32::from(block[lane] > limit);
            }
        }
        let mut all: usize = counts.iter().map(|it| *it as usize).sum();
        for x in rest {
            all += usize::from(*x > limit);
        }
        all
    }
}

/// Writes what is kept to `place`, which has room for just that; gives how many these are.
fn pack(level: Level, place: &mut [MaybeUninit<f32>], xs: &[f32], limit: f32) -> usize {
    #[cfg(target_arch = "x86_64")]
    if level.is_v4() {
        // SAFETY: the level says that the machine has AVX-512.
        return unsafe { compressed(place, xs, limit) };
    }
    one_by_one(level, place, xs, limit)
}

kernel! {
    fn one_by_one(place: &mut [MaybeUninit<f32>], xs: &[f32], limit: f32) -> usize {
        let mut at = 0;
        for x in xs {
            // Without a branch, until the place is full.
            if at == place.len() {
                break;
            }
            place[at].write(*x);
            at += usize::from(*x > limit);
        }
        at
    }
}

/// [`pack`], sixteen at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn compressed(place: &mut [MaybeUninit<f32>], xs: &[f32], limit: f32) -> usize {
    use std::arch::x86_64::*;
    let (mut at, limits) = (0, _mm512_set1_ps(limit));
    for block in xs.chunks(16) {
        prefetch(&raw const block[0], AHEAD);
        let live = ((1_u32 << block.len()) - 1) as u16;
        // SAFETY: the mask leaves out what is behind the block.
        let x = unsafe { _mm512_maskz_loadu_ps(live, block.as_ptr()) };
        let kept = _mm512_mask_cmp_ps_mask::<_CMP_GT_OQ>(live, x, limits);
        let (count, room) = (kept.count_ones() as usize, place.len() - at);
        assert!(count <= room);
        let packed = _mm512_maskz_compress_ps(kept, x);
        let to = place[at..].as_mut_ptr().cast::<f32>();
        // SAFETY: there is room for 16 elements, or the mask leaves out all that are not kept, for
        // which there is room.
        unsafe {
            match room {
                16.. => _mm512_storeu_ps(to, packed),
                _few => _mm512_mask_storeu_ps(to, ((1_u32 << count) - 1) as u16, packed),
            }
        }
        at += count;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_definition_on_every_level() {
        for n in [0, 1, 15, 17, 1000, TASK, 2 * TASK + 77] {
            let xs: Vec<f32> = (0..n).map(|i| (i * 7919 % 1000) as f32).collect();
            for limit in [-1.0, 9.0, 500.0, 989.0, 2000.0] {
                let wanted: Vec<f32> = xs.iter().copied().filter(|x| *x > limit).collect();
                let mut out = vec![1.0; 5];
                for level in Level::available() {
                    at_level(level, &mut out, &xs, limit);
                    assert_eq!(out, wanted);
                }
                assert_eq!(plain(&xs, limit), wanted);
            }
        }
    }
}
