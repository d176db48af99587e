//! Runs a shaped function. A read out of range, or a division by zero, that no check caught before
//! is a panic: something was proven that does not hold.

use super::held::{Held, flatten, unflatten};
use super::scalar::apply;
use ragged_compiler::checks::CheckKind;
use ragged_compiler::ids::Var;
use ragged_compiler::interpret::Value;
use ragged_compiler::prims::{Scalar, Sorted};
use ragged_compiler::shaped::ir::{
    Atom, Body, Combine, Consumer, Function, Loop, Op, Par, Stmt, VarType,
};
use ragged_compiler::source::LineColumn;
use ragged_compiler::typed::ir::Const;
use std::rc::Rc;

/// A failed check.
pub type Failure = (CheckKind, LineColumn);

struct Machine<'f> {
    function: &'f Function,
    held: Vec<Option<Held>>,
}

/// The result on `args`, or the first check that fails.
pub fn run(function: &Function, args: &[Value]) -> Result<Value, Failure> {
    let held = vec![None; function.vars.len()];
    let mut machine = Machine { function, held };
    for (param, arg) in function.params.iter().zip(args) {
        let mut leaves = Vec::new();
        flatten(&param.ty, arg, &mut leaves);
        for (var, leaf) in param.vars.iter().zip(leaves) {
            machine.held[var.index()] = Some(leaf);
        }
    }
    let results = machine.body(&function.body)?;
    Ok(unflatten(&function.ret, &mut results.into_iter()))
}

