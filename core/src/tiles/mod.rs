//! One reduction per element of a matrix, over two free indices: in tiles that stay in registers.
//!
//! In: what a body reads per row and step, what it reads per column and step, and the value of the
//! two. Out: the bits that each reduction alone gives, in the order of Note [Order of combination]
//! in `reduce.rs`.
//! Assumes: as `columns.rs`; a value depends on nothing but the two parts.
//!
//! The blocking is that of Goto and van de Geijn, "Anatomy of high-performance matrix
//! multiplication" (2008): all parts are packed in the order in which they are used; a block of
//! columns stays in the second cache, a few rows in the first, a tile of results in registers.
//!
//! Note \[Leaves\]: the language combines steps `l, l + 64, l + 128, …` of a chunk in accumulator `l`,
//! then the accumulators in a tree, `l` with `l + 32` first. 64 tiles of accumulators fit no
//! register file. But packing may put steps into any order: all those of accumulator 0, then of 32,
//! of 16, of 48, …, in the order of the tree's leaves from left to right. So one tile of
//! accumulators is live at a time, and the tree needs a stack of six, in memory: next to nothing
//! where leaves have many steps. Where each has one or two, the stores would take as long as the steps:
//! tiles have fewer rows there, so that registers hold three sums that wait, and subtrees of eight
//! leaves of one step, or of four, come without a store.
//!
//! Note [Both kinds of pipes]: processors that have fused operations make products in other pipes than
//! sums, as many of each at once. A square of a difference is a product, a difference and a sum: so a
//! part of the differences is made as `a * 1 - b`, whose bits are those of `a - b`, by a 1 that LLVM
//! does not know. How many, each step tells by what it adds and multiplies; of sums that are taken
//! from memory, it is half.
//!
//! Note \[Spread by products\]: each number of a row is multiplied with two vectors. Processors with AVX-512
//! spread a number over lanes as they load it for a product, which is one instruction where spreading it to
//! a register first is one more. On Zen 4 two 512-bit instructions end in a cycle, whatever they do; so
//! tiles of products ran at 0.7 of the speed of their products. LLVM loads each number once for both vectors,
//! unless it takes the second for a number from elsewhere (`Parts::again`). Fused operations are half as
//! many, and have room for the loads.

mod bands;
mod order;

use core::marker::PhantomData;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use self::bands::{Bands, PackRight};
use self::order::Leaves;
use crate::columns::{Across, Shape, columns_to};
use crate::error::Failure;
use crate::kernel::{CHUNK, Product};
use crate::level::{TileTask, dispatch_tiles};
use crate::memory;
use crate::nest::nest_to;
use crate::parallel;
use crate::product::Bases;
use crate::recycle::Buffer;
use crate::reduce::chunk;
use crate::rows::Rows;
use crate::vector::{Real, Vector};

/// A nest whose body is one sum of values of two parts: of `LEFT` floats per row and step, `RIGHT`
/// per column and step.
pub trait Tiles<const LEFT: usize, const RIGHT: usize>: Across<Value = (Self::Scalar,)> {
    /// The type of parts and values.
    type Scalar: Real;
    /// What depends on rows, or on steps alone.
    type Left: Same<Self::Scalar, LEFT>;
    /// What depends on columns.
    type Right: Same<Self::Scalar, RIGHT>;
    /// Whether lanes over columns are better than lanes over steps where tiles do not fit.
    const ALONG: bool;
    /// Whether steps may be combined in any order.
    const FREE: bool;
    /// The left parts of row `row` at steps `start .. start + L`. Emitted with `#[inline(always)]`,
    /// as all that follow.
    fn left<const L: usize>(
        &self,
        row: usize,
        start: usize,
        out: <Self::Left as Product>::Slots<'_, L>,
    );
    /// The right parts of columns `start .. start + L` at step `k`, for all rows of the matrix that
    /// `row` is in.
    fn right<const L: usize>(
        &self,
        row: usize,
        start: usize,
        k: usize,
        out: <Self::Right as Product>::Slots<'_, L>,
    );
    /// How many additions and subtractions a value takes.
    const ADDITIONS: usize;
    /// How many products; one that is fused with the sum counts twice.
    const PRODUCTS: usize;
    /// A step: `sum` and the value of two parts; the first `moved` of its additions and subtractions
    /// as [`Vector::add_product`], with this `one`.
    fn step<V: Vector<Scalar = Self::Scalar>>(
        &self,
        sum: V,
        left: [V; LEFT],
        right: [V; RIGHT],
        moved: usize,
        one: V,
    ) -> V;
}

/// Products of `N` numbers of one type.
pub trait Same<T, const N: usize>: Product {
    #[doc(hidden)]
    fn numbers(self) -> [T; N];
}

macro_rules! same {
    ($($T:ident $i:tt),+; $n:literal) => {
        impl<T: crate::kernel::Element> Same<T, $n> for ($($T,)+) {
            #[inline(always)]
            fn numbers(self) -> [T; $n] {
                [$(self.$i),+]
            }
        }
    };
}

