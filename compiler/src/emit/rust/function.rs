//! One exported function: signature, body, `EXPLAIN`.
//!
//! In: a fused function. Out: tokens. The body is printed as text and parsed once, which is several
//! times faster inside an unoptimised macro than assembling tokens; what the user wrote (name,
//! visibility, docs, parameter names) keeps its own tokens.

use crate::Lexer;
use crate::checks::{Check, CheckKind};
use crate::emit::ident;
use crate::emit::rust::border::{
    HOLE, Slot, SlotKind, aliases, elem_type, param_type, result_type, slots,
};
use crate::emit::rust::explain;
use crate::emit::rust::host::{Checks, Host};
use crate::emit::rust::lanes::fill;
use crate::emit::rust::liveness::last_uses;
use crate::emit::rust::reads::Arrays;
use crate::fused::ir::Function;
use crate::prims::Scalar;
use crate::shaped::ir::{Atom, Param};
use crate::typed::ir::{SigType, StructDef};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use std::fmt::Write;

/// The function and the type of the same name that carries `EXPLAIN`.
pub fn emit(function: &Function, structs: &[StructDef], lex: Lexer) -> TokenStream {
    let export = &function.export;
    let ident = ident(&export.name, function.ident.span());
    let (vis, docs) = (&export.vis, &export.docs);
    let names: Vec<Ident> = function
        .params
        .iter()
        .enumerate()
        .map(|(at, param)| param_ident(at, param, &function.params))
        .collect();
    let types = function
        .params
        .iter()
        .map(|param| at(lex(&param_type(&param.ty, structs)), param.src.first));
    let ret = lex(&result_type(&function.ret, structs));
    let body = lex(&body(function, structs));
    let explain = explain::text(function);
    let summary = format!(
        "What was compiled for [`{0}`](fn@{0}); its `EXPLAIN` says how.",
        export.name
    );
    let found = explain::rustdoc(function);
    quote! {
        #docs
        #[doc = #found]
        #[allow(warnings, clippy::all, clippy::pedantic, clippy::restriction)]
        #vis fn #ident(#(#names: #types),*) -> ::ragged::Result<#ret> {
            let __ragged_args = (#(#names,)*);
            { #body }
        }
        #[doc = #summary]
        #[allow(non_camel_case_types)]
        #vis enum #ident {}
        #[allow(dead_code)]
        impl #ident {
            /// What was compiled: kernels, what was fused into each, what is in memory and why.
            #vis const EXPLAIN: &'static ::core::primitive::str = #explain;
        }
    }
}

/// The parameter's own name, so that docs and editors show it.
fn param_ident(at: usize, param: &Param, all: &[Param]) -> Ident {
    let same = all.iter().filter(|other| other.name == param.name);
    if same.count() > 1 {
        // A pattern is `arg0` for us, and another parameter is for the user.
        return Ident::new(&format!("arg{at}_"), Span::mixed_site());
    }
    ident(&param.name, param.src.first.resolved_at(Span::mixed_site()))
}

/// Tokens of ours where the user's are: rustc marks that place when an argument does not fit.
fn at(tokens: TokenStream, place: Span) -> TokenStream {
    let place = place.resolved_at(Span::call_site());
    let at_place = |mut tree: TokenTree| {
        if let TokenTree::Group(group) = &tree {
            tree = Group::new(group.delimiter(), at(group.stream(), place)).into();
        }
        tree.set_span(place);
        tree
    };
    tokens.into_iter().map(at_place).collect()
}

fn body(function: &Function, structs: &[StructDef]) -> String {
    let slots: Vec<Vec<Slot>> = function
        .params
        .iter()
        .enumerate()
        .map(|(at, param)| slots(at, &param.ty, &param.vars, structs))
        .collect();
    let arrays = arrays(&slots);
    let last = last_uses(function);
    let mut host = Host {
        function,
        structs,
        arrays: &arrays,
        last: &last,
        checks: Checks::Return,
        fields: None,
        items: String::new(),
        kernels: 0,
        text: String::new(),
    };
    host.stmts(&function.body);
    let results = results(&host, function, structs);
    let ret = elem_type(&function.ret);
    let mut text = String::from("use ::ragged::__private as __r;\n");
    // The names of scalars may mean something else around the block.
    let scalars = Scalar::ALL.map(Scalar::name).join(", ");
    let _ = writeln!(text, "use ::core::primitive::{{{scalars}}};");
    text.push_str(&aliases(structs));
    text.push_str(&site(function));
    text.push_str(&host.items);
    let all: Vec<&Slot> = slots.iter().flatten().collect();
    let inner: Vec<String> = all
        .iter()
        .map(|slot| format!("{}: {}", slot.name, slot.ty))
        .collect();
    let _ = writeln!(
        text,
        "fn run({}) -> ::ragged::Result<{ret}> {{\n{}{results}\n}}",
        inner.join(", "),
        host.text
    );
    text.push_str(&outer(&slots));
    text
}

