//! The source of exported functions and of structs, for blocks that name them by path.
//!
//! In: the tokens of a block. Out: for each of them a hidden macro of the same name (the third
//! namespace) that starts `accel!` again with the source in front of the importing block. Assumes
//! the block compiles. Only items that the function or struct can reach travel with it.

use crate::Lexer;
use crate::emit::{ident, lex_all};
use crate::hash::{HashMap, HashSet};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// An item to make known: its name in the source and its visibility as written.
pub struct Shared<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its visibility as written.
    pub vis: &'a TokenStream,
}

/// The hidden macros for `shared`.
pub fn share(block: &TokenStream, shared: &[Shared<'_>], lex: Lexer) -> TokenStream {
    let items = items(block);
    let fixed = lex_all(FIXED, lex);
    let mut by_name = ByName::default();
    for (at, item) in items.iter().enumerate() {
        let name = item.name.trim_start_matches("r#").as_bytes();
        by_name.entry(name).or_default().push(at);
    }
    shared
        .iter()
        .map(|item| one(item, &items, &by_name, &fixed))
        .collect()
}

/// Where the items of a name are: a struct may have that of a function or constant.
type ByName<'a> = HashMap<&'a [u8], Vec<usize>>;

/// What is the same in all of these macros; quoted, it would cost more than its text.
const FIXED: [&str; 6] = [
    "#[doc(hidden)] #[allow(unused_macros, reason = \"for blocks that import it\")] macro_rules!",
    "(@ragged $visible:ident $path:tt { $($rest:tt)* }) =>",
    "::ragged::accel!",
    "as $visible $path",
    "$($rest)*",
    "#[doc(hidden)] #[allow(unused_imports, reason = \"for blocks that import it\")]",
];

fn one(
    shared: &Shared<'_>,
    items: &[Item],
    by_name: &ByName<'_>,
    [head, pattern, accel, visible, rest, allow]: &[TokenStream; 6],
) -> TokenStream {
    let mut reached: Vec<usize> = reach(shared.name, items, by_name).into_iter().collect();
    reached.sort_unstable();
    let source = reached.into_iter().map(|at| items[at].tokens.clone());
    let name = ident(shared.name, Span::call_site());
    let hidden = format_ident!("__ragged_source_{}", shared.name);
    let vis = inside_crate(shared.vis);
    quote! {
        #head #hidden {
            #pattern { #accel { @unit #name #visible { #(#source)* } #rest } };
        }
        #allow #vis use #hidden as #name;
    }
}

/// A macro cannot be re-exported beyond its crate.
fn inside_crate(vis: &TokenStream) -> TokenStream {
    let is_plain_pub = vis.clone().into_iter().count() == 1;
    if is_plain_pub {
        quote!(pub(crate))
    } else {
        vis.clone()
    }
}

struct Item {
    name: String,
    tokens: TokenStream,
    text: String,
}

/// The items of a block, cut at its top level.
fn items(block: &TokenStream) -> Vec<Item> {
    let mut items = Vec::new();
    let mut current: Vec<TokenTree> = Vec::new();
    let mut word = String::new();
    for tree in block.clone() {
        let ends = match &tree {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && word != "const",
            TokenTree::Ident(_) | TokenTree::Literal(_) => false,
        };
        if let TokenTree::Ident(ident) = &tree
            && word.is_empty()
        {
            let text = ident.to_string();
            if matches!(text.as_str(), "fn" | "const" | "struct" | "unit") {
                word = text;
            }
        }
        current.push(tree);
        if ends {
            items.push(item(std::mem::take(&mut current), &word));
            word.clear();
        }
    }
    items
}

fn item(trees: Vec<TokenTree>, word: &str) -> Item {
    // `@unit name as visible (path) { … }` is known by the last name.
    let keyword = if word == "unit" { "as" } else { word };
    let at = trees
        .iter()
        .position(|tree| matches!(tree, TokenTree::Ident(it) if *it == keyword));
    let name = at
        .and_then(|at| trees.get(at + 1))
        .map(ToString::to_string)
        .unwrap_or_default();
    let tokens: TokenStream = trees.into_iter().collect();
    // One text: a question to rustc for each name would take most of the time.
    let text = tokens.to_string();
    Item { name, tokens, text }
}

/// The names that occur in a text, and the words of its literals.
fn words(text: &str) -> impl Iterator<Item = &[u8]> {
    // Byte by byte: the parts of other letters are no ends.
    let is_end = |byte: &u8| !(byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80);
    text.as_bytes().split(is_end)
}

fn reach(name: &str, items: &[Item], by_name: &ByName<'_>) -> HashSet<usize> {
    let mut reached = HashSet::default();
    let mut todo: Vec<usize> = by_name.get(name.as_bytes()).cloned().unwrap_or_default();
    while let Some(at) = todo.pop() {
        if reached.insert(at) {
            let known = words(&items[at].text).filter_map(|name| by_name.get(name));
            todo.extend(known.flatten());
        }
    }
    reached
}
