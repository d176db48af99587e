//! The macros of the language: `assert!` and `dbg!`.

use super::grammar;
use super::ir::{Expr, ExprKind};
use super::reader::{Reader, nothing, spelled};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use proc_macro2::TokenStream;
use syn::punctuated::Punctuated;
use syn::{Macro, MacroDelimiter, Token};

type Args = Punctuated<syn::Expr, Token![,]>;

impl Reader {
    /// `assert!(c, "message")`, `dbg!(e)`
    pub fn macro_call(&mut self, mac: &Macro) -> Expr {
        let src = SrcSpan::of(&mac.path).to(close(&mac.delimiter));
        match spelled(&mac.path).as_str() {
            "assert" => self.assert(&mac.tokens, src),
            "dbg" => self.dbg(&mac.tokens, src),
            path => self.reject(foreign_macro(path, &mac.tokens, src)),
        }
    }

    fn assert(&mut self, tokens: &TokenStream, src: SrcSpan) -> Expr {
        let Some(args) = self.args(tokens, src) else {
            return nothing(src);
        };
        let Some(cond) = args.first() else {
            return self.reject(
                Diagnostic::new(src, "`assert!` needs a condition")
                    .help("write `assert!(x > 0.0, \"x is positive\")`"),
            );
        };
        let cond = self.boxed(cond);
        let message = args.get(1).and_then(|message| self.message(message));
        if let (Some(extra), Some(last)) = (args.get(2), args.last()) {
            let src = SrcSpan::of(extra).to(SrcSpan::of(last));
            self.errors.push(
                Diagnostic::new(src, "the message of `assert!` is plain text")
                    .note("the error names the function, the line and the values itself")
                    .help("remove the further arguments"),
            );
        }
        Expr {
            kind: ExprKind::Assert(cond, message),
            src,
        }
    }

    fn message(&mut self, message: &syn::Expr) -> Option<String> {
        let literal = match message {
            syn::Expr::Lit(lit) => match &lit.lit {
                syn::Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        };
        let Some(text) = literal else {
            self.errors.push(
                Diagnostic::new(
                    SrcSpan::of(message),
                    "the message of `assert!` is a string literal",
                )
                .help("write `assert!(x > 0.0, \"x is positive\")`"),
            );
            return None;
        };
        let plain = text.replace("{{", "").replace("}}", "");
        if plain.contains(['{', '}']) {
            self.errors.push(
                Diagnostic::new(
                    SrcSpan::of(message),
                    "the message of `assert!` is plain text",
                )
                .note("the error names the function, the line and the values itself")
                .help("remove the `{…}`, or write `{{` and `}}` for braces"),
            );
        }
        Some(text.replace("{{", "{").replace("}}", "}"))
    }

    fn dbg(&mut self, tokens: &TokenStream, src: SrcSpan) -> Expr {
        let Some(args) = self.args(tokens, src) else {
            return nothing(src);
        };
        let (Some(value), 1) = (args.first(), args.len()) else {
            return self.reject(
                Diagnostic::new(src, "`dbg!` takes one value").help("write `dbg!((a, b))` for two"),
            );
        };
        Expr {
            kind: ExprKind::Dbg(self.boxed(value)),
            src,
        }
    }

    fn args(&mut self, tokens: &TokenStream, src: SrcSpan) -> Option<Args> {
        use syn::parse::Parser;
        match Args::parse_terminated.parse2(tokens.clone()) {
            Ok(args) => Some(args),
            Err(error) => {
                self.errors.push(grammar::explain_in(&error, tokens, src));
                None
            }
        }
    }
}

fn close(delimiter: &MacroDelimiter) -> SrcSpan {
    SrcSpan::token(match delimiter {
        MacroDelimiter::Paren(paren) => paren.span.close(),
        MacroDelimiter::Brace(brace) => brace.span.close(),
        MacroDelimiter::Bracket(bracket) => bracket.span.close(),
    })
}

fn foreign_macro(path: &str, tokens: &TokenStream, src: SrcSpan) -> Diagnostic {
    let title = format!("macro `{path}!` is not part of the language");
    let name = path.rsplit("::").next().unwrap_or(path);
    let remedy = match name {
        "assert_eq" | "debug_assert_eq" => "write `assert!(a == b)`",
        "assert_ne" | "debug_assert_ne" => "write `assert!(a != b)`",
        "debug_assert" => "write `assert!(…)`",
        "vec" if has_semicolon(tokens) => "write `fill(v, n)` or `[v; n]`",
        "vec" => "write `[…]`",
        "print" | "println" | "eprint" | "eprintln" => {
            "make what you want to look at a result: `(y, x)`"
        }
        "panic" | "todo" | "unimplemented" | "unreachable" => {
            "write `assert!(condition, \"message\")`: the caller gets an error"
        }
        "format" | "write" | "writeln" | "concat" | "stringify" => {
            "there are no strings in the language"
        }
        "matches" => "write `match e { pattern => true, _ => false }`",
        _ => "the macro of the language is `assert!`; call a function instead",
    };
    Diagnostic::new(src, title).help(remedy)
}

fn has_semicolon(tokens: &TokenStream) -> bool {
    tokens
        .clone()
        .into_iter()
        .any(|tree| super::split::is_punct(Some(&tree), ';'))
}
