//! Assignments: `x = v`, `a[i].f += v`, `(a, b) = (b, a)`.

use super::body::{Assigned, Body};
use super::draft::{LocalTy, NodeId, NodeKind, Pat, PatKind, StepDraft, StmtDraft};
use super::types::Ty;
use crate::ids::LocalId;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::syntax::ir::{BinOp, ExprKind};

/// A place that is assigned to.
struct PlaceDraft {
    local: LocalId,
    path: Vec<StepDraft>,
    /// Reads the place.
    node: NodeId,
}

impl<'a> Body<'_, 'a> {
    pub(super) fn assign(
        &mut self,
        place: &'a ast::Expr,
        op: Option<BinOp>,
        value: &'a ast::Expr,
        src: SrcSpan,
    ) -> NodeId {
        let value = self.infer_value(value);
        match (&place.kind, op) {
            (ExprKind::Tuple(_), None) => {
                let mut stmts = Vec::new();
                self.destructure(place, value, &mut stmts);
                self.node(NodeKind::Block { stmts, value: None }, Ty::UNIT, src)
            }
            (_, None) => self.assign_node(place, value, src),
            (_, Some(op)) => self.compound(place, op, value, src),
        }
    }

    fn assign_node(&mut self, place: &'a ast::Expr, value: NodeId, src: SrcSpan) -> NodeId {
        if is_wild(place) {
            let ty = self.ty(value);
            let pattern = Pat {
                kind: PatKind::Wild,
                ty,
                src: place.src,
            };
            let stmts = vec![StmtDraft::Let { pattern, value }];
            return self.node(NodeKind::Block { stmts, value: None }, Ty::UNIT, src);
        }
        let Some(draft) = self.place(place) else {
            return self.node(NodeKind::Error, Ty::UNIT, src);
        };
        let ty = self.ty(draft.node);
        let why = format_args!("this is the type of what is assigned to");
        self.expect(value, ty, why);
        self.assign_draft(draft, value, place.src, src)
    }

    fn assign_draft(
        &mut self,
        draft: PlaceDraft,
        value: NodeId,
        place: SrcSpan,
        src: SrcSpan,
    ) -> NodeId {
        let PlaceDraft { local, path, .. } = draft;
        let element = path.iter().any(|step| !matches!(step, StepDraft::Field(_)));
        self.locals[local.index()].in_parts |= element;
        self.assigned.push(Assigned {
            local,
            element,
            src,
        });
        let kind = NodeKind::Assign {
            local,
            path,
            place,
            value,
        };
        self.node(kind, Ty::UNIT, src)
    }

    // `(a, b) = e`: all parts of the value are read before any is assigned.
    fn destructure(&mut self, place: &'a ast::Expr, value: NodeId, stmts: &mut Vec<StmtDraft<'a>>) {
        let mut parts = Vec::new();
        let pattern = self.place_pattern(place, &mut parts);
        let ty = pattern.ty;
        self.expect(
            value,
            ty,
            format_args!("this is the type of what is assigned to"),
        );
        stmts.push(StmtDraft::Let { pattern, value });
        for (place, local) in parts {
            let value = self.read(local, place.src);
            let node = self.assign_node(place, value, place.src);
            stmts.push(StmtDraft::Expr(node));
        }
    }

    // A pattern that binds a temporary for each part of a tuple of places.
    fn place_pattern(
        &mut self,
        place: &'a ast::Expr,
        parts: &mut Vec<(&'a ast::Expr, LocalId)>,
    ) -> Pat<'a> {
        let src = place.src;
        if let ExprKind::Tuple(fields) = &place.kind {
            let fields: Vec<_> = fields
                .iter()
                .map(|f| self.place_pattern(f, parts))
                .collect();
            let types = fields.iter().map(|field| field.ty).collect();
            let ty = self.types.tuple(types);
            let kind = PatKind::Tuple(fields);
            return Pat { kind, ty, src };
        }
        let ty = self.types.any();
        if is_wild(place) {
            let kind = PatKind::Wild;
            return Pat { kind, ty, src };
        }
        let local = self.temporary(ty, src);
        parts.push((place, local));
        let kind = PatKind::Bind(local, None);
        Pat { kind, ty, src }
    }

    // `place op= value`; an index that is more than a name is computed once.
    fn compound(&mut self, place: &'a ast::Expr, op: BinOp, value: NodeId, src: SrcSpan) -> NodeId {
        let Some(mut draft) = self.place(place) else {
            return self.node(NodeKind::Error, Ty::UNIT, src);
        };
        let mut stmts = Vec::new();
        self.hoist_indices(&mut draft, &mut stmts);
        let value = self.binary_nodes(op, draft.node, value, src);
        let ty = self.ty(draft.node);
        self.expect(
            value,
            ty,
            format_args!("this is the type of what is assigned to"),
        );
        let assign = self.assign_draft(draft, value, place.src, src);
        if stmts.is_empty() {
            return assign;
        }
        stmts.push(StmtDraft::Expr(assign));
        self.node(NodeKind::Block { stmts, value: None }, Ty::UNIT, src)
    }

    fn hoist_indices(&mut self, draft: &mut PlaceDraft, stmts: &mut Vec<StmtDraft<'a>>) {
        let indices = draft.path.iter().flat_map(|step| match *step {
            StepDraft::Field(_) => [None, None],
            StepDraft::Index(index) => [Some(index), None],
            StepDraft::Slice { lo, hi, .. } => [lo, hi],
        });
        for index in indices.flatten() {
            if matches!(
                self.kind(index),
                NodeKind::Local(_) | NodeKind::Literal { .. } | NodeKind::Const(_)
            ) {
                continue;
            }
            let (ty, src) = (self.ty(index), self.src(index));
            let local = self.temporary(ty, src);
            let kind = PatKind::Bind(local, None);
            let pattern = Pat { kind, ty, src };
            // The node of the index now reads the temporary; its old content is the value.
            let kind = std::mem::replace(
                &mut self.nodes[index.0 as usize].kind,
                NodeKind::Local(local),
            );
            let value = self.node(kind, ty, src);
            stmts.push(StmtDraft::Let { pattern, value });
        }
    }

    fn place(&mut self, place: &'a ast::Expr) -> Option<PlaceDraft> {
        let draft = self.place_steps(place)?;
        let local = &self.locals[draft.local.index()];
        let uninitialised = matches!(local.ty, LocalTy::Value(ty) if self.types.is_error(ty));
        if !local.mutable && !uninitialised {
            let title = format!("`{}` cannot be assigned to", local.name);
            let error = Diagnostic::new(place.src, title)
                .note("it is not declared as `mut`")
                .also(
                    local.src,
                    format!("`{0}` is declared here: write `mut {0}`", local.name),
                );
            self.error(error);
        }
        Some(draft)
    }

    fn place_steps(&mut self, place: &'a ast::Expr) -> Option<PlaceDraft> {
        match &place.kind {
            ExprKind::Path(None, name) => match self.lookup(&name.text) {
                Some(local) if !self.is_function(local) => Some(PlaceDraft {
                    local,
                    path: Vec::new(),
                    node: self.read(local, place.src),
                }),
                _ => {
                    // Reports an unknown name, a function or a constant.
                    let node = self.infer(place);
                    if matches!(self.kind(node), NodeKind::Const(_)) {
                        let title = format!("the constant `{}` cannot be assigned to", name.text);
                        self.error(Diagnostic::new(place.src, title).help("use a `let mut`"));
                    }
                    None
                }
            },
            ExprKind::Field(base, name) => {
                let mut draft = self.place_steps(base)?;
                let node = self.field_of(draft.node, name, place.src);
                match *self.kind(node) {
                    NodeKind::Field(_, index) => draft.path.push(StepDraft::Field(index)),
                    NodeKind::Waiting => {
                        let error = super::wait::unknown_type(base.src);
                        self.error(error);
                        return None;
                    }
                    _ => return None,
                }
                draft.node = node;
                Some(draft)
            }
            ExprKind::Index(base, index) => {
                let draft = self.place_steps(base)?;
                self.index_step(draft, index, place.src)
            }
            _ => {
                let error = Diagnostic::new(place.src, "this cannot be assigned to")
                    .help("assign to a `let mut` variable, one of its fields or elements");
                self.error(error);
                None
            }
        }
    }
}

