//! The k-th smallest of many keys.
//!
//! Some lines of keys are a sample: between two of it, which stand near the place that is looked for, there are
//! few keys. One pass gathers these and counts what is below; what is looked for is among them, and found in
//! the same way by one thread. If it is not, since keys of a line have to do with each other, say, `std`
//! selects from a copy.

use crate::levels::{Level, kernel};
use crate::memory::prefetch;
use rayon::prelude::*;

/// Of fewer keys `std` selects.
const FEW: usize = 1 << 13;

/// Keys of a line.
const LINE: usize = 16;

/// Parts of the keys that are gathered by one task each.
const PIECES: usize = 16;

/// Keys for which room is made at once.
const BLOCK: usize = 1 << 12;

/// Bytes from what is read to what is fetched.
const AHEAD: usize = 2048;

/// Memory that an expert keeps between calls.
#[derive(Default)]
pub struct Scratch {
    sample: Vec<i32>,
    rooms: Vec<Vec<i32>>,
}

/// As `std` gives it.
///
/// # Panics
/// If `k` is not below the number of keys.
pub fn plain(xs: &[i32], k: usize) -> i32 {
    *xs.to_vec().select_nth_unstable(k).1
}

/// As an expert writes it.
///
/// # Panics
/// If `k` is not below the number of keys.
pub fn expert(xs: &[i32], k: usize, scratch: &mut Scratch) -> i32 {
    at_level(Level::best(), xs, k, scratch)
}

/// The expert's version at a level.
///
/// # Panics
/// If `k` is not below the number of keys.
pub fn at_level(level: Level, xs: &[i32], k: usize, scratch: &mut Scratch) -> i32 {
    in_pieces(level, xs, k, scratch, PIECES)
}

/// The same by this thread alone.
pub(super) fn alone(level: Level, xs: &[i32], k: usize, scratch: &mut Scratch) -> i32 {
    in_pieces(level, xs, k, scratch, 1)
}

fn in_pieces(level: Level, xs: &[i32], k: usize, scratch: &mut Scratch, pieces: usize) -> i32 {
    if xs.len() < FEW {
        return by_std(xs, k, scratch);
    }
    let [low, high] = around(xs, k, &mut scratch.sample);
    scratch.rooms.resize_with(PIECES, Vec::new);
    let parts = xs.par_chunks(xs.len().div_ceil(pieces));
    let used = parts.len();
    let below: usize = parts
        .zip(&mut scratch.rooms[..used])
        .map(|(part, room)| gather(level, room, part, low, high))
        .sum();
    let (first, others) = scratch.rooms[..used].split_at_mut(1);
    for room in others {
        first[0].extend_from_slice(room);
    }
    let between = std::mem::take(&mut first[0]);
    let found = match k.checked_sub(below) {
        Some(k) if k < between.len() && between.len() < xs.len() / 2 => {
            alone(level, &between, k, scratch)
        }
        _missed => by_std(xs, k, scratch),
    };
    scratch.rooms[0] = between;
    found
}

fn by_std(xs: &[i32], k: usize, scratch: &mut Scratch) -> i32 {
    scratch.sample.clear();
    scratch.sample.extend_from_slice(xs);
    *scratch.sample.select_nth_unstable(k).1
}

/// Keys that the k-th smallest is between, as it seems.
fn around(xs: &[i32], k: usize, sample: &mut Vec<i32>) -> [i32; 2] {
    let n = xs.len();
    let lines = ((n as f64).powf(2.0 / 3.0) as usize / LINE).max(1);
    let stride = n / lines;
    sample.clear();
    for line in 0..lines {
        // Not all at one distance, at which keys may have something in common.
        let skipped = line.wrapping_mul(0x9e37_79b9) % (stride - LINE + 1);
        sample.extend_from_slice(&xs[line * stride + skipped..][..LINE]);
    }
    let place = (k as f64 / n as f64 * sample.len() as f64) as usize;
    // Three standard deviations, at most.
    let margin = (1.5 * (sample.len() as f64).sqrt()) as usize;
    let mut window = [i32::MIN, i32::MAX];
    let mut rest = &mut sample[..];
    if let Some(at) = (place + margin < rest.len()).then_some(place + margin) {
        let (below, high, _) = rest.select_nth_unstable(at);
        window[1] = *high;
        rest = below;
    }
    if let Some(at) = place.checked_sub(margin) {
        window[0] = *rest.select_nth_unstable(at).1;
    }
    window
}

