//! Writes the checks in front of a body: see Note \[Lengths checked first\].

use super::{Alike, Link, OfRows, Side};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::{Atom, Extent};
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::outside::Outside;
use crate::shaped::value::{Value, usize_const};
use crate::source::SrcSpan;
use crate::typed::ir::Const;

/// How far the rows of a body, or of a body within, are looked at.
struct Reached {
    /// So many rows.
    rows: Extent,
    /// And whether there may be more, since a body around ends before.
    ends: bool,
}

impl Lower<'_> {
    /// Writes the checks, outer ones first, in front of the body over `extent`.
    pub(in crate::shaped) fn check_alike(
        &mut self,
        extent: &Extent,
        alike: Vec<Alike>,
        outside: &Outside,
        src: SrcSpan,
    ) -> Lowered<()> {
        let alike = alike
            .into_iter()
            .map(|it| self.read_outside(it, outside, src));
        let alike = alike.collect::<Lowered<Vec<_>>>()?;
        let links = alike.last().map(|it| it.of.links.clone());
        let links = links.unwrap_or_default().into_iter().rev();
        let (rows, ends) = (extent.clone(), false);
        let mut reached = Reached { rows, ends };
        let mut firsts = Vec::new();
        for (level, link) in links.map(Some).chain([None]).enumerate() {
            let here = |it: &&Alike| it.of.links.len() == level;
            let pairs: Vec<&[Side; 2]> = alike.iter().filter(here).map(|it| &it.sides).collect();
            if !pairs.is_empty() {
                let first = self.first_unlike(&reached.rows, &pairs, src)?;
                firsts.push((level, first, reached.rows.clone()));
                reached = self.up_to(first, reached, src);
            }
            if let Some(link) = link {
                reached = self.within_rows(&link, reached, src);
            }
        }
        for (level, first, rows) in firsts.iter().rev() {
            for it in alike.iter().filter(|it| it.of.links.len() == *level) {
                let [left, right] = self.lengths_at(&it.sides, *first, rows, src)?;
                let ok = self.test(ScalarOp::Eq, left, right, src);
                self.check_as(it.check.clone(), ok, vec![left, right]);
            }
        }
        for it in alike {
            self.know_alike(it);
        }
        Ok(())
    }

    /// The check with all that it reads known outside of the body.
    fn read_outside(&mut self, it: Alike, outside: &Outside, src: SrcSpan) -> Lowered<Alike> {
        let Alike { check, sides, of } = it;
        let [left, right] = sides.map(|side| match side {
            Side::One(len) => self.outer_extent(&len, outside, src).map(Side::One),
            Side::Rows(of) => Ok(Side::Rows(of)),
        });
        let sides = [left?, right?];
        let of = self.rows_read_outside(of, outside, src)?;
        Ok(Alike { check, sides, of })
    }

    fn rows_read_outside(
        &mut self,
        mut of: OfRows,
        outside: &Outside,
        src: SrcSpan,
    ) -> Lowered<OfRows> {
        for link in &mut of.links {
            if let Link::Even(count) = link {
                *count = self.outer_extent(count, outside, src)?;
            }
        }
        Ok(of)
    }

    /// What is looked at within, if a check fails at row `first` or, at `reached.rows`, none does.
    fn up_to(&mut self, first: Atom, reached: Reached, src: SrcSpan) -> Reached {
        let most = reached.rows;
        let value = self.scalar(ScalarOp::Min, &[first, most.value], Scalar::Usize, src);
        let rows = self.at_most(value, &most.size);
        Reached { rows, ends: true }
    }

    /// The rows of the rows that are reached.
    fn within_rows(&mut self, link: &Link, reached: Reached, src: SrcSpan) -> Reached {
        let Reached { rows, ends } = reached;
        let rows = match link {
            Link::Rows(of) if !ends => of.total.clone(),
            Link::Rows(of) => {
                let end = self.element(of.offsets, rows.value, src);
                let end = self.scalar(ScalarOp::Cast, &[end], Scalar::Usize, src);
                self.at_most(end, &of.total.size)
            }
            Link::Even(count) => {
                let all = self.exact(ScalarOp::Mul, rows.value, count.value, src);
                self.extent_of(all)
            }
        };
        Reached { rows, ends }
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
            Side::Rows(of) => {
                let end = self.element(of.rows.offsets, next, src);
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
                    Side::Rows(of) => Value::Scalar(lower.row_length_at(of.rows.offsets, row, src)),
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
}
