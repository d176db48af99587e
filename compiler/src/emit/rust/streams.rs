//! A function over sequences: what calls the functions that it was taken apart into.
//!
//! In: a [`Stream`], and its functions, fused. Out: tokens. The functions are items inside of the
//! one that users call, which holds values between them, makes sources of what it is given, and
//! leaves the order of chunks to a driver of the run time (`core/src/seq/`).

use crate::Lexer;
use crate::contracts::Facts;
use crate::contracts::cost::of_stream;
use crate::emit::rust::border::{Form, borrowed_result, form, result_type};
use crate::emit::rust::function::{Fixed, emit, explained};
use crate::emit::rust::stream_heads::LIMITS;
use crate::emit::rust::{explain, outside};
use crate::emit::{ident, ident_text};
use crate::fused::ir::{Function, Program};
use crate::prims::CHUNK;
use crate::shaped::border::border_type;
use crate::streamed::ir::{Arg, Feed, Given, Part, Pass, Source, Stream, has_sizes};
use crate::typed::ir::{SigType, StructDef};
use proc_macro2::TokenStream;
use quote::quote;
use std::fmt::Write;

/// Whether `function` is run by one of `streams` alone.
pub fn is_part(function: &Function, streams: &[Stream]) -> bool {
    streams
        .iter()
        .any(|stream| parts(stream).any(|(name, _)| *name == function.export.name))
}

/// The functions that a stream runs, by name, and whether each is run for each chunk.
fn parts(stream: &Stream) -> impl Iterator<Item = (&String, bool)> {
    stream.parts.iter().map(|part| match part {
        Part::Once { function, .. } => (function, false),
        Part::Pass(pass) => (&pass.step, true),
    })
}

/// The items of a function over sequences.
pub fn stream(
    stream: &Stream,
    program: &Program,
    printing: Option<&Program>,
    fixed: &Fixed,
    lex: Lexer,
) -> TokenStream {
    let glue = Glue {
        stream,
        program,
        structs: &program.structs,
    };
    let functions = parts(stream).map(|(name, _)| {
        let printing = printing.map(|program| find(program, name));
        let printing = printing.filter(|it| it.checks.iter().any(crate::checks::Check::prints));
        emit(find(program, name), printing, &program.structs, fixed, lex)
    });
    let functions: Vec<TokenStream> = functions.collect();
    let (vis, docs) = (&stream.vis, &stream.docs);
    let name = ident(&stream.name, stream.ident.span());
    let explain = glue.explain();
    let found = explain::rustdoc(&explain);
    let summary = format!(
        "What was compiled for [`{0}`](fn@{0}); its `EXPLAIN` says how.",
        stream.name
    );
    let (names, site) = (lex(&outside::names()), lex(&glue.site()));
    let body = glue.named(lex(&glue.body()));
    let body = quote!(#(#functions)* #names #site #body);
    let (head, args) = (glue.head(lex), glue.args(lex));
    let signature = head.signature();
    let limits = lex(LIMITS);
    let (allow, camel, dead, constant) = fixed.parts();
    let methods = glue.methods(&head, &body, allow, lex);
    quote! {
        #docs
        #[doc = #found]
        #allow
        #vis fn #name #signature {
            #name::with(#limits::new(), #args)
        }
        #[doc = #summary]
        #camel
        #vis enum #name {}
        #dead
        impl #name {
            /// What was compiled: kernels, what was fused into each, what is in memory and why.
            #vis #constant #explain;

            #methods
        }
    }
}

fn find<'p>(program: &'p Program, name: &str) -> &'p Function {
    let found = program.functions.iter().find(|it| it.export.name == name);
    found.unwrap_or_else(|| unreachable!("`{name}` is a part of a stream"))
}

/// As long as this live the items of all parameters.
pub(super) const LENT: &str = "'__lent";

pub(super) struct Glue<'g> {
    pub stream: &'g Stream,
    program: &'g Program,
    pub structs: &'g [StructDef],
}

