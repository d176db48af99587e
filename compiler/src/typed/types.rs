//! Types while they are being found.
//!
//! In: equations between types (`unify`). Out: what each type is (`head`, `resolve`, `show`). A
//! [`Ty`] is a position in one table per function body, so that it is free to copy; a type that is
//! not known yet is a [`Head::Var`], whose [`Kind`] says what is known about it.

use crate::ids::StructId;
use crate::prims::{Scalar, complex_struct, component};
use crate::typed::ir::Type;
use std::rc::Rc;

/// A type, maybe not known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ty(u32);

/// What is known about an unknown type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Nothing.
    Any,
    /// The type of an expression that is never reached the end of: any, `()` if nothing says which.
    Never,
    /// An integer or a float.
    Num,
    /// An integer, `i32` if nothing says which.
    Int,
    /// An integer, `usize` if nothing says which.
    Index,
    /// A float, `f64` if nothing says which.
    Float,
}

/// The outermost constructor of a type.
#[derive(Clone, Debug)]
pub(super) enum Head {
    Var(Kind),
    Scalar(Scalar),
    Tuple(Rc<[Ty]>),
    Struct(StructId),
    /// A complex number; the type of its components.
    Complex(Ty),
    Array(Ty),
    /// A sequence of these.
    Seq(Ty),
    /// The type of something ill-typed, which has been reported: equal to anything.
    Error,
}

/// Two types differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mismatch;

#[derive(Debug)]
enum Slot {
    Link(Ty),
    Head(Head),
}

/// All types of one function body.
#[derive(Debug)]
pub(super) struct Types {
    slots: Vec<Slot>,
    struct_names: Rc<[String]>,
}

impl Kind {
    fn meet(self, other: Kind) -> Option<Kind> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (Kind::Any, k) | (k, Kind::Any) | (Kind::Never, k) | (k, Kind::Never) => Some(k),
            (Kind::Num, k) | (k, Kind::Num) => Some(k),
            (Kind::Int, Kind::Index) | (Kind::Index, Kind::Int) => Some(Kind::Index),
            (Kind::Float, _) | (_, Kind::Float) => None,
            (Kind::Int | Kind::Index, Kind::Int | Kind::Index) => Some(Kind::Index),
        }
    }

    fn admits(self, head: &Head) -> bool {
        match self {
            Kind::Any | Kind::Never => true,
            Kind::Num => matches!(head, Head::Scalar(s) if *s != Scalar::Bool),
            Kind::Int | Kind::Index => matches!(head, Head::Scalar(s) if s.is_int()),
            Kind::Float => matches!(head, Head::Scalar(s) if s.is_float()),
        }
    }

    /// The type that an unknown type of this kind becomes in the end.
    pub(super) fn default_scalar(self) -> Option<Scalar> {
        match self {
            Kind::Any | Kind::Never | Kind::Num => None,
            Kind::Int => Some(Scalar::I32),
            Kind::Index => Some(Scalar::Usize),
            Kind::Float => Some(Scalar::F64),
        }
    }
}

impl Ty {
    /// The type of something that has been reported.
    pub(super) const ERROR: Ty = Ty(Scalar::ALL.len() as u32);
    /// `()`
    pub(super) const UNIT: Ty = Ty(Scalar::ALL.len() as u32 + 1);
    pub(super) const BOOL: Ty = Ty::scalar(Scalar::Bool);
    pub(super) const USIZE: Ty = Ty::scalar(Scalar::Usize);

    pub(super) const fn scalar(scalar: Scalar) -> Ty {
        Ty(scalar as u32)
    }
}

impl Types {
    pub(super) fn new(struct_names: Rc<[String]>) -> Self {
        let scalars = Scalar::ALL.into_iter().map(Head::Scalar);
        let rest = [Head::Error, Head::Tuple(Rc::from([]))];
        let mut slots = Vec::with_capacity(64);
        slots.extend(scalars.chain(rest).map(Slot::Head));
        Types {
            slots,
            struct_names,
        }
    }

    fn push(&mut self, head: Head) -> Ty {
        self.slots.push(Slot::Head(head));
        Ty(u32::try_from(self.slots.len() - 1).expect("fewer than 2^32 types"))
    }

    pub(super) fn var(&mut self, kind: Kind) -> Ty {
        self.push(Head::Var(kind))
    }

    pub(super) fn any(&mut self) -> Ty {
        self.var(Kind::Any)
    }

    pub(super) fn array(&mut self, elem: Ty) -> Ty {
        self.push(Head::Array(elem))
    }

    pub(super) fn seq(&mut self, item: Ty) -> Ty {
        self.push(Head::Seq(item))
    }

