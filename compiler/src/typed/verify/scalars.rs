//! Types of scalar operations.

use super::{BOOL, Verdict, count, same};
use crate::prims::{Scalar, ScalarOp};
use crate::typed::ir::{Expr, Type};

static U32: Type = Type::Scalar(Scalar::U32);

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
    /// A `bool` and two of the result's type.
    Select,
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
        Operands::Select => {
            count("operands", args.len(), 3)?;
            same("a condition", &args[0].ty, &BOOL)?;
            args[1..]
                .iter()
                .try_for_each(|arg| same("an operand", &arg.ty, ty))
        }
    }
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
        ScalarOp::Exp | ScalarOp::Ln | ScalarOp::Sin | ScalarOp::Cos => Operands::Same(1),
        ScalarOp::Tanh => Operands::Same(1),
        ScalarOp::Cast => Operands::Cast,
        ScalarOp::CountOnes | ScalarOp::CountZeros => Operands::Counted,
        ScalarOp::LeadingZeros | ScalarOp::TrailingZeros => Operands::Counted,
        ScalarOp::Add | ScalarOp::Sub | ScalarOp::Mul | ScalarOp::Div => Operands::Same(2),
        ScalarOp::Rem | ScalarOp::BitAnd | ScalarOp::BitOr => Operands::Same(2),
        ScalarOp::BitXor | ScalarOp::Shl | ScalarOp::Shr => Operands::Same(2),
        ScalarOp::Min | ScalarOp::Max | ScalarOp::Pow => Operands::Same(2),
        ScalarOp::RotateLeft | ScalarOp::RotateRight => Operands::Rotation,
        ScalarOp::Eq | ScalarOp::Ne | ScalarOp::Lt => Operands::Comparison,
        ScalarOp::Le | ScalarOp::Gt | ScalarOp::Ge => Operands::Comparison,
        ScalarOp::Clamp => Operands::Same(3),
        ScalarOp::Select => Operands::Select,
    }
}
