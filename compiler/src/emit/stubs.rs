//! What a block expands to beside its error messages.
//!
//! In: the tokens of a block that does not compile, and as much of its tree as could be read. Out:
//! the user's tokens once, with their own spans, for editors only (completion and go-to-definition
//! keep working inside the block), and a stand-in for each struct and each exported function, so
//! that those who use them give no errors of their own.

use crate::emit::{at, ident};
use crate::hash::HashMap;
use crate::prims::Scalar;
use crate::syntax::ir::{Function, ParamType, Program, SizeSpec, Struct, Type, TypeKind, Unit};
use crate::syntax::split::{Kind, split};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use std::collections::BTreeSet;
use syn::ext::IdentExt;

/// The echo and the stand-ins.
pub fn with_echo(block: &TokenStream, program: &Program) -> TokenStream {
    let own = own_tokens(block);
    let stand_ins = stand_ins(program, &[]);
    if own.is_empty() {
        return stand_ins;
    }
    quote!(::ragged::__private::echo! { #own } #stand_ins)
}

/// The stand-ins. `imports` are names and paths that have not been followed: any of them may be a
/// struct.
pub fn stand_ins(program: &Program, imports: &[(Ident, TokenStream)]) -> TokenStream {
    let Some(unit) = program.units.last() else {
        return TokenStream::new();
    };
    let followed = unit.imports.iter().map(|unit| &program.units[*unit]);
    let followed = followed.filter_map(|unit| Some((unit.provides.as_ref()?, unit.path.as_ref()?)));
    let followed = followed.map(|(name, path)| (name.text.clone(), path));
    let imports = imports
        .iter()
        .map(|(name, path)| (name.unraw().to_string(), path));
    let types = Types::of(unit, followed.chain(imports));
    let structs = first_of_each(&unit.structs, |it| &it.name.text);
    let structs = structs.into_iter().filter(|it| it.outside.is_none());
    let mut taken: Vec<String> = structs.clone().map(|it| it.name.text.clone()).collect();
    let exported = unit.functions.iter().filter(|it| it.export.is_some());
    let exported = exported.map(|it| it.name.text.clone());
    let shared: BTreeSet<String> = taken.iter().cloned().chain(exported).collect();
    let sources = shared.iter().map(|name| broken_source(name));
    let structs = structs.map(|it| types.stand_in(it));
    let functions = first_of_each(&unit.functions, |it| &it.name.text)
        .into_iter()
        .map(|it| function(it, &types, &mut taken));
    quote!(#(#structs)* #(#functions)* #(#sources)*)
}

/// The block without the source of what it imports.
fn own_tokens(block: &TokenStream) -> TokenStream {
    let pieces = split(block.clone()).into_iter();
    let own = pieces.filter(|piece| !matches!(piece.kind, Kind::Unit));
    own.flat_map(|piece| piece.tokens).collect()
}

fn first_of_each<T>(items: &[T], name: impl Fn(&T) -> &str) -> Vec<&T> {
    let is_first = |at: usize| {
        items[..at]
            .iter()
            .all(|other| name(other) != name(&items[at]))
    };
    (0..items.len())
        .filter(|at| is_first(*at))
        .map(|at| &items[at])
        .collect()
}

/// A token of ours: the user's own appears in the echo only.
fn fresh(name: &str) -> Ident {
    ident(name, Span::call_site())
}

/// Nothing under a name that is taken: that is one of the mistakes.
fn function(function: &Function, types: &Types, taken: &mut Vec<String>) -> TokenStream {
    let Some(export) = &function.export else {
        return TokenStream::new();
    };
    let name = &function.name.text;
    let mut stand_in = |name: String, types: &Types| {
        if taken.contains(&name) {
            return TokenStream::new();
        }
        let item = instance(&name, function, types);
        taken.push(name);
        item
    };
    if function.generics.is_empty() {
        return stand_in(name.clone(), types);
    }
    let instances = export.instances.iter().map(|instance_types| {
        let suffixes: Vec<String> = instance_types.iter().map(suffix).collect();
        let names = function.generics.iter().map(|it| it.name.text.as_str());
        let types = types.with(names.zip(instance_types));
        stand_in(format!("{name}_{}", suffixes.join("_")), &types)
    });
    quote!(#(#instances)*)
}

fn instance(name: &str, function: &Function, types: &Types) -> TokenStream {
    let name = fresh(name);
    let params: Vec<TokenStream> = function
        .params
        .iter()
        .map(|param| match &param.ty {
            ParamType::Value(ty) => types.argument(ty).unwrap_or_else(anything),
            ParamType::Fn { .. } => anything(),
        })
        .collect();
    let known = match &function.ret {
        Some(ret) => types.value(ret),
        None => Some(quote!(())),
    };
    let out = function.ret.as_ref().and_then(|ret| types.out(ret));
    let out = out.unwrap_or_else(anything);
    // Where the result's type is not known, it is what the caller expects.
    let (generics, ret) = match known {
        Some(ret) => (TokenStream::new(), ret),
        None => (quote!(<Ret>), quote!(Ret)),
    };
    quote! {
        #[allow(warnings, clippy::all, clippy::pedantic, reason = "a stand-in")]
        pub fn #name #generics(#(_: #params),*) -> ::ragged::Result<#ret> {
            ::core::unreachable!("this `accel!` block does not compile")
        }
        #[allow(missing_docs, non_camel_case_types, reason = "a stand-in")]
        pub enum #name {}
        #[allow(warnings, clippy::all, clippy::pedantic, reason = "a stand-in")]
        impl #name {
            pub const EXPLAIN: &'static ::core::primitive::str = "";
            pub fn into(_: #out, #(_: #params),*) -> ::ragged::Result<()> {
                ::core::unreachable!("this `accel!` block does not compile")
            }
        }
    }
}

/// What a block that imports the function finds: it becomes stand-ins too, and stays silent.
fn broken_source(name: &str) -> TokenStream {
    let hidden = format_ident!("__ragged_source_{name}");
    let name = fresh(name);
    quote! {
        #[doc(hidden)]
        #[allow(unused_macros, reason = "for blocks that import it")]
        macro_rules! #hidden {
            (@ragged $visible:ident $path:tt { $($rest:tt)* }) => {
                ::ragged::accel! { @broken $visible $path $($rest)* }
            };
        }
        #[doc(hidden)]
        #[allow(unused_imports, reason = "for blocks that import it")]
        pub(crate) use #hidden as #name;
    }
}

/// The name of a type in an instance's name, as `typed` gives it.
fn suffix(ty: &Type) -> String {
    match &ty.kind {
        TypeKind::Name(name) => name.text.clone(),
        TypeKind::Tuple(fields) => {
            let fields: Vec<String> = fields.iter().map(suffix).collect();
            fields.join("_")
        }
        TypeKind::Array(elem, _) | TypeKind::Seq(elem) => suffix(elem),
        TypeKind::Complex(part) => format!("complex_{}", suffix(part)),
        TypeKind::Infer => String::new(),
    }
}

fn anything() -> TokenStream {
    quote!(impl ::core::marker::Sized)
}

/// Rust's types for the names that a block knows.
#[derive(Clone)]
struct Types(HashMap<String, TokenStream>);

impl Types {
    fn of<'a>(unit: &Unit, imports: impl Iterator<Item = (String, &'a TokenStream)>) -> Types {
        let scalars = Scalar::ALL.into_iter().map(|scalar| {
            let name = fresh(scalar.name());
            let ty = match scalar.is_half() {
                true => quote!(::ragged::__private::half::#name),
                false => quote!(::core::primitive::#name),
            };
            (scalar.name().to_owned(), ty)
        });
        let plain = unit.structs.iter().filter(|it| is_plain_struct(it, unit));
        let structs = plain.map(|it| {
            let name = fresh(&it.name.text);
            let path = it.outside.clone().map(|path| at(path, Span::call_site()));
            (it.name.text.clone(), path.unwrap_or_else(|| quote!(#name)))
        });
        let imports = imports.map(|(name, path)| (name, at(path.clone(), Span::call_site())));
        Types(scalars.chain(imports).chain(structs).collect())
    }

    /// With type parameters.
    fn with<'a>(&self, generics: impl Iterator<Item = (&'a str, &'a Type)>) -> Types {
        let mut types = self.clone();
        for (name, ty) in generics {
            if let Some(ty) = self.value(ty) {
                types.0.insert(name.to_owned(), ty);
            }
        }
        types
    }

    fn stand_in(&self, it: &Struct) -> TokenStream {
        let name = fresh(&it.name.text);
        let fields = it.fields.iter().map(|(name, ty)| {
            let (name, ty) = (fresh(&name.text), self.value(ty));
            let ty = ty.unwrap_or_else(|| quote!(()));
            quote!(pub #name: #ty)
        });
        let derives = it.derives.iter().filter_map(|name| derive(name));
        let plain = it.fields.iter().all(|(_, ty)| is_plain(ty));
        let missing = ["Clone", "Default", "Copy"]
            .into_iter()
            .filter(|name| plain || *name != "Copy")
            .filter(|name| !it.derives.iter().any(|own| own == name))
            .filter_map(derive);
        quote! {
            #[derive(#(#missing,)* #(#derives,)*)]
            #[allow(warnings, clippy::all, clippy::pedantic, reason = "a stand-in")]
            pub struct #name { #(#fields),* }
        }
    }

    fn argument(&self, ty: &Type) -> Option<TokenStream> {
        match &ty.kind {
            TypeKind::Array(elem, _) => {
                let (rank, elem) = axes(elem)?;
                let products = matches!(&elem.kind, TypeKind::Tuple(fields) if fields.len() > 1);
                let elem = self.value(elem)?;
                Some(match rank {
                    1 if products => quote!(impl ::ragged::AsProducts<#elem, 0>),
                    1 => quote!(impl ::ragged::AsArray<#elem>),
                    _ => quote!(impl ::ragged::AsDense<#elem, #rank>),
                })
            }
            TypeKind::Tuple(fields) => {
                let fields: Option<Vec<_>> = fields.iter().map(|it| self.argument(it)).collect();
                let fields = fields?;
                Some(quote!((#(#fields,)*)))
            }
            TypeKind::Name(_) | TypeKind::Complex(_) => self.value(ty),
            TypeKind::Infer | TypeKind::Seq(_) => None,
        }
    }

    fn out(&self, ty: &Type) -> Option<TokenStream> {
        match &ty.kind {
            TypeKind::Array(elem, _) => {
                let (rank, elem) = axes(elem)?;
                let elem = self.value(elem)?;
                let sized = quote!(::core::marker::Sized);
                Some(match rank {
                    1 => quote!(&mut (impl ::ragged::AsArrayOut<#elem> + ?#sized)),
                    _ => quote!(&mut (impl ::ragged::AsDenseOut<#elem, #rank> + ?#sized)),
                })
            }
            TypeKind::Tuple(fields) => {
                let fields: Option<Vec<_>> = fields.iter().map(|it| self.out(it)).collect();
                let fields = fields?;
                Some(quote!((#(#fields,)*)))
            }
            TypeKind::Name(_) | TypeKind::Complex(_) => self.value(ty).map(|ty| quote!(&mut #ty)),
            TypeKind::Infer | TypeKind::Seq(_) => None,
        }
    }

    fn value(&self, ty: &Type) -> Option<TokenStream> {
        match &ty.kind {
            TypeKind::Name(name) => self.0.get(&name.text).cloned(),
            TypeKind::Complex(part) => {
                let part = self.value(part)?;
                Some(quote!(::ragged::__private::num_complex::Complex<#part>))
            }
            TypeKind::Array(elem, _) => self.array(elem, &mut Vec::new()),
            // That arrays cannot hold it has been reported.
            TypeKind::Tuple(fields) if fields.len() > 12 => None,
            TypeKind::Tuple(fields) => {
                let fields: Option<Vec<_>> = fields.iter().map(|it| self.value(it)).collect();
                let fields = fields?;
                Some(quote!((#(#fields,)*)))
            }
            TypeKind::Seq(item) => {
                let item = self.value(item)?;
                Some(quote!(::std::vec::IntoIter<::ragged::Result<#item>>))
            }
            TypeKind::Infer => None,
        }
    }

    /// An array of `elem`, whose levels around that are in `inner`, all but the outermost.
    fn array<'t>(&self, elem: &'t Type, inner: &mut Vec<&'t SizeSpec>) -> Option<TokenStream> {
        match &elem.kind {
            TypeKind::Array(elem, size) => {
                inner.push(size);
                let ty = self.array(elem, inner);
                inner.pop();
                return ty;
            }
            // One array for each component.
            TypeKind::Tuple(fields) if !is_plain(elem) => {
                let fields = fields.iter().map(|it| self.array(it, inner));
                let fields = fields.collect::<Option<Vec<_>>>()?;
                return Some(quote!((#(#fields,)*)));
            }
            _scalar_or_product => {}
        }
        let (elem, rank) = (self.value(elem)?, inner.len() + 1);
        let rows = inner
            .iter()
            .filter(|it| matches!(it, SizeSpec::Own))
            .count();
        match rows {
            0 if rank == 1 => Some(quote!(::std::vec::Vec<#elem>)),
            0 => Some(quote!(::ragged::Dense<#elem, #rank>)),
            rows if rows == inner.len() => {
                Some((0..rows).fold(elem, |elem, _| quote!(::ragged::Ragged<#elem>)))
            }
            _mixed => None,
        }
    }
}

/// Of a dense array with these elements: the number of its axes, and what is behind the last.
fn axes(elem: &Type) -> Option<(usize, &Type)> {
    match &elem.kind {
        TypeKind::Array(_, SizeSpec::Own) => None,
        TypeKind::Array(elem, SizeSpec::Named(_) | SizeSpec::Known(..)) => {
            let (rank, elem) = axes(elem)?;
            Some((rank + 1, elem))
        }
        TypeKind::Name(_)
        | TypeKind::Complex(_)
        | TypeKind::Tuple(_)
        | TypeKind::Seq(_)
        | TypeKind::Infer => is_plain(elem).then_some((1, elem)),
    }
}

/// Whether Rust has the struct: there is no array in it, and it is not in itself (a mistake, which has
/// been reported).
fn is_plain_struct(it: &Struct, unit: &Unit) -> bool {
    fn visit<'u>(it: &'u Struct, unit: &'u Unit, around: &mut Vec<&'u str>) -> bool {
        if around.contains(&it.name.text.as_str()) {
            return false;
        }
        around.push(&it.name.text);
        let mut types = it.fields.iter().map(|(_, ty)| ty);
        let plain = types.all(|ty| {
            let mut inner = Vec::new();
            names(ty, &mut inner);
            let named = |name: &&str| unit.structs.iter().find(|other| other.name.text == *name);
            is_plain(ty)
                && inner
                    .iter()
                    .filter_map(named)
                    .all(|it| visit(it, unit, around))
        });
        around.pop();
        plain
    }
    visit(it, unit, &mut Vec::new())
}

/// The names in a type without arrays.
fn names<'t>(ty: &'t Type, out: &mut Vec<&'t str>) {
    match &ty.kind {
        TypeKind::Name(name) => out.push(&name.text),
        TypeKind::Tuple(fields) => fields.iter().for_each(|field| names(field, out)),
        TypeKind::Complex(_) | TypeKind::Array(..) | TypeKind::Seq(_) | TypeKind::Infer => {}
    }
}

/// No array in it.
fn is_plain(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Name(_) | TypeKind::Complex(_) => true,
        TypeKind::Tuple(fields) => fields.iter().all(is_plain),
        TypeKind::Array(..) | TypeKind::Seq(_) | TypeKind::Infer => false,
    }
}

/// Traits of the standard library that a struct can derive.
fn derive(name: &str) -> Option<TokenStream> {
    Some(match name {
        "Clone" => quote!(::core::clone::Clone),
        "Copy" => quote!(::core::marker::Copy),
        "Debug" => quote!(::core::fmt::Debug),
        "Default" => quote!(::core::default::Default),
        "Eq" => quote!(::core::cmp::Eq),
        "Hash" => quote!(::core::hash::Hash),
        "Ord" => quote!(::core::cmp::Ord),
        "PartialEq" => quote!(::core::cmp::PartialEq),
        "PartialOrd" => quote!(::core::cmp::PartialOrd),
        _ => return None,
    })
}
