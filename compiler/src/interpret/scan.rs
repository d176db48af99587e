//! The order in which scans combine.
//!
//! In: elements, an operator, which prefixes. Out: the prefixes. The carry into a chunk is the carry
//! into the chunk before it combined with that chunk's total (in the order of `order`). Inside a
//! chunk, an operator that is not recognised goes from left to right. A recognised one goes by
//! blocks of [`BLOCK`] elements: prefixes within the block by doubling distances (Hillis and
//! Steele), then the carry is combined with each.

use super::machine::Stop;
use super::order::Operator;
use super::value::Value;
use crate::prims::CHUNK;

/// Elements whose prefixes are found by doubling distances.
const BLOCK: usize = 16;

/// Which prefixes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefixes {
    /// Up to and with each element.
    Inclusive,
    /// Up to each element, without it.
    Exclusive,
}

/// Where a scan of a sequence has got to.
pub(super) struct Begun {
    /// What has been combined of whole chunks.
    carry: Option<Value>,
    /// How many items of a chunk there have been.
    count: usize,
    /// What these come to, if the operator is not recognised.
    total: Option<Value>,
    /// These items, if it is.
    block: Vec<Value>,
    /// The prefix behind these.
    running: Option<Value>,
}

impl From<Option<Value>> for Begun {
    /// Before the first item.
    fn from(start: Option<Value>) -> Begun {
        Begun {
            carry: start.clone(),
            count: 0,
            total: None,
            block: Vec::new(),
            running: start,
        }
    }
}

impl Operator<'_> {
    /// Inclusive prefixes.
    pub(super) fn scan(&mut self, xs: &[Value]) -> Result<Vec<Value>, Stop> {
        let carry = xs.first().and_then(|sample| self.neutral(sample));
        self.prefixes(Prefixes::Inclusive, carry, xs)
    }

    /// Exclusive prefixes, the first being `init`.
    pub(super) fn prescan(&mut self, init: &Value, xs: &[Value]) -> Result<Vec<Value>, Stop> {
        self.prefixes(Prefixes::Exclusive, Some(init.clone()), xs)
    }

    /// The carry behind all of `xs`.
    pub(super) fn scan_total(&mut self, init: &Value, xs: &[Value]) -> Result<Value, Stop> {
        let mut carry = init.clone();
        for chunk in xs.chunks(CHUNK) {
            let total = self.chunk_total(chunk)?;
            carry = self.apply(&carry, &total)?;
        }
        Ok(carry)
    }

    /// Prefixes of the next items, of which there are as many as come together (see
    /// [`at_a_time`](crate::typed::recognise::at_a_time)) unless they are the last; what `begun` holds
    /// is behind them afterwards.
    pub(super) fn scan_next(
        &mut self,
        which: Prefixes,
        begun: &mut Begun,
        xs: &[Value],
    ) -> Result<Vec<Value>, Stop> {
        let mut prefixes = Vec::with_capacity(xs.len() + 1);
        let running = begun.running.take();
        if which == Prefixes::Exclusive {
            prefixes.extend(running.clone());
        }
        match (&running, &self.recognised) {
            (Some(carry), Some(_)) => {
                self.by_blocks(Prefixes::Inclusive, carry.clone(), xs, &mut prefixes)?;
            }
            _ => self.in_sequence(Prefixes::Inclusive, running, xs, &mut prefixes)?,
        }
        begun.running = match which {
            Prefixes::Inclusive => prefixes.last().cloned(),
            Prefixes::Exclusive => prefixes.pop(),
        };
        self.count(begun, xs)?;
        Ok(prefixes)
    }

    /// Combines the chunk that has been begun with the next items, of which prefixes are known.
    fn count(&mut self, begun: &mut Begun, xs: &[Value]) -> Result<(), Stop> {
        begun.count += xs.len();
        if self.recognised.is_some() {
            begun.block.extend_from_slice(xs);
            if begun.count == CHUNK {
                begun.total = Some(self.chunk_total(&std::mem::take(&mut begun.block))?);
            }
        } else if begun.carry.is_none() {
            // Nothing is in front of the prefix.
            begun.total.clone_from(&begun.running);
        } else {
            for x in xs {
                begun.total = Some(self.carry_on(begun.total.take(), x)?);
            }
        }
        if begun.count == CHUNK
            && let Some(total) = begun.total.take()
        {
            begun.count = 0;
            begun.carry = Some(self.carry_on(begun.carry.take(), &total)?);
            begun.running.clone_from(&begun.carry);
        }
        Ok(())
    }

    fn prefixes(
        &mut self,
        which: Prefixes,
        mut carry: Option<Value>,
        xs: &[Value],
    ) -> Result<Vec<Value>, Stop> {
        let mut out = Vec::with_capacity(xs.len());
        for chunk in xs.chunks(CHUNK) {
            match (&carry, &self.recognised) {
                (Some(carry), Some(_)) => self.by_blocks(which, carry.clone(), chunk, &mut out)?,
                _ => self.in_sequence(which, carry.clone(), chunk, &mut out)?,
            }
            if out.len() < xs.len() {
                let total = self.chunk_total(chunk)?;
                carry = Some(self.carry_on(carry, &total)?);
            }
        }
        Ok(out)
    }

    fn carry_on(&mut self, carry: Option<Value>, next: &Value) -> Result<Value, Stop> {
        match carry {
            Some(carry) => self.apply(&carry, next),
            None => Ok(next.clone()),
        }
    }

    fn in_sequence(
        &mut self,
        which: Prefixes,
        mut carry: Option<Value>,
        chunk: &[Value],
        out: &mut Vec<Value>,
    ) -> Result<(), Stop> {
        for (i, x) in chunk.iter().enumerate() {
            if which == Prefixes::Exclusive {
                out.push(carry.clone().expect("exclusive prefixes have an `init`"));
                if i + 1 == chunk.len() {
                    break;
                }
            }
            let next = self.carry_on(carry, x)?;
            if which == Prefixes::Inclusive {
                out.push(next.clone());
            }
            carry = Some(next);
        }
        Ok(())
    }

    fn by_blocks(
        &mut self,
        which: Prefixes,
        mut carry: Value,
        chunk: &[Value],
        out: &mut Vec<Value>,
    ) -> Result<(), Stop> {
        for block in chunk.chunks(BLOCK) {
            let within = self.within_block(block)?;
            let (last, before) = within.split_last().expect("blocks are not empty");
            if which == Prefixes::Exclusive {
                out.push(carry.clone());
            }
            for prefix in before {
                out.push(self.apply(&carry, prefix)?);
            }
            carry = self.apply(&carry, last)?;
            if which == Prefixes::Inclusive {
                out.push(carry.clone());
            }
        }
        Ok(())
    }

    /// The inclusive prefixes of a block.
    fn within_block(&mut self, block: &[Value]) -> Result<Vec<Value>, Stop> {
        let mut prefixes = block.to_vec();
        for distance in [1, 2, 4, 8] {
            let old = prefixes.clone();
            for l in distance..block.len() {
                prefixes[l] = self.apply(&old[l - distance], &old[l])?;
            }
        }
        Ok(prefixes)
    }
}
