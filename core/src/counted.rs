//! Counts in the rows of an irregular array, many rows together.
//!
//! In: a nest whose body counts in the row of its index, and where rows begin. Out: as the nest gives.
//! Assumes: what `Kernel::OVERHANGS` says; offsets that are none, and bodies that are wrong, give wrong
//! rows or a panic.
//!
//! Note [Counts by rank]: whether a condition holds depends on where an element lies in the array, not
//! on its row. So the conditions are found in whole blocks, across the ends of rows, as bits of words,
//! with the count before each word. How many hold from one position to another is the difference of
//! two ranks, each one word's population: rows take the same steps whatever their lengths are, so no
//! branch of them is guessed wrong. Rows that do not fit into the words together, and those of which
//! less than half is counted in, are left to the nest's body.

use core::ops::Range;

use crate::error::Failure;
use crate::kernel::{Combine, Fast, Flag, Kernel, Product};
use crate::level::{Task, apart, dispatch, has_lanes};
use crate::masks::word;
use crate::nest::{Opens, Out, by_rows, nest_by_to, one_by_one};
use crate::overhang::Beyond;
use crate::rows::Rows;
use crate::segments::{Segments, position};

/// Words of conditions.
const WORDS: usize = 64;

/// Conditions found together.
const WINDOW: usize = WORDS * 64;

/// The most rows that are taken together.
const ROWS: usize = 256;

/// A nest that counts, of what [`Segments::values`] gives, from the start of its index's row on.
pub trait Counted: Segments {
    /// Among how many values. Emitted with `#[inline(always)]`.
    fn among(&self, index: usize) -> usize;
}

/// As [`segments_to`](crate::segments_to), for nests that count.
///
/// Cost: that of all elements, in lanes, two ranks per row, and in parallel, in shares of as many
/// elements.
pub fn counted_to<N: Counted>(
    nest: &N,
    n: usize,
    offsets: &[i64],
    widths: <N::Outs as Rows>::Widths,
    outs: <N::Outs as Product>::Outs<'_>,
) -> Result<(), Failure> {
    if const { !<N::Values<'_> as Kernel>::OVERHANGS } {
        return nest_by_to(nest, n, offsets, widths, outs);
    }
    by_rows(nest, n, offsets, widths, outs, &|rows, out| {
        dispatch(Run {
            nest,
            offsets,
            rows,
            out,
        })
    })
}

struct Run<'a, N: Counted> {
    nest: &'a N,
    offsets: &'a [i64],
    rows: Range<usize>,
    out: Out<N::Outs>,
}

impl<N: Counted> Task for Run<'_, N> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        let mut batch = Batch::new();
        let (mut row, mut violated) = (self.rows.start, false);
        while row < self.rows.end && !violated {
            batch.take(self.nest, self.offsets, row..self.rows.end);
            let end = row + batch.rows.max(1);
            let rows = Run {
                rows: row..end,
                ..self
            };
            // SAFETY: the rows are some of this task's, for which `in_shares` has made room; `dispatch` has called
            // it.
            violated = unsafe {
                match has_lanes::<L>() && batch.is_dense() {
                    true => apart::<_, L>(Together(rows, &mut batch)),
                    false => one_by_one::<_, L>(rows.nest, rows.rows, rows.out),
                }
            };
            row = end;
        }
        violated
    }
}

/// The rows of a batch. See Note [Apart] in `level.rs`.
struct Together<'a, 'b, N: Counted>(Run<'a, N>, &'b mut Batch);

impl<N: Counted> Task for Together<'_, '_, N> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        let mut flag = Fast::default();
        self.0.together::<L>(self.1, &mut flag);
        flag.violated()
    }
}

