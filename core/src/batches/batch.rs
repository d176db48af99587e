//! The rows of a batch.
//!
//! In: where rows begin. Out: how many from the first on are short and fit into a batch, where each
//! begins, and which have more than a few elements.
//! Assumes: nothing; offsets that are none give a batch of fewer rows, or one that is wrong.

use core::ops::Range;

use super::TOGETHER;
use crate::level::{MAX_LANES, has_lanes};
use crate::segments::position;

/// The longest row of a batch.
const SHORT: usize = 512;

/// How many elements a row of a batch has on average at most: of more, each row by itself is as good.
const SHORT_ON_AVERAGE: usize = 40;

/// How many rows a batch has at most.
pub(super) const ROWS: usize = 256;

/// The most rows that are combined together.
pub(crate) const GROUP: usize = 16;

/// Of so many rows all compilers make whole vectors.
const WHOLE: usize = 64;

/// Elements of a part of a row.
pub(crate) const FEW: usize = 16;

/// The most parts of a row that no loop is needed for: of more, loops are as good.
pub(crate) const PARTS: usize = 2;

/// Bits of a word of rows that have more.
pub(crate) const WORD: usize = u64::BITS as usize;

/// Rows that lie one after another.
#[derive(Debug)]
pub struct Batch {
    /// The index of the first.
    first: usize,
    /// Where it begins.
    start: usize,
    rows: usize,
    /// Where each begins, from the first on; then where all end, several times.
    pub(super) starts: [u32; ROWS + 1 + WHOLE],
    /// The parts of each that no loop is needed for: 1 or [`PARTS`].
    parts: usize,
    /// How many elements the longest has.
    longest: usize,
    /// Which have more elements than these: a bit of each.
    longer: [u64; ROWS / WORD],
}

impl Batch {
    /// No rows.
    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn new() -> Self {
        Batch {
            first: 0,
            start: 0,
            rows: 0,
            starts: [0; ROWS + 1 + WHOLE],
            parts: 1,
            longest: 0,
            longer: [0; ROWS / WORD],
        }
    }

    /// Takes the rows of `rows` that are short and fit into a batch, from the first on.
    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn take<const L: usize>(&mut self, offsets: &[i64], rows: Range<usize>) {
        (self.first, self.start) = (rows.start, position(offsets, rows.start));
        self.longer = [0; ROWS / WORD];
        let most = rows.len().min(ROWS);
        let mut count = 0;
        while count < most {
            let group = GROUP.min(most - count);
            let taken = self.take_group::<L>(&offsets[rows.start + count..][..=group], count);
            count += taken;
            if taken < GROUP {
                break;
            }
        }
        self.rows = count;
        let end = self.starts[count];
        self.starts[count + 1..=count + WHOLE].fill(end);
        let lens = (0..self.padded()).map(|row| self.starts[row + 1] - self.starts[row]);
        self.longest = lens.fold(0, u32::max) as usize;
        self.parts = 1;
        if !self.few_are_longer() {
            self.widen();
        }
    }

    /// Whether loops for rows that are longer cost less than more parts of all.
    #[cfg_attr(optimised, inline(always))]
    fn few_are_longer(&self) -> bool {
        let longer = self.longer.iter().map(|word| word.count_ones() as usize);
        4 * longer.sum::<usize>() <= self.rows
    }

    /// Takes more parts of each row, if few are longer than these. Apart, as most rows are short.
    #[inline(never)]
    fn widen(&mut self) {
        let before = self.longer;
        self.parts = PARTS;
        self.longer = [0; ROWS / WORD];
        for row in 0..self.rows() {
            self.longer[row / WORD] |= u64::from(self.len(row) > PARTS * FEW) << (row % WORD);
        }
        if !self.few_are_longer() {
            (self.parts, self.longer) = (1, before);
        }
    }

