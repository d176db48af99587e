//! Types of blocks, branches and loops.

use super::body::{Body, LoopFrame, LoopKind};
use super::draft::{ArmDraft, FnDraft, NodeId, NodeKind, StmtDraft};
use super::signature::plain_name;
use super::types::{Head, Kind, Ty};
use crate::prims::{Prim, Scalar};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::syntax::ir::{ExprKind, Stmt};

impl<'a> Body<'_, 'a> {
    pub(super) fn block(&mut self, block: &'a ast::Block, src: SrcSpan) -> NodeId {
        let outer = self.scope;
        let mut stmts = Vec::with_capacity(block.stmts.len());
        let mut diverges = false;
        for stmt in &block.stmts {
            diverges |= self.stmt(stmt, &mut stmts);
        }
        let value = block.value.as_ref().map(|value| self.infer(value));
        self.scope = outer;
        let ty = match value {
            Some(value) => self.ty(value),
            None if diverges => self.types.var(Kind::Never),
            None => Ty::UNIT,
        };
        self.node(NodeKind::Block { stmts, value }, ty, src)
    }

    /// The statements of a function's body; their names stay in scope.
    pub(super) fn stmts(&mut self, stmts: &'a [Stmt]) -> Vec<StmtDraft<'a>> {
        let mut out = Vec::with_capacity(stmts.len());
        for stmt in stmts {
            self.stmt(stmt, &mut out);
        }
        out
    }

    // Whether the end of the statement is never reached.
    fn stmt(&mut self, stmt: &'a Stmt, out: &mut Vec<StmtDraft<'a>>) -> bool {
        match stmt {
            Stmt::Let {
                pattern,
                value: Some(value),
                ..
            } => {
                self.let_(pattern, value, out);
                false
            }
            Stmt::Let {
                pattern,
                value: None,
                src,
            } => {
                let error = Diagnostic::new(*src, "a variable needs a value where it is declared")
                    .help("write `let x = …;`");
                self.error(error);
                let ty = Ty::ERROR;
                self.pattern(pattern, ty);
                false
            }
            Stmt::Expr(expr) => {
                let node = self.infer(expr);
                let ty = self.ty(node);
                if !self.types.is_unit(ty) && !self.types.has_error(ty) {
                    self.unused(expr);
                }
                out.push(StmtDraft::Expr(node));
                self.types.is_never(ty)
            }
        }
    }

    fn let_(
        &mut self,
        pattern: &'a ast::Pattern,
        value: &'a ast::Expr,
        out: &mut Vec<StmtDraft<'a>>,
    ) {
        if let (ExprKind::Closure(params, body), Some(name)) = (&value.kind, plain_name(pattern)) {
            self.bind_closure(name, params, body, value.src);
            return;
        }
        let value = self.infer_value(value);
        let ty = self.ty(value);
        if let ast::PatternKind::Typed(inner, annotation) = &pattern.kind {
            self.typed_let(inner, annotation, value, out);
            return;
        }
        let pattern = self.pattern(pattern, ty);
        out.push(StmtDraft::Let { pattern, value });
    }

    fn unused(&mut self, expr: &'a ast::Expr) {
        let error = match &expr.kind {
            ExprKind::Dbg(_) => return,
            ExprKind::For(..) => Diagnostic::new(expr.src, "the array that this `for` gives is not used")
                .note("a `for` whose body has a value is an array; what follows it is a statement of its own")
                .help("bind it with `let`, put it in parentheses, or end its body with `;`"),
            _ => Diagnostic::new(expr.src, "this value is not used")
                .note("functions are pure: a value that is not used has no effect")
                .help("leave it out, or bind it with `let`"),
        };
        self.error(error);
    }

    pub(super) fn if_(
        &mut self,
        cond: &'a ast::Expr,
        then: &'a ast::Expr,
        else_: Option<&'a ast::Expr>,
        src: SrcSpan,
    ) -> NodeId {
        let cond = self.infer_bool(cond, "the condition of `if`");
        let then = self.infer(then);
        let then_ty = self.ty(then);
        let Some(else_) = else_ else {
            if !self.types.is_unit(then_ty) && !self.types.is_error(then_ty) {
                let error = Diagnostic::new(src, "this `if` has a value and no `else`")
                    .note("what it would be if the condition is false is not said")
                    .help("add `else { … }`");
                return self.error_node(src, error);
            }
            let kind = NodeKind::If {
                cond,
                then,
                else_: None,
            };
            return self.node(kind, Ty::UNIT, src);
        };
        let else_ = self.infer(else_);
        self.expect(
            else_,
            then_ty,
            format_args!("both branches of an `if` have one type"),
        );
        let kind = NodeKind::If {
            cond,
            then,
            else_: Some(else_),
        };
        self.node(kind, then_ty, src)
    }

    pub(super) fn match_(
        &mut self,
        scrutinee: &'a ast::Expr,
        arms: &'a [ast::Arm],
        src: SrcSpan,
    ) -> NodeId {
        let scrutinee = self.infer_value(scrutinee);
        let on = self.ty(scrutinee);
        let ty = self.types.var(Kind::Never);
        let mut drafts = Vec::with_capacity(arms.len());
        for arm in arms {
            let outer = self.scope;
            let pattern = self.pattern(&arm.pattern, on);
            let guard = arm
                .guard
                .as_ref()
                .map(|guard| self.infer_bool(guard, "a guard"));
            let body = self.infer(&arm.body);
            self.scope = outer;
            self.expect(
                body,
                ty,
                format_args!("all arms of a `match` have one type"),
            );
            drafts.push(ArmDraft {
                pattern,
                guard,
                body,
            });
        }
        let kind = NodeKind::Match {
            scrutinee,
            arms: drafts,
        };
        self.node(kind, ty, src)
    }

    pub(super) fn while_(
        &mut self,
        cond: &'a ast::Expr,
        body: &'a ast::Block,
        name: Option<&'a ast::Name>,
        src: SrcSpan,
    ) -> NodeId {
        let cond = self.infer_bool(cond, "the condition of `while`");
        let (body, LoopFrame { label, .. }) = self.loop_body(body, name, LoopKind::While, src);
        self.no_value(body, "`while`");
        self.node(NodeKind::While { cond, body, label }, Ty::UNIT, src)
    }

    pub(super) fn loop_(
        &mut self,
        body: &'a ast::Block,
        name: Option<&'a ast::Name>,
        src: SrcSpan,
    ) -> NodeId {
        let ty = self.types.var(Kind::Never);
        let exits = self.exits.len();
        let (body, frame) = self.loop_body(body, name, LoopKind::Loop(ty), src);
        self.no_value(body, "`loop`");
        let ends = frame.left.is_some();
        if !ends && !self.leaves_outer(exits) {
            let error = Diagnostic::new(src, "this `loop` never ends")
                .note("no `break` leaves it")
                .help("leave it with `break value`, or use `while`");
            return self.error_node(src, error);
        }
        let label = frame.label;
        let ty = match frame.kind {
            LoopKind::Loop(ty) => ty,
            LoopKind::While | LoopKind::For | LoopKind::Body(_) => Ty::UNIT,
        };
        self.node(NodeKind::Loop { body, label, ends }, ty, src)
    }

    fn loop_body(
        &mut self,
        body: &'a ast::Block,
        name: Option<&'a ast::Name>,
        kind: LoopKind,
        src: SrcSpan,
    ) -> (NodeId, LoopFrame<'a>) {
        let label = self.new_loop();
        self.loops.push(LoopFrame {
            name: name.map(|name| &*name.text),
            label,
            kind,
            left: None,
        });
        let body = self.block(body, src);
        (body, self.loops.pop().expect("pushed above"))
    }

    fn no_value(&mut self, body: NodeId, what: &str) {
        let ty = self.ty(body);
        if !self.types.is_unit(ty) && !self.types.is_error(ty) {
            let src = self.value_src(body);
            let error =
                Diagnostic::new(src, format!("the body of a {what} has no use for a value"))
                    .help("end it with `;`, or assign it to a `let mut`");
            self.error(error);
        }
    }

    // The place of a block's value.
    fn value_src(&self, block: NodeId) -> SrcSpan {
        if let NodeKind::Block {
            value: Some(value), ..
        } = self.kind(block)
        {
            self.src(*value)
        } else {
            self.src(block)
        }
    }

    /// An array of values, or a sequential loop if the body has none.
    pub(super) fn for_(
        &mut self,
        pattern: &'a ast::Pattern,
        source: &'a ast::Expr,
        body: &'a ast::Block,
        name: Option<&'a ast::Name>,
        src: SrcSpan,
    ) -> NodeId {
        let source = self.infer_value(source);
        let elem = self.for_elem(source);
        let outer = self.scope;
        let region = self.open_region();
        let exits = self.exits.len();
        let elem = self.without_position(pattern, elem);
        let pattern = self.pattern(pattern, elem);
        let (body, LoopFrame { label, .. }) = self.loop_body(body, name, LoopKind::For, src);
        self.scope = outer;
        let body_ty = self.ty(body);
        if self.types.is_unit(body_ty) {
            let kind = NodeKind::ForStmt {
                pattern,
                source,
                body,
                label,
            };
            return self.node(kind, Ty::UNIT, src);
        }
        self.close_parallel(&region);
        self.no_exits(exits);
        let lambda = FnDraft::Lambda {
            params: vec![pattern],
            body,
            src,
        };
        let ty = if self.types.is_error(body_ty) {
            Ty::ERROR
        } else {
            self.container(source, body_ty)
        };
        let kind = NodeKind::Prim {
            prim: Prim::Map,
            args: vec![source],
            fns: vec![lambda],
        };
        self.node(kind, ty, src)
    }

    /// The type of elements; a pattern for an element and its position gets its own message.
    fn without_position(&mut self, pattern: &ast::Pattern, elem: Ty) -> Ty {
        let is_pair = matches!(&pattern.kind, ast::PatternKind::Tuple(fields) if fields.len() == 2);
        let is_one = match self.types.head(elem) {
            Head::Scalar(_) | Head::Array(_) => true,
            Head::Var(kind) => !matches!(kind, Kind::Any | Kind::Never),
            Head::Tuple(_) | Head::Struct(_) | Head::Complex(_) | Head::Seq(_) | Head::Error => {
                false
            }
        };
        if !is_pair || !is_one {
            return elem;
        }
        let ty = self.types.quote(elem);
        let title = format!("this pattern takes apart a tuple, an element is {ty}");
        let error = Diagnostic::new(pattern.src, title)
            .help("with its position, it is `for (i, x) in xs.enumerate() { … }`");
        self.error(error);
        Ty::ERROR
    }

    fn for_elem(&mut self, source: NodeId) -> Ty {
        let ty = self.ty(source);
        match self.types.head(ty) {
            Head::Array(elem) | Head::Seq(elem) => elem,
            Head::Error => Ty::ERROR,
            Head::Var(Kind::Any) => self.elem_of(source),
            Head::Var(_)
            | Head::Scalar(_)
            | Head::Tuple(_)
            | Head::Struct(_)
            | Head::Complex(_) => {
                let title = format!("`for` needs an array, found {}", self.types.quote(ty));
                let error = Diagnostic::new(self.src(source), title);
                let is_int = self.types.as_scalar(ty).is_some_and(Scalar::is_int);
                let is_tuple = matches!(self.types.head(ty), Head::Tuple(_));
                let error = match (is_int, is_tuple) {
                    (true, _) => error.help("count with a range: `for i in 0..n { … }`"),
                    (_, true) => {
                        error.help("pair up arrays with `zip`: `for (x, y) in zip(xs, ys) { … }`")
                    }
                    _ => error,
                };
                self.error(error);
                Ty::ERROR
            }
        }
    }
}
