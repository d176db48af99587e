//! Functions over sequences as functions over chunks of items.
//!
//! In: a typed program, in which a sequence has the type of the array of its items, and is marked by the
//! signature ([`SizeSpec::Seq`](crate::typed::ir::SizeSpec)) or by
//! [`ExprKind::Streamed`](crate::typed::ir::ExprKind). Out: a program without
//! any, whose exported functions take and give chunks and state, and a [`Stream`] for
//! each function over sequences, which says what the run time calls when.
//!
//! The body is taken apart in three steps. `graph` tells the operators of sequences from the rest;
//! `nested` makes passes of their own of what cannot be read side by side with others;
//! `passes` says which sequences are gone through together and what has to come before; `step`
//! writes what is computed for a chunk, in the language itself, so that all later stages see array
//! programs: arrays are fused within a step, and a chunk of items of any lengths is an array of
//! these. `split` makes the functions; `held` finds which arrays between them are dense. Calls of
//! functions over sequences are put in before (`inline`).

mod arrays;
mod beside;
mod build;
mod chunked;
mod delay;
mod feed;
mod graph;
mod held;
mod inline;
pub mod ir;
mod lengths;
mod most;
mod nested;
mod nodes;
mod operators;
mod passes;
pub mod print;
mod reduction;
mod refused;
mod runs;
mod split;
mod step;
mod taking;
mod uneven;
pub mod verify;
mod wanted;

pub use held::{Lengths, ResultLengths};
pub use inline::streams;

use crate::report::{Errors, Report};
use crate::typed::ir::{Function, ParamType, Program};
use build::Locals;
use ir::Stream;

/// Takes all functions over sequences apart. `lengths` is asked which arrays their parts make.
pub fn split(
    mut program: Program,
    lengths: ResultLengths,
) -> Result<(Program, Vec<Stream>), Report> {
    if !program.functions.iter().any(inline::streams) {
        return Ok((program, Vec::new()));
    }
    let (mut streams, mut errors) = (Vec::new(), Vec::new());
    for at in 0..program.functions.len() {
        let function = &program.functions[at];
        if function.export.is_none() || !inline::streams(function) {
            continue;
        }
        let mut locals = Locals {
            all: function.locals.clone(),
            loops: 0,
        };
        let body = inline::inlined(&program, function, &mut locals, &mut errors);
        let parts = graph::graph(function, body, &mut locals, &mut errors).and_then(|mut graph| {
            most::find(&program, &mut graph, &mut locals);
            nested::cut(&program, &mut graph);
            let plan = passes::plan(&graph, &locals, &mut errors)?;
            split::split(&program, function, graph, &plan, locals, &mut errors)
        });
        if let Some((stream, functions)) = parts {
            streams.push(stream);
            program.functions[at].export = None;
            program.functions.extend(functions);
        }
    }
    let mut all = Errors::default();
    errors.into_iter().for_each(|error| all.push(error));
    all.propagate()?;
    program.functions.iter_mut().for_each(without_marks);
    held::hold_dense(&mut program, &mut streams, lengths);
    Ok((program, streams))
}

/// Functions that have been put in where they are called stay, as functions of arrays.
fn without_marks(function: &mut Function) {
    for param in &mut function.params {
        if let ParamType::Value(sig) = &mut param.ty {
            sig.unmark();
        }
    }
    function.ret.unmark();
}
