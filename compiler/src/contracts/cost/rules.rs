//! The rules of the cost model (paper 002 §3.5), for fused programs.
//!
//! A kernel is an apply-to-each whose elements stream into its sink, so what it takes at once on one
//! processor is what one element takes; an array in memory is a list. Scalars cost a constant.
//!
//! | | work | depth | space on one processor | on as many as there are elements |
//! |---|---|---|---|---|
//! | one after the other | sum | sum | the greater | the greater |
//! | each index of a kernel | sum | the greatest | the greatest | sum |
//! | each trip of a loop | sum | sum | the greatest | the greatest |
//! | an array | | | its elements | its elements |
//!
//! A sum of as many things as the program has parts is the greatest of them, up to a constant. As in
//! the paper a reduction or a scan is one step, and so is a sort, so on P processors all takes
//! O(work / P + depth · log P) time, and O(min(P · one, all)) space.

use super::expr::Expr;
use super::sizes::Sizes;
use super::symbols::Unknown;
use crate::fused::ir::{Body, Function, Kernel, Loop, Op, Sink, SortOf, Stmt};
use crate::fused::liveness::LastUses;
use crate::ids::Var;
use crate::shaped::ir::Atom;

/// ⟨work, depth, sequential space, parallel space⟩, each up to a constant factor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cost {
    /// Operations.
    pub work: Expr,
    /// Steps, one after the other, if there are processors for all that may run together.
    pub depth: Expr,
    /// Values in memory at one time on one processor.
    pub sequential: Expr,
    /// The same on as many processors as there are elements.
    pub parallel: Expr,
}

impl Cost {
    /// Of a scalar operation.
    pub fn constant() -> Cost {
        Cost {
            work: Expr::one(),
            depth: Expr::one(),
            sequential: Expr::one(),
            parallel: Expr::one(),
        }
    }

    /// Changes all four.
    pub fn each(&mut self, change: impl Fn(&mut Expr)) {
        change(&mut self.work);
        change(&mut self.depth);
        change(&mut self.sequential);
        change(&mut self.parallel);
    }

    /// This, and then `other`.
    pub fn then(&mut self, other: &Cost) {
        self.work.add(&other.work);
        self.depth.add(&other.depth);
        self.sequential.add(&other.sequential);
        self.parallel.add(&other.parallel);
    }

    /// With so many values kept.
    pub fn keep(&mut self, values: &Expr) {
        self.sequential.add(values);
        self.parallel.add(values);
    }

    /// With so many values copied.
    fn copy(&mut self, values: &Expr) {
        self.work.add(values);
        self.keep(values);
    }
}

/// Walks a function. What costs a constant is `None`.
pub(super) struct Rules<'f> {
    pub sizes: Sizes<'f>,
    function: &'f Function,
    last: &'f LastUses,
}

impl<'f> Rules<'f> {
    pub fn new(function: &'f Function, last: &'f LastUses) -> Self {
        Rules {
            sizes: Sizes::new(function),
            function,
            last,
        }
    }

    /// What a function costs, with its results.
    pub fn function(&mut self) -> Cost {
        let mut cost = self
            .body(&self.function.body)
            .unwrap_or_else(Cost::constant);
        for result in &self.function.body.results {
            if let Atom::Var(var) = result
                && self.is_array(*var)
                && self.sizes.is_param(*var)
            {
                cost.copy(&self.sizes.elements(*var));
            }
        }
        cost
    }

    pub fn body(&mut self, body: &'f Body) -> Option<Cost> {
        let mut cost = None;
        for stmt in &body.stmts {
            self.sizes.define(stmt);
            cost = after(cost, self.stmt(stmt));
        }
        cost
    }

    /// A body with what its results cost that are kept.
    fn yielding(&mut self, body: &'f Body) -> Option<Cost> {
        let cost = self.body(body);
        after(cost, self.handed_on(body, &body.results))
    }

