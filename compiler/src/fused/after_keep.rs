//! What is computed of the values that a kernel keeps, by that kernel.
//!
//! In, out: a fused function. A cheap function of kept values is computed of all, and its values are
//! kept instead (`xs.filter(p).map(f)`), packed where that is how they leave the function; a reduction of
//! them that gives the same in any order reduces all, with neutral elements in the place of those that are
//! not kept (`xs.filter(p).map(f).sum()`).
//! Assumes that scalar operations are total: what is not kept has a value too, which nobody sees.
//!
//! Note [Reductions of what is kept]: which of its accumulators a number goes to depends on its place
//! among those that are kept, so a sum of floats is left as it is: its bits would be others. Sums of
//! whole numbers, which wrap, and other operators that are exact are not.

use crate::fused::cost::scalar_cost;
use crate::fused::fast::bodies;
use crate::fused::ir::{Body, Combine, Function, Kernel, Layout, Op, Sink, Stmt, VarInfo};
use crate::fused::keep::{Facts, MOST};
use crate::fused::together::rename;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::{Atom, VarType};
use crate::source::SrcSpan;
use crate::typed::ir::Const;

/// Up to this cost a value is computed whether it is kept or not: so much the kernel takes for each
/// that it looks at.
pub(super) const CHEAP: u32 = 8;

/// Finds such kernels in the whole function; whether it has changed.
pub(super) fn after_keep(function: &mut Function) -> bool {
    if !has_keep(&function.body) {
        return false;
    }
    let mut found = AfterKeep {
        facts: Facts::of(&function.vars, &function.body),
        new: Vec::new(),
        changed: false,
    };
    found.body(&mut function.body);
    let AfterKeep { new, changed, .. } = found;
    function.vars.extend(new);
    changed
}

fn has_keep(body: &Body) -> bool {
    body.stmts.iter().any(|stmt| {
        matches!(&stmt.op, Op::Kernel(kernel) if matches!(kernel.sink, Sink::Keep))
            || bodies(stmt).into_iter().any(has_keep)
    })
}

struct AfterKeep<'f> {
    facts: Facts<'f>,
    /// Variables beside those of the function.
    new: Vec<VarInfo>,
    changed: bool,
}

/// A kernel that keeps values, and one that alone reads these, in order.
struct Pair<'k> {
    kept: &'k Stmt,
    keep: &'k Kernel,
    reader: &'k Stmt,
    read: &'k Kernel,
    /// How many values are kept, as the reader's extent has it.
    extent: Var,
}

