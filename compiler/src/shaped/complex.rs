//! Complex numbers as two real ones.

use super::ir::Atom;
use super::lower::{Lower, Lowered};
use super::value::Value;
use crate::prims::{ComplexOp, Number, Reals, Scalar, ScalarOp, compute};
use crate::source::SrcSpan;
use crate::typed::ir::{Const, Expr};

impl<'p> Lower<'p> {
    /// An operation on complex numbers.
    pub(super) fn complex(
        &mut self,
        op: ComplexOp,
        args: &'p [Expr],
        src: SrcSpan,
    ) -> Lowered<Value> {
        let mut numbers = Vec::with_capacity(args.len());
        for arg in args {
            numbers.push(match self.expr(arg)? {
                Value::Product(parts) => Number::Complex(parts[0].atom(), parts[1].atom()),
                other => Number::Real(other.atom()),
            });
        }
        let (Number::Real(first) | Number::Complex(first, _)) = numbers[0];
        let ty = self.elem_type(first);
        let mut atoms = Atoms {
            lower: self,
            ty,
            src,
        };
        Ok(match compute(op, &numbers, &mut atoms) {
            Number::Real(x) => Value::Scalar(x),
            Number::Complex(re, im) => Value::Product([re, im].map(Value::Scalar).to_vec()),
        })
    }
}

/// Statements that compute with real numbers of type `ty`.
struct Atoms<'l, 'p> {
    lower: &'l mut Lower<'p>,
    ty: Scalar,
    src: SrcSpan,
}

impl Reals for Atoms<'_, '_> {
    type Real = Atom;

    fn apply(&mut self, op: ScalarOp, args: &[Atom]) -> Atom {
        let ty = match op.compares() {
            true => Scalar::Bool,
            false => self.ty,
        };
        self.lower.scalar(op, args, ty, self.src)
    }

    fn number(&mut self, x: f64) -> Atom {
        let bits = self.ty.float_bits(x);
        Atom::Const(Const { ty: self.ty, bits })
    }
}
