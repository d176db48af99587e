//! What `#[fast]` allows: a product and a sum as one operation.
//!
//! In, out: a fused function. Sums of products that `#[fast]` functions compute have become fused
//! operations; a product that nobody else uses is left for [`sweep`](super::sweep) to remove.
//! Assumes SSA.
//!
//! Note [Checked values]. The hot path fuses where the processor can; the cold re-run, which looks
//! for the check that was violated, does not. So what a check looks at, and what decides whether it
//! is reached, is computed as written: otherwise the re-run might not find the violation.

mod checked;

use crate::fused::ir::{Body, Function, Kernel, Layout, Op, Stmt, VarInfo};
use crate::ids::Var;
use crate::prims::{FastOp, ScalarOp};
use crate::shaped::ir::{Atom, VarType};
use crate::source::SrcSpan;
use std::collections::{HashMap, HashSet};

/// Products that a sum may consist of, to be put together in another order.
const MOST_PRODUCTS: usize = 8;

/// Fuses operations of a function.
pub fn contract(function: &mut Function) {
    if !function.vars.iter().any(|info| info.fast) {
        return;
    }
    let mut pass = Contract {
        as_written: checked::values(&function.body),
        uses: checked::uses(&function.body),
        vars: &mut function.vars,
        scope: Scope::default(),
    };
    pass.body(&mut function.body);
}

/// Whether a body has such operations.
pub fn is_fast(body: &Body) -> bool {
    body.stmts.iter().any(|stmt| {
        matches!(stmt.op, Op::Scalar(ScalarOp::Fast(_), _))
            || checked::bodies(stmt).into_iter().any(is_fast)
    })
}

struct Contract<'a> {
    vars: &'a mut Vec<VarInfo>,
    /// See Note [Checked values].
    as_written: HashSet<Var>,
    uses: HashMap<Var, usize>,
    scope: Scope,
}

/// What is known inside a kernel or a loop: what crosses its border stays one value.
#[derive(Default)]
struct Scope {
    /// Variables that are sums of products.
    sums: HashMap<Var, Vec<[Atom; 2]>>,
    /// All that is defined in it.
    own: HashSet<Var>,
}

