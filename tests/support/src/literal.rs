//! Values from text.
//!
//! In: a Rust expression and the type it stands for. Out: the value. Beyond literals, tuples,
//! struct literals (fields in order), `[…]`, `[v; n]`, `vec![…]` and `&`:
//!
//! * scalars: `NaN`, `inf`, `MIN`, `MAX`, a `-` in front of any;
//! * arrays: `ramp(n)` (0, 1, 2, …), `random(seed, n)` and `random(seed, n, lo..hi)` (uniform),
//!   `special(seed, n)` (full of edge cases), `zip(xs, ys, …)` (arrays of products by component).
//!   `uneven(seed, (n, m, …), lo..hi)` (`n` arrays of any lengths up to `m`; of `m` where the type has
//!   a size).
//!   In an array of products the first three fill every component. Of an array of arrays, `n` is
//!   its shape: `ramp((n, m))`; and `[[0; 3]; 0]` is 0 × 3.

use crate::rng::Rng;
use crate::special::special;
use ragged_compiler::interpret::Value;
use ragged_compiler::prims::Scalar;
use ragged_compiler::typed::ir::{Const, SigType, SizeSpec};
use syn::{Expr, Lit, UnOp};

/// The value of type `ty` that `expr` stands for.
///
/// # Panics
/// If it stands for none.
pub fn value(expr: &Expr, ty: &SigType) -> Value {
    match (expr, ty) {
        (Expr::Reference(inner), _) => value(&inner.expr, ty),
        (Expr::Paren(inner), _) => value(&inner.expr, ty),
        (Expr::Array(array), SigType::Array { elem, .. }) => {
            Value::Array(array.elems.iter().map(|x| value(x, elem)).collect())
        }
        (Expr::Repeat(repeat), SigType::Array { elem, .. }) => {
            let elem = value(&repeat.expr, elem);
            Value::array(vec![elem.clone(); number(&repeat.len)], || elem)
        }
        (Expr::Macro(vec), SigType::Array { .. }) => {
            let elements = &vec.mac.tokens;
            let array = syn::parse_str(&format!("[{elements}]")).expect("elements");
            value(&array, ty)
        }
        (Expr::Call(call), SigType::Array { elem, .. }) => generated(call, elem, ty),
        (Expr::Tuple(tuple), SigType::Tuple(parts) | SigType::Struct(_, parts)) => {
            product(tuple.elems.iter(), parts)
        }
        (Expr::Struct(fields), SigType::Struct(_, parts)) => {
            product(fields.fields.iter().map(|field| &field.expr), parts)
        }
        (_, SigType::Scalar(ty)) => Value::Scalar(scalar(expr, *ty)),
        (
            _,
            SigType::Array { .. } | SigType::Vector(..) | SigType::Tuple(_) | SigType::Struct(..),
        ) => {
            panic!("not a value of {ty:?}")
        }
    }
}

fn product<'a>(exprs: impl ExactSizeIterator<Item = &'a Expr>, parts: &[SigType]) -> Value {
    assert_eq!(exprs.len(), parts.len(), "components of a product");
    Value::Tuple(exprs.zip(parts).map(|(x, part)| value(x, part)).collect())
}

fn scalar(expr: &Expr, ty: Scalar) -> Const {
    let name = |expr: &Expr| match expr {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        _other => None,
    };
    match (expr, name(expr).as_deref()) {
        (_, Some("NaN")) => float(f64::NAN, ty),
        (_, Some("inf")) => float(f64::INFINITY, ty),
        (_, Some("MIN")) => integer(least(ty), ty),
        (_, Some("MAX")) => integer(greatest(ty), ty),
        (Expr::Unary(negated), _) if matches!(negated.op, UnOp::Neg(_)) => {
            negate(scalar(&negated.expr, ty))
        }
        (Expr::Lit(literal), _) => literal_of(&literal.lit, ty),
        _other => panic!("not a scalar"),
    }
}

fn literal_of(literal: &Lit, ty: Scalar) -> Const {
    match literal {
        Lit::Bool(truth) if ty == Scalar::Bool => Const {
            ty,
            bits: u64::from(truth.value),
        },
        Lit::Int(int) if ty.is_int() => integer(int.base10_parse().expect("an integer"), ty),
        Lit::Float(it) if ty == Scalar::F32 => Const {
            ty,
            bits: u64::from(it.base10_parse::<f32>().expect("a float").to_bits()),
        },
        Lit::Float(it) if ty.is_float() => float(it.base10_parse().expect("a float"), ty),
        _other => panic!("a literal of another type than {}", ty.name()),
    }
}

