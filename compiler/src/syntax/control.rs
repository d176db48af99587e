//! Blocks, statements, branches, loops and assignments.

use super::ir::{Arm, BinOp, Block, Expr, ExprKind, Name, Stmt};
use super::reader::{Reader, group, name};
use super::{items, traps};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use syn::Pat;

impl Reader {
    /// `{ …; e }`
    pub fn block(&mut self, block: &syn::Block) -> Block {
        let mut stmts = Vec::new();
        let mut value = None;
        for (at, stmt) in block.stmts.iter().enumerate() {
            let last = at + 1 == block.stmts.len();
            if let Some(trap) = at
                .checked_sub(1)
                .and_then(|before| traps::statement(&block.stmts[before], stmt))
            {
                self.errors.push(trap);
                continue;
            }
            match stmt {
                syn::Stmt::Local(local) => stmts.push(self.local(local)),
                syn::Stmt::Item(item) => self.inner_item(item),
                syn::Stmt::Expr(e, semi) => {
                    let e = self.expr(e);
                    if last && semi.is_none() {
                        value = Some(Box::new(e));
                    } else {
                        stmts.push(Stmt::Expr(e));
                    }
                }
                syn::Stmt::Macro(e) => {
                    self.plain(&e.attrs);
                    let call = self.macro_call(&e.mac);
                    if last && e.semi_token.is_none() {
                        value = Some(Box::new(call));
                    } else {
                        stmts.push(Stmt::Expr(call));
                    }
                }
            }
        }
        Block { stmts, value }
    }

    /// A block as an expression.
    pub fn braced(&mut self, block: &syn::Block) -> Expr {
        Expr {
            kind: ExprKind::Block(self.block(block)),
            src: group(block.brace_token.span),
        }
    }

    pub(super) fn block_expr(&mut self, e: &syn::ExprBlock) -> Expr {
        if let Some(label) = &e.label {
            self.errors.push(
                Diagnostic::new(
                    SrcSpan::token(label.name.apostrophe)
                        .to(SrcSpan::token(label.colon_token.span)),
                    "blocks have no labels here",
                )
                .help("use `if` and `else`"),
            );
        }
        self.braced(&e.block)
    }

    fn local(&mut self, local: &syn::Local) -> Stmt {
        self.plain(&local.attrs);
        let pattern = self.pattern(&local.pat);
        let value = local.init.as_ref().map(|init| {
            if let Some((token, _)) = &init.diverge {
                self.errors.push(
                    Diagnostic::new(SrcSpan::token(token.span), "`let` has no `else` here")
                        .note("the pattern of a `let` must match every value")
                        .help("write `match x { 1 => a, _ => b }`"),
                );
            }
            self.expr(&init.expr)
        });
        Stmt::Let {
            pattern,
            value,
            src: SrcSpan::token(local.let_token.span).to(SrcSpan::token(local.semi_token.span)),
        }
    }

    fn inner_item(&mut self, item: &syn::Item) {
        let what = match item {
            syn::Item::Fn(_) => "functions",
            syn::Item::Const(_) => "constants",
            syn::Item::Struct(_) => "structs",
            syn::Item::Use(_) => "`use` items",
            _ => return self.errors.push(items::inner(item)),
        };
        self.errors.push(
            Diagnostic::new(
                SrcSpan::of(item),
                format!("{what} stand in the block, not in a function"),
            )
            .help("move it out of the function"),
        );
    }

    pub(super) fn if_expr(&mut self, e: &syn::ExprIf) -> Expr {
        let cond = self.boxed(&e.cond);
        let then = Box::new(self.braced(&e.then_branch));
        let otherwise = e.else_branch.as_ref().map(|(_, branch)| self.boxed(branch));
        let last = otherwise.as_ref().map_or(then.src, |branch| branch.src);
        Expr {
            src: SrcSpan::token(e.if_token.span).to(last),
            kind: ExprKind::If(cond, then, otherwise),
        }
    }

    pub(super) fn match_expr(&mut self, e: &syn::ExprMatch) -> Expr {
        let value = self.boxed(&e.expr);
        let arms = e.arms.iter().map(|arm| self.arm(arm)).collect();
        Expr {
            kind: ExprKind::Match(value, arms),
            src: SrcSpan::token(e.match_token.span).to(group(e.brace_token.span)),
        }
    }

    fn arm(&mut self, arm: &syn::Arm) -> Arm {
        self.plain(&arm.attrs);
        let (pattern, guard) = match &arm.pat {
            Pat::Guard(guarded) => (self.pattern(&guarded.pat), Some(self.expr(&guarded.guard))),
            pat => (self.pattern(pat), None),
        };
        Arm {
            pattern,
            guard,
            body: self.expr(&arm.body),
        }
    }

