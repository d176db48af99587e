//! Operators that write to given positions.

use super::{Body, PrimCall};
use crate::typed::types::Ty;

impl<'a> Body<'_, 'a> {
    pub(super) fn scatter(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        let array = self.types.array(elem);
        self.indices(call, 1)?;
        self.prim_value(call, 2, array)?;
        Some(array)
    }

    pub(super) fn permute(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        let array = self.types.array(elem);
        self.indices(call, 2)?;
        self.prim_value(call, 3, array)?;
        self.prim_function(call, 1, &[elem, elem], Some(elem))?;
        Some(array)
    }

    pub(super) fn histogram(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        self.prim_value(call, 0, Ty::USIZE)?;
        let elem = self.types.any();
        self.prim_value(call, 1, elem)?;
        let array = self.types.array(elem);
        self.indices(call, 3)?;
        self.prim_value(call, 4, array)?;
        self.prim_function(call, 2, &[elem, elem], Some(elem))?;
        Some(array)
    }
}
