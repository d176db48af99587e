//! Arrays that have to lie in memory, made of scalars.
//!
//! In: the elements of a small array. Out: statements that make it, or an array of such rows.

use super::{Known, Pass, operands::var_of};
use crate::ids::Var;
use crate::prims::Scalar;
use crate::shaped::ir::{ArrayType, Atom, Body, Consumer, Extent, Op, Par, Stmt, VarType};
use crate::source::SrcSpan;

/// What an array is made of.
pub(super) enum From<'a> {
    Atoms(&'a [Atom]),
    /// Arrays, and the index at which they are read.
    Columns(&'a [Var], Var),
}

impl Pass {
    /// An array in memory, or a scalar.
    pub(super) fn whole(&mut self, atom: Atom, src: SrcSpan) -> Atom {
        match (self.seen(atom), atom) {
            (Known::All(elems), Atom::Var(var)) => {
                let (_, dims) = self.array_type(var);
                self.made(var, &dims, &From::Atoms(&elems), src)
            }
            (Known::One(atom), _) => atom,
            (Known::All(_), Atom::Const(_)) => unreachable!("a constant is no array"),
        }
    }

    /// The array `out` of rows, whose elements are in `columns`.
    pub(super) fn rows(&mut self, out: Var, extent: Atom, columns: Vec<Var>, src: SrcSpan) {
        let index = self.fresh(VarType::Scalar(Scalar::Usize), out);
        let (_, dims) = self.array_type(out);
        let before = std::mem::take(&mut self.stmts);
        let row = self.made(out, &dims[1..], &From::Columns(&columns, index), src);
        let body = Body {
            stmts: std::mem::replace(&mut self.stmts, before),
            results: vec![row],
        };
        let op = Op::Par(Par {
            extent,
            index,
            body,
            consumer: Consumer::Build,
        });
        self.push(&[out], op, src);
        self.columns
            .insert(var_of(self.atom(Atom::Var(out))), columns);
    }

    /// What reads an element of an array.
    pub(super) fn element(&self, array: Var, index: Vec<Atom>) -> Op {
        match self.column(array, &index) {
            Some(column) => Op::Read {
                array: column,
                index: index[..1].to_vec(),
            },
            None => Op::Read { array, index },
        }
    }

    /// The array of those elements of rows that are at this place in them, if it is known.
    fn column(&self, array: Var, index: &[Atom]) -> Option<Var> {
        let columns = self.columns.get(&array)?;
        let (_, dims) = self.array_type(array);
        let mut at = 0;
        for (dim, index) in dims.iter().zip(index).skip(1) {
            at = at * self.constant(dim.value)? + self.constant(*index)?;
        }
        columns.get(at as usize).copied()
    }

    /// Whether a body reads elements of rows at known places.
    pub(super) fn reads_columns(&self, par: &Par) -> bool {
        par.body.stmts.iter().any(|stmt| match &stmt.op {
            Op::Read { array, index } => self.column(*array, index).is_some(),
            _other => false,
        })
    }

    /// Whether the first elements of rows lie next to each other, and so on.
    pub(super) fn is_by_columns(&self, rows: Var) -> bool {
        self.windows.contains(&rows) || self.columns.contains_key(&rows)
    }

    /// Arrays for the elements of the rows of `out`.
    pub(super) fn columns(&mut self, out: Var, count: usize) -> Vec<Var> {
        let (elem, dims) = self.array_type(out);
        let dims = dims[..1].to_vec();
        let ty = VarType::Array(ArrayType { elem, dims });
        (0..count).map(|_| self.fresh(ty.clone(), out)).collect()
    }

    /// An array of these dimensions and the element type of `like`.
    pub(super) fn made(
        &mut self,
        like: Var,
        dims: &[Extent],
        from: &From<'_>,
        src: SrcSpan,
    ) -> Atom {
        let lengths: Vec<u64> = dims
            .iter()
            .filter_map(|dim| self.constant(dim.value))
            .collect();
        self.level(like, dims, &lengths, &mut Vec::new(), from, src)
    }

    pub(super) fn level(
        &mut self,
        like: Var,
        dims: &[Extent],
        lengths: &[u64],
        index: &mut Vec<Atom>,
        from: &From<'_>,
        src: SrcSpan,
    ) -> Atom {
        let elem = self.scalar_type(like);
        let Some((dim, inner)) = dims.split_first() else {
            let at = self.position(lengths, index, like, src);
            let elems = match from {
                From::Atoms(atoms) => atoms.to_vec(),
                From::Columns(columns, row) => columns
                    .iter()
                    .map(|column| self.read(*column, vec![Atom::Var(*row)], like, src))
                    .collect(),
            };
            return self.chosen(&elems, at, like, src);
        };
        let own = self.fresh(VarType::Scalar(Scalar::Usize), like);
        let ty = VarType::Array(ArrayType {
            elem,
            dims: dims.to_vec(),
        });
        let out = self.fresh(ty, like);
        index.push(Atom::Var(own));
        let before = std::mem::take(&mut self.stmts);
        let row = self.level(like, inner, lengths, index, from, src);
        let body = Body {
            stmts: std::mem::replace(&mut self.stmts, before),
            results: vec![row],
        };
        self.stmts.push(Stmt {
            outs: vec![out],
            op: Op::Par(Par {
                extent: dim.value,
                index: own,
                body,
                consumer: Consumer::Build,
            }),
            src,
        });
        Atom::Var(out)
    }
}
