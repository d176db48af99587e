//! Long bodies, made for groups of lanes abreast.
//!
//! In: steps between loops. Out: those that are made so, and what goes before and behind them; their text.
//! Assumes: steps are pure, but for checks, whose order stays.
//!
//! Note [Abreast]: a long chain of operations waits for its own latencies, and the processor does not
//! see far enough ahead to find the next lanes behind it. So bodies are cut into short lane loops (see
//! `LONG` in `layout.rs`), and what goes from one to the next lies in arrays. Where few values are alive
//! at a time, as in hashes and iterations, moving them costs more than the operations. Such a body is one
//! loop over a quarter of the lanes, in which each step is written for all four quarters, one after
//! another. A quarter of a level's lanes is a vector of numbers of 32 bits, or two of 64.
//!
//! Where there are 16 registers and the values of four quarters are more, there are two such loops, each for two
//! quarters: to wait for latencies is cheaper than to go through memory. Three vectors at a time are as fast
//! there as they get (of MD5 0.73 of the time of two, since most values are read from memory where they are
//! wanted), but no level's lanes are three vectors; searches (`seeks.rs`) have blocks of
//! twelve with AVX2.
//!
//! LLVM takes as many lanes for a vector as the widest type in a loop allows. So the loop has numbers of
//! one width, and conditions; sizes, which are as wide as addresses, reads, outputs and checks stay
//! outside. Nor may it store where it might read: so it reads arrays of lanes alone. Loops over so few
//! lanes become straight lines, and LLVM's scheduler, if it sees one with more values than registers, makes
//! one quarter after another. What bounds that is that results go through memory (`Apart` in the run
//! time), and that constants, which it has in registers as long as it can, are few.

use crate::emit::rust::lanes::{Printer, defined, out_of};
use crate::emit::rust::layout::{Types, step_weight};
use crate::emit::rust::scalar;
use crate::emit::rust::steps::{Step, operands};
use crate::fused::cost::scalar_cost;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::Scalar;
use crate::shaped::ir::Atom;
use std::fmt::Write;

/// The weight from which on a body is long: four of the loops that it would be cut into.
const LONG: u32 = 160;

/// The most values of a lane that are alive at a time. With 13 (MD5) such a loop takes 0.5 of the time of
/// those that it replaces where there are 32 registers, 0.9 and 0.7 where there are 16 (AVX2, SSE2; 0.8 with
/// AVX2 in two loops); with 16 (ChaCha20) 0.86, 1.5 and 1.8. With 3, an iteration of floats takes 0.66, 0.49 and
/// 0.49.
const ALIVE: usize = 13;

/// Registers for vectors below the highest level.
const REGISTERS: usize = 16;

/// As many steps as there must be for a constant. Polynomials, with one for two steps, gain nothing.
const STEPS_FOR_CONSTANT: usize = 4;

/// From this cost on an operation is a function with values and constants of its own.
const FUNCTION: u32 = 16;

/// Steps between loops, in three parts that are made one after another.
pub(super) struct Parts<'s> {
    pub(super) before: Vec<&'s Step>,
    pub(super) abreast: Vec<&'s Step>,
    /// How many values of a lane are alive at a time.
    pub(super) alive: usize,
    pub(super) behind: Vec<&'s Step>,
}

/// The parts of `steps`, if they are better made so; `varies`: whether a variable from elsewhere differs
/// from lane to lane.
pub(super) fn parts<'s>(
    steps: &[&'s Step],
    types: Types<'_>,
    varies: &dyn Fn(Var) -> bool,
) -> Option<Parts<'s>> {
    let long = |steps: &[&Step]| {
        let weights = steps.iter().map(|step| step_weight(step, types));
        weights.fold(0, u32::saturating_add) >= LONG
    };
    if !long(steps) {
        return None;
    }
    let mut parts = divide(steps, width(steps, types), types);
    parts.alive = alive(&parts, varies);
    let use_them = long(&parts.abreast)
        && STEPS_FOR_CONSTANT * constants(&parts.abreast) <= parts.abreast.len()
        && parts.alive <= ALIVE;
    use_them.then_some(parts)
}

