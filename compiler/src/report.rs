//! Diagnostics: what is wrong, why, what next.
//!
//! In: diagnostics from the stages. Out: `compile_error!` tokens. A stage collects its errors in
//! [`Errors`] and ends with the gate [`Errors::propagate`], so that several mistakes are reported
//! together.

use crate::source::SrcSpan;
use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use std::panic::Location;

/// One message about the user's program, or about a limit of ours.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The construct that is wrong.
    pub span: SrcSpan,
    /// What is wrong: lower case, no full stop.
    pub title: String,
    /// Why, and what next; each is one line. A remedy starts with `help: `.
    pub lines: Vec<String>,
    /// Other places that take part, each with a sentence of its own.
    pub also: Vec<(SrcSpan, String)>,
    /// Where in the compiler it was made: a test holds that each such place has a UI test.
    pub made_at: &'static Location<'static>,
}

impl Diagnostic {
    /// A mistake at `span`.
    #[track_caller]
    pub fn new(span: SrcSpan, title: impl Into<String>) -> Self {
        Diagnostic {
            span,
            title: title.into(),
            lines: Vec::new(),
            also: Vec::new(),
            made_at: Location::caller(),
        }
    }

    /// Adds a line that says why, in front of the remedies.
    pub fn note(mut self, line: impl Into<String>) -> Self {
        let is_help = |line: &String| line.starts_with("help: ");
        let at = self.lines.iter().position(is_help);
        self.lines
            .insert(at.unwrap_or(self.lines.len()), line.into());
        self
    }

    /// Adds a line that says what to do.
    pub fn help(mut self, line: impl AsRef<str>) -> Self {
        self.lines.push(format!("help: {}", line.as_ref()));
        self
    }

    /// Says what to do where nothing has been said so far.
    pub fn or_help(self, line: &str) -> Self {
        if self.lines.is_empty() {
            self.help(line)
        } else {
            self
        }
    }

    /// Adds another place with its own sentence.
    pub fn also(mut self, span: SrcSpan, sentence: impl Into<String>) -> Self {
        self.also.push((span, sentence.into()));
        self
    }

    /// Something that the language has, or will have, and this version does not compile.
    #[track_caller]
    pub fn unsupported(span: SrcSpan, what: impl AsRef<str>) -> Self {
        Diagnostic::new(span, format!("{}: not supported yet", what.as_ref()))
    }

    /// What the compiler itself got wrong: no program should reach it.
    pub fn internal(span: SrcSpan, sentence: impl Into<String>) -> Self {
        Diagnostic::new(span, "the compiler made a mistake in this block")
            .note(sentence)
            .help("please report it with the block's text")
    }

    fn message(&self) -> String {
        let mut text = self.title.clone();
        for line in &self.lines {
            text.push('\n');
            text.push_str(line);
        }
        text
    }
}

/// The diagnostics of a stage that found at least one.
#[derive(Clone, Debug)]
pub struct Report(Vec<Diagnostic>);

impl Report {
    /// All messages, in source order of discovery.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.0
    }

    /// `compile_error!` invocations, one per message and place.
    pub fn to_tokens(&self) -> TokenStream {
        let mut out = TokenStream::new();
        for diagnostic in &self.0 {
            out.extend(compile_error(diagnostic.span, &diagnostic.message()));
            for (span, sentence) in &diagnostic.also {
                out.extend(compile_error(*span, sentence));
            }
        }
        out
    }
}

impl From<Diagnostic> for Report {
    fn from(diagnostic: Diagnostic) -> Self {
        Report(vec![diagnostic])
    }
}

/// Collects the diagnostics of one stage.
#[derive(Default, Debug)]
pub struct Errors(Vec<Diagnostic>);

impl Errors {
    /// Records one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.0.push(diagnostic);
    }

    /// Records one, if there is one.
    pub fn extend(&mut self, diagnostic: Option<Diagnostic>) {
        self.0.extend(diagnostic);
    }

    /// Whether any was recorded.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The gate at the end of a stage.
    pub fn propagate(self) -> Result<(), Report> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(Report(self.0))
        }
    }
}

/// `::core::compile_error! { "message" }` whose tokens reach from the first to the last token of
/// the construct, so that rustc underlines all of it.
fn compile_error(span: SrcSpan, message: &str) -> TokenStream {
    let punct = |ch, spacing, span: Span| {
        let mut punct = Punct::new(ch, spacing);
        punct.set_span(span);
        TokenTree::Punct(punct)
    };
    let mut literal = Literal::string(message);
    literal.set_span(span.last);
    let mut group = Group::new(Delimiter::Brace, TokenTree::Literal(literal).into());
    group.set_span(span.last);
    [
        punct(':', Spacing::Joint, span.first),
        punct(':', Spacing::Alone, span.first),
        TokenTree::Ident(Ident::new("core", span.first)),
        punct(':', Spacing::Joint, span.first),
        punct(':', Spacing::Alone, span.first),
        TokenTree::Ident(Ident::new("compile_error", span.first)),
        punct('!', Spacing::Alone, span.first),
        TokenTree::Group(group),
    ]
    .into_iter()
    .collect()
}
