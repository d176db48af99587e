//! Attributes: which are accepted where.

use super::ir::Type;
use super::reader::{Reader, spelled};
use crate::contracts::ir::{Bound, Contracts, Factor, Fused, Quantity};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Expr};

/// Function attributes that are not built yet.
const PLANNED: [&str; 2] = ["foreign", "export_c"];

/// What a Rust programmer may try on more than functions.
const OF_FUNCTIONS: [&str; 5] = ["fast", "fused", "regular", "work", "space"];

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
    /// What it must hold to.
    pub contracts: Contracts,
    /// `#[allow(unfused)]`
    pub unfused: Option<SrcSpan>,
}

/// What a struct's attributes say.
#[derive(Default)]
pub(super) struct StructAttributes {
    /// What it derives.
    pub derives: Vec<String>,
    /// The path of `#[element(…)]`.
    pub outside: Option<TokenStream>,
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
                self.without_arguments(attr, "what it allows is the same for each function");
            } else if attr.path().is_ident("fused") {
                found.contracts.fused = Some(Fused::Function(SrcSpan::of(attr)));
                self.without_arguments(attr, "it is about all arrays of the function");
            } else if attr.path().is_ident("regular") {
                found.contracts.regular = Some(SrcSpan::of(attr));
                self.without_arguments(attr, "it is about all arrays of the function");
            } else if attr.path().is_ident("work") {
                found
                    .contracts
                    .bounds
                    .extend(self.cost_bound(attr, Quantity::Work));
            } else if attr.path().is_ident("space") {
                found
                    .contracts
                    .bounds
                    .extend(self.cost_bound(attr, Quantity::Space));
            } else if allows_unfused(attr) {
                found.unfused = Some(SrcSpan::of(attr));
            } else {
                self.refuse(
                    attr,
                    "functions take `///` docs, `#[instances(…)]`, `#[fast]` and contracts: \
                     `#[fused]`, `#[regular]`, `#[work(…)]`, `#[space(…)]`",
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

    /// Attributes of a struct: they are emitted with it.
    pub fn struct_attributes(&mut self, attrs: &[Attribute]) -> StructAttributes {
        let mut found = StructAttributes::default();
        let (element, others): (Vec<_>, Vec<_>) = attrs.iter().partition(|it| is_element(it));
        match element.as_slice() {
            [] => {}
            [attr] => found.outside = self.element(attr),
            [_, again, ..] => self.errors.push(
                Diagnostic::new(SrcSpan::of(again), "a struct has one `#[element(…)]`")
                    .help("declare another struct of the block for the other"),
            ),
        }
        if !element.is_empty() {
            self.of_outside(others);
            return found;
        }
        for attr in others {
            if attr.path().is_ident("derive") {
                self.derives(attr, &mut found.derives);
            } else {
                self.of_block(attr);
            }
        }
        found
    }

    /// Attributes of a struct's field: they are emitted with it.
    pub fn field_attributes(&mut self, attrs: &[Attribute], outside: bool) {
        match outside {
            true => self.of_outside(attrs.iter().collect()),
            false => attrs.iter().for_each(|attr| self.of_block(attr)),
        }
    }

    fn of_block(&mut self, attr: &Attribute) {
        if is_planned(attr) || is_conditional(attr) || is_of_functions(attr) {
            self.refuse(attr, "structs take `///` docs and `#[derive(…)]`");
        }
    }

    /// Nothing is emitted for such a struct, so an attribute would do nothing.
    fn of_outside(&mut self, attrs: Vec<&Attribute>) {
        for attr in attrs.into_iter().filter(|it| !it.path().is_ident("doc")) {
            let path = attr.path().to_token_stream();
            self.errors.push(
                Diagnostic::new(
                    SrcSpan::of(attr),
                    format!("`#[{path}]` does nothing on a struct from outside"),
                )
                .note("`#[element(…)]` only tells the block about a struct that Rust has already")
                .help("remove it here; the attributes at the struct's own declaration count"),
            );
        }
    }

    /// The path of `#[element(path)]`.
    fn element(&mut self, attr: &Attribute) -> Option<TokenStream> {
        match attr.parse_args::<syn::Path>() {
            Ok(path) => Some(in_expressions(path).into_token_stream()),
            Err(_) => {
                self.errors.push(
                    Diagnostic::new(SrcSpan::of(attr), "`#[element]` names a Rust struct")
                        .help("write its path: `#[element(crate::Particle)]`"),
                );
                None
            }
        }
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

    /// `#[work(n * m)]`
    fn cost_bound(&mut self, attr: &Attribute, of: Quantity) -> Option<Bound> {
        let src = SrcSpan::of(attr);
        let terms = match &attr.meta {
            syn::Meta::List(list) => products(list.tokens.clone()),
            syn::Meta::Path(_) | syn::Meta::NameValue(_) => None,
        };
        if terms.is_none() {
            self.errors.push(
                Diagnostic::new(src, format!("`#[{of}]` takes a bound"))
                    .note("that is a sum of products of the signature's sizes, as EXPLAIN shows it")
                    .help(format!("write `#[{of}(n * m)]`")),
            );
        }
        Some(Bound {
            of,
            terms: terms?,
            src,
        })
    }

    /// `#[fast]` says all by itself.
    fn without_arguments(&mut self, attr: &Attribute, why: &str) {
        if attr.meta.require_path_only().is_err() {
            let path = spelled(attr.path());
            self.errors.push(
                Diagnostic::new(SrcSpan::of(attr), format!("`#[{path}]` takes no arguments"))
                    .note(format!("{why}: see the manual"))
                    .help(format!("write `#[{path}]`")),
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

/// The factors of each product of a sum, numbers left out.
fn products(tokens: TokenStream) -> Option<Vec<Vec<Factor>>> {
    let mut terms = vec![Vec::new()];
    let (mut name, mut below) = (String::new(), false);
    for tree in tokens {
        let operator = match &tree {
            TokenTree::Punct(punct) if matches!(punct.as_char(), '+' | '*' | '/') => {
                punct.as_char()
            }
            _part => {
                name += &tree.to_string().split_whitespace().collect::<String>();
                continue;
            }
        };
        terms.last_mut()?.extend(factor(&mut name, below)?);
        below = operator == '/';
        if operator == '+' {
            terms.push(Vec::new());
        }
    }
    terms.last_mut()?.extend(factor(&mut name, below)?);
    Some(terms)
}

/// What `name` is, a number being none; `None` where something is missing.
fn factor(name: &mut String, below: bool) -> Option<Option<Factor>> {
    let name = std::mem::take(name);
    match name.parse::<u64>() {
        Ok(_) => Some(None),
        Err(_) => (!name.is_empty()).then_some(Some(Factor { name, below })),
    }
}

fn is_of_functions(attr: &Attribute) -> bool {
    OF_FUNCTIONS.iter().any(|name| attr.path().is_ident(name))
}

/// `#[allow(unfused)]`, where the block denies it.
fn allows_unfused(attr: &Attribute) -> bool {
    let lint = attr.parse_args::<syn::Path>();
    attr.path().is_ident("allow") && lint.is_ok_and(|lint| lint.is_ident("unfused"))
}

/// `a::B::<T>` for `a::B<T>`, which stands in types only.
fn in_expressions(mut path: syn::Path) -> syn::Path {
    for segment in &mut path.segments {
        if let syn::PathArguments::AngleBracketed(types) = &mut segment.arguments {
            types.colon2_token.get_or_insert_default();
        }
    }
    path
}

fn is_element(attr: &Attribute) -> bool {
    attr.path().is_ident("element")
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
