//! Reductions that give the first index at which a condition holds.
//!
//! In: a kernel. Out: whether it is such a search, and the text of what the run time's `Combine` has for
//! one. Assumes what `lanes.rs` assumes.
//!
//! Note \[Conjuncts\]: where a condition is that several things hold, of which one takes less to compute than
//! all, blocks are asked for that one first: the numbers of a digest are done some steps before its last is,
//! and what is cheap is true of few.

use crate::emit::rust::abreast::IN_THREES;
use crate::emit::rust::border::HOLE;
use crate::emit::rust::host::Host;
use crate::emit::rust::lanes::{Context, Output, block};
use crate::emit::rust::rough;
use crate::emit::rust::steps::{LaneLoop, Step, operands, step_cost};
use crate::fused::ir::{Kernel, Op, Sink};
use crate::hash::HashSet;
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::Atom;

/// What is sought: the least index with this condition, or without it; `usize::MAX` if there is none.
pub struct Sought {
    condition: Var,
    holds: bool,
}

/// What a kernel seeks, if it does nothing else.
pub fn sought(host: &Host<'_>, kernel: &Kernel) -> Option<Sought> {
    let Sink::Reduce { combine, .. } = &kernel.sink else {
        return None;
    };
    let [Atom::Var(value)] = kernel.body.results.as_slice() else {
        return None;
    };
    let value = *value;
    if host.scalar_of(value) != Scalar::Usize
        || rough::known(host, kernel, combine) != Some("Least")
    {
        return None;
    }
    let mut stmts = kernel.body.stmts.iter();
    let made = stmts.find(|stmt| stmt.outs == [value])?;
    let Op::Scalar(ScalarOp::Select, args) = &made.op else {
        return None;
    };
    let index = |atom: &Atom| *atom == Atom::Var(kernel.index);
    let nowhere = |atom: &Atom| matches!(atom, Atom::Const(it) if it.bits == u64::MAX);
    let (condition, holds) = match args.as_slice() {
        [Atom::Var(condition), place, none] if index(place) && nowhere(none) => (*condition, true),
        [Atom::Var(condition), none, place] if index(place) && nowhere(none) => (*condition, false),
        _other => return None,
    };
    Some(Sought { condition, holds })
}

/// The text of `block`, by the conditions that `holds` gives.
pub fn block_text() -> &'static str {
    "let mut holds = [false; L];\n\
     <Self as __r::Combine>::holds::<{ L }, F>(self, start, &mut holds, flag);\n\
     for l in 0..L {\n\
     o0[l] = __r::choose(holds[l], start.wrapping_add(l), usize::MAX);\n}\n"
}

/// The texts of bodies.
pub struct Texts {
    /// That of `holds`.
    pub holds: String,
    /// That of `may_hold`, if there is one.
    may_hold: Option<String>,
}

/// The texts of what the steps say of what is sought.
pub fn texts(steps: &[Step], sought: &Sought, context: &Context<'_>) -> Texts {
    let outputs = [Output {
        results: vec![0],
        pattern: match sought.holds {
            true => HOLE.to_owned(),
            false => format!("!{HOLE}"),
        },
    }];
    let context = Context {
        outputs: &outputs,
        in_threes: true,
        ..*context
    };
    let whole = needed(steps, sought.condition);
    Texts {
        holds: block(&whole, &context),
        may_hold: first_part(&whole, sought, &context).map(|part| block(&part, &context)),
    }
}

/// Conditions of fewer operations are computed as a whole.
const LONG: u32 = 32;

/// The steps of what is cheapest of what all must hold, if it saves some of a long condition.
fn first_part(whole: &[Step], sought: &Sought, context: &Context<'_>) -> Option<Vec<Step>> {
    let cost = |steps: &[Step]| {
        let costs = steps.iter().map(|step| step_cost(step, context.types));
        costs.fold(0, u32::saturating_add)
    };
    let all = cost(whole);
    let parts = conjuncts(whole, sought);
    if all < LONG || parts.len() < 2 {
        return None;
    }
    let parts = parts.into_iter().map(|part| needed(whole, part));
    let part = parts.min_by_key(|part| cost(part))?;
    (cost(&part) <= all - all / 32).then_some(part)
}

