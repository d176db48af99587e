//! A chunk on which a step fails, in parts: what comes before an error does not depend on chunks.
//!
//! In: a step, and a chunk. Out: the results of the items before the first on which the step fails,
//! and what it says of this item alone.
//! Assumes: a step that fails leaves its state as it was. Where steps must have whole blocks of items,
//! so have parts, and an error is that of a block.

use super::chunk::Chunk;
use super::results::Items;
use crate::error::{Error, ErrorKind, Result};

/// Calls a step whose results are given out: after an error these are those of the items before the
/// one that fails.
pub(super) fn results<C, O>(
    step: &mut impl FnMut(&C, bool, &mut O) -> Result<bool>,
    chunk: &C,
    last: bool,
    block: usize,
    out: &mut O,
) -> Result<bool>
where
    C: Chunk,
    O: Items,
{
    step(chunk, last, out).or_else(|error| {
        out.clear();
        let mut made = Vec::new();
        let mut of_part = |part: &C, last| {
            let mut results = O::default();
            let more = step(part, last, &mut results)?;
            made.push(results);
            Ok(more)
        };
        let ended = in_halves(&mut of_part, chunk, last, block, error.clone());
        match made.iter().try_for_each(|results| out.append(results, 0)) {
            Ok(()) => ended,
            Err(_) => Err(error),
        }
    })
}

/// Calls a step whose results stay in its state, which is worth nothing after an error: this is that of
/// the first item that fails, if the step wants so many.
pub(super) fn state<C: Chunk>(
    step: &mut impl FnMut(&C, bool) -> Result<bool>,
    chunk: &C,
    last: bool,
    block: usize,
) -> Result<bool> {
    step(chunk, last).or_else(|error| {
        let in_parts = in_halves(step, chunk, last, block, error.clone());
        match error.kind() {
            // Some of the results of the whole may be there already.
            ErrorKind::OutOfMemory { .. } => in_parts.and(Err(error)),
            _of_an_item => in_parts,
        }
    })
}

/// Calls a step for the halves of a chunk, of which it has failed on the whole with `error`, and so on
/// until the item that fails is alone. There may be none then, where memory was too little for the
/// whole.
fn in_halves<C: Chunk>(
    step: &mut impl FnMut(&C, bool) -> Result<bool>,
    chunk: &C,
    last: bool,
    block: usize,
    error: Error,
) -> Result<bool> {
    let items = chunk.items();
    let middle = items.div_ceil(2).next_multiple_of(block);
    if middle >= items {
        return Err(error);
    }
    for (range, last) in [(0..middle, false), (middle..items, last)] {
        let Ok(part) = chunk.part(range) else {
            return Err(error);
        };
        let more = step(&part, last).or_else(|error| in_halves(step, &part, last, block, error))?;
        if !more {
            return Ok(false);
        }
    }
    Ok(true)
}