impl Machine<'_> {
    fn atom(&self, atom: Atom) -> Held {
        match atom {
            Atom::Const(constant) => Held::Scalar(constant),
            Atom::Var(var) => self.held[var.index()].clone().expect("assigned"),
        }
    }

    fn scalar(&self, atom: Atom) -> Const {
        match self.atom(atom) {
            Held::Scalar(scalar) => scalar,
            Held::Array(..) => panic!("{atom:?} is an array"),
        }
    }

    fn scalars(&self, atoms: &[Atom]) -> Vec<Const> {
        atoms.iter().map(|atom| self.scalar(*atom)).collect()
    }

    fn array(&self, var: Var) -> Rc<Vec<Const>> {
        match self.atom(Atom::Var(var)) {
            Held::Array(array, _) => array,
            Held::Scalar(_) => panic!("{var} is a scalar"),
        }
    }

    fn dims(&self, var: Var) -> Vec<u64> {
        match self.atom(Atom::Var(var)) {
            Held::Array(_, dims) => dims,
            Held::Scalar(_) => panic!("{var} is a scalar"),
        }
    }

    /// Where an element lies; a panic if it does not exist.
    fn position(&self, array: Var, index: &[Atom]) -> usize {
        let index = self.scalars(index);
        let dims = self.dims(array);
        assert_eq!(index.len(), dims.len());
        let mut position = 0;
        for (index, dim) in index.iter().zip(&dims) {
            let (at, function) = (index.bits, self.function);
            assert!(at < *dim, "{array} is read at {at} of {dim}\n{function}");
            position = position * dim + at;
        }
        position as usize
    }

    /// An array with the extents that its type says.
    fn shaped(&self, var: Var, elems: Vec<Const>) -> Held {
        let VarType::Array(ty) = &self.function.vars[var.index()].ty else {
            panic!("{var} is a scalar")
        };
        let dims = ty.dims.iter().map(|dim| self.scalar(dim.value).bits);
        Held::Array(Rc::new(elems), dims.collect())
    }

    fn set(&mut self, var: Var, held: Held) {
        if let (Held::Array(array, dims), VarType::Array(ty)) =
            (&held, &self.function.vars[var.index()].ty)
        {
            let extents = ty.dims.iter().map(|dim| self.scalar(dim.value).bits);
            let extents: Vec<u64> = extents.collect();
            let product: u64 = extents.iter().product();
            let function = self.function;
            assert_eq!(&extents, dims, "extents of {var}\n{function}");
            assert_eq!(product, array.len() as u64, "length of {var}\n{function}");
        }
        self.held[var.index()] = Some(held);
    }

    fn set_scalars(&mut self, vars: &[Var], scalars: &[Const]) {
        assert_eq!(vars.len(), scalars.len());
        for (var, scalar) in vars.iter().zip(scalars) {
            self.set(*var, Held::Scalar(*scalar));
        }
    }

    fn set_all(&mut self, vars: &[Var], values: Vec<Held>) {
        assert_eq!(vars.len(), values.len());
        for (var, value) in vars.iter().zip(values) {
            self.set(*var, value);
        }
    }

    fn body(&mut self, body: &Body) -> Result<Vec<Held>, Failure> {
        body.stmts.iter().try_for_each(|stmt| self.stmt(stmt))?;
        Ok(body.results.iter().map(|atom| self.atom(*atom)).collect())
    }

    fn scalar_body(&mut self, body: &Body) -> Result<Vec<Const>, Failure> {
        body.stmts.iter().try_for_each(|stmt| self.stmt(stmt))?;
        Ok(self.scalars(&body.results))
    }

    fn fail<T>(&self, id: ragged_compiler::ids::CheckId) -> Result<T, Failure> {
        let check = &self.function.checks[id.index()];
        Err((check.kind.clone(), check.src.start()))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Failure> {
        match &stmt.op {
            Op::Scalar(op, args) => {
                let VarType::Scalar(ty) = self.function.vars[stmt.outs[0].index()].ty else {
                    panic!("a scalar")
                };
                let args = self.scalars(args);
                let divides = op.divides() && ty.is_int();
                assert!(
                    !divides || args[1].bits != 0,
                    "unchecked division\n{}",
                    self.function
                );
                self.set(stmt.outs[0], Held::Scalar(apply(*op, &args, ty)));
            }
            Op::Check { ok, id, .. } if self.scalar(*ok).bits == 0 => return self.fail(*id),
            Op::Check { .. } => {}
            Op::Len { array, axis } => {
                let length = self.dims(*array)[*axis];
                self.set(stmt.outs[0], Held::Scalar(size(length)));
            }
            Op::Read { array, index } => {
                let element = self.array(*array)[self.position(*array, index)];
                self.set(stmt.outs[0], Held::Scalar(element));
            }
            Op::Literal(elems) => {
                let elems = self.scalars(elems);
                let held = self.shaped(stmt.outs[0], elems);
                self.set(stmt.outs[0], held);
            }
            Op::Update {
                array,
                index,
                value,
            } => {
                let position = self.position(*array, index);
                let mut elems = (*self.array(*array)).clone();
                elems[position] = self.scalar(*value);
                let held = self.shaped(stmt.outs[0], elems);
                self.set(stmt.outs[0], held);
            }
            Op::If { cond, then, else_ } => {
                let side = if self.scalar(*cond).bits != 0 {
                    then
                } else {
                    else_
                };
                let results = self.body(side)?;
                self.set_all(&stmt.outs, results);
            }
            Op::Loop(it) => self.repeat(it, &stmt.outs)?,
            Op::Par(par) => self.par(par, &stmt.outs)?,
        }
        Ok(())
    }

    fn repeat(&mut self, it: &Loop, outs: &[Var]) -> Result<(), Failure> {
        let mut state = it
            .init
            .iter()
            .map(|atom| self.atom(*atom))
            .collect::<Vec<_>>();
        for _ in 0..100_000 {
            self.set_all(&it.params, state);
            if self.scalar_body(&it.cond)?[0].bits == 0 {
                let last = it
                    .params
                    .iter()
                    .map(|param| self.atom(Atom::Var(*param)))
                    .collect();
                self.set_all(outs, last);
                return Ok(());
            }
            state = self.body(&it.body)?;
        }
        panic!("a loop without end\n{}", self.function)
    }

    fn elements(&mut self, par: &Par) -> Result<Vec<Vec<Const>>, Failure> {
        let extent = self.scalar(par.extent).bits;
        assert!(
            extent < 1_000_000,
            "an extent of {extent}\n{}",
            self.function
        );
        let mut elements = Vec::new();
        for index in 0..extent {
            self.set(par.index, Held::Scalar(size(index)));
            elements.push(self.scalar_body(&par.body)?);
        }
        Ok(elements)
    }

    fn combine(&mut self, it: &Combine, a: &[Const], b: &[Const]) -> Result<Vec<Const>, Failure> {
        self.set_scalars(&it.left, a);
        self.set_scalars(&it.right, b);
        self.scalar_body(&it.body)
    }

    /// What the body yields, joined; a component may be an array.
    fn build(&mut self, par: &Par, outs: &[Var]) -> Result<(), Failure> {
        let extent = self.scalar(par.extent).bits;
        assert!(extent < 1_000_000, "extent {extent}\n{}", self.function);
        let mut columns = vec![Vec::new(); outs.len()];
        for index in 0..extent {
            self.set(par.index, Held::Scalar(size(index)));
            for (column, held) in columns.iter_mut().zip(self.body(&par.body)?) {
                match held {
                    Held::Scalar(scalar) => column.push(scalar),
                    Held::Array(array, _) => column.extend(array.iter().copied()),
                }
            }
        }
        for (out, column) in outs.iter().zip(columns) {
            let held = self.shaped(*out, column);
            self.set(*out, held);
        }
        Ok(())
    }

    /// Whether the rows end where the last offsets say.
    fn check_rows(&self, offsets: &[Var], outs: &[Var]) -> Result<(), Failure> {
        for (offsets, out) in offsets.iter().zip(outs) {
            let Held::Array(_, shape) = self.atom(Atom::Var(*out)) else {
                panic!("rows are arrays\n{}", self.function)
            };
            let last = self.array(*offsets).last().map(|last| last.bits);
            assert_eq!(last, shape.first().copied(), "{}", self.function);
        }
        Ok(())
    }

    fn par(&mut self, par: &Par, outs: &[Var]) -> Result<(), Failure> {
        match &par.consumer {
            Consumer::Build => return self.build(par, outs),
            Consumer::Rows { offsets } => {
                self.build(par, outs)?;
                return self.check_rows(offsets, outs);
            }
            Consumer::Reduce { .. }
            | Consumer::Scan { .. }
            | Consumer::Fold { .. }
            | Consumer::Scatter { .. }
            | Consumer::Sort(_) => {}
        }
        let elements = self.elements(par)?;
        match &par.consumer {
            Consumer::Build | Consumer::Rows { .. } => unreachable!("done above"),
            Consumer::Reduce { init, combine } => {
                if let Some(neutral) = &combine.neutral {
                    self.check_neutral(combine, neutral, &elements)?;
                }
                let mut all: Option<Vec<Const>> = None;
                for element in &elements {
                    all = Some(match all {
                        Some(all) => self.combine(combine, &all, element)?,
                        None => element.clone(),
                    });
                }
                let init = self.scalars(init);
                let total = match all {
                    Some(all) => self.combine(combine, &init, &all)?,
                    None => init,
                };
                self.set_scalars(outs, &total);
            }
            Consumer::Scan {
                init,
                combine,
                exclusive,
                total,
            } => {
                let mut acc = init.as_ref().map(|init| self.scalars(init));
                let mut prefixes = Vec::new();
                for element in &elements {
                    let next = match &acc {
                        Some(acc) => self.combine(combine, acc, element)?,
                        None => element.clone(),
                    };
                    let prefix = if *exclusive {
                        acc.replace(next)
                    } else {
                        acc = Some(next);
                        acc.clone()
                    };
                    prefixes.push(prefix.expect("an exclusive scan has an init"));
                }
                let arrays = if *total { outs.len() / 2 } else { outs.len() };
                self.set_columns(&outs[..arrays], &prefixes);
                if *total {
                    self.set_scalars(&outs[arrays..], &acc.expect("a total has an init"));
                }
            }
            Consumer::Fold {
                init,
                acc,
                elem,
                step,
            } => {
                let mut total = self.scalars(init);
                for element in &elements {
                    self.set_scalars(acc, &total);
                    self.set_scalars(elem, element);
                    total = self.scalar_body(step)?;
                }
                self.set_scalars(outs, &total);
            }
            Consumer::Sort(sorted) => {
                let mut keyed: Vec<(usize, Const)> = elements
                    .iter()
                    .map(|element| element[0])
                    .enumerate()
                    .collect();
                keyed.sort_by(|(_, a), (_, b)| a.order(*b));
                let results = keyed.into_iter().map(|(at, key)| match sorted {
                    Sorted::Values => vec![key],
                    Sorted::Positions => vec![Const {
                        ty: Scalar::Usize,
                        bits: at as u64,
                    }],
                });
                self.set_columns(outs, &results.collect::<Vec<_>>());
            }
            Consumer::Scatter { into, id } => {
                let mut columns: Vec<Vec<Const>> = into
                    .iter()
                    .map(|into| (*self.array(*into)).clone())
                    .collect();
                for element in &elements {
                    let at = element[0].bits as usize;
                    if at >= columns[0].len() {
                        return self.fail(*id);
                    }
                    for (column, value) in columns.iter_mut().zip(&element[1..]) {
                        column[at] = *value;
                    }
                }
                for (out, column) in outs.iter().zip(columns) {
                    let held = self.shaped(*out, column);
                    self.set(*out, held);
                }
            }
        }
        Ok(())
    }

    fn check_neutral(
        &mut self,
        combine: &Combine,
        neutral: &[Const],
        elements: &[Vec<Const>],
    ) -> Result<(), Failure> {
        for element in elements {
            let left = self.combine(combine, neutral, element)?;
            let right = self.combine(combine, element, neutral)?;
            assert_eq!(
                (&left, &right),
                (element, element),
                "neutral\n{}",
                self.function
            );
        }
        Ok(())
    }

    fn set_columns(&mut self, outs: &[Var], rows: &[Vec<Const>]) {
        for (at, out) in outs.iter().enumerate() {
            let column = rows.iter().map(|row| row[at]).collect();
            let held = self.shaped(*out, column);
            self.set(*out, held);
        }
    }
}

fn size(n: u64) -> Const {
    Const {
        ty: Scalar::Usize,
        bits: n,
    }
}
