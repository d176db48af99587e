//! Rows whose lengths are known to be those of rows that there are already.
//!
//! In: lengths, as an array or as they follow from the index of the body that makes the rows. Out: the
//! descriptor of other rows of these lengths, so that both share it, and what needs rows of the same
//! lengths is proven (paper 004 §3: arrays of one shape have one descriptor).
//! Assumes that what is known ends with the body in which it was found.

use super::facts::{IndexFn, Mark};
use super::ir::{Atom, Extent};
use super::lower::{Lower, Lowered};
use super::outside::Outside;
use super::ragged::Descriptor;
use super::size::Size;
use super::value::{Array, Elem, Rows, Value};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::source::SrcSpan;

/// Rows, and what their lengths are.
#[derive(Clone, Debug)]
pub(super) struct KnownLengths {
    lengths: Lengths,
    rows: KnownRows,
}

/// Rows of lengths that are known.
#[derive(Clone, Debug)]
pub(super) enum KnownRows {
    /// All of a descriptor.
    All(Descriptor),
    /// Those from its base on.
    From(Box<Rows>),
}

#[derive(Clone, Debug)]
enum Lengths {
    /// The elements of this array.
    Of(Var),
    /// What follows from the number of the row, of which there are so many.
    By(IndexFn, Size),
}

