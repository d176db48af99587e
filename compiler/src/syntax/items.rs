//! A block to its items, each parsed on its own, so that one that is wrong does not hide the others.

use super::ir::{Const, Function, Struct, Unit};
use super::reader::{Reader, name, names_in_all_editions};
use super::split::{self, Kind, Piece};
use super::{grammar, imports};
use crate::contracts::ir::Fused;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Fields;
use syn::parse::Parse;

/// What an imported unit gives, and under which name.
struct Provided {
    /// The own name of the function or struct.
    entry: Ident,
    /// The name it is visible under.
    visible: Ident,
    /// Its path.
    path: Option<TokenStream>,
}

impl Reader {
    /// Reads a block into `units`, behind what it imports.
    pub fn block_items(&mut self, tokens: TokenStream, units: &mut Vec<Unit>) {
        self.scope(tokens, None, units);
    }

    fn scope(&mut self, tokens: TokenStream, provided: Option<Provided>, units: &mut Vec<Unit>) {
        let mut unit = Unit {
            provides: provided.as_ref().map(|provided| name(&provided.visible)),
            entry: provided.as_ref().map(|it| name(&it.entry).text),
            path: provided.and_then(|provided| provided.path),
            imports: Vec::new(),
            consts: Vec::new(),
            structs: Vec::new(),
            functions: Vec::new(),
        };
        let mut denied = None;
        for piece in split::split(tokens) {
            match &piece.kind {
                Kind::Unit => unit.imports.extend(self.import(&piece.tokens, units)),
                Kind::InnerAttribute => {
                    denied = self.inner_attribute(&piece.tokens).or(denied);
                }
                _item => self.item(piece, &mut unit),
            }
        }
        if let Some(src) = denied {
            unit.functions
                .iter_mut()
                .for_each(|function| deny_unfused(function, src));
        }
        units.push(unit);
    }

    /// `@unit name as visible (path) { … }`; the position of the unit.
    fn import(&mut self, tokens: &[TokenTree], units: &mut Vec<Unit>) -> Option<usize> {
        let (true, Some(entry), Some(visible), Some(TokenTree::Group(body))) = (
            split::is_word(tokens.get(1), "unit"),
            split::ident(tokens.get(2)),
            split::ident(tokens.get(4)),
            tokens.get(5..).and_then(<[TokenTree]>::last),
        ) else {
            self.errors.push(not_an_item(split::span_of(tokens)));
            return None;
        };
        let provided = Provided {
            entry: entry.clone(),
            visible: visible.clone(),
            path: split::parenthesized(tokens.get(5)),
        };
        self.scope(body.stream(), Some(provided), units);
        units.len().checked_sub(1)
    }

    fn item(&mut self, piece: Piece, unit: &mut Unit) {
        match piece.kind {
            Kind::Function => {
                let signature = split::without_body(&piece.tokens);
                match self.parsed::<syn::ItemFn>(piece.tokens) {
                    Some((item, tokens)) => unit.functions.push(self.function(&item, tokens)),
                    // What calls it can still be told its type.
                    None => unit.functions.extend(
                        syn::parse2(signature.clone())
                            .ok()
                            .map(|item| self.function(&item, signature)),
                    ),
                }
            }
            Kind::Struct => {
                if let Some((item, tokens)) = self.parsed::<syn::ItemStruct>(piece.tokens) {
                    unit.structs.extend(self.structure(&item, tokens));
                }
            }
            Kind::Const => {
                if let Some((item, _)) = self.parsed::<syn::ItemConst>(piece.tokens) {
                    unit.consts.push(self.constant(&item));
                }
            }
            Kind::Use => imports::explain(&piece)
                .into_iter()
                .for_each(|diagnostic| self.errors.push(diagnostic)),
            Kind::InnerAttribute | Kind::Unit => {
                unreachable!("the scope takes these")
            }
            Kind::Other(first) => {
                let diagnostic = foreign_item(&first, &piece.tokens);
                self.errors.push(diagnostic);
            }
        }
    }

    /// Where `#![deny(unfused)]` is, if this is it.
    fn inner_attribute(&mut self, tokens: &[TokenTree]) -> Option<SrcSpan> {
        let src = split::span_of(tokens);
        let text = match tokens.get(2) {
            Some(TokenTree::Group(group)) => group.stream().to_string(),
            _ => String::new(),
        };
        let text = text.split_whitespace().collect::<String>();
        if text == "deny(unfused)" {
            return Some(src);
        }
        let remedy = match text.contains("unfused") {
            true => "write `#![deny(unfused)]`, and `#[allow(unfused)]` on functions",
            false => "put attributes of Rust on the module around the block",
        };
        self.errors.push(
            Diagnostic::new(src, format!("attribute `#![{text}]` is not accepted here"))
                .help(remedy),
        );
        None
    }

