//! Mistakes that look right to those who come from mathematics, NumPy or other languages, and that
//! Rust's grammar refuses, or reads otherwise.
//!
//! In: the tokens of an item that `syn` refused, and where. Out: a message about what was meant.
//! Only the place where the parser stopped is looked at, so that a working program is never accused.

mod indexing;
mod operators;
mod readings;
mod signatures;
mod words;

use crate::report::Diagnostic;
use crate::source::SrcSpan;
use proc_macro2::{Delimiter, LineColumn, Span, TokenStream, TokenTree};

/// The place where the parser stopped.
pub(super) struct Failure {
    /// The groups around it, outermost first; the first is the item itself.
    levels: Vec<Level>,
    /// What the parser says.
    message: String,
    /// The token that it stopped at.
    pub src: SrcSpan,
}

/// The tokens of a group around the place.
struct Level {
    /// What is in it.
    trees: Vec<TokenTree>,
    /// The token that is, or holds, the place; past the end for the closing delimiter.
    at: usize,
    /// Its delimiters; `None` for the item.
    delimiter: Option<Delimiter>,
    /// Opening to closing delimiter.
    src: SrcSpan,
}

type Trap = fn(&Failure) -> Option<Diagnostic>;

const TRAPS: [Trap; 5] = [
    indexing::trap,
    operators::trap,
    words::trap,
    signatures::trap,
    chained_comparison,
];

impl Failure {
    /// Finds the place at `src` in `trees`, which are the tokens at `whole`.
    pub fn locate(trees: Vec<TokenTree>, src: SrcSpan, whole: SrcSpan, message: &str) -> Self {
        let mut levels = vec![Level {
            at: trees.len(),
            trees,
            delimiter: None,
            src: whole,
        }];
        // What ends too early is at no token of it.
        let nowhere = Span::call_site().start();
        let place = src.first.start();
        let found = place != nowhere && descend(&mut levels, place);
        Failure {
            levels,
            message: message.to_owned(),
            src: if found {
                src
            } else {
                SrcSpan::token(whole.last)
            },
        }
    }

    /// The first trap that fits.
    pub fn trap(&self) -> Option<Diagnostic> {
        TRAPS.iter().find_map(|trap| trap(self))
    }

    /// The innermost group.
    fn inner(&self) -> &Level {
        &self.levels[self.levels.len() - 1]
    }

    /// The tokens in front of the innermost group.
    fn before(&self) -> &[TokenTree] {
        match self.levels.len().checked_sub(2) {
            Some(outer) => &self.levels[outer].trees[..self.levels[outer].at],
            None => &[],
        }
    }
}

impl Level {
    /// The token `offset` places from the one where the parser stopped.
    fn near(&self, offset: isize) -> Option<&TokenTree> {
        self.trees.get(self.at.checked_add_signed(offset)?)
    }
}

fn descend(levels: &mut Vec<Level>, place: LineColumn) -> bool {
    let depth = levels.len() - 1;
    for at in 0..levels[depth].trees.len() {
        let TokenTree::Group(group) = &levels[depth].trees[at] else {
            if levels[depth].trees[at].span().start() == place {
                levels[depth].at = at;
                return true;
            }
            continue;
        };
        let group = group.clone();
        if group.span_open().start() == place {
            levels[depth].at = at;
            return true;
        }
        let trees: Vec<TokenTree> = group.stream().into_iter().collect();
        levels.push(Level {
            at: trees.len(),
            trees,
            delimiter: Some(group.delimiter()),
            src: SrcSpan {
                first: group.span_open(),
                last: group.span_close(),
            },
        });
        if descend(levels, place) || group.span_close().start() == place {
            levels[depth].at = at;
            return true;
        }
        levels.pop();
    }
    false
}

/// Whether `tree` can end an expression, so that a bracket behind it is an index.
fn ends_expression(tree: Option<&TokenTree>) -> bool {
    const KEYWORDS: [&str; 9] = [
        "in", "if", "match", "return", "else", "as", "while", "mut", "break",
    ];
    match tree {
        Some(TokenTree::Ident(ident)) => !KEYWORDS.iter().any(|word| ident == word),
        Some(TokenTree::Literal(_)) => true,
        Some(TokenTree::Group(group)) => group.delimiter() != Delimiter::Brace,
        Some(TokenTree::Punct(_)) | None => false,
    }
}

/// Tokens as the user might have written them.
fn text(trees: &[TokenTree]) -> String {
    trees.iter().cloned().collect::<TokenStream>().to_string()
}

/// First to last of some tokens.
fn span(trees: &[TokenTree]) -> SrcSpan {
    super::split::span_of(trees)
}

/// `0 <= i < n`
fn chained_comparison(failure: &Failure) -> Option<Diagnostic> {
    failure
        .message
        .starts_with("comparison operators")
        .then(|| {
            Diagnostic::new(failure.src, "comparisons cannot be chained")
                .help("write `0 <= i && i < n`")
        })
}

pub(super) use readings::{range, statement};
