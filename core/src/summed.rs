//! The prefixes of one chunk where `sums.rs` has functions for them.
//!
//! In: the values of a chunk, in memory or to be computed again, and the carry into it. Out: its
//! prefixes, in memory. Assumes: `has_sums`, and room for the prefixes, which belongs to this thread
//! (see `scan.rs`).

use core::ops::Range;

use crate::kernel::{Combine, Flag, Product, Report};
use crate::memory;
use crate::prefixes::last_block;
use crate::product::Bases;
use crate::reduce::forward;
use crate::scan::{BLOCK, How, Part};
use crate::sums::{self, Carry, Lines};
use crate::write::one;

/// As [`in_vectors`], round the caches from the registers: what is stored first and read again for
/// it waits behind the stores to memory. There are at least `L` elements.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn in_lines<K: Combine, const L: usize, F: Flag>(
    kernel: &K,
    part: Part<K::Out>,
    carry: K::Out,
    flag: &mut F,
) {
    let mut carry = Carry::new(carry);
    let mut lanes = K::Out::zero().splat::<L>();
    let mut first = Room(K::Out::zero().splat::<L>());
    fetch::<K, L, F>(kernel, &part, 0, &mut lanes, flag);
    let from = K::Out::lane_bases(&mut lanes);
    let room = K::Out::lane_bases(&mut first.0);
    // The elements of the line in which the first block ends.
    let held = K::Out::misses_line(part.out.get(), L);
    // SAFETY: `has_sums` and `has_lines` were asked, and this code belongs to a task; there is room
    // for `L` elements, which are at least two lines.
    let mut lines = unsafe {
        let (from, room) = (K::Out::first(from), K::Out::first(room));
        sums::prefixes::<K::Out, L>(from, room, L / BLOCK, &mut carry);
        let whole = (L - held) * K::Out::BYTES;
        memory::copy::<L>(room, K::Out::first(part.out.get()), whole, true);
        Lines::new::<K::Out>(held, room.add(L * K::Out::BYTES - memory::LINE))
    };
    let (len, mut done) = (part.range.len(), L);
    while done + L <= len {
        let mut lanes = K::Out::zero().splat::<L>();
        fetch::<K, L, F>(kernel, &part, done, &mut lanes, flag);
        let from = K::Out::lane_bases(&mut lanes);
        // SAFETY: as above; what is held begins a line, and `out` has room for `done + L` elements.
        unsafe {
            let to = K::Out::advance(part.out.get(), done - held);
            let (from, to) = (K::Out::first(from), K::Out::first(to));
            sums::lines::<K::Out>(from, to, L / BLOCK, &mut carry, &mut lines);
        }
        done += L;
    }
    // SAFETY: `done` elements have been made, of which all but `held` are written; values and `out`
    // go on behind them.
    let rest = unsafe {
        let to = K::Out::advance(part.out.get(), done - held);
        lines.put_held::<K::Out>(held, K::Out::first(to));
        let behind = |bases: Bases<K::Out>| Bases::new(K::Out::advance(bases.get(), done));
        Part {
            range: part.range.start + done..part.range.end,
            values: part.values.map(behind),
            out: behind(part.out),
        }
    };
    let how = How {
        exclusive: false,
        stream: false,
    };
    in_vectors::<K, L, F>(kernel, rest, carry.get(), how, flag);
}

/// Elements whose prefixes are put together before they are written.
const BATCH: usize = 512;

/// Room for one block, which ends in the carry, and a batch behind it.
#[repr(align(64))]
struct Room<T>(T);

