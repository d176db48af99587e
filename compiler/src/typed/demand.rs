//! What operators demand of scalar types ("a float", "comparable"), checked at once where the type
//! is known, else when all of the body has been seen.

use super::body::Body;
use super::types::{Head, Kind, Ty};
use crate::prims::{
    COMPLEX_FNS, Domain, Prim, PrimInfo, Scalar, ScalarFn, complex_struct, component,
};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir::{BinOp, Bound};
use crate::typed::ir::SigType;

/// A set of types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// Integers and floats.
    Num,
    Int,
    Float,
    /// Integers without negative numbers.
    Unsigned,
    /// Integers with negative numbers.
    SignedInt,
    /// Signed integers and floats.
    Signed,
    /// Integers and `bool`.
    Bits,
    /// Scalars.
    Scalar,
    /// Scalars, complex numbers and tuples of these.
    Equal,
    /// What has an order: scalars, tuples and structs of these.
    Ordered,
    /// What complex numbers are made of.
    Component,
}

/// Who demands.
#[derive(Clone, Copy)]
pub(super) enum Who<'a> {
    /// An operator; which of its operands are known to be arrays.
    Binary(BinOp, [bool; 2]),
    Neg,
    Not,
    Function(&'static ScalarFn),
    /// An array operator, and the record of what was written, which may stand for it.
    Prim(Prim, &'static PrimInfo),
    /// An operator, of the keys that its function gives.
    Key(Prim),
    /// A type parameter of a function.
    Bound(&'a str),
    /// `as`: from any scalar.
    Cast,
    /// `Complex<T>`, of its components.
    Complex,
}

/// A demand that waits for its type.
#[derive(Clone, Copy)]
pub(super) struct Demand<'a> {
    ty: Ty,
    class: Class,
    src: SrcSpan,
    who: Who<'a>,
}

impl Class {
    fn has(self, scalar: Scalar) -> bool {
        match self {
            Class::Num => scalar != Scalar::Bool,
            Class::Int => scalar.is_int(),
            Class::Unsigned => scalar.is_unsigned_int(),
            Class::SignedInt => scalar.is_signed_int(),
            Class::Float => scalar.is_float(),
            Class::Signed => scalar.is_float() || scalar.is_signed_int(),
            Class::Bits => !scalar.is_float(),
            Class::Scalar | Class::Equal | Class::Ordered => true,
            Class::Component => complex_struct(scalar).is_some(),
        }
    }

    /// What an unknown type of this class is known to be.
    fn kind(self) -> Option<Kind> {
        match self {
            Class::Num | Class::Signed => Some(Kind::Num),
            Class::Int | Class::Unsigned | Class::SignedInt => Some(Kind::Int),
            Class::Float | Class::Component => Some(Kind::Float),
            Class::Bits | Class::Scalar | Class::Equal | Class::Ordered => None,
        }
    }

    fn describe(self) -> &'static str {
        match self {
            Class::Num => "integers and floats",
            Class::Int => "integers",
            Class::Unsigned => "unsigned integers",
            Class::SignedInt => "signed integers",
            Class::Float => "floats",
            Class::Signed => "signed integers and floats",
            Class::Bits => "integers and `bool`",
            Class::Scalar => "scalars",
            Class::Equal => "scalars, complex numbers and tuples of these",
            Class::Ordered => "scalars, and tuples and structs of these",
            Class::Component => "`f32` and `f64`",
        }
    }
}

impl From<Domain> for Class {
    fn from(domain: Domain) -> Self {
        match domain {
            Domain::Float => Class::Float,
            Domain::Unsigned => Class::Unsigned,
            Domain::SignedInt => Class::SignedInt,
            Domain::Int => Class::Int,
            Domain::Num => Class::Num,
            Domain::Signed => Class::Signed,
        }
    }
}