impl Contract<'_> {
    fn body(&mut self, body: &mut Body) {
        let mut stmts = Vec::with_capacity(body.stmts.len());
        for mut stmt in std::mem::take(&mut body.stmts) {
            self.stmt(&mut stmt, &mut stmts);
            self.scope.own.extend(&stmt.outs);
            stmts.push(stmt);
        }
        body.stmts = stmts;
    }

    /// Rewrites a statement; what it needs besides goes to `before`.
    fn stmt(&mut self, stmt: &mut Stmt, before: &mut Vec<Stmt>) {
        match &mut stmt.op {
            Op::Scalar(op, args) => {
                let out = stmt.outs[0];
                if let Some((fused, operands)) = self.scalar(out, *op, args, stmt.src, before) {
                    (*op, *args) = (fused, operands);
                }
            }
            Op::If { then, else_, .. } => {
                self.body(then);
                self.body(else_);
            }
            Op::Loop(it) => {
                let outer = self.enter(&it.params);
                self.body(&mut it.cond);
                self.body(&mut it.body);
                self.scope = outer;
            }
            Op::Kernel(kernel) => self.kernel(kernel),
            Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. } => {}
        }
    }

    /// Operators and steps of folds are left alone: they are compiled once for all processors.
    fn kernel(&mut self, kernel: &mut Kernel) {
        let outer = self.enter(&[kernel.index]);
        self.body(&mut kernel.body);
        self.scope = outer;
    }

    fn enter(&mut self, params: &[Var]) -> Scope {
        let own = params.iter().copied().collect();
        let sums = HashMap::new();
        std::mem::replace(&mut self.scope, Scope { sums, own })
    }

    /// The operation that computes `out` instead, if there is one.
    fn scalar(
        &mut self,
        out: Var,
        op: ScalarOp,
        args: &[Atom],
        src: SrcSpan,
        before: &mut Vec<Stmt>,
    ) -> Option<(ScalarOp, Vec<Atom>)> {
        if !self.vars[out.index()].is_fast_float() {
            return None;
        }
        match (op, args) {
            (ScalarOp::Mul, &[a, b]) => {
                self.scope.sums.insert(out, vec![[a, b]]);
                None
            }
            (ScalarOp::Add, &[a, b]) if !self.as_written.contains(&out) => {
                self.sum(out, a, b).or_else(|| {
                    let ordered = self.onto(a, b, src, before);
                    ordered.or_else(|| self.onto(b, a, src, before))
                })
            }
            (ScalarOp::Sub, &[a, b]) if !self.as_written.contains(&out) => self.difference(a, b),
            _other => None,
        }
    }

    /// `a + b` where one of them is a product; where both are, one that is used elsewhere too stays.
    fn sum(&mut self, out: Var, a: Atom, b: Atom) -> Option<(ScalarOp, Vec<Atom>)> {
        let (first, second) = match (self.product(a), self.product(b)) {
            (Some(_), Some(_)) if !self.is_used_once(b) => (b, a),
            (_, Some(_)) => (a, b),
            (Some(_), None) => (b, a),
            (None, None) => return None,
        };
        let [x, y] = self.product(second)?;
        if let Some(products) = self.products(first)
            && (products.len() == 1 || self.is_used_once(first))
            && products.len() < MOST_PRODUCTS
        {
            let all = products.iter().copied().chain([[x, y]]).collect();
            self.scope.sums.insert(out, all);
        }
        Some((ScalarOp::Fast(FastOp::MulAdd), vec![x, y, first]))
    }

    /// `sum + start`, where `sum` is several products and `start` was there before the kernel or
    /// loop: with `start` in front, the first product is no operation of its own.
    fn onto(
        &mut self,
        sum: Atom,
        start: Atom,
        src: SrcSpan,
        before: &mut Vec<Stmt>,
    ) -> Option<(ScalarOp, Vec<Atom>)> {
        let is_own = matches!(start, Atom::Var(var) if self.scope.own.contains(&var));
        if is_own || !self.is_used_once(sum) {
            return None;
        }
        let products = self.products(sum)?.to_vec();
        let ([x, y], others) = products.split_last()?;
        let ty = self.vars[var(sum)?.index()].clone();
        let mut all = start;
        for [x, y] in others {
            let out = Var::next(self.vars);
            self.vars.push(ty.clone());
            self.scope.own.insert(out);
            before.push(Stmt {
                outs: vec![out],
                op: Op::Scalar(ScalarOp::Fast(FastOp::MulAdd), vec![*x, *y, all]),
                src,
            });
            all = Atom::Var(out);
        }
        Some((ScalarOp::Fast(FastOp::MulAdd), vec![*x, *y, all]))
    }

    fn difference(&self, a: Atom, b: Atom) -> Option<(ScalarOp, Vec<Atom>)> {
        if let Some([x, y]) = self.product(b) {
            return Some((ScalarOp::Fast(FastOp::SubMul), vec![x, y, a]));
        }
        let [x, y] = self.product(a)?;
        Some((ScalarOp::Fast(FastOp::MulSub), vec![x, y, b]))
    }

    fn products(&self, sum: Atom) -> Option<&[[Atom; 2]]> {
        self.scope.sums.get(&var(sum)?).map(Vec::as_slice)
    }

    /// The factors of a product.
    fn product(&self, atom: Atom) -> Option<[Atom; 2]> {
        match self.products(atom)? {
            [factors] => Some(*factors),
            _several => None,
        }
    }

    fn is_used_once(&self, atom: Atom) -> bool {
        var(atom).is_some_and(|var| self.uses.get(&var) == Some(&1))
    }
}

impl VarInfo {
    /// Whether it is a float that a `#[fast]` function computes.
    pub(super) fn is_fast_float(&self) -> bool {
        let float = matches!(&self.ty, Layout::Plain(VarType::Scalar(ty)) if ty.is_float());
        self.fast && float
    }
}

fn var(atom: Atom) -> Option<Var> {
    match atom {
        Atom::Var(var) => Some(var),
        Atom::Const(_) => None,
    }
}
