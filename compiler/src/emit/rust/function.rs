//! One exported function: signature, body, `EXPLAIN`.
//!
//! In: a fused function. Out: tokens. The body is printed as text and parsed once, which is several
//! times faster inside an unoptimised macro than assembling tokens; what the user wrote (name,
//! visibility, docs, parameter names) keeps its own tokens.

use crate::Lexer;
use crate::checks::{Check, CheckKind};
use crate::emit::rust::border::{
    Form, Made, Out, aliases, borrowed_result, finished_result, made, new_result, out_type, outs,
    param_type, result_type,
};
use crate::emit::rust::captured::in_brackets;
use crate::emit::rust::host::{Checks, Host};
use crate::emit::rust::in_place::{InPlace, source};
use crate::emit::rust::outside::{self, with_bounds, with_paths};
use crate::emit::rust::reads::Arrays;
use crate::emit::rust::results::places;
use crate::emit::rust::slots::{Slot, SlotKind, shape_name, slots};
use crate::emit::rust::{explain, features};
use crate::emit::{at, ident, lex_all, lex_each};
use crate::fused::ir::Function;
use crate::fused::liveness::{LastUses, last_uses};
use crate::hash::HashSet;
use crate::shaped::ir::Param;
use crate::typed::ir::StructDef;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::fmt::Write;