    /// Takes the rows of a group that begin and end here, behind `count` others, up to one that is not
    /// short or does not fit; gives how many.
    #[cfg_attr(optimised, inline(always))]
    fn take_group<const L: usize>(&mut self, offsets: &[i64], count: usize) -> usize {
        let (start, ends) = (self.start, &mut self.starts[count + 1..=count + GROUP]);
        let (fit, longer) = match (offsets.first_chunk(), ends.first_chunk_mut()) {
            #[cfg(target_arch = "x86_64")]
            (Some(offsets), Some(ends)) if const { L == MAX_LANES } && has_lanes::<L>() => {
                // SAFETY: the processor has what the level names.
                unsafe { avx512::group(offsets, start, ends) }
            }
            #[cfg(target_arch = "x86_64")]
            (Some(offsets), Some(ends)) if const { L == MAX_LANES / 2 } && has_lanes::<L>() => {
                // SAFETY: as above.
                unsafe { avx2::group(offsets, start, ends) }
            }
            _ => group(offsets, start, ends),
        };
        let taken = fit.trailing_ones() as usize;
        let longer = u64::from(longer) & ((1 << taken) - 1);
        self.longer[count / WORD] |= longer << (count % WORD);
        taken
    }

    /// Whether its rows are so short that they are better taken together than each by itself.
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn is_short(&self) -> bool {
        self.count() <= SHORT_ON_AVERAGE * self.rows()
    }

    /// The index of the first row.
    #[cfg_attr(optimised, inline(always))]
    pub fn first(&self) -> usize {
        self.first
    }

    /// Where the first row begins.
    #[cfg_attr(optimised, inline(always))]
    pub fn start(&self) -> usize {
        self.start
    }

    /// How many rows there are.
    #[cfg_attr(optimised, inline(always))]
    pub fn rows(&self) -> usize {
        self.rows.min(ROWS)
    }

    /// How many elements all rows have.
    #[cfg_attr(optimised, inline(always))]
    pub fn count(&self) -> usize {
        (self.starts[self.rows()] as usize).min(TOGETHER)
    }

    /// How many elements a row has.
    #[cfg_attr(optimised, inline(always))]
    pub fn len(&self, row: usize) -> usize {
        (self.starts[row + 1] - self.starts[row]) as usize
    }

    /// How many rows there are with some without elements behind them, which fill up vectors.
    #[cfg_attr(optimised, inline(always))]
    pub fn padded(&self) -> usize {
        // So that compilers see both bounds.
        self.rows.div_ceil(WHOLE).min(ROWS / WHOLE) * WHOLE
    }

    /// How many groups of rows there are, the last filled up likewise.
    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn groups(&self) -> usize {
        self.rows().div_ceil(GROUP)
    }

    /// The parts of each row that no loop is needed for: 1 or [`PARTS`].
    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn parts(&self) -> usize {
        self.parts
    }

    /// How many elements the longest row has.
    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn longest(&self) -> usize {
        self.longest
    }

    /// The rows that have more elements than these, a bit of each, in words.
    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn longer(&self) -> &[u64; ROWS / WORD] {
        &self.longer
    }

    /// Where each row begins, and the last end; rows without elements up to a whole group behind them.
    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn starts(&self) -> &[u32] {
        &self.starts[..=self.rows().next_multiple_of(GROUP)]
    }
}

