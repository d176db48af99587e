//! The compiler behind `ragged::accel!`: one stage per folder, each a pure function from one
//! representation to the next.
pub mod checks;
pub mod contracts;
pub mod emit;
pub mod explain;
pub mod flat;
pub mod fused;
pub mod hash;
pub mod ids;
pub mod interpret;
pub mod prims;
pub mod print;
pub mod report;
pub mod shaped;
pub mod source;
pub mod streamed;
pub mod syntax;
pub mod typed;
pub mod values;
use crate::emit::source::Shared;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::quote;
use report::{Diagnostic, Report};
use source::SrcSpan;

/// Makes tokens of text that the compiler wrote: always Rust.
pub type Lexer = fn(&str) -> TokenStream;

/// Is shown a block's tokens and its kernels.
pub type See<'a> = &'a mut dyn FnMut(&TokenStream, &fused::ir::Program);

/// Compiles one block: what `accel! { … }` expands to, error messages included.
pub fn expand(block: TokenStream) -> TokenStream {
    expand_with(block, lex)
}

/// As [`expand`], with another lexer: `proc_macro2` lexes text twice inside of a macro, first with
/// its own lexer, which takes longer, unoptimised, than all stages together.
pub fn expand_with(block: TokenStream, lex: Lexer) -> TokenStream {
    expand_and_see(block, lex, &mut |_, _| {})
}

/// As [`expand_with`], showing what a block without mistakes became before any of it is emitted.
pub fn expand_and_see(block: TokenStream, lex: Lexer, see: See<'_>) -> TokenStream {
    if let Some(stand_ins) = after_broken(&block) {
        return stand_ins;
    }
    if let Some(imports) = syntax::imports(&block) {
        return with_sources(imports);
    }
    let parsed = syntax::parse(block.clone());
    let program = parsed.program;
    let compiled = parsed
        .errors
        .propagate()
        .and_then(|()| compile_with(&program, lex, &mut |fused| see(&block, fused)));
    match compiled {
        Ok(tokens) => {
            let shared = emit::source::share(&block, &shared(&program), lex);
            quote!(#tokens #shared)
        }
        Err(report) => {
            let (errors, rest) = (report.to_tokens(), emit::stubs::with_echo(&block, &program));
            quote!(#errors #rest)
        }
    }
}

/// By `proc_macro2`.
fn lex(text: &str) -> TokenStream {
    match text.parse() {
        Ok(tokens) => tokens,
        Err(error) => unreachable!("emitted text is Rust: {error}\n{text}"),
    }
}

/// The stages, outside of a macro.
pub fn compile(program: &syntax::ir::Program) -> Result<TokenStream, Report> {
    compile_with(program, lex, &mut |_| {})
}

/// The stages, in order.
fn compile_with(
    program: &syntax::ir::Program,
    lex: Lexer,
    see: &mut dyn FnMut(&fused::ir::Program),
) -> Result<TokenStream, Report> {
    sound("syntax", syntax::verify(program))?;
    let released = typed::infer_released(program)?;
    let prints = released.prints;
    let (released, streams) = streamed::split(released, shaped::result_lengths)?;
    for stream in &streams {
        sound("streamed", streamed::verify::verify(stream, &released))?;
    }
    let fused = fused(released)?;
    contracts::check(&fused)?;
    see(&fused);
    let printing = match prints {
        true => {
            let printing = typed::infer(program)?;
            let (printing, _) = streamed::split(printing, shaped::result_lengths)?;
            Some(crate::fused(printing)?)
        }
        false => None,
    };
    Ok(emit::rust::program(
        &fused,
        &streams,
        printing.as_ref(),
        lex,
    ))
}

/// The stages from types to kernels. A block with `dbg!` goes through them twice: as it is in release
/// builds, with nothing of it, and as it prints in debug builds.
fn fused(typed: typed::ir::Program) -> Result<fused::ir::Program, Report> {
    sound("typed", typed::verify::verify(&typed))?;
    let shaped = shaped::infer(typed)?;
    each("shaped", &shaped.functions, shaped::verify::verify)?;
    let flat = flat::flatten(shaped)?;
    each("flat", &flat.functions, flat::verify::verify)?;
    let fused = fused::fuse(flat);
    each("fused", &fused.functions, fused::verify::verify)?;
    each("contracts", &fused.functions, contracts::verify::verify)?;
    Ok(fused)
}

fn each<T>(
    stage: &str,
    functions: &[T],
    verify: impl Fn(&T) -> Result<(), String>,
) -> Result<(), Report> {
    functions
        .iter()
        .try_for_each(|function| sound(stage, verify(function)))
}

/// A representation that does not hold what it should is our mistake, never the user's.
fn sound(stage: &str, verdict: Result<(), String>) -> Result<(), Report> {
    verdict.map_err(|sentence| {
        let sentence = format!("after the stage `{stage}`: {sentence}");
        Diagnostic::internal(SrcSpan::call_site(), sentence).into()
    })
}

/// The block behind `@broken name (path)`: what it imports so does not compile, and has said so.
fn after_broken(block: &TokenStream) -> Option<TokenStream> {
    let mut trees = block.clone().into_iter().skip(1);
    let is_broken = matches!(trees.next(), Some(TokenTree::Ident(word)) if word == "broken");
    let (true, Some(TokenTree::Ident(name)), Some(TokenTree::Group(path))) =
        (is_broken, trees.next(), trees.next())
    else {
        return None;
    };
    Some(silent(trees.collect(), (name, path.stream())))
}

/// Stand-ins for the block, of which one import has been followed.
fn silent(block: TokenStream, import: (Ident, TokenStream)) -> TokenStream {
    let (own, others) = match syntax::imports(&block) {
        Some(found) => (found.rest, found.imports),
        None => (block, Vec::new()),
    };
    let others = others.into_iter().map(|it| (it.name, it.path));
    let imports: Vec<_> = others.chain([import]).collect();
    emit::stubs::stand_ins(&syntax::parse(own).program, &imports)
}

/// What other blocks can import: structs that the block declares and the functions that it exports.
fn shared(program: &syntax::ir::Program) -> Vec<Shared<'_>> {
    let Some(block) = program.units.last() else {
        return Vec::new();
    };
    let functions = block.functions.iter().filter_map(|function| {
        let vis = &function.export.as_ref()?.vis;
        Some((&function.name, vis))
    });
    let structs = block.structs.iter().filter(|it| it.outside.is_none());
    let structs = structs.map(|it| (&it.name, &it.vis));
    let both = functions.chain(structs);
    both.map(|(name, vis)| Shared {
        name: &name.text,
        vis,
    })
    .collect()
}

/// Starts the block again with the source of its first import in front; the others follow in turn.
fn with_sources(imports: syntax::Imports) -> TokenStream {
    let rest = imports.rest;
    let mut imports = imports.imports.into_iter();
    let Some(first) = imports.next() else {
        return rest;
    };
    let (path, name) = (first.path, first.name);
    let others = imports.map(|import| {
        let (path, name) = (import.path, import.name);
        quote!(use #path as #name;)
    });
    quote!(#path ! { @ragged #name (#path) { #(#others)* #rest } })
}
