//! Decisions that need a type which is not known yet.
//!
//! Note \[Waiting\]: `rotate_left` is an operator of arrays and a function of integers; `e.0` needs to
//! know what `e` is. Where the receiver's type is unknown, a `Waiting` node takes the place of the
//! result, with a type variable for its type. When all of the body has been seen, the decision is
//! taken, in the scope of the place where it was written, and the node becomes an alias.

use super::body::{Body, Scope};
use super::call::Site;
use super::draft::{NodeId, NodeKind};
use super::types::{Head, Ty};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;

/// A decision that waits for the type of `on`.
pub(super) struct Waiting<'a> {
    on: Ty,
    /// What the result becomes.
    node: NodeId,
    scope: Scope,
    what: What<'a>,
}

/// What is to be decided.
pub(super) enum What<'a> {
    /// A field of a value.
    Field(NodeId, &'a ast::Name),
    /// Between an operator and a scalar function.
    Builtin(Site<'a>),
}

impl<'a> Body<'_, 'a> {
    /// A node that is decided when the type `on` is known.
    pub(super) fn wait(&mut self, on: Ty, src: SrcSpan, what: What<'a>) -> NodeId {
        let ty = self.types.any();
        let node = self.node(NodeKind::Waiting, ty, src);
        self.waiting.push(Waiting {
            on,
            node,
            scope: self.scope,
            what,
        });
        node
    }

    /// Decides what can be decided until nothing changes; the rest is reported.
    pub(super) fn settle(&mut self) {
        let mut progress = true;
        while progress {
            progress = false;
            for waiting in std::mem::take(&mut self.waiting) {
                if matches!(self.types.head(waiting.on), Head::Var(_)) {
                    self.waiting.push(waiting);
                } else {
                    self.decide(waiting);
                    progress = true;
                }
            }
        }
        for waiting in std::mem::take(&mut self.waiting) {
            // What waits for something that has been reported says nothing more.
            if !self.types.is_error(waiting.on) {
                let error = unknown_type(self.src(waiting.node));
                self.error(error);
                self.types.give_up(waiting.on);
            }
            self.types.give_up(self.ty(waiting.node));
        }
    }

    fn decide(&mut self, waiting: Waiting<'a>) {
        let outer = std::mem::replace(&mut self.scope, waiting.scope);
        let src = self.src(waiting.node);
        let result = match waiting.what {
            What::Field(base, name) => self.field_of(base, name, src),
            What::Builtin(site) => self.builtin(site),
        };
        self.scope = outer;
        let ty = self.ty(waiting.node);
        self.expect(result, ty, format_args!("this follows from its use"));
        self.nodes[waiting.node.0 as usize].kind = NodeKind::Alias(result);
    }
}

/// Nothing says what type an expression has.
pub(super) fn unknown_type(src: SrcSpan) -> Diagnostic {
    Diagnostic::new(src, "the type of this is not known")
        .note("nothing says what it is")
        .help("write the type: `let x: f32 = …`, `|x: f32| …`")
}
