//! Sorting: by a scalar key it is an operation of its own, by a product of these one after another.
//!
//! Note \[Keys of several parts\]. Sorts are stable. So positions are in the order of a product when
//! they have been sorted by its last component, then by the one before it, and so on to the first.

use super::Use;
use crate::prims::{Extreme, Scalar, ScalarOp, Sorted};
use crate::shaped::ir::{Atom, Consumer};
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::value::{Array, Elem, Value, bool_const};
use crate::source::SrcSpan;

impl<'p> Lower<'p> {
    /// `xs.sort()`
    pub(super) fn sort(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let array = self.operand(it, 0);
        if matches!(array.elem, Elem::Leaf(_)) {
            let sorted = self.sorted(&array, Sorted::Values, it.src)?;
            return Ok(Value::Array(sorted));
        }
        let order = self.order(&array, it.src)?;
        self.in_this_order(&array, &order, it.src)
    }

    /// `xs.sort_by_key(f)`
    pub(super) fn sort_by_key(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let array = self.operand(it, 0);
        let keys = self.map(it)?;
        let order = self.order(&self.as_array(&keys), it.src)?;
        self.in_this_order(&array, &order, it.src)
    }

    /// `xs.argsort()`
    pub(super) fn argsort(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let order = self.order(&self.operand(it, 0), it.src)?;
        Ok(Value::Array(order))
    }

    /// `xs.kth_smallest(k)`
    pub(super) fn kth_smallest(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let sorted = self.sort(it)?;
        self.index(&self.as_array(&sorted), it.atom(1), it.src)
    }

    /// `xs.unique()`
    pub(super) fn unique(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let sorted = self.sort(it)?;
        let sorted = self.as_array(&sorted);
        let starts = self.run_starts(&sorted, it.src, |lower, pair| {
            Ok(Value::Scalar(lower.differ(&pair, it.src)))
        })?;
        self.in_this_order(&sorted, &starts, it.src)
    }

    /// `xs.group_by_key(f)`: the keys where runs of equal ones begin, and in rows from there on the
    /// elements in the order of their keys.
    pub(super) fn group_by_key(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let array = self.operand(it, 0);
        let keys = self.map(it)?;
        let keys = self.as_array(&keys);
        let order = self.order(&keys, it.src)?;
        let keys = self.in_this_order(&keys, &order, it.src)?;
        let keys = self.as_array(&keys);
        let starts = self.run_starts(&keys, it.src, |lower, pair| {
            Ok(Value::Scalar(lower.differ(&pair, it.src)))
        })?;
        let keys = self.in_this_order(&keys, &starts, it.src)?;
        let bounds = self.one_more(&starts.extent, it.src);
        let offsets = self.build(&bounds, it.src, |lower, run| {
            let start = lower.run_end(&starts, run, &array.extent, it.src)?;
            let start = lower.scalar(ScalarOp::Cast, &[start], Scalar::I64, it.src);
            Ok(Value::Scalar(start))
        })?;
        let flat = self.in_this_order(&array, &order, it.src)?;
        let flat = self.owned(flat, it.src)?;
        let rows = Elem::rows(bounds, self.variable(&offsets), self.as_array(&flat));
        Ok(Value::Array(Array {
            extent: starts.extent,
            elem: Elem::Product(vec![self.as_array(&keys).elem, rows]),
        }))
    }

    /// Whether one of two keys is before the other, of floats in the order of `min`: so no NaN differs
    /// from another.
    fn differ(&mut self, [a, b]: &[Value; 2], src: SrcSpan) -> Atom {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        a.scalars(&mut left);
        b.scalars(&mut right);
        let mut differs = bool_const(false);
        for (a, b) in left.into_iter().zip(right) {
            let one = if self.elem_type(a).is_float() {
                let before = ScalarOp::Before(Extreme::Min);
                let (first, second) = (self.test(before, a, b, src), self.test(before, b, a, src));
                self.test(ScalarOp::BitOr, first, second, src)
            } else {
                self.test(ScalarOp::Ne, a, b, src)
            };
            differs = self.test(ScalarOp::BitOr, differs, one, src);
        }
        differs
    }

    /// The positions of `keys`, which hold no arrays, in ascending order of these. See Note
    /// \[Keys of several parts\].
    fn order(&mut self, keys: &Array, src: SrcSpan) -> Lowered<Array> {
        let mut columns = Vec::new();
        add_columns(keys, &mut columns);
        let mut columns = columns.into_iter().rev();
        let Some(last) = columns.next() else {
            let positions = self.build(&keys.extent, src, |_, at| Ok(Value::Scalar(at)))?;
            return Ok(self.as_array(&positions));
        };
        let mut order = self.sorted(&last, Sorted::Positions, src)?;
        for column in columns {
            let moved = self.in_this_order(&column, &order, src)?;
            let next = self.sorted(&self.as_array(&moved), Sorted::Positions, src)?;
            let both = self.in_this_order(&order, &next, src)?;
            order = self.as_array(&both);
        }
        Ok(order)
    }

    /// What `sorted` says of the scalars of `array`.
    fn sorted(&mut self, array: &Array, sorted: Sorted, src: SrcSpan) -> Lowered<Array> {
        let elements = self.elements(&array.extent, src, |lower, index| {
            Ok(lower.read_elem(array, index, src))
        })?;
        let ty = match sorted {
            Sorted::Values => elements.types[0],
            Sorted::Positions => Scalar::Usize,
        };
        let outs = self.flat_arrays(&[ty], &array.extent, src);
        let elem = Elem::whole(outs[0]);
        self.consume(elements, Consumer::Sort(sorted), outs, src);
        let extent = array.extent.clone();
        Ok(Array { extent, elem })
    }

    /// The elements of `array` at the positions that `order` has, all of which are in it.
    fn in_this_order(&mut self, array: &Array, order: &Array, src: SrcSpan) -> Lowered<Value> {
        self.build(&order.extent, src, |lower, index| {
            let at = lower.read_elem(order, index, src).atom();
            Ok(lower.read_elem(array, at, src))
        })
    }
}

/// The components of an array of products, as arrays.
fn add_columns(array: &Array, columns: &mut Vec<Array>) {
    let of = |elem: &Elem| Array {
        extent: array.extent.clone(),
        elem: elem.clone(),
    };
    match &array.elem {
        Elem::Leaf(_) => columns.push(array.clone()),
        Elem::Product(parts) => {
            let parts = parts.iter();
            parts.for_each(|part| add_columns(&of(part), columns));
        }
        Elem::Array(_) | Elem::Rows(_) => unreachable!("typed: keys hold no arrays"),
    }
}
