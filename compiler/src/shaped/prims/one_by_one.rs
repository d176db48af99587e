//! Operators of any kind on elements of any kind: a loop. See Note \[Whole elements\].
//!
//! In: the elements and the operator. Out: loops that combine in the order of the language, chunk by
//! chunk and from left to right in each.

use super::Use;
use super::scan::{Direction, Scan};
use super::whole::Operands;
use crate::prims::{CHUNK, Scalar, ScalarOp};
use crate::shaped::ir::{Atom, Body, Combine, Extent};
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::registers::holds_scalars;
use crate::shaped::size::Size;
use crate::shaped::value::{Elem, Value, const_extent, number_const, usize_const};

/// Elements of one chunk: the first, and how many.
type Chunk = (Atom, Atom);

/// What the prefix of an element is.
#[derive(Clone, Copy)]
enum Prefix {
    /// With the element, which is itself the prefix of the first.
    First,
    /// With the element, behind what comes before all.
    Next,
    /// What comes before the element.
    Before,
}

/// What combines two operands.
pub(super) trait Operator {
    fn body(&self) -> &Body;
}

impl Operator for Combine {
    fn body(&self) -> &Body {
        &self.body
    }
}

impl Operator for Body {
    fn body(&self) -> &Body {
        self
    }
}

impl<'p> Lower<'p> {
    /// `xs.reduce(init, f)`
    pub(super) fn reduce_one_by_one(&mut self, it: &Use<'p>, xs: &Operands) -> Lowered<Value> {
        let init = it.args[1].clone();
        if it.args.len() > 2 {
            return self.total_behind(it, xs, init);
        }
        let empty = init.clone();
        self.unless_empty(
            it,
            xs,
            |_| Ok(empty),
            |lower| {
                let total = lower.total(it, xs)?;
                lower.combined(it, xs, init, total)
            },
        )
    }

    /// `xs.fold(init, f)`
    pub(super) fn fold_one_by_one(&mut self, it: &Use<'p>, init: Value) -> Lowered<Value> {
        let array = self.operand(it, 0);
        self.sequential(&array.extent, init, it.src, &mut |lower, acc, index| {
            let element = lower.read_elem(&array, index, it.src);
            lower.apply(it.fns[0], &[acc, element])
        })
    }

    /// What `lowered` gives, with an operator on scalars; nothing, and nothing is written, if that
    /// holds arrays which are too large for registers, or prints.
    pub(super) fn with_operator<T, O: Operator>(
        &mut self,
        lowered: impl FnOnce(&mut Self) -> Lowered<(T, O)>,
    ) -> Lowered<Option<(T, O)>> {
        let start = self.snapshot();
        let (stmts, (rest, operator)) = self.scoped(lowered)?;
        if operator.body().prints() || !holds_scalars(&self.vars, operator.body()) {
            self.go_back(&start);
            return Ok(None);
        }
        self.splice(stmts);
        Ok(Some((rest, operator)))
    }

    /// The prefixes of a scan, and the total if that is asked for.
    pub(super) fn scan_one_by_one(
        &mut self,
        it: &Use<'p>,
        xs: &Operands,
        scan: Scan,
        init: Option<&Value>,
    ) -> Lowered<Value> {
        let prefix = match (scan, init) {
            (_, None) => Prefix::First,
            (Scan::GoesOn, Some(_)) => Prefix::Next,
            (Scan::Inclusive | Scan::Exclusive | Scan::WithTotal, Some(_)) => Prefix::Before,
        };
        // Rows have lengths of their own.
        let kept = !xs.array.elem.has_rows() && self.keeps_shape(it, xs, init)?;
        let prefixes = match self.before_all(it, xs, init)? {
            // Not as two sides of a branch, of which one has an array of no elements: its length is no
            // more known to be that of the array then.
            Some(carry) if kept => self.all_prefixes(it, xs, (carry, prefix), kept)?,
            _ => self.unless_empty(
                it,
                xs,
                |lower| lower.first_prefixes(it, xs, kept),
                |lower| {
                    let carry = match init {
                        Some(init) => init.clone(),
                        None => lower.operand_at(xs, usize_const(0), it.src),
                    };
                    lower.all_prefixes(it, xs, (carry, prefix), kept)
                },
            )?,
        };
        let prefixes = match (kept, xs.from) {
            (false, Direction::Right) => self.reversed(&self.as_array(&prefixes), it.src)?,
            (true, _) | (false, Direction::Left) => prefixes,
        };
        match (scan, init) {
            (Scan::WithTotal | Scan::GoesOn, Some(init)) => {
                let total = self.total_behind(it, xs, init.clone())?;
                Ok(Value::Product(vec![prefixes, total]))
            }
            _alone => Ok(prefixes),
        }
    }

