//! Which columns of rows are inside, asked once for many rows.
//!
//! In: a kernel that comes row by row, and rows. Out: the columns in which its conditions on indices hold
//! as in the middle of the array.
//! Assumes: that `of` is asked about one kernel, which says the same each time.

use core::ops::Range;

use crate::row_blocks::ROWS;
use crate::rowed::Rowed;

/// What is known to be inside of some rows, for parts of them.
#[derive(Clone)]
pub(crate) struct Inside {
    rows: Range<usize>,
    columns: Range<usize>,
    /// The row up to which there is something to ask for.
    end: usize,
    /// Rows that are asked for together next time.
    ahead: usize,
    /// The first row of the turn (see `cascade.rs`).
    turn: usize,
}

/// Rows that are asked for together at most: more where what is inside does not seem to change.
const AHEAD: usize = 32 * ROWS;

impl Inside {
    /// Nothing is known yet, and there are rows up to here.
    pub(crate) fn up_to(end: usize) -> Inside {
        Inside {
            rows: 0..0,
            columns: 0..0,
            end,
            ahead: 2 * ROWS,
            turn: 0,
        }
    }

    /// Nothing is known any more, but probably nothing has changed, and there are rows up to here.
    pub(crate) fn forget(&mut self, end: usize) {
        (self.rows, self.end) = (0..0, end);
    }

    /// From here on it is about the rows of this turn, up to here.
    pub(crate) fn turn(&mut self, turn: usize, end: usize) {
        if self.turn != turn {
            (self.rows, self.turn) = (0..0, turn);
        }
        self.end = end;
    }

    #[cfg_attr(optimised, inline(always))]
    pub(crate) fn of<K: Rowed>(
        &mut self,
        kernel: &K,
        rows: Range<usize>,
        width: usize,
    ) -> Range<usize> {
        if rows.start < self.rows.start || rows.end > self.rows.end {
            self.ask(kernel, rows, width);
        }
        self.columns.clone()
    }

    /// Remembers what is inside of these rows, and of rows behind them if it is as before.
    #[cfg_attr(optimised, inline(never))]
    fn ask<K: Rowed>(&mut self, kernel: &K, rows: Range<usize>, width: usize) {
        let before = self.columns.clone();
        let more = rows.start..self.end.min(rows.start + self.ahead);
        let long = more.end > rows.end && !before.is_empty();
        if long && kernel.inside(more.clone(), width) == before {
            self.rows = more;
            self.ahead = AHEAD.min(2 * self.ahead);
        } else {
            self.columns = kernel.inside(rows.clone(), width);
            self.rows = rows;
            self.ahead = 2 * ROWS;
        }
    }
}
