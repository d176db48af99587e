//! Values combined where an index says: `permute` and `histogram`.
//!
//! Note \[Bins\]. What there is to combine for one bin lies anywhere, so the values are gone through in
//! their order, one by one. There are three ways:
//!
//! * A recognised operator: chunks of the values in parallel, each into bins of its own, which are
//!   combined at the end. Chunks have several values for each bin, so that this costs little; their
//!   length depends on the number of bins alone, and so does the order of combination. One chunk, or an
//!   operator in a body that gives the same bits in any order, goes into the bins as they are.
//! * Any other operator on scalars: one after the other.
//! * Elements that hold arrays: the positions of each bin are put together first, in their order, and
//!   then all bins are combined in parallel. So an element may have another length than those that it
//!   is made of.

use super::Use;
use super::reduce::neutral;
use crate::ids::Var;
use crate::prims::{CHUNK, PER_BIN, Scalar, ScalarOp};
use crate::shaped::ir::{Atom, Extent};
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::par::components;
use crate::shaped::size::Size;
use crate::shaped::value::{Array, Elem, Value, holds_array, number_const, usize_const};
use crate::source::SrcSpan;

/// What is combined, and where.
struct Bins<'u, 'p> {
    it: &'u Use<'p>,
    into: Array,
    ix: Array,
    vs: Array,
    /// The operators of the scalars of an element, if they are recognised.
    ops: Option<Vec<ScalarOp>>,
}

impl<'p> Lower<'p> {
    /// `permute(into, f, ix, vs)`
    pub(super) fn permute(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let into = self.operand(it, 0);
        self.combined_in_bins(it, into)
    }

    /// `histogram(k, init, f, ix, vs)`
    pub(super) fn histogram(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let extent = self.extent(it.atom(0), it.src);
        let into = self.build(&extent, it.src, |_, _| Ok(it.args[1].clone()))?;
        self.combined_in_bins(it, self.as_array(&into))
    }

    /// See Note \[Bins\].
    fn combined_in_bins(&mut self, it: &Use<'p>, into: Array) -> Lowered<Value> {
        let [ix_at, vs_at] = [it.args.len() - 2, it.args.len() - 1];
        let (ix, vs) = (self.operand(it, ix_at), self.operand(it, vs_at));
        let named = [(&ix, self.named(it, ix_at)), (&vs, self.named(it, vs_at))];
        self.require_equal(&named, it.prim.info().name, it.src);
        let ops = self.recognised(it.fns[0]);
        let bins = &Bins {
            it,
            into,
            ix,
            vs,
            ops,
        };
        if holds_array(&bins.into.elem) {
            return self.row_by_row(bins);
        }
        match &bins.ops {
            Some(ops) if !self.is_one_chunk(bins, ops) => self.by_chunks(bins, ops),
            _ => self.all_in_order(bins),
        }
    }

    /// Whether the values are few, or might as well be for what comes out: a body is sequential.
    fn is_one_chunk(&self, bins: &Bins<'_, 'p>, ops: &[ScalarOp]) -> bool {
        let most = Size::known(CHUNK as i64);
        self.facts.at_least(&most, &bins.ix.extent.size)
            || self.in_body() && self.is_exact(bins, ops)
    }

    /// Whether the operators give the same bits in any order.
    fn is_exact(&self, bins: &Bins<'_, 'p>, ops: &[ScalarOp]) -> bool {
        let vars = components(&bins.into.elem).into_iter();
        let mut each = vars.map(|var| self.elem_type(Atom::Var(var))).zip(ops);
        each.all(|(ty, op)| !ty.is_float() || matches!(op, ScalarOp::Min | ScalarOp::Max))
    }

    fn all_in_order(&mut self, bins: &Bins<'_, 'p>) -> Lowered<Value> {
        let start = Value::Array(bins.into.clone());
        self.in_order(bins, usize_const(0), &bins.ix.extent, start)
    }

