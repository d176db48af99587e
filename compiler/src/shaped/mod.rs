//! Sizes inferred, mutation and products gone: see [`ir`] for the properties that hold.
//!
//! In: a typed program. Out: one first-order function per exported instance, or the mistakes of
//! sizes, or a construct that this version does not compile. Assumes what [`crate::typed::ir`]
//! says, and that no function calls itself.
//!
//! Lowering goes by environment: an expression becomes a `value` and the statements that compute
//! it, calls and closures are lowered in place. What is in which file: `lower` the state of the
//! pass, `expr`, `arith`, `patterns`, `branch`, `loops`, `assign`, `call`, `signature` and `prims`
//! the constructs, `par` index spaces, `bare` operations on elements without scalars, `carry` values
//! that leave branches and loops, `facts` and `agree` sizes. Then `in_order` makes loops of what
//! prints, `registers` scalars of small arrays, and `into_branches` moves what reads the value of a
//! conditional into its branches.

mod agree;
mod alike;
mod arith;
mod assign;
mod bare;
pub mod border;
mod branch;
mod call;
mod carry;
mod complex;
mod copy;
mod dbg;
mod effects;
mod expr;
mod facts;
mod failing;
mod fold;
mod in_order;
mod in_rows;
mod into_branches;
mod invariant;
pub mod ir;
mod lengths;
mod loops;
mod lower;
mod named;
mod one_shape;
mod out_of_range;
mod outside;
mod par;
mod patterns;
mod placed;
mod plan;
mod prims;
pub mod print;
mod ragged;
mod registers;
mod regular;
mod rows;
mod signature;
pub mod size;
mod unproven;
mod unroll;
mod uses;
mod value;
mod vectors;
pub mod verify;

pub use regular::result_lengths;

use crate::checks::Check;
use crate::report::{Diagnostic, Errors, Report};
use crate::source::LineColumn;
use crate::typed::ir as typed;
use crate::values::Named;
use ir::{Body, Param, Program, VarInfo};
use lower::{Lower, Lowered};
use vectors::Way;

/// Lowers every exported function of a program.
pub fn infer(program: typed::Program) -> Result<Program, Report> {
    let mut errors = Mistakes::default();
    let mut lowered = Vec::new();
    for function in &program.functions {
        if function.export.is_some() {
            lowered.push(lower_function(&program, function, &mut errors));
        }
    }
    errors.errors.propagate()?;
    let typed::Program {
        structs, functions, ..
    } = program;
    let exported = functions
        .into_iter()
        .filter(|function| function.export.is_some());
    let functions = exported
        .zip(lowered.into_iter().flatten())
        .map(assemble)
        .map(invariant::invariants_outside)
        .map(in_order::in_order)
        .map(registers::in_registers)
        .map(into_branches::readers_into_branches)
        .collect();
    Ok(Program { structs, functions })
}

/// What was reported, and where.
#[derive(Default)]
struct Mistakes {
    errors: Errors,
    places: Vec<(LineColumn, String)>,
}

/// The computed part of a function.
struct Parts {
    params: Vec<Param>,
    body: Body,
    vars: Vec<VarInfo>,
    checks: Vec<Check>,
    values: Vec<Named>,
    size_names: Vec<Option<String>>,
}

fn lower_function(
    program: &typed::Program,
    function: &typed::Function,
    errors: &mut Mistakes,
) -> Option<Parts> {
    let mut lower = Lower::new(program);
    let result = lower.entry(function);
    let mistakes = std::mem::take(&mut lower.mistakes);
    let sound = mistakes.is_empty();
    mistakes
        .into_iter()
        .for_each(|mistake| report_once(mistake, errors));
    match result {
        Ok((params, body)) if sound => {
            let (vars, checks) = (lower.vars, lower.checks);
            let values = named::named(lower.notes);
            let size_names = lower.facts.into_names();
            Some(Parts {
                params,
                body,
                vars,
                checks,
                values,
                size_names,
            })
        }
        Ok(_) => None,
        Err(mistake) => {
            report_once(mistake, errors);
            None
        }
    }
}

/// A function that is inlined twice may be wrong twice.
fn report_once(mistake: Diagnostic, errors: &mut Mistakes) {
    let place = (mistake.span.start(), mistake.title.clone());
    if !errors.places.contains(&place) {
        errors.places.push(place);
        errors.errors.push(mistake);
    }
}

impl<'p> Lower<'p> {
    /// An exported function: parameters, then the body with what it yields.
    fn entry(&mut self, function: &'p typed::Function) -> Lowered<(Vec<Param>, Body)> {
        let (stmts, (params, results)) = self.scoped(|lower| {
            lower.enter(function);
            let params = lower.params(function)?;
            let value = lower.body_of(function, function.src)?;
            let value = lower.owned(value, function.src)?;
            lower.note_result(&value);
            let value = lower.over_border(value, &function.ret, Way::Out, function.src)?;
            let value = border::taken_apart(value);
            let ret = border::border_type(&function.ret);
            let value = lower.declared(value, &ret, function.src)?;
            let mut results = Vec::new();
            lower.components_of(&value, function.src, &mut results)?;
            Ok((params, results))
        })?;
        Ok((params, Body { stmts, results }))
    }
}

fn assemble((function, parts): (typed::Function, Parts)) -> ir::Function {
    let Parts {
        params,
        body,
        vars,
        checks,
        values,
        size_names,
    } = parts;
    ir::Function {
        name: function.name,
        ident: function.ident,
        export: function
            .export
            .expect("only exported functions are lowered"),
        params,
        ret: border::border_type(&function.ret),
        body,
        vars,
        checks,
        values,
        size_names,
        src: function.src,
    }
}
