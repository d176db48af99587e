//! Results as they leave the function.
//!
//! In: a flat function whose results are one variable per leaf. Out: the same function with an
//! operation added for each result array that no operation of its own makes in its final layout
//! (an array of products is packed, a parameter is copied), and what each result is. Both are
//! ordinary `Build`s, so that what they read fuses into them.

use crate::flat::ir::{Body, Consumer, Function, Level, Op, Repr, Seg, Space, Stmt, VarInfo};
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::Scalar;
use crate::shaped::ir::{ArrayType, Atom, VarType, components, innermost, ragged_levels};
use crate::source::SrcSpan;
use crate::typed::ir::SigType;

/// Packed results by the first out of the operation that makes them.
pub type Packs = HashMap<Var, SigType>;

/// Adds the packing operations.
pub fn add_border(function: &mut Function) -> Packs {
    let given: HashSet<Var> = function
        .params
        .iter()
        .flat_map(|param| param.vars.clone())
        .collect();
    let mut border = Border {
        body: std::mem::take(&mut function.body),
        vars: std::mem::take(&mut function.vars),
        given,
        packs: Packs::default(),
        results: Vec::new(),
        src: function.src,
    };
    let leaves = std::mem::take(&mut border.body.results);
    let rest = border.result(&function.ret, &leaves);
    debug_assert!(rest.is_empty());
    border.body.results = border.results;
    function.body = border.body;
    function.vars = border.vars;
    border.packs
}

struct Border {
    body: Body,
    vars: Vec<VarInfo>,
    given: HashSet<Var>,
    packs: Packs,
    results: Vec<Atom>,
    src: SrcSpan,
}

impl Border {
    /// Takes the leaves of `ty` from the front of `atoms`; gives back the rest.
    fn result<'l>(&mut self, ty: &SigType, atoms: &'l [Atom]) -> &'l [Atom] {
        match ty {
            SigType::Scalar(_) => {
                self.results.push(atoms[0]);
                &atoms[1..]
            }
            SigType::Tuple(fields) | SigType::Struct(_, fields) | SigType::Vector(_, fields) => {
                fields
                    .iter()
                    .fold(atoms, |rest, field| self.result(field, rest))
            }
            SigType::Array { elem, .. } => {
                let (offsets, rest) = atoms.split_at(ragged_levels(elem));
                for offsets in offsets {
                    // Those of a parameter are copied as they are handed over.
                    let result = match self.results.contains(offsets) {
                        true => self.build(&[array_var(*offsets)])[0],
                        false => array_var(*offsets),
                    };
                    self.results.push(Atom::Var(result));
                }
                let elem = innermost(elem);
                let (own, rest) = rest.split_at(components(elem));
                let result = self.array(elem, own);
                self.results.push(Atom::Var(result));
                rest
            }
        }
    }

    fn array(&mut self, elem: &SigType, components: &[Atom]) -> Var {
        let vars: Vec<Var> = components.iter().map(|atom| array_var(*atom)).collect();
        let plain = matches!(elem, SigType::Scalar(_));
        if plain && !self.given.contains(&vars[0]) && !self.results.contains(&components[0]) {
            return vars[0];
        }
        let outs = self.build(&vars);
        if !plain {
            self.packs.insert(outs[0], elem.clone());
        }
        outs[0]
    }

    /// An operation that reads each of `arrays` at its index.
    fn build(&mut self, arrays: &[Var]) -> Vec<Var> {
        let types: Vec<ArrayType> = arrays.iter().map(|array| self.array_type(*array)).collect();
        let levels = types[0].dims.iter().cloned().map(|extent| Level {
            index: self.fresh(VarType::Scalar(Scalar::Usize), Repr::Regular),
            extent,
        });
        let levels: Vec<Level> = levels.collect();
        let index: Vec<Atom> = levels.iter().map(|level| Atom::Var(level.index)).collect();
        let mut body = Body::default();
        for (array, ty) in arrays.iter().zip(&types) {
            let out = self.fresh(VarType::Scalar(ty.elem), Repr::Regular);
            let op = Op::Read {
                array: *array,
                index: index.clone(),
            };
            body.stmts.push(Stmt {
                outs: vec![out],
                op,
                src: self.src,
            });
            body.results.push(Atom::Var(out));
        }
        let fresh = types
            .iter()
            .map(|ty| self.fresh(VarType::Array(ty.clone()), Repr::Avoided));
        let outs: Vec<Var> = fresh.collect();
        let space = Space { levels };
        let op = Op::Seg(Seg {
            space,
            body,
            consumer: Consumer::Build,
            parts: Vec::new(),
        });
        self.body.stmts.push(Stmt {
            outs: outs.clone(),
            op,
            src: self.src,
        });
        outs
    }

    fn array_type(&self, array: Var) -> ArrayType {
        match &self.vars[array.index()].ty {
            VarType::Array(ty) => ty.clone(),
            VarType::Scalar(_) => unreachable!("a verified result array is an array"),
        }
    }

    fn fresh(&mut self, ty: VarType, repr: Repr) -> Var {
        let var = Var::next(&self.vars);
        self.vars.push(VarInfo {
            ty,
            repr,
            fast: false,
            src: self.src,
        });
        var
    }
}

fn array_var(atom: Atom) -> Var {
    match atom {
        Atom::Var(var) => var,
        Atom::Const(_) => unreachable!("a verified result array is a variable"),
    }
}
