//! What variables and operands have become, and scalars that choose among elements.
//!
//! In: variables of the function before. Out: what stands for them.

use super::{Known, MOST, Pass};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::fold::{fold, simplify};
use crate::shaped::ir::{ArrayType, Atom, Extent, Op, Stmt, VarInfo, VarType};
use crate::source::SrcSpan;
use crate::typed::ir::Const;

impl Pass {
    pub(super) fn becomes(&mut self, var: Var, known: Known) {
        self.known.insert(var, known);
    }

    pub(super) fn become_all(&mut self, vars: &[Var], known: Vec<Known>) {
        for (var, known) in vars.iter().zip(known) {
            self.becomes(*var, known);
        }
    }

    pub(super) fn of(&self, var: Var) -> Known {
        let known = self.known.get(&var).cloned();
        known.unwrap_or(Known::One(Atom::Var(var)))
    }

    pub(super) fn seen(&self, atom: Atom) -> Known {
        match atom {
            Atom::Var(var) => self.of(var),
            Atom::Const(_) => Known::One(atom),
        }
    }

    /// A scalar.
    pub(super) fn atom(&self, atom: Atom) -> Atom {
        match self.seen(atom) {
            Known::One(atom) => atom,
            Known::All(_) => unreachable!("verified: an array is no scalar operand"),
        }
    }

    pub(super) fn atoms(&self, atoms: &[Atom]) -> Vec<Atom> {
        atoms.iter().map(|atom| self.atom(*atom)).collect()
    }

    pub(super) fn constant(&self, atom: Atom) -> Option<u64> {
        match self.seen(atom) {
            Known::One(Atom::Const(it)) => Some(it.bits),
            Known::One(Atom::Var(_)) | Known::All(_) => None,
        }
    }

    /// The lengths of an array that are constants.
    pub(super) fn lengths(&self, array: Var) -> Vec<u64> {
        let (_, dims) = self.array_type(array);
        dims.iter()
            .filter_map(|dim| self.constant(dim.value))
            .collect()
    }

    pub(super) fn is_small(&self, var: Var) -> bool {
        let VarType::Array(ty) = &self.vars[var.index()].ty else {
            return false;
        };
        let lengths = self.lengths(var);
        let count = lengths
            .iter()
            .try_fold(1_u64, |count, len| count.checked_mul(*len));
        lengths.len() == ty.dims.len() && count.is_some_and(|count| (1..=MOST).contains(&count))
    }

    /// The type of a scalar, or of an array's elements.
    pub(super) fn scalar_type(&self, var: Var) -> Scalar {
        match &self.vars[var.index()].ty {
            VarType::Scalar(scalar) => *scalar,
            VarType::Array(array) => array.elem,
        }
    }

    pub(super) fn array_type(&self, var: Var) -> (Scalar, Vec<Extent>) {
        match &self.vars[var.index()].ty {
            VarType::Array(array) => (array.elem, self.extents(&array.dims)),
            VarType::Scalar(_) => unreachable!("verified: an array"),
        }
    }

    pub(super) fn extents(&self, dims: &[Extent]) -> Vec<Extent> {
        let extent = |dim: &Extent| Extent {
            value: self.atom(dim.value),
            size: dim.size.clone(),
        };
        dims.iter().map(extent).collect()
    }

    pub(super) fn fresh(&mut self, ty: VarType, like: Var) -> Var {
        let var = Var::next(&self.vars);
        let VarInfo { fast, src, .. } = self.vars[like.index()];
        self.vars.push(VarInfo { ty, fast, src });
        var
    }

    /// The variable that a statement defines for `var`.
    pub(super) fn defined(&mut self, var: Var) -> Var {
        let ty = match &self.vars[var.index()].ty {
            VarType::Scalar(scalar) => VarType::Scalar(*scalar),
            VarType::Array(ty) => VarType::Array(ArrayType {
                elem: ty.elem,
                dims: self.extents(&ty.dims),
            }),
        };
        if self.copies {
            let new = self.fresh(ty, var);
            self.becomes(var, Known::One(Atom::Var(new)));
            return new;
        }
        self.vars[var.index()].ty = ty;
        var
    }

