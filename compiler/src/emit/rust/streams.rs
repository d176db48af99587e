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
use crate::shaped::border::border_type;
use crate::streamed::ir::{Given, Part, Pass, Stream};
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

/// When a function is run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    Once,
    /// For each chunk of a pass.
    Chunks,
    /// The same, of a pass whose results another one reads.
    Within,
}

/// The functions that a stream runs, by name, and when.
fn parts(stream: &Stream) -> impl Iterator<Item = (&String, Run)> {
    stream.parts.iter().flat_map(|part| match part {
        Part::Once { function, .. } => vec![(function, Run::Once)],
        Part::Pass(outer) => {
            let run = |pass: &Pass| match std::ptr::eq(pass, outer) {
                true => Run::Chunks,
                false => Run::Within,
            };
            let all = outer.all().into_iter();
            all.map(|pass| (&pass.step, run(pass))).collect()
        }
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

pub(super) fn find<'p>(program: &'p Program, name: &str) -> &'p Function {
    let found = program.functions.iter().find(|it| it.export.name == name);
    found.unwrap_or_else(|| unreachable!("`{name}` is a part of a stream"))
}

/// As long as this live the items of all parameters.
pub(super) const LENT: &str = "'__lent";

pub(super) struct Glue<'g> {
    pub stream: &'g Stream,
    pub program: &'g Program,
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
            .map(|(given, param)| passed_on(*given, &param.ty, false))
            .collect();
        let args = args.join(",");
        let Some(makes) = makes else {
            let _ = writeln!(text, "{name}({args})");
            return;
        };
        let SigType::Tuple(fields) = &function.ret else {
            unreachable!("a part gives a tuple")
        };
        let mut places = String::new();
        for (value, field) in makes.iter().zip(fields) {
            let place = format!("v{value}");
            let _ = writeln!(text, "{}", new_place(&place, &self.chunk(field)));
            places.push_str(&(borrowed_result(field, &place) + ","));
        }
        let _ = writeln!(text, "{name}::into(({places}), {args})?;");
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
        let passes = parts(self.stream).filter(|(_, run)| *run != Run::Once);
        let passes = passes.count();
        let costs = of_stream(self.stream, &|name| find(self.program, name));
        let mut text = format!("{}: passes {passes}, {sum}, {costs}\n", self.stream.name);
        for line in costs.legend() {
            let _ = writeln!(text, "  {line}");
        }
        let mut pass = 0;
        for (name, run) in parts(self.stream) {
            let (_, explain) = explained(find(self.program, name), self.structs);
            pass += usize::from(run != Run::Once);
            let title = match run {
                Run::Once => "at once".to_owned(),
                Run::Chunks => format!("each chunk of pass {pass}"),
                Run::Within => format!("each chunk of pass {pass}, whose results another reads"),
            };
            let explain = explain.replacen(&format!("{name}: "), &format!("{title}: "), 1);
            for line in explain.lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
        text
    }
}

/// A place for a result of this type.
pub(super) fn new_place(name: &str, ty: &str) -> String {
    format!("let mut {name}: {ty} = ::core::default::Default::default();")
}

/// Whether items of this type, or fields of these, are rows.
fn holds_rows(ty: &SigType) -> bool {
    match ty {
        SigType::Array { elem, .. } => form(elem).0 == Form::Ragged(1),
        SigType::Tuple(fields) => fields.iter().any(holds_rows),
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) => false,
    }
}

/// What a value or a parameter is called.
pub(super) fn name_of(given: Given) -> String {
    match given {
        Given::Value(value) => format!("v{value}"),
        Given::Param(param) => format!("p{param}"),
    }
}

/// An argument, which stays where it is; its name may be one that borrows it.
pub(super) fn passed_on(given: Given, ty: &SigType, is_borrowed: bool) -> String {
    let place = match is_borrowed {
        true => format!("(*{})", name_of(given)),
        false => name_of(given),
    };
    passed(ty, &place, matches!(given, Given::Value(_)))
}

/// An argument for a parameter of type `ty` that is at `place`; an array is borrowed.
pub(super) fn passed(ty: &SigType, place: &str, is_owned: bool) -> String {
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
