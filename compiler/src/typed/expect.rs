//! "expected …, found …", and how to get from one type to another.

use super::body::Body;
use super::draft::{NodeId, NodeKind};
use super::types::{Head, Kind, Ty};
use crate::ids::StructId;
use crate::prims::Scalar;
use crate::report::Diagnostic;
use crate::syntax::ir::LiteralValue;
use crate::typed::shared;
use std::fmt;

impl Body<'_, '_> {
    /// Demands that `node` has type `want`, and says `why` if it has not. Whether it has.
    pub(super) fn expect(&mut self, node: NodeId, want: Ty, why: fmt::Arguments<'_>) -> bool {
        let found = self.ty(node);
        let same = self.types.unify(found, want).is_ok();
        if !same {
            let error = self.mismatch(node, want, why);
            self.error(error);
        }
        same
    }

    /// That `node` has not type `want`.
    pub(super) fn mismatch(&self, node: NodeId, want: Ty, why: fmt::Arguments<'_>) -> Diagnostic {
        let node = self.value_of(node);
        let title = format!(
            "expected {}, found {}",
            self.types.quote(want),
            self.types.quote(self.ty(node))
        );
        let error = Diagnostic::new(self.src(node), title).note(why.to_string());
        if let Some(name) = self.namesakes(self.ty(node), want) {
            return error
                .note(format!("the two `{name}` are declared in different blocks"))
                .help(shared::how_to_import(self.session, self.unit, name));
        }
        match self.conversion(node, want) {
            Some(help) => error.help(help),
            None => error,
        }
    }

    // The name of two structs that differ, at one place in both types.
    fn namesakes(&self, a: Ty, b: Ty) -> Option<&str> {
        match (self.types.head(a), self.types.head(b)) {
            (Head::Struct(a), Head::Struct(b)) => {
                let name = |id: StructId| &*self.session.struct_names[id.index()];
                (a != b && name(a) == name(b)).then(|| name(a))
            }
            (Head::Array(a), Head::Array(b)) => self.namesakes(a, b),
            (Head::Tuple(a), Head::Tuple(b)) => {
                let mut fields = a.iter().zip(b.iter());
                fields.find_map(|(a, b)| self.namesakes(*a, *b))
            }
            _no_products => None,
        }
    }

    // The expression that a block ends with.
    fn value_of(&self, node: NodeId) -> NodeId {
        if let NodeKind::Block {
            value: Some(value), ..
        } = self.kind(node)
        {
            self.value_of(*value)
        } else {
            node
        }
    }

    /// How a value becomes one of type `want`.
    pub(super) fn conversion(&self, node: NodeId, want: Ty) -> Option<String> {
        match (self.types.head(self.ty(node)), self.types.head(want)) {
            (Head::Seq(_), Head::Array(_)) => {
                return Some("all items as an array are `s.collect()`".into());
            }
            (Head::Array(_), Head::Seq(_)) => {
                return Some("the elements as a sequence are `xs.stream()`".into());
            }
            (Head::Scalar(_) | Head::Var(Kind::Int | Kind::Float | Kind::Num), Head::Seq(_)) => {
                return Some("a sequence of it alone is `[x].stream()`".into());
            }
            _others => {}
        }
        let found = self.shape(self.ty(node));
        let wanted = self.shape(want);
        if let NodeKind::Literal { literal, .. } = self.kind(node)
            && literal.suffix.is_empty()
        {
            match (&literal.value, wanted) {
                (LiteralValue::Int(value), Shape::Float) => {
                    return Some(match self.generic(want) {
                        Some(name) => format!("write `{value} as {name}`"),
                        None => format!("write `{value}.0`"),
                    });
                }
                (LiteralValue::Float(_), Shape::Int) => {
                    let missing = self.point_missing(self.ty(node), want);
                    return missing.or_else(|| {
                        Some("write an integer, or convert the other value to a float".into())
                    });
                }
                _ => {}
            }
        }
        if let Some(help) = self.point_missing(self.ty(node), want) {
            return Some(help);
        }
        let to = self.types.as_scalar(want).map(Scalar::name);
        let to = self.generic(want).or(to);
        let known = !matches!(self.types.head(want), Head::Var(_));
        Some(match (found, wanted) {
            (Shape::Int | Shape::Float, Shape::Int | Shape::Float) => match to {
                Some(to) if known => format!("convert it: `… as {to}`"),
                _ => "convert one of them with `as`".into(),
            },
            (Shape::Int, Shape::Bool) => "compare it: `… != 0`".into(),
            (Shape::Float, Shape::Bool) => "compare it: `… != 0.0`".into(),
            (Shape::Bool, Shape::Int) => format!("convert it: `… as {}`", to?),
            (Shape::Array, Shape::Array) if self.holds(want, Shape::Bool) => {
                let zero = if self.holds(self.ty(node), Shape::Float) {
                    "0.0"
                } else if self.holds(self.ty(node), Shape::Int) {
                    "0"
                } else {
                    return None;
                };
                format!("ask something of each element: `xs.map(|x| x > {zero})`")
            }
            (Shape::Bool | Shape::Int | Shape::Float, Shape::Array) => {
                "`[x]` is an array of it alone, `fill(x, n)` one of equal elements".into()
            }
            (Shape::Array, Shape::Bool | Shape::Int | Shape::Float) => {
                "take an element with `xs[i]`, or apply the operation to each with `map`".into()
            }
            _ => return None,
        })
    }

    /// What to write where one of two types is that of numbers without a type of their own, as they were written,
    /// and the other one that of floats.
    pub(super) fn point_missing(&self, a: Ty, b: Ty) -> Option<String> {
        let is_free = |ty| matches!(self.types.head(ty), Head::Var(Kind::Int));
        match (self.shape(a), self.shape(b)) {
            (Shape::Int, Shape::Float) if is_free(a) => {}
            (Shape::Float, Shape::Int) if is_free(b) => {}
            _others => return None,
        }
        Some("a number without a point is an integer: write it with one, `0.0` for `0`".into())
    }

    // The type parameter that stands for a type.
    fn generic(&self, ty: Ty) -> Option<&str> {
        let scalar = self.types.as_scalar(ty)?;
        let same = |other: Ty| self.types.as_scalar(other) == Some(scalar);
        let found = self.generics.iter().find(|(_, other)| same(*other));
        found.map(|(name, _)| *name)
    }

    // Whether elements of an array are of this shape.
    fn holds(&self, array: Ty, shape: Shape) -> bool {
        match self.types.head(array) {
            Head::Array(elem) => self.shape(elem) == shape,
            _no_array => false,
        }
    }

    fn shape(&self, ty: Ty) -> Shape {
        match self.types.head(ty) {
            Head::Var(Kind::Any | Kind::Never) | Head::Error => Shape::Other,
            Head::Var(Kind::Int | Kind::Index | Kind::Num) => Shape::Int,
            Head::Var(Kind::Float) => Shape::Float,
            Head::Scalar(Scalar::Bool) => Shape::Bool,
            Head::Scalar(scalar) if scalar.is_int() => Shape::Int,
            Head::Scalar(_) => Shape::Float,
            Head::Array(_) => Shape::Array,
            Head::Tuple(_) | Head::Struct(_) | Head::Complex(_) | Head::Seq(_) => Shape::Other,
        }
    }
}

/// What conversions tell apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Bool,
    Int,
    Float,
    Array,
    Other,
}