    pub(super) fn defined_all(&mut self, vars: &[Var]) -> Vec<Var> {
        vars.iter().map(|var| self.defined(*var)).collect()
    }

    pub(super) fn push(&mut self, outs: &[Var], op: Op, src: SrcSpan) {
        let outs = self.defined_all(outs);
        self.stmts.push(Stmt { outs, op, src });
    }

    /// A new scalar, with what `like` says of its place.
    pub(super) fn scalar(
        &mut self,
        op: ScalarOp,
        args: Vec<Atom>,
        ty: Scalar,
        like: Var,
        src: SrcSpan,
    ) -> Atom {
        if let Some(atom) = fold(op, &args, ty).or_else(|| simplify(op, &args, ty)) {
            return atom;
        }
        let out = self.fresh(VarType::Scalar(ty), like);
        let op = Op::Scalar(op, args);
        self.stmts.push(Stmt {
            outs: vec![out],
            op,
            src,
        });
        Atom::Var(out)
    }

    pub(super) fn read(&mut self, array: Var, index: Vec<Atom>, like: Var, src: SrcSpan) -> Atom {
        let elem = self.fresh(VarType::Scalar(self.scalar_type(array)), like);
        let op = Op::Read { array, index };
        self.stmts.push(Stmt {
            outs: vec![elem],
            op,
            src,
        });
        Atom::Var(elem)
    }

    /// Whether `at` is `own`.
    pub(super) fn is_at(&mut self, at: Atom, own: usize, like: Var, src: SrcSpan) -> Atom {
        let args = vec![at, size(own as u64)];
        self.scalar(ScalarOp::Eq, args, Scalar::Bool, like, src)
    }

    /// The element at a position. What is out of range has failed already, and may be any element.
    pub(super) fn chosen(&mut self, elems: &[Atom], at: Atom, like: Var, src: SrcSpan) -> Atom {
        if let Some(at) = self.constant(at) {
            return *elems.get(at as usize).unwrap_or(&elems[0]);
        }
        let ty = self.scalar_type(like);
        let (last, others) = elems.split_last().expect("small arrays have elements");
        others
            .iter()
            .enumerate()
            .rev()
            .fold(*last, |chosen, (own, elem)| {
                let hit = self.is_at(at, own, like, src);
                self.scalar(ScalarOp::Select, vec![hit, *elem, chosen], ty, like, src)
            })
    }

    /// The position of an element in row-major order.
    pub(super) fn position(
        &mut self,
        lengths: &[u64],
        index: &[Atom],
        like: Var,
        src: SrcSpan,
    ) -> Atom {
        let axes = lengths.iter().zip(index);
        axes.fold(size(0), |at, (len, index)| {
            let rows = vec![at, size(*len)];
            let rows = self.scalar(ScalarOp::Mul, rows, Scalar::Usize, like, src);
            let sum = vec![rows, *index];
            self.scalar(ScalarOp::Add, sum, Scalar::Usize, like, src)
        })
    }

    /// All elements of a scalar or of an array of these lengths.
    pub(super) fn all(
        &mut self,
        known: &Known,
        lengths: &[u64],
        like: Var,
        src: SrcSpan,
    ) -> Vec<Atom> {
        match known {
            Known::All(elems) => elems.clone(),
            Known::One(atom) if lengths.is_empty() => vec![*atom],
            Known::One(atom) => {
                let array = var_of(*atom);
                let indices = indices(lengths).into_iter();
                indices
                    .map(|index| self.read(array, index, like, src))
                    .collect()
            }
        }
    }
}

/// The indices of an array of these lengths, in row-major order.
pub(super) fn indices(lengths: &[u64]) -> Vec<Vec<Atom>> {
    lengths.iter().fold(vec![Vec::new()], |outer, len| {
        let longer =
            |index: Vec<Atom>| (0..*len).map(move |at| [index.clone(), vec![size(at)]].concat());
        outer.into_iter().flat_map(longer).collect()
    })
}

pub(super) fn var_of(atom: Atom) -> Var {
    match atom {
        Atom::Var(var) => var,
        Atom::Const(_) => unreachable!("verified: an array is a variable"),
    }
}

pub(super) fn size(number: u64) -> Atom {
    Atom::Const(Const {
        ty: Scalar::Usize,
        bits: number,
    })
}