    pub(super) fn tuple(&mut self, fields: Vec<Ty>) -> Ty {
        if fields.is_empty() {
            return Ty::UNIT;
        }
        self.push(Head::Tuple(fields.into()))
    }

    pub(super) fn strukt(&mut self, id: StructId) -> Ty {
        match component(id) {
            Some(part) => self.complex(Ty::scalar(part)),
            None => self.push(Head::Struct(id)),
        }
    }

    /// The complex numbers with components of type `part`.
    pub(super) fn complex(&mut self, part: Ty) -> Ty {
        self.push(Head::Complex(part))
    }

    /// The type `ty`, which is known.
    pub(super) fn known(&mut self, ty: &Type) -> Ty {
        match ty {
            Type::Scalar(scalar) => Ty::scalar(*scalar),
            Type::Tuple(fields) => {
                let fields = fields.iter().map(|field| self.known(field)).collect();
                self.tuple(fields)
            }
            Type::Struct(id) => self.strukt(*id),
            Type::Array(elem) => {
                let elem = self.known(elem);
                self.array(elem)
            }
        }
    }

    fn find(&self, mut ty: Ty) -> Ty {
        while let Slot::Link(next) = self.slots[ty.0 as usize] {
            ty = next;
        }
        ty
    }

    pub(super) fn head(&self, ty: Ty) -> Head {
        match &self.slots[self.find(ty).0 as usize] {
            Slot::Head(head) => head.clone(),
            Slot::Link(_) => Head::Error,
        }
    }

    fn set(&mut self, var: Ty, slot: Slot) {
        self.slots[var.0 as usize] = slot;
    }

    /// Narrows an unknown type; a known one is left alone.
    pub(super) fn narrow(&mut self, ty: Ty, kind: Kind) -> Result<(), Mismatch> {
        let root = self.find(ty);
        if let Head::Var(old) = self.head(root) {
            let kind = old.meet(kind).ok_or(Mismatch)?;
            self.set(root, Slot::Head(Head::Var(kind)));
        }
        Ok(())
    }

    /// Makes an unknown type an ill-typed one, so that it is reported once.
    pub(super) fn give_up(&mut self, ty: Ty) {
        let root = self.find(ty);
        if matches!(self.head(root), Head::Var(_)) {
            self.set(root, Slot::Link(Ty::ERROR));
        }
    }

    /// The same for all parts of a type.
    pub(super) fn give_up_all(&mut self, ty: Ty) {
        match self.head(ty) {
            Head::Var(_) => self.give_up(ty),
            Head::Array(part) | Head::Seq(part) | Head::Complex(part) => self.give_up_all(part),
            Head::Tuple(fields) => fields.iter().for_each(|field| self.give_up_all(*field)),
            Head::Scalar(_) | Head::Struct(_) | Head::Error => {}
        }
    }

    /// Whether a part of the type is ill-typed, which has been reported.
    pub(super) fn has_error(&self, ty: Ty) -> bool {
        match self.head(ty) {
            Head::Error => true,
            Head::Array(part) | Head::Seq(part) | Head::Complex(part) => self.has_error(part),
            Head::Tuple(fields) => fields.iter().any(|field| self.has_error(*field)),
            Head::Var(_) | Head::Scalar(_) | Head::Struct(_) => false,
        }
    }

