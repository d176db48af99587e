//! The extents of a cascade's space, and in which parts its rows are gone through.
//!
//! In: extents, and the kernels. Out: rows of a step, a window and a slab.
//! Assumes: as `cascade.rs`.

use crate::cascade::{Cascade, Windows};
use crate::lanes::total;
use crate::parallel;
use crate::row_blocks::ROWS;

/// The extents of the space.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Of the outermost axis.
    pub(super) rows: usize,
    /// Rows of the innermost axis in each of these.
    pub(super) inner: usize,
    /// Of the innermost axis.
    pub(super) width: usize,
    /// Whether there is only one axis: then its elements are the rows.
    pub(super) flat: bool,
}

impl Shape {
    pub(super) fn new(extents: &[usize]) -> Shape {
        let middle = match extents {
            [_, middle @ .., _] => total(middle),
            [..] => 1,
        };
        Shape {
            rows: extents[0],
            inner: middle,
            width: extents[extents.len() - 1],
            flat: extents.len() == 1,
        }
    }

    /// What a kernel that comes row by row takes for rows, of each row of the outermost axis.
    #[inline(always)]
    pub(super) fn lines(self) -> usize {
        match self.flat {
            // All elements are one.
            true => 1,
            false => self.inner,
        }
    }

    /// Elements of a row of the outermost axis.
    #[inline(always)]
    pub(super) fn stride(self) -> usize {
        match self.flat {
            true => 1,
            false => self.inner * self.width,
        }
    }
}

/// Bytes of windows that stay in a core's own cache.
const CACHE: usize = 256 << 10;

/// Slabs per thread, so that a thread that is late leaves some to others.
const SLABS: usize = 4;

/// How many times longer than what it needs beyond its ends a slab is at least.
const LONG: usize = 16;

/// How the rows are gone through.
pub(super) struct Plan {
    /// Rows of a step.
    pub(super) step: usize,
    /// Rows of a window.
    pub(super) room: usize,
    /// Rows of a slab.
    pub(super) slab: usize,
    pub(super) threads: usize,
}

impl Plan {
    pub(super) fn of<C: Cascade>(cascade: &C, shape: Shape) -> Plan {
        let (stride, lead) = (shape.stride(), C::LEADS[0]);
        let threads = parallel::threads(shape.rows, stride.saturating_mul(cascade.cost()));
        let slab = match threads {
            1 => shape.rows,
            several => shape.rows.div_ceil(several * SLABS),
        };
        let slab = slab.max(LONG * lead).max(1);
        let bytes = C::Windows::BYTES.saturating_mul(stride).max(1);
        // Two steps fit in a window, and what is read above and below.
        let step = (CACHE / bytes).saturating_sub(2 * lead) / 2;
        let step = match step - step % ROWS {
            0 => ROWS,
            step => step.min(slab.next_multiple_of(ROWS)),
        };
        // No slab needs more.
        let all = match C::ROUND {
            true => slab.min(shape.rows) + 2 * lead,
            false => shape.rows,
        };
        let room = all.min(2 * step + 2 * lead);
        Plan {
            step,
            room,
            slab,
            threads: threads.min(shape.rows.div_ceil(slab).max(1)),
        }
    }

    /// The row up to which windows from a row on have room for what is read around it.
    pub(super) fn end<C: Cascade>(&self, shape: Shape, base: usize) -> usize {
        match base + self.room {
            // One row, of which parts are in the windows.
            _ if shape.flat => 1,
            end if !C::ROUND && end >= shape.rows => shape.rows,
            end => end.saturating_sub(C::LEADS[0]),
        }
    }
}
