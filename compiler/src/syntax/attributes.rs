//! Attributes: which are accepted where.

use super::ir::Type;
use super::reader::Reader;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Expr};

/// Contracts and other function attributes that are not built yet.
const PLANNED: [&str; 7] = [
    "fused", "regular", "space", "work", "foreign", "export_c", "element",
];

/// What a function's attributes say.
#[derive(Default)]
pub(super) struct FunctionAttributes {
    /// `#[doc]` attributes as written.
    pub docs: TokenStream,
    /// Types of `#[instances(…)]`, one list per instance.
    pub instances: Vec<Vec<Type>>,
    /// The `#[instances(…)]` attribute.
    pub instances_src: Option<SrcSpan>,
    /// Whether `#[fast]` is among them.
    pub fast: bool,
}

impl Reader {
    /// Attributes of a function.
    pub fn function_attributes(&mut self, attrs: &[Attribute]) -> FunctionAttributes {
        let mut found = FunctionAttributes::default();
        for attr in attrs {
            if attr.path().is_ident("doc") {
                attr.to_tokens(&mut found.docs);
            } else if attr.path().is_ident("instances") {
                found.instances_src = Some(SrcSpan::of(attr));
                self.instances(attr, &mut found.instances);
            } else if attr.path().is_ident("fast") {
                found.fast = true;
                self.without_arguments(attr);
            } else {
                self.refuse(
                    attr,
                    "functions take `///` docs, `#[fast]` and `#[instances(…)]`",
                );
            }
        }
        found
    }

    /// Attributes of a parameter, statement, expression …: none.
    pub fn plain(&mut self, attrs: &[Attribute]) {
        for attr in attrs {
            self.refuse(attr, "attributes go on functions and structs");
        }
    }

    /// Attributes of a `const`: docs.
    pub fn docs_only(&mut self, attrs: &[Attribute]) {
        for attr in attrs {
            if !attr.path().is_ident("doc") {
                self.refuse(attr, "constants take `///` docs");
            }
        }
    }

    /// Attributes of a struct or its fields: they are emitted with it. The result is what it
    /// derives.
    pub fn struct_attributes(&mut self, attrs: &[Attribute]) -> Vec<String> {
        let mut derives = Vec::new();
        for attr in attrs {
            if attr.path().is_ident("derive") {
                self.derives(attr, &mut derives);
            } else if is_planned(attr) || is_conditional(attr) || is_of_functions(attr) {
                self.refuse(attr, "structs take `///` docs and `#[derive(…)]`");
            }
        }
        derives
    }

    fn derives(&mut self, attr: &Attribute, derives: &mut Vec<String>) {
        let found = attr.parse_nested_meta(|meta| {
            derives.extend(meta.path.segments.last().map(|last| last.ident.to_string()));
            Ok(())
        });
        if found.is_err() {
            self.errors.push(
                Diagnostic::new(SrcSpan::of(attr), "`#[derive]` lists traits")
                    .help("write `#[derive(Clone, Copy)]`"),
            );
        }
    }

    fn instances(&mut self, attr: &Attribute, instances: &mut Vec<Vec<Type>>) {
        type Types = syn::punctuated::Punctuated<syn::Type, syn::Token![,]>;
        let Ok(types) = attr.parse_args_with(Types::parse_terminated) else {
            self.errors.push(
                Diagnostic::new(SrcSpan::of(attr), "`#[instances]` lists types")
                    .help("write `#[instances(f32, f64)]`"),
            );
            return;
        };
        for ty in &types {
            instances.push(match ty {
                syn::Type::Tuple(tuple) => tuple.elems.iter().map(|ty| self.ty(ty)).collect(),
                ty => vec![self.ty(ty)],
            });
        }
    }

    /// `#[fast]` says all by itself.
    fn without_arguments(&mut self, attr: &Attribute) {
        if attr.meta.require_path_only().is_err() {
            self.errors.push(
                Diagnostic::new(SrcSpan::of(attr), "`#[fast]` takes no arguments")
                    .note("what it allows is the same for each function: see the manual")
                    .help("write `#[fast]`"),
            );
        }
    }

    fn refuse(&mut self, attr: &Attribute, accepted: &str) {
        let src = SrcSpan::of(attr);
        let path = attr.path().to_token_stream().to_string();
        let diagnostic = if is_planned(attr) {
            Diagnostic::unsupported(src, format!("`#[{path}]`")).help("remove it for now")
        } else if is_conditional(attr) {
            Diagnostic::new(src, format!("`#[{path}]` does not work inside the block"))
                .note("the compiler sees all items of the block, in every configuration")
                .help("put it on the whole block")
        } else if is_of_functions(attr) {
            Diagnostic::new(src, format!("`#[{path}]` is for functions"))
                .help(format!("put it in front of the `fn`; {accepted}"))
        } else if path == "doc" {
            Diagnostic::new(src, "there is nothing to document here").help("write a comment: `//`")
        } else {
            Diagnostic::new(src, format!("attribute `{path}` is not accepted here"))
                .help(format!("remove it; {accepted}"))
        };
        self.errors.push(diagnostic);
    }
}

fn is_planned(attr: &Attribute) -> bool {
    PLANNED.iter().any(|name| attr.path().is_ident(name))
}

/// What a Rust programmer may try on more than functions.
fn is_of_functions(attr: &Attribute) -> bool {
    attr.path().is_ident("fast")
}

fn is_conditional(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr")
}

/// The attributes on an expression.
pub(super) fn of_expr(expr: &Expr) -> &[Attribute] {
    macro_rules! attrs {
        ($($kind:ident)*) => {
            match expr {
                $(Expr::$kind(expr) => &expr.attrs,)*
                _ => &[],
            }
        };
    }
    attrs! {
        Array Assign Async Await Binary Block Break Call Cast Closure Const Continue Field ForLoop
        Group If Index Infer Let Lit Loop Macro Match MethodCall Paren Path Range RawAddr Reference
        Repeat Return Struct Try TryBlock Tuple Unary Unsafe While Yield
    }
}