/// The function, and the type of the same name that carries `EXPLAIN` and `into`; `printing` is the
/// function as debug builds have it, if anything in it prints.
pub fn emit(
    function: &Function,
    printing: Option<&Function>,
    structs: &[StructDef],
    fixed: &Fixed,
    lex: Lexer,
) -> TokenStream {
    let export = &function.export;
    let name = ident(&export.name, function.ident.span());
    let (vis, docs) = (&export.vis, &export.docs);
    let params: Vec<Ident> = (0..function.params.len())
        .map(|at| param_ident(at, &function.params))
        .collect();
    let signature = Signature::of(function, structs, lex);
    let Signature {
        types,
        ret,
        new,
        borrowed,
        finished,
        bounds,
        ..
    } = &signature;
    let Fixed {
        allow,
        camel,
        dead,
        head,
        map,
        ..
    } = fixed;
    let result = ident(RESULT, Span::call_site());
    let (text, explain) = explained(function, structs);
    let summary = format!(
        "What was compiled for [`{0}`](fn@{0}); its `EXPLAIN` says how.",
        export.name
    );
    let found = explain::rustdoc(&explain);
    let items = outside::items(structs, lex);
    let lexed = |text: &str| {
        let body = with_bounds(lex(text), structs);
        quote!({ #items #body })
    };
    let mut body = lexed(&text);
    if let Some(printing) = printing {
        let (text, _) = self::body(printing, structs, &last_uses(printing));
        let printing = lexed(&text);
        body = quote!(#[cfg(debug_assertions)] #printing #[cfg(not(debug_assertions))] #body);
    }
    let into = into(function, &signature, fixed, &params, body);
    let items = quote! {
        #docs
        #[doc = #found]
        #allow
        #vis fn #name(#(#params: #types),*) #ret #bounds {
            let mut #result = #new;
            #map(#name::into(#borrowed, #(#params),*), |()| #finished)
        }
        #[doc = #summary]
        #camel
        #vis enum #name {}
        #dead
        impl #name {
            /// What was compiled: kernels, what was fused into each, what is in memory and why.
            #vis #head #explain;
            #into
        }
    };
    features::guarded(items, function, function.ident.span())
}

/// The text of a function's body, and what `EXPLAIN` says of the function.
pub fn explained(function: &Function, structs: &[StructDef]) -> (String, String) {
    let last = last_uses(function);
    let (text, in_place) = body(function, structs, &last);
    (text, explain::text(function, &last, &in_place))
}

/// What the two functions are made of beside the body.
struct Signature {
    /// Of the parameters.
    types: Vec<TokenStream>,
    /// The arrow and the type of what the plain function returns.
    ret: TokenStream,
    /// Of what it is written into.
    out: TokenStream,
    /// A result to write over.
    new: TokenStream,
    /// What is passed for it to be written.
    borrowed: TokenStream,
    /// The result, once it is written.
    finished: TokenStream,
    /// What is asked of structs from outside.
    bounds: TokenStream,
}

/// What is the same for all functions. Lexed, and once for a block: quoted, each token would cost as
/// much as several.
pub struct Fixed {
    allow: TokenStream,
    camel: TokenStream,
    dead: TokenStream,
    /// So that what it is set to is a reason to compile again.
    pub explain: TokenStream,
    head: TokenStream,
    map: TokenStream,
    unit: TokenStream,
}

/// In the order of [`Fixed`].
const FIXED: [&str; 7] = [
    "#[allow(warnings, clippy::all, clippy::pedantic, clippy::restriction, reason = \"generated\")]",
    "#[allow(non_camel_case_types, reason = \"it has the name of the function\")]",
    "#[allow(dead_code, reason = \"for those who ask\")]",
    "const _: ::core::option::Option<&::core::primitive::str> = \
     ::core::option_env!(\"RAGGED_EXPLAIN\")",
    "const EXPLAIN: &'static ::core::primitive::str =",
    "::core::result::Result::map",
    "-> ::ragged::Result<()>",
];

impl Fixed {
    /// The tokens.
    pub fn new(lex: Lexer) -> Fixed {
        let [allow, camel, dead, explain, head, map, unit] = lex_all(FIXED, lex);
        Fixed {
            allow,
            camel,
            dead,
            explain,
            head,
            map,
            unit,
        }
    }
}

impl Fixed {
    /// What stands before a function, its type, the type's items and `EXPLAIN`.
    pub fn parts(&self) -> (&TokenStream, &TokenStream, &TokenStream, &TokenStream) {
        (&self.allow, &self.camel, &self.dead, &self.head)
    }
}

impl Signature {
    fn of(function: &Function, structs: &[StructDef], lex: Lexer) -> Signature {
        let params = function.params.iter();
        let mut texts: Vec<String> = params.map(|it| param_type(&it.ty, structs)).collect();
        let ret = &function.ret;
        texts.extend([
            format!("-> ::ragged::Result<{}>", result_type(ret, structs)),
            out_type(ret, structs),
            new_result(ret, structs),
            borrowed_result(ret, RESULT),
            finished_result(ret, RESULT),
            outside::bounds(structs),
        ]);
        let mut parts = lex_each(&texts.join(";"), lex).into_iter();
        let mut next = || parts.next().unwrap_or_default();
        let params = function.params.iter();
        let types = params.map(|it| with_paths(at(next(), it.src.first), structs));
        Signature {
            types: types.collect(),
            ret: with_paths(next(), structs),
            out: with_paths(at(next(), function.ident.span()), structs),
            new: with_paths(next(), structs),
            borrowed: next(),
            finished: next(),
            bounds: with_bounds(next(), structs),
        }
    }
}

/// The function that does the work, and writes its result into what the caller has.
fn into(
    function: &Function,
    signature: &Signature,
    fixed: &Fixed,
    params: &[Ident],
    body: TokenStream,
) -> TokenStream {
    let export = &function.export;
    // Ours, but rustc marks the user's name where it speaks of this function.
    let place = function.ident.span();
    let into = Ident::new("into", place.resolved_at(Span::call_site()));
    let out = out_ident(&function.params, place);
    let (vis, types, out_type) = (&export.vis, &signature.types, &signature.out);
    let (allow, unit) = (&fixed.allow, &fixed.unit);
    let bounds = &signature.bounds;
    let result = ident(RESULT, Span::call_site());
    let summary = format!(
        "As [`{0}`](fn@{0}), with the result written into what the caller has: a `Vec` takes the \
         result's length and uses its memory again, a slice must have that length, numbers are \
         replaced; a tuple of results is a tuple of places. After an error the contents are \
         unspecified.",
        export.name
    );
    quote! {
        #[doc = #summary]
        #allow
        #vis fn #into(#out: #out_type, #(#params: #types),*) #unit #bounds {
            let __ragged_args = (#(#params,)*);
            let #result = #out;
            #body
        }
    }
}

/// What the text of a body calls the result: a value in the plain function, and what is written
/// into in the other.
const RESULT: &str = "__ragged_out";

/// The name of the parameter for the result, unlike all others.
fn out_ident(params: &[Param], place: Span) -> Ident {
    let mut name = "out".to_owned();
    while params.iter().any(|param| param.name == name) {
        name.push('_');
    }
    Ident::new(&name, place.resolved_at(Span::mixed_site()))
}

/// The parameter's own name, so that docs and editors show it.
fn param_ident(at: usize, all: &[Param]) -> Ident {
    let param = &all[at];
    let same = all.iter().filter(|other| other.name == param.name);
    if same.count() > 1 {
        // A pattern is `arg0` for us, and another parameter is for the user.
        return Ident::new(&format!("arg{at}_"), Span::mixed_site());
    }
    ident(&param.name, param.src.first.resolved_at(Span::mixed_site()))
}

/// The text of a body, and the names of the parameters that it reads in place.
fn body<'f>(
    function: &'f Function,
    structs: &[StructDef],
    last: &LastUses,
) -> (String, Vec<&'f str>) {
    let slots: Vec<Vec<Slot>> = function
        .params
        .iter()
        .enumerate()
        .map(|(at, param)| slots(at, &param.ty, &param.vars, structs))
        .collect();
    let arrays = arrays(&slots);
    let places = places(function, &arrays, last);
    let none = InPlace::default();
    let host = Host {
        function,
        vars: &function.vars,
        structs,
        arrays: &arrays,
        last,
        places: &places,
        in_place: &none,
        checks: Checks::Return,
        rows: None,
        locals: HashSet::default(),
        fields: None,
        items: String::new(),
        kernels: 0,
        text: String::new(),
    };
    let in_place = InPlace::of(&host, slots.iter().flatten());
    let mut host = Host {
        in_place: &in_place,
        ..host
    };
    host.function(&function.body);
    host.hand_over(&function.body);
    let outs = outs(&function.ret, RESULT, structs);
    for result in (0..outs.len()).filter(|at| outs[*at].rank > 1) {
        host.set_shape(&function.body, result);
    }
    let mut text = outside::names();
    text.push_str(&aliases(structs));
    let apart = apart(function, &slots);
    text.push_str(&site(function, &apart));
    text.push_str(&host.items);
    let inner = slots.iter().flatten();
    let slices: String = inner.clone().map(|slot| sliced(slot, &in_place)).collect();
    let inner = inner.map(|slot| declared(slot, &in_place));
    let results = outs.iter().enumerate();
    let results = results.map(|(at, out)| format!("mut o{at}: {}", out.ty));
    let inner: Vec<String> = inner.chain(results).collect();
    let _ = writeln!(
        text,
        "fn run{}({}) -> ::ragged::Result<()>{} {{\n{slices}{}{}__r::Ok(())\n}}",
        type_params(&slots),
        inner.join(", "),
        outside::bounds(structs),
        taken_apart(&outs),
        host.text
    );
    let made = made(&function.ret, RESULT, structs);
    let checks = function.checks.len();
    text.push_str(&outer(&slots, checks, outs, &made, &in_place));
    (text, in_place.names(function, &slots))
}

