//! Some columns of a scan of all, step by step.
//!
//! In: values of blocks of columns, the carries into a chunk of steps. Out: the prefixes of the
//! chunk, its totals.
//! Assumes: see Note [Blocks of steps] in `mod.rs`; that nobody else has these columns in the chunk.

use core::ops::Range;

use super::Work;
use crate::columns::{Blocks, is_wide};
use crate::kernel::{Combine, Fast, Kernel, LANES, Product};
use crate::product::Bases;
use crate::scan::{BLOCK, CHEAP};

/// One step of a block of columns.
type Lanes<K, const B: usize> = <<K as Kernel>::Out as Product>::Lanes<B>;

/// One step of some columns.
pub(super) type Row<K, const B: usize> = Vec<Lanes<K, B>>;

/// Columns of one row, `B` lanes at a time.
pub(super) struct Strip<'a, 'k, K: Combine, const B: usize> {
    work: &'a Work<'k, K>,
    blocks: &'a Blocks,
    /// Whether values are computed; else they are among the results.
    compute: bool,
}

/// Whether values are computed again, rather than kept.
pub(super) const fn again<K: Combine>() -> bool {
    K::COST <= CHEAP
}

impl<'a, 'k, K: Combine, const B: usize> Strip<'a, 'k, K, B> {
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn new(work: &'a Work<'k, K>, blocks: &'a Blocks, compute: bool) -> Self {
        Strip {
            work,
            blocks,
            compute,
        }
    }

    /// The same for all columns.
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn row(&self, value: K::Out) -> Row<K, B> {
        vec![value.splat::<B>(); self.blocks.count::<B>()]
    }

    /// Writes the prefixes of a chunk; its values go to `sums` too, without the carry.
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn prefixes(
        &self,
        steps: Range<usize>,
        carry: Option<Row<K, B>>,
        sums: Option<&mut Sums<K, B>>,
        flag: &mut Fast,
    ) {
        let count = self.blocks.count::<B>();
        match carry {
            Some(carry) if K::COMMUTATIVE && is_wide(count * B * K::Out::BYTES) => {
                self.in_tiles(steps, carry, sums, flag);
            }
            Some(carry) if K::COMMUTATIVE => self.in_blocks(steps, carry, sums, flag),
            carry => self.in_order(steps, carry, sums, flag),
        }
    }

    /// [`Self::prefixes`] by a commutative operator, of wide rows.
    #[cfg_attr(optimised, inline(always))]
    fn in_tiles(
        &self,
        steps: Range<usize>,
        mut carry: Row<K, B>,
        mut sums: Option<&mut Sums<K, B>>,
        flag: &mut Fast,
    ) {
        let (kernel, how) = (self.work.kernel, self.work.how);
        let mut tile = Tile::<K, B>::new(self.blocks.count::<B>());
        for first in steps.clone().step_by(BLOCK) {
            tile.len = BLOCK.min(steps.end - first);
            for l in 0..tile.len {
                for block in 0..tile.count {
                    let values = self.values(block, first + l, flag);
                    if let Some(sums) = &mut sums {
                        sums.add(kernel, first - steps.start + l, block, &values, flag);
                    }
                    *tile.at(l, block) = values;
                }
            }
            for (block, carry) in carry.iter_mut().enumerate() {
                tile.take_in(kernel, block, flag);
                tile.carry(kernel, block, carry, how.exclusive, flag);
            }
            for l in 0..tile.len {
                for block in 0..tile.count {
                    let prefixes = tile.at(l, block);
                    self.store(block, first + l, prefixes, self.work.stream);
                }
            }
        }
    }

    /// [`Self::prefixes`] by a commutative operator, of rows that lie near each other.
    #[cfg_attr(optimised, inline(always))]
    fn in_blocks(
        &self,
        steps: Range<usize>,
        mut carry: Row<K, B>,
        mut sums: Option<&mut Sums<K, B>>,
        flag: &mut Fast,
    ) {
        let (kernel, how) = (self.work.kernel, self.work.how);
        let mut tile = Tile::<K, B>::new(1);
        for first in steps.clone().step_by(BLOCK) {
            tile.len = BLOCK.min(steps.end - first);
            for (block, carry) in carry.iter_mut().enumerate() {
                for l in 0..tile.len {
                    let values = self.values(block, first + l, flag);
                    if let Some(sums) = &mut sums {
                        sums.add(kernel, first - steps.start + l, block, &values, flag);
                    }
                    *tile.at(l, 0) = values;
                }
                tile.take_in(kernel, 0, flag);
                tile.carry(kernel, 0, carry, how.exclusive, flag);
                for l in 0..tile.len {
                    self.store(block, first + l, tile.at(l, 0), self.work.stream);
                }
            }
        }
    }

