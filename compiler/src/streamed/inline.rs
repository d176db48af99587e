//! Calls of functions over sequences, put in where they are: a sequence goes through the operators
//! of all of them in one pass.

use super::build::Locals;
use crate::ids::LocalId;
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::typed::ir::{
    Expr, ExprKind, FnValue, Function, LoopId, ParamType, PatternKind, Program, SigType, SizeSpec,
    Stmt,
};
use crate::typed::visit::{Name, Visit};

/// Whether a function takes, gives or makes a sequence.
pub fn streams(function: &Function) -> bool {
    let takes = function.params.iter().any(|param| match &param.ty {
        ParamType::Value(sig) => sig.is_seq(),
        ParamType::Fn { .. } => false,
    });
    takes || function.ret.is_seq() || makes(&mut function.body.clone())
}

fn makes(expr: &mut Expr) -> bool {
    let mut found = matches!(expr.kind, ExprKind::Streamed(_));
    expr.visit(&mut |part| match part {
        Visit::Operand(part) | Visit::Apart(part) => found = found || makes(part),
        Visit::Function(FnValue::Lambda(lambda)) => found = found || makes(&mut lambda.body),
        Visit::Function(FnValue::Local(_))
        | Visit::Pattern(_)
        | Visit::Read(_)
        | Visit::Assigned(_)
        | Visit::Loop(_) => {}
    });
    found
}

/// The body of `function` without calls of functions over sequences.
pub(super) fn inlined(
    program: &Program,
    function: &Function,
    locals: &mut Locals,
    errors: &mut Vec<Diagnostic>,
) -> Expr {
    let mut body = function.body.clone();
    let mut inline = Inline {
        program,
        locals,
        errors,
    };
    body.names(&mut |name| {
        if let Name::Loop(label) = name {
            inline.locals.loops = inline.locals.loops.max(label.0 + 1);
        }
    });
    inline.expr(&mut body);
    body
}

struct Inline<'i> {
    program: &'i Program,
    locals: &'i mut Locals,
    errors: &'i mut Vec<Diagnostic>,
}

impl Inline<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        expr.visit(&mut |part| match part {
            Visit::Operand(part) | Visit::Apart(part) => self.expr(part),
            Visit::Function(FnValue::Lambda(lambda)) => self.expr(&mut lambda.body),
            Visit::Function(FnValue::Local(_))
            | Visit::Pattern(_)
            | Visit::Read(_)
            | Visit::Assigned(_)
            | Visit::Loop(_) => {}
        });
        let ExprKind::Call { func, args, fns } = &mut expr.kind else {
            return;
        };
        let program = self.program;
        let callee = &program.functions[func.index()];
        if !streams(callee) {
            return;
        }
        let (args, fns) = (std::mem::take(args), std::mem::take(fns));
        expr.kind = self.call(callee, args, &fns, expr.src);
        // What it calls in turn.
        self.expr(expr);
    }

    /// The body of `callee`, behind its parameters.
    fn call(
        &mut self,
        callee: &Function,
        args: Vec<Expr>,
        fns: &[FnValue],
        src: SrcSpan,
    ) -> ExprKind {
        let first = self.locals.all.len();
        self.locals.all.extend(callee.locals.iter().cloned());
        let loops = self.locals.loops;
        let mut rename = |name: Name<'_>| match name {
            Name::Read(local) | Name::Assigned(local) | Name::Bound(local) => {
                *local = moved(*local, first);
            }
            Name::Loop(label) => {
                *label = LoopId(label.0 + loops);
                self.locals.loops = self.locals.loops.max(label.0 + 1);
            }
        };
        let mut body = callee.body.clone();
        body.names(&mut rename);
        let mut stmts = Vec::new();
        let mut given = Vec::new();
        let (mut args, mut fns) = (args.into_iter(), fns.iter());
        for param in &callee.params {
            let mut pattern = param.pattern.clone();
            pattern.names(&mut rename);
            match &param.ty {
                ParamType::Value(_) => {
                    let value = args.next();
                    stmts.extend(value.map(|value| Stmt::Let { pattern, value }));
                }
                ParamType::Fn { .. } => {
                    if let (PatternKind::Bind(local, None), Some(function)) =
                        (&pattern.kind, fns.next())
                    {
                        given.push((*local, function.clone()));
                    }
                }
            }
        }
        self.functions(&mut body, &given);
        self.sizes(callee, &mut body, first, &mut stmts, src);
        ExprKind::Block {
            stmts,
            value: Some(Box::new(body)),
        }
    }

    /// Puts the functions in that were given for parameters.
    fn functions(&mut self, expr: &mut Expr, given: &[(LocalId, FnValue)]) {
        expr.visit(&mut |part| match part {
            Visit::Operand(part) | Visit::Apart(part) => self.functions(part, given),
            Visit::Function(function) => match function {
                FnValue::Lambda(lambda) => self.functions(&mut lambda.body, given),
                FnValue::Local(local) => {
                    if let Some(lambda) = self.given(*local, given) {
                        *function = lambda;
                    }
                }
            },
            Visit::Pattern(_) | Visit::Read(_) | Visit::Assigned(_) | Visit::Loop(_) => {}
        });
        let ExprKind::CallLocal { local, args } = &mut expr.kind else {
            return;
        };
        if let Some(function) = self.given(*local, given) {
            let args = std::mem::take(args);
            expr.kind = match &function {
                FnValue::Lambda(_) => self.locals.apply(&function, args, expr.src).kind,
                FnValue::Local(local) => ExprKind::CallLocal {
                    local: *local,
                    args,
                },
            };
        }
    }

    /// A function of its own each time: no local is bound twice.
    fn given(&mut self, local: LocalId, given: &[(LocalId, FnValue)]) -> Option<FnValue> {
        let (_, function) = given.iter().find(|(it, _)| *it == local)?;
        Some(match function {
            FnValue::Local(local) => FnValue::Local(*local),
            FnValue::Lambda(_) => self.locals.again(function),
        })
    }

    /// Binds the size names that the body reads.
    fn sizes(
        &mut self,
        callee: &Function,
        body: &mut Expr,
        first: usize,
        stmts: &mut Vec<Stmt>,
        src: SrcSpan,
    ) {
        let mut read = Vec::new();
        body.names(&mut |name| {
            if let Name::Read(local) = name {
                read.push(*local);
            }
        });
        for (at, size) in callee.sizes.iter().enumerate() {
            let local = moved(size.local, first);
            if !read.contains(&local) {
                continue;
            }
            let has = callee.params.iter().find_map(|param| match &param.ty {
                ParamType::Value(SigType::Array {
                    size: SizeSpec::Named(id),
                    ..
                }) if id.index() == at => match &param.pattern.kind {
                    PatternKind::Bind(array, None) => Some(moved(*array, first)),
                    _parts => None,
                },
                ParamType::Value(_) | ParamType::Fn { .. } => None,
            });
            let Some(array) = has else {
                let what = format!("the size `{}` in a function that is called here", size.name);
                self.errors.push(
                    Diagnostic::unsupported(src, what)
                        .help("pass it as a parameter `usize`")
                        .also(size.src, format!("`{}` is named here", size.name)),
                );
                continue;
            };
            let value = self.locals.len_of(array, src);
            let pattern = self.locals.pattern(local);
            stmts.push(Stmt::Let { pattern, value });
        }
    }
}

fn moved(local: LocalId, first: usize) -> LocalId {
    let at = local.index() + first;
    LocalId(u32::try_from(at).unwrap_or(u32::MAX))
}
