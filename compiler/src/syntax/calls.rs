//! Names, calls and closures.

use super::imports::is_rusts_own;
use super::ir::{Block, Call, Expr, ExprKind, Name, Pattern, PatternKind, Stmt, Type};
use super::reader::{Reader, group, name};
use super::returns::returns_to_values;
use crate::prims::Scalar;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use proc_macro2::Ident;
use quote::quote;
use syn::{AngleBracketedGenericArguments, GenericArgument, PathArguments, ReturnType};

/// A path that is called or used as a value.
struct Callee {
    qualifier: Option<Name>,
    name: Name,
    turbofish: Vec<Type>,
    src: SrcSpan,
}

impl Reader {
    /// `x`, `f32::MAX`
    pub fn path(&mut self, e: &syn::ExprPath) -> Expr {
        let callee = match self.callee(e) {
            Ok(callee) => callee,
            Err(diagnostic) => return self.reject(diagnostic),
        };
        if !callee.turbofish.is_empty() {
            return self.reject(
                Diagnostic::new(callee.src, "types are given where a function is called")
                    .help("write a closure: `|x| f::<f32>(x)`"),
            );
        }
        Expr {
            kind: ExprKind::Path(callee.qualifier, callee.name),
            src: callee.src,
        }
    }

    /// `f(x)`, `f32::max(a, b)`
    pub fn call(&mut self, e: &syn::ExprCall) -> Expr {
        let close = group(e.paren_token.span);
        let callee = match called_path(&e.func) {
            Some(path) => self.callee(path),
            None => Err(called_value(&e.func)),
        };
        let args = e.args.iter().map(|arg| self.expr(arg)).collect();
        match callee {
            Err(diagnostic) => self.reject(diagnostic),
            Ok(callee) => Expr {
                src: callee.src.to(close),
                kind: ExprKind::Call(Call {
                    name: callee.name,
                    qualifier: callee.qualifier,
                    turbofish: callee.turbofish,
                    args,
                    method: false,
                }),
            },
        }
    }

    /// `x.f(y)`
    pub fn method_call(&mut self, e: &syn::ExprMethodCall) -> Expr {
        let receiver = self.expr(&e.receiver);
        let src = receiver.src.to(group(e.paren_token.span));
        let turbofish = match &e.turbofish {
            Some(angled) => self.turbofish(angled),
            None => Vec::new(),
        };
        let mut args = vec![receiver];
        args.extend(e.args.iter().map(|arg| self.expr(arg)));
        Expr {
            kind: ExprKind::Call(Call {
                name: name(&e.method),
                qualifier: None,
                turbofish,
                args,
                method: true,
            }),
            src,
        }
    }

    fn callee(&mut self, e: &syn::ExprPath) -> Result<Callee, Diagnostic> {
        let segments = &e.path.segments;
        let (qualifier, last) = match (segments.len(), &e.qself, &e.path.leading_colon) {
            (1, None, None) => (None, &segments[0]),
            (2, None, None) if is_type(&segments[0]) => (Some(&segments[0].ident), &segments[1]),
            _ => {
                let (first, last) = (&segments[0], &segments[segments.len() - 1]);
                return Err(long_path(SrcSpan::of(e), &first.ident, &last.ident));
            }
        };
        let ident = SrcSpan::token(last.ident.span());
        let mut src = qualifier.map_or(ident, |first| SrcSpan::token(first.span()).to(ident));
        let mut turbofish = Vec::new();
        if let PathArguments::AngleBracketed(angled) = &last.arguments {
            src = src.to(SrcSpan::token(angled.gt_token.span));
            turbofish = self.turbofish(angled);
        }
        Ok(Callee {
            qualifier: qualifier.map(name),
            name: name(&last.ident),
            turbofish,
            src,
        })
    }

    fn turbofish(&mut self, angled: &AngleBracketedGenericArguments) -> Vec<Type> {
        let mut types = Vec::new();
        for argument in &angled.args {
            match argument {
                GenericArgument::Type(ty) => types.push(self.ty(ty)),
                other => self.errors.push(
                    Diagnostic::new(SrcSpan::of(other), "only types stand between `::<` and `>`")
                        .help("sizes are found from the arguments"),
                ),
            }
        }
        types
    }

