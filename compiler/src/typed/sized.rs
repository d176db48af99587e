//! Sizes in the types of variables, which the arrays must have.
//!
//! In: a pattern with its type, `(a, b): ([f32; n], [[f32; 3]; n])`. Out: the pattern, and a statement
//! for each size, to stand where its names are bound. The variables are those of `let`s and closures;
//! signatures bind sizes (`signature.rs`).

use super::body::Body;
use super::draft::{LocalTy, NodeId, NodeKind, Pat, PatKind, StmtDraft};
use super::scope::place;
use super::types::{Head, Ty};
use crate::ids::LocalId;
use crate::prims::{Prim, Scalar};
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::syntax::ir::{PatternKind, SizeSpec, TypeKind};

/// A step from a value to a part of it.
#[derive(Clone, Copy)]
enum Step {
    /// A field of a tuple.
    Field(usize),
    /// The array of a field of the tuples in an array.
    Each(usize),
    /// The rows of an array, joined.
    Joined,
}

/// A part of what a local holds.
#[derive(Clone)]
struct Part {
    local: LocalId,
    steps: Vec<Step>,
}

impl Part {
    fn of(local: LocalId) -> Part {
        Part {
            local,
            steps: Vec::new(),
        }
    }

    fn then(&self, step: Step) -> Part {
        let mut steps = self.steps.clone();
        steps.push(step);
        Part { steps, ..*self }
    }
}

