//! The passes of a function over sequences: sources, and what the run time calls for each chunk.
//!
//! In: a pass, and its step, fused. Out: tokens of a driver of the run time (`core/src/seq/`) that is given
//! both. Passes whose results it reads are within its sources: what these are given as well is lent to them,
//! or shared with them where results are given out one by one and all is kept in what does that.

use crate::emit::rust::border::borrowed_result;
use crate::emit::rust::streams::{Glue, find, name_of, new_place, passed, passed_on};
use crate::prims::CHUNK;
use crate::shaped::border::border_type;
use crate::streamed::ir::{Arg, Feed, Given, Nested, Pass, Source, has_sizes};
use crate::typed::ir::SigType;
use std::fmt::Write;

/// What passes that are computed at once have in common.
struct Shared {
    /// What several of them are given, but for numbers: each has a name of its own for it, which borrows it.
    all: Vec<Given>,
    /// Whether it is kept with the passes, which go on when the function has returned.
    is_kept: bool,
    /// How many passes there are.
    passes: usize,
}

impl Shared {
    /// Names of a pass's own for what it is given.
    fn names(&self, pass: &Pass) -> String {
        let mut text = String::new();
        for given in self.all.iter().filter(|it| takes(pass, **it)) {
            let name = name_of(*given);
            let _ = match self.is_kept {
                true => write!(text, "let {name} = ::std::sync::Arc::clone(&{name});"),
                false => write!(text, "let {name} = &{name};"),
            };
        }
        text
    }
}

fn takes(pass: &Pass, given: Given) -> bool {
    pass.args.contains(&Arg::Given(given))
}

