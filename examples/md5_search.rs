//! The word that has a given MD5 digest, among as many as one likes:
//! `cargo run --release --example md5_search [millions]`. The words are made while they are read, of
//! 1 to 24 letters, and the search ends where the word is found. Beside it, the same with rayon by hand.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use ragged::accel;
use rayon::prelude::*;

accel! {
    /// How many words come before the first whose digest is `wanted`; all if there is none.
    /// `turns` and `adds` are the tables of RFC 1321.
    pub fn find(
        words: Seq<[u8]>, wanted: (u32, u32, u32, u32), turns: [u32; 64], adds: [u32; 64],
    ) -> usize {
        words.take_while(|word| digest(word, turns, adds) != wanted).count(|_| true)
    }

    fn digest(word: [u8], turns: [u32; 64], adds: [u32; 64]) -> (u32, u32, u32, u32) {
        let n = word.len();
        assert!(n < 56, "a word has at most 55 bytes");
        // One block: the word, one bit, zeros, and how many bits the word has.
        let byte = |i| if i < n { word[i] as u32 } else if i == n { 128 } else { 0 };
        let block = for j in 0..16 {
            if j == 14 { 8 * n as u32 } else {
                byte(4 * j) | byte(4 * j + 1) << 8 | byte(4 * j + 2) << 16 | byte(4 * j + 3) << 24
            }
        };
        let (mut a, mut b, mut c, mut d) = (0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
        for i in 0..64 {
            let (mixed, j) = if i < 16 { ((b & c) | (!b & d), i) }
                else if i < 32 { ((d & b) | (!d & c), 5 * i + 1) }
                else if i < 48 { (b ^ c ^ d, 3 * i + 5) }
                else { (c ^ (b | !d), 7 * i) };
            let sum = a + mixed + adds[i] + block[j % 16];
            let turned = sum << turns[i] | sum >> (32 - turns[i]);
            (a, b, c, d) = (d, b + turned, b, c);
        }
        (a + 0x67452301, b + 0xefcdab89, c + 0x98badcfe, d + 0x10325476)
    }
}

type Digest = (u32, u32, u32, u32);

/// What RFC 1321 adds in each step, and by how many bits it turns.
struct Tables {
    turns: [u32; 64],
    adds: [u32; 64],
}

fn main() -> Result<(), Box<dyn Error>> {
    let count: usize = match std::env::args().nth(1) {
        Some(millions) => (millions.parse::<f64>()? * 1e6) as usize,
        None => 4_000_000,
    };
    let tables = Tables::new();
    assert_eq!(tables.digest(b"abc").0, 0x9850_0190, "RFC 1321, A.5");
    // The last word.
    let secret = word(count - 1);
    let wanted = tables.digest(&secret);
    let words = || (0..count).map(word);
    timed("made alone", count, || {
        Ok(words().map(|word| black_box(word).len()).sum::<usize>())
    })?;
    let found = timed("as a sequence", count, || {
        find(words(), wanted, &tables.turns, &tables.adds)
    })?;
    let by_hand = timed(
        "batches by hand",
        count,
        || Ok(tables.find(words(), wanted)),
    )?;
    assert_eq!((found, by_hand), (count - 1, count - 1));
    println!("\n`{}` is word {found}", String::from_utf8(word(found))?);
    Ok(())
}

/// A word of 1 to 24 letters.
fn word(at: usize) -> Vec<u8> {
    let mut state = (at as u64 ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0x5851_f42d_4c95_7f2d);
    let mut letter = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 40) as usize
    };
    let len = 1 + letter() % 24;
    (0..len).map(|_| b'a' + (letter() % 26) as u8).collect()
}

impl Tables {
    fn new() -> Tables {
        let turns = [
            [7, 12, 17, 22],
            [5, 9, 14, 20],
            [4, 11, 16, 23],
            [6, 10, 15, 21],
        ];
        let sine = |i: usize| (i as f64 + 1.0).sin().abs() * 2f64.powi(32);
        Tables {
            turns: std::array::from_fn(|i| turns[i / 16][i % 4]),
            adds: std::array::from_fn(|i| sine(i) as u32),
        }
    }

    /// The digest of at most 55 bytes, by hand.
    fn digest(&self, word: &[u8]) -> Digest {
        let mut bytes = [0; 64];
        bytes[..word.len()].copy_from_slice(word);
        bytes[word.len()] = 128;
        bytes[56..].copy_from_slice(&(8 * word.len() as u64).to_le_bytes());
        let (numbers, _) = bytes.as_chunks::<4>();
        let start: Digest = (0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476);
        let (mut a, mut b, mut c, mut d) = start;
        for i in 0..64 {
            let (mixed, j) = match i / 16 {
                0 => ((b & c) | (!b & d), i),
                1 => ((d & b) | (!d & c), 5 * i + 1),
                2 => (b ^ c ^ d, 3 * i + 5),
                _ => (c ^ (b | !d), 7 * i),
            };
            let sum = a.wrapping_add(mixed).wrapping_add(self.adds[i]);
            let sum = sum.wrapping_add(u32::from_le_bytes(numbers[j % 16]));
            (a, b, c, d) = (d, b.wrapping_add(sum.rotate_left(self.turns[i])), b, c);
        }
        let (e, f, g, h) = start;
        (
            a.wrapping_add(e),
            b.wrapping_add(f),
            c.wrapping_add(g),
            d.wrapping_add(h),
        )
    }

    fn find(&self, mut words: impl Iterator<Item = Vec<u8>>, wanted: Digest) -> usize {
        let mut before = 0;
        loop {
            let batch: Vec<Vec<u8>> = words.by_ref().take(1 << 16).collect();
            let found = batch
                .par_iter()
                .position_first(|word| self.digest(word) == wanted);
            if found.is_some() || batch.is_empty() {
                return before + found.unwrap_or(0);
            }
            before += batch.len();
        }
    }
}

/// Says how many words a second `f` took.
fn timed<T>(
    name: &str,
    words: usize,
    f: impl FnOnce() -> ragged::Result<T>,
) -> Result<T, Box<dyn Error>> {
    let start = Instant::now();
    let done = f()?;
    let rate = words as f64 / 1e6 / start.elapsed().as_secs_f64();
    println!("{name:16} {rate:6.1} M words/s");
    Ok(done)
}
