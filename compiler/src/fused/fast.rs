//! What `#[fast]` allows: a product and a sum as one operation, reciprocals of square roots, and
//! functions that are made of such operations.
//!
//! In, out: a fused function. Sums of products that `#[fast]` functions compute have become fused
//! operations, quotients by square roots products, `exp` and `ln` those of fused operations; what nobody else uses is left for
//! [`sweep`](super::sweep) to remove. Assumes SSA.
//!
//! Note [Checked values]. The hot path fuses where the processor can; the cold re-run, which looks
//! for the check that was violated, does not. So what a check looks at, and what decides whether it
//! is reached, is computed as written: otherwise the re-run might not find the violation.

mod checked;
mod terms;

pub(super) use checked::{bodies, given_inside, operands};
pub use terms::{Term, terms};

use crate::fused::ir::{Body, Function, Kernel, Layout, Op, Stmt, VarInfo};
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::{FastOp, MathsFn, Method, ScalarOp};
use crate::shaped::ir::{Atom, VarType};
use crate::source::SrcSpan;
use crate::typed::ir::Const;

/// Products that a sum may consist of, to be put together in another order.
const MOST_PRODUCTS: usize = 8;

/// Fuses operations of a function; what has to be computed as written loses its mark.
pub fn contract(function: &mut Function) -> bool {
    if !function.vars.iter().any(|info| info.fast) {
        return false;
    }
    let mut pass = Contract {
        as_written: checked::values(&function.body),
        uses: checked::uses(&function.body),
        vars: &mut function.vars,
        scope: Scope::default(),
    };
    pass.body(&mut function.body);
    let as_written = pass.as_written;
    as_written
        .into_iter()
        .for_each(|var| function.vars[var.index()].fast = false);
    true
}

/// Whether a body has such operations, or sums that take products as they are.
pub fn is_fast(body: &Body, vars: &[VarInfo]) -> bool {
    body.stmts.iter().any(|stmt| {
        matches!(stmt.op, Op::Scalar(ScalarOp::Fast(_), _))
            || matches!(&stmt.op, Op::Kernel(kernel) if terms(kernel, vars).is_some())
            || checked::bodies(stmt).iter().any(|body| is_fast(body, vars))
    })
}