impl AfterKeep<'_> {
    fn body(&mut self, body: &mut Body) {
        for stmt in &mut body.stmts {
            for body in stmt.op.bodies_mut() {
                self.body(body);
            }
        }
        let mut at = 0;
        while at < body.stmts.len() {
            if let Some((stmt, reader)) = self.joined(&body.stmts, at) {
                body.stmts[at] = stmt;
                body.stmts.remove(reader);
                self.changed = true;
            }
            at += 1;
        }
    }

    /// The kernel at `at` with what reads all that it keeps, and where that stands.
    fn joined(&mut self, stmts: &[Stmt], at: usize) -> Option<(Stmt, usize)> {
        let kept = &stmts[at];
        let keep = kernel(kept).filter(|it| matches!(it.sink, Sink::Keep))?;
        let (count, values) = kept.outs.split_last()?;
        let reads = |stmt: &Stmt| values.iter().any(|value| mentions_array(stmt, *value));
        let reader = at + 1 + stmts[at + 1..].iter().position(reads)?;
        let read = kernel(&stmts[reader])?;
        let [Atom::Var(extent)] = read.extents.as_slice() else {
            return None;
        };
        let pair = Pair {
            kept,
            keep,
            reader: &stmts[reader],
            read,
            extent: *extent,
        };
        let between = &stmts[at + 1..reader];
        // What the joined kernel cannot know, since it is computed of how many values it keeps, or behind it.
        let later = between.iter().flat_map(|it| &it.outs).chain([count]);
        let later: HashSet<Var> = later.copied().collect();
        let counts = *extent == *count || self.facts.is_cast(*extent, *count);
        // What stands between may be anything, since the reader reads nothing but the values, once.
        let fits =
            counts && !self.facts.mentions(&read.body, &later) && self.reads_alone(&pair, values);
        if !fits {
            return None;
        }
        let stmt = match &read.sink {
            Sink::Write if read.body.results.len() <= MOST => pair.written(*count),
            // However many components it has, a packed element is one value.
            Sink::Pack => pair.written(*count),
            Sink::Reduce { init, combine }
                if self.is_exact(combine, init)
                    && !init
                        .iter()
                        .any(|it| matches!(it, Atom::Var(var) if later.contains(var))) =>
            {
                self.reduced(&pair, init, combine)
            }
            _other => return None,
        };
        Some((stmt, reader))
    }

    /// Whether the reader computes cheap scalars of the values at its own index, and nobody else reads
    /// these.
    fn reads_alone(&self, pair: &Pair<'_>, values: &[Var]) -> bool {
        let read = pair.read;
        let (mut reads, mut cost) = (0, 0);
        for stmt in &read.body.stmts {
            match &stmt.op {
                Op::Read { array, index }
                    if values.contains(array) && *index == Atom::Var(read.index) =>
                {
                    reads += 1;
                }
                Op::Scalar(op, args) => cost += scalar_cost(*op, self.scalar(args)),
                _other => return false,
            }
        }
        let uses = |var: &Var| self.facts.uses.get(var).copied().unwrap_or(0);
        !read.nest
            && cost <= CHEAP
            && uses(&read.index) == reads
            && values.iter().map(uses).sum::<usize>() == reads
    }

    /// The type of an operation on these.
    fn scalar(&self, args: &[Atom]) -> Option<Scalar> {
        args.first().and_then(|it| match it {
            Atom::Const(it) => Some(it.ty),
            Atom::Var(var) => scalar(&self.facts.vars[var.index()]),
        })
    }

    /// Whether an operator gives the same bits in any order.
    fn is_exact(&self, combine: &Combine, init: &[Atom]) -> bool {
        let operands = combine.left.iter().zip(&combine.right);
        let steps = combine.body.stmts.iter().zip(&combine.body.results);
        combine.neutral.is_some()
            && !combine.goes_on
            && combine.body.stmts.len() == init.len()
            && operands.zip(steps).all(|((left, right), (stmt, result))| {
                let exact = scalar(&self.facts.vars[left.index()]).is_some_and(|it| !it.is_float());
                *result == Atom::Var(stmt.outs[0])
                    && exact
                    && matches!(&stmt.op, Op::Scalar(op, args)
                        if is_associative(*op) && *args == [Atom::Var(*left), Atom::Var(*right)])
            })
    }

    /// A reduction of all values, those that are not kept being neutral; with how many are, if anybody
    /// asks for that.
    fn reduced(&mut self, pair: &Pair<'_>, init: &[Atom], combine: &Combine) -> Stmt {
        let mut body = pair.body();
        let neutral = combine.neutral.as_deref().unwrap_or_default();
        let results = body.results.split_off(1);
        let flag = body.results[0];
        let chosen = results.iter().zip(neutral).map(|(value, neutral)| {
            let args = vec![flag, *value, Atom::Const(*neutral)];
            self.computed(
                &mut body,
                neutral.ty,
                ScalarOp::Select,
                args,
                pair.reader.src,
            )
        });
        let chosen: Vec<Atom> = chosen.collect();
        let (mut init, mut combine, mut outs) =
            (init.to_vec(), combine.clone(), pair.reader.outs.clone());
        body.results = chosen;
        if let Some(count) = self.count(pair) {
            let src = pair.kept.src;
            let one = self.computed(&mut body, Scalar::I64, ScalarOp::Cast, vec![flag], src);
            body.results.push(one);
            init.push(Atom::Const(ZERO));
            self.and_sum(&mut combine, src);
            outs.push(count);
        }
        let kernel = Kernel {
            body,
            sink: Sink::Reduce { init, combine },
            ..pair.kernel()
        };
        Stmt {
            outs,
            op: Op::Kernel(kernel),
            ..pair.reader.clone()
        }
    }

    /// How many values are kept, if more than the reader's extent says so.
    fn count(&self, pair: &Pair<'_>) -> Option<Var> {
        let count = *pair.kept.outs.last()?;
        let once = |var: Var| self.facts.uses.get(&var) == Some(&1);
        let unread = once(count) && once(pair.extent);
        (!unread).then_some(count)
    }

    /// An operator, beside a sum.
    fn and_sum(&mut self, combine: &mut Combine, src: SrcSpan) {
        let [left, right] = [(); 2].map(|()| self.fresh(Scalar::I64, src));
        combine.left.push(left);
        combine.right.push(right);
        let args = vec![Atom::Var(left), Atom::Var(right)];
        let sum = self.computed(&mut combine.body, Scalar::I64, ScalarOp::Add, args, src);
        combine.body.results.push(sum);
        if let Some(neutral) = &mut combine.neutral {
            neutral.push(ZERO);
        }
    }

    /// Adds an operation to a body.
    fn computed(
        &mut self,
        body: &mut Body,
        ty: Scalar,
        op: ScalarOp,
        args: Vec<Atom>,
        src: SrcSpan,
    ) -> Atom {
        let out = self.fresh(ty, src);
        let (outs, op) = (vec![out], Op::Scalar(op, args));
        body.stmts.push(Stmt { outs, op, src });
        Atom::Var(out)
    }

    fn fresh(&mut self, ty: Scalar, src: SrcSpan) -> Var {
        let ty = Layout::Plain(VarType::Scalar(ty));
        let Var(next) = Var::next(self.facts.vars);
        let var = Var(next + self.new.len() as u32);
        let fast = false;
        self.new.push(VarInfo { ty, fast, src });
        var
    }
}

