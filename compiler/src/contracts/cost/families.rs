//! The lengths of rows and the numbers in arrays, as sizes.
//!
//! In: the definitions that [`Sizes`] has seen. Out: how large a length is, and what all together are.
//!
//! Note [Families]. The lengths of the rows of an array, or the numbers in one, are a *family*: what
//! is known of them is their sum and the greatest. A row whose number runs once through all rows
//! with some indices is a *member*; summed over these indices it is the sum of the family, so that a
//! loop over all elements of all rows has `|rows|` steps, and not rows times the longest.

use super::expr::Expr;
use super::names;
use super::sizes::{Def, Sizes};
use super::symbols::Family;
use crate::fused::ir::{Body, Combine, Kernel, Op, Sink, Stmt};
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::shaped::ir::Atom;

impl<'f> Sizes<'f> {
    /// The offsets and the row of which two numbers are the ends.
    pub(super) fn row(&self, end: Atom, start: Atom) -> Option<(Var, Option<Atom>)> {
        let (to, last) = self.offset(end)?;
        let (from, first) = self.offset(start)?;
        let one = self.is_next(last, first);
        (to == from).then_some((to, one.then_some(first)))
    }

    /// The array of offsets and the position that a number was read at.
    fn offset(&self, atom: Atom) -> Option<(Var, Atom)> {
        let stmt = self.stmt(atom)?;
        match &stmt.op {
            Op::Scalar(ScalarOp::Cast, args) => self.offset(args[0]),
            Op::Read { array, index } if self.holds_offsets(*array) => Some((*array, *index)),
            _other => None,
        }
    }

    /// Whether the elements of an array are sums of those before.
    fn holds_offsets(&self, array: Var) -> bool {
        match self.stmt(Atom::Var(array)) {
            None => names::is_offsets(self.function, array),
            Some(stmt) => {
                let scan = |it: &Kernel| match &it.sink {
                    Sink::Scan { combine, .. } => adds(combine),
                    _other => false,
                };
                matches!(&stmt.op, Op::Kernel(it) if scan(it)) || self.groups(stmt).is_some()
            }
        }
    }

    /// How many elements are in the groups of which a statement makes the offsets: where each begins, of positions
    /// that were kept, and at last the number of all positions.
    fn groups(&self, stmt: &'f Stmt) -> Option<&'f [Atom]> {
        let Op::Kernel(kernel) = &stmt.op else {
            return None;
        };
        let (Sink::Write, [result], [extent]) =
            (&kernel.sink, &kernel.body.results[..], &kernel.extents[..])
        else {
            return None;
        };
        let offset = match self.scalar(*result) {
            Some((ScalarOp::Cast, [offset])) => *offset,
            _other => *result,
        };
        let Op::If { cond, then, else_ } = &self.stmt(offset)?.op else {
            return None;
        };
        let (ScalarOp::Eq, [index, last]) = self.scalar(*cond)? else {
            return None;
        };
        let ([all], [start]) = (&then.results[..], &else_.results[..]) else {
            return None;
        };
        let Op::Read { array, index: at } = self.stmt(*start)?.op else {
            return None;
        };
        let at_index = |atom: Atom| atom == Atom::Var(kernel.index);
        let is_read = at_index(*index) && at_index(at) && self.is_next(*extent, *last);
        let extents = self.kept_positions(array)?;
        (is_read && extents == [*all]).then_some(extents)
    }

    /// Of what an array holds positions that were kept, in ascending order.
    fn kept_positions(&self, array: Var) -> Option<&'f [Atom]> {
        let stmt = self.stmt(Atom::Var(array))?;
        let Op::Kernel(kernel) = &stmt.op else {
            return None;
        };
        let at = stmt.outs.iter().position(|out| *out == array)?;
        // The first of what the body yields is the condition.
        let kept = kernel.body.results.get(at + 1)?;
        let positions = matches!(kernel.sink, Sink::Keep) && *kept == Atom::Var(kernel.index);
        positions.then_some(&kernel.extents[..])
    }

    /// The length of one row, or of several.
    pub(super) fn row_length(&mut self, offsets: Var, row: Option<Atom>) -> Expr {
        let Some(family) = self.family(offsets) else {
            return self.unknown(offsets);
        };
        match row {
            Some(row) => {
                let position = self.position(row);
                self.symbols.of_family(family, position)
            }
            None => self.symbols.families[family].sum.clone(),
        }
    }

    /// The indices with which a position runs through all positions once.
    fn position(&self, atom: Atom) -> Option<Vec<Var>> {
        let Atom::Var(var) = atom else {
            return None;
        };
        match self.def(var) {
            Def::Index(_) | Def::Counter(_) => Some(vec![var]),
            Def::Made(_) => match self.scalar(atom)? {
                (ScalarOp::Cast, [value]) => self.position(*value),
                (ScalarOp::Add | ScalarOp::Sub, [value, Atom::Const(_)])
                | (ScalarOp::Add | ScalarOp::Sub, [Atom::Const(_), value]) => self.position(*value),
                (ScalarOp::Add, [start, step]) => self.inside(*start, *step),
                _other => None,
            },
            Def::Outside | Def::State(..) => None,
        }
    }

