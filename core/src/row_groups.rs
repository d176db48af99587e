//! Reductions of many short rows that lie one after another in memory: the trees of several rows in one.
//!
//! In: values in a row, and where the rows of a batch begin. Out: per row, what `row_sums.rs` and
//! `row_extremes.rs` give.
//! Assumes: what the unsafe functions ask for.
//!
//! Note [Row groups]: a row that fills one vector takes as many steps to the end of its tree as a long
//! one, each with half as many lanes as the one before, and each waits for the one before. So rows are
//! first brought to one vector each, of as many rows as it has lanes; halves of two rows make one
//! vector, and so on. It takes three instructions per row for what took ten, and none of them waits. A
//! row's first parts, as many as most rows of the batch have, are loaded under masks; the totals of longer
//! rows are written again behind all groups.

use crate::batches::{Batch, GROUP};
use crate::kernel::{Combine, Operator, Product};
use crate::{by_hand, row_extremes, row_sums};

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;

/// Whether batches may be combined so, as far as constants tell; they are where `by_hand::applies` says so, too.
pub(crate) const fn may_apply<K: Combine, const L: usize>() -> bool {
    !K::FINDS && by_hand::may_apply::<K, L>()
}

/// The combination of each row's values, of one that has none its neutral element. Of extremes the rough
/// form, see Note [Rough extremes].
///
/// # Safety
/// [`may_apply`] and `by_hand::applies` say so at this level.
///
/// # Panics
/// When there are fewer values or totals than the batch has.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn totals<K: Combine, const L: usize>(
    values: &[<K::Out as Product>::First],
    batch: &Batch,
    totals: &mut [<K::Out as Product>::First],
) {
    assert!(values.len() >= batch.count() && totals.len() >= batch.groups() * GROUP);
    // SAFETY: rows end where the batch does; promised by the caller.
    unsafe {
        if const { matches!(K::OPERATOR, Operator::Add) } {
            row_sums::group::<_, L>(values, batch, totals);
        } else {
            row_extremes::group::<K, L>(values, batch, totals);
        }
    }
}

/// The vectors of the first elements of `$count` rows by `$few`, which is given where a row begins, and how many
/// elements it has.
#[cfg(target_arch = "x86_64")]
macro_rules! rows {
    ($batch:ident, $first:expr, $count:expr, [$($row:literal)+], $few:ident) => {{
        let starts = &$batch.starts()[$first..=$first + $count];
        [$({
            let (start, end) = (starts[$row] as usize, starts[$row + 1] as usize);
            $few!(start, end - start)
        }),+]
    }};
}
#[cfg(target_arch = "x86_64")]
pub(crate) use rows;

/// Calls `$in_parts` for the parts that the batch's rows are in.
#[cfg(target_arch = "x86_64")]
macro_rules! by_parts {
    ($in_parts:ident, $from:ident, $batch:ident, $totals:ident) => {
        match $batch.parts() {
            1 => $in_parts::<1>($from, $batch, $totals),
            _more => $in_parts::<{ crate::batches::PARTS }>($from, $batch, $totals),
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use by_parts;

/// Writes the totals of the rows that have more than few elements, by `$many`.
#[cfg(target_arch = "x86_64")]
macro_rules! longer {
    ($batch:ident, $totals:ident, $many:ident) => {
        use crate::batches::WORD;
        for (word, longer) in $batch.longer().iter().enumerate() {
            let mut longer = *longer;
            while longer != 0 {
                let row = word * WORD + longer.trailing_zeros() as usize;
                longer &= longer - 1;
                let starts = $batch.starts();
                let (start, end) = (starts[row] as usize, starts[row + 1] as usize);
                core::ptr::write($totals.add(row).cast(), $many!(start, end - start));
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use longer;

/// The vectors of each two neighbours, in halves: as many lanes of one operand of `$op` are from the
/// former as from the latter.
#[cfg(target_arch = "x86_64")]
macro_rules! merged {
    ([$($row:expr, $next:expr;)+], $low:expr, $high:expr, $op:ident) => {
        [$({
            let (a, b) = ($row, $next);
            $op!($low(a, b), $high(a, b))
        }),+]
    };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use merged;
