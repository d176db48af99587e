//! Values of `const` items.
//!
//! In: a constant of a unit. Out: its value; each is evaluated once, when it is first used. Its
//! value is typed like a function body without parameters and then computed.

use super::body::Body;
use super::build::Builder;
use super::literal;
use super::scope::{ConstState, Session, place};
use super::signature;
use crate::prims::{Scalar, ScalarOp};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::typed::ir::{Const, Expr, ExprKind, Type};

/// The value of constant `index`; `None` if it has none, which has been reported.
pub(super) fn value(session: &mut Session<'_>, index: usize) -> Option<Const> {
    match session.consts[index].state {
        ConstState::Known(value) => return Some(value),
        ConstState::Failed => return None,
        ConstState::Active => {
            let name = &session.consts[index].ast.name;
            let title = format!("the constant `{}` is defined by itself", name.text);
            session.errors.push(Diagnostic::new(place(name), title));
            session.consts[index].state = ConstState::Failed;
            return None;
        }
        ConstState::Unknown => session.consts[index].state = ConstState::Active,
    }
    let value = evaluate_item(session, index);
    session.consts[index].state = match value {
        Some(value) => ConstState::Known(value),
        None => ConstState::Failed,
    };
    value
}

fn evaluate_item(session: &mut Session<'_>, index: usize) -> Option<Const> {
    let (ast, unit) = (session.consts[index].ast, session.consts[index].unit);
    let ty = signature::erase(&signature::plain(session, unit, &ast.ty)?);
    if !matches!(ty, Type::Scalar(_)) {
        let error = Diagnostic::unsupported(ast.ty.src, "a constant that is not a scalar")
            .help("write a function without parameters");
        session.errors.push(error);
        return None;
    }
    let mut body = Body::new(session, unit);
    let node = body.infer_value(&ast.value);
    let want = body.types.known(&ty);
    body.expect(node, want, format_args!("this is the type of the constant"));
    body.settle();
    body.check_demands();
    if body.failed {
        return None;
    }
    let expr = Builder::new(&mut body).expr(node);
    if body.failed {
        return None;
    }
    match evaluate(&expr) {
        Ok(value) => Some(value),
        Err(error) => {
            session.errors.push(error);
            None
        }
    }
}

/// Computes a constant expression.
fn evaluate(expr: &Expr) -> Result<Const, Diagnostic> {
    match &expr.kind {
        ExprKind::Const(value) => Ok(*value),
        ExprKind::Scalar { op, args, checked } => {
            let args: Vec<_> = args.iter().map(evaluate).collect::<Result<_, _>>()?;
            scalar(*op, &args, *checked, expr)
        }
        ExprKind::And(left, right) => match evaluate(left)?.bits {
            0 => Ok(literal::boolean(false)),
            _ => evaluate(right),
        },
        ExprKind::Or(left, right) => match evaluate(left)?.bits {
            0 => evaluate(right),
            _ => Ok(literal::boolean(true)),
        },
        ExprKind::If { cond, then, else_ } => match evaluate(cond)?.bits {
            0 => evaluate(else_),
            _ => evaluate(then),
        },
        ExprKind::Block {
            stmts,
            value: Some(value),
        } if stmts.is_empty() => evaluate(value),
        _ => Err(not_constant(expr.src)),
    }
}

fn not_constant(src: SrcSpan) -> Diagnostic {
    Diagnostic::new(src, "this is not a constant expression")
        .note("a `const` may use literals, other constants, arithmetic, casts and scalar functions")
        .help("compute it in a function")
}

fn scalar(op: ScalarOp, args: &[Const], checked: bool, expr: &Expr) -> Result<Const, Diagnostic> {
    let Type::Scalar(ty) = expr.ty else {
        return Err(not_constant(expr.src));
    };
    let result = if op == ScalarOp::Cast {
        Some(cast(args[0], ty))
    } else if args[0].ty.is_float() {
        floats(op, args)
    } else {
        ints(op, args, ty, checked)
    };
    result.ok_or_else(|| match op {
        ScalarOp::Div | ScalarOp::Rem if checked => {
            Diagnostic::new(expr.src, "division by zero in a constant")
        }
        ScalarOp::Add | ScalarOp::Sub | ScalarOp::Mul if checked => {
            Diagnostic::new(expr.src, "this constant does not fit `usize`")
        }
        _ => not_constant(expr.src),
    })
}

/// With the meaning of Rust's `as`.
fn cast(value: Const, ty: Scalar) -> Const {
    if ty.is_float() {
        return match (value.ty.is_float(), ty) {
            (true, _) => literal::float(literal::as_float(value), ty),
            // Rounded once, also to `f32`.
            (false, Scalar::F32) => Const {
                ty,
                bits: u64::from((literal::as_int(value) as f32).to_bits()),
            },
            (false, _) => literal::float(literal::as_int(value) as f64, ty),
        };
    }
    match literal::int_range(ty) {
        None => value,
        Some((lo, hi)) if value.ty.is_float() => {
            let value = (literal::as_float(value) as i128).clamp(lo, hi);
            wrap(value, ty)
        }
        Some(_) => wrap(literal::as_int(value), ty),
    }
}

/// The low bits of `value`.
fn wrap(value: i128, ty: Scalar) -> Const {
    let unused = 128 - ty.bits();
    let value = if ty.is_signed_int() {
        (value << unused) >> unused
    } else {
        ((value as u128) << unused >> unused) as i128
    };
    // Two's complement: the low 64 bits.
    Const {
        ty,
        bits: value as u64,
    }
}

