//! What is known while a program is being made: names in scope, functions, what is left to spend.

use super::scalars::COMPONENTS;
use super::sequences::Streaming;
use super::tree::{Dim, Ty};
use super::{Hazard, ragged};
use crate::rng::Rng;
use ragged_compiler::prims::Scalar;

/// A name in scope.
#[derive(Clone, Debug)]
pub struct Var {
    pub name: String,
    pub ty: Ty,
    /// Arrays of one class have one length.
    pub class: Option<u32>,
    /// The structure of each level below, as far as it is known: arrays that have one structure have
    /// rows of the same lengths.
    pub rows: Vec<u32>,
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
    /// Whether it is over sequences; no other function calls it.
    pub streams: bool,
    /// How many bodies are around the innermost array operation; where there are any, long
    /// arguments take long.
    pub nested: u32,
}

impl Signature {
    /// Levels of array operations inside of each other, if rows of any lengths are a parameter.
    pub fn levels(&self) -> u32 {
        let of_rows = |ty: &Ty| matches!(ty, Ty::Array(elem) if matches!(**elem, Ty::Array(_)));
        let ragged = self.params.iter().any(|param| of_rows(&param.ty));
        match ragged && self.exported && !self.streams {
            true => self.nested + 1,
            false => 0,
        }
    }
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    pub name: String,
    pub ty: Ty,
    /// The size name, for arrays that have one; what has one name has one length.
    pub size: Option<String>,
    /// Whether it is the sequence of the elements.
    pub seq: bool,
}

impl Param {
    /// One that is no sequence.
    pub fn of(name: String, ty: Ty, size: Option<String>) -> Param {
        let seq = false;
        Param {
            name,
            ty,
            size,
            seq,
        }
    }
}

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Outside of all bodies: array operations are fine.
    Host,
    /// In a body that may hold array operations.
    Nest,
    /// In the body of an operator that takes scalars only.
    Body,
}