/// What must all hold, or all not hold, where something is found.
fn conjuncts(steps: &[Step], sought: &Sought) -> Vec<Var> {
    let (mut found, mut open) = (Vec::new(), vec![sought.condition]);
    while let Some(var) = open.pop() {
        let made = steps.iter().find_map(|step| match step {
            Step::Scalar { out, op, args } if *out == var => Some((*op, args.as_slice())),
            Step::Scalar { .. }
            | Step::Read { .. }
            | Step::Check { .. }
            | Step::Loop(_)
            | Step::Out { .. } => None,
        });
        let both = match (made, sought.holds) {
            (Some((ScalarOp::BitAnd, [a, b])), true) | (Some((ScalarOp::BitOr, [a, b])), false) => {
                Some([*a, *b])
            }
            (Some((ScalarOp::Select, [a, b, Atom::Const(no)])), true) if no.bits == 0 => {
                Some([*a, *b])
            }
            (Some((ScalarOp::Select, [a, Atom::Const(yes), b])), false) if yes.bits == 1 => {
                Some([*a, *b])
            }
            _other => None,
        };
        match both {
            Some(both) => open.extend(both.into_iter().filter_map(var_of)),
            None => found.push(var),
        }
    }
    found
}

fn var_of(atom: Atom) -> Option<Var> {
    match atom {
        Atom::Var(var) => Some(var),
        Atom::Const(_) => None,
    }
}

/// The steps that a condition needs, which is their output. There are no checks among them.
fn needed(steps: &[Step], condition: Var) -> Vec<Step> {
    let mut used = HashSet::from_iter([condition]);
    let mut kept = Vec::with_capacity(steps.len());
    for step in steps.iter().rev() {
        match step {
            Step::Scalar { out, .. } | Step::Read { out, .. } if !used.contains(out) => continue,
            Step::Loop(it) if !it.outs.iter().any(|out| used.contains(out)) => continue,
            Step::Out { at, .. } => {
                kept.push(Step::Out {
                    at: *at,
                    value: Atom::Var(condition),
                });
                continue;
            }
            Step::Scalar { .. } | Step::Read { .. } | Step::Check { .. } | Step::Loop(_) => {}
        }
        uses(step, &mut used);
        kept.push(step.clone());
    }
    kept.reverse();
    kept
}

/// Adds what a step uses, at any depth.
fn uses(step: &Step, used: &mut HashSet<Var>) {
    used.extend(operands(step).into_iter().filter_map(var_of));
    if let Step::Loop(LaneLoop {
        cond,
        go_on,
        body,
        next,
        ..
    }) = step
    {
        let own = next.iter().chain([go_on]).copied();
        used.extend(own.filter_map(var_of));
        cond.iter().chain(body).for_each(|step| uses(step, used));
    }
}

/// What `Combine` has for a search with these texts.
pub fn text(locals: &str, texts: &Texts) -> String {
    let in_threes = match texts.holds.contains(IN_THREES) {
        true => "const IN_THREES: bool = true;\n",
        false => "",
    };
    let condition = |name: &str, body: &str| {
        format!(
            "#[inline(always)]\n\
             fn {name}<const L: usize, F: __r::Flag>(&self, start: usize, o0: &mut [bool; L], \
             flag: &mut F) {{\n{locals}{body}}}\n"
        )
    };
    let may_hold = texts
        .may_hold
        .as_ref()
        .map(|body| "const IN_PARTS: bool = true;\n".to_owned() + &condition("may_hold", body));
    format!(
        "const SEEKS: bool = true;\n{in_threes}{holds}{may_hold}\
         #[inline(always)]\n\
         fn number(&self, count: usize) -> Self::Out {{ (count,) }}\n\
         #[inline(always)]\n\
         fn index(&self, (value,): Self::Out) -> usize {{ value }}\n",
        holds = condition("holds", &texts.holds),
        may_hold = may_hold.unwrap_or_default(),
    )
}
