//! Arrays inside of structs from outside, `pos: [f32; 3]`.
//!
//! In: a type or a value of a signature. Out: the same with a product of so many fields for each such
//! array, which is how it goes over the border, or the other way round: so an array of such structs is
//! an array for each scalar in them, all read where they lie.

use super::ir::Extent;
use super::lower::{Lower, Lowered};
use super::value::{Array, Elem, Rows, Value, usize_const};
use crate::source::SrcSpan;
use crate::typed::ir::{SigType, SizeSpec};

/// What is done to each element.
type Change<'c, 'p> = &'c dyn Fn(&mut Lower<'p>, Value) -> Lowered<Value>;

/// The type with a product for each array inside of a struct from outside.
pub(super) fn vector_type(ty: &SigType) -> SigType {
    let all = |fields: &[SigType]| fields.iter().map(vector_type).collect();
    match ty {
        SigType::Scalar(_) => ty.clone(),
        SigType::Tuple(fields) => SigType::Tuple(all(fields)),
        SigType::Struct(id, fields) => SigType::Struct(*id, all(fields)),
        SigType::Vector(elem, fields) => SigType::Vector(elem.clone(), all(fields)),
        SigType::Array { elem, size, src } => {
            let elem = Box::new(vector_type(elem));
            match is_inside(*size) {
                Some(len) => SigType::Vector(elem.clone(), vec![*elem; len]),
                None => SigType::Array {
                    elem,
                    size: *size,
                    src: *src,
                },
            }
        }
    }
}

/// The length of an array inside of a struct from outside.
fn is_inside(size: SizeSpec) -> Option<usize> {
    match size {
        SizeSpec::Inline(len) => usize::try_from(len).ok(),
        SizeSpec::Own
        | SizeSpec::Named(_)
        | SizeSpec::Known(_)
        | SizeSpec::Held(_)
        | SizeSpec::Param(_)
        | SizeSpec::Seq => None,
    }
}

/// Over the border.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// From products.
    In,
    /// To products.
    Out,
}

impl Way {
    /// Whether what has such arrays in it changes as one: on the way out all that a struct is made of,
    /// so that one operation reads it.
    fn changes(self, ty: &SigType) -> bool {
        match self {
            Way::In => matches!(ty, SigType::Array { size, .. } if is_inside(*size).is_some()),
            Way::Out => ty.has_array() && !ty.goes_apart(),
        }
    }
}

impl<'p> Lower<'p> {
    /// A value of type `ty`, with products on the one side of the border and arrays on the other.
    pub(super) fn over_border(
        &mut self,
        value: Value,
        ty: &SigType,
        way: Way,
        src: SrcSpan,
    ) -> Lowered<Value> {
        match (value, ty) {
            (Value::Product(parts), SigType::Tuple(types) | SigType::Struct(_, types)) => {
                let parts = parts.into_iter().zip(types);
                let parts = parts.map(|(part, ty)| self.over_border(part, ty, way, src));
                parts.collect::<Lowered<_>>().map(Value::Product)
            }
            (Value::Product(parts), SigType::Array { elem, .. }) => {
                let parts = parts.into_iter();
                let parts = parts.map(|part| self.over_border(part, elem, way, src));
                match parts.collect::<Lowered<Vec<_>>>()? {
                    parts if parts.is_empty() => self.zero(&ty.erased(), src),
                    parts => self.array_of(&parts, src),
                }
            }
            (Value::Array(array), SigType::Array { elem, size, .. }) => match is_inside(*size) {
                Some(len) => {
                    let fields = (0..len).map(|at| {
                        let value = self.read_elem(&array, usize_const(at as u64), src);
                        self.over_border(value, elem, way, src)
                    });
                    fields.collect::<Lowered<_>>().map(Value::Product)
                }
                None => {
                    let array = self.array_over_border(&[], array, elem, way, src)?;
                    Ok(Value::Array(array))
                }
            },
            (value, _) => Ok(value),
        }
    }

    /// An array, in the dimensions `dims`, with elements of type `ty`.
    fn array_over_border(
        &mut self,
        dims: &[Extent],
        array: Array,
        ty: &SigType,
        way: Way,
        src: SrcSpan,
    ) -> Lowered<Array> {
        let Array { extent, elem } = array;
        let dims = [dims, std::slice::from_ref(&extent)].concat();
        let elem = self.elem_over_border(&dims, elem, ty, way, src)?;
        Ok(Array { extent, elem })
    }

    fn elem_over_border(
        &mut self,
        dims: &[Extent],
        elem: Elem,
        ty: &SigType,
        way: Way,
        src: SrcSpan,
    ) -> Lowered<Elem> {
        if way.changes(ty) {
            let array = dims.iter().rev().fold(elem, around);
            let changed = self.with_all(array, dims.len(), src, &|lower, value| {
                lower.over_border(value, ty, way, src)
            })?;
            return Ok(dims.iter().fold(changed, |elem, _| inside(elem)));
        }
        match (elem, ty) {
            (Elem::Product(parts), SigType::Tuple(types) | SigType::Struct(_, types)) => {
                let parts = parts.into_iter().zip(types);
                let parts = parts.map(|(part, ty)| self.elem_over_border(dims, part, ty, way, src));
                parts.collect::<Lowered<_>>().map(Elem::Product)
            }
            (Elem::Array(inner), SigType::Array { elem: ty, .. }) => {
                let array = self.array_over_border(dims, *inner, ty, way, src)?;
                Ok(Elem::Array(Box::new(array)))
            }
            (Elem::Rows(rows), SigType::Array { elem: ty, .. }) => {
                let flat = self.array_over_border(&[], rows.flat.clone(), ty, way, src)?;
                Ok(Elem::Rows(Box::new(Rows { flat, ..*rows })))
            }
            (elem, _) => Ok(elem),
        }
    }

    /// What `change` makes of each of the elements behind so many dimensions of `array`.
    fn with_all(
        &mut self,
        array: Elem,
        levels: usize,
        src: SrcSpan,
        change: Change<'_, 'p>,
    ) -> Lowered<Elem> {
        let value = self.read_part(&array, src);
        let array = self.as_array(&value);
        let changed = self.build(&array.extent, src, |lower, index| {
            let value = lower.read_elem(&array, index, src);
            match levels {
                1 => change(lower, value),
                _ => {
                    let row = around_row(lower.as_array(&value));
                    let row = lower.with_all(row, levels - 1, src, change)?;
                    Ok(lower.read_part(&row, src))
                }
            }
        })?;
        Ok(around_row(self.as_array(&changed)))
    }
}

/// Arrays of `elem`.
fn around(elem: Elem, extent: &Extent) -> Elem {
    let extent = extent.clone();
    around_row(Array { extent, elem })
}

fn around_row(array: Array) -> Elem {
    Elem::Array(Box::new(array))
}

fn inside(elem: Elem) -> Elem {
    match elem {
        Elem::Array(array) => array.elem,
        Elem::Leaf(_) | Elem::Product(_) | Elem::Rows(_) => {
            unreachable!("what is made of all elements is an array")
        }
    }
}
