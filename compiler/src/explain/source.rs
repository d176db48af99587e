//! A block's tokens in the order of the source, cut into items.
//!
//! In: the tokens of a block, and the texts of files where these can be had. Out: tokens with their
//! places, by which constructs are found again, and the lines of each item with its comments.

use super::page::{Class, KernelId, Line, Piece};
use super::words;
use crate::hash::HashMap;
use crate::source::{LineColumn, SrcSpan};
use crate::syntax::split::{self, Kind};
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use std::ops::Range;

/// The text of the file that a token is in.
pub type TextOf<'a> = &'a dyn Fn(Span) -> Option<String>;

/// All tokens of a block and of what it imports.
pub struct Source {
    /// In order.
    pub tokens: Vec<Token>,
    /// The block's own, then what is imported.
    pub items: Vec<Item>,
    /// The files.
    pub files: Vec<File>,
    places: HashMap<(usize, u32, u32), usize>,
}

/// A file that tokens are from.
pub struct File {
    /// As rustc names it.
    pub name: String,
    lines: Option<Vec<Vec<char>>>,
}

/// Tokens that belong together.
pub struct Item {
    /// Which.
    pub tokens: Range<usize>,
    /// Where its first one is.
    pub file: usize,
    /// The function that it is.
    pub function: Option<String>,
}

/// One token, a delimiter of a group, or a comment for rustdoc.
pub struct Token {
    /// As written.
    pub text: String,
    /// What it is.
    pub class: Class,
    /// Position of the delimiter that opens what this one closes.
    pub opens: Option<usize>,
    file: usize,
    start: LineColumn,
    end: LineColumn,
}

impl Source {
    /// Of the tokens of a block.
    pub fn of(block: &TokenStream, text_of: TextOf<'_>) -> Source {
        let mut source = Source {
            tokens: Vec::new(),
            items: Vec::new(),
            files: Vec::new(),
            places: HashMap::default(),
        };
        source.items_of(block.clone(), text_of);
        source
    }

    fn items_of(&mut self, tokens: TokenStream, text_of: TextOf<'_>) {
        let (units, own): (Vec<_>, Vec<_>) = split::split(tokens)
            .into_iter()
            .partition(|piece| matches!(piece.kind, Kind::Unit));
        for piece in own {
            self.item(piece.tokens, text_of);
        }
        for unit in units {
            if let Some(TokenTree::Group(group)) = unit.tokens.last() {
                self.items_of(group.stream(), text_of);
            }
        }
    }

    fn item(&mut self, trees: Vec<TokenTree>, text_of: TextOf<'_>) {
        let first = self.tokens.len();
        let function = words::function_name(&trees);
        self.trees(trees, text_of);
        if let Some(token) = self.tokens.get(first) {
            self.items.push(Item {
                tokens: first..self.tokens.len(),
                file: token.file,
                function,
            });
        }
    }

    fn trees(&mut self, trees: impl IntoIterator<Item = TokenTree>, text_of: TextOf<'_>) {
        for tree in trees {
            match tree {
                TokenTree::Group(group) => self.group(&group, text_of),
                TokenTree::Ident(it) => {
                    self.token(it.to_string(), Class::Name, it.span(), text_of);
                }
                TokenTree::Literal(it) => {
                    let text = it.to_string();
                    let class = match text.contains(['"', '\'']) {
                        true => Class::Text,
                        false => Class::Number,
                    };
                    self.token(text, class, it.span(), text_of);
                }
                TokenTree::Punct(it) => {
                    self.token(it.as_char().to_string(), Class::Other, it.span(), text_of);
                }
            }
        }
    }

