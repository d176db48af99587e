//! Expressions that give scalars and tuples, by operations on scalars.

use super::state::State;
use super::tree::{Node, Ty};
use super::{Hazard, arrays, bodies, complex, dense, ragged, reductions, rows};
use crate::parts;
use crate::special::special;
use ragged_compiler::interpret::Value;
use ragged_compiler::prims::{SCALAR_FNS, Scalar, ScalarFn};

pub const BOOL: Ty = Ty::Scalar(Scalar::Bool);
pub const USIZE: Ty = Ty::Scalar(Scalar::Usize);
pub const U32: Ty = Ty::Scalar(Scalar::U32);

/// What complex numbers are made of.
pub const COMPONENTS: [Scalar; 2] = [Scalar::F32, Scalar::F64];

/// An expression of type `ty`; of arrays, where array operations may stand.
pub fn expr(s: &mut State, ty: &Ty) -> Node {
    s.budget -= 1;
    match ty {
        Ty::Scalar(scalar) => s.sparing(|s| of_scalar(s, *scalar, ty)),
        Ty::Complex(part) => s.sparing(|s| complex::complex(s, *part, ty)),
        Ty::Tuple(parts) => s.sparing(|s| tuple(s, ty, parts)),
        Ty::Array(elem) => arrays::array(s, elem).node,
        Ty::Dense(dims, elem) => dense::dense(s, dims, elem, ty),
    }
}

fn tuple(s: &mut State, ty: &Ty, parts: &[Ty]) -> Node {
    let vars = s.vars(ty);
    if !vars.is_empty() && s.rng.chance(1, 3) {
        return Node::expr(ty, parts![s.rng.pick(&vars).name.as_str()]);
    }
    if s.budget > 0 && s.rng.chance(1, 3) {
        return composed(s, ty);
    }
    let mut made = parts!["("];
    for part in parts {
        made.extend(parts![expr(s, part), ", "]);
    }
    made.extend(parts![")"]);
    Node::expr(ty, made)
}

fn of_scalar(s: &mut State, scalar: Scalar, ty: &Ty) -> Node {
    if s.budget <= 0 || s.rng.chance(1, 4) {
        return leaf(s, scalar, ty);
    }
    if s.nests() && s.rng.chance(1, 3) && s.may_operate() {
        return reductions::reduction(s, scalar, ty);
    }
    match s.rng.below(10) {
        0 | 1 => composed(s, ty),
        2 => read(s, ty),
        3 => cast(s, scalar, ty),
        4 if s.may_operate() => reductions::reduction(s, scalar, ty),
        5 => call(s, ty),
        6 if COMPONENTS.contains(&scalar) && s.rng.chance(1, 3) => complex::part(s, scalar, ty),
        _ => operation(s, scalar, ty),
    }
}

/// Forms that are the same for every type.
pub fn composed(s: &mut State, ty: &Ty) -> Node {
    match s.rng.below(5) {
        0 | 1 => {
            let cond = expr(s, &BOOL);
            let (then, other) = (s.scoped(|s| expr(s, ty)), s.scoped(|s| expr(s, ty)));
            Node::expr(
                ty,
                parts!["(if ", cond, " { ", then, " } else { ", other, " })"],
            )
        }
        2 => bodies::match_(s, ty),
        3 => bodies::with_lets(s, ty),
        _ => bodies::with_loop(s, ty),
    }
}

/// A literal, or a name or component of one in scope.
fn leaf(s: &mut State, scalar: Scalar, ty: &Ty) -> Node {
    let mut places = Vec::new();
    for var in &s.scope {
        components(&var.name, &var.ty, scalar, &mut places);
    }
    if places.is_empty() || s.rng.chance(1, 5) {
        return literal(s, scalar, ty);
    }
    Node::expr(ty, parts![s.rng.pick(&places).as_str()])
}

fn components(place: &str, ty: &Ty, scalar: Scalar, out: &mut Vec<String>) {
    match ty {
        Ty::Scalar(it) if *it == scalar => out.push(place.to_owned()),
        Ty::Complex(part) if *part == scalar => {
            out.extend([".re", ".im"].map(|field| format!("{place}{field}")));
        }
        Ty::Tuple(parts) => {
            for (at, part) in parts.iter().enumerate() {
                components(&format!("{place}.{at}"), part, scalar, out);
            }
        }
        Ty::Scalar(_) | Ty::Complex(_) | Ty::Array(_) | Ty::Dense(..) => {}
    }
}

