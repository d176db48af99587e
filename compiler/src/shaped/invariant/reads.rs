//! Reads that are in range wherever they stand.
//!
//! In: reads, and how indices are computed. Out: whether those are in range by what they are, and not by
//! what is known in the body that they stand in. Assumes that variables are assigned once.

use super::{Pass, variable};
use crate::hash::HashMap;
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::shaped::ir::{Atom, Extent, Function, Op, VarType, leaves};
use crate::typed::ir::{SigType, SizeSpec};

/// Of the parameters that are divided into rows, and of those that say where rows begin: the one that says where
/// theirs do.
pub(super) fn offsets(function: &Function) -> HashMap<Var, Var> {
    let mut offsets = HashMap::default();
    for param in &function.params {
        let mut vars = param.vars.iter().copied();
        of_type(&param.ty, None, &mut vars, &mut offsets);
    }
    offsets
}

/// Those of a value of this type, whose leaves `vars` gives; `rows` say where the rows begin that it is in.
fn of_type(
    ty: &SigType,
    rows: Option<Var>,
    vars: &mut impl Iterator<Item = Var>,
    offsets: &mut HashMap<Var, Var>,
) {
    match ty {
        SigType::Tuple(parts) | SigType::Struct(_, parts) | SigType::Vector(_, parts)
            if rows.is_none() =>
        {
            let parts = parts.iter();
            parts.for_each(|part| of_type(part, None, vars, offsets));
        }
        SigType::Array { elem, .. } if is_ragged(elem) => {
            let own = vars.next();
            if let (Some(own), Some(rows)) = (own, rows) {
                offsets.insert(own, rows);
            }
            of_type(elem, own, vars, offsets);
        }
        SigType::Array { .. } => {
            for var in vars.take(leaves(ty).len()) {
                if let Some(rows) = rows.filter(|_| !has_ragged(ty)) {
                    offsets.insert(var, rows);
                }
            }
        }
        SigType::Scalar(_) | SigType::Tuple(_) | SigType::Struct(..) | SigType::Vector(..) => {
            vars.take(leaves(ty).len()).for_each(drop);
        }
    }
}

/// Whether anything in an array has offsets.
fn has_ragged(ty: &SigType) -> bool {
    match ty {
        SigType::Scalar(_) => false,
        SigType::Tuple(parts) | SigType::Struct(_, parts) | SigType::Vector(_, parts) => {
            parts.iter().any(|part| is_ragged(part) || has_ragged(part))
        }
        SigType::Array { elem, .. } => is_ragged(elem) || has_ragged(elem),
    }
}

fn is_ragged(elem: &SigType) -> bool {
    matches!(elem, SigType::Array { size, .. } if *size == SizeSpec::Own)
}

