//! The bits of keys by which items go to buckets.
//!
//! In: how many items there are, and some of their keys. Out: a digit. Assumes: nothing; keys that say
//! little of the others make a sort slow, not wrong.
//!
//! Note \[Digits\]. Buckets are best of a size that a sort in the cache takes: if keys are spread evenly,
//! the number of items says how many bits that takes. Floats are not, of which few bits tell many apart:
//! so a digit has more bits until two keys out of those asked are in one bucket as seldom as they should.
//! More bits than that cost tables, and some keys are equal: what hardly gets better stays short.

use super::items::Item;

/// The binary logarithm of the items in a bucket that near sorts are best at.
const BUCKET: u32 = 14;

/// The same where keys are too long to be sorted from the lowest digit on.
const BUCKET_OF_LONG: u32 = 11;

/// Bits from which on keys are so long, behind the first digit.
const LONG: u32 = 36;

/// Bits of a digit, if keys are spread evenly.
const LEAST: u32 = 8;
const MOST: u32 = 11;

/// Bits of any digit.
const WIDEST: u32 = 14;

/// Items for each count that is kept of them.
const PER_COUNT: usize = 16;

/// Some bits of a key, which say to which bucket it goes.
#[derive(Clone, Copy)]
pub(super) struct Digit {
    pub(super) low: u32,
    /// The greatest value.
    pub(super) most: usize,
}

impl Digit {
    /// Of the lowest `bits` of the keys of `n` items, which are all that differ, the highest; all, if these
    /// are few. Items are counted in so many chunks, and `asked` are some keys in their order.
    pub(super) fn choose(n: usize, bits: u32, chunks: usize, asked: &[u64]) -> Digit {
        if bits <= MOST {
            return Digit::new(bits, 0);
        }
        let even = |bucket| n.ilog2().saturating_sub(bucket).clamp(LEAST, MOST);
        let bucket = match bits - even(BUCKET) > LONG {
            true => BUCKET_OF_LONG,
            false => BUCKET,
        };
        let least = even(bucket);
        let room = (n / (PER_COUNT * chunks)).max(1).ilog2();
        let widest = room.min(WIDEST).min(bits).max(least);
        let expected = |digit| alike(asked, bits - digit) * n as f64;
        let enough = f64::max(1.25 * expected(widest), (2 << bucket) as f64);
        let digit = (least..widest).find(|digit| expected(*digit) <= enough);
        let digit = digit.unwrap_or(widest);
        Digit::new(digit, bits - digit)
    }

    /// So many bits, below which there are `low`.
    fn new(bits: u32, low: u32) -> Digit {
        let most = (1 << bits) - 1;
        Digit { low, most }
    }

    /// How many buckets there are.
    pub(super) fn buckets(self) -> usize {
        self.most + 1
    }

    /// The bucket of an item.
    #[inline(always)]
    pub(super) fn bucket(self, item: impl Item) -> usize {
        (item.bits() >> self.low) as usize & self.most
    }
}

/// How many of the pairs of keys, which are in order, do not differ above the lowest `low` bits.
fn alike(keys: &[u64], low: u32) -> f64 {
    let groups = keys.chunk_by(|a, b| a >> low == b >> low);
    let pairs: usize = groups.map(|group| group.len() * (group.len() - 1)).sum();
    pairs as f64 / (keys.len() * (keys.len() - 1)).max(1) as f64
}
