//! Index spaces of several levels and arrays of several dimensions, as one index and one position.
//!
//! In: levels and index lists of `flat`. Out: the arithmetic between them and what lies in memory, in
//! row-major order. Assumes that extents are known where they are used.

use crate::flat::ir as flat;
use crate::fused::fuse::{Fuse, Scope};
use crate::fused::ir::{Body, Layout, Op, Stmt, VarInfo};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::{Atom, VarType};
use crate::source::SrcSpan;

impl<'a> Fuse<'a> {
    /// The body of an operation, and the one variable that runs over its levels: the index of each
    /// level follows from it.
    pub(super) fn over(
        &mut self,
        seg: &'a flat::Seg,
        extents: &[Atom],
        src: SrcSpan,
    ) -> (Var, Body) {
        let levels = &seg.space.levels;
        if let [level] = levels.as_slice() {
            let index = self.define(&[level.index])[0];
            self.runs_below(index, extents[0]);
            let body = self.body(&seg.body);
            self.leaves(&[index]);
            return (index, body);
        }
        let index = self.new_scalar(Scalar::Usize, src);
        self.scopes.push(Scope::default());
        let (mut before, mut indices) = (None, Vec::new());
        for (at, level) in levels.iter().enumerate() {
            let inner = extents[at + 1..]
                .iter()
                .copied()
                .reduce(|a, b| self.computed(ScalarOp::Mul, [a, b], src));
            let all = Atom::Var(index);
            // Which one it is of all rows of this level.
            let row = inner.map(|inner| self.computed(ScalarOp::Div, [all, inner], src));
            let own = match (row, before) {
                (None, _) => self.computed(ScalarOp::Rem, [all, extents[at]], src),
                (Some(row), None) => row,
                (Some(row), Some(before)) => {
                    let first = self.computed(ScalarOp::Mul, [before, extents[at]], src);
                    self.computed(ScalarOp::Sub, [row, first], src)
                }
            };
            self.names.insert(level.index, own);
            if let Atom::Var(own) = own {
                self.runs_below(own, extents[at]);
                indices.push(own);
            }
            if let Some(before) = before
                && let Atom::Var(all) = row.unwrap_or(all)
            {
                self.counts(all, before, extents[at], own);
            }
            before = row;
        }
        let results = self.inline(&seg.body);
        self.leaves(&indices);
        let scope = self.scopes.pop().expect("pushed above");
        let stmts = scope.stmts;
        (index, Body { stmts, results })
    }

    /// Where the element at `index` of an array lies in memory.
    pub(super) fn position(&mut self, array: Var, index: &[Atom], src: SrcSpan) -> Atom {
        let (Layout::Plain(VarType::Array(ty))
        | Layout::Component {
            ty: VarType::Array(ty),
            ..
        }) = self.vars[array.index()].ty.clone()
        else {
            unreachable!("verified: an array is read")
        };
        let mut position = index[0];
        for (index, dim) in index[1..].iter().zip(&ty.dims[1..]) {
            let extent = self.atom(dim.value);
            let row = self.computed(ScalarOp::Mul, [position, extent], src);
            position = self.computed(ScalarOp::Add, [row, *index], src);
        }
        position
    }

    /// The result of an operation on sizes, of which there is one.
    pub(super) fn computed(&mut self, op: ScalarOp, args: [Atom; 2], src: SrcSpan) -> Atom {
        if let Some(known) = self.known_size(op, &args) {
            return known;
        }
        let out = self.new_scalar(Scalar::Usize, src);
        self.scope().stmts.push(Stmt {
            outs: vec![out],
            op: Op::Scalar(op, args.to_vec()),
            src,
        });
        let key = size_key(op, &args);
        self.indices.defs.insert(out, (op, key.1.clone()));
        self.scope().scalars.insert(key, Atom::Var(out));
        Atom::Var(out)
    }

    /// What an operation on sizes has given, where it has been done.
    pub(super) fn known_size(&self, op: ScalarOp, args: &[Atom]) -> Option<Atom> {
        let key = size_key(op, args);
        let mut scopes = self.scopes.iter().rev();
        scopes.find_map(|scope| scope.scalars.get(&key)).copied()
    }

    fn new_scalar(&mut self, ty: Scalar, src: SrcSpan) -> Var {
        let var = Var::next(&self.vars);
        let ty = Layout::Plain(VarType::Scalar(ty));
        let fast = false;
        self.vars.push(VarInfo { ty, fast, src });
        var
    }
}

/// What an operation on sizes is found by.
fn size_key(op: ScalarOp, args: &[Atom]) -> (ScalarOp, Vec<Atom>, Var) {
    (op, args.to_vec(), Var(u32::MAX))
}
