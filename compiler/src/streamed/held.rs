//! What is held between parts: dense, where its rows have one length.
//!
//! In: functions over sequences, taken apart, and their parts. Out: the same; arrays in an array that one
//! part makes and others take have a size where shapes say that they are of one length. So an array
//! without rows keeps their length on its way, and nothing holds where each begins.
//!
//! A step makes the state that it takes, so this is a fixed point: values are as parts make them of what is
//! known so far, from the first part on, until no part makes anything of other lengths.

use super::ir::{Arg, Given, Part, Pass, Stream};
use crate::ids::{LocalId, SizeId};
use crate::prims::Scalar;
use crate::typed::ir::{
    Function, Local, LocalType, ParamType, Program, SigType, SizeName, SizeSpec, Type,
};

/// Of the arrays that a scalar is in, but for the outermost, the lengths where these are known, if each has
/// one; else none.
pub type Lengths = Option<Vec<Option<u64>>>;

/// [`Lengths`] of each scalar of a function's result. None if they cannot be told.
pub type ResultLengths = fn(&Program, &Function) -> Option<Vec<Lengths>>;

/// Gives the arrays that are held between the parts of `streams`, which `program` has, sizes.
pub(super) fn hold_dense(program: &mut Program, streams: &mut [Stream], lengths: ResultLengths) {
    for stream in streams {
        if stream.values.iter().any(|it| has_rows(it, false)) {
            Held::of(program, stream).settle(program, stream, lengths);
        }
    }
}

/// A value as a parameter, or as a field of the result, of a function of the program.
struct Use {
    function: usize,
    at: usize,
    value: usize,
}

/// A function that is a part, and how many sizes and locals it had at first.
struct Asked {
    function: usize,
    sizes: usize,
    locals: usize,
    /// Whether more is known of what it takes than when it was asked last.
    is_stale: bool,
}

/// What is said of dense arrays.
#[derive(Clone, Copy)]
enum Known {
    /// That they are dense.
    Axes,
    /// Their lengths as well, where these are known.
    Lengths,
}

struct Held {
    takes: Vec<Use>,
    makes: Vec<Use>,
    /// For each value what is known of its scalars, as soon as one part makes it.
    lengths: Vec<Option<Vec<Lengths>>>,
    /// In the order of parts.
    functions: Vec<Asked>,
}

impl Held {
    fn of(program: &Program, stream: &Stream) -> Held {
        let mut held = Held {
            takes: Vec::new(),
            makes: Vec::new(),
            lengths: vec![None; stream.values.len()],
            functions: Vec::new(),
        };
        for part in &stream.parts {
            held.part(program, part);
        }
        held
    }

    fn part(&mut self, program: &Program, part: &Part) {
        match part {
            Part::Once {
                function,
                args,
                makes,
            } => {
                let function = self.function(program, function);
                for (at, arg) in args.iter().enumerate() {
                    self.takes_given(function, at, *arg);
                }
                self.makes(function, 0, makes.iter().map(|value| Some(*value)));
            }
            Part::Pass(pass) => pass.all().iter().for_each(|it| self.pass(program, it)),
        }
    }

    fn pass(&mut self, program: &Program, pass: &Pass) {
        let function = self.function(program, &pass.step);
        let mut at = 0;
        for arg in &pass.args {
            match arg {
                Arg::Given(given) => self.takes_given(function, at, *given),
                Arg::State(state) => {
                    self.takes_given(function, at, Given::Value(pass.state[*state]));
                }
                Arg::Chunk(_) | Arg::Ends(_) | Arg::Last | Arg::Unwanted => {}
            }
            at += arg.params();
        }
        let state = pass.state.iter().map(|value| Some(*value));
        let made = state.chain(pass.collected.iter().copied());
        self.makes(function, usize::from(pass.stops) + pass.ends, made);
    }

    fn function(&mut self, program: &Program, name: &str) -> usize {
        let is_it = |it: &Function| it.export.as_ref().is_some_and(|it| it.name == name);
        let at = program.functions.iter().position(is_it);
        let at = at.unwrap_or_else(|| unreachable!("`{name}` is a part of a stream"));
        let function = &program.functions[at];
        self.functions.push(Asked {
            function: at,
            sizes: function.sizes.len(),
            locals: function.locals.len(),
            is_stale: true,
        });
        at
    }