fn arrays(slots: &[Vec<Slot>]) -> Arrays {
    let mut arrays = Arrays::new();
    for slot in slots.iter().flatten() {
        if let SlotKind::Array(components) = &slot.kind {
            arrays.extend(components.iter().cloned());
        }
    }
    arrays
}

/// Takes the arguments apart, borrows their arrays and calls the inner function.
fn outer(slots: &[Vec<Slot>]) -> String {
    let mut text = String::new();
    let mut passed = Vec::new();
    for (at, param) in slots.iter().enumerate() {
        for (leaf, slot) in param.iter().enumerate() {
            let value = format!("__ragged_args.{at}{}", slot.path);
            match &slot.kind {
                SlotKind::Scalar(_) => passed.push(value),
                SlotKind::Array(_) => {
                    let _ = writeln!(
                        text,
                        "let a{at}_{leaf} = ::ragged::AsArray::array_arg(&{value});"
                    );
                    passed.push(format!("&a{at}_{leaf}"));
                }
            }
        }
    }
    let _ = writeln!(text, "run({})", passed.join(", "));
    text
}

fn results(host: &Host<'_>, function: &Function, structs: &[StructDef]) -> String {
    let mut values = Vec::new();
    for atom in &function.body.results {
        values.push(match atom {
            Atom::Var(var) if host.is_array(*var) => host.owned(&function.body, *var),
            other => host.atom(*other),
        });
    }
    let pattern = shape(&function.ret, structs);
    format!("__r::Ok({})", fill(&pattern, &values))
}

/// The constructor of a result: an array is one value.
fn shape(ty: &SigType, structs: &[StructDef]) -> String {
    match ty {
        SigType::Array { .. } => HOLE.to_owned(),
        SigType::Scalar(_) | SigType::Tuple(_) | SigType::Struct(..) => {
            crate::emit::rust::border::constructor(ty, structs)
        }
    }
}

fn site(function: &Function) -> String {
    let start = function.src.start();
    let own = function.src.file();
    let checks: Vec<String> = function.checks.iter().map(|it| check(it, &own)).collect();
    format!(
        "static SITE: __r::Site = __r::Site {{ function: {:?}, file: ::core::file!(), line: {}, \
         column: {}, checks: &[{}] }};\n",
        function.export.name,
        start.line,
        start.column,
        checks.concat()
    )
}

fn check(check: &Check, own: &str) -> String {
    let (kind, text): (&str, Vec<&str>) = match &check.kind {
        CheckKind::Index => ("IndexOutOfRange", vec![]),
        CheckKind::Slice => ("SliceOutOfRange", vec![]),
        CheckKind::Division => ("DivisionByZero", vec![]),
        CheckKind::Underflow => ("SizeUnderflow", vec![]),
        CheckKind::Overflow => ("SizeOverflow", vec![]),
        CheckKind::Sizes { left, right } => ("SizeMismatch", vec![left, right]),
        CheckKind::Empty { operator } => ("EmptyArray", vec![operator]),
        CheckKind::Step { operator } => ("StepZero", vec![operator]),
        CheckKind::TooLarge => ("SizeTooLarge", vec![]),
        CheckKind::Assert { message } => ("Assertion", vec![message]),
    };
    let (file, at) = (check.src.file(), check.src.start());
    let file = if file == own {
        "__r::None".to_owned()
    } else {
        format!("__r::Some({file:?})")
    };
    format!(
        "__r::Check {{ file: {file}, line: {}, column: {}, kind: __r::CheckKind::{kind}, \
         text: &{text:?} }},",
        at.line, at.column
    )
}
