//! Reductions of the rows of an irregular array, many short ones together.
//!
//! In: a nest whose body reduces the row of its index, and where rows begin. Out: as the nest gives.
//! Assumes: nothing; offsets that are none, and bodies that are wrong, give wrong rows or a panic.
//!
//! Note [Segments]: a row of a few elements does not fill a block of lanes, and what comes before and
//! behind the block costs more than its elements. But values of the elements depend on where these
//! lie in the array, not on their rows. So they are computed in whole blocks, across the ends of rows,
//! into a buffer in the nearest cache, and combined from there, row by row, in the order that a row
//! of its own has (rounds of accumulators and the tree over them, `short.rs` and `row_sums.rs`), with
//! neutral values behind the last. Rows of more than `SHORT` elements are left to the nest's
//! body, unless each row is summed by itself.
//! Below AVX-512, cheap values are better reduced row by row, in blocks that reach over their ends.
//! Where values are read one by one anyway, rows that are not very short, or all alike, are summed each by
//! itself, and what others gather goes into the buffer one by one (`gathered.rs`). With AVX-512, the
//! sums of sixteen rows of the buffer are made together (`row_groups.rs`), in as many vectors as most of them take,
//! since where a row ends would be predicted badly: half to four fifths of the time of rows of one to eight
//! elements, and up to an eighth more for those of two dozen of different lengths. (To choose by their average costs
//! short ones as much.) Rows of some dozen values that gather are summed in registers (`rounds.rs`). Where the values
//! are the elements themselves, and there is code for their operator by hand, rows are combined where they lie,
//! whatever their lengths are.

use core::ops::Range;

use crate::batches::{Batch, PerRow};
use crate::error::Failure;
use crate::gathered;
use crate::kernel::{Combine, Fast, Flag, Kernel, LANES, Product, lanes_of};
use crate::level::{MAX_LANES, Task, apart, dispatch};
use crate::long;
use crate::memory::LINE;
use crate::nest::{Nest, Opens, Out, by_rows, one_by_one};
use crate::rounds;
use crate::row_groups;
use crate::row_sums::{self, BLOCK};
use crate::rows::Rows;
use crate::short::few;
use crate::{by_hand, lanes};

/// The longest row that is combined from the buffer.
const SHORT: usize = 512;

/// How many values are computed together at most.
pub(crate) const TOGETHER: usize = 1024;

/// Rows of so many elements on average are better each by itself, where `gathered.rs` applies. (Where `rounds.rs`
/// does, [`rounds::MANY`].)
const ALONE: usize = 16;

/// So many rows are looked at together before all are looked at.
const ROWS: usize = 64;

/// From this cost on values are better computed in whole blocks.
const DEAR: u32 = 16;

/// Rows of at most so many elements are summed by hand with AVX2.
pub(crate) const FEW: usize = 2 * BLOCK;

/// Bytes ahead of a row that are asked for where rows are combined in place.
const AHEAD: usize = 1024;

/// Rows behind one whose offsets are asked for: they are read batch by batch, and processors that foresee what is
/// read begin anew at each.
const ROWS_AHEAD: usize = 512;

/// The buffer: a short row that begins in it also ends in it, with what is read behind its end.
pub(crate) const ROOM: usize = TOGETHER + LANES;

/// Where it lies: in whole lines of the cache.
#[repr(align(64))]
pub(crate) struct Buffer<P: Product>(pub(crate) P::Lanes<ROOM>);

/// A nest of which each index reduces the row from `offsets[index]` to `offsets[index + 1]` of what
/// [`values`](Self::values) gives, and else computes scalars. See Note [Segments].
pub trait Segments: Nest {
    /// What the elements' values are.
    type Value: Product;
    /// The values of all rows, one after another.
    type Values<'s>: Combine<Out = Self::Value>
    where
        Self: 's;
    /// The values of all rows, one after another, from the first element of the array on.
    fn values(&self) -> Self::Values<'_>;
    /// As [`Nest::run`], where the row's values, so many, have been combined; `None` for an empty row.
    /// Emitted with `#[inline(always)]`.
    fn close<const L: usize, F: Flag>(
        &self,
        index: usize,
        len: usize,
        total: Option<Self::Value>,
        rows: &mut <Self::Outs as Rows>::Places<'_>,
        flag: &mut F,
    );
}

