//! The word of a dictionary that has a given MD5 digest.
//!
//! Two or three vectors of words at a time, so that the steps of one hide the latency of the other's. Words have up
//! to 15 bytes: of the 16 numbers of a message all but five are known to be zero, and left out. The
//! first number of a digest is known three steps before the end, and tells all but one word in four
//! billion from the one that is wanted; only for these the last three steps are made.

use crate::levels::Level;
use rayon::prelude::*;

/// Four numbers of 32 bits.
pub type Digest = [u32; 4];

/// A dictionary: words of up to 15 bytes as numbers, with one bit and zeros behind them, and how many bits
/// each has.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    blocks: &'a [[u32; 4]],
    bits: &'a [u32],
}

impl<'a> Words<'a> {
    /// A dictionary.
    ///
    /// # Panics
    /// If there are not as many lengths as words.
    pub fn new(blocks: &'a [[u32; 4]], bits: &'a [u32]) -> Self {
        assert_eq!(blocks.len(), bits.len());
        Words { blocks, bits }
    }
}

/// Words per task.
const TASK: usize = 1 << 14;

/// What each step adds.
const CONSTANTS: [u32; 64] = [
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
];

/// By how many bits each step of a round turns.
const TURNS: [[u32; 4]; 4] = [
    [7, 12, 17, 22],
    [5, 9, 14, 20],
    [4, 11, 16, 23],
    [6, 10, 15, 21],
];

const START: Digest = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];

/// Which number of the message a step takes.
const fn word_of(step: usize) -> usize {
    match step / 16 {
        0 => step % 16,
        1 => (5 * step + 1) % 16,
        2 => (3 * step + 5) % 16,
        _ => 7 * step % 16,
    }
}

/// The digest of a word.
pub fn digest(word: [u32; 4], bits: u32) -> Digest {
    let mut message = [0; 16];
    message[..4].copy_from_slice(&word);
    message[14] = bits;
    let [mut a, mut b, mut c, mut d] = START;
    for (step, constant) in CONSTANTS.iter().enumerate() {
        let mixed = match step / 16 {
            0 => (b & c) | (!b & d),
            1 => (b & d) | (c & !d),
            2 => b ^ c ^ d,
            _ => c ^ (b | !d),
        };
        let sum = a
            .wrapping_add(mixed)
            .wrapping_add(message[word_of(step)])
            .wrapping_add(*constant);
        let turned = sum.rotate_left(TURNS[step / 16][step % 4]);
        (a, b, c, d) = (d, b.wrapping_add(turned), b, c);
    }
    std::array::from_fn(|i| [a, b, c, d][i].wrapping_add(START[i]))
}

/// Where the word is, as rayon gives it; how many words there are if none has this digest.
pub fn plain(words: Words, wanted: Digest) -> usize {
    let pairs = words.blocks.par_iter().zip(words.bits);
    let found = pairs.position_first(|(word, bits)| digest(*word, *bits) == wanted);
    found.unwrap_or(words.bits.len())
}

/// Where the word is, as an expert finds it.
pub fn expert(words: Words, wanted: Digest) -> usize {
    at(Level::best(), words, wanted)
}

/// The expert's version at a level.
pub fn at(level: Level, words: Words, wanted: Digest) -> usize {
    let tasks = words
        .blocks
        .par_chunks(TASK)
        .zip(words.bits.par_chunks(TASK));
    let found = tasks.enumerate().find_map_first(|(task, (blocks, bits))| {
        let at = first(level, Words { blocks, bits }, wanted)?;
        Some(task * TASK + at)
    });
    found.unwrap_or(words.bits.len())
}

/// The first word in a task.
fn first(level: Level, words: Words, wanted: Digest) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if level.is_v4() {
        // SAFETY: the level says that the machine has AVX-512.
        return unsafe { avx512::first(words, wanted) };
    } else if level.has_fma() {
        // SAFETY: the level says that the machine has AVX2.
        return unsafe { avx2::first(words, wanted) };
    }
    let _ = level;
    among(words, 0..words.bits.len(), wanted)
}

/// The first of some words.
fn among(words: Words, mut places: std::ops::Range<usize>, wanted: Digest) -> Option<usize> {
    places.find(|at| digest(words.blocks[*at], words.bits[*at]) == wanted)
}