fn negate(x: Const) -> Const {
    match x.ty {
        ty if ty.is_float() => Const {
            bits: x.bits ^ 1 << (ty.bits() - 1),
            ..x
        },
        ty => integer(-(i128::from(x.bits)), ty),
    }
}

/// `x` as a scalar of float type `ty`, rounded.
pub fn float(x: f64, ty: Scalar) -> Const {
    let bits = ty.float_bits(x);
    Const { ty, bits }
}

/// `x` modulo the width of integer type `ty`.
pub fn integer(x: i128, ty: Scalar) -> Const {
    assert!(ty.is_int(), "{} is no integer type", ty.name());
    let unused = 64 - ty.bits();
    let bits = if ty.is_signed_int() {
        ((x as i64) << unused >> unused) as u64
    } else {
        (x as u64) << unused >> unused
    };
    Const { ty, bits }
}

/// The least number of an integer type.
pub fn least(ty: Scalar) -> i128 {
    if ty.is_signed_int() {
        -(1 << (ty.bits() - 1))
    } else {
        0
    }
}

/// The greatest number of an integer type.
pub fn greatest(ty: Scalar) -> i128 {
    least(ty) + (1 << ty.bits()) - 1
}

fn generated(call: &syn::ExprCall, elem: &SigType, ty: &SigType) -> Value {
    let Expr::Path(name) = &*call.func else {
        panic!("not a generator");
    };
    let args: Vec<&Expr> = call.args.iter().collect();
    let name = name.path.get_ident().map(ToString::to_string);
    match (name.as_deref(), args.as_slice()) {
        (Some("zip"), args) => zip(args, elem, ty),
        (Some("ramp"), [n]) => array(&shape(n), elem, |at, ty| match ty {
            Scalar::Bool => Const {
                ty,
                bits: at as u64 % 2,
            },
            ty if ty.is_float() => float(at as f64, ty),
            int => integer(at as i128, int),
        }),
        (Some("random"), [seed, n]) => {
            let mut rng = Rng::new(number(seed) as u64);
            array(&shape(n), elem, |_, ty| uniform(&mut rng, ty, None))
        }
        (Some("random"), [seed, n, Expr::Range(range)]) => {
            let mut rng = Rng::new(number(seed) as u64);
            array(&shape(n), elem, |_, ty| uniform(&mut rng, ty, Some(range)))
        }
        (Some("uneven"), [seed, n, Expr::Range(range)]) => {
            let mut rng = Rng::new(number(seed) as u64);
            uneven(&shape(n), true, elem, &mut rng, range)
        }
        (Some("special"), [seed, n]) => {
            let mut rng = Rng::new(number(seed) as u64);
            array(&shape(n), elem, |_, ty| special(&mut rng, ty))
        }
        _other => panic!("no such generator"),
    }
}

fn zip(args: &[&Expr], elem: &SigType, ty: &SigType) -> Value {
    let columns: Vec<Value> = args
        .iter()
        .zip(columns(elem, ty))
        .map(|(arg, column)| value(arg, &column))
        .collect();
    zipped(&columns, elem)
}

/// The types of the arrays of each component, of an array of type `ty` with elements `elem`.
fn columns(elem: &SigType, ty: &SigType) -> Vec<SigType> {
    let SigType::Array { size, src, .. } = ty else {
        unreachable!("only arrays are generated")
    };
    let (size, src) = (*size, *src);
    let columns = match elem {
        SigType::Tuple(parts) | SigType::Struct(_, parts) => parts.clone(),
        SigType::Array { elem: inner, .. } => columns(inner, elem),
        SigType::Scalar(_) | SigType::Vector(..) => panic!("`zip` makes arrays of products"),
    };
    let column = |elem| SigType::Array {
        elem: Box::new(elem),
        size,
        src,
    };
    columns.into_iter().map(column).collect()
}

fn zipped(columns: &[Value], elem: &SigType) -> Value {
    let row = |i: usize| {
        let parts = columns.iter().map(|column| column.elements()[i].clone());
        match elem {
            SigType::Array { elem, .. } => zipped(&parts.collect::<Vec<_>>(), elem),
            SigType::Scalar(_) | SigType::Tuple(_) | SigType::Struct(..) | SigType::Vector(..) => {
                Value::Tuple(parts.collect())
            }
        }
    };
    Value::Array((0..columns[0].elements().len()).map(row).collect())
}

/// The array of this shape with elements of type `elem`, which `scalar` makes in row-major order.
fn array(shape: &[usize], elem: &SigType, mut scalar: impl FnMut(usize, Scalar) -> Const) -> Value {
    let mut at = 0..;
    nested(shape, elem, &mut |ty| {
        fill(ty, at.next().expect("there is no end"), &mut scalar)
    })
}

