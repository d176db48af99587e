//! Operators on the index space.

use super::{Body, PrimCall};
use crate::typed::types::Ty;

impl<'a> Body<'_, 'a> {
    pub(super) fn gather(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        self.indices(call, 1)?;
        Some(self.types.array(elem))
    }

    /// Argument `i` is an array of positions.
    pub(super) fn indices(&mut self, call: &mut PrimCall<'a>, i: usize) -> Option<()> {
        let indices = self.types.array(Ty::USIZE);
        self.prim_value(call, i, indices)
    }

    pub(super) fn same_array(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        Some(self.types.array(elem))
    }

    pub(super) fn array_and_count(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        self.prim_value(call, 1, Ty::USIZE)?;
        Some(self.made_of(call, elem))
    }

    pub(super) fn split_at(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let array = self.array_and_count(call)?;
        Some(self.types.tuple(vec![array, array]))
    }

    pub(super) fn chain(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        let array = self.made_of(call, elem);
        self.prim_value(call, 1, array)?;
        Some(array)
    }

    pub(super) fn pairwise(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        let result = self.prim_function(call, 1, &[elem, elem], None)?;
        Some(self.types.array(result))
    }

    pub(super) fn element_or(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        self.prim_value(call, 1, elem)?;
        Some(elem)
    }

    pub(super) fn len(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        self.prim_array(call, 0)?;
        Some(Ty::USIZE)
    }
}
