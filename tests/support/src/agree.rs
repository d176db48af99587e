//! What a call of compiled code must agree with.
//!
//! In: a program with its compiled functions, the calls of its header. Out: all disagreements.

mod errors;

use crate::border::{self, IntoValue};
use crate::header::{Call, Outcome, header};
use crate::literal::value;
use crate::maths::RunTime;
use crate::typing;
use core::sync::atomic::{AtomicBool, Ordering};
use ragged_compiler::interpret::{Trouble, Value, find, run};
use ragged_compiler::typed::ir::{Const, Program as Typed};
use ragged_core::seq::Limits;
use std::convert::Infallible;

/// A program and what it was compiled to.
pub struct Program {
    /// Its name.
    pub name: &'static str,
    /// The text of the block.
    pub text: &'static str,
    /// The exported functions.
    pub functions: &'static [Compiled],
}

/// A compiled function.
pub struct Compiled {
    /// Its name.
    pub name: &'static str,
    /// Its `EXPLAIN`.
    pub explain: &'static str,
    /// Calls it.
    pub call: fn(&[Value]) -> ragged_core::Result<Value>,
}

impl Program {
    fn function(&self, name: &str) -> &'static Compiled {
        let found = self.functions.iter().find(|it| it.name == name);
        found.unwrap_or_else(|| panic!("{}: no exported function `{name}`", self.name))
    }
}

/// [`check`] of the program of this name.
///
/// # Panics
/// As that; if there is none.
pub fn named(programs: &[Program], name: &str) {
    let found = programs.iter().find(|program| program.name == name);
    check(found.expect("there is a test for each program"));
}

/// Checks calls and `EXPLAIN` lines of a program.
///
/// # Panics
/// If anything disagrees, with all that does.
pub fn check(program: &Program) {
    if let Err(why) = typing::compiles(program.text) {
        panic!("{}: refused: {why}", program.name);
    }
    let typed = typing::program(program.text).expect("what compiles is typed");
    let header = header(program.text);
    assert!(!header.calls.is_empty(), "{}: no calls", program.name);
    let calls = header.calls.iter();
    let mut wrong: Vec<String> = calls
        .filter_map(|call| check_call(program, &typed, call).err())
        .collect();
    for (name, expected) in &header.explains {
        let explain = program.function(name).explain;
        if !begins(explain, expected) {
            wrong.push(format!(
                "expected `{expected}`, but `EXPLAIN` is\n{explain}"
            ));
        }
    }
    for (name, expected) in &header.says {
        let explain = program.function(name).explain;
        if !explain.lines().any(|line| ends(line, expected)) {
            wrong.push(format!("nothing is `{expected}` in\n{explain}"));
        }
    }
    for (name, expected) in &header.checks {
        let explain = program.function(name).explain;
        let checked = explain.lines().filter(|it| it.starts_with("  checked in "));
        let count = checked.count();
        if count != *expected {
            wrong.push(format!(
                "{count} checks, expected {expected}, in\n{explain}"
            ));
        }
    }
    for (name, wanted) in &header.wants {
        if begins(program.function(name).explain, wanted) {
            wrong.push(format!("`{wanted}` is reached: make it an `explain`"));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", program.name, wrong.join("\n"));
}

/// Whether the first line of `EXPLAIN` is this, with or without what the function costs.
fn begins(explain: &str, pin: &str) -> bool {
    let rest = explain
        .lines()
        .next()
        .and_then(|line| line.strip_prefix(pin));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(", work "))
}

/// Whether a line of `EXPLAIN` ends with this, and no word begins before it: what is `irregular` is not
/// `regular`.
fn ends(line: &str, pin: &str) -> bool {
    let before = line.strip_suffix(pin);
    before.is_some_and(|before| !before.ends_with(char::is_alphanumeric))
}

/// The arguments of each call of a program's header, in order.
pub struct Inputs<'p>(Vec<(&'p Compiled, Vec<Value>)>);

/// What the calls of a program's header are made with.
pub fn inputs(program: &Program) -> Inputs<'_> {
    let typed = typing::program(program.text).expect("the build script has typed it");
    let header = header(program.text);
    let calls = header.calls.iter();
    let calls = calls.map(|call| {
        let function = program.function(&call.function);
        (function, arguments(&typed, call).0)
    });
    Inputs(calls.collect())
}

/// The result of each call with these.
pub fn results(Inputs(calls): &Inputs<'_>) -> Vec<ragged_core::Result<Value>> {
    // That chunks make no difference is seen where results are held against the interpreter.
    AS_IT_COMES.store(true, Ordering::Relaxed);
    let calls = calls.iter();
    calls
        .map(|(function, args)| (function.call)(args))
        .collect()
}