    fn parsed<T: Parse>(&mut self, trees: Vec<TokenTree>) -> Option<(T, TokenStream)> {
        let tokens: TokenStream = trees.iter().cloned().collect();
        match syn::parse2(tokens.clone()) {
            Ok(item) => Some((item, tokens)),
            Err(error) => {
                self.errors.push(grammar::explain(&error, &trees));
                None
            }
        }
    }

    fn constant(&mut self, item: &syn::ItemConst) -> Const {
        self.docs_only(&item.attrs);
        if !matches!(item.vis, syn::Visibility::Inherited) {
            self.errors.push(
                Diagnostic::new(
                    SrcSpan::of(&item.vis),
                    "constants of a block stay inside it",
                )
                .help("remove the `pub`, or write the constant outside and pass it as a parameter"),
            );
        }
        Const {
            name: name(&item.ident),
            ty: self.ty(&item.ty),
            value: self.expr(&item.expr),
        }
    }

    fn structure(&mut self, item: &syn::ItemStruct, tokens: TokenStream) -> Option<Struct> {
        let attributes = self.struct_attributes(&item.attrs);
        let ident = SrcSpan::token(item.ident.span());
        if item.generics.lt_token.is_some() || item.generics.where_clause.is_some() {
            self.errors.push(
                Diagnostic::new(
                    SrcSpan::of(&item.generics),
                    "structs have no type parameters here",
                )
                .help("declare one struct per type, or use a tuple"),
            );
        }
        let Fields::Named(fields) = &item.fields else {
            self.errors.push(
                Diagnostic::new(ident, "the fields of a struct have names here")
                    .help("write `struct P { x: f32, y: f32 }`, or use a tuple"),
            );
            return None;
        };
        let fields = fields
            .named
            .iter()
            .filter_map(|field| {
                self.field_attributes(&field.attrs, attributes.outside.is_some());
                Some((name(field.ident.as_ref()?), self.ty(&field.ty)))
            })
            .collect::<Vec<_>>();
        let has_later_keyword = fields.iter().any(|(name, _)| name.text == "gen");
        Some(Struct {
            name: name(&item.ident),
            fields,
            derives: attributes.derives,
            outside: attributes.outside,
            vis: item.vis.to_token_stream(),
            src: SrcSpan::of(&tokens),
            tokens: match has_later_keyword {
                true => names_in_all_editions(tokens),
                false => tokens,
            },
        })
    }
}

/// `#![deny(unfused)]` is `#[fused]` on each exported function that does not say otherwise.
fn deny_unfused(function: &mut Function, src: SrcSpan) {
    if let Some(export) = &mut function.export
        && !export.unfused
    {
        export.contracts.fused.get_or_insert(Fused::Block(src));
    }
}

/// An item inside of a function that a block has not either.
pub(super) fn inner(item: &syn::Item) -> Diagnostic {
    let pieces = split::split(item.to_token_stream());
    match pieces.first() {
        Some(Piece {
            kind: Kind::Other(first),
            tokens,
        }) => foreign_item(first, tokens),
        _ => not_an_item(SrcSpan::of(item)),
    }
}

fn foreign_item(first: &TokenTree, tokens: &[TokenTree]) -> Diagnostic {
    let src = SrcSpan::of(first);
    let word = first.to_string();
    let (title, remedy) = match word.as_str() {
        ";" => ("this `;` ends nothing", "remove it"),
        "enum" => (
            "there are no enums in the language",
            "use an integer and a `const` per case, and `match` on it",
        ),
        "impl" => (
            "there are no methods of structs here",
            "write a function that takes the struct: `fn norm(p: Point) -> f32`",
        ),
        "trait" => (
            "there are no traits in the language",
            "bounds on type parameters are `Num`, `Int` and `Float`",
        ),
        "mod" => (
            "there are no modules inside a block",
            "write one block per module; `use` brings in functions of other blocks",
        ),
        "static" => ("there are no statics in the language", "write `const`"),
        "type" => (
            "there are no type aliases in the language",
            "write the type where it is used, or declare a struct",
        ),
        "union" => ("there are no unions in the language", "declare a struct"),
        "extern" => (
            "there are no `extern` items in a block",
            "write it outside the block",
        ),
        "let" => (
            "`let` stands inside a function",
            "write `const NAME: f32 = 1.0;` for a constant of the block",
        ),
        "macro_rules" => (
            "macros cannot be defined inside a block",
            "write a function; it is specialised where it is called",
        ),
        _ if split::is_punct(tokens.get(1), '!') => (
            "macros cannot stand for items of a block",
            "write out the functions",
        ),
        _ => return not_an_item(src),
    };
    Diagnostic::new(src, title).help(remedy)
}

fn not_an_item(src: SrcSpan) -> Diagnostic {
    Diagnostic::new(src, "this does not start an item of the block")
        .help("a block has `fn`, `struct`, `const` and `use` items")
}
