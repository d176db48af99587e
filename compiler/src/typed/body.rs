//! The state of typing one function body, and what all of its parts use.
//!
//! In: a body's scope. Out: a [`draft`](super::draft) tree with equations between its types solved.

use super::demand::Demand;
use super::draft::{LocalDraft, LocalTy, Node, NodeId, NodeKind};
use super::scope::Session;
use super::types::{Kind, Ty, Types};
use super::wait::Waiting;
use crate::ids::LocalId;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::typed::ir::LoopId;
use std::fmt;

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
    pub(super) scope: Scope,
    pub(super) loops: Vec<LoopFrame<'a>>,
    loop_count: u32,
    /// Assignments seen so far that may turn out to be inside a parallel body.
    pub(super) assigned: Vec<Assigned>,
    /// `break` and `continue` seen so far, by the position of their loop in `loops`.
    pub(super) exits: Vec<(usize, SrcSpan)>,
    pub(super) waiting: Vec<Waiting<'a>>,
    pub(super) demands: Vec<Demand<'a>>,
    /// The innermost receiver of a method call that is the upper bound of a range.
    pub(super) range_receiver: Option<*const crate::syntax::ir::Expr>,
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

/// A loop around the current expression.
pub(super) struct LoopFrame<'a> {
    pub(super) name: Option<&'a str>,
    pub(super) label: LoopId,
    pub(super) kind: LoopKind,
    pub(super) left: bool,
}

/// What a `break` may do.
#[derive(Clone, Copy)]
pub(super) enum LoopKind {
    While,
    For,
    /// `loop`, with the type of its value.
    Loop(Ty),
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
            scope: Scope(None),
            loops: Vec::new(),
            loop_count: 0,
            assigned: Vec::new(),
            exits: Vec::new(),
            waiting: Vec::new(),
            demands: Vec::new(),
            range_receiver: None,
            failed: false,
        }
    }

    /// Reports a mistake.
    pub(super) fn error(&mut self, diagnostic: Diagnostic) {
        self.failed = true;
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
        self.local("tmp".into(), LocalTy::Value(ty), false, src)
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
            LocalTy::Fn { .. } => Ty::ERROR,
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
            } else if assigned.element {
                let what = "assignment to an element of an array inside a parallel body";
                self.error(Diagnostic::unsupported(assigned.src, what));
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

    /// Demands that `node` has type `want`, and says `why` if it has not.
    pub(super) fn expect(&mut self, node: NodeId, want: Ty, why: fmt::Arguments<'_>) {
        let found = self.ty(node);
        if self.types.unify(found, want).is_err() {
            let error = self.mismatch(node, want, why);
            self.error(error);
        }
    }

    fn mismatch(&self, node: NodeId, want: Ty, why: fmt::Arguments<'_>) -> Diagnostic {
        let found = self.ty(node);
        let title = format!(
            "expected {}, found {}",
            self.types.quote(want),
            self.types.quote(found)
        );
        let error = Diagnostic::new(self.src(node), title).note(why.to_string());
        match self.conversion(node, want) {
            Some(help) => error.help(help),
            None => error,
        }
    }

    /// How a value becomes one of type `want`.
    pub(super) fn conversion(&self, node: NodeId, want: Ty) -> Option<String> {
        use super::types::Head;
        let found = self.types.head(self.ty(node));
        let want_head = self.types.head(want);
        let is_bool = |head: &Head| matches!(head, Head::Scalar(crate::prims::Scalar::Bool));
        let is_float = |head: &Head| match head {
            Head::Var(kind) => *kind == Kind::Float,
            Head::Scalar(scalar) => scalar.is_float(),
            Head::Tuple(_) | Head::Struct(_) | Head::Array(_) | Head::Error => false,
        };
        let is_number = |head: &Head| match head {
            Head::Var(kind) => !matches!(kind, Kind::Any | Kind::Never),
            Head::Scalar(_) => !is_bool(head),
            Head::Tuple(_) | Head::Struct(_) | Head::Array(_) | Head::Error => false,
        };
        if let NodeKind::Literal { literal, .. } = self.kind(node)
            && is_float(&want_head)
            && let crate::syntax::ir::LiteralValue::Int(value) = literal.value
        {
            return Some(format!("write `{value}.0`"));
        }
        match (&found, &want_head) {
            (_, Head::Scalar(scalar)) if is_number(&found) && is_number(&want_head) => {
                Some(format!("convert it: `… as {}`", scalar.name()))
            }
            (_, Head::Var(_)) if is_number(&found) && is_number(&want_head) => {
                Some("convert one of them with `as`".into())
            }
            (_, Head::Scalar(_)) if is_number(&found) && is_bool(&want_head) => {
                Some("compare it: `… != 0`".into())
            }
            (Head::Scalar(_), Head::Scalar(scalar)) if is_bool(&found) && scalar.is_int() => {
                Some(format!("convert it: `… as {}`", scalar.name()))
            }
            (Head::Array(_), Head::Scalar(_)) => Some(
                "take an element with `xs[i]`, or apply the operation to each with `map`".into(),
            ),
            _ => None,
        }
    }
}