/// Whether a body, or a kernel in it, has operations that take estimates.
pub fn estimates(body: &Body) -> bool {
    body.stmts.iter().any(|stmt| {
        matches!(
            stmt.op,
            Op::Scalar(ScalarOp::Fast(FastOp::Rsqrt | FastOp::OverCube), _)
        ) || checked::bodies(stmt).into_iter().any(estimates)
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
    /// Square roots: of what.
    roots: HashMap<Var, Atom>,
    /// Reciprocal square roots, by what they are of.
    reciprocals: HashMap<Atom, Var>,
    /// Whether this is the straight part of a body that runs in blocks of lanes, where estimates
    /// pay: in a loop they would be functions of whole blocks in each trip.
    straight: bool,
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
                for branch in [then, else_] {
                    let known = self.scope.reciprocals.clone();
                    self.body(branch);
                    self.scope.reciprocals = known;
                }
            }
            Op::Loop(it) => {
                let outer = self.enter(&it.params, false);
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
        let outer = self.enter(&[kernel.index], !kernel.nest);
        self.body(&mut kernel.body);
        self.scope = outer;
    }

    fn enter(&mut self, params: &[Var], straight: bool) -> Scope {
        let scope = Scope {
            own: params.iter().copied().collect(),
            straight,
            ..Scope::default()
        };
        std::mem::replace(&mut self.scope, scope)
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
        let written = self.as_written.contains(&out);
        match (op, args) {
            (ScalarOp::Mul, &[a, b]) => {
                self.scope.sums.insert(out, vec![[a, b]]);
                None
            }
            (ScalarOp::Sqrt, &[a]) => {
                self.scope.roots.insert(out, a);
                None
            }
            (ScalarOp::Div, &[a, b]) if !written && self.scope.straight => {
                self.quotient(out, a, b, src, before)
            }
            (ScalarOp::Method(Method::Recip), &[b]) if !written && self.scope.straight => {
                let one = self.one(out)?;
                self.quotient(out, one, b, src, before)
            }
            (ScalarOp::Add, &[a, b]) if !written => self.sum(out, a, b).or_else(|| {
                let ordered = self.onto(a, b, src, before);
                ordered.or_else(|| self.onto(b, a, src, before))
            }),
            (ScalarOp::Sub, &[a, b]) if !written => self.difference(a, b),
            (ScalarOp::Maths(function), &[a]) if !written => {
                Some((ScalarOp::Fast(of_fused(function)?), vec![a]))
            }
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
        let like = var(sum)?;
        let mut all = start;
        for [x, y] in others {
            let op = ScalarOp::Fast(FastOp::MulAdd);
            all = self.value(like, op, vec![*x, *y, all], src, before);
        }
        Some((ScalarOp::Fast(FastOp::MulAdd), vec![*x, *y, all]))
    }

    /// `a / b` where square roots are factors of `b`: with their reciprocals as factors instead.
    fn quotient(
        &mut self,
        out: Var,
        a: Atom,
        b: Atom,
        src: SrcSpan,
        before: &mut Vec<Stmt>,
    ) -> Option<(ScalarOp, Vec<Atom>)> {
        let mut divisors = Vec::new();
        self.factors(b, &mut divisors);
        let roots = divisors.iter().filter_map(|it| self.root(*it));
        let roots: Vec<Atom> = roots.collect();
        if roots.is_empty() {
            return None;
        }
        if let &[x, y] = &divisors[..]
            && let Some(of) = self.cubed_root(x, y)
        {
            return Some((ScalarOp::Fast(FastOp::OverCube), vec![a, of]));
        }
        let mut factors = Vec::new();
        let mut rest = Vec::new();
        for divisor in divisors {
            match self.root(divisor) {
                Some(of) => factors.push(self.reciprocal(out, of, src, before)),
                // The square of a reciprocal that there is anyway.
                None if roots.contains(&divisor) => {
                    factors.extend([self.reciprocal(out, divisor, src, before); 2]);
                }
                None => rest.push(divisor),
            }
        }
        if let Some((first, others)) = rest.split_first() {
            let all = self.times(out, a, &factors, src, before);
            let divisor = self.times(out, *first, others, src, before);
            return Some((ScalarOp::Div, vec![all, divisor]));
        }
        let (last, others) = factors.split_last()?;
        let all = self.times(out, a, others, src, before);
        if matches!(all, Atom::Var(_)) {
            self.scope.sums.insert(out, vec![[all, *last]]);
        }
        Some((ScalarOp::Mul, vec![all, *last]))
    }

    /// `a` times one factor after the other, whose own product may be too large where all this is not.
    fn times(
        &mut self,
        like: Var,
        a: Atom,
        factors: &[Atom],
        src: SrcSpan,
        before: &mut Vec<Stmt>,
    ) -> Atom {
        factors.iter().fold(a, |all, it| {
            self.value(like, ScalarOp::Mul, vec![all, *it], src, before)
        })
    }

    /// 1 of the type of `like`.
    fn one(&self, like: Var) -> Option<Atom> {
        let Layout::Plain(VarType::Scalar(ty)) = &self.vars[like.index()].ty else {
            return None;
        };
        let bits = ty.float_bits(1.0);
        Some(Atom::Const(Const { ty: *ty, bits }))
    }

    /// What `atom` is a product of, as far as nobody else uses it.
    fn factors(&self, atom: Atom, out: &mut Vec<Atom>) {
        match self.product(atom) {
            Some(factors) if self.is_used_once(atom) => {
                factors.iter().for_each(|it| self.factors(*it, out));
            }
            Some(_) | None => out.push(atom),
        }
    }

    /// Of which number a product of two is the square root's cube, if nobody else needs the root: its
    /// reciprocal would be there for both.
    fn cubed_root(&self, x: Atom, y: Atom) -> Option<Atom> {
        let is_cubed =
            |(of, root): &(Atom, Atom)| self.root(*root) == Some(*of) && self.is_used_once(*root);
        let (of, _) = [(x, y), (y, x)].into_iter().find(is_cubed)?;
        (!self.scope.reciprocals.contains_key(&of)).then_some(of)
    }

    fn root(&self, atom: Atom) -> Option<Atom> {
        self.scope.roots.get(&var(atom)?).copied()
    }

    fn reciprocal(&mut self, like: Var, of: Atom, src: SrcSpan, before: &mut Vec<Stmt>) -> Atom {
        if let Some(known) = self.scope.reciprocals.get(&of) {
            return Atom::Var(*known);
        }
        let op = ScalarOp::Fast(FastOp::Rsqrt);
        let out = self.value(like, op, vec![of], src, before);
        self.scope.reciprocals.extend(var(out).map(|out| (of, out)));
        out
    }

    /// The result of an operation, of the type of `like`.
    fn value(
        &mut self,
        like: Var,
        op: ScalarOp,
        args: Vec<Atom>,
        src: SrcSpan,
        before: &mut Vec<Stmt>,
    ) -> Atom {
        let out = Var::next(self.vars);
        self.vars.push(self.vars[like.index()].clone());
        self.scope.own.insert(out);
        before.push(Stmt {
            outs: vec![out],
            op: Op::Scalar(op, args),
            src,
        });
        Atom::Var(out)
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

/// The function made of fused operations, if there is one.
fn of_fused(function: MathsFn) -> Option<FastOp> {
    match function {
        MathsFn::Exp => Some(FastOp::Exp),
        MathsFn::Ln => Some(FastOp::Ln),
        _as_written => None,
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
