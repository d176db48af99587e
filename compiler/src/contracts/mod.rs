//! What the user's contracts are held against.
//!
//! In: a fused program. Out: [`Facts`] per function, which `EXPLAIN` and rustdoc show, and the last
//! errors that may blame the user: contracts that do not hold, each where it does not.

mod copies;
pub mod cost;
mod fused;
pub mod ir;
pub mod print;
pub mod reasons;
mod regular;
pub mod verify;

use crate::fused::fast::is_fast;
use crate::fused::ir::{Body, Function, Kernel, Manifest, Op, Program, Reason, Sink, Stmt};
use crate::report::{Errors, Report};
use crate::shaped::ir::ragged_levels;
use crate::typed::ir::SigType;
use crate::values::Repr;
use std::fmt;

/// What was compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Fused loops.
    pub kernels: usize,
    /// Arrays in memory that are neither parameters nor results.
    pub intermediates: usize,
    /// Whether any value is irregular: arrays whose lengths may differ.
    pub irregular: bool,
    /// Whether anything is computed otherwise than written, as `#[fast]` allows.
    pub fast: bool,
}

impl Facts {
    /// Of a function.
    pub fn of(function: &Function) -> Facts {
        let between = |it: &&Manifest| it.reason != Reason::Result;
        Facts {
            kernels: passes(function).len(),
            intermediates: function.manifests.iter().filter(between).count(),
            irregular: is_irregular(function),
            fast: is_fast(&function.body, &function.vars),
        }
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "kernels {}, intermediates {}, {}{}",
            self.kernels,
            self.intermediates,
            if self.irregular {
                "irregular"
            } else {
                "regular"
            },
            if self.fast { ", fast" } else { "" }
        )
    }
}

/// The last gate of the compiler: each function holds to its contracts.
pub fn check(program: &Program) -> Result<(), Report> {
    let mut errors = Errors::default();
    for function in &program.functions {
        let contracts = &function.export.contracts;
        if let Some(promise) = contracts.fused {
            fused::check(function, promise, &mut errors);
        }
        if let Some(promise) = contracts.regular {
            regular::check(function, promise, &mut errors);
        }
        if !contracts.bounds.is_empty() {
            cost::bounds::check(function, &contracts.bounds, &mut errors);
        }
    }
    errors.propagate()
}

fn is_irregular(function: &Function) -> bool {
    let params = function.params.iter().map(|param| &param.ty);
    let mut values = function.values.iter();
    params.chain([&function.ret]).any(has_rows)
        || makes_rows(&function.body)
        || values.any(|value| value.repr == Repr::Irregular)
}

fn has_rows(ty: &SigType) -> bool {
    match ty {
        SigType::Scalar(_) => false,
        SigType::Tuple(fields) | SigType::Struct(_, fields) | SigType::Vector(_, fields) => {
            fields.iter().any(has_rows)
        }
        SigType::Array { elem, .. } => ragged_levels(elem) > 0,
    }
}

fn makes_rows(body: &Body) -> bool {
    let kernels = kernels(body).into_iter();
    let mut kernels =
        kernels.map(|it| matches!(it.sink, Sink::Rows { .. } | Sink::Join) || makes_rows(&it.body));
    kernels.any(|it| it)
}

/// The kernels of a function, in program order: those that run together are one pass.
pub fn passes(function: &Function) -> Vec<Vec<&Kernel>> {
    let mut stmts = kernel_stmts(&function.body).into_iter();
    let mut passes = Vec::new();
    while let Some((stmt, kernel)) = stmts.next() {
        let others = function.convoy(stmt).map_or(0, |it| it.members.len() - 1);
        let others = stmts.by_ref().take(others).map(|(_, kernel)| kernel);
        passes.push([kernel].into_iter().chain(others).collect());
    }
    passes
}

/// How the kernels of a pass run together, for EXPLAIN: those that take turns combine something.
pub fn together(pass: &[&Kernel]) -> &'static str {
    let writes = |it: &&Kernel| matches!(it.sink, Sink::Write | Sink::Pack);
    match pass {
        [] | [_] => "",
        several if several.iter().all(writes) => ", through row buffers",
        _several => ", strip by strip",
    }
}

/// All kernels of a body, in program order.
pub fn kernels(body: &Body) -> Vec<&Kernel> {
    let stmts = kernel_stmts(body).into_iter();
    stmts.map(|(_, kernel)| kernel).collect()
}

/// The same, with their statements.
pub(crate) fn kernel_stmts(body: &Body) -> Vec<(&Stmt, &Kernel)> {
    let mut out = Vec::new();
    for stmt in &body.stmts {
        match &stmt.op {
            Op::Kernel(kernel) => out.push((stmt, kernel)),
            Op::If { then, else_, .. } => {
                out.extend(kernel_stmts(then));
                out.extend(kernel_stmts(else_));
            }
            Op::Loop(it) => {
                out.extend(kernel_stmts(&it.cond));
                out.extend(kernel_stmts(&it.body));
            }
            Op::Scalar(..)
            | Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. } => {}
        }
    }
    out
}