const ZERO: Const = Const {
    ty: Scalar::I64,
    bits: 0,
};

impl Pair<'_> {
    /// What the first computes, and then the second: whether to keep, and the second's results.
    fn body(&self) -> Body {
        let mut second = self.read.body.clone();
        let mut names: HashMap<Var, Atom> = HashMap::default();
        for stmt in &second.stmts {
            if let Op::Read { array, .. } = &stmt.op
                && let Some(at) = self.kept.outs.iter().position(|out| out == array)
            {
                names.insert(stmt.outs[0], self.keep.body.results[at + 1]);
            }
        }
        second
            .stmts
            .retain(|stmt| !matches!(stmt.op, Op::Read { .. }));
        rename(&mut second, &names);
        let mut body = self.keep.body.clone();
        body.stmts.extend(second.stmts);
        body.results.truncate(1);
        body.results.extend(second.results);
        body
    }

    /// The first kernel, as a part of which both constructs count.
    fn kernel(&self) -> Kernel {
        let mut kernel = self.keep.clone();
        kernel.parts.extend(&self.read.parts);
        kernel
    }

    /// A kernel that keeps what the second computes.
    fn written(&self, count: Var) -> Stmt {
        let mut outs = self.reader.outs.clone();
        outs.push(count);
        let kernel = Kernel {
            body: self.body(),
            ..self.kernel()
        };
        Stmt {
            outs,
            op: Op::Kernel(kernel),
            ..self.reader.clone()
        }
    }
}

fn kernel(stmt: &Stmt) -> Option<&Kernel> {
    match &stmt.op {
        Op::Kernel(kernel) => Some(kernel),
        _other => None,
    }
}

/// Whether a statement, or one inside of it, reads an array or hands it on.
fn mentions_array(stmt: &Stmt, array: Var) -> bool {
    let is_it = |atom: &Atom| *atom == Atom::Var(array);
    crate::fused::fast::operands(stmt).iter().any(is_it)
        || bodies(stmt).into_iter().any(|body| {
            body.results.iter().any(is_it)
                || body.stmts.iter().any(|stmt| mentions_array(stmt, array))
        })
}

fn scalar(info: &VarInfo) -> Option<Scalar> {
    match &info.ty {
        Layout::Plain(VarType::Scalar(scalar)) => Some(*scalar),
        Layout::Plain(VarType::Array(_)) | Layout::Component { .. } | Layout::Packed { .. } => None,
    }
}

/// Whether an operation on whole numbers or truth values gives the same in any order.
fn is_associative(op: ScalarOp) -> bool {
    matches!(
        op,
        ScalarOp::Add
            | ScalarOp::Mul
            | ScalarOp::BitAnd
            | ScalarOp::BitOr
            | ScalarOp::BitXor
            | ScalarOp::Min
            | ScalarOp::Max
    )
}
