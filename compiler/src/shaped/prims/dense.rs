//! Operators on the axes of arrays: index functions.

use super::Use;
use crate::checks::CheckKind;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::{Atom, Extent};
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::size::Size;
use crate::shaped::value::{Array, Elem, Value, usize_const};
use crate::source::SrcSpan;
use crate::typed::ir::Type;

impl<'p> Lower<'p> {
    /// `a.shape()`
    pub(super) fn shape(&mut self, it: &Use<'p>, ty: &Type) -> Lowered<Value> {
        let Type::Tuple(extents) = ty else {
            unreachable!("typed: `shape` gives a tuple")
        };
        let mut found = Vec::new();
        self.dense_operand(it, extents.len() - 1)?
            .extents(&mut found);
        let found = found.iter().take(extents.len());
        let found = found.map(|extent| Value::Scalar(self.facts.canonical(extent).value));
        Ok(Value::Product(found.collect()))
    }

    /// `a.transpose(i, j)`, `i < j`
    pub(super) fn transpose(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let (i, j) = (it.constant(1), it.constant(2));
        let array = self.dense_operand(it, j)?;
        let mut extents = Vec::new();
        array.extents(&mut extents);
        extents.truncate(j + 1);
        extents.swap(i, j);
        self.permuted(&array, &extents, (i, j), &[], it.src)
    }

    /// The first argument, all arrays on so many levels inside of it of one shape.
    fn dense_operand(&mut self, it: &Use<'p>, levels: usize) -> Lowered<Array> {
        let array = self.operand(it, 0);
        self.of_one_shape(array, levels, &self.named(it, 0), it.src)
    }

    /// The elements at `indices` and at all below `extents`, read with axes `i` and `j` exchanged.
    fn permuted(
        &mut self,
        array: &Array,
        extents: &[Extent],
        (i, j): (usize, usize),
        indices: &[Atom],
        src: SrcSpan,
    ) -> Lowered<Value> {
        let Some((extent, inner)) = extents.split_first() else {
            let mut indices = indices.to_vec();
            indices.swap(i, j);
            return Ok(self.read_at(array, &indices, src));
        };
        self.build(extent, src, |lower, index| {
            let indices = [indices, &[index]].concat();
            lower.permuted(array, inner, (i, j), &indices, src)
        })
    }

    /// The element at `indices`, which are in range.
    pub(super) fn read_at(&mut self, array: &Array, indices: &[Atom], src: SrcSpan) -> Value {
        let (first, rest) = indices.split_first().expect("at least one index");
        let mut value = self.read_elem(array, *first, src);
        for index in rest {
            let array = self.as_array(&value);
            value = self.read_elem(&array, *index, src);
        }
        value
    }

    /// `a.flatten()`
    pub(super) fn flatten(&mut self, it: &Use<'p>) -> Lowered<Value> {
        self.joined(&self.operand(it, 0), it.src)
    }

    /// The elements of the arrays in `array`.
    pub(super) fn joined(&mut self, array: &Array, src: SrcSpan) -> Lowered<Value> {
        if let Elem::Rows(rows) = &array.elem {
            return Ok(Value::Array(self.all_of(rows, &array.extent, src)));
        }
        let mut extents = Vec::new();
        array.extents(&mut extents);
        let width = extents[1].clone();
        self.flattened(array, &width, src)
    }

    /// The elements of the rows of `array`, all of `width`.
    pub(in crate::shaped) fn flattened(
        &mut self,
        array: &Array,
        width: &Extent,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let is_one = matches!(array.extent.value, Atom::Const(it) if it.bits == 1);
        let total = match is_one {
            true => width.clone(),
            false => self.repeated(&array.extent, width.value, src),
        };
        if let Elem::Array(inner) = &array.elem
            && inner.elem.is_rows()
            && array.is_whole()
        {
            // The same rows, counted by one index less.
            let elem = inner.elem.clone();
            return Ok(Value::Array(Array {
                extent: total,
                elem,
            }));
        }
        self.build(&total, src, |lower, index| {
            let at = match is_one {
                true => [usize_const(0), index],
                false => lower.split(index, width, src),
            };
            Ok(lower.read_at(array, &at, src))
        })
    }