    /// [`Self::prefixes`] by any other operator.
    #[cfg_attr(optimised, inline(always))]
    fn in_order(
        &self,
        steps: Range<usize>,
        mut carry: Option<Row<K, B>>,
        mut sums: Option<&mut Sums<K, B>>,
        flag: &mut Fast,
    ) {
        for (l, step) in steps.enumerate() {
            let is_first = carry.is_none();
            let row = carry.get_or_insert_with(|| self.row(K::Out::zero()));
            for (block, carry) in row.iter_mut().enumerate() {
                let values = self.values(block, step, flag);
                if let Some(sums) = &mut sums {
                    sums.add(self.work.kernel, l, block, &values, flag);
                }
                let next = match is_first {
                    true => values,
                    false => both::<K, B>(self.work.kernel, carry, &values, flag),
                };
                match self.work.how.exclusive {
                    true => self.store(block, step, carry, self.work.stream),
                    false => self.store(block, step, &next, self.work.stream),
                }
                *carry = next;
            }
        }
    }

    /// The totals of a chunk; where bodies are dear, their values are kept among the results.
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn total(&self, steps: Range<usize>, flag: &mut Fast) -> Row<K, B> {
        let mut sums = Sums::new(self, steps.len());
        for (l, step) in steps.enumerate() {
            for block in 0..self.blocks.count::<B>() {
                let lanes = self.values(block, step, flag);
                if !again::<K>() {
                    self.store(block, step, &lanes, false);
                }
                sums.add(self.work.kernel, l, block, &lanes, flag);
            }
        }
        sums.total(self.work.kernel, flag)
    }

    /// The carries behind a chunk.
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn joined(
        &self,
        carry: Option<Row<K, B>>,
        mut total: Row<K, B>,
        flag: &mut Fast,
    ) -> Row<K, B> {
        for (carry, total) in carry.iter().flatten().zip(&mut total) {
            *total = both::<K, B>(self.work.kernel, carry, total, flag);
        }
        total
    }

    /// Keeps what belongs to chunk `c` of each column.
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn keep(&self, c: usize, row: &Row<K, B>, to: Bases<K::Out>) {
        for (block, lanes) in row.iter().enumerate() {
            let (start, first) = self.place(block);
            let at = self.work.end(c, self.blocks.row, start + first);
            // SAFETY: there is room for each column, in each chunk if there are several, and those
            // of a unit belong to one task.
            unsafe { K::Out::store_from(lanes, first, to.get(), at, B - first) };
        }
    }

    /// What [`Self::keep`] has kept, or others in its place.
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn kept(&self, c: usize, from: Bases<K::Out>) -> Row<K, B> {
        let mut row = self.row(K::Out::zero());
        for (block, lanes) in row.iter_mut().enumerate() {
            let at = self.work.end(c, self.blocks.row, self.place(block).0);
            // SAFETY: all columns of all chunks have been written, by tasks that have ended.
            unsafe { K::Out::fetch_at(lanes, 0, from.get(), at, B) };
        }
        row
    }

    /// The first column of a block, and its first lane that is not in the one before.
    #[cfg_attr(optimised, inline(always))]
    fn place(&self, block: usize) -> (usize, usize) {
        let blocks = self.blocks;
        (blocks.start::<B>(block), blocks.first::<B>(block))
    }

    /// The values of a step of a block.
    #[cfg_attr(optimised, inline(always))]
    fn values(&self, block: usize, step: usize, flag: &mut Fast) -> Lanes<K, B> {
        let mut lanes = K::Out::zero().splat::<B>();
        let at = self.work.at(self.blocks.row, step, self.place(block).0);
        if self.compute {
            self.work
                .kernel
                .block::<B, Fast>(at, K::Out::slots(&mut lanes), flag);
        } else {
            // SAFETY: `total` has written the values of all steps of these columns. Those that the
            // block before has replaced by prefixes are in lanes that nobody looks at.
            unsafe { K::Out::fetch_at(&mut lanes, 0, self.work.out.get(), at, B) };
        }
        lanes
    }

    /// Writes the results of a step of a block.
    #[cfg_attr(optimised, inline(always))]
    fn store(&self, block: usize, step: usize, lanes: &Lanes<K, B>, stream: bool) {
        let (start, first) = self.place(block);
        let (at, out) = (
            self.work.at(self.blocks.row, step, start + first),
            self.work.out.get(),
        );
        // SAFETY: `scan_along_to` has made room for all steps of all columns, and those of a unit,
        // or of one of its chunks, belong to one task.
        unsafe {
            match first {
                0 => K::Out::store(lanes, out, at, stream),
                _over => K::Out::store_from(lanes, first, out, at, B - first),
            }
        }
    }
}

