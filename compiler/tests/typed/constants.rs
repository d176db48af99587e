//! Constants are computed as the interpreter computes the same expression.

use ragged_compiler::interpret::{self, Maths};
use ragged_compiler::prims::Scalar;
use ragged_compiler::typed::ir::{Const, ExprKind, Program};
use ragged_compiler::{syntax, typed};

/// Constants use no transcendental functions.
struct NoMaths;

macro_rules! no_maths {
    ($($one32:ident $one64:ident)*; $($two32:ident $two64:ident)*) => {
        impl Maths for NoMaths {
            $(
                fn $one32(&self, _: f32) -> f32 { unreachable!() }
                fn $one64(&self, _: f64) -> f64 { unreachable!() }
            )*
            $(
                fn $two32(&self, _: f32, _: f32) -> f32 { unreachable!() }
                fn $two64(&self, _: f64, _: f64) -> f64 { unreachable!() }
            )*
        }
    };
}

no_maths! {
    exp_f32 exp_f64 ln_f32 ln_f64 sin_f32 sin_f64 cos_f32 cos_f64 tanh_f32 tanh_f64;
    pow_f32 pow_f64
}

fn infer(source: &str) -> Option<Program> {
    let parsed = syntax::parse(source.parse().expect("tokens"));
    typed::infer(&parsed.program).ok()
}

/// `expr` as a constant; `None` if it has no value.
fn constant(expr: &str, ty: &str) -> Option<Const> {
    let program = infer(&format!(
        "const K: {ty} = {expr}; pub fn f() -> {ty} {{ K }}"
    ))?;
    let mut body = &program.functions[0].body;
    while let ExprKind::Block {
        value: Some(value), ..
    } = &body.kind
    {
        body = value;
    }
    match body.kind {
        ExprKind::Const(value) => Some(value),
        _ => None,
    }
}

/// `expr` as the interpreter computes it.
fn interpreted(expr: &str, ty: &str) -> Option<Const> {
    let program = infer(&format!("pub fn f() -> {ty} {{ {expr} }}"));
    let program = program.unwrap_or_else(|| panic!("{expr} is a valid expression"));
    let func = interpret::find(&program, "f").expect("exported");
    let value = interpret::run(&program, func, Vec::new(), &NoMaths).ok()?;
    Some(value.scalar())
}

fn same(expr: &str, ty: &str) {
    let is_nan = |value: Option<Const>| {
        value.is_some_and(|value| match value.ty {
            Scalar::F32 => f32::from_bits(value.bits as u32).is_nan(),
            Scalar::F64 => f64::from_bits(value.bits).is_nan(),
            _ => false,
        })
    };
    let (constant, interpreted) = (constant(expr, ty), interpreted(expr, ty));
    if is_nan(constant) && is_nan(interpreted) {
        return;
    }
    assert_eq!(constant, interpreted, "{expr}");
}

fn values(ty: Scalar) -> Vec<String> {
    let name = ty.name();
    let of = |values: &[&str]| values.iter().map(|v| v.replace('$', name)).collect();
    match ty {
        Scalar::Bool => of(&["true", "false"]),
        Scalar::F32 | Scalar::F64 => of(&[
            "0.5$",
            "-0.0$",
            "2.75$",
            "-1.5$",
            "$::MAX",
            "$::MIN_POSITIVE",
            "$::NAN",
            "$::NEG_INFINITY",
        ]),
        _ => of(&["$::MIN", "$::MAX", "0$", "1$", "77$", "($::MAX / 2 + 1)"]),
    }
}

#[test]
fn operators() {
    for ty in Scalar::ALL {
        let arithmetic: &[&str] = match ty {
            Scalar::Bool => &["&", "|", "^"],
            Scalar::F32 | Scalar::F64 => &["+", "-", "*", "/", "%"],
            _ => &["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"],
        };
        for a in values(ty) {
            for b in values(ty) {
                for op in arithmetic {
                    same(&format!("{a} {op} {b}"), ty.name());
                }
                for op in ["==", "!=", "<", "<=", ">", ">="] {
                    same(&format!("{a} {op} {b}"), "bool");
                }
            }
        }
    }
}

#[test]
fn functions_of_one_argument() {
    for ty in Scalar::ALL {
        let functions: &[&str] = match ty {
            Scalar::Bool => &[],
            Scalar::F32 | Scalar::F64 => &["abs", "sqrt", "floor", "ceil", "round", "trunc"],
            ty if ty.is_signed_int() => &["abs"],
            _ => &[],
        };
        let counts = [
            "count_ones",
            "count_zeros",
            "leading_zeros",
            "trailing_zeros",
        ];
        for a in values(ty) {
            for function in functions {
                same(&format!("{function}({a})"), ty.name());
            }
            for function in counts.iter().filter(|_| ty.is_int()) {
                same(&format!("{function}({a})"), "u32");
            }
            if !ty.is_float() {
                same(&format!("!{a}"), ty.name());
            }
            if ty.is_float() || ty.is_signed_int() {
                same(&format!("-({a})"), ty.name());
            }
        }
    }
}

#[test]
fn functions_of_several_arguments() {
    for ty in Scalar::ALL.into_iter().filter(|ty| *ty != Scalar::Bool) {
        for a in values(ty) {
            for b in values(ty) {
                same(&format!("min({a}, {b})"), ty.name());
                same(&format!("max({a}, {b})"), ty.name());
                same(&format!("clamp({a}, {b}, {a})"), ty.name());
                if ty.is_int() {
                    same(&format!("wrapping_sub({a}, {b})"), ty.name());
                    same(&format!("wrapping_mul({a}, {b})"), ty.name());
                }
            }
            for amount in [0, 1, 7, 33, 64].into_iter().filter(|_| ty.is_int()) {
                same(&format!("rotate_left({a}, {amount})"), ty.name());
                same(&format!("rotate_right({a}, {amount})"), ty.name());
            }
        }
    }
}

#[test]
fn casts() {
    for from in Scalar::ALL {
        for to in Scalar::ALL {
            let possible =
                from == to || to != Scalar::Bool && !(from == Scalar::Bool && to.is_float());
            for a in values(from).iter().filter(|_| possible) {
                same(&format!("({a}) as {}", to.name()), to.name());
            }
        }
    }
}
