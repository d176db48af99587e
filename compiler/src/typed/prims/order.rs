//! Operators that sort, or look for what is equal.

use super::{Body, PrimCall};
use crate::prims::{Prim, PrimInfo};
use crate::typed::call::{Arg, Site};
use crate::typed::demand::{Class, Who};
use crate::typed::draft::{NodeId, NodeKind};
use crate::typed::types::{Head, Ty};

impl<'a> Body<'_, 'a> {
    pub(super) fn sort(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.ordered(call)?;
        Some(self.types.array(elem))
    }

    // The type of an element, which has an order.
    fn ordered(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        let ordered = self.demand(
            elem,
            Class::Ordered,
            call.src,
            Who::Prim(call.prim, call.info),
        );
        ordered.then_some(elem)
    }

    pub(super) fn argsort(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        self.ordered(call)?;
        Some(self.types.array(Ty::USIZE))
    }

    pub(super) fn sort_by_key(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let (elem, _) = self.keyed(call)?;
        Some(self.types.array(elem))
    }

    pub(super) fn group_by_key(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let (elem, key) = self.keyed(call)?;
        let group = self.types.array(elem);
        let pair = self.types.tuple(vec![key, group]);
        Some(self.types.array(pair))
    }

    // The types of an element and of its key.
    fn keyed(&mut self, call: &mut PrimCall<'a>) -> Option<(Ty, Ty)> {
        let elem = self.prim_array(call, 0)?;
        let key = self.prim_function(call, 1, &[elem], None)?;
        let ordered = self.demand(key, Class::Ordered, call.src, Who::Key(call.prim));
        ordered.then_some((elem, key))
    }

    pub(super) fn kth_smallest(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.ordered(call)?;
        self.prim_value(call, 1, Ty::USIZE)?;
        Some(elem)
    }

    pub(super) fn binary_search(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.ordered(call)?;
        self.prim_value(call, 1, elem)?;
        Some(self.types.tuple(vec![Ty::BOOL, Ty::USIZE]))
    }

    /// `xs.dedup()`: `xs.run_lengths().map(|(x, _)| x)`
    pub(in crate::typed) fn dedup(&mut self, info: &'static PrimInfo, site: Site<'a>) -> NodeId {
        if let Some(error) = super::arity_error(info, &site) {
            return self.error_node(site.src, error);
        }
        let src = site.src;
        let runs = self.prim_as(Prim::RunLengths, info, site);
        if matches!(self.kind(runs), NodeKind::Error) {
            return runs;
        }
        self.mapped(runs, src, |body, run| {
            let Head::Tuple(parts) = body.types.head(body.ty(run)) else {
                unreachable!("a run is a pair");
            };
            body.node(NodeKind::Field(run, 0), parts[0], src)
        })
    }

    /// `xs.merge(ys)`: `xs.chain(ys).sort()`
    pub(in crate::typed) fn merge(&mut self, info: &'static PrimInfo, site: Site<'a>) -> NodeId {
        if let Some(error) = super::arity_error(info, &site) {
            return self.error_node(site.src, error);
        }
        let (name, name_src, src) = (site.name, site.name_src, site.src);
        let both = self.prim_as(Prim::Chain, info, site);
        let args = vec![Arg::Node(both)];
        let site = Site {
            name,
            name_src,
            args,
            src,
        };
        self.prim_as(Prim::Sort, info, site)
    }
}
