//! Expressions: one arm per kind, each done in the file of its construct.

use super::carry::extents;
use super::effects::Effects;
use super::ir::{Atom, Extent, Op};
use super::lower::{Lower, Lowered};
use super::signature::Origin;
use super::value::{Array, Elem, Value, const_extent, usize_const};
use crate::checks::CheckKind;
use crate::prims::{Scalar, ScalarOp};
use crate::source::SrcSpan;
use crate::typed::ir::{Const, Expr, ExprKind, Stmt, Type};
use std::slice;

impl<'p> Lower<'p> {
    /// Lowers an expression to its value.
    pub(super) fn expr(&mut self, expr: &'p Expr) -> Lowered<Value> {
        let src = expr.src;
        match &expr.kind {
            ExprKind::Const(constant) => Ok(Value::Scalar(Atom::Const(*constant))),
            ExprKind::Local(local) => {
                self.note_use(*local);
                Ok(self.locals(&[*local]).remove(0))
            }
            ExprKind::Scalar { op, args, checked } => {
                let ty = scalar_type(&expr.ty);
                self.scalar_expr(*op, args, *checked, ty, src)
                    .map(Value::Scalar)
            }
            ExprKind::Complex { op, args } => self.complex(*op, args, src),
            ExprKind::And(left, right) => self.lazy(left, right, false, src).map(Value::Scalar),
            ExprKind::Or(left, right) => self.lazy(left, right, true, src).map(Value::Scalar),
            ExprKind::Tuple(parts) => self.exprs(parts).map(Value::Product),
            ExprKind::Field(inner, field) => Ok(self.expr(inner)?.field(*field)),
            ExprKind::Array(elems) => self.literal(elems, &expr.ty, src),
            ExprKind::Range { lo, hi, inclusive } => self.range_array(lo, hi, *inclusive, src),
            ExprKind::Index(array, index) => {
                let (of, at) = (self.array(array)?, self.atom(index)?);
                if self.refuse_index(array, &of, index) {
                    return Ok(self.read_elem(&of, at, src));
                }
                self.index(&of, at, src)
            }
            ExprKind::Slice {
                array,
                lo,
                hi,
                inclusive,
            } => self.slice_expr(array, lo.as_deref(), hi.as_deref(), *inclusive, src),
            ExprKind::Prim { prim, args, fns } => self.prim(*prim, args, fns, &expr.ty, src),
            ExprKind::Call { func, args, fns } => self.call(*func, args, fns, src),
            ExprKind::CallLocal { local, args } => {
                let args = self.exprs(args)?;
                let closure = self.closure_of_local(*local);
                self.apply(closure, &args)
            }
            ExprKind::If { cond, then, else_ } => self.if_expr(cond, then, else_, &expr.ty, src),
            ExprKind::Match { scrutinee, arms } => self.match_expr(scrutinee, arms, &expr.ty, src),
            ExprKind::Block { stmts, value } => self.block(stmts, value.as_deref(), &expr.ty, src),
            ExprKind::While { cond, body, label } => self.while_loop(cond, body, *label, src),
            ExprKind::Loop { body, label, .. } => self.loop_loop(body, *label, &expr.ty, src),
            ExprKind::Labelled { body, label } => self.labelled(body, *label, &expr.ty, src),
            ExprKind::ForStmt {
                pattern,
                source,
                body,
                label,
            } => self.for_loop(pattern, source, body, *label, src),
            ExprKind::Break { label, value } => self.break_loop(*label, value.as_deref()),
            ExprKind::Continue { label } => Ok(self.continue_loop(*label)),
            ExprKind::Assign { place, value } => self.assign(place, value),
            ExprKind::Assert { cond, message } => self.assert(cond, message, src),
            ExprKind::Sized {
                size,
                len,
                written,
                name,
                bound,
            } => self.sized(size, len, (written, name), *bound, src),
            ExprKind::Dbg(inner) => self.dbg(inner, src),
            ExprKind::Streamed(inner) => self.expr(inner),
        }
    }

    /// Lowers `expr` where a value of type `ty` is needed: code that leaves a loop has none.
    pub(super) fn expr_as(&mut self, expr: &'p Expr, ty: &Type) -> Lowered<Value> {
        let value = self.expr(expr)?;
        if expr.ty == *ty {
            Ok(value)
        } else {
            self.zero(ty, expr.src)
        }
    }

