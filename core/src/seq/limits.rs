//! The limit of memory, and who watches.
//!
//! In: what a user allows. Out: how much a chunk, and how much one item may take.
//! Assumes: nothing.

use super::parts::Allowed;
use super::size::Size;
use super::watch::{Watch, Watches};

/// How much memory a program over sequences may take.
///
/// The limit covers chunks of items that were read and the results that were computed of them, but
/// have not been handed out yet. It does not cover what a function makes of a whole sequence (a
/// vector of all elements, say), nor what is the caller's: the source itself, an item before it is
/// taken, results that were handed out. Chunks are cut so that what is covered stays below the
/// limit, and where the results and the arrays in between turn out to need more than is left, the
/// chunk is computed in parts, of as many items as there is room for. A single item may take half of
/// the limit, since its results need room too; a larger one is an error,
/// [`ItemTooLarge`](crate::ErrorKind::ItemTooLarge), and so are results of a single item that do not fit,
/// [`OutOfMemory`](crate::ErrorKind::OutOfMemory), unless the function keeps arrays besides, as a `fold`
/// may. Where numbers are summed as they come a
/// chunk has at least 16384 of them, since sums of floats are combined in blocks of these.
///
/// Without a limit chunks take some megabytes, or one item if that is larger.
///
/// ```
/// use ragged_core::seq::Limits;
///
/// let limits = Limits::new().memory(256 << 20);
/// assert_ne!(limits, Limits::default());
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    memory: Option<usize>,
    items: Option<usize>,
    block: Option<usize>,
    keeps: bool,
    watches: Watches,
}

/// What a chunk takes at most where there is no limit, but for its last item, for each of the threads that
/// share it: what is read for a step, and what the one before has left, is in a cache still.
const SHARE: usize = 1 << 20;

/// The least that it may take, whatever threads there are.
const LEAST: usize = 2 << 20;

impl Limits {
    /// None.
    pub fn new() -> Self {
        Limits::default()
    }

    /// At most so many bytes.
    pub fn memory(self, bytes: usize) -> Self {
        let memory = Some(bytes);
        Limits { memory, ..self }
    }

    /// At most so many items in a chunk (at least one): for programs that must see each item soon, and
    /// to measure. Results do not depend on it.
    pub fn items(self, most: usize) -> Self {
        let items = Some(most.max(1));
        Limits { items, ..self }
    }

    /// Chunks but the last have a multiple of so many items: emitted code asks for it where sums of
    /// floats are combined in blocks.
    #[doc(hidden)]
    pub fn in_blocks(self, of: usize) -> Self {
        let block = Some(of.max(1));
        Limits { block, ..self }
    }

    /// Steps keep arrays: emitted code asks for it, since what is kept may take any memory.
    #[doc(hidden)]
    pub fn keeping(self) -> Self {
        let keeps = true;
        Limits { keeps, ..self }
    }

    /// Those of a sequence whose results so many passes with limits of their own read and compute at once:
    /// each may take its part of the memory.
    #[doc(hidden)]
    pub fn shared(self, by: usize) -> Self {
        let memory = self.memory.map(|memory| memory / by.max(1));
        Limits { memory, ..self }
    }

    /// Those of a sequence whose results are items of another: who watches is told of the chunks of that one.
    #[doc(hidden)]
    pub fn nested(self) -> Self {
        let watches = Watches::default();
        Limits { watches, ..self }
    }

    /// Of how many items chunks have a multiple.
    pub(super) fn block(&self) -> usize {
        self.block.unwrap_or(1)
    }

    /// What a step is allowed whose chunk takes so many bytes, beside what results take that were made
    /// before.
    pub(super) fn allowed(&self, chunk: usize, results: usize) -> Allowed {
        let left = self.memory.map(|memory| {
            let next = if self.leaves_another(chunk) {
                memory / 4
            } else {
                0
            };
            memory.saturating_sub(chunk).saturating_sub(results + next)
        });
        Allowed {
            block: self.block(),
            memory: left,
            may_exceed: self.keeps || self.block() > 1,
        }
    }

    /// Tells `watch` of each chunk, besides those that are told already: a closure, as below, or a
    /// [`Trace`](super::Trace).
    ///
    /// ```
    /// use ragged_core::seq::{Limits, Progress};
    ///
    /// let limits = Limits::new().watch(|progress: &Progress| eprintln!("{progress}"));
    /// ```
    pub fn watch(mut self, watch: impl Watch + 'static) -> Self {
        self.watches.add(watch);
        self
    }

    pub(super) fn watches(&self) -> &Watches {
        &self.watches
    }

    /// The items and the bytes of a chunk at which no further item is put into it, if results take
    /// `ratio` times what items take.
    pub(super) fn quota(&self, size: &Size, ratio: f64) -> (usize, usize) {
        let (items, bytes) = size.quota();
        let chunk = LEAST.max(SHARE.saturating_mul(rayon::current_num_threads()));
        let chunk = self.memory.map_or(chunk, |memory| chunk.min(memory / 4));
        let chunk = (chunk as f64 / ratio.max(1.0)) as usize;
        let most = self.items.unwrap_or(items).min(items);
        // Items may take less than what is made of them, or nothing.
        (most.min(chunk).max(1), bytes.min(chunk))
    }

    /// The bytes that one item may take.
    pub(super) fn item(&self) -> usize {
        self.memory.map_or(usize::MAX, |memory| memory / 2)
    }

    /// Whether chunks take so little, one that is computed and one that waits for that, that the reader may
    /// fill another.
    pub(super) fn leaves_many(&self, bytes: usize) -> bool {
        self.memory.is_none_or(|memory| bytes <= memory / 32)
    }

    /// Whether the next chunk may be there, or its results, while there is one of so many bytes.
    pub(super) fn leaves_another(&self, bytes: usize) -> bool {
        self.memory.is_none_or(|memory| bytes <= memory / 4)
    }
}