    pub(super) fn unify(&mut self, a: Ty, b: Ty) -> Result<(), Mismatch> {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return Ok(());
        }
        match (self.head(a), self.head(b)) {
            (Head::Error, Head::Var(_)) => self.set(b, Slot::Link(a)),
            (Head::Var(_), Head::Error) => self.set(a, Slot::Link(b)),
            (Head::Error, _) | (_, Head::Error) => {}
            (Head::Var(k), Head::Var(l)) => {
                let kind = k.meet(l).ok_or(Mismatch)?;
                self.set(b, Slot::Head(Head::Var(kind)));
                self.set(a, Slot::Link(b));
            }
            (Head::Var(kind), head) => self.bind(a, kind, b, &head)?,
            (head, Head::Var(kind)) => self.bind(b, kind, a, &head)?,
            (Head::Scalar(s), Head::Scalar(t)) if s == t => {}
            (Head::Struct(s), Head::Struct(t)) if s == t => {}
            (Head::Array(s), Head::Array(t))
            | (Head::Seq(s), Head::Seq(t))
            | (Head::Complex(s), Head::Complex(t)) => self.unify(s, t)?,
            (Head::Tuple(s), Head::Tuple(t)) if s.len() == t.len() => {
                for (s, t) in s.iter().zip(t.iter()) {
                    self.unify(*s, *t)?;
                }
            }
            (
                Head::Scalar(_)
                | Head::Struct(_)
                | Head::Complex(_)
                | Head::Array(_)
                | Head::Seq(_)
                | Head::Tuple(_),
                Head::Scalar(_)
                | Head::Struct(_)
                | Head::Complex(_)
                | Head::Array(_)
                | Head::Seq(_)
                | Head::Tuple(_),
            ) => return Err(Mismatch),
        }
        Ok(())
    }

    fn bind(&mut self, var: Ty, kind: Kind, ty: Ty, head: &Head) -> Result<(), Mismatch> {
        if !kind.admits(head) || self.occurs(var, ty) {
            return Err(Mismatch);
        }
        self.set(var, Slot::Link(ty));
        Ok(())
    }

    fn occurs(&self, var: Ty, ty: Ty) -> bool {
        match self.head(ty) {
            Head::Var(_) => self.find(ty) == var,
            Head::Scalar(_) | Head::Struct(_) | Head::Error => false,
            Head::Array(part) | Head::Seq(part) | Head::Complex(part) => self.occurs(var, part),
            Head::Tuple(fields) => fields.iter().any(|field| self.occurs(var, *field)),
        }
    }

    /// The type, with the defaults of literals; `None` if it is not known.
    pub(super) fn resolve(&self, ty: Ty) -> Option<Type> {
        Some(match self.head(ty) {
            Head::Var(Kind::Never) => Type::Tuple(Vec::new()),
            Head::Var(kind) => Type::Scalar(kind.default_scalar()?),
            Head::Scalar(scalar) => Type::Scalar(scalar),
            Head::Struct(id) => Type::Struct(id),
            Head::Complex(part) => Type::Struct(complex_struct(self.as_scalar(part)?)?),
            // What is computed with all items at hand is the meaning: see [`crate::streamed`].
            Head::Array(elem) | Head::Seq(elem) => Type::Array(Box::new(self.resolve(elem)?)),
            Head::Tuple(fields) => {
                let fields = fields.iter().map(|field| self.resolve(*field));
                Type::Tuple(fields.collect::<Option<_>>()?)
            }
            Head::Error => return None,
        })
    }

    /// The scalar that `ty` is, with the defaults of literals.
    pub(super) fn as_scalar(&self, ty: Ty) -> Option<Scalar> {
        match self.head(ty) {
            Head::Var(kind) => kind.default_scalar(),
            Head::Scalar(scalar) => Some(scalar),
            Head::Tuple(_)
            | Head::Struct(_)
            | Head::Complex(_)
            | Head::Array(_)
            | Head::Seq(_)
            | Head::Error => None,
        }
    }

    pub(super) fn is_error(&self, ty: Ty) -> bool {
        matches!(self.head(ty), Head::Error)
    }

    /// `()`, or what is never reached.
    pub(super) fn is_unit(&self, ty: Ty) -> bool {
        match self.head(ty) {
            Head::Tuple(fields) => fields.is_empty(),
            Head::Var(kind) => kind == Kind::Never,
            Head::Scalar(_)
            | Head::Struct(_)
            | Head::Complex(_)
            | Head::Array(_)
            | Head::Seq(_)
            | Head::Error => false,
        }
    }

    pub(super) fn is_never(&self, ty: Ty) -> bool {
        matches!(self.head(ty), Head::Var(Kind::Never))
    }

    /// How a message spells the type.
    pub(super) fn show(&self, ty: Ty) -> String {
        match self.head(ty) {
            Head::Var(Kind::Any | Kind::Never) | Head::Error => "_".into(),
            Head::Var(Kind::Num) => "number".into(),
            Head::Var(Kind::Int | Kind::Index) => "integer".into(),
            Head::Var(Kind::Float) => "float".into(),
            Head::Scalar(scalar) => scalar.name().into(),
            Head::Struct(id) => self.struct_names[id.index()].clone(),
            Head::Complex(part) => format!("Complex<{}>", self.show(part)),
            Head::Array(elem) => format!("[{}]", self.show(elem)),
            Head::Seq(item) => format!("Seq<{}>", self.show(item)),
            Head::Tuple(fields) => {
                let fields: Vec<_> = fields.iter().map(|field| self.show(*field)).collect();
                match fields.as_slice() {
                    [one] => format!("({one},)"),
                    more => format!("({})", more.join(", ")),
                }
            }
        }
    }

    /// The type in back quotes, or `an integer`, `a float` where it is only known so far.
    pub(super) fn quote(&self, ty: Ty) -> String {
        match self.head(ty) {
            Head::Var(Kind::Int | Kind::Index) => "an integer".into(),
            Head::Var(Kind::Float) => "a float".into(),
            Head::Var(Kind::Num) => "a number".into(),
            _ => format!("`{}`", self.show(ty)),
        }
    }
}