    /// Lowers expressions from left to right.
    pub(super) fn exprs(&mut self, exprs: &'p [Expr]) -> Lowered<Vec<Value>> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// Lowers an expression of an array type.
    pub(super) fn array(&mut self, expr: &'p Expr) -> Lowered<Array> {
        self.expr(expr).map(|value| self.as_array(&value))
    }

    /// The array that a value is, its extent by its simplest name.
    pub(super) fn as_array(&self, value: &Value) -> Array {
        match value {
            Value::Array(array) => {
                let extent = self.facts.canonical(&array.extent);
                Array {
                    extent,
                    elem: array.elem.clone(),
                }
            }
            Value::Scalar(_) | Value::Product(_) => unreachable!("typed: an array is needed here"),
        }
    }

    /// `{ stmts value }`
    pub(super) fn block(
        &mut self,
        stmts: &'p [Stmt],
        value: Option<&'p Expr>,
        ty: &Type,
        src: SrcSpan,
    ) -> Lowered<Value> {
        for (at, stmt) in stmts.iter().enumerate() {
            self.stmt(stmt)?;
            if self.loops.is_empty() {
                continue;
            }
            let exits = Effects::of_stmts(slice::from_ref(stmt), None).exits;
            if !exits.is_empty() {
                let rest = &stmts[at + 1..];
                let left = self.left_by(&exits, src);
                let state = self.state(&Effects::of_stmts(rest, value));
                return self.branch(
                    left,
                    &state,
                    src,
                    |lower| lower.zero(ty, src),
                    |lower| lower.block(rest, value, ty, src),
                );
            }
        }
        match value {
            Some(value) => self.expr_as(value, ty),
            // Without a value the type is `()`, unless the end is not reached.
            None => self.zero(ty, src),
        }
    }

    fn stmt(&mut self, stmt: &'p Stmt) -> Lowered<()> {
        match stmt {
            Stmt::Let { pattern, value } => {
                let src = value.src;
                let value = self.expr_as(value, &pattern.ty)?;
                let value = self.saved(value, src)?;
                self.bind(pattern, &value)
            }
            Stmt::Expr(expr) => self.expr(expr).map(drop),
        }
    }

    fn assert(&mut self, cond: &'p Expr, message: &str, src: SrcSpan) -> Lowered<Value> {
        let ok = self.atom(cond)?;
        let kind = CheckKind::Assert {
            message: message.to_owned(),
        };
        self.check(kind, ok, Vec::new(), src);
        Ok(Value::unit())
    }

    /// The type at `src` says that what is bound as `name` has the size `written`.
    fn sized(
        &mut self,
        size: &'p Expr,
        len: &'p Expr,
        (written, name): (&str, &str),
        bound: SrcSpan,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let mut extent = |it| {
            let value = self.atom(it)?;
            let size = self.facts.size_of(value);
            Ok(Extent { value, size })
        };
        let (written_size, found) = (extent(size)?, extent(len)?);
        let origin = Origin {
            name: name.to_owned(),
            src: bound,
        };
        self.require_written(&written_size, written, &found, &origin, src);
        Ok(Value::unit())
    }

    /// Some value of type `ty`, where none is ever read.
    pub(super) fn zero(&mut self, ty: &Type, src: SrcSpan) -> Lowered<Value> {
        match ty {
            Type::Scalar(scalar) => Ok(Value::Scalar(Atom::Const(Const {
                ty: *scalar,
                bits: 0,
            }))),
            Type::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.zero(part, src));
                parts.collect::<Lowered<_>>().map(Value::Product)
            }
            Type::Struct(id) => {
                let program = self.program;
                let fields = program.structs[id.index()].fields.iter();
                let parts = fields.map(|(_, ty)| self.zero(ty, src));
                parts.collect::<Lowered<_>>().map(Value::Product)
            }
            Type::Array(elem) => {
                let elem = self.empty_elem(elem, 1, src);
                Ok(Value::Array(Array {
                    extent: const_extent(0),
                    elem,
                }))
            }
        }
    }

    /// The components of an array without elements; `rank` arrays are around.
    fn empty_elem(&mut self, ty: &Type, rank: usize, src: SrcSpan) -> Elem {
        let program = self.program;
        let parts: Vec<&Type> = match ty {
            Type::Scalar(scalar) => {
                let out = self.array_var(*scalar, vec![const_extent(0); rank], src);
                self.push(vec![out], Op::Literal(Vec::new()), src);
                return Elem::whole(out);
            }
            Type::Array(elem) => {
                let (extent, elem) = (const_extent(0), self.empty_elem(elem, rank + 1, src));
                return Elem::Array(Box::new(Array { extent, elem }));
            }
            Type::Tuple(parts) => parts.iter().collect(),
            Type::Struct(id) => program.structs[id.index()]
                .fields
                .iter()
                .map(|(_, ty)| ty)
                .collect(),
        };
        let parts = parts.into_iter();
        Elem::Product(parts.map(|part| self.empty_elem(part, rank, src)).collect())
    }

    /// An array literal: one statement per component.
    fn literal(&mut self, elems: &'p [Expr], ty: &Type, src: SrcSpan) -> Lowered<Value> {
        let values = self.exprs(elems)?;
        let Some(first) = values.first() else {
            return self.zero(ty, src);
        };
        if !values.iter().all(|value| self.same_lengths(value, first)) {
            let extent = const_extent(values.len() as u64);
            return self.build(&extent, src, |lower, index| {
                lower.one_of(&values, 0, index, src)
            });
        }
        self.array_of(&values, src)
    }

    /// The array of these values, which have one shape; there is one at least.
    pub(super) fn array_of(&mut self, values: &[Value], src: SrcSpan) -> Lowered<Value> {
        let extent = const_extent(values.len() as u64);
        if values[0].has_array() {
            // Which one it is depends on the index.
            return self.build(&extent, src, |lower, index| {
                lower.element_of(values, index, src)
            });
        }
        let rows: Vec<Vec<Atom>> = values
            .iter()
            .map(|value| {
                let mut row = Vec::new();
                value.scalars(&mut row);
                row
            })
            .collect();
        let mut outs = Vec::new();
        for (at, component) in rows[0].iter().enumerate() {
            let out = self.array_var(self.elem_type(*component), vec![extent.clone()], src);
            let column = rows.iter().map(|row| row[at]).collect();
            self.push(vec![out], Op::Literal(column), src);
            outs.push(out);
        }
        let elem = values[0].elem_with(&mut outs.into_iter(), &mut std::iter::empty());
        Ok(Value::Array(Array { extent, elem }))
    }

    /// Whether all arrays in two values of one type have the same lengths, for certain.
    pub(super) fn same_lengths(&self, left: &Value, right: &Value) -> bool {
        if left.has_rows() || right.has_rows() {
            return false;
        }
        let (left, right) = (
            extents(slice::from_ref(left)),
            extents(slice::from_ref(right)),
        );
        let mut pairs = left.iter().zip(&right);
        pairs.all(|(left, right)| self.facts.same(&left.size, &right.size))
    }

    /// `values[index]`, of values that have one shape.
    fn element_of(&mut self, values: &[Value], index: Atom, src: SrcSpan) -> Lowered<Value> {
        match &values[0] {
            Value::Scalar(_) => self.one_of(values, 0, index, src),
            Value::Product(parts) => {
                let parts = (0..parts.len()).map(|field| {
                    let parts: Vec<Value> = values.iter().map(|it| it.field(field)).collect();
                    self.element_of(&parts, index, src)
                });
                parts.collect::<Lowered<_>>().map(Value::Product)
            }
            Value::Array(_) => {
                let arrays: Vec<Array> = values.iter().map(|it| self.as_array(it)).collect();
                self.build(&arrays[0].extent, src, |lower, inner| {
                    let elements = arrays.iter();
                    let elements = elements.map(|it| lower.read_elem(it, inner, src));
                    let elements: Vec<Value> = elements.collect();
                    lower.element_of(&elements, index, src)
                })
            }
        }
    }

    /// `values[index]`, of values of any shapes, for an index of at least `first`.
    fn one_of(
        &mut self,
        values: &[Value],
        first: usize,
        index: Atom,
        src: SrcSpan,
    ) -> Lowered<Value> {
        if first + 1 == values.len() {
            return Ok(values[first].clone());
        }
        let this = self.test(ScalarOp::Eq, index, usize_const(first as u64), src);
        self.branch(
            this,
            &[],
            src,
            |_| Ok(values[first].clone()),
            |lower| lower.one_of(values, first + 1, index, src),
        )
    }
}

/// The scalar type that `ty` is. Assumes that typing holds.
fn scalar_type(ty: &Type) -> Scalar {
    match ty {
        Type::Scalar(scalar) => *scalar,
        Type::Tuple(_) | Type::Struct(_) | Type::Array(_) => {
            unreachable!("typed: scalar operations have scalar results")
        }
    }
}
