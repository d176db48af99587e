//! Operands that leave a loop or a body, as statements.
//!
//! In: a typed body. Out: the same, in which no operand leaves a loop that is around its expression:
//! `x + if c { break } else { 1 }` is `{ let a = if c { break } else { 1 }; x + a }`. What is
//! evaluated before such an operand gets a name too, unless nothing can change it meanwhile.

use super::build::unit;
use super::ir::{
    Arm, Const, Expr, ExprKind, FnValue, Local, LocalType, LoopId, Pattern, PatternKind, PlaceStep,
    Stmt, Type,
};
use crate::ids::LocalId;
use crate::prims::Scalar;

static BOOL: Type = Type::Scalar(Scalar::Bool);

/// Takes the operands that leave a loop out of their expressions.
pub(super) fn hoist(body: &mut Expr, locals: &mut Vec<Local>) {
    Hoist { locals }.expr(body);
}

struct Hoist<'l> {
    locals: &'l mut Vec<Local>,
}

/// The loops and bodies around an expression that it leaves.
type Left = Vec<LoopId>;

impl Hoist<'_> {
    /// Hoists in `expr`, and tells what it leaves.
    fn expr(&mut self, expr: &mut Expr) -> Left {
        match &mut expr.kind {
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                let (of_left, of_right) = (self.expr(left), self.expr(right));
                if !of_right.is_empty() {
                    lazy_as_if(expr);
                }
                self.first_leaving(expr, usize::from(!of_left.is_empty()));
                [of_left, of_right].concat()
            }
            ExprKind::While { cond, body, label } => {
                let label = *label;
                let (of_cond, of_body) = (self.expr(cond), self.expr(body));
                if !of_cond.is_empty() {
                    self.while_as_loop(expr);
                }
                without(label, [of_cond, of_body].concat())
            }
            _other => self.operands_and_rest(expr),
        }
    }

    fn operands_and_rest(&mut self, expr: &mut Expr) -> Left {
        let mut left = Left::new();
        let mut leaving = 0;
        for (at, operand) in operands(&mut expr.kind).into_iter().enumerate() {
            let of_operand = self.expr(operand);
            if !of_operand.is_empty() {
                leaving = at + 1;
                left.extend(of_operand);
            }
        }
        self.rest(&mut expr.kind, &mut left);
        match &expr.kind {
            ExprKind::Break { label, .. } | ExprKind::Continue { label } => left.push(*label),
            // What is assigned may leave, as long as its place does not.
            ExprKind::Assign { .. } if leaving == 1 => leaving = 0,
            _other => {}
        }
        self.first_leaving(expr, leaving);
        left
    }

    /// What is no operand.
    fn rest(&mut self, kind: &mut ExprKind, left: &mut Left) {
        match kind {
            ExprKind::Prim { fns, .. } | ExprKind::Call { fns, .. } => {
                for function in fns {
                    if let FnValue::Lambda(lambda) = function {
                        self.expr(&mut lambda.body);
                    }
                }
            }
            ExprKind::If { then, else_, .. } => {
                left.extend(self.expr(then));
                left.extend(self.expr(else_));
            }
            ExprKind::Match { arms, .. } => {
                for Arm { guard, body, .. } in arms {
                    guard
                        .iter_mut()
                        .for_each(|guard| left.extend(self.expr(guard)));
                    left.extend(self.expr(body));
                }
            }
            ExprKind::Block { stmts, value } => {
                for stmt in stmts {
                    let (Stmt::Let { value, .. } | Stmt::Expr(value)) = stmt;
                    left.extend(self.expr(value));
                }
                value
                    .iter_mut()
                    .for_each(|value| left.extend(self.expr(value)));
            }
            ExprKind::Loop { body, label, .. }
            | ExprKind::Labelled { body, label }
            | ExprKind::ForStmt { body, label, .. } => {
                left.extend(without(*label, self.expr(body)));
            }
            _operands_only => {}
        }
    }

    /// `while cond { body }`, with a condition that leaves, as
    /// `loop { if cond { body } else { break } }`.
    fn while_as_loop(&mut self, expr: &mut Expr) {
        let src = expr.src;
        let kind = std::mem::replace(&mut expr.kind, ExprKind::Tuple(Vec::new()));
        expr.kind = match kind {
            ExprKind::While { cond, body, label } => {
                let value = None;
                let else_ = Box::new(unit(ExprKind::Break { label, value }, src));
                let then = body;
                let mut round = unit(ExprKind::If { cond, then, else_ }, src);
                self.first_leaving(&mut round, 1);
                let (body, ends) = (Box::new(round), true);
                ExprKind::Loop { body, label, ends }
            }
            other => other,
        };
    }

    /// Makes the first `count` operands statements in front of `expr`.
    fn first_leaving(&mut self, expr: &mut Expr, count: usize) {
        if count == 0 {
            return;
        }
        let mut stmts = Vec::new();
        let mut reached = true;
        for operand in operands(&mut expr.kind).into_iter().take(count) {
            reached = self.statement(operand, &mut stmts);
            if !reached {
                break;
            }
        }
        let nothing = unit(ExprKind::Tuple(Vec::new()), expr.src);
        let whole = std::mem::replace(expr, nothing);
        expr.ty = if reached {
            whole.ty.clone()
        } else {
            Type::Tuple(Vec::new())
        };
        let value = reached.then(|| Box::new(whole));
        expr.kind = ExprKind::Block { stmts, value };
    }

    /// Makes `operand` a name for what the statements compute; gives whether control gets behind them.
    fn statement(&mut self, operand: &mut Expr, stmts: &mut Vec<Stmt>) -> bool {
        let nothing = unit(ExprKind::Tuple(Vec::new()), operand.src);
        let mut value = std::mem::replace(operand, nothing);
        while let ExprKind::Block {
            stmts: inner,
            value: Some(last),
        } = value.kind
        {
            stmts.extend(inner);
            value = *last;
        }
        if value.diverges() {
            stmts.push(Stmt::Expr(value));
            return false;
        }
        let (ty, src) = (value.ty.clone(), value.src);
        let stays = self.is_settled(&value);
        let kind = if stays {
            value.kind
        } else {
            ExprKind::Local(self.bind(value, stmts))
        };
        *operand = Expr { kind, ty, src };
        true
    }

    /// Whether nothing changes what `expr` is: a constant, a name, a range of these.
    fn is_settled(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Const(_) => true,
            ExprKind::Local(local) => !self.locals[local.index()].mutable,
            ExprKind::Range { lo, hi, .. } => self.is_settled(lo) && self.is_settled(hi),
            _other => false,
        }
    }

    fn bind(&mut self, value: Expr, stmts: &mut Vec<Stmt>) -> LocalId {
        let (ty, src) = (value.ty.clone(), value.src);
        let local = LocalId::next(&*self.locals);
        self.locals.push(Local {
            name: "tmp".to_owned(),
            ty: LocalType::Value(ty.clone()),
            mutable: false,
            in_parts: false,
            temporary: true,
            src,
        });
        let kind = PatternKind::Bind(local, None);
        let pattern = Pattern { kind, ty, src };
        stmts.push(Stmt::Let { pattern, value });
        local
    }
}

