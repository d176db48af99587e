//! What prints runs in order: loops in place of parallel operations in whose bodies something prints.
//!
//! In: a lowered function. Out: the same, in which only code outside of parallel operations prints.
//! Assumes that operators and steps print nothing (`prims/one_by_one.rs` makes loops of those that do).
//!
//! Note \[Printing\]. A kernel computes elements in lanes and threads, some of them twice, some again
//! after an error; so none prints. Bodies that print are run as the interpreter runs them, index by
//! index, and write their elements into arrays; what consumes them reads these. That is slow, and for
//! debug builds only: release builds have the function without what it prints, see `crate::compile`.

use super::ir::{
    ArrayType, Atom, Body, Consumer, Extent, Function, Loop, Op, Par, Stmt, VarInfo, VarType,
};
use super::size::Size;
use super::value::{number_const, usize_const};
use crate::ids::{SizeSym, Var};
use crate::prims::{Scalar, ScalarOp};
use crate::source::SrcSpan;

/// Makes loops of the operations of a function that print.
pub(super) fn in_order(mut function: Function) -> Function {
    if !function.prints() {
        return function;
    }
    let mut pass = Pass {
        vars: std::mem::take(&mut function.vars),
        size_names: std::mem::take(&mut function.size_names),
        stmts: Vec::new(),
    };
    function.body = pass.body(function.body);
    (function.vars, function.size_names) = (pass.vars, pass.size_names);
    function
}

struct Pass {
    vars: Vec<VarInfo>,
    size_names: Vec<Option<String>>,
    /// Of the body that is being made.
    stmts: Vec<Stmt>,
}

/// Where in an array a value goes: the indices so far, and what is added to the next one.
struct Place {
    array: Var,
    at: Vec<Atom>,
    base: Option<Atom>,
}

impl Pass {
    fn body(&mut self, body: Body) -> Body {
        let Body { stmts, results } = body;
        self.scoped(|pass| {
            stmts.into_iter().for_each(|stmt| pass.stmt(stmt));
            results
        })
    }

    /// A body of the statements that `f` writes, which gives the results.
    fn scoped(&mut self, f: impl FnOnce(&mut Self) -> Vec<Atom>) -> Body {
        let outer = std::mem::take(&mut self.stmts);
        let results = f(self);
        let stmts = std::mem::replace(&mut self.stmts, outer);
        Body { stmts, results }
    }

