//! Functions: signature and body.

use super::attributes::FunctionAttributes;
use super::generics::is_function;
use super::ir::{
    Export, Function, Generic, Param, ParamType, Pattern, PatternKind, SizeSpec, Type, TypeKind,
};
use super::reader::{Reader, group, name};
use super::returns::returns_to_values;
use crate::prims::Scalar;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{FnArg, ItemFn, PathArguments, ReturnType, Signature, TypeParamBound, Visibility};

impl Reader {
    /// A function of the block.
    pub fn function(&mut self, item: &ItemFn, tokens: TokenStream) -> Function {
        let sig = &item.sig;
        let attributes = self.function_attributes(&item.attrs);
        self.modifiers(sig);
        let generics = self.generics(&sig.generics);
        let params: Vec<Param> = sig
            .inputs
            .iter()
            .filter_map(|arg| self.param(arg))
            .collect();
        let ret = match &sig.output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => Some(self.ty(ty)),
        };
        let close = group(sig.paren_token.span);
        let last = ret.as_ref().map_or(close, |ret: &Type| ret.src);
        let fast = attributes.fast;
        let export = self.export(item, attributes, &generics);
        self.numbers.clear();
        self.numbers.extend(numbers(&params));
        let mut body = self.braced(&item.block);
        returns_to_values(&mut body);
        Function {
            name: name(&sig.ident),
            fast,
            export,
            generics,
            params,
            ret,
            body,
            src: SrcSpan::token(sig.fn_token.span).to(last),
            tokens,
        }
    }

    fn modifiers(&mut self, sig: &Signature) {
        let mut refuse = |tokens: &dyn ToTokens, why: &str, remedy: &str| {
            let tokens = tokens.to_token_stream();
            let title = format!("functions have no `{tokens}` here");
            self.errors.push(
                Diagnostic::new(SrcSpan::of(&tokens), title)
                    .note(why)
                    .help(remedy),
            );
        };
        if let Some(token) = &sig.constness {
            refuse(
                token,
                "what is constant is computed early anyway",
                "remove it",
            );
        }
        if let Some(token) = &sig.asyncness {
            refuse(
                token,
                "a call returns when its results are there",
                "remove it",
            );
        }
        if let syn::Safety::Unsafe(token) = &sig.safety {
            refuse(
                token,
                "there is nothing unsafe in the language",
                "remove it",
            );
        }
        if let Some(abi) = &sig.abi {
            refuse(
                &abi.extern_token,
                "functions are called from Rust",
                "remove it",
            );
        }
        if let Some(variadic) = &sig.variadic {
            refuse(
                variadic,
                "each parameter has a name and a type",
                "take an array",
            );
        }
    }

    fn export(
        &mut self,
        item: &ItemFn,
        attributes: FunctionAttributes,
        generics: &[Generic],
    ) -> Option<Export> {
        self.instance_counts(&item.sig, &attributes, generics, &item.vis);
        match &item.vis {
            Visibility::Inherited => {
                self.private_contracts(&item.sig.ident, &attributes);
                None
            }
            vis => Some(Export {
                vis: vis.to_token_stream(),
                docs: attributes.docs,
                instances: attributes.instances,
                contracts: attributes.contracts,
                unfused: attributes.unfused.is_some(),
            }),
        }
    }

    /// Contracts are proven where code is made, which is for exported functions.
    fn private_contracts(&mut self, name: &Ident, attributes: &FunctionAttributes) {
        let allowed = attributes.unfused.into_iter();
        for src in attributes.contracts.attributes().chain(allowed) {
            self.errors.push(
                Diagnostic::new(src, "contracts are for exported functions")
                    .note(format!(
                        "`{name}` is compiled as a part of those that call it"
                    ))
                    .help("put it on the `pub fn` that calls it"),
            );
        }
    }

    /// `#[instances(…)]` is on exported generic functions, and gives each type parameter a type.
    fn instance_counts(
        &mut self,
        sig: &Signature,
        attributes: &FunctionAttributes,
        generics: &[Generic],
        vis: &Visibility,
    ) {
        let private = matches!(vis, Visibility::Inherited);
        let Some(src) = attributes.instances_src else {
            if !private && !generics.is_empty() {
                self.errors.push(
                    Diagnostic::new(
                        SrcSpan::of(&sig.generics),
                        format!("`{}` is exported, so its types must be known", sig.ident),
                    )
                    .note("Rust code calls one compiled function per type")
                    .help("put `#[instances(f32, f64)]` in front, or remove the `pub`"),
                );
            }
            return;
        };
        let count = generics.len();
        let diagnostic = if count == 0 {
            Diagnostic::new(src, format!("`{}` has no type parameters", sig.ident))
                .help("remove `#[instances(…)]`, or write `T: Num` between `<` and `>`")
        } else if private {
            Diagnostic::new(src, "`#[instances]` is for exported functions")
                .note("a private generic function is compiled for the types that it is called with")
                .help("remove it, or write `pub`")
        } else if attributes
            .instances
            .iter()
            .any(|types| types.len() != count)
        {
            wrong_instance(src, &sig.ident, count)
        } else {
            return;
        };
        self.errors.push(diagnostic);
    }

    fn param(&mut self, arg: &FnArg) -> Option<Param> {
        let arg = match arg {
            FnArg::Typed(arg) => arg,
            FnArg::Receiver(receiver) => {
                self.errors.push(
                    Diagnostic::new(SrcSpan::of(receiver), "functions of a block have no `self`")
                        .help("give the parameter a name and a type: `p: Point`"),
                );
                return None;
            }
        };
        self.plain(&arg.attrs);
        let pattern = self.pattern(&arg.pat);
        let (ty, last) = self.param_type(&arg.ty);
        Some(Param {
            src: pattern.src.to(last),
            pattern,
            ty,
        })
    }

    fn param_type(&mut self, ty: &syn::Type) -> (ParamType, SrcSpan) {
        if let syn::Type::ImplTrait(ty) = ty {
            let src = SrcSpan::of(ty);
            return (self.function_type(ty, src), src);
        }
        let ty = self.ty(ty);
        let src = ty.src;
        (ParamType::Value(ty), src)
    }

    /// `impl Fn(A, B) -> C`
    fn function_type(&mut self, ty: &syn::TypeImplTrait, src: SrcSpan) -> ParamType {
        let bad = |reader: &mut Reader, diagnostic| ParamType::Value(reader.bad_type(diagnostic));
        let Some(first @ TypeParamBound::Trait(bound)) = ty.bounds.first() else {
            return bad(self, not_a_function_type(src));
        };
        if ty.bounds.len() > 1 && is_function(first) {
            return bad(
                self,
                Diagnostic::new(src, "a function parameter has one bound")
                    .note("every function may be called by all threads")
                    .help("write `impl Fn(…) -> …` alone"),
            );
        }
        let (Some(segment), 1, None) = (
            bound.path.segments.last(),
            bound.path.segments.len(),
            &bound.lifetimes,
        ) else {
            return bad(self, not_a_function_type(src));
        };
        let PathArguments::Parenthesized(signature) = &segment.arguments else {
            return bad(self, not_a_function_type(src));
        };
        if segment.ident != "Fn" {
            return bad(
                self,
                Diagnostic::new(
                    src,
                    format!("`{}` is not a bound of the language", segment.ident),
                )
                .note("functions change nothing outside themselves")
                .help("write `impl Fn(…) -> …`"),
            );
        }
        let ReturnType::Type(_, ret) = &signature.output else {
            return bad(
                self,
                Diagnostic::new(src, "a function parameter needs a result type")
                    .help("write `impl Fn(f32) -> f32`"),
            );
        };
        let args = signature
            .inputs
            .iter()
            .map(|arg| self.ty(&arg.ty))
            .collect();
        ParamType::Fn {
            args,
            ret: self.ty(ret),
        }
    }
}