impl Glue<'_> {
    /// The type of a chunk of the items that are passed for a parameter.
    pub fn chunk_of(&self, at: usize) -> String {
        self.read_into(&border_type(&self.stream.params[at].ty))
    }

    /// Rows that are items may stay where they are.
    fn read_into(&self, ty: &SigType) -> String {
        match ty {
            SigType::Array { elem, .. } => match form(elem) {
                (Form::Ragged(1), elem) => {
                    let elem = result_type(elem, self.structs);
                    format!("::ragged::seq::Rows<{LENT}, {elem}>")
                }
                (Form::Flat | Form::Dense(_) | Form::Ragged(_), _) => self.chunk(ty),
            },
            SigType::Tuple(fields) => {
                let fields = fields.iter().map(|it| self.read_into(it) + ",");
                format!("({})", fields.collect::<String>())
            }
            SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) => self.chunk(ty),
        }
    }

    /// Whether any items may stay where they are, for [`LENT`].
    pub fn lends(&self) -> bool {
        let mut params = self.stream.params.iter();
        params.any(|it| it.is_seq && holds_rows(&border_type(&it.ty)))
    }

    /// The type of a chunk of results.
    pub fn chunk(&self, ty: &SigType) -> String {
        match ty {
            SigType::Array { elem, .. } => match form(elem) {
                (Form::Dense(rank), elem) => {
                    let elem = result_type(elem, self.structs);
                    format!("::ragged::DenseVec<{elem}, {rank}>")
                }
                (Form::Flat | Form::Ragged(_), _) => result_type(ty, self.structs),
            },
            SigType::Tuple(fields) => {
                let fields = fields.iter().map(|it| self.chunk(it) + ",");
                format!("({})", fields.collect::<String>())
            }
            SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) => {
                result_type(ty, self.structs)
            }
        }
    }

    /// The type of a chunk of results, if they are given out one by one.
    pub fn result(&self) -> Option<String> {
        match self.stream.parts.last() {
            Some(Part::Pass(pass)) if pass.collected.contains(&None) => {
                Some(self.chunk(&border_type(&self.stream.ret)))
            }
            _value => None,
        }
    }

    pub fn name(&self, at: usize) -> String {
        let param = &self.stream.params[at];
        let same = self.stream.params.iter();
        match same.filter(|it| it.name == param.name).count() {
            1 => ident_text(&param.name),
            _several => format!("arg{at}_"),
        }
    }

    fn site(&self) -> String {
        let start = self.stream.src.start();
        let (line, column) = (start.line, start.column);
        format!(
            "static __SITE: __r::Site = __r::Site {{ function: {:?}, file: ::core::file!(), line: {line}, \
             column: {column}, checks: &[__r::Check {{ file: __r::None, line: {line}, \
             column: {column}, kind: __r::CheckKind::SizeMismatch, \
             text: &[\"the items before\", \"an item\"] }}] }};",
            self.stream.name
        )
    }

    fn body(&self) -> String {
        // Whatever else the names of parameters mean here.
        let names: Vec<String> = (0..self.stream.params.len())
            .map(|at| self.name(at))
            .collect();
        let own: Vec<String> = (0..names.len()).map(|at| format!("p{at}")).collect();
        let mut text = match names.is_empty() {
            true => String::new(),
            false => format!("let ({},) = ({},);\n", own.join(","), names.join(",")),
        };
        text.push_str("let limits = __ragged_limits;\n");
        text.extend(self.lengths());
        for (at, part) in self.stream.parts.iter().enumerate() {
            match part {
                Part::Once {
                    function,
                    args,
                    makes,
                } => {
                    let is_last = at + 1 == self.stream.parts.len();
                    let makes = (!is_last).then_some(makes.as_slice());
                    self.once(function, args, makes, &mut text);
                }
                Part::Pass(pass) => self.pass(pass, &mut text),
            }
        }
        text
    }

    /// A function that makes values, perhaps none: it may fail. Or the result of all.
    fn once(&self, name: &str, args: &[Given], makes: Option<&[usize]>, text: &mut String) {
        let function = find(self.program, name);
        let args: Vec<String> = args
            .iter()
            .zip(&function.params)
            .map(|(given, param)| self.given(*given, &param.ty))
            .collect();
        let call = format!("{name}({})", args.join(","));
        let Some(makes) = makes else {
            let _ = writeln!(text, "{call}");
            return;
        };
        let made: String = makes.iter().map(|value| format!("mut v{value},")).collect();
        let _ = writeln!(text, "let ({made}) = {call}?;");
    }

    /// An argument, which stays where it is.
    fn given(&self, given: Given, ty: &SigType) -> String {
        match given {
            Given::Value(value) => passed(ty, &format!("v{value}"), true),
            Given::Param(param) => passed(ty, &format!("p{param}"), false),
        }
    }

    fn pass(&self, pass: &Pass, text: &mut String) {
        let step = find(self.program, &pass.step);
        let SigType::Tuple(fields) = &step.ret else {
            unreachable!("a step gives a tuple")
        };
        for value in pass.collected.iter().flatten() {
            let _ = writeln!(
                text,
                "let mut v{value} = ::core::default::Default::default();"
            );
        }
        for end in 0..pass.ends {
            let _ = writeln!(text, "let end{end} = __r::seq::End::default();");
        }
        let sources: Vec<String> = pass.sources.iter().map(|it| self.source(*it)).collect();
        let source = fed(&pass.feed, &sources);
        let mut closure = self.step(pass, step, fields);
        let (driver, end) = match self.result() {
            Some(out) if pass.collected.contains(&None) => {
                closure = format!("move |chunk, last, out: &mut {out}| {{ {closure} }}");
                ("__r::Ok(__r::seq::Prepared::new(&__SITE, ", "))")
            }
            _held => {
                closure = format!("|chunk, last| {{ {closure} }}");
                ("__r::seq::run(", ")?;")
            }
        };
        let mut blocks = match pass.in_blocks {
            true => format!(".in_blocks({CHUNK})"),
            false => String::new(),
        };
        let mut state = pass.state.iter().map(|value| &self.stream.values[*value]);
        if state.any(holds_array) {
            blocks.push_str(".keeping()");
        }
        let limits = "::core::clone::Clone::clone(&limits)";
        let _ = writeln!(text, "{driver}{source}, {limits}{blocks}, {closure}{end}");
    }

    fn source(&self, source: Source) -> String {
        match source {
            Source::Count(value) => format!("__r::seq::count(v{value})"),
            Source::Param(at) => {
                let param = &self.stream.params[at];
                let chunk = self.chunk_of(at);
                let sizes = self.sizes_of(at);
                let sized = match sizes.is_empty() {
                    true => String::new(),
                    false => format!(".sized(&lengths, &{sizes:?})"),
                };
                format!(
                    "__r::seq::items::<{chunk}, _, _>(&__SITE, {:?}, p{at}){sized}",
                    param.name
                )
            }
        }
    }

    /// The body of the closure that the driver calls for each chunk.
    fn step(&self, pass: &Pass, step: &Function, fields: &[SigType]) -> String {
        let mut text = String::new();
        if self.is_idle_without_items(pass) {
            text.push_str(
                "if ::ragged::seq::Chunk::items(chunk) == 0 { return ::core::result::Result::Ok(true); }\n",
            );
        }
        for (at, field) in fields.iter().enumerate() {
            if !self.is_out(pass, at) {
                let ty = self.chunk(field);
                let _ = writeln!(
                    text,
                    "let mut n{at}: {ty} = ::core::default::Default::default();"
                );
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
                Arg::Given(given) => args.extend(param().map(|ty| self.given(*given, ty))),
                Arg::State(at) => {
                    let place = format!("v{}", pass.state[*at]);
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
                    "__SITE.checked(__r::seq::Append::append(&mut v{value}, &n{at}, 0))?;"
                );
            }
        }
        // Last: what fails leaves the state as it was.
        for (at, value) in pass.state.iter().enumerate() {
            let _ = writeln!(text, "v{value} = n{};", first + at);
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

    /// Whether the step is not run for a chunk without items: these have sizes, which are not known
    /// then, but may be those of other parameters. What is collected has a shape all the same.
    fn is_idle_without_items(&self, pass: &Pass) -> bool {
        let sized = pass.sources.iter().any(|source| match source {
            Source::Param(at) => {
                let ty = border_type(&self.stream.params[*at].ty);
                matches!(&ty, SigType::Array { elem, .. } if has_sizes(elem))
            }
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

    fn explain(&self) -> String {
        let all: Vec<Facts> = parts(self.stream)
            .map(|(name, _)| Facts::of(find(self.program, name)))
            .collect();
        let sum = Facts {
            kernels: all.iter().map(|it| it.kernels).sum(),
            intermediates: all.iter().map(|it| it.intermediates).sum(),
            irregular: all.iter().any(|it| it.irregular),
            fast: all.iter().any(|it| it.fast),
        };
        let passes = parts(self.stream).filter(|(_, is_pass)| *is_pass).count();
        let costs = of_stream(self.stream, &|name| find(self.program, name));
        let mut text = format!("{}: passes {passes}, {sum}, {costs}\n", self.stream.name);
        for line in costs.legend() {
            let _ = writeln!(text, "  {line}");
        }
        let mut pass = 0;
        for (name, is_pass) in parts(self.stream) {
            let (_, explain) = explained(find(self.program, name), self.structs);
            let title = match is_pass {
                true => {
                    pass += 1;
                    format!("each chunk of pass {pass}")
                }
                false => "at once".to_owned(),
            };
            let explain = explain.replacen(&format!("{name}: "), &format!("{title}: "), 1);
            for line in explain.lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
        text
    }
}

/// Whether items of this type, or fields of these, are rows.
fn holds_rows(ty: &SigType) -> bool {
    match ty {
        SigType::Array { elem, .. } => form(elem).0 == Form::Ragged(1),
        SigType::Tuple(fields) => fields.iter().any(holds_rows),
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) => false,
    }
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

/// An argument for a parameter of type `ty` that is at `place`; an array is borrowed.
fn passed(ty: &SigType, place: &str, is_owned: bool) -> String {
    match ty {
        SigType::Tuple(fields) => {
            let fields = fields.iter().enumerate();
            let fields =
                fields.map(|(at, it)| passed(it, &format!("{place}.{at}"), is_owned) + ",");
            format!("({})", fields.collect::<String>())
        }
        SigType::Array { .. } if is_owned => format!("&{place}"),
        SigType::Array { elem, .. } => match form(elem).0 {
            Form::Flat => format!("&::ragged::AsArray::array_arg(&{place})"),
            Form::Dense(_) => format!("&::ragged::AsDense::dense_arg(&{place})"),
            Form::Ragged(_) => format!("&::ragged::AsRagged::ragged_arg(&{place})"),
        },
        SigType::Scalar(_) => place.to_owned(),
        SigType::Struct(..) | SigType::Vector(..) => {
            format!("::core::clone::Clone::clone(&{place})")
        }
    }
}
