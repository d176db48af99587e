//! The tasks of a part of a matrix: packing, and tiles row by row.
//!
//! In: a part, and memory for what is packed. Out: packed parts; results.
//! Assumes: right parts are packed before tiles are computed.

use core::hint::black_box;
use core::ops::Range;

use super::order::{self, Parts, Tile, Waiting};
use super::{MOST_ROWS, Part, ROWS, Same, Tiles, Work};
use crate::error::Failure;
use crate::kernel::{Fast, Flag, LANES, Product};
use crate::level::TileTask;
use crate::memory;
use crate::product::Bases;
use crate::recycle::Buffer;
use crate::vector::{Real, Vector};

/// Bytes of vectors that products spread numbers over as they load them.
const SPREADING: usize = 64;

/// Bytes of the right parts of a block of columns: half of a second cache.
const BLOCK: usize = 512 << 10;

/// Bytes of the left parts of the rows that a thread takes at once, about.
const BAND: usize = 1 << 20;

/// Rows that take turns with a column tile of few steps: so many lines of results at a time go to as many
/// pages.
const NEAR_ROWS: usize = 64;

/// Packs the right parts of some column tiles: tile by tile, step by step, part by part.
pub(super) struct PackRight<'a, T: Tiles<LEFT, RIGHT>, const LEFT: usize, const RIGHT: usize> {
    pub(super) part: &'a Part<'a, T>,
    pub(super) range: Range<usize>,
    pub(super) packed: Bases<(T::Scalar,)>,
}

impl<T: Tiles<LEFT, RIGHT>, const LEFT: usize, const RIGHT: usize> TileTask
    for PackRight<'_, T, LEFT, RIGHT>
{
    type Out = ();
    type Scalar = T::Scalar;

    #[inline(always)]
    fn run<
        V: Vector<Scalar = T::Scalar>,
        const R: usize,
        const S: usize,
        const C: usize,
        const LEVEL: usize,
    >(
        self,
    ) {
        let Part {
            work,
            tiling,
            leaves,
            ..
        } = self.part;
        assert!(C == work.lanes);
        let mut lanes = T::Right::zero().splat::<C>();
        for j in self.range {
            let column = tiling.column::<C>(j);
            let mut at = self.part.tile::<RIGHT>(j);
            for k in leaves.iter() {
                work.body
                    .right::<C>(tiling.rows.start, column, k, T::Right::slots(&mut lanes));
                for part in 0..RIGHT {
                    for l in 0..C {
                        let number = T::Right::get(&lanes, l).numbers()[part];
                        // SAFETY: `Part::run` has made room for `C` numbers per part of each step
                        // of all tiles, and gives each tile to one task.
                        unsafe { self.packed.get().0.add(at + l).write(number) };
                    }
                    at += C;
                }
            }
        }
    }
}

/// Computes the tiles of some rows, counted from the first of the matrix.
pub(super) struct Bands<'a, T: Tiles<LEFT, RIGHT>, const LEFT: usize, const RIGHT: usize> {
    pub(super) part: &'a Part<'a, T>,
    pub(super) range: Range<usize>,
    pub(super) packed: Bases<(T::Scalar,)>,
    /// Sums of the chunks so far, row by row, if there are several.
    pub(super) kept: Bases<(T::Scalar,)>,
}

impl<T: Tiles<LEFT, RIGHT>, const LEFT: usize, const RIGHT: usize> TileTask
    for Bands<'_, T, LEFT, RIGHT>
{
    /// Whether a check was violated; no memory.
    type Out = Result<bool, Failure>;
    type Scalar = T::Scalar;

    #[inline(always)]
    fn run<
        V: Vector<Scalar = T::Scalar>,
        const R: usize,
        const S: usize,
        const C: usize,
        const LEVEL: usize,
    >(
        self,
    ) -> Result<bool, Failure> {
        assert!(C == self.part.work.lanes && C == 2 * V::LANES);
        let bad = match self.part.leaves.is_tall() {
            true => self.bands::<V, R, C, LEVEL, true>(),
            false => self.bands::<V, S, C, LEVEL, false>(),
        };
        if self.part.work.stream {
            memory::fence();
        }
        bad
    }
}

