//! Types and values as they go over the border.
//!
//! In: a type of the signature; a parameter as the caller passes it; a result as the function makes
//! it. Out: the type of what goes over the border, which has arrays of scalars and of products of
//! scalars only, and of whose arrays either all that are in other arrays have sizes or none has; the
//! parameter as the function has it; the result as the caller gets it.

use super::ir::{Atom, Extent, innermost, ragged_levels};
use super::lower::{Lower, Lowered};
use super::par::components;
use super::signature::Origin;
use super::value::{Array, Elem, Rows, Value, bool_const, holds_array};
use super::vectors::{Way, vector_type};
use crate::source::SrcSpan;
use crate::typed::ir::{SigType, SizeSpec};

/// The type that goes over the border for a value of type `ty`.
pub fn border_type(ty: &SigType) -> SigType {
    vector_type(&in_one_form(&distributed(ty)))
}

/// A product with an array in it that is an element of arrays becomes a product of such arrays, and a
/// struct with one a tuple of its fields. So the elements of arrays, behind their last axis, are
/// products of scalars.
fn distributed(ty: &SigType) -> SigType {
    match ty {
        SigType::Tuple(fields) => SigType::Tuple(fields.iter().map(distributed).collect()),
        SigType::Struct(_, fields) if ty.goes_apart() => {
            SigType::Tuple(fields.iter().map(distributed).collect())
        }
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) => ty.clone(),
        SigType::Array { elem, size, src } => over(&distributed(elem), *size, *src),
    }
}

/// The array of `elem`, which is distributed.
fn over(elem: &SigType, size: SizeSpec, src: SrcSpan) -> SigType {
    match elem {
        SigType::Tuple(fields) if fields.iter().any(SigType::goes_apart) => {
            SigType::Tuple(fields.iter().map(|field| over(field, size, src)).collect())
        }
        SigType::Scalar(_)
        | SigType::Tuple(_)
        | SigType::Struct(..)
        | SigType::Vector(..)
        | SigType::Array { .. } => {
            let elem = Box::new(elem.clone());
            SigType::Array { elem, size, src }
        }
    }
}

/// An array with an array in it that has no size is one of arrays without sizes.
fn in_one_form(ty: &SigType) -> SigType {
    match ty {
        SigType::Tuple(fields) => SigType::Tuple(fields.iter().map(in_one_form).collect()),
        SigType::Array { elem, size, src } if ragged_levels(elem) > 0 => SigType::Array {
            elem: Box::new(without_sizes(elem)),
            size: *size,
            src: *src,
        },
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) | SigType::Array { .. } => {
            ty.clone()
        }
    }
}

fn without_sizes(ty: &SigType) -> SigType {
    match ty {
        SigType::Array { elem, src, .. } => SigType::Array {
            elem: Box::new(without_sizes(elem)),
            size: SizeSpec::Own,
            src: *src,
        },
        SigType::Scalar(_) | SigType::Tuple(_) | SigType::Struct(..) | SigType::Vector(..) => {
            ty.clone()
        }
    }
}

/// How many arrays go over the border for the elements of an array.
fn parts_of(elem: &SigType) -> usize {
    match innermost(elem) {
        SigType::Tuple(fields) | SigType::Struct(_, fields)
            if fields.iter().any(SigType::goes_apart) =>
        {
            fields.iter().map(parts_of).sum()
        }
        SigType::Scalar(_)
        | SigType::Tuple(_)
        | SigType::Struct(..)
        | SigType::Vector(..)
        | SigType::Array { .. } => 1,
    }
}

/// One of the arrays that make up a parameter, and its number among them.
struct Part {
    number: usize,
    array: Array,
}

/// The parameter that is put together.
struct Whole<'o> {
    origin: &'o Origin,
    /// What stands in messages in front of the name of a part.
    place: String,
}

