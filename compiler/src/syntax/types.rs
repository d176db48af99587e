//! Types as written.

use super::ir::{Name, SizeSpec, Struct, Type, TypeKind};
use super::reader::{Reader, group, name, spelled};
use crate::ids::StructId;
use crate::prims::{Scalar, component};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::{GenericArgument, PathArguments, PathSegment};

impl Reader {
    /// A type of a value.
    pub fn ty(&mut self, ty: &syn::Type) -> Type {
        match ty {
            syn::Type::Path(path) => self.named_type(path),
            syn::Type::Slice(slice) => Type {
                kind: TypeKind::Array(Box::new(self.ty(&slice.elem)), SizeSpec::Own),
                src: group(slice.bracket_token.span),
            },
            syn::Type::Array(array) => {
                let elem = Box::new(self.ty(&array.elem));
                Type {
                    kind: TypeKind::Array(elem, self.size(&array.len)),
                    src: group(array.bracket_token.span),
                }
            }
            syn::Type::Tuple(tuple) => Type {
                kind: TypeKind::Tuple(tuple.elems.iter().map(|elem| self.ty(elem)).collect()),
                src: group(tuple.paren_token.span),
            },
            syn::Type::Infer(infer) => Type {
                kind: TypeKind::Infer,
                src: SrcSpan::token(infer.underscore_token.span),
            },
            syn::Type::Paren(paren) => self.ty(&paren.elem),
            syn::Type::Group(inner) => self.ty(&inner.elem),
            other => self.foreign_type(other),
        }
    }

    fn named_type(&mut self, ty: &syn::TypePath) -> Type {
        let segments = &ty.path.segments;
        let (None, None, 1) = (&ty.qself, &ty.path.leading_colon, segments.len()) else {
            return self.long_type_path(ty);
        };
        let segment = &segments[0];
        match &segment.arguments {
            PathArguments::None => Type {
                kind: TypeKind::Name(name(&segment.ident)),
                src: SrcSpan::token(segment.ident.span()),
            },
            _ => self.applied_type(segment),
        }
    }

    /// `Seq<A>`, `Complex<T>`, and what looks like it.
    fn applied_type(&mut self, segment: &PathSegment) -> Type {
        let src = SrcSpan::of(segment);
        let argument = match &segment.arguments {
            PathArguments::AngleBracketed(angled) => match (angled.args.first(), angled.args.len())
            {
                (Some(GenericArgument::Type(ty)), 1) => Some(ty),
                _ => None,
            },
            _ => None,
        };
        match argument {
            Some(ty) if segment.ident == "Complex" => Type {
                kind: TypeKind::Complex(Box::new(self.ty(ty))),
                src,
            },
            Some(ty) if segment.ident == "Seq" => Type {
                kind: TypeKind::Seq(Box::new(self.ty(ty))),
                src,
            },
            _ => self.unknown_applied_type(segment, src),
        }
    }

    fn unknown_applied_type(&mut self, segment: &PathSegment, src: SrcSpan) -> Type {
        let ident = &segment.ident;
        let diagnostic = if ident == "Vec" {
            Diagnostic::new(src, "`Vec<T>` is not a type of the language")
                .note("arrays are written the same way in arguments and results")
                .help("write `[T]`, or `[T; n]` with a name for the size")
        } else if ident == "Seq" {
            Diagnostic::new(src, "`Seq` takes one type").help("write `Seq<[f32; n]>`")
        } else if ident == "Complex" {
            Diagnostic::new(src, "`Complex` takes one type").help("write `Complex<f32>`")
        } else if ident == "Option" || ident == "Result" {
            Diagnostic::new(src, format!("`{ident}` is not a type of the language"))
                .note("the caller gets a `ragged::Result` from each exported function")
                .help("write the plain type; check conditions with `assert!`")
        } else {
            Diagnostic::new(
                src,
                format!("generic type `{ident}` is not part of the language"),
            )
            .help("use scalars, tuples, structs of the block and arrays `[T]`")
        };
        self.bad_type(diagnostic)
    }

    fn long_type_path(&mut self, ty: &syn::TypePath) -> Type {
        let src = SrcSpan::of(ty);
        let last = &ty.path.segments[ty.path.segments.len() - 1];
        let text = last.ident.to_string();
        let known = Scalar::by_name(&text).is_some() || ["Complex", "Seq"].contains(&text.as_str());
        if !known && !last.arguments.is_none() {
            return self.unknown_applied_type(last, src);
        }
        let remedy = match known {
            true => format!(
                "write `{}`",
                last.to_token_stream().to_string().replace(' ', "")
            ),
            false => format!(
                "declare the struct in the block, with `#[element({})]` in front if Rust has it",
                spelled(&ty.path)
            ),
        };
        self.bad_type(
            Diagnostic::new(src, "types are single names here")
                .note("the compiler sees only the tokens of this block")
                .help(remedy),
        )
    }