/// The type parameters of the inner function: arrays of tuples may come as tuples of arrays.
fn type_params(slots: &[Vec<Slot>]) -> String {
    let bounds = slots.iter().flatten().filter_map(|slot| match &slot.kind {
        SlotKind::Array(_, components) if slot.arrays > 1 => {
            let elem = &components[0].1.elem;
            Some(format!("{}: __r::Elements<{elem}>", slot.ty))
        }
        SlotKind::Array(..) | SlotKind::Scalar(_) | SlotKind::Offsets { .. } => None,
    });
    let bounds: Vec<String> = bounds.collect();
    in_brackets(&bounds.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The checks that the arrays of such tuples, in the order of the slots, have one length, and rows of
/// the same lengths: see the run time's `Products::check`.
fn apart(function: &Function, slots: &[Vec<Slot>]) -> Vec<Check> {
    let mut checks = Vec::new();
    for (param, slots) in function.params.iter().zip(slots) {
        let arrays = slots
            .iter()
            .filter(|slot| matches!(slot.kind, SlotKind::Array(..)));
        for number in arrays.flat_map(|slot| 2..=slot.arrays) {
            for place in ["", "a row of "] {
                let left = format!("{place}the first array of `{}`", param.name);
                let right = format!("{place}array {number} of `{}`", param.name);
                let (kind, src) = (CheckKind::sizes(left, right), param.src);
                checks.push(Check {
                    kind,
                    src,
                    why: None,
                });
            }
        }
    }
    checks
}

/// The parameters of the inner function for a slot.
fn declared(slot: &Slot, in_place: &InPlace) -> String {
    let Slot { name, ty, .. } = slot;
    match slot.kind {
        SlotKind::Array(Form::Dense(rank), _) => {
            let elements = match in_place.takes(slot) {
                true => format!("{}: __r::Source<'_, {}>", source(name), slot.elem),
                false => format!("{name}: {ty}"),
            };
            format!("{elements}, {}: [usize; {rank}]", shape_name(name))
        }
        SlotKind::Scalar(_)
        | SlotKind::Array(Form::Flat | Form::Ragged(_), _)
        | SlotKind::Offsets { .. } => format!("{name}: {ty}"),
    }
}

/// The elements of what is read in place, which are none if they are not contiguous.
fn sliced(slot: &Slot, in_place: &InPlace) -> String {
    let (name, source) = (&slot.name, source(&slot.name));
    match in_place.takes(slot) {
        true => format!("let {name} = __r::Source::slice({source});\n"),
        false => String::new(),
    }
}

/// Elements and shapes of the results that have both.
fn taken_apart(outs: &[Out]) -> String {
    let dense = (0..outs.len()).filter(|at| outs[*at].rank > 1);
    dense
        .map(|at| format!("let (mut o{at}, s{at}) = __r::DenseOut::parts(&mut o{at});\n"))
        .collect()
}

fn arrays(slots: &[Vec<Slot>]) -> Arrays {
    let mut arrays = Arrays::default();
    for slot in slots.iter().flatten() {
        match &slot.kind {
            SlotKind::Scalar(_) => {}
            SlotKind::Array(_, components) => arrays.extend(components.iter().cloned()),
            SlotKind::Offsets { array, .. } => arrays.extend([array.clone()]),
        }
    }
    arrays
}

/// Takes the arguments apart, borrows their arrays and calls the inner function. The first of
/// `checks` behind those of the function are those of [`apart`].
fn outer(
    slots: &[Vec<Slot>],
    mut checks: usize,
    outs: Vec<Out>,
    made: &[Made],
    in_place: &InPlace,
) -> String {
    let mut text = String::new();
    let mut passed = Vec::new();
    for (at, param) in slots.iter().enumerate() {
        for (leaf, slot) in param.iter().enumerate() {
            let value = format!("__ragged_args.{at}{}", slot.path);
            // Offsets stand in front of what they divide.
            let first = match &slot.kind {
                SlotKind::Scalar(_) => {
                    passed.push(value);
                    continue;
                }
                SlotKind::Offsets { level, .. } => leaf - level,
                SlotKind::Array(Form::Ragged(levels), _) => leaf - levels,
                SlotKind::Array(Form::Flat | Form::Dense(_), _) => leaf,
            };
            let (array, (take, arg)) = (format!("a{at}_{first}"), argument(slot));
            if first == leaf {
                let _ = writeln!(text, "let {array} = ::ragged::{take}(&{value});");
            }
            if let SlotKind::Offsets { level, .. } = slot.kind {
                passed.push(match slot.arrays {
                    1 => format!("__r::{arg}::offsets(&{array}, {level})"),
                    _ => format!("__r::{arg}::levels(&{array})[{level}]"),
                });
                continue;
            }
            if slot.arrays > 1 {
                let check = checked(&format!("__r::{arg}::check(&{array}, {checks})"));
                let _ = writeln!(text, "{check};");
                checks += 2 * (slot.arrays - 1);
            }
            let elements = match in_place.takes(slot) {
                true => "source",
                false => "elements",
            };
            passed.push(checked(&format!("__r::{arg}::{elements}(&{array})")));
            if let SlotKind::Array(Form::Dense(_), _) = slot.kind {
                passed.push(format!("__r::{arg}::shape(&{array})"));
            }
        }
    }
    passed.extend(outs.into_iter().map(|out| out.place));
    text.extend(made.iter().map(|it| it.before.as_str()));
    let _ = writeln!(text, "let done = run({});", passed.join(", "));
    text.extend(made.iter().map(|it| it.store.as_str()));
    text.push_str("done\n");
    text
}

/// What takes the argument of an array's slot, and the type or trait of what it gives.
fn argument(slot: &Slot) -> (&'static str, &'static str) {
    match (&slot.kind, slot.arrays) {
        (_, 2..) => ("AsProducts::products_arg", "Products"),
        (SlotKind::Array(Form::Flat, _) | SlotKind::Scalar(_), _) => {
            ("AsArray::array_arg", "ArrayArg")
        }
        (SlotKind::Array(Form::Dense(_), _), _) => ("AsDense::dense_arg", "DenseArg"),
        (SlotKind::Array(Form::Ragged(_), _) | SlotKind::Offsets { .. }, _) => {
            ("AsRagged::ragged_arg", "RaggedArg")
        }
    }
}

/// The value of a call of the run time; its failure ends the outer function.
fn checked(call: &str) -> String {
    format!("__r::Site::checked(&SITE, {call})?")
}

fn site(function: &Function, more: &[Check]) -> String {
    let start = function.src.start();
    let own = function.src.file();
    let checks = function.checks.iter().chain(more);
    let checks: Vec<String> = checks.map(|it| check(it, &own)).collect();
    format!(
        "static SITE: __r::Site = __r::Site {{ function: {:?}, file: ::core::file!(), line: {}, \
         column: {}, checks: &[{}] }};\n",
        function.export.shown,
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
        CheckKind::Sizes { left, right, .. } => ("SizeMismatch", vec![left, right]),
        CheckKind::Empty { operator } => ("EmptyArray", vec![operator]),
        CheckKind::Step { operator } => ("StepZero", vec![operator]),
        CheckKind::Duplicate => ("DuplicateIndex", vec![]),
        CheckKind::TooLarge => ("SizeTooLarge", vec![]),
        CheckKind::Assert { message } => ("Assertion", vec![message]),
        CheckKind::Print { .. } => ("Print", vec![]),
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
