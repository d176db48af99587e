//! Operators that combine all elements.

use super::{Body, PrimCall};
use crate::prims::Prim;
use crate::syntax::ir::BinOp;
use crate::typed::call::Arg;
use crate::typed::demand::{Class, Who};
use crate::typed::draft::NodeKind;
use crate::typed::literal;
use crate::typed::types::Ty;

/// The operator of a sum or product, and what that of no numbers is.
fn complex_total(prim: Prim) -> Option<(BinOp, f64)> {
    match prim {
        Prim::Sum => Some((BinOp::Add, 0.0)),
        Prim::Product => Some((BinOp::Mul, 1.0)),
        _without => None,
    }
}

impl<'a> Body<'_, 'a> {
    /// An array of scalars of `class`; the scalar.
    pub(super) fn fold_elements(&mut self, call: &mut PrimCall<'a>, class: Class) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        if let Some(part) = self.component(elem)
            && let Some(op) = complex_total(call.prim)
        {
            return self.total_of_complex(call, op, [elem, part]);
        }
        let who = Who::Prim(call.prim, call.info);
        self.demand(elem, class, call.src, who).then_some(elem)
    }

    /// The sum or product of complex numbers: a reduction with that operator.
    fn total_of_complex(
        &mut self,
        call: &mut PrimCall<'a>,
        (op, init): (BinOp, f64),
        [elem, part]: [Ty; 2],
    ) -> Option<Ty> {
        let scalar = self.types.as_scalar(part)?;
        self.types.unify(part, Ty::scalar(scalar)).ok()?;
        let src = call.src;
        let number = |x| NodeKind::Const(literal::float(x, scalar));
        let parts = [init, 0.0].map(|x| self.node(number(x), part, src));
        let init = self.node(NodeKind::Tuple(parts.to_vec()), elem, src);
        let (operator, _) = self.eta(&[elem, elem], src, |body, args| {
            let nodes: Vec<_> = args.into_iter().map(|arg| body.arg(arg)).collect();
            body.binary_nodes(op, nodes[0], nodes[1], src)
        });
        call.prim = Prim::Reduce;
        call.args.push(init);
        call.fns.push(operator);
        Some(elem)
    }

    /// The same with a value for the empty array.
    pub(super) fn fold_elements_or(&mut self, call: &mut PrimCall<'a>, class: Class) -> Option<Ty> {
        let elem = self.fold_elements(call, class)?;
        self.prim_value(call, 1, elem)?;
        Some(elem)
    }

    pub(super) fn place_of_best(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        self.fold_elements(call, Class::Num)?;
        Some(Ty::USIZE)
    }

    pub(super) fn place_of_best_or(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        self.fold_elements(call, Class::Num)?;
        self.prim_value(call, 1, Ty::USIZE)?;
        Some(Ty::USIZE)
    }

    pub(super) fn predicate(&mut self, call: &mut PrimCall<'a>, result: Ty) -> Option<Ty> {
        if call.given.len() == 1 {
            let node = self.arg(call.given[0]);
            call.given[0] = Arg::Node(node);
            let flags = self.container(node, Ty::BOOL);
            self.prim_value(call, 0, flags)?;
        } else {
            let elem = self.prim_array(call, 0)?;
            self.prim_function(call, 1, &[elem], Some(Ty::BOOL))?;
        }
        Some(result)
    }

    pub(super) fn reduce(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        self.prim_value(call, 1, elem)?;
        self.prim_function(call, 2, &[elem, elem], Some(elem))?;
        Some(elem)
    }

    pub(super) fn fold(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        let acc = self.types.any();
        self.prim_value(call, 1, acc)?;
        self.prim_function(call, 2, &[acc, elem], Some(acc))?;
        Some(acc)
    }
}
