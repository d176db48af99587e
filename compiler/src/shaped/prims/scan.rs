//! Scans. One from the right runs over the reversed indices with swapped operands, and its result
//! is reversed.

use super::Use;
use super::whole::{Operands, Way};
use crate::shaped::ir::{Atom, Combine, Consumer};
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::par::Elements;
use crate::shaped::value::{Array, Value, holds_array};
use crate::source::SrcSpan;

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
    /// The same of a step: the inclusive prefixes and the total.
    GoesOn,
}

impl<'p> Lower<'p> {
    /// A scan that starts at the `from` end.
    pub(super) fn scan(&mut self, it: &Use<'p>, scan: Scan, from: Direction) -> Lowered<Value> {
        let scan = match (scan, it.args.len()) {
            (Scan::WithTotal, 3) => Scan::GoesOn,
            _written => scan,
        };
        let xs = self.operands(it, from)?;
        let init = (scan != Scan::Inclusive).then(|| &it.args[1]);
        match self.way(it, &xs, init)? {
            Way::Scalars => self.scan_scalars(it, &xs, scan, init),
            Way::Columns(ops) => self.scan_columns(it, &xs, scan, &ops),
            Way::OneByOne => self.scan_one_by_one(it, &xs, scan, init),
        }
    }

    fn scan_scalars(
        &mut self,
        it: &Use<'p>,
        xs: &Operands,
        scan: Scan,
        init: Option<&Value>,
    ) -> Lowered<Value> {
        let (shape, extent) = (&xs.array.elem, xs.array.extent.clone());
        let lowered = self.with_operator(|lower| {
            let elements = lower.scalar_elements(xs, it.src)?;
            let init = init.map(|init| lower.scalars_in(init, it.src));
            let combine = lower.combine(it.fns[0], xs, &elements, it.src)?;
            Ok(((elements, init), combine))
        })?;
        let Some(((elements, start), combine)) = lowered else {
            return self.scan_one_by_one(it, xs, scan, init);
        };
        let scanned = self.scan_by(elements, start, combine, scan, it.src);
        let prefixes = match scan {
            Scan::WithTotal | Scan::GoesOn => self.as_array(&scanned.field(0)),
            Scan::Inclusive | Scan::Exclusive => self.as_array(&scanned),
        };
        let prefixes = if xs.from == Direction::Left && !holds_array(shape) {
            Value::Array(prefixes)
        } else {
            self.build(&extent, it.src, |lower, index| {
                let at = lower.position_of(xs, index, it.src);
                let prefix = lower.read_elem(&prefixes, at, it.src);
                let scalars = lower.scalars_in(&prefix, it.src);
                lower.gathered(shape, &mut scalars.into_iter(), it.src)
            })?
        };
        if matches!(scan, Scan::Inclusive | Scan::Exclusive) {
            return Ok(prefixes);
        }
        let total = self.scalars_in(&scanned.field(1), it.src);
        let total = self.gathered(shape, &mut total.into_iter(), it.src)?;
        Ok(Value::Product(vec![prefixes, total]))
    }

    /// The prefixes of `elements`, and their total if that is wanted.
    pub(super) fn scan_by(
        &mut self,
        elements: Elements,
        init: Option<Vec<Atom>>,
        combine: Combine,
        scan: Scan,
        src: SrcSpan,
    ) -> Value {
        let total = matches!(scan, Scan::WithTotal | Scan::GoesOn);
        let exclusive = init.is_some() && scan != Scan::GoesOn;
        let extent = elements.extent.clone();
        let mut outs = self.flat_arrays(&elements.types, &extent, src);
        let none = &mut std::iter::empty();
        let elem = elements.elem.elem_with(&mut outs.iter().copied(), none);
        let sum = total.then(|| {
            let types = elements.types.iter();
            let totals: Vec<_> = types.map(|ty| self.scalar_var(*ty, src)).collect();
            outs.extend(&totals);
            elements.elem.with_vars(&totals)
        });
        let consumer = Consumer::Scan {
            init,
            combine,
            exclusive,
            total,
        };
        self.consume(elements, consumer, outs, src);
        let prefixes = Value::Array(Array { extent, elem });
        match sum {
            Some(sum) => Value::Product(vec![prefixes, sum]),
            None => prefixes,
        }
    }
}
