//! One instance of a function, and the roots from which all instances are reached.

use super::body::Body;
use super::build::Builder;
use super::draft::{LocalTy, NodeId, NodeKind, Pat, PatKind, StmtDraft};
use super::hoist::hoist;
use super::scope::Session;
use super::signature::{self, Signature};
use super::types::Ty;
use crate::ids::FuncId;
use crate::report::Diagnostic;
use crate::syntax::ir as ast;
use crate::syntax::ir::{ExprKind, Stmt};
use crate::typed::ir::{self, Type};

/// The instance of `decl` with the type arguments `types`; `None` if it has mistakes, which have
/// been reported.
pub(super) fn instance(session: &mut Session<'_>, decl: usize, types: &[Type]) -> Option<FuncId> {
    let key = (decl, types.to_vec());
    if let Some(done) = session.instances.get(&key) {
        return *done;
    }
    session.active.push(decl);
    let function = infer(session, decl, types);
    session.active.pop();
    let id = function.map(|function| {
        let id = FuncId::next(&session.functions);
        session.functions.push(function);
        id
    });
    session.instances.insert(key, id);
    id
}

// Of several instances with mistakes only the first is reported: they are most often the same.
fn infer(session: &mut Session<'_>, decl: usize, types: &[Type]) -> Option<ir::Function> {
    let reported = session.errors.len();
    let function = infer_instance(session, decl, types);
    if function.is_none() && std::mem::replace(&mut session.decls[decl].failed, true) {
        session.errors.truncate(reported);
    }
    function
}

fn infer_instance(session: &mut Session<'_>, decl: usize, types: &[Type]) -> Option<ir::Function> {
    let (function, unit) = (session.decls[decl].ast, session.decls[decl].unit);
    let names = function.generics.iter().map(|generic| &*generic.name.text);
    let generics: Vec<_> = names.zip(types.iter().cloned()).collect();
    let signature = signature::of(session, unit, function, &generics)?;
    let mut body = Body::new(session, unit);
    for (name, ty) in &generics {
        let ty = body.types.known(ty);
        body.generics.push((name, ty));
    }
    let (root, params) = body.function(function, &signature);
    body.settle();
    body.check_demands();
    if body.failed {
        return None;
    }
    let mut builder = Builder::new(&mut body);
    let params: Vec<_> = params
        .into_iter()
        .map(|pat| builder.parameter(pat))
        .collect();
    let mut expr = builder.expr(root);
    let mut locals = builder.locals();
    if body.failed {
        return None;
    }
    if body.jumps {
        hoist(&mut expr, &mut locals);
    }
    let params = params
        .into_iter()
        .zip(signature.params)
        .zip(&function.params);
    let params = params
        .enumerate()
        .map(|(i, ((pattern, ty), param))| ir::Param {
            pattern,
            ty,
            name: match signature::plain_name(&param.pattern) {
                Some(name) => name.text.clone(),
                None => format!("arg{i}"),
            },
            src: param.src,
        });
    Some(ir::Function {
        name: function.name.text.clone(),
        ident: function.name.ident.clone(),
        fast: function.fast,
        export: None,
        params: params.collect(),
        ret: signature.ret,
        sizes: signature.sizes,
        body: expr,
        locals,
        src: function.src,
    })
}

