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
}
