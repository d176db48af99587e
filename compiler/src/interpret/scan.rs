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

    /// Prefixes of the elements of a chunk, or of a few whose order of combination makes no difference,
    /// and the carry behind these.
    pub(super) fn scan_on(
        &mut self,
        which: Prefixes,
        carry: Option<Value>,
        xs: &[Value],
    ) -> Result<(Vec<Value>, Option<Value>), Stop> {
        let prefixes = self.prefixes(which, carry.clone(), xs)?;
        let total = self.chunk_total(xs)?;
        Ok((prefixes, Some(self.carry_on(carry, &total)?)))
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