/// Bits of the numbers that may be abreast.
fn bits(ty: Scalar) -> Option<u32> {
    match ty {
        Scalar::I32 | Scalar::U32 | Scalar::F32 => Some(32),
        Scalar::I64 | Scalar::U64 | Scalar::F64 => Some(64),
        Scalar::Bool
        | Scalar::I8
        | Scalar::U8
        | Scalar::I16
        | Scalar::U16
        | Scalar::F16
        | Scalar::Bf16
        | Scalar::Usize => None,
    }
}

/// The bits of most numbers.
fn width(steps: &[&Step], types: Types<'_>) -> u32 {
    let count = |of: u32| {
        let outs = steps.iter().filter_map(|step| out_of(step));
        outs.filter(|out| bits(types(*out)) == Some(of)).count()
    };
    if count(64) > count(32) { 64 } else { 32 }
}

/// Operations on numbers of so many bits, what they need, and the rest.
fn divide<'s>(steps: &[&'s Step], width: u32, types: Types<'_>) -> Parts<'s> {
    let fits = |atom: &Atom| {
        let ty = match atom {
            Atom::Var(var) => types(*var),
            Atom::Const(it) => it.ty,
        };
        ty == Scalar::Bool || bits(ty) == Some(width)
    };
    let may = |step: &Step| match step {
        Step::Scalar { out, op, args } => {
            scalar_cost(*op, Some(types(*out))) < FUNCTION
                && args.iter().chain([&Atom::Var(*out)]).all(fits)
        }
        Step::Read { .. } | Step::Check { .. } | Step::Loop(_) | Step::Out { .. } => false,
    };
    let mut parts = Parts {
        before: Vec::new(),
        abreast: Vec::new(),
        alive: 0,
        behind: Vec::new(),
    };
    let (mut made, mut late) = (HashSet::default(), HashSet::default());
    for step in steps {
        let out = out_of(step);
        let uses = |among: &HashSet<Var>| variables(step).any(|var| among.contains(&var));
        if out.is_none() || uses(&late) || (uses(&made) && !may(step)) {
            parts.behind.push(step);
            late.extend(out);
        } else if may(step) {
            parts.abreast.push(step);
            made.extend(out);
        } else {
            parts.before.push(step);
        }
    }
    parts
}

/// The variables that a step uses.
pub(super) fn variables(step: &Step) -> impl Iterator<Item = Var> + use<> {
    operands(step).into_iter().filter_map(|atom| match atom {
        Atom::Var(var) => Some(var),
        Atom::Const(_) => None,
    })
}

/// How many different constants steps have.
fn constants(steps: &[&Step]) -> usize {
    let all = steps.iter().flat_map(|step| operands(step));
    let bits = all.filter_map(|atom| match atom {
        Atom::Const(it) => Some(it.bits),
        Atom::Var(_) => None,
    });
    bits.collect::<HashSet<_>>().len()
}

/// How many values of a lane are alive at a time, at most.
fn alive(parts: &Parts<'_>, varies: &dyn Fn(Var) -> bool) -> usize {
    let steps = parts.before.iter().chain(&parts.abreast);
    let own = defined(steps.copied());
    let mut last = HashMap::default();
    for (at, step) in parts.abreast.iter().enumerate() {
        let lanes = variables(step).filter(|var| own.contains(var) || varies(*var));
        last.extend(lanes.map(|var| (var, at)));
    }
    let mut alive = HashSet::default();
    let mut most = 0;
    for (at, step) in parts.abreast.iter().enumerate() {
        alive.extend(variables(step).filter(|var| last.contains_key(var)));
        most = most.max(alive.len());
        alive.retain(|var| last[var] > at);
        alive.extend(out_of(step).filter(|out| last.contains_key(out)));
    }
    most
}

/// Groups of lanes.
const GROUPS: usize = 4;

/// Lanes of which three groups are made at once: three times those of AVX2, of which a twelfth is a vector.
pub(super) const IN_THREES: &str = "L == 96";

/// Whose variables are printed.
pub(super) struct Group {
    /// Those of which each group has its own.
    own: HashSet<Var>,
    at: usize,
}

impl Group {
    /// What the names of a variable end with.
    pub(super) fn suffix(&self, var: Var) -> String {
        match self.own.contains(&var) {
            true => format!("_{}", self.at),
            false => String::new(),
        }
    }
}

