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
use crate::level::MAX_LANES;
use crate::{row_extremes, row_sums};

/// Whether there is code for a kernel's operator at a level of `L` lanes, which `dispatch` has chosen.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn applies<K: Combine, const L: usize>() -> bool {
    if const { L != MAX_LANES || K::FINDS } {
        return false;
    }
    row_sums::applies::<K, L>() || row_extremes::applies::<K, L>()
}

/// The combination of each row's values, of one that has none its neutral element. Of extremes the rough
/// form, see Note [Rough extremes].
///
/// # Safety
/// [`applies`] says so at this level.
///
/// # Panics
/// When there are fewer values or totals than the batch has.
#[cfg_attr(optimised, inline(always))]
pub(crate) unsafe fn totals<K: Combine>(
    values: &[<K::Out as Product>::First],
    batch: &Batch,
    totals: &mut [<K::Out as Product>::First],
) {
    assert!(values.len() >= batch.count() && totals.len() >= batch.groups() * GROUP);
    // SAFETY: rows end where the batch does; promised by the caller.
    unsafe {
        match const { K::OPERATOR } {
            Operator::Greatest => row_extremes::group::<_, true>(values, batch, totals),
            Operator::Least => row_extremes::group::<_, false>(values, batch, totals),
            Operator::Add | Operator::Other => row_sums::group(values, batch, totals),
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) mod x86 {
    /// The vectors of the first elements of a group's rows by `$few`, which is given where a row begins,
    /// and how many elements it has.
    macro_rules! rows {
        ($batch:ident, $group:ident, [$($row:literal)+], $few:ident) => {{
            let starts = &$batch.starts()[$group * GROUP..=$group * GROUP + GROUP];
            [$({
                let (start, end) = (starts[$row] as usize, starts[$row + 1] as usize);
                $few!(start, end - start)
            }),+]
        }};
    }
    pub(crate) use rows;

    /// Writes the totals of the rows that have more than few elements, by `$many`.
    macro_rules! longer {
        ($batch:ident, $totals:ident, $many:ident) => {
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
    pub(crate) use longer;

    /// The vectors of each two neighbours, in halves: as many lanes of one operand of `$op` are from the
    /// former as from the latter.
    macro_rules! merged {
        ([$($row:expr, $next:expr;)+], $low:expr, $high:expr, $op:ident) => {
            [$({
                let (a, b) = ($row, $next);
                $op!($low(a, b), $high(a, b))
            }),+]
        };
    }
    pub(crate) use merged;

    /// Writes the totals of a batch's rows: `$few` makes a vector of a row, `$op` combines two, `$many` gives
    /// the total of a row that has more than few elements. Their order is such that the tree leaves each
    /// row at its place. They are macros, as is this: closures that are called several times are not
    /// inlined.
    macro_rules! words {
        ($batch:ident, $totals:ident, $few:ident, $many:ident, $op:ident) => {{
            use crate::batches::{GROUP, WORD};
            use crate::row_groups::x86::{longer, merged, rows};
            for group in 0..$batch.groups() {
                let r = rows!(
                    $batch, group,
                    [0 4 8 12 1 5 9 13 2 6 10 14 3 7 11 15], $few
                );
                let r = merged!(
                    [r[0], r[1]; r[2], r[3]; r[4], r[5]; r[6], r[7];
                     r[8], r[9]; r[10], r[11]; r[12], r[13]; r[14], r[15];],
                    _mm512_shuffle_f32x4::<0x44>, _mm512_shuffle_f32x4::<0xEE>, $op
                );
                let r = merged!(
                    [r[0], r[1]; r[2], r[3]; r[4], r[5]; r[6], r[7];],
                    _mm512_shuffle_f32x4::<0x88>, _mm512_shuffle_f32x4::<0xDD>, $op
                );
                let r = merged!(
                    [r[0], r[1]; r[2], r[3];],
                    _mm512_shuffle_ps::<0x44>, _mm512_shuffle_ps::<0xEE>, $op
                );
                let [all] = merged!(
                    [r[0], r[1];],
                    _mm512_shuffle_ps::<0x88>, _mm512_shuffle_ps::<0xDD>, $op
                );
                _mm512_storeu_ps($totals.add(GROUP * group), all);
            }
            longer!($batch, $totals, $many);
        }};
    }
    pub(crate) use words;

    /// The same of numbers of 8 bytes.
    macro_rules! longs {
        ($batch:ident, $totals:ident, $few:ident, $many:ident, $op:ident) => {{
            use crate::batches::{GROUP, WORD};
            use crate::row_groups::x86::{longer, merged, rows};
            for group in 0..$batch.groups() {
                let r = rows!(
                    $batch, group,
                    [0 2 4 6 1 3 5 7 8 10 12 14 9 11 13 15], $few
                );
                let r = merged!(
                    [r[0], r[1]; r[2], r[3]; r[4], r[5]; r[6], r[7];
                     r[8], r[9]; r[10], r[11]; r[12], r[13]; r[14], r[15];],
                    _mm512_shuffle_f64x2::<0x44>, _mm512_shuffle_f64x2::<0xEE>, $op
                );
                let r = merged!(
                    [r[0], r[1]; r[2], r[3]; r[4], r[5]; r[6], r[7];],
                    _mm512_shuffle_f64x2::<0x88>, _mm512_shuffle_f64x2::<0xDD>, $op
                );
                let r = merged!(
                    [r[0], r[1]; r[2], r[3];],
                    _mm512_unpacklo_pd, _mm512_unpackhi_pd, $op
                );
                for (at, all) in r.into_iter().enumerate() {
                    _mm512_storeu_pd($totals.add(GROUP * group + 8 * at), all);
                }
            }
            longer!($batch, $totals, $many);
        }};
    }
    pub(crate) use longs;
}
