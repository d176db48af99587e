//! Which checks of a body over all rows say how long these are, or the rows of these.
//!
//! Each body that is closed notes the checks in it that rows it goes through have the length of something
//! outside of it; those that a body around it goes through are then all rows of all its rows. The outermost
//! body takes what was noted within it, and keeps it if nothing else may fail there.

use super::{Alike, Link, OfRows, Side};
use crate::checks::CheckKind;
use crate::ids::{CheckId, Var};
use crate::prims::ScalarOp;
use crate::shaped::ir::{Atom, Consumer, Extent, Op, Stmt};
use crate::shaped::lower::Lower;
use crate::shaped::outside::Outside;
use crate::shaped::ragged::Descriptor;
use crate::shaped::size::Size;

/// The checks of a body that may be for all rows, by their place in the table of checks.
pub(in crate::shaped) type Noted = Vec<(CheckId, Alike)>;

/// Some rows that a body goes through.
#[derive(Clone, Debug)]
pub(super) struct Run {
    among: Descriptor,
    /// The first.
    base: Atom,
    count: Extent,
}

/// A body that is about to be closed.
pub(in crate::shaped) struct Closing<'b> {
    pub(in crate::shaped) extent: &'b Extent,
    pub(in crate::shaped) index: Var,
    pub(in crate::shaped) outside: &'b Outside,
}