fn ints(op: ScalarOp, args: &[Const], ty: Scalar, checked: bool) -> Option<Const> {
    let a = literal::as_int(args[0]);
    let b = args.get(1).map_or(0, |b| literal::as_int(*b));
    let bits = args[0].ty.bits();
    let low = if bits == 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    };
    let pattern = args[0].bits & low;
    let amount = (b as u32) & (bits - 1);
    let value = match op {
        ScalarOp::Neg => -a,
        ScalarOp::Not if ty == Scalar::Bool => return Some(literal::boolean(a == 0)),
        ScalarOp::Not => !a,
        ScalarOp::Abs => a.abs(),
        ScalarOp::Add => a + b,
        ScalarOp::Sub => a - b,
        // The low bits are right even where 128 are too few.
        ScalarOp::Mul if checked => a.checked_mul(b)?,
        ScalarOp::Mul => a.wrapping_mul(b),
        ScalarOp::Div => a.checked_div(b)?,
        ScalarOp::Rem => a.checked_rem(b)?,
        ScalarOp::BitAnd => a & b,
        ScalarOp::BitOr => a | b,
        ScalarOp::BitXor => a ^ b,
        ScalarOp::Shl => a << amount,
        ScalarOp::Shr => a >> amount,
        ScalarOp::Min => a.min(b),
        ScalarOp::Max => a.max(b),
        ScalarOp::Clamp => a.max(b).min(literal::as_int(args[2])),
        ScalarOp::CountOnes => i128::from(pattern.count_ones()),
        ScalarOp::CountZeros => i128::from(bits - pattern.count_ones()),
        ScalarOp::LeadingZeros => i128::from(pattern.leading_zeros() - (64 - bits)),
        ScalarOp::TrailingZeros => i128::from(pattern.trailing_zeros().min(bits)),
        ScalarOp::RotateLeft => rotate(pattern, amount, bits),
        ScalarOp::RotateRight => rotate(pattern, (bits - amount) % bits, bits),
        ScalarOp::Eq => return Some(literal::boolean(a == b)),
        ScalarOp::Ne => return Some(literal::boolean(a != b)),
        ScalarOp::Lt => return Some(literal::boolean(a < b)),
        ScalarOp::Le => return Some(literal::boolean(a <= b)),
        ScalarOp::Gt => return Some(literal::boolean(a > b)),
        ScalarOp::Ge => return Some(literal::boolean(a >= b)),
        ScalarOp::Cast | ScalarOp::Select | ScalarOp::Pow => return None,
        ScalarOp::Sqrt | ScalarOp::Floor | ScalarOp::Ceil | ScalarOp::Round => return None,
        ScalarOp::Trunc | ScalarOp::Exp | ScalarOp::Ln => return None,
        ScalarOp::Sin | ScalarOp::Cos | ScalarOp::Tanh => return None,
    };
    if checked && ty == Scalar::Usize {
        return literal::int(value, ty);
    }
    Some(if ty == Scalar::Bool {
        literal::boolean(value != 0)
    } else {
        wrap(value, ty)
    })
}

fn rotate(pattern: u64, left: u32, bits: u32) -> i128 {
    let wide = u128::from(pattern) << left;
    // The part above the width comes back at the bottom.
    (wide | (wide >> bits)) as i128
}

// Arithmetic in `f64` rounded to `f32` is that of `f32`: 53 bits are enough for one operation.
fn floats(op: ScalarOp, args: &[Const]) -> Option<Const> {
    let ty = args[0].ty;
    let a = literal::as_float(args[0]);
    let b = args.get(1).map_or(0.0, |b| literal::as_float(*b));
    let value = match op {
        ScalarOp::Neg => -a,
        ScalarOp::Abs => a.abs(),
        ScalarOp::Sqrt => a.sqrt(),
        ScalarOp::Floor => a.floor(),
        ScalarOp::Ceil => a.ceil(),
        ScalarOp::Round => a.round(),
        ScalarOp::Trunc => a.trunc(),
        ScalarOp::Add => a + b,
        ScalarOp::Sub => a - b,
        ScalarOp::Mul => a * b,
        ScalarOp::Div => a / b,
        ScalarOp::Rem => a % b,
        ScalarOp::Min => minimum(a, b),
        ScalarOp::Max => -minimum(-a, -b),
        ScalarOp::Clamp => {
            let low = -minimum(-a, -b);
            minimum(low, literal::as_float(args[2]))
        }
        ScalarOp::Eq => return Some(literal::boolean(a == b)),
        ScalarOp::Ne => return Some(literal::boolean(a != b)),
        ScalarOp::Lt => return Some(literal::boolean(a < b)),
        ScalarOp::Le => return Some(literal::boolean(a <= b)),
        ScalarOp::Gt => return Some(literal::boolean(a > b)),
        ScalarOp::Ge => return Some(literal::boolean(a >= b)),
        ScalarOp::Exp | ScalarOp::Ln | ScalarOp::Sin | ScalarOp::Cos => return None,
        ScalarOp::Tanh | ScalarOp::Pow | ScalarOp::Cast | ScalarOp::Select => return None,
        ScalarOp::Not | ScalarOp::BitAnd | ScalarOp::BitOr | ScalarOp::BitXor => return None,
        ScalarOp::Shl | ScalarOp::Shr | ScalarOp::RotateLeft | ScalarOp::RotateRight => {
            return None;
        }
        ScalarOp::CountOnes | ScalarOp::CountZeros => return None,
        ScalarOp::LeadingZeros | ScalarOp::TrailingZeros => return None,
    };
    Some(literal::float(value, ty))
}

// The language's `min`: NaN is ignored, -0 is below +0.
fn minimum(a: f64, b: f64) -> f64 {
    if a.is_nan() || (b <= a && (b < a || b.is_sign_negative())) {
        b
    } else {
        a
    }
}
