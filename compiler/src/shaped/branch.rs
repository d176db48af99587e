//! `if` and `match`: conditionals whose results are their value and the locals assigned inside.

use super::carry::cargo;
use super::effects::{Effects, bound};
use super::in_rows::same_structure;
use super::ir::{Atom, Body, Op, Stmt};
use super::lower::{Lower, Lowered};
use super::value::{Value, bool_const};
use crate::ids::LocalId;
use crate::prims::{Scalar, ScalarOp};
use crate::source::SrcSpan;
use crate::typed::ir::{Arm, Expr, Pattern, Type};

/// The statements of one side of a conditional, its value and the locals that either side may assign.
type Side = (Vec<Stmt>, Vec<Value>);

impl<'p> Lower<'p> {
    /// `if cond { then } else { else_ }`
    pub(super) fn if_expr(
        &mut self,
        cond: &'p Expr,
        then: &'p Expr,
        else_: &'p Expr,
        ty: &Type,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let cond = self.atom(cond)?;
        let state = self.state(&Effects::of([then, else_]));
        self.branch(
            cond,
            &state,
            src,
            |lower| lower.expr_as(then, ty),
            |lower| lower.expr_as(else_, ty),
        )
    }

    /// A conditional; `state` lists the locals that either side may assign.
    pub(super) fn branch(
        &mut self,
        cond: Atom,
        state: &[LocalId],
        src: SrcSpan,
        then: impl FnOnce(&mut Self) -> Lowered<Value>,
        else_: impl FnOnce(&mut Self) -> Lowered<Value>,
    ) -> Lowered<Value> {
        if let Atom::Const(truth) = cond {
            return if truth.bits != 0 {
                then(self)
            } else {
                else_(self)
            };
        }
        let before: Vec<_> = state
            .iter()
            .map(|local| self.slot(*local).cloned())
            .collect();
        let outside = self.vars.len();
        let mut then_side = self.side(cond, true, state, src, then)?;
        if then_side.1.iter().any(Value::has_array) {
            then_side.0 = self.share_sizes(then_side.0, outside);
        }
        for (local, slot) in state.iter().zip(before) {
            self.set_slot(*local, slot);
        }
        let mut else_side = self.side(cond, false, state, src, else_)?;
        self.match_side(&mut then_side, &else_side.1, src)?;
        self.match_side(&mut else_side, &then_side.1, src)?;
        let ((then_stmts, then_values), (else_stmts, else_values)) = (then_side, else_side);
        let extents = self.common(&then_values, &else_values, outside);
        let then = Body {
            stmts: then_stmts,
            results: cargo(&then_values, &extents),
        };
        let else_ = Body {
            stmts: else_stmts,
            results: cargo(&else_values, &extents),
        };
        if let Some(value) = self.select(cond, state, &[&then, &else_], &then_values, src) {
            return Ok(value);
        }
        let (values, outs) = self.carrier(&then_values, &extents, src);
        if !(outs.is_empty() && then.stmts.is_empty() && else_.stmts.is_empty()) {
            self.push(outs, Op::If { cond, then, else_ }, src);
        }
        let mut values = values.into_iter();
        let value = values.next().expect("the first is the value");
        for (local, value) in state.iter().zip(values) {
            self.set_local(*local, value);
        }
        Ok(value)
    }

    /// Writes computations of sizes outside of one side, so that the other side finds its own to be
    /// the same; gives the statements that stay. Variables up to `outside` are outside.
    fn share_sizes(&mut self, stmts: Vec<Stmt>, outside: usize) -> Vec<Stmt> {
        let mut moved = Vec::new();
        let mut stay = Vec::new();
        for stmt in stmts {
            let known = |atom: &Atom| match atom {
                Atom::Const(_) => true,
                Atom::Var(var) => var.index() < outside || moved.contains(var),
            };
            match (&stmt.op, stmt.outs.as_slice()) {
                (Op::Scalar(op, args), [out]) if args.iter().all(known) && is_size(*op, args) => {
                    if self.elem_type(Atom::Var(*out)) != Scalar::Usize {
                        stay.push(stmt);
                        continue;
                    }
                    moved.push(*out);
                    self.set_computed(*op, args, *out);
                    self.splice(vec![stmt]);
                }
                _other => stay.push(stmt),
            }
        }
        stay
    }