same!(T 0; 1);
same!(T 0, T 1; 2);
same!(T 0, T 1, T 2; 3);
same!(T 0, T 1, T 2, T 3; 4);

/// The results of all rows and columns, straight into the caller's memory; `height` rows after one
/// another are one matrix, whose columns have the same right parts.
///
/// Cost: `rows * columns * steps` values, in parallel and in lanes; where there are too few rows or
/// columns for tiles, as [`columns_to`] or [`nest_to`].
/// Errors: as [`nest_to`].
pub fn tiles_to<T: Tiles<LEFT, RIGHT>, const LEFT: usize, const RIGHT: usize>(
    body: &T,
    shape: Shape,
    height: usize,
    widths: <T::Outs as Rows>::Widths,
    mut outs: <T::Outs as Product>::Outs<'_>,
) -> Result<(), Failure> {
    let n = shape.rows.saturating_mul(shape.columns);
    let few = height < FEWEST_ROWS || shape.columns < FEWEST_COLUMNS || shape.steps == 0 || n == 0;
    // (All rows are those of whole matrices, unless the compiler has made a mistake.)
    if few || !shape.rows.is_multiple_of(height) {
        return match T::ALONG {
            true => columns_to(body, shape, widths, outs),
            false => nest_to(body, n, widths, outs),
        };
    }
    let out = Bases::new(T::Outs::prepare(&mut outs, n)?);
    if run::<T, LEFT, RIGHT>(body, shape, height, out)? {
        // The same again in the order of the language, which finds the first violation.
        return nest_to(body, n, widths, outs);
    }
    // SAFETY: `prepare` made room for all results, and `run` has written each.
    unsafe { T::Outs::finish(outs, n) };
    Ok(())
}

/// Fewer rows do not share a packed column often enough.
const FEWEST_ROWS: usize = 4;

/// The most columns of a tile, at any level.
const FEWEST_COLUMNS: usize = 32;

/// Bytes of right parts that are packed at once, about.
const PACKED: usize = 64 << 20;

/// Computes all results; says whether a check was violated.
fn run<T: Tiles<LEFT, RIGHT>, const LEFT: usize, const RIGHT: usize>(
    body: &T,
    shape: Shape,
    height: usize,
    out: Bases<T::Outs>,
) -> Result<bool, Failure> {
    let n = shape.rows * shape.columns;
    // New pages are cleared before they are written, and then lie in the caches.
    let streams = memory::streams::<T::Outs>(n);
    let work = Work {
        body,
        shape,
        height,
        out,
        lanes: dispatch_tiles(Lanes(PhantomData::<T::Scalar>)),
        stream: streams && !memory::is_new(T::Outs::first(out.get()), n * T::Outs::BYTES),
    };
    let said = Said::default();
    let matrices = shape.rows / height;
    let cost = (height * shape.columns).saturating_mul(shape.steps);
    let cost = cost.saturating_mul(T::COST as usize);
    parallel::for_ranges(matrices, 1, cost, &|range| {
        for matrix in range {
            said.note(one(work, matrix));
        }
    });
    said.all()
}

/// What tasks have said: whether a check was violated, or what failed.
#[derive(Default)]
struct Said {
    violated: AtomicBool,
    failed: Mutex<Option<Failure>>,
}

impl Said {
    fn note(&self, one: Result<bool, Failure>) {
        match one {
            Ok(bad) => _ = self.violated.fetch_or(bad, Ordering::Relaxed),
            Err(failure) => {
                *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure)
            }
        }
    }

    fn all(self) -> Result<bool, Failure> {
        match self
            .failed
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
        {
            None => Ok(self.violated.into_inner()),
            Some(failure) => Err(failure),
        }
    }
}

/// What all tasks know.
struct Work<'a, T: Across> {
    body: &'a T,
    shape: Shape,
    height: usize,
    out: Bases<T::Outs>,
    /// The lanes of a tile's rows.
    lanes: usize,
    /// Whether results are written round the caches.
    stream: bool,
}

impl<T: Across> Clone for Work<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Across> Copy for Work<'_, T> {}

impl<T: Across> Work<'_, T> {
    /// By how many columns the second tile of rows overlaps the first, which starts at result `at`, so
    /// that it and those behind it start at cache lines, which are written round the caches.
    fn back(&self, at: usize) -> usize {
        let lines = memory::are_lines(self.shape.columns);
        match self.stream && lines {
            true => T::Outs::misses_line(self.out.get(), at + self.lanes) % self.lanes,
            false => 0,
        }
    }
}

