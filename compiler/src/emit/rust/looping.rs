//! A kernel whose body is a prologue, one loop and an epilogue, in these parts.
//!
//! In: steps. Out: the text of the functions of the run time's `Looping`, which keeps several blocks
//! of lanes in flight; `None` where the body has another form.

use crate::emit::rust::captured::Names;
use crate::emit::rust::lanes::{Context, Printer};
use crate::emit::rust::layout::{Layout, Piece, split};
use crate::emit::rust::reads::Reads;
use crate::emit::rust::scalar;
use crate::emit::rust::steps::{LaneLoop, Step, has_checks, operands};
use crate::hash::HashSet;
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::Atom;
use crate::typed::ir::Const;

/// The parts.
pub struct Parts {
    /// Arrays of lanes that live through the loop.
    state: Vec<State>,
    counter: Option<Counter>,
    enter: String,
    /// What `enter` takes to hold.
    fits: Vec<String>,
    /// Whether anything is checked.
    checked: bool,
    step: String,
    leave: String,
    /// Whether `leave` hands whole blocks to functions, which take them by value.
    by_value: bool,
}

/// An array of lanes that lives through the loop; of one element where all lanes have the same.
struct State {
    var: Var,
    ty: Scalar,
    width: &'static str,
}

/// A counter that bounds a loop: `while count < bound && … { …; count += 1 }` with a first count and
/// a bound that do not depend on the lane.
struct Counter {
    ty: Scalar,
    /// The condition `count < bound`.
    holds: Var,
    first: Atom,
    bound: Atom,
}

/// Takes a body apart, if it has one loop, without a loop in it, and outputs after it.
///
/// A loop that all lanes of a block leave together, as in searches of one sorted array, stays whole where
/// its lanes read: there is nobody to wait for; what ends the loop, and what all lanes read alike, is computed
/// once for a block instead of in each slot, and other reads of a block are under way at once.
pub fn parts(all: &[Step], context: &Context<'_>) -> Option<Parts> {
    let (steps, mut fits) = without_uniform_checks(all, context);
    let steps = steps.as_slice();
    let mut layout = Layout::default();
    let pieces = split(steps, context.types, &mut layout);
    let loops = |piece: &&Piece<'_>| matches!(piece, Piece::Simple(_) | Piece::Nested { .. });
    if pieces.iter().filter(loops).count() != 1 {
        return None;
    }
    let at = pieces
        .iter()
        .position(|piece| matches!(piece, Piece::Simple(_)))?;
    let Piece::Simple(it) = pieces[at] else {
        return None;
    };
    // A loop that never runs: here, each runs once before its lanes are asked whether they go on.
    if matches!(it.go_on, Atom::Const(_)) {
        return None;
    }
    let after = &pieces[at + 1..];
    let outputs = steps
        .iter()
        .filter(|step| matches!(step, Step::Out { .. }))
        .count();
    if outputs != outputs_of(after) {
        return None;
    }
    let (state, own) = divide(steps, it, &layout);
    let reads = Reads::new(steps, context.index, context.arrays, context.types);
    let counter = counter(steps, it, context);
    if counter.is_none() && reads.goes_on(it).is_some() && has_reads(it) {
        return None;
    }
    let trip = match &counter {
        Some(counter) => uncounted(it, counter.holds),
        None => it.clone(),
    };
    if ends_together(&trip) {
        layout.single = reads.even(&it.params);
    }
    let print = |arrays: &[Var], body: &dyn Fn(&mut Printer<'_>)| {
        let mut printer = Printer::new(context, layout.clone(), reads.clone());
        body(&mut printer);
        printer.finish(arrays)
    };
    let mut printer = Printer::new(context, layout.clone(), reads.clone());
    printer.assume_long();
    printer.pieces(&pieces[..at]);
    printer.enter(it);
    let (enter, long) = printer.finish_long(&state);
    fits.extend(
        long.iter()
            .map(|by| format!("({by}) >= L && ({by}) < 1 << 31 && end < 1 << 31")),
    );
    let masked = masked(steps, it);
    Some(Parts {
        enter,
        fits,
        checked: has_checks(steps),
        step: print(&[], &|printer| printer.sticky_trip(&trip, &masked)),
        leave: print(&own, &|printer| printer.pieces(after)),
        by_value: after
            .iter()
            .any(|piece| matches!(piece, Piece::Lanes { .. })),
        counter,
        state: state
            .into_iter()
            .map(|var| State {
                var,
                ty: (context.types)(var),
                width: layout.width(var),
            })
            .collect(),
    })
}