    /// The results as selections, where neither side has anything to do and all are scalars.
    fn select(
        &mut self,
        cond: Atom,
        state: &[LocalId],
        [then, else_]: &[&Body; 2],
        shape: &[Value],
        src: SrcSpan,
    ) -> Option<Value> {
        let idle = then.stmts.is_empty() && else_.stmts.is_empty();
        if !idle || shape.iter().any(Value::has_array) {
            return None;
        }
        let pairs = then.results.iter().zip(&else_.results);
        let mut atoms = pairs
            .map(|(a, b)| {
                let ty = self.elem_type(*a);
                self.choice(cond, *a, *b, ty, src)
            })
            .collect::<Vec<_>>()
            .into_iter();
        let mut values = shape.iter().map(|value| value.with_atoms(&mut atoms));
        let value = values.next().expect("the first is the value");
        for (local, value) in state.iter().zip(values) {
            self.set_local(*local, value);
        }
        Some(value)
    }

    /// `a` if `cond`, else `b`; truth values by connectives, which facts see through.
    fn choice(&mut self, cond: Atom, a: Atom, b: Atom, ty: Scalar, src: SrcSpan) -> Atom {
        if a == b {
            return a;
        }
        let (yes, no) = (bool_const(true), bool_const(false));
        if a == yes {
            return self.test(ScalarOp::BitOr, cond, b, src);
        }
        if b == no {
            return self.test(ScalarOp::BitAnd, cond, a, src);
        }
        if a == no || b == yes {
            let not = self.scalar(ScalarOp::Not, &[cond], Scalar::Bool, src);
            let (op, other) = if a == no {
                (ScalarOp::BitAnd, b)
            } else {
                (ScalarOp::BitOr, a)
            };
            return self.test(op, not, other, src);
        }
        self.scalar(ScalarOp::Select, &[cond, a, b], ty, src)
    }

    /// Gives the values of a side offsets wherever those of the other side have them.
    fn match_side(&mut self, side: &mut Side, others: &[Value], src: SrcSpan) -> Lowered<()> {
        let (stmts, values) = side;
        let mut pairs = values.iter().zip(others);
        if pairs.all(|(value, other)| same_structure(value, other)) {
            return Ok(());
        }
        let (stmts, values) = (std::mem::take(stmts), std::mem::take(values));
        *side = self.scoped(|lower| {
            lower.splice(stmts);
            let values = values.into_iter().zip(others);
            let values = values.map(|(value, other)| {
                let value = lower.matched(value, other, src)?;
                lower.owned(value, src)
            });
            values.collect::<Lowered<Vec<_>>>()
        })?;
        Ok(())
    }

    /// One side: its statements, then its value and the locals of `state`.
    fn side(
        &mut self,
        cond: Atom,
        truth: bool,
        state: &[LocalId],
        src: SrcSpan,
        side: impl FnOnce(&mut Self) -> Lowered<Value>,
    ) -> Lowered<Side> {
        self.perhaps(|lower| {
            lower.facts.assume(cond, truth);
            let mut values = vec![side(lower)?];
            values.extend(lower.locals(state));
            let values = values.into_iter().map(|value| lower.owned(value, src));
            values.collect()
        })
    }

    /// `match scrutinee { arms }`
    pub(super) fn match_expr(
        &mut self,
        scrutinee: &'p Expr,
        arms: &'p [Arm],
        ty: &Type,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let value = self.expr(scrutinee)?;
        self.arms(&value, arms, ty, src)
    }

    /// A chain of tests. The last arm always matches.
    fn arms(&mut self, value: &Value, arms: &'p [Arm], ty: &Type, src: SrcSpan) -> Lowered<Value> {
        let (arm, rest) = arms.split_first().expect("typed: arms are exhaustive");
        let matches = match rest {
            [] => bool_const(true),
            [..] => self.arm_matches(value, arm, src)?,
        };
        let exits = Effects::of(&arm.guard).exits;
        if exits.is_empty() {
            return self.arm_or_rest(matches, value, arms, ty, src);
        }
        let left = self.left_by(&exits, src);
        let state = self.state(&Effects::of_arms(arms));
        self.branch(
            left,
            &state,
            src,
            |lower| lower.zero(ty, src),
            |lower| lower.arm_or_rest(matches, value, arms, ty, src),
        )
    }

    /// The first arm if it matches, else the others.
    fn arm_or_rest(
        &mut self,
        matches: Atom,
        value: &Value,
        arms: &'p [Arm],
        ty: &Type,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let (arm, rest) = arms.split_first().expect("typed: arms are exhaustive");
        let state = self.state(&Effects::of_arms(arms));
        self.branch(
            matches,
            &state,
            src,
            |lower| {
                lower.bind(&arm.pattern, value)?;
                lower.expr_as(&arm.body, ty)
            },
            |lower| lower.arms(value, rest, ty, src),
        )
    }

