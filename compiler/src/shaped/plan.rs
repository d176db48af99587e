//! What an element is made of whose arrays have lengths of their own.
//!
//! In: the element of the body being written. Out: its regular parts, and per level of its other
//! arrays how many elements these have, and an array whose rows have the same lengths if there is one.
//! Assumes that arrays in the element are variables of the body.

use super::facts::{IndexFn, Mark, Summed};
use super::ir::{Atom, Extent, Stmt};
use super::lower::{Lower, Lowered};
use super::outside::Outside;
use super::par::{components, index_fn};
use super::ragged::Descriptor;
use super::size::Size;
use super::value::{Array, Elem, Rows, Value, const_extent};
use crate::ids::{SizeSym, Var};
use crate::source::SrcSpan;

/// An element with arrays of lengths of their own.
pub(super) struct Plan {
    /// The element.
    pub(super) elem: Value,
    pub(super) tree: Tree,
    pub(super) levels: Vec<Level>,
}

/// A level of arrays, for one index of the body.
pub(super) struct Level {
    /// How many elements all its arrays have, as `i64`, where no other rows have just these lengths.
    pub(super) count: Atom,
    /// Rows of just these lengths.
    pub(super) like: Option<Like>,
    /// How the count follows from the index, if it does.
    pub(super) function: Option<IndexFn>,
    /// No more than so many are all of them together, if no other rows have just these lengths and something
    /// says so.
    pub(super) most: Option<Size>,
}

/// Rows that lengths are those of.
pub(super) enum Like {
    Rows(Descriptor),
    /// As many as the indices, from a base on.
    From(Box<Rows>),
    Through(Through),
    /// All of one length.
    Even(Extent),
}

/// Rows that are divided into others, each as all of these.
#[derive(Clone)]
pub(super) struct Through {
    /// The level that the rows are.
    pub(super) outer: usize,
    /// The others, all there are.
    pub(super) inner: Rows,
    /// Which of the inner ones is the first in the row of the index.
    pub(super) begins: Atom,
    /// Which is the first in that of index 0, where the rows are of one length and among others.
    pub(super) first: Option<Size>,
}

pub(super) enum Tree {
    Scalar(Atom),
    Product(Vec<Tree>),
    /// An array of one shape for all indices.
    Dense(Array),
    /// One of its own: its level, and what its elements are.
    Rows(usize, Part),
}

/// What the elements of an array of a body are.
pub(super) enum Part {
    Leaf(Var),
    Product(Vec<Part>),
    Array(Extent, Box<Part>),
    Rows {
        /// Where they begin among those of the same index.
        offsets: Var,
        /// How many there are.
        count: Extent,
        level: usize,
        part: Box<Part>,
    },
}

impl Lower<'_> {
    /// How `elem`, the element of the innermost open body, is put together; nothing if all its arrays
    /// have one shape for all indices.
    pub(super) fn plan(
        &mut self,
        elem: &Value,
        (extent, index, symbol): (&Extent, Atom, SizeSym),
        outside: &Outside,
        src: SrcSpan,
    ) -> Lowered<Option<Plan>> {
        let mut plan = Planner {
            outside: self.with_movable(outside),
            extent: extent.clone(),
            index,
            symbol,
            levels: Vec::new(),
            src,
        };
        if plan.is_regular_value(self, elem) {
            return Ok(None);
        }
        let tree = plan.tree(self, elem)?;
        Ok(Some(Plan {
            elem: elem.clone(),
            tree,
            levels: plan.levels,
        }))
    }
}

impl Lower<'_> {
    /// What was known of sizes when the innermost open body made `row`, at least: it is written before
    /// what a check says that comes then.
    fn known_when_made(&self, row: &Array, outside: &Outside) -> Mark {
        let parts = components(&row.elem);
        let stmts = self.written();
        let mut makes = stmts.iter();
        let made = makes.position(|stmt| stmt.outs.iter().any(|out| parts.contains(out)));
        match made {
            Some(at) if !stmts[at + 1..].iter().any(Stmt::checks) => self.facts.mark(),
            Some(_) | None => outside.facts(),
        }
    }
}

struct Planner {
    outside: Outside,
    extent: Extent,
    index: Atom,
    symbol: SizeSym,
    levels: Vec<Level>,
    src: SrcSpan,
}

