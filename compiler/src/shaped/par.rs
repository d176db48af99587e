//! Index spaces: bodies that compute one element from its index, and reading elements.

use super::alike::{Alike, Closing};
use super::facts::IndexFn;
use super::ir::{ArrayType, Atom, Body, Consumer, Extent, Op, Stmt, VarType};
use super::lengths::KnownRows;
use super::lower::{Lower, Lowered};
use super::outside::Outside;
use super::plan::Plan;
use super::size::Size;
use super::value::{Array, Elem, Leaf, Value};
use crate::checks::CheckKind;
use crate::ids::{SizeSym, Var};
use crate::prims::{Scalar, ScalarOp};
use crate::report::Diagnostic;
use crate::source::SrcSpan;

/// An index space with its body, before it has a consumer.
pub(super) struct Elements {
    pub(super) extent: Extent,
    index: Var,
    pub(super) body: Body,
    /// The shape of an element.
    pub(super) elem: Value,
    /// The types of its components.
    pub(super) types: Vec<Scalar>,
    /// The dimensions of its components that are arrays.
    dims: Vec<Vec<Extent>>,
    /// The extents of arrays in it, as known outside of the body.
    inner: Vec<Extent>,
    /// How `usize` components follow from the index, where they do.
    functions: Vec<Option<IndexFn>>,
    /// Rows of which components are the lengths.
    lengths: Vec<Option<KnownRows>>,
}

/// An index space with its body, before it is known what shape its elements have.
struct Opened {
    outside: Outside,
    index: Var,
    symbol: SizeSym,
    stmts: Vec<Stmt>,
    elem: Value,
    sizes: Vec<Option<Size>>,
    /// Rows of which components are the lengths.
    lengths: Vec<Option<KnownRows>>,
    /// How the arrays in an element are put together if their lengths depend on the index.
    plan: Option<Plan>,
}

impl<'p> Lower<'p> {
    /// The body over `0..extent` that `element` gives, whose elements have one shape.
    pub(super) fn elements(
        &mut self,
        extent: &Extent,
        src: SrcSpan,
        element: impl Fn(&mut Self, Atom) -> Lowered<Value>,
    ) -> Lowered<Elements> {
        let opened = self.opened(extent, src, element)?;
        match opened.plan {
            None => self.regular(extent, opened, src),
            Some(_) => Err(irregular(src)),
        }
    }

    fn opened(
        &mut self,
        extent: &Extent,
        src: SrcSpan,
        element: impl Fn(&mut Self, Atom) -> Lowered<Value>,
    ) -> Lowered<Opened> {
        let mut start = self.snapshot();
        let (mut opened, alike) = self.opened_once(extent, src, &element)?;
        if !alike.is_empty() {
            self.go_back(&start);
            self.check_alike(extent, alike, &opened.outside, src)?;
            start = self.snapshot();
            (opened, _) = self.opened_once(extent, src, &element)?;
        }
        let plan = opened.plan.as_ref().filter(|_| !self.in_body());
        if plan.is_some_and(|plan| self.shares_alike(plan)) {
            self.go_back(&start);
            self.by_offsets = true;
            let again = self.opened_once(extent, src, &element);
            self.by_offsets = false;
            (opened, _) = again?;
        }
        Ok(opened)
    }