    /// Whether pattern and guard hold.
    fn arm_matches(&mut self, value: &Value, arm: &'p Arm, src: SrcSpan) -> Lowered<Atom> {
        let matches = self.matches(&arm.pattern, value)?;
        let Some(guard) = &arm.guard else {
            return Ok(matches);
        };
        let state = self.state(&Effects::of([guard]));
        let both = self.branch(
            matches,
            &state,
            src,
            |lower| {
                lower.bind(&arm.pattern, value)?;
                lower.expr_as(guard, &Type::Scalar(Scalar::Bool))
            },
            |_| Ok(Value::Scalar(bool_const(false))),
        )?;
        Ok(both.atom())
    }

    /// Binds the alternative of an or-pattern that matches; the last does if no other.
    pub(super) fn bind_alternative(
        &mut self,
        alternatives: &[Pattern],
        value: &Value,
    ) -> Lowered<()> {
        let Some((first, rest)) = alternatives.split_first() else {
            return Ok(());
        };
        let mut locals = Vec::new();
        bound(first, &mut locals);
        if rest.is_empty() || locals.is_empty() {
            return self.bind(first, value);
        }
        let matches = self.matches(first, value)?;
        let bind_first = |lower: &mut Self| lower.bind(first, value).map(|()| Value::unit());
        let bind_rest =
            |lower: &mut Self| lower.bind_alternative(rest, value).map(|()| Value::unit());
        self.branch(matches, &locals, first.src, bind_first, bind_rest)?;
        Ok(())
    }

    /// `left && right`, or `left || right` if `is_or`. The right side is evaluated at once if
    /// nobody can tell.
    pub(super) fn lazy(
        &mut self,
        left: &'p Expr,
        right: &'p Expr,
        is_or: bool,
        src: SrcSpan,
    ) -> Lowered<Atom> {
        let left = self.atom(left)?;
        let state = self.state(&Effects::of([right]));
        if matches!(left, Atom::Const(_)) || !state.is_empty() {
            return self.lazy_branch(left, right, &state, is_or, src);
        }
        self.unless(left, is_or, src, |lower| lower.atom(right))
    }

    /// `right`, where `left` is not `known`; else `known`.
    pub(super) fn unless(
        &mut self,
        left: Atom,
        known: bool,
        src: SrcSpan,
        right: impl FnOnce(&mut Self) -> Lowered<Atom>,
    ) -> Lowered<Atom> {
        let (stmts, right) = self.perhaps(|lower| {
            lower.facts.assume(left, !known);
            right(lower)
        })?;
        if stmts.iter().all(|stmt| matches!(stmt.op, Op::Scalar(..))) {
            self.splice(stmts);
            let op = if known {
                ScalarOp::BitOr
            } else {
                ScalarOp::BitAnd
            };
            return Ok(self.test(op, left, right, src));
        }
        let evaluated = Body {
            stmts,
            results: vec![right],
        };
        let at_once = Body {
            stmts: Vec::new(),
            results: vec![bool_const(known)],
        };
        let (then, else_) = if known {
            (at_once, evaluated)
        } else {
            (evaluated, at_once)
        };
        let out = self.scalar_var(Scalar::Bool, src);
        self.push(
            vec![out],
            Op::If {
                cond: left,
                then,
                else_,
            },
            src,
        );
        Ok(Atom::Var(out))
    }

    fn lazy_branch(
        &mut self,
        left: Atom,
        right: &'p Expr,
        state: &[LocalId],
        is_or: bool,
        src: SrcSpan,
    ) -> Lowered<Atom> {
        let known = Value::Scalar(bool_const(is_or));
        let value = if is_or {
            self.branch(left, state, src, |_| Ok(known), |lower| lower.expr(right))
        } else {
            self.branch(left, state, src, |lower| lower.expr(right), |_| Ok(known))
        };
        Ok(value?.atom())
    }
}

/// Whether this may be the computation of a size, which never fails.
fn is_size(op: ScalarOp, args: &[Atom]) -> bool {
    match op {
        ScalarOp::Div | ScalarOp::Rem => {
            matches!(args, [_, Atom::Const(divisor)] if divisor.bits != 0)
        }
        op => matches!(op, ScalarOp::Min | ScalarOp::Max),
    }
}
