//! Patterns.

use super::calls::is_type;
use super::ir::{Name, Pattern, PatternKind, PatternValue};
use super::reader::{Reader, group, name};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use syn::{Member, Pat, RangeLimits};

impl Reader {
    /// A pattern of a `let`, `for`, `match`, parameter or closure.
    pub fn pattern(&mut self, pat: &Pat) -> Pattern {
        match pat {
            Pat::Ident(pat) => self.binding(pat),
            Pat::Wild(pat) => Pattern {
                kind: PatternKind::Wild,
                src: SrcSpan::token(pat.underscore_token.span),
            },
            Pat::Tuple(pat) => self.tuple_pattern(pat),
            Pat::Struct(pat) => self.struct_pattern(pat),
            Pat::Lit(pat) => self.literal_pattern(&pat.lit),
            Pat::Range(pat) => self.range_pattern(pat),
            Pat::Or(pat) => self.or_pattern(pat),
            Pat::Paren(pat) => self.pattern(&pat.pat),
            Pat::Type(pat) => {
                let inner = self.pattern(&pat.pat);
                let ty = self.ty(&pat.ty);
                Pattern {
                    src: inner.src.to(ty.src),
                    kind: PatternKind::Typed(Box::new(inner), Box::new(ty)),
                }
            }
            Pat::Path(path) => Pattern {
                kind: match self.path_value(path) {
                    Some(value) => PatternKind::Value(value),
                    None => PatternKind::Wild,
                },
                src: SrcSpan::of(path),
            },
            other => self.foreign_pattern(other),
        }
    }

    fn bad_pattern(&mut self, diagnostic: Diagnostic) -> Pattern {
        let src = diagnostic.span;
        self.errors.push(diagnostic);
        Pattern {
            kind: PatternKind::Wild,
            src,
        }
    }

    fn binding(&mut self, pat: &syn::PatIdent) -> Pattern {
        if let Some(by_ref) = &pat.by_ref {
            return self.bad_pattern(
                Diagnostic::new(SrcSpan::token(by_ref.span), "there is no `ref` here")
                    .note("values are never borrowed and never moved away")
                    .help(format!("write `{}`", pat.ident)),
            );
        }
        let ident = SrcSpan::token(pat.ident.span());
        let mut src = pat
            .mutability
            .map_or(ident, |token| SrcSpan::token(token.span).to(ident));
        let inner = pat.subpat.as_ref().map(|(_, inner)| {
            let inner = self.pattern(inner);
            src = src.to(inner.src);
            Box::new(inner)
        });
        Pattern {
            kind: PatternKind::Bind {
                name: name(&pat.ident),
                mutable: pat.mutability.is_some(),
                inner,
            },
            src,
        }
    }

    fn tuple_pattern(&mut self, pat: &syn::PatTuple) -> Pattern {
        let mut rests = 0;
        let elems = pat
            .elems
            .iter()
            .map(|elem| match elem {
                Pat::Rest(rest) => {
                    rests += 1;
                    Pattern {
                        kind: PatternKind::Rest,
                        src: SrcSpan {
                            first: rest.dot2_token.spans[0],
                            last: rest.dot2_token.spans[1],
                        },
                    }
                }
                elem => self.pattern(elem),
            })
            .collect();
        let src = group(pat.paren_token.span);
        if rests > 1 {
            return self.bad_pattern(
                Diagnostic::new(src, "two `..` in one tuple pattern")
                    .help("keep one; write `_` for single elements"),
            );
        }
        Pattern {
            kind: PatternKind::Tuple(elems),
            src,
        }
    }

    fn struct_pattern(&mut self, pat: &syn::PatStruct) -> Pattern {
        let src = SrcSpan::of(&pat.path).to(group(pat.brace_token.span));
        let Some(ident) = pat.path.get_ident() else {
            return self.bad_pattern(long_struct_name(src));
        };
        let fields = pat
            .fields
            .iter()
            .filter_map(|field| {
                self.plain(&field.attrs);
                let member = self.field_name(&field.member)?;
                Some((member, self.pattern(&field.pat)))
            })
            .collect();
        Pattern {
            kind: PatternKind::Struct {
                name: name(ident),
                fields,
                rest: pat.rest.is_some(),
            },
            src,
        }
    }

    /// The name of a field in a struct literal or pattern; `None` after a message.
    pub fn field_name(&mut self, member: &Member) -> Option<Name> {
        match member {
            Member::Named(ident) => Some(name(ident)),
            Member::Unnamed(index) => {
                self.errors.push(
                    Diagnostic::new(SrcSpan::token(index.span), "fields of structs have names")
                        .help("write the field's name"),
                );
                None
            }
        }
    }