/// As [`nest_by_to`](crate::nest_by_to), where short rows are reduced many together.
///
/// Cost: that of all elements, in lanes, a tree per row, and in parallel, in shares of as many
/// elements.
pub fn segments_to<N: Segments>(
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

struct Run<'a, N: Segments> {
    nest: &'a N,
    offsets: &'a [i64],
    rows: Range<usize>,
    out: Out<N::Outs>,
}

/// How some rows are computed.
enum Way {
    /// Summed as their values are made.
    Each,
    /// In the nest's own body.
    OneByOne,
    /// From the buffer.
    Together,
}

impl<N: Segments> Task for Run<'_, N> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        if const { may_lie::<N::Values<'_>, L>() } && by_hand::applies::<N::Values<'_>, L>() {
            return self.in_place::<L>();
        }
        if const { <N::Values<'_> as Combine>::FINDS || each_for_itself::<N::Values<'_>, L>() } {
            // SAFETY: the rows are this task's, for which `in_shares` has made room.
            return unsafe { one_by_one::<_, L>(self.nest, self.rows, self.out) };
        }
        let mut buffer = Buffer::<N::Value>(N::Value::zero().splat());
        let mut room = N::Value::zero().splat::<LANES>();
        let mut groups = Groups::<N::Value>::new();
        let (mut row, mut violated) = (self.rows.start, false);
        while row < self.rows.end && !violated {
            let (end, way) = self.next::<L>(row, &mut groups.batch);
            let rows = Run {
                rows: row..end,
                ..self
            };
            // SAFETY: as above; `dispatch` has called this.
            violated = unsafe {
                match way {
                    Way::Each if const { may_each::<N::Values<'_>, L>() } => {
                        apart::<_, L>(Each(rows, &mut room))
                    }
                    Way::Each => unreachable!("no row is summed as its values are made"),
                    Way::OneByOne => one_by_one::<_, L>(rows.nest, rows.rows, rows.out),
                    Way::Together => apart::<_, L>(Together(rows, &mut buffer, &mut groups)),
                }
            };
            row = end;
        }
        violated
    }
}

/// Whether rows may be summed so, as far as constants tell.
const fn may_each<K: Combine, const L: usize>() -> bool {
    rounds::may_apply::<K, L>() || gathered::may_apply::<K, L>()
}

/// Rows of which each is summed as its values are made. See Note [Apart] in `level.rs`.
struct Each<'a, 'b, N: Segments>(Run<'a, N>, &'b mut <N::Value as Product>::Lanes<LANES>);

impl<N: Segments> Task for Each<'_, '_, N> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        let mut flag = Fast::default();
        self.0.each::<L>(self.1, &mut flag);
        flag.violated()
    }
}

/// Rows that are combined from the buffer in groups, and their totals.
struct Groups<P: Product> {
    batch: Batch,
    totals: PerRow<P>,
}

impl<P: Product> Groups<P> {
    #[cfg_attr(optimised, inline(always))]
    fn new() -> Self {
        Groups {
            batch: Batch::new(),
            totals: PerRow::new(),
        }
    }
}

/// Whether that is how short rows are combined: see Note [Row groups] in `row_groups.rs`.
#[cfg_attr(optimised, inline(always))]
fn in_groups<K: Combine, const L: usize>() -> bool {
    if const { L == MAX_LANES && row_sums::may_apply::<K, L>() } {
        row_sums::applies::<K, L>()
    } else {
        false
    }
}

/// Short rows that have at least as many elements together as the level has lanes.
struct Together<'a, 'b, N: Segments>(
    Run<'a, N>,
    &'b mut Buffer<N::Value>,
    &'b mut Groups<N::Value>,
);

