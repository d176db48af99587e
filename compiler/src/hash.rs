//! Hash tables of the compiler's own small keys.
//!
//! Cargo builds macros unoptimised, where std's hash, made against hostile keys, was a fifth of the
//! time of a block. Keys here are numbers that the compiler has counted, and names of the user's own.

use std::collections;
use std::hash::{BuildHasherDefault, Hasher};

/// std's, with a cheap hash.
pub type HashMap<K, V> = collections::HashMap<K, V, BuildHasherDefault<Cheap>>;
/// std's, with a cheap hash.
pub type HashSet<T> = collections::HashSet<T, BuildHasherDefault<Cheap>>;

/// Multiplies by 2^64 over the golden ratio: Knuth, The Art of Computer Programming 3, 6.4.
#[derive(Clone, Copy, Default)]
pub struct Cheap(u64);

impl Cheap {
    fn add(&mut self, word: u64) {
        // The highest bits, which have seen all others, also move to where the next word's are.
        self.0 = (self.0 ^ self.0 >> 32 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Cheap {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.add(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.add(n.into());
    }

    fn write_u64(&mut self, n: u64) {
        self.add(n);
    }

    fn write_usize(&mut self, n: usize) {
        self.add(n as u64);
    }

    fn write_isize(&mut self, n: isize) {
        self.add(n as u64);
    }

    fn finish(&self) -> u64 {
        // Tables take a few of the lowest bits, which a multiplication mixes least.
        self.0 ^ self.0 >> 32
    }
}