impl<'a> Body<'_, 'a> {
    /// `let pattern: annotation = value`
    pub(super) fn typed_let(
        &mut self,
        pattern: &'a ast::Pattern,
        annotation: &'a ast::Type,
        value: NodeId,
        out: &mut Vec<StmtDraft<'a>>,
    ) {
        let ty = self.erased(annotation);
        self.expect(value, ty, format_args!("this is the type that is written"));
        let mut pattern = self.pattern(pattern, ty);
        let mut sizes = Vec::new();
        self.sizes(&mut pattern, annotation, &mut sizes);
        out.push(StmtDraft::Let { pattern, value });
        out.append(&mut sizes);
    }

    /// Requires the sizes in the types of a closure's parameters.
    pub(super) fn sizes_of_params(
        &mut self,
        params: &'a [ast::Pattern],
        drafts: &mut [Pat<'a>],
    ) -> Vec<StmtDraft<'a>> {
        let mut out = Vec::new();
        for (param, draft) in params.iter().zip(drafts) {
            if let PatternKind::Typed(_, annotation) = &param.kind {
                self.sizes(draft, annotation, &mut out);
            }
        }
        out
    }

    /// Requires the sizes in the type of a pattern. What has a size and no name gets one.
    fn sizes(
        &mut self,
        pattern: &mut Pat<'a>,
        annotation: &'a ast::Type,
        out: &mut Vec<StmtDraft<'a>>,
    ) {
        if !has_size(annotation) || self.types.has_error(pattern.ty) {
            return;
        }
        match (&mut pattern.kind, &annotation.kind) {
            (PatKind::Tuple(patterns), TypeKind::Tuple(types)) => {
                for (pattern, ty) in patterns.iter_mut().zip(types) {
                    self.sizes(pattern, ty, out);
                }
            }
            // All alternatives bind the same names.
            (PatKind::Or(alternatives), _) => {
                if let Some(first) = alternatives.first_mut() {
                    self.sizes(first, annotation, out);
                }
            }
            (PatKind::Bind(local, _), _) => self.sizes_of(&Part::of(*local), 0, annotation, out),
            (PatKind::Wild, _) => {
                let ty = LocalTy::Value(pattern.ty);
                let local = self.local("_".to_owned(), ty, false, pattern.src);
                pattern.kind = PatKind::Bind(local, None);
                self.sizes_of(&Part::of(local), 0, annotation, out);
            }
            // No pattern for scalars has a type with a size.
            (
                PatKind::Tuple(_) | PatKind::Literal(_) | PatKind::Const(_) | PatKind::Range { .. },
                _,
            ) => {}
        }
    }

    /// Of a part, which is what the type says, or an array of it if `outer` is 1.
    fn sizes_of(
        &mut self,
        part: &Part,
        outer: usize,
        annotation: &'a ast::Type,
        out: &mut Vec<StmtDraft<'a>>,
    ) {
        let (mut levels, mut elem) = (outer, annotation);
        while let TypeKind::Array(inner, size) = &elem.kind {
            let spelled = spelled(size);
            if let Some(size) = self.size_value(size) {
                let written = (size, spelled);
                out.push(self.require_length(part, levels, written, annotation.src));
            }
            levels += 1;
            elem = inner;
        }
        let TypeKind::Tuple(fields) = &elem.kind else {
            return;
        };
        let rows = (1..levels).fold(part.clone(), |part, _| part.then(Step::Joined));
        for (at, field) in fields.iter().enumerate() {
            if has_size(field) {
                let (step, outer) = match levels {
                    0 => (Step::Field(at), 0),
                    _ => (Step::Each(at), 1),
                };
                self.sizes_of(&rows.then(step), outer, field, out);
            }
        }
    }

    /// That the arrays `level` levels inside of a part have `size` elements.
    fn require_length(
        &mut self,
        part: &Part,
        level: usize,
        (size, written): (NodeId, String),
        src: SrcSpan,
    ) -> StmtDraft<'a> {
        let array = self.part(part, src);
        let len = self.extent(array, level, src);
        let local = &self.locals[part.local.index()];
        let whole = part.steps.is_empty() && level == 0;
        let name = match (&*local.name, whole) {
            ("_", true) => "this array".to_owned(),
            ("_", false) => "an array in this value".to_owned(),
            (name, true) => format!("`{name}`"),
            (name, false) => format!("an array in `{name}`"),
        };
        let kind = NodeKind::Sized {
            size,
            len,
            written,
            name,
            bound: local.src,
        };
        StmtDraft::Expr(self.node(kind, Ty::UNIT, src))
    }

    fn part(&mut self, part: &Part, src: SrcSpan) -> NodeId {
        let whole = self.read(part.local, src);
        part.steps
            .iter()
            .fold(whole, |node, step| self.step(node, *step, src))
    }

    fn step(&mut self, node: NodeId, step: Step, src: SrcSpan) -> NodeId {
        let ty = self.ty(node);
        match (step, self.types.head(ty)) {
            (Step::Field(at), Head::Tuple(fields)) => {
                self.node(NodeKind::Field(node, at), fields[at], src)
            }
            (Step::Each(at), Head::Array(elem)) => {
                let Head::Tuple(fields) = self.types.head(elem) else {
                    return self.node(NodeKind::Error, Ty::ERROR, src);
                };
                let arrays = fields.iter().map(|ty| self.types.array(*ty)).collect();
                let arrays = self.types.tuple(arrays);
                let arrays = self.operator(Prim::Unzip, vec![node], arrays, src);
                self.step(arrays, Step::Field(at), src)
            }
            (Step::Joined, Head::Array(rows)) => self.operator(Prim::Concat, vec![node], rows, src),
            // The type was unified with the one that the steps come from, or an error is reported.
            (Step::Field(_) | Step::Each(_) | Step::Joined, _) => {
                self.node(NodeKind::Error, Ty::ERROR, src)
            }
        }
    }

    // `len(array)`, or the length of the arrays `level` levels inside of it.
    fn extent(&mut self, array: NodeId, level: usize, src: SrcSpan) -> NodeId {
        if level == 0 {
            return self.operator(Prim::Len, vec![array], Ty::USIZE, src);
        }
        let shape = self.types.tuple(vec![Ty::USIZE; level + 1]);
        let shape = self.operator(Prim::Shape, vec![array], shape, src);
        self.node(NodeKind::Field(shape, level), Ty::USIZE, src)
    }

    // A size as a value.
    fn size_value(&mut self, size: &'a SizeSpec) -> Option<NodeId> {
        match size {
            SizeSpec::Own => None,
            SizeSpec::Known(size, src) => {
                let value = super::literal::int(i128::from(*size), Scalar::Usize)?;
                Some(self.node(NodeKind::Const(value), Ty::USIZE, *src))
            }
            SizeSpec::Named(name) => {
                let node = self.value_of_name(name, place(name));
                self.expect(node, Ty::USIZE, format_args!("a size is a `usize`"));
                Some(node)
            }
        }
    }
}

/// A size as it is written.
fn spelled(size: &SizeSpec) -> String {
    match size {
        SizeSpec::Own => String::new(),
        SizeSpec::Known(size, _) => size.to_string(),
        SizeSpec::Named(name) => name.text.clone(),
    }
}

/// Whether arrays of a type have sizes.
fn has_size(ty: &ast::Type) -> bool {
    super::annotation::sized(ty).is_some()
}