    fn foreign_type(&mut self, ty: &syn::Type) -> Type {
        let src = SrcSpan::of(ty);
        self.bad_type(match ty {
            syn::Type::Reference(reference) => reference_type(src, &reference.elem),
            syn::Type::ImplTrait(_) => Diagnostic::new(src, "`impl` stands at parameters only")
                .note("functions are not values: nothing returns or holds one")
                .help("write a parameter `f: impl Fn(f32) -> f32`, or a type parameter `T: Num`"),
            syn::Type::FnPtr(_) => Diagnostic::new(src, "function pointers are not values here")
                .help("write a parameter `f: impl Fn(f32) -> f32`"),
            syn::Type::TraitObject(_) => Diagnostic::new(src, "there are no trait objects here")
                .help("write `impl Fn(f32) -> f32` for a function, `T: Num` for a number"),
            syn::Type::Never(_) => Diagnostic::new(src, "the type `!` is not part of the language")
                .help("give the type of the value"),
            syn::Type::Ptr(_) => {
                Diagnostic::new(src, "there are no pointers here").help("write `[T]` for an array")
            }
            _ => Diagnostic::new(src, "this type is not part of the language")
                .help("use scalars, tuples, structs of the block and arrays `[T]`"),
        })
    }

    pub(super) fn bad_type(&mut self, diagnostic: Diagnostic) -> Type {
        let src = diagnostic.span;
        self.errors.push(diagnostic);
        Type {
            kind: TypeKind::Infer,
            src,
        }
    }

    fn size(&mut self, len: &syn::Expr) -> SizeSpec {
        match len {
            syn::Expr::Group(inner) => return self.size(&inner.expr),
            syn::Expr::Path(path) => {
                if let Some(ident) = path.path.get_ident() {
                    return SizeSpec::Named(name(ident));
                }
            }
            syn::Expr::Lit(lit) => {
                if let Some(spec) = self.known_size(&lit.lit) {
                    return spec;
                }
            }
            syn::Expr::Infer(_) => return SizeSpec::Own,
            _ => {}
        }
        self.errors.push(
            Diagnostic::new(SrcSpan::of(len), "a size in a type is a name or a number")
                .note("relations between sizes are found by the compiler, or checked at entry")
                .help("write `[T]`, or give this size a name of its own: `[T; m]`"),
        );
        SizeSpec::Own
    }

    fn known_size(&mut self, lit: &syn::Lit) -> Option<SizeSpec> {
        let syn::Lit::Int(int) = lit else {
            return None;
        };
        if !["", "usize"].contains(&int.suffix()) {
            return None;
        }
        let value = int.base10_parse().ok()?;
        Some(SizeSpec::Known(value, SrcSpan::token(int.span())))
    }
}

/// The structs of complex numbers.
pub(super) fn builtin() -> Vec<Struct> {
    (0..)
        .map_while(|id| component(StructId(id)))
        .map(complex)
        .collect()
}

fn complex(part: Scalar) -> Struct {
    let span = Span::call_site();
    let name = |text: String, ident: &str| Name {
        text,
        ident: Ident::new(ident, span),
    };
    let field = |text: &str| {
        let ty = Type {
            kind: TypeKind::Name(name(part.name().to_owned(), part.name())),
            src: SrcSpan::token(span),
        };
        (name(text.to_owned(), text), ty)
    };
    Struct {
        name: name(format!("Complex<{}>", part.name()), "Complex"),
        fields: vec![field("re"), field("im")],
        tokens: TokenStream::new(),
        derives: Vec::new(),
        outside: None,
        vis: TokenStream::new(),
        src: SrcSpan::token(span),
    }
}

fn reference_type(src: SrcSpan, elem: &syn::Type) -> Diagnostic {
    let diagnostic = Diagnostic::new(src, "types have no `&` here");
    let (why, help) = match elem {
        syn::Type::TraitObject(_) | syn::Type::ImplTrait(_) => (
            "functions are known while compiling",
            "write `f: impl Fn(f32) -> f32`",
        ),
        syn::Type::Slice(_) | syn::Type::Array(_) => (
            "arguments are borrowed by the compiler, and values are never changed",
            "write `[T]`: the caller passes `&[T]`",
        ),
        _ => (
            "arguments are borrowed by the compiler, and values are never changed",
            "remove the `&`",
        ),
    };
    diagnostic.note(why).help(help)
}
