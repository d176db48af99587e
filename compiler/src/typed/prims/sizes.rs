//! Operators whose results have sizes that depend on values.

use super::{Body, PrimCall};
use crate::syntax::ir::BinOp;
use crate::typed::demand::{Class, Who};
use crate::typed::types::Ty;

impl<'a> Body<'_, 'a> {
    pub(super) fn lens(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        self.flatten(call)?;
        Some(self.types.array(Ty::USIZE))
    }

    pub(super) fn unflatten(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        let lengths = self.types.array(Ty::USIZE);
        self.prim_value(call, 1, lengths)?;
        let row = self.types.array(elem);
        Some(self.types.array(row))
    }

    pub(super) fn flat_map(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        let inner = self.types.any();
        let row = self.types.array(inner);
        self.prim_function(call, 1, &[elem], Some(row))?;
        Some(self.made_of(call, inner))
    }

    pub(super) fn filter(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        self.prim_function(call, 1, &[elem], Some(Ty::BOOL))?;
        Some(self.made_of(call, elem))
    }

    pub(super) fn partition(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let part = self.filter(call)?;
        Some(self.types.tuple(vec![part, part]))
    }

    pub(super) fn compress(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        let flags = self.types.array(Ty::BOOL);
        self.prim_value(call, 1, flags)?;
        Some(self.types.array(elem))
    }

    pub(super) fn run_lengths(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        let src = call.src;
        if !self.demand(elem, Class::Equal, src, Who::Prim(call.prim, call.info)) {
            return None;
        }
        let (differ, _) = self.eta(&[elem, elem], src, |body, args| {
            let nodes: Vec<_> = args.into_iter().map(|arg| body.arg(arg)).collect();
            body.binary_nodes(BinOp::Ne, nodes[0], nodes[1], src)
        });
        call.fns.push(differ);
        let run = self.types.tuple(vec![elem, Ty::USIZE]);
        Some(self.types.array(run))
    }

    pub(super) fn pairs(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        let pair = self.types.tuple(vec![elem, elem]);
        Some(self.types.array(pair))
    }

    pub(super) fn cartesian(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elems = [self.prim_array(call, 0)?, self.prim_array(call, 1)?];
        let pair = self.types.tuple(elems.to_vec());
        Some(self.types.array(pair))
    }
}
