//! Expressions that only compute.

use super::complex::Floats;
use super::machine::{Machine, Stop, View, stop};
use super::scalar::{apply, integer, number};
use super::trouble::TroubleKind;
use super::value::Value;
use crate::prims::{ComplexOp, Number, ScalarOp, compute};
use crate::typed::ir::{Expr, ExprKind, Type};
use std::rc::Rc;

impl<'p> Machine<'p> {
    /// The value of `expr`.
    pub(super) fn eval(&mut self, expr: &'p Expr) -> Result<Value, Stop> {
        let result = self.eval_kind(expr);
        self.or_ghost(result, &expr.ty)
    }

    fn eval_kind(&mut self, expr: &'p Expr) -> Result<Value, Stop> {
        self.spend(1, expr.src)?;
        match &expr.kind {
            ExprKind::Const(constant) => Ok(Value::Scalar(*constant)),
            ExprKind::Local(_) | ExprKind::Field(..) | ExprKind::Index(..) => {
                let view = self.view(expr)?;
                self.spend(view.get().weight(), expr.src)?;
                Ok(view.value())
            }
            ExprKind::Scalar { op, args, checked } => self.scalar(expr, *op, args, *checked),
            ExprKind::Complex { op, args } => self.complex(*op, args),
            ExprKind::And(a, b) => Ok(Value::from(self.truth(a)? && self.truth(b)?)),
            ExprKind::Or(a, b) => Ok(Value::from(self.truth(a)? || self.truth(b)?)),
            ExprKind::Tuple(parts) => Ok(Value::Tuple(self.eval_all(parts)?)),
            ExprKind::Array(elements) => Ok(Value::Array(self.eval_all(elements)?)),
            ExprKind::Range { lo, hi, inclusive } => self.range(expr, lo, hi, *inclusive),
            ExprKind::Slice {
                array,
                lo,
                hi,
                inclusive,
            } => self.slice(expr, array, [lo.as_deref(), hi.as_deref()], *inclusive),
            ExprKind::Prim { prim, args, fns } => self.prim(expr, *prim, args, fns),
            ExprKind::Call { func, args, fns } => self.call(*func, args, fns),
            ExprKind::CallLocal { local, args } => self.call_local(*local, args),
            ExprKind::If { cond, then, else_ } => {
                let taken = if self.truth(cond)? { then } else { else_ };
                self.eval(taken)
            }
            ExprKind::Match { scrutinee, arms } => self.match_(scrutinee, arms),
            ExprKind::Block { stmts, value } => self.block(stmts, value.as_deref()),
            ExprKind::While { cond, body, label } => self.while_(cond, body, *label),
            ExprKind::Loop { body, label, .. } => self.loop_(body, *label),
            ExprKind::Labelled { body, label } => self.labelled(body, *label),
            ExprKind::ForStmt {
                pattern,
                source,
                body,
                label,
            } => self.for_stmt(pattern, source, body, *label),
            ExprKind::Break { label, value } => self.break_(*label, value.as_deref()),
            ExprKind::Continue { label } => Err(Stop::Continue(*label)),
            ExprKind::Assign { place, value } => self.assign(place, value),
            ExprKind::Assert { cond, message } => self.assert(expr, cond, message),
            ExprKind::Sized { size, len, .. } => self.has_size(expr, size, len),
            ExprKind::Dbg(inner) => self.dbg(expr, inner),
            ExprKind::Streamed(inner) => self.streamed(inner),
        }
    }

    /// The values of `exprs`, from left to right.
    pub(super) fn eval_all(&mut self, exprs: &'p [Expr]) -> Result<Vec<Value>, Stop> {
        exprs.iter().map(|expr| self.eval(expr)).collect()
    }

    /// The value of `expr`, where it is if it lies in a local.
    pub(super) fn view(&mut self, expr: &'p Expr) -> Result<View, Stop> {
        if let ExprKind::Local(local) = &expr.kind {
            Ok(View::new(Rc::clone(self.read(*local))))
        } else if let ExprKind::Field(product, field) = &expr.kind {
            Ok(self.view(product)?.part(*field))
        } else if let ExprKind::Index(array, index) = &expr.kind {
            self.element(expr, array, index)
        } else {
            Ok(View::new(Rc::new(self.eval(expr)?)))
        }
    }

