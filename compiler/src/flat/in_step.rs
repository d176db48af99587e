//! Short reductions that all indices of an operation make in step.
//!
//! In: the body of an operation inside of another one's, and its index. Out: the same body, where a
//! reduction may have become a loop of scalars. Assumes that variables are assigned once.
//!
//! Note \[In step\]. Whether a word begins at each place of a line, `windows(k).map(all equal)`, is a
//! reduction of `k` elements per place. Run once per place, it fills no lanes, since `k` is small; but
//! at step `j` all places read neighbours, `line[i + j]`, or one element for all, `word[j]`. So the
//! reduction becomes a loop over `j` whose lanes are places: the body is scalar, and whatever counts
//! its results takes it in. That is done where the operator gives the same in any order (integers and
//! `bool`, but for checked sums), the number of steps is the same for all indices, nothing can fail, and
//! each read goes along with the index or does not depend on it. Operations that stand alone have
//! [lanes over columns](crate::emit::rust::columns) for that.

use crate::flat::ir::{Body, Combine, Consumer, Loop, Op, Repr, Seg, Stmt, VarInfo};
use crate::hash::HashMap;
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::{Atom, VarType};
use crate::source::SrcSpan;
use crate::typed::ir::Const;
use std::cell::RefCell;

/// The arrays that operations build, and how their elements are made.
#[derive(Default)]
pub struct Builders(HashMap<Var, (Body, Vec<Var>)>);

impl Builders {
    /// Notes what an operation builds of scalars alone.
    pub fn note(&mut self, outs: &[Var], op: &Op) {
        let Op::Seg(seg) = op else { return };
        let scalar = |stmt: &Stmt| matches!(stmt.op, Op::Scalar(..) | Op::Read { .. });
        if !matches!(seg.consumer, Consumer::Build) || !seg.body.stmts.iter().all(scalar) {
            return;
        }
        for out in outs {
            let indices = seg.space.levels.iter().map(|level| level.index);
            self.0.insert(*out, (seg.body.clone(), indices.collect()));
        }
    }

    fn get(&self, array: Var) -> Option<&(Body, Vec<Var>)> {
        self.0.get(&array)
    }
}

/// Makes reductions in a body that runs over `index` loops, see Note \[In step\].
pub fn in_step(body: &mut Body, index: Var, built: &Builders, vars: &mut Vec<VarInfo>) {
    for at in 0..body.stmts.len() {
        let Op::Seg(seg) = &body.stmts[at].op else {
            continue;
        };
        if let (Some(combine), true) = (exact(seg, vars), goes_along(body, seg, index, built)) {
            let src = body.stmts[at].src;
            let (op, counter) = as_loop(seg, &combine, vars, src);
            let stmt = &mut body.stmts[at];
            stmt.outs.insert(0, counter);
            stmt.op = op;
        }
    }
}

/// The operator of a reduction if it gives the same in any order, and cannot fail.
fn exact(seg: &Seg, vars: &[VarInfo]) -> Option<Combine> {
    let Consumer::Reduce { combine, .. } = &seg.consumer else {
        return None;
    };
    let one_each = combine.body.stmts.len() == combine.left.len();
    let all = combine.body.stmts.iter().all(|stmt| match &stmt.op {
        Op::Scalar(op, args) => {
            let is_float = args.iter().any(|arg| match arg {
                Atom::Const(it) => it.ty.is_float(),
                Atom::Var(var) => match &vars[var.index()].ty {
                    VarType::Scalar(scalar) => scalar.is_float(),
                    VarType::Array(_) => true,
                },
            });
            op.associates() && !is_float
        }
        _other => false,
    });
    (one_each && all && combine.neutral.is_some()).then(|| combine.clone())
}

/// Whether at each step of a reduction in `body` neighbours along `index` read neighbours, and nothing
/// but scalars comes of it.
fn goes_along(body: &Body, seg: &Seg, index: Var, built: &Builders) -> bool {
    let [level] = &seg.space.levels[..] else {
        return false;
    };
    let along = Along {
        steps: RefCell::new([(index, Some(1))].into_iter().collect()),
        made: made(body.stmts.iter().chain(&seg.body.stmts)),
        built,
        read: &RefCell::default(),
    };
    let same_extent = match level.extent.value {
        Atom::Const(_) => true,
        Atom::Var(var) => var != index && !along.made.contains_key(&var),
    };
    same_extent && along.reads(&seg.body) == Some(1)
}

fn made<'b>(stmts: impl Iterator<Item = &'b Stmt>) -> HashMap<Var, &'b Op> {
    stmts
        .flat_map(|stmt| stmt.outs.iter().map(move |out| (*out, &stmt.op)))
        .collect()
}

/// What has been found of arrays, for steps of their indices: several arrays may be made of one.
type Reads = HashMap<(Var, Vec<i64>), Option<i64>>;

/// How numbers grow from one index to the next.
struct Along<'b> {
    /// By how much indices do, if by the same anywhere, and what has been found of others.
    steps: RefCell<HashMap<Var, Option<i64>>>,
    /// What is made of them.
    made: HashMap<Var, &'b Op>,
    built: &'b Builders,
    read: &'b RefCell<Reads>,
}

