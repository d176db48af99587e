//! A chunk that is computed in parts: one on which a step fails, since what comes before an error does
//! not depend on chunks, and one for whose results there is no room at once.
//!
//! In: a step, and a chunk. Out: the results of the items before the first on which the step fails,
//! and what it says of this item alone; or those of as many items as there is room for.
//! Assumes: a step that fails leaves its state as it was. Where steps must have whole blocks of items,
//! so have parts, and an error is that of a block.

use core::ops::Range;

use super::chunk::Chunk;
use super::results::Items;
use crate::budget::{Budget, within};
use crate::error::{Error, ErrorKind, Result};

/// What a step is allowed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowed {
    /// Parts but the last have a multiple of so many items.
    pub block: usize,
    /// The bytes that its arrays may take.
    pub memory: Option<usize>,
    /// Whether the smallest part may take more: what a step keeps is not limited.
    pub may_exceed: bool,
}

/// How much of a chunk is left: what begins with this item, in parts of so many.
#[derive(Debug)]
pub(super) struct Rest {
    from: usize,
    few: usize,
    /// Why not all was computed at once.
    error: Option<Error>,
}

/// What a step has made of a part of a chunk.
pub(super) struct Done {
    /// Whether it wants more items.
    pub more: bool,
    /// The bytes or items of the part, whichever is more.
    pub size: usize,
    /// The bytes that were too little for a larger part, if one was tried.
    pub too_little: Option<usize>,
}

impl Rest {
    /// All of it.
    pub(super) const ALL: Rest = Rest {
        from: 0,
        few: usize::MAX,
        error: None,
    };

    /// Whether some of the chunk has been computed, and some has not.
    pub(super) fn is_some(&self) -> bool {
        self.from > 0
    }

    fn range(&self, items: usize) -> Range<usize> {
        self.from..self.from.saturating_add(self.few).min(items)
    }

    /// Items of the next part, unless it is all of the chunk.
    fn part<C: Chunk>(&self, chunk: &C) -> Result<Option<C>> {
        let range = self.range(chunk.items());
        // Nothing is copied of a chunk that is computed as a whole, as nearly all are.
        if range.len() == chunk.items() {
            return Ok(None);
        }
        match (&self.error, chunk.part(range)) {
            (_, Ok(part)) => Ok(Some(part)),
            (Some(error), Err(_)) => Err(error.clone()),
            (None, Err(_)) => unreachable!("all at once"),
        }
    }

    fn go_on(&mut self, items: usize) {
        match self.range(items).end {
            end if end < items => self.from = end,
            _end => *self = Rest::ALL,
        }
    }
}

/// Calls a step whose results are given out, on the next part of a chunk; after an error these are those
/// of the items before the one that fails.
pub(super) fn results<C, O>(
    step: &mut impl FnMut(&C, bool, &mut O) -> Result<bool>,
    (chunk, last): (&C, bool),
    allowed: Allowed,
    rest: &mut Rest,
    out: &mut O,
) -> Result<Done>
where
    C: Chunk,
    O: Items,
{
    let mut clean = |part: &C, last| {
        out.clear();
        step(part, last, out)
    };
    let error = match next(&mut clean, (chunk, last), allowed, rest) {
        Ok(done) => return Ok(done),
        Err(error) => error,
    };
    out.clear();
    let from = rest.from;
    let (mut made, mut done) = (Vec::new(), 0);
    let mut of_part = |part: &C, last| {
        let mut results = O::default();
        let more = step(part, last, &mut results)?;
        made.push(results);
        done += part.items();
        Ok(more)
    };
    let ended = of_rest(&mut of_part, (chunk, last), allowed, rest, &error);
    let all_given = made.iter().try_for_each(|results| out.append(results, 0));
    if ended.is_err() || all_given.is_err() {
        // The step's state has gone on as far as that, if somebody asks for the rest without results.
        *rest = Rest {
            from: from + done,
            few: rest.few,
            error: Some(error.clone()),
        };
    }
    match all_given {
        Ok(()) => ended,
        Err(_) => Err(error),
    }
}

/// Calls a step whose results stay in its state, on all parts of a chunk. The state is worth nothing
/// after an error: this is that of the first item that fails, if the step wants so many.
pub(super) fn state<C: Chunk>(
    step: &mut impl FnMut(&C, bool) -> Result<bool>,
    chunk: &C,
    last: bool,
    allowed: Allowed,
) -> Result<bool> {
    let mut rest = Rest::ALL;
    loop {
        let done = next(step, (chunk, last), allowed, &mut rest).or_else(|error| {
            let in_parts = of_rest(step, (chunk, last), allowed, &mut rest, &error);
            match error.kind() {
                // Some of the results of the whole may be there already.
                ErrorKind::OutOfMemory { .. } => in_parts.and(Err(error)),
                _of_an_item => in_parts,
            }
        })?;
        if !done.more || !rest.is_some() {
            return Ok(done.more);
        }
    }
}

/// Calls a step for the next part, and a smaller one if there is no room for its arrays.
fn next<C: Chunk>(
    step: &mut impl FnMut(&C, bool) -> Result<bool>,
    (chunk, last): (&C, bool),
    allowed: Allowed,
    rest: &mut Rest,
) -> Result<Done> {
    let items = chunk.items();
    let mut memory = allowed.memory;
    let mut too_little = None;
    loop {
        let range = rest.range(items);
        let budget = memory.map(Budget::new);
        let cut = rest.part(chunk)?;
        let part = cut.as_ref().unwrap_or(chunk);
        let is_last = last && range.end == items;
        let error = match within(budget.clone(), || step(part, is_last)) {
            Ok(more) => {
                let size = part.bytes().max(part.items());
                rest.go_on(items);
                return Ok(Done {
                    more,
                    size,
                    too_little,
                });
            }
            Err(error) => error,
        };
        let fewer = range.len().div_ceil(2).next_multiple_of(allowed.block);
        match budget {
            Some(budget) if budget.was_short() && fewer < range.len() => {
                too_little = allowed.memory;
                rest.few = fewer;
                rest.error = Some(error);
            }
            Some(budget) if budget.was_short() && allowed.may_exceed => memory = None,
            _fails => return Err(error),
        }
    }
}

/// Calls a step for parts of the part of which it has failed on the whole with `error`.
fn of_rest<C: Chunk>(
    step: &mut impl FnMut(&C, bool) -> Result<bool>,
    (chunk, last): (&C, bool),
    allowed: Allowed,
    rest: &mut Rest,
    error: &Error,
) -> Result<Done> {
    let items = chunk.items();
    let is_last = last && rest.range(items).end == items;
    let cut = rest.part(chunk)?;
    let part = cut.as_ref().unwrap_or(chunk);
    let more = in_halves(step, part, is_last, allowed.block, error.clone())?;
    let size = part.bytes().max(part.items());
    rest.go_on(items);
    Ok(Done {
        more,
        size,
        too_little: None,
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
