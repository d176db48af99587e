//! What is computed first of a condition that several things hold.
//!
//! In: the steps of a condition, without checks, and which value of it is sought. Out: the steps of one that
//! has that value wherever the whole has, and takes less; `None` if there is none.
//!
//! Note \[Conjuncts\]: the numbers of a digest are done some steps before its last is, and what is cheap is
//! true of few. So the cheapest thing that must hold is computed by itself, with all others that are cheap
//! beside the whole: a guard (`i > 0`) takes least and says nothing. What has the same value in all lanes
//! is no part by itself. The others are replaced by what they must be, where they are asked for. An operation
//! that is used elsewhere, too, is not taken apart: it would have another value there.

use crate::emit::rust::steps::{LaneLoop, Step, operands, step_cost};
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::Atom;
use crate::typed::ir::Const;

/// Conditions of fewer operations are computed as a whole.
const LONG: u32 = 32;

/// The operand `arg` of a step, and the value that it must have.
struct Conjunct {
    step: usize,
    arg: usize,
    holds: bool,
    var: Var,
}

/// The steps of what is computed first, where `condition` is to be `holds`.
pub fn first_part(
    whole: &[Step],
    condition: Var,
    holds: bool,
    types: &dyn Fn(Var) -> Scalar,
) -> Option<Vec<Step>> {
    let cost = |steps: &[Step]| {
        let costs = steps.iter().map(|step| step_cost(step, types));
        costs.fold(0, u32::saturating_add)
    };
    let all = cost(whole);
    let conjuncts = conjuncts(whole, condition, holds);
    if all < LONG || conjuncts.len() < 2 {
        return None;
    }
    let defined: HashSet<Var> = whole.iter().flat_map(outs).collect();
    let (varying, mut kept): (Vec<_>, Vec<_>) = conjuncts
        .iter()
        .partition(|conjunct| defined.contains(&conjunct.var));
    let mut varying: Vec<(u32, &Conjunct)> = varying
        .into_iter()
        .map(|it| (cost(&needed(whole, it.var)), it))
        .collect();
    varying.sort_by_key(|(cost, _)| *cost);
    let mut part = None;
    for (_, conjunct) in varying {
        kept.push(conjunct);
        let more = without_others(whole, condition, &conjuncts, &kept);
        if part.is_some() && cost(&more) > all / 4 {
            break;
        }
        part = Some(more);
    }
    part.filter(|part| cost(part) <= all - all / 32)
}

/// The steps of a condition of which only these conjuncts are asked for.
fn without_others(
    whole: &[Step],
    condition: Var,
    all: &[Conjunct],
    kept: &[&Conjunct],
) -> Vec<Step> {
    let mut steps = whole.to_vec();
    for it in all {
        let is_kept = kept
            .iter()
            .any(|other| (other.step, other.arg) == (it.step, it.arg));
        if let (false, Step::Scalar { args, .. }) = (is_kept, &mut steps[it.step]) {
            args[it.arg] = Atom::Const(Const {
                ty: Scalar::Bool,
                bits: u64::from(it.holds),
            });
        }
    }
    needed(&steps, condition)
}

/// What must be so where `condition` is `holds`.
fn conjuncts(steps: &[Step], condition: Var, holds: bool) -> Vec<Conjunct> {
    let mut uses = HashMap::<Var, usize>::default();
    let mut count = |var| *uses.entry(var).or_default() += 1;
    steps.iter().for_each(|step| each_use(step, &mut count));
    let (mut found, mut open) = (Vec::new(), Vec::new());
    let split = |var: Var, holds: bool, open: &mut Vec<Conjunct>| {
        let made = steps.iter().enumerate().find_map(|(step, it)| match it {
            Step::Scalar { out, op, args } if *out == var => Some((step, *op, args.as_slice())),
            Step::Scalar { .. }
            | Step::Read { .. }
            | Step::Check { .. }
            | Step::Loop(_)
            | Step::Out { .. } => None,
        });
        let Some((step, op, args)) = made.filter(|_| uses.get(&var) == Some(&1)) else {
            return false;
        };
        let Some(wanted) = wanted(op, args, holds) else {
            return false;
        };
        open.extend(wanted.into_iter().filter_map(|(arg, holds)| {
            Some(Conjunct {
                step,
                arg,
                holds,
                var: var_of(args[arg])?,
            })
        }));
        true
    };
    split(condition, holds, &mut open);
    while let Some(it) = open.pop() {
        if !split(it.var, it.holds, &mut open) {
            found.push(it);
        }
    }
    found
}

/// The operands that all must have a value for an operation to give `holds`, with that value.
fn wanted(op: ScalarOp, args: &[Atom], holds: bool) -> Option<Vec<(usize, bool)>> {
    let constant = |atom: &Atom| match atom {
        Atom::Const(it) => Some(it.bits != 0),
        Atom::Var(_) => None,
    };
    match (op, args) {
        (ScalarOp::Not, [_]) => Some(vec![(0, !holds)]),
        (ScalarOp::BitAnd, [_, _]) if holds => Some(vec![(0, true), (1, true)]),
        (ScalarOp::BitOr, [_, _]) if !holds => Some(vec![(0, false), (1, false)]),
        (ScalarOp::Select, [_, yes, no]) => match (constant(yes), constant(no)) {
            (None, Some(no)) if no != holds => Some(vec![(0, true), (1, holds)]),
            (Some(yes), None) if yes != holds => Some(vec![(0, false), (2, holds)]),
            _either_may_be => None,
        },
        _other => None,
    }
}

/// The steps that a condition needs, which is their output. There are no checks among them.
pub fn needed(steps: &[Step], condition: Var) -> Vec<Step> {
    let mut used = HashSet::from_iter([condition]);
    let mut kept = Vec::with_capacity(steps.len());
    for step in steps.iter().rev() {
        if let Step::Out { at, .. } = step {
            let value = Atom::Var(condition);
            kept.push(Step::Out { at: *at, value });
        } else if outs(step).iter().any(|out| used.contains(out)) {
            each_use(step, &mut |var| {
                used.insert(var);
            });
            kept.push(step.clone());
        }
    }
    kept.reverse();
    kept
}

/// What a step defines for those behind it.
fn outs(step: &Step) -> Vec<Var> {
    match step {
        Step::Scalar { out, .. } | Step::Read { out, .. } => vec![*out],
        Step::Loop(it) => it.outs.clone(),
        Step::Check { .. } | Step::Out { .. } => Vec::new(),
    }
}

/// Visits what a step uses, at any depth.
fn each_use(step: &Step, visit: &mut dyn FnMut(Var)) {
    operands(step)
        .into_iter()
        .filter_map(var_of)
        .for_each(&mut *visit);
    if let Step::Loop(LaneLoop {
        cond,
        go_on,
        body,
        next,
        ..
    }) = step
    {
        let own = next.iter().chain([go_on]).copied();
        own.filter_map(var_of).for_each(&mut *visit);
        cond.iter()
            .chain(body)
            .for_each(|step| each_use(step, visit));
    }
}

fn var_of(atom: Atom) -> Option<Var> {
    match atom {
        Atom::Var(var) => Some(var),
        Atom::Const(_) => None,
    }
}
