//! Arrays that have to lie in memory, made of scalars.
//!
//! In: the elements of a small array. Out: statements that make it, or an array of such rows.

use super::{Known, Pass};
use crate::ids::Var;
use crate::prims::Scalar;
use crate::shaped::ir::{ArrayType, Atom, Body, Consumer, Extent, Op, Par, Stmt, VarType};
use crate::source::SrcSpan;

/// What an array is made of.
pub(super) enum From<'a> {
    Atoms(&'a [Atom]),
    /// Arrays, and the index at which they are read.
    Columns(&'a [Var], &'a [Atom]),
}

/// Arrays of which each has the elements at one place of rows.
pub(super) struct Columns {
    pub(super) vars: Vec<Var>,
    /// Their dimensions, which are the first ones of the array of rows.
    outer: usize,
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
    pub(super) fn rows(&mut self, out: Var, columns: Columns, src: SrcSpan) {
        let made = self.defined(out);
        self.rows_at(made, &mut Vec::new(), &columns, src);
        self.columns.insert(made, columns);
    }

    /// Makes `out`, which is at `index` of an array of such rows.
    fn rows_at(&mut self, out: Var, index: &mut Vec<Atom>, columns: &Columns, src: SrcSpan) {
        let (elem, dims) = self.array_type(out);
        let inner = dims[1..].to_vec();
        let own = self.fresh(VarType::Scalar(Scalar::Usize), out);
        index.push(Atom::Var(own));
        let before = std::mem::take(&mut self.stmts);
        let row = if index.len() == columns.outer {
            self.made(out, &inner, &From::Columns(&columns.vars, index), src)
        } else {
            let dims = inner;
            let row = self.fresh(VarType::Array(ArrayType { elem, dims }), out);
            self.rows_at(row, index, columns, src);
            Atom::Var(row)
        };
        index.pop();
        let body = Body {
            stmts: std::mem::replace(&mut self.stmts, before),
            results: vec![row],
        };
        let op = Op::Par(Par {
            extent: dims[0].value,
            index: own,
            body,
            consumer: Consumer::Build,
        });
        self.stmts.push(Stmt {
            outs: vec![out],
            op,
            src,
        });
    }

    /// What reads an element of an array.
    pub(super) fn element(&self, array: Var, index: Vec<Atom>) -> Op {
        match self.column(array, &index) {
            Some((column, index)) => Op::Read {
                array: column,
                index: index.to_vec(),
            },
            None => Op::Read { array, index },
        }
    }

    /// The array of those elements of rows that are at this place in them, if it is known, and where
    /// in it.
    fn column<'i>(&self, array: Var, index: &'i [Atom]) -> Option<(Var, &'i [Atom])> {
        let columns = self.columns.get(&array)?;
        let (_, dims) = self.array_type(array);
        let (outer, inner) = index.split_at(columns.outer);
        let mut at = 0;
        for (dim, index) in dims[columns.outer..].iter().zip(inner) {
            let (dim, index) = (self.constant(dim.value)?, self.constant(*index)?);
            // Of what is never computed, or fails, an index may be any number.
            if index >= dim {
                return None;
            }
            at = at * dim + index;
        }
        Some((*columns.vars.get(at as usize)?, outer))
    }

    /// What an array has become, or the arrays of elements that it is made of.
    pub(super) fn by_columns(&self, atom: Atom) -> Known {
        match self.seen(atom) {
            Known::One(Atom::Var(var)) => match self.columns.get(&var) {
                Some(columns) => Known::All(columns.vars.iter().copied().map(Atom::Var).collect()),
                None => Known::One(Atom::Var(var)),
            },
            other => other,
        }
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

    /// Arrays for the elements of the rows of `out`; `elems` are those of one row, or of rows of rows.
    pub(super) fn columns(&mut self, out: Var, elems: &[Atom]) -> Columns {
        let (elem, dims) = self.array_type(out);
        let outer = 1 + elems.first().map_or(0, |first| self.rank(*first));
        let dims = dims[..outer].to_vec();
        let ty = VarType::Array(ArrayType { elem, dims });
        let vars = elems.iter().map(|_| self.fresh(ty.clone(), out)).collect();
        Columns { vars, outer }
    }

    /// How many dimensions a value has.
    fn rank(&self, atom: Atom) -> usize {
        match atom {
            Atom::Var(var) => match &self.vars[var.index()].ty {
                VarType::Scalar(_) => 0,
                VarType::Array(array) => array.dims.len(),
            },
            Atom::Const(_) => 0,
        }
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
                From::Columns(columns, outer) => columns
                    .iter()
                    .map(|column| self.read(*column, outer.to_vec(), like, src))
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