    /// `before` combined with the total of the first chunk, that with the total of the second, and so
    /// on.
    fn total_behind(&mut self, it: &Use<'p>, xs: &Operands, before: Value) -> Lowered<Value> {
        let length = xs.array.extent.value;
        let chunks = self.chunk_count(length, it);
        self.sequential(&chunks, before, it.src, &mut |lower, carry, chunk| {
            let chunk = lower.chunk(chunk, length, it);
            let total = lower.chunk_total(it, xs, chunk)?;
            lower.combined(it, xs, carry, total)
        })
    }

    /// What the first prefix is made of: `init` or the first element, or anything if there are none;
    /// nothing if that may be an array.
    fn before_all(
        &mut self,
        it: &Use<'p>,
        xs: &Operands,
        init: Option<&Value>,
    ) -> Lowered<Option<Value>> {
        if let Some(init) = init {
            return Ok(Some(init.clone()));
        }
        let Some(none) = self.zeros_like(&xs.array.elem) else {
            return Ok(None);
        };
        let first = self.unless_empty(
            it,
            xs,
            |_| Ok(none),
            |lower| Ok(lower.operand_at(xs, usize_const(0), it.src)),
        )?;
        Ok(Some(first))
    }

    /// Zeros in place of scalars, unless elements hold arrays.
    fn zeros_like(&self, elem: &Elem) -> Option<Value> {
        match elem {
            Elem::Leaf(leaf) => {
                let ty = self.elem_type(Atom::Var(leaf.var));
                Some(Value::Scalar(number_const(ty, 0)))
            }
            Elem::Product(parts) => {
                let parts = parts.iter().map(|part| self.zeros_like(part));
                parts.collect::<Option<_>>().map(Value::Product)
            }
            Elem::Array(_) | Elem::Rows(_) => None,
        }
    }

    fn unless_empty(
        &mut self,
        it: &Use<'p>,
        xs: &Operands,
        empty: impl FnOnce(&mut Self) -> Lowered<Value>,
        some: impl FnOnce(&mut Self) -> Lowered<Value>,
    ) -> Lowered<Value> {
        let none = self.test(ScalarOp::Eq, xs.array.extent.value, usize_const(0), it.src);
        self.branch(none, &[], it.src, empty, some)
    }

    /// What comes of two operands in the order in which they arrive.
    fn combined(
        &mut self,
        it: &Use<'p>,
        xs: &Operands,
        before: Value,
        next: Value,
    ) -> Lowered<Value> {
        match xs.from {
            Direction::Left => self.apply(it.fns[0], &[before, next]),
            Direction::Right => self.apply(it.fns[0], &[next, before]),
        }
    }

    /// The total of all elements, of which there is one at least.
    fn total(&mut self, it: &Use<'p>, xs: &Operands) -> Lowered<Value> {
        let length = xs.array.extent.value;
        if self.fits_in_chunk(xs) {
            return self.chunk_total(it, xs, (usize_const(0), length));
        }
        let first = self.operand_at(xs, usize_const(0), it.src);
        let chunks = self.chunk_count(length, it);
        self.sequential(&chunks, first, it.src, &mut |lower, before, index| {
            let chunk = lower.chunk(index, length, it);
            let total = lower.chunk_total(it, xs, chunk)?;
            lower.carried(it, xs, before, total, index)
        })
    }

    /// `next` combined with what was before, or `next` itself if it is the first.
    fn carried(
        &mut self,
        it: &Use<'p>,
        xs: &Operands,
        before: Value,
        next: Value,
        index: Atom,
    ) -> Lowered<Value> {
        let is_first = self.test(ScalarOp::Eq, index, usize_const(0), it.src);
        let only = next.clone();
        self.branch(
            is_first,
            &[],
            it.src,
            |_| Ok(only),
            |lower| lower.combined(it, xs, before, next),
        )
    }

    /// The total of a chunk; it has one element at least.
    fn chunk_total(
        &mut self,
        it: &Use<'p>,
        xs: &Operands,
        (first, count): Chunk,
    ) -> Lowered<Value> {
        let one = usize_const(1);
        let start = self.operand_at(xs, first, it.src);
        let rest = self.scalar(ScalarOp::Sub, &[count, one], Scalar::Usize, it.src);
        let rest = self.extent_of(rest);
        let second = self.exact(ScalarOp::Add, first, one, it.src);
        self.sequential(&rest, start, it.src, &mut |lower, total, index| {
            let at = lower.exact(ScalarOp::Add, second, index, it.src);
            let element = lower.operand_at(xs, at, it.src);
            lower.combined(it, xs, total, element)
        })
    }

    fn fits_in_chunk(&self, xs: &Operands) -> bool {
        let most = Size::known(CHUNK as i64);
        self.facts.at_least(&most, &xs.array.extent.size)
    }