/// Of each row of a group, a bit that says whether it is short and ends within a batch that begins at
/// `start`, and one that says whether it has more than [`FEW`] elements. `ends` gets where they end in the batch.
#[cfg_attr(optimised, inline(always))]
fn group(offsets: &[i64], start: usize, ends: &mut [u32]) -> (u16, u16) {
    let (mut fit, mut longer) = (0, 0);
    for (row, (at, to)) in offsets.array_windows().zip(ends).enumerate() {
        let [begin, end] = at.map(|at| at as usize);
        let (len, end) = (end.wrapping_sub(begin), end.wrapping_sub(start));
        *to = end as u32;
        fit |= u16::from(len <= SHORT && end <= TOGETHER) << row;
        longer |= u16::from(len > FEW) << row;
    }
    (fit, longer)
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::{FEW, GROUP, SHORT, TOGETHER};
    use core::arch::x86_64::*;

    /// The same of a whole group.
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512bw")]
    #[inline]
    pub(super) fn group(
        offsets: &[i64; GROUP + 1],
        start: usize,
        ends: &mut [u32; GROUP],
    ) -> (u16, u16) {
        let all = |number: usize| _mm512_set1_epi64(number as i64);
        let (mut fit, mut longer) = (0, 0);
        for at in [0, 8] {
            // SAFETY: a vector's worth of offsets from there on, and one behind it; room for as many ends.
            unsafe {
                let begin = _mm512_loadu_epi64(offsets.as_ptr().add(at));
                let end = _mm512_loadu_epi64(offsets.as_ptr().add(at + 1));
                let (len, end) = (
                    _mm512_sub_epi64(end, begin),
                    _mm512_sub_epi64(end, all(start)),
                );
                let few = _mm512_cvtepi64_epi32(end);
                _mm256_storeu_si256(ends.as_mut_ptr().add(at).cast(), few);
                let short = _mm512_cmple_epu64_mask(len, all(SHORT));
                let within = _mm512_cmple_epu64_mask(end, all(TOGETHER));
                fit |= u16::from(short & within) << at;
                longer |= u16::from(_mm512_cmpgt_epu64_mask(len, all(FEW))) << at;
            }
        }
        (fit, longer)
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{FEW, GROUP, SHORT, TOGETHER};
    use core::arch::x86_64::*;

    /// The same.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn group(
        offsets: &[i64; GROUP + 1],
        start: usize,
        ends: &mut [u32; GROUP],
    ) -> (u16, u16) {
        let all = |number: usize| _mm256_set1_epi64x(number as i64);
        // There is no comparison without signs.
        let signed = |x| _mm256_xor_si256(x, all(1 << 63));
        let above = |x, most| _mm256_cmpgt_epi64(x, signed(all(most)));
        let bits = |mask| _mm256_movemask_pd(_mm256_castsi256_pd(mask)) as u16;
        let (mut over, mut longer) = (0, 0);
        for at in (0..GROUP).step_by(4) {
            // SAFETY: a vector's worth of offsets from there on, and one behind it; room for as many ends.
            unsafe {
                let begin = _mm256_loadu_si256(offsets.as_ptr().add(at).cast());
                let end = _mm256_loadu_si256(offsets.as_ptr().add(at + 1).cast());
                let (len, end) = (
                    _mm256_sub_epi64(end, begin),
                    _mm256_sub_epi64(end, all(start)),
                );
                let low = _mm256_castsi256_ps(end);
                let (first, second) =
                    (_mm256_castps256_ps128(low), _mm256_extractf128_ps::<1>(low));
                let few = _mm_shuffle_ps::<0b10_00_10_00>(first, second);
                _mm_storeu_ps(ends.as_mut_ptr().add(at).cast(), few);
                let (len, end) = (signed(len), signed(end));
                over |= bits(_mm256_or_si256(above(len, SHORT), above(end, TOGETHER))) << at;
                longer |= bits(above(len, FEW)) << at;
            }
        }
        (!over, longer)
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::level::{Level, best};

    /// Lengths of all sorts, and offsets that are none.
    fn groups() -> Vec<[i64; GROUP + 1]> {
        let lens = [
            [0; GROUP],
            [3; GROUP],
            [0, 16, 17, 64, 0, 1, 512, 9, 100, 200, 100, 20, 40, 0, 0, 1],
            [
                513, 1, 2, 3, 512, 511, 16, 17, 15, 0, 0, 0, 0, 0, 1024, 1025,
            ],
            [
                5,
                -3,
                7,
                i64::MAX,
                1,
                i64::MIN,
                0,
                0,
                4,
                -9,
                12,
                1,
                1,
                1,
                1,
                1,
            ],
        ];
        let offsets = lens.map(|lens| {
            let mut offsets = [77; GROUP + 1];
            for (at, len) in lens.into_iter().enumerate() {
                offsets[at + 1] = i64::wrapping_add(offsets[at], len);
            }
            offsets
        });
        offsets.to_vec()
    }

    #[test]
    fn groups_are_taken_alike_at_every_level() {
        for offsets in groups() {
            for start in [77, 0, 70] {
                let mut wanted = [0; GROUP];
                let found = group(&offsets, start, &mut wanted);
                for level in [Level::V3, Level::V4] {
                    if best() < level {
                        continue;
                    }
                    let mut ends = [0; GROUP];
                    // SAFETY: the level is there.
                    let bits = unsafe {
                        match level {
                            Level::V4 => avx512::group(&offsets, start, &mut ends),
                            _ => avx2::group(&offsets, start, &mut ends),
                        }
                    };
                    assert_eq!((bits, ends), (found, wanted), "{level:?} {offsets:?}");
                }
            }
        }
    }
}