impl Class {
    /// The types that a bound allows; `None` for all.
    pub(super) fn of_bound(bound: Bound) -> Option<Class> {
        match bound {
            Bound::Any => None,
            Bound::Num => Some(Class::Num),
            Bound::Int => Some(Class::Int),
            Bound::Float => Some(Class::Float),
        }
    }

    /// Whether an instance may be of type `ty`.
    pub(super) fn allows(self, ty: &crate::typed::ir::Type) -> bool {
        matches!(ty, crate::typed::ir::Type::Scalar(scalar) if self.has(*scalar))
    }
}

impl<'a> Body<'_, 'a> {
    /// Demands that `ty` is in `class`; `src` is the whole expression that does. Whether it is, as
    /// far as is known.
    pub(super) fn demand(&mut self, ty: Ty, class: Class, src: SrcSpan, who: Who<'a>) -> bool {
        let verdict = self.satisfies(ty, class);
        match verdict {
            Some(true) => {}
            Some(false) => {
                let error = self.not_in_class(ty, class, src, who);
                self.error(error);
                self.types.give_up(ty);
            }
            None => self.demands.push(Demand {
                ty,
                class,
                src,
                who,
            }),
        }
        verdict != Some(false)
    }

    /// Checks what had to wait, with the defaults of literals.
    pub(super) fn check_demands(&mut self) {
        for demand in std::mem::take(&mut self.demands) {
            let Demand {
                ty,
                class,
                src,
                who,
            } = demand;
            let bad = match self.types.as_scalar(ty) {
                Some(scalar) => !class.has(scalar),
                // What is still unknown is reported where it is built.
                None => self.satisfies(ty, class) == Some(false),
            };
            if bad {
                let error = self.not_in_class(ty, class, src, who);
                self.error(error);
            }
        }
    }

    // `None`: not known yet.
    fn satisfies(&mut self, ty: Ty, class: Class) -> Option<bool> {
        match self.types.head(ty) {
            Head::Error => Some(true),
            Head::Scalar(scalar) => Some(class.has(scalar)),
            Head::Var(kind) => {
                let Some(narrower) = class.kind() else {
                    return (kind != Kind::Any && kind != Kind::Never && class != Class::Bits)
                        .then_some(true);
                };
                if self.types.narrow(ty, narrower).is_err() {
                    return Some(false);
                }
                match (class, kind) {
                    (Class::Signed, Kind::Float) => Some(true),
                    (Class::Component, _) => None,
                    (Class::Signed | Class::Unsigned | Class::SignedInt, _) => None,
                    _ => Some(true),
                }
            }
            Head::Tuple(fields) if matches!(class, Class::Equal | Class::Ordered) => {
                let fields: Option<Vec<bool>> =
                    fields.iter().map(|f| self.satisfies(*f, class)).collect();
                fields.map(|fields| fields.into_iter().all(|ok| ok))
            }
            Head::Struct(id) if class == Class::Ordered => {
                let fields = &self.session.structs[id.index()].fields;
                Some(!fields.iter().any(is_unordered))
            }
            Head::Complex(_) => Some(class == Class::Equal),
            Head::Tuple(_) | Head::Struct(_) | Head::Array(_) | Head::Seq(_) => Some(false),
        }
    }

    fn not_in_class(&self, ty: Ty, class: Class, src: SrcSpan, who: Who<'a>) -> Diagnostic {
        let found = self.types.quote(ty);
        let title = match who {
            Who::Binary(op, _) => format!("`{}` cannot be applied to {found}", symbol(op)),
            Who::Neg => format!("`-` cannot be applied to {found}"),
            Who::Not => format!("`!` cannot be applied to {found}"),
            Who::Function(function) => format!("`{}` cannot be applied to {found}", function.name),
            Who::Prim(_, info) => {
                format!("`{}` cannot be applied to an array of {found}", info.name)
            }
            Who::Key(prim) => format!("`{}` cannot order by {found}", prim.info().name),
            Who::Bound(name) => format!("`{name}` cannot be {found}"),
            Who::Cast => format!("{found} cannot be converted with `as`"),
            Who::Complex => format!("complex numbers cannot be made of {found}"),
        };
        let error = Diagnostic::new(src, title);
        let error = match who {
            Who::Prim(_, info) => error.note(format!(
                "`{}` is for arrays of {}",
                info.signature,
                class.describe()
            )),
            Who::Key(_) => error.note(format!("keys are {}", class.describe())),
            Who::Bound(_) | Who::Cast => error.note(format!("it is for {}", class.describe())),
            Who::Complex => error.note("their components are `f32` or `f64`"),
            Who::Binary(..) | Who::Neg | Who::Not | Who::Function(_) => {
                error.note(format!("it is for {}", class.describe()))
            }
        };
        match self.class_help(ty, who) {
            Some(help) => error.help(help),
            None => error,
        }
    }

    fn class_help(&self, ty: Ty, who: Who<'a>) -> Option<String> {
        let head = self.types.head(ty);
        let is_int = match head {
            Head::Var(kind) => matches!(kind, Kind::Int | Kind::Index),
            Head::Scalar(scalar) => scalar.is_int(),
            Head::Tuple(_)
            | Head::Struct(_)
            | Head::Complex(_)
            | Head::Array(_)
            | Head::Seq(_)
            | Head::Error => false,
        };
        let is_float = match head {
            Head::Var(kind) => kind == Kind::Float,
            Head::Scalar(scalar) => scalar.is_float(),
            Head::Tuple(_)
            | Head::Struct(_)
            | Head::Complex(_)
            | Head::Array(_)
            | Head::Seq(_)
            | Head::Error => false,
        };
        let is_bool = matches!(head, Head::Scalar(Scalar::Bool));
        let is_array = matches!(head, Head::Array(_));
        let is_complex = matches!(head, Head::Complex(_));
        Some(match who {
            Who::Prim(Prim::Mean | Prim::MeanOr, _) if is_complex => {
                let part = self.component(ty).map(|part| self.types.show(part));
                format!("divide the sum: `zs.sum() / zs.len() as {}`", part?)
            }
            Who::Binary(BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge, _)
            | Who::Prim(..)
            | Who::Key(_)
                if is_complex =>
            {
                "complex numbers have no order: compare `z.re`, `z.abs()` or `z.norm_sqr()`".into()
            }
            Who::Cast if is_complex => {
                "convert the components: `complex(z.re as f64, z.im as f64)`".into()
            }
            Who::Function(_) if is_complex => format!(
                "complex numbers have {}",
                COMPLEX_FNS
                    .iter()
                    .map(|function| format!("`{}`", function.name))
                    .collect::<Vec<_>>()
                    .join(" ")
            ),
            Who::Binary(op, arrays) if is_array => for_elements(op, arrays),
            Who::Binary(BinOp::Eq | BinOp::Ne, _) => "compare the fields".into(),
            Who::Binary(_, _) if matches!(head, Head::Tuple(_) | Head::Struct(_)) => {
                "apply it to the fields".into()
            }
            Who::Binary(BinOp::Add, _) if is_bool => "convert it to an integer, or use `||`".into(),
            Who::Binary(BinOp::Mul, _) if is_bool => "convert it to an integer, or use `&&`".into(),
            Who::Binary(BinOp::BitXor, _) if is_float => {
                "a power is written `x.pow(y)`, or `x.powi(3)`".into()
            }
            Who::Neg if is_int => "convert it to a signed type with `as` first".into(),
            Who::Neg | Who::Function(_) | Who::Not | Who::Cast if is_array => {
                "apply it to each element with `map`".into()
            }
            Who::Neg if is_bool => "negate a `bool` with `!`".into(),
            Who::Function(function) if matches!(function.name, "pow" | "powi") && is_int => {
                "that of integers is `x.wrapping_pow(2)`".into()
            }
            Who::Function(function) if function.domain == Domain::Float && is_int => {
                "write `2.0` for `2`; convert other integers with `as f32` or `as f64`".into()
            }
            Who::Prim(Prim::Sum, _) if is_bool => {
                "`count()` counts the elements that are true".into()
            }
            Who::Prim(Prim::Product, _) if is_bool => "`all()` says whether all are true".into(),
            Who::Prim(Prim::Mean | Prim::MeanOr, _) if is_int => {
                "convert the elements first: `xs.map(|x| x as f64).mean()`".into()
            }
            Who::Key(_) if is_array => {
                "arrays have no order: give a number or a tuple for each element".into()
            }
            Who::Prim(prim, _) if matches!(head, Head::Tuple(_)) => by_field(prim, "0")?,
            Who::Prim(prim, _) if matches!(head, Head::Struct(_)) => by_field(prim, "field")?,
            Who::Prim(prim, _) if is_array => match crate::prims::along_axis(prim) {
                Some(name) => format!(
                    "apply it to each inner array with `map`, along an axis, `a.{name}(0)`, or to \
                     all elements, `a.flatten()`"
                ),
                None => "apply it to each inner array with `map`".into(),
            },
            Who::Prim(..) | Who::Binary(..) | Who::Neg | Who::Not | Who::Function(_) => {
                return None;
            }
            Who::Key(_) | Who::Bound(_) | Who::Cast | Who::Complex => return None,
        })
    }
}