/// The arguments of a call and the value that it must give, if it says so.
fn arguments(typed: &Typed, call: &Call) -> (Vec<Value>, Option<Value>) {
    let mut functions = typing::exported(typed);
    let (_, function) = functions
        .find(|(name, _)| *name == call.function)
        .unwrap_or_else(|| panic!("line {}: no function `{}`", call.line, call.function));
    let params = typing::params(function);
    assert_eq!(
        params.len(),
        call.args.len(),
        "line {}: arguments",
        call.line
    );
    let args = call.args.iter().zip(params);
    let args = args.map(|(arg, ty)| value(arg, ty)).collect();
    let expected = match &call.outcome {
        Outcome::Gives(expr) => Some(value(expr, &function.ret)),
        Outcome::Fails(_) | Outcome::Agrees | Outcome::Near(_) => None,
    };
    (args, expected)
}

fn check_call(program: &Program, typed: &Typed, call: &Call) -> Result<(), String> {
    let (args, expected) = arguments(typed, call);
    let func = find(typed, &call.function).expect("`arguments` has found it");
    let compiled = (program.function(&call.function).call)(&args);
    let interpreted = run(typed, func, args, &RunTime);
    agree_on_call(&compiled, &interpreted, &call.function, ulps(&call.outcome))
        .and_then(|()| as_expected(&compiled, &interpreted, expected, &call.outcome))
        .map_err(|why| format!("line {}: {}: {why}", call.line, call.text))
}

/// Whether a call of function `called` gave what the interpreter gives: values but for so many units
/// in the last place of floats, errors with kind, values, function, line and column.
pub(crate) fn agree_on_call(
    compiled: &ragged_core::Result<Value>,
    interpreted: &Result<Value, Trouble>,
    called: &str,
    ulps: u64,
) -> Result<(), String> {
    agree_within(compiled, interpreted, ulps)?;
    names_its_function(compiled, called)
}

/// An error is that of the function that was called, also where a function that it calls fails.
fn names_its_function(compiled: &ragged_core::Result<Value>, called: &str) -> Result<(), String> {
    match compiled {
        Err(error) if error.function() != called => {
            Err(format!("names the function `{}`", error.function()))
        }
        Ok(_) | Err(_) => Ok(()),
    }
}

fn as_expected(
    compiled: &ragged_core::Result<Value>,
    interpreted: &Result<Value, Trouble>,
    expected: Option<Value>,
    outcome: &Outcome,
) -> Result<(), String> {
    if let Some(expected) = expected
        && interpreted.as_ref() != Ok(&expected)
    {
        return Err(format!("both give {}", brief_trouble(interpreted)));
    }
    match (outcome, compiled) {
        (Outcome::Fails(_), Ok(value)) => Err(format!("both give {}", brief(value))),
        (Outcome::Fails(text), Err(error)) if !error.to_string().contains(text) => {
            Err(format!("fails otherwise: {error}"))
        }
        _agreed => Ok(()),
    }
}

/// How far a result may be from the interpreter's.
fn ulps(outcome: &Outcome) -> u64 {
    match outcome {
        Outcome::Near(ulps) => *ulps,
        Outcome::Gives(_) | Outcome::Fails(_) | Outcome::Agrees => 0,
    }
}

/// Whether compiled and interpreted results are one; errors with kind, values and line.
pub fn agree(
    compiled: &ragged_core::Result<Value>,
    interpreted: &Result<Value, Trouble>,
) -> Result<(), String> {
    agree_within(compiled, interpreted, 0)
}

/// The same, but that floats may differ by so many units in the last place.
fn agree_within(
    compiled: &ragged_core::Result<Value>,
    interpreted: &Result<Value, Trouble>,
    ulps: u64,
) -> Result<(), String> {
    let same = match (compiled, interpreted) {
        (Ok(left), Ok(right)) => near(left, right, ulps),
        (Err(error), Err(trouble)) => {
            return errors::agree(error, trouble);
        }
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
    };
    if same {
        return Ok(());
    }
    Err(format!(
        "compiled gives {}, interpreted {}{}",
        brief_error(compiled),
        brief_trouble(interpreted),
        difference(compiled, interpreted, ulps)
    ))
}

/// Whether two values are the same but for so many units in the last place of floats.
fn near(left: &Value, right: &Value, ulps: u64) -> bool {
    if left == right {
        return true;
    }
    match (left, right) {
        (Value::Scalar(a), Value::Scalar(b)) => {
            a.ty == b.ty && apart(*a, *b).is_some_and(|apart| apart <= ulps)
        }
        (Value::Tuple(left), Value::Tuple(right)) | (Value::Array(left), Value::Array(right)) => {
            let mut pairs = left.iter().zip(right);
            left.len() == right.len() && pairs.all(|(a, b)| near(a, b, ulps))
        }
        (
            Value::Scalar(_) | Value::Tuple(_) | Value::Array(_) | Value::Empty(_) | Value::Seq(_),
            _,
        ) => false,
    }
}

