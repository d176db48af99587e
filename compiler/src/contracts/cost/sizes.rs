//! Bounds of the numbers that are sizes, in the symbols of costs.
//!
//! In: a fused function, statement by statement in program order. Out: for an operand that is a size
//! an upper bound up to a constant factor. Only what is asked for is computed.

use super::expr::{Expr, Term};
use super::names;
use super::symbols::{Symbols, Unknown};
use crate::fused::ir::{Function, Kernel, Layout, Loop, Op, Sink, Stmt};
use crate::hash::HashMap;
use crate::ids::Var;
use crate::prims::{MOST_LENGTH, Method, Scalar, ScalarOp};
use crate::shaped::ir::{Atom, Extent, VarType};
use crate::shaped::size::Size;

/// Where a variable comes from.
#[derive(Clone, Copy)]
pub(super) enum Def<'f> {
    /// A parameter, or what is not known yet.
    Outside,
    /// A statement.
    Made(&'f Stmt),
    /// The index of a kernel with these extents.
    Index(&'f [Atom]),
    /// Counts the trips of a loop, up to a limit.
    Counter(Atom),
    /// Other state of a loop, from its first value to what the trips make of it.
    State(Atom, Atom),
}

pub(super) struct Sizes<'f> {
    pub(super) function: &'f Function,
    pub symbols: Symbols,
    /// By variable; unlike others, a table of these is made at once.
    stmts: Vec<Option<&'f Stmt>>,
    /// What no statement defines.
    others: Vec<(Var, Def<'f>)>,
    bounds: HashMap<Var, Expr>,
    pub(super) families: HashMap<Var, usize>,
}

impl<'f> Sizes<'f> {
    pub fn new(function: &'f Function) -> Self {
        Sizes {
            function,
            symbols: Symbols::default(),
            stmts: vec![None; function.vars.len()],
            others: Vec::new(),
            bounds: HashMap::default(),
            families: HashMap::default(),
        }
    }

    /// Whether a variable is a parameter or a part of one.
    pub fn is_param(&self, var: Var) -> bool {
        names::place(self.function, var).is_some()
    }

    pub(super) fn def(&self, var: Var) -> Def<'f> {
        if let Some(stmt) = self.stmts[var.index()] {
            return Def::Made(stmt);
        }
        let mut others = self.others.iter().rev();
        let other = others.find(|(other, _)| *other == var);
        other.map_or(Def::Outside, |(_, def)| *def)
    }

    /// Notes what a statement defines.
    pub fn define(&mut self, stmt: &'f Stmt) {
        for out in &stmt.outs {
            self.stmts[out.index()] = Some(stmt);
        }
    }

    /// Notes the index of a kernel.
    pub fn enter(&mut self, kernel: &'f Kernel) {
        self.others
            .push((kernel.index, Def::Index(&kernel.extents)));
    }

    /// Notes the state of a loop; gives its counter and what it counts up to. Assumes that the
    /// statements of its bodies are defined.
    pub fn enter_loop(&mut self, it: &'f Loop) -> Option<(Var, Atom)> {
        let states = it.params.iter().zip(&it.init).zip(&it.body.results);
        for ((param, init), next) in states {
            self.others.push((*param, Def::State(*init, *next)));
        }
        let (counter, limit) = self.counter(it, *it.cond.results.first()?)?;
        self.others.push((counter, Def::Counter(limit)));
        Some((counter, limit))
    }

    /// What is one more on each trip and stays below something, as `cond` says.
    fn counter(&self, it: &Loop, cond: Atom) -> Option<(Var, Atom)> {
        if let Op::If { cond, else_, .. } = &self.stmt(cond)?.op {
            let ends = matches!(else_.results.as_slice(), [Atom::Const(it)] if it.bits == 0);
            return ends.then(|| self.counter(it, *cond)).flatten();
        }
        match self.scalar(cond)? {
            (ScalarOp::BitAnd, [left, right]) => {
                self.counter(it, *left).or_else(|| self.counter(it, *right))
            }
            (ScalarOp::Lt | ScalarOp::Le | ScalarOp::Ne, [Atom::Var(counter), limit]) => {
                let at = it.params.iter().position(|param| param == counter)?;
                let starts = match it.init[at] {
                    Atom::Const(first) => (first.bits as i64) >= 0,
                    Atom::Var(_) => self.scalar_type(*counter) == Some(Scalar::Usize),
                };
                let counts = self.is_next(it.body.results[at], Atom::Var(*counter));
                (starts && counts).then_some((*counter, *limit))
            }
            _other => None,
        }
    }

    /// The operation that computes a scalar.
    pub(super) fn scalar(&self, atom: Atom) -> Option<(ScalarOp, &'f [Atom])> {
        match self.stmt(atom)?.op {
            Op::Scalar(op, ref args) => Some((op, args)),
            Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. }
            | Op::If { .. }
            | Op::Loop(_)
            | Op::Kernel(_) => None,
        }
    }

    pub(super) fn stmt(&self, atom: Atom) -> Option<&'f Stmt> {
        match atom {
            Atom::Var(var) => match self.def(var) {
                Def::Made(stmt) => Some(stmt),
                Def::Outside | Def::Index(_) | Def::Counter(_) | Def::State(..) => None,
            },
            Atom::Const(_) => None,
        }
    }

    pub(super) fn scalar_type(&self, var: Var) -> Option<Scalar> {
        match &self.function.vars[var.index()].ty {
            Layout::Plain(VarType::Scalar(scalar)) => Some(*scalar),
            Layout::Plain(VarType::Array(_)) | Layout::Component { .. } | Layout::Packed { .. } => {
                None
            }
        }
    }

    /// Whether a number has no fraction.
    pub(super) fn is_whole(&self, var: Var) -> bool {
        self.scalar_type(var).is_some_and(Scalar::is_int)
    }

    /// Whether `next` is one more than `atom`.
    pub(super) fn is_next(&self, next: Atom, atom: Atom) -> bool {
        match (self.scalar(next), atom, next) {
            (Some((ScalarOp::Add, [left, Atom::Const(one)])), ..) => *left == atom && one.bits == 1,
            (_, Atom::Const(from), Atom::Const(to)) => from.bits.wrapping_add(1) == to.bits,
            _other => false,
        }
    }

    /// At most how many elements an array has.
    pub fn elements(&mut self, array: Var) -> Expr {
        match self.def(array) {
            Def::Outside => self.of_param(array),
            Def::Made(stmt) => self.of_made(array, stmt),
            Def::State(init, _) => self.of_state(array, init),
            Def::Index(_) | Def::Counter(_) => Expr::one(),
        }
    }

    fn of_param(&mut self, array: Var) -> Expr {
        let mut all = Expr::one();
        for axis in 0..self.dims(array).len() {
            all = all.times(&self.length(array, axis));
        }
        all
    }

    fn dims(&self, array: Var) -> &'f [Extent] {
        let function = self.function;
        match &function.vars[array.index()].ty {
            Layout::Plain(VarType::Array(ty))
            | Layout::Component {
                ty: VarType::Array(ty),
                ..
            } => &ty.dims,
            Layout::Plain(VarType::Scalar(_)) | Layout::Component { .. } => &[],
            Layout::Packed { dims, .. } => dims,
        }
    }

    fn of_made(&mut self, array: Var, stmt: &'f Stmt) -> Expr {
        let at = stmt.outs.iter().position(|out| *out == array).unwrap_or(0);
        match &stmt.op {
            // Its indices are those of what has been appended last.
            Op::Kernel(kernel) if matches!(kernel.sink, Sink::Append { .. }) => {
                let sizes: Vec<Atom> = self.dims(array).iter().map(|dim| dim.value).collect();
                self.product(&sizes)
            }
            Op::Kernel(kernel) => self.of_kernel(at, kernel),
            Op::Update { array, .. } => self.elements(*array),
            Op::If { then, else_, .. } => {
                let then = self.operand(then.results[at]);
                then.plus(&self.operand(else_.results[at]))
            }
            Op::Loop(it) => self.elements(it.params[at]),
            Op::Scalar(..)
            | Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_) => Expr::one(),
        }
    }

    pub(super) fn of_kernel(&mut self, at: usize, kernel: &'f Kernel) -> Expr {
        let extent = self.product(&kernel.extents);
        let rows = match (&kernel.sink, kernel.body.results.get(at)) {
            (Sink::Scatter { into, .. }, _) => return self.elements(into[at]),
            (_, Some(element)) => self.operand(*element),
            (_, None) => Expr::one(),
        };
        self.symbols.sum_over(&rows, kernel.index, &extent)
    }

    /// Elements of a loop's state have the lengths that they had before, if these are no state.
    fn of_state(&mut self, array: Var, init: Atom) -> Expr {
        let mut all = Expr::one();
        for dim in self.dims(array) {
            let is_state = match dim.value {
                Atom::Var(var) => matches!(self.def(var), Def::State(..)),
                Atom::Const(_) => false,
            };
            if !is_state {
                return self.operand(init);
            }
            all = all.times(&self.bound(dim.value));
        }
        all
    }

    /// The elements of an operand; a scalar is one.
    fn operand(&mut self, atom: Atom) -> Expr {
        match atom {
            Atom::Var(var) if self.function.vars[var.index()].is_array() => self.elements(var),
            _scalar => Expr::one(),
        }
    }

    /// The product of some sizes.
    pub fn product(&mut self, sizes: &[Atom]) -> Expr {
        let mut all = Expr::one();
        for size in sizes {
            all = all.times(&self.bound(*size));
        }
        all
    }

    /// At most how large a size is.
    pub fn bound(&mut self, atom: Atom) -> Expr {
        let Atom::Var(var) = atom else {
            return Expr::one();
        };
        if let Some(known) = self.bounds.get(&var) {
            return known.clone();
        }
        let bound = match self.def(var) {
            Def::Outside => self.outside(var),
            Def::Made(stmt) => self.made(var, stmt),
            Def::Index(extents) => self.product(extents),
            Def::Counter(limit) => self.bound(limit),
            Def::State(init, next) => match self.shrinks(next, atom) {
                true => self.bound(init),
                false => self.unknown(var),
            },
        };
        self.bounds.insert(var, bound.clone());
        bound
    }

    pub(super) fn unknown(&mut self, var: Var) -> Expr {
        let src = self.function.vars[var.index()].src;
        Expr::of(self.symbols.unknown(Unknown::Size, src))
    }

    fn outside(&mut self, var: Var) -> Expr {
        match names::scalar(self.function, var) {
            Some(name) => Expr::of(self.symbols.named(&name)),
            None => self.unknown(var),
        }
    }

    /// Whether the state `next` is no more than the one before.
    fn shrinks(&self, next: Atom, before: Atom) -> bool {
        next == before
            || match self.scalar(next) {
                Some((
                    ScalarOp::Sub
                    | ScalarOp::Div
                    | ScalarOp::Shr
                    | ScalarOp::Method(Method::SaturatingSub),
                    [first, _],
                )) => *first == before,
                Some((ScalarOp::Min, args)) => args.contains(&before),
                _other => false,
            }
    }

    fn made(&mut self, var: Var, stmt: &'f Stmt) -> Expr {
        let at = stmt.outs.iter().position(|out| *out == var).unwrap_or(0);
        match &stmt.op {
            Op::Scalar(op, args) => self.computed(var, *op, args),
            Op::Len { array, axis } => self.length(*array, *axis),
            Op::Read { array, index } => self.element(var, *array, *index),
            Op::If { then, else_, .. } => {
                let then = self.bound(then.results[at]);
                then.plus(&self.bound(else_.results[at]))
            }
            Op::Loop(it) => self.bound(Atom::Var(it.params[at])),
            Op::Kernel(kernel) => self.total(var, at, stmt, kernel),
            Op::Check { .. } | Op::Literal(_) | Op::Update { .. } => self.unknown(var),
        }
    }

    fn computed(&mut self, var: Var, op: ScalarOp, args: &'f [Atom]) -> Expr {
        match (op, args) {
            (ScalarOp::Cast | ScalarOp::Abs | ScalarOp::Floor | ScalarOp::Ceil, [value]) => {
                self.bound(*value)
            }
            (ScalarOp::Shr | ScalarOp::Method(Method::SaturatingSub), [value, _]) => {
                self.bound(*value)
            }
            (ScalarOp::Add | ScalarOp::Max, [left, right])
            | (ScalarOp::Select, [_, left, right]) => {
                let left = self.bound(*left);
                left.plus(&self.bound(*right))
            }
            (ScalarOp::Mul, [left, right]) => {
                let left = self.bound(*left);
                left.times(&self.bound(*right))
            }
            (ScalarOp::Sub, [end, start]) => match self.row(*end, *start) {
                Some((offsets, row)) => self.row_length(offsets, row),
                None => self.bound(*end),
            },
            (ScalarOp::Div | ScalarOp::DivCeil | ScalarOp::DivEuclid, [value, by]) => {
                let bound = self.bound(*value);
                match self.exact(*by) {
                    Some(by) => bound.over(by),
                    None => bound,
                }
            }
            (ScalarOp::Rem | ScalarOp::RemEuclid, [_, by]) => self.bound(*by),
            (ScalarOp::Min, [value, limit] | [limit, value]) if is_endless(*limit) => {
                self.bound(*value)
            }
            (ScalarOp::Min, [left, right]) => {
                let (left, right) = (self.bound(*left), self.bound(*right));
                match left.is_within(&right) {
                    true => left,
                    false => right,
                }
            }
            _other if self.scalar_type(var) == Some(Scalar::Bool) => Expr::one(),
            _other => self.unknown(var),
        }
    }

    /// A size that is known from below as well.
    fn exact(&mut self, atom: Atom) -> Option<Term> {
        let is_exact = match atom {
            Atom::Const(_) => return Some(Term::ONE),
            Atom::Var(var) => match self.def(var) {
                Def::Outside => true,
                Def::Made(stmt) => match &stmt.op {
                    Op::Len { .. } => true,
                    Op::Scalar(ScalarOp::Cast | ScalarOp::Mul | ScalarOp::Max, args) => {
                        args.iter().all(|arg| self.exact(*arg).is_some())
                    }
                    _computed => false,
                },
                Def::Index(_) | Def::Counter(_) | Def::State(..) => false,
            },
        };
        match (is_exact, self.bound(atom).terms()) {
            (true, [term]) => Some(*term),
            _other => None,
        }
    }

    fn length(&mut self, array: Var, axis: usize) -> Expr {
        let function = self.function;
        let ty = match &function.vars[array.index()].ty {
            Layout::Plain(ty) | Layout::Component { ty, .. } => ty,
            Layout::Packed { .. } => return self.unknown(array),
        };
        match ty {
            VarType::Array(ty) => self.size(&ty.dims[axis].size, array),
            VarType::Scalar(_) => Expr::one(),
        }
    }

    /// A size expression, without what it subtracts.
    fn size(&mut self, size: &Size, array: Var) -> Expr {
        let function = self.function;
        let mut bound = Expr::one();
        for (symbols, _) in size.terms().filter(|(_, coefficient)| *coefficient > 0) {
            let mut product = Expr::one();
            for symbol in symbols {
                let name = function.size_names[symbol.index()].clone();
                let name = name.or_else(|| names::total(function, *symbol));
                product = product.times(&match name {
                    Some(name) => Expr::of(self.symbols.named(&name)),
                    None => self.unknown(array),
                });
            }
            bound.add(&product);
        }
        bound
    }
}

/// Whether a number is a constant that no length exceeds: it bounds nothing.
fn is_endless(atom: Atom) -> bool {
    matches!(atom, Atom::Const(it) if it.bits >= MOST_LENGTH)
}
