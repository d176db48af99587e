//! Scatters.
//!
//! Note \[Owners\]. Of each element of a result, the last position whose index says so is its owner.
//! Owners are a scatter of positions. Where elements are rows, whose lengths may differ, the result is
//! computed from them: each row is that of its owner, or the one that was there. An index comes once if
//! each position owns its element.

use super::Use;
use crate::checks::CheckKind;
use crate::ids::SizeSym;
use crate::prims::ScalarOp;
use crate::shaped::ir::{Consumer, Extent};
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::par::components;
use crate::shaped::size::Size;
use crate::shaped::value::{Array, Elem, Value, holds_array, usize_const};
use crate::source::SrcSpan;

/// The owner of what has none.
const NOBODY: u64 = u64::MAX;

impl<'p> Lower<'p> {
    /// `scatter(into, ix, vs)`
    pub(super) fn scatter(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let [into, ix, vs] = self.scattered(it);
        if holds_array(&into.elem) {
            let owners = self.owners(&into.extent, &ix, it.src)?;
            return self.by_owners([&into, &owners, &vs], it.src);
        }
        self.placed(&into, &ix, &vs, it.src).map(Value::Array)
    }

    /// `scatter_unique(into, ix, vs)`
    pub(super) fn scatter_unique(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let [into, ix, vs] = self.scattered(it);
        if self.comes_once(&ix) {
            return self.scatter(it);
        }
        let owners = self.owners(&into.extent, &ix, it.src)?;
        self.require_owners(&ix, &owners, it.src)?;
        self.by_owners([&into, &owners, &vs], it.src)
    }

    /// The arguments of a scatter, of as many indices as values.
    fn scattered(&mut self, it: &Use<'p>) -> [Array; 3] {
        let args = [0, 1, 2].map(|at| self.operand(it, at));
        let named = [(&args[1], self.named(it, 1)), (&args[2], self.named(it, 2))];
        self.require_equal(&named, it.prim.info().name, it.src);
        args
    }

    /// `into` with the elements of `vs`, which hold no arrays, where `ix` says.
    fn placed(&mut self, into: &Array, ix: &Array, vs: &Array, src: SrcSpan) -> Lowered<Array> {
        let into = self.owned(Value::Array(into.clone()), src)?;
        let into = self.as_array(&into);
        let extent = self.facts.canonical(&ix.extent);
        let elements = self.elements(&extent, src, |lower, index| {
            let at = lower.read_elem(ix, index, src);
            let value = lower.read_elem(vs, index, src);
            if components(&into.elem).is_empty() {
                // Nothing is written, but where is looked at.
                lower.check_index(&into.extent, at.atom(), src);
            }
            Ok(Value::Product(vec![at, value]))
        })?;
        let id = self.new_check(CheckKind::Index, src);
        let types = elements.types[1..].to_vec();
        let outs = self.flat_arrays(&types, &into.extent, src);
        let none = &mut std::iter::empty();
        let elem = into.elem.with_vars(&mut outs.iter().copied(), none);
        let consumer = Consumer::Scatter {
            into: components(&into.elem),
            id,
        };
        self.consume(elements, consumer, outs, src);
        Ok(Array {
            extent: into.extent,
            elem,
        })
    }

    /// The owner of each of `extent` elements. See Note \[Owners\].
    fn owners(&mut self, extent: &Extent, ix: &Array, src: SrcSpan) -> Lowered<Array> {
        let nobody = Value::Scalar(usize_const(NOBODY));
        let nobody = self.build(extent, src, |_, _| Ok(nobody.clone()))?;
        let positions = self.build(&ix.extent, src, |_, at| Ok(Value::Scalar(at)))?;
        let (nobody, positions) = (self.as_array(&nobody), self.as_array(&positions));
        self.placed(&nobody, ix, &positions, src)
    }

    fn by_owners(&mut self, [into, owners, vs]: [&Array; 3], src: SrcSpan) -> Lowered<Value> {
        self.build(&into.extent, src, |lower, index| {
            let owner = lower.read_elem(owners, index, src).atom();
            let kept = lower.test(ScalarOp::Eq, owner, usize_const(NOBODY), src);
            lower.branch(
                kept,
                &[],
                src,
                |lower| Ok(lower.read_elem(into, index, src)),
                |lower| Ok(lower.read_elem(vs, owner, src)),
            )
        })
    }

    /// Checks that each position is the owner of its element.
    fn require_owners(&mut self, ix: &Array, owners: &Array, src: SrcSpan) -> Lowered<()> {
        self.build(&ix.extent, src, |lower, at| {
            let index = lower.read_elem(ix, at, src).atom();
            let owner = lower.read_elem(owners, index, src).atom();
            let ok = lower.test(ScalarOp::Eq, owner, at, src);
            lower.check(CheckKind::Duplicate, ok, vec![index, at, owner], src);
            Ok(Value::Scalar(owner))
        })?;
        Ok(())
    }

    /// Whether it follows from how indices are computed that each comes once.
    fn comes_once(&self, ix: &Array) -> bool {
        let Elem::Leaf(leaf) = &ix.elem else {
            return false;
        };
        let function = self.facts.index_fn(leaf.var);
        leaf.prefix.is_empty() && function.is_some_and(|it| is_steady(&it.elem, it.index))
    }
}

/// Whether `size` is a multiple of `symbol`, not 0, plus what does not depend on it.
fn is_steady(size: &Size, symbol: SizeSym) -> bool {
    let mut terms = size
        .terms()
        .filter(|(factors, _)| factors.contains(&symbol));
    terms.next().is_some_and(|(factors, _)| factors == [symbol]) && terms.next().is_none()
}
