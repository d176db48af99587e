//! What the elements of an empty array would look like.
//!
//! Note [Empty arrays]: a dense array without rows still has a row length: the transpose of 0 × 5 is
//! 5 × 0. So an empty array of arrays remembers a sample ([`Value::Empty`]). Operators that rearrange
//! hand the sample on; those that compute elements run their function once on samples, as a ghost:
//! nothing of it is seen but the lengths in its result. In a ghost run, what fails has a value all the
//! same: zeros, arrays without elements. In programs whose arrays are dense, lengths inside of an
//! element do not depend on values of elements, so zeros do.

use super::machine::{Closure, Machine, Stop};
use super::trouble::TroubleKind;
use super::value::Value;
use crate::prims::Scalar;
use crate::typed::ir::{Const, Type};

/// Steps after which a ghost run is given up: its loops may depend on values.
const GHOST_STEPS: u64 = 1_000_000;

impl<'p> Machine<'p> {
    /// What an element of `array` looks like, of type `ty`.
    pub(super) fn sample(&self, array: &Value, ty: &Type) -> Value {
        array.sample().cloned().unwrap_or_else(|| self.hollow(ty))
    }

    /// Zeros, and arrays without elements.
    pub(super) fn hollow(&self, ty: &Type) -> Value {
        match ty {
            Type::Scalar(scalar) => zero(*scalar),
            Type::Tuple(parts) => Value::Tuple(parts.iter().map(|ty| self.hollow(ty)).collect()),
            Type::Struct(id) => {
                let fields = &self.program.structs[id.index()].fields;
                Value::Tuple(fields.iter().map(|(_, ty)| self.hollow(ty)).collect())
            }
            Type::Array(_) => Value::Array(Vec::new()),
        }
    }

    /// `ty` with tuples for structs.
    pub(super) fn without_structs(&self, ty: &Type) -> Type {
        match ty {
            Type::Scalar(scalar) => Type::Scalar(*scalar),
            Type::Tuple(parts) => {
                Type::Tuple(parts.iter().map(|ty| self.without_structs(ty)).collect())
            }
            Type::Struct(id) => {
                let fields = &self.program.structs[id.index()].fields;
                Type::Tuple(
                    fields
                        .iter()
                        .map(|(_, ty)| self.without_structs(ty))
                        .collect(),
                )
            }
            Type::Array(elem) => Type::Array(Box::new(self.without_structs(elem))),
        }
    }

    fn has_array(&self, ty: &Type) -> bool {
        match ty {
            Type::Scalar(_) => false,
            Type::Tuple(parts) => parts.iter().any(|ty| self.has_array(ty)),
            Type::Struct(id) => {
                let fields = &self.program.structs[id.index()].fields;
                fields.iter().any(|(_, ty)| self.has_array(ty))
            }
            Type::Array(_) => true,
        }
    }

    /// The array of `results` of `function`, which looks like `ty` on each; `args` are samples.
    pub(super) fn results(
        &mut self,
        results: Vec<Value>,
        function: Closure<'p>,
        args: impl FnOnce(&Self) -> Vec<Value>,
        ty: &Type,
    ) -> Value {
        if !results.is_empty() || !self.has_array(ty) {
            return Value::Array(results);
        }
        let args = args(self);
        let sample = self.ghost(function, args, ty);
        Value::array(results, || sample)
    }

    // What `function` gives, in a ghost run.
    fn ghost(&mut self, function: Closure<'p>, args: Vec<Value>, ty: &Type) -> Value {
        let limit = self.steps_left.min(GHOST_STEPS);
        let kept = self.steps_left - limit;
        self.steps_left = limit;
        let outer = std::mem::replace(&mut self.in_ghost, true);
        let result = self.call_closure(function, args);
        self.in_ghost = outer;
        self.steps_left += kept;
        result.unwrap_or_else(|_| self.hollow(ty))
    }

    /// `result`, or in a ghost run what stands for the value of what failed.
    pub(super) fn or_ghost(&self, result: Result<Value, Stop>, ty: &Type) -> Result<Value, Stop> {
        match result {
            Err(Stop::Trouble(trouble))
                if self.in_ghost && trouble.kind != TroubleKind::OutOfFuel =>
            {
                Ok(self.hollow(ty))
            }
            result => result,
        }
    }
}

fn zero(ty: Scalar) -> Value {
    // All bits are 0 in `false`, in 0 and in 0.0.
    Value::Scalar(Const { ty, bits: 0 })
}
