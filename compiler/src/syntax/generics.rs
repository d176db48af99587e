//! Type parameters and their bounds.

use super::ir::{Bound, Generic};
use super::reader::{Reader, name};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use syn::punctuated::Punctuated;
use syn::{GenericParam, PathArguments, Token, TypeParamBound, WherePredicate};

type Bounds = Punctuated<TypeParamBound, Token![+]>;

impl Reader {
    /// `<T: Num, U>`, with its `where` clause.
    pub fn generics(&mut self, generics: &syn::Generics) -> Vec<Generic> {
        let mut found: Vec<Generic> = generics
            .params
            .iter()
            .filter_map(|param| self.generic(param))
            .collect();
        for predicate in generics
            .where_clause
            .iter()
            .flat_map(|clause| &clause.predicates)
        {
            self.predicate(predicate, &mut found);
        }
        found
    }

    fn generic(&mut self, param: &GenericParam) -> Option<Generic> {
        let diagnostic = match param {
            GenericParam::Type(param) => {
                self.plain(&param.attrs);
                if let Some((eq, _)) = &param.default {
                    self.errors.push(
                        Diagnostic::new(
                            SrcSpan::token(eq.span),
                            "type parameters have no defaults",
                        )
                        .help("name the types of an exported function: `#[instances(f32)]`"),
                    );
                }
                return Some(Generic {
                    name: name(&param.ident),
                    bound: self.param_bound(&param.bounds),
                });
            }
            GenericParam::Lifetime(param) => {
                Diagnostic::new(SrcSpan::of(param), "there are no lifetimes in the language")
                    .note("arguments are borrowed by the compiler for the time of the call")
                    .help("remove it")
            }
            GenericParam::Const(param) => {
                Diagnostic::new(SrcSpan::of(param), "sizes are not type parameters")
                    .note("a name in an array type is a size, known when the function is called")
                    .help(format!("remove it and write `[T; {}]`", param.ident))
            }
        };
        self.errors.push(diagnostic);
        None
    }

    fn param_bound(&mut self, bounds: &Bounds) -> Bound {
        let mut found = Bound::Any;
        for (at, bound) in bounds.iter().enumerate() {
            match named_bound(bound) {
                Some(bound) if at == 0 => found = bound,
                Some(_) => self.errors.push(
                    Diagnostic::new(SrcSpan::of(bounds), "a type parameter has one bound")
                        .note("`Int` and `Float` have all that `Num` has")
                        .help("keep the narrower one"),
                ),
                None => self.errors.push(unknown_bound(bound)),
            }
        }
        found
    }

    /// `where T: Num`
    fn predicate(&mut self, predicate: &WherePredicate, generics: &mut [Generic]) {
        if let WherePredicate::Type(predicate) = predicate
            && let syn::Type::Path(path) = &predicate.bounded_ty
            && let Some(ident) = path.path.get_ident()
            && let Some(generic) = generics
                .iter_mut()
                .find(|generic| generic.name.ident == *ident)
            && generic.bound == Bound::Any
        {
            generic.bound = self.param_bound(&predicate.bounds);
            return;
        }
        self.errors.push(
            Diagnostic::new(
                SrcSpan::of(predicate),
                "this `where` clause is not one of the language",
            )
            .help("write one bound at each type parameter: `<T: Num>`"),
        );
    }
}

fn named_bound(bound: &TypeParamBound) -> Option<Bound> {
    let TypeParamBound::Trait(bound) = bound else {
        return None;
    };
    if bound.maybe.is_some() || bound.lifetimes.is_some() {
        return None;
    }
    match bound.path.get_ident()?.to_string().as_str() {
        "Num" => Some(Bound::Num),
        "Int" => Some(Bound::Int),
        "Float" => Some(Bound::Float),
        _ => None,
    }
}

fn unknown_bound(bound: &TypeParamBound) -> Diagnostic {
    let src = SrcSpan::of(bound);
    if is_function(bound) {
        return Diagnostic::new(src, "functions are not type parameters here")
            .help("write it at the parameter: `f: impl Fn(f32) -> f32`");
    }
    Diagnostic::new(src, "this bound is not one of the language")
        .note("all values can be copied and stored; bounds say what can be computed with them")
        .help("the bounds are `Num` (integers and floats), `Int` and `Float`")
}

/// `Fn(A) -> B` and its like.
pub(super) fn is_function(bound: &TypeParamBound) -> bool {
    let TypeParamBound::Trait(bound) = bound else {
        return false;
    };
    let last = bound.path.segments.last();
    last.is_some_and(|last| matches!(last.arguments, PathArguments::Parenthesized(_)))
}
