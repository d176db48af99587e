//! Types of scalar operations.

use super::{BOOL, Verdict, count, same};
use crate::prims::{ComplexOp, Scalar, ScalarFn, ScalarOp, component};
use crate::typed::ir::{Expr, Type};

static U32: Type = Type::Scalar(Scalar::U32);
static I32: Type = Type::Scalar(Scalar::I32);

/// What the operands are.
enum Operands {
    /// So many, all of the result's type.
    Same(usize),
    /// Two of one type; the result is a `bool`.
    Comparison,
    /// Any scalar.
    Cast,
    /// An integer; the result is a `u32`.
    Counted,
    /// The result's type and a `u32`.
    Rotation,
    /// The result's type and an `i32`.
    Power,
    /// A `bool` and two of the result's type.
    Select,
    /// As the function's record says.
    Record(&'static ScalarFn),
}

/// At least one operand is complex, the others are of the same type or a component; so is the result.
pub(super) fn complex(op: ComplexOp, args: &[Expr], ty: &Type) -> Verdict {
    count("operands", args.len(), op.arity())?;
    let parts = |ty: &Type| match ty {
        Type::Struct(id) => component(*id).map(Type::Scalar),
        Type::Scalar(_) | Type::Tuple(_) | Type::Array(_) => None,
    };
    let Some((whole, part)) = args.iter().find_map(|arg| Some((&arg.ty, parts(&arg.ty)?))) else {
        return Err(format!("{op:?} has no complex operand"));
    };
    for arg in args.iter().filter(|arg| arg.ty != part) {
        same("an operand", &arg.ty, whole)?;
    }
    match op.gives_complex() {
        true => same("a complex number", ty, whole),
        false => same("a component", ty, &part),
    }
}

pub(super) fn check(op: ScalarOp, args: &[Expr], ty: &Type) -> Verdict {
    let Type::Scalar(_) = ty else {
        return Err(format!("{op:?} gives {ty:?}"));
    };
    match operands(op) {
        Operands::Same(n) => {
            count("operands", args.len(), n)?;
            args.iter()
                .try_for_each(|arg| same("an operand", &arg.ty, ty))
        }
        Operands::Comparison => {
            count("operands", args.len(), 2)?;
            scalar(&args[0])?;
            same("an operand", &args[0].ty, &args[1].ty)?;
            same("a comparison", ty, &BOOL)
        }
        Operands::Cast => {
            count("operands", args.len(), 1)?;
            scalar(&args[0])
        }
        Operands::Counted => {
            count("operands", args.len(), 1)?;
            scalar(&args[0])?;
            same("a count", ty, &U32)
        }
        Operands::Rotation => {
            count("operands", args.len(), 2)?;
            same("an operand", &args[0].ty, ty)?;
            same("an amount", &args[1].ty, &U32)
        }
        Operands::Power => {
            count("operands", args.len(), 2)?;
            same("an operand", &args[0].ty, ty)?;
            same("an exponent", &args[1].ty, &I32)
        }
        Operands::Record(function) => recorded(function, args, ty),
        Operands::Select => {
            count("operands", args.len(), 3)?;
            same("a condition", &args[0].ty, &BOOL)?;
            args[1..]
                .iter()
                .try_for_each(|arg| same("an operand", &arg.ty, ty))
        }
    }
}

fn recorded(function: &ScalarFn, args: &[Expr], ty: &Type) -> Verdict {
    count("operands", args.len(), function.arity)?;
    let Type::Scalar(first) = args[0].ty else {
        return Err(format!("an operand is {:?}", args[0].ty));
    };
    let rest = Type::Scalar(function.rest.of(first));
    args[1..]
        .iter()
        .try_for_each(|arg| same("an operand", &arg.ty, &rest))?;
    same("a result", ty, &Type::Scalar(function.gives.of(first)))
}

fn scalar(expr: &Expr) -> Verdict {
    match &expr.ty {
        Type::Scalar(_) => Ok(()),
        other => Err(format!("an operand is {other:?}")),
    }
}

fn operands(op: ScalarOp) -> Operands {
    match op {
        ScalarOp::Neg | ScalarOp::Not | ScalarOp::Abs | ScalarOp::Sqrt => Operands::Same(1),
        ScalarOp::Floor | ScalarOp::Ceil | ScalarOp::Round | ScalarOp::Trunc => Operands::Same(1),
        ScalarOp::Maths(function) => Operands::Record(function.record()),
        ScalarOp::Method(function) => Operands::Record(function.record()),
        ScalarOp::Powi => Operands::Power,
        ScalarOp::DivEuclid | ScalarOp::RemEuclid | ScalarOp::DivCeil => Operands::Same(2),
        ScalarOp::Cast => Operands::Cast,
        ScalarOp::CountOnes | ScalarOp::CountZeros => Operands::Counted,
        ScalarOp::LeadingZeros | ScalarOp::TrailingZeros => Operands::Counted,
        ScalarOp::Add | ScalarOp::Sub | ScalarOp::Mul | ScalarOp::Div => Operands::Same(2),
        ScalarOp::Rem | ScalarOp::BitAnd | ScalarOp::BitOr => Operands::Same(2),
        ScalarOp::BitXor | ScalarOp::Shl | ScalarOp::Shr => Operands::Same(2),
        ScalarOp::Min | ScalarOp::Max => Operands::Same(2),
        ScalarOp::Before(_) | ScalarOp::Precedes => Operands::Comparison,
        ScalarOp::RotateLeft | ScalarOp::RotateRight => Operands::Rotation,
        ScalarOp::Eq | ScalarOp::Ne | ScalarOp::Lt => Operands::Comparison,
        ScalarOp::Le | ScalarOp::Gt | ScalarOp::Ge => Operands::Comparison,
        ScalarOp::Clamp | ScalarOp::Fast(_) => Operands::Same(3),
        ScalarOp::Select => Operands::Select,
    }
}
