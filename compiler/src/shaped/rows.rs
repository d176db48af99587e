//! Arrays whose elements are arrays of lengths of their own: reading their rows.
//!
//! Rows lie one after another in one array, and a descriptor, the *offsets*, says where each begins
//! (thesis §4.2, paper 003 §3). So a row is part of an array: two reads, and nothing is copied.

use super::facts::Mark;
use super::ir::{Atom, Extent, Op};
use super::lower::Lower;
use super::size::Size;
use super::value::{Array, Elem, Leaf, Rows, usize_const};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::source::SrcSpan;

/// A row whose place is known in the body being written.
#[derive(Clone, Debug)]
pub(super) struct KnownRow {
    /// The array that it is a row of, by its offsets.
    pub(super) rows: Rows,
    /// Which row.
    pub(super) at: Atom,
    start: Atom,
    len: Var,
}

/// A row of an array that begins in the midst of others.
#[derive(Clone, Debug)]
pub(super) struct KnownBase {
    /// The rows that it is among.
    offsets: Var,
    /// Which of them.
    at: Atom,
    /// Which is the first of the array.
    base: Atom,
    /// How many the array has.
    count: Size,
    /// How many there are, if nothing says that those of the array are among them before a check does.
    among: Option<Size>,
}

/// Some rows, one after another, whose elements have been looked up in open bodies.
#[derive(Clone, Debug)]
pub(super) struct KnownPart {
    /// The rows that they are among.
    offsets: Var,
    first: Atom,
    count: Size,
    /// Where they begin, and how many elements they have.
    start: Atom,
    extent: Extent,
}

