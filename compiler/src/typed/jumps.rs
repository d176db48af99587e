//! `break`, `continue` and `return`: which loop or body they leave, and with what.

use super::body::{Body, LoopFrame, LoopKind};
use super::draft::{NodeId, NodeKind};
use super::types::{Head, Kind, Ty};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::typed::ir::LoopId;

impl<'a> Body<'_, 'a> {
    /// What `inside` types as the body of a function or closure with results of type `ty`; what
    /// `return` leaves, if it does.
    pub(super) fn returning(&mut self, ty: Ty, inside: impl FnOnce(&mut Self) -> NodeId) -> NodeId {
        self.loops.push(LoopFrame {
            name: None,
            // Given by the first `return`.
            label: LoopId(0),
            kind: LoopKind::Body(ty),
            left: None,
        });
        let body = inside(self);
        let frame = self.loops.pop().expect("pushed above");
        if frame.left.is_none() {
            return body;
        }
        let (src, label) = (self.src(body), frame.label);
        self.node(NodeKind::Labelled { body, label }, ty, src)
    }

    /// `return value`
    pub(super) fn early_return(&mut self, value: Option<&'a ast::Expr>, src: SrcSpan) -> NodeId {
        let never = self.types.var(Kind::Never);
        let value = value.map(|value| self.infer_value(value));
        let target = self.loops.iter().rposition(LoopFrame::is_body);
        let Some((index, value)) = target.zip(value) else {
            let error = Diagnostic::new(src, "this `return` gives no value")
                .help("write the result of the function behind it");
            self.error(error);
            return self.node(NodeKind::Error, never, src);
        };
        if self.loops[index].left.is_none() {
            self.loops[index].label = self.new_loop();
            self.loops[index].left = Some(src);
        }
        let LoopFrame { label, kind, .. } = self.loops[index];
        if let LoopKind::Body(ty) = kind {
            self.expect(
                value,
                ty,
                format_args!("`return` gives the result of the function or closure around it"),
            );
        }
        self.jump(index, src);
        let value = Some(value);
        self.node(NodeKind::Break { label, value }, never, src)
    }

    /// Whether one of the exits since `first` leaves what is around the loop that has just ended.
    pub(super) fn leaves_outer(&self, first: usize) -> bool {
        let depth = self.loops.len();
        self.exits[first..]
            .iter()
            .any(|(target, _)| *target < depth)
    }

    // No jump may leave the parallel body that just ended.
    pub(super) fn no_exits(&mut self, first: usize) {
        let depth = self.loops.len();
        for (target, src) in self.exits.split_off(first) {
            if target <= depth {
                let error = Diagnostic::new(src, "a `for` with a value cannot be left early")
                    .note("its body runs for all elements at once")
                    .help("use `while` or `loop`, or give a value that says to skip the element");
                self.error(error);
            }
        }
    }

    pub(super) fn break_(
        &mut self,
        name: Option<&'a ast::Name>,
        value: Option<&'a ast::Expr>,
        src: SrcSpan,
    ) -> NodeId {
        let value = value.map(|value| self.infer_value(value));
        let ty = self.types.var(Kind::Never);
        let Some(index) = self.find_loop(name, "break", src) else {
            return self.node(NodeKind::Error, ty, src);
        };
        let first = *self.loops[index].left.get_or_insert(src);
        let (label, kind) = (self.loops[index].label, self.loops[index].kind);
        match (kind, value) {
            (LoopKind::Loop(result), Some(value)) => {
                if !self.break_value(value, result, src, first) {
                    // The type of the `loop` is not known then.
                    self.loops[index].kind = LoopKind::Loop(Ty::ERROR);
                }
            }
            (LoopKind::Loop(result), None) => {
                if self.types.unify(result, Ty::UNIT).is_err() {
                    let error = Diagnostic::new(src, "this `break` gives no value")
                        .note("another `break` of the same `loop` does")
                        .help("give it one too: `break value`");
                    self.error(error);
                }
            }
            (LoopKind::While | LoopKind::For | LoopKind::Body(_), Some(value)) => {
                let error =
                    Diagnostic::new(self.src(value), "only a `loop` can be left with a value")
                        .help("assign it to a `let mut` before the `break`");
                self.error(error);
            }
            (LoopKind::While | LoopKind::For | LoopKind::Body(_), None) => {}
        }
        self.node(NodeKind::Break { label, value }, ty, src)
    }

    // Whether the value of a `break` has the type of the others of its `loop`.
    fn break_value(&mut self, value: NodeId, result: Ty, src: SrcSpan, first: SrcSpan) -> bool {
        let without = matches!(self.types.head(result), Head::Tuple(fields) if fields.is_empty());
        if without {
            let error = Diagnostic::new(src, "this `break` gives a value")
                .note("another `break` of the same `loop` does not")
                .help("give all of them a value, or none");
            self.error(error);
            return false;
        }
        let same = self.types.unify(self.ty(value), result).is_ok();
        if !same {
            let why = format_args!("all `break`s of a `loop` give one type");
            let gives = format!("this one gives {}", self.types.quote(result));
            let error = self.mismatch(value, result, why).also(first, gives);
            self.error(error);
        }
        same
    }

    pub(super) fn continue_(&mut self, name: Option<&'a ast::Name>, src: SrcSpan) -> NodeId {
        let ty = self.types.var(Kind::Never);
        match self.find_loop(name, "continue", src) {
            Some(index) => {
                let label = self.loops[index].label;
                self.node(NodeKind::Continue { label }, ty, src)
            }
            None => self.node(NodeKind::Error, ty, src),
        }
    }

    // The position of the loop that is meant.
    fn find_loop(&mut self, name: Option<&ast::Name>, what: &str, src: SrcSpan) -> Option<usize> {
        let found = match name {
            None => self.loops.iter().rposition(|frame| !frame.is_body()),
            Some(name) => self
                .loops
                .iter()
                .rposition(|frame| frame.name == Some(&name.text)),
        };
        match (found, name) {
            (Some(index), _) => self.jump(index, src),
            (None, None) => {
                let error = Diagnostic::new(src, format!("`{what}` outside of a loop"));
                let error = if self.loops_hidden {
                    error.note("a closure cannot leave the loop around it")
                } else {
                    error
                };
                self.error(error);
            }
            (None, Some(name)) => {
                let label = name.text.trim_start_matches('\'');
                let error =
                    Diagnostic::new(src, format!("no loop around this is called `'{label}`"))
                        .help(format!("write `'{label}:` before the loop"));
                // Any of them may be the one that is meant.
                for frame in &mut self.loops {
                    frame.left.get_or_insert(src);
                    if let LoopKind::Loop(_) = frame.kind {
                        frame.kind = LoopKind::Loop(Ty::ERROR);
                    }
                }
                self.error(error);
            }
        }
        found
    }
}