impl Lower<'_> {
    /// Records that the elements of `lengths` are the lengths of these rows.
    pub(super) fn know_lengths(&mut self, lengths: Var, rows: KnownRows) {
        let lengths = Lengths::Of(lengths);
        self.known_lengths.push(KnownLengths { lengths, rows });
    }

    /// Records that the length of each of `count` rows follows from its number.
    pub(super) fn know_lengths_by(&mut self, length: IndexFn, count: &Extent, rows: Descriptor) {
        let lengths = Lengths::By(length, count.size.clone());
        let rows = KnownRows::All(rows);
        self.known_lengths.push(KnownLengths { lengths, rows });
    }

    /// Records that these rows have the lengths `lengths`.
    pub(super) fn know_rows_of(&mut self, lengths: &Array, rows: &Descriptor) {
        let Some(var) = whole_variable(lengths) else {
            return;
        };
        self.know_lengths(var, KnownRows::All(rows.clone()));
        if let Some(length) = self.facts.index_fn(var).cloned() {
            self.know_lengths_by(length, &lengths.extent, rows.clone());
        }
    }

    /// The descriptor of the rows whose lengths are the elements of `lengths`, if there is one.
    pub(super) fn rows_of_lengths(
        &mut self,
        lengths: &Array,
        src: SrcSpan,
    ) -> Lowered<Option<Descriptor>> {
        let Some(var) = whole_variable(lengths) else {
            return Ok(None);
        };
        let known = self.known_lengths.iter().rev();
        let mut of = known.filter(|it| matches!(it.lengths, Lengths::Of(of) if of == var));
        match of.next().map(|it| it.rows.clone()) {
            Some(KnownRows::All(rows)) => Ok(Some(rows)),
            Some(KnownRows::From(rows)) => {
                let part = self.part_of_rows(&rows, &lengths.extent, src)?;
                self.know_lengths(var, KnownRows::All(part.clone()));
                Ok(Some(part))
            }
            None => Ok(self.facts.index_fn(var).and_then(|function| {
                let index = Size::symbol(function.index);
                let mark = self.facts.mark();
                self.rows_of_function(&function.elem, &index, &lengths.extent, [mark; 2])
            })),
        }
    }

    /// The descriptor of `count` of these rows, from their base on: their offsets, counted from the
    /// first. Nothing has to be checked, as for lengths of which nothing is known.
    pub(super) fn part_of_rows(
        &mut self,
        rows: &Rows,
        count: &Extent,
        src: SrcSpan,
    ) -> Lowered<Descriptor> {
        let (base, offsets) = (rows.base.expect("some of the rows"), rows.offsets);
        let total = self.all_of(rows, count, src).extent;
        let bounds = self.one_more(count, src);
        let first = self.element(offsets, base, src);
        let own = self.build(&bounds, src, |lower, row| {
            let at = lower.exact(ScalarOp::Add, base, row, src);
            let offset = lower.element(offsets, at, src);
            let own = lower.scalar(ScalarOp::Sub, &[offset, first], Scalar::I64, src);
            Ok(Value::Scalar(own))
        })?;
        let offsets = self.variable(&own);
        self.known_offsets
            .push((offsets, rows.clone(), total.size.clone()));
        Ok(Descriptor {
            bounds,
            offsets,
            total,
        })
    }

    /// The rows of which the one at the index of the innermost open body, counted from what is known
    /// outside of it, has just this length, as was known at `mark`; and how many the array has that
    /// begins there.
    pub(super) fn rows_from(
        &self,
        len: &Extent,
        index: Atom,
        outside: &Outside,
        mark: Mark,
    ) -> Option<(Rows, Size)> {
        let marks = [mark, outside.facts()];
        let (rows, count) = self.rows_of_part(len, &self.known_size(index)?, marks)?;
        let known = outside.knows(rows.base?) && is_outside(&Descriptor::from(&rows), outside);
        known.then_some((rows, count))
    }

    /// The rows that these offsets, counted from the first, are the places of some of, from the base on,
    /// and how many elements those have.
    pub(super) fn rows_of_offsets(&self, offsets: Var) -> Option<(&Rows, &Size)> {
        let mut known = self.known_offsets.iter().rev();
        let known = known.find(|it| it.0 == offsets);
        known.map(|(_, rows, total)| (rows, total))
    }

    /// The descriptor of rows from outside that are as many as the indices of the innermost open body,
    /// and of which the one at its index has just this length, as was known at `mark`.
    pub(super) fn rows_of_length(
        &self,
        len: &Extent,
        (extent, index): (&Extent, Atom),
        outside: &Outside,
        mark: Mark,
    ) -> Option<Descriptor> {
        let read = self.row_of_length(index, len, mark).map(Descriptor::from);
        // An index space over some of the rows has offsets of its own.
        // What a check in the body says of how many there are need not hold where there are none.
        let begun = outside.facts();
        let read = read.filter(|rows| {
            let more = (self.facts).difference_at(&rows.bounds.size, &extent.size, begun);
            more == Some(1) && is_outside(rows, outside)
        });
        read.or_else(|| {
            let index = self.known_size(index)?;
            let made = self.rows_of_function(&len.size, &index, extent, [mark, begun])?;
            is_outside(&made, outside).then_some(made)
        })
    }

    /// The descriptor of `count` rows whose lengths follow from `index`, their number, like this, as was known at
    /// `mark`; and that there are so many, as was known at `begun`.
    fn rows_of_function(
        &self,
        len: &Size,
        index: &Size,
        count: &Extent,
        [mark, begun]: [Mark; 2],
    ) -> Option<Descriptor> {
        let known = self.known_lengths.iter().rev();
        let mut by = known.filter(|it| match &it.lengths {
            Lengths::By(function, rows) if self.facts.same_at(rows, &count.size, begun) => {
                let own = function.elem.substitute(function.index, index);
                own.is_some_and(|own| self.facts.same_at(&own, len, mark))
            }
            Lengths::By(..) | Lengths::Of(_) => false,
        });
        by.next().and_then(|it| match &it.rows {
            KnownRows::All(rows) => Some(rows.clone()),
            KnownRows::From(_) => None,
        })
    }
}

impl Lower<'_> {
    /// The descriptor of `count` rows that all have this length, if there is one.
    pub(super) fn rows_of_width(&self, width: &Extent, count: &Extent) -> Option<Descriptor> {
        let mut known = self.known_lengths.iter().rev();
        let known = known.find_map(|it| match (&it.lengths, &it.rows) {
            (Lengths::By(function, rows), KnownRows::All(all)) => {
                let is_it = self.facts.same(rows, &count.size)
                    && !function.elem.mentions(function.index)
                    && self.facts.same(&function.elem, &width.size);
                is_it.then(|| all.clone())
            }
            (Lengths::By(..) | Lengths::Of(_), _) => None,
        });
        known.or_else(|| self.rows_found_even(width, count))
    }
}

/// The variable that an array of scalars is.
fn whole_variable(array: &Array) -> Option<Var> {
    match &array.elem {
        Elem::Leaf(leaf) if array.is_whole() => Some(leaf.var),
        Elem::Leaf(_) | Elem::Product(_) | Elem::Array(_) | Elem::Rows(_) => None,
    }
}

fn is_outside(rows: &Descriptor, outside: &Outside) -> bool {
    outside.has(rows.offsets) && outside.knows(rows.total.value)
}
