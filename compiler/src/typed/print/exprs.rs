//! Expressions as text.

use super::{Printer, show_const};
use crate::prims::{COMPLEX_FNS, ComplexOp, SCALAR_FNS, Scalar, ScalarOp};
use crate::typed::ir::{Arm, Expr, ExprKind, LoopId, Place, PlaceStep, Type};
use std::fmt::Write;

impl Printer<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Const(value) => self.push(show_const(*value)),
            ExprKind::Local(local) => {
                let name = self.name(*local);
                self.push(name);
            }
            ExprKind::Scalar { op, args, checked } => self.scalar(*op, args, *checked, &expr.ty),
            ExprKind::Complex { op, args } => self.complex(*op, args),
            ExprKind::And(left, right) => self.binary("&&", left, right),
            ExprKind::Or(left, right) => self.binary("||", left, right),
            ExprKind::Tuple(fields) => self.product(fields, &expr.ty),
            ExprKind::Field(base, index) => {
                self.expr(base);
                self.push(format!(".{index}"));
            }
            ExprKind::Array(elems) => {
                self.push("[");
                self.list(elems, |this, elem| this.expr(elem));
                self.push("]");
            }
            ExprKind::Range { lo, hi, inclusive } => {
                self.push("(");
                self.bounds(Some(lo), Some(hi), *inclusive);
                self.push(")");
            }
            ExprKind::Index(array, index) => {
                self.expr(array);
                self.push("[");
                self.expr(index);
                self.push("]");
            }
            ExprKind::Slice {
                array,
                lo,
                hi,
                inclusive,
            } => {
                self.expr(array);
                self.push("[");
                self.bounds(lo.as_deref(), hi.as_deref(), *inclusive);
                self.push("]");
            }
            ExprKind::Prim { prim, args, fns } => self.args(prim.info().name, args, fns),
            ExprKind::Call { func, args, fns } => {
                let name = match self.program.functions.get(func.index()) {
                    Some(callee) => callee.name.clone(),
                    None => func.to_string(),
                };
                self.args(&name, args, fns);
            }
            ExprKind::CallLocal { local, args } => {
                let name = self.name(*local);
                self.args(&name, args, &[]);
            }
            ExprKind::If { cond, then, else_ } => {
                self.push("if ");
                self.expr(cond);
                self.push(" ");
                self.braced(then);
                self.push(" else ");
                self.braced(else_);
            }
            ExprKind::Match { scrutinee, arms } => self.match_(scrutinee, arms),
            ExprKind::Block { .. } => self.braced(expr),
            ExprKind::While { cond, body, label } => {
                self.label(*label);
                self.push("while ");
                self.expr(cond);
                self.push(" ");
                self.braced(body);
            }
            ExprKind::Loop { body, label, .. } => {
                self.label(*label);
                self.push("loop ");
                self.braced(body);
            }
            ExprKind::Labelled { body, label } => {
                self.label(*label);
                self.braced(body);
            }
            ExprKind::ForStmt {
                pattern,
                source,
                body,
                label,
            } => {
                self.label(*label);
                self.push("for ");
                self.pattern(pattern, true);
                self.push(" in ");
                self.expr(source);
                self.push(" ");
                self.braced(body);
            }
            ExprKind::Break { label, value } => {
                self.push(format!("break 'l{}", label.0));
                if let Some(value) = value {
                    self.push(" ");
                    self.expr(value);
                }
            }
            ExprKind::Continue { label } => self.push(format!("continue 'l{}", label.0)),
            ExprKind::Assign { place, value } => {
                self.place(place);
                self.push(" = ");
                self.expr(value);
            }
            ExprKind::Assert { cond, message } => {
                self.push("assert!(");
                self.expr(cond);
                let _ = write!(self.out, ", {message:?})");
            }
            ExprKind::Sized { size, len, .. } => {
                self.push("size!(");
                self.expr(len);
                self.push(" is ");
                self.expr(size);
                self.push(")");
            }
            ExprKind::Streamed(value) => {
                self.push("stream(");
                self.expr(value);
                self.push(")");
            }
            ExprKind::Dbg(value) => {
                self.push("dbg!(");
                self.expr(value);
                self.push(")");
            }
        }
    }

    fn label(&mut self, label: LoopId) {
        self.push(format!("'l{}: ", label.0));
    }

    fn match_(&mut self, scrutinee: &Expr, arms: &[Arm]) {
        self.push("match ");
        self.expr(scrutinee);
        self.push(" {");
        self.indent += 1;
        for arm in arms {
            self.line();
            self.pattern(&arm.pattern, false);
            if let Some(guard) = &arm.guard {
                self.push(" if ");
                self.expr(guard);
            }
            self.push(" => ");
            self.expr(&arm.body);
            self.push(",");
        }
        self.indent -= 1;
        self.line();
        self.push("}");
    }

    fn bounds(&mut self, lo: Option<&Expr>, hi: Option<&Expr>, inclusive: bool) {
        if let Some(lo) = lo {
            self.expr(lo);
        }
        self.push(if inclusive { "..=" } else { ".." });
        if let Some(hi) = hi {
            self.expr(hi);
        }
    }

    fn place(&mut self, place: &Place) {
        let name = self.name(place.local);
        self.push(name);
        for step in &place.path {
            match step {
                PlaceStep::Field(index) => self.push(format!(".{index}")),
                PlaceStep::Index(index) => {
                    self.push("[");
                    self.expr(index);
                    self.push("]");
                }
                PlaceStep::Slice { lo, hi, inclusive } => {
                    self.push("[");
                    self.bounds(lo.as_ref(), hi.as_ref(), *inclusive);
                    self.push("]");
                }
            }
        }
    }

    fn product(&mut self, fields: &[Expr], ty: &Type) {
        if let Type::Struct(_) = ty {
            self.ty(ty);
        }
        self.push("(");
        self.list(fields, |this, field| this.expr(field));
        self.push(if fields.len() == 1 { ",)" } else { ")" });
    }

    fn binary(&mut self, op: &str, left: &Expr, right: &Expr) {
        self.push("(");
        self.expr(left);
        self.push(format!(" {op} "));
        self.expr(right);
        self.push(")");
    }

    fn complex(&mut self, op: ComplexOp, args: &[Expr]) {
        match (complex_symbol(op), args) {
            ("", _) => {
                let name = COMPLEX_FNS.iter().find(|function| function.op == op);
                self.args(name.map_or("complex", |function| function.name), args, &[]);
            }
            (symbol, [left, right]) => self.binary(symbol, left, right),
            (symbol, operands) => {
                self.push(symbol);
                operands.iter().for_each(|operand| self.expr(operand));
            }
        }
    }

    fn scalar(&mut self, op: ScalarOp, args: &[Expr], checked: bool, ty: &Type) {
        let wraps = *ty == Type::Scalar(Scalar::Usize) && !checked;
        match (symbol(op), args) {
            (Some(symbol), [left, right]) if !(wraps && "+-*".contains(symbol)) => {
                self.binary(symbol, left, right);
            }
            (Some(symbol), [operand]) => {
                self.push(symbol);
                self.expr(operand);
            }
            (None, [operand]) if op == ScalarOp::Cast => {
                self.push("(");
                self.expr(operand);
                self.push(" as ");
                self.ty(ty);
                self.push(")");
            }
            _ => {
                let name = SCALAR_FNS.iter().find(|function| function.op == op);
                self.args(name.map_or("select", |function| function.name), args, &[]);
            }
        }
    }
}