    /// And the checks that can go in front of it: then it is not to be used, but to be opened again.
    fn opened_once(
        &mut self,
        extent: &Extent,
        src: SrcSpan,
        element: &impl Fn(&mut Self, Atom) -> Lowered<Value>,
    ) -> Lowered<(Opened, Vec<Alike>)> {
        let outside = Outside::new(self.vars.len(), self.facts.mark());
        let index = self.scalar_var(Scalar::Usize, src);
        self.bodies.push(outside.clone());
        let opened = self.scoped(|lower| {
            let symbol = lower.facts.enter_index(index, &extent.size);
            let elem = element(lower, Atom::Var(index))?;
            let elem = lower.owned_inside(elem, &outside, src)?;
            let mut atoms = Vec::new();
            leaves(&elem, &mut atoms);
            let sizes = atoms
                .iter()
                .map(|atom| lower.known_size(*atom))
                .collect::<Vec<_>>();
            let at = Atom::Var(index);
            let lengths = sizes.iter().zip(&atoms).map(|(size, value)| {
                let (value, size) = (*value, size.clone()?);
                let len = Extent { value, size };
                let mark = lower.facts.mark();
                let all = lower.rows_of_length(&len, (extent, at), &outside, mark);
                all.map(KnownRows::All).or_else(|| {
                    let (rows, _) = lower.rows_from(&len, at, &outside, mark)?;
                    Some(KnownRows::From(Box::new(rows)))
                })
            });
            let lengths = lengths.collect::<Vec<_>>();
            let plan = lower.plan(&elem, (extent, at, symbol), &outside, src)?;
            let outside = &outside;
            let alike = lower.alike(&Closing {
                extent,
                index,
                outside,
            });
            Ok(((elem, symbol, sizes, lengths, plan), alike))
        });
        self.bodies.pop();
        let (stmts, ((elem, symbol, sizes, lengths, plan), alike)) = opened?;
        let opened = Opened {
            outside,
            index,
            symbol,
            stmts,
            elem,
            sizes,
            lengths,
            plan,
        };
        Ok((opened, alike))
    }

    /// The same, known to have elements of one shape.
    fn regular(&mut self, extent: &Extent, opened: Opened, src: SrcSpan) -> Lowered<Elements> {
        let Opened {
            outside,
            index,
            symbol,
            mut stmts,
            elem,
            sizes,
            lengths,
            ..
        } = opened;
        let inner = match elem.has_array() {
            true => self.outer_extents(&elem, outside, &mut stmts, src)?,
            false => Vec::new(),
        };
        let mut results = Vec::new();
        leaves(&elem, &mut results);
        let types = results.iter().map(|atom| self.elem_type(*atom)).collect();
        let mut dims = Vec::new();
        dimensions(&elem, &mut inner.iter().cloned(), &[], &mut dims);
        let may_fail = stmts.iter().any(|stmt| !is_total(stmt));
        let functions = sizes
            .into_iter()
            .map(|size| index_fn(size?, symbol, may_fail))
            .collect();
        let body = Body { stmts, results };
        Ok(Elements {
            extent: extent.clone(),
            index,
            body,
            elem,
            types,
            dims,
            inner,
            functions,
            lengths,
        })
    }

    /// `value` with each array in it made by the innermost body.
    fn owned_inside(&mut self, value: Value, outside: &Outside, src: SrcSpan) -> Lowered<Value> {
        self.owned_if(value, src, &|array| {
            array.is_whole() && components(&array.elem).iter().all(|var| !outside.has(*var))
        })
    }

    /// `value` with each array in it a variable of its own.
    pub(super) fn owned(&mut self, value: Value, src: SrcSpan) -> Lowered<Value> {
        self.owned_if(value, src, &Array::is_whole)
    }

    pub(super) fn owned_if(
        &mut self,
        value: Value,
        src: SrcSpan,
        is_own: &dyn Fn(&Array) -> bool,
    ) -> Lowered<Value> {
        match value {
            Value::Scalar(_) => Ok(value),
            Value::Product(parts) => {
                let parts = parts.into_iter();
                let parts = parts.map(|part| self.owned_if(part, src, is_own));
                parts.collect::<Lowered<_>>().map(Value::Product)
            }
            Value::Array(array) if is_own(&array) => Ok(Value::Array(array)),
            Value::Array(_) => {
                let array = self.as_array(&value);
                self.build(&array.extent, src, |lower, index| {
                    Ok(lower.read_elem(&array, index, src))
                })
            }
        }
    }

    pub(super) fn known_size(&self, atom: Atom) -> Option<Size> {
        match atom {
            Atom::Const(constant) if constant.ty == Scalar::Usize => {
                i64::try_from(constant.bits).ok().map(Size::known)
            }
            Atom::Const(_) => None,
            Atom::Var(var) => self.facts.recorded(var),
        }
    }

    /// Writes the operation on `elements` that `consumer` makes.
    pub(super) fn consume(
        &mut self,
        elements: Elements,
        consumer: Consumer,
        outs: Vec<Var>,
        src: SrcSpan,
    ) {
        let Elements {
            extent,
            index,
            body,
            ..
        } = elements;
        self.parallel(&extent, index, body, consumer, outs, src);
    }