impl Planner {
    fn is_regular_value(&self, lower: &Lower<'_>, value: &Value) -> bool {
        match value {
            Value::Scalar(_) => true,
            Value::Product(parts) => parts.iter().all(|it| self.is_regular_value(lower, it)),
            Value::Array(array) => is_regular(lower, &self.outside, array),
        }
    }

    fn tree(&mut self, lower: &mut Lower<'_>, value: &Value) -> Lowered<Tree> {
        Ok(match value {
            Value::Scalar(atom) => Tree::Scalar(*atom),
            Value::Product(parts) => {
                let parts = parts.iter().map(|part| self.tree(lower, part));
                Tree::Product(parts.collect::<Lowered<_>>()?)
            }
            Value::Array(array) if is_regular(lower, &self.outside, array) => {
                Tree::Dense(array.clone())
            }
            Value::Array(array) => {
                let regular =
                    |lower: &Lower<'_>, array: &Array| is_regular(lower, &self.outside, array);
                let array = lower.in_rows(array, &regular, self.src)?;
                let level = self.level(lower, &array, None);
                Tree::Rows(level, self.part(lower, &array, level))
            }
        })
    }

    fn level(&mut self, lower: &mut Lower<'_>, row: &Array, through: Option<Through>) -> usize {
        let count = &row.extent;
        let at = (&self.extent, self.index);
        let mark = lower.known_when_made(row, &self.outside);
        let like = lower.rows_of_length(count, at, &self.outside, mark);
        let from = || {
            let (rows, all) = lower.rows_from(count, self.index, &self.outside, mark)?;
            let begun = self.outside.facts();
            let is_all = lower.facts.same_at(&all, &self.extent.size, begun);
            is_all.then_some(rows)
        };
        let like = like
            .map(Like::Rows)
            .or(through.map(Like::Through))
            .or_else(|| Some(Like::From(Box::new(from()?))))
            .or_else(|| {
                // Any other may be huge where the body fails before it makes the row.
                let known = lower.facts.normal(&count.size).as_known();
                let known = known.and_then(|n| u64::try_from(n).ok());
                let divides = || self.divides(lower, row).then(|| count.clone());
                // Not as the body has it, which may know by a check of its own.
                known.map(const_extent).or_else(divides).map(Like::Even)
            });
        let size = lower.facts.normal(&count.size);
        let function = index_fn(size, self.symbol, false);
        let (count, most) = match like {
            Some(_) => (count.value, None),
            None => {
                let most = self.most_in_all(lower, count.value);
                (lower.length_of_row(row, self.src), most)
            }
        };
        self.levels.push(Level {
            count,
            like,
            function,
            most,
        });
        self.levels.len() - 1
    }

    /// What all lengths are together, at most, in terms of what there is outside. What checks in the
    /// body say does not count, nor do sizes that they make equal: the lengths are summed before it fails.
    fn most_in_all(&self, lower: &Lower<'_>, len: Atom) -> Option<Size> {
        let (len, begun) = (lower.known_size(len)?, self.outside.facts());
        let facts = &lower.facts;
        let summed = |symbol| {
            let home = facts.home(symbol);
            if self.outside.knows(home) {
                return Some(Summed::Constant);
            }
            let row = lower.row_of_value(home)?;
            let own = row.at == self.index && self.outside.has(row.rows.offsets);
            own.then(|| Summed::Total(row.rows.flat.extent.size.clone()))
        };
        facts.most_in_all(&len, &self.extent.size, begun, &summed)
    }

    fn part(&mut self, lower: &mut Lower<'_>, array: &Array, level: usize) -> Part {
        self.part_of(lower, (&array.extent, Some(level)), &array.elem)
    }

    /// `outer` is how many of them there are, and the level that these are.
    fn part_of(
        &mut self,
        lower: &mut Lower<'_>,
        outer: (&Extent, Option<usize>),
        elem: &Elem,
    ) -> Part {
        match elem {
            Elem::Leaf(leaf) => Part::Leaf(leaf.var),
            Elem::Product(parts) => {
                let parts = parts.iter().map(|part| self.part_of(lower, outer, part));
                Part::Product(parts.collect())
            }
            Elem::Array(inner) => {
                let part = self.part_of(lower, (outer.0, None), &inner.elem);
                Part::Array(inner.extent.clone(), Box::new(part))
            }
            Elem::Rows(rows) => {
                let through = outer.1.and_then(|level| self.through(lower, level, rows));
                let level = self.level(lower, &rows.flat, through);
                Part::Rows {
                    offsets: rows.offsets,
                    count: outer.0.clone(),
                    level,
                    part: Box::new(self.part(lower, &rows.flat, level)),
                }
            }
        }
    }