impl Glue<'_> {
    /// A pass that no other has within it.
    pub fn pass(&self, pass: &Pass, text: &mut String) {
        let all = pass.all();
        for value in all.iter().flat_map(|it| &it.collected).flatten() {
            let _ = writeln!(
                text,
                "let mut v{value} = ::core::default::Default::default();"
            );
        }
        let out = self.result().filter(|_| pass.collected.contains(&None));
        let shared = self.shared(pass, out.is_some());
        for given in shared.all.iter().filter(|_| shared.is_kept) {
            let name = name_of(*given);
            let _ = writeln!(text, "let {name} = ::std::sync::Arc::new({name});");
        }
        text.push_str(&ends(pass));
        let mut going_on = Vec::new();
        self.going_on(pass, &shared, &mut going_on, text);
        let source = self.fed_by(pass, &shared);
        let borrowed: &[Given] = if shared.is_kept { &shared.all } else { &[] };
        let step = self.step(pass, borrowed, false);
        let (driver, closure, end) = match &out {
            Some(out) => (
                "__r::Ok(__r::seq::Prepared::new(&__SITE, ",
                format!("move |chunk, last, out: &mut {out}| {{ {step} }}"),
                "))",
            ),
            None => (
                "__r::seq::run(",
                format!("|chunk, last| {{ {step} }}"),
                ")?;",
            ),
        };
        let limits = self.limits(pass, &shared);
        let _ = writeln!(text, "{driver}{source}, {limits}, {closure}{end}");
        // What others read goes on after these.
        for name in going_on.iter().rev() {
            let _ = writeln!(
                text,
                "unwanted_{name}.set(); {name}.finish()?; ::core::mem::drop({name});"
            );
        }
    }

    /// Passes within `pass` that go on when it has ended, which are lent to it: their names, innermost first.
    fn going_on(&self, pass: &Pass, shared: &Shared, names: &mut Vec<String>, text: &mut String) {
        for nested in &pass.nested {
            self.going_on(&nested.pass, shared, names, text);
            if nested.goes_on() {
                let name = lent(nested);
                let _ = writeln!(
                    text,
                    "let unwanted_{name} = __r::seq::End::default();\nlet mut {name} = {};",
                    self.nested(nested, shared)
                );
                names.push(name);
            }
        }
    }

    /// What the passes that `pass` has within it, and itself, have in common.
    fn shared(&self, pass: &Pass, is_kept: bool) -> Shared {
        let passes = pass.all();
        let mut all: Vec<Given> = Vec::new();
        let given = passes.iter().flat_map(|it| &it.args);
        let given = given.filter_map(|arg| match arg {
            Arg::Given(given) => Some(*given),
            _chunk => None,
        });
        for given in given {
            let is_number = match given {
                Given::Param(at) => matches!(self.stream.params[at].ty, SigType::Scalar(_)),
                Given::Value(at) => matches!(self.stream.values[at], SigType::Scalar(_)),
            };
            let takers = passes.iter().filter(|it| takes(it, given)).count();
            // What is not kept stays what others may ask for later.
            let is_shared = takers > 1 || (!is_kept && !takes(pass, given));
            if is_shared && !is_number && !all.contains(&given) {
                all.push(given);
            }
        }
        Shared {
            all,
            is_kept,
            passes: passes.len(),
        }
    }

    fn limits(&self, pass: &Pass, shared: &Shared) -> String {
        let mut limits = "::core::clone::Clone::clone(&limits)".to_owned();
        if shared.passes > 1 {
            let _ = write!(limits, ".shared({})", shared.passes);
        }
        if pass.in_blocks {
            let _ = write!(limits, ".in_blocks({CHUNK})");
        }
        let mut state = pass.state.iter().map(|value| &self.stream.values[*value]);
        if state.any(holds_array) {
            limits.push_str(".keeping()");
        }
        limits
    }

    /// The sources of a pass as one.
    fn fed_by(&self, pass: &Pass, shared: &Shared) -> String {
        let sources = pass.sources.iter().map(|source| match source {
            Source::Count(value) => format!("__r::seq::count(v{value})"),
            Source::Param(at) => self.items(*at),
            Source::Nested(at) => match &pass.nested[*at] {
                nested if nested.goes_on() => format!("&mut {}", lent(nested)),
                nested => self.nested(nested, shared),
            },
        });
        fed(&pass.feed, &sources.collect::<Vec<_>>())
    }

    fn items(&self, at: usize) -> String {
        let param = &self.stream.params[at];
        let chunk = self.chunk_of(at);
        let sized = self.sized(&border_type(&param.ty));
        let name = &param.name;
        format!("__r::seq::items::<{chunk}, _, _>(&__SITE, {name:?}, p{at}){sized}")
    }

    /// What gives a source the lengths of arrays in its items, if these are sizes.
    fn sized(&self, chunk: &SigType) -> String {
        let sizes = self.sizes_of(chunk);
        match sizes.is_empty() {
            true => String::new(),
            false => format!(".sized(&lengths, &{sizes:?})"),
        }
    }

    /// A pass whose results are items: its source and what it is given are its own, and its state, unless it goes
    /// on for that.
    fn nested(&self, nested: &Nested, shared: &Shared) -> String {
        let Nested { pass, items } = nested;
        let chunk = border_type(items);
        let (out, sized) = (self.chunk(&chunk), self.sized(&chunk));
        let (ends, names) = (ends(pass), shared.names(pass));
        let source = self.fed_by(pass, shared);
        let limits = self.limits(pass, shared);
        let step = self.step(pass, &shared.all, nested.goes_on());
        let mut state = String::new();
        if nested.goes_on() {
            let collected = pass.collected.iter().flatten();
            for value in pass.state.iter().chain(collected) {
                let _ = write!(state, "let v{value} = &mut v{value};");
            }
            let name = lent(nested);
            let _ = write!(
                state,
                "let unwanted = ::core::clone::Clone::clone(&unwanted_{name});"
            );
            if self.is_idle_without_items(pass) {
                state.push_str("let mut has_begun = false;");
            }
        }
        format!(
            "{{ {ends} let source = {source}; {names} {state} \
             __r::seq::nested(&__SITE, __r::seq::stream(source, {limits}.nested(), \
             move |chunk, last, out: &mut {out}| {{ {step} }})){sized} }}"
        )
    }

    /// The body of the closure that the driver calls for each chunk.
    /// What is in `borrowed` has a name here that borrows it; the state has if it is `lent`.
    fn step(&self, pass: &Pass, borrowed: &[Given], is_lent: bool) -> String {
        let step = find(self.program, &pass.step);
        let SigType::Tuple(fields) = &step.ret else {
            unreachable!("a step gives a tuple")
        };
        let held = |value: usize| match is_lent {
            true => format!("(*v{value})"),
            false => format!("v{value}"),
        };
        let mut text = String::new();
        if self.is_idle_without_items(pass) {
            let (and_new, begin) = match is_lent {
                // Asked again it may want less.
                true => (" && !has_begun", "has_begun = true;"),
                false => ("", ""),
            };
            let _ = writeln!(
                text,
                "if ::ragged::seq::Chunk::items(chunk) == 0{and_new} \
                 {{ return ::core::result::Result::Ok(true); }} {begin}"
            );
        }
        for (at, field) in fields.iter().enumerate() {
            if !self.is_out(pass, at) {
                let ty = self.chunk(field);
                let _ = writeln!(text, "{}", new_place(&format!("n{at}"), &ty));
            }
        }
        let places = fields.iter().enumerate().map(|(at, field)| {
            let place = match self.is_out(pass, at) {
                true => "(*out)".to_owned(),
                false => format!("n{at}"),
            };
            borrowed_result(field, &place) + ","
        });
        let places: String = places.collect();
        let mut params = step.params.iter();
        let mut args = Vec::new();
        for arg in &pass.args {
            let chunk = |source: usize| match place(&pass.feed, source).as_deref() {
                None | Some("") => "(*chunk)".to_owned(),
                Some(place) => format!("chunk{place}"),
            };
            let mut param = || params.next().map(|it| &it.ty);
            match arg {
                Arg::Chunk(source) => {
                    args.extend(param().map(|ty| passed(ty, &chunk(*source), true)));
                }
                Arg::Ends(source) => {
                    let (_, _) = (param(), param());
                    let chunk = chunk(*source);
                    args.push(format!("{chunk}.start()"));
                    args.push(format!("{chunk}.start() + {chunk}.len()"));
                }
                Arg::Last => {
                    param();
                    args.push("last".to_owned());
                }
                Arg::Unwanted => {
                    param();
                    args.push("unwanted.is_set()".to_owned());
                }
                Arg::Given(given) => {
                    let is_borrowed = borrowed.contains(given);
                    args.extend(param().map(|ty| passed_on(*given, ty, is_borrowed)));
                }
                Arg::State(at) => {
                    let place = held(pass.state[*at]);
                    args.extend(param().map(|ty| passed(ty, &place, true)));
                }
            }
        }
        let _ = writeln!(
            text,
            "{}::into(({places}), {})?;",
            pass.step,
            args.join(",")
        );
        let first = usize::from(pass.stops) + pass.ends;
        for (at, value) in pass.collected.iter().enumerate() {
            if let Some(value) = value {
                let at = first + pass.state.len() + at;
                let _ = writeln!(
                    text,
                    "__SITE.checked(__r::seq::Append::append(&mut {}, &n{at}, 0))?;",
                    held(*value)
                );
            }
        }
        // Last: what fails leaves the state as it was.
        for (at, value) in pass.state.iter().enumerate() {
            let _ = writeln!(text, "{} = n{};", held(*value), first + at);
        }
        for end in 0..pass.ends {
            let at = usize::from(pass.stops) + end;
            let _ = writeln!(text, "if n{at} {{ end{end}.set(); }}");
        }
        let more = match pass.stops {
            true => "n0",
            false => "true",
        };
        let _ = write!(text, "::core::result::Result::Ok({more})");
        text
    }

    /// Whether the step is not run for a chunk without items, at least before one that has some: these have
    /// sizes, which are not known then, but may be those of other parameters. What is collected has a shape all the same.
    fn is_idle_without_items(&self, pass: &Pass) -> bool {
        let has_sizes = |chunk: &SigType| match border_type(chunk) {
            SigType::Array { elem, .. } => has_sizes(&elem),
            _columns => false,
        };
        let sized = pass.sources.iter().any(|source| match source {
            Source::Param(at) => has_sizes(&self.stream.params[*at].ty),
            Source::Nested(at) => has_sizes(&pass.nested[*at].items),
            Source::Count(_) => false,
        });
        let collects = pass.collected.iter().any(Option::is_some);
        sized && !collects && !pass.args.contains(&Arg::Last)
    }

    /// Whether a field of the step's result is what the function gives item by item.
    fn is_out(&self, pass: &Pass, field: usize) -> bool {
        let first = usize::from(pass.stops) + pass.ends + pass.state.len();
        let collected = field
            .checked_sub(first)
            .and_then(|at| pass.collected.get(at));
        matches!(collected, Some(None))
    }
}

