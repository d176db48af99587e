//! How sweeps are done together: how many, in which parts.
//!
//! In: the extents of the arrays, and what a sweep says of itself. Out: sizes, all of which give the
//! same values. Assumes: nothing. See Note \[Time tiles\].

use core::ops::Range;

use crate::kernel::Product;
use crate::lanes::total;
use crate::level::MAX_LANES;
use crate::memory::LINE;
use crate::parallel;
use crate::row_blocks::ROWS;
use crate::rowed::Edged;
use crate::states::States;
use crate::sweeps::Sweep;

/// The extents of the arrays.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// Along the outermost axis.
    pub(super) rows: usize,
    /// Elements of one row.
    pub(super) stride: usize,
    /// Elements along the innermost axis.
    pub(super) width: usize,
    /// Elements behind each of these in a window.
    pub(super) pad: usize,
    /// Elements on each side of its own that an index reads within a row.
    pub(super) beside: usize,
}

/// How sweeps are done together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// How many in one pass over the arrays, at most.
    pub(super) sweeps: usize,
    /// Passes for which a thread is asked once.
    pub(super) passes: usize,
    /// Rows of a sweep that are computed before the next sweep follows.
    pub(super) step: usize,
    /// Elements of a row of which all sweeps compute a step before the next ones follow.
    pub(super) strip: usize,
    /// Parts of a step: each sweep's of each strip.
    pub(super) parts: usize,
    /// Rows of a window.
    pub(super) room: usize,
    /// Elements from one window to the next.
    pub(super) apart: usize,
    /// Rows of a slab.
    pub(super) slab: usize,
    pub(super) threads: usize,
}

impl Shape {
    pub(super) fn new<K: Sweep>(extents: &[usize]) -> Shape {
        let (mut stride, mut beside) = (1usize, 0usize);
        let inner = extents.iter().zip(K::REACH).skip(1).rev();
        for (extent, reach) in inner {
            beside = beside.saturating_add(reach.saturating_mul(stride));
            stride = stride.saturating_mul(*extent);
        }
        let width = extents[extents.len() - 1];
        if extents.len() > 2 && width > 0 {
            // Rows of the innermost axis stay whole.
            beside = beside.div_ceil(width).saturating_mul(width);
        }
        let (stride, size) = (total(&extents[1..]), K::Out::FIRST.max(1));
        let long = width <= stride && width.saturating_mul(size) >= PADDED;
        let pads = match K::ROUND {
            true => pads_beyond::<K>(),
            false => K::PADS,
        };
        let pad = match pads && long {
            true => width.next_multiple_of((LINE / size).max(1)) - width,
            false => 0,
        };
        if pads && long && width == stride && beside < width {
            // Each sweep's part of a strip begins at a cache line.
            beside = beside.next_multiple_of((LINE / size).max(1));
        }
        Shape {
            rows: extents[0],
            stride,
            width,
            pad,
            beside,
        }
    }

    /// The number of the first row of all, with enough rows before it for so many sweeps.
    pub(super) fn first<K: Sweep>(self, sweeps: usize) -> usize {
        match K::ROUND {
            true => (sweeps * K::REACH[0]).next_multiple_of(self.rows),
            false => 0,
        }
    }

    /// A row, or the end of the last one, if there are none behind.
    #[inline(always)]
    pub(super) fn last<K: Sweep>(self, row: usize) -> usize {
        match K::ROUND {
            true => row,
            false => row.min(self.rows),
        }
    }

    /// Elements of one row in a window.
    pub(super) fn padded(self) -> usize {
        match self.pad {
            0 => self.stride,
            pad => self.stride / self.width * (self.width + pad),
        }
    }

    /// How many elements there are; see [`total`].
    pub(super) fn elements(self) -> usize {
        total(&[self.rows, self.stride])
    }

    /// The parts that some elements of rows consist of.
    #[inline(always)]
    pub(super) fn parts(self, rows: Range<usize>, strip: Range<usize>) -> Parts {
        let Shape { stride, width, .. } = self;
        let one = |rows, columns| Parts {
            rows,
            columns,
            count: 1,
            apart: 0,
        };
        if width > stride {
            // One axis.
            return one(0..1, rows);
        }
        if width == stride {
            return one(rows, strip);
        }
        let inner = stride / width;
        if strip.len() == stride {
            one(rows.start * inner..rows.end * inner, 0..width)
        } else {
            let first = rows.start * inner;
            Parts {
                rows: first + strip.start / width..first + strip.end / width,
                columns: 0..width,
                count: rows.len(),
                apart: inner,
            }
        }
    }
}

/// Parts of rows of the innermost axis.
pub(super) struct Parts {
    /// The rows of the first part.
    pub(super) rows: Range<usize>,
    pub(super) columns: Range<usize>,
    pub(super) count: usize,
    /// Rows from one part to the next.
    pub(super) apart: usize,
}

/// Windows of a worker: one for every other sweep.
pub(super) const WINDOWS: usize = 2;