    fn takes_given(&mut self, function: usize, at: usize, given: Given) {
        if let Given::Value(value) = given {
            self.takes.push(Use {
                function,
                at,
                value,
            });
        }
    }

    /// Values that the fields of a result are from `first` on.
    fn makes(
        &mut self,
        function: usize,
        first: usize,
        values: impl Iterator<Item = Option<usize>>,
    ) {
        for (at, value) in (first..).zip(values) {
            self.makes.extend(value.map(|value| Use {
                function,
                at,
                value,
            }));
        }
    }

    /// Finds what can be dense, and says so in all signatures.
    fn settle(mut self, program: &mut Program, stream: &mut Stream, lengths: ResultLengths) {
        while self.functions.iter().any(|it| it.is_stale) {
            for at in 0..self.functions.len() {
                if std::mem::replace(&mut self.functions[at].is_stale, false) {
                    self.ask(at, program, stream, lengths);
                }
            }
        }
        for at in 0..self.functions.len() {
            self.give_params(at, program, stream, Known::Lengths);
        }
        for it in &self.makes {
            let function = &mut program.functions[it.function];
            let mut next = |axis| fresh(function, "", axis);
            let ty = self.typed(stream, it.value, Known::Lengths, &mut next);
            let SigType::Tuple(fields) = &mut function.ret else {
                unreachable!("a part gives a tuple")
            };
            fields[it.at] = ty;
        }
        for value in 0..stream.values.len() {
            let ty = self.typed(stream, value, Known::Lengths, &mut |_| SizeId(0));
            stream.values[value] = ty;
        }
    }

    /// Learns what a function makes of what it takes.
    fn ask(&mut self, at: usize, program: &mut Program, stream: &Stream, lengths: ResultLengths) {
        let function = self.functions[at].function;
        let mut makes = self.makes.iter().filter(|it| it.function == function);
        if !makes.any(|it| has_rows(&stream.values[it.value], false)) {
            return;
        }
        self.give_params(at, program, stream, Known::Lengths);
        let mut found = lengths(program, &program.functions[function]);
        if found.is_none() {
            // What is known so far may not be so in the end, and contradict what is written.
            self.give_params(at, program, stream, Known::Axes);
            found = lengths(program, &program.functions[function]);
        }
        self.learn(function, &program.functions[function].ret, found.as_deref());
    }

    /// Gives the parameters of a function the sizes that are known.
    fn give_params(&self, at: usize, program: &mut Program, stream: &Stream, known: Known) {
        let asked = &self.functions[at];
        let function = &mut program.functions[asked.function];
        function.sizes.truncate(asked.sizes);
        function.locals.truncate(asked.locals);
        for it in self.takes.iter().filter(|it| it.function == asked.function) {
            let name = function.params[it.at].name.clone();
            let mut next = |axis| fresh(function, &name, axis);
            let ty = self.typed(stream, it.value, known, &mut next);
            function.params[it.at].ty = ParamType::Value(ty);
        }
    }

    /// Notes what a function makes, of this type; who takes what is new is to be asked again.
    fn learn(&mut self, function: usize, ret: &SigType, found: Option<&[Lengths]>) {
        let SigType::Tuple(fields) = ret else {
            unreachable!("a part gives a tuple")
        };
        for it in self.makes.iter().filter(|it| it.function == function) {
            let first: usize = fields[..it.at].iter().map(scalars).sum();
            let own = scalars(&fields[it.at]);
            let found = match found {
                Some(found) => found[first..first + own].to_vec(),
                None => vec![None; own],
            };
            let known = &mut self.lengths[it.value];
            let all = match known {
                Some(known) => known
                    .iter()
                    .zip(&found)
                    .map(|(a, b)| either(a, b))
                    .collect(),
                None => found,
            };
            if known.as_ref() == Some(&all) {
                continue;
            }
            *known = Some(all);
            let takers = self.takes.iter().filter(|taker| taker.value == it.value);
            let takers: Vec<usize> = takers.map(|it| it.function).collect();
            let functions = self.functions.iter_mut();
            functions
                .filter(|it| takers.contains(&it.function))
                .for_each(|it| it.is_stale = true);
        }
    }

