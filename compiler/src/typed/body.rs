//! The state of typing one function body, and what all of its parts use.
//!
//! In: a body's scope. Out: a [`draft`](super::draft) tree with equations between its types solved.

use super::demand::Demand;
use super::draft::{LocalDraft, LocalTy, Node, NodeId, NodeKind};
use super::prims::stencil::Stencil;
use super::scope::Session;
use super::types::{Ty, Types};
use super::wait::Waiting;
use crate::ids::LocalId;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::typed::ir::LoopId;

/// Typing one function body (or the value of a constant).
pub(super) struct Body<'s, 'a> {
    pub(super) session: &'s mut Session<'a>,
    /// The unit whose names are meant.
    pub(super) unit: usize,
    /// Type parameters of this instance.
    pub(super) generics: Vec<(&'a str, Ty)>,
    pub(super) types: Types,
    pub(super) nodes: Vec<Node<'a>>,
    pub(super) locals: Vec<LocalDraft>,
    bindings: Vec<Binding<'a>>,
    /// Closures that `let` has bound.
    pub(super) closures: Vec<Closure<'a>>,
    /// How often these were used.
    pub(super) closure_uses: usize,
    /// Stencils met so far.
    pub(super) stencils: Vec<Stencil>,
    pub(super) scope: Scope,
    pub(super) loops: Vec<LoopFrame<'a>>,
    loop_count: u32,
    /// Assignments seen so far that may turn out to be inside a parallel body.
    pub(super) assigned: Vec<Assigned>,
    /// `break`, `continue` and `return` seen so far, by the position of their loop in `loops`.
    pub(super) exits: Vec<(usize, SrcSpan)>,
    /// Whether there are any in the whole body.
    pub(super) jumps: bool,
    pub(super) waiting: Vec<Waiting<'a>>,
    pub(super) demands: Vec<Demand<'a>>,
    /// Inside a closure that hides the loops around it.
    pub(super) loops_hidden: bool,
    /// Something was reported.
    pub(super) failed: bool,
}

/// The innermost binding in scope; bindings link outwards, so that a scope can be kept for later.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope(Option<usize>);

struct Binding<'a> {
    name: &'a str,
    local: LocalId,
    outer: Scope,
}

/// A closure, and the names that it sees.
#[derive(Clone, Copy)]
pub(super) struct Closure<'a> {
    pub(super) params: &'a [ast::Pattern],
    pub(super) body: &'a ast::Expr,
    pub(super) scope: Scope,
    pub(super) src: SrcSpan,
}

/// A loop around the current expression.
pub(super) struct LoopFrame<'a> {
    pub(super) name: Option<&'a str>,
    pub(super) label: LoopId,
    pub(super) kind: LoopKind,
    /// The first `break`.
    pub(super) left: Option<SrcSpan>,
}

/// What a `break` may do.
#[derive(Clone, Copy)]
pub(super) enum LoopKind {
    While,
    For,
    /// `loop`, with the type of its value.
    Loop(Ty),
    /// No loop, but the body of a function or closure, which `return` leaves; with the type of its
    /// result.
    Body(Ty),
}

impl LoopFrame<'_> {
    /// Whether `return` leaves it, and neither `break` nor `continue` do.
    pub(super) fn is_body(&self) -> bool {
        matches!(self.kind, LoopKind::Body(_))
    }
}

/// An assignment.
#[derive(Clone, Copy)]
pub(super) struct Assigned {
    pub(super) local: LocalId,
    /// To an element.
    pub(super) element: bool,
    pub(super) src: SrcSpan,
}

/// A body that may be run in parallel: a closure's or a `for`'s.
pub(super) struct Region {
    locals: usize,
    assigned: usize,
}

impl<'s, 'a> Body<'s, 'a> {
    pub(super) fn new(session: &'s mut Session<'a>, unit: usize) -> Self {
        let types = Types::new(session.struct_names.clone());
        Body {
            session,
            unit,
            generics: Vec::new(),
            types,
            nodes: Vec::new(),
            locals: Vec::new(),
            bindings: Vec::new(),
            closures: Vec::new(),
            closure_uses: 0,
            stencils: Vec::new(),
            scope: Scope(None),
            loops: Vec::new(),
            loop_count: 0,
            assigned: Vec::new(),
            exits: Vec::new(),
            jumps: false,
            waiting: Vec::new(),
            demands: Vec::new(),
            loops_hidden: false,
            failed: false,
        }
    }

