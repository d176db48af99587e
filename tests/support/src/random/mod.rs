//! Random well-typed programs and arguments for them.
//!
//! In: a seed and a number. Out: the same program and arguments everywhere. The operations of a
//! program fail, if they fail, for one reason (its [`Hazard`]), so that the kind of error is
//! determined. Nearly half of the functions have rows of any lengths (`ragged`, `rows`), and bodies in
//! bodies with array operations; a third have arrays of several dimensions, whose extents are size names
//! and numbers (`dense`); the others have long arrays.
//! Every fifth program that is of such functions has one of the operators in turn (`in_turn`), so that all
//! of them are `inside` of bodies over rows of any lengths.
//! One program in seven is of functions over sequences (`sequences`, `passes`, `sinks`).
//! Every tenth program is of `#[fast]` functions (`fast`), with a bound of its own; one in twenty prints
//! what it computes (`prints`).
//! `tests/random.rs` says which operators are never made.

mod arrays;
mod axes;
mod bodies;
mod chains;
pub mod check;
mod complex;
mod dense;
mod fast;
mod in_turn;
mod inputs;
pub mod inside;
mod items;
mod order;
mod passes;
mod prints;
mod ragged;
mod reductions;
mod rows;
mod scalars;
mod sequences;
pub mod shrink;
mod sinks;
mod sizes;
mod state;
pub mod tree;

use crate::rng::Rng;
use ragged_compiler::interpret::Value;
use tree::Node;

/// A program and calls of its exported functions.
#[derive(Clone, Debug)]
pub struct RandomProgram {
    /// The block.
    pub tree: Node,
    /// The calls.
    pub inputs: Vec<Input>,
    /// Levels of array operations inside of each other, where rows of any lengths are a parameter; 0
    /// where none are.
    pub levels: u32,
    /// Functions of arrays of several dimensions, without rows of any lengths.
    pub dense: Vec<String>,
    /// The operators of sequences in it.
    pub streamed: Vec<&'static str>,
}

/// A call.
#[derive(Clone, Debug)]
pub struct Input {
    /// The function.
    pub function: String,
    /// Arguments by the name of their parameters.
    pub args: Vec<(String, Value)>,
}

/// What a program may fail for, beyond the sizes of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hazard {
    None,
    Index,
    Division,
    Empty,
    Underflow,
    Slice,
    Assert,
    Step,
    Size,
}

const HAZARDS: [Hazard; 12] = [
    Hazard::None,
    Hazard::None,
    Hazard::None,
    Hazard::None,
    Hazard::Index,
    Hazard::Division,
    Hazard::Empty,
    Hazard::Underflow,
    Hazard::Slice,
    Hazard::Assert,
    Hazard::Step,
    Hazard::Size,
];

/// One program in so many is of functions over sequences.
const SEQUENCES: u64 = 7;

/// One program in so many has a function of the operators whose turn it is.
const IN_TURN: u64 = 5;

/// Program `number` of `seed`.
pub fn program(seed: u64, number: u64) -> RandomProgram {
    let mut rng = Rng::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
    if number % 10 == 9 {
        let (tree, inputs) = fast::program(rng);
        return RandomProgram {
            tree,
            inputs,
            levels: 0,
            dense: Vec::new(),
            streamed: Vec::new(),
        };
    }
    let hazard = *rng.pick(&HAZARDS);
    let mut state = state::State::new(rng, hazard);
    let streams = number % SEQUENCES == 3;
    let mut tree = match streams {
        true => sequences::block(&mut state),
        false => {
            // Those of other seeds begin elsewhere.
            let turn = (seed + number / IN_TURN) as usize;
            let in_turn = (number % IN_TURN == 1).then_some(turn);
            items::block(&mut state, in_turn)
        }
    };
    let inputs = inputs::inputs(&mut state);
    if number % 20 == 7 && !streams {
        tree = prints::printing(tree, &mut state.rng);
    }
    let levels = state.functions.iter().map(state::Signature::levels).max();
    let levels = levels.unwrap_or_default();
    RandomProgram {
        tree,
        inputs,
        levels,
        dense: state.dense,
        streamed: state.streamed,
    }
}