    fn stmt(&mut self, stmt: Stmt) {
        let Stmt { outs, op, src } = stmt;
        let op = match op {
            Op::If { cond, then, else_ } => Op::If {
                cond,
                then: self.body(then),
                else_: self.body(else_),
            },
            Op::Loop(it) => Op::Loop(Loop {
                cond: self.body(it.cond),
                body: self.body(it.body),
                ..it
            }),
            Op::Par(par) if par.prints() => return self.par(par, outs, src),
            Op::Par(_)
            | Op::Scalar(..)
            | Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. } => op,
        };
        self.push(outs, op, src);
    }

    fn push(&mut self, outs: Vec<Var>, op: Op, src: SrcSpan) {
        self.stmts.push(Stmt { outs, op, src });
    }

    fn par(&mut self, par: Par, outs: Vec<Var>, src: SrcSpan) {
        let Par {
            extent,
            index,
            body,
            consumer,
        } = par;
        match &consumer {
            Consumer::Build => self.elements(extent, index, body, &[], outs, src),
            Consumer::Rows { offsets } => self.elements(extent, index, body, offsets, outs, src),
            Consumer::Reduce { .. }
            | Consumer::Scan { .. }
            | Consumer::Fold { .. }
            | Consumer::Scatter { .. }
            | Consumer::Sort(_) => {
                let arrays: Vec<Var> = self.flat_arrays(&body.results, extent, src);
                self.elements(extent, index, body, &[], arrays.clone(), src);
                let par = self.over(extent, &arrays, consumer, src);
                self.push(outs, Op::Par(par), src);
            }
        }
    }

    /// One array of `extent` elements for each of these scalars.
    fn flat_arrays(&mut self, scalars: &[Atom], extent: Atom, src: SrcSpan) -> Vec<Var> {
        let size = match extent {
            Atom::Const(n) => Size::known(i64::try_from(n.bits).unwrap_or(i64::MAX)),
            Atom::Var(_) => {
                let symbol = SizeSym::next(&self.size_names);
                self.size_names.push(None);
                Size::symbol(symbol)
            }
        };
        let dims = vec![Extent {
            value: extent,
            size,
        }];
        let arrays = scalars.iter().map(|scalar| {
            let (elem, dims) = (self.elem_type(*scalar), dims.clone());
            self.var(VarType::Array(ArrayType { elem, dims }), src)
        });
        arrays.collect()
    }

    /// The operation that reads its elements from arrays.
    fn over(&mut self, extent: Atom, arrays: &[Var], consumer: Consumer, src: SrcSpan) -> Par {
        let index = self.scalar(Scalar::Usize, src);
        let at = vec![Atom::Var(index)];
        let body = self.scoped(|pass| {
            let reads = arrays.iter().map(|array| pass.read(*array, &at, src));
            reads.collect()
        });
        Par {
            extent,
            index,
            body,
            consumer,
        }
    }

    /// The arrays `outs` of the elements that `body` gives, one after the other; rows at `offsets`.
    fn elements(
        &mut self,
        extent: Atom,
        index: Var,
        body: Body,
        offsets: &[Var],
        outs: Vec<Var>,
        src: SrcSpan,
    ) {
        let init = outs.iter().map(|out| Atom::Var(self.zeros(*out, src)));
        let init: Vec<Atom> = init.collect();
        self.counted(extent, index, init, outs, src, |pass, arrays| {
            let Body { stmts, results } = body;
            stmts.into_iter().for_each(|stmt| pass.stmt(stmt));
            let values = arrays.iter().zip(results).enumerate();
            let written = values.map(|(at, (array, value))| {
                let offsets = offsets.get(at);
                let base = offsets.map(|offsets| pass.offset(*offsets, index, src));
                let place = Place {
                    array: *array,
                    at: if base.is_some() {
                        Vec::new()
                    } else {
                        vec![Atom::Var(index)]
                    },
                    base,
                };
                pass.write(place, value, Vec::new(), src)
            });
            written.collect()
        });
    }

    /// `for index in 0..extent`, with arrays that are `outs` afterwards; `trip` gives those after it.
    fn counted(
        &mut self,
        extent: Atom,
        index: Var,
        mut init: Vec<Atom>,
        mut outs: Vec<Var>,
        src: SrcSpan,
        trip: impl FnOnce(&mut Self, &[Var]) -> Vec<Atom>,
    ) {
        let arrays: Vec<Var> = outs.iter().map(|out| self.like(*out)).collect();
        let cond = self.scoped(|pass| {
            let args = vec![Atom::Var(index), extent];
            vec![pass.computed(ScalarOp::Lt, args, Scalar::Bool, src)]
        });
        let body = self.scoped(|pass| {
            let mut results = trip(pass, &arrays);
            let args = vec![Atom::Var(index), usize_const(1)];
            results.push(pass.computed(ScalarOp::Add, args, Scalar::Usize, src));
            results
        });
        init.push(usize_const(0));
        outs.push(self.scalar(Scalar::Usize, src));
        let mut params = arrays;
        params.push(index);
        let it = Loop {
            params,
            init,
            cond,
            body,
        };
        self.push(outs, Op::Loop(it), src);
    }

    /// The array with a value written to a place: a scalar, or the part of an array at `from`.
    fn write(&mut self, place: Place, value: Atom, from: Vec<Atom>, src: SrcSpan) -> Atom {
        let dims = self.dims(value);
        let out = self.like(place.array);
        let Some(dim) = dims.get(from.len()) else {
            let value = match value {
                Atom::Var(array) if !dims.is_empty() => self.read(array, &from, src),
                Atom::Var(_) | Atom::Const(_) => value,
            };
            let (array, index) = (place.array, place.at);
            let op = Op::Update {
                array,
                index,
                value,
            };
            self.push(vec![out], op, src);
            return Atom::Var(out);
        };
        let index = self.scalar(Scalar::Usize, src);
        let init = vec![Atom::Var(place.array)];
        self.counted(dim.value, index, init, vec![out], src, |pass, arrays| {
            let index = Atom::Var(index);
            let at = match place.base {
                Some(base) => pass.computed(ScalarOp::Add, vec![base, index], Scalar::Usize, src),
                None => index,
            };
            let place = Place {
                array: arrays[0],
                at: [&place.at[..], &[at]].concat(),
                base: None,
            };
            let from = [&from[..], &[index]].concat();
            vec![pass.write(place, value, from, src)]
        });
        Atom::Var(out)
    }

    /// An array of the type of `like`, of zeros.
    fn zeros(&mut self, like: Var, src: SrcSpan) -> Var {
        let (elem, dims) = (self.elem_type(Atom::Var(like)), self.dims(Atom::Var(like)));
        self.zeros_of(elem, &dims, src)
    }

    fn zeros_of(&mut self, elem: Scalar, dims: &[Extent], src: SrcSpan) -> Var {
        let body = self.scoped(|pass| match &dims[1..] {
            [] => vec![number_const(elem, 0)],
            inner => vec![Atom::Var(pass.zeros_of(elem, inner, src))],
        });
        let par = Par {
            extent: dims[0].value,
            index: self.scalar(Scalar::Usize, src),
            body,
            consumer: Consumer::Build,
        };
        let dims = dims.to_vec();
        let out = self.var(VarType::Array(ArrayType { elem, dims }), src);
        self.push(vec![out], Op::Par(par), src);
        out
    }

    /// Where row `index` begins.
    fn offset(&mut self, offsets: Var, index: Var, src: SrcSpan) -> Atom {
        let offset = self.read(offsets, &[Atom::Var(index)], src);
        self.computed(ScalarOp::Cast, vec![offset], Scalar::Usize, src)
    }

    fn read(&mut self, array: Var, index: &[Atom], src: SrcSpan) -> Atom {
        let elem = self.elem_type(Atom::Var(array));
        let (out, index) = (self.scalar(elem, src), index.to_vec());
        self.push(vec![out], Op::Read { array, index }, src);
        Atom::Var(out)
    }

    fn computed(&mut self, op: ScalarOp, args: Vec<Atom>, ty: Scalar, src: SrcSpan) -> Atom {
        let out = self.scalar(ty, src);
        self.push(vec![out], Op::Scalar(op, args), src);
        Atom::Var(out)
    }

    fn elem_type(&self, atom: Atom) -> Scalar {
        match atom {
            Atom::Const(it) => it.ty,
            Atom::Var(var) => match &self.vars[var.index()].ty {
                VarType::Scalar(scalar) => *scalar,
                VarType::Array(array) => array.elem,
            },
        }
    }

    /// The extents of a value, none of a scalar.
    fn dims(&self, value: Atom) -> Vec<Extent> {
        match value {
            Atom::Const(_) => Vec::new(),
            Atom::Var(var) => match &self.vars[var.index()].ty {
                VarType::Scalar(_) => Vec::new(),
                VarType::Array(array) => array.dims.clone(),
            },
        }
    }

    /// A new variable of the type of another.
    fn like(&mut self, var: Var) -> Var {
        let info = self.vars[var.index()].clone();
        self.var(info.ty, info.src)
    }

    fn scalar(&mut self, ty: Scalar, src: SrcSpan) -> Var {
        self.var(VarType::Scalar(ty), src)
    }

    fn var(&mut self, ty: VarType, src: SrcSpan) -> Var {
        let var = Var::next(&self.vars);
        let fast = false;
        self.vars.push(VarInfo { ty, fast, src });
        var
    }
}