fn nested(shape: &[usize], elem: &SigType, make: &mut impl FnMut(&SigType) -> Value) -> Value {
    let (n, rest) = shape.split_first().expect("the shape has too few axes");
    match elem {
        SigType::Array { elem, .. } => {
            let rows = (0..*n).map(|_| nested(rest, elem, make)).collect();
            Value::array(rows, || blank(rest, elem))
        }
        SigType::Scalar(_) | SigType::Tuple(_) | SigType::Struct(..) | SigType::Vector(..) => {
            assert!(rest.is_empty(), "the shape has too many axes");
            Value::Array((0..*n).map(|_| make(elem)).collect())
        }
    }
}

/// An array of arrays of any lengths up to those of `shape`; the outermost, and those with sizes, are
/// just so long.
fn uneven(
    shape: &[usize],
    exact: bool,
    elem: &SigType,
    rng: &mut Rng,
    range: &syn::ExprRange,
) -> Value {
    let (most, rest) = shape.split_first().expect("the shape has too few axes");
    let n = match (exact, rng.below(8)) {
        (true, _) | (false, 7) => *most,
        (false, 0 | 1) => 0,
        (false, 2 | 3) => rng.below(most.min(&4) + 1),
        (false, _) => rng.below(most + 1),
    };
    let rows = (0..n).map(|_| match elem {
        SigType::Array { elem, size, .. } => uneven(rest, *size != SizeSpec::Own, elem, rng, range),
        SigType::Scalar(_) | SigType::Tuple(_) | SigType::Struct(..) | SigType::Vector(..) => {
            fill(elem, 0, &mut |_, ty| uniform(rng, ty, Some(range)))
        }
    });
    Value::Array(rows.collect())
}

/// What a row of this shape would look like, where there is none.
fn blank(shape: &[usize], elem: &SigType) -> Value {
    array(shape, elem, |_, ty| Const { ty, bits: 0 })
}

fn fill(ty: &SigType, at: usize, scalar: &mut impl FnMut(usize, Scalar) -> Const) -> Value {
    match ty {
        SigType::Scalar(ty) => Value::Scalar(scalar(at, *ty)),
        SigType::Tuple(parts) | SigType::Struct(_, parts) => {
            Value::Tuple(parts.iter().map(|part| fill(part, at, scalar)).collect())
        }
        SigType::Array {
            elem,
            size: SizeSpec::Inline(len),
            ..
        } => Value::Array((0..*len).map(|_| fill(elem, at, scalar)).collect()),
        SigType::Array { .. } | SigType::Vector(..) => {
            panic!("an array in a product in an array")
        }
    }
}

/// Uniform in `range`, or over the type (floats: from -1 to 1).
fn uniform(rng: &mut Rng, ty: Scalar, range: Option<&syn::ExprRange>) -> Const {
    let bound =
        |expr: &Option<Box<Expr>>, ty| scalar(expr.as_ref().expect("a range has both bounds"), ty);
    match ty {
        Scalar::Bool => Const {
            ty,
            bits: rng.bits() & 1,
        },
        ty if ty.is_float() => {
            let (lo, hi) = range.map_or((-1.0, 1.0), |range| {
                let end = |expr: &Option<Box<Expr>>| {
                    real(expr.as_ref().expect("a range has both bounds"))
                };
                (end(&range.start), end(&range.end))
            });
            float(lo + rng.unit() * (hi - lo), ty)
        }
        int => {
            let (lo, hi) = range.map_or((least(int), greatest(int) + 1), |range| {
                let end = |expr| i128::from(bound(expr, Scalar::I64).bits as i64);
                (end(&range.start), end(&range.end))
            });
            let offset = u128::from(rng.bits()) % ((hi - lo) as u128);
            integer(lo + offset as i128, int)
        }
    }
}

/// A number of any kind: fields of a product may be of several.
fn real(expr: &Expr) -> f64 {
    match expr {
        Expr::Unary(negated) if matches!(negated.op, UnOp::Neg(_)) => -real(&negated.expr),
        Expr::Lit(lit) if matches!(lit.lit, Lit::Int(_)) => {
            scalar(expr, Scalar::I64).bits as i64 as f64
        }
        _float => f64::from_bits(scalar(expr, Scalar::F64).bits),
    }
}

/// A number, or several in parentheses.
fn shape(expr: &Expr) -> Vec<usize> {
    match expr {
        Expr::Tuple(axes) => axes.elems.iter().map(number).collect(),
        one => vec![number(one)],
    }
}

fn number(expr: &Expr) -> usize {
    scalar(expr, Scalar::Usize).bits as usize
}

/// The least number of an integer type as text; of other types nothing.
pub fn least_text(ty: Scalar) -> String {
    if ty.is_signed_int() {
        least(ty).to_string()
    } else {
        String::new()
    }
}
