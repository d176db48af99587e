//! Scans. One from the right runs over the reversed indices with swapped operands, and its result
//! is reversed.

use super::Use;
use crate::shaped::ir::Consumer;
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::par::Elements;
use crate::shaped::value::{Array, Value};

/// Where to, or where from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Left,
    Right,
}

/// What a scan gives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scan {
    /// `scan(op)`
    Inclusive,
    /// `prescan(init, op)`
    Exclusive,
    /// `scan_from(init, op)`: the exclusive prefixes and the total.
    WithTotal,
}

impl<'p> Lower<'p> {
    /// A scan that starts at the `from` end.
    pub(super) fn scan(&mut self, it: &Use<'p>, scan: Scan, from: Direction) -> Lowered<Value> {
        self.flat_elements(&self.operand(it, 0), it)?;
        let elements = self.scanned(it, from)?;
        let combine = self.combine(it.fns[0], &elements, from == Direction::Right, it.src)?;
        let total = scan == Scan::WithTotal;
        let init = (scan != Scan::Inclusive).then(|| {
            let mut init = Vec::new();
            it.args[1].scalars(&mut init);
            init
        });
        let exclusive = init.is_some();
        let extent = elements.extent.clone();
        let mut outs = self.flat_arrays(&elements.types, &extent, it.src);
        let none = &mut std::iter::empty();
        let elem = elements.elem.elem_with(&mut outs.iter().copied(), none);
        let sum = total.then(|| {
            let totals: Vec<_> = elements
                .types
                .iter()
                .map(|ty| self.scalar_var(*ty, it.src))
                .collect();
            outs.extend(&totals);
            elements.elem.with_vars(&totals)
        });
        self.consume(
            elements,
            Consumer::Scan {
                init,
                combine,
                exclusive,
                total,
            },
            outs,
            it.src,
        );
        let array = Array { extent, elem };
        let prefixes = match from {
            Direction::Left => Value::Array(array),
            Direction::Right => self.reversed(&array, it.src)?,
        };
        Ok(match sum {
            Some(sum) => Value::Product(vec![prefixes, sum]),
            None => prefixes,
        })
    }

    fn scanned(&mut self, it: &Use<'p>, from: Direction) -> Lowered<Elements> {
        let array = self.operand(it, 0);
        self.elements(&array.extent, it.src, |lower, index| {
            let at = match from {
                Direction::Left => index,
                Direction::Right => lower.mirrored(&array.extent, index, it.src),
            };
            Ok(lower.read_elem(&array, at, it.src))
        })
    }
}
