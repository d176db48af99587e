//! Places in the user's source.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;

/// First and last token of a construct (`Span::join` gives `None` on stable).
#[derive(Clone, Copy, Debug)]
pub struct SrcSpan {
    /// Span of the first token.
    pub first: Span,
    /// Span of the last token.
    pub last: Span,
}

/// Line (from 1) and column (from 1) in the user's file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl SrcSpan {
    /// The place of one token.
    pub fn token(span: Span) -> Self {
        SrcSpan {
            first: span,
            last: span,
        }
    }

    /// The whole block: where an error goes that has no better place.
    pub fn call_site() -> Self {
        SrcSpan::token(Span::call_site())
    }

    /// First to last token of `tokens`.
    pub fn of(tokens: &impl ToTokens) -> Self {
        let stream: TokenStream = tokens.to_token_stream();
        let mut trees = stream.into_iter();
        let Some(first) = trees.next() else {
            return SrcSpan::call_site();
        };
        let last = trees
            .last()
            .map_or_else(|| last_span(&first), |tree| last_span(&tree));
        SrcSpan {
            first: first_span(&first),
            last,
        }
    }

    /// From the start of `self` to the end of `other`.
    pub fn to(self, other: SrcSpan) -> SrcSpan {
        SrcSpan {
            first: self.first,
            last: other.last,
        }
    }

    /// Whether it lies between the ends of `other`.
    pub fn is_inside(self, other: SrcSpan) -> bool {
        self.file() == other.file()
            && other.start() <= self.start()
            && self.start() <= SrcSpan::token(other.last).start()
    }

    /// The file of the construct, as `file!()` gives it.
    pub fn file(self) -> String {
        self.first.file()
    }

    /// Where the construct starts, in its file.
    pub fn start(self) -> LineColumn {
        LineColumn::of(self.first.start())
    }

    /// Where it ends: behind its last character.
    pub fn end(self) -> LineColumn {
        LineColumn::of(self.last.end())
    }
}

impl LineColumn {
    fn of(at: proc_macro2::LineColumn) -> LineColumn {
        LineColumn {
            line: u32::try_from(at.line).unwrap_or(u32::MAX),
            column: u32::try_from(at.column + 1).unwrap_or(u32::MAX),
        }
    }
}

fn first_span(tree: &TokenTree) -> Span {
    match tree {
        TokenTree::Group(group) => group.span_open(),
        other => other.span(),
    }
}

fn last_span(tree: &TokenTree) -> Span {
    match tree {
        TokenTree::Group(group) => group.span_close(),
        other => other.span(),
    }
}