impl Printer<'_> {
    /// Prints a lane loop of such steps, with so many values of a lane alive. Small blocks, as of what is left
    /// of a row, take lane after lane.
    pub(super) fn abreast(&mut self, steps: &[&Step], alive: usize) {
        let own = defined(steps.iter().copied());
        let results: Vec<Var> = (steps.iter().filter_map(|step| out_of(step)))
            .filter(|out| self.layout.in_lanes.contains(out))
            .collect();
        for var in &results {
            let ty = scalar::type_name((self.context.types)(*var));
            let _ = writeln!(
                self.text,
                "let mut r{0} = __r::Apart::<{ty}, {{ L }}>::new();\nlet g{0} = r{0}.lanes();",
                var.0
            );
        }
        let mut seen = HashSet::default();
        let used = steps.iter().flat_map(|step| variables(step));
        let brought: Vec<(Var, String)> = used
            .filter(|var| !own.contains(var) && seen.insert(*var))
            .filter_map(|var| Some((var, self.array_of(var)?)))
            .collect();
        if GROUPS * alive > REGISTERS {
            if self.context.in_threes {
                let _ = writeln!(self.text, "if const {{ {IN_THREES} }} {{");
                self.groups(steps, (3 * GROUPS, 3), own.clone(), &brought);
                self.text.push_str("} else ");
            }
            self.text.push_str("if const { L >= 64 && L % 4 == 0 } {\n");
            self.groups(steps, (GROUPS, GROUPS), own.clone(), &brought);
            self.text.push_str("} else ");
        }
        let count = match GROUPS * alive > REGISTERS {
            true => GROUPS / 2,
            false => GROUPS,
        };
        self.text.push_str("if const { L >= 16 && L % 4 == 0 } {\n");
        self.groups(steps, (GROUPS, count), own, &brought);
        self.text.push_str("} else {\nfor l in 0..L {\n");
        for (var, array) in &brought {
            let _ = writeln!(self.text, "let v{} = {array}[l];", var.0);
        }
        for step in steps {
            self.step_of(step, "l");
        }
        self.text.push_str("}\n}\n");
        for var in results {
            let _ = writeln!(self.text, "a{0} = r{0}.moved();", var.0);
        }
    }

    /// The steps of all groups, of which there are so many, and `count` together.
    fn groups(
        &mut self,
        steps: &[&Step],
        (groups, count): (usize, usize),
        mut own: HashSet<Var>,
        brought: &[(Var, String)],
    ) {
        let _ = writeln!(
            self.text,
            "for first in (0..L).step_by(L / {groups} * {count}) {{\nfor l in 0..L / {groups} {{"
        );
        for at in 0..count {
            let _ = writeln!(self.text, "let l{at} = first + L / {groups} * {at} + l;");
        }
        own.extend(brought.iter().map(|(var, _)| *var));
        for (var, array) in brought {
            for at in 0..count {
                let _ = writeln!(self.text, "let v{}_{at} = {array}[l{at}];", var.0);
            }
        }
        self.group = Some(Group { own, at: 0 });
        for step in steps {
            for at in 0..count {
                if let Some(group) = &mut self.group {
                    group.at = at;
                }
                self.step_of(step, &format!("l{at}"));
            }
        }
        self.group = None;
        self.text.push_str("}\n}\n");
    }

    /// The array of lanes of a variable from elsewhere; nothing if all have the same.
    fn array_of(&self, var: Var) -> Option<String> {
        let home = self.layout.resolve(var);
        if self.layout.single.contains(&home) {
            return Some(format!("[a{}[0]; L]", home.0));
        }
        let kept = self.layout.in_lanes.contains(&home);
        kept.then(|| format!("a{}", home.0))
    }

    /// A step of lane `l`.
    fn step_of(&mut self, step: &Step, l: &str) {
        let Step::Scalar { out, op, args } = step else {
            unreachable!("only operations are abreast")
        };
        let (name, expr) = (self.atom(Atom::Var(*out)), self.expr(*out, *op, args));
        let _ = writeln!(self.text, "let {name} = {expr};");
        if self.layout.in_lanes.contains(out) {
            let _ = writeln!(self.text, "g{}[{l}] = {name};", out.0);
        }
    }
}
