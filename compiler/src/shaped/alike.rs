//! Rows that must have one length, or the lengths of other rows: checked before the body that needs it.
//!
//! In: the statements of a body over all rows of an array. Out: the checks among them that say how long
//! each row is, written in front of the body, and what is known of the rows from then on: that they lie
//! as those of a matrix do, or where those of another array lie (paper 004 §3: a structure that is
//! implied is discovered, and arrays of one shape have one descriptor). The body is lowered again
//! afterwards, with that known.
//! Assumes that the body is the outermost one that is open, so that nothing is looked at twice.
//!
//! Note \[Lengths checked first\]. A program that fails says so of the first row that fails, and there of
//! the first thing that does. So the checks go in front of the body if all that may fail in it are such
//! checks: they are made for the first row of which one does not hold. Rows before that one lie where
//! they should if each of them has the length that it should, so the first offset that is not where it
//! should be is that row's end.
//!
//! Note \[Where there is a row\]. Nothing is known of the length of rows where there are none, also if
//! they were to be as long as something else: such rows, turned, are no columns. So a row still has a
//! length of its own, and is known to be as long as the other thing where both meet, which is where a
//! check would have said so. What is known of all rows is where they begin.

use super::ir::{Atom, Extent, Op, Stmt};
use super::lower::{Lower, Lowered};
use super::outside::Outside;
use super::plan::{Like, Plan};
use super::ragged::Descriptor;
use super::value::{Rows, Value, usize_const};
use crate::checks::{Check, CheckKind};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::source::SrcSpan;
use crate::typed::ir::Const;

/// A check that each row has the length of something else.
pub(super) struct Alike {
    check: Check,
    sides: [Side; 2],
}

/// What has a length.
enum Side {
    /// Each row.
    Rows(Descriptor),
    /// Something outside of the body.
    One(Extent),
}

/// What is known of all rows of an array since it was checked.
#[derive(Clone, Debug)]
pub(super) struct KnownAlike {
    rows: Descriptor,
    are: Are,
}

#[derive(Clone, Debug)]
enum Are {
    /// All of this length.
    Even(Extent),
    /// As long as these.
    Like(Descriptor),
}