    /// `|p, q| e`
    pub fn closure(&mut self, e: &syn::ExprClosure) -> Expr {
        let first = SrcSpan::token(e.inputs_begin.span);
        let (lifetimes, constness, asyncness) = (&e.lifetimes, &e.constness, &e.asyncness);
        let modifiers = quote!(#lifetimes #constness #asyncness);
        if !modifiers.is_empty() {
            self.errors.push(
                Diagnostic::new(
                    SrcSpan::of(&modifiers),
                    "closures have no `async`, `const` or `for<…>` here",
                )
                .help("write `|x| …`"),
            );
        }
        let params: Vec<Pattern> = e.inputs.iter().map(|pat| self.pattern(pat)).collect();
        let mut body = self.expr(&e.body);
        returns_to_values(&mut body);
        if let ReturnType::Type(_, ty) = &e.output {
            let ty = self.ty(ty);
            body = ascribed(body, ty);
        }
        Expr {
            src: first.to(body.src),
            kind: ExprKind::Closure(params, Box::new(body)),
        }
    }
}

/// `|x| -> T { e }` is `|x| { let result: T = { e }; result }`: nothing of the user's stands in the
/// scope of that name.
fn ascribed(body: Expr, ty: Type) -> Expr {
    let src = body.src;
    let result = name(&Ident::new("result", src.first));
    let pattern = Pattern {
        kind: PatternKind::Bind {
            name: result.clone(),
            mutable: false,
            inner: None,
        },
        src,
    };
    let typed = Pattern {
        src: ty.src,
        kind: PatternKind::Typed(Box::new(pattern), Box::new(ty)),
    };
    let value = Expr {
        kind: ExprKind::Path(None, result),
        src,
    };
    Expr {
        kind: ExprKind::Block(Block {
            stmts: vec![Stmt::Let {
                pattern: typed,
                value: Some(body),
                src,
            }],
            value: Some(Box::new(value)),
        }),
        src,
    }
}

fn called_path(func: &syn::Expr) -> Option<&syn::ExprPath> {
    match func {
        syn::Expr::Path(path) => Some(path),
        syn::Expr::Paren(paren) => called_path(&paren.expr),
        syn::Expr::Group(inner) => called_path(&inner.expr),
        _ => None,
    }
}

/// Whether `T` of `T::f` can be a type: a scalar, a struct or a type parameter.
pub(super) fn is_type(segment: &syn::PathSegment) -> bool {
    let text = segment.ident.to_string();
    segment.arguments.is_none()
        && (Scalar::by_name(&text).is_some() || text.starts_with(char::is_uppercase))
}

fn long_path(src: SrcSpan, first: &Ident, last: &Ident) -> Diagnostic {
    if last.to_string().chars().all(|ch| !ch.is_lowercase()) {
        return Diagnostic::new(src, "constants from outside the block are not known in it")
            .note("the compiler sees only the tokens of this block")
            .help(match last.to_string().as_str() {
                "PI" | "TAU" | "E" => format!("write `f64::{last}` or `f32::{last}`"),
                _ => format!("declare `const {last}: f32 = …;` in the block, or take a parameter"),
            });
    }
    if is_rusts_own(first) {
        return Diagnostic::new(src, "functions of Rust's library cannot be called here")
            .note("the compiler sees only the tokens of this block")
            .help(format!(
                "if the manual lists `{last}`, it is called by that name alone; else write it as a function"
            ));
    }
    Diagnostic::new(src, "functions of other blocks are called by their names")
        .note("a path in an expression is a type and a name, as in `f32::MAX`")
        .help(format!(
            "put `use path::to::{last};` at the top of the block and write `{last}`"
        ))
}

fn called_value(func: &syn::Expr) -> Diagnostic {
    let src = SrcSpan::of(func);
    if is_field(func) {
        Diagnostic::new(src, "a field is not a function")
            .help("write an element of an array in brackets: `p.xs[i]`")
    } else {
        Diagnostic::new(src, "only a function with a name can be called")
            .help("write a `fn` beside this one and call it by its name")
    }
}

fn is_field(func: &syn::Expr) -> bool {
    match func {
        syn::Expr::Field(_) => true,
        syn::Expr::Paren(func) => is_field(&func.expr),
        _ => false,
    }
}