/// The steps of all streams, one after another, as far as the first number of the digest needs them.
#[cfg(target_arch = "x86_64")]
macro_rules! steps {
    ($states:ident, $messages:ident: $($step:literal)*) => {
        $({
            const TURN: i32 = TURNS[$step / 16][$step % 4] as i32;
            let [a, b, c, d] = [64, 65, 66, 67].map(|turn| (turn - $step) % 4);
            for (s, message) in $states.iter_mut().zip(&$messages) {
                let sum = add(s[a], splat(CONSTANTS[$step] as i32));
                let sum = match word_of($step) {
                    word @ 0..4 => add(sum, message[word]),
                    14 => add(sum, message[4]),
                    _ => sum,
                };
                let mixed = match $step / 16 {
                    0 => chosen(s[b], s[c], s[d]),
                    1 => chosen(s[d], s[b], s[c]),
                    2 => parity(s[b], s[c], s[d]),
                    _ => fourth(s[b], s[c], s[d]),
                };
                s[a] = add(s[b], turned(add(sum, mixed), splat(TURN), splat(32 - TURN)));
            }
        })*
    };
}

/// What is the same for all widths of vectors.
#[cfg(target_arch = "x86_64")]
macro_rules! search {
    ($feature:literal, $V:ident, $streams:literal) => {
        const LANES: usize = size_of::<$V>() / 4;

        /// Words in all streams together.
        const TOGETHER: usize = $streams * LANES;

        /// The first of the words.
        #[target_feature(enable = $feature)]
        pub fn first(words: Words, wanted: Digest) -> Option<usize> {
            let (blocks, rest) = words.blocks.as_chunks::<TOGETHER>();
            let (bits, _) = words.bits.as_chunks::<TOGETHER>();
            let sought = splat(wanted[0].wrapping_sub(START[0]) as i32);
            for (block, (words_of, bits)) in blocks.iter().zip(bits).enumerate() {
                let (words_of, _) = words_of.as_chunks::<LANES>();
                let (bits, _) = bits.as_chunks::<LANES>();
                let messages: [_; $streams] =
                    std::array::from_fn(|stream| message(&words_of[stream], &bits[stream]));
                if any_begins(&messages, sought) {
                    let from = block * TOGETHER;
                    let found = among(words, from..from + TOGETHER, wanted);
                    if found.is_some() {
                        return found;
                    }
                }
            }
            let end = words.bits.len();
            among(words, end - rest.len()..end, wanted)
        }

        /// Whether any digest begins so.
        #[inline]
        #[target_feature(enable = $feature)]
        fn any_begins(messages: &[[$V; 5]; $streams], sought: $V) -> bool {
            let messages = *messages;
            let mut states = [START.map(|number| splat(number as i32)); $streams];
            steps! { states, messages:
                0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
                16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
                32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47
                48 49 50 51 52 53 54 55 56 57 58 59 60
            }
            any_equal(states.map(|state| state[0]), sought)
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::{CONSTANTS, Digest, START, TURNS, Words, among, word_of};
    use std::arch::x86_64::*;

    search!("avx512f", __m512i, 2);

    /// Numbers apart: lane `4 * j + i` has word `4 * i + j`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn message(words: &[[u32; 4]; LANES], bits: &[u32; LANES]) -> [__m512i; 5] {
        let (quarters, _) = words.as_chunks::<4>();
        // SAFETY: there are 64 bytes at each place.
        let [a, b, c, d]: [__m512i; 4] =
            std::array::from_fn(|i| unsafe { _mm512_loadu_si512(quarters[i].as_ptr().cast()) });
        let (ab, cd) = (_mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi32(c, d));
        let (ab_high, cd_high) = (_mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi32(c, d));
        let order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
        // SAFETY: there are 64 bytes.
        let bits = unsafe { _mm512_loadu_si512(bits.as_ptr().cast()) };
        [
            _mm512_unpacklo_epi64(ab, cd),
            _mm512_unpackhi_epi64(ab, cd),
            _mm512_unpacklo_epi64(ab_high, cd_high),
            _mm512_unpackhi_epi64(ab_high, cd_high),
            _mm512_permutexvar_epi32(order, bits),
        ]
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn splat(number: i32) -> __m512i {
        _mm512_set1_epi32(number)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn add(a: __m512i, b: __m512i) -> __m512i {
        _mm512_add_epi32(a, b)
    }

    /// Bits of `b` where `a` has ones, of `c` elsewhere.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn chosen(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        _mm512_ternarylogic_epi32::<0xca>(a, b, c)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn parity(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        _mm512_ternarylogic_epi32::<0x96>(a, b, c)
    }

    /// `c ^ (b | !d)`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn fourth(b: __m512i, c: __m512i, d: __m512i) -> __m512i {
        _mm512_ternarylogic_epi32::<0x39>(b, c, d)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn turned(a: __m512i, left: __m512i, _right: __m512i) -> __m512i {
        _mm512_rolv_epi32(a, left)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn any_equal(found: [__m512i; 2], sought: __m512i) -> bool {
        let masks = found.map(|found| _mm512_cmpeq_epi32_mask(found, sought));
        masks[0] | masks[1] != 0
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{CONSTANTS, Digest, START, TURNS, Words, among, word_of};
    use std::arch::x86_64::*;

    search!("avx2", __m256i, 3);

    /// Numbers apart: lane `4 * j + i` has word `2 * i + j`.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn message(words: &[[u32; 4]; LANES], bits: &[u32; LANES]) -> [__m256i; 5] {
        let (quarters, _) = words.as_chunks::<2>();
        // SAFETY: there are 32 bytes at each place.
        let [a, b, c, d]: [__m256i; 4] =
            std::array::from_fn(|i| unsafe { _mm256_loadu_si256(quarters[i].as_ptr().cast()) });
        let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
        let (ab_high, cd_high) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
        let order = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
        // SAFETY: there are 32 bytes.
        let bits = unsafe { _mm256_loadu_si256(bits.as_ptr().cast()) };
        [
            _mm256_unpacklo_epi64(ab, cd),
            _mm256_unpackhi_epi64(ab, cd),
            _mm256_unpacklo_epi64(ab_high, cd_high),
            _mm256_unpackhi_epi64(ab_high, cd_high),
            _mm256_permutevar8x32_epi32(bits, order),
        ]
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn splat(number: i32) -> __m256i {
        _mm256_set1_epi32(number)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn add(a: __m256i, b: __m256i) -> __m256i {
        _mm256_add_epi32(a, b)
    }

    /// Bits of `b` where `a` has ones, of `c` elsewhere.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn chosen(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        _mm256_xor_si256(c, _mm256_and_si256(a, _mm256_xor_si256(b, c)))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn parity(a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        _mm256_xor_si256(a, _mm256_xor_si256(b, c))
    }

    /// `c ^ (b | !d)`.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn fourth(b: __m256i, c: __m256i, d: __m256i) -> __m256i {
        let not_d = _mm256_xor_si256(d, splat(-1));
        _mm256_xor_si256(c, _mm256_or_si256(b, not_d))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn turned(a: __m256i, left: __m256i, right: __m256i) -> __m256i {
        _mm256_or_si256(_mm256_sllv_epi32(a, left), _mm256_srlv_epi32(a, right))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn any_equal(found: [__m256i; 3], sought: __m256i) -> bool {
        let [a, b, c] = found.map(|found| _mm256_cmpeq_epi32(found, sought));
        _mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(a, b), c)) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word as numbers.
    fn block(word: &[u8]) -> ([u32; 4], u32) {
        let mut bytes = [0; 16];
        bytes[..word.len()].copy_from_slice(word);
        bytes[word.len()] = 0x80;
        let number = |i: usize| u32::from_le_bytes(bytes[4 * i..][..4].try_into().expect("four"));
        (std::array::from_fn(number), 8 * word.len() as u32)
    }

    #[test]
    fn digests_are_those_of_the_rfc() {
        for (word, wanted) in [
            ("", "d41d8cd98f00b204e9800998ecf8427e"),
            ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ] {
            let (block, bits) = block(word.as_bytes());
            let bytes = digest(block, bits).map(u32::to_le_bytes).concat();
            let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(text, wanted);
        }
    }

    #[test]
    fn finds_the_first_word_on_every_level() {
        let word = |i: usize| block(&b"some0123456789"[..4 + i % 10]);
        let pairs = (0..2 * TASK + 77).map(|i| {
            let ([a, b, c, d], bits) = word(i);
            ([a ^ (i as u32) << 8, b, c, d], bits)
        });
        let (blocks, bits): (Vec<_>, Vec<_>) = pairs.unzip();
        let words = Words::new(&blocks, &bits);
        for at_place in [0, 1, 31, 32, TASK - 1, TASK + 5, 2 * TASK + 76] {
            let wanted = digest(blocks[at_place], bits[at_place]);
            assert_eq!(plain(words, wanted), at_place);
            for level in Level::available() {
                assert_eq!(at(level, words, wanted), at_place, "{level:?}");
            }
        }
        assert_eq!(expert(words, [1; 4]), bits.len());
    }
}