    /// How many chunks there are; none of no elements.
    fn chunk_count(&mut self, length: Atom, it: &Use<'p>) -> Extent {
        let (one, size) = (usize_const(1), usize_const(CHUNK as u64));
        let some = self.scalar(ScalarOp::Min, &[length, one], Scalar::Usize, it.src);
        let before = self.scalar(ScalarOp::Sub, &[length, some], Scalar::Usize, it.src);
        let before = self.scalar(ScalarOp::Div, &[before, size], Scalar::Usize, it.src);
        let count = self.exact(ScalarOp::Add, before, some, it.src);
        self.extent_of(count)
    }

    fn chunk(&mut self, index: Atom, length: Atom, it: &Use<'p>) -> Chunk {
        let size = usize_const(CHUNK as u64);
        let first = self.exact(ScalarOp::Mul, index, size, it.src);
        let rest = self.scalar(ScalarOp::Sub, &[length, first], Scalar::Usize, it.src);
        let count = self.scalar(ScalarOp::Min, &[rest, size], Scalar::Usize, it.src);
        (first, count)
    }

    /// The prefixes of a scan. `carry` is what comes before all, or the first element if there is
    /// nothing.
    fn all_prefixes(
        &mut self,
        it: &Use<'p>,
        xs: &Operands,
        (carry, which): (Value, Prefix),
        kept: bool,
    ) -> Lowered<Value> {
        let out = self.first_prefixes(it, xs, kept)?;
        let state = Value::Product(vec![out, carry]);
        let length = xs.array.extent.value;
        if self.fits_in_chunk(xs) {
            let all = (usize_const(0), length);
            let done = self.chunk_prefixes(it, xs, state, all, which, kept)?;
            return Ok(done.field(0));
        }
        let chunks = self.chunk_count(length, it);
        let done = self.sequential(&chunks, state, it.src, &mut |lower, state, index| {
            let chunk = lower.chunk(index, length, it);
            let carry = state.field(1);
            let done = lower.chunk_prefixes(it, xs, state, chunk, which, kept)?;
            let behind = lower.exact(ScalarOp::Add, chunk.0, chunk.1, it.src);
            let more = lower.test(ScalarOp::Lt, behind, length, it.src);
            let unused = carry.clone();
            let carry = lower.branch(
                more,
                &[],
                it.src,
                |lower| {
                    let total = lower.chunk_total(it, xs, chunk)?;
                    match which {
                        Prefix::First => lower.carried(it, xs, carry, total, index),
                        Prefix::Next | Prefix::Before => lower.combined(it, xs, carry, total),
                    }
                },
                |_| Ok(unused),
            )?;
            Ok(Value::Product(vec![done.field(0), carry]))
        })?;
        Ok(done.field(0))
    }

    /// The prefixes of a chunk, put into the first part of `state`; the second is what comes before.
    fn chunk_prefixes(
        &mut self,
        it: &Use<'p>,
        xs: &Operands,
        state: Value,
        (first, count): Chunk,
        which: Prefix,
        kept: bool,
    ) -> Lowered<Value> {
        let extent = self.extent_of(count);
        self.sequential(&extent, state, it.src, &mut |lower, state, index| {
            let at = lower.exact(ScalarOp::Add, first, index, it.src);
            let element = lower.operand_at(xs, at, it.src);
            let (out, before) = (state.field(0), state.field(1));
            let (prefix, next) = match which {
                Prefix::First => {
                    let next = lower.carried(it, xs, before, element, at)?;
                    (next.clone(), next)
                }
                Prefix::Next => {
                    let next = lower.combined(it, xs, before, element)?;
                    (next.clone(), next)
                }
                Prefix::Before => {
                    let behind = lower.exact(ScalarOp::Add, index, usize_const(1), it.src);
                    let more = lower.test(ScalarOp::Lt, behind, count, it.src);
                    let (prefix, last) = (before.clone(), before.clone());
                    let next = lower.branch(
                        more,
                        &[],
                        it.src,
                        |lower| lower.combined(it, xs, before, element),
                        |_| Ok(last),
                    )?;
                    (prefix, next)
                }
            };
            let out = if kept {
                let place = lower.position_of(xs, at, it.src);
                let out = lower.as_array(&out);
                lower.replaced(out, place, prefix, it.src)?
            } else {
                let last = lower.array_of(&[prefix], it.src)?;
                let (out, last) = (lower.as_array(&out), lower.as_array(&last));
                lower.chained(&out, &last, it.src)?
            };
            Ok(Value::Product(vec![out, next]))
        })
    }

    /// What prefixes are put into: an array of the shape that they have, or one that grows.
    fn first_prefixes(&mut self, it: &Use<'p>, xs: &Operands, kept: bool) -> Lowered<Value> {
        if kept {
            return self.owned(Value::Array(xs.array.clone()), it.src);
        }
        self.build(&const_extent(0), it.src, |lower, index| {
            Ok(lower.read_elem(&xs.array, index, it.src))
        })
    }
}