impl<'a> Body<'_, 'a> {
    // `[i]` or `[lo..hi]` behind a place.
    fn index_step(
        &mut self,
        mut draft: PlaceDraft,
        index: &'a ast::Expr,
        src: SrcSpan,
    ) -> Option<PlaceDraft> {
        if matches!(draft.path.last(), Some(StepDraft::Slice { .. })) {
            let error = Diagnostic::new(src, "an element of a slice cannot be assigned to")
                .help("index the array itself: for `a[lo..hi][i]` write `a[lo + i]`");
            self.error(error);
            return None;
        }
        let (step, node) = match &index.kind {
            ExprKind::Range { lo, hi, inclusive } => {
                let slice = self.slice(draft.node, lo.as_deref(), hi.as_deref(), *inclusive, src);
                let NodeKind::Slice {
                    lo, hi, inclusive, ..
                } = *self.kind(slice)
                else {
                    return None;
                };
                (StepDraft::Slice { lo, hi, inclusive }, slice)
            }
            _ => {
                let elem = self.elem_of(draft.node);
                let index = self.index_value(index);
                let kind = NodeKind::Index(draft.node, index);
                (StepDraft::Index(index), self.node(kind, elem, src))
            }
        };
        draft.path.push(step);
        draft.node = node;
        Some(draft)
    }
}

fn is_wild(place: &ast::Expr) -> bool {
    matches!(&place.kind, ExprKind::Path(None, name) if name.text == "_")
}
