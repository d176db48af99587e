//! The array operators: each is an index space, a body and a consumer, or costs nothing.

mod chain;
mod columns;
mod dense;
mod extreme;
mod make;
mod one_by_one;
mod pair_up;
mod permute;
mod reduce;
mod reindex;
mod rows;
mod scan;
mod scatter;
mod search;
mod select;
mod sort;
mod whole;

use super::ir::Atom;
use super::lower::{Lower, Lowered};
use super::signature::Origin;
use super::value::{Array, Closure, Elem, Value, usize_const};
use crate::prims::{Extreme, Prim};
use crate::source::SrcSpan;
use crate::typed::ir::{Expr, FnValue, Type};
use scan::{Direction, Scan};

/// A use of an operator.
struct Use<'p> {
    prim: Prim,
    exprs: &'p [Expr],
    args: Vec<Value>,
    fns: Vec<Closure<'p>>,
    src: SrcSpan,
}

impl<'p> Lower<'p> {
    /// A use of an array operator.
    pub(in crate::shaped) fn prim(
        &mut self,
        prim: Prim,
        exprs: &'p [Expr],
        fns: &'p [FnValue],
        ty: &Type,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let args = self.exprs(exprs)?;
        let fns = fns.iter().map(|value| self.closure(value)).collect();
        let it = &Use {
            prim,
            exprs,
            args,
            fns,
            src,
        };
        let recognised = prim.combines() && self.recognised(it.fns[0]).is_some();
        if recognised {
            self.note_operator(it)?;
        }
        if self.prints && recognised {
            let value = self.silently(|lower| lower.of_prim(it, ty))?;
            self.left_to_right(|lower| lower.of_prim(it, ty))?;
            return Ok(value);
        }
        self.of_prim(it, ty)
    }

    /// Notes what the names in an operator are that is recognised: it is not lowered itself.
    fn note_operator(&mut self, it: &Use<'p>) -> Lowered<()> {
        let values = match it.prim {
            Prim::Permute | Prim::Histogram => it.args.len() - 1,
            _ => 0,
        };
        let array = self.operand(it, values);
        let start = self.snapshot();
        self.scoped(|lower| {
            let element = lower.read_elem(&array, usize_const(0), it.src);
            lower.apply(it.fns[0], &[element.clone(), element])
        })?;
        self.go_back_with_notes(&start);
        Ok(())
    }

    fn of_prim(&mut self, it: &Use<'p>, ty: &Type) -> Lowered<Value> {
        match it.prim {
            Prim::Generate => self.generate(it),
            Prim::Fill => self.fill(it),
            Prim::Map => self.map(it),
            Prim::Zip => Ok(self.zip(it)),
            Prim::Unzip => Ok(unzip(&self.operand(it, 0))),
            Prim::Enumerate => self.enumerate(it),
            Prim::Gather => self.gather(it),
            Prim::Rev => self.rev(it),
            Prim::RotateLeft => self.rotate(it, Direction::Left),
            Prim::RotateRight => self.rotate(it, Direction::Right),
            Prim::Take => self.take(it),
            Prim::Skip => self.skip(it),
            Prim::StepBy => self.step_by(it),
            Prim::SplitAt => self.split_at(it),
            Prim::Chain => self.chain(it),
            Prim::Repeat => self.repeat(it),
            Prim::Pairwise => self.pairwise(it),
            Prim::First => Ok(self.first(it)),
            Prim::FirstOr => self.or(it, |lower| Ok(lower.first(it))),
            Prim::Last => Ok(self.last(it)),
            Prim::LastOr => self.or(it, |lower| Ok(lower.last(it))),
            Prim::Len => Ok(Value::Scalar(self.operand(it, 0).extent.value)),
            Prim::Sum => self.sum(it),
            Prim::Product => self.product(it),
            Prim::Min => self.of_some(it, |lower| lower.extreme(it, Extreme::Min)),
            Prim::MinOr => self.total_or(it, |lower| lower.extreme(it, Extreme::Min)),
            Prim::Max => self.of_some(it, |lower| lower.extreme(it, Extreme::Max)),
            Prim::MaxOr => self.total_or(it, |lower| lower.extreme(it, Extreme::Max)),
            Prim::Any => self.any(it),
            Prim::All => self.all(it),
            Prim::Count => self.count(it),
            Prim::Mean => self.of_some(it, |lower| lower.mean(it)),
            Prim::MeanOr => self.total_or(it, |lower| lower.mean(it)),
            Prim::Argmin => self.of_some(it, |lower| lower.arg_extreme(it, Extreme::Min)),
            Prim::ArgminOr => self.total_or(it, |lower| lower.arg_extreme(it, Extreme::Min)),
            Prim::Argmax => self.of_some(it, |lower| lower.arg_extreme(it, Extreme::Max)),
            Prim::ArgmaxOr => self.total_or(it, |lower| lower.arg_extreme(it, Extreme::Max)),
            Prim::Reduce => self.reduce(it),
            Prim::Fold => self.fold(it),
            Prim::Scan => self.scan(it, Scan::Inclusive, Direction::Left),
            Prim::Prescan => self.scan(it, Scan::Exclusive, Direction::Left),
            Prim::ScanFrom => self.scan(it, Scan::WithTotal, Direction::Left),
            Prim::Rscan => self.scan(it, Scan::Inclusive, Direction::Right),
            Prim::Rprescan => self.scan(it, Scan::Exclusive, Direction::Right),
            Prim::RscanFrom => self.scan(it, Scan::WithTotal, Direction::Right),
            Prim::Scatter => self.scatter(it),
            Prim::ScatterUnique => self.scatter_unique(it),
            Prim::Permute => self.permute(it),
            Prim::Histogram => self.histogram(it),
            Prim::Transpose => self.transpose(it),
            Prim::Flatten | Prim::Concat => self.flatten(it),
            Prim::Reshape => self.reshape(it),
            Prim::Shape => self.shape(it, ty),
            Prim::ChunksExact => self.chunks_exact(it),
            Prim::Windows => self.windows(it),
            Prim::Chunks => self.chunks(it),
            Prim::Lens => self.lens(it),
            Prim::Unflatten => self.unflatten(it),
            Prim::FlatMap => self.flat_map(it),
            Prim::Filter => self.filter(it),
            Prim::TakeWhile => self.take_while(it),
            Prim::Partition => self.partition(it),
            Prim::Compress => self.compress(it),
            Prim::RunLengths => self.run_lengths(it),
            Prim::Sort => self.sort(it),
            Prim::SortByKey => self.sort_by_key(it),
            Prim::Argsort => self.argsort(it),
            Prim::Unique => self.unique(it),
            Prim::GroupByKey => self.group_by_key(it),
            Prim::KthSmallest => self.kth_smallest(it),
            Prim::BinarySearch => self.binary_search(it),
            Prim::PartitionPoint => self.partition_point(it),
            Prim::Pairs => self.pairs(it),
            Prim::Cartesian => self.cartesian(it),
        }
    }

