//! Functions: signature and body.

use super::control::drop_tail_return;
use super::ir::{Bound, Export, Function, Generic, Param, ParamType, Type};
use super::reader::{Reader, group, name};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{FnArg, GenericParam, PathArguments, ReturnType, TypeParamBound, Visibility};

impl Reader {
    /// A function of the block.
    pub fn function(&mut self, item: &syn::ItemFn, tokens: TokenStream) -> Function {
        let sig = &item.sig;
        let attributes = self.function_attributes(&item.attrs);
        let generics = self.generics(&sig.generics);
        let params = sig
            .inputs
            .iter()
            .filter_map(|arg| self.param(arg))
            .collect();
        let ret = match &sig.output {
            ReturnType::Default => None,
            ReturnType::Type(_, ty) => Some(self.ty(ty)),
        };
        let close = group(sig.paren_token.span);
        let src =
            SrcSpan::token(sig.fn_token.span).to(ret.as_ref().map_or(close, |ret: &Type| ret.src));
        let mut body = self.braced(&item.block);
        drop_tail_return(&mut body);
        let export = match &item.vis {
            Visibility::Inherited => None,
            vis => Some(Export {
                vis: vis.to_token_stream(),
                docs: attributes.docs,
                instances: attributes.instances,
            }),
        };
        Function {
            name: name(&sig.ident),
            export,
            generics,
            params,
            ret,
            body,
            src,
            tokens,
        }
    }

    fn generics(&mut self, generics: &syn::Generics) -> Vec<Generic> {
        generics
            .params
            .iter()
            .filter_map(|param| match param {
                GenericParam::Type(param) => Some(Generic {
                    name: name(&param.ident),
                    bound: self.bounds(&param.bounds),
                }),
                _ => None,
            })
            .collect()
    }

    fn bounds(
        &mut self,
        bounds: &syn::punctuated::Punctuated<TypeParamBound, syn::Token![+]>,
    ) -> Bound {
        let Some(TypeParamBound::Trait(bound)) = bounds.first() else {
            return Bound::Any;
        };
        match bound.path.get_ident().map(ToString::to_string).as_deref() {
            Some("Num") => Bound::Num,
            Some("Int") => Bound::Int,
            Some("Float") => Bound::Float,
            _ => Bound::Any,
        }
    }

    fn param(&mut self, arg: &FnArg) -> Option<Param> {
        let FnArg::Typed(arg) = arg else {
            return None;
        };
        let pattern = self.pattern(&arg.pat);
        let (ty, last) = match &*arg.ty {
            syn::Type::ImplTrait(ty) => (self.function_type(ty)?, SrcSpan::of(ty)),
            ty => {
                let ty = self.ty(ty);
                let src = ty.src;
                (ParamType::Value(ty), src)
            }
        };
        Some(Param {
            src: pattern.src.to(last),
            pattern,
            ty,
        })
    }

    fn function_type(&mut self, ty: &syn::TypeImplTrait) -> Option<ParamType> {
        let Some(TypeParamBound::Trait(bound)) = ty.bounds.first() else {
            return None;
        };
        let segment = bound.path.segments.last()?;
        let PathArguments::Parenthesized(signature) = &segment.arguments else {
            return None;
        };
        let ReturnType::Type(_, ret) = &signature.output else {
            return None;
        };
        let args = signature
            .inputs
            .iter()
            .map(|arg| self.ty(&arg.ty))
            .collect();
        Some(ParamType::Fn {
            args,
            ret: self.ty(ret),
        })
    }
}
