//! What is known while a program is being made: names in scope, functions, what is left to spend.

use super::Hazard;
use super::tree::Ty;
use crate::rng::Rng;
use ragged_compiler::prims::Scalar;

/// A name in scope.
#[derive(Clone, Debug)]
pub struct Var {
    pub name: String,
    pub ty: Ty,
    /// Arrays of one class have one length.
    pub class: Option<u32>,
    /// `let mut`, and not outside of a closure.
    pub assignable: bool,
}

/// A function made so far.
#[derive(Clone, Debug)]
pub struct Signature {
    pub name: String,
    pub params: Vec<Param>,
    pub ret: Ty,
    pub exported: bool,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    pub name: String,
    pub ty: Ty,
    /// The size name, for arrays that have one.
    pub size: Option<String>,
}

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Outside of all bodies: array operations are fine.
    Host,
    /// In the body of an operator.
    Body,
}

/// The state.
pub struct State {
    pub rng: Rng,
    pub hazard: Hazard,
    pub functions: Vec<Signature>,
    pub scope: Vec<Var>,
    pub place: Place,
    /// Loops around, counted within the innermost body.
    pub loops: u32,
    /// How many more pieces may be made; below zero only leaves are.
    pub budget: i32,
    names: u32,
    classes: u32,
}

impl State {
    pub fn new(rng: Rng, hazard: Hazard) -> Self {
        State {
            rng,
            hazard,
            functions: Vec::new(),
            scope: Vec::new(),
            place: Place::Host,
            loops: 0,
            budget: 0,
            names: 0,
            classes: 0,
        }
    }

    /// A new name.
    pub fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    /// A new class of lengths.
    pub fn class(&mut self) -> u32 {
        self.classes += 1;
        self.classes
    }

    /// Adds a name to the scope.
    pub fn bind(&mut self, name: &str, ty: &Ty, class: Option<u32>, assignable: bool) {
        self.scope.push(Var {
            name: name.to_owned(),
            ty: ty.clone(),
            class,
            assignable,
        });
    }

    /// Makes something in a scope of its own.
    pub fn scoped<R>(&mut self, make: impl FnOnce(&mut Self) -> R) -> R {
        let names = self.scope.len();
        let result = make(self);
        self.scope.truncate(names);
        result
    }

    /// Makes the body of a closure: nothing outside can be assigned, array operations end here.
    pub fn body<R>(&mut self, make: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.scope.clone();
        let (place, loops) = (self.place, self.loops);
        for var in &mut self.scope {
            var.assignable = false;
        }
        (self.place, self.loops) = (Place::Body, 0);
        let result = make(self);
        (self.place, self.loops) = (place, loops);
        self.scope = outer;
        result
    }

    /// Whether the risky form of what fails for `hazard` is to be taken here.
    pub fn risk(&mut self, hazard: Hazard) -> bool {
        self.hazard == hazard && self.rng.chance(1, 3)
    }

    /// Names of type `ty`.
    pub fn vars(&self, ty: &Ty) -> Vec<Var> {
        let vars = self.scope.iter().filter(|var| var.ty == *ty);
        vars.cloned().collect()
    }

    /// All arrays in scope.
    pub fn arrays(&self) -> Vec<Var> {
        let arrays = self.scope.iter();
        arrays
            .filter(|var| matches!(var.ty, Ty::Array(_)))
            .cloned()
            .collect()
    }

    /// Any scalar type; some are more common than others.
    pub fn scalar(&mut self) -> Scalar {
        if self.rng.chance(1, 2) {
            *self
                .rng
                .pick(&[Scalar::F32, Scalar::F64, Scalar::I32, Scalar::I64])
        } else {
            *self.rng.pick(&Scalar::ALL)
        }
    }

    /// A scalar or a tuple of scalars.
    pub fn element(&mut self) -> Ty {
        match self.rng.below(6) {
            0 => Ty::Tuple(vec![Ty::Scalar(self.scalar()), Ty::Scalar(self.scalar())]),
            1 if self.rng.chance(1, 3) => {
                let inner = Ty::Tuple(vec![Ty::Scalar(self.scalar()), Ty::Scalar(self.scalar())]);
                Ty::Tuple(vec![Ty::Scalar(self.scalar()), inner])
            }
            _ => Ty::Scalar(self.scalar()),
        }
    }
}
