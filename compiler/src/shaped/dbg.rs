//! `dbg!(e)`: the value of `e`, and statements that print it.
//!
//! In: a value. Out: one text if it is made of scalars; else a text for each part, arrays by loops over
//! their elements. Values look as the interpreter shows them.
//!
//! Note \[Printing operators\]. What recognised operators combine is a matter of lanes and chunks, which
//! nobody wants to read, and the value must not depend on `dbg!`. So these are lowered silently, and
//! then once more as operators from left to right, for what that prints.

use super::ir::{Atom, Body, Op, Stmt};
use super::lower::{Lower, Lowered};
use super::value::{Array, Closure, Value, bool_const, usize_const};
use crate::checks::CheckKind;
use crate::prims::ScalarOp;
use crate::source::SrcSpan;
use crate::typed::ir::Expr;
use crate::typed::recognise::recognise;

/// What is still to be printed: a format string and its values.
#[derive(Default)]
struct Text {
    text: String,
    values: Vec<Atom>,
}

impl<'p> Lower<'p> {
    /// `dbg!(inner)`
    pub(super) fn dbg(&mut self, inner: &'p Expr, src: SrcSpan) -> Lowered<Value> {
        let value = self.expr(inner)?;
        if self.prints {
            let mut text = Text::default();
            self.show(&value, &mut text, src)?;
            self.print(text, true, src);
        }
        Ok(value)
    }

    /// What `f` gives, in which nothing prints.
    pub(super) fn silently<T>(&mut self, f: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let prints = std::mem::replace(&mut self.prints, false);
        let result = f(self);
        self.prints = prints;
        result
    }

    /// The statements of `f`, for what they print only, where operators that are recognised go from
    /// left to right. Assumes that the same statements without that have found nothing wrong.
    pub(super) fn left_to_right(
        &mut self,
        f: impl FnOnce(&mut Self) -> Lowered<Value>,
    ) -> Lowered<()> {
        let start = self.snapshot();
        let in_order = std::mem::replace(&mut self.in_order, true);
        let scoped = self.scoped(f);
        self.in_order = in_order;
        let body = Body {
            stmts: scoped?.0,
            results: Vec::new(),
        };
        match body.prints() {
            true => {
                let mut stmts = body.stmts;
                // Sums of sizes that are recognised wrap.
                without(&mut stmts, false);
                self.splice(stmts);
            }
            false => self.go_back(&start),
        }
        Ok(())
    }

    /// The operators of a closure that combines, if they are recognised.
    pub(super) fn recognised(&self, closure: Closure<'p>) -> Option<Vec<ScalarOp>> {
        match self.in_order {
            true => None,
            false => recognise(closure.lambda, self.program),
        }
    }

    /// Adds a value to `text`, which is printed in front of each array.
    fn show(&mut self, value: &Value, text: &mut Text, src: SrcSpan) -> Lowered<()> {
        match value {
            Value::Scalar(atom) => {
                text.text.push_str("{:?}");
                text.values.push(*atom);
            }
            Value::Product(parts) => {
                text.text.push('(');
                for (at, part) in parts.iter().enumerate() {
                    text.text.push_str(if at > 0 { ", " } else { "" });
                    self.show(part, text, src)?;
                }
                text.text.push(')');
            }
            Value::Array(_) => {
                text.text.push('[');
                self.print(std::mem::take(text), false, src);
                let array = self.as_array(value);
                self.print_elements(&array, src)?;
                text.text.push(']');
            }
        }
        Ok(())
    }

    fn print_elements(&mut self, array: &Array, src: SrcSpan) -> Lowered<()> {
        let nothing = Value::unit();
        self.sequential(&array.extent, nothing, src, &mut |lower, nothing, index| {
            lower.print_comma(index, src);
            let element = lower.read_elem(array, index, src);
            let mut text = Text::default();
            lower.show(&element, &mut text, src)?;
            lower.print(text, false, src);
            Ok(nothing)
        })?;
        Ok(())
    }

    /// Prints what stands in front of an element that is not the first.
    fn print_comma(&mut self, index: Atom, src: SrcSpan) {
        let cond = self.test(ScalarOp::Ne, index, usize_const(0), src);
        let comma = Text {
            text: ", ".to_owned(),
            values: Vec::new(),
        };
        let then = Body {
            stmts: vec![self.printing(comma, false, src)],
            results: Vec::new(),
        };
        let else_ = Body::default();
        self.push(Vec::new(), Op::If { cond, then, else_ }, src);
    }

    fn print(&mut self, text: Text, ends: bool, src: SrcSpan) {
        let Stmt { outs, op, src } = self.printing(text, ends, src);
        self.push(outs, op, src);
    }

    fn printing(&mut self, text: Text, ends: bool, src: SrcSpan) -> Stmt {
        let Text { text, values } = text;
        let id = self.new_check(CheckKind::Print { text, ends }, src);
        let ok = bool_const(true);
        Stmt {
            outs: Vec::new(),
            op: Op::Check { ok, id, values },
            src,
        }
    }
}

/// Takes what prints out of the statements of a body, or all other checks.
pub(super) fn without(stmts: &mut Vec<Stmt>, prints: bool) {
    stmts.retain(|stmt| match &stmt.op {
        Op::Check { .. } => stmt.op.prints() != prints,
        Op::Scalar(..)
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::If { .. }
        | Op::Loop(_)
        | Op::Par(_) => true,
    });
    for stmt in stmts {
        match &mut stmt.op {
            Op::If { then, else_, .. } => {
                without(&mut then.stmts, prints);
                without(&mut else_.stmts, prints);
            }
            Op::Loop(it) => {
                without(&mut it.cond.stmts, prints);
                without(&mut it.body.stmts, prints);
            }
            Op::Par(par) => without(&mut par.body.stmts, prints),
            Op::Scalar(..)
            | Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. } => {}
        }
    }
}