/// A block of steps of some columns, in a near cache.
struct Tile<K: Combine, const B: usize> {
    /// Blocks of columns.
    count: usize,
    /// Steps.
    len: usize,
    rows: Row<K, B>,
}

impl<K: Combine, const B: usize> Tile<K, B> {
    #[cfg_attr(optimised, inline(always))]
    fn new(count: usize) -> Self {
        let zero = K::Out::zero().splat::<B>();
        Tile {
            count,
            len: 0,
            rows: vec![zero; (count + 1) * BLOCK],
        }
    }

    /// A step of a block of columns. Rows are longer by one, so that steps of a block are not all at
    /// one place of a page, where the cache has few lines for them.
    #[cfg_attr(optimised, inline(always))]
    fn at(&mut self, l: usize, block: usize) -> &mut Lanes<K, B> {
        &mut self.rows[l * (self.count + 1) + block]
    }

    /// Each step combined with those before it, as in `prefixes.rs`. By loops that stay loops: LLVM
    /// makes no vectors of so many lanes in registers.
    #[cfg_attr(optimised, inline(always))]
    fn take_in(&mut self, kernel: &K, block: usize, flag: &mut Fast) {
        let mut d = 1;
        while d < self.len {
            for l in (d..self.len).rev() {
                let (before, own) = (*self.at(l - d, block), *self.at(l, block));
                *self.at(l, block) = both::<K, B>(kernel, &before, &own, flag);
            }
            d *= 2;
        }
    }

    /// Prefixes in the place of what the steps are combined to, with the carry, which goes on.
    #[cfg_attr(optimised, inline(always))]
    fn carry(
        &mut self,
        kernel: &K,
        block: usize,
        carry: &mut Lanes<K, B>,
        exclusive: bool,
        flag: &mut Fast,
    ) {
        let (start, mut before) = (*carry, *carry);
        for l in 0..self.len {
            let prefix = both::<K, B>(kernel, &start, self.at(l, block), flag);
            *self.at(l, block) = if exclusive { before } else { prefix };
            before = prefix;
        }
        *carry = before;
    }
}

/// The totals of a chunk, in the making.
pub(super) struct Sums<K: Combine, const B: usize> {
    /// Blocks of columns.
    count: usize,
    /// How many rows of accumulators there are: each has a value.
    live: usize,
    rows: Row<K, B>,
}

impl<K: Combine, const B: usize> Sums<K, B> {
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn new(strip: &Strip<'_, '_, K, B>, steps: usize) -> Self {
        let (count, live) = (strip.blocks.count::<B>(), steps.min(accumulators::<K>()));
        let first = match K::COMMUTATIVE {
            true => strip.work.kernel.neutral(),
            false => K::Out::zero(),
        };
        let rows = vec![first.splat::<B>(); live * count];
        Sums { count, live, rows }
    }

    /// Takes in the values of a block of columns at step `l` of the chunk.
    #[cfg_attr(optimised, inline(always))]
    fn add(&mut self, kernel: &K, l: usize, block: usize, lanes: &Lanes<K, B>, flag: &mut Fast) {
        let acc = &mut self.rows[l % accumulators::<K>() * self.count + block];
        *acc = match K::COMMUTATIVE || l > 0 {
            true => both::<K, B>(kernel, acc, lanes, flag),
            false => *lanes,
        };
    }

    /// The accumulators combined in the fixed tree, in which those without a value are left out.
    #[cfg_attr(optimised, inline(always))]
    pub(super) fn total(mut self, kernel: &K, flag: &mut Fast) -> Row<K, B> {
        let (mut half, mut live) = (accumulators::<K>() / 2, self.live);
        while half > 0 {
            for at in half * self.count..live * self.count {
                let low = at - half * self.count;
                self.rows[low] = both::<K, B>(kernel, &self.rows[low], &self.rows[at], flag);
            }
            live = live.min(half);
            half /= 2;
        }
        self.rows.truncate(self.count);
        self.rows
    }
}

/// The accumulators of a chunk.
const fn accumulators<K: Combine>() -> usize {
    if K::COMMUTATIVE { LANES } else { 1 }
}

/// The combinations of two blocks, lane by lane.
#[cfg_attr(optimised, inline(always))]
fn both<K: Combine, const B: usize>(
    kernel: &K,
    a: &Lanes<K, B>,
    b: &Lanes<K, B>,
    flag: &mut Fast,
) -> Lanes<K, B> {
    let mut out = K::Out::zero().splat::<B>();
    for l in 0..B {
        let joined = kernel.combine(K::Out::get(a, l), K::Out::get(b, l), flag);
        K::Out::set(&mut out, l, joined);
    }
    out
}
