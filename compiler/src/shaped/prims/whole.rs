//! Reductions and scans whose elements are arrays, or hold arrays.
//!
//! In: an array of these, and an operator. Out: the way to go, and values as the scalars in them.
//!
//! Note \[Whole elements\]. There are three ways, of which the first that is possible is taken:
//!
//! * Elements of at most [`MOST`] scalars, of known lengths, are products of these scalars. Inside of
//!   the operator they are arrays again, until `registers` has taken them out.
//! * An operator that is recognised combines elements index by index: a reduction or scan for each
//!   index (`columns`).
//! * Any other operator is applied to one element after the other, in a loop (`one_by_one`); its
//!   results may have other lengths than its operands. So are operators on scalars that hold arrays
//!   too large for registers.

use super::Use;
use super::scan::Direction;
use crate::prims::ScalarOp;
use crate::shaped::ir::{Atom, Extent, Stmt};
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::par::Elements;
use crate::shaped::value::{Array, Elem, Value, holds_array, usize_const};
use crate::source::SrcSpan;

/// Scalars of the largest element that is a product of them.
const MOST: u64 = 12;

/// The elements of an array, in the order in which they are combined.
pub(super) struct Operands {
    pub(super) array: Array,
    pub(super) from: Direction,
}

/// See Note \[Whole elements\].
pub(super) enum Way {
    Scalars,
    Columns(Vec<ScalarOp>),
    OneByOne,
}

impl<'p> Lower<'p> {
    /// The elements of the first argument, from this end. A recognised operator needs arrays of one
    /// length, which is checked of rows: so these are combined in the order of dense ones.
    pub(super) fn operands(&mut self, it: &Use<'p>, from: Direction) -> Lowered<Operands> {
        let Array { extent, elem } = self.operand(it, 0);
        let is_recognised = self.recognised(it.fns[0]).is_some();
        let elem = match is_recognised && elem.has_rows() {
            true => self.of_one_length(&extent, &elem, it)?,
            false => elem,
        };
        let array = Array { extent, elem };
        Ok(Operands { array, from })
    }

    /// `elem`, whose rows are checked to have one length, of an array of `extent`.
    fn of_one_length(&mut self, extent: &Extent, elem: &Elem, it: &Use<'p>) -> Lowered<Elem> {
        if let Elem::Product(parts) = elem {
            let parts = parts.iter();
            let parts = parts.map(|part| self.of_one_length(extent, part, it));
            return parts.collect::<Lowered<_>>().map(Elem::Product);
        }
        let (extent, elem) = (extent.clone(), elem.clone());
        let levels = levels(&elem);
        let array = Array { extent, elem };
        let array = self.of_one_shape(array, levels, &self.named(it, 0), it.src)?;
        Ok(array.elem)
    }

    /// Where the element lies that comes as number `index`.
    pub(super) fn position_of(&mut self, xs: &Operands, index: Atom, src: SrcSpan) -> Atom {
        match xs.from {
            Direction::Left => index,
            Direction::Right => self.mirrored(&xs.array.extent, index, src),
        }
    }

    /// Element `index`, which is in range.
    pub(super) fn operand_at(&mut self, xs: &Operands, index: Atom, src: SrcSpan) -> Value {
        let at = self.position_of(xs, index, src);
        self.read_elem(&xs.array, at, src)
    }

    /// The elements as products of scalars.
    pub(super) fn scalar_elements(&mut self, xs: &Operands, src: SrcSpan) -> Lowered<Elements> {
        self.elements(&xs.array.extent, src, |lower, index| {
            let element = lower.operand_at(xs, index, src);
            Ok(lower.spread(&element, src))
        })
    }

    /// How to combine these elements. `init` is the other operand of one combination.
    pub(super) fn way(
        &mut self,
        it: &Use<'p>,
        xs: &Operands,
        init: Option<&Value>,
    ) -> Lowered<Way> {
        if !holds_array(&xs.array.elem) {
            return Ok(Way::Scalars);
        }
        if xs.array.elem.has_rows() {
            return Ok(Way::OneByOne);
        }
        let count = self.scalar_count(&xs.array.elem);
        if count.is_some_and(|count| count <= MOST) && self.keeps_shape(it, xs, init)? {
            return Ok(Way::Scalars);
        }
        Ok(match self.recognised(it.fns[0]) {
            Some(ops) => Way::Columns(ops),
            None => Way::OneByOne,
        })
    }

    /// Whether `init` has the lengths of an element, and so has what the operator makes of two.
    pub(super) fn keeps_shape(
        &mut self,
        it: &Use<'p>,
        xs: &Operands,
        init: Option<&Value>,
    ) -> Lowered<bool> {
        let start = self.snapshot();
        let (_, kept) = self.scoped(|lower| {
            let element = lower.operand_at(xs, usize_const(0), it.src);
            if let Some(init) = init
                && !lower.same_lengths(init, &element)
            {
                return Ok(false);
            }
            let both = lower.apply(it.fns[0], &[element.clone(), element.clone()])?;
            Ok(lower.same_lengths(&both, &element))
        })?;
        self.go_back(&start);
        Ok(kept)
    }

