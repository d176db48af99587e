//! Rows of lengths that take as long to find as the rows: one kernel that joins them.
//!
//! In: a nest that computes the lengths of rows, the scan that makes offsets of them, and the nest that
//! writes the rows there. Out: one nest, which joins the rows, if nobody reads lengths or offsets.
//! Assumes as `keep.rs`: offsets are sums of the lengths of the rows that are written there.

use crate::fused::ir::{Kernel, Layout, Op, Sink, Stmt, VarInfo};
use crate::fused::keep::{Facts, Offsets, checks, is_passed};
use crate::hash::HashSet;
use crate::ids::Var;
use crate::shaped::ir::{Atom, VarType};

impl Facts<'_> {
    /// The kernel that joins the rows that `rows` writes, without the number of their elements; it
    /// mentions nothing that is defined `between`. Beside it, the statement that makes the lengths of
    /// which the offsets that `stmts[at]` makes are sums.
    pub(super) fn joined(
        &self,
        stmts: &[Stmt],
        at: usize,
        rows: &Stmt,
        offsets: &Offsets<'_>,
        between: &HashSet<Var>,
    ) -> Option<(Stmt, usize)> {
        let (lens, array) = self.lengths(&stmts[..at], offsets)?;
        let (Op::Kernel(before), Op::Kernel(kernel)) = (&stmts[lens].op, &rows.op) else {
            return None;
        };
        let own_lengths = self.uses.get(&array) == Some(&1)
            && before.nest
            && matches!(before.sink, Sink::Write)
            && before.extents == [offsets.count]
            && kernel.extents == [offsets.count];
        let near = stmts[lens + 1..at]
            .iter()
            .all(|stmt| is_passed(stmt) && !matches!(stmt.op, Op::Check { .. }));
        let flat = rows.outs.iter().all(|out| is_flat(&self.vars[out.index()]));
        let checked = checks(&before.body.stmts).is_subset(&checks(&kernel.body.stmts));
        if !own_lengths || !near || !flat || !checked || self.mentions(&kernel.body, between) {
            return None;
        }
        let joined = Kernel {
            sink: Sink::Join,
            ..kernel.clone()
        };
        let stmt = Stmt {
            op: Op::Kernel(joined),
            ..rows.clone()
        };
        Some((stmt, lens))
    }

    /// The statement that makes the array of the lengths, and that array.
    fn lengths(&self, stmts: &[Stmt], offsets: &Offsets<'_>) -> Option<(usize, Var)> {
        let [read] = offsets.len.stmts.as_slice() else {
            return None;
        };
        let Op::Read { array, index } = &read.op else {
            return None;
        };
        let as_it_is =
            *index == Atom::Var(offsets.index) && offsets.len.results == [Atom::Var(read.outs[0])];
        let made = stmts.iter().position(|stmt| stmt.outs == [*array])?;
        as_it_is.then_some((made, *array))
    }
}

/// Whether an array has one dimension.
fn is_flat(var: &VarInfo) -> bool {
    matches!(&var.ty, Layout::Plain(VarType::Array(ty)) if ty.dims.len() == 1)
}