fn literal(s: &mut State, scalar: Scalar, ty: &Ty) -> Node {
    let value = if scalar == Scalar::Usize {
        Value::from(s.rng.below(9))
    } else {
        Value::Scalar(special(&mut s.rng, scalar))
    };
    Node::expr(ty, parts![literal_text(&value)])
}

/// A value as the language writes it.
pub fn literal_text(value: &Value) -> String {
    let scalar = value.scalar();
    let name = scalar.ty.name();
    let text = value.to_string();
    match text.as_str() {
        "NaN" => format!("{name}::NAN"),
        "inf" => format!("{name}::INFINITY"),
        "-inf" => format!("{name}::NEG_INFINITY"),
        "true" | "false" => text,
        _ if text == crate::literal::least_text(scalar.ty) => format!("{name}::MIN"),
        _ => match text.strip_prefix('-') {
            Some(magnitude) => format!("(-{magnitude}{name})"),
            None => format!("{text}{name}"),
        },
    }
}

/// The expression that a shrunk program may have in place of any of type `ty`.
pub fn simplest(ty: &Ty) -> String {
    match ty {
        Ty::Scalar(Scalar::Bool) => "false".to_owned(),
        Ty::Scalar(scalar) if scalar.is_float() => format!("1.0{}", scalar.name()),
        Ty::Scalar(scalar) => format!("1{}", scalar.name()),
        Ty::Complex(part) => {
            let part = simplest(&Ty::Scalar(*part));
            format!("complex({part}, {part})")
        }
        Ty::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(simplest).collect();
            format!("({})", parts.join(", "))
        }
        Ty::Array(elem) => format!("[{}]", simplest(elem)),
        Ty::Dense(dims, elem) => {
            let inner = simplest(&Ty::dense(&dims[1..], elem));
            format!("fill({inner}, {})", dims[0])
        }
    }
}

fn cast(s: &mut State, scalar: Scalar, ty: &Ty) -> Node {
    if scalar == Scalar::Bool {
        return operation(s, scalar, ty);
    }
    // Many functions of integers count bits.
    let from = match s.rng.chance(1, 4) {
        true => return counted_bits(s, scalar, ty),
        false => s.scalar(),
    };
    if from == Scalar::Bool && !scalar.is_int() {
        return operation(s, scalar, ty);
    }
    let value = expr(s, &Ty::Scalar(from));
    Node::expr(ty, parts!["(", value, " as ", scalar.name(), ")"])
}

fn counted_bits(s: &mut State, scalar: Scalar, ty: &Ty) -> Node {
    let value = function(s, Scalar::U32, &U32);
    Node::expr(ty, parts!["(", value, " as ", scalar.name(), ")"])
}

fn call(s: &mut State, ty: &Ty) -> Node {
    if s.rng.chance(2, 3)
        && let Some(node) = ragged::call(s, ty)
    {
        return node;
    }
    let functions: Vec<_> = s
        .functions
        .iter()
        .filter(|it| it.ret == *ty && !it.streams)
        .cloned()
        .collect();
    let plain = |it: &&super::state::Signature| it.params.iter().all(|param| !param.ty.is_array());
    let functions: Vec<_> = functions.iter().filter(plain).cloned().collect();
    if functions.is_empty() {
        return composed(s, ty);
    }
    let function = s.rng.pick(&functions).clone();
    let mut made = parts![function.name.as_str(), "("];
    for param in &function.params {
        made.extend(parts![expr(s, &param.ty), ", "]);
    }
    made.extend(parts![")"]);
    Node::expr(ty, made)
}

/// An element of an array in scope.
pub fn read(s: &mut State, ty: &Ty) -> Node {
    if s.rng.chance(1, 2)
        && let Some(node) = dense::read(s, ty)
    {
        return node;
    }
    if s.ragged
        && s.rng.chance(1, 2)
        && let Some(node) = rows::read(s, ty)
    {
        return node;
    }
    let arrays = s.vars(&Ty::array(ty));
    if arrays.is_empty() {
        return composed(s, ty);
    }
    let array = s.rng.pick(&arrays).name.clone();
    let index = expr(s, &USIZE);
    if s.risk(Hazard::Index) {
        return Node::expr(ty, parts![array.as_str(), "[", index, "]"]);
    }
    let other = expr(s, ty);
    let a = array.as_str();
    Node::expr(
        ty,
        parts![
            "(if ",
            a,
            ".len() == 0usize { ",
            other,
            " } else { ",
            a,
            "[",
            index,
            " % ",
            a,
            ".len()] })"
        ],
    )
}