/// Puts what is neither below `low` nor above `high` into `room`; gives how many are below `low`.
fn gather(level: Level, room: &mut Vec<i32>, xs: &[i32], low: i32, high: i32) -> usize {
    room.clear();
    let mut below = 0;
    for block in xs.chunks(BLOCK) {
        room.reserve(BLOCK);
        #[cfg(target_arch = "x86_64")]
        if level.is_v4() {
            // SAFETY: the level says that the machine has AVX-512; there is room for all of the block.
            below += unsafe { compressed(room, block, low, high) };
            continue;
        }
        below += one_by_one(level, room, block, low, high);
    }
    below
}

kernel! {
    /// [`gather`] of a block; there is room for all of it.
    fn one_by_one(room: &mut Vec<i32>, xs: &[i32], low: i32, high: i32) -> usize {
        let start = room.len();
        let places = &mut room.spare_capacity_mut()[..xs.len()];
        let (mut below, mut at) = (0_u32, 0);
        for x in xs {
            // Without a branch: what is not kept is written over.
            places[at].write(*x);
            at += usize::from(low <= *x) & usize::from(*x <= high);
            below += u32::from(*x < low);
        }
        // SAFETY: so many places have been written, behind those before.
        unsafe { room.set_len(start + at) };
        below as usize
    }
}

/// [`gather`] of a block, sixteen at a time.
///
/// # Safety
/// There is room for all of the block.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,popcnt")]
unsafe fn compressed(room: &mut Vec<i32>, xs: &[i32], low: i32, high: i32) -> usize {
    use std::arch::x86_64::*;
    let (lows, highs) = (_mm512_set1_epi32(low), _mm512_set1_epi32(high));
    let (mut below, mut len) = (0, room.len());
    let (lines, rest) = xs.as_chunks::<LINE>();
    for line in lines {
        prefetch(&raw const line[0], AHEAD);
        // SAFETY: a line has sixteen keys.
        let x = unsafe { _mm512_loadu_si512(line.as_ptr().cast()) };
        let from_low = _mm512_cmple_epi32_mask(lows, x);
        let kept = _mm512_mask_cmple_epi32_mask(from_low, x, highs);
        let packed = _mm512_maskz_compress_epi32(kept, x);
        // SAFETY: what is kept before this line is at most as long, so there is room for all of it.
        unsafe { _mm512_storeu_si512(room.as_mut_ptr().add(len).cast(), packed) };
        len += kept.count_ones() as usize;
        below += LINE - from_low.count_ones() as usize;
    }
    // SAFETY: so many keys have been written.
    unsafe { room.set_len(len) };
    room.extend(rest.iter().filter(|x| (low..=high).contains(x)));
    below + rest.iter().filter(|x| **x < low).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scattered(i: usize) -> usize {
        let mixed = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) as usize >> 20
    }

    fn agrees(level: Level, xs: &[i32], scratch: &mut Scratch) {
        let n = xs.len();
        for k in [0, 1, n / 100, n / 3, n / 2, n - n / 50 - 1, n - 1] {
            let k = k.min(n - 1);
            let wanted = plain(xs, k);
            assert_eq!(at_level(level, xs, k, scratch), wanted);
            assert_eq!(alone(level, xs, k, scratch), wanted);
        }
    }

    #[test]
    fn agrees_with_std_on_every_level() {
        let mut scratch = Scratch::default();
        for n in [1, 2, 100, FEW, 100_003] {
            for most in [usize::MAX, 1000, 1] {
                let mut xs: Vec<i32> = (0..n).map(|i| (scattered(i) & most) as i32).collect();
                for level in Level::available() {
                    agrees(level, &xs, &mut scratch);
                }
                xs.sort_unstable();
                agrees(Level::best(), &xs, &mut scratch);
            }
        }
    }

    #[test]
    fn few_keys_are_gathered() {
        let n = 1 << 20;
        let xs: Vec<i32> = (0..n).map(|i| scattered(i) as i32).collect();
        let mut scratch = Scratch::default();
        let found = expert(&xs, n / 3, &mut scratch);
        assert!(scratch.rooms[0].contains(&found));
        assert!(scratch.rooms[0].len() < n / 16);
    }
}
