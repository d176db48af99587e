//! Nests that go through the rows of an irregular array several times, many short ones together.
//!
//! In: a nest whose body reduces the row of its index, or computes rows as long as that, and where rows
//! begin. Out: as the nest gives.
//! Assumes: nothing; offsets that are none, and bodies that are wrong, give wrong rows or a panic.
//!
//! Note [Batches]: of a short row each operation of the body is short, and the next one waits for it. But
//! an operation on one row does not depend on those on others. So the body is run for a batch of rows that
//! lie one after another, operation by operation: what it computes per element goes over all their
//! elements in whole blocks, across the ends of rows; what it reduces is combined per row, each in the
//! order that it has alone; scalars are computed per row, and what elements need of these is written for
//! each element first (`spread`). All of it stays in the nearest cache. Longer rows, and batches of too few
//! elements, are left to the nest's own body.

mod batch;

use core::ops::Range;

pub use self::batch::Batch;
use self::batch::ROWS;
pub(crate) use self::batch::{FEW, GROUP, PARTS, WORD};

use crate::error::Failure;
use crate::kernel::{Combine, Element, Fast, Flag, Kernel, LANES, Product};
use crate::level::{Task, dispatch};
use crate::nest::{Nest, Opens, by_rows, one_by_one};
use crate::rows::Rows;
use crate::segments::{fill, position};
use crate::short::few;
use crate::uneven::in_uneven_shares;
use crate::{by_hand, row_groups};

/// How many elements a batch has at most.
pub const TOGETHER: usize = 1024;

/// Elements of longer rows that are filled together: rows differ less in how often that is done than in
/// their lengths.
const STEP: usize = 2 * FEW;

/// Elements of a batch, and what is read and written behind them. So many that what lies at one place of
/// one array and what lies a little further on in the next do not differ by a multiple of a page:
/// processors take a load for one of what has just been stored there.
const ROOM: usize = TOGETHER + 8 * LANES;

/// A nest whose body can be run for a batch of rows, operation by operation. See Note [Batches].
pub trait Batches: Nest {
    /// What operations leave to those after them.
    type Room;
    /// Nothing is in it.
    fn room() -> Self::Room;
    /// As [`Nest::run`] of each row of a batch, into one row for all of them. Emitted with
    /// `#[inline(always)]`.
    fn batch<const L: usize, F: Flag>(
        &self,
        batch: &Batch,
        room: &mut Self::Room,
        rows: &mut <Self::Outs as Rows>::Places<'_>,
        flag: &mut F,
    );
}

/// A value of each element of a batch.
#[derive(Debug)]
#[repr(align(64))]
pub struct Flat<P: Product>(P::Lanes<ROOM>);

impl<P: Product> Flat<P> {
    /// Any values.
    #[allow(clippy::new_without_default, reason = "not to be moved")]
    #[cfg_attr(optimised, inline(always))]
    pub fn new() -> Self {
        Flat(P::zero().splat())
    }

    /// The components' values, and some behind them.
    #[cfg_attr(optimised, inline(always))]
    pub fn lanes(&self) -> &P::Lanes<ROOM> {
        &self.0
    }
}

/// A value of each row of a batch.
#[derive(Debug)]
#[repr(align(64))]
pub struct PerRow<P: Product>(P::Lanes<ROWS>);

impl<P: Product> PerRow<P> {
    /// Any values.
    #[allow(clippy::new_without_default, reason = "not to be moved")]
    #[cfg_attr(optimised, inline(always))]
    pub fn new() -> Self {
        PerRow(P::zero().splat())
    }

    /// That of a row.
    #[cfg_attr(optimised, inline(always))]
    pub fn get(&self, row: usize) -> P {
        P::get(&self.0, row)
    }

    /// The first components.
    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn firsts_mut(&mut self) -> &mut [P::First; ROWS] {
        P::firsts_mut(&mut self.0)
    }

    /// Replaces that of a row.
    #[cfg_attr(optimised, inline(always))]
    pub fn set(&mut self, row: usize, value: P) {
        P::set(&mut self.0, row, value);
    }
}