impl Lower<'_> {
    /// The components of an array of `extent` at `index`, which is in range.
    pub(super) fn elem_at(
        &mut self,
        elem: &Elem,
        extent: &Extent,
        index: Atom,
        src: SrcSpan,
    ) -> Elem {
        match elem {
            Elem::Leaf(leaf) => {
                let mut prefix = leaf.prefix.clone();
                prefix.push(self.counted_from(leaf.base, index, src));
                Elem::Leaf(Leaf {
                    var: leaf.var,
                    prefix,
                    base: None,
                })
            }
            Elem::Product(parts) => {
                let parts = parts.iter();
                let parts = parts.map(|part| self.elem_at(part, extent, index, src));
                Elem::Product(parts.collect())
            }
            Elem::Array(array) => Elem::Array(Box::new(Array {
                extent: array.extent.clone(),
                elem: self.elem_at(&array.elem, extent, index, src),
            })),
            Elem::Rows(rows) => {
                let rows = self.shared(rows);
                // Those of one array among arrays of one length begin in the midst of others, too. Where
                // is computed from an index, which may be out of range.
                let (base, among) = match rows.at {
                    None => (rows.base, None),
                    Some(outer) => {
                        let base = self.exact(ScalarOp::Mul, outer, extent.value, src);
                        let all = rows.bounds.size.sub(&Size::known(1));
                        (Some(base), Some(all.unwrap_or_default()))
                    }
                };
                let at = self.counted_from(base, index, src);
                if let Some(base) = base {
                    self.known_bases.push(KnownBase {
                        offsets: rows.offsets,
                        at,
                        base,
                        count: extent.size.clone(),
                        among,
                    });
                }
                Elem::Rows(Box::new(Rows {
                    at: Some(at),
                    base: None,
                    ..rows
                }))
            }
        }
    }

    fn counted_from(&mut self, base: Option<Atom>, index: Atom, src: SrcSpan) -> Atom {
        match base {
            None => index,
            Some(base) => self.exact(ScalarOp::Add, base, index, src),
        }
    }

    /// The row that `rows` is settled at.
    pub(super) fn settled_row(&mut self, rows: &Rows, src: SrcSpan) -> Array {
        let at = rows.at.expect("typed: a row has an index");
        let (start, len) = self.place_of_row(rows, at, src);
        Array {
            extent: self.extent_of(Atom::Var(len)),
            elem: rows.flat.elem.based(start),
        }
    }

    /// The elements of `count` rows, one after another: part of what `rows` divides.
    pub(super) fn all_of(&mut self, rows: &Rows, count: &Extent, src: SrcSpan) -> Array {
        let Some(first) = self.first_row(rows, count, src) else {
            return rows.flat.clone();
        };
        let known = self.known_parts.iter();
        let same = |it: &&KnownPart| {
            it.offsets == rows.offsets
                && it.first == first
                && self.facts.same(&it.count, &count.size)
        };
        if let Some(known) = known.rev().find(same) {
            return Array {
                extent: known.extent.clone(),
                elem: rows.flat.elem.based(known.start),
            };
        }
        let start = self.offset(rows, first, src);
        let last = self.exact(ScalarOp::Add, first, count.value, src);
        let end = self.offset(rows, last, src);
        let value = self.scalar(ScalarOp::Sub, &[end, start], Scalar::Usize, src);
        if let Atom::Var(len) = value {
            let most = rows.flat.extent.size.clone();
            self.facts.new_ranged(len, Size::known(0), most);
        }
        let extent = self.extent_of(value);
        self.known_parts.push(KnownPart {
            offsets: rows.offsets,
            first,
            count: count.size.clone(),
            start,
            extent: extent.clone(),
        });
        let elem = rows.flat.elem.based(start);
        Array { extent, elem }
    }

    /// Where row `at` begins, and its length.
    fn place_of_row(&mut self, rows: &Rows, at: Atom, src: SrcSpan) -> (Atom, Var) {
        let known = self.known_rows.iter();
        let same = |it: &&KnownRow| it.rows.offsets == rows.offsets && self.same_row(it.at, at);
        if let Some(known) = known.rev().find(same) {
            return (known.start, known.len);
        }
        let start = self.offset(rows, at, src);
        let next = self.exact(ScalarOp::Add, at, usize_const(1), src);
        let end = self.offset(rows, next, src);
        let len = self.scalar_var(Scalar::Usize, src);
        self.push(vec![len], Op::Scalar(ScalarOp::Sub, vec![end, start]), src);
        let most = self.known_width(rows.offsets).unwrap_or(&rows.flat.extent);
        let most = most.size.clone();
        self.facts.new_ranged(len, Size::known(0), most);
        let offsets = rows.offsets;
        let rows = Rows {
            at: None,
            ..rows.clone()
        };
        self.known_rows.push(KnownRow {
            rows,
            at,
            start,
            len,
        });
        self.know_row(offsets);
        (start, len)
    }

    /// Whether two places of rows are one, by what is known here.
    fn same_row(&self, at: Atom, other: Atom) -> bool {
        let sizes = || Some((self.known_size(at)?, self.known_size(other)?));
        at == other || sizes().is_some_and(|(at, other)| self.facts.same(&at, &other))
    }

    /// Where row `at` begins.
    fn offset(&mut self, rows: &Rows, at: Atom, src: SrcSpan) -> Atom {
        if let Some(width) = self.known_width(rows.offsets)
            && !self.by_offsets
        {
            let width = width.value;
            return self.exact(ScalarOp::Mul, at, width, src);
        }
        let read = self.scalar_var(Scalar::I64, src);
        let (array, index) = (rows.offsets, vec![at]);
        self.push(vec![read], Op::Read { array, index }, src);
        let offset = self.scalar_var(Scalar::Usize, src);
        let cast = Op::Scalar(ScalarOp::Cast, vec![Atom::Var(read)]);
        self.push(vec![offset], cast, src);
        let most = rows.flat.extent.size.clone();
        self.facts.new_ranged(offset, Size::known(0), most);
        Atom::Var(offset)
    }

    /// Rows of an array that begins in the midst of others, of which the one at `index` has just this
    /// length, as was known at `mark`; and how many that array has. (That an index such as `k + i` is in
    /// range says nothing of `k` where there is no `i`.) They are there, whatever is checked since `begun`.
    pub(super) fn rows_of_part(
        &self,
        len: &Extent,
        index: &Size,
        [mark, begun]: [Mark; 2],
    ) -> Option<(Rows, Size)> {
        let known = self.known_rows.iter().rev();
        let row = known.filter(|it| self.has_length(it, len, mark));
        let of = |row: &KnownRow| {
            let bases = self.known_bases.iter().rev();
            let mut bases = bases.filter(|it| it.offsets == row.rows.offsets && it.at == row.at);
            bases.find_map(|it| {
                let at = self.known_size(it.base)?.add(index)?;
                let is_it = self.facts.same(&at, &self.known_size(it.at)?);
                (is_it && self.is_there(it, begun)).then_some(it)
            })
        };
        let mut row = row.filter_map(|row| Some((of(row)?, &row.rows)));
        let (base, rows) = row.next()?;
        let (base, count) = (Some(base.base), base.count.clone());
        let rows = rows.clone();
        Some((Rows { base, ..rows }, count))
    }

    /// Where an array of rows begins among others, of which the one at `index` is `at`, as was known at `mark`.
    pub(super) fn base_of_part(
        &self,
        offsets: Var,
        at: Atom,
        index: &Size,
        mark: Mark,
    ) -> Option<Atom> {
        let is_it = |it: &KnownBase| {
            let behind = self.known_size(it.base)?.add(index)?;
            let same = self.facts.same_at(&behind, &self.known_size(at)?, mark);
            (it.offsets == offsets && it.at == at && same).then_some(it.base)
        };
        self.known_bases.iter().rev().find_map(is_it)
    }

    /// The row that begins there and has this length, if it has been looked up.
    pub(super) fn row_that_begins(&self, start: Atom, len: &Size) -> Option<&KnownRow> {
        let mut known = self.known_rows.iter().rev();
        known.find(|it| {
            let own = self.facts.recorded(it.len);
            it.start == start && own.is_some_and(|own| self.facts.same(&own, len))
        })
    }

    /// Whether the rows of an array are among those that there are, as was known at `mark`.
    fn is_there(&self, it: &KnownBase, mark: Mark) -> bool {
        let in_range = |all: &Size| {
            let end = self.known_size(it.base)?.add(&it.count)?;
            Some(self.facts.in_range_at(all, &end, mark))
        };
        let all = it.among.as_ref();
        all.is_none_or(|all| in_range(all) == Some(true))
    }

    /// Where row `at` of `count` begins, from where the first does.
    pub(super) fn row_behind_first(
        &mut self,
        rows: &Rows,
        count: &Extent,
        at: Atom,
        src: SrcSpan,
    ) -> Atom {
        let Some(first) = self.first_row(rows, count, src) else {
            return self.offset(rows, at, src);
        };
        let start = self.offset(rows, first, src);
        let at = self.exact(ScalarOp::Add, first, at, src);
        let begins = self.offset(rows, at, src);
        self.scalar(ScalarOp::Sub, &[begins, start], Scalar::Usize, src)
    }

    /// The first of `count` rows, unless that is the first of all.
    fn first_row(&mut self, rows: &Rows, count: &Extent, src: SrcSpan) -> Option<Atom> {
        match (rows.at, rows.base) {
            (None, None) => None,
            (Some(at), _) => Some(self.exact(ScalarOp::Mul, at, count.value, src)),
            (None, Some(base)) => Some(base),
        }
    }

    /// Where row `at` of these begins, if it has been looked up.
    pub(super) fn row_begins(&self, offsets: Var, at: Atom) -> Option<Atom> {
        let mut known = self.known_rows.iter().rev();
        let row = known.find(|it| it.rows.offsets == offsets && it.at == at);
        row.map(|it| it.start)
    }

    /// Where the rows of these from `first` on begin, if they have been looked up together.
    pub(super) fn part_begins(&self, offsets: Var, first: Atom) -> Option<Atom> {
        let mut known = self.known_parts.iter().rev();
        let part = known.find(|it| it.offsets == offsets && it.first == first);
        part.map(|it| it.start)
    }

    /// Where the row that is `index` behind the base of these begins, if it has been looked up, as was known at
    /// `mark`.
    pub(super) fn row_begins_behind(&self, rows: &Rows, index: Atom, mark: Mark) -> Option<Atom> {
        let place = self.known_size(rows.base?)?.add(&self.known_size(index)?)?;
        let is_it = |at| {
            let at = self.known_size(at);
            at.is_some_and(|at| self.facts.same_at(&at, &place, mark))
        };
        let mut known = self.known_rows.iter().rev();
        let row = known.find(|it| it.rows.offsets == rows.offsets && is_it(it.at));
        row.map(|it| it.start)
    }

    /// Which of an array of arrays of `each` of these rows is the first of `count`, of which the one at
    /// `index` begins at row `place`, as was known at `mark`.
    pub(super) fn base_of_even(
        &self,
        offsets: Var,
        place: &Size,
        (index, count): (&Size, &Size),
        each: &Size,
        mark: Mark,
    ) -> Option<Atom> {
        let is_it = |it: &KnownBase| {
            let at = self.known_size(it.at)?;
            let behind = self.known_size(it.base)?.add(index)?;
            let same = self.facts.same_at(&at.mul(each)?, place, mark)
                && self.facts.same_at(&behind, &at, mark)
                && self.facts.same_at(&it.count, count, mark)
                && self.is_there(it, mark);
            same.then_some(it.base)
        };
        let known = self.known_bases.iter().rev();
        let mut known = known.filter(|it| it.offsets == offsets);
        known.find_map(is_it)
    }

    fn has_length(&self, row: &KnownRow, len: &Extent, mark: Mark) -> bool {
        let size = self.facts.recorded(row.len);
        size.is_some_and(|size| self.facts.same_at(&size, &len.size, mark))
    }

    /// The row whose length is in this variable, which it has for itself.
    pub(super) fn row_of_value(&self, len: Atom) -> Option<&KnownRow> {
        let mut known = self.known_rows.iter();
        known.find(|it| Atom::Var(it.len) == len)
    }

    /// The array of which row `at` has just this length, if it is known.
    pub(super) fn row_of_length(&self, at: Atom, len: &Extent, mark: Mark) -> Option<&Rows> {
        let known = self.known_rows.iter().rev();
        let mut known = known.filter(|it| it.at == at);
        known
            .find(|it| self.has_length(it, len, mark))
            .map(|it| &it.rows)
    }
}