impl<N: Counted> Run<'_, N> {
    /// The rows of a batch. The processor has what a level of `L` lanes names.
    #[cfg_attr(optimised, inline(always))]
    fn together<const L: usize>(self, batch: &mut Batch, flag: &mut Fast) {
        let values = self.nest.values();
        batch.find::<N::Values<'_>, L>(&values, flag);
        for (at, row) in self.rows.clone().enumerate() {
            let Range { start, end } = batch.ranges[at];
            let count = batch.rank(end).wrapping_sub(batch.rank(start));
            let total = Some(values.number(count));
            // SAFETY: the row is one of this task's, for which `in_shares` has made room.
            let mut places = unsafe { self.out.open(row..row + 1) };
            let len = position(self.offsets, row + 1).wrapping_sub(position(self.offsets, row));
            self.nest
                .close::<L, Fast>(row, len, total, &mut places, flag);
            // SAFETY: these rows.
            unsafe { self.out.close(places, row..row + 1) };
        }
    }
}

/// Rows that are counted in together.
struct Batch {
    /// How many.
    rows: usize,
    /// What each counts in, from `start` on.
    ranges: [Range<usize>; ROWS],
    /// The first position.
    start: usize,
    /// All of them count in so many positions,
    reach: usize,
    /// and each for itself in so many together.
    among: usize,
    /// The conditions as bits, from the lowest on.
    words: [u64; WORDS + 1],
    /// How many hold before each word.
    before: [usize; WORDS + 1],
}

impl Batch {
    #[cfg_attr(optimised, inline(always))]
    fn new() -> Batch {
        Batch {
            rows: 0,
            ranges: [const { 0..0 }; ROWS],
            start: 0,
            reach: 0,
            among: 0,
            words: [0; WORDS + 1],
            before: [0; WORDS + 1],
        }
    }

    /// Takes as many of these rows as fit, from the first on.
    #[cfg_attr(optimised, inline(always))]
    fn take<N: Counted>(&mut self, nest: &N, offsets: &[i64], rows: Range<usize>) {
        self.start = position(offsets, rows.start);
        (self.rows, self.reach, self.among) = (0, 0, 0);
        for (range, row) in self.ranges.iter_mut().zip(rows) {
            let at = position(offsets, row).wrapping_sub(self.start);
            let among = nest.among(row);
            if at > WINDOW || among > WINDOW - at {
                break;
            }
            *range = at..at + among;
            self.reach = self.reach.max(range.end);
            self.among += among;
            self.rows += 1;
        }
    }

    /// Whether to find all conditions costs at most twice what is needed of them.
    #[cfg_attr(optimised, inline(always))]
    fn is_dense(&self) -> bool {
        self.among >= self.reach / 2 && self.reach >= 64
    }

    /// Finds the conditions. The processor has what a level of `L` lanes names.
    #[cfg_attr(optimised, inline(always))]
    fn find<K: Combine, const L: usize>(&mut self, kernel: &K, flag: &mut Fast) {
        let whole = self.reach / 64;
        self.before[0] = 0;
        // In loops of their own: where both meet, masks would be made vectors and masks again.
        for at in 0..whole {
            self.put(at, bits::<K, Fast, L>(kernel, self.start + at * 64, flag));
        }
        // Where there may be no element behind the last, the block must know.
        if whole * 64 < self.reach {
            let start = self.start + whole * 64;
            self.put(whole, bits::<K, Beyond, L>(kernel, start, &mut Beyond));
        }
    }

    /// Sets a word, the one before having been set.
    #[cfg_attr(optimised, inline(always))]
    fn put(&mut self, at: usize, bits: u64) {
        self.words[at] = bits;
        self.before[at + 1] = self.before[at] + bits.count_ones() as usize;
    }

    /// How many conditions hold before a position.
    #[cfg_attr(optimised, inline(always))]
    fn rank(&self, position: usize) -> usize {
        let low = !(u64::MAX << (position % 64));
        let bits = self.words[position / 64] & low;
        self.before[position / 64] + bits.count_ones() as usize
    }
}

/// The conditions of 64 indices. The processor has what a level of `L` lanes names.
#[cfg_attr(optimised, inline(always))]
fn bits<K: Combine, F: Flag, const L: usize>(kernel: &K, start: usize, flag: &mut F) -> u64 {
    let mut bits = 0;
    let mut lane = 0;
    while lane < 64 {
        let mut holds = [false; L];
        kernel.holds::<L, F>(start + lane, &mut holds, flag);
        // SAFETY: promised by the caller.
        bits |= unsafe { word::<L>(&holds) } << lane;
        lane += L;
    }
    bits
}
