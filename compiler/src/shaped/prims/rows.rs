//! Operators that make arrays of arrays of lengths of their own, or take them apart.

use super::Use;
use crate::prims::{MOST_LENGTH, Scalar, ScalarOp};
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::ragged::Descriptor;
use crate::shaped::value::{Array, Elem, Value, usize_const};

impl<'p> Lower<'p> {
    /// `a.lens()`
    pub(super) fn lens(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let array = self.operand(it, 0);
        self.build(&array.extent, it.src, |lower, index| {
            let row = lower.read_elem(&array, index, it.src);
            let extent = lower.as_array(&row).extent;
            Ok(Value::Scalar(lower.facts.canonical(&extent).value))
        })
    }

    /// `xs.unflatten(lengths)`
    pub(super) fn unflatten(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let (array, lengths) = (self.operand(it, 0), self.operand(it, 1));
        let rows = match self.rows_of_lengths(&lengths, it.src)? {
            Some(rows) => rows,
            None => self.rows_of(&lengths, it)?,
        };
        let names = [
            format!("the sum of {}", self.named(it, 1).name),
            self.named(it, 0).name,
        ];
        self.agree((&rows.total, &names[0]), (&array.extent, &names[1]), it.src);
        let flat = self.owned(Value::Array(array), it.src)?;
        let flat = self.as_array(&flat);
        Ok(Value::Array(Array {
            extent: lengths.extent,
            elem: Elem::rows(rows.bounds, rows.offsets, flat),
        }))
    }

    /// The descriptor of rows of these lengths.
    fn rows_of(&mut self, lengths: &Array, it: &Use<'p>) -> Lowered<Descriptor> {
        let most = usize_const(MOST_LENGTH);
        let counts = self.build(&lengths.extent, it.src, |lower, row| {
            let len = lower.read_elem(lengths, row, it.src).atom();
            let len = lower.scalar(ScalarOp::Min, &[len, most], Scalar::Usize, it.src);
            let len = lower.scalar(ScalarOp::Cast, &[len], Scalar::I64, it.src);
            Ok(Value::Scalar(len))
        })?;
        let counts = self.variable(&counts);
        let rows = self.descriptor(counts, &lengths.extent, None, it.src)?;
        self.know_rows_of(lengths, &rows);
        Ok(rows)
    }

    /// `xs.flat_map(f)`
    pub(super) fn flat_map(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let rows = self.map(it)?;
        self.joined(&self.as_array(&rows), it.src)
    }

    /// `xs.chunks(k)`
    pub(super) fn chunks(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let (array, width) = (self.operand(it, 0), it.atom(1));
        self.check_width(width, it);
        let count = self.steps(&array.extent, width, it.src);
        self.build(&count, it.src, |lower, chunk| {
            let first = lower.exact(ScalarOp::Mul, chunk, width, it.src);
            let rest = lower.exact(ScalarOp::Sub, array.extent.value, first, it.src);
            let len = lower.least(rest, width, it.src);
            let len = lower.extent_of(len);
            lower.run_of(&array, first, &len, it.src)
        })
    }
}
