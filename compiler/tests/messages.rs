//! Every place in the compiler that makes a message is reached by a UI test, whose text somebody has
//! read.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use ragged_compiler::{compile, report::Report, syntax};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A file of the compiler and a line in it.
type Place = (String, usize);

#[test]
fn every_message_has_a_ui_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut reached = BTreeSet::new();
    for file in files(&root.join("../tests/ui"), "rs") {
        let text = fs::read_to_string(&file).expect("a readable file");
        let tokens: TokenStream = text.parse().expect("tokens");
        let mut before = Vec::new();
        blocks(tokens, &mut |block| {
            messages(with_imports(&block, &before), &mut reached);
            before.push(block);
        });
    }
    let missing: Vec<Place> = made(&root.join("src"))
        .difference(&reached)
        .cloned()
        .collect();
    let lines: Vec<String> = missing
        .iter()
        .map(|(file, line)| format!("compiler/{file}:{line}"))
        .collect();
    assert!(
        missing.is_empty(),
        "{} messages without a test in tests/ui:\n{}",
        lines.len(),
        lines.join("\n")
    );
}

/// What has types compiles, but for functions that grow too large with their calls put in place: none of
/// the stages behind `typed` leaves a construct out. (`streamed` says what of a sequence it cannot take
/// apart.)
#[test]
fn whatever_has_types_compiles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let stages = ["contracts", "emit", "flat", "fused", "shaped"];
    let limits: BTreeSet<String> = made_by(&root, &["Diagnostic::unsupported("])
        .into_iter()
        .map(|(file, _)| file)
        .filter(|file| {
            stages
                .iter()
                .any(|it| file.starts_with(&format!("src/{it}")))
        })
        .collect();
    assert_eq!(limits, BTreeSet::from(["src/shaped/call.rs".to_owned()]));
}

/// Calls `with` on what is between the braces of each `accel! { … }`.
fn blocks(tokens: TokenStream, with: &mut dyn FnMut(TokenStream)) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else {
            continue;
        };
        let called = at >= 2
            && matches!(&trees[at - 1], TokenTree::Punct(punct) if punct.as_char() == '!')
            && matches!(&trees[at - 2], TokenTree::Ident(ident) if *ident == "accel");
        match called {
            true => with(group.stream()),
            false => blocks(group.stream(), with),
        }
    }
}

/// The block behind the blocks of the file that it imports from; it is alone where they are not found.
fn with_imports(block: &TokenStream, before: &[TokenStream]) -> TokenStream {
    let Some(found) = syntax::imports(block) else {
        return block.clone();
    };
    let mut units = TokenStream::new();
    for import in found.imports {
        let (name, path) = (import.name, import.path);
        let item = path.clone().into_iter().last().expect("a name");
        let declares = |block: &&TokenStream| {
            let text = block.to_string();
            ["fn", "struct"].iter().any(|word| {
                let head = format!("{word} {item} ");
                text.replace(['(', '{', '<'], " ").contains(&head)
            })
        };
        if let Some(source) = before.iter().find(declares) {
            units.extend(quote!(@unit #item as #name (#path) { #source }));
        }
    }
    let rest = found.rest;
    quote!(#units #rest)
}

/// Adds where the messages about a block come from.
fn messages(block: TokenStream, reached: &mut BTreeSet<Place>) {
    let parsed = syntax::parse(block);
    let report = parsed
        .errors
        .propagate()
        .and_then(|()| compile(&parsed.program).map(drop));
    if let Err(report) = report {
        reached.extend(places(&report));
    }
}

fn places(report: &Report) -> Vec<Place> {
    let diagnostics = report.diagnostics().iter();
    diagnostics
        .map(|it| {
            let file = it.made_at.file();
            let from = file.find("src/").expect("a file of the compiler");
            (file[from..].to_owned(), it.made_at.line() as usize)
        })
        .collect()
}

/// The constructors call each other there; what they make, they make for their callers. Mistakes of
/// the compiler, `Diagnostic::internal`, are no messages that a program could reach.
const CONSTRUCTORS: &str = "report.rs";

/// Where the compiler makes messages.
fn made(folder: &Path) -> BTreeSet<Place> {
    made_by(folder, &["Diagnostic::new(", "Diagnostic::unsupported("])
}

/// Where one of these calls stands.
fn made_by(folder: &Path, calls: &[&str]) -> BTreeSet<Place> {
    let mut made = BTreeSet::new();
    let all = files(folder, "rs").into_iter();
    for file in all.filter(|file| !file.ends_with(CONSTRUCTORS)) {
        let text = fs::read_to_string(&file).expect("a readable file");
        let name = file.strip_prefix(folder).expect("a file in it").display();
        for (at, line) in text.lines().enumerate() {
            if calls.iter().any(|call| line.contains(call)) {
                made.insert((format!("src/{name}"), at + 1));
            }
        }
    }
    made
}

fn files(folder: &Path, kind: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(self::files(&path, kind));
        } else if path.extension().is_some_and(|it| it == kind) {
            files.push(path);
        }
    }
    files.sort();
    files
}