    pub fn stmt(&mut self, stmt: &'f Stmt) -> Option<Cost> {
        match &stmt.op {
            Op::Scalar(..)
            | Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_) => None,
            Op::Update { array, .. } => self.handed_on(stmt, &[Atom::Var(*array)]),
            Op::If { then, else_, .. } => {
                let then = self.yielding(then);
                after(then, self.yielding(else_))
            }
            Op::Loop(it) => {
                let cost = self.looped(stmt, it);
                after(Some(cost), self.handed_on(stmt, &it.init))
            }
            Op::Kernel(kernel) => Some(self.kernel(stmt, kernel)),
        }
    }

    fn is_array(&self, var: Var) -> bool {
        self.function.vars[var.index()].is_array()
    }

    /// What is copied where `at` changes `atoms` or keeps them.
    fn handed_on<T>(&mut self, at: &T, atoms: &[Atom]) -> Option<Cost> {
        let mut cost = None;
        for atom in atoms {
            if let Atom::Var(var) = atom
                && self.is_array(*var)
                && (self.sizes.is_param(*var) || !self.last.is_last(at, *var))
            {
                let copied = self.sizes.elements(*var);
                cost.get_or_insert_with(Cost::constant).copy(&copied);
            }
        }
        cost
    }

    /// Trips follow each other, and use the same space.
    fn looped(&mut self, stmt: &'f Stmt, it: &'f Loop) -> Cost {
        // What counts is known from the bodies.
        for stmt in it.cond.stmts.iter().chain(&it.body.stmts) {
            self.sizes.define(stmt);
        }
        let counter = self.sizes.enter_loop(it);
        let cond = self.body(&it.cond);
        let trip = after(cond, self.yielding(&it.body));
        let trips = match counter {
            Some((_, limit)) => self.sizes.bound(limit),
            None => Expr::of(self.sizes.symbols.unknown(Unknown::Trips, stmt.src)),
        };
        let Some(trip) = trip else {
            return Cost {
                depth: trips.clone(),
                work: trips,
                ..Cost::constant()
            };
        };
        let Some((counter, _)) = counter else {
            return Cost {
                work: trip.work.times(&trips),
                depth: trip.depth.times(&trips),
                ..trip
            };
        };
        let symbols = &mut self.sizes.symbols;
        Cost {
            work: symbols.sum_over(&trip.work, counter, &trips),
            depth: symbols.sum_over(&trip.depth, counter, &trips),
            sequential: symbols.most_over(&trip.sequential, counter),
            parallel: symbols.most_over(&trip.parallel, counter),
        }
    }

    /// All indices may run together; their elements go into the sink.
    fn kernel(&mut self, stmt: &'f Stmt, kernel: &'f Kernel) -> Cost {
        self.sizes.enter(kernel);
        let extent = self.sizes.product(&kernel.extents);
        let element = self.body(&kernel.body);
        let element = after(element, self.rows(kernel));
        let element = after(element, self.combined(&kernel.sink));
        let mut cost = match element {
            None => Cost {
                work: extent.clone(),
                parallel: extent.clone(),
                ..Cost::constant()
            },
            Some(element) => self.each(&element, kernel.index, &extent),
        };
        self.sink(stmt, kernel, &extent, &mut cost);
        for out in &stmt.outs {
            if self.is_array(*out) && !self.function.is_strip(*out) {
                cost.keep(&self.sizes.elements(*out));
            }
        }
        cost
    }

    /// All values of an index together.
    fn each(&mut self, element: &Cost, index: Var, extent: &Expr) -> Cost {
        let symbols = &mut self.sizes.symbols;
        Cost {
            work: symbols.sum_over(&element.work, index, extent),
            depth: symbols.most_over(&element.depth, index),
            sequential: symbols.most_over(&element.sequential, index),
            parallel: symbols.sum_over(&element.parallel, index, extent),
        }
    }

    /// Arrays that a body gives for each index are written once more if they are of outside.
    fn rows(&mut self, kernel: &Kernel) -> Option<Cost> {
        let mut cost = None;
        for result in &kernel.body.results {
            if let Atom::Var(var) = result
                && self.is_array(*var)
            {
                let written = self.sizes.elements(*var);
                cost.get_or_insert_with(Cost::constant).work.add(&written);
            }
        }
        cost
    }

    /// What combining two elements costs.
    fn combined(&mut self, sink: &'f Sink) -> Option<Cost> {
        match sink {
            Sink::Reduce { combine, .. } | Sink::Scan { combine, .. } => self.body(&combine.body),
            Sink::Write
            | Sink::Rows { .. }
            | Sink::Pack
            | Sink::Keep
            | Sink::Join
            | Sink::Fold { .. }
            | Sink::Sort(_)
            | Sink::Scatter { .. }
            | Sink::Append { .. } => None,
        }
    }

    /// Adds what a sink does one after the other, or once.
    fn sink(&mut self, stmt: &'f Stmt, kernel: &'f Kernel, extent: &Expr, cost: &mut Cost) {
        match &kernel.sink {
            Sink::Fold { step, .. } => {
                let step = self.body(step).unwrap_or_else(Cost::constant);
                let (index, symbols) = (kernel.index, &mut self.sizes.symbols);
                cost.then(&Cost {
                    work: symbols.sum_over(&step.work, index, extent),
                    depth: symbols.sum_over(&step.depth, index, extent),
                    sequential: symbols.most_over(&step.sequential, index),
                    parallel: symbols.most_over(&step.parallel, index),
                });
            }
            Sink::Scatter { into, .. } | Sink::Append { into } => {
                let into: Vec<Atom> = into.iter().copied().map(Atom::Var).collect();
                if let Some(copied) = self.handed_on(stmt, &into) {
                    cost.then(&copied);
                }
            }
            Sink::Sort(SortOf::At(..)) => cost.keep(extent),
            Sink::Sort(SortOf::Keys(_) | SortOf::Elements(_)) => {
                let passes = self.sizes.symbols.log(extent);
                cost.work.add(&extent.times(&passes));
                cost.keep(extent);
            }
            Sink::Write
            | Sink::Rows { .. }
            | Sink::Pack
            | Sink::Keep
            | Sink::Join
            | Sink::Reduce { .. }
            | Sink::Scan { .. } => {}
        }
    }
}

/// One after the other.
fn after(first: Option<Cost>, second: Option<Cost>) -> Option<Cost> {
    match (first, second) {
        (Some(mut first), Some(second)) => {
            first.then(&second);
            Some(first)
        }
        (first, second) => first.or(second),
    }
}