    /// Reports a mistake; of a generic function, also in which instance.
    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        self.failed = true;
        let diagnostic = if self.generics.is_empty() {
            diagnostic
        } else {
            let types = self.generics.iter();
            let types: Vec<_> = types
                .map(|(name, ty)| format!("`{name} = {}`", self.types.show(*ty)))
                .collect();
            diagnostic.note(format!("in the instance with {}", types.join(", ")))
        };
        self.session.errors.push(diagnostic);
    }

    /// Reports a mistake; the expression at `src` is ill-typed.
    pub(super) fn error_node(&mut self, src: SrcSpan, diagnostic: Diagnostic) -> NodeId {
        self.error(diagnostic);
        self.node(NodeKind::Error, Ty::ERROR, src)
    }

    pub(super) fn node(&mut self, kind: NodeKind<'a>, ty: Ty, src: SrcSpan) -> NodeId {
        let id = u32::try_from(self.nodes.len()).expect("fewer than 2^32 expressions");
        self.nodes.push(Node { kind, ty, src });
        NodeId(id)
    }

    pub(super) fn ty(&self, node: NodeId) -> Ty {
        self.nodes[node.0 as usize].ty
    }

    pub(super) fn src(&self, node: NodeId) -> SrcSpan {
        self.nodes[node.0 as usize].src
    }

    pub(super) fn kind(&self, node: NodeId) -> &NodeKind<'a> {
        &self.nodes[node.0 as usize].kind
    }

    /// A local without a name in scope.
    pub(super) fn temporary(&mut self, ty: Ty, src: SrcSpan) -> LocalId {
        let local = self.local("tmp".into(), LocalTy::Value(ty), false, src);
        self.locals[local.index()].temporary = true;
        local
    }

    pub(super) fn local(
        &mut self,
        name: String,
        ty: LocalTy,
        mutable: bool,
        src: SrcSpan,
    ) -> LocalId {
        let id = LocalId::next(&self.locals);
        self.locals.push(LocalDraft {
            name,
            ty,
            mutable,
            in_parts: false,
            temporary: false,
            src,
        });
        id
    }

    /// Reads a local that holds a value.
    pub(super) fn read(&mut self, local: LocalId, src: SrcSpan) -> NodeId {
        let ty = self.local_ty(local);
        self.node(NodeKind::Local(local), ty, src)
    }

    /// The type of a local that holds a value.
    pub(super) fn local_ty(&self, local: LocalId) -> Ty {
        match &self.locals[local.index()].ty {
            LocalTy::Value(ty) => *ty,
            LocalTy::Fn { .. } | LocalTy::Closure(_) | LocalTy::At(_) => Ty::ERROR,
        }
    }

    pub(super) fn bind(&mut self, name: &'a str, local: LocalId) {
        self.bindings.push(Binding {
            name,
            local,
            outer: self.scope,
        });
        self.scope = Scope(Some(self.bindings.len() - 1));
    }

    pub(super) fn lookup(&self, name: &str) -> Option<LocalId> {
        self.in_scope()
            .find(|(other, _)| *other == name)
            .map(|(_, local)| local)
    }

    /// Names of locals, innermost first.
    pub(super) fn in_scope(&self) -> impl Iterator<Item = (&'a str, LocalId)> + '_ {
        let mut scope = self.scope;
        std::iter::from_fn(move || {
            let binding = &self.bindings[scope.0?];
            scope = binding.outer;
            Some((binding.name, binding.local))
        })
    }

    /// Notes a jump that leaves the loop or body at `index` of `loops`, or goes on with it.
    pub(super) fn jump(&mut self, index: usize, src: SrcSpan) {
        self.exits.push((index, src));
        self.jumps = true;
    }

    pub(super) fn new_loop(&mut self) -> LoopId {
        self.loop_count += 1;
        LoopId(self.loop_count - 1)
    }

    pub(super) fn open_region(&self) -> Region {
        Region {
            locals: self.locals.len(),
            assigned: self.assigned.len(),
        }
    }

    /// Ends a parallel body: reports what it assigns outside of itself.
    pub(super) fn close_parallel(&mut self, region: &Region) {
        let assigned = self.assigned.split_off(region.assigned);
        for assigned in assigned {
            if assigned.local.index() < region.locals {
                let error = self.assigned_outside(assigned);
                self.error(error);
            }
        }
    }

    fn assigned_outside(&self, assigned: Assigned) -> Diagnostic {
        let local = &self.locals[assigned.local.index()];
        let title = format!("`{}` is assigned inside a parallel body", local.name);
        let help = if assigned.element {
            "give the new array as the result, or use `scatter`; a `for` without a value is sequential"
        } else {
            "use `fold` or `reduce`, which carry a value; a `for` without a value is sequential"
        };
        Diagnostic::new(assigned.src, title)
            .note("a closure, or a `for` with a value, runs for all elements at once")
            .help(help)
            .also(
                local.src,
                format!("`{}` is declared outside of that body", local.name),
            )
    }
}
