//! Lengths that items have in common: of axes that are sizes of a function.
//!
//! In: what is known of sizes before the first item, and the first items. Out: the shape of a chunk
//! that has no items, where its own source has not said it: other sources may have.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::chunk::Chunk;

/// What stands for a length that nobody knows: no array is as long.
const UNKNOWN: usize = usize::MAX;

/// The lengths of a function's sizes, by number; clones are the same ones.
#[derive(Clone, Debug)]
pub struct Lengths(Arc<[AtomicUsize]>);

impl Lengths {
    /// With those that are known already.
    pub fn new(known: &[Option<usize>]) -> Self {
        let known = known.iter().map(|len| len.unwrap_or(UNKNOWN).into());
        Lengths(known.collect())
    }

    fn get(&self, size: usize) -> Option<usize> {
        let len = self.0[size].load(Ordering::Relaxed);
        (len != UNKNOWN).then_some(len)
    }
}

/// The sizes that the axes of a source's items are.
#[derive(Debug)]
pub(super) struct Axes {
    lengths: Lengths,
    sizes: &'static [usize],
}

impl Axes {
    pub(super) fn new(lengths: &Lengths, sizes: &'static [usize]) -> Self {
        Axes {
            lengths: lengths.clone(),
            sizes,
        }
    }

    /// Sees the first items of a source.
    #[cold]
    pub(super) fn learn(&self, chunk: &impl Chunk) {
        let mut sizes = self.sizes.iter();
        chunk.each_length(&mut |len| {
            if let Some(size) = sizes.next() {
                // What another source has said before stays: a step compares them.
                let len_of = &self.lengths.0[*size];
                let _ = len_of.compare_exchange(UNKNOWN, len, Ordering::Relaxed, Ordering::Relaxed);
            }
        });
    }

    /// Lets a chunk without items have the shape that it would have with some.
    pub(super) fn assume(&self, chunk: &mut impl Chunk) {
        let mut sizes = self.sizes.iter();
        chunk.assume_lengths(&mut || sizes.next().and_then(|size| self.lengths.get(*size)));
    }
}
