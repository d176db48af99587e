//! Statements: blocks, patterns, matches, loops, assertions.

use super::machine::{Machine, Stop, stop};
use super::scalar::apply;
use super::trouble::TroubleKind;
use super::value::Value;
use crate::prims::{Scalar, ScalarOp};
use crate::typed::ir::{Arm, Const, Expr, LoopId, Pattern, PatternKind, Stmt};

/// What a trip of a loop left behind.
enum Trip {
    /// Go on with the next one.
    Next,
    /// The loop is done.
    Done(Value),
}

impl<'p> Machine<'p> {
    pub(super) fn block(
        &mut self,
        stmts: &'p [Stmt],
        value: Option<&'p Expr>,
    ) -> Result<Value, Stop> {
        for stmt in stmts {
            match stmt {
                Stmt::Let { pattern, value } => {
                    let value = self.eval(value)?;
                    self.bind(pattern, value);
                }
                Stmt::Expr(expr) => {
                    self.eval(expr)?;
                }
            }
        }
        value.map_or_else(|| Ok(Value::unit()), |value| self.eval(value))
    }

    /// Binds the names of a pattern that always matches.
    pub(super) fn bind(&mut self, pattern: &'p Pattern, value: Value) {
        assert!(self.matches(pattern, value), "the pattern always matches");
    }

    /// Whether `pattern` matches; binds its names.
    fn matches(&mut self, pattern: &'p Pattern, value: Value) -> bool {
        match &pattern.kind {
            PatternKind::Wild => true,
            PatternKind::Bind(local, None) => {
                self.set(*local, value);
                true
            }
            PatternKind::Bind(local, Some(inner)) => {
                self.set(*local, value.clone());
                self.matches(inner, value)
            }
            PatternKind::Tuple(patterns) => patterns
                .iter()
                .zip(value.components())
                .all(|(pattern, part)| self.matches(pattern, part.clone())),
            PatternKind::Const(constant) => self.compare(ScalarOp::Eq, value.scalar(), *constant),
            PatternKind::Range { lo, hi } => {
                let value = value.scalar();
                lo.is_none_or(|lo| self.compare(ScalarOp::Le, lo, value))
                    && hi.is_none_or(|hi| self.compare(ScalarOp::Le, value, hi))
            }
            PatternKind::Or(patterns) => patterns
                .iter()
                .any(|pattern| self.matches(pattern, value.clone())),
        }
    }

    fn compare(&self, op: ScalarOp, a: Const, b: Const) -> bool {
        let result = apply(op, false, &[a, b], Scalar::Bool, self.maths);
        result.is_ok_and(|truth| truth.bits != 0)
    }

    pub(super) fn match_(&mut self, scrutinee: &'p Expr, arms: &'p [Arm]) -> Result<Value, Stop> {
        let value = self.eval(scrutinee)?;
        for arm in arms {
            if self.matches(&arm.pattern, value.clone()) && self.guard(arm)? {
                return self.eval(&arm.body);
            }
        }
        unreachable!("the arms of a match are exhaustive")
    }

    fn guard(&mut self, arm: &'p Arm) -> Result<bool, Stop> {
        arm.guard
            .as_ref()
            .map_or(Ok(true), |guard| self.truth(guard))
    }

    pub(super) fn while_(
        &mut self,
        cond: &'p Expr,
        body: &'p Expr,
        label: LoopId,
    ) -> Result<Value, Stop> {
        while self.truth(cond)? {
            if let Trip::Done(value) = self.trip(body, label)? {
                return Ok(value);
            }
        }
        Ok(Value::unit())
    }

    pub(super) fn loop_(&mut self, body: &'p Expr, label: LoopId) -> Result<Value, Stop> {
        loop {
            if let Trip::Done(value) = self.trip(body, label)? {
                return Ok(value);
            }
        }
    }

    pub(super) fn labelled(&mut self, body: &'p Expr, label: LoopId) -> Result<Value, Stop> {
        match self.trip(body, label)? {
            Trip::Done(value) => Ok(value),
            Trip::Next => unreachable!("every path through the body leaves it"),
        }
    }

    pub(super) fn for_stmt(
        &mut self,
        pattern: &'p Pattern,
        source: &'p Expr,
        body: &'p Expr,
        label: LoopId,
    ) -> Result<Value, Stop> {
        let source = self.at_hand(source)?;
        for element in source.elements() {
            self.bind(pattern, element.clone());
            if let Trip::Done(value) = self.trip(body, label)? {
                return Ok(value);
            }
        }
        Ok(Value::unit())
    }

    /// Runs a loop's body once.
    fn trip(&mut self, body: &'p Expr, label: LoopId) -> Result<Trip, Stop> {
        match self.eval(body) {
            Ok(_) => Ok(Trip::Next),
            Err(Stop::Continue(target)) if target == label => Ok(Trip::Next),
            Err(Stop::Break(target, value)) if target == label => {
                Ok(Trip::Done(value.unwrap_or_else(Value::unit)))
            }
            Err(stop) => Err(stop),
        }
    }

    pub(super) fn break_(&mut self, label: LoopId, value: Option<&'p Expr>) -> Result<Value, Stop> {
        let value = value.map(|value| self.eval(value)).transpose()?;
        Err(Stop::Break(label, value))
    }

    pub(super) fn assert(
        &mut self,
        expr: &'p Expr,
        cond: &'p Expr,
        message: &str,
    ) -> Result<Value, Stop> {
        if self.truth(cond)? {
            return Ok(Value::unit());
        }
        let message = message.to_owned();
        Err(stop(TroubleKind::Assertion { message }, expr.src))
    }

    pub(super) fn has_size(
        &mut self,
        expr: &'p Expr,
        size: &'p Expr,
        len: &'p Expr,
    ) -> Result<Value, Stop> {
        let (left, right) = (self.size(size)?, self.size(len)?);
        match left == right {
            true => Ok(Value::unit()),
            false => Err(stop(TroubleKind::SizeMismatch { left, right }, expr.src)),
        }
    }

    pub(super) fn dbg(&mut self, expr: &'p Expr, inner: &'p Expr) -> Result<Value, Stop> {
        let value = self.eval(inner)?;
        if self.in_ghost || self.silent {
            return Ok(value);
        }
        let at = expr.src.start();
        eprintln!("[{}:{}] {value}", at.line, at.column);
        Ok(value)
    }
}
