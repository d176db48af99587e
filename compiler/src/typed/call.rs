//! Calls: which function a name means, and its arguments.
//!
//! Note [Names of functions]: in `f(x)`, a function parameter comes first, then the functions of the
//! block, then operators and scalar functions. In `x.f()`, operators and scalar functions come
//! first. A name that is both (`min`, `rotate_left`) is decided by the type of its first argument.

use super::body::Body;
use super::complex;
use super::demand::{Class, Who};
use super::draft::{FnDraft, LocalTy, NodeId, NodeKind};
use super::foreign;
use super::scope::place;
use super::sequences;
use super::suggest;
use super::types::{Head, Kind, Ty};
use super::wait::What;
use crate::ids::LocalId;
use crate::prims::{self, Means, Prim, ScalarFn};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;

/// An argument: as written, or typed already.
#[derive(Clone, Copy)]
pub(super) enum Arg<'a> {
    Expr(&'a ast::Expr),
    Node(NodeId),
}

impl Arg<'_> {
    pub(super) fn is_closure(&self) -> bool {
        match self {
            Arg::Expr(expr) => matches!(expr.kind, ast::ExprKind::Closure(..)),
            Arg::Node(_) => false,
        }
    }

    pub(super) fn is_integer(&self) -> bool {
        match self {
            Arg::Expr(expr) => match &expr.kind {
                ast::ExprKind::Literal(it) => matches!(it.value, ast::LiteralValue::Int(_)),
                _other => false,
            },
            Arg::Node(_) => false,
        }
    }
}

/// What to write for `xs.max(|x| …)`.
pub(super) fn function_first(name: &str) -> String {
    format!("apply the function first: `xs.map(|x| …).{name}()`")
}

/// A call of something by name.
#[derive(Clone)]
pub(super) struct Site<'a> {
    pub(super) name: &'a str,
    pub(super) name_src: SrcSpan,
    pub(super) args: Vec<Arg<'a>>,
    pub(super) src: SrcSpan,
}