fn complex_symbol(op: ComplexOp) -> &'static str {
    match op {
        ComplexOp::Neg | ComplexOp::Sub => "-",
        ComplexOp::Add => "+",
        ComplexOp::Mul => "*",
        ComplexOp::Div => "/",
        ComplexOp::Conj
        | ComplexOp::NormSqr
        | ComplexOp::Abs
        | ComplexOp::Arg
        | ComplexOp::Exp
        | ComplexOp::Ln
        | ComplexOp::Sqrt => "",
    }
}

fn symbol(op: ScalarOp) -> Option<&'static str> {
    Some(match op {
        ScalarOp::Neg | ScalarOp::Sub => "-",
        ScalarOp::Not => "!",
        ScalarOp::Add => "+",
        ScalarOp::Mul => "*",
        ScalarOp::Div => "/",
        ScalarOp::Rem => "%",
        ScalarOp::BitAnd => "&",
        ScalarOp::BitOr => "|",
        ScalarOp::BitXor => "^",
        ScalarOp::Shl => "<<",
        ScalarOp::Shr => ">>",
        ScalarOp::Eq => "==",
        ScalarOp::Ne => "!=",
        ScalarOp::Lt => "<",
        ScalarOp::Le => "<=",
        ScalarOp::Gt => ">",
        ScalarOp::Ge => ">=",
        ScalarOp::Cast | ScalarOp::Abs | ScalarOp::Sqrt | ScalarOp::Floor | ScalarOp::Ceil => {
            return None;
        }
        ScalarOp::Round | ScalarOp::Trunc => return None,
        ScalarOp::Maths(_) | ScalarOp::Method(_) | ScalarOp::Powi => return None,
        ScalarOp::DivEuclid | ScalarOp::RemEuclid | ScalarOp::DivCeil => return None,
        ScalarOp::CountOnes | ScalarOp::CountZeros => return None,
        ScalarOp::LeadingZeros | ScalarOp::TrailingZeros => return None,
        ScalarOp::RotateLeft | ScalarOp::RotateRight => return None,
        ScalarOp::Min | ScalarOp::Max => return None,
        ScalarOp::Before(_) | ScalarOp::Precedes => return None,
        ScalarOp::Clamp | ScalarOp::Select | ScalarOp::Fast(_) => return None,
    })
}
