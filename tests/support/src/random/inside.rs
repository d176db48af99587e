//! Which operators, conditionals and loops of a program stand inside of ragged bodies: what runs in
//! parallel for each element of something, with arrays in it whose lengths differ from element to element.
//!
//! In: the text of a program. Out: names. Which bodies are ragged the shaped program says, where calls are
//! inlined and each array has its extent; what stands in them, the typed program, by the same places in
//! the text. Operators in functions that such a body calls do not count.

use crate::typing;
use ragged_compiler::ids::Var;
use ragged_compiler::prims::{Means, Prim, records};
use ragged_compiler::shaped;
use ragged_compiler::shaped::ir::{Atom, Body, Consumer, Op, Par};
use ragged_compiler::source::{LineColumn, SrcSpan};
use ragged_compiler::typed::ir::{Expr, ExprKind, FnValue, Local, LocalType, Type};
use ragged_compiler::typed::visit::{Name, Visit};
use std::collections::{BTreeSet, HashSet};

/// From the first character to behind the last.
type Place = (LineColumn, LineColumn);

/// The operators that stand in ragged bodies of this program.
///
/// # Panics
/// If it has no types.
pub fn in_ragged_bodies(text: &str) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    ragged_bodies(text, &mut |body, _| found.extend(operators(body, text)));
    found
}

/// The conditionals and loops that stand in ragged bodies of this program; with `, arrays`, those that give
/// arrays, and loops with arrays among their state.
///
/// # Panics
/// If it has no types.
pub fn control_in_ragged_bodies(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    ragged_bodies(text, &mut |body, locals| control(body, locals, &mut found));
    found
}

/// Shows ragged bodies, each with the locals of its function, to `see`.
fn ragged_bodies(text: &str, see: &mut dyn FnMut(&mut Expr, &[Local])) {
    let typed = || typing::program(text).expect("random programs have types");
    // Programs over sequences are no programs of arrays before they are taken apart.
    let Ok(shaped) = shaped::infer(typed()) else {
        return;
    };
    let mut ragged = BTreeSet::new();
    for function in &shaped.functions {
        below(&function.body, &mut |par, src| {
            if is_ragged(par) {
                ragged.insert(place(src));
            }
        });
    }
    for function in &mut typed().functions {
        let locals = &function.locals;
        bodies(&mut function.body, &ragged, &mut |body| see(body, locals));
    }
}

fn place(src: SrcSpan) -> Place {
    (src.start(), src.end())
}

/// Shows the parallel operations in a body, at any depth, to `see`.
fn below(body: &Body, see: &mut dyn FnMut(&Par, SrcSpan)) {
    for stmt in &body.stmts {
        if let Op::Par(par) = &stmt.op {
            see(par, stmt.src);
        }
        for inner in inner(&stmt.op) {
            below(inner, see);
        }
    }
}

fn inner(op: &Op) -> Vec<&Body> {
    match op {
        Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. } => Vec::new(),
        Op::If { then, else_, .. } => vec![then, else_],
        Op::Loop(it) => vec![&it.cond, &it.body],
        Op::Par(par) => match &par.consumer {
            Consumer::Build
            | Consumer::Rows { .. }
            | Consumer::Scatter { .. }
            | Consumer::Sort(_) => {
                vec![&par.body]
            }
            Consumer::Reduce { combine, .. } | Consumer::Scan { combine, .. } => {
                vec![&par.body, &combine.body]
            }
            Consumer::Fold { step, .. } => vec![&par.body, step],
        },
    }
}

/// Whether an array in its body has a length that depends on the index.
fn is_ragged(par: &Par) -> bool {
    let mut varying = HashSet::from([par.index]);
    vary(&par.body, &mut varying);
    let mut ragged = false;
    below(&par.body, &mut |inner, _| {
        ragged |= matches!(inner.extent, Atom::Var(extent) if varying.contains(&extent));
    });
    ragged
}

/// Adds what depends on what varies. What is left in a body of other operations than these does, or it
/// would have been moved out of it.
fn vary(body: &Body, varying: &mut HashSet<Var>) {
    for stmt in &body.stmts {
        let depends = match &stmt.op {
            Op::Scalar(_, args) | Op::Literal(args) | Op::Read { index: args, .. } => {
                let varies = |it: &Atom| matches!(it, Atom::Var(var) if varying.contains(var));
                args.iter().any(varies)
            }
            Op::Len { .. } | Op::Check { .. } => false,
            Op::Update { .. } | Op::If { .. } | Op::Loop(_) | Op::Par(_) => true,
        };
        for inner in inner(&stmt.op) {
            vary(inner, varying);
        }
        if depends {
            varying.extend(&stmt.outs);
        }
    }
}