impl Lower<'_> {
    /// A parameter of type `ty`, of which `value` is what the caller passes.
    pub(super) fn taken_in(
        &mut self,
        value: Value,
        ty: &SigType,
        origin: &Origin,
    ) -> Lowered<Value> {
        let value = self.rectangular(value, &distributed(ty), origin)?;
        self.put_together(value, ty, origin)
    }

    fn put_together(&mut self, value: Value, ty: &SigType, origin: &Origin) -> Lowered<Value> {
        match (value, ty) {
            (Value::Product(parts), SigType::Tuple(types) | SigType::Struct(_, types)) => {
                let parts = parts.into_iter().zip(types);
                let parts = parts.map(|(part, ty)| self.put_together(part, ty, origin));
                parts.collect::<Lowered<_>>().map(Value::Product)
            }
            (
                value,
                SigType::Array {
                    size: SizeSpec::Inline(_),
                    ..
                },
            ) => self.over_border(value, ty, Way::In, origin.src),
            (value, SigType::Array { elem, .. }) => {
                let mut parts = Vec::new();
                arrays_of(value, &mut parts);
                let place = String::new();
                let array = self.joined_parts(parts, elem, &Whole { origin, place })?;
                self.over_border(Value::Array(array), ty, Way::In, origin.src)
            }
            (value, _) => Ok(value),
        }
    }

    /// The array of `elem` that `parts` make up: they have one length, and so have their rows.
    fn joined_parts(
        &mut self,
        parts: Vec<Part>,
        elem: &SigType,
        whole: &Whole<'_>,
    ) -> Lowered<Array> {
        for part in &parts[1..] {
            let first = (&parts[0].array.extent, &whole.part(&parts[0]));
            let other = (&part.array.extent, &whole.part(part));
            self.agree(first, other, whole.origin.src);
        }
        let extent = self.facts.canonical(&parts[0].array.extent);
        let elem = self.joined_elem(parts, elem, whole)?;
        Ok(Array { extent, elem })
    }

    fn joined_elem(
        &mut self,
        mut parts: Vec<Part>,
        elem: &SigType,
        whole: &Whole<'_>,
    ) -> Lowered<Elem> {
        match elem {
            SigType::Tuple(fields) | SigType::Struct(_, fields)
                if fields.iter().any(SigType::goes_apart) =>
            {
                let fields = fields.iter().map(|field| {
                    let own = parts.drain(..parts_of(field)).collect();
                    self.joined_elem(own, field, whole)
                });
                fields.collect::<Lowered<_>>().map(Elem::Product)
            }
            SigType::Array { elem, .. } if parts.len() > 1 => self.joined_rows(parts, elem, whole),
            SigType::Scalar(_)
            | SigType::Tuple(_)
            | SigType::Struct(..)
            | SigType::Vector(..)
            | SigType::Array { .. } => Ok(parts.remove(0).array.elem),
        }
    }

    /// The arrays in the elements of several parts as one.
    fn joined_rows(
        &mut self,
        parts: Vec<Part>,
        elem: &SigType,
        whole: &Whole<'_>,
    ) -> Lowered<Elem> {
        let rows = Whole {
            origin: whole.origin,
            place: format!("a row of {}", whole.place),
        };
        let first = parts[0].array.elem.clone();
        match first {
            Elem::Rows(first) => {
                self.require_rows(&parts, &rows)?;
                let flat = parts.into_iter().map(|part| part.inside()).collect();
                let flat = self.joined_parts(flat, elem, &rows)?;
                Ok(Elem::Rows(Box::new(Rows { flat, ..*first })))
            }
            Elem::Array(_) => {
                let inner = parts.into_iter().map(|part| part.inside()).collect();
                let array = self.joined_parts(inner, elem, &rows)?;
                Ok(Elem::Array(Box::new(array)))
            }
            Elem::Leaf(_) | Elem::Product(_) => unreachable!("typed: elements are arrays"),
        }
    }

    /// Requires the rows of all parts to have the lengths of those of the first.
    fn require_rows(&mut self, parts: &[Part], rows: &Whole<'_>) -> Lowered<()> {
        let src = rows.origin.src;
        let extent: Extent = parts[0].array.extent.clone();
        for part in &parts[1..] {
            self.build(&extent, src, |lower, index| {
                let own = lower.read_elem(&parts[0].array, index, src);
                let own = lower.as_array(&own).extent;
                let other = lower.read_elem(&part.array, index, src);
                let other = lower.as_array(&other).extent;
                let names = [rows.part(&parts[0]), rows.part(part)];
                lower.agree((&own, &names[0]), (&other, &names[1]), src);
                Ok(Value::Scalar(own.value))
            })?;
        }
        Ok(())
    }
}

