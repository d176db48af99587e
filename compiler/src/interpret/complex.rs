//! Real numbers for operations on complex ones.

use super::Maths;
use super::scalar::apply;
use crate::prims::{Number, Reals, Scalar, ScalarOp};
use crate::typed::ir::Const;

/// Computes in the type of the operands.
pub(super) struct Floats<'m>(&'m dyn Maths, Scalar);

impl<'m> Floats<'m> {
    /// For these operands.
    pub(super) fn of(maths: &'m dyn Maths, args: &[Number<Const>]) -> Self {
        let (Number::Real(first) | Number::Complex(first, _)) = args[0];
        Floats(maths, first.ty)
    }
}

impl Reals for Floats<'_> {
    type Real = Const;

    fn apply(&mut self, op: ScalarOp, args: &[Const]) -> Const {
        if op == ScalarOp::Select {
            return args[if args[0].bits != 0 { 1 } else { 2 }];
        }
        let result = match op.compares() {
            true => Scalar::Bool,
            false => self.1,
        };
        match apply(op, false, args, result, self.0) {
            Ok(value) => value,
            Err(_) => unreachable!("operations on floats do not fail"),
        }
    }

    fn number(&mut self, x: f64) -> Const {
        let bits = self.1.float_bits(x);
        Const { ty: self.1, bits }
    }
}
