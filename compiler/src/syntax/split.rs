//! A block to its items, before any is parsed, so that a bad one does not hide the others.
//!
//! In: the tokens of a block. Out: [`Piece`]s, each the tokens of one item. An item ends with its
//! `;` or its body, or where the next one begins.

use crate::source::SrcSpan;
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

/// The tokens of one item.
pub(crate) struct Piece {
    /// What it is, from its first tokens.
    pub kind: Kind,
    /// All of it; not empty.
    pub tokens: Vec<TokenTree>,
}

/// Kinds of items.
pub(crate) enum Kind {
    /// `#![…]`
    InnerAttribute,
    /// `@unit name as name (path) { … }`
    Unit,
    /// `use …;`
    Use,
    /// `fn`
    Function,
    /// `struct`
    Struct,
    /// `const`
    Const,
    /// Something else; its keyword, or its first token.
    Other(TokenTree),
}

/// Cuts a block into items.
pub(crate) fn split(tokens: TokenStream) -> Vec<Piece> {
    let mut trees = Vec::new();
    flatten(tokens, &mut trees);
    let mut pieces = Vec::new();
    while !trees.is_empty() {
        let (kind, len) = item(&trees);
        let rest = trees.split_off(len);
        pieces.push(Piece {
            kind,
            tokens: std::mem::replace(&mut trees, rest),
        });
    }
    pieces
}

/// A function with an empty body.
pub(super) fn without_body(trees: &[TokenTree]) -> TokenStream {
    let signature = trees.iter().take_while(|tree| !is_body(tree)).cloned();
    let body = Group::new(Delimiter::Brace, TokenStream::new());
    signature.chain([TokenTree::Group(body)]).collect()
}

fn is_body(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// Opens the invisible groups that `macro_rules!` puts around an `$item:item`.
fn flatten(tokens: TokenStream, trees: &mut Vec<TokenTree>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                flatten(group.stream(), trees);
            }
            tree => trees.push(tree),
        }
    }
}

/// Kind and length of the first item.
fn item(trees: &[TokenTree]) -> (Kind, usize) {
    if is_punct(trees.first(), '#') && is_punct(trees.get(1), '!') {
        return (Kind::InnerAttribute, trees.len().min(3));
    }
    let head = after_visibility(trees, after_attributes(trees));
    let Some(first) = trees.get(head) else {
        return (Kind::Other(trees[0].clone()), trees.len());
    };
    if is_punct(Some(first), ';') {
        return (Kind::Other(first.clone()), head + 1);
    }
    if is_punct(Some(first), '@') {
        return (Kind::Unit, body_end(trees, head + 1));
    }
    let kind = kind(trees, head);
    let len = match kind {
        Kind::Use | Kind::Const => semicolon_end(trees, head + 1),
        _ if ends_with_semicolon(first) => semicolon_end(trees, head + 1),
        _ => body_end(trees, head + 1),
    };
    (kind, len)
}

fn after_attributes(trees: &[TokenTree]) -> usize {
    let mut at = 0;
    while is_punct(trees.get(at), '#') {
        at += 2;
    }
    at
}

fn after_visibility(trees: &[TokenTree], at: usize) -> usize {
    if !is_word(trees.get(at), "pub") {
        return at;
    }
    match trees.get(at + 1) {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => at + 2,
        _ => at + 1,
    }
}

fn kind(trees: &[TokenTree], head: usize) -> Kind {
    if is_function(&trees[head..]) {
        return Kind::Function;
    }
    let word = &trees[head];
    match word {
        TokenTree::Ident(ident) if ident == "use" => Kind::Use,
        TokenTree::Ident(ident) if ident == "struct" => Kind::Struct,
        TokenTree::Ident(ident) if ident == "const" => Kind::Const,
        other => Kind::Other(other.clone()),
    }
}

/// `fn` behind any modifiers.
fn is_function(trees: &[TokenTree]) -> bool {
    const MODIFIERS: [&str; 6] = ["default", "const", "async", "unsafe", "safe", "extern"];
    trees
        .iter()
        .find(|tree| match tree {
            TokenTree::Ident(ident) => !MODIFIERS.iter().any(|word| ident == word),
            TokenTree::Literal(_) => false,
            _ => true,
        })
        .is_some_and(|tree| is_word(Some(tree), "fn"))
}

fn ends_with_semicolon(first: &TokenTree) -> bool {
    ["static", "type", "let"]
        .iter()
        .any(|word| is_word(Some(first), word))
}

/// Up to the `;`, or to where another item begins.
fn semicolon_end(trees: &[TokenTree], from: usize) -> usize {
    for (at, tree) in trees.iter().enumerate().skip(from) {
        if is_punct(Some(tree), ';') {
            return at + 1;
        }
        if starts_item(tree) || is_word(Some(tree), "fn") {
            return at;
        }
    }
    trees.len()
}

/// Up to the first `{ … }` or `;`, or to where another item begins.
fn body_end(trees: &[TokenTree], from: usize) -> usize {
    for (at, tree) in trees.iter().enumerate().skip(from) {
        match tree {
            tree if is_body(tree) => return at + 1,
            tree if is_punct(Some(tree), ';') => return at + 1,
            tree if starts_item(tree) => return at,
            _ => {}
        }
    }
    trees.len()
}

/// Words that appear at the top level of a block only at the start of an item. (`fn` is also a type.)
fn starts_item(tree: &TokenTree) -> bool {
    ["pub", "struct", "use"]
        .iter()
        .any(|word| is_word(Some(tree), word))
}

/// Whether a token is this punctuation.
pub(super) fn is_punct(tree: Option<&TokenTree>, ch: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == ch)
}

/// Whether a token is this word.
pub(super) fn is_word(tree: Option<&TokenTree>, word: &str) -> bool {
    matches!(tree, Some(TokenTree::Ident(ident)) if ident == word)
}

/// The identifier that a token is.
pub(super) fn ident(tree: Option<&TokenTree>) -> Option<&Ident> {
    match tree {
        Some(TokenTree::Ident(ident)) => Some(ident),
        _ => None,
    }
}

/// What is inside, if a token is a group in parentheses.
pub(super) fn parenthesized(tree: Option<&TokenTree>) -> Option<TokenStream> {
    match tree {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
            Some(group.stream())
        }
        _ => None,
    }
}

/// First to last token of `trees`.
pub(super) fn span_of(trees: &[TokenTree]) -> SrcSpan {
    let ends = trees.first().into_iter().chain(trees.last()).cloned();
    SrcSpan::of(&ends.collect::<TokenStream>())
}