impl Pass<'_> {
    /// Whether these are indices of an element, whatever is known.
    pub(super) fn is_in_range(&self, array: Var, index: &[Atom]) -> bool {
        let dims = self.dims(array);
        let mut axes = dims.iter().zip(index).enumerate();
        dims.len() == index.len()
            && axes.all(|(axis, (dim, at))| {
                self.is_below(*at, dim.value)
                    || axis == 0 && (self.is_in_row(array, *at) || self.is_bound(array, *at))
            })
    }

    /// Whether this is the index of an operation over so many elements, or a constant below a constant.
    fn is_below(&self, at: Atom, extent: Atom) -> bool {
        match (at, extent) {
            (Atom::Var(at), extent) => self.indices.get(&at) == Some(&extent),
            (Atom::Const(at), Atom::Const(extent)) => at.bits < extent.bits,
            (Atom::Const(_), Atom::Var(_)) => false,
        }
    }

    /// Whether so many elements or rows are in memory, or a constant number.
    pub(super) fn is_in_memory(&self, extent: Atom) -> bool {
        let Atom::Var(var) = extent else {
            return true;
        };
        let is_count = match self.scalar(extent) {
            // There is always one more.
            Some((ScalarOp::Sub, [bounds, Atom::Const(one)])) if one.bits == 1 => {
                let array = variable(*bounds).and_then(|var| self.length_of(var));
                array.is_some_and(|array| self.is_offsets(array))
            }
            _ => false,
        };
        is_count || self.length_of(var).is_some() || self.row_of_length(var).is_some()
    }

    /// The array of which this is the length.
    fn length_of(&self, len: Var) -> Option<Var> {
        match self.defs.get(&len)? {
            Op::Len { array, .. } => Some(*array),
            _ => None,
        }
    }

    fn dims(&self, array: Var) -> &[Extent] {
        match &self.vars[array.index()].ty {
            VarType::Array(ty) => &ty.dims,
            VarType::Scalar(_) => &[],
        }
    }

    /// Whether this is a place in a row of an array: its start, and an index below its length behind that.
    fn is_in_row(&self, array: Var, at: Atom) -> bool {
        let Some((ScalarOp::Add, [start, within])) = self.scalar(at) else {
            return false;
        };
        let len = variable(*within).and_then(|index| self.indices.get(&index));
        let row = len.and_then(|len| self.row_of_length(variable(*len)?));
        row.is_some_and(|(offsets, begins)| {
            begins == *start && self.offsets.get(&array) == Some(&offsets)
        })
    }

    /// Where the row begins of which this is the length, and by which offsets.
    fn row_of_length(&self, len: Var) -> Option<(Var, Atom)> {
        let (ScalarOp::Sub, [end, start]) = self.scalar(Atom::Var(len))? else {
            return None;
        };
        let (offsets, row) = self.boundary(*start)?;
        let (others, next) = self.boundary(*end)?;
        (offsets == others && self.is_next(next, row)).then_some((offsets, *start))
    }

    /// The offsets of which this is one, and which.
    fn boundary(&self, at: Atom) -> Option<(Var, Atom)> {
        let (ScalarOp::Cast, [offset]) = self.scalar(at)? else {
            return None;
        };
        match self.defs.get(&variable(*offset)?)? {
            Op::Read { array, index } if self.is_offsets(*array) => match index[..] {
                [row] => Some((*array, row)),
                _ => None,
            },
            _ => None,
        }
    }

    fn is_offsets(&self, array: Var) -> bool {
        self.offsets.values().any(|it| *it == array)
    }

    /// Whether the first is the second and one.
    fn is_next(&self, next: Atom, row: Atom) -> bool {
        match (self.scalar(next), next, row) {
            (Some((ScalarOp::Add, [of, Atom::Const(one)])), ..) => *of == row && one.bits == 1,
            (None, Atom::Const(next), Atom::Const(row)) => next.bits == row.bits + 1,
            _ => false,
        }
    }

    /// Whether `offsets` say at `at` where a row begins or ends: an index of an operation over all rows, or a
    /// place in a row of rows, or the next one.
    fn is_bound(&self, offsets: Var, at: Atom) -> bool {
        let row = match self.scalar(at) {
            Some((ScalarOp::Add, [row, Atom::Const(one)])) if one.bits == 1 => *row,
            _ => at,
        };
        self.is_offsets(offsets) && (self.is_any_row(offsets, row) || self.is_in_row(offsets, row))
    }

    fn is_any_row(&self, offsets: Var, row: Atom) -> bool {
        let rows = variable(row).and_then(|row| self.indices.get(&row));
        let (Some(rows), [bounds]) = (rows, self.dims(offsets)) else {
            return false;
        };
        let is_one = |atom: &Atom| matches!(atom, Atom::Const(it) if it.bits == 1);
        let fewer = matches!(self.scalar(*rows), Some((ScalarOp::Sub, [of, one]))
            if *of == bounds.value && is_one(one));
        let more = matches!(self.scalar(bounds.value), Some((ScalarOp::Add, [of, one]))
            if of == rows && is_one(one));
        fewer || more
    }

    pub(super) fn scalar(&self, atom: Atom) -> Option<(ScalarOp, &[Atom])> {
        match self.defs.get(&variable(atom)?)? {
            Op::Scalar(op, args) => Some((*op, args)),
            _ => None,
        }
    }
}
