//! Scalar operations as Rust expressions.
//!
//! In: an operation, its operands as Rust text, their type and the result's, the number of lanes of
//! the code around as Rust text, by which the run time knows the processor. Out: an expression
//! without panics and branches: integers wrap, divisors that a check has found to be zero are
//! replaced, maths goes through the run time's own functions. Assumes `__r` names the run time.

use crate::prims::{Extreme, FastOp, Method, Scalar, ScalarOp};
use crate::typed::ir::Const;

/// Code that is compiled once for all processors.
pub const ANY: &str = "1";

/// The expression for `op`; `from` is the type of the first operand (of the second for `Select`).
pub fn expr(
    op: ScalarOp,
    args: &[String],
    consts: &[Option<Const>],
    from: Scalar,
    to: Scalar,
    lanes: &str,
) -> String {
    if from.is_half() && !matches!(op, ScalarOp::Cast | ScalarOp::Select) {
        return of_halves(op, args, consts, from, to, lanes);
    }
    let a = || args[0].as_str();
    let b = || args[1].as_str();
    match op {
        ScalarOp::Neg if from.is_float() => format!("(-{})", a()),
        ScalarOp::Neg => format!("{}.wrapping_neg()", a()),
        ScalarOp::Not => format!("(!{})", a()),
        ScalarOp::Cast => cast(a(), from, to),
        ScalarOp::Abs if from.is_float() => maths("abs", args),
        ScalarOp::Abs => format!("{}.wrapping_abs()", a()),
        ScalarOp::Sqrt => maths("sqrt", args),
        ScalarOp::Floor => maths("floor", args),
        ScalarOp::Ceil => maths("ceil", args),
        ScalarOp::Round => maths("round", args),
        ScalarOp::Trunc => maths("trunc", args),
        ScalarOp::Maths(function) => maths(function.record().name, args),
        ScalarOp::Powi => maths("powi", args),
        ScalarOp::Method(Method::SaturatingMul) if from == Scalar::Usize => {
            format!("__r::saturating_product({}, {})", a(), b())
        }
        ScalarOp::Method(function) => method(function, args),
        ScalarOp::CountOnes => format!("{}.count_ones()", a()),
        ScalarOp::CountZeros => format!("{}.count_zeros()", a()),
        ScalarOp::LeadingZeros => format!("{}.leading_zeros()", a()),
        ScalarOp::TrailingZeros => format!("{}.trailing_zeros()", a()),
        ScalarOp::Add => arithmetic("+", "wrapping_add", args, from),
        ScalarOp::Sub => arithmetic("-", "wrapping_sub", args, from),
        ScalarOp::Mul => arithmetic("*", "wrapping_mul", args, from),
        ScalarOp::Div => division("/", "wrapping_div", args, consts, from),
        ScalarOp::Rem => division("%", "wrapping_rem", args, consts, from),
        ScalarOp::DivEuclid if from.is_float() => called("div_euclid", args),
        ScalarOp::DivEuclid => guarded("wrapping_div_euclid", args, consts),
        ScalarOp::RemEuclid if from.is_float() => called("rem_euclid", args),
        ScalarOp::RemEuclid => guarded("wrapping_rem_euclid", args, consts),
        ScalarOp::DivCeil => guarded("div_ceil", args, consts),
        ScalarOp::BitAnd => infix("&", args),
        ScalarOp::BitOr => infix("|", args),
        ScalarOp::BitXor => infix("^", args),
        ScalarOp::Shl => format!("{}.wrapping_shl({} as u32)", a(), b()),
        ScalarOp::Shr => format!("{}.wrapping_shr({} as u32)", a(), b()),
        ScalarOp::RotateLeft => format!("{}.rotate_left({})", a(), b()),
        ScalarOp::RotateRight => format!("{}.rotate_right({})", a(), b()),
        ScalarOp::Min => order("min", args),
        ScalarOp::Max => order("max", args),
        ScalarOp::Clamp => order("clamp", args),
        ScalarOp::Before(Extreme::Min) => order("is_below", args),
        ScalarOp::Before(Extreme::Max) => order("is_above", args),
        ScalarOp::Precedes => order("precedes", args),
        ScalarOp::Eq => infix("==", args),
        ScalarOp::Ne => infix("!=", args),
        ScalarOp::Lt => infix("<", args),
        ScalarOp::Le => infix("<=", args),
        ScalarOp::Gt => infix(">", args),
        ScalarOp::Ge => infix(">=", args),
        ScalarOp::Fast(FastOp::MulAdd) => mul_add(a(), b(), &args[2], lanes),
        ScalarOp::Fast(FastOp::MulSub) => mul_add(a(), b(), &format!("-{}", args[2]), lanes),
        ScalarOp::Fast(FastOp::SubMul) => mul_add(&format!("-{}", a()), b(), &args[2], lanes),
        ScalarOp::Fast(FastOp::Exp) => fused("exp", a(), lanes),
        ScalarOp::Fast(FastOp::Ln) => fused("ln", a(), lanes),
        ScalarOp::Fast(FastOp::Rsqrt) => format!("__r::Rsqrt::rsqrt({})", a()),
        ScalarOp::Fast(FastOp::OverCube) => format!("__r::Rsqrt::over_cube({}, {})", a(), b()),
        ScalarOp::Select => select(a(), b(), &args[2]),
    }
}

