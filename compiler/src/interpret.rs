//! The reference interpreter: the language's meaning, slow and obvious.
//!
//! In: a typed program, a function of it, the arguments as [`Value`]s, and the mathematical
//! functions of the run time. Out: the result, or the run-time error. Compiled code must agree to
//! the bit (sign and payload of NaN exempt).
//!
//! Assumes what [`crate::typed::ir`] says: names are resolved, every expression is typed. A tree or
//! an argument that is ill-typed makes it panic: that is a bug of its caller.
//!
//! What means what is in: `scalar` (scalar operations), `order` and `scan` (the order in which
//! reductions and scans combine), `arrays`, `dense` and `reduce` (the operators), `ghost` (what
//! empty arrays look like), `sequence` (items that come one after another), `expr`, `control`,
//! `assign` and `call` (expressions, statements, functions and their size names).

mod arrays;
mod assign;
mod call;
mod complex;
mod control;
mod dense;
mod expr;
mod ghost;
mod machine;
mod order;
mod prim;
mod reduce;
mod scalar;
mod scan;
mod scatter;
mod sequence;
mod sizes;
mod sort;
mod trouble;
mod value;

pub use scalar::{Maths, cast_size, neutral};
pub use trouble::{Trouble, TroubleKind};
pub use value::Value;

use crate::ids::FuncId;
use crate::typed::ir::Program;
use machine::Machine;

/// Arrays of more elements than this do not fit into any memory: [`TroubleKind::TooLarge`].
pub const MOST_ELEMENTS: u64 = 1 << 40;

/// How many steps [`run`] takes before it gives up.
pub const DEFAULT_STEPS: u64 = 200_000_000;

/// Runs `func` of `program` on `args`, one for each parameter. The function must not have
/// function-typed parameters (exported ones never do).
pub fn run(
    program: &Program,
    func: FuncId,
    args: Vec<Value>,
    maths: &dyn Maths,
) -> Result<Value, Trouble> {
    run_within(program, func, args, maths, DEFAULT_STEPS)
}

/// Like [`run`], but gives up with [`TroubleKind::OutOfFuel`] after `steps` steps; an evaluated
/// expression and a scalar of a new value count as one each.
pub fn run_within(
    program: &Program,
    func: FuncId,
    args: Vec<Value>,
    maths: &dyn Maths,
    steps: u64,
) -> Result<Value, Trouble> {
    let function = &program.functions[func.index()];
    Machine::new(program, maths, steps)
        .call_function(function, args, Vec::new())
        .map_err(machine::Stop::into_trouble)
}

/// The function exported under `name` (that is `name_f32` for an instance of a generic one), or
/// else the first function written with that name.
pub fn find(program: &Program, name: &str) -> Option<FuncId> {
    let functions = &program.functions;
    let exported = functions
        .iter()
        .position(|f| f.export.as_ref().is_some_and(|export| export.name == name));
    let position = exported.or_else(|| functions.iter().position(|f| f.name == name))?;
    Some(FuncId(u32::try_from(position).ok()?))
}