impl<'a> Body<'_, 'a> {
    fn function(
        &mut self,
        function: &'a ast::Function,
        signature: &Signature<'a>,
    ) -> (NodeId, Vec<Pat<'a>>) {
        self.locals.extend(signature.locals.iter().cloned());
        for (name, local) in &signature.size_names {
            self.bind(name, *local);
        }
        let params = function.params.iter().zip(&signature.params);
        let params = params.map(|(param, ty)| self.parameter(param, ty, signature));
        let params: Vec<_> = params.collect();
        self.distinct_names();
        let ret = self.sig_ty(&signature.ret);
        let body = self.returning(ret, |this| this.function_body(function, ret));
        (body, params)
    }

    // No two parameters may have one name.
    fn distinct_names(&mut self) {
        let names: Vec<_> = self.in_scope().collect();
        for (i, (name, local)) in names.iter().enumerate() {
            let first = names[i + 1..].iter().find(|(other, _)| other == name);
            if let Some((_, first)) = first {
                let (src, first) = (
                    self.locals[local.index()].src,
                    self.locals[first.index()].src,
                );
                let error = Diagnostic::new(src, format!("`{name}` is bound twice"))
                    .help("give one of them another name")
                    .also(first, "it is bound here first");
                self.error(error);
            }
        }
    }

    fn parameter(
        &mut self,
        param: &'a ast::Param,
        ty: &ir::ParamType,
        signature: &Signature<'a>,
    ) -> Pat<'a> {
        let src = param.pattern.src;
        let name = signature::plain_name(&param.pattern);
        match (ty, name) {
            (ir::ParamType::Fn { args, ret }, Some(name)) => {
                let args = args.iter().map(|arg| self.types.known(arg)).collect();
                let ret = self.types.known(ret);
                let ty = LocalTy::Fn { args, ret };
                let local = self.local(name.text.clone(), ty, false, src);
                self.bind(&name.text, local);
                let kind = PatKind::Bind(local, None);
                let ty = Ty::UNIT;
                Pat { kind, ty, src }
            }
            (ir::ParamType::Value(sig), name) => {
                let ty = self.sig_ty(sig);
                let reserved = signature.usize_params.iter();
                let reserved =
                    name.and_then(|name| reserved.clone().find(|(n, _)| *n == name.text));
                let Some((name, local)) = reserved else {
                    return self.pattern(&param.pattern, ty);
                };
                self.bind(name, *local);
                self.locals[local.index()].mutable = is_mutable(&param.pattern);
                let kind = PatKind::Bind(*local, None);
                Pat { kind, ty, src }
            }
            (ir::ParamType::Fn { .. }, None) => self.pattern(&param.pattern, Ty::ERROR),
        }
    }

    // The body's value.
    fn function_body(&mut self, function: &'a ast::Function, ret: Ty) -> NodeId {
        let name = &function.name.text;
        let src = function.body.src;
        let ExprKind::Block(block) = &function.body.kind else {
            let node = self.infer_body(&function.body);
            self.expect(
                node,
                ret,
                format_args!("this is the result type of `{name}`"),
            );
            return node;
        };
        let Some(value) = &block.value else {
            return self.without_value(block, function);
        };
        let stmts = self.stmts(&block.stmts);
        let value = self.infer_body(value);
        self.expect(
            value,
            ret,
            format_args!("this is the result type of `{name}`"),
        );
        let kind = NodeKind::Block {
            stmts,
            value: Some(value),
        };
        self.node(kind, ret, src)
    }

    // A body that ends in a statement, which must not be reached.
    fn without_value(&mut self, block: &'a ast::Block, function: &'a ast::Function) -> NodeId {
        let name = &function.name.text;
        let title = format!("`{name}` ends without a value");
        let (stmts, last) = match block.stmts.split_last() {
            Some((Stmt::Expr(last), stmts)) => (stmts, Some(last)),
            _ => (block.stmts.as_slice(), None),
        };
        let mut stmts = self.stmts(stmts);
        // Typed apart, so that its value is not reported as unused too.
        let last = last.map(|last| self.infer(last));
        if let Some(last) = last.filter(|last| self.types.is_never(self.ty(*last))) {
            stmts.push(StmtDraft::Expr(last));
            let (value, ty) = (None, self.ty(last));
            return self.node(NodeKind::Block { stmts, value }, ty, function.body.src);
        }
        let src = last.map_or(function.body.src, |last| self.src(last));
        let error = Diagnostic::new(src, title);
        let has_value = last.is_some_and(|last| !self.types.is_unit(self.ty(last)));
        let error = if has_value {
            error.help("leave out the `;` after the last expression")
        } else {
            error.help("end it with the value that it gives")
        };
        self.error_node(src, error)
    }
}

fn is_mutable(pattern: &ast::Pattern) -> bool {
    matches!(pattern.kind, ast::PatternKind::Bind { mutable: true, .. })
}
