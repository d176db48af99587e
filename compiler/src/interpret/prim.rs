//! Array operators: one line for each.

use super::Maths;
use super::dense;
use super::machine::{Closure, Machine, Stop, View, stop};
use super::order::Operator;
use super::scalar::{apply, integer, larger, smaller};
use super::trouble::TroubleKind;
use super::value::Value;
use crate::prims::{Prim, Scalar, ScalarOp};
use crate::source::SrcSpan;
use crate::typed::ir::{Expr, FnValue, Type};
use crate::typed::recognise::recognise;
use std::rc::Rc;

/// An operator with its arguments.
pub(super) struct Applied<'p> {
    args: Vec<View>,
    fns: Vec<Closure<'p>>,
    /// The type of the result.
    pub(super) ty: &'p Type,
    /// The whole expression.
    pub(super) src: SrcSpan,
}

impl<'p> Applied<'p> {
    /// The elements of the first argument.
    pub(super) fn xs(&self) -> &[Value] {
        self.array(0)
    }

    /// The elements of argument `i`.
    pub(super) fn array(&self, i: usize) -> &[Value] {
        self.args[i].elements()
    }

    /// The same with these as its first arguments.
    pub(super) fn of(&self, first: Vec<Value>) -> Self {
        let rest = self.args[first.len()..].iter().cloned();
        let first = first.into_iter().map(|value| View::new(Rc::new(value)));
        Applied {
            args: first.chain(rest).collect(),
            fns: self.fns.clone(),
            ..*self
        }
    }

    /// Puts others in the place of its functions.
    pub(super) fn each_function(&mut self, mut other: impl FnMut(Closure<'p>) -> Closure<'p>) {
        self.fns
            .iter_mut()
            .for_each(|function| *function = other(*function));
    }

    /// All arguments that are not functions.
    pub(super) fn arrays(&self) -> impl Iterator<Item = &[Value]> {
        self.args.iter().map(View::elements)
    }

    /// How many arguments are not functions.
    pub(super) fn count(&self) -> usize {
        self.args.len()
    }

    /// Argument `i`.
    pub(super) fn value(&self, i: usize) -> &Value {
        self.args[i].get()
    }

    /// Argument `i`, a `usize`.
    pub(super) fn size(&self, i: usize) -> u64 {
        self.value(i).size()
    }

    /// The first function.
    pub(super) fn function(&self) -> Option<Closure<'p>> {
        self.fns.first().copied()
    }

    /// The error `kind` of this operator.
    pub(super) fn stop(&self, kind: TroubleKind) -> Stop {
        stop(kind, self.src)
    }

    /// The first function as an operator on `machine`.
    pub(super) fn operator<'m>(&self, machine: &'m mut Machine<'p>) -> Operator<'m>
    where
        'p: 'm,
    {
        let closure = self.fns[0];
        let recognised = machine.recognised(closure);
        let operand = machine.without_structs(&closure.lambda.params[0].ty);
        let (ops, maths, src) = (recognised.clone(), machine.maths, self.src);
        // A recognised operator on scalars never fails: its `+` and `*` wrap on `usize` too. One on
        // arrays needs those of one length.
        let combine = move |a: Value, b: Value| match &ops {
            Some(ops) if !b.has_array() => {
                bare(&mut ops.iter(), &a, &b, maths).map_err(|kind| stop(kind, src))
            }
            Some(_) | None => machine.call_closure(closure, vec![a, b]),
        };
        Operator {
            recognised,
            operand,
            combine: Box::new(combine),
        }
    }

    /// The first function with its operands exchanged.
    pub(super) fn reversed<'m>(&self, machine: &'m mut Machine<'p>) -> Operator<'m>
    where
        'p: 'm,
    {
        let Operator {
            recognised,
            operand,
            mut combine,
        } = self.operator(machine);
        Operator {
            recognised,
            operand,
            combine: Box::new(move |a, b| combine(b, a)),
        }
    }

