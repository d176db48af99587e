//! Names, types and instances.
//!
//! In: the tree of a block as written. Out: [`ir::Program`], in which every name is resolved, every
//! expression typed and every function an instance; or all mistakes of these kinds.
//!
//! A function body is typed in three steps: the tree is walked once and becomes a
//! `draft` with equations between types, which are solved as they appear; what had to
//! wait for a type is decided (`wait`, `demand`); the draft is built
//! into the result (`build`), which asks for the instances that it calls. So callees
//! are finished before their callers. At last operands that jump become statements (`hoist`).

mod annotation;
mod assign;
mod body;
mod build;
mod call;
mod complex;
mod consts;
mod control;
mod cover;
mod demand;
mod draft;
mod expect;
mod expr;
mod foreign;
mod function;
mod function_arg;
mod hoist;
pub mod ir;
mod jumps;
mod literal;
mod pattern;
mod prims;
pub mod print;
pub mod recognise;
mod roots;
mod scalars;
mod scope;
pub(crate) mod sequences;
mod shared;
mod signature;
mod sized;
mod structs;
mod suggest;
mod types;
pub mod verify;
pub mod visit;
mod wait;
mod wide;

use crate::report::Report;
use crate::syntax::ir as ast;

/// Types a block.
pub fn infer(program: &ast::Program) -> Result<ir::Program, Report> {
    inferred(program, false)
}

/// The same for release builds: `dbg!(e)` is `e`.
pub fn infer_released(program: &ast::Program) -> Result<ir::Program, Report> {
    inferred(program, true)
}

fn inferred(program: &ast::Program, released: bool) -> Result<ir::Program, Report> {
    let mut session = scope::Session::new(program);
    session.released = released;
    structs::declare(&mut session);
    let block = program.units.len().saturating_sub(1);
    shared::check(&mut session, block);
    roots::check_consts(&mut session, block);
    roots::check_functions(&mut session, block);
    session.propagate()?;
    Ok(ir::Program {
        structs: structs::definitions(&session, block),
        functions: session.functions,
        prints: session.prints,
    })
}