    /// Argument `at`, an array.
    fn operand(&self, it: &Use<'_>, at: usize) -> Array {
        self.as_array(&it.args[at])
    }

    /// Argument `at` with what the user calls it.
    fn named(&self, it: &Use<'_>, at: usize) -> Origin {
        let expr = &it.exprs[at];
        Origin {
            name: self.name_of(expr),
            src: expr.src,
        }
    }

    /// `xs.map(f)`
    fn map(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let array = self.operand(it, 0);
        self.build(&array.extent, it.src, |lower, index| {
            let element = lower.read_elem(&array, index, it.src);
            lower.apply(it.fns[0], &[element])
        })
    }

    fn zip(&mut self, it: &Use<'_>) -> Value {
        let arrays: Vec<Array> = (0..it.args.len()).map(|at| self.operand(it, at)).collect();
        let named: Vec<(&Array, Origin)> = arrays
            .iter()
            .enumerate()
            .map(|(at, array)| (array, self.named(it, at)))
            .collect();
        self.require_equal(&named, it.prim.info().name, it.src);
        let extent = self.facts.canonical(&arrays[0].extent);
        let elem = Elem::Product(arrays.into_iter().map(|array| array.elem).collect());
        Value::Array(Array { extent, elem })
    }

    fn enumerate(&mut self, it: &Use<'_>) -> Lowered<Value> {
        let Array { extent, elem } = self.operand(it, 0);
        let indices = self.build(&extent, it.src, |_, index| Ok(Value::Scalar(index)))?;
        let elem = Elem::Product(vec![self.as_array(&indices).elem, elem]);
        Ok(Value::Array(Array { extent, elem }))
    }
}

fn unzip(array: &Array) -> Value {
    let Array { extent, elem } = array;
    let of = |elem: &Elem| {
        Value::Array(Array {
            extent: extent.clone(),
            elem: elem.clone(),
        })
    };
    match elem {
        Elem::Product(parts) => Value::Product(parts.iter().map(of).collect()),
        Elem::Leaf(_) | Elem::Array(_) | Elem::Rows(_) => {
            unreachable!("typed: an array of tuples")
        }
    }
}

impl Use<'_> {
    /// Argument `at`, a scalar.
    fn atom(&self, at: usize) -> Atom {
        self.args[at].atom()
    }

    /// Argument `at`, a constant.
    fn constant(&self, at: usize) -> usize {
        match self.atom(at) {
            Atom::Const(it) => it.bits as usize,
            Atom::Var(_) => unreachable!("typed: a constant"),
        }
    }
}
