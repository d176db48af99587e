//! `return` as the value of a function's branches.
//!
//! In, out: the body of a function. A `return` that ends a branch goes, and what follows the branches
//! becomes the value of the one that does not return: `if c { return a; } b` is `if c { a } else { b }`.
//! Left as they are are returns in loops and in operands, and those where several branches go on, for
//! then what follows would have to be there several times: `typed` makes these jumps, which cost flags.

use super::ir::{Arm, Block, Expr, ExprKind, Pattern, PatternKind, Stmt};
use crate::source::SrcSpan;

/// Makes the returns of a function's body values.
pub(super) fn returns_to_values(expr: &mut Expr) {
    match &mut expr.kind {
        ExprKind::Return(value) => {
            if let Some(value) = value.take() {
                *expr = *value;
                returns_to_values(expr);
            } else {
                expr.kind = ExprKind::Tuple(Vec::new());
            }
        }
        ExprKind::Block(block) => {
            gather(block);
            if let Some(value) = &mut block.value {
                returns_to_values(value);
            }
        }
        ExprKind::If(_, then, Some(otherwise)) => {
            returns_to_values(then);
            returns_to_values(otherwise);
        }
        ExprKind::Match(_, arms) => {
            arms.iter_mut()
                .for_each(|arm| returns_to_values(&mut arm.body));
        }
        _no_branches => {}
    }
}

/// Makes the first statement that may return the block's value, with all that follows in it.
fn gather(block: &mut Block) {
    let may_return = |stmt: &Stmt| matches!(stmt, Stmt::Expr(it) if end(it) != End::GoesOn);
    let Some(at) = block.stmts.iter().position(may_return) else {
        return;
    };
    let is_last = at + 1 == block.stmts.len() && block.value.is_none();
    let Stmt::Expr(first) = &block.stmts[at] else {
        return;
    };
    let fits = match end(first) {
        End::Returns => is_last,
        End::Either => !is_last && open_ends(first) == 1,
        End::GoesOn => false,
    };
    if !fits {
        return;
    }
    let rest = Block {
        stmts: block.stmts.split_off(at + 1),
        value: block.value.take(),
    };
    if let Some(Stmt::Expr(mut first)) = block.stmts.pop() {
        if !is_last {
            let src = first.src;
            go_on(&mut first, rest, src);
        }
        block.value = Some(Box::new(first));
    }
}

/// How an expression that stands as a statement ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// All branches return.
    Returns,
    /// No branch does.
    GoesOn,
    Either,
}

fn end(expr: &Expr) -> End {
    let all = |ends: &mut dyn Iterator<Item = End>| {
        ends.reduce(|all, end| if all == end { all } else { End::Either })
            .unwrap_or(End::GoesOn)
    };
    match &expr.kind {
        ExprKind::Return(_) => End::Returns,
        ExprKind::Block(block) => end_of_block(block),
        ExprKind::If(_, then, Some(otherwise)) => all(&mut [end(then), end(otherwise)].into_iter()),
        ExprKind::If(_, then, None) => all(&mut [end(then), End::GoesOn].into_iter()),
        ExprKind::Match(_, arms) => all(&mut arms.iter().map(|arm| end(&arm.body))),
        _no_branches => End::GoesOn,
    }
}

fn end_of_block(block: &Block) -> End {
    let stmts = block.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Expr(expr) => Some(expr),
        Stmt::Let { .. } => None,
    });
    let ends: Vec<End> = stmts.chain(block.value.as_deref()).map(end).collect();
    match ends.split_last() {
        Some((End::Returns, _)) => End::Returns,
        Some((last, before)) if before.iter().all(|end| *end == End::GoesOn) => *last,
        Some(_) => End::Either,
        None => End::GoesOn,
    }
}

/// How many branches go on where what follows could stand in their place; more than one where it
/// could not, since names would mean something else there.
fn open_ends(expr: &Expr) -> usize {
    const NONE: usize = 2;
    let of_arm = |arm: &Arm| match open_ends(&arm.body) {
        0 => 0,
        _ if binds(&arm.pattern) => NONE,
        some => some,
    };
    match (&expr.kind, end(expr)) {
        (_, End::Returns) => 0,
        (_, End::GoesOn) => 1,
        (ExprKind::If(_, then, Some(otherwise)), _) => open_ends(then) + open_ends(otherwise),
        (ExprKind::If(_, then, None), _) => open_ends(then) + 1,
        (ExprKind::Match(_, arms), _) => arms.iter().map(of_arm).sum(),
        (ExprKind::Block(block), _) => match block.stmts.as_slice() {
            [Stmt::Expr(only)] if block.value.is_none() => open_ends(only),
            [] => block.value.as_deref().map_or(1, open_ends),
            _several => NONE,
        },
        _no_branches => NONE,
    }
}

/// Puts what follows into the branch that goes on.
fn go_on(expr: &mut Expr, mut rest: Block, src: SrcSpan) {
    if end(expr) == End::GoesOn {
        let nothing = Expr {
            kind: ExprKind::Tuple(Vec::new()),
            src,
        };
        let before = std::mem::replace(expr, nothing);
        rest.stmts.insert(0, Stmt::Expr(before));
        expr.kind = ExprKind::Block(rest);
        return;
    }
    match &mut expr.kind {
        ExprKind::If(_, then, otherwise) => match otherwise {
            Some(otherwise) if end(then) == End::Returns => go_on(otherwise, rest, src),
            Some(_) => go_on(then, rest, src),
            None => {
                let kind = ExprKind::Block(rest);
                *otherwise = Some(Box::new(Expr { kind, src }));
            }
        },
        ExprKind::Match(_, arms) => {
            let open = arms.iter_mut().find(|arm| end(&arm.body) != End::Returns);
            if let Some(arm) = open {
                go_on(&mut arm.body, rest, src);
            }
        }
        ExprKind::Block(block) => {
            let inner = match block.stmts.first_mut() {
                Some(Stmt::Expr(only)) => Some(only),
                _ => block.value.as_deref_mut(),
            };
            if let Some(inner) = inner {
                go_on(inner, rest, src);
            }
        }
        _no_branches => {}
    }
}

/// Whether a pattern gives names to anything.
fn binds(pattern: &Pattern) -> bool {
    match &pattern.kind {
        PatternKind::Wild
        | PatternKind::Rest
        | PatternKind::Value(_)
        | PatternKind::Range { .. } => false,
        _may_bind => true,
    }
}
