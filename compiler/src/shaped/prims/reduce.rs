//! Reductions and folds.

use super::Use;
use super::scan::Direction;
use super::whole::{Operands, Way};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::fold::wrap;
use crate::shaped::ir::{Atom, Body, Combine, Consumer};
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::par::Elements;
use crate::shaped::value::{Closure, Value, holds_array};
use crate::source::SrcSpan;
use crate::typed::ir::Const;

impl<'p> Lower<'p> {
    pub(super) fn sum(&mut self, it: &Use<'p>) -> Lowered<Value> {
        self.reduce_with(it, ScalarOp::Add, 0)
    }

    pub(super) fn product(&mut self, it: &Use<'p>) -> Lowered<Value> {
        self.reduce_with(it, ScalarOp::Mul, 1)
    }

    pub(super) fn any(&mut self, it: &Use<'p>) -> Lowered<Value> {
        self.reduce_with(it, ScalarOp::BitOr, 0)
    }

    pub(super) fn all(&mut self, it: &Use<'p>) -> Lowered<Value> {
        self.reduce_with(it, ScalarOp::BitAnd, 1)
    }

    /// The elements under `op`, or the number `init` for none.
    fn reduce_with(&mut self, it: &Use<'p>, op: ScalarOp, init: i128) -> Lowered<Value> {
        let elements = self.tested(it)?;
        let ty = elements.types[0];
        self.reduce_elements(elements, op, number(ty, init), it.src)
    }

    /// `count`: one or zero per element, added.
    pub(super) fn count(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let array = self.operand(it, 0);
        let elements = self.elements(&array.extent, it.src, |lower, index| {
            let element = lower.read_elem(&array, index, it.src);
            let holds = lower.test_of(it, element)?.atom();
            Ok(Value::Scalar(lower.scalar(
                ScalarOp::Cast,
                &[holds],
                Scalar::Usize,
                it.src,
            )))
        })?;
        self.reduce_elements(elements, ScalarOp::Add, number(Scalar::Usize, 0), it.src)
    }

    /// `mean`: the sum divided by the length.
    pub(super) fn mean(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let extent = self.operand(it, 0).extent;
        let sum = self.sum(it)?.atom();
        let ty = self.elem_type(sum);
        let length = self.scalar(ScalarOp::Cast, &[extent.value], ty, it.src);
        Ok(Value::Scalar(self.scalar(
            ScalarOp::Div,
            &[sum, length],
            ty,
            it.src,
        )))
    }

    /// The elements, or what the closure says of each.
    fn tested(&mut self, it: &Use<'p>) -> Lowered<Elements> {
        let array = self.operand(it, 0);
        self.elements(&array.extent, it.src, |lower, index| {
            let element = lower.read_elem(&array, index, it.src);
            lower.test_of(it, element)
        })
    }

    fn test_of(&mut self, it: &Use<'p>, element: Value) -> Lowered<Value> {
        match it.fns.first() {
            Some(test) => self.apply(*test, &[element]),
            None => Ok(element),
        }
    }

    /// The elements under a commutative operator.
    pub(in crate::shaped) fn reduce_elements(
        &mut self,
        elements: Elements,
        op: ScalarOp,
        init: Const,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let ops = vec![op; elements.types.len()];
        let combine = self.combine_ops(&ops, &elements.types, src);
        let init = vec![Atom::Const(init)];
        Ok(self.reduce_by(elements, init, combine, src))
    }

    /// The result of a reduction, in the shape of an element.
    pub(super) fn reduce_by(
        &mut self,
        elements: Elements,
        init: Vec<Atom>,
        combine: Combine,
        src: SrcSpan,
    ) -> Value {
        let outs: Vec<_> = elements
            .types
            .iter()
            .map(|ty| self.scalar_var(*ty, src))
            .collect();
        let value = elements.elem.with_vars(&outs);
        self.consume(elements, Consumer::Reduce { init, combine }, outs, src);
        value
    }

    /// `xs.reduce(init, f)`
    pub(super) fn reduce(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let xs = self.operands(it, Direction::Left)?;
        match self.way(it, &xs, Some(&it.args[1]))? {
            Way::Scalars => {
                let lowered = self.with_operator(|lower| {
                    let elements = lower.scalar_elements(&xs, it.src)?;
                    let init = lower.scalars_in(&it.args[1], it.src);
                    let combine = lower.combine(it.fns[0], &xs, &elements, it.src)?;
                    Ok(((elements, init), combine))
                })?;
                let Some(((elements, init), mut combine)) = lowered else {
                    return self.reduce_one_by_one(it, &xs);
                };
                combine.goes_on = it.args.len() > 2;
                let mut total = Vec::new();
                self.reduce_by(elements, init, combine, it.src)
                    .scalars(&mut total);
                self.gathered(&xs.array.elem, &mut total.into_iter(), it.src)
            }
            Way::Columns(ops) => self.reduce_columns(it, &xs, &ops),
            Way::OneByOne => self.reduce_one_by_one(it, &xs),
        }
    }

    /// The elements of the first argument as they are.
    pub(super) fn plain(&mut self, it: &Use<'p>) -> Lowered<Elements> {
        let array = self.operand(it, 0);
        self.elements(&array.extent, it.src, |lower, index| {
            Ok(lower.read_elem(&array, index, it.src))
        })
    }

