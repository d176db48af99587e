//! Structs that several blocks share.
//!
//! Each imported unit brings the declarations that it needs, so one struct may be declared in
//! several units. In: declarations, as the scopes of units meet them. Out: one draft for all that
//! are the same struct, and what Rust calls those that the block imports.

use super::scope::{Session, StructDraft, place};
use crate::ids::StructId;
use crate::prims::component;
use crate::report::Diagnostic;
use crate::syntax::ir as ast;
use crate::typed::ir::SigType;
use proc_macro2::{TokenStream, TokenTree};

/// A `use` item of the block that names a struct.
#[derive(Clone, Copy)]
pub(super) struct Imported<'a> {
    /// What the block calls it.
    pub(super) name: &'a ast::Name,
    /// Where Rust has it, seen from the block.
    pub(super) path: &'a TokenStream,
}

/// The draft of a declaration: that of the same struct in another unit, or a new one.
pub(super) fn declared<'a>(
    structs: &mut Vec<StructDraft<'a>>,
    ast: &'a ast::Struct,
    unit: usize,
) -> StructId {
    let new = StructId::next(structs);
    let same = structs.iter().position(|it| is_same(it.ast, ast));
    let Some(at) = same else {
        structs.push(StructDraft::new(ast, unit));
        return new;
    };
    // The block's own declaration is what its tokens are marked by.
    (structs[at].ast, structs[at].unit) = (ast, unit);
    StructId(at as u32)
}

fn is_same(a: &ast::Struct, b: &ast::Struct) -> bool {
    a.name.text == b.name.text
        && (is_at_one_place(a, b) || is_at_one_path(a, b))
        && fields(a) == fields(b)
}

/// Copies of one declaration; or what one macro has written in several blocks, with other fields.
fn is_at_one_place(a: &ast::Struct, b: &ast::Struct) -> bool {
    let (here, there) = (place(&a.name), place(&b.name));
    here.start() == there.start() && here.file() == there.file()
}

/// Two declarations of one Rust struct, by a path that means the same everywhere.
fn is_at_one_path(a: &ast::Struct, b: &ast::Struct) -> bool {
    match (&a.outside, &b.outside) {
        (Some(here), Some(there)) => is_absolute(here) && here.to_string() == there.to_string(),
        (Some(_), None) | (None, Some(_)) | (None, None) => false,
    }
}

/// As text. (That of tokens depends on how many macros they went through.)
fn fields(it: &ast::Struct) -> String {
    let fields = it.fields.iter();
    fields
        .map(|(name, ty)| format!("{}: {ty},", name.text))
        .collect()
}

fn is_absolute(path: &TokenStream) -> bool {
    match path.clone().into_iter().next() {
        Some(TokenTree::Ident(first)) => first == "crate",
        Some(TokenTree::Punct(_)) => true,
        Some(TokenTree::Group(_) | TokenTree::Literal(_)) | None => false,
    }
}

/// Finds what Rust calls the structs in the fields of imported ones.
pub(super) fn check(session: &mut Session<'_>, block: usize) {
    let all = (0..session.structs.len()).map(|at| StructId(at as u32));
    let mut todo: Vec<StructId> = all.collect();
    while let Some(id) = todo.pop() {
        let draft = &session.structs[id.index()];
        let inside = draft.fields.iter().any(SigType::goes_apart);
        let Some(import) = draft.imported.filter(|_| !inside) else {
            continue;
        };
        let mut inner = Vec::new();
        for field in &draft.fields {
            structs_in(field, &mut inner);
        }
        inner.retain(|id| {
            let field = &session.structs[id.index()];
            field.unit != block && field.imported.is_none()
        });
        for id in inner {
            match at_its_path(&session.structs[id.index()], import) {
                Ok(imported) => session.structs[id.index()].imported = Some(imported),
                Err(error) => session.errors.push(error),
            }
            todo.push(id);
        }
    }
}

/// A field's struct that nobody has imported.
fn at_its_path<'a>(
    field: &StructDraft<'a>,
    import: Imported<'_>,
) -> Result<Imported<'a>, Diagnostic> {
    let (name, of) = (&field.ast.name, &import.name.text);
    let text = &name.text;
    match &field.ast.outside {
        Some(path) if is_absolute(path) => Ok(Imported { name, path }),
        Some(path) => Err(Diagnostic::new(
            place(import.name),
            format!("`{of}` has a field of the struct `{text}`, whose path is `{path}`"),
        )
        .note("that path is seen from another block")
        .help(format!(
            "write `#[element(crate::…)]` where `{text}` is declared"
        ))),
        None => Err(Diagnostic::new(
            place(import.name),
            format!("`{of}` has a field of the struct `{text}`, which is not imported"),
        )
        .help(format!(
            "import it too: `use {};`",
            sibling(import.path, text)
        ))),
    }
}

/// The structs in a type, but for complex numbers.
fn structs_in(ty: &SigType, out: &mut Vec<StructId>) {
    match ty {
        SigType::Scalar(_) => {}
        SigType::Tuple(fields) => fields.iter().for_each(|it| structs_in(it, out)),
        SigType::Struct(id, _) if component(*id).is_some() => {}
        SigType::Struct(id, _) => out.push(*id),
        SigType::Vector(elem, _) => structs_in(elem, out),
        SigType::Array { elem, .. } => structs_in(elem, out),
    }
}

/// How a block comes to know a struct that a unit declares.
pub(super) fn how_to_import(session: &Session<'_>, unit: usize, name: &str) -> String {
    let mut others = session.structs.iter().rev().filter(|it| it.unit != unit);
    let declared = others.find(|it| it.ast.outside.is_none() && it.ast.name.text == name);
    let path = declared.and_then(|it| session.units[it.unit].path);
    match path {
        Some(path) => format!("import it: `use {};`", sibling(path, name)),
        None => "import it too, from the block that declares it".into(),
    }
}

/// Whether an imported unit declares a struct of this name.
pub(super) fn is_elsewhere(session: &Session<'_>, unit: usize, name: &str) -> bool {
    let mut others = session.structs.iter().filter(|it| it.unit != unit);
    others.any(|it| it.ast.outside.is_none() && it.ast.name.text == name)
}

/// A path as written, with another name at its end.
fn sibling(path: &TokenStream, name: &str) -> String {
    let path = path.to_string().replace(' ', "");
    match path.rfind("::") {
        Some(at) => format!("{}::{name}", &path[..at]),
        None => name.to_owned(),
    }
}