    /// The scalar operator `op`, which wraps.
    pub(super) fn scalar<'m>(&self, op: ScalarOp, machine: &Machine<'m>) -> Operator<'m> {
        let maths = machine.maths;
        let src = self.src;
        let combine = move |a: Value, b: Value| {
            let (a, b) = (a.scalar(), b.scalar());
            apply(op, false, &[a, b], a.ty, maths)
                .map(Value::Scalar)
                .map_err(|kind| stop(kind, src))
        };
        Operator {
            recognised: Some(vec![op]),
            operand: self.ty.clone(),
            combine: Box::new(combine),
        }
    }
}

impl<'p> Machine<'p> {
    pub(super) fn prim(
        &mut self,
        expr: &'p Expr,
        prim: Prim,
        args: &'p [Expr],
        fns: &'p [FnValue],
    ) -> Result<Value, Stop> {
        let call = self.applied(expr, args, fns)?;
        let call = match self.of_sequences(prim, call)? {
            Ok(sequence) => return Ok(sequence),
            Err(call) => call,
        };
        let result = match self.program.prints && prim.combines() {
            true => self.apply_printing(prim, &call)?,
            false => self.apply(prim, &call)?,
        };
        self.spend(result.weight(), call.src)?;
        Ok(result)
    }

    /// The operator that `expr` is, with its arguments.
    pub(super) fn applied(
        &mut self,
        expr: &'p Expr,
        args: &'p [Expr],
        fns: &'p [FnValue],
    ) -> Result<Applied<'p>, Stop> {
        let args = args.iter().map(|arg| self.view(arg));
        Ok(Applied {
            args: args.collect::<Result<_, _>>()?,
            fns: fns.iter().map(|value| self.closure(value)).collect(),
            ty: &expr.ty,
            src: expr.src,
        })
    }

    /// An operator that is recognised prints what it would if it went from left to right: in which order
    /// lanes combine nobody wants to read.
    fn apply_printing(&mut self, prim: Prim, call: &Applied<'p>) -> Result<Value, Stop> {
        if self.recognised(call.fns[0]).is_none() {
            return self.apply(prim, call);
        }
        let outer = std::mem::replace(&mut self.silent, true);
        let result = self.apply(prim, call);
        self.silent = outer;
        if result.is_ok() {
            self.in_order = true;
            // Only sums of sizes can fail, which wrap where they are recognised.
            let _ = self.apply(prim, call);
            self.in_order = false;
        }
        result
    }

    /// The operators of a closure that combines, if they are recognised.
    fn recognised(&self, closure: Closure<'p>) -> Option<Vec<ScalarOp>> {
        match self.in_order {
            true => None,
            false => recognise(closure.lambda, self.program),
        }
    }

    pub(super) fn apply(&mut self, prim: Prim, call: &Applied<'p>) -> Result<Value, Stop> {
        match prim {
            Prim::Generate => self.generate(call),
            Prim::Fill => self.fill(call),
            Prim::Map => self.map(call),
            Prim::Zip => self.zip(call),
            Prim::Unzip => self.unzip(call),
            Prim::Enumerate => self.enumerate(call),
            Prim::Gather => self.gather(call),
            Prim::Rev => self.rev(call),
            Prim::RotateLeft => self.rotate(call, <[Value]>::rotate_left),
            Prim::RotateRight => self.rotate(call, <[Value]>::rotate_right),
            Prim::Take => self.take(call),
            Prim::Skip => self.skip(call),
            Prim::StepBy => self.step_by(call),
            Prim::SplitAt => self.split_at(call),
            Prim::Chain => self.chain(call),
            Prim::Repeat => self.repeat(call),
            Prim::Pairwise => self.pairwise(call),
            Prim::First => self.end(call, call.xs().first()),
            Prim::FirstOr => Ok(call.xs().first().unwrap_or(call.value(1)).clone()),
            Prim::Last => self.end(call, call.xs().last()),
            Prim::LastOr => Ok(call.xs().last().unwrap_or(call.value(1)).clone()),
            Prim::Len => Ok(Value::from(call.xs().len())),
            Prim::Sum => self.sum(call),
            Prim::Product => self.product(call),
            Prim::Min => call.some_or_empty(self.extreme(call, ScalarOp::Min)?),
            Prim::MinOr => call.some_or_default(self.extreme(call, ScalarOp::Min)?),
            Prim::Max => call.some_or_empty(self.extreme(call, ScalarOp::Max)?),
            Prim::MaxOr => call.some_or_default(self.extreme(call, ScalarOp::Max)?),
            Prim::Any => Ok(Value::from(self.flags(call)?.contains(&true))),
            Prim::All => Ok(Value::from(!self.flags(call)?.contains(&false))),
            Prim::Count => self.count(call),
            Prim::Mean => call.some_or_empty(self.mean(call)?),
            Prim::MeanOr => call.some_or_default(self.mean(call)?),
            Prim::Argmin => call.some_or_empty(call.best(smaller)),
            Prim::ArgminOr => call.some_or_default(call.best(smaller)),
            Prim::Argmax => call.some_or_empty(call.best(larger)),
            Prim::ArgmaxOr => call.some_or_default(call.best(larger)),
            Prim::Reduce => self.reduce(call),
            Prim::Fold => self.fold(call),
            Prim::Scan => self.scan(call),
            Prim::Prescan => self.prescan(call),
            Prim::ScanFrom => self.scan_from(call),
            Prim::Rscan => self.rscan(call),
            Prim::Rprescan => self.rprescan(call),
            Prim::RscanFrom => self.rscan_from(call),
            Prim::Scatter => self.scatter(call),
            Prim::ScatterUnique => self.scatter_unique(call),
            Prim::Permute => self.permute(call),
            Prim::Histogram => self.histogram(call),
            Prim::Transpose => self.transpose(call),
            Prim::Flatten | Prim::Concat => self.flatten(call),
            Prim::Reshape => self.reshape(call),
            Prim::Shape => self.shape(call),
            Prim::Chunks => self.pieces(call, dense::chunks),
            Prim::ChunksExact => self.pieces(call, dense::chunks_exact),
            Prim::Windows => self.pieces(call, dense::windows),
            Prim::Lens => Ok(call.lens()),
            Prim::Unflatten => self.unflatten(call),
            Prim::FlatMap => self.flat_map(call),
            Prim::Filter => self.filter(call),
            Prim::TakeWhile => self.take_while(call),
            Prim::Partition => self.partition(call),
            Prim::Compress => self.compress(call),
            Prim::RunLengths => self.run_lengths(call),
            Prim::Sort => self.sort(call),
            Prim::SortByKey => self.sort_by_key(call),
            Prim::Argsort => Ok(call.argsort()),
            Prim::Unique => self.unique(call),
            Prim::GroupByKey => self.group_by_key(call),
            Prim::KthSmallest => call.kth_smallest(),
            Prim::BinarySearch => Ok(call.binary_search()),
            Prim::PartitionPoint => self.partition_point(call),
            Prim::Pairs => self.pairs(call),
            Prim::Cartesian => self.cartesian(call),
        }
    }
}

/// `n` as a `usize` value.
pub(super) fn index(n: u64) -> Value {
    Value::Scalar(integer(Scalar::Usize, i128::from(n)))
}

/// The recognised operators, one per scalar, applied to `a` and `b`.
fn bare(
    ops: &mut std::slice::Iter<'_, ScalarOp>,
    a: &Value,
    b: &Value,
    maths: &dyn Maths,
) -> Result<Value, TroubleKind> {
    match (a, b) {
        (Value::Tuple(a), Value::Tuple(b)) => {
            let fields = a.iter().zip(b).map(|(a, b)| bare(ops, a, b, maths));
            fields.collect::<Result<_, _>>().map(Value::Tuple)
        }
        (a, b) => {
            let op = *ops.next().expect("one operator per scalar");
            let (a, b) = (a.scalar(), b.scalar());
            apply(op, false, &[a, b], a.ty, maths).map(Value::Scalar)
        }
    }
}