    /// `start` with `count` values from `first` on combined into it.
    fn in_order(
        &mut self,
        bins: &Bins<'_, 'p>,
        first: Atom,
        count: &Extent,
        start: Value,
    ) -> Lowered<Value> {
        let src = bins.it.src;
        let start = self.owned(start, src)?;
        self.sequential(count, start, src, &mut |lower, totals, at| {
            let at = lower.exact(ScalarOp::Add, first, at, src);
            let totals = lower.as_array(&totals);
            let index = lower.read_elem(&bins.ix, at, src).atom();
            let total = lower.index(&totals, index, src)?;
            let value = lower.read_elem(&bins.vs, at, src);
            let total = match &bins.ops {
                Some(ops) => lower.each(ops, &total, &value, src),
                None => lower.apply(bins.it.fns[0], &[total, value])?,
            };
            lower.replaced(totals, index, total, src)
        })
    }

    /// The scalars of two values under `ops`, as they are: recognised operators wrap.
    fn each(&mut self, ops: &[ScalarOp], left: &Value, right: &Value, src: SrcSpan) -> Value {
        let (mut lefts, mut rights) = (Vec::new(), Vec::new());
        left.scalars(&mut lefts);
        right.scalars(&mut rights);
        let pairs = lefts.into_iter().zip(rights).zip(ops);
        let atoms = pairs.map(|((a, b), op)| {
            let ty = self.elem_type(a);
            self.scalar(*op, &[a, b], ty, src)
        });
        let atoms: Vec<Atom> = atoms.collect();
        left.with_atoms(&mut atoms.into_iter())
    }

    fn by_chunks(&mut self, bins: &Bins<'_, 'p>, ops: &[ScalarOp]) -> Lowered<Value> {
        let src = bins.it.src;
        let (count, per_bin) = (bins.into.extent.value, usize_const(PER_BIN as u64));
        let size = self.exact(ScalarOp::Mul, count, per_bin, src);
        let least = usize_const(CHUNK as u64);
        let size = self.scalar(ScalarOp::Max, &[size, least], Scalar::Usize, src);
        let few = self.test(ScalarOp::Le, bins.ix.extent.value, size, src);
        self.branch(
            few,
            &[],
            src,
            |lower| lower.all_in_order(bins),
            |lower| {
                let parts = lower.chunk_totals(bins, ops, size)?;
                lower.chunks_combined(bins, ops, &lower.as_array(&parts))
            },
        )
    }

    /// The totals of each chunk of `size` values; those of the first in front of what was there.
    fn chunk_totals(
        &mut self,
        bins: &Bins<'_, 'p>,
        ops: &[ScalarOp],
        size: Atom,
    ) -> Lowered<Value> {
        let (src, length) = (bins.it.src, &bins.ix.extent);
        let full = self.scalar(ScalarOp::Div, &[length.value, size], Scalar::Usize, src);
        let full = self.at_most(full, &length.size);
        let chunks = self.one_more(&full, src);
        self.build(&chunks, src, |lower, chunk| {
            let first = lower.exact(ScalarOp::Mul, chunk, size, src);
            let rest = lower.exact(ScalarOp::Sub, length.value, first, src);
            let count = lower.least(rest, size, src);
            let count = lower.extent_of(count);
            let is_first = lower.test(ScalarOp::Eq, chunk, usize_const(0), src);
            let start = lower.build(&bins.into.extent, src, |lower, bin| {
                let before = lower.read_elem(&bins.into, bin, src);
                Ok(lower.or_neutral(is_first, ops, &before, src))
            })?;
            lower.in_order(bins, first, &count, start)
        })
    }

    /// `value` if `cond`, else what changes nothing under `ops`.
    fn or_neutral(&mut self, cond: Atom, ops: &[ScalarOp], value: &Value, src: SrcSpan) -> Value {
        let mut scalars = Vec::new();
        value.scalars(&mut scalars);
        let atoms = scalars.into_iter().zip(ops).map(|(atom, op)| {
            let ty = self.elem_type(atom);
            let other = Atom::Const(neutral(*op, ty));
            self.scalar(ScalarOp::Select, &[cond, atom, other], ty, src)
        });
        let atoms: Vec<Atom> = atoms.collect();
        value.with_atoms(&mut atoms.into_iter())
    }

