//! Index spaces: bodies that compute one element from its index, and reading elements.

use super::expr::nested;
use super::facts::IndexFn;
use super::ir::{Atom, Body, Consumer, Extent, Op, Par, Stmt};
use super::lower::{Lower, Lowered};
use super::size::Size;
use super::value::{Array, Elem, Value};
use crate::checks::CheckKind;
use crate::ids::{SizeSym, Var};
use crate::prims::{Scalar, ScalarOp};
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
    /// How `usize` components follow from the index, where they do.
    functions: Vec<Option<IndexFn>>,
}

impl Lower<'_> {
    /// The body over `0..extent` that `element` gives.
    pub(super) fn elements(
        &mut self,
        extent: &Extent,
        src: SrcSpan,
        element: impl FnOnce(&mut Self, Atom) -> Lowered<Value>,
    ) -> Lowered<Elements> {
        let index = self.scalar_var(Scalar::Usize, src);
        let (stmts, (elem, symbol, sizes)) = self.scoped(|lower| {
            let symbol = lower.facts.enter_index(index, &extent.size);
            let elem = element(lower, Atom::Var(index))?;
            if elem.has_array() {
                return Err(nested(src));
            }
            let mut atoms = Vec::new();
            elem.scalars(&mut atoms);
            let sizes = atoms
                .iter()
                .map(|atom| lower.known_size(*atom))
                .collect::<Vec<_>>();
            Ok((elem, symbol, sizes))
        })?;
        let mut results = Vec::new();
        elem.scalars(&mut results);
        let types = results.iter().map(|atom| self.elem_type(*atom)).collect();
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
            functions,
        })
    }

    fn known_size(&self, atom: Atom) -> Option<Size> {
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
        self.push(
            outs,
            Op::Par(Par {
                extent: extent.value,
                index,
                body,
                consumer,
            }),
            src,
        );
    }

    /// The array of elements.
    pub(super) fn collect(&mut self, elements: Elements, src: SrcSpan) -> Array {
        let extent = elements.extent.clone();
        let outs = self.arrays_of(&elements.types, &extent, src);
        for (out, function) in outs.iter().zip(&elements.functions) {
            if let Some(function) = function {
                self.facts.set_index_fn(*out, function.clone());
            }
        }
        let elem = elements.elem.elem_with(&mut outs.iter().copied());
        self.consume(elements, Consumer::Build, outs, src);
        Array { extent, elem }
    }

    /// One array per component type.
    pub(super) fn arrays_of(
        &mut self,
        types: &[Scalar],
        extent: &Extent,
        src: SrcSpan,
    ) -> Vec<Var> {
        types
            .iter()
            .map(|scalar| self.array_var(*scalar, extent, src))
            .collect()
    }

    /// The array whose element at each index is what `element` gives.
    pub(super) fn build(
        &mut self,
        extent: &Extent,
        src: SrcSpan,
        element: impl FnOnce(&mut Self, Atom) -> Lowered<Value>,
    ) -> Lowered<Value> {
        let elements = self.elements(extent, src, element)?;
        Ok(Value::Array(self.collect(elements, src)))
    }

    /// Element `index`, which is in range.
    pub(super) fn read_elem(&mut self, array: &Array, index: Atom, src: SrcSpan) -> Value {
        let mut vars = Vec::new();
        array.elem.vars(&mut vars);
        let atoms: Vec<Atom> = vars
            .into_iter()
            .map(|var| self.read(var, index, src))
            .collect();
        array.elem.with_atoms(&mut atoms.into_iter())
    }

    fn read(&mut self, array: Var, index: Atom, src: SrcSpan) -> Atom {
        let size = self.read_size(array, index);
        if let Some((size, false)) = &size
            && let Some(atom) = self.facts.atom_of(size)
        {
            return atom;
        }
        let out = self.scalar_var(self.elem_type(Atom::Var(array)), src);
        self.push(vec![out], Op::Read { array, index }, src);
        if let Some((size, _)) = size {
            self.facts.set_size(out, size);
        }
        Atom::Var(out)
    }

    /// The size of element `index`, and whether computing it may fail.
    fn read_size(&mut self, array: Var, index: Atom) -> Option<(Size, bool)> {
        let IndexFn {
            index: symbol,
            elem,
            may_fail,
        } = self.facts.index_fn(array)?.clone();
        let at = self.facts.size_of(index);
        Some((elem.substitute(symbol, &at)?, may_fail))
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
fn index_fn(elem: Size, index: SizeSym, may_fail: bool) -> Option<IndexFn> {
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
        Op::Scalar(..) | Op::Len(_) | Op::Read { .. } | Op::Literal(_) | Op::Update { .. } => true,
        Op::If { then, else_, .. } => then.stmts.iter().chain(&else_.stmts).all(is_total),
        Op::Check { .. } | Op::Loop(_) | Op::Par(_) => false,
    }
}

/// The variables of an element, when a consumer needs the components apart.
pub(super) fn components(elem: &Elem) -> Vec<Var> {
    let mut vars = Vec::new();
    elem.vars(&mut vars);
    vars
}