/// The state.
pub struct State {
    pub rng: Rng,
    pub hazard: Hazard,
    pub functions: Vec<Signature>,
    pub scope: Vec<Var>,
    pub place: Place,
    /// Bodies around.
    pub depth: u32,
    /// Extents of the function that is being made, each with its class of lengths.
    pub dims: Vec<(Dim, u32)>,
    /// The functions of arrays of several dimensions.
    pub dense: Vec<String>,
    /// Whether that function has rows of any lengths.
    pub ragged: bool,
    /// How many bodies are around the innermost array operation of that function.
    pub nested: u32,
    /// Loops around, counted within the innermost body.
    pub loops: u32,
    /// How many more pieces may be made; below zero only leaves are.
    pub budget: i32,
    /// Whether a function may fail at one place only.
    pub once: bool,
    /// Whether another sequence may come behind one of this pass.
    pub chains: bool,
    /// The functions over sequences that others call.
    pub streaming: Vec<Streaming>,
    /// Which operators of sequences have been made.
    pub streamed: Vec<&'static str>,
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
            depth: 0,
            dims: Vec::new(),
            dense: Vec::new(),
            ragged: false,
            nested: 0,
            loops: 0,
            budget: 0,
            once: false,
            chains: false,
            streaming: Vec::new(),
            streamed: Vec::new(),
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
        let class = match ty {
            Ty::Dense(dims, _) => self.class_of(&dims[0]),
            Ty::Scalar(_) | Ty::Complex(_) | Ty::Tuple(_) | Ty::Array(_) => class,
        };
        self.scope.push(Var {
            name: name.to_owned(),
            ty: ty.clone(),
            class,
            rows: Vec::new(),
            assignable,
        });
    }

    /// Whether bodies of the function that is being made may hold array operations.
    pub fn nests(&self) -> bool {
        self.ragged || !self.dims.is_empty()
    }

    /// The class of arrays of this length.
    pub fn class_of(&self, dim: &Dim) -> Option<u32> {
        let known = self.dims.iter().find(|(it, _)| it == dim);
        known.map(|(_, class)| *class)
    }

    /// Makes something in a scope of its own.
    pub fn scoped<R>(&mut self, make: impl FnOnce(&mut Self) -> R) -> R {
        let names = self.scope.len();
        let result = make(self);
        self.scope.truncate(names);
        result
    }

    /// Makes the body of an operator of scalars: array operations end here.
    pub fn body<R>(&mut self, make: impl FnOnce(&mut Self) -> R) -> R {
        self.body_at(Place::Body, make)
    }

    /// Makes the body that gives an element of type `ret`, often one with array operations.
    pub fn element_body<R>(&mut self, ret: &Ty, make: impl FnOnce(&mut Self) -> R) -> R {
        let most = if self.ragged { 3 } else { 2 };
        let may = self.place != Place::Body && self.depth < most && self.nests();
        let nest = ret.holds_arrays() || may && self.rng.chance(1, 2);
        self.body_at(if nest { Place::Nest } else { Place::Body }, make)
    }

    /// Makes the body of a closure: nothing outside can be assigned.
    fn body_at<R>(&mut self, inner: Place, make: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.scope.clone();
        let (place, loops) = (self.place, self.loops);
        for var in &mut self.scope {
            var.assignable = false;
        }
        (self.place, self.loops) = (inner, 0);
        self.depth += 1;
        let result = make(self);
        self.depth -= 1;
        (self.place, self.loops) = (place, loops);
        self.scope = outer;
        result
    }

    /// Makes something smaller than all that may be spent: or else what comes first leaves nothing
    /// to the rest.
    pub fn sparing<R>(&mut self, make: impl FnOnce(&mut Self) -> R) -> R {
        let most = match (self.nests(), self.place) {
            (false, _) => 16,
            (true, Place::Body) => 5,
            (true, Place::Host | Place::Nest) => 10,
        };
        let kept = (self.budget - most).max(0);
        self.budget -= kept;
        let result = make(self);
        self.budget += kept;
        result
    }

    /// Whether array operations may stand here; if so, notes that one does.
    pub fn may_operate(&mut self) -> bool {
        if self.place == Place::Nest {
            self.nested = self.nested.max(self.depth);
        }
        self.place != Place::Body
    }

    /// Whether the risky form of what fails for `hazard` is to be taken here. Assertions are alike but
    /// for their places, and which of several operators that fail is told depends on fusion: so there is
    /// one.
    pub fn risk(&mut self, hazard: Hazard) -> bool {
        let often = if self.once { 2 } else { 1 };
        let taken = self.hazard == hazard && self.rng.chance(often, 3);
        if taken && (self.once || hazard == Hazard::Assert) {
            self.hazard = Hazard::None;
        }
        taken
    }

    /// Names of type `ty`.
    pub fn vars(&self, ty: &Ty) -> Vec<Var> {
        let vars = self.scope.iter().filter(|var| var.ty == *ty);
        vars.cloned().collect()
    }

    /// Arrays of elements of type `elem`.
    pub fn lists(&self, elem: &Ty) -> Vec<Var> {
        let vars = self.scope.iter();
        vars.filter(|var| var.ty.element().as_ref() == Some(elem))
            .cloned()
            .collect()
    }

    /// All arrays in scope.
    pub fn arrays(&self) -> Vec<Var> {
        let vars = self.scope.iter();
        vars.filter(|var| var.ty.is_array()).cloned().collect()
    }

    /// One of the function's extents, or a number.
    pub fn dim(&mut self) -> Dim {
        if self.dims.is_empty() || self.rng.chance(1, 5) {
            return Dim::Known(*self.rng.pick(&[0, 1, 2, 3, 4]));
        }
        self.rng.pick(&self.dims).0.clone()
    }

    /// What is behind the last of several axes: mostly a number, often a size or a truth value,
    /// which have operators of their own.
    pub fn dense_element(&mut self) -> Ty {
        match self.rng.below(8) {
            0 => Ty::Scalar(Scalar::Bool),
            1..=3 => Ty::Scalar(Scalar::Usize),
            _ => self.element(),
        }
    }

    /// A dense array type of up to `rank` dimensions.
    pub fn dense_type(&mut self, rank: usize) -> Ty {
        let rank = 1 + self.rng.below(rank);
        let dims: Vec<Dim> = (0..rank).map(|_| self.dim()).collect();
        Ty::dense(&dims, &self.dense_element())
    }

    /// The type of a local: an array where these can be made.
    pub fn local(&mut self) -> Ty {
        if self.nests() && self.budget > 8 && self.rng.chance(1, 4) && self.may_operate() {
            return match self.ragged {
                true => ragged::local_type(self),
                false => self.dense_type(3),
            };
        }
        self.element()
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

    /// A scalar, a complex number or a tuple of scalars.
    pub fn element(&mut self) -> Ty {
        match self.rng.below(6) {
            0 => Ty::Tuple(vec![Ty::Scalar(self.scalar()), Ty::Scalar(self.scalar())]),
            1 if self.rng.chance(1, 3) => {
                let inner = Ty::Tuple(vec![Ty::Scalar(self.scalar()), Ty::Scalar(self.scalar())]);
                Ty::Tuple(vec![Ty::Scalar(self.scalar()), inner])
            }
            2 if self.rng.chance(1, 5) => Ty::Complex(*self.rng.pick(&COMPONENTS)),
            _ => Ty::Scalar(self.scalar()),
        }
    }
}
