//! How often a word stands in each line of a text, overlaps counted.
//!
//! Places at which the first and the last byte of the word are found, 64 together under masks, are
//! compared with the whole word. Lines are cut among threads by their bytes.

use super::rows::{Rows, parts};
use crate::levels::{Level, kernel};
use rayon::prelude::*;

/// Places that are looked at together.
const LANES: usize = 32;

/// As rayon and `std` give it.
pub fn plain(lines: Rows<'_, u8>, word: &[u8]) -> Vec<usize> {
    let all = (0..lines.count()).into_par_iter();
    all.map(|at| {
        let windows = lines.row(at).windows(word.len());
        windows.filter(|window| *window == word).count()
    })
    .collect()
}

/// As an expert writes it.
///
/// # Panics
/// If the word is empty.
pub fn expert_into(out: &mut [usize], lines: Rows<'_, u8>, word: &[u8]) {
    at_level(Level::best(), out, lines, word);
}

/// The expert's version at a level.
///
/// # Panics
/// If the word is empty.
pub fn at_level(level: Level, out: &mut [usize], lines: Rows<'_, u8>, word: &[u8]) {
    assert!(!word.is_empty());
    let tasks = lines.tasks();
    let outs = parts(out, tasks.iter().map(ExactSizeIterator::len));
    tasks.into_par_iter().zip(outs).for_each(|(task, out)| {
        #[cfg(target_arch = "x86_64")]
        if level.is_v4() {
            // SAFETY: the level says that the machine has AVX-512.
            unsafe { masked::lines(out, lines, task.start, word) };
            return;
        }
        for (out, at) in out.iter_mut().zip(task) {
            *out = count(level, lines.row(at), word);
        }
    });
}

kernel! {
    fn count(line: &[u8], word: &[u8]) -> usize {
        let Some(places) = (line.len() + 1).checked_sub(word.len()) else {
            return 0;
        };
        let (begins, ends) = (&line[..places], &line[word.len() - 1..]);
        let (first, last) = (word[0], word[word.len() - 1]);
        let mut count = 0;
        let (blocks, rest) = begins.as_chunks::<LANES>();
        let (end_blocks, end_rest) = ends.as_chunks::<LANES>();
        for (at, (begins, ends)) in blocks.iter().zip(end_blocks).enumerate() {
            let mut any = 0_u8;
            for lane in 0..LANES {
                any |= u8::from(begins[lane] == first) & u8::from(ends[lane] == last);
            }
            if any == 0 {
                continue;
            }
            for lane in 0..LANES {
                if begins[lane] == first && ends[lane] == last {
                    let from = at * LANES + lane;
                    count += usize::from(line[from..from + word.len()] == *word);
                }
            }
        }
        for (at, (begin, end)) in rest.iter().zip(end_rest).enumerate() {
            if *begin == first && *end == last {
                let from = blocks.len() * LANES + at;
                count += usize::from(line[from..from + word.len()] == *word);
            }
        }
        count
    }
}

#[cfg(target_arch = "x86_64")]
mod masked {
    use super::Rows;
    use crate::memory::prefetch;
    use std::arch::x86_64::*;

    /// The lines from `first` on.
    #[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,popcnt")]
    pub fn lines(out: &mut [usize], lines: Rows<'_, u8>, first: usize, word: &[u8]) {
        let ends = [word[0], word[word.len() - 1]].map(|byte| _mm512_set1_epi8(byte as i8));
        for (at, out) in out.iter_mut().enumerate() {
            let line = lines.row(first + at);
            prefetch(line.as_ptr(), 1024);
            prefetch(line.as_ptr(), 1088);
            *out = 0;
            let places = (line.len() + 1).saturating_sub(word.len());
            let mut from = 0;
            while from < places {
                let mask = u64::MAX >> (64 - (places - from).min(64));
                // SAFETY: the mask leaves out places of which the word would not end within the line.
                let (begin, end) = unsafe {
                    let begin = line.as_ptr().add(from).cast::<i8>();
                    let end = begin.add(word.len() - 1);
                    (
                        _mm512_maskz_loadu_epi8(mask, begin),
                        _mm512_maskz_loadu_epi8(mask, end),
                    )
                };
                let begins = _mm512_mask_cmpeq_epi8_mask(mask, begin, ends[0]);
                let mut found = _mm512_mask_cmpeq_epi8_mask(begins, end, ends[1]);
                while found != 0 {
                    let at = from + found.trailing_zeros() as usize;
                    *out += usize::from(line[at..at + word.len()] == *word);
                    found &= found - 1;
                }
                from += 64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::samples;
    use super::*;

    #[test]
    fn agrees_with_the_definition_on_every_level() {
        let (offsets, elements) = samples(|i| b"abcaabb"[i * 7919 % 101 % 7]);
        let lines = Rows {
            offsets: &offsets,
            elements: &elements,
        };
        for word in [&b"a"[..], b"aa", b"abc", b"bbabca", &elements[30..110]] {
            let begins_with = |at: usize| {
                let line = lines.row(at);
                (0..line.len())
                    .filter(|&i| line[i..].starts_with(word))
                    .count()
            };
            let wanted: Vec<usize> = (0..lines.count()).map(begins_with).collect();
            for level in Level::available() {
                let mut out = vec![77; lines.count()];
                at_level(level, &mut out, lines, word);
                assert_eq!(out, wanted);
            }
            assert_eq!(plain(lines, word), wanted);
        }
    }
}