impl<N: Segments> Task for Together<'_, '_, N> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        let mut flag = Fast::default();
        if in_groups::<N::Values<'_>, L>() {
            self.0.grouped::<L>(&mut self.1.0, self.2, &mut flag);
        } else {
            self.0.together::<L>(&mut self.1.0, &mut flag);
        }
        flag.violated()
    }
}

/// Whether rows may be combined where they lie, as far as constants tell.
const fn may_lie<K: Combine, const L: usize>() -> bool {
    K::LIES && by_hand::may_apply::<K, L>()
}

/// Whether each row is better reduced in the nest's body: values that cost less than to be written and
/// read again, which blocks that reach over a row's end compute.
const fn each_for_itself<K: Kernel, const L: usize>() -> bool {
    L < MAX_LANES && K::OVERHANGS && !K::GATHERS && K::COST < DEAR
}

impl<N: Segments> Run<'_, N> {
    /// Rows of elements where they lie. Whether a check was violated.
    #[cfg_attr(optimised, inline(always))]
    fn in_place<const L: usize>(&self) -> bool {
        let values = self.nest.values();
        let elements = values.lies();
        let (mut violated, mut start) = (false, position(self.offsets, self.rows.start));
        let ends = &self.offsets[self.rows.start + 1..=self.rows.end];
        for (row, end) in self.rows.clone().zip(ends) {
            let (from, end) = (start, *end as usize);
            start = end;
            let elements = elements.get(from..end);
            let is_long = long::is_long::<N::Values<'_>>;
            let Some(elements) = elements.filter(|it| !is_long(it.len())) else {
                violated |= alone(self.nest, row, self.out);
                continue;
            };
            lanes::ask::<_, 1>(elements, AHEAD / size_of::<<N::Value as Product>::First>());
            // SAFETY: the caller has asked whether there is; `dispatch` has chosen the level.
            let (total, sure) = unsafe { by_hand::total::<_, true, L>(&values, elements) };
            if !sure {
                violated |= alone(self.nest, row, self.out);
                continue;
            }
            let total = (!elements.is_empty()).then_some(total);
            // In registers, as nobody else has it.
            let mut flag = Fast::default();
            self.close::<L>(row, elements.len(), total, &mut flag);
            violated |= flag.violated();
        }
        violated
    }

    /// The end of the rows that are computed next, from `row` on, and how.
    #[cfg_attr(optimised, inline(always))]
    fn next<const L: usize>(&self, row: usize, batch: &mut Batch) -> (usize, Way) {
        let wide = rounds::applies::<N::Values<'_>, L>();
        let alone = gathered::applies::<N::Values<'_>, L>();
        let many = if wide { rounds::MANY } else { ALONE };
        if (wide || alone) && self.are_long(row, many) || alone && self.are_alike(row) {
            return (row + ROWS, Way::Each);
        }
        let end = if in_groups::<N::Values<'_>, L>() {
            batch.take::<L>(self.offsets, row..self.rows.end);
            row + batch.rows()
        } else {
            short_rows(self.offsets, row..self.rows.end)
        };
        let elements = position(self.offsets, end).wrapping_sub(position(self.offsets, row));
        let way = if (wide || alone) && elements / many >= end - row {
            Way::Each
        } else if elements < L {
            Way::OneByOne
        } else {
            Way::Together
        };
        (end.max(row + 1), way)
    }

    /// Whether the next [`ROWS`] rows, if there are so many, have `many` elements on average, in each of four parts:
    /// a single long one is no reason.
    #[cfg_attr(optimised, inline(always))]
    fn are_long(&self, row: usize, many: usize) -> bool {
        const PART: usize = ROWS / 4;
        let Some(offsets) = self.offsets[..=self.rows.end].get(row..=row + ROWS) else {
            return false;
        };
        (0..4).all(|part| {
            let (from, to) = (offsets[PART * part], offsets[PART * (part + 1)]);
            to.wrapping_sub(from) >= (PART * many) as i64
        })
    }

    /// Whether the next [`ROWS`] rows, if there are so many, take as many blocks each, and more than half fill
    /// one: where a row ends is always predicted then.
    #[cfg_attr(optimised, inline(always))]
    fn are_alike(&self, row: usize) -> bool {
        let Some(offsets) = self.offsets[..=self.rows.end].get(row..=row + ROWS) else {
            return false;
        };
        let blocks =
            |row: usize| (offsets[row + 1].wrapping_sub(offsets[row]) as usize).div_ceil(BLOCK);
        let first = blocks(0);
        let elements = offsets[ROWS].wrapping_sub(offsets[0]) as usize;
        elements > ROWS * BLOCK / 2 && (1..ROWS).all(|row| blocks(row) == first)
    }

    /// Rows of which each is summed as its values are made.
    #[cfg_attr(optimised, inline(always))]
    fn each<const L: usize>(self, room: &mut <N::Value as Product>::Lanes<LANES>, flag: &mut Fast) {
        let values = self.nest.values();
        let elements = position(self.offsets, self.offsets.len() - 1);
        let mut start = position(self.offsets, self.rows.start);
        let ends = &self.offsets[self.rows.start + 1..=self.rows.end];
        for (row, end) in self.rows.clone().zip(ends) {
            let range = start..*end as usize;
            start = range.end;
            let fits = match const { L == MAX_LANES } {
                true => rounds::fits(&range, elements),
                false => gathered::fits(&range, elements),
            };
            if !fits {
                flag.check(alone(self.nest, row, self.out), 0, [0; 3]);
                continue;
            }
            let len = range.len();
            // SAFETY: the caller has asked which of them applies; `dispatch` has chosen the level.
            let total = unsafe {
                match const { L == MAX_LANES } {
                    true => rounds::total::<_, _, L>(&values, range, flag),
                    false => gathered::total::<_, _, L>(&values, range, elements, room, flag),
                }
            };
            self.close::<L>(row, len, Some(total), flag);
        }
    }

    /// Computes a row's results from its total.
    #[cfg_attr(optimised, inline(always))]
    fn close<const L: usize>(
        &self,
        row: usize,
        len: usize,
        total: Option<N::Value>,
        flag: &mut Fast,
    ) {
        // SAFETY: the row is one of this task's, for which `in_shares` has made room.
        let mut places = unsafe { self.out.open(row..row + 1) };
        (self.nest).close::<L, Fast>(row, len, total, &mut places, flag);
        // SAFETY: these rows.
        unsafe { self.out.close(places, row..row + 1) };
    }

    /// The rows of a batch, that have at least `L` elements together.
    #[cfg_attr(optimised, inline(always))]
    fn grouped<const L: usize>(
        self,
        buffer: &mut <N::Value as Product>::Lanes<ROOM>,
        Groups { batch, totals }: &mut Groups<N::Value>,
        flag: &mut Fast,
    ) {
        let values = self.nest.values();
        fill::<_, Fast, L, ROOM>(&values, batch.start(), batch.count(), buffer, flag);
        let firsts = N::Value::firsts::<ROOM>(buffer);
        // SAFETY: `in_groups` says so.
        unsafe { row_groups::totals::<N::Values<'_>, L>(firsts, batch, totals.firsts_mut()) }
        for row in 0..batch.rows() {
            if row % (LINE / size_of::<i64>()) == 0 {
                lanes::ask::<_, 1>(self.offsets, batch.first() + row + ROWS_AHEAD);
            }
            let len = batch.len(row);
            let total = (len > 0).then_some(totals.get(row));
            self.close::<L>(batch.first() + row, len, total, flag);
        }
    }

    /// Short rows that have at least `L` elements together.
    #[cfg_attr(optimised, inline(always))]
    fn together<const L: usize>(
        self,
        buffer: &mut <N::Value as Product>::Lanes<ROOM>,
        flag: &mut Fast,
    ) {
        let values = self.nest.values();
        let start = position(self.offsets, self.rows.start);
        let count = position(self.offsets, self.rows.end) - start;
        if const { gathered::alone::<N::Values<'_>, L>() } {
            gathered::fill_alone::<_, _, ROOM>(&values, start, count, buffer, flag);
        } else {
            fill::<_, Fast, L, ROOM>(&values, start, count, buffer, flag);
        }
        for row in self.rows.clone() {
            let first = position(self.offsets, row) - start;
            let len = position(self.offsets, row + 1) - position(self.offsets, row);
            let total = (len > 0)
                .then(|| total::<N::Values<'_>, L>(&values, buffer, (first, len), SHORT, flag));
            self.close::<L>(row, len, total, flag);
        }
    }
}

/// The combination of `len` values, at least one, from `first` on, of rows of at most `longest`.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn total<K: Combine, const L: usize>(
    values: &K,
    buffer: &<K::Out as Product>::Lanes<ROOM>,
    (first, len): (usize, usize),
    longest: usize,
    flag: &mut Fast,
) -> K::Out {
    match len {
        // With AVX2 compilers' code is as good for more than a few values that have just been written.
        _ if const { L == MAX_LANES && row_sums::may_apply::<K, L>() }
            && row_sums::applies::<K, L>() =>
        {
            let row = &K::Out::firsts::<ROOM>(buffer)[first..first + len];
            // SAFETY: `applies` says so.
            unsafe { row_sums::sum_within::<K>(row, longest) }
        }
        ..=FEW
            if const { L == 32 && row_sums::may_apply::<K, L>() }
                && row_sums::applies::<K, L>() =>
        {
            let row = &K::Out::firsts::<ROOM>(buffer)[first..];
            // SAFETY: `applies` says so.
            unsafe { row_sums::few_sum::<K>(row.first_chunk().unwrap(), len) }
        }
        _ => few::<_, _, ROOM>(values, buffer, first, len, flag),
    }
}