impl<T: Tiles<LEFT, RIGHT>, const LEFT: usize, const RIGHT: usize> Bands<'_, T, LEFT, RIGHT> {
    /// All rows, as many after the other as stay in the cache, in tiles of `R`; says whether a check was
    /// violated. Errors: no memory.
    #[inline(always)]
    fn bands<
        V: Vector<Scalar = T::Scalar>,
        const R: usize,
        const C: usize,
        const LEVEL: usize,
        const TALL: bool,
    >(
        &self,
    ) -> Result<bool, Failure> {
        let bytes = self.part.leaves.steps.len() * LEFT * size_of::<T::Scalar>();
        let high = (BAND / bytes).clamp(ROWS, MOST_ROWS) / ROWS * ROWS;
        let mut flag = Fast::default();
        let mut left = Buffer::new();
        // A known number would be multiplied by no more.
        let one = V::splat(black_box(T::Scalar::ONE));
        for start in self.range.clone().step_by(high) {
            let rows = start..self.range.end.min(start + high);
            self.band::<V, R, C, LEVEL, TALL>(rows, &mut left, one, &mut flag)?;
            if flag.violated() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The tiles of some rows: a block of columns after the other, while it is in the cache.
    #[inline(always)]
    fn band<
        V: Vector<Scalar = T::Scalar>,
        const R: usize,
        const C: usize,
        const LEVEL: usize,
        const TALL: bool,
    >(
        &self,
        rows: Range<usize>,
        room: &mut Buffer<T::Scalar>,
        one: V,
        flag: &mut Fast,
    ) -> Result<(), Failure> {
        let tiling = &self.part.tiling;
        let steps = self.part.leaves.steps.len();
        let tiles = rows.len().div_ceil(R);
        let left = memory::zeros_from_line(room.as_vec(), tiles * steps * R * LEFT)?;
        // SAFETY: room for so many numbers, which are initialised, and nobody else's.
        let left: &mut [[[T::Scalar; LEFT]; R]] =
            unsafe { core::slice::from_raw_parts_mut(left.cast(), tiles * steps) };
        for (i, start) in rows.clone().step_by(R).enumerate() {
            self.pack_left(start, &mut left[i * steps..][..steps]);
        }
        let across = tiling.across(C);
        let bytes = steps * RIGHT * C * size_of::<T::Scalar>();
        let wide = (BLOCK / bytes).max(1);
        let mut waiting = order::waiting();
        // Tiles of few steps and rows are through with the parts of a column tile soon: these stay in the
        // nearest cache for many rows.
        let together = if TALL { R } else { NEAR_ROWS / R * R };
        for first in (0..across).step_by(wide) {
            for group in rows.clone().step_by(together) {
                for j in first..across.min(first + wide) {
                    for start in (group..rows.end.min(group + together)).step_by(R) {
                        let left = &left[(start - rows.start) / R * steps..][..steps];
                        let tile = start..rows.end;
                        self.tile::<V, R, C, LEVEL, TALL>(tile, j, left, &mut waiting, one, flag);
                    }
                }
            }
        }
        Ok(())
    }

    /// Column tile `j` of the first `R` rows.
    #[inline(always)]
    fn tile<
        V: Vector<Scalar = T::Scalar>,
        const R: usize,
        const C: usize,
        const LEVEL: usize,
        const TALL: bool,
    >(
        &self,
        rows: Range<usize>,
        j: usize,
        left: &[[[T::Scalar; LEFT]; R]],
        waiting: &mut Waiting<V, R>,
        one: V,
        flag: &mut Fast,
    ) {
        let Part {
            work, leaves, last, ..
        } = self.part;
        let at = self.part.tile::<RIGHT>(j);
        // SAFETY: `PackRight` has written the parts of all steps of all tiles.
        let right = unsafe {
            let from = self.packed.get().0.add(at);
            let from = from.cast::<[[T::Scalar; C]; RIGHT]>();
            core::slice::from_raw_parts(from, left.len())
        };
        // See Note [Spread by products].
        let spreads = const { T::ADDITIONS == 0 && !T::FREE && size_of::<V>() == SPREADING };
        let again = if spreads { black_box(left) } else { left };
        let parts = Parts { left, again, right };
        let mut total = parts.total::<T, V, TALL>(work.body, leaves, waiting, one);
        self.carry::<V, R, C>(rows.start, j, &mut total);
        if *last {
            // SAFETY: `tiles_to` has made room for all results; those of these rows are this task's
            // alone.
            unsafe { self.store::<V, R, C, LEVEL>(rows, j, &total, flag) };
        }
    }

    /// Adds the sums of the chunks before, and keeps those so far for the chunks behind.
    #[inline(always)]
    fn carry<V: Vector<Scalar = T::Scalar>, const R: usize, const C: usize>(
        &self,
        start: usize,
        j: usize,
        total: &mut Tile<V, R>,
    ) {
        let Part {
            work,
            tiling,
            first,
            last,
            ..
        } = self.part;
        if *first && *last {
            return;
        }
        let width = tiling.across(C) * C;
        for r in 0..R.min(work.height.saturating_sub(start)) {
            for half in 0..2 {
                let at = (start + r) * width + j * C + half * V::LANES;
                // SAFETY: `Part::run` has made room for so many columns of all rows, and those of
                // these rows are this task's alone; the first chunk has written all.
                unsafe {
                    let place = self.kept.get().0.add(at);
                    if !*first {
                        total[r][half] = V::load(place).add(total[r][half]);
                    }
                    total[r][half].store(place);
                }
            }
        }
    }

    /// Packs the left parts of `R` rows from `start` on, step by step.
    #[inline(always)]
    fn pack_left<const R: usize>(&self, start: usize, own: &mut [[[T::Scalar; LEFT]; R]]) {
        let Part {
            work,
            tiling,
            leaves,
            ..
        } = self.part;
        let steps = leaves.steps.clone();
        for r in 0..R {
            // Rows behind the last are the last again: nobody looks at their results.
            let row = tiling.rows.start + (start + r).min(work.height - 1);
            let mut lanes = T::Left::zero().splat::<LANES>();
            for k in steps.clone().step_by(LANES) {
                let live = LANES.min(steps.end - k);
                if live == LANES {
                    work.body.left::<LANES>(row, k, T::Left::slots(&mut lanes));
                } else {
                    for l in 0..live {
                        let mut one = T::Left::zero().splat::<1>();
                        work.body.left::<1>(row, k + l, T::Left::slots(&mut one));
                        T::Left::set(&mut lanes, l, T::Left::get(&one, 0));
                    }
                }
                for l in 0..live {
                    let at = leaves.place(k - steps.start, l);
                    own[at][r] = T::Left::get(&lanes, l).numbers();
                }
            }
        }
    }

    /// Computes the results of a tile from its totals.
    ///
    /// # Safety
    /// `out` has room for all results, and those of the rows are the caller's alone.
    #[inline(always)]
    unsafe fn store<
        V: Vector<Scalar = T::Scalar>,
        const R: usize,
        const C: usize,
        const LEVEL: usize,
    >(
        &self,
        rows: Range<usize>,
        j: usize,
        totals: &Tile<V, R>,
        flag: &mut Fast,
    ) {
        let Part { work, tiling, .. } = self.part;
        // Copies, which no write of a result can change, as far as LLVM knows.
        let Work {
            body,
            shape,
            out,
            stream,
            ..
        } = *work;
        let (column, own) = (tiling.column::<C>(j), tiling.own::<C>(j));
        let first = tiling.rows.start + rows.start;
        let mut at = first * shape.columns + column + own.start;
        let mut lanes = T::Outs::zero().splat::<C>();
        for r in 0..R {
            if r >= rows.len() {
                return;
            }
            let mut sums = ([T::Scalar::default(); C],);
            for half in 0..2 {
                let to = sums.0.as_mut_ptr().wrapping_add(half * V::LANES);
                // SAFETY: there is room for two vectors, as `run` asserts.
                unsafe { totals[r][half].store(to) };
            }
            let slots = T::Outs::slots(&mut lanes);
            body.finish::<C, Fast>(first + r, column, &sums, slots, flag);
            // SAFETY: promised by the caller; every level has at least so many lanes as its tiles, and
            // `LEVEL` is this level's.
            unsafe {
                match own.len() == C {
                    true => T::Outs::store_tile::<C, LEVEL>(&lanes, out.get(), at, stream),
                    false => {
                        // A copy: LLVM keeps nothing in registers whose address leaves.
                        let edge = lanes;
                        T::Outs::store_from(&edge, own.start, out.get(), at, own.len());
                    }
                }
            }
            at += shape.columns;
        }
    }
}
