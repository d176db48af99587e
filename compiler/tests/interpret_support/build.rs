//! Typed trees by hand.

use super::StdMaths;
use proc_macro2::{Ident, Span};
use ragged_compiler::ids::{FuncId, LocalId};
use ragged_compiler::interpret::{Trouble, Value, run};
use ragged_compiler::prims::{Prim, Scalar, ScalarOp};
use ragged_compiler::source::SrcSpan;
use ragged_compiler::typed::ir::{
    Expr, ExprKind, FnValue, Function, Lambda, Local, LocalType, Param, ParamType, Pattern,
    PatternKind, Program, SigType, SizeSpec, Type,
};

/// The locals of a closure's parameters.
pub const A: LocalId = LocalId(8);
/// See [`A`].
pub const B: LocalId = LocalId(9);

pub fn scalar(ty: Scalar) -> Type {
    Type::Scalar(ty)
}

pub fn array(elem: Type) -> Type {
    Type::Array(Box::new(elem))
}

pub fn expr(kind: ExprKind, ty: Type) -> Expr {
    let src = SrcSpan::call_site();
    Expr { kind, ty, src }
}

pub fn local(id: LocalId, ty: &Type) -> Expr {
    expr(ExprKind::Local(id), ty.clone())
}

/// Parameter `i` of the function.
pub fn param(i: u32, ty: &Type) -> Expr {
    local(LocalId(i), ty)
}

pub fn op(op: ScalarOp, left: Expr, right: Expr) -> Expr {
    let ty = left.ty.clone();
    let (args, checked) = (vec![left, right], false);
    expr(ExprKind::Scalar { op, args, checked }, ty)
}

pub fn field(product: Expr, i: usize, ty: Scalar) -> Expr {
    expr(ExprKind::Field(Box::new(product), i), scalar(ty))
}

pub fn tuple(parts: Vec<Expr>) -> Expr {
    let ty = Type::Tuple(parts.iter().map(|part| part.ty.clone()).collect());
    expr(ExprKind::Tuple(parts), ty)
}

pub fn block(value: Expr) -> Expr {
    let (ty, value) = (value.ty.clone(), Some(Box::new(value)));
    let stmts = Vec::new();
    expr(ExprKind::Block { stmts, value }, ty)
}

pub fn pattern(kind: PatternKind, ty: &Type) -> Pattern {
    let (ty, src) = (ty.clone(), SrcSpan::call_site());
    Pattern { kind, ty, src }
}

pub fn bind(id: LocalId, ty: &Type) -> Pattern {
    pattern(PatternKind::Bind(id, None), ty)
}

/// `|a, b| body`
pub fn closure(ty: &Type, body: impl FnOnce(Expr, Expr) -> Expr) -> Lambda {
    let params = vec![bind(A, ty), bind(B, ty)];
    let body = Box::new(body(local(A, ty), local(B, ty)));
    let src = SrcSpan::call_site();
    Lambda { params, body, src }
}

/// `prim(args…, lambda)`
pub fn prim(prim: Prim, args: Vec<Expr>, lambda: Option<Lambda>, ty: Type) -> Expr {
    let fns = lambda.map(FnValue::Lambda).into_iter().collect();
    expr(ExprKind::Prim { prim, args, fns }, ty)
}

/// A program of one function without size names.
pub fn program(params: &[Type], body: Expr) -> Program {
    let name = "example".to_owned();
    let local = |_| Local {
        name: String::new(),
        ty: LocalType::Value(Type::Tuple(Vec::new())),
        mutable: false,
        in_parts: false,
        temporary: false,
        src: SrcSpan::call_site(),
    };
    let params = params.iter().zip(0..).map(|(ty, i)| Param {
        pattern: bind(LocalId(i), ty),
        ty: ParamType::Value(sig(ty)),
        name: format!("arg{i}"),
        src: SrcSpan::call_site(),
    });
    let function = Function {
        ident: Ident::new(&name, Span::call_site()),
        name,
        fast: false,
        export: None,
        params: params.collect(),
        ret: sig(&body.ty),
        sizes: Vec::new(),
        locals: (0..16).map(local).collect(),
        body,
        src: SrcSpan::call_site(),
    };
    Program {
        structs: Vec::new(),
        functions: vec![function],
        prints: false,
    }
}

/// Runs a function made of `body`.
pub fn result(params: &[Type], body: Expr, args: Vec<Value>) -> Result<Value, Trouble> {
    run(&program(params, body), FuncId(0), args, &StdMaths)
}

fn sig(ty: &Type) -> SigType {
    match ty {
        Type::Scalar(scalar) => SigType::Scalar(*scalar),
        Type::Tuple(parts) => SigType::Tuple(parts.iter().map(sig).collect()),
        Type::Struct(_) => unreachable!("no structs here"),
        Type::Array(elem) => SigType::Array {
            elem: Box::new(sig(elem)),
            size: SizeSpec::Own,
            src: SrcSpan::call_site(),
        },
    }
}