/// What is evaluated before anything else of an expression, always and in this order.
fn operands(kind: &mut ExprKind) -> Vec<&mut Expr> {
    match kind {
        ExprKind::Scalar { args, .. }
        | ExprKind::Complex { args, .. }
        | ExprKind::Tuple(args)
        | ExprKind::Array(args)
        | ExprKind::Prim { args, .. }
        | ExprKind::Call { args, .. }
        | ExprKind::CallLocal { args, .. } => args.iter_mut().collect(),
        ExprKind::Range { lo, hi, .. } => vec![lo, hi],
        ExprKind::Index(array, index) => vec![array, index],
        ExprKind::Slice { array, lo, hi, .. } => {
            let bounds = lo.iter_mut().chain(hi).map(|bound| &mut **bound);
            std::iter::once(&mut **array).chain(bounds).collect()
        }
        ExprKind::And(only, _)
        | ExprKind::Or(only, _)
        | ExprKind::Field(only, _)
        | ExprKind::If { cond: only, .. }
        | ExprKind::Match {
            scrutinee: only, ..
        }
        | ExprKind::ForStmt { source: only, .. }
        | ExprKind::Assert { cond: only, .. }
        | ExprKind::Dbg(only)
        | ExprKind::Streamed(only) => vec![only],
        ExprKind::Break { value, .. } => value.iter_mut().map(|value| &mut **value).collect(),
        ExprKind::Sized { size, len, .. } => vec![size, len],
        ExprKind::Assign { place, value } => {
            let mut operands = vec![&mut **value];
            for step in &mut place.path {
                match step {
                    PlaceStep::Field(_) => {}
                    PlaceStep::Index(index) => operands.push(index),
                    PlaceStep::Slice { lo, hi, .. } => operands.extend(lo.iter_mut().chain(hi)),
                }
            }
            operands
        }
        ExprKind::Const(_)
        | ExprKind::Local(_)
        | ExprKind::Block { .. }
        | ExprKind::While { .. }
        | ExprKind::Loop { .. }
        | ExprKind::Labelled { .. }
        | ExprKind::Continue { .. } => Vec::new(),
    }
}

/// `a && b` as `if a { b } else { false }`, and `a || b` as `if a { true } else { b }`.
fn lazy_as_if(expr: &mut Expr) {
    let src = expr.src;
    let known = |truth: bool| {
        let value = Const {
            ty: Scalar::Bool,
            bits: u64::from(truth),
        };
        Box::new(Expr {
            kind: ExprKind::Const(value),
            ty: BOOL.clone(),
            src,
        })
    };
    expr.kind = match std::mem::replace(&mut expr.kind, ExprKind::Tuple(Vec::new())) {
        ExprKind::And(cond, then) => ExprKind::If {
            cond,
            then,
            else_: known(false),
        },
        ExprKind::Or(cond, else_) => ExprKind::If {
            cond,
            then: known(true),
            else_,
        },
        other => other,
    };
}

fn without(label: LoopId, mut left: Left) -> Left {
    left.retain(|it| *it != label);
    left
}