    /// The position `step` behind where a row starts.
    fn inside(&self, start: Atom, step: Atom) -> Option<Vec<Var>> {
        let Atom::Var(index) = step else {
            return None;
        };
        let Def::Index([extent]) = self.def(index) else {
            return None;
        };
        let outer = match (self.offset(start), self.scalar(start)) {
            (Some((offsets, row)), _) => {
                let (ScalarOp::Sub, [end, start]) = self.scalar(*extent)? else {
                    return None;
                };
                (self.row(*end, *start)? == (offsets, Some(row))).then_some(row)?
            }
            (None, Some((ScalarOp::Mul, [row, len]))) if len == extent => *row,
            _other => return None,
        };
        let mut indices = self.position(outer)?;
        indices.push(index);
        Some(indices)
    }

    pub(super) fn element(&mut self, var: Var, array: Var, index: Atom) -> Expr {
        let Some(family) = self.family(array) else {
            return self.unknown(var);
        };
        match self.holds_offsets(array) {
            true => self.symbols.families[family].sum.clone(),
            false => {
                let position = self.position(index);
                self.symbols.of_family(family, position)
            }
        }
    }

    /// See Note [Families]. Of offsets the numbers are the differences.
    fn family(&mut self, array: Var) -> Option<usize> {
        if let Some(known) = self.families.get(&array) {
            return Some(*known);
        }
        let family = match names::array(self.function, array) {
            Some(param) => self.symbols.named_family(&param.sum, &param.most),
            None => self.made_family(array)?,
        };
        let at = self.symbols.families.len();
        self.symbols.families.push(family);
        self.families.insert(array, at);
        Some(at)
    }

    fn made_family(&mut self, array: Var) -> Option<Family> {
        let stmt = self.stmt(Atom::Var(array))?;
        if let Some(extents) = self.groups(stmt) {
            let all = self.product(extents);
            return Some(Family {
                sum: all.clone(),
                most: all,
            });
        }
        let Op::Kernel(kernel) = &stmt.op else {
            return None;
        };
        let at = stmt.outs.iter().position(|out| *out == array)?;
        let element = match &kernel.sink {
            Sink::Write => *kernel.body.results.get(at)?,
            Sink::Scan { combine, .. } if adds(combine) => *kernel.body.results.get(at)?,
            _other => return None,
        };
        let extent = self.product(&kernel.extents);
        let inner = match element {
            Atom::Var(inner) if self.function.vars[inner.index()].is_array() => {
                let family = self.family(inner)?;
                self.symbols.families[family].clone()
            }
            element => {
                let bound = self.bound(element);
                Family {
                    sum: bound.clone(),
                    most: bound,
                }
            }
        };
        Some(Family {
            sum: self.symbols.sum_over(&inner.sum, kernel.index, &extent),
            most: self.symbols.most_over(&inner.most, kernel.index),
        })
    }

    /// A number that a kernel gives besides arrays, or reduces to.
    pub(super) fn total(
        &mut self,
        var: Var,
        at: usize,
        stmt: &'f Stmt,
        kernel: &'f Kernel,
    ) -> Expr {
        let last = at + 1 == stmt.outs.len();
        let extent = self.product(&kernel.extents);
        match &kernel.sink {
            Sink::Keep if last => extent,
            Sink::Join if last => self.of_kernel(0, kernel),
            Sink::Reduce { init, combine } if self.is_whole(var) => {
                let element = self.bound(kernel.body.results[at]);
                let all = match reduces_by(combine, at, self) {
                    Some(ScalarOp::Add) => self.symbols.sum_over(&element, kernel.index, &extent),
                    Some(ScalarOp::Max | ScalarOp::Min) => {
                        self.symbols.most_over(&element, kernel.index)
                    }
                    _other => return self.unknown(var),
                };
                all.plus(&self.bound(init[at]))
            }
            Sink::Write
            | Sink::Rows { .. }
            | Sink::Pack
            | Sink::Keep
            | Sink::Join
            | Sink::Reduce { .. }
            | Sink::Scan { .. }
            | Sink::Fold { .. }
            | Sink::Sort(_)
            | Sink::Scatter { .. }
            | Sink::Append { .. } => self.unknown(var),
        }
    }
}

/// The operation that an operator is, for one of its components.
fn reduces_by(combine: &Combine, at: usize, sizes: &Sizes<'_>) -> Option<ScalarOp> {
    match sizes.scalar(*combine.body.results.get(at)?)? {
        (op, [Atom::Var(left), Atom::Var(right)])
            if *left == combine.left[at] && *right == combine.right[at] =>
        {
            Some(op)
        }
        _other => None,
    }
}

/// Whether an operator on one number is a sum.
fn adds(combine: &Combine) -> bool {
    let Body { stmts, results } = &combine.body;
    matches!(
        (stmts.as_slice(), results.as_slice()),
        (
            [Stmt {
                op: Op::Scalar(ScalarOp::Add, _),
                ..
            }],
            [Atom::Var(_)]
        )
    )
}
