//! Where keys belong in a sorted array.
//!
//! The searches of some keys go together: what is left is halved in all of them at once, without a branch,
//! so that as many loads are under way.

use crate::levels::{Level, kernel};
use rayon::prelude::*;

/// Keys of a task.
const TASK: usize = 1 << 14;

/// Keys whose searches go together.
const TOGETHER: usize = 32;

/// As rayon and `std` give it.
pub fn plain(out: &mut Vec<usize>, xs: &[i32], keys: &[i32]) {
    let places = keys.par_iter().map(|key| xs.partition_point(|x| x < key));
    places.collect_into_vec(out);
}

/// As an expert writes it.
pub fn expert_into(out: &mut [usize], xs: &[i32], keys: &[i32]) {
    at_level(Level::best(), out, xs, keys);
}

/// The expert's version at a level.
pub fn at_level(level: Level, out: &mut [usize], xs: &[i32], keys: &[i32]) {
    assert_eq!(out.len(), keys.len());
    assert!(u32::try_from(xs.len()).is_ok());
    let parts = out.par_chunks_mut(TASK).zip(keys.par_chunks(TASK));
    parts.for_each(|(out, keys)| search(level, out, xs, keys));
}

kernel! {
    fn search(out: &mut [usize], xs: &[i32], keys: &[i32]) -> () {
        let mut rest = keys;
        let mut places = out;
        while !rest.is_empty() {
            let count = rest.len().min(TOGETHER);
            let mut block = [0; TOGETHER];
            block[..count].copy_from_slice(&rest[..count]);
            let mut base = [0_u32; TOGETHER];
            let mut left = xs.len() as u32;
            while left > 1 {
                let half = left / 2;
                for lane in 0..TOGETHER {
                    let middle = base[lane] + half;
                    // SAFETY: `base + left` is at most the length, so `middle` is below it.
                    let x = unsafe { *xs.get_unchecked(middle as usize) };
                    base[lane] = if x < block[lane] { middle } else { base[lane] };
                }
                left -= half;
            }
            for (lane, place) in places[..count].iter_mut().enumerate() {
                let at = base[lane] as usize;
                *place = at + usize::from(xs.get(at).is_some_and(|x| *x < block[lane]));
            }
            rest = &rest[count..];
            places = &mut places[count..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_std_on_every_level() {
        for n in [0, 1, 2, 1000, 70_001] {
            let xs: Vec<i32> = (0..n).map(|i| i / 3 * 7 - 50).collect();
            let keys: Vec<i32> = (0..40_000).map(|i| i * 7919 % 200_003 - 100).collect();
            let mut wanted = Vec::new();
            plain(&mut wanted, &xs, &keys);
            for level in Level::available() {
                let mut out = vec![0; keys.len()];
                at_level(level, &mut out, &xs, &keys);
                assert_eq!(out, wanted);
            }
        }
    }
}
