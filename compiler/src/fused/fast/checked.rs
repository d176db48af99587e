//! What checks see: see Note [Checked values].
//!
//! In: the body of a fused function. Out: the variables that decide, directly or through others,
//! what a check looks at or whether it is reached. Also how often each variable is used.

use crate::fused::ir::{Body, Op, Sink, Stmt};
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::shaped::ir::Atom;

/// The variables on which a check depends.
pub(super) fn values(body: &Body) -> HashSet<Var> {
    let mut survey = Survey::default();
    survey.body(body);
    let mut found = HashSet::default();
    let mut open = survey.decisive;
    while let Some(atom) = open.pop() {
        if let Atom::Var(var) = atom
            && found.insert(var)
        {
            open.extend(survey.sources.get(&var).into_iter().flatten());
        }
    }
    found
}

/// How often each variable is mentioned.
pub(super) fn uses(body: &Body) -> HashMap<Var, usize> {
    let mut uses = HashMap::default();
    count(body, &mut uses);
    uses
}

fn count(body: &Body, uses: &mut HashMap<Var, usize>) {
    let stmts = body.stmts.iter();
    let mentioned = stmts.flat_map(operands).chain(body.results.iter().copied());
    for atom in mentioned {
        if let Atom::Var(var) = atom {
            *uses.entry(var).or_default() += 1;
        }
    }
    for stmt in &body.stmts {
        bodies(stmt).into_iter().for_each(|body| count(body, uses));
    }
}

#[derive(Default)]
struct Survey {
    /// What each variable is made of.
    sources: HashMap<Var, Vec<Atom>>,
    /// What checks look at, and what is around them.
    decisive: Vec<Atom>,
}

impl Survey {
    /// Whether the body checks anything.
    fn body(&mut self, body: &Body) -> bool {
        let mut any = false;
        for stmt in &body.stmts {
            let inside = bodies(stmt)
                .into_iter()
                .fold(false, |any, body| self.body(body) | any);
            let checks = inside || is_check(&stmt.op);
            if checks {
                self.decisive.extend(operands(stmt));
                self.decisive.extend(deciding(&stmt.op));
            }
            any |= checks;
            self.define(stmt);
        }
        any
    }

    fn define(&mut self, stmt: &Stmt) {
        match &stmt.op {
            Op::If { cond, then, else_ } => {
                let pairs = then.results.iter().zip(&else_.results);
                for (out, (a, b)) in stmt.outs.iter().zip(pairs) {
                    self.sources.insert(*out, vec![*cond, *a, *b]);
                }
            }
            Op::Loop(it) => {
                let pairs = it.init.iter().zip(&it.body.results);
                let named = it.params.iter().zip(&stmt.outs);
                for ((param, out), (init, next)) in named.zip(pairs) {
                    let from = vec![it.cond.results[0], *init, *next];
                    self.sources.insert(*param, from);
                    self.sources.insert(*out, vec![Atom::Var(*param)]);
                }
            }
            Op::Kernel(it) => {
                let results = bodies(stmt).into_iter().flat_map(|body| &body.results);
                let from: Vec<Atom> = operands(stmt).into_iter().chain(results.copied()).collect();
                let params = params(&it.sink);
                for var in stmt.outs.iter().chain(params) {
                    self.sources.insert(*var, from.clone());
                }
            }
            Op::Scalar(..)
            | Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. } => {
                let from = operands(stmt);
                let outs = stmt.outs.iter();
                self.sources.extend(outs.map(|out| (*out, from.clone())));
            }
        }
    }
}

fn is_check(op: &Op) -> bool {
    match op {
        Op::Check { .. } => true,
        Op::Kernel(it) => matches!(it.sink, Sink::Scatter { .. }),
        Op::Scalar(..)
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::If { .. }
        | Op::Loop(_) => false,
    }
}

/// Values of its bodies that decide what is checked.
fn deciding(op: &Op) -> Option<Atom> {
    match op {
        Op::Loop(it) => it.cond.results.first().copied(),
        Op::Kernel(it) => match it.sink {
            // The index.
            Sink::Scatter { .. } => it.body.results.first().copied(),
            Sink::Write
            | Sink::Rows { .. }
            | Sink::Pack
            | Sink::Keep
            | Sink::Join
            | Sink::Reduce { .. }
            | Sink::Scan { .. }
            | Sink::Fold { .. }
            | Sink::Append { .. }
            | Sink::Sort(_) => None,
        },
        Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::If { .. } => None,
    }
}

/// What a statement itself mentions, its bodies left out.
pub(in crate::fused) fn operands(stmt: &Stmt) -> Vec<Atom> {
    match &stmt.op {
        Op::Scalar(_, args) | Op::Literal(args) => args.clone(),
        Op::Check { ok, values, .. } => values.iter().copied().chain([*ok]).collect(),
        Op::Len { array, .. } => vec![Atom::Var(*array)],
        Op::Read { array, index } => vec![Atom::Var(*array), *index],
        Op::Update {
            array,
            index,
            value,
        } => vec![Atom::Var(*array), *index, *value],
        Op::If { cond, .. } => vec![*cond],
        Op::Loop(it) => it.init.clone(),
        Op::Kernel(it) => [it.extents.as_slice(), &it.sink.given()].concat(),
    }
}

pub(in crate::fused) fn bodies(stmt: &Stmt) -> Vec<&Body> {
    match &stmt.op {
        Op::If { then, else_, .. } => vec![then, else_],
        Op::Loop(it) => vec![&it.cond, &it.body],
        Op::Kernel(it) => match &it.sink {
            Sink::Write
            | Sink::Rows { .. }
            | Sink::Pack
            | Sink::Keep
            | Sink::Join
            | Sink::Scatter { .. }
            | Sink::Append { .. }
            | Sink::Sort(_) => {
                vec![&it.body]
            }
            Sink::Reduce { combine, .. } | Sink::Scan { combine, .. } => {
                vec![&it.body, &combine.body]
            }
            Sink::Fold { step, .. } => vec![&it.body, step],
        },
        Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. } => Vec::new(),
    }
}

/// What the bodies of an operation are given: indices, states, operands of operators.
pub(in crate::fused) fn given_inside(op: &Op) -> Vec<Var> {
    match op {
        Op::Kernel(it) => {
            let index = std::iter::once(&it.index);
            index.chain(params(&it.sink)).copied().collect()
        }
        Op::Loop(it) => it.params.clone(),
        Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::If { .. } => Vec::new(),
    }
}

/// What operators and steps call their operands.
fn params(sink: &Sink) -> Vec<&Var> {
    match sink {
        Sink::Write
        | Sink::Rows { .. }
        | Sink::Pack
        | Sink::Keep
        | Sink::Join
        | Sink::Scatter { .. }
        | Sink::Append { .. }
        | Sink::Sort(_) => Vec::new(),
        Sink::Reduce { combine, .. } | Sink::Scan { combine, .. } => {
            combine.left.iter().chain(&combine.right).collect()
        }
        Sink::Fold { acc, elem, .. } => acc.iter().chain(elem).collect(),
    }
}