    /// The type of a value with the sizes that are known of it; `next` is told the axis of one whose length is
    /// not.
    fn typed(
        &self,
        stream: &Stream,
        value: usize,
        known: Known,
        next: &mut dyn FnMut(usize) -> SizeId,
    ) -> SigType {
        let ty = &stream.values[value];
        match (&self.lengths[value], known) {
            (None, _) => ty.clone(),
            (Some(lengths), Known::Lengths) => sized(ty, lengths, 0, next),
            (Some(lengths), Known::Axes) => {
                let without = |it: &Lengths| it.as_ref().map(|it| vec![None; it.len()]);
                let lengths: Vec<Lengths> = lengths.iter().map(without).collect();
                sized(ty, &lengths, 0, next)
            }
        }
    }
}

/// What is known of arrays that have these lengths or those.
fn either(a: &Lengths, b: &Lengths) -> Lengths {
    let (a, b) = (a.as_ref()?.iter(), b.as_ref()?.iter());
    Some(a.zip(b).map(|(a, b)| a.filter(|_| a == b)).collect())
}

/// A size of its own for an axis of `array`.
fn fresh(function: &mut Function, array: &str, axis: usize) -> SizeId {
    let name = format!("len({array}{})", "[0]".repeat(axis));
    let local = LocalId::next(&function.locals);
    function.locals.push(Local {
        name: name.clone(),
        ty: LocalType::Value(Type::Scalar(Scalar::Usize)),
        mutable: false,
        in_parts: false,
        temporary: true,
        src: function.src,
    });
    let id = SizeId::next(&function.sizes);
    function.sizes.push(SizeName {
        name,
        src: function.src,
        local,
    });
    id
}

/// Whether there are arrays in arrays; `inside` of one already.
fn has_rows(sig: &SigType, inside: bool) -> bool {
    match sig {
        SigType::Scalar(_) | SigType::Vector(..) => false,
        SigType::Tuple(fields) | SigType::Struct(_, fields) => {
            fields.iter().any(|it| has_rows(it, inside))
        }
        SigType::Array { elem, .. } => inside || has_rows(elem, true),
    }
}

fn scalars(sig: &SigType) -> usize {
    match sig {
        SigType::Scalar(_) => 1,
        SigType::Tuple(fields) | SigType::Struct(_, fields) | SigType::Vector(_, fields) => {
            fields.iter().map(scalars).sum()
        }
        SigType::Array { elem, .. } => scalars(elem),
    }
}

/// `sig`, `axis` axes in, with a size for each array in an array of which all scalars have [`Lengths`].
fn sized(
    sig: &SigType,
    mut lengths: &[Lengths],
    axis: usize,
    next: &mut dyn FnMut(usize) -> SizeId,
) -> SigType {
    let mut all = |fields: &[SigType]| {
        let fields = fields.iter().map(|field| {
            let (own, rest) = lengths.split_at(scalars(field));
            lengths = rest;
            sized(field, own, axis, next)
        });
        fields.collect()
    };
    match sig {
        SigType::Scalar(_) | SigType::Vector(..) => sig.clone(),
        SigType::Tuple(fields) => SigType::Tuple(all(fields)),
        SigType::Struct(id, fields) => SigType::Struct(*id, all(fields)),
        SigType::Array { elem, size, src } => {
            let size = match axis.checked_sub(1) {
                None => *size,
                Some(inner) => {
                    let of_all: Option<Vec<Option<u64>>> = lengths
                        .iter()
                        .map(|it| it.as_ref().map(|it| it[inner]))
                        .collect();
                    match of_all.as_deref() {
                        // Within rows of lengths of their own nothing is dense.
                        None | Some([]) => return sig.clone(),
                        Some([Some(length), ..]) => SizeSpec::Held(*length),
                        Some([None, ..]) => SizeSpec::Named(next(axis)),
                    }
                }
            };
            SigType::Array {
                elem: Box::new(sized(elem, lengths, axis + 1, next)),
                size,
                src: *src,
            }
        }
    }
}
