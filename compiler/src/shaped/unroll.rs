//! Statement `for`s of few, known trips over scalars are written out: their indices are constants then,
//! so that what is read at them is known, and lanes stay together.
//!
//! In: a loop's body, as typed. Out: how large it is, if it may be written several times.

use super::lower::Lower;
use crate::prims::Prim;
use crate::typed::ir::{Expr, ExprKind, PlaceStep, Program, Stmt};

/// So many trips are written out at most,
const MOST_TRIPS: usize = 16;
/// of so many operations in all.
const MOST_OPERATIONS: usize = 192;

impl Lower<'_> {
    /// Whether `trips` trips through `body` are written out.
    pub(super) fn is_written_out(&self, trips: u64, body: &Expr) -> bool {
        let size = || operations(self.program, body);
        let Some(trips) = usize::try_from(trips).ok().filter(|it| *it <= MOST_TRIPS) else {
            return false;
        };
        size().is_some_and(|size| size * trips <= MOST_OPERATIONS)
    }
}

/// The operations of an expression of scalars that nothing leaves and in which nothing is repeated an
/// unknown number of times; too many are none.
fn operations(program: &Program, expr: &Expr) -> Option<usize> {
    let all = |exprs: &mut dyn Iterator<Item = &Expr>| {
        let mut sum = 1_usize;
        for expr in exprs {
            sum += operations(program, expr)?;
        }
        (sum <= MOST_OPERATIONS).then_some(sum)
    };
    match &expr.kind {
        ExprKind::Const(_) | ExprKind::Local(_) => Some(0),
        ExprKind::Scalar { args, .. }
        | ExprKind::Complex { args, .. }
        | ExprKind::Tuple(args)
        | ExprKind::Array(args) => all(&mut args.iter()),
        ExprKind::Prim {
            prim: Prim::Len,
            args,
            ..
        } => all(&mut args.iter()),
        ExprKind::And(left, right) | ExprKind::Or(left, right) | ExprKind::Index(left, right) => {
            all(&mut [&**left, &**right].into_iter())
        }
        ExprKind::Field(inner, _)
        | ExprKind::Dbg(inner)
        | ExprKind::Streamed(inner)
        | ExprKind::Assert { cond: inner, .. } => all(&mut std::iter::once(&**inner)),
        ExprKind::Sized { size, len, .. } => all(&mut [&**size, &**len].into_iter()),
        ExprKind::If { cond, then, else_ } => all(&mut [&**cond, &**then, &**else_].into_iter()),
        ExprKind::Match { scrutinee, arms } => {
            let arms = arms.iter();
            let arms = arms.flat_map(|arm| arm.guard.iter().chain([&arm.body]));
            all(&mut std::iter::once(&**scrutinee).chain(arms))
        }
        ExprKind::Block { stmts, value } => {
            let stmts = stmts.iter().map(|stmt| match stmt {
                Stmt::Let { value, .. } => value,
                Stmt::Expr(expr) => expr,
            });
            all(&mut stmts.chain(value.as_deref()))
        }
        ExprKind::Assign { place, value } => {
            let indices = place.path.iter().flat_map(|step| match step {
                PlaceStep::Field(_) => Vec::new(),
                PlaceStep::Index(index) => vec![index],
                PlaceStep::Slice { lo, hi, .. } => lo.iter().chain(hi).collect(),
            });
            all(&mut indices.chain([&**value]))
        }
        ExprKind::ForStmt { source, body, .. } => {
            let trips = known_trips(source)?;
            let once = operations(program, body)?;
            let size = once.checked_mul(trips)?;
            (size <= MOST_OPERATIONS).then_some(size)
        }
        // The callee is put in place; it cannot call itself.
        ExprKind::Call { func, args, fns } if fns.is_empty() => {
            let callee = &program.functions[func.index()];
            let body = operations(program, &callee.body)?;
            Some(body + all(&mut args.iter())?)
        }
        ExprKind::Call { .. }
        | ExprKind::CallLocal { .. }
        | ExprKind::Prim { .. }
        | ExprKind::Range { .. }
        | ExprKind::Slice { .. }
        | ExprKind::While { .. }
        | ExprKind::Loop { .. }
        | ExprKind::Labelled { .. }
        | ExprKind::Break { .. }
        | ExprKind::Continue { .. } => None,
    }
}

/// The length of a range between constants.
fn known_trips(source: &Expr) -> Option<usize> {
    let ExprKind::Range { lo, hi, inclusive } = &source.kind else {
        return None;
    };
    let (ExprKind::Const(lo), ExprKind::Const(hi)) = (&lo.kind, &hi.kind) else {
        return None;
    };
    let end = hi.bits.checked_add(u64::from(*inclusive))?;
    usize::try_from(end.saturating_sub(lo.bits)).ok()
}
