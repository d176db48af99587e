//! Variables that the printer makes, beyond those of the function.
//!
//! In: a function's variables. Out: more of them, numbered behind those, and their types. Assumes: nothing.

use crate::emit::rust::host::Host;
use crate::emit::rust::steps::Fresh;
use crate::hash::HashMap;
use crate::ids::Var;
use crate::prims::Scalar;

/// New variables beyond those of the function.
#[derive(Clone)]
pub struct FreshVars {
    next: u32,
    types: HashMap<Var, Scalar>,
}

impl FreshVars {
    /// None yet.
    pub fn new(host: &Host<'_>) -> Self {
        FreshVars {
            next: host.vars.len() as u32,
            types: HashMap::default(),
        }
    }

    /// The type of a scalar of the function, or of a new one. One that only a clone of this knows is a
    /// mask of `linearise`, which makes no others.
    pub fn type_of(&self, host: &Host<'_>, var: Var) -> Scalar {
        match self.types.get(&var) {
            Some(own) => *own,
            None if var.index() < host.vars.len() => host.scalar_of(var),
            None => Scalar::Bool,
        }
    }
}

impl Fresh for FreshVars {
    fn fresh(&mut self, ty: Scalar) -> Var {
        let var = Var(self.next);
        self.next += 1;
        self.types.insert(var, ty);
        var
    }
}