/// Writes the values of all elements of a batch, at least `L`.
#[cfg_attr(optimised, inline(always))]
pub fn write<const L: usize, K: Kernel, F: Flag>(
    kernel: &K,
    batch: &Batch,
    to: &mut Flat<K::Out>,
    flag: &mut F,
) {
    fill::<_, F, L, ROOM>(kernel, 0, batch.count(), &mut to.0, flag);
}

/// Writes each row's value for each of its elements.
#[cfg_attr(optimised, inline(always))]
pub fn spread<T: Element>(batch: &Batch, from: &PerRow<(T,)>, to: &mut Flat<(T,)>)
where
    (T,): Product<First = T>,
{
    let values = <(T,)>::firsts(&from.0);
    let to = <(T,)>::firsts_mut(&mut to.0);
    match batch.parts() {
        1 => parts::<T, FEW>(batch, values, to),
        _more => parts::<T, { PARTS * FEW }>(batch, values, to),
    }
}

/// The same where no loop is needed for so many elements of a row.
#[cfg_attr(optimised, inline(always))]
fn parts<T: Element, const FEW: usize>(batch: &Batch, values: &[T; ROWS], to: &mut [T; ROOM]) {
    // What is written behind the row is that of rows which are written after it.
    for (word, longer) in batch.longer().iter().enumerate() {
        let mut longer = *longer;
        while longer != 0 {
            let row = word * WORD + longer.trailing_zeros() as usize;
            longer &= longer - 1;
            let end = (batch.starts[row + 1] as usize).min(TOGETHER);
            let mut at = batch.starts[row] as usize + FEW;
            while at < end {
                to[at..at + STEP].fill(values[row]);
                at += STEP;
            }
        }
    }
    for row in 0..batch.rows() {
        let at = (batch.starts[row] as usize).min(TOGETHER);
        to[at..at + FEW].fill(values[row]);
    }
}

/// Combines the values of each row of a batch that has at least `L` elements; of a row without any, any.
/// `values` has room for the values.
#[cfg_attr(optimised, inline(always))]
pub fn reduce<const L: usize, K: Combine, F: Flag>(
    kernel: &K,
    batch: &Batch,
    values: &mut Flat<K::Out>,
    totals: &mut PerRow<K::Out>,
    flag: &mut F,
) {
    if const { row_groups::may_apply::<K, L>() } && by_hand::applies::<K, L>() {
        let elements = match lies(kernel, batch.count()) {
            Some(elements) => elements,
            None => {
                write::<L, _, F>(kernel, batch, values, flag);
                K::Out::firsts(&values.0)
            }
        };
        // SAFETY: `applies` says so.
        unsafe { row_groups::totals::<K, L>(elements, batch, totals.firsts_mut()) }
        if const { K::ROUGH } && !are_sure(kernel, batch, totals) {
            exactly(kernel, batch, values, totals, flag);
        }
        return;
    }
    write::<L, _, F>(kernel, batch, values, flag);
    for row in 0..batch.rows() {
        if batch.len(row) > 0 {
            totals.set(row, alone(kernel, batch, values, row, flag));
        }
    }
}

/// The values of so many elements, if they lie in memory.
#[cfg_attr(optimised, inline(always))]
fn lies<K: Combine>(kernel: &K, count: usize) -> Option<&[<K::Out as Product>::First]> {
    match const { K::LIES } {
        true => kernel.lies().get(..count),
        false => None,
    }
}

/// Whether the rough totals of all rows that have elements are right.
#[cfg_attr(optimised, inline(always))]
fn are_sure<K: Combine>(kernel: &K, batch: &Batch, totals: &PerRow<K::Out>) -> bool {
    let mut sure = true;
    for row in 0..batch.padded() {
        sure &= kernel.is_sure(totals.get(row)) | (batch.len(row) == 0);
    }
    sure
}

