//! Recognised operators on elements that hold arrays: a reduction or scan for each index inside of an
//! element. See Note \[Whole elements\].
//!
//! In: the elements and the operators of their scalars. Out: the value of all these. Order and
//! rounding are those of each scalar by itself, so of the whole.

use super::Use;
use super::scan::Scan;
use super::whole::Operands;
use crate::prims::ScalarOp;
use crate::report::Diagnostic;
use crate::shaped::carry::extents;
use crate::shaped::ir::{Atom, Extent};
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::par::Elements;
use crate::shaped::value::{Elem, Value, usize_const};
use crate::source::SrcSpan;

/// Scalars inside of all elements.
struct Column<'c, 'p> {
    /// How many elements.
    extent: &'c Extent,
    /// The part of element `index` that they are.
    at: &'c dyn Fn(&mut Lower<'p>, Atom) -> Elem,
    src: SrcSpan,
}

type Ops<'o> = std::iter::Copied<std::slice::Iter<'o, ScalarOp>>;

impl<'p> Lower<'p> {
    /// `xs.reduce(init, f)`
    pub(super) fn reduce_columns(
        &mut self,
        it: &Use<'p>,
        xs: &Operands,
        ops: &[ScalarOp],
    ) -> Lowered<Value> {
        let init = &it.args[1];
        let empty = |_: &mut Self| Ok(init.clone());
        self.in_columns(it, xs, Some(init), &empty, &mut |lower, column| {
            let (shape, ops) = (&xs.array.elem, &mut ops.iter().copied());
            lower.totals(column, shape, init, ops)
        })
    }

    /// A scan of that kind.
    pub(super) fn scan_columns(
        &mut self,
        it: &Use<'p>,
        xs: &Operands,
        scan: Scan,
        ops: &[ScalarOp],
    ) -> Lowered<Value> {
        let init = (scan != Scan::Inclusive).then(|| &it.args[1]);
        let array = Value::Array(xs.array.clone());
        let empty = |_: &mut Self| match (scan, init) {
            (Scan::WithTotal, Some(init)) => Ok(Value::Product(vec![array.clone(), init.clone()])),
            _without => Ok(array.clone()),
        };
        self.in_columns(it, xs, init, &empty, &mut |lower, column| {
            let (shape, ops) = (&xs.array.elem, &mut ops.iter().copied());
            let prefixes = lower.prefixes(column, shape, init, scan, ops)?;
            let rows = lower.build(column.extent, it.src, |lower, index| {
                let at = lower.position_of(xs, index, it.src);
                lower.row(shape, &prefixes, at, scan, it.src)
            })?;
            if scan != Scan::WithTotal {
                return Ok(rows);
            }
            let totals = lower.totals_of(shape, &prefixes, it.src)?;
            Ok(Value::Product(vec![rows, totals]))
        })
    }

