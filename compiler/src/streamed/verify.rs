//! Checks what a function over sequences was taken apart into, in all builds.
//!
//! In: a stream and the program that has its functions. Out: `Err` with a sentence for a bug report.
//! Each function is there and gets as many arguments as it takes, each value is made before it is
//! used and passed in the form in which it is held, a step gives what its pass expects, and no two passes
//! read one sequence or make one value.

use super::ir::{Arg, Given, Part, Pass, Source, Stream};
use crate::typed::ir::{Function, Param, ParamType, Program, SigType, SizeSpec};

/// Checks one stream.
pub fn verify(stream: &Stream, program: &Program) -> Result<(), String> {
    let mut made = vec![false; stream.values.len()];
    let mut owned = Owned::default();
    for (at, part) in stream.parts.iter().enumerate() {
        let is_last = at + 1 == stream.parts.len();
        match part {
            Part::Once {
                function,
                args,
                makes,
            } => {
                let function = find(program, function)?;
                takes(function, args.len())?;
                args.iter().try_for_each(|it| known(*it, &made))?;
                for (arg, param) in args.iter().zip(&function.params) {
                    passed(stream, *arg, param)?;
                }
                made_so(stream, function, 0, makes.iter().map(Some))?;
                gives(function, if is_last { None } else { Some(makes.len()) })?;
                makes.iter().for_each(|it| made[*it] = true);
            }
            Part::Pass(pass) => {
                let all = pass.all();
                all.iter()
                    .try_for_each(|it| self::pass(it, stream, program, &made))?;
                all.iter().try_for_each(|it| owned.by(it))?;
                let collected = all.iter().flat_map(|it| &it.collected).flatten();
                collected.for_each(|it| made[*it] = true);
            }
        }
    }
    Ok(())
}

/// What passes have to themselves: sequences, which are read once, and what they make, which each makes whole.
#[derive(Default)]
struct Owned {
    params: Vec<usize>,
    values: Vec<usize>,
}

impl Owned {
    fn by(&mut self, pass: &Pass) -> Result<(), String> {
        for source in &pass.sources {
            if let Source::Param(param) = source {
                owned_once(&mut self.params, *param, "the sequence of parameter")?;
            }
        }
        let mut made = pass.state.iter().chain(pass.collected.iter().flatten());
        made.try_for_each(|value| owned_once(&mut self.values, *value, "the value"))
    }
}

fn owned_once(owned: &mut Vec<usize>, new: usize, what: &str) -> Result<(), String> {
    if owned.contains(&new) {
        return Err(format!("{what} {new} is in two passes"));
    }
    owned.push(new);
    Ok(())
}

fn pass(pass: &Pass, stream: &Stream, program: &Program, made: &[bool]) -> Result<(), String> {
    let step = find(program, &pass.step)?;
    takes(step, pass.args.iter().map(|arg| arg.params()).sum())?;
    let mut params = step.params.iter();
    for arg in &pass.args {
        match (arg, params.nth(arg.params() - 1)) {
            (Arg::Given(given), Some(param)) => passed(stream, *given, param)?,
            (Arg::State(at), Some(param)) => passed(stream, Given::Value(pass.state[*at]), param)?,
            (Arg::Chunk(_) | Arg::Ends(_) | Arg::Last | Arg::Unwanted, _) | (_, None) => {}
        }
    }
    for arg in &pass.args {
        match arg {
            Arg::Given(given) => known(*given, made)?,
            Arg::State(at) => known(Given::Value(pass.state[*at]), made)?,
            Arg::Last | Arg::Unwanted => {}
            Arg::Chunk(source) | Arg::Ends(source) if *source < pass.sources.len() => {}
            Arg::Chunk(source) | Arg::Ends(source) => {
                return Err(format!("there is no source {source}"));
            }
        }
    }
    for source in &pass.sources {
        match source {
            Source::Count(value) => known(Given::Value(*value), made)?,
            Source::Nested(at) if *at >= pass.nested.len() => {
                return Err(format!("there is no nested pass {at}"));
            }
            Source::Param(_) | Source::Nested(_) => {}
        }
    }
    let first = usize::from(pass.stops) + pass.ends;
    gives(step, Some(first + pass.state.len() + pass.collected.len()))?;
    let made = pass.state.iter().map(Some);
    let made = made.chain(pass.collected.iter().map(Option::as_ref));
    made_so(stream, step, first, made)
}

fn find<'p>(program: &'p Program, name: &str) -> Result<&'p Function, String> {
    let named = |it: &&Function| it.export.as_ref().is_some_and(|export| export.name == name);
    let found = program.functions.iter().find(named);
    found.ok_or_else(|| format!("there is no function `{name}`"))
}

fn takes(function: &Function, args: usize) -> Result<(), String> {
    match function.params.len() {
        params if params == args => Ok(()),
        params => Err(format!("{args} arguments for {params} parameters")),
    }
}

/// A value is passed in the form in which it is held.
fn passed(stream: &Stream, given: Given, param: &Param) -> Result<(), String> {
    match (given, &param.ty) {
        (Given::Value(value), ParamType::Value(ty)) => in_form(stream, value, ty),
        (Given::Value(_) | Given::Param(_), _) => Ok(()),
    }
}

/// So are values made, which the fields of a result are from `first` on.
fn made_so<'m>(
    stream: &Stream,
    function: &Function,
    first: usize,
    makes: impl Iterator<Item = Option<&'m usize>>,
) -> Result<(), String> {
    let SigType::Tuple(fields) = &function.ret else {
        return Ok(());
    };
    let mut fields = fields[first..].iter().zip(makes);
    fields.try_for_each(|(field, value)| value.map_or(Ok(()), |it| in_form(stream, *it, field)))
}

fn in_form(stream: &Stream, value: usize, ty: &SigType) -> Result<(), String> {
    match alike(&stream.values[value], ty) {
        true => Ok(()),
        false => Err(format!(
            "v{value} is held in another form than a part has it"
        )),
    }
}

/// Whether the same arrays in arrays have sizes, and the same ones where these are known.
fn alike(a: &SigType, b: &SigType) -> bool {
    let all = |a: &[SigType], b: &[SigType]| a.iter().zip(b).all(|(a, b)| alike(a, b));
    match (a, b) {
        (
            SigType::Array {
                elem: a, size: n, ..
            },
            SigType::Array {
                elem: b, size: m, ..
            },
        ) => {
            let sizes = match (n, m) {
                (SizeSpec::Named(_), SizeSpec::Named(_)) => true,
                (n, m) => n == m,
            };
            sizes && alike(a, b)
        }
        (SigType::Tuple(a), SigType::Tuple(b)) | (SigType::Struct(_, a), SigType::Struct(_, b)) => {
            all(a, b)
        }
        _scalars => true,
    }
}

/// The result is a tuple of so many values.
fn gives(function: &Function, values: Option<usize>) -> Result<(), String> {
    match (&function.ret, values) {
        (_, None) => Ok(()),
        (SigType::Tuple(fields), Some(values)) if fields.len() == values => Ok(()),
        (_, Some(values)) => Err(format!("a part does not give {values} values")),
    }
}

fn known(given: Given, made: &[bool]) -> Result<(), String> {
    match given {
        Given::Value(value) if !made[value] => Err(format!("v{value} is not made yet")),
        Given::Value(_) | Given::Param(_) => Ok(()),
    }
}
