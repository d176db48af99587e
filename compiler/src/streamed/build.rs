//! Typed expressions that the compiler writes, and the locals that they bind.

use crate::ids::LocalId;
use crate::prims::{CHUNK, Prim, Scalar, ScalarOp};
use crate::source::SrcSpan;
use crate::typed::ir::{
    Const, Expr, ExprKind, FnValue, Lambda, Local, LocalType, LoopId, Pattern, PatternKind, Stmt,
    Type,
};
use crate::typed::visit::Name;

pub(super) const USIZE: Type = Type::Scalar(Scalar::Usize);
pub(super) const BOOL: Type = Type::Scalar(Scalar::Bool);

/// The locals of a function and of all that is made of it: they have one table.
pub(super) struct Locals {
    pub(super) all: Vec<Local>,
    /// The first number that no loop has.
    pub(super) loops: u32,
}

impl Locals {
    pub(super) fn name(&self, local: LocalId) -> &str {
        &self.all[local.index()].name
    }

    pub(super) fn src(&self, local: LocalId) -> SrcSpan {
        self.all[local.index()].src
    }

    pub(super) fn ty(&self, local: LocalId) -> Type {
        match &self.all[local.index()].ty {
            LocalType::Value(ty) => ty.clone(),
            LocalType::Fn => unreachable!("functions are no values"),
        }
    }

    /// A new local.
    pub(super) fn fresh(&mut self, name: &str, ty: Type, src: SrcSpan) -> LocalId {
        let id = LocalId::next(&self.all);
        self.all.push(Local {
            name: name.to_owned(),
            ty: LocalType::Value(ty),
            mutable: false,
            in_parts: false,
            temporary: true,
            src,
        });
        id
    }

    /// `let name = value;`
    pub(super) fn bind(&mut self, name: &str, value: Expr) -> (LocalId, Stmt) {
        let local = self.fresh(name, value.ty.clone(), value.src);
        let pattern = self.pattern(local);
        (local, Stmt::Let { pattern, value })
    }

    pub(super) fn pattern(&self, local: LocalId) -> Pattern {
        Pattern {
            kind: PatternKind::Bind(local, None),
            ty: self.ty(local),
            src: self.src(local),
        }
    }

    pub(super) fn read(&self, local: LocalId, src: SrcSpan) -> Expr {
        Expr {
            kind: ExprKind::Local(local),
            ty: self.ty(local),
            src,
        }
    }

    /// `array.len()`
    pub(super) fn len_of(&self, array: LocalId, src: SrcSpan) -> Expr {
        prim(
            Prim::Len,
            vec![self.read(array, src)],
            Vec::new(),
            USIZE,
            src,
        )
    }

    /// `|params| body(params)` of parameters of these types.
    pub(super) fn lambda(
        &mut self,
        types: &[Type],
        src: SrcSpan,
        body: impl FnOnce(&mut Self, Vec<Expr>) -> Expr,
    ) -> FnValue {
        let params: Vec<LocalId> = types
            .iter()
            .map(|ty| self.fresh("x", ty.clone(), src))
            .collect();
        let reads = params.iter().map(|it| self.read(*it, src)).collect();
        let body = body(self, reads);
        self.function(&params, body, src)
    }

    /// The function of these parameters.
    pub(super) fn function(&self, params: &[LocalId], body: Expr, src: SrcSpan) -> FnValue {
        let params = params.iter().map(|it| self.pattern(*it)).collect();
        let body = Box::new(body);
        FnValue::Lambda(Lambda { params, body, src })
    }

    /// `function(args)`
    pub(super) fn apply(&mut self, function: &FnValue, args: Vec<Expr>, src: SrcSpan) -> Expr {
        let FnValue::Lambda(lambda) = self.again(function) else {
            unreachable!("functions that are parameters have been put in");
        };
        let lets = lambda.params.into_iter().zip(args);
        let lets = lets.map(|(pattern, value)| Stmt::Let { pattern, value });
        let ty = lambda.body.ty.clone();
        block(lets.collect(), *lambda.body, ty, src)
    }

    /// The same function with locals of its own: none is bound twice.
    pub(super) fn again(&mut self, function: &FnValue) -> FnValue {
        match function {
            FnValue::Local(local) => FnValue::Local(*local),
            FnValue::Lambda(lambda) => FnValue::Lambda(self.copy(lambda)),
        }
    }