fn wrong_instance(src: SrcSpan, function: &Ident, count: usize) -> Diagnostic {
    if count == 1 {
        return Diagnostic::new(src, format!("each instance of `{function}` is one type"))
            .help("write `#[instances(f32, f64)]`");
    }
    let types = vec!["f32"; count].join(", ");
    Diagnostic::new(
        src,
        format!("each instance of `{function}` is {count} types"),
    )
    .help(format!(
        "write a tuple per instance: `#[instances(({types}))]`"
    ))
}

fn not_a_function_type(src: SrcSpan) -> Diagnostic {
    Diagnostic::new(src, "`impl` stands in front of a function type only")
        .help("write `f: impl Fn(f32) -> f32`, or a type parameter: `fn f<T: Num>(x: T)`")
}

/// Names that are numbers: sizes, and parameters of scalar type.
fn numbers(params: &[Param]) -> Vec<String> {
    let mut found = Vec::new();
    for param in params {
        if let ParamType::Value(ty) = &param.ty {
            sizes(ty, &mut found);
            found.extend(scalar_parameter(&param.pattern, ty));
        }
    }
    found
}

fn scalar_parameter(pattern: &Pattern, ty: &Type) -> Option<String> {
    match (&pattern.kind, &ty.kind) {
        (PatternKind::Bind { name, .. }, TypeKind::Name(ty)) => {
            Scalar::by_name(&ty.text).map(|_| name.text.clone())
        }
        _ => None,
    }
}

fn sizes(ty: &Type, found: &mut Vec<String>) {
    match &ty.kind {
        TypeKind::Array(elem, size) => {
            if let SizeSpec::Named(name) = size {
                found.push(name.text.clone());
            }
            sizes(elem, found);
        }
        TypeKind::Tuple(elems) => elems.iter().for_each(|elem| sizes(elem, found)),
        TypeKind::Seq(item) => sizes(item, found),
        TypeKind::Name(_) | TypeKind::Infer | TypeKind::Complex(_) => {}
    }
}
