//! Operators that sort.

use super::{Body, PrimCall};
use crate::typed::demand::{Class, Who};
use crate::typed::types::Ty;

impl<'a> Body<'_, 'a> {
    pub(super) fn sort(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        let ordered = self.demand(elem, Class::Ordered, call.src, Who::Prim(call.prim));
        ordered.then(|| self.types.array(elem))
    }

    pub(super) fn argsort(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        self.sort(call)?;
        Some(self.types.array(Ty::USIZE))
    }

    pub(super) fn sort_by_key(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        let key = self.prim_function(call, 1, &[elem], None)?;
        let ordered = self.demand(key, Class::Ordered, call.src, Who::Key(call.prim));
        ordered.then(|| self.types.array(elem))
    }
}