/// As `prefixes::in_blocks`, by the functions of `sums.rs`.
#[cfg_attr(optimised, inline(always))]
pub(crate) fn in_vectors<K: Combine, const L: usize, F: Flag>(
    kernel: &K,
    part: Part<K::Out>,
    carry: K::Out,
    how: How,
    flag: &mut F,
) {
    let len = part.range.len();
    let mut room;
    let mut batch = None;
    let past_caches =
        how.stream && !how.exclusive && sums::has_halves::<L>(K::Out::first(part.out.get()));
    if how.exclusive || how.stream && !past_caches {
        room = Room(carry.splat::<{ BLOCK + BATCH }>());
        batch = Some(K::Out::lane_bases(&mut room.0));
    }
    let mut carry = Carry::new(carry);
    let mut done = 0;
    while done < len {
        let count = (len - done).min(BATCH);
        // SAFETY: `out` has room for `len` elements, and `batch` for a block more than `count`.
        let (out, to) = unsafe {
            let out = K::Out::advance(part.out.get(), done);
            (
                out,
                batch.map_or(out, |batch| K::Out::advance(batch, BLOCK)),
            )
        };
        let mut at = 0;
        while at + L <= count {
            let mut lanes = K::Out::zero().splat::<L>();
            fetch::<K, L, F>(kernel, &part, done + at, &mut lanes, flag);
            let from = K::Out::lane_bases(&mut lanes);
            // SAFETY: `to` has room for `count` elements; `has_sums` was asked, and this code
            // belongs to a task; blocks are whole vectors, so what begins aligned goes on so.
            unsafe {
                let (from, to) = (K::Out::first(from), K::Out::first(K::Out::advance(to, at)));
                match past_caches {
                    true => sums::halves::<K::Out>(from, to, L / BLOCK, &mut carry),
                    false => sums::prefixes::<K::Out, L>(from, to, L / BLOCK, &mut carry),
                }
            }
            at += L;
        }
        if at < count {
            let mut lanes = K::Out::zero().splat::<L>();
            let rest = count - at;
            fetch_last::<K, L, F>(kernel, &part, rest, &mut lanes, flag);
            let from = K::Out::lane_bases(&mut lanes);
            let whole = rest / BLOCK * BLOCK;
            // SAFETY: as above, for `rest` elements.
            let out = unsafe {
                let to = K::Out::advance(to, at);
                let blocks = rest / BLOCK;
                sums::prefixes::<K::Out, L>(
                    K::Out::first(from),
                    K::Out::first(to),
                    blocks,
                    &mut carry,
                );
                Bases::new(K::Out::advance(to, whole))
            };
            let last = Part {
                range: whole..rest,
                values: Some(Bases::new(from)),
                out,
            };
            let mut report = Report::default();
            last_block(kernel, last, carry.get(), false, &mut report);
            forward(report, flag);
        }
        if let Some(batch) = batch {
            let first = BLOCK - usize::from(how.exclusive);
            // SAFETY: the batch holds `BLOCK + count` elements, `out` has room for `count`; the
            // products of `has_sums` are single numbers, without padding.
            unsafe {
                let from = K::Out::first(K::Out::advance(batch, first));
                let bytes = count * K::Out::BYTES;
                memory::copy::<L>(from, K::Out::first(out), bytes, how.stream);
                K::Out::read(batch, BLOCK + count - 1).put(batch, BLOCK - 1);
            }
        }
        done += count;
    }
}

/// The values of the chunk's elements `at .. at + L`.
#[cfg_attr(optimised, inline(always))]
fn fetch<K: Combine, const L: usize, F: Flag>(
    kernel: &K,
    part: &Part<K::Out>,
    at: usize,
    lanes: &mut <K::Out as Product>::Lanes<L>,
    flag: &mut F,
) {
    match part.values {
        // SAFETY: `chunk_total` has written the chunk's values on this thread.
        Some(values) => unsafe { K::Out::fetch_at(lanes, 0, values.get(), at, L) },
        None => kernel.block::<L, F>(part.range.start + at, K::Out::slots(lanes), flag),
    }
}

/// The values of the chunk's last `count` elements, fewer than `L`.
#[cfg_attr(optimised, inline(always))]
fn fetch_last<K: Combine, const L: usize, F: Flag>(
    kernel: &K,
    part: &Part<K::Out>,
    count: usize,
    lanes: &mut <K::Out as Product>::Lanes<L>,
    flag: &mut F,
) {
    let Range { start, end } = part.range;
    if let Some(values) = part.values {
        // SAFETY: as in `fetch`.
        unsafe { K::Out::fetch_at(lanes, 0, values.get(), end - start - count, count) };
    } else if end - start >= L {
        let mut whole = K::Out::zero().splat::<L>();
        kernel.block::<L, F>(end - L, K::Out::slots(&mut whole), flag);
        let to = K::Out::lane_bases(lanes);
        // SAFETY: the lanes have room for `count < L` elements.
        unsafe { K::Out::store_from(&whole, L - count, to, 0, count) };
    } else {
        let mut report = Report::default();
        for l in 0..count {
            K::Out::set(lanes, l, one(kernel, end - count + l, &mut report));
        }
        forward(report, flag);
    }
}