/// Bytes that stay in a core's own cache: what all sweeps have under way.
const CACHE: usize = 512 << 10;

/// How many times as many rows as are under way a window has room for: so it seldom slides.
const ROOM: usize = 3;

/// Bytes from which on rows begin at cache lines in windows: of shorter ones too much would be pads.
const PADDED: usize = 8 * LINE;

/// Arrays of less than so many bytes stay in the caches by themselves.
const SMALL: usize = 64 << 10;

/// The most sweeps that go together: with so many, memory is no longer what they wait for.
pub(super) const MOST: usize = 20;

/// Bytes that stay in the nearest cache: what one sweep reads and writes of a step within a strip.
const NEAR: usize = 32 << 10;

/// The most passes that go without a barrier.
const PASSES: usize = 16;

/// Slabs per thread, so that a thread that is late leaves some to others, and none has to wait for it.
const SLABS: usize = 2;

/// How many times longer than what it needs beyond its ends a slab is at least.
const LONG: usize = 8;

/// Whether a sweep finds what it reads in windows if there are elements behind rows.
fn pads_beyond<'s, K: Sweep + 's>() -> bool {
    K::Beyond::<'s>::PADS
}

impl Plan {
    pub(super) fn of<K: Sweep>(shape: Shape) -> Plan {
        let Shape { rows, stride, .. } = shape;
        let bytes = stride.saturating_mul(K::Out::BYTES).max(1);
        let reach = K::REACH[0].max(1);
        // Half of what is near is read, the other half written.
        let step = match NEAR / WINDOWS / bytes {
            few @ 0..ROWS => few.max(ROWS).min(rows.max(1)),
            step => step - step % ROWS,
        };
        let most = (CACHE / WINDOWS / bytes).saturating_sub(step) / reach;
        let sweeps = match K::ROUND {
            // Both ends are computed twice.
            true => most.min(MOST).min(rows / LONG / reach),
            false => most.min(MOST),
        };
        if shape.elements().saturating_mul(K::Out::BYTES) < SMALL || sweeps < 2 {
            return Plan::ALONE;
        }
        let cost = (K::COST as usize).saturating_mul(stride);
        let threads = parallel::threads(rows, cost.saturating_mul(sweeps));
        let slab = match threads {
            1 => rows,
            several => rows.div_ceil(several * SLABS),
        };
        let room = ROOM * (sweeps * reach + step);
        let own = room * shape.padded();
        let strip = shape.strip(NEAR / K::Out::BYTES.max(1) / (WINDOWS * (step + reach)));
        Plan {
            sweeps,
            // A violated check must find the arrays as they were, and all of them may be read.
            passes: if K::CHECKS || K::ROUND { 1 } else { PASSES },
            step,
            strip,
            parts: sweeps * stride.div_ceil(strip),
            room,
            apart: own + shape.gap(own, K::Out::FIRST),
            slab: slab.max(LONG * sweeps * reach),
            threads,
        }
    }

    /// How many sweeps are done at once.
    pub(super) fn due(&self) -> usize {
        self.sweeps * self.passes
    }

    const ALONE: Plan = Plan {
        sweeps: 1,
        passes: 1,
        step: 0,
        strip: 0,
        parts: 0,
        room: 0,
        apart: 0,
        slab: 0,
        threads: 1,
    };
}

/// Processors take addresses that are so many bytes apart for the same, as long as they know no better.
const ALIAS: usize = 4 << 10;

/// How many times wider than what each sweep is behind the one before a strip is at least.
const WIDE: usize = 8;

/// Elements that are computed at a time within a row, at most.
const BLOCK: usize = MAX_LANES / 2;

impl Shape {
    /// Elements of this size between two windows of so many: so that no row of one lies, as processors
    /// see it at first, just before a row of the other that is read or written together with it, since
    /// what is read there would wait for what has been written.
    fn gap(self, window: usize, size: usize) -> usize {
        let row = self.padded().wrapping_mul(size);
        let far = |gap: &usize| {
            let window = window.wrapping_mul(size) + gap;
            let apart = (0..2 * ROWS).map(|rows| {
                let (before, after) = (rows * row % ALIAS, window % ALIAS);
                let ahead = |a: usize, b: usize| (a + ALIAS - b) % ALIAS;
                let sum = (before + after) % ALIAS;
                let near = ahead(after, before).min(ahead(before, after));
                near.min(sum).min(ALIAS - sum)
            });
            apart.min().unwrap_or(0)
        };
        let gaps = (0..ALIAS).step_by(LINE);
        gaps.max_by_key(far).unwrap_or(0) / size.max(1)
    }

    /// Elements of a strip, about so many.
    fn strip(self, about: usize) -> usize {
        let Shape {
            stride,
            width,
            beside,
            ..
        } = self;
        let least = beside.saturating_mul(WIDE);
        let strips = stride.div_ceil(about.max(least).max(1)).max(1);
        let unit = if width < stride { width } else { BLOCK };
        stride.div_ceil(strips).next_multiple_of(unit).min(stride)
    }
}