    /// The array of elements.
    pub(super) fn collect(&mut self, elements: Elements, src: SrcSpan) -> Array {
        let extent = elements.extent.clone();
        let outs = self.arrays_of(&elements.types, &extent, &elements.dims, src);
        for (out, function) in outs.iter().zip(&elements.functions) {
            if let Some(function) = function {
                self.facts.set_index_fn(*out, function.clone());
            }
        }
        for (out, rows) in outs.iter().zip(&elements.lengths) {
            if let Some(rows) = rows {
                self.know_lengths(*out, rows.clone());
            }
        }
        let inner = &mut elements.inner.iter().cloned();
        let elem = elements.elem.elem_with(&mut outs.iter().copied(), inner);
        self.consume(elements, Consumer::Build, outs, src);
        Array { extent, elem }
    }

    /// One array per component: its type, the outer extent, and the component's own dimensions.
    pub(super) fn arrays_of(
        &mut self,
        types: &[Scalar],
        extent: &Extent,
        dims: &[Vec<Extent>],
        src: SrcSpan,
    ) -> Vec<Var> {
        let each = types.iter().zip(dims);
        each.map(|(scalar, inner)| {
            let mut dims = vec![extent.clone()];
            dims.extend(inner.iter().cloned());
            self.array_var(*scalar, dims, src)
        })
        .collect()
    }

    /// One array of one dimension per component type.
    pub(super) fn flat_arrays(
        &mut self,
        types: &[Scalar],
        extent: &Extent,
        src: SrcSpan,
    ) -> Vec<Var> {
        let each = types.iter();
        each.map(|scalar| self.array_var(*scalar, vec![extent.clone()], src))
            .collect()
    }

    /// The array whose element at each index is what `element` gives.
    pub(super) fn build(
        &mut self,
        extent: &Extent,
        src: SrcSpan,
        element: impl Fn(&mut Self, Atom) -> Lowered<Value>,
    ) -> Lowered<Value> {
        let mut opened = self.opened(extent, src, element)?;
        let Some(plan) = opened.plan.take() else {
            let elements = self.regular(extent, opened, src)?;
            return Ok(Value::Array(self.collect(elements, src)));
        };
        let Opened {
            mut outside,
            index,
            mut stmts,
            ..
        } = opened;
        self.move_outside(&mut outside, &mut stmts);
        self.collect_rows((extent, index), stmts, plan, &outside, src)
    }

    /// Element `index`, which is in range.
    pub(super) fn read_elem(&mut self, array: &Array, index: Atom, src: SrcSpan) -> Value {
        let elem = self.elem_at(&array.elem, &array.extent, index, src);
        self.read_part(&elem, src)
    }

    /// The value that a component at an index is: scalars are read, arrays stay where they are.
    pub(super) fn read_part(&mut self, elem: &Elem, src: SrcSpan) -> Value {
        match elem {
            Elem::Leaf(leaf) => Value::Scalar(self.read(leaf, src)),
            Elem::Product(parts) => {
                let parts = parts.iter().map(|part| self.read_part(part, src));
                Value::Product(parts.collect())
            }
            Elem::Array(array) => Value::Array((**array).clone()),
            Elem::Rows(rows) => Value::Array(self.settled_row(rows, src)),
        }
    }

    fn read(&mut self, leaf: &Leaf, src: SrcSpan) -> Atom {
        let size = self.read_size(leaf);
        if let Some((size, false)) = &size
            && let Some(atom) = self.facts.atom_of(size)
        {
            return atom;
        }
        let array = leaf.var;
        let out = self.scalar_var(self.elem_type(Atom::Var(array)), src);
        let index = leaf.prefix.clone();
        self.push(vec![out], Op::Read { array, index }, src);
        if let Some((size, _)) = size {
            self.facts.set_size(out, size);
        }
        Atom::Var(out)
    }