/// Whether there is something in it that has no order: a complex number or an array.
fn is_unordered(ty: &SigType) -> bool {
    match ty {
        SigType::Scalar(_) => false,
        SigType::Tuple(fields) => fields.iter().any(is_unordered),
        SigType::Struct(id, fields) => component(*id).is_some() || fields.iter().any(is_unordered),
        SigType::Vector(..) | SigType::Array { .. } => true,
    }
}

/// How an operator on scalars goes over elements.
fn for_elements(op: BinOp, arrays: [bool; 2]) -> String {
    let op = symbol(op);
    match (op, arrays) {
        ("==" | "!=", [true, true] | [false, false]) => {
            format!("compare element by element: `zip(xs, ys).all(|(x, y)| x {op} y)`")
        }
        (_, [true, true] | [false, false]) => {
            format!("apply it to each pair of elements: `zip(xs, ys).map(|(x, y)| x {op} y)`")
        }
        (_, [true, false]) => format!("apply it to each element: `xs.map(|x| x {op} y)`"),
        (_, [false, true]) => format!("apply it to each element: `ys.map(|y| x {op} y)`"),
    }
}

/// How what looks for an extreme, or sorts, goes by a field of the elements.
fn by_field(prim: Prim, field: &str) -> Option<String> {
    let element = |which, place| {
        format!("the element with the {which} field is `xs[xs.map(|x| x.{field}).{place}()]`")
    };
    Some(match prim {
        Prim::Min | Prim::MinOr => element("smallest", "argmin"),
        Prim::Max | Prim::MaxOr => element("largest", "argmax"),
        Prim::Argmin | Prim::Argmax => {
            format!(
                "take one field: `xs.map(|x| x.{field}).{}()`",
                prim.info().name
            )
        }
        Prim::ArgminOr | Prim::ArgmaxOr => {
            format!(
                "take one field: `xs.map(|x| x.{field}).{}(i)`",
                prim.info().name
            )
        }
        Prim::Sort => format!("order by a field: `xs.sort_by_key(|x| x.{field})`"),
        Prim::Argsort => format!("order by a field: `xs.map(|x| x.{field}).argsort()`"),
        _without_order => return None,
    })
}

/// How an operator is written.
pub(super) fn symbol(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::BitAnd => "&",
        BinOp::BitOr => "|",
        BinOp::BitXor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::Gt => ">",
        BinOp::Ge => ">=",
        BinOp::And => "&&",
        BinOp::Or => "||",
    }
}
