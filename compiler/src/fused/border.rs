//! Results as they leave the function.
//!
//! In: a flat function whose results are one variable per leaf. Out: the same function with an
//! operation added for each result array that no operation of its own makes in its final layout
//! (an array of products is packed, a parameter is copied), and what each result is. Both are
//! ordinary `Build`s, so that what they read fuses into them. Where a conditional gives the components of a
//! product, and nobody else reads them, each of its branches packs its own.

use crate::flat::ir::{Body, Consumer, Function, Level, Op, Repr, Seg, Space, Stmt, VarInfo};
use crate::flat::uses::each_use;
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
        leaves: Vec::new(),
        results: Vec::new(),
        src: function.src,
    };
    let leaves = std::mem::take(&mut border.body.results);
    border.leaves.clone_from(&leaves);
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
    /// What the function yielded.
    leaves: Vec<Atom>,
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
                        true => self.copied(array_var(*offsets)),
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
        if plain {
            return self.copied(vars[0]);
        }
        let mut body = std::mem::take(&mut self.body);
        let packed = self.packed(&mut body, &self.leaves.clone(), elem, &vars);
        self.body = body;
        packed
    }

    fn copied(&mut self, array: Var) -> Var {
        let stmt = self.build(&[array]);
        let copy = stmt.outs[0];
        self.body.stmts.push(stmt);
        copy
    }

    /// Packs arrays of a body, which yields `results`, at its end.
    fn packed(&mut self, body: &mut Body, results: &[Atom], elem: &SigType, arrays: &[Var]) -> Var {
        let out = match conditional(body, results, arrays) {
            Some(at) => self.packed_in_branches(&mut body.stmts[at], elem, arrays),
            None => {
                let stmt = self.build(arrays);
                let out = stmt.outs[0];
                body.stmts.push(stmt);
                out
            }
        };
        self.packs.insert(out, elem.clone());
        out
    }

    /// Has both branches of a conditional yield these arrays packed.
    fn packed_in_branches(&mut self, stmt: &mut Stmt, elem: &SigType, arrays: &[Var]) -> Var {
        let Op::If { then, else_, .. } = &mut stmt.op else {
            unreachable!("it is a conditional")
        };
        for side in [then, else_] {
            let results = std::mem::take(&mut side.results);
            let yields = |out: &Var| {
                let at = stmt.outs.iter().position(|it| it == out);
                results[at.expect("the conditional gives it")]
            };
            let own: Vec<Var> = arrays.iter().map(|it| array_var(yields(it))).collect();
            let packed = self.packed(side, &results, elem, &own);
            let others = stmt.outs.iter().filter(|out| !arrays.contains(out));
            side.results = others.map(yields).collect();
            side.results.push(Atom::Var(packed));
        }
        stmt.outs.retain(|out| !arrays.contains(out));
        let ty = VarType::Array(self.array_type(arrays[0]));
        let out = self.fresh(ty, Repr::Avoided);
        stmt.outs.push(out);
        out
    }

    /// An operation that reads each of `arrays` at its index.
    fn build(&mut self, arrays: &[Var]) -> Stmt {
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
        let src = self.src;
        Stmt { outs, op, src }
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

/// The conditional of a body that gives all of these arrays, for nothing but the body's results.
fn conditional(body: &Body, results: &[Atom], arrays: &[Var]) -> Option<usize> {
    let gives = |stmt: &Stmt| {
        let outs = &stmt.outs;
        matches!(stmt.op, Op::If { .. }) && arrays.iter().all(|array| outs.contains(array))
    };
    let at = body.stmts.iter().position(gives)?;
    let mut uses = results.iter().filter(|it| is_of(**it, arrays)).count();
    for stmt in &body.stmts[at + 1..] {
        each_use(&stmt.op, &mut |var| {
            uses += usize::from(arrays.contains(&var))
        });
    }
    (uses == arrays.len()).then_some(at)
}

fn is_of(atom: Atom, arrays: &[Var]) -> bool {
    matches!(atom, Atom::Var(var) if arrays.contains(&var))
}

fn array_var(atom: Atom) -> Var {
    match atom {
        Atom::Var(var) => var,
        Atom::Const(_) => unreachable!("a verified result array is a variable"),
    }
}