    /// A user's operator on `elements`, which are those of `xs` as scalars; its operands are
    /// swapped where they arrive from the right.
    pub(super) fn combine(
        &mut self,
        closure: Closure<'p>,
        xs: &Operands,
        elements: &Elements,
        src: SrcSpan,
    ) -> Lowered<Combine> {
        let shape = &xs.array.elem;
        if let Some(ops) = self.recognised(closure) {
            let ops = self.for_scalars(shape, &mut ops.into_iter());
            return Ok(self.combine_ops(&ops, &elements.types, src));
        }
        let types = &elements.types;
        let left: Vec<_> = types.iter().map(|ty| self.scalar_var(*ty, src)).collect();
        let right: Vec<_> = types.iter().map(|ty| self.scalar_var(*ty, src)).collect();
        let (stmts, results) = self.scoped(|lower| {
            let mut operand = |vars: &[Var]| {
                let scalars = &mut vars.iter().copied().map(Atom::Var);
                lower.gathered(shape, scalars, src)
            };
            let mut args = [operand(&left)?, operand(&right)?];
            if xs.from == Direction::Right {
                args.reverse();
            }
            let value = lower.apply(closure, &args)?;
            Ok(lower.scalars_in(&value, src))
        })?;
        Ok(Combine {
            left,
            right,
            body: Body { stmts, results },
            neutral: None,
            goes_on: false,
        })
    }

    /// Commutative operators, one per component.
    pub(in crate::shaped) fn combine_ops(
        &mut self,
        ops: &[ScalarOp],
        types: &[Scalar],
        src: SrcSpan,
    ) -> Combine {
        let left: Vec<_> = types.iter().map(|ty| self.scalar_var(*ty, src)).collect();
        let right: Vec<_> = types.iter().map(|ty| self.scalar_var(*ty, src)).collect();
        let (stmts, results) = self
            .scoped(|lower| {
                let operands = left
                    .iter()
                    .zip(&right)
                    .map(|(a, b)| [Atom::Var(*a), Atom::Var(*b)]);
                let each = ops.iter().zip(types).zip(operands);
                Ok(each
                    .map(|((op, ty), args)| lower.scalar(*op, &args, *ty, src))
                    .collect())
            })
            .expect("writes scalars only");
        let neutral = ops
            .iter()
            .zip(types)
            .map(|(op, ty)| neutral(*op, *ty))
            .collect();
        Combine {
            left,
            right,
            body: Body { stmts, results },
            neutral: Some(neutral),
            goes_on: false,
        }
    }

    /// `xs.fold(init, f)`
    ///
    /// What all indices of a body fold is a loop, as if the user had written it: lanes go through it together,
    /// one index each, where a fold would be one chain of operations after the other.
    pub(super) fn fold(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let init = it.args[1].clone();
        let array = self.operand(it, 0);
        if init.has_array()
            || holds_array(&array.elem)
            || self.is_replicated(&Value::Array(array.clone()))
        {
            return self.fold_one_by_one(it, init);
        }
        let mut start = Vec::new();
        init.scalars(&mut start);
        let types: Vec<Scalar> = start.iter().map(|atom| self.elem_type(*atom)).collect();
        let vars = |lower: &mut Self, types: &[Scalar]| -> Vec<_> {
            types
                .iter()
                .map(|ty| lower.scalar_var(*ty, it.src))
                .collect()
        };
        let lowered = self.with_operator(|lower| {
            let elements = lower.plain(it)?;
            let acc = vars(lower, &types);
            let elem = vars(lower, &elements.types);
            let args = [init.with_vars(&acc), elements.elem.with_vars(&elem)];
            let (stmts, results) = lower.scoped(|lower| {
                let value = lower.apply(it.fns[0], &args)?;
                let mut results = Vec::new();
                value.scalars(&mut results);
                Ok(results)
            })?;
            Ok(((elements, acc, elem), Body { stmts, results }))
        })?;
        let Some(((elements, acc, elem), step)) = lowered else {
            return self.fold_one_by_one(it, init);
        };
        let outs = vars(self, &types);
        let value = init.with_vars(&outs);
        self.consume(
            elements,
            Consumer::Fold {
                init: start,
                acc,
                elem,
                step,
            },
            outs,
            it.src,
        );
        Ok(value)
    }
}

/// What changes nothing under `op`.
pub(super) fn neutral(op: ScalarOp, ty: Scalar) -> Const {
    let (least, greatest) = limits(ty);
    match op {
        ScalarOp::Add if ty.is_float() => float(ty, -0.0),
        ScalarOp::Mul => number(ty, 1),
        ScalarOp::Min | ScalarOp::Max if ty.is_float() => float(ty, f64::NAN),
        ScalarOp::Min => wrap(ty, greatest),
        ScalarOp::Max => wrap(ty, least),
        ScalarOp::BitAnd if ty == Scalar::Bool => number(ty, 1),
        ScalarOp::BitAnd => wrap(ty, -1),
        ScalarOp::Add | ScalarOp::BitOr | ScalarOp::BitXor => number(ty, 0),
        other => unreachable!("{other:?} is not a recognised operator"),
    }
}

/// The least and the greatest integer of a type.
fn limits(ty: Scalar) -> (i128, i128) {
    let values = 1i128 << ty.bits();
    if ty.is_signed_int() {
        (-values / 2, values / 2 - 1)
    } else {
        (0, values - 1)
    }
}

/// The number `n` in any scalar type.
pub(super) fn number(ty: Scalar, n: i128) -> Const {
    match ty {
        Scalar::F16 | Scalar::Bf16 | Scalar::F32 | Scalar::F64 => float(ty, n as f64),
        Scalar::Bool
        | Scalar::I8
        | Scalar::I16
        | Scalar::I32
        | Scalar::I64
        | Scalar::U8
        | Scalar::U16
        | Scalar::U32
        | Scalar::U64
        | Scalar::Usize => wrap(ty, n),
    }
}

fn float(ty: Scalar, x: f64) -> Const {
    let bits = ty.float_bits(x);
    Const { ty, bits }
}