/// The exact totals of rows whose rough ones are not sure. Apart, as it is rare.
#[cold]
#[inline(never)]
fn exactly<K: Combine, F: Flag>(
    kernel: &K,
    batch: &Batch,
    values: &mut Flat<K::Out>,
    totals: &mut PerRow<K::Out>,
    flag: &mut F,
) {
    write::<16, _, F>(kernel, batch, values, flag);
    for row in 0..batch.rows() {
        if batch.len(row) > 0 && !kernel.is_sure(totals.get(row)) {
            totals.set(row, alone(kernel, batch, values, row, flag));
        }
    }
}

/// The total of a row from its values, at least one.
#[cfg_attr(optimised, inline(always))]
fn alone<K: Combine, F: Flag>(
    kernel: &K,
    batch: &Batch,
    values: &Flat<K::Out>,
    row: usize,
    flag: &mut F,
) -> K::Out {
    let first = batch.starts[row] as usize;
    few::<K, F, ROOM>(kernel, &values.0, first, batch.len(row), flag)
}

/// As [`uneven_to`](crate::uneven_to), of a nest that can be run for batches, the rows of which have the
/// lengths of those that it reads.
pub fn batches_uneven_to<N: Batches>(
    nest: &N,
    n: usize,
    offsets: <N::Outs as Rows>::Offsets<'_>,
    widths: <N::Outs as Rows>::Widths,
    outs: <N::Outs as Product>::Outs<'_>,
) -> Result<(), Failure> {
    in_uneven_shares(nest, n, offsets, widths, outs, &|rows, offsets, out| {
        dispatch(Run {
            nest,
            offsets,
            rows,
            out,
        })
    })
}

/// As [`nest_by_to`](crate::nest_by_to), of a nest that can be run for batches.
pub fn batches_to<N: Batches>(
    nest: &N,
    n: usize,
    offsets: &[i64],
    widths: <N::Outs as Rows>::Widths,
    outs: <N::Outs as Product>::Outs<'_>,
) -> Result<(), Failure> {
    by_rows(nest, n, offsets, widths, outs, &|rows, out| {
        dispatch(Run {
            nest,
            offsets,
            rows,
            out,
        })
    })
}

/// The end of the rows from the first on that are too long for a batch, on average: not all of them, and
/// none if they are few, for which a batch says it.
#[cfg_attr(optimised, inline(always))]
fn long_rows(offsets: &[i64], rows: Range<usize>) -> usize {
    let end = (rows.start + GROUP).min(rows.end);
    let elements = position(offsets, end).wrapping_sub(position(offsets, rows.start));
    match elements > TOGETHER {
        true => end,
        false => rows.start,
    }
}

struct Run<'a, N: Batches, O> {
    nest: &'a N,
    offsets: &'a [i64],
    rows: Range<usize>,
    out: O,
}

impl<N: Batches, O: Opens<N::Outs>> Task for Run<'_, N, O> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        let (mut batch, mut room, mut flag) = (Batch::new(), N::room(), Fast::default());
        let mut row = self.rows.start;
        while row < self.rows.end && !flag.violated() {
            let mut end = long_rows(self.offsets, row..self.rows.end);
            let are_long = end > row;
            if !are_long {
                batch.take::<L>(self.offsets, row..self.rows.end);
                end = row + batch.rows().max(1);
            }
            if are_long || batch.count() < L || !batch.is_short() {
                let (nest, rows, out) = (self.nest, row..end, self.out);
                flag.check(dispatch(OneByOne { nest, rows, out }), 0, [0; 3]);
            } else {
                // SAFETY: the rows are some of this task's, for which its caller has made room.
                let mut places = unsafe { self.out.open(row..end) };
                let nest = self.nest;
                nest.batch::<L, Fast>(&batch, &mut room, &mut places, &mut flag);
                // SAFETY: these rows.
                unsafe { self.out.close(places, row..end) };
            }
            row = end;
        }
        flag.violated()
    }
}

/// Rows in the nest's own body. A task of its own, which has all registers.
struct OneByOne<'a, N: Batches, O> {
    nest: &'a N,
    rows: Range<usize>,
    out: O,
}

impl<N: Batches, O: Opens<N::Outs>> Task for OneByOne<'_, N, O> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        // SAFETY: the rows are some of a task's, for which its caller has made room.
        unsafe { one_by_one::<_, L>(self.nest, self.rows, self.out) }
    }
}
