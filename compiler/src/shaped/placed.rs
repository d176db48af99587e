//! Where the arrays of a plan's levels lie that are divided as other rows are.
//!
//! In: a level of a plan whose arrays, index by index, are rows of an array from outside of the body, or all
//! rows within one of its rows. Out: the level's descriptor, and what the body reads of that array's offsets
//! in terms of it. Such a level needs no first pass over the body (see Note \[Lengths first\]).

use super::ir::{Atom, Extent, Op, Stmt};
use super::lower::{Lower, Lowered};
use super::plan::Through;
use super::ragged::Descriptor;
use super::value::{Rows, Value};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::source::SrcSpan;

/// A level of a plan, where it lies.
pub(super) struct Placed {
    pub(super) rows: Descriptor,
    /// Where the elements of all its rows begin among those of the rows that they are part of.
    first: Option<Atom>,
    /// All rows that the elements are, if each of its own is as all of these.
    pub(super) inner: Option<Descriptor>,
}

impl From<Descriptor> for Placed {
    fn from(rows: Descriptor) -> Self {
        let (first, inner) = (None, None);
        Placed { rows, first, inner }
    }
}

impl Lower<'_> {
    /// The level of `count` rows from a base on.
    pub(super) fn some_of(&mut self, rows: &Rows, count: &Extent, src: SrcSpan) -> Lowered<Placed> {
        let part = self.part_of_rows(rows, count, src)?;
        let base = rows.base.expect("some of the rows");
        let first = self.part_begins(rows.offsets, base);
        Ok(Placed {
            first: Some(first.expect("looked up for the part")),
            ..part.into()
        })
    }

    /// The level of rows that are all inner ones of a row of `outer`, one after another; the body finds
    /// there where its own begin, so that it is known to go with them.
    pub(super) fn through(
        &mut self,
        it: &Through,
        outer: &Placed,
        index: Var,
        stmts: &mut Vec<Stmt>,
        src: SrcSpan,
    ) -> Lowered<Placed> {
        let first = match &it.first {
            Some(first) => Some(self.compute_size(first, src)),
            None => outer.first,
        };
        let inner = match first {
            None => Descriptor::from(&it.inner).into(),
            Some(first) => {
                let inner = Rows {
                    base: Some(first),
                    ..it.inner.clone()
                };
                self.some_of(&inner, &outer.rows.total, src)?
            }
        };
        let before = first.map(|first| self.element(it.inner.offsets, first, src));
        let offsets = self.build(&outer.rows.bounds, src, |lower, row| {
            let first = lower.element(outer.rows.offsets, row, src);
            let first = lower.scalar(ScalarOp::Cast, &[first], Scalar::Usize, src);
            Ok(Value::Scalar(lower.element(inner.rows.offsets, first, src)))
        })?;
        let offsets = self.variable(&offsets);
        for mut stmt in std::mem::take(stmts) {
            if matches!(&stmt.op, Op::Read { array, index } if *array == it.inner.offsets && *index == [it.begins])
            {
                let (array, index) = (offsets, vec![Atom::Var(index)]);
                let mut place = Op::Read { array, index };
                if let Some(before) = before {
                    let own = self.scalar_var(Scalar::I64, src);
                    stmts.push(Stmt {
                        outs: vec![own],
                        op: place,
                        ..stmt.clone()
                    });
                    place = Op::Scalar(ScalarOp::Add, vec![Atom::Var(own), before]);
                }
                stmt.op = place;
            }
            stmts.push(stmt);
        }
        let rows = Descriptor {
            bounds: outer.rows.bounds.clone(),
            offsets,
            total: inner.rows.total.clone(),
        };
        Ok(Placed {
            rows,
            first: inner.first,
            inner: Some(inner.rows),
        })
    }
}
