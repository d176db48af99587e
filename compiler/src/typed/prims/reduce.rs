//! Operators that combine all elements.

use super::{Body, PrimCall};
use crate::typed::demand::{Class, Who};
use crate::typed::types::Ty;

impl<'a> Body<'_, 'a> {
    /// An array of scalars of `class`; the scalar.
    pub(super) fn fold_elements(&mut self, call: &mut PrimCall<'a>, class: Class) -> Option<Ty> {
        let elem = self.prim_array(call, 0)?;
        let who = Who::Prim(call.prim);
        self.demand(elem, class, call.src, who).then_some(elem)
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
            let flags = self.types.array(Ty::BOOL);
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
