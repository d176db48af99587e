//! Whether a random program means the same compiled and interpreted.

use super::{Input, RandomProgram};
use crate::agree::{Compiled, agree_on_call, brief};
use crate::maths::RunTime;
use crate::typing;
use ragged_compiler::interpret::{TroubleKind, Value, find, run_within};
use ragged_compiler::prims::Scalar;
use ragged_compiler::typed::ir::{Const, Program as Typed};
use std::ops::AddAssign;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Steps of the interpreter after which a call is skipped: one in a hundred, which would take most of
/// the time of all.
const STEPS: u64 = 4_000_000;

/// What came of the calls of a program.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// Both gave a value.
    pub values: usize,
    /// Both failed.
    pub errors: usize,
    /// Too long for the interpreter.
    pub skipped: usize,
    /// Programs that the compiler refuses, since each call that gets there would fail.
    pub refused: usize,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.values += other.values;
        self.errors += other.errors;
        self.skipped += other.skipped;
        self.refused += other.refused;
    }
}

/// Runs all calls of `program`; the first disagreement, if there is one.
pub fn check(program: &RandomProgram, compiled: &[Compiled]) -> Result<Tally, String> {
    let text = program.tree.to_string();
    let typed = typing::program(&text)?;
    let ulps = bound(&text);
    let mut tally = Tally::default();
    for input in &program.inputs {
        let Some(function) = compiled.iter().find(|it| it.name == input.function) else {
            continue;
        };
        let args = arguments(&typed, input);
        let func = find(&typed, &input.function).expect("it was exported");
        let interpreted = run_within(&typed, func, args.clone(), &RunTime, STEPS);
        if matches!(&interpreted, Err(trouble) if trouble.kind == TroubleKind::OutOfFuel) {
            tally.skipped += 1;
            continue;
        }
        let result = catch_unwind(AssertUnwindSafe(|| (function.call)(&args)));
        let result = result.map_err(|_| format!("{}: panics", call_text(input)))?;
        agree_on_call(&result, &interpreted, &input.function, ulps)
            .map_err(|why| format!("{}: {why}", call_text(input)))?;
        match result {
            Ok(_) => tally.values += 1,
            Err(_) => tally.errors += 1,
        }
    }
    Ok(tally)
}

/// Of a program that the compiler refuses as wrong by a size or an index that is known: the first reason
/// to doubt that, if there is one. No call of it gets past what is wrong, so one fails at least.
pub fn check_refused(program: &RandomProgram, why: &str) -> Result<Tally, String> {
    let typed = typing::program(&program.tree.to_string())?;
    let fails = |input: &Input| {
        let func = find(&typed, &input.function).expect("it was exported");
        run_within(&typed, func, arguments(&typed, input), &RunTime, STEPS).is_err()
    };
    if !typing::should_compile(why) && program.inputs.iter().any(fails) {
        return Ok(Tally {
            refused: 1,
            ..Tally::default()
        });
    }
    Err(format!("it is refused:\n{why}"))
}

/// The arguments in the order of the parameters, which may be fewer than there were.
fn arguments(typed: &Typed, input: &Input) -> Vec<Value> {
    let (_, function) = typing::exported(typed)
        .find(|(name, _)| *name == input.function)
        .expect("calls are of exported functions");
    let of = |name: &str| {
        let arg = input.args.iter().find(|(it, _)| it == name);
        arg.map(|(_, value)| value.clone())
            .expect("an argument for each parameter")
    };
    function
        .params
        .iter()
        .map(|param| of(&param.name))
        .collect()
}

/// How far from what the interpreter gives a program may be, as its first line says: `// within 9 ulp`.
fn bound(text: &str) -> u64 {
    let comment = text.strip_prefix("// within ").unwrap_or_default();
    let number = comment.split(' ').next().unwrap_or_default();
    number.parse().unwrap_or(0)
}

/// A call, its arguments cut to what can be read.
pub fn call_text(input: &Input) -> String {
    let args = input.args.iter();
    let args: Vec<String> = args
        .map(|(name, value)| format!("{name} = {}", brief(value)))
        .collect();
    format!("{}({})", input.function, args.join(", "))
}

/// [`check`] for a generated binary: calls as stored text.
pub fn check_text(
    text: &str,
    calls: &[(&str, Vec<(&str, &str)>)],
    compiled: &[Compiled],
) -> Result<Tally, String> {
    let inputs = calls.iter().map(|(function, args)| Input {
        function: (*function).to_owned(),
        args: args
            .iter()
            .map(|(name, stored)| ((*name).to_owned(), load(&mut stored.split(' '))))
            .collect(),
    });
    let program = RandomProgram {
        tree: super::tree::Node::fixed(vec![text.into()]),
        inputs: inputs.collect(),
        levels: 0,
        dense: Vec::new(),
        streamed: Vec::new(),
    };
    check(&program, compiled)
}

/// A value as words: `type bits`, `( count …`, `[ count …`, `empty 0` and what elements look like.
pub fn store(value: &Value) -> String {
    let list = |open: &str, parts: &[Value]| {
        let parts: Vec<String> = parts.iter().map(store).collect();
        let count = parts.len();
        [vec![format!("{open} {count}")], parts].concat().join(" ")
    };
    match value {
        Value::Scalar(scalar) => format!("{} {}", scalar.ty.name(), scalar.bits),
        Value::Tuple(parts) => list("(", parts),
        Value::Array(parts) => list("[", parts),
        Value::Empty(sample) => format!("empty 0 {}", store(sample)),
        Value::Seq(_) => unreachable!("a result is no sequence"),
    }
}

/// The value that [`store`] gave these words for.
///
/// # Panics
/// If it has not.
pub fn load<'a>(words: &mut impl Iterator<Item = &'a str>) -> Value {
    let (kind, number) = (words.next(), words.next());
    let number: u64 = number.and_then(|word| word.parse().ok()).expect("a number");
    let parts = |words: &mut _| (0..number).map(|_| load(words)).collect();
    match kind {
        Some("(") => Value::Tuple(parts(words)),
        Some("[") => Value::Array(parts(words)),
        Some("empty") => Value::Empty(Box::new(load(words))),
        name => {
            let ty = name.and_then(Scalar::by_name).expect("a scalar type");
            Value::Scalar(Const { ty, bits: number })
        }
    }
}
