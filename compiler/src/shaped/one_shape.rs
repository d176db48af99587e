//! Arrays of arrays of one length, without offsets.
//!
//! In: an array. Out: the same elements, rows of which all have one length, or have to, as arrays of one shape.
//! Where a type or an operator asks for that, with a check, and where a body that makes arrays of one length is
//! done, without: see [`Lower::as_before`].

use super::ir::Extent;
use super::lower::{Lower, Lowered};
use super::outside::Outside;
use super::signature::Origin;
use super::value::{Array, Elem, Rows, Value, usize_const};
use crate::prims::ScalarOp;
use crate::source::SrcSpan;
use crate::typed::ir::{SigType, SizeSpec};

impl Lower<'_> {
    /// `value`, of the user's `origin`, without offsets wherever `ty` has a size: rows that all have to
    /// have one length are an array of one shape.
    pub(super) fn rectangular(
        &mut self,
        value: Value,
        ty: &SigType,
        origin: &Origin,
    ) -> Lowered<Value> {
        match (value, ty) {
            (Value::Array(array), SigType::Array { elem, .. })
                if array.elem.has_rows() && has_sizes(elem) =>
            {
                let array = self.owned(Value::Array(array), origin.src)?;
                let array = self.as_array(&array);
                let elem = self.rectangular_elem(&array.extent, &array.elem, elem, origin)?;
                let extent = array.extent;
                Ok(Value::Array(Array { extent, elem }))
            }
            (Value::Product(parts), SigType::Tuple(types) | SigType::Struct(_, types)) => {
                let parts = parts.into_iter().zip(types);
                let parts = parts.map(|(part, ty)| self.rectangular(part, ty, origin));
                parts.collect::<Lowered<_>>().map(Value::Product)
            }
            (value, _) => Ok(value),
        }
    }

    fn rectangular_elem(
        &mut self,
        outer: &Extent,
        elem: &Elem,
        ty: &SigType,
        origin: &Origin,
    ) -> Lowered<Elem> {
        match (elem, ty) {
            (Elem::Product(parts), SigType::Tuple(types) | SigType::Struct(_, types)) => {
                let parts = parts.iter().zip(types);
                let parts = parts.map(|(part, ty)| self.rectangular_elem(outer, part, ty, origin));
                parts.collect::<Lowered<_>>().map(Elem::Product)
            }
            (Elem::Rows(rows), SigType::Array { elem, size, src }) => {
                let extent = rows.flat.extent.clone();
                let inner = self.rectangular_elem(&extent, &rows.flat.elem, elem, origin)?;
                let flat = Array {
                    extent,
                    elem: inner,
                };
                let array = Array {
                    extent: outer.clone(),
                    elem: Elem::rows(rows.bounds.clone(), rows.offsets, flat),
                };
                match size {
                    SizeSpec::Own | SizeSpec::Seq => Ok(array.elem),
                    SizeSpec::Named(_)
                    | SizeSpec::Known(_)
                    | SizeSpec::Held(_)
                    | SizeSpec::Inline(_)
                    | SizeSpec::Param(_) => self.one_length(&array, *size, origin, *src),
                }
            }
            (Elem::Array(inner), SigType::Array { elem: ty, src, .. })
                if inner.elem.has_rows() && has_sizes(ty) =>
            {
                let (extent, elem) = (outer.clone(), elem.clone());
                let flat = self.ungrouped(&Array { extent, elem }, &inner.extent, *src)?;
                let Array { extent, elem } = flat;
                let elem = self.rectangular_elem(&extent, &elem, ty, origin)?;
                let extents = [outer.clone(), inner.extent.clone()];
                self.in_groups(Array { extent, elem }, extents, *src)
            }
            (elem, _) => Ok(elem.clone()),
        }
    }

    /// `array`, the arrays on so many levels inside of it without offsets: what needs them to be of one
    /// shape checks that they are.
    pub(super) fn of_one_shape(
        &mut self,
        array: Array,
        levels: usize,
        origin: &Origin,
        src: SrcSpan,
    ) -> Lowered<Array> {
        if levels == 0 || !array.elem.has_rows() {
            return Ok(array);
        }
        let array = self.owned(Value::Array(array), src)?;
        let array = self.as_array(&array);
        let elem = match &array.elem {
            Elem::Rows(rows) => {
                let flat = self.of_one_shape(rows.flat.clone(), levels - 1, origin, src)?;
                let elem = Elem::Rows(Box::new(Rows {
                    flat,
                    ..(**rows).clone()
                }));
                let extent = array.extent.clone();
                self.one_length(&Array { extent, elem }, SizeSpec::Own, origin, src)?
            }
            Elem::Array(inner) if levels > 1 && inner.elem.has_rows() => {
                let flat = self.ungrouped(&array, &inner.extent, src)?;
                let flat = self.of_one_shape(flat, levels - 1, origin, src)?;
                let extents = [array.extent.clone(), inner.extent.clone()];
                self.in_groups(flat, extents, src)?
            }
            elem @ (Elem::Leaf(_) | Elem::Product(_) | Elem::Array(_)) => elem.clone(),
        };
        let extent = array.extent;
        Ok(Array { extent, elem })
    }

    /// The elements of `array`, whose rows are checked to have one length: `size`, where that is
    /// settled.
    fn one_length(
        &mut self,
        array: &Array,
        size: SizeSpec,
        origin: &Origin,
        src: SrcSpan,
    ) -> Lowered<Elem> {
        let width = match self.settled_size(size) {
            Some(width) => {
                let own = Origin {
                    name: format!("a row of {}", origin.name),
                    src: origin.src,
                };
                self.each_length(array, src, |lower, len| {
                    lower.bind_extent(size, len, &own, src);
                })?;
                width
            }
            None => {
                let width = self.first_length(array, src)?;
                let first = format!("the first row of {}", origin.name);
                let another = format!("another row of {}", origin.name);
                self.each_length(array, src, |lower, len| {
                    lower.agree((&width, &first), (len, &another), src);
                })?;
                width
            }
        };
        let Elem::Rows(rows) = &array.elem else {
            unreachable!("rows are divided by offsets")
        };
        self.in_groups(rows.flat.clone(), [array.extent.clone(), width], src)
    }

    /// The length of the first row of `array`, 0 if there is none.
    fn first_length(&mut self, array: &Array, src: SrcSpan) -> Lowered<Extent> {
        let none = self.test(ScalarOp::Eq, array.extent.value, usize_const(0), src);
        let width = self.branch(
            none,
            &[],
            src,
            |_| Ok(Value::Scalar(usize_const(0))),
            |lower| {
                let row = lower.read_elem(array, usize_const(0), src);
                Ok(Value::Scalar(lower.as_array(&row).extent.value))
            },
        )?;
        Ok(self.extent(width.atom(), src))
    }

    /// Runs `check` on the length of each row of `array`.
    fn each_length(
        &mut self,
        array: &Array,
        src: SrcSpan,
        check: impl Fn(&mut Self, &Extent),
    ) -> Lowered<()> {
        self.build(&array.extent, src, |lower, index| {
            let row = lower.read_elem(array, index, src);
            let len = lower.as_array(&row).extent;
            check(lower, &len);
            Ok(Value::Scalar(len.value))
        })
        .map(drop)
    }

    /// The elements `elem` of an array, made of `was` at each of the indices below `outer`, without offsets
    /// where all that there are at an index had one length outside of the body: there may be no index, and
    /// the array still has that length.
    pub(super) fn as_before(
        &mut self,
        outer: &Extent,
        elem: &Elem,
        was: &Value,
        outside: &Outside,
        src: SrcSpan,
    ) -> Lowered<Elem> {
        match (elem, was) {
            (Elem::Product(parts), Value::Product(values)) => {
                let parts = parts.iter().zip(values);
                let parts = parts.map(|(part, was)| self.as_before(outer, part, was, outside, src));
                parts.collect::<Lowered<_>>().map(Elem::Product)
            }
            (Elem::Rows(rows), Value::Array(was)) => {
                self.rows_as_before(outer, rows, was, outside, src)
            }
            (elem, _) => Ok(elem.clone()),
        }
    }

    fn rows_as_before(
        &mut self,
        outer: &Extent,
        rows: &Rows,
        was: &Array,
        outside: &Outside,
        src: SrcSpan,
    ) -> Lowered<Elem> {
        let extent = rows.flat.extent.clone();
        let elem = self.elem_as_before(&extent, &rows.flat.elem, &was.elem, outside, src)?;
        let flat = Array { extent, elem };
        if !flat.elem.has_rows() || !self.is_outside(&was.extent, outside) {
            return Ok(Elem::rows(rows.bounds.clone(), rows.offsets, flat));
        }
        let width = self.outer_extent(&was.extent, outside, src)?;
        self.in_groups(flat, [outer.clone(), width], src)
    }

    /// The elements of the arrays in `array`, all of `width`, one after another.
    pub(super) fn ungrouped(
        &mut self,
        array: &Array,
        width: &Extent,
        src: SrcSpan,
    ) -> Lowered<Array> {
        let flat = self.flattened(array, width, src)?;
        let flat = self.owned(flat, src)?;
        Ok(self.as_array(&flat))
    }

    /// The elements of `flat` as those of an array of arrays: so many, of so many each.
    pub(super) fn in_groups(
        &mut self,
        flat: Array,
        extents: [Extent; 2],
        src: SrcSpan,
    ) -> Lowered<Elem> {
        let elem = self.grouped(&flat, &mut Vec::new(), &extents, src)?;
        let [_, extent] = extents;
        Ok(Elem::Array(Box::new(Array { extent, elem })))
    }

    fn elem_as_before(
        &mut self,
        outer: &Extent,
        elem: &Elem,
        was: &Elem,
        outside: &Outside,
        src: SrcSpan,
    ) -> Lowered<Elem> {
        match (elem, was) {
            (Elem::Product(parts), Elem::Product(others)) => {
                let parts = parts.iter().zip(others);
                let parts =
                    parts.map(|(part, was)| self.elem_as_before(outer, part, was, outside, src));
                parts.collect::<Lowered<_>>().map(Elem::Product)
            }
            (Elem::Rows(rows), Elem::Array(was)) => {
                self.rows_as_before(outer, rows, was, outside, src)
            }
            (Elem::Rows(rows), Elem::Rows(was)) => {
                let extent = rows.flat.extent.clone();
                let elem =
                    self.elem_as_before(&extent, &rows.flat.elem, &was.flat.elem, outside, src)?;
                let flat = Array { extent, elem };
                Ok(Elem::rows(rows.bounds.clone(), rows.offsets, flat))
            }
            (elem, _) => Ok(elem.clone()),
        }
    }

    /// What the elements of `flat` are in rows: `extents` says how many, of which width. `around` are
    /// the extents of arrays of `flat` that the elements are in.
    fn grouped(
        &mut self,
        flat: &Array,
        around: &mut Vec<Extent>,
        extents: &[Extent; 2],
        src: SrcSpan,
    ) -> Lowered<Elem> {
        let of = |elem: &Elem| Array {
            extent: flat.extent.clone(),
            elem: elem.clone(),
        };
        match &flat.elem {
            // The same rows, counted by one more index.
            Elem::Rows(_) => Ok(flat.elem.clone()),
            Elem::Product(parts) if flat.elem.has_rows() => {
                let parts = parts.iter();
                let parts = parts.map(|part| self.grouped(&of(part), around, extents, src));
                parts.collect::<Lowered<_>>().map(Elem::Product)
            }
            Elem::Array(inner) if flat.elem.has_rows() => {
                around.push(inner.extent.clone());
                let elem = self.grouped(&of(&inner.elem), around, extents, src)?;
                let extent = around.pop().expect("pushed above");
                Ok(Elem::Array(Box::new(Array { extent, elem })))
            }
            Elem::Product(_) | Elem::Array(_) | Elem::Leaf(_) => {
                let elem = around.iter().rev().fold(flat.elem.clone(), |elem, extent| {
                    let extent = extent.clone();
                    Elem::Array(Box::new(Array { extent, elem }))
                });
                let dense = self.regrouped(&of(&elem), extents, usize_const(0), src)?;
                Ok(inside(self.as_array(&dense).elem, around.len() + 1))
            }
        }
    }
}

/// What arrays of one shape are made of, so many levels inside.
fn inside(elem: Elem, levels: usize) -> Elem {
    match elem {
        Elem::Array(array) if levels > 0 => inside(array.elem, levels - 1),
        Elem::Array(_) | Elem::Leaf(_) | Elem::Product(_) | Elem::Rows(_) => elem,
    }
}

/// Whether arrays in an array of elements of this type have sizes.
fn has_sizes(elem: &SigType) -> bool {
    match elem {
        SigType::Scalar(_) | SigType::Vector(..) => false,
        SigType::Tuple(parts) | SigType::Struct(_, parts) => parts.iter().any(has_sizes),
        SigType::Array { elem, size, .. } => *size != SizeSpec::Own || has_sizes(elem),
    }
}
