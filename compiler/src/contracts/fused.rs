//! `#[fused]` and `#![deny(unfused)]`: no array is in memory between arguments and results.
//!
//! In: a fused function. Out: a message for each array that is, where it is made. Array literals
//! do not count, nor what a body makes for itself: it lives for one element at a time.

use crate::checks::Check;
use crate::contracts::copies::copies;
use crate::contracts::ir::Fused;
use crate::contracts::kernel_stmts;
use crate::contracts::reasons::{remedy, why};
use crate::fused::ir::{Body, Function, Manifest, Op, Reason, Stmt};
use crate::ids::Var;
use crate::report::{Diagnostic, Errors};
use crate::shaped::ir::Atom;
use crate::source::LineColumn;

/// Says which arrays of `function` break its promise.
pub(super) fn check(function: &Function, promise: Fused, errors: &mut Errors) {
    let made = function.manifests.iter();
    let made = made.filter(|it| it.reason != Reason::Result).cloned();
    let made = made.map(|array| ("this array is materialised", array));
    let copies = copies(function).into_iter();
    let copies = copies.map(|array| ("an array is copied here", array));
    let mut said: Vec<(LineColumn, Reason)> = Vec::new();
    for (what, array) in made.chain(copies) {
        let place = (array.src.start(), array.reason);
        if !said.contains(&place) {
            let message = unfused(what, function, &array, promise);
            errors.push(match said.is_empty() {
                true => promised(message, function, promise),
                false => message,
            });
            said.push(place);
        }
    }
}

fn unfused(what: &str, function: &Function, array: &Manifest, promise: Fused) -> Diagnostic {
    let attribute = match promise {
        Fused::Function(_) => format!("`{}` is `#[fused]`", function.name),
        Fused::Block(_) => "the block denies that".to_owned(),
    };
    Diagnostic::new(array.src, format!("{what}, and {attribute}"))
        .note(because(function, array))
        .help(remedy(array.reason))
}

/// Marks the attribute.
fn promised(message: Diagnostic, function: &Function, promise: Fused) -> Diagnostic {
    match promise {
        Fused::Function(src) => message.also(
            src,
            format!(
                "here `{}` promises that no array is in memory between arguments and results",
                function.name
            ),
        ),
        Fused::Block(src) => message.also(
            src,
            format!(
                "here all functions promise that no array is in memory between arguments and \
                 results; `#[allow(unfused)]` lets `{}` have some",
                function.name
            ),
        ),
    }
}

/// The reason, with what it rests on.
fn because(function: &Function, array: &Manifest) -> String {
    let why = why(array.reason);
    let details = match array.reason {
        Reason::MayFail => unproven(function, array.array),
        Reason::SeveralReaders | Reason::ReadOutOfOrder | Reason::ReadInLoop => {
            read_in(&function.body, array.array)
        }
        Reason::Result
        | Reason::LoopState
        | Reason::Branch
        | Reason::Updated
        | Reason::Overwritten
        | Reason::WholeArray
        | Reason::Rows
        | Reason::Offsets => None,
    };
    match details {
        Some(details) => format!("{why} ({details})"),
        None => why.to_owned(),
    }
}

/// What is checked where the array is made.
fn unproven(function: &Function, array: Var) -> Option<String> {
    let stmts = kernel_stmts(&function.body).into_iter();
    let mut makers = stmts.filter(|(stmt, _)| stmt.outs.contains(&array));
    let (_, kernel) = makers.next()?;
    first_check(&kernel.body, function).map(|check| format!("not proven: {}", check.unproven()))
}

fn first_check<'f>(body: &Body, function: &'f Function) -> Option<&'f Check> {
    body.stmts.iter().find_map(|stmt| match &stmt.op {
        Op::Check { id, .. } => Some(&function.checks[id.index()]),
        Op::If { then, else_, .. } => {
            first_check(then, function).or_else(|| first_check(else_, function))
        }
        Op::Loop(it) => first_check(&it.cond, function).or_else(|| first_check(&it.body, function)),
        Op::Kernel(kernel) => first_check(&kernel.body, function),
        Op::Scalar(..) | Op::Len { .. } | Op::Read { .. } | Op::Literal(_) | Op::Update { .. } => {
            None
        }
    })
}

/// The lines of the operations that read an array.
fn read_in(body: &Body, array: Var) -> Option<String> {
    let stmts = kernel_stmts(body).into_iter();
    let readers = stmts.filter(|(_, kernel)| reads(&kernel.body.stmts, array));
    let mut lines: Vec<u32> = readers.map(|(stmt, _)| stmt.src.start().line).collect();
    lines.sort_unstable();
    lines.dedup();
    let shown: Vec<String> = lines.iter().map(u32::to_string).collect();
    match shown.as_slice() {
        [] => None,
        [line] => Some(format!("read in line {line}")),
        [lines @ .., last] => Some(format!("read in lines {} and {last}", lines.join(", "))),
    }
}

fn reads(stmts: &[Stmt], array: Var) -> bool {
    let any = |body: &Body| reads(&body.stmts, array);
    stmts.iter().any(|stmt| match &stmt.op {
        Op::Read { array: read, .. } => *read == array,
        Op::If { then, else_, .. } => any(then) || any(else_),
        Op::Loop(it) => any(&it.cond) || any(&it.body) || it.init.contains(&Atom::Var(array)),
        Op::Kernel(kernel) => any(&kernel.body),
        Op::Scalar(..) | Op::Check { .. } | Op::Len { .. } | Op::Literal(_) | Op::Update { .. } => {
            false
        }
    })
}
