//! Scans.

use super::{Body, PrimCall};
use crate::typed::types::Ty;

impl<'a> Body<'_, 'a> {
    pub(super) fn inclusive_scan(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        self.prim_function(call, 1, &[elem, elem], Some(elem))?;
        Some(self.made_of(call, elem))
    }

    pub(super) fn exclusive_scan(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.reduce(call)?;
        Some(self.made_of(call, elem))
    }

    pub(super) fn scan_with_total(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.reduce(call)?;
        let array = self.types.array(elem);
        Some(self.types.tuple(vec![array, elem]))
    }
}