/// A row in the nest's own body, of a task of `in_shares`. Apart, so that registers are left where rows are
/// short.
#[cold]
#[inline(never)]
fn alone<N: Nest>(nest: &N, row: usize, out: Out<N::Outs>) -> bool {
    dispatch(Alone { nest, row, out })
}

struct Alone<'a, N: Nest> {
    nest: &'a N,
    row: usize,
    out: Out<N::Outs>,
}

impl<N: Nest> Task for Alone<'_, N> {
    /// Whether a check was violated.
    type Out = bool;

    #[cfg_attr(optimised, inline(always))]
    fn run<const L: usize>(self) -> bool {
        // The lowest level combines no rows in place, nor sums them one by one: no code is made for it.
        if const { L >= 32 } {
            // SAFETY: the row is one of a task's of `in_shares`, which has made room.
            unsafe { one_by_one::<_, L>(self.nest, self.row..self.row + 1, self.out) }
        } else {
            unreachable!("rows are left to this at higher levels");
        }
    }
}

/// Where a row begins. (Of offsets that are none, anywhere: a body reads nothing outside of its
/// arrays.)
#[cfg_attr(optimised, inline(always))]
pub(crate) fn position(offsets: &[i64], row: usize) -> usize {
    offsets[row] as usize
}

/// The end of the rows that are short and fit into the buffer together, from the first on.
#[cfg_attr(optimised, inline(always))]
fn short_rows(offsets: &[i64], rows: Range<usize>) -> usize {
    let start = position(offsets, rows.start);
    let mut before = start;
    for row in rows.clone() {
        let end = position(offsets, row + 1);
        if end.wrapping_sub(before) > SHORT || end.wrapping_sub(start) > TOGETHER {
            return row;
        }
        before = end;
    }
    rows.end
}

/// The values of `start .. start + count`, at least `L` of them, in whole blocks, the last of which
/// overlaps the one before.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn fill<K: Kernel, F: Flag, const L: usize, const W: usize>(
    kernel: &K,
    start: usize,
    count: usize,
    buffer: &mut <K::Out as Product>::Lanes<W>,
    flag: &mut F,
) {
    if const { lanes_of::<K>(L) < L } {
        return fill::<K, F, 32, W>(kernel, start, count, buffer, flag);
    }
    let mut next = 0;
    while next < count {
        let at = next.min(count - L);
        kernel.block::<L, F>(start + at, K::Out::slots_from::<W, L>(buffer, at), flag);
        next = at + L;
    }
}