    /// Row and column of a position in rows of `width` elements.
    pub(super) fn split(&mut self, index: Atom, width: &Extent, src: SrcSpan) -> [Atom; 2] {
        let op = |lower: &mut Self, op| lower.scalar(op, &[index, width.value], Scalar::Usize, src);
        [op(self, ScalarOp::Div), op(self, ScalarOp::Rem)]
    }

    /// `xs.reshape((n, m, …))`
    pub(super) fn reshape(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let array = self.operand(it, 0);
        let mut total = it.atom(1);
        for at in 2..it.args.len() {
            total = self.checked(ScalarOp::Mul, total, it.atom(at), it.src);
        }
        let wanted = self.extent_of(total);
        let names = (
            "the product of the extents".to_owned(),
            self.named(it, 0).name,
        );
        self.require_elements((&wanted, &names.0), (&array.extent, &names.1), it.src);
        let extents: Vec<Extent> = (1..it.args.len())
            .map(|at| self.extent(it.atom(at), it.src))
            .collect();
        self.regrouped(&array, &extents, usize_const(0), it.src)
    }

    /// The elements from row `row` of `extents` on.
    pub(in crate::shaped) fn regrouped(
        &mut self,
        array: &Array,
        extents: &[Extent],
        row: Atom,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let Some((extent, inner)) = extents.split_first() else {
            return Ok(self.read_elem(array, row, src));
        };
        self.build(extent, src, |lower, index| {
            let before = lower.exact(ScalarOp::Mul, row, extent.value, src);
            let at = lower.exact(ScalarOp::Add, before, index, src);
            lower.regrouped(array, inner, at, src)
        })
    }

    /// `xs.chunks_exact(k)`
    pub(super) fn chunks_exact(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let (array, width) = (self.operand(it, 0), it.atom(1));
        self.check_width(width, it);
        let count = self.scalar(
            ScalarOp::Div,
            &[array.extent.value, width],
            Scalar::Usize,
            it.src,
        );
        let count = self.at_most(count, &array.extent.size);
        let width = self.extent_of(width);
        self.build(&count, it.src, |lower, chunk| {
            let first = lower.exact(ScalarOp::Mul, chunk, width.value, it.src);
            lower.run_of(&array, first, &width, it.src)
        })
    }

    /// `xs.windows(k)`
    pub(super) fn windows(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let (array, width) = (self.operand(it, 0), it.atom(1));
        self.check_width(width, it);
        let one = usize_const(1);
        let next = self.scalar(
            ScalarOp::Add,
            &[array.extent.value, one],
            Scalar::Usize,
            it.src,
        );
        let size = self.facts.size_of(array.extent.value).add(&Size::known(1));
        if let (Atom::Var(next), Some(size)) = (next, size) {
            self.facts.set_size(next, size);
        }
        let count = self.difference_or_zero(next, width, it.src);
        let count = self.extent_of(count);
        let width = self.extent_of(width);
        self.build(&count, it.src, |lower, first| {
            lower.run_of(&array, first, &width, it.src)
        })
    }

    /// `width` elements from `first` on.
    pub(super) fn run_of(
        &mut self,
        array: &Array,
        first: Atom,
        width: &Extent,
        src: SrcSpan,
    ) -> Lowered<Value> {
        self.build(width, src, |lower, index| {
            let at = lower.exact(ScalarOp::Add, first, index, src);
            Ok(lower.read_elem(array, at, src))
        })
    }

    pub(super) fn check_width(&mut self, width: Atom, it: &Use<'p>) {
        let ok = self.test(ScalarOp::Ne, width, usize_const(0), it.src);
        let operator = it.prim.info().name.to_owned();
        self.check(CheckKind::Step { operator }, ok, Vec::new(), it.src);
    }

    /// `count` as an extent that is at most `most`.
    pub(in crate::shaped) fn at_most(&mut self, count: Atom, most: &Size) -> Extent {
        match count {
            Atom::Var(var) => {
                let symbol = self.facts.new_ranged(var, Size::known(0), most.clone());
                Extent {
                    value: count,
                    size: Size::symbol(symbol),
                }
            }
            Atom::Const(_) => self.extent_of(count),
        }
    }
}
