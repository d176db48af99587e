//! What the compiler did, as a picture: what a page says of a block.
//!
//! In: a block's tokens, the kernels that it became, and the texts of files, where these can be had.
//! Out: a [`Page`]. `source` and `words` read tokens, `numbers` numbers kernels, `regions` finds the
//! tokens that went into each, `graph` what is computed from what, `sizes` how large it is,
//! `function` the rest. Only made when somebody asks for it: nothing here is in the macro's budget.

mod calls;
pub mod function;
mod graph;
mod level;
mod numbers;
pub mod page;
mod regions;
mod represented;
mod sizes;
mod source;
mod words;

pub use source::TextOf;

use crate::fused::ir::Program;
use crate::source::SrcSpan;
use numbers::Numbers;
use page::{Function, Item, KernelId, Page, Place};
use proc_macro2::TokenStream;
use source::Source;

/// The page of a block of the crate `krate`.
pub fn page(block: &TokenStream, program: &Program, krate: &str, text_of: TextOf<'_>) -> Page {
    let source = Source::of(block, text_of);
    let first = source.items.first();
    let own = first.map_or(0, |item| item.file);
    let mut page = Page {
        krate: krate.to_owned(),
        file: source
            .files
            .get(own)
            .map_or_else(String::new, |it| it.name.clone()),
        line: first.map_or(0, |item| source.line(item.tokens.start)),
        items: Vec::new(),
        kernels: Vec::new(),
    };
    let mut painted: Vec<Vec<KernelId>> = vec![Vec::new(); source.tokens.len()];
    let mut functions: Vec<(usize, Function)> = Vec::new();
    for function in &program.functions {
        let numbers = Numbers::of(function, &source, &page.file, &mut page.kernels);
        regions::paint(function, &numbers, &source, &mut painted);
        let section = function::section(function, &numbers, &source, &page);
        let token = source.range(function.src).map(|(first, _)| first);
        functions.push((token.unwrap_or(0), section));
    }
    let mut items = items(&source, functions, own);
    let of_item = |item: &Item| {
        let functions = item.functions.iter();
        functions.flat_map(|it| it.kernels.clone()).collect()
    };
    let kernels: Vec<Vec<KernelId>> = items.iter().map(of_item).collect();
    calls::paint(&source, &mut painted, &kernels);
    for (item, from) in items.iter_mut().zip(&source.items) {
        item.lines = source.lines(from, &painted);
    }
    page.items = items;
    page
}

/// The items, each with its functions, and without lines.
fn items(source: &Source, mut functions: Vec<(usize, Function)>, own: usize) -> Vec<Item> {
    let items = source.items.iter().map(|item| {
        let of_item = functions.extract_if(.., |(at, _)| item.tokens.contains(at));
        let of_item = of_item.map(|(_, function)| function).collect();
        Item {
            file: (item.file != own).then(|| source.files[item.file].name.clone()),
            lines: Vec::new(),
            functions: of_item,
        }
    });
    items.collect()
}

/// Where a construct begins; `own` is the block's file.
fn place(src: SrcSpan, own: &str) -> Place {
    let file = src.file();
    Place {
        file: (file != own).then_some(file),
        line: src.start().line,
    }
}