/// How many numbers of the type lie from one to the other; `None` if one is no finite float.
fn apart(a: Const, b: Const) -> Option<u64> {
    let place = |x: Const| {
        let sign = 1 << (x.ty.bits() - 1);
        let size = (x.bits & !sign) as i64;
        let is_number = x.ty.is_float() && x.ty.float_value(x.bits).is_finite();
        is_number.then_some(if x.bits & sign != 0 { -size } else { size })
    };
    Some(place(a)?.abs_diff(place(b)?))
}

/// What function `name` returns, which it must also have written into slices.
///
/// # Panics
/// If it has not.
pub fn same(returned: impl IntoValue, written: impl IntoValue, name: &str) -> Value {
    let (returned, written) = (border::value(returned), border::value(written));
    assert!(
        returned == written,
        "{name} returns {} and writes {}",
        brief(&returned),
        brief(&written)
    );
    returned
}

/// Whether a sequence is cut into chunks as the run time thinks best, and not otherwise as well.
static AS_IT_COMES: AtomicBool = AtomicBool::new(false);

/// What a function over sequences gives, which must not depend on how they are cut into chunks.
///
/// # Errors
/// That of the function.
///
/// # Panics
/// If it depends on it.
pub fn whatever_chunks(
    name: &str,
    args: &[Value],
    call: impl Fn(&Limits) -> ragged_core::Result<Value>,
) -> ragged_core::Result<Value> {
    let shown = |outcome: &ragged_core::Result<Value>| match outcome {
        Ok(value) => value.to_string(),
        Err(error) => error.to_string(),
    };
    let first = call(&Limits::new());
    if AS_IT_COMES.load(Ordering::Relaxed) {
        return first;
    }
    let items = args.iter().map(items).max().unwrap_or(0);
    // Chunks of one item take long where there are many.
    let sizes: &[usize] = if items < 1000 { &[1, 3, 100] } else { &[1009] };
    for size in sizes {
        let other = call(&Limits::new().items(*size));
        let (first, other) = (shown(&first), shown(&other));
        assert!(
            first == other,
            "{name} gives {first}, in chunks of {size} items {other}"
        );
    }
    first
}

/// What takes a result, or says that none is wanted.
type Sink<'a> = &'a mut dyn FnMut(Value) -> Result<(), Infallible>;

/// Holds the items that come one by one, or their error, against those that are handed on. Not in chunks
/// of few items, which many go from thread to thread.
pub fn handed_on(
    limits: &Limits,
    items: &ragged_core::Result<Vec<Value>>,
    for_each: impl FnOnce(Sink<'_>) -> ragged_core::Result<()>,
) {
    let few = |few: &usize| *limits == Limits::new().items(*few);
    if AS_IT_COMES.load(Ordering::Relaxed) || [1, 3].iter().any(few) {
        return;
    }
    let mut others = Vec::new();
    let end = for_each(&mut |item| {
        others.push(item);
        Ok(())
    });
    let others = end.map(|()| others);
    let [items, others] = [items, &others].map(|outcome| match outcome {
        Ok(items) => Value::Array(items.clone()).to_string(),
        Err(error) => error.to_string(),
    });
    assert!(
        items == others,
        "gives {items}, and hands {others} on to a sink"
    );
}

fn items(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.len(),
        Value::Scalar(_) | Value::Tuple(_) | Value::Empty(_) | Value::Seq(_) => 0,
    }
}

/// The first place in which two values differ.
fn difference(
    compiled: &ragged_core::Result<Value>,
    interpreted: &Result<Value, Trouble>,
    ulps: u64,
) -> String {
    let (Ok(Value::Array(left)), Ok(Value::Array(right))) = (compiled, interpreted) else {
        return String::new();
    };
    if left.len() != right.len() {
        return format!("; lengths {} and {}", left.len(), right.len());
    }
    let mut pairs = left.iter().zip(right).enumerate();
    match pairs.find(|(_, (a, b))| !near(a, b, ulps)) {
        Some((at, (a, b))) => format!("; first at {at}: {a} and {b}"),
        None => String::new(),
    }
}

fn brief_error(result: &ragged_core::Result<Value>) -> String {
    match result {
        Ok(value) => brief(value),
        Err(error) => format!("error {error}"),
    }
}

fn brief_trouble(result: &Result<Value, Trouble>) -> String {
    match result {
        Ok(value) => brief(value),
        Err(trouble) => format!("error {trouble}"),
    }
}

/// A value, cut to what can be read.
pub fn brief(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::ends;

    #[test]
    fn a_pin_is_the_whole_end_of_a_line() {
        assert!(ends(
            "  regular: `xs`, the result",
            "regular: `xs`, the result"
        ));
        assert!(ends(
            "  checked in line 2: `i` is below `n`",
            "`i` is below `n`"
        ));
        assert!(!ends("  irregular: `xs`", "regular: `xs`"));
        assert!(!ends("  regular: `xs`, `ys`", "regular: `xs`"));
    }
}
