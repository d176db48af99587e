//! Copying rows that lie apart behind each other, on all threads.
//!
//! In: rows, and where they begin behind each other. Out: their elements.
//! Assumes: nothing.

use core::ops::Range;

use crate::kernel::Element;
use crate::memory::fetch;
use crate::parallel;
use crate::product::Bases;

/// Estimated scalar operations of a byte that is copied: from memory it takes as long as four, in lane
/// blocks.
const COST: usize = 4;

/// How many rows ahead memory is asked for them, and for how many bytes of each at most: processors go on by
/// themselves behind these.
const AHEAD: usize = 4;
const FETCHED: usize = 4096;

/// Makes the elements of `copied` those of the rows, the first of which begins at 0; `offsets` are where
/// they end, behind a 0.
pub(super) fn rows<T: Element>(rows: &[&[T]], offsets: &[i64], copied: &mut Vec<T>) {
    let len = rows.iter().map(|row| row.len()).sum::<usize>();
    assert_eq!(offsets.len(), rows.len() + 1, "an end for each row");
    copied.clear();
    copied.reserve(len);
    let all = Copy {
        rows,
        offsets,
        len,
        base: Bases::new((copied.as_mut_ptr(),)),
    };
    let bytes = len * size_of::<T>();
    let shares = parallel::threads(bytes, COST);
    let parts = parallel::PARTS * shares;
    let place = |part, _range| all.row_at(part, parts);
    parallel::cut(shares, rows.len(), &place, &|range| all.copy(range));
    // SAFETY: there is room for the elements of all rows, which have been written: `copy` asserts that
    // they lie behind each other, and the first row begins at 0.
    unsafe { copied.set_len(len) };
}

struct Copy<'a, 'i, T: Element> {
    rows: &'a [&'i [T]],
    offsets: &'a [i64],
    /// That of all rows together.
    len: usize,
    base: Bases<(T,)>,
}

impl<T: Element> Copy<'_, '_, T> {
    /// The first row that begins behind so many parts of all elements.
    fn row_at(&self, part: usize, parts: usize) -> usize {
        let at = (self.len as u128 * part as u128 / parts as u128) as i64;
        self.offsets.partition_point(|begin| *begin < at)
    }

    fn copy(&self, range: Range<usize>) {
        let offsets = &self.offsets[range.start..=range.end];
        let rows = &self.rows[range];
        for (at, (row, begin)) in rows.iter().zip(offsets.windows(2)).enumerate() {
            // Each row is somewhere else: it takes a while to arrive.
            if let Some(next) = rows.get(at + AHEAD) {
                fetch(next.as_ptr(), next.len().min(FETCHED / size_of::<T>()));
            }
            let (at, end) = (begin[0] as usize, begin[1] as usize);
            assert!(
                at <= end && end - at == row.len() && end <= self.len,
                "rows behind each other"
            );
            // SAFETY: there is room for `len` elements, of which these are this call's, since each row is
            // in one range, and no two of them overlap: each begins where the one before ends.
            unsafe {
                self.base
                    .get()
                    .0
                    .add(at)
                    .copy_from_nonoverlapping(row.as_ptr(), row.len())
            };
        }
    }
}
