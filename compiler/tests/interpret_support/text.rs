//! Programs from text, and values from Rust expressions.

use super::StdMaths;
use ragged_compiler::interpret::{DEFAULT_STEPS, TroubleKind, Value, find, run_within};
use ragged_compiler::prims::Scalar;
use ragged_compiler::syntax;
use ragged_compiler::typed::{
    self,
    ir::{Const, Program, SigType},
};
use syn::{Expr, Lit, UnOp};

/// The typed program of a block.
pub fn program(text: &str) -> Program {
    let parsed = syntax::parse(text.parse().expect("tokens"));
    assert!(parsed.errors.is_empty(), "{text}: {:#?}", parsed.errors);
    typed::infer(&parsed.program).unwrap_or_else(|report| panic!("{text}: {report:#?}"))
}

/// Calls `example` of a block.
pub fn call(text: &str, args: Vec<Value>) -> Result<Value, TroubleKind> {
    call_within(text, args, DEFAULT_STEPS)
}

/// [`call`] with a step limit.
pub fn call_within(text: &str, args: Vec<Value>, steps: u64) -> Result<Value, TroubleKind> {
    let program = program(text);
    let func = find(&program, "example").expect("a function `example`");
    run_within(&program, func, args, &StdMaths, steps).map_err(|trouble| trouble.kind)
}

/// A Rust expression of literals as a value of the type.
pub fn value(expr: &Expr, sig: &SigType) -> Value {
    match (expr, sig) {
        (Expr::Reference(reference), _) => value(&reference.expr, sig),
        (Expr::Array(array), SigType::Array { elem, .. }) => {
            Value::Array(array.elems.iter().map(|x| value(x, elem)).collect())
        }
        (Expr::Macro(vec), SigType::Array { .. }) => {
            let elements = &vec.mac.tokens;
            let array = syn::parse_str(&format!("[{elements}]")).expect("elements");
            value(&array, sig)
        }
        (Expr::Tuple(tuple), SigType::Tuple(parts) | SigType::Struct(_, parts)) => {
            let parts = tuple.elems.iter().zip(parts);
            Value::Tuple(parts.map(|(x, part)| value(x, part)).collect())
        }
        (_, SigType::Scalar(ty)) => scalar(expr, *ty),
        (
            _,
            SigType::Array { .. } | SigType::Vector(..) | SigType::Tuple(_) | SigType::Struct(..),
        ) => {
            panic!("not a value of {sig:?}")
        }
    }
}

fn scalar(expr: &Expr, ty: Scalar) -> Value {
    match expr {
        Expr::Unary(negated) if matches!(negated.op, UnOp::Neg(_)) => {
            negate(&scalar(&negated.expr, ty))
        }
        Expr::Lit(literal) => match &literal.lit {
            Lit::Bool(truth) => Value::from(truth.value),
            Lit::Int(int) => {
                let bits = int.base10_parse().expect("an integer");
                Value::Scalar(Const { ty, bits })
            }
            Lit::Float(float) if ty == Scalar::F32 => {
                Value::from(float.base10_parse::<f32>().expect("a float"))
            }
            Lit::Float(float) => Value::from(float.base10_parse::<f64>().expect("a float")),
            _ => panic!("no scalar of the language"),
        },
        _ => panic!("not a literal"),
    }
}

fn negate(value: &Value) -> Value {
    let Const { ty, bits } = value.scalar();
    match ty {
        Scalar::F32 => Value::from(-f32::from_bits(bits as u32)),
        Scalar::F64 => Value::from(-f64::from_bits(bits)),
        signed => {
            let (ty, bits) = (signed, bits.wrapping_neg());
            Value::Scalar(Const { ty, bits })
        }
    }
}