/// One of two values; of a condition and a constant what says the same without a choice, for which LLVM
/// would make a loop for each side where all lanes choose alike.
fn select(condition: &str, then: &str, other: &str) -> String {
    match (then, other) {
        ("true", _) => format!("({condition} | {other})"),
        (_, "false") => format!("({condition} & {then})"),
        ("false", _) => format!("(!{condition} & {other})"),
        (_, "true") => format!("(!{condition} | {then})"),
        _values => format!("__r::choose({condition}, {then}, {other})"),
    }
}

/// Floats of 16 bits are computed with as `f32`; each result is rounded.
fn of_halves(
    op: ScalarOp,
    args: &[String],
    consts: &[Option<Const>],
    from: Scalar,
    to: Scalar,
    lanes: &str,
) -> String {
    let halves = match op {
        ScalarOp::Powi => 1,
        _of_one_type => args.len(),
    };
    let wide = args.iter().enumerate().map(|(at, arg)| match at < halves {
        true => cast(arg, from, Scalar::F32),
        false => arg.clone(),
    });
    let wide: Vec<String> = wide.collect();
    match to.is_half() {
        true => cast(
            &expr(op, &wide, consts, Scalar::F32, Scalar::F32, lanes),
            Scalar::F32,
            to,
        ),
        false => expr(op, &wide, consts, Scalar::F32, to, lanes),
    }
}

fn infix(op: &str, args: &[String]) -> String {
    format!("({} {op} {})", args[0], args[1])
}

fn mul_add(a: &str, b: &str, c: &str, lanes: &str) -> String {
    fused("mul_add", &format!("{a}, {b}, {c}"), lanes)
}

/// What depends on whether the processor has fused operations.
fn fused(name: &str, args: &str, lanes: &str) -> String {
    format!("__r::MulAdd::{name}::<{{ {lanes} }}>({args})")
}

fn maths(name: &str, args: &[String]) -> String {
    format!("__r::Maths::{name}({})", args.join(", "))
}

/// The sign of a NaN is not specified, so no answer depends on it.
fn method(function: Method, args: &[String]) -> String {
    let call = called(function.record().name, args);
    match function {
        Method::IsSignNegative | Method::IsSignPositive => {
            format!("({call} & !{}.is_nan())", args[0])
        }
        Method::Signum
        | Method::Recip
        | Method::Fract
        | Method::ToDegrees
        | Method::ToRadians
        | Method::IsNan
        | Method::IsFinite
        | Method::IsInfinite
        | Method::LeadingOnes
        | Method::TrailingOnes
        | Method::SwapBytes
        | Method::ReverseBits
        | Method::IsPowerOfTwo
        | Method::Isqrt
        | Method::AbsDiff
        | Method::UnsignedAbs
        | Method::WrappingPow
        | Method::SaturatingAdd
        | Method::SaturatingSub
        | Method::SaturatingMul => call,
    }
}