    /// The same of an array; of a sequence all items.
    pub(super) fn at_hand(&mut self, expr: &'p Expr) -> Result<View, Stop> {
        let view = self.view(expr)?;
        match view.get() {
            Value::Seq(seq) => Ok(View::new(Rc::new(self.collected(*seq)?))),
            Value::Scalar(_) | Value::Tuple(_) | Value::Array(_) | Value::Empty(_) => Ok(view),
        }
    }

    fn element(&mut self, expr: &'p Expr, array: &'p Expr, index: &'p Expr) -> Result<View, Stop> {
        let array = self.view(array)?;
        let index = self.size(index)?;
        let len = array.elements().len() as u64;
        if index < len {
            Ok(array.part(index as usize))
        } else if self.in_ghost {
            Ok(View::new(Rc::new(self.sample(array.get(), &expr.ty))))
        } else {
            Err(stop(TroubleKind::IndexOutOfRange { index, len }, expr.src))
        }
    }

    /// The `bool` that `expr` gives.
    pub(super) fn truth(&mut self, expr: &'p Expr) -> Result<bool, Stop> {
        Ok(self.eval(expr)?.truth())
    }

    /// The `usize` that `expr` gives.
    pub(super) fn size(&mut self, expr: &'p Expr) -> Result<u64, Stop> {
        Ok(self.eval(expr)?.size())
    }

    fn complex(&mut self, op: ComplexOp, args: &'p [Expr]) -> Result<Value, Stop> {
        let args = self.eval_all(args)?;
        let number = |value: &Value| match value {
            Value::Tuple(parts) => Number::Complex(parts[0].scalar(), parts[1].scalar()),
            Value::Scalar(_) | Value::Array(_) | Value::Empty(_) | Value::Seq(_) => {
                Number::Real(value.scalar())
            }
        };
        let args: Vec<_> = args.iter().map(number).collect();
        Ok(
            match compute(op, &args, &mut Floats::of(self.maths, &args)) {
                Number::Real(x) => Value::Scalar(x),
                Number::Complex(re, im) => Value::Tuple([re, im].map(Value::Scalar).to_vec()),
            },
        )
    }

    fn scalar(
        &mut self,
        expr: &'p Expr,
        op: ScalarOp,
        args: &'p [Expr],
        checked: bool,
    ) -> Result<Value, Stop> {
        let args = self.eval_all(args)?;
        if op == ScalarOp::Select {
            return Ok(args[if args[0].truth() { 1 } else { 2 }].clone());
        }
        let args: Vec<_> = args.iter().map(Value::scalar).collect();
        let Type::Scalar(result) = expr.ty else {
            unreachable!("scalar operations give scalars");
        };
        apply(op, checked, &args, result, self.maths)
            .map(Value::Scalar)
            .map_err(|kind| stop(kind, expr.src))
    }

    fn range(
        &mut self,
        expr: &'p Expr,
        lo: &'p Expr,
        hi: &'p Expr,
        inclusive: bool,
    ) -> Result<Value, Stop> {
        let (lo, hi) = (self.eval(lo)?.scalar(), self.eval(hi)?.scalar());
        let first = number(lo);
        let end = number(hi) + i128::from(inclusive);
        let size = (end - first).max(0) as u128;
        self.room(size, &Value::Scalar(lo), expr.src)?;
        let element = |n| Value::Scalar(integer(lo.ty, n));
        Ok(Value::Array((first..end).map(element).collect()))
    }

    fn slice(
        &mut self,
        expr: &'p Expr,
        array: &'p Expr,
        [lo, hi]: [Option<&'p Expr>; 2],
        inclusive: bool,
    ) -> Result<Value, Stop> {
        let array = self.at_hand(array)?;
        let len = array.elements().len() as u64;
        let lo = lo.map_or(Ok(0), |lo| self.size(lo))?;
        let last = hi.map_or(Ok(len), |hi| self.size(hi))?;
        let hi = last.saturating_add(u64::from(inclusive));
        if lo > hi || hi > len {
            let kind = TroubleKind::SliceOutOfRange { lo, hi, len };
            return Err(stop(kind, expr.src));
        }
        let elements = array.elements()[lo as usize..hi as usize].to_vec();
        let slice = self.like(array.get(), elements, &expr.ty);
        self.spend(slice.weight(), expr.src)?;
        Ok(slice)
    }
}