impl Parts {
    /// The implementation of `Looping` for the kernel `name`.
    pub fn text(
        &self,
        name: &str,
        Names { head, tail, .. }: &Names,
        locals: &str,
        slots: &str,
    ) -> String {
        let arrays: String = self
            .state
            .iter()
            .map(|it| format!("a{},", it.var.0))
            .collect();
        let types: String = self
            .state
            .iter()
            .map(|it| format!("[{}; {}],", scalar::type_name(it.ty), it.width))
            .collect();
        let in_lanes = self.state.iter().filter(|it| it.width == "L");
        let widest = in_lanes.map(|it| it.ty.bits() / 8).max();
        let widest = widest.unwrap_or(1);
        let bound = self.bound();
        let fits = self.fits.iter().map(|it| format!("{it} && "));
        let fits = fits.collect::<String>() + "true";
        let checked = self.checked;
        let Parts {
            enter,
            step,
            leave,
            by_value,
            ..
        } = self;
        let copied = if *by_value { "&" } else { "" };
        let each = "#[inline(always)]\nfn";
        let lanes = "<const L: usize, F: __r::Flag>(&self, start: usize";
        format!(
            "{head} __r::Looping for {name}{tail} {{\ntype State<const L: usize> = ({types});\n\
             const WIDEST: usize = {widest};\nconst CHECKED: bool = {checked};\n\
             {each} fits<const L: usize>(&self, end: usize) -> bool {{\n{locals}{fits}\n}}\n\
             {each} bound(&self) -> usize {{\n{locals}{bound}\n}}\n\
             {each} enter{lanes}, flag: &mut F) -> Self::State<{{ L }}> {{\n{locals}{enter}({arrays})\n}}\n\
             {each} step<const L: usize, const KEEP: bool, F: __r::Flag>(&self, start: usize, state: &mut Self::State<{{ L }}>, live: &mut [bool; L], \
             hidden: __r::Hidden, flag: &mut F) {{\n\
             {locals}let ({arrays}) = state;\n{step}}}\n\
             {each} leave{lanes}, state: &Self::State<{{ L }}>, \
             out: <Self::Out as __r::Product>::Slots<'_, {{ L }}>, flag: &mut F) {{\n\
             {locals}let {copied}({arrays}) = state;\nlet {slots} = out;\n{leave}}}\n}}\n"
        )
    }

    /// The trips that the counter allows.
    fn bound(&self) -> String {
        let Some(counter) = &self.counter else {
            return "usize::MAX".to_owned();
        };
        let (first, bound) = (uniform(counter.first), uniform(counter.bound));
        let ty = counter.ty.name();
        let unsigned = match counter.ty.is_signed_int() {
            true => ty.replace('i', "u"),
            false => ty.to_owned(),
        };
        format!(
            "if {first} < {bound} {{ {bound}.wrapping_sub({first}) as {unsigned} as usize }} \
             else {{ 0 }}"
        )
    }
}

/// An operand that does not depend on the lane.
fn uniform(atom: Atom) -> String {
    match atom {
        Atom::Var(var) => format!("v{}", var.0),
        Atom::Const(it) => scalar::constant(it),
    }
}

/// The counter that bounds a loop, if there is one.
fn counter(steps: &[Step], it: &LaneLoop, context: &Context<'_>) -> Option<Counter> {
    let mut varying = HashSet::from_iter([context.index]);
    defined_in(steps, &mut varying);
    let is_uniform = |atom: Atom| match atom {
        Atom::Var(var) => !varying.contains(&var),
        Atom::Const(_) => true,
    };
    let found = conjuncts(it).into_iter().find_map(|holds| {
        let (param, bound) = less_than(&it.cond, holds)?;
        let at = it.params.iter().position(|other| *other == param)?;
        let first = it.init[at];
        let counts = adds_one(&it.body, it.next[at], param);
        (counts && is_uniform(first) && is_uniform(bound)).then_some(Counter {
            ty: (context.types)(param),
            holds,
            first,
            bound,
        })
    })?;
    // The condition of nothing else: not of a guarded read, say.
    let users = it.cond.iter().chain(&it.body).flat_map(operands);
    let uses = users.filter(|atom| *atom == Atom::Var(found.holds)).count();
    let alone = it.go_on == Atom::Var(found.holds);
    (uses == usize::from(!alone)).then_some(found)
}

/// The conditions that must all hold for a loop to go on.
fn conjuncts(it: &LaneLoop) -> Vec<Var> {
    let mut found = Vec::new();
    let mut open = vec![it.go_on];
    while let Some(atom) = open.pop() {
        let Atom::Var(var) = atom else { continue };
        match definition(&it.cond, var) {
            Some((ScalarOp::BitAnd, args)) => open.extend(args),
            Some(_) => found.push(var),
            None => {}
        }
    }
    found
}

/// What defines `var`, if a scalar operation among `steps` does.
fn definition(steps: &[Step], var: Var) -> Option<(ScalarOp, &[Atom])> {
    steps.iter().find_map(|step| match step {
        Step::Scalar { out, op, args } if *out == var => Some((*op, args.as_slice())),
        Step::Scalar { .. }
        | Step::Read { .. }
        | Step::Check { .. }
        | Step::Loop(_)
        | Step::Out { .. } => None,
    })
}

/// `(a, b)` if `holds` is `a < b` for a variable `a`.
fn less_than(steps: &[Step], holds: Var) -> Option<(Var, Atom)> {
    match definition(steps, holds)? {
        (ScalarOp::Lt, [Atom::Var(a), b]) => Some((*a, *b)),
        (ScalarOp::Gt, [b, Atom::Var(a)]) => Some((*a, *b)),
        (_other, _) => None,
    }
}