fn operation(s: &mut State, scalar: Scalar, ty: &Ty) -> Node {
    if scalar == Scalar::Bool {
        return truth(s, ty);
    }
    if s.rng.chance(1, 2) {
        return function(s, scalar, ty);
    }
    if scalar.is_int() && s.rng.chance(1, 4) {
        return bits(s, ty);
    }
    let (a, b) = (expr(s, ty), expr(s, ty));
    if s.rng.chance(1, 8) && (scalar.is_float() || scalar.is_signed_int()) {
        return Node::expr(ty, parts!["(-", a, ")"]);
    }
    let op = *s.rng.pick(&["+", "-", "*", "/", "%"]);
    if scalar.is_float() {
        return Node::expr(ty, parts!["(", a, " ", op, " ", b, ")"]);
    }
    match op {
        "/" | "%" if s.risk(Hazard::Division) => {
            Node::expr(ty, parts!["(", a, " ", op, " ", b, ")"])
        }
        "/" | "%" => {
            let one = format!(" | 1{}))", scalar.name());
            Node::expr(ty, parts!["(", a, " ", op, " (", b, one])
        }
        _ if scalar != Scalar::Usize => Node::expr(ty, parts!["(", a, " ", op, " ", b, ")"]),
        "-" if s.risk(Hazard::Underflow) => Node::expr(ty, parts!["(", a, " - ", b, ")"]),
        _ => {
            let name = *s
                .rng
                .pick(&[".wrapping_add(", ".wrapping_sub(", ".wrapping_mul("]);
            Node::expr(ty, parts!["(", a, ")", name, b, ")"])
        }
    }
}

fn bits(s: &mut State, ty: &Ty) -> Node {
    let a = expr(s, ty);
    match s.rng.below(3) {
        0 => Node::expr(ty, parts!["(!", a, ")"]),
        1 => {
            let op = *s.rng.pick(&[" << ", " >> "]);
            Node::expr(ty, parts!["(", a, op, expr(s, &U32), ")"])
        }
        _ => {
            let op = *s.rng.pick(&[" & ", " | ", " ^ "]);
            Node::expr(ty, parts!["(", a, op, expr(s, ty), ")"])
        }
    }
}

fn truth(s: &mut State, ty: &Ty) -> Node {
    if s.rng.chance(1, 3) {
        let (a, b) = (expr(s, ty), expr(s, ty));
        let op = *s.rng.pick(&[" && ", " || ", " & ", " | ", " ^ ", " == "]);
        return Node::expr(ty, parts!["(", a, op, b, ")"]);
    }
    if s.rng.chance(1, 6) {
        return Node::expr(ty, parts!["(!", expr(s, ty), ")"]);
    }
    if s.rng.chance(1, 6) {
        return function(s, Scalar::Bool, ty);
    }
    let of = Ty::Scalar(s.scalar());
    let of = if of == BOOL { U32 } else { of };
    let (a, b) = (expr(s, &of), expr(s, &of));
    let op = *s.rng.pick(&[" < ", " <= ", " > ", " >= ", " == ", " != "]);
    Node::expr(ty, parts!["((", a, ")", op, "(", b, "))"])
}

/// A call of a scalar function that gives `scalar`.
fn function(s: &mut State, scalar: Scalar, ty: &Ty) -> Node {
    let first = |it: &ScalarFn| -> Vec<Scalar> {
        let fits = |of: &Scalar| it.domain.has(*of) && it.gives.of(*of) == scalar;
        Scalar::ALL.into_iter().filter(fits).collect()
    };
    let functions: Vec<_> = SCALAR_FNS
        .iter()
        .filter(|it| !first(it).is_empty())
        .collect();
    let function = *s.rng.pick(&functions);
    let of = *s.rng.pick(&first(function));
    let (first, rest) = (Ty::Scalar(of), Ty::Scalar(function.rest.of(of)));
    // A literal alone would not say which type it is of.
    let receiver = parts!["(", expr(s, &first), " as ", of.name(), ")"];
    let mut made = if s.rng.chance(1, 2) {
        let mut made = receiver;
        made.extend(parts![".", function.name, "("]);
        made
    } else {
        let mut made = parts![function.name, "("];
        made.extend(receiver);
        made.extend(parts![", "]);
        made
    };
    let divides = function.name.starts_with("div_") || function.name == "rem_euclid";
    let guarded = divides && of.is_int() && !s.risk(Hazard::Division);
    for _ in 1..function.arity {
        let next = expr(s, &rest);
        made.extend(match guarded {
            true => parts!["(", next, " | 1", of.name(), "), "],
            false => parts![next, ", "],
        });
    }
    made.extend(parts![")"]);
    Node::expr(ty, made)
}