impl Lower<'_> {
    /// The checks of the body over `extent` being written, `outside` of which this is, if they can go in
    /// front of it; else none.
    pub(super) fn alike(&self, (extent, index): (&Extent, Var), outside: &Outside) -> Vec<Alike> {
        if self.bodies.len() > 1 {
            return Vec::new();
        }
        let failing = self.written().iter().filter(|stmt| stmt.checks());
        let checks = failing.map(|stmt| self.alike_by(stmt, (extent, index), outside));
        checks.collect::<Option<_>>().unwrap_or_default()
    }

    fn alike_by(&self, stmt: &Stmt, body: (&Extent, Var), outside: &Outside) -> Option<Alike> {
        let Op::Check {
            ok: Atom::Var(ok),
            id,
            ..
        } = &stmt.op
        else {
            return None;
        };
        let mut check = self.checks[id.index()].clone();
        let CheckKind::Sizes { ahead, .. } = &mut check.kind else {
            return None;
        };
        *ahead = true;
        let (ScalarOp::Eq, args) = self.facts.condition(*ok)? else {
            return None;
        };
        let &[left, right] = args.as_slice() else {
            return None;
        };
        let sides = [
            self.side_of(left, body, outside)?,
            self.side_of(right, body, outside)?,
        ];
        let of_rows = sides.iter().any(|side| matches!(side, Side::Rows(_)));
        of_rows.then_some(Alike { check, sides })
    }

    fn side_of(
        &self,
        len: Atom,
        (extent, index): (&Extent, Var),
        outside: &Outside,
    ) -> Option<Side> {
        if let Some(row) = self.row_of_value(len) {
            let rows = Descriptor::from(&row.rows);
            let all = row.at == Atom::Var(index)
                && self.facts.difference(&rows.bounds.size, &extent.size) == Some(1);
            return (all && outside.has(rows.offsets)).then_some(Side::Rows(rows));
        }
        let (value, size) = (len, self.known_size(len)?);
        let len = Extent { value, size };
        self.is_outside(&len, outside).then_some(Side::One(len))
    }

    /// Writes the checks in front of the body over `extent`. See Note \[Lengths checked first\].
    pub(super) fn check_alike(
        &mut self,
        extent: &Extent,
        alike: Vec<Alike>,
        outside: &Outside,
        src: SrcSpan,
    ) -> Lowered<()> {
        let mut checks = Vec::with_capacity(alike.len());
        for Alike { check, sides } in alike {
            let [left, right] = sides.map(|side| match side {
                Side::Rows(rows) => Ok(Side::Rows(rows)),
                Side::One(len) => self.outer_extent(&len, outside, src).map(Side::One),
            });
            checks.push((check, [left?, right?]));
        }
        let sides: Vec<&[Side; 2]> = checks.iter().map(|(_, sides)| sides).collect();
        let row = self.first_unlike(extent, &sides, src)?;
        for (check, sides) in checks {
            let [left, right] = self.lengths_at(&sides, row, extent, src)?;
            let ok = self.test(ScalarOp::Eq, left, right, src);
            self.check_as(check, ok, vec![left, right]);
            self.know_alike(sides, extent);
        }
        Ok(())
    }

    /// The first row of which one of the pairs are not of one length; `extent`, if there is none.
    fn first_unlike(
        &mut self,
        extent: &Extent,
        pairs: &[&[Side; 2]],
        src: SrcSpan,
    ) -> Lowered<Atom> {
        let elements = self.elements(extent, src, |lower, row| {
            let next = lower.exact(ScalarOp::Add, row, usize_const(1), src);
            let pairs = pairs.iter().map(|pair| {
                let [left, right] = pair.each_ref().map(|side| lower.end_of(side, next, src));
                lower.test(ScalarOp::Eq, left, right, src)
            });
            let pairs: Vec<Atom> = pairs.collect();
            let (first, rest) = pairs.split_first().expect("at least one check");
            let alike = rest.iter().fold(*first, |all, it| {
                lower.test(ScalarOp::BitAnd, all, *it, src)
            });
            lower.branch(
                alike,
                &[],
                src,
                |_| Ok(Value::Scalar(extent.value)),
                |_| Ok(Value::Scalar(row)),
            )
        })?;
        let none = Const {
            ty: Scalar::Usize,
            bits: u64::MAX,
        };
        let first = self.reduce_elements(elements, ScalarOp::Min, none, src)?;
        Ok(first.atom())
    }

    /// Where row `next` begins if all before it are as they should be.
    fn end_of(&mut self, side: &Side, next: Atom, src: SrcSpan) -> Atom {
        match side {
            Side::Rows(rows) => {
                let end = self.element(rows.offsets, next, src);
                self.scalar(ScalarOp::Cast, &[end], Scalar::Usize, src)
            }
            Side::One(len) => self.scalar(ScalarOp::Mul, &[next, len.value], Scalar::Usize, src),
        }
    }

    /// The lengths of a pair at `row`; where that is no row, two that are equal.
    fn lengths_at(
        &mut self,
        pair: &[Side; 2],
        row: Atom,
        extent: &Extent,
        src: SrcSpan,
    ) -> Lowered<[Atom; 2]> {
        let one = pair.iter().find_map(|side| match side {
            Side::Rows(_) => None,
            Side::One(len) => Some(len.value),
        });
        let none = one.unwrap_or(usize_const(0));
        let is_row = self.test(ScalarOp::Lt, row, extent.value, src);
        let lengths = self.branch(
            is_row,
            &[],
            src,
            |lower| {
                let lengths = pair.iter().map(|side| match side {
                    Side::Rows(rows) => Value::Scalar(lower.row_length_at(rows.offsets, row, src)),
                    Side::One(len) => Value::Scalar(len.value),
                });
                Ok(Value::Product(lengths.collect()))
            },
            |_| Ok(Value::Product(vec![Value::Scalar(none); 2])),
        )?;
        Ok([0, 1].map(|side| lengths.field(side).atom()))
    }

    fn row_length_at(&mut self, offsets: Var, row: Atom, src: SrcSpan) -> Atom {
        let next = self.exact(ScalarOp::Add, row, usize_const(1), src);
        let [start, end] = [row, next].map(|at| self.element(offsets, at, src));
        let len = self.scalar(ScalarOp::Sub, &[end, start], Scalar::I64, src);
        self.scalar(ScalarOp::Cast, &[len], Scalar::Usize, src)
    }

    fn know_alike(&mut self, [left, right]: [Side; 2], count: &Extent) {
        let known = match (left, right) {
            (Side::Rows(like), Side::Rows(rows)) => {
                self.facts.equate(&like.total.size, &rows.total.size);
                let (like, rows) = (self.first_like(like), self.first_like(rows));
                let are = Are::Like(like.clone());
                (like.offsets != rows.offsets).then_some(KnownAlike { rows, are })
            }
            (Side::Rows(rows), Side::One(len)) | (Side::One(len), Side::Rows(rows)) => {
                if let Some(all) = count.size.mul(&len.size) {
                    self.facts.set_fitting(&all);
                    self.facts.equate(&all, &rows.total.size);
                }
                let are = Are::Even(len);
                Some(KnownAlike { rows, are })
            }
            (Side::One(_), Side::One(_)) => unreachable!("one side has rows"),
        };
        self.known_alike.extend(known);
    }

    /// `rows` by the descriptor of those that they are as long as.
    pub(super) fn shared(&self, rows: &Rows) -> Rows {
        let Descriptor {
            bounds, offsets, ..
        } = self.first_like(Descriptor::from(rows));
        Rows {
            bounds,
            offsets,
            ..rows.clone()
        }
    }

    fn known_even(&self) -> impl DoubleEndedIterator<Item = (&Descriptor, &Extent)> {
        self.known_alike.iter().filter_map(|it| match &it.are {
            Are::Even(len) => Some((&it.rows, len)),
            Are::Like(_) => None,
        })
    }

    /// The lengths that a row of these is known to have.
    fn known_widths(&self, offsets: Var) -> impl Iterator<Item = &Extent> {
        let of = move |rows: &Descriptor| self.first_like(rows.clone()).offsets == offsets;
        let known = self.known_even().filter(move |(rows, _)| of(rows));
        known.map(|(_, len)| len)
    }

    /// The length of a row of these, if they are known to have one.
    pub(super) fn known_width(&self, offsets: Var) -> Option<&Extent> {
        self.known_widths(offsets).next()
    }

    /// Whether rows that a body makes share the offsets of rows that lie at multiples of a length: they are
    /// one loop over all elements where both go by the offsets.
    pub(super) fn shares_alike(&self, plan: &Plan) -> bool {
        plan.levels.iter().any(|level| match &level.like {
            Some(Like::Rows(rows)) => self.known_width(rows.offsets).is_some(),
            Some(Like::From(_) | Like::Through(_) | Like::Even(_)) | None => false,
        })
    }

    /// The length that the row of this extent was found to have, as all others.
    pub(super) fn found_length(&self, row: &Extent) -> Option<&Extent> {
        self.known_width(self.row_of_value(row.value)?.rows.offsets)
    }

    /// Whether one of these is the length of a row that is known to be as long as the other.
    pub(super) fn are_alike(&self, left: &Extent, right: &Extent) -> bool {
        [(left, right), (right, left)].iter().any(|(row, other)| {
            let row = self.row_of_value(row.value).into_iter();
            let mut widths = row.flat_map(|it| self.known_widths(it.rows.offsets));
            widths.any(|width| self.facts.same(&width.size, &other.size))
        })
    }

    /// The rows that all that are as long as these go by.
    fn first_like(&self, mut rows: Descriptor) -> Descriptor {
        let like = |rows: &Descriptor| {
            let mut known = self.known_alike.iter();
            known.find_map(|it| match &it.are {
                Are::Like(like) if it.rows.offsets == rows.offsets => Some(like.clone()),
                Are::Like(_) | Are::Even(_) => None,
            })
        };
        while let Some(next) = like(&rows) {
            rows = next;
        }
        rows
    }

    /// The descriptor of `count` rows that were found to have this length each.
    pub(super) fn rows_found_even(&self, width: &Extent, count: &Extent) -> Option<Descriptor> {
        let mut known = self.known_even();
        let found = known.find(|(rows, len)| {
            self.facts.difference(&rows.bounds.size, &count.size) == Some(1)
                && self.facts.same(&len.size, &width.size)
        });
        found.map(|(rows, _)| rows.clone())
    }
}
