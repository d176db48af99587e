//! Expressions that Rust has and the language has not.

use super::ir::Expr;
use super::reader::Reader;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use proc_macro2::Span;
use quote::ToTokens;

impl Reader {
    /// Turns away an expression with the way to write it.
    pub fn foreign(&mut self, e: &syn::Expr) -> Expr {
        let diagnostic = match e {
            syn::Expr::Reference(e) => return self.reference(e),
            syn::Expr::Try(e) => {
                let value = self.expr(&e.expr);
                self.errors.push(
                    Diagnostic::new(
                        SrcSpan::token(e.question_token.span),
                        "`?` is not needed here",
                    )
                    .note("an error ends the whole call: the caller gets it")
                    .help("remove the `?`"),
                );
                return value;
            }
            syn::Expr::Let(e) => Diagnostic::new(
                SrcSpan::token(e.let_token.span),
                "`let` is not a condition here",
            )
            .note("the pattern of a `let` must match every value")
            .help("write `match x { 1 => a, _ => b }`, or a `let` of its own before"),
            syn::Expr::Infer(e) => Diagnostic::new(
                SrcSpan::token(e.underscore_token.span),
                "`_` is not a value",
            )
            .help("`_` stands in patterns, types and on the left of `=`"),
            syn::Expr::Unsafe(e) => Diagnostic::new(
                SrcSpan::token(e.unsafe_token.span),
                "there is no `unsafe` here",
            )
            .note("all operations are checked, or proven not to need a check")
            .help("remove the `unsafe`"),
            syn::Expr::Async(e) => no_async(e.async_token.span),
            syn::Expr::Await(e) => no_async(e.await_token.span),
            syn::Expr::Const(e) => Diagnostic::new(
                SrcSpan::token(e.const_token.span),
                "there are no `const` blocks here",
            )
            .help("put a `const` item into the block, or remove the `const`"),
            syn::Expr::TryBlock(e) => Diagnostic::new(
                SrcSpan::token(e.try_token.span),
                "there are no `try` blocks here",
            )
            .help("remove the `try`: an error ends the whole call"),
            syn::Expr::RawAddr(e) => {
                Diagnostic::new(SrcSpan::of(e), "there are no pointers here").help("use the value")
            }
            other => unknown(other),
        };
        self.reject(diagnostic)
    }

    /// `&e`: reads on inside, for further messages.
    fn reference(&mut self, e: &syn::ExprReference) -> Expr {
        let value = match &*e.expr {
            syn::Expr::Reference(inner) if e.mutability.is_none() => return self.reference(inner),
            inner => self.expr(inner),
        };
        let and = SrcSpan::token(e.and_token.span);
        self.errors.push(match &e.mutability {
            None => Diagnostic::new(and.to(value.src), "references are not needed here")
                .note("values are shared by the compiler, never copied for a call")
                .help("remove the `&`"),
            Some(_) => Diagnostic::new(and.to(value.src), "there are no mutable references here")
                .note("a function changes nothing of its caller")
                .help("return the new value and assign it: `a = f(a);`"),
        });
        value
    }

    /// `*e`
    pub fn deref(&mut self, star: Span, e: &syn::Expr) -> Expr {
        let value = self.expr(e);
        self.errors.push(
            Diagnostic::new(SrcSpan::token(star).to(value.src), "`*` is not needed here")
                .note("there are no references in the language")
                .help("remove the `*`"),
        );
        value
    }

    /// `b` of `a ** b`
    pub fn power(&mut self, op: &syn::BinOp, exponent: &syn::Expr) -> Expr {
        let value = self.expr(exponent);
        self.errors.push(
            Diagnostic::new(SrcSpan::of(op).to(value.src), "there is no operator `**`")
                .help("write `x * x`, `x.pow(y)` for floats, or `x.wrapping_pow(y)` for integers"),
        );
        value
    }
}

/// What no other message is about.
pub(super) fn unknown(tokens: &impl ToTokens) -> Diagnostic {
    Diagnostic::new(
        SrcSpan::of(tokens),
        "this expression is not part of the language",
    )
    .help("see the list of expressions in the manual")
}

fn no_async(span: Span) -> Diagnostic {
    Diagnostic::new(SrcSpan::token(span), "there is no `async` here")
        .note("a call returns when its results are there")
        .help("remove it")
}