impl<'a> Body<'_, 'a> {
    pub(super) fn call(&mut self, call: &'a ast::Call, src: SrcSpan) -> NodeId {
        let site = Site {
            name: &call.name.text,
            name_src: place(&call.name),
            args: call.args.iter().map(Arg::Expr).collect(),
            src,
        };
        if let Some(qualifier) = &call.qualifier {
            return self.qualified(qualifier, site);
        }
        let user = self.session.function(self.unit, site.name);
        if let (Some(decl), false) = (user, call.method)
            && self.lookup(site.name).is_none()
        {
            return self.call_user(decl, site, &call.turbofish);
        }
        if let (Some(ty), true) = (call.turbofish.first(), is_builtin(site.name)) {
            let error = Diagnostic::new(ty.src, format!("`{}` takes no type arguments", site.name))
                .help("leave them out: types are found from the arguments");
            self.error(error);
        }
        match (call.method, user) {
            (true, Some(decl)) if !is_builtin(site.name) => {
                self.call_user(decl, site, &call.turbofish)
            }
            (true, _) => self.builtin(site),
            (false, _) => self.call_name(site),
        }
    }

    /// A call without a receiver of anything but a qualified function.
    pub(super) fn call_name(&mut self, site: Site<'a>) -> NodeId {
        if let Some(local) = self.lookup(site.name) {
            return self.call_local(local, site);
        }
        match self.session.function(self.unit, site.name) {
            Some(decl) => self.call_user(decl, site, &[]),
            None => self.builtin(site),
        }
    }

    /// The node of an argument that is a value.
    pub(super) fn arg(&mut self, arg: Arg<'a>) -> NodeId {
        match arg {
            Arg::Expr(expr) => self.infer_value(expr),
            Arg::Node(node) => node,
        }
    }

    /// A call of an operator or a scalar function.
    pub(super) fn builtin(&mut self, site: Site<'a>) -> NodeId {
        let means = prims::record(site.name).map(|info| (info, info.means));
        match (means, prims::scalar_fn(site.name)) {
            (Some((_, Means::Prim(prim))), None) => self.prim(prim, site),
            (Some((_, Means::Prim(prim))), Some(function)) => {
                self.prim_or_scalar(prim, function, site)
            }
            (Some((info, Means::Lanes(prim))), _) => self.lanes(info, prim, site),
            (Some((info, Means::Broadcast)), _) => self.broadcast(info, site),
            (Some((info, Means::Dedup)), _) => self.dedup(info, site),
            (Some((info, Means::Merge)), _) => self.merge(info, site),
            (Some((info, Means::Position)), _) => self.position(info, site),
            (Some((info, Means::PositionOr)), _) => self.position_or(info, site),
            (Some((info, Means::Stencil)), _) => self.stencil(info, site),
            (None, Some(function)) => self.scalar_fn(function, site),
            (None, None) if site.name == complex::MAKE => self.make_complex(site),
            (None, None) if sequences::is_operator(site.name) => self.sequence(site),
            (None, None) => match prims::complex_fn(site.name) {
                Some(function) => self.only_complex(function, site),
                None => self.unknown_function(site),
            },
        }
    }

    // `xs.min(…)`, as of two scalars.
    fn two_of_arrays(&mut self, prim: Prim, site: &Site<'a>) -> Diagnostic {
        let name = site.name;
        let error = Diagnostic::new(site.src, format!("`{name}` of two values is for scalars"))
            .note(format!("of an array it is `{}`", prim.info().signature));
        if site.args[1].is_closure() {
            return error.help(function_first(name));
        }
        let other = self.arg(site.args[1]);
        error.help(match self.types.head(self.ty(other)) {
            Head::Array(_) => {
                format!("for each pair of elements: `zip(xs, ys).map(|(x, y)| x.{name}(y))`")
            }
            _no_array => format!("for each element: `xs.map(|x| x.{name}(y))`"),
        })
    }

    // See Note [Names of functions].
    fn prim_or_scalar(
        &mut self,
        prim: Prim,
        function: &'static ScalarFn,
        mut site: Site<'a>,
    ) -> NodeId {
        let Some(first) = site.args.first().copied() else {
            return self.prim(prim, site);
        };
        let receiver = self.arg(first);
        site.args[0] = Arg::Node(receiver);
        let ty = self.ty(receiver);
        let arity = prim.info().arity;
        match self.types.head(ty) {
            Head::Array(_) if site.args.len() == function.arity && arity.1 < function.arity => {
                let error = self.two_of_arrays(prim, &site);
                self.error_node(site.src, error)
            }
            Head::Array(_) => self.prim(prim, site),
            Head::Error => self.node(NodeKind::Error, Ty::ERROR, site.src),
            Head::Var(Kind::Any) if arity == (function.arity, function.arity) => {
                let src = site.src;
                self.wait(ty, src, What::Builtin(site))
            }
            Head::Var(Kind::Any) if site.args.len() == arity.0 => self.prim(prim, site),
            Head::Seq(_) => self.prim(prim, site),
            Head::Var(_)
            | Head::Scalar(_)
            | Head::Tuple(_)
            | Head::Struct(_)
            | Head::Complex(_) => self.scalar_fn(function, site),
        }
    }

    fn call_local(&mut self, local: LocalId, site: Site<'a>) -> NodeId {
        let ty = self.locals[local.index()].ty.clone();
        match ty {
            LocalTy::Closure(number) => return self.call_closure(number, &site),
            LocalTy::At(number) => return self.neighbour(number, &site),
            LocalTy::Value(_) | LocalTy::Fn { .. } => {}
        }
        let LocalTy::Fn { args, ret } = ty else {
            let title = format!("`{}` is not a function", site.name);
            let mut error = Diagnostic::new(site.src, title).also(
                self.locals[local.index()].src,
                format!("`{}` is a variable", site.name),
            );
            let hides =
                self.session.function(self.unit, site.name).is_some() || is_builtin(site.name);
            error = if hides {
                error
                    .note("a variable of this name hides the function")
                    .help("give the variable another name")
            } else {
                error.help(format!(
                    "a parameter that is a function is written `{}: impl Fn(f32) -> f32`",
                    site.name
                ))
            };
            return self.error_node(site.src, error);
        };
        if args.len() != site.args.len() {
            let title = wrong_count(site.name, args.len(), site.args.len());
            let error = Diagnostic::new(site.src, title).also(
                self.locals[local.index()].src,
                format!("`{}` is declared here", site.name),
            );
            return self.error_node(site.src, error);
        }
        let nodes: Vec<_> = site.args.iter().map(|arg| self.arg(*arg)).collect();
        for (node, ty) in nodes.iter().zip(args) {
            self.expect(
                *node,
                ty,
                format_args!("this is the type of the parameter of `{}`", site.name),
            );
        }
        self.node(NodeKind::CallLocal { local, args: nodes }, ret, site.src)
    }

    /// A call of a function of the block: value arguments first, since closures take their types
    /// from these.
    pub(super) fn call_user(
        &mut self,
        index: usize,
        site: Site<'a>,
        turbofish: &'a [ast::Type],
    ) -> NodeId {
        let decl = self.session.decls[index];
        let params = &decl.ast.params;
        if params.len() != site.args.len() {
            let title = wrong_count(site.name, params.len(), site.args.len());
            let declared = format!("`{}` is declared here", decl.ast.name.text);
            let error = Diagnostic::new(site.src, title).also(decl.ast.src, declared);
            return self.error_node(site.src, error);
        }
        let generics = self.type_arguments(decl.ast, turbofish, &site);
        let mut args = Vec::new();
        for (param, arg) in params.iter().zip(&site.args) {
            if let ast::ParamType::Value(ty) = &param.ty {
                let node = self.arg(*arg);
                let want = self.foreign_type(ty, decl.unit, &generics);
                let name = &decl.ast.name.text;
                self.expect(node, want, format_args!("this is what `{name}` takes"));
                args.push(node);
            }
        }
        let mut fns = Vec::new();
        for (param, arg) in params.iter().zip(&site.args) {
            if let ast::ParamType::Fn { args, ret } = &param.ty {
                let types: Vec<_> = args
                    .iter()
                    .map(|ty| self.foreign_type(ty, decl.unit, &generics))
                    .collect();
                let ret = self.foreign_type(ret, decl.unit, &generics);
                fns.extend(self.function_arg(*arg, &types, Some(ret), &decl.ast.name.text));
            }
        }
        if !self.demand_bounds(decl.ast, &generics, site.src) {
            return self.node(NodeKind::Error, Ty::ERROR, site.src);
        }
        let ty = match &decl.ast.ret {
            Some(ret) => self.foreign_type(ret, decl.unit, &generics),
            None => Ty::ERROR,
        };
        let kind = NodeKind::Call {
            decl: index,
            generics: generics.into_iter().map(|(_, ty)| ty).collect(),
            args,
            fns,
        };
        self.node(kind, ty, site.src)
    }

    fn type_arguments(
        &mut self,
        function: &'a ast::Function,
        turbofish: &'a [ast::Type],
        site: &Site<'a>,
    ) -> Vec<(&'a str, Ty)> {
        if let (Some(first), Some(last)) = (turbofish.first(), turbofish.last())
            && turbofish.len() != function.generics.len()
        {
            let title = format!(
                "`{}` takes {}, not {}",
                site.name,
                count(function.generics.len(), "type argument"),
                turbofish.len()
            );
            let error = Diagnostic::new(first.src.to(last.src), title)
                .help("leave them out: types are found from the arguments")
                .also(function.src, format!("`{}` is declared here", site.name));
            self.error(error);
        }
        let mut given = turbofish.iter();
        let generics = function.generics.iter();
        generics
            .map(|generic| {
                let ty = match given.next() {
                    Some(ty) => self.annotation(ty),
                    None => self.types.any(),
                };
                (&*generic.name.text, ty)
            })
            .collect()
    }

    fn demand_bounds(
        &mut self,
        function: &'a ast::Function,
        generics: &[(&'a str, Ty)],
        src: SrcSpan,
    ) -> bool {
        let mut satisfied = true;
        for (generic, (name, ty)) in function.generics.iter().zip(generics) {
            if let Some(class) = Class::of_bound(generic.bound) {
                satisfied &= self.demand(*ty, class, src, Who::Bound(name));
            }
        }
        satisfied
    }

    fn unknown_function(&mut self, site: Site<'a>) -> NodeId {
        let error = self.unknown_function_error(&site);
        self.error(error);
        // The arguments may be wrong in other ways, except that closures have no types now.
        for arg in &site.args {
            if let Arg::Expr(expr) = arg
                && !matches!(
                    expr.kind,
                    ast::ExprKind::Closure(..) | ast::ExprKind::Path(..)
                )
            {
                self.infer(expr);
            }
        }
        self.node(NodeKind::Error, Ty::ERROR, site.src)
    }

    pub(super) fn unknown_function_error(&self, site: &Site<'a>) -> Diagnostic {
        if let Some(help) = foreign::operator(site.name) {
            return Diagnostic::new(site.name_src, format!("there is no `{}`", site.name))
                .help(help);
        }
        if let Some(made_by) = self.made_by(site.name) {
            let title = format!("`{}` is a type, not a function", site.name);
            return Diagnostic::new(site.name_src, title)
                .help(format!("a value of it is made by `{made_by}`"));
        }
        if prims::PLANNED.contains(&site.name) {
            return suggest::planned(site.name_src, site.name);
        }
        let locals = self
            .in_scope()
            .filter(|(_, local)| self.is_function(*local));
        let users = self.session.units[self.unit].functions.iter();
        let candidates: Vec<&str> = locals
            .map(|(name, _)| name)
            .chain(users.map(|(name, _)| *name))
            .chain(suggest::operators())
            .collect();
        suggest::unknown(site.name_src, "", site.name, candidates)
            .or_help("functions of other blocks come in with `use`; those of Rust cannot be called")
    }

    /// How a value of the type `name` is written, if its fields have names.
    fn made_by(&self, name: &str) -> Option<String> {
        if name == "Complex" {
            return Some("complex(re, im)".to_owned());
        }
        let id = self.session.strukt(self.unit, name)?;
        let fields = self.session.structs[id.index()].ast.fields.iter();
        let fields: Vec<String> = fields
            .map(|(field, _)| format!("{}: …", field.text))
            .collect();
        Some(format!("{name} {{ {} }}", fields.join(", ")))
    }

    /// A type of the signature of a function in `unit`; what is wrong with it is reported there.
    fn foreign_type(&mut self, ty: &'a ast::Type, unit: usize, generics: &[(&'a str, Ty)]) -> Ty {
        super::annotation::lower(&mut self.types, self.session, unit, generics, ty)
            .unwrap_or(Ty::ERROR)
    }

    /// Makes a function of `call`, which is given a node per parameter.
    pub(super) fn eta(
        &mut self,
        types: &[Ty],
        src: SrcSpan,
        call: impl FnOnce(&mut Self, Vec<Arg<'a>>) -> NodeId,
    ) -> (FnDraft<'a>, Ty) {
        let mut params = Vec::with_capacity(types.len());
        let mut args = Vec::with_capacity(types.len());
        for ty in types {
            let local = self.temporary(*ty, src);
            params.push(super::draft::Pat {
                kind: super::draft::PatKind::Bind(local, None),
                ty: *ty,
                src,
            });
            args.push(Arg::Node(self.read(local, src)));
        }
        let body = call(self, args);
        let ty = self.ty(body);
        (FnDraft::Lambda { params, body, src }, ty)
    }
}

/// Whether an operator or scalar function is called `name`.
pub(super) fn is_builtin(name: &str) -> bool {
    let of_numbers = prims::scalar_fn(name).is_some() || prims::complex_fn(name).is_some();
    let of_arrays = prims::record(name).is_some() || sequences::is_operator(name);
    of_numbers || of_arrays || name == complex::MAKE
}

/// "2 arguments", "no arguments"
pub(super) fn count(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

pub(super) fn wrong_count(name: &str, wanted: usize, given: usize) -> String {
    format!("`{name}` takes {}, not {given}", count(wanted, "argument"))
}