/// Computes the results of one matrix, some columns and one chunk of steps after the other; says
/// whether a check was violated.
fn one<T: Tiles<LEFT, RIGHT>, const LEFT: usize, const RIGHT: usize>(
    work: Work<'_, T>,
    matrix: usize,
) -> Result<bool, Failure> {
    let Shape { columns, steps, .. } = work.shape;
    let rows = matrix * work.height..(matrix + 1) * work.height;
    let bytes = size_of::<T::Scalar>() * RIGHT * steps.min(CHUNK);
    let width = (PACKED / bytes).max(work.lanes) / work.lanes * work.lanes;
    let chunks = steps.div_ceil(CHUNK);
    let (mut sums, mut right) = (Buffer::new(), Buffer::new());
    let mut violated = false;
    for start in (0..columns).step_by(width) {
        let columns = start..columns.min(start + width);
        for c in 0..chunks {
            let part = Part {
                work,
                tiling: Tiling {
                    rows: rows.clone(),
                    columns: columns.clone(),
                    back: work.back(rows.start * work.shape.columns + columns.start),
                },
                leaves: Leaves::new(chunk(c, steps), T::FREE),
                first: c == 0,
                last: c + 1 == chunks,
            };
            violated |= part.run(&mut right, &mut sums)?;
        }
    }
    Ok(violated)
}

/// Some columns of a matrix, and a chunk of steps.
struct Part<'a, T: Across> {
    work: Work<'a, T>,
    tiling: Tiling,
    leaves: Leaves,
    /// Whether these are the first steps, the last ones.
    first: bool,
    last: bool,
}

impl<T: Across> Part<'_, T> {
    /// Packs the right parts, then computes the tiles.
    fn run<const LEFT: usize, const RIGHT: usize>(
        &self,
        right: &mut Buffer<T::Scalar>,
        sums: &mut Buffer<T::Scalar>,
    ) -> Result<bool, Failure>
    where
        T: Tiles<LEFT, RIGHT>,
    {
        let (lanes, steps) = (self.work.lanes, self.leaves.steps.len());
        let across = self.tiling.across(lanes);
        let packed = memory::reserve_lines(right.as_vec(), across * steps * RIGHT * lanes)?;
        let packed = Bases::<(T::Scalar,)>::new((packed,));
        parallel::for_ranges(across, 1, 4 * steps * RIGHT * lanes, &|range| {
            dispatch_tiles(PackRight {
                part: self,
                range,
                packed,
            });
        });
        let height = self.work.height;
        if !(self.first && self.last) {
            memory::reserve(sums.as_vec(), height * across * lanes)?;
        }
        let kept = Bases::<(T::Scalar,)>::new((sums.as_vec().as_mut_ptr(),));
        let said = Said::default();
        let cost = (across * lanes * steps).saturating_mul(T::COST as usize);
        let most = (height / (4 * rayon::current_num_threads())).clamp(ROWS, MOST_ROWS);
        parallel::for_halves(height, ROWS, most, cost, &|range| {
            said.note(dispatch_tiles(Bands {
                part: self,
                range,
                packed,
                kept,
            }));
        });
        said.all()
    }

    /// Where the right parts of column tile `j` start.
    #[inline(always)]
    fn tile<const RIGHT: usize>(&self, j: usize) -> usize {
        j * self.leaves.steps.len() * RIGHT * self.work.lanes
    }
}

/// A multiple of the rows of all levels' tiles.
const ROWS: usize = 12;

/// Rows for which it is worth to fetch a block of columns.
const MOST_ROWS: usize = 8 * ROWS;

/// Asks for the lanes of a tile's rows.
struct Lanes<T>(PhantomData<T>);

impl<T: Real> TileTask for Lanes<T> {
    type Out = usize;
    type Scalar = T;

    #[inline(always)]
    fn run<
        V: Vector<Scalar = T>,
        const R: usize,
        const S: usize,
        const C: usize,
        const LEVEL: usize,
    >(
        self,
    ) -> usize {
        C
    }
}

/// Tiles of a part; the last across overlaps the one before, and perhaps the second the first.
struct Tiling {
    rows: Range<usize>,
    columns: Range<usize>,
    /// By how many columns the second tile overlaps the first.
    back: usize,
}

impl Tiling {
    #[inline(always)]
    fn across(&self, lanes: usize) -> usize {
        (self.columns.len() + self.back).div_ceil(lanes)
    }

    /// The first column of tile `j`. There are at least `C` columns in all.
    #[inline(always)]
    fn column<const C: usize>(&self, j: usize) -> usize {
        self.next::<C>(j).min(self.columns.end - C)
    }

    /// The lanes of tile `j` that are its alone.
    #[inline(always)]
    fn own<const C: usize>(&self, j: usize) -> Range<usize> {
        let first = self.next::<C>(j) - self.column::<C>(j);
        first..if j == 0 { C - self.back } else { C }
    }

    /// The first column that the tiles before tile `j` have left.
    #[inline(always)]
    fn next<const C: usize>(&self, j: usize) -> usize {
        self.columns.start + j * C - if j == 0 { 0 } else { self.back }
    }
}