impl Along<'_> {
    /// By how much a number grows, if by the same anywhere.
    fn step(&self, atom: Atom) -> Option<i64> {
        let Atom::Var(var) = atom else {
            return Some(0);
        };
        if let Some(step) = self.steps.borrow().get(&var) {
            return *step;
        }
        let step = self.step_of(self.made.get(&var).copied());
        self.steps.borrow_mut().insert(var, step);
        step
    }

    /// The same of what an operation gives, or something from outside.
    fn step_of(&self, op: Option<&Op>) -> Option<i64> {
        match op {
            None => Some(0),
            Some(Op::Scalar(op, args)) => {
                let steps = args.iter().map(|arg| self.step(*arg));
                match (op, &steps.collect::<Option<Vec<i64>>>()?[..]) {
                    (ScalarOp::Add, [a, b]) => Some(a + b),
                    (ScalarOp::Sub, [a, b]) => Some(a - b),
                    (_, steps) => steps.iter().all(|step| *step == 0).then_some(0),
                }
            }
            Some(Op::Read { array, index }) => (self.read(*array, index)? == 0).then_some(0),
            Some(_other) => None,
        }
    }

    /// How far apart in memory neighbours read an array: 0 or 1.
    fn read(&self, array: Var, index: &[Atom]) -> Option<i64> {
        let steps = index.iter().map(|it| self.step(*it));
        let steps = steps.collect::<Option<Vec<i64>>>()?;
        if let Some((body, indices)) = self.built.get(array) {
            let key = (array, steps);
            if let Some(found) = self.read.borrow().get(&key) {
                return *found;
            }
            let steps = key.1.iter().map(|step| Some(*step));
            let inside = Along {
                steps: RefCell::new(indices.iter().copied().zip(steps).collect()),
                made: made(body.stmts.iter()),
                ..*self
            };
            let found = inside.reads(body);
            self.read.borrow_mut().insert(key, found);
            return found;
        }
        let (last, others) = steps.split_last()?;
        let near = matches!(last, 0 | 1) && others.iter().all(|step| *step == 0);
        (near && !self.made.contains_key(&array)).then_some(*last)
    }

    /// The same for all reads of a body of scalars.
    fn reads(&self, body: &Body) -> Option<i64> {
        body.stmts.iter().try_fold(0, |most, stmt| match &stmt.op {
            Op::Scalar(..) => Some(most),
            Op::Read { array, index } => Some(most.max(self.read(*array, index)?)),
            Op::Check { .. }
            | Op::Len { .. }
            | Op::Literal(_)
            | Op::Update { .. }
            | Op::If { .. }
            | Op::Loop(_)
            | Op::Seg(_) => None,
        })
    }
}

/// A reduction as a loop that counts its steps, and the last count.
fn as_loop(seg: &Seg, combine: &Combine, vars: &mut Vec<VarInfo>, src: SrcSpan) -> (Op, Var) {
    let Consumer::Reduce { init, .. } = &seg.consumer else {
        unreachable!("it is a reduction")
    };
    let mut fresh = |scalar| {
        let var = Var::next(vars);
        vars.push(VarInfo {
            ty: VarType::Scalar(scalar),
            repr: Repr::Regular,
            fast: false,
            src,
        });
        var
    };
    let level = &seg.space.levels[0];
    let (goes_on, next) = (fresh(Scalar::Bool), fresh(Scalar::Usize));
    let number = |bits| {
        let ty = Scalar::Usize;
        Atom::Const(Const { ty, bits })
    };
    let scalar = |out, op, args| Stmt {
        outs: vec![out],
        op: Op::Scalar(op, args),
        src,
    };
    let counter = Atom::Var(level.index);
    let test = scalar(goes_on, ScalarOp::Lt, vec![counter, level.extent.value]);
    let count = scalar(next, ScalarOp::Add, vec![counter, number(1)]);
    let elements: HashMap<Var, Atom> = combine
        .right
        .iter()
        .copied()
        .zip(seg.body.results.iter().copied())
        .collect();
    let element = |atom: Atom| match atom {
        Atom::Var(var) => elements.get(&var).copied().unwrap_or(atom),
        Atom::Const(_) => atom,
    };
    let steps = combine.body.stmts.iter().map(|stmt| {
        let Op::Scalar(op, args) = &stmt.op else {
            unreachable!("the operator is exact")
        };
        let args = args.iter().map(|arg| element(*arg)).collect();
        scalar(stmt.outs[0], *op, args)
    });
    let stmts = seg.body.stmts.iter().cloned().chain(steps).chain([count]);
    let results = combine.body.results.iter().map(|it| element(*it));
    let op = Op::Loop(Loop {
        params: [level.index]
            .into_iter()
            .chain(combine.left.clone())
            .collect(),
        init: [number(0)]
            .into_iter()
            .chain(init.iter().copied())
            .collect(),
        cond: Body {
            stmts: vec![test],
            results: vec![Atom::Var(goes_on)],
        },
        body: Body {
            stmts: stmts.collect(),
            results: [Atom::Var(next)].into_iter().chain(results).collect(),
        },
    });
    (op, fresh(Scalar::Usize))
}
