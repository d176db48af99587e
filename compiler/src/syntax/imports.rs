//! `use` items: which functions of other blocks a block calls, and which structs it shares with them.
//!
//! An exported function, and a struct, is also a macro of the same name that holds its source. A
//! block with `use` items expands to a call of the first such macro, which starts the block again
//! with `@unit name as visible (path) { source }` in front; see `items.rs` for that form.

use super::split::{self, Kind, Piece};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{ItemUse, UseTree, Visibility};

/// The `use` items of a block.
#[derive(Debug)]
pub struct Imports {
    /// One per imported name, in order.
    pub imports: Vec<Import>,
    /// The block without these items. A `use` item that cannot be followed stays, for
    /// [`parse`](super::parse) to report.
    pub rest: TokenStream,
}

/// One imported function or struct.
#[derive(Debug)]
pub struct Import {
    /// Its path as written, flattened out of groups: `crate::linalg::dotp`.
    pub path: TokenStream,
    /// The name that the block has for it.
    pub name: Ident,
    /// The name in the `use` item.
    pub src: SrcSpan,
}

/// The imports of a block; `None` where it has none. Nothing but `use` items is parsed.
pub fn imports(tokens: &TokenStream) -> Option<Imports> {
    if !tokens
        .clone()
        .into_iter()
        .any(|tree| split::is_word(Some(&tree), "use"))
    {
        return None;
    }
    let mut imports = Vec::new();
    let mut rest = TokenStream::new();
    for piece in split::split(tokens.clone()) {
        match read(&piece) {
            Some(Ok(found)) => imports.extend(found),
            Some(Err(_)) | None => rest.extend(piece.tokens),
        }
    }
    (!imports.is_empty()).then_some(Imports { imports, rest })
}

/// Why a `use` item cannot be followed. One that can is in no block any more: [`imports`] takes it
/// out.
pub(super) fn explain(piece: &Piece) -> Option<Diagnostic> {
    read(piece)?.err()
}

/// `None` for other items.
fn read(piece: &Piece) -> Option<Result<Vec<Import>, Diagnostic>> {
    let Kind::Use = piece.kind else {
        return None;
    };
    let tokens = piece.tokens.iter().cloned().collect();
    Some(match syn::parse2::<ItemUse>(tokens) {
        Ok(item) => flattened(&item),
        Err(error) => Err(super::grammar::explain(&error, &piece.tokens)),
    })
}

fn flattened(item: &ItemUse) -> Result<Vec<Import>, Diagnostic> {
    if let Some(attr) = item.attrs.first() {
        return Err(
            Diagnostic::new(SrcSpan::of(attr), "`use` takes no attributes here").help("remove it"),
        );
    }
    if !matches!(item.vis, Visibility::Inherited) {
        return Err(Diagnostic::new(
            SrcSpan::of(&item.vis),
            "a block cannot export what it imports",
        )
        .help("write `pub use` outside the block"));
    }
    if let Some(library) = rusts_own(&item.tree) {
        return Err(Diagnostic::new(
            SrcSpan::of(&item.tree),
            "`use` in a block names functions and structs of other blocks",
        )
        .note(format!("what is in `{library}` is not known here"))
        .help("scalar functions need no `use`: `sqrt(x)`, `x.max(y)`; constants are `f64::PI`"));
    }
    let mut imports = Vec::new();
    flatten(
        &item.leading_colon.to_token_stream(),
        &item.tree,
        &mut imports,
    )?;
    if imports.is_empty() {
        return Err(
            Diagnostic::new(SrcSpan::of(item), "this `use` names nothing").help("remove it"),
        );
    }
    Ok(imports)
}

/// The part of Rust's library that a path begins with.
fn rusts_own(tree: &UseTree) -> Option<&Ident> {
    match tree {
        UseTree::Path(path) => is_rusts_own(&path.ident).then_some(&path.ident),
        UseTree::Name(_) | UseTree::Rename(_) | UseTree::Glob(_) | UseTree::Group(_) => None,
    }
}

/// Whether a path that begins so leads into Rust's library.
pub(super) fn is_rusts_own(first: &Ident) -> bool {
    ["std", "core", "alloc"].iter().any(|name| first == name)
}

fn flatten(
    prefix: &TokenStream,
    tree: &UseTree,
    imports: &mut Vec<Import>,
) -> Result<(), Diagnostic> {
    match tree {
        UseTree::Path(path) => {
            let mut prefix = prefix.clone();
            path.ident.to_tokens(&mut prefix);
            path.colon2_token.to_tokens(&mut prefix);
            flatten(&prefix, &path.tree, imports)
        }
        UseTree::Name(leaf) => {
            let src = SrcSpan::token(leaf.ident.span());
            import(prefix, &leaf.ident, &leaf.ident, src, imports)
        }
        UseTree::Rename(leaf) => {
            let src = SrcSpan::of(leaf);
            import(prefix, &leaf.ident, &leaf.rename, src, imports)
        }
        UseTree::Group(group) => group
            .items
            .iter()
            .try_for_each(|tree| flatten(prefix, tree, imports)),
        UseTree::Glob(glob) => Err(Diagnostic::new(
            SrcSpan::token(glob.star_token.span),
            "`use` of everything is not possible here",
        )
        .note("the compiler sees the names in this block only")
        .help("name the functions: `use crate::linalg::{dotp, norm};`")),
    }
}

fn import(
    prefix: &TokenStream,
    item: &Ident,
    name: &Ident,
    src: SrcSpan,
    imports: &mut Vec<Import>,
) -> Result<(), Diagnostic> {
    const NOT_ITEMS: [&str; 4] = ["self", "super", "crate", "_"];
    for ident in [item, name] {
        if NOT_ITEMS.iter().any(|word| ident == word) {
            return Err(
                Diagnostic::new(src, "`use` in a block names functions and structs")
                    .note("modules and hidden names are of no use here")
                    .help("name the function: `use crate::linalg::dotp;`"),
            );
        }
    }
    let mut path = prefix.clone();
    item.to_tokens(&mut path);
    imports.push(Import {
        path,
        name: name.clone(),
        src,
    });
    Ok(())
}
