//! The trees of sixteen rows in one, for AVX-512.
//!
//! In: what makes a vector of a row, and what combines two. Out: the total of each row of a batch.
//! Assumes: what the unsafe functions ask for that these are used in.

/// Writes the totals of a batch's rows: `$few` makes a vector of a row, `$op` combines two, `$many` gives
/// the total of a row that has more than few elements. Their order is such that the tree leaves each
/// row at its place. They are macros, as is this: closures that are called several times are not
/// inlined.
macro_rules! words {
    ($batch:ident, $totals:ident, $few:ident, $many:ident, $op:ident) => {{
        use crate::batches::GROUP;
        use crate::row_groups::{longer, merged, rows};
        for group in 0..$batch.groups() {
            let r = rows!(
                $batch, GROUP * group, GROUP,
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
        use crate::batches::GROUP;
        use crate::row_groups::{longer, merged, rows};
        for group in 0..$batch.groups() {
            let r = rows!(
                $batch, GROUP * group, GROUP,
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