    /// The totals of all chunks, of which there is one at least.
    fn chunks_combined(
        &mut self,
        bins: &Bins<'_, 'p>,
        ops: &[ScalarOp],
        parts: &Array,
    ) -> Lowered<Value> {
        let (src, one) = (bins.it.src, usize_const(1));
        let others = self.exact(ScalarOp::Sub, parts.extent.value, one, src);
        let others = self.extent_of(others);
        self.build(&bins.into.extent, src, |lower, bin| {
            let first = lower.read_at(parts, &[usize_const(0), bin], src);
            lower.sequential(&others, first, src, &mut |lower, total, chunk| {
                let chunk = lower.exact(ScalarOp::Add, chunk, one, src);
                let part = lower.read_at(parts, &[chunk, bin], src);
                Ok(lower.each(ops, &total, &part, src))
            })
        })
    }

    fn row_by_row(&mut self, bins: &Bins<'_, 'p>) -> Lowered<Value> {
        let src = bins.it.src;
        let sources = self.sources(&bins.into.extent, &bins.ix, src)?;
        self.build(&bins.into.extent, src, |lower, bin| {
            let start = lower.read_elem(&bins.into, bin, src);
            let positions = lower.read_elem(&sources, bin, src);
            let positions = lower.as_array(&positions);
            lower.sequential(&positions.extent, start, src, &mut |lower, total, at| {
                let at = lower.read_elem(&positions, at, src).atom();
                let value = lower.read_elem(&bins.vs, at, src);
                lower.apply(bins.it.fns[0], &[total, value])
            })
        })
    }

    /// For each of `bins` the positions in `ix` that say so, in their order.
    fn sources(&mut self, bins: &Extent, ix: &Array, src: SrcSpan) -> Lowered<Array> {
        let counts = self.counts(bins, ix, src)?;
        let rows = self.descriptor(counts, bins, Some(&ix.extent.size), src)?;
        let offsets = Array {
            extent: rows.bounds.clone(),
            elem: Elem::whole(rows.offsets),
        };
        let next = self.build(bins, src, |lower, bin| {
            Ok(lower.read_elem(&offsets, bin, src))
        })?;
        let zero = Value::Scalar(usize_const(0));
        let order = self.build(&ix.extent, src, |_, _| Ok(zero.clone()))?;
        let state = Value::Product(vec![next, order]);
        let state = self.sequential(&ix.extent, state, src, &mut |lower, state, at| {
            let [next, order] = [0, 1].map(|field| lower.as_array(&state.field(field)));
            let bin = lower.read_elem(ix, at, src).atom();
            let place = lower.read_elem(&next, bin, src).atom();
            let next = lower.counted_up(next, bin, place, src)?;
            let place = lower.scalar(ScalarOp::Cast, &[place], Scalar::Usize, src);
            let order = lower.replaced(order, place, Value::Scalar(at), src)?;
            Ok(Value::Product(vec![next, order]))
        })?;
        let flat = Array {
            extent: ix.extent.clone(),
            elem: Elem::whole(self.variable(&state.field(1))),
        };
        Ok(Array {
            extent: bins.clone(),
            elem: Elem::rows(rows.bounds, rows.offsets, flat),
        })
    }

    /// How many of `ix` say each of `bins`.
    fn counts(&mut self, bins: &Extent, ix: &Array, src: SrcSpan) -> Lowered<Var> {
        let zero = Value::Scalar(number_const(Scalar::I64, 0));
        let none = self.build(bins, src, |_, _| Ok(zero.clone()))?;
        let counts = self.sequential(&ix.extent, none, src, &mut |lower, counts, at| {
            let counts = lower.as_array(&counts);
            let bin = lower.read_elem(ix, at, src).atom();
            let count = lower.index(&counts, bin, src)?.atom();
            lower.counted_up(counts, bin, count, src)
        })?;
        Ok(self.variable(&counts))
    }

    /// `counts` with one more than `count` at `index`, which is in range.
    fn counted_up(
        &mut self,
        counts: Array,
        index: Atom,
        count: Atom,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let one = number_const(Scalar::I64, 1);
        let count = self.scalar(ScalarOp::Add, &[count, one], Scalar::I64, src);
        self.replaced(counts, index, Value::Scalar(count), src)
    }
}