fn called(name: &str, args: &[String]) -> String {
    format!("{}.{name}({})", args[0], args[1..].join(", "))
}

fn order(name: &str, args: &[String]) -> String {
    format!("__r::Order::{name}({})", args.join(", "))
}

fn arithmetic(op: &str, wrapping: &str, args: &[String], ty: Scalar) -> String {
    if ty.is_float() {
        infix(op, args)
    } else {
        format!("{}.{wrapping}({})", args[0], args[1])
    }
}

fn division(
    op: &str,
    wrapping: &str,
    args: &[String],
    consts: &[Option<Const>],
    ty: Scalar,
) -> String {
    if ty.is_float() {
        return infix(op, args);
    }
    guarded(wrapping, args, consts)
}

/// A division of integers by its method.
fn guarded(wrapping: &str, args: &[String], consts: &[Option<Const>]) -> String {
    let (a, b) = (&args[0], &args[1]);
    match consts[1] {
        Some(divisor) if divisor.bits != 0 => format!("{a}.{wrapping}({b})"),
        // A check has recorded the zero; the value only must not panic.
        Some(_) | None => format!("{a}.{wrapping}(if {b} == 0 {{ 1 }} else {{ {b} }})"),
    }
}

fn cast(a: &str, from: Scalar, to: Scalar) -> String {
    if from == to {
        return a.to_owned();
    }
    if from.is_half() {
        cast(&format!("__r::Half::widen({a})"), Scalar::F32, to)
    } else if to.is_half() {
        let a = cast(a, from, Scalar::F32);
        format!("<{} as __r::Half>::narrow({a})", type_name(to))
    } else if from.is_float() && to.is_int() {
        format!("__r::cast::{}_to_{}({a})", from.name(), to.name())
    } else {
        format!("({a} as {})", to.name())
    }
}

/// The Rust type, inside of the function.
pub fn type_name(ty: Scalar) -> &'static str {
    match ty {
        Scalar::F16 => "__r::half::f16",
        Scalar::Bf16 => "__r::half::bf16",
        Scalar::Bool
        | Scalar::I8
        | Scalar::I16
        | Scalar::I32
        | Scalar::I64
        | Scalar::U8
        | Scalar::U16
        | Scalar::U32
        | Scalar::U64
        | Scalar::Usize
        | Scalar::F32
        | Scalar::F64 => ty.name(),
    }
}

/// A constant as a Rust expression of exactly its type and bits.
pub fn constant(it: Const) -> String {
    match it.ty {
        Scalar::Bool => (it.bits != 0).to_string(),
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => {
            let value = it.bits as i64;
            if value < 0 {
                format!("({value}{})", it.ty.name())
            } else {
                format!("{value}{}", it.ty.name())
            }
        }
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::Usize => {
            format!("{}{}", it.bits, it.ty.name())
        }
        Scalar::F16 | Scalar::Bf16 => {
            format!("{}::from_bits({:#x})", type_name(it.ty), it.bits)
        }
        Scalar::F32 => {
            let value = f32::from_bits(it.bits as u32);
            float(
                value.is_finite(),
                format!("{value:?}"),
                "f32",
                format!("{:#x}", it.bits as u32),
            )
        }
        Scalar::F64 => {
            let value = f64::from_bits(it.bits);
            float(
                value.is_finite(),
                format!("{value:?}"),
                "f64",
                format!("{:#x}", it.bits),
            )
        }
    }
}

fn float(finite: bool, digits: String, ty: &str, bits: String) -> String {
    match finite {
        true if digits.starts_with('-') => format!("({digits}{ty})"),
        true => format!("{digits}{ty}"),
        false => format!("{ty}::from_bits({bits})"),
    }
}