    fn group(&mut self, group: &Group, text_of: TextOf<'_>) {
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => return self.trees(group.stream(), text_of),
        };
        let at = self.tokens.len();
        self.token(open.to_owned(), Class::Other, group.span_open(), text_of);
        self.trees(group.stream(), text_of);
        let before = self.tokens.len();
        self.token(close.to_owned(), Class::Other, group.span_close(), text_of);
        if let Some(close) = self.tokens.get_mut(before) {
            close.opens = Some(at);
        }
    }

    fn token(&mut self, text: String, class: Class, span: Span, text_of: TextOf<'_>) {
        let place = SrcSpan::token(span);
        let (start, end) = (place.start(), place.end());
        let file = self.file(span, text_of);
        if self.tokens.last().is_some_and(|last| {
            last.class == Class::Comment && last.file == file && end <= last.end
        }) {
            // `///` is `#[doc = "…"]`, all of which has the comment's place.
            return;
        }
        let written = self.files[file].between(start, end);
        let is_comment = |it: &String| it.starts_with("//") || it.starts_with("/*");
        let at = self.tokens.len();
        self.places
            .entry((file, start.line, start.column))
            .or_insert(at);
        let (text, class) = match written.filter(is_comment) {
            Some(comment) => (comment, Class::Comment),
            None => (text, class),
        };
        self.tokens.push(Token {
            text,
            class,
            opens: None,
            file,
            start,
            end,
        });
    }

    fn file(&mut self, span: Span, text_of: TextOf<'_>) -> usize {
        let name = span.file();
        let known = self.files.iter().position(|it| it.name == name);
        known.unwrap_or_else(|| {
            let text = text_of(span);
            let lines = text.map(|text| text.lines().map(|it| it.chars().collect()).collect());
            self.files.push(File { name, lines });
            self.files.len() - 1
        })
    }

    /// The line of a token.
    pub fn line(&self, token: usize) -> u32 {
        self.tokens[token].start.line
    }

    /// Positions of the first and last token of a construct.
    pub fn range(&self, src: SrcSpan) -> Option<(usize, usize)> {
        let place = |at: SrcSpan| {
            let name = at.file();
            let file = self.files.iter().position(|it| it.name == name)?;
            let start = at.start();
            self.places.get(&(file, start.line, start.column)).copied()
        };
        let (first, last) = (place(src)?, place(SrcSpan::token(src.last))?);
        (first <= last).then_some((first, last))
    }

    /// The text of some tokens, in one line.
    pub fn text(&self, tokens: Range<usize>) -> String {
        let mut text = String::new();
        for at in tokens.clone() {
            let is_first = at == tokens.start;
            let gap = if is_first { None } else { self.gap(at) };
            if gap.is_some_and(|gap| gap.contains(char::is_whitespace)) {
                text.push(' ');
            }
            text.push_str(&self.tokens[at].text);
        }
        text
    }

    /// The lines of an item, each token with its kernels.
    pub fn lines(&self, item: &Item, kernels: &[Vec<KernelId>]) -> Vec<Line> {
        let first = &self.tokens[item.tokens.start];
        let mut lines = self.comments_above(item);
        let mut line = Line {
            number: first.start.line,
            pieces: Vec::new(),
        };
        line.push(
            " ".repeat(first.start.column as usize - 1),
            Class::Other,
            &[],
        );
        for at in item.tokens.clone() {
            let token = &self.tokens[at];
            if at > item.tokens.start {
                let shared = match kernels[at] == kernels[at - 1] {
                    true => kernels[at].as_slice(),
                    false => &[],
                };
                match self.gap(at) {
                    Some(gap) => line.push_lines(&gap, words::class_of_gap, shared, &mut lines),
                    None => lines.push(line.next(token.start.line)),
                }
            }
            let class = words::class(self, at);
            line.push_lines(&token.text, |_| class, &kernels[at], &mut lines);
        }
        lines.push(line);
        words::unindent(&mut lines);
        lines
    }

    /// What is between a token and the one before; nothing where they do not follow each other.
    fn gap(&self, at: usize) -> Option<String> {
        let (before, token) = (&self.tokens[at - 1], &self.tokens[at]);
        if before.file != token.file || before.end > token.start {
            return None;
        }
        if let Some(text) = self.files[token.file].between(before.end, token.start) {
            return Some(text);
        }
        let lines = (token.start.line - before.end.line) as usize;
        let column = if lines == 0 { before.end.column } else { 1 };
        let columns = (token.start.column - column) as usize;
        Some("\n".repeat(lines) + &" ".repeat(columns))
    }

    /// Comments that stand right above an item.
    fn comments_above(&self, item: &Item) -> Vec<Line> {
        let Some(text) = &self.files[item.file].lines else {
            return Vec::new();
        };
        let first = self.tokens[item.tokens.start].start.line as usize - 1;
        let is_comment = |line: &&Vec<char>| {
            let line: String = line.iter().collect();
            line.trim_start().starts_with("//")
        };
        let above = text.iter().take(first).rev().take_while(is_comment);
        let from = first.saturating_sub(above.count());
        let lines = text.iter().enumerate().take(first).skip(from);
        let comment = |(at, line): (usize, &Vec<char>)| Line {
            number: u32::try_from(at + 1).unwrap_or(u32::MAX),
            pieces: vec![Piece {
                text: line.iter().collect(),
                class: Class::Comment,
                kernels: Vec::new(),
            }],
        };
        lines.map(comment).collect()
    }
}

impl File {
    /// The text between two places, if there is such.
    fn between(&self, start: LineColumn, end: LineColumn) -> Option<String> {
        let lines = self.lines.as_ref()?;
        let (from, to) = (start.line as usize, end.line as usize);
        let (left, right) = (start.column as usize - 1, end.column as usize - 1);
        let mut text = String::new();
        for number in from..=to {
            let line = lines.get(number.checked_sub(1)?)?;
            let left = if number == from { left } else { 0 };
            let right = if number == to { right } else { line.len() };
            text.extend(line.get(left..right)?);
            text.push_str(if number == to { "" } else { "\n" });
        }
        Some(text)
    }
}

impl Line {
    fn push(&mut self, text: String, class: Class, kernels: &[KernelId]) {
        if !text.is_empty() {
            self.pieces.push(Piece {
                text,
                class,
                kernels: kernels.to_vec(),
            });
        }
    }

    /// A text that may have several lines; only what stands in one line with its ends is coloured.
    fn push_lines(
        &mut self,
        text: &str,
        class: impl Fn(&str) -> Class,
        kernels: &[KernelId],
        done: &mut Vec<Line>,
    ) {
        for (at, part) in text.split('\n').enumerate() {
            if at > 0 {
                let number = self.number + 1;
                done.push(self.next(number));
            }
            let class = class(part);
            let kernels = match class == Class::Comment || text.contains('\n') {
                true => &[],
                false => kernels,
            };
            self.push(part.to_owned(), class, kernels);
        }
    }

    /// Begins another line; the one so far.
    fn next(&mut self, number: u32) -> Line {
        let pieces = Vec::new();
        std::mem::replace(self, Line { number, pieces })
    }
}