    pub(super) fn for_loop(&mut self, e: &syn::ExprForLoop) -> Expr {
        let pattern = self.pattern(&e.pat);
        let over = self.boxed(&e.expr);
        let body = self.block(&e.body);
        let src = SrcSpan::token(e.for_token.span).to(group(e.body.brace_token.span));
        Expr {
            kind: ExprKind::For(pattern, over, body, label(e.label.as_ref())),
            src,
        }
    }

    pub(super) fn while_loop(&mut self, e: &syn::ExprWhile) -> Expr {
        let cond = self.boxed(&e.cond);
        let body = self.block(&e.body);
        let src = SrcSpan::token(e.while_token.span).to(group(e.body.brace_token.span));
        Expr {
            kind: ExprKind::While(cond, body, label(e.label.as_ref())),
            src,
        }
    }

    pub(super) fn loop_expr(&mut self, e: &syn::ExprLoop) -> Expr {
        let body = self.block(&e.body);
        let src = SrcSpan::token(e.loop_token.span).to(group(e.body.brace_token.span));
        Expr {
            kind: ExprKind::Loop(body, label(e.label.as_ref())),
            src,
        }
    }

    pub(super) fn break_expr(&mut self, e: &syn::ExprBreak) -> Expr {
        let mut src = SrcSpan::token(e.break_token.span);
        if let Some(label) = &e.label {
            src = src.to(SrcSpan::token(label.ident.span()));
        }
        let value = e.expr.as_ref().map(|value| self.boxed(value));
        if let Some(value) = &value {
            src = src.to(value.src);
        }
        Expr {
            kind: ExprKind::Break(e.label.as_ref().map(lifetime), value),
            src,
        }
    }

    pub(super) fn continue_expr(&mut self, e: &syn::ExprContinue) -> Expr {
        let first = SrcSpan::token(e.continue_token.span);
        Expr {
            src: e
                .label
                .as_ref()
                .map_or(first, |label| first.to(SrcSpan::token(label.ident.span()))),
            kind: ExprKind::Continue(e.label.as_ref().map(lifetime)),
        }
    }

    pub(super) fn return_expr(&mut self, e: &syn::ExprReturn) -> Expr {
        let first = SrcSpan::token(e.return_token.span);
        let value = e.expr.as_ref().map(|value| self.boxed(value));
        Expr {
            src: value.as_ref().map_or(first, |value| first.to(value.src)),
            kind: ExprKind::Return(value),
        }
    }

    /// `place = e`, `place += e`
    pub(super) fn assign(
        &mut self,
        left: &syn::Expr,
        op: Option<BinOp>,
        right: &syn::Expr,
    ) -> Expr {
        let place = self.place(left, op.is_none());
        let value = self.boxed(right);
        Expr {
            src: place.src.to(value.src),
            kind: ExprKind::Assign(Box::new(place), op, value),
        }
    }

    /// What is assigned to; `parts` where it may be taken apart.
    fn place(&mut self, e: &syn::Expr, parts: bool) -> Expr {
        match e {
            syn::Expr::Path(_) | syn::Expr::Field(_) | syn::Expr::Index(_) => self.expr(e),
            syn::Expr::Paren(e) => self.place(&e.expr, parts),
            syn::Expr::Group(e) => self.place(&e.expr, parts),
            syn::Expr::Infer(e) if parts => {
                let span = e.underscore_token.span;
                Expr {
                    kind: ExprKind::Path(
                        None,
                        Name {
                            text: "_".to_owned(),
                            ident: proc_macro2::Ident::new("_", span),
                        },
                    ),
                    src: SrcSpan::token(span),
                }
            }
            syn::Expr::Tuple(e) if parts => Expr {
                kind: ExprKind::Tuple(e.elems.iter().map(|e| self.place(e, true)).collect()),
                src: group(e.paren_token.span),
            },
            syn::Expr::Unary(syn::ExprUnary {
                op: syn::UnOp::Deref(star),
                expr,
                ..
            }) => self.deref(star.span, expr),
            other => self.reject(
                Diagnostic::new(SrcSpan::of(other), "this cannot be assigned to")
                    .help("assign to a `let mut` name, its fields, `a[i]` or `a[lo..hi]`, or a tuple of these"),
            ),
        }
    }
}

fn label(label: Option<&syn::Label>) -> Option<Name> {
    label.map(|label| lifetime(&label.name))
}

/// The name of a label, without its `'`.
fn lifetime(lifetime: &syn::Lifetime) -> Name {
    name(&lifetime.ident)
}