/// Whether `next` is `param + 1`.
fn adds_one(steps: &[Step], next: Atom, param: Var) -> bool {
    let Atom::Var(next) = next else { return false };
    let one = |atom: &Atom| matches!(atom, Atom::Const(Const { bits: 1, ty }) if ty.is_int());
    match definition(steps, next) {
        Some((ScalarOp::Add, [a, b])) => {
            (*a == Atom::Var(param) && one(b)) || (*b == Atom::Var(param) && one(a))
        }
        Some(_) | None => false,
    }
}

/// The loop without its counter's condition.
fn uncounted(it: &LaneLoop, holds: Var) -> LaneLoop {
    let always = Atom::Const(Const {
        ty: Scalar::Bool,
        bits: 1,
    });
    let replace = |atom: &mut Atom| {
        if *atom == Atom::Var(holds) {
            *atom = always;
        }
    };
    let mut it = it.clone();
    for step in &mut it.cond {
        if let Step::Scalar { args, .. } = step {
            args.iter_mut().for_each(replace);
        }
    }
    replace(&mut it.go_on);
    it
}

/// Whether nothing but a counter, which has been taken out, ends a loop: then its lanes end together,
/// and nobody makes them go on.
pub(super) fn ends_together(it: &LaneLoop) -> bool {
    it.mask.is_none() && matches!(it.go_on, Atom::Const(_))
}

/// Whether a trip reads from an array.
fn has_reads(it: &LaneLoop) -> bool {
    let mut steps = it.cond.iter().chain(&it.body);
    steps.any(|step| matches!(step, Step::Read { .. }))
}

/// Parameters that must keep the value that they had when their lane left: those that are used after
/// the loop. If the condition checks anything, all of them: it is computed in lanes that have left
/// too, and what held there must go on to hold.
fn masked(steps: &[Step], it: &LaneLoop) -> HashSet<Var> {
    if has_checks(&it.cond) {
        return it.params.iter().copied().collect();
    }
    let after = steps
        .iter()
        .skip_while(|step| !matches!(step, Step::Loop(_)))
        .skip(1);
    let used: HashSet<Atom> = after.flat_map(operands).collect();
    let outs = it.params.iter().zip(&it.outs);
    outs.filter(|(_, out)| used.contains(&Atom::Var(**out)))
        .map(|(param, _)| *param)
        .collect()
}

/// All variables that steps define, at any depth.
fn defined_in(steps: &[Step], found: &mut HashSet<Var>) {
    for step in steps {
        match step {
            Step::Scalar { out, .. } | Step::Read { out, .. } => {
                found.insert(*out);
            }
            Step::Loop(it) => {
                found.extend(it.params.iter().chain(&it.outs).chain([&it.live]));
                defined_in(&it.cond, found);
                defined_in(&it.body, found);
            }
            Step::Check { .. } | Step::Out { .. } => {}
        }
    }
}

/// The steps without the checks before the loop that are the same for each index, and what these
/// check: looked at once for a range of blocks instead of for each block.
fn without_uniform_checks(all: &[Step], context: &Context<'_>) -> (Vec<Step>, Vec<String>) {
    let reads = Reads::new(all, context.index, context.arrays, context.types);
    let mut before = true;
    let mut conditions = Vec::new();
    let kept = all.iter().filter(|step| {
        before &= !matches!(step, Step::Loop(_));
        let uniform = match step {
            Step::Check { mask: None, ok, .. } if before => reads.uniform(*ok),
            Step::Check { .. }
            | Step::Scalar { .. }
            | Step::Read { .. }
            | Step::Loop(_)
            | Step::Out { .. } => None,
        };
        conditions.extend(uniform.clone());
        uniform.is_none()
    });
    (kept.cloned().collect(), conditions)
}

fn outputs_of(pieces: &[Piece<'_>]) -> usize {
    let count = |piece: &Piece<'_>| match piece {
        Piece::Straight(steps) => steps
            .iter()
            .filter(|step| matches!(step, Step::Out { .. }))
            .count(),
        Piece::Abreast(..)
        | Piece::Lanes { .. }
        | Piece::Gather { .. }
        | Piece::Simple(_)
        | Piece::Nested { .. } => 0,
    };
    pieces.iter().map(count).sum()
}

/// The arrays of lanes that are written before or in the loop, and those written after it.
fn divide(steps: &[Step], it: &LaneLoop, layout: &Layout) -> (Vec<Var>, Vec<Var>) {
    let mut before: HashSet<Var> = it.params.iter().copied().collect();
    for step in steps {
        match step {
            Step::Scalar { out, .. } | Step::Read { out, .. } => {
                before.insert(*out);
            }
            Step::Check { .. } | Step::Out { .. } => {}
            Step::Loop(_) => break,
        }
    }
    layout.lanes.iter().partition(|var| before.contains(var))
}