    fn copy(&mut self, lambda: &Lambda) -> Lambda {
        let mut copy = lambda.clone();
        let mut bound: Vec<(LocalId, LocalId)> = Vec::new();
        let mut see = |name: Name<'_>| {
            if let Name::Bound(local) = name
                && !bound.iter().any(|(from, _)| from == local)
            {
                let new = LocalId::next(&self.all);
                let twin = self.all[local.index()].clone();
                self.all.push(twin);
                bound.push((*local, new));
            }
        };
        copy.params.iter_mut().for_each(|it| it.names(&mut see));
        copy.body.names(&mut see);
        let first = self.loops;
        let mut rename = |name: Name<'_>| match name {
            Name::Read(local) | Name::Assigned(local) | Name::Bound(local) => {
                let found = bound.iter().find(|(from, _)| from == local);
                if let Some((_, to)) = found {
                    *local = *to;
                }
            }
            Name::Loop(label) => {
                *label = LoopId(label.0 + first);
                self.loops = self.loops.max(label.0 + 1);
            }
        };
        copy.params.iter_mut().for_each(|it| it.names(&mut rename));
        copy.body.names(&mut rename);
        copy
    }
}

pub(super) fn block(stmts: Vec<Stmt>, value: Expr, ty: Type, src: SrcSpan) -> Expr {
    let value = Some(Box::new(value));
    let kind = ExprKind::Block { stmts, value };
    Expr { kind, ty, src }
}

pub(super) fn prim(prim: Prim, args: Vec<Expr>, fns: Vec<FnValue>, ty: Type, src: SrcSpan) -> Expr {
    let kind = ExprKind::Prim { prim, args, fns };
    Expr { kind, ty, src }
}

pub(super) fn tuple(parts: Vec<Expr>, src: SrcSpan) -> Expr {
    let ty = Type::Tuple(parts.iter().map(|part| part.ty.clone()).collect());
    let kind = ExprKind::Tuple(parts);
    Expr { kind, ty, src }
}

pub(super) fn array(elem: &Type) -> Type {
    Type::Array(Box::new(elem.clone()))
}

pub(super) fn size(value: u64, src: SrcSpan) -> Expr {
    let kind = ExprKind::Const(Const {
        ty: Scalar::Usize,
        bits: value,
    });
    Expr {
        kind,
        ty: USIZE,
        src,
    }
}

/// The number of elements that a reduction combines on its own.
pub(super) fn chunk(src: SrcSpan) -> Expr {
    size(CHUNK as u64, src)
}

/// Arithmetic that stays in range.
pub(super) fn scalar(op: ScalarOp, args: Vec<Expr>, ty: Type, src: SrcSpan) -> Expr {
    let checked = op.divides();
    let kind = ExprKind::Scalar { op, args, checked };
    Expr { kind, ty, src }
}

/// The same of two sizes.
pub(super) fn sizes(op: ScalarOp, left: Expr, right: Expr) -> Expr {
    let src = left.src;
    scalar(op, vec![left, right], USIZE, src)
}

pub(super) fn if_(cond: Expr, then: Expr, else_: Expr) -> Expr {
    let (ty, src) = (then.ty.clone(), cond.src);
    let [cond, then, else_] = [cond, then, else_].map(Box::new);
    let kind = ExprKind::If { cond, then, else_ };
    Expr { kind, ty, src }
}

pub(super) fn range(lo: Expr, hi: Expr) -> Expr {
    let src = lo.src;
    let kind = ExprKind::Range {
        lo: Box::new(lo),
        hi: Box::new(hi),
        inclusive: false,
    };
    let ty = array(&USIZE);
    Expr { kind, ty, src }
}

/// `array[lo..hi]`
pub(super) fn slice(array: Expr, lo: Option<Expr>, hi: Option<Expr>) -> Expr {
    let (ty, src) = (array.ty.clone(), array.src);
    let kind = ExprKind::Slice {
        array: Box::new(array),
        lo: lo.map(Box::new),
        hi: hi.map(Box::new),
        inclusive: false,
    };
    Expr { kind, ty, src }
}

/// `[]` of elements of this type.
pub(super) fn empty(elem: &Type, src: SrcSpan) -> Expr {
    Expr {
        kind: ExprKind::Array(Vec::new()),
        ty: array(elem),
        src,
    }
}

pub(super) fn constant(value: Const, src: SrcSpan) -> Expr {
    Expr {
        kind: ExprKind::Const(value),
        ty: Type::Scalar(value.ty),
        src,
    }
}

pub(super) fn truth(value: bool, src: SrcSpan) -> Expr {
    let (ty, bits) = (Scalar::Bool, u64::from(value));
    constant(Const { ty, bits }, src)
}