    /// What `of` makes of the columns. Lengths that are not known to agree are compared where
    /// the operator does so, if there are elements; if there are none, the result is `empty`.
    fn in_columns(
        &mut self,
        it: &Use<'p>,
        xs: &Operands,
        init: Option<&Value>,
        empty: &dyn Fn(&mut Self) -> Lowered<Value>,
        of: &mut dyn FnMut(&mut Self, &Column<'_, 'p>) -> Lowered<Value>,
    ) -> Lowered<Value> {
        let extent = xs.array.extent.clone();
        let at = |lower: &mut Lower<'p>, index| {
            let at = lower.position_of(xs, index, it.src);
            lower.elem_at(&xs.array.elem, &xs.array.extent, at, it.src)
        };
        let column = Column {
            extent: &extent,
            at: &at,
            src: it.src,
        };
        if let Some(init) = init {
            self.first_value_fits(it, xs, init)?;
        }
        if self.always_fit(it, xs, init)? {
            return of(self, &column);
        }
        let none = self.test(ScalarOp::Eq, extent.value, usize_const(0), it.src);
        self.branch(none, &[], it.src, empty, |lower| {
            lower.fit(it, xs, init)?;
            of(lower, &column)
        })
    }

    /// Reports a first value that is known to have other lengths than the elements.
    fn first_value_fits(&mut self, it: &Use<'p>, xs: &Operands, init: &Value) -> Lowered<()> {
        let (_, element) = self.scoped(|lower| Ok(lower.operand_at(xs, usize_const(0), it.src)))?;
        let lengths = |value: &Value| extents(std::slice::from_ref(value));
        let mut pairs = lengths(init).into_iter().zip(lengths(&element));
        let differs = pairs.find_map(|(own, other)| {
            let difference = self.facts.difference(&own.size, &other.size)?;
            (difference != 0).then_some(difference)
        });
        let Some(difference) = differs else {
            return Ok(());
        };
        let how = if difference < 0 { "shorter" } else { "longer" };
        let name = it.prim.info().name;
        let title = format!("`{name}` starts from an array of another length than the elements");
        Err(Diagnostic::new(it.exprs[1].src, title)
            .note(format!(
                "this is {} {how} than an element of {}",
                difference.abs(),
                self.name_of(&it.exprs[0])
            ))
            .help("give both the same length"))
    }

    /// The total of each scalar, `init` in front.
    fn totals(
        &mut self,
        column: &Column<'_, 'p>,
        shape: &Elem,
        init: &Value,
        ops: &mut Ops<'_>,
    ) -> Lowered<Value> {
        match shape {
            Elem::Leaf(_) => {
                let elements = self.column_elements(column)?;
                let combine = self.combine_ops(&[next(ops)], &elements.types, column.src);
                Ok(self.reduce_by(elements, vec![init.atom()], combine, column.src))
            }
            Elem::Product(parts) => {
                let parts = parts.iter().enumerate();
                let parts = parts.map(|(at, part)| {
                    let init = init.field(at);
                    self.of_part(column, at, |lower, column| {
                        lower.totals(column, part, &init, ops)
                    })
                });
                parts.collect::<Lowered<_>>().map(Value::Product)
            }
            Elem::Rows(_) => unreachable!("rows go one by one"),
            Elem::Array(array) => {
                let (init, each) = (self.as_array(init), ops.clone());
                skip(&array.elem, ops);
                self.build(&array.extent, column.src, |lower, at| {
                    let init = lower.read_elem(&init, at, column.src);
                    lower.of_inner(column, at, |lower, column| {
                        lower.totals(column, &array.elem, &init, &mut each.clone())
                    })
                })
            }
        }
    }

    /// The prefixes of each scalar, arrays inside out.
    fn prefixes(
        &mut self,
        column: &Column<'_, 'p>,
        shape: &Elem,
        init: Option<&Value>,
        scan: Scan,
        ops: &mut Ops<'_>,
    ) -> Lowered<Value> {
        match shape {
            Elem::Leaf(_) => {
                let elements = self.column_elements(column)?;
                let combine = self.combine_ops(&[next(ops)], &elements.types, column.src);
                let init = init.map(|init| vec![init.atom()]);
                Ok(self.scan_by(elements, init, combine, scan, column.src))
            }
            Elem::Product(parts) => {
                let parts = parts.iter().enumerate();
                let parts = parts.map(|(at, part)| {
                    let init = init.map(|init| init.field(at));
                    self.of_part(column, at, |lower, column| {
                        lower.prefixes(column, part, init.as_ref(), scan, ops)
                    })
                });
                parts.collect::<Lowered<_>>().map(Value::Product)
            }
            Elem::Rows(_) => unreachable!("rows go one by one"),
            Elem::Array(array) => {
                let init = init.map(|init| self.as_array(init));
                let each = ops.clone();
                skip(&array.elem, ops);
                self.build(&array.extent, column.src, |lower, at| {
                    let init = init
                        .as_ref()
                        .map(|init| lower.read_elem(init, at, column.src));
                    lower.of_inner(column, at, |lower, column| {
                        let ops = &mut each.clone();
                        lower.prefixes(column, &array.elem, init.as_ref(), scan, ops)
                    })
                })
            }
        }
    }

    /// Row `index` of prefixes that are arrays inside out.
    fn row(
        &mut self,
        shape: &Elem,
        prefixes: &Value,
        index: Atom,
        scan: Scan,
        src: SrcSpan,
    ) -> Lowered<Value> {
        match shape {
            Elem::Leaf(_) => {
                let column = match scan {
                    Scan::WithTotal | Scan::GoesOn => self.as_array(&prefixes.field(0)),
                    Scan::Inclusive | Scan::Exclusive => self.as_array(prefixes),
                };
                Ok(self.read_elem(&column, index, src))
            }
            Elem::Product(parts) => {
                let parts = parts.iter().enumerate();
                let parts =
                    parts.map(|(at, part)| self.row(part, &prefixes.field(at), index, scan, src));
                parts.collect::<Lowered<_>>().map(Value::Product)
            }
            Elem::Rows(_) => unreachable!("rows go one by one"),
            Elem::Array(array) => {
                let columns = self.as_array(prefixes);
                self.build(&array.extent, src, |lower, at| {
                    let column = lower.read_elem(&columns, at, src);
                    lower.row(&array.elem, &column, index, scan, src)
                })
            }
        }
    }

    /// The totals that stand beside prefixes.
    fn totals_of(&mut self, shape: &Elem, prefixes: &Value, src: SrcSpan) -> Lowered<Value> {
        match shape {
            Elem::Leaf(_) => Ok(prefixes.field(1)),
            Elem::Product(parts) => {
                let parts = parts.iter().enumerate();
                let parts = parts.map(|(at, part)| self.totals_of(part, &prefixes.field(at), src));
                parts.collect::<Lowered<_>>().map(Value::Product)
            }
            Elem::Rows(_) => unreachable!("rows go one by one"),
            Elem::Array(array) => {
                let columns = self.as_array(prefixes);
                self.build(&array.extent, src, |lower, at| {
                    let column = lower.read_elem(&columns, at, src);
                    lower.totals_of(&array.elem, &column, src)
                })
            }
        }
    }

    fn column_elements(&mut self, column: &Column<'_, 'p>) -> Lowered<Elements> {
        self.elements(column.extent, column.src, |lower, index| {
            let scalar = (column.at)(lower, index);
            Ok(lower.read_part(&scalar, column.src))
        })
    }

    /// Component `field` of what is a product.
    fn of_part<T>(
        &mut self,
        column: &Column<'_, 'p>,
        field: usize,
        of: impl FnOnce(&mut Self, &Column<'_, 'p>) -> T,
    ) -> T {
        let at = |lower: &mut Lower<'p>, index| match (column.at)(lower, index) {
            Elem::Product(mut parts) => parts.swap_remove(field),
            Elem::Leaf(_) | Elem::Array(_) | Elem::Rows(_) => {
                unreachable!("it has the shape of a product")
            }
        };
        of(self, &Column { at: &at, ..*column })
    }

    /// Element `inner` of what is an array.
    fn of_inner<T>(
        &mut self,
        column: &Column<'_, 'p>,
        inner: Atom,
        of: impl FnOnce(&mut Self, &Column<'_, 'p>) -> T,
    ) -> T {
        let src = column.src;
        let at = |lower: &mut Lower<'p>, index| match (column.at)(lower, index) {
            Elem::Array(array) => lower.elem_at(&array.elem, &array.extent, inner, src),
            Elem::Leaf(_) | Elem::Product(_) | Elem::Rows(_) => {
                unreachable!("it has the shape of an array")
            }
        };
        of(self, &Column { at: &at, ..*column })
    }
}

fn next(ops: &mut Ops<'_>) -> ScalarOp {
    ops.next().expect("one operator per component")
}

/// Goes past the operators of an array's elements.
fn skip(elem: &Elem, ops: &mut Ops<'_>) {
    match elem {
        Elem::Leaf(_) => drop(next(ops)),
        Elem::Product(parts) => parts.iter().for_each(|part| skip(part, ops)),
        Elem::Array(array) => skip(&array.elem, ops),
        Elem::Rows(_) => unreachable!("rows go one by one"),
    }
}