    /// The rows of a level, divided as others are, if `rows` are just those of the index.
    fn through(&self, lower: &Lower<'_>, outer: usize, rows: &Rows) -> Option<Through> {
        let (from, total) = lower.rows_of_offsets(rows.offsets)?;
        let mark = lower.known_when_made(&rows.flat, &self.outside);
        let is_all = lower.facts.same_at(&rows.flat.extent.size, total, mark);
        let (begins, inner) = (
            from.base?,
            Rows {
                base: None,
                ..from.clone()
            },
        );
        let first = match self.levels[outer].like.as_ref()? {
            Like::Even(width) => self.first_of_even(lower, &inner, begins, width)?,
            like => {
                let (at, all) = self.begin_at(lower, like)?;
                if at != begins || !self.are_all(lower, &inner, &all) {
                    return None;
                }
                None
            }
        };
        let known = self.outside.has(inner.offsets) && self.outside.knows(inner.flat.extent.value);
        (is_all && known).then_some(Through {
            outer,
            inner,
            begins,
            first,
        })
    }

    /// Where the elements of the row of the index begin, of rows that are not of one length, among how many.
    fn begin_at(&self, lower: &Lower<'_>, rows: &Like) -> Option<(Atom, Size)> {
        match rows {
            Like::Rows(rows) => {
                let begins = lower.row_begins(rows.offsets, self.index)?;
                Some((begins, rows.total.size.clone()))
            }
            Like::Through(it) => {
                let begins = lower.part_begins(it.inner.offsets, it.begins)?;
                Some((begins, it.inner.flat.extent.size.clone()))
            }
            Like::From(rows) => {
                let begun = self.outside.facts();
                let begins = lower.row_begins_behind(rows, self.index, begun)?;
                Some((begins, rows.flat.extent.size.clone()))
            }
            Like::Even(_) => None,
        }
    }

    /// Whether these rows are so many, as is known outside of the body.
    fn are_all(&self, lower: &Lower<'_>, rows: &Rows, count: &Size) -> bool {
        let begun = self.outside.facts();
        lower.facts.difference_at(&rows.bounds.size, count, begun) == Some(1)
    }

    /// Nothing, unless the row of each index is so many of these rows, that of `self.index` from `place` on.
    /// Else which of them index 0 begins with, or no name for it where all indices have all rows.
    fn first_of_even(
        &self,
        lower: &Lower<'_>,
        rows: &Rows,
        place: Atom,
        each: &Extent,
    ) -> Option<Option<Size>> {
        let (place, index) = (lower.known_size(place)?, lower.known_size(self.index)?);
        let (all, begun) = (self.extent.size.mul(&each.size)?, self.outside.facts());
        if self.are_all(lower, rows, &all) {
            let is_it = lower.facts.same_at(&place, &index.mul(&each.size)?, begun);
            return is_it.then_some(None);
        }
        let spaces = (&index, &self.extent.size);
        let base = lower.base_of_even(rows.offsets, &place, spaces, &each.size, begun)?;
        let first = lower.known_size(base)?.mul(&each.size)?;
        self.outside.knows(base).then_some(Some(first))
    }

    /// Whether the elements of all rows like this one are rows from outside: then a descriptor of all of
    /// them is no larger than what there is, whatever fails in the body.
    fn divides(&self, lower: &Lower<'_>, row: &Array) -> bool {
        let rows = row.elem.rows_in().into_iter();
        let mut inner = rows.filter_map(|rows| lower.rows_of_offsets(rows.offsets));
        let divides = |from: &Rows| {
            let place = from.base?;
            self.first_of_even(lower, from, place, &row.extent)
        };
        lower.is_outside(&row.extent, &self.outside)
            && inner.any(|(from, _)| self.outside.has(from.offsets) && divides(from).is_some())
    }
}

/// Whether an array of a body has one shape for all its indices.
pub(super) fn is_regular(lower: &Lower<'_>, outside: &Outside, array: &Array) -> bool {
    let mut extents = Vec::new();
    array.extents(&mut extents);
    !array.elem.has_rows() && extents.iter().all(|it| lower.is_outside(it, outside))
}
