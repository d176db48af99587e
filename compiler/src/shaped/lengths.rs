//! Rows whose lengths are known to be those of rows that there are already.
//!
//! In: lengths, as an array or as they follow from the index of the body that makes the rows. Out: the
//! descriptor of other rows of these lengths, so that both share it, and what needs rows of the same
//! lengths is proven (paper 004 §3: arrays of one shape have one descriptor).
//! Assumes that what is known ends with the body in which it was found.

use super::facts::IndexFn;
use super::ir::{Atom, Extent};
use super::lower::Lower;
use super::outside::Outside;
use super::ragged::Descriptor;
use super::size::Size;
use super::value::{Array, Elem};
use crate::ids::Var;

/// A descriptor, and what the lengths of its rows are.
#[derive(Clone, Debug)]
pub(super) struct KnownLengths {
    lengths: Lengths,
    rows: Descriptor,
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
    pub(super) fn know_lengths(&mut self, lengths: Var, rows: Descriptor) {
        let lengths = Lengths::Of(lengths);
        self.known_lengths.push(KnownLengths { lengths, rows });
    }

    /// Records that the length of each of `count` rows follows from its number.
    pub(super) fn know_lengths_by(&mut self, length: IndexFn, count: &Extent, rows: Descriptor) {
        let lengths = Lengths::By(length, count.size.clone());
        self.known_lengths.push(KnownLengths { lengths, rows });
    }

    /// Records that these rows have the lengths `lengths`.
    pub(super) fn know_rows_of(&mut self, lengths: &Array, rows: &Descriptor) {
        let Some(var) = whole_variable(lengths) else {
            return;
        };
        self.know_lengths(var, rows.clone());
        if let Some(length) = self.facts.index_fn(var).cloned() {
            self.know_lengths_by(length, &lengths.extent, rows.clone());
        }
    }

    /// The descriptor of the rows whose lengths are the elements of `lengths`, if there is one.
    pub(super) fn rows_of_lengths(&self, lengths: &Array) -> Option<Descriptor> {
        let var = whole_variable(lengths)?;
        let known = self.known_lengths.iter().rev();
        let mut of = known.filter(|it| matches!(it.lengths, Lengths::Of(of) if of == var));
        of.next().map(|it| it.rows.clone()).or_else(|| {
            let function = self.facts.index_fn(var)?;
            let index = Size::symbol(function.index);
            self.rows_of_function(&function.elem, &index, &lengths.extent)
        })
    }

    /// The descriptor of rows from outside that are as many as the indices of the innermost open body,
    /// and of which the one at its index has just this length.
    pub(super) fn rows_of_length(
        &self,
        len: &Extent,
        (extent, index): (&Extent, Atom),
        outside: &Outside,
    ) -> Option<Descriptor> {
        let read = self.row_of_length(index, len).map(Descriptor::from);
        // An index space over some of the rows has offsets of its own.
        let read = read.filter(|rows| {
            self.facts.difference(&rows.bounds.size, &extent.size) == Some(1)
                && is_outside(rows, outside)
        });
        read.or_else(|| {
            let index = self.known_size(index)?;
            let made = self.rows_of_function(&len.size, &index, extent)?;
            is_outside(&made, outside).then_some(made)
        })
    }

    /// The descriptor of `count` rows whose lengths follow from `index`, their number, like this.
    fn rows_of_function(&self, len: &Size, index: &Size, count: &Extent) -> Option<Descriptor> {
        let known = self.known_lengths.iter().rev();
        let mut by = known.filter(|it| match &it.lengths {
            Lengths::By(function, rows) if self.facts.same(rows, &count.size) => {
                let own = function.elem.substitute(function.index, index);
                own.is_some_and(|own| self.facts.same(&own, len))
            }
            Lengths::By(..) | Lengths::Of(_) => false,
        });
        by.next().map(|it| it.rows.clone())
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