/// What a pass that goes on is called, by a value that it makes.
fn lent(nested: &Nested) -> String {
    let collected = nested.pass.collected.iter().flatten();
    let mut made = nested.pass.state.iter().chain(collected);
    let value = made
        .next()
        .unwrap_or_else(|| unreachable!("it goes on for what it makes"));
    format!("within{value}")
}

/// What says of parts of the feed that no more is wanted of them.
fn ends(pass: &Pass) -> String {
    let ends = 0..pass.ends;
    ends.map(|end| format!("let end{end} = __r::seq::End::default();\n"))
        .collect()
}

fn holds_array(sig: &SigType) -> bool {
    match sig {
        SigType::Scalar(_) | SigType::Vector(..) => false,
        SigType::Tuple(fields) | SigType::Struct(_, fields) => fields.iter().any(holds_array),
        SigType::Array { .. } => true,
    }
}

/// The sources as one.
fn fed(feed: &Feed, sources: &[String]) -> String {
    match feed {
        Feed::One(source) => sources[*source].clone(),
        Feed::Zipped(feeds) => {
            let feeds = feeds.iter().map(|it| fed(it, sources) + ",");
            format!("({})", feeds.collect::<String>())
        }
        Feed::Beside(feeds, groups) => {
            let feeds = feeds.iter().map(|it| fed(it, sources) + ",");
            let feeds = feeds.collect::<String>();
            let groups = groups.iter().map(|group| {
                let bits = group.iter().fold(0_u32, |bits, at| bits | 1 << at);
                format!("{bits:#b},")
            });
            let groups = groups.collect::<String>();
            format!("__r::seq::beside(({feeds}), &[{groups}])")
        }
        Feed::Until(feed, end) => {
            let end = format!("::core::clone::Clone::clone(&end{end})");
            format!("__r::seq::until({}, {end})", fed(feed, sources))
        }
        Feed::AtMost(feed, most) => {
            format!("__r::seq::at_most({}, v{most})", fed(feed, sources))
        }
        Feed::After(both) => {
            let [first, second] = &**both;
            format!(
                "__r::seq::after({}, {})",
                fed(first, sources),
                fed(second, sources)
            )
        }
    }
}

/// Where the chunk of a source is in that of all.
fn place(feed: &Feed, source: usize) -> Option<String> {
    let parts = match feed {
        Feed::One(it) => return (*it == source).then(String::new),
        Feed::Until(feed, _) | Feed::AtMost(feed, _) => return place(feed, source),
        Feed::Beside(feeds, _) => {
            let side_by_side = place(&Feed::Zipped(feeds.clone()), source);
            return side_by_side.map(|rest| format!(".0{rest}"));
        }
        Feed::Zipped(feeds) => feeds.as_slice(),
        Feed::After(both) => &both[..],
    };
    let mut places = parts.iter().enumerate();
    places.find_map(|(at, part)| place(part, source).map(|rest| format!(".{at}{rest}")))
}
