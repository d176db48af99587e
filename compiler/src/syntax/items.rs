//! A block to its items, each parsed on its own.

use super::functions;
use super::ir::{Const, Name, Struct, Unit};
use super::reader::{Reader, name};
use super::split::{self, Kind, Piece};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::parse::Parse;

/// What an imported unit gives, and under which name.
pub(super) struct Provided {
    /// The function's own name.
    pub entry: Ident,
    /// The name it is visible under.
    pub visible: Ident,
}

impl Reader {
    /// Reads a block, or the source of an imported function, into `units`, behind what it imports.
    pub fn scope(
        &mut self,
        tokens: TokenStream,
        provided: Option<Provided>,
        units: &mut Vec<Unit>,
    ) {
        let mut unit = Unit {
            provides: provided.as_ref().map(|provided| name(&provided.visible)),
            entry: provided.map(|provided| name(&provided.entry).text),
            imports: Vec::new(),
            consts: Vec::new(),
            structs: Vec::new(),
            functions: Vec::new(),
        };
        for piece in split::split(tokens) {
            if let Kind::Unit = piece.kind {
                self.import(piece.tokens, units);
                unit.imports.extend(units.len().checked_sub(1));
            } else {
                self.item(piece, &mut unit);
            }
        }
        units.push(unit);
    }

    /// `@unit name as visible { … }`
    fn import(&mut self, tokens: Vec<TokenTree>, units: &mut Vec<Unit>) {
        let (Some(entry), Some(visible), Some(TokenTree::Group(body))) = (
            split::ident(tokens.get(2)),
            split::ident(tokens.get(4)),
            tokens.last(),
        ) else {
            let src = span_of(&tokens);
            self.errors.push(
                Diagnostic::new(src, "`@` does not start an item")
                    .help("a block has functions, structs and constants"),
            );
            return;
        };
        let provided = Provided {
            entry: entry.clone(),
            visible: visible.clone(),
        };
        self.scope(body.stream(), Some(provided), units);
    }

    fn item(&mut self, piece: Piece, unit: &mut Unit) {
        match piece.kind {
            Kind::Function => {
                if let Some((item, tokens)) = self.parsed::<syn::ItemFn>(piece.tokens) {
                    unit.functions.push(self.function(&item, tokens));
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
            _ => {}
        }
    }

    fn parsed<T: Parse>(&mut self, tokens: Vec<TokenTree>) -> Option<(T, TokenStream)> {
        let src = span_of(&tokens);
        let tokens: TokenStream = tokens.into_iter().collect();
        match syn::parse2(tokens.clone()) {
            Ok(item) => Some((item, tokens)),
            Err(error) => {
                self.errors.push(grammar(&error, tokens, src));
                None
            }
        }
    }

    fn constant(&mut self, item: &syn::ItemConst) -> Const {
        self.docs_only(&item.attrs);
        Const {
            name: name(&item.ident),
            ty: self.ty(&item.ty),
            value: self.expr(&item.expr),
        }
    }

    fn structure(&mut self, item: &syn::ItemStruct, tokens: TokenStream) -> Option<Struct> {
        let src = SrcSpan::of(&tokens);
        let derives = self.struct_attributes(&item.attrs);
        let syn::Fields::Named(fields) = &item.fields else {
            return None;
        };
        let fields = fields
            .named
            .iter()
            .filter_map(|field| {
                self.struct_attributes(&field.attrs);
                Some((name(field.ident.as_ref()?), self.ty(&field.ty)))
            })
            .collect();
        Some(Struct {
            name: name(&item.ident),
            fields,
            tokens,
            derives,
            src,
        })
    }
}

pub(super) fn grammar(error: &syn::Error, _tokens: TokenStream, _src: SrcSpan) -> Diagnostic {
    Diagnostic::new(SrcSpan::of(&error.to_compile_error()), error.to_string())
}

/// First to last token of an item.
fn span_of(trees: &[TokenTree]) -> SrcSpan {
    let ends: TokenStream = [trees.first(), trees.last()]
        .into_iter()
        .flatten()
        .cloned()
        .collect();
    SrcSpan::of(&ends)
}