/// Shows the bodies of closures that run for the elements of something ragged to `see`.
fn bodies(expr: &mut Expr, ragged: &BTreeSet<Place>, see: &mut dyn FnMut(&mut Expr)) {
    let is_ragged = ragged.contains(&place(expr.src));
    if let ExprKind::Prim { prim, fns, .. } = &mut expr.kind
        && is_ragged
        && runs_for_each(*prim)
    {
        for function in fns {
            if let FnValue::Lambda(lambda) = function {
                see(&mut lambda.body);
            }
        }
    }
    expr.visit(&mut |part| match part {
        Visit::Operand(inner) | Visit::Apart(inner) => bodies(inner, ragged, see),
        Visit::Function(FnValue::Lambda(lambda)) => bodies(&mut lambda.body, ragged, see),
        Visit::Function(FnValue::Local(_))
        | Visit::Pattern(_)
        | Visit::Read(_)
        | Visit::Assigned(_)
        | Visit::Loop(_) => {}
    });
}

/// Whether its functions are of one element; others combine two.
fn runs_for_each(prim: Prim) -> bool {
    !prim.combines() && prim != Prim::Fold
}

/// The operators in `body`: what is an operator of the typed program, and is written there; what stands
/// for others there, by its name.
fn operators(body: &mut Expr, text: &str) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let written = between(text, place(body.src));
    for info in records() {
        match info.means {
            Means::Prim(_) => {}
            _ if is_called(&written, info.name) => {
                found.insert(info.name);
            }
            _ => {}
        }
    }
    prims(body, &mut |prim, src| {
        let name = prim.info().name;
        if is_called(&between(text, place(src)), name) {
            found.insert(name);
        }
    });
    found
}

fn prims(expr: &mut Expr, see: &mut dyn FnMut(Prim, SrcSpan)) {
    if let ExprKind::Prim { prim, .. } = expr.kind {
        see(prim, expr.src);
    }
    expr.visit(&mut |part| match part {
        Visit::Operand(inner) | Visit::Apart(inner) => prims(inner, see),
        Visit::Function(FnValue::Lambda(lambda)) => prims(&mut lambda.body, see),
        _ => {}
    });
}

/// Adds the conditionals and loops in `expr`.
fn control(expr: &mut Expr, locals: &[Local], found: &mut BTreeSet<String>) {
    let gives = has_array(&expr.ty);
    let form = match expr.kind {
        ExprKind::If { .. } => Some(("if", gives)),
        ExprKind::Match { .. } => Some(("match", gives)),
        ExprKind::While { .. } => Some(("while", assigns_array(expr, locals))),
        ExprKind::Loop { .. } => Some(("loop", gives || assigns_array(expr, locals))),
        ExprKind::ForStmt { .. } => Some(("for", assigns_array(expr, locals))),
        _ => None,
    };
    if let Some((form, arrays)) = form {
        found.insert(form.to_owned());
        found.extend(arrays.then(|| format!("{form}, arrays")));
    }
    expr.visit(&mut |part| match part {
        Visit::Operand(inner) | Visit::Apart(inner) => control(inner, locals, found),
        Visit::Function(FnValue::Lambda(lambda)) => control(&mut lambda.body, locals, found),
        _ => {}
    });
}

fn assigns_array(expr: &mut Expr, locals: &[Local]) -> bool {
    let mut arrays = false;
    expr.names(&mut |name| {
        if let Name::Assigned(local) = name
            && let LocalType::Value(ty) = &locals[local.index()].ty
        {
            arrays |= has_array(ty);
        }
    });
    arrays
}

fn has_array(ty: &Type) -> bool {
    match ty {
        Type::Array(_) => true,
        Type::Tuple(parts) => parts.iter().any(has_array),
        Type::Scalar(_) | Type::Struct(_) => false,
    }
}

fn is_called(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let part_of_name = before.is_some_and(|it| it.is_alphanumeric() || it == '_');
        !part_of_name && text[at + name.len()..].starts_with('(')
    })
}

/// The text from one place to another.
fn between(text: &str, (start, end): Place) -> String {
    let lines = (start.line..=end.line).zip(text.lines().skip(start.line as usize - 1));
    let lines = lines.map(|(number, line)| {
        let last = if number == end.line {
            end.column as usize - 1
        } else {
            line.len()
        };
        let first = if number == start.line {
            start.column as usize - 1
        } else {
            0
        };
        &line[first..last]
    });
    lines.collect::<Vec<_>>().join("\n")
}
