//! Struct declarations and struct literals.

use super::body::Body;
use super::draft::{NodeId, NodeKind, Pat, PatKind, StmtDraft};
use super::scope::{Session, place};
use super::signature;
use super::suggest;
use super::types::Ty;
use super::wide;
use crate::ids::StructId;
use crate::prims::component;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::typed::ir::{self, SigType, SizeSpec};

/// Fills in the field types of all structs; of `main`, the block's own structs, the items are kept
/// for emission.
pub(super) fn declare(session: &mut Session<'_>) {
    let count = session.structs.len();
    let mut state = vec![State::New; count];
    for index in 0..count {
        visit(session, index, &mut state);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Active,
    Done,
}

// Structs that occur in fields come first, since their fields are copied into `SigType`s.
fn visit(session: &mut Session<'_>, index: usize, state: &mut [State]) {
    if state[index] != State::New {
        return;
    }
    state[index] = State::Active;
    let (ast, unit) = (session.structs[index].ast, session.structs[index].unit);
    let mut fields = Vec::with_capacity(ast.fields.len());
    for (_, ty) in &ast.fields {
        let mut inner = Vec::new();
        mentioned(session, unit, ty, &mut inner);
        let mut cyclic = false;
        for id in inner {
            cyclic |= state[id.index()] == State::Active;
            visit(session, id.index(), state);
        }
        if cyclic {
            let title = format!("the struct `{}` contains itself", ast.name.text);
            let error = Diagnostic::new(ty.src, title).help("store positions in an array instead");
            session.errors.push(error);
        }
        let mut field = signature::plain(session, unit, ty);
        if let (Some(_), Some(field)) = (&ast.outside, &mut field)
            && let Err(error) = inline(session, field, ty.src)
        {
            session.errors.push(error);
        }
        let of_the_block = field.as_ref().filter(|_| ast.outside.is_none());
        let wide = of_the_block.and_then(|field| wide::in_field(field, ty.src));
        session.errors.extend(wide);
        fields.push(field.unwrap_or(SigType::Tuple(Vec::new())));
    }
    session.structs[index].fields = fields;
    state[index] = State::Done;
}

/// The arrays of a struct from outside are inside of it, so they have known lengths.
fn inline(session: &Session<'_>, field: &mut SigType, src: SrcSpan) -> Result<(), Diagnostic> {
    match field {
        SigType::Scalar(_) | SigType::Vector(..) => Ok(()),
        SigType::Tuple(fields) => fields
            .iter_mut()
            .try_for_each(|field| inline(session, field, src)),
        SigType::Struct(id, fields) => match fields.iter().any(SigType::goes_apart) {
            true => Err(of_the_block(
                &session.structs[id.index()].ast.name.text,
                src,
            )),
            false => Ok(()),
        },
        SigType::Array { elem, size, .. } => {
            if let SizeSpec::Known(known) = *size {
                *size = SizeSpec::Inline(known);
            }
            match size {
                SizeSpec::Inline(_) => inline(session, elem, src),
                SizeSpec::Own
                | SizeSpec::Named(_)
                | SizeSpec::Known(_)
                | SizeSpec::Held(_)
                | SizeSpec::Param(_)
                | SizeSpec::Seq => Err(without_length(src)),
            }
        }
    }
}

fn without_length(src: SrcSpan) -> Diagnostic {
    Diagnostic::new(src, "an array in a struct from outside needs a length")
        .note("elements of arrays are copied as they lie in memory, with all that they hold")
        .help(
            "write `[T; 3]` or the name of a `const`, or take the array as a parameter of its own",
        )
}

fn of_the_block(name: &str, src: SrcSpan) -> Diagnostic {
    let title = format!("a struct from outside cannot hold the struct `{name}`");
    Diagnostic::new(src, title)
        .note(format!(
            "`{name}` is of this block and has an array in it, so Rust does not see it"
        ))
        .help(format!(
            "declare `{name}` in Rust too, and here with `#[element(path)]`"
        ))
}

fn mentioned(session: &Session<'_>, unit: usize, ty: &ast::Type, out: &mut Vec<StructId>) {
    match &ty.kind {
        ast::TypeKind::Name(name) => out.extend(session.strukt(unit, &name.text)),
        ast::TypeKind::Infer | ast::TypeKind::Complex(_) => {}
        ast::TypeKind::Tuple(fields) => {
            for field in fields {
                mentioned(session, unit, field, out);
            }
        }
        ast::TypeKind::Array(elem, _) | ast::TypeKind::Seq(elem) => {
            mentioned(session, unit, elem, out);
        }
    }
}

/// The structs as they go to the next stage.
pub(super) fn definitions(session: &Session<'_>, block: usize) -> Vec<ir::StructDef> {
    let define = |(index, draft): (usize, &super::scope::StructDraft<'_>)| {
        let names = draft.ast.fields.iter().map(|(name, _)| name.text.clone());
        let types = draft.fields.iter().map(SigType::erased);
        ir::StructDef {
            name: draft.name().text.clone(),
            ident: draft.name().ident.clone(),
            fields: names.zip(types).collect(),
            home: match component(StructId(index as u32)) {
                Some(part) => ir::Home::Complex(part),
                None => home(draft, block),
            },
            derives: draft.ast.derives.clone(),
        }
    };
    session.structs.iter().enumerate().map(define).collect()
}

fn home(draft: &super::scope::StructDraft<'_>, block: usize) -> ir::Home {
    // One with an array in it is for the inside of the block only.
    if draft.fields.iter().any(SigType::goes_apart) {
        return ir::Home::Inside;
    }
    let path = match draft.imported {
        Some(imported) => imported.path,
        None if draft.unit != block => return ir::Home::Inside,
        None => match &draft.ast.outside {
            Some(path) => path,
            None => return ir::Home::Block(draft.ast.tokens.clone()),
        },
    };
    ir::Home::Outside(ir::Outside {
        path: path.clone(),
        fields: outside_fields(draft),
    })
}

/// What is wrong with a field of an imported struct is marked at the import.
fn outside_fields(draft: &super::scope::StructDraft<'_>) -> Vec<ir::OutsideField> {
    let import = draft.imported.map(|imported| place(imported.name));
    let fields = draft.ast.fields.iter().zip(&draft.fields);
    let fields = fields.map(|((name, ast), ty)| {
        let mut ident = name.ident.clone();
        if let Some(import) = import {
            ident.set_span(ident.span().located_at(import.first));
        }
        ir::OutsideField {
            ident,
            ty: ty.clone(),
            src: import.unwrap_or(ast.src),
        }
    });
    fields.collect()
}

impl<'a> Body<'_, 'a> {
    /// `P { x: 1.0, ..base }`
    pub(super) fn strukt(
        &mut self,
        name: &'a ast::Name,
        fields: &'a [(ast::Name, ast::Expr)],
        base: Option<&'a ast::Expr>,
        src: SrcSpan,
    ) -> NodeId {
        let Some(id) = self.session.strukt(self.unit, &name.text) else {
            if name.text == "Complex" {
                return self.complex_literal(fields, base, src);
            }
            let error = suggest::unknown_struct(self.session, self.unit, name);
            self.error(error);
            for (_, field) in fields {
                self.infer_value(field);
            }
            return self.node(NodeKind::Error, Ty::ERROR, src);
        };
        let ty = self.types.strukt(id);
        let given = self.given_fields(id, fields);
        match base {
            None => {
                let missing = (0..given.len()).filter(|i| given[*i].is_none()).collect();
                self.missing_fields(
                    id,
                    missing,
                    src,
                    "give each field a value, or write `..other`",
                );
                let fields = given.into_iter().flatten().collect();
                self.node(NodeKind::Tuple(fields), ty, src)
            }
            Some(base) => self.update(id, given, base, src),
        }
    }

    fn given_fields(
        &mut self,
        id: StructId,
        fields: &'a [(ast::Name, ast::Expr)],
    ) -> Vec<Option<NodeId>> {
        let count = self.session.structs[id.index()].ast.fields.len();
        let mut given = vec![None; count];
        for (field, value) in fields {
            let node = self.infer_value(value);
            let Some(index) = self.field_index(id, field) else {
                continue;
            };
            let want = self.field_ty(id, index);
            self.expect(
                node,
                want,
                format_args!("this is the type of the field `{}`", field.text),
            );
            if given[index].replace(node).is_some() {
                let title = format!("the field `{}` occurs twice", field.text);
                let error = Diagnostic::new(place(field), title).help("leave one of them out");
                self.error(error);
            }
        }
        given
    }

    // `let tmp = base; P { x: …, y: tmp.y }`
    fn update(
        &mut self,
        id: StructId,
        given: Vec<Option<NodeId>>,
        base: &'a ast::Expr,
        src: SrcSpan,
    ) -> NodeId {
        let ty = self.types.strukt(id);
        let value = self.infer_value(base);
        self.expect(
            value,
            ty,
            format_args!("the other fields are taken from this"),
        );
        let local = self.temporary(ty, base.src);
        let pattern = Pat {
            kind: PatKind::Bind(local, None),
            ty,
            src: base.src,
        };
        let mut fields = Vec::with_capacity(given.len());
        for (index, field) in given.into_iter().enumerate() {
            fields.push(match field {
                Some(node) => node,
                None => {
                    let tmp = self.read(local, base.src);
                    let ty = self.field_ty(id, index);
                    self.node(NodeKind::Field(tmp, index), ty, base.src)
                }
            });
        }
        let value = (self.node(NodeKind::Tuple(fields), ty, src), value);
        let stmts = vec![StmtDraft::Let {
            pattern,
            value: value.1,
        }];
        let kind = NodeKind::Block {
            stmts,
            value: Some(value.0),
        };
        self.node(kind, ty, src)
    }
}