    /// Whether it is certain that the operator finds nothing wrong with the lengths.
    pub(super) fn always_fit(
        &mut self,
        it: &Use<'p>,
        xs: &Operands,
        init: Option<&Value>,
    ) -> Lowered<bool> {
        let (start, known) = (self.snapshot(), self.mistakes.len());
        let (stmts, ()) = self.scoped(|lower| lower.fit(it, xs, init))?;
        let fit = self.mistakes.len() == known && !stmts.iter().any(Stmt::checks);
        self.go_back(&start);
        Ok(fit)
    }

    /// Applies the operator for the sake of its checks. Assumes that there is an element.
    pub(super) fn fit(&mut self, it: &Use<'p>, xs: &Operands, init: Option<&Value>) -> Lowered<()> {
        let element = self.operand_at(xs, usize_const(0), it.src);
        for left in [Some(&element), init].into_iter().flatten() {
            self.apply(it.fns[0], &[left.clone(), element.clone()])?;
        }
        Ok(())
    }

    /// How many scalars an element of known lengths holds; `None` if not all are known, or one is 0.
    fn scalar_count(&self, elem: &Elem) -> Option<u64> {
        match elem {
            Elem::Leaf(_) => Some(1),
            Elem::Rows(_) => None,
            Elem::Product(parts) => parts.iter().map(|part| self.scalar_count(part)).sum(),
            Elem::Array(array) => {
                let count = Some(self.known_length(array)).filter(|count| *count > 0)?;
                self.scalar_count(&array.elem)?.checked_mul(count)
            }
        }
    }

    /// The length of an array, or 0 if it is not known.
    fn known_length(&self, array: &Array) -> u64 {
        let known = self.facts.normal(&array.extent.size).as_known();
        known.map_or(0, |length| length.max(0).unsigned_abs())
    }

    /// `ops`, of which those of an array's elements stand once, for each scalar in `elem`.
    pub(super) fn for_scalars(
        &self,
        elem: &Elem,
        ops: &mut dyn Iterator<Item = ScalarOp>,
    ) -> Vec<ScalarOp> {
        match elem {
            Elem::Leaf(_) => vec![ops.next().expect("one operator per component")],
            Elem::Rows(_) => unreachable!("rows go one by one"),
            Elem::Product(parts) => {
                let parts = parts.iter();
                parts.flat_map(|part| self.for_scalars(part, ops)).collect()
            }
            Elem::Array(array) => {
                let each = self.for_scalars(&array.elem, ops);
                each.repeat(self.known_length(array) as usize)
            }
        }
    }

    /// The scalars in a value whose arrays have known lengths, as a product.
    pub(super) fn spread(&mut self, value: &Value, src: SrcSpan) -> Value {
        match value {
            Value::Scalar(_) => value.clone(),
            Value::Product(parts) => {
                Value::Product(parts.iter().map(|part| self.spread(part, src)).collect())
            }
            Value::Array(_) => {
                let array = self.as_array(value);
                let elements = (0..self.known_length(&array)).map(|at| {
                    let element = self.read_elem(&array, usize_const(at), src);
                    self.spread(&element, src)
                });
                Value::Product(elements.collect())
            }
        }
    }

    /// The scalars of [`Lower::spread`] from left to right.
    pub(super) fn scalars_in(&mut self, value: &Value, src: SrcSpan) -> Vec<Atom> {
        let mut scalars = Vec::new();
        self.spread(value, src).scalars(&mut scalars);
        scalars
    }

    /// The value of the shape `elem` that these scalars make up.
    pub(super) fn gathered(
        &mut self,
        elem: &Elem,
        scalars: &mut dyn Iterator<Item = Atom>,
        src: SrcSpan,
    ) -> Lowered<Value> {
        match elem {
            Elem::Leaf(_) => Ok(Value::Scalar(scalars.next().expect("one per scalar"))),
            Elem::Rows(_) => unreachable!("rows go one by one"),
            Elem::Product(parts) => {
                let parts = parts.iter().map(|part| self.gathered(part, scalars, src));
                parts.collect::<Lowered<_>>().map(Value::Product)
            }
            Elem::Array(array) => {
                let count = self.known_length(array);
                let elements = (0..count).map(|_| self.gathered(&array.elem, scalars, src));
                let elements = elements.collect::<Lowered<Vec<_>>>()?;
                self.array_of(&elements, src)
            }
        }
    }
}

/// How many arrays are around the innermost elements of an array of `elem`, without its own.
fn levels(elem: &Elem) -> usize {
    match elem {
        Elem::Leaf(_) | Elem::Product(_) => 0,
        Elem::Array(array) => 1 + levels(&array.elem),
        Elem::Rows(rows) => 1 + levels(&rows.flat.elem),
    }
}