    /// The size of an element, and whether computing it may fail.
    fn read_size(&mut self, leaf: &Leaf) -> Option<(Size, bool)> {
        let [index] = leaf.prefix.as_slice() else {
            return None;
        };
        let IndexFn {
            index: symbol,
            elem,
            may_fail,
        } = self.facts.index_fn(leaf.var)?.clone();
        let at = self.facts.size_of(*index);
        Some((elem.substitute(symbol, &at)?, may_fail))
    }

    /// A new array variable of the type of `array`.
    pub(super) fn like(&mut self, array: Var, src: SrcSpan) -> Var {
        match self.vars[array.index()].ty.clone() {
            VarType::Array(ArrayType { elem, dims }) => self.array_var(elem, dims, src),
            VarType::Scalar(_) => unreachable!("an array variable"),
        }
    }

    /// The extent that `value` is.
    pub(super) fn extent_of(&mut self, value: Atom) -> Extent {
        let size = self.facts.size_of(value);
        self.facts.canonical(&Extent { value, size })
    }

    /// `array[index]`, checked.
    pub(super) fn index(&mut self, array: &Array, index: Atom, src: SrcSpan) -> Lowered<Value> {
        self.check_index(&array.extent, index, src);
        Ok(self.read_elem(array, index, src))
    }

    /// Checks that `index` is below `extent`, unless that is proven.
    pub(super) fn check_index(&mut self, extent: &Extent, index: Atom, src: SrcSpan) {
        let next = self.facts.size_of(index).add(&Size::known(1));
        if next.is_some_and(|next| self.facts.at_least(&extent.size, &next)) {
            return;
        }
        let ok = self.test(ScalarOp::Lt, index, extent.value, src);
        self.check(CheckKind::Index, ok, vec![index, extent.value], src);
    }
}

/// How an element of this size follows from `index`, if it depends on nothing else in the body:
/// all else in it was known before the index.
pub(super) fn index_fn(elem: Size, index: SizeSym, may_fail: bool) -> Option<IndexFn> {
    let outside = elem
        .terms()
        .all(|(monomial, _)| monomial.iter().all(|it| *it <= index));
    outside.then_some(IndexFn {
        index,
        elem,
        may_fail,
    })
}

/// Whether a statement can be left out if its result is not needed.
fn is_total(stmt: &Stmt) -> bool {
    match &stmt.op {
        Op::Scalar(..) | Op::Len { .. } | Op::Read { .. } | Op::Literal(_) | Op::Update { .. } => {
            true
        }
        Op::If { then, else_, .. } => then.stmts.iter().chain(&else_.stmts).all(is_total),
        Op::Check { .. } => stmt.op.prints(),
        Op::Loop(_) | Op::Par(_) => false,
    }
}

/// The variables of an element, when a consumer needs the components apart.
pub(super) fn components(elem: &Elem) -> Vec<Var> {
    let mut vars = Vec::new();
    elem.vars(&mut vars);
    vars
}

/// The scalars and the array components of a value, in order.
pub(super) fn leaves(value: &Value, out: &mut Vec<Atom>) {
    match value {
        Value::Scalar(atom) => out.push(*atom),
        Value::Product(parts) => parts.iter().for_each(|part| leaves(part, out)),
        Value::Array(array) => out.extend(components(&array.elem).into_iter().map(Atom::Var)),
    }
}

/// The dimensions of each leaf of a value whose arrays have `extents`.
fn dimensions(
    value: &Value,
    extents: &mut impl Iterator<Item = Extent>,
    outer: &[Extent],
    out: &mut Vec<Vec<Extent>>,
) {
    match value {
        Value::Scalar(_) => out.push(outer.to_vec()),
        Value::Product(parts) => {
            for part in parts {
                dimensions(part, extents, outer, out);
            }
        }
        Value::Array(array) => {
            let vars = &mut components(&array.elem).into_iter();
            let mut parts = Vec::new();
            array.with_vars(vars, extents).components(outer, &mut parts);
            out.extend(parts.into_iter().map(|(_, dims)| dims));
        }
    }
}

/// Arrays in an array whose extents depend on where they are: those are planned as rows before.
pub(super) fn irregular(src: SrcSpan) -> Diagnostic {
    Diagnostic::internal(src, "arrays of any lengths where one shape was planned")
}
