//! Function-typed arguments: closures, functions by name, and function parameters handed on.

use super::body::{Body, Closure, LoopFrame};
use super::call::{Arg, Site, count, is_builtin, wrong_count};
use super::draft::{FnDraft, LocalTy, NodeId, NodeKind, Pat, StmtDraft};
use super::scope::place;
use super::types::{Head, Kind, Ty};

use crate::ids::LocalId;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::syntax::ir::{BinOp, ExprKind};

/// Uses of closures with names in a function at most.
const MOST_USES: usize = 1000;

impl<'a> Body<'_, 'a> {
    /// A function from `types` to `ret`, passed to `callee`; `None` if it is wrong, which has been
    /// reported. `ret = None`: any type.
    pub(super) fn function_arg(
        &mut self,
        arg: Arg<'a>,
        types: &[Ty],
        ret: Option<Ty>,
        callee: &str,
    ) -> Option<FnDraft<'a>> {
        self.function_of(arg, types, ret, callee)
            .map(|(function, _)| function)
    }

    /// The same, with the type of the result.
    pub(super) fn function_of(
        &mut self,
        arg: Arg<'a>,
        types: &[Ty],
        ret: Option<Ty>,
        callee: &str,
    ) -> Option<(FnDraft<'a>, Ty)> {
        let Arg::Expr(expr) = arg else {
            let Arg::Node(node) = arg else { return None };
            self.not_a_function(self.src(node), types.len(), callee);
            return None;
        };
        match &expr.kind {
            ExprKind::Closure(params, body) => {
                let closure = Closure {
                    params,
                    body,
                    scope: self.scope,
                    src: expr.src,
                };
                self.closure(closure, types, ret, callee)
            }
            ExprKind::Path(None, name) => self.named_function(name, types, ret, callee, expr.src),
            ExprKind::Path(Some(qualifier), name) => {
                let site = |args| Site {
                    name: &name.text,
                    name_src: place(name),
                    args,
                    src: expr.src,
                };
                let (function, ty) = self.eta(types, expr.src, |body, args| {
                    body.qualified(qualifier, site(args))
                });
                self.function_result(ty, ret, (&name.text, callee), expr.src);
                Some((function, ty))
            }
            _ => {
                self.not_a_function(expr.src, types.len(), callee);
                None
            }
        }
    }

    fn not_a_function(&mut self, src: SrcSpan, arity: usize, callee: &str) {
        let params = ["|x|", "|a, b|"]
            .get(arity.wrapping_sub(1))
            .unwrap_or(&"|…|");
        let error = Diagnostic::new(src, format!("`{callee}` takes a function here")).help(
            format!("write a closure, `{params} …`, or the name of a function"),
        );
        self.error(error);
    }

    /// `let name = |params| body`
    pub(super) fn bind_closure(
        &mut self,
        name: &'a ast::Name,
        params: &'a [ast::Pattern],
        body: &'a ast::Expr,
        src: SrcSpan,
    ) {
        let ty = LocalTy::Closure(self.closures.len());
        self.closures.push(Closure {
            params,
            body,
            scope: self.scope,
            src,
        });
        let local = self.local(name.text.clone(), ty, false, place(name));
        self.bind(&name.text, local);
    }

    /// A call of a closure by its name: its body, with its parameters bound.
    pub(super) fn call_closure(&mut self, number: usize, site: &Site<'a>) -> NodeId {
        let closure = self.closures[number];
        let args: Vec<NodeId> = site.args.iter().map(|arg| self.arg(*arg)).collect();
        let types: Vec<Ty> = args.iter().map(|arg| self.ty(*arg)).collect();
        if closure.params.len() != types.len() {
            let title = wrong_count(site.name, closure.params.len(), types.len());
            let error = Diagnostic::new(site.src, title)
                .also(closure.src, format!("`{}` is declared here", site.name));
            return self.error_node(site.src, error);
        }
        if self.too_large(site.src) {
            return self.node(NodeKind::Error, Ty::ERROR, site.src);
        }
        let (params, body) = self.apart(closure, &types);
        let lets = params.into_iter().zip(args);
        let stmts = lets.map(|(pattern, value)| StmtDraft::Let { pattern, value });
        let (stmts, value) = (stmts.collect(), Some(body));
        let ty = self.ty(body);
        self.node(NodeKind::Block { stmts, value }, ty, site.src)
    }

    /// The parameters and the body of a closure, in the scope where it is written.
    pub(super) fn apart(&mut self, closure: Closure<'a>, types: &[Ty]) -> (Vec<Pat<'a>>, NodeId) {
        let outer = std::mem::replace(&mut self.scope, closure.scope);
        let loops = std::mem::take(&mut self.loops);
        let exits = std::mem::take(&mut self.exits);
        let hidden = self.loops_hidden;
        self.loops_hidden |= !loops.iter().all(LoopFrame::is_body);
        let region = self.open_region();
        let mut params = self.patterns(closure.params, types);
        let sizes = self.sizes_of_params(closure.params, &mut params);
        let ty = self.types.var(Kind::Any);
        let body = self.returning(ty, |this| {
            let body = this.infer_body(closure.body);
            this.expect(body, ty, format_args!("a closure gives values of one type"));
            body
        });
        let body = self.after(sizes, body);
        self.scope = outer;
        self.loops = loops;
        self.exits = exits;
        self.loops_hidden = hidden;
        self.close_parallel(&region);
        (params, body)
    }

    /// Whether closures that use each other several times have grown too large, which is reported once.
    fn too_large(&mut self, src: SrcSpan) -> bool {
        self.closure_uses += 1;
        let too_large = self.closure_uses > MOST_USES;
        if too_large && !self.failed {
            let title = "a function as large as this one with all its closures";
            let error = Diagnostic::unsupported(src, title)
                .note(format!(
                    "a closure is put in place wherever it is used; with this one there are more than {MOST_USES} uses"
                ))
                .help("write a `fn` beside this one");
            self.error(error);
        }
        too_large
    }

    fn closure(
        &mut self,
        closure: Closure<'a>,
        types: &[Ty],
        ret: Option<Ty>,
        callee: &str,
    ) -> Option<(FnDraft<'a>, Ty)> {
        if closure.params.len() != types.len() {
            let error = self.closure_arity(closure.params, types, callee, closure.src);
            self.error(error);
            return None;
        }
        let src = closure.src;
        let (params, body) = self.apart(closure, types);
        if let Some(ret) = ret {
            self.expect(
                body,
                ret,
                format_args!("this is what `{callee}` wants of its function"),
            );
        }
        let ty = self.ty(body);
        Some((FnDraft::Lambda { params, body, src }, ty))
    }

    fn closure_arity(
        &self,
        params: &[ast::Pattern],
        types: &[Ty],
        callee: &str,
        src: SrcSpan,
    ) -> Diagnostic {
        let title = format!(
            "`{callee}` calls its function with {}, this closure takes {}",
            count(types.len(), "argument"),
            params.len()
        );
        let error = Diagnostic::new(src, title);
        if let [one] = types
            && let Head::Tuple(fields) = self.types.head(*one)
            && fields.len() == params.len()
        {
            let names = ["a", "b", "c", "d", "e", "f"];
            let names = names[..fields.len().min(names.len())].join(", ");
            return error.help(format!("take the tuple apart: `|({names})| …`"));
        }
        if let [param] = params
            && let ast::PatternKind::Tuple(fields) = &param.kind
            && fields.len() == types.len()
        {
            return error.help("leave out the inner parentheses: `|a, b| …`");
        }
        error
    }

    fn function_result(
        &mut self,
        found: Ty,
        ret: Option<Ty>,
        (name, callee): (&str, &str),
        src: SrcSpan,
    ) {
        let Some(want) = ret else { return };
        if self.types.unify(found, want).is_err() {
            let title = format!(
                "`{name}` gives {}, `{callee}` wants {} of its function",
                self.types.quote(found),
                self.types.quote(want)
            );
            let error = Diagnostic::new(src, title).help(format!(
                "convert what it gives in a closure around `{name}`"
            ));
            self.error(error);
        }
    }

    fn named_function(
        &mut self,
        name: &'a ast::Name,
        types: &[Ty],
        ret: Option<Ty>,
        callee: &str,
        src: SrcSpan,
    ) -> Option<(FnDraft<'a>, Ty)> {
        let text: &'a str = &name.text;
        if let Some(local) = self.lookup(text) {
            let (args, found) = match self.locals[local.index()].ty.clone() {
                LocalTy::Fn { args, ret } => (args, ret),
                LocalTy::Closure(_) if self.too_large(src) => return None,
                LocalTy::Closure(number) => {
                    return self.closure(self.closures[number], types, ret, callee);
                }
                LocalTy::At(_) => {
                    self.passed_on(text, src);
                    return None;
                }
                LocalTy::Value(ty) if self.types.is_error(ty) => return None,
                LocalTy::Value(_) => {
                    self.not_a_function(src, types.len(), callee);
                    return None;
                }
            };
            self.handed_on((text, local), &args, types, callee, src)?;
            self.function_result(found, ret, (text, callee), src);
            return Some((FnDraft::Local(local), found));
        }
        let user = self.session.function(self.unit, text);
        let site = |args| Site {
            name: text,
            name_src: src,
            args,
            src,
        };
        if let (None, false, Some(op), 2) = (user, is_builtin(text), operator(text), types.len()) {
            let binary = |body: &mut Self, args: Vec<Arg<'a>>| {
                let nodes: Vec<NodeId> = args.into_iter().map(|arg| body.arg(arg)).collect();
                body.binary_nodes(op, nodes[0], nodes[1], src)
            };
            let (function, ty) = self.eta(types, src, binary);
            self.function_result(ty, ret, (text, callee), src);
            return Some((function, ty));
        }
        if user.is_none() && !is_builtin(text) {
            let error = self.unknown_function_error(&site(Vec::new()));
            self.error(error);
            return None;
        }
        let (function, ty) = self.eta(types, src, |body, args| body.call_name(site(args)));
        self.function_result(ty, ret, (text, callee), src);
        Some((function, ty))
    }

    // A function parameter that is passed on must take what it will be called with.
    fn handed_on(
        &mut self,
        (name, local): (&str, LocalId),
        args: &[Ty],
        types: &[Ty],
        callee: &str,
        src: SrcSpan,
    ) -> Option<()> {
        let mut pairs = args.iter().zip(types);
        let (takes, given) = if args.len() != types.len() {
            (count(args.len(), "argument"), types.len().to_string())
        } else if let Some((arg, ty)) =
            pairs.find(|(arg, ty)| self.types.unify(**arg, **ty).is_err())
        {
            (self.types.quote(*arg), self.types.quote(*ty))
        } else {
            return Some(());
        };
        let title = format!("`{name}` takes {takes}, `{callee}` would call it with {given}");
        let declared_at = self.locals[local.index()].src;
        let error = Diagnostic::new(src, title)
            .help("change its type, or pass a closure that calls it")
            .also(declared_at, format!("`{name}` is declared here"));
        self.error(error);
        None
    }
}

/// Binary operators by name, as values: `reduce(0, add)`.
fn operator(name: &str) -> Option<BinOp> {
    Some(match name {
        "add" => BinOp::Add,
        "sub" => BinOp::Sub,
        "mul" => BinOp::Mul,
        "div" => BinOp::Div,
        "rem" => BinOp::Rem,
        "bitand" => BinOp::BitAnd,
        "bitor" => BinOp::BitOr,
        "bitxor" => BinOp::BitXor,
        _ => return None,
    })
}
