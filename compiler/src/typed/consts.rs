//! Values of `const` items.
//!
//! In: a constant of a unit. Out: its value; each is evaluated once, when it is first used. Its
//! value is typed like a function body without parameters and then computed.

use super::body::Body;
use super::build::Builder;
use super::draft::{NodeId, NodeKind};
use super::scope::{ConstState, Constant, Session, place};
use super::signature;
use crate::ids::FuncId;
use crate::interpret::{self, Maths, Trouble, Value};
use crate::prims::{MathsFn, Prim, ScalarOp};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::syntax::ir as ast;
use crate::typed::ir::{Const, Expr, ExprKind, Function, Program, SigType};
use std::rc::Rc;

/// The value of constant `index`; `None` if it has none, which has been reported.
pub(super) fn value(session: &mut Session<'_>, index: usize) -> Option<Rc<Constant>> {
    match &session.consts[index].state {
        ConstState::Known(value) => return Some(value.clone()),
        ConstState::Failed => return None,
        ConstState::Active => {
            let name = &session.consts[index].ast.name;
            let title = format!("the constant `{}` is defined by itself", name.text);
            session.errors.push(Diagnostic::new(place(name), title));
            session.consts[index].state = ConstState::Failed;
            return None;
        }
        ConstState::Unknown => session.consts[index].state = ConstState::Active,
    }
    let value = evaluate_item(session, index).map(Rc::new);
    session.consts[index].state = match &value {
        Some(value) => ConstState::Known(value.clone()),
        None => ConstState::Failed,
    };
    value
}

fn evaluate_item(session: &mut Session<'_>, index: usize) -> Option<Constant> {
    let (ast, unit) = (session.consts[index].ast, session.consts[index].unit);
    let sig = signature::plain(session, unit, &ast.ty)?;
    let mut body = Body::new(session, unit);
    let node = body.infer_value(&ast.value);
    let ty = body.types.known(&sig.erased());
    body.expect(node, ty, format_args!("this is the type of the constant"));
    body.settle();
    body.check_demands();
    if body.failed {
        return None;
    }
    let expr = Builder::new(&mut body).expr(node);
    if body.failed {
        return None;
    }
    if let Some(src) = not_constant(&expr) {
        let error = Diagnostic::new(src, "this is not a constant expression")
            .note("a `const` may use literals, tuples, structs and arrays of these, other constants, arithmetic, casts and scalar functions")
            .help("compute it in a function");
        session.errors.push(error);
        return None;
    }
    match compute(ast, sig.clone(), expr) {
        Ok(value) if scalars(&value) > MOST_SCALARS => {
            let title = format!("the constant `{}` is too large", ast.name.text);
            let error = Diagnostic::new(ast.value.src, title)
                .note(format!("it has more than {MOST_SCALARS} scalars"))
                .help("take it as a parameter, or compute it in a function");
            session.errors.push(error);
            None
        }
        Ok(value) => Some(Constant { ty: sig, value }),
        Err(trouble) => {
            let title = format!("the constant `{}` has no value", ast.name.text);
            let error = Diagnostic::new(ast.value.src, title).note(trouble.kind.to_string());
            session.errors.push(error);
            None
        }
    }
}

/// Scalars of the largest constant: each use writes them out.
const MOST_SCALARS: usize = 4096;

/// How many scalars there are in a value.
fn scalars(value: &Value) -> usize {
    match value {
        Value::Scalar(_) => 1,
        Value::Tuple(parts) | Value::Array(parts) => parts.iter().map(scalars).sum(),
        Value::Empty(_) | Value::Seq(_) => 0,
    }
}

impl Constant {
    /// Its value, if it is a scalar.
    pub(super) fn scalar(&self) -> Option<Const> {
        match self.ty {
            SigType::Scalar(_) => Some(self.value.scalar()),
            SigType::Tuple(_)
            | SigType::Struct(..)
            | SigType::Vector(..)
            | SigType::Array { .. } => None,
        }
    }
}

impl Body<'_, '_> {
    /// A constant where it is used.
    pub(super) fn constant(&mut self, constant: &Constant, src: SrcSpan) -> NodeId {
        self.written_out(&constant.value, &constant.ty, src)
    }

    fn written_out(&mut self, value: &Value, sig: &SigType, src: SrcSpan) -> NodeId {
        let kind = match sig {
            SigType::Scalar(_) => NodeKind::Const(value.scalar()),
            SigType::Tuple(fields) | SigType::Struct(_, fields) => {
                let parts = value.components().iter().zip(fields);
                let parts = parts.map(|(part, sig)| self.written_out(part, sig, src));
                NodeKind::Tuple(parts.collect())
            }
            SigType::Array { elem, .. } | SigType::Vector(elem, _) => {
                let elements = value.elements().iter();
                let elements = elements.map(|element| self.written_out(element, elem, src));
                NodeKind::Array(elements.collect())
            }
        };
        let ty = self.types.known(&sig.erased());
        self.node(kind, ty, src)
    }
}

/// The first part that a constant may not have.
fn not_constant(expr: &Expr) -> Option<SrcSpan> {
    match &expr.kind {
        ExprKind::Const(_) => None,
        // What the run time computes in its own way is not known here.
        ExprKind::Scalar {
            op: ScalarOp::Maths(_) | ScalarOp::Powi,
            ..
        } => Some(expr.src),
        ExprKind::Scalar { args, .. }
        | ExprKind::Tuple(args)
        | ExprKind::Array(args)
        | ExprKind::Prim {
            prim: Prim::Fill,
            args,
            ..
        } => args.iter().find_map(not_constant),
        ExprKind::Field(of, _) => not_constant(of),
        ExprKind::Index(of, at) => not_constant(of).or_else(|| not_constant(at)),
        ExprKind::And(left, right) | ExprKind::Or(left, right) => {
            not_constant(left).or_else(|| not_constant(right))
        }
        ExprKind::If { cond, then, else_ } => [cond, then, else_]
            .into_iter()
            .find_map(|part| not_constant(part)),
        ExprKind::Block {
            stmts,
            value: Some(value),
        } if stmts.is_empty() => not_constant(value),
        _ => Some(expr.src),
    }
}

/// Runs `expr`: what a constant means is said once, by the interpreter.
fn compute(ast: &ast::Const, ret: SigType, expr: Expr) -> Result<Value, Trouble> {
    let function = Function {
        name: ast.name.text.clone(),
        ident: ast.name.ident.clone(),
        fast: false,
        export: None,
        params: Vec::new(),
        ret,
        sizes: Vec::new(),
        body: expr,
        locals: Vec::new(),
        src: place(&ast.name),
    };
    let program = Program {
        structs: Vec::new(),
        functions: vec![function],
        prints: false,
    };
    interpret::run(&program, FuncId(0), Vec::new(), &NoMaths)
}

/// Stands in for the run time's functions, which are never called.
struct NoMaths;

impl Maths for NoMaths {
    fn of_f32(&self, _: MathsFn, _: f32, _: f32) -> f32 {
        f32::NAN
    }

    fn of_f64(&self, _: MathsFn, _: f64, _: f64) -> f64 {
        f64::NAN
    }

    fn powi_f32(&self, _: f32, _: i32) -> f32 {
        f32::NAN
    }

    fn powi_f64(&self, _: f64, _: i32) -> f64 {
        f64::NAN
    }
}