impl Lower<'_> {
    /// The checks of the body being written that can go in front of it, if it is the outermost one; else
    /// none. Those of another are noted.
    pub(in crate::shaped) fn alike(&mut self, body: &Closing<'_>) -> Vec<Alike> {
        let mut found = Noted::new();
        if self
            .alike_in(self.written(), false, body, &mut found)
            .is_none()
        {
            found.clear();
        }
        if self.bodies.len() > 1 {
            let ids: Vec<CheckId> = found.iter().map(|(id, _)| *id).collect();
            self.noted_alike.retain(|(id, _)| !ids.contains(id));
            self.noted_alike.extend(found);
            return Vec::new();
        }
        self.noted_alike.clear();
        let found = found.into_iter().map(|(_, alike)| alike);
        let found: Vec<Alike> = found.collect();
        let all = found.iter().all(|it| it.is_of_all(body.outside));
        if all { found } else { Vec::new() }
    }

    /// Forgets what is noted of all but the first checks, so many.
    pub(in crate::shaped) fn forget_noted(&mut self, checks: usize) {
        self.noted_alike.retain(|(id, _)| id.index() < checks);
    }

    /// What the statements that may fail say, if that is all of them, outer ones first: an operation with some
    /// in its body is the last. Those `within` bodies of the one that is closed have been noted.
    fn alike_in(
        &self,
        stmts: &[Stmt],
        within: bool,
        body: &Closing<'_>,
        found: &mut Noted,
    ) -> Option<()> {
        let mut failing = stmts.iter().filter(|stmt| stmt.checks()).peekable();
        while let Some(stmt) = failing.next() {
            match &stmt.op {
                Op::Par(par) if failing.peek().is_none() && !fails_itself(&par.consumer) => {
                    self.alike_in(&par.body.stmts, true, body, found)?;
                }
                Op::Check { id, .. } if within => {
                    let (_, noted) = self.noted_alike.iter().find(|(noted, _)| noted == id)?;
                    found.push((*id, self.widened(noted, body)?));
                }
                op => {
                    let of = found.last().map(|(_, it)| it.of.clone());
                    found.push(self.alike_by(op, of, body)?);
                }
            }
        }
        Some(())
    }

    /// What a check says of rows; `before` are those of the check before it.
    fn alike_by(
        &self,
        op: &Op,
        before: Option<OfRows>,
        body: &Closing<'_>,
    ) -> Option<(CheckId, Alike)> {
        let Op::Check {
            ok: Atom::Var(ok),
            id,
            ..
        } = op
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
        let sides = [self.side_of(left, body)?, self.side_of(right, body)?];
        let of = sides.iter().find_map(|side| match side {
            Side::Rows(of) => Some(OfRows::clone(of)),
            Side::One(_) => None,
        });
        let of = of.or(before)?;
        Some((*id, Alike { check, sides, of }))
    }

    fn side_of(&self, len: Atom, body: &Closing<'_>) -> Option<Side> {
        if let Some(row) = self.row_of_value(len) {
            let rows = Descriptor::from(&row.rows);
            let run = self.part_gone_through(&rows, row.at, body)?;
            let links = Vec::new();
            return Some(Side::Rows(Box::new(OfRows { rows, run, links })));
        }
        let (value, size) = (len, self.known_size(len)?);
        self.one_outside(&Extent { value, size }, body)
    }

    fn one_outside(&self, len: &Extent, body: &Closing<'_>) -> Option<Side> {
        let outside = self.is_outside(len, body.outside);
        outside.then(|| Side::One(len.clone()))
    }

    /// Which of `rows` the body goes through, of which its own is `at`; nothing if all of them.
    fn part_gone_through(
        &self,
        rows: &Descriptor,
        at: Atom,
        body: &Closing<'_>,
    ) -> Option<Option<Run>> {
        let size = &body.extent.size;
        if at == Atom::Var(body.index) && self.are_all(rows, size) {
            return Some(None);
        }
        let index = self.known_size(Atom::Var(body.index))?;
        let base = self.base_of_part(rows.offsets, at, &index, body.outside.facts())?;
        let (among, count) = (rows.clone(), body.extent.clone());
        Some(Some(Run { among, base, count }))
    }

    /// Whether there are so many rows, as is known outside of all bodies: what one of the checks says may not
    /// hold where they are made.
    fn are_all(&self, rows: &Descriptor, count: &Size) -> bool {
        let begun = self.bodies.first().map(Outside::facts);
        let size = &rows.bounds.size;
        begun.is_some_and(|begun| self.facts.difference_at(size, count, begun) == Some(1))
    }

    /// A check of a body within, as one of the body that is closed.
    fn widened(&self, it: &Alike, body: &Closing<'_>) -> Option<Alike> {
        let side = |side: &Side| match side {
            Side::One(len) => self.one_outside(len, body),
            Side::Rows(of) => self
                .widened_rows(of, body)
                .map(|of| Side::Rows(Box::new(of))),
        };
        let [left, right] = &it.sides;
        Some(Alike {
            check: it.check.clone(),
            sides: [side(left)?, side(right)?],
            of: self.widened_rows(&it.of, body)?,
        })
    }

    fn widened_rows(&self, of: &OfRows, body: &Closing<'_>) -> Option<OfRows> {
        let (link, run) = self.around(of.run.as_ref()?, body)?;
        let (rows, mut links) = (of.rows.clone(), of.links.clone());
        links.push(link);
        Some(OfRows { rows, run, links })
    }

    /// What the rows of a run are of, and which of that the body goes through.
    fn around(&self, run: &Run, body: &Closing<'_>) -> Option<(Link, Option<Run>)> {
        let Run { among, base, count } = run;
        if let Some(row) = self.row_that_begins(*base, &count.size) {
            let rows = Descriptor::from(&row.rows);
            let run = self.part_gone_through(&rows, row.at, body)?;
            let all = self.are_all(among, &rows.total.size);
            return all.then_some((Link::Rows(rows), run));
        }
        let index = self.known_size(Atom::Var(body.index))?;
        let begins = self.known_size(*base)?;
        let begun = body.outside.facts();
        let even = (self.facts).same_at(&begins, &index.mul(&count.size)?, begun)
            && self.are_all(among, &body.extent.size.mul(&count.size)?)
            && self.is_outside(count, body.outside);
        even.then(|| (Link::Even(count.clone()), None))
    }
}

/// Whether an operation may fail besides its body.
fn fails_itself(consumer: &Consumer) -> bool {
    match consumer {
        Consumer::Build | Consumer::Rows { .. } | Consumer::Sort(_) => false,
        Consumer::Reduce { combine, .. } | Consumer::Scan { combine, .. } => {
            combine.body.stmts.iter().any(Stmt::checks)
        }
        Consumer::Fold { step, .. } => step.stmts.iter().any(Stmt::checks),
        Consumer::Scatter { .. } => true,
    }
}

impl Alike {
    /// Whether all rows that there are go by it, and stand outside.
    fn is_of_all(&self, outside: &Outside) -> bool {
        let all = |of: &OfRows| {
            let links = of.links.iter().all(|link| match link {
                Link::Rows(rows) => outside.has(rows.offsets),
                Link::Even(_) => true,
            });
            links && of.run.is_none() && outside.has(of.rows.offsets)
        };
        let sides = self.sides.iter().all(|side| match side {
            Side::Rows(of) => all(of),
            Side::One(_) => true,
        });
        sides && all(&self.of)
    }
}