impl Whole<'_> {
    /// What a part is called in messages.
    fn part(&self, part: &Part) -> String {
        let (place, name) = (&self.place, &self.origin.name);
        match part.number {
            1 => format!("{place}the first array of {name}"),
            number => format!("{place}array {number} of {name}"),
        }
    }
}

impl Part {
    /// The elements of its arrays.
    fn inside(self) -> Part {
        let number = self.number;
        let array = match self.array.elem {
            Elem::Array(inner) => *inner,
            Elem::Rows(rows) => rows.flat,
            Elem::Leaf(_) | Elem::Product(_) => unreachable!("typed: elements are arrays"),
        };
        Part { number, array }
    }
}

/// The arrays of a product, numbered from 1.
fn arrays_of(value: Value, out: &mut Vec<Part>) {
    match value {
        Value::Scalar(_) => unreachable!("typed: arrays only"),
        Value::Product(parts) => parts.into_iter().for_each(|part| arrays_of(part, out)),
        Value::Array(array) => {
            let number = out.len() + 1;
            out.push(Part { number, array });
        }
    }
}

impl Lower<'_> {
    /// The variables of a result, in the order of [`leaves`](super::ir::leaves).
    pub(super) fn components_of(
        &mut self,
        value: &Value,
        src: SrcSpan,
        out: &mut Vec<Atom>,
    ) -> Lowered<()> {
        match value {
            Value::Scalar(atom) => {
                out.push(*atom);
                Ok(())
            }
            Value::Product(parts) => parts
                .iter()
                .try_for_each(|part| self.components_of(part, src, out)),
            Value::Array(array) => {
                let vars = components(&array.elem).into_iter();
                out.extend(vars.map(Atom::Var));
                if let Some(bare) = bare(array, &[]) {
                    let blank = self.blank(&bare, src)?;
                    out.extend(
                        components(&self.as_array(&blank).elem)
                            .into_iter()
                            .map(Atom::Var),
                    );
                }
                Ok(())
            }
        }
    }

    /// An array of `bool`s of these extents.
    fn blank(&mut self, dims: &[Extent], src: SrcSpan) -> Lowered<Value> {
        match dims.split_first() {
            None => Ok(Value::Scalar(bool_const(false))),
            Some((extent, inner)) => self.build(extent, src, |lower, _| lower.blank(inner, src)),
        }
    }
}

/// The extents of an array, in the dimensions `outer`, whose elements hold no scalar.
fn bare(array: &Array, outer: &[Extent]) -> Option<Vec<Extent>> {
    let dims = [outer, std::slice::from_ref(&array.extent)].concat();
    match &array.elem {
        Elem::Leaf(_) => None,
        Elem::Product(_) => components(&array.elem).is_empty().then_some(dims),
        Elem::Array(inner) => bare(inner, &dims),
        Elem::Rows(rows) => bare(&rows.flat, &[]),
    }
}

/// A result as it goes over the border: an array of products with arrays in them as a product of
/// arrays.
pub(super) fn taken_apart(value: Value) -> Value {
    match value {
        Value::Scalar(_) => value,
        Value::Product(parts) => Value::Product(parts.into_iter().map(taken_apart).collect()),
        Value::Array(array) => apart(&array.elem, &|elem| Array {
            extent: array.extent.clone(),
            elem,
        }),
    }
}

/// The arrays of the components of `elem`; `around` gives the array of such elements.
fn apart(elem: &Elem, around: &dyn Fn(Elem) -> Array) -> Value {
    match elem {
        Elem::Product(parts) if parts.iter().any(holds_array) => {
            Value::Product(parts.iter().map(|part| apart(part, around)).collect())
        }
        Elem::Leaf(_) | Elem::Product(_) => Value::Array(around(elem.clone())),
        Elem::Array(inner) => apart(&inner.elem, &|elem| {
            let extent = inner.extent.clone();
            around(Elem::Array(Box::new(Array { extent, elem })))
        }),
        Elem::Rows(rows) => apart(&rows.flat.elem, &|elem| {
            let extent = rows.flat.extent.clone();
            let flat = Array { extent, elem };
            around(Elem::Rows(Box::new(Rows {
                flat,
                ..(**rows).clone()
            })))
        }),
    }
}
