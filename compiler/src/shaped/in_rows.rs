//! Arrays of arrays of one length, as arrays of arrays of lengths of their own.
//!
//! In: an array. Out: the same elements, with offsets. Where a type or another value asks for it:
//! results whose type has no sizes, and the two sides of a conditional or the trips of a loop, of which
//! one gives such an array.

use super::facts::IndexFn;
use super::ir::{Atom, Extent};
use super::lower::{Lower, Lowered};
use super::ragged::Descriptor;
use super::value::{Array, Elem, Rows, Value};
use crate::prims::{Scalar, ScalarOp};
use crate::source::SrcSpan;
use crate::typed::ir::{SigType, SizeSpec};

impl Lower<'_> {
    /// The result `value`, each array in it in the form that `ty` says: one of arrays without sizes
    /// has offsets, even where these turned out to have one length.
    pub(super) fn declared(&mut self, value: Value, ty: &SigType, src: SrcSpan) -> Lowered<Value> {
        match (value, ty) {
            (Value::Array(array), SigType::Array { elem, .. }) => {
                let elem = self.declared_elem(&array.extent, &array.elem, elem, src)?;
                let extent = array.extent;
                Ok(Value::Array(Array { extent, elem }))
            }
            (Value::Product(parts), SigType::Tuple(types) | SigType::Struct(_, types)) => {
                let parts = parts.into_iter().zip(types);
                let parts = parts.map(|(part, ty)| self.declared(part, ty, src));
                parts.collect::<Lowered<_>>().map(Value::Product)
            }
            (value, _) => Ok(value),
        }
    }

    fn declared_elem(
        &mut self,
        outer: &Extent,
        elem: &Elem,
        ty: &SigType,
        src: SrcSpan,
    ) -> Lowered<Elem> {
        match (elem, ty) {
            (Elem::Product(parts), SigType::Tuple(types) | SigType::Struct(_, types)) => {
                let parts = parts.iter().zip(types);
                let parts = parts.map(|(part, ty)| self.declared_elem(outer, part, ty, src));
                parts.collect::<Lowered<_>>().map(Elem::Product)
            }
            (_, SigType::Array { size, .. }) if *size == SizeSpec::Own => {
                self.elem_in_rows(outer, elem, &|_, _| false, src)
            }
            (elem, _) => Ok(elem.clone()),
        }
    }

    /// `array` of arrays of the body being written, with offsets for those of its arrays that
    /// `regular` does not hold for.
    pub(super) fn in_rows(
        &mut self,
        array: &Array,
        regular: &dyn Fn(&Self, &Array) -> bool,
        src: SrcSpan,
    ) -> Lowered<Array> {
        Ok(Array {
            extent: array.extent.clone(),
            elem: self.elem_in_rows(&array.extent, &array.elem, regular, src)?,
        })
    }

    fn elem_in_rows(
        &mut self,
        outer: &Extent,
        elem: &Elem,
        regular: &dyn Fn(&Self, &Array) -> bool,
        src: SrcSpan,
    ) -> Lowered<Elem> {
        match elem {
            Elem::Leaf(_) => Ok(elem.clone()),
            Elem::Product(parts) => {
                let parts = parts.iter();
                let parts = parts.map(|part| self.elem_in_rows(outer, part, regular, src));
                parts.collect::<Lowered<_>>().map(Elem::Product)
            }
            Elem::Array(inner) if regular(self, inner) => Ok(elem.clone()),
            Elem::Array(inner) => {
                let (extent, elem) = (outer.clone(), elem.clone());
                self.divided(&Array { extent, elem }, &inner.extent, regular, src)
            }
            Elem::Rows(rows) => Ok(Elem::rows(
                rows.bounds.clone(),
                rows.offsets,
                self.in_rows(&rows.flat, regular, src)?,
            )),
        }
    }

    /// The rows, all of `width`, of `array`.
    fn divided(
        &mut self,
        array: &Array,
        width: &Extent,
        regular: &dyn Fn(&Self, &Array) -> bool,
        src: SrcSpan,
    ) -> Lowered<Elem> {
        let even = self.even_rows(&array.extent, width, None, src)?;
        let flat = self.ungrouped(array, width, src)?;
        let flat = self.in_rows(&flat, regular, src)?;
        Ok(Elem::rows(even.bounds, even.offsets, flat))
    }

    /// The descriptor of `count` rows, all of `width`; `function`: how the length follows from a row's number,
    /// where it is asked for by that.
    pub(super) fn even_rows(
        &mut self,
        count: &Extent,
        width: &Extent,
        function: Option<IndexFn>,
        src: SrcSpan,
    ) -> Lowered<Descriptor> {
        if let Some(known) = self.rows_of_width(width, count) {
            return Ok(known);
        }
        let bounds = self.one_more(count, src);
        let offsets = self.build(&bounds, src, |lower, row| {
            let start = lower.exact(ScalarOp::Mul, row, width.value, src);
            let start = lower.scalar(ScalarOp::Cast, &[start], Scalar::I64, src);
            Ok(Value::Scalar(start))
        })?;
        let rows = Descriptor {
            bounds,
            offsets: self.variable(&offsets),
            total: match count.value {
                Atom::Const(one) if one.bits == 1 => width.clone(),
                Atom::Const(_) | Atom::Var(_) => self.repeated(count, width.value, src),
            },
        };
        if let Some(length) = function {
            self.know_lengths_by(length, count, rows.clone());
        }
        Ok(rows)
    }

    /// `value` with offsets wherever `other`, of the same type, has them.
    pub(super) fn matched(&mut self, value: Value, other: &Value, src: SrcSpan) -> Lowered<Value> {
        match (value, other) {
            (Value::Array(array), Value::Array(other)) => {
                let elem = self.matched_elem(&array.extent, &array.elem, &other.elem, src)?;
                let extent = array.extent;
                Ok(Value::Array(Array { extent, elem }))
            }
            (Value::Product(parts), Value::Product(others)) => {
                let parts = parts.into_iter().zip(others);
                let parts = parts.map(|(part, other)| self.matched(part, other, src));
                parts.collect::<Lowered<_>>().map(Value::Product)
            }
            (value, _) => Ok(value),
        }
    }

    fn matched_elem(
        &mut self,
        outer: &Extent,
        elem: &Elem,
        other: &Elem,
        src: SrcSpan,
    ) -> Lowered<Elem> {
        match (elem, other) {
            (Elem::Product(parts), Elem::Product(others)) => {
                let parts = parts.iter().zip(others);
                let parts = parts.map(|(part, other)| self.matched_elem(outer, part, other, src));
                parts.collect::<Lowered<_>>().map(Elem::Product)
            }
            (Elem::Array(inner), Elem::Rows(_)) => {
                let array = Array {
                    extent: outer.clone(),
                    elem: elem.clone(),
                };
                let rows = self.divided(&array, &inner.extent, &|_, _| true, src)?;
                self.matched_elem(outer, &rows, other, src)
            }
            (Elem::Array(inner), Elem::Array(other)) if !same_elems(&inner.elem, &other.elem) => {
                let array = Array {
                    extent: outer.clone(),
                    elem: elem.clone(),
                };
                let Array { extent, elem } = self.ungrouped(&array, &inner.extent, src)?;
                let elem = self.matched_elem(&extent, &elem, &other.elem, src)?;
                let extents = [outer.clone(), inner.extent.clone()];
                self.in_groups(Array { extent, elem }, extents, src)
            }
            (Elem::Rows(rows), Elem::Rows(others)) => {
                self.matched_rows(rows, &others.flat.elem, src)
            }
            (Elem::Rows(rows), Elem::Array(others)) => self.matched_rows(rows, &others.elem, src),
            (elem, _) => Ok(elem.clone()),
        }
    }

    /// `rows`, their elements with offsets wherever `other` has them.
    fn matched_rows(&mut self, rows: &Rows, other: &Elem, src: SrcSpan) -> Lowered<Elem> {
        let extent = rows.flat.extent.clone();
        let elem = self.matched_elem(&extent, &rows.flat.elem, other, src)?;
        let flat = Array { extent, elem };
        Ok(Elem::rows(rows.bounds.clone(), rows.offsets, flat))
    }
}

/// Whether two values of one type have offsets at the same places.
pub(super) fn same_structure(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Product(left), Value::Product(right)) => {
            let mut pairs = left.iter().zip(right);
            pairs.all(|(left, right)| same_structure(left, right))
        }
        (Value::Array(left), Value::Array(right)) => same_elems(&left.elem, &right.elem),
        _scalars => true,
    }
}

fn same_elems(left: &Elem, right: &Elem) -> bool {
    match (left, right) {
        (Elem::Product(left), Elem::Product(right)) => {
            let mut pairs = left.iter().zip(right);
            pairs.all(|(left, right)| same_elems(left, right))
        }
        (Elem::Array(left), Elem::Array(right)) => same_elems(&left.elem, &right.elem),
        (Elem::Rows(left), Elem::Rows(right)) => same_elems(&left.flat.elem, &right.flat.elem),
        (Elem::Array(_), Elem::Rows(_)) | (Elem::Rows(_), Elem::Array(_)) => false,
        _leaves => true,
    }
}