    fn literal_pattern(&mut self, lit: &syn::Lit) -> Pattern {
        let src = SrcSpan::token(lit.span());
        let kind = match self.literal(lit) {
            Some(literal) => PatternKind::Value(PatternValue::Literal(literal)),
            None => PatternKind::Wild,
        };
        Pattern { kind, src }
    }

    fn range_pattern(&mut self, pat: &syn::PatRange) -> Pattern {
        let lo = pat.start.as_ref().map(|bound| self.bound(bound));
        let hi = pat.end.as_ref().map(|bound| self.bound(bound));
        let src = SrcSpan::of(pat);
        // A bound that is none has its message already.
        let (Some(lo), Some(hi)) = (transposed(lo), transposed(hi)) else {
            return Pattern {
                kind: PatternKind::Wild,
                src,
            };
        };
        Pattern {
            kind: PatternKind::Range {
                lo,
                hi,
                inclusive: matches!(pat.limits, RangeLimits::Closed(_)),
            },
            src,
        }
    }

    fn bound(&mut self, bound: &syn::Expr) -> Option<PatternValue> {
        match bound {
            syn::Expr::Lit(lit) => self.literal(&lit.lit).map(PatternValue::Literal),
            syn::Expr::Path(path) => self.path_value(path),
            other => {
                let src = SrcSpan::of(other);
                self.errors.push(
                    Diagnostic::new(src, "a bound of a range pattern is a number or its name")
                        .help(
                            "give it a name, `const LIMIT: …`, or compare in a guard: `x if x < …`",
                        ),
                );
                None
            }
        }
    }

    /// `LIMIT`, `i32::MAX`; `None` after a message.
    fn path_value(&mut self, path: &syn::ExprPath) -> Option<PatternValue> {
        let segments = &path.path.segments;
        match (segments.len(), &path.qself, &path.path.leading_colon) {
            (1, None, None) => Some(PatternValue::Const(name(&segments[0].ident))),
            (2, None, None) if is_type(&segments[0]) => Some(PatternValue::Associated(
                name(&segments[0].ident),
                name(&segments[1].ident),
            )),
            _ => {
                let error = long_path(SrcSpan::of(path), &path.path);
                self.errors.push(error);
                None
            }
        }
    }

    fn or_pattern(&mut self, pat: &syn::PatOr) -> Pattern {
        let cases: Vec<Pattern> = pat.cases.iter().map(|case| self.pattern(case)).collect();
        let src = cases[0].src.to(cases[cases.len() - 1].src);
        Pattern {
            kind: PatternKind::Or(cases),
            src,
        }
    }

    fn foreign_pattern(&mut self, pat: &Pat) -> Pattern {
        let src = SrcSpan::of(pat);
        self.bad_pattern(match pat {
            Pat::Reference(_) => Diagnostic::new(src, "patterns have no `&` here")
                .note("there are no references in the language")
                .help("remove the `&`"),
            Pat::Slice(_) => Diagnostic::new(src, "arrays are not taken apart by patterns")
                .help("index the array: `a[0]`, `a[1..len(a)]`"),
            Pat::TupleStruct(_) => Diagnostic::new(
                src,
                "there are no enums and no tuple structs in the language",
            )
            .help("match on scalars, tuples and structs with named fields"),
            Pat::Rest(_) => Diagnostic::new(src, "`..` stands inside a tuple or struct pattern")
                .help("write `_` for a whole value"),
            _ => Diagnostic::new(src, "this pattern is not part of the language")
                .help("use names, `_`, literals, ranges, tuples and structs"),
        })
    }
}

/// `None` when the bound is there and bad.
#[expect(clippy::option_option, reason = "an absent bound is not a bad one")]
fn transposed<T>(bound: Option<Option<T>>) -> Option<Option<T>> {
    match bound {
        Some(None) => None,
        Some(Some(value)) => Some(Some(value)),
        None => Some(None),
    }
}

fn long_path(src: SrcSpan, path: &syn::Path) -> Diagnostic {
    let last = &path.segments[path.segments.len() - 1].ident;
    Diagnostic::new(src, "constants from outside the block are not known in it")
        .note("the compiler sees only the tokens of this block")
        .help(format!(
            "write the number, or declare `const {last}` in the block"
        ))
}

/// `a::P { … }`, in a pattern or an expression.
pub(super) fn long_struct_name(src: SrcSpan) -> Diagnostic {
    Diagnostic::new(src, "structs have single names here")
        .help("declare the struct in the block and use its name")
}
