//! Steps of a kernel as the text of its `block` function.
//!
//! In: steps (see `steps.rs`), types, what is captured from outside. Out: Rust statements that fill
//! the block's slots. Assumes `start`, `L`, `flag`, `o0…`, and a local of its own name for each
//! captured scalar.

use crate::emit::rust::abreast::Group;
use crate::emit::rust::body::Rows;
use crate::emit::rust::border::HOLE;
use crate::emit::rust::layout::{Layout, Piece, split, take_block};
use crate::emit::rust::reads::{Arrays, Counted, Reads};
use crate::emit::rust::scalar;
use crate::emit::rust::steps::{Step, as_const, operands};
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::Atom;
use crate::typed::ir::Const;
use std::fmt::Write;

/// What the lane emitter must know of its surroundings.
pub struct Context<'a> {
    /// Types of scalar variables.
    pub types: &'a dyn Fn(Var) -> Scalar,
    /// The kernel's index variable.
    pub index: Var,
    /// How arrays are reached.
    pub arrays: &'a Arrays,
    /// Expression for output `at` from the values of all outputs.
    pub outputs: &'a [Output],
    /// Whether any step is a check.
    pub checks: bool,
    /// Scalars that come as arrays of lanes.
    pub inputs: &'a [Var],
    /// Rows that are read for the last time.
    pub rows: Option<&'a Rows>,
    /// Whether blocks may reach over the end of the indices.
    pub overhangs: bool,
    /// Whether they do so mostly, being parts of few lanes, and see to their checks.
    pub in_parts: bool,
    /// Whether the block is computed again and again, from the same lanes of what it reads along its
    /// index, and reads no element that there is not.
    pub again: bool,
    /// The kernel's extents, if each block is computed once.
    pub once: Option<&'a [Atom]>,
    /// Whether this runs at levels that have fused operations only, maybe in fewer lanes than they do.
    pub fusing: bool,
    /// Whether blocks may have three times the lanes of a level.
    pub in_threes: bool,
    /// Whether a block ends at a violated check if its flag says so.
    pub ends: bool,
}

/// An output slot: which results it is made of, and the element expression around them, in which
/// [`HOLE`] stands for each in turn.
pub struct Output {
    /// Positions of the results.
    pub results: Vec<usize>,
    /// The element expression.
    pub pattern: String,
}

impl Output {
    /// The result at this position as it is.
    pub fn plain(at: usize) -> Output {
        Output {
            results: vec![at],
            pattern: HOLE.to_owned(),
        }
    }
}

/// The text of the body of `block`.
pub fn block(steps: &[Step], context: &Context<'_>) -> String {
    // What is done for whole blocks takes arrays by value.
    let in_registers = context.in_parts || take_block(steps, context.types);
    between_loops(steps, context, !in_registers, false).0
}

/// As [`block`], of a body that adds to its slots: these stay in registers from block to block, and
/// so must what lies between its loops.
pub fn sum_block(steps: &[Step], context: &Context<'_>) -> String {
    between_loops(steps, context, false, false).0
}

/// The same, if it has indices as floats: these are there, as the text takes them to be.
pub fn counting_block(steps: &[Step], context: &Context<'_>) -> Option<(String, Vec<Counted>)> {
    let casts = |step: &Step| {
        matches!(step, Step::Scalar { op: ScalarOp::Cast, out, .. }
            if (context.types)(*out) == Scalar::F64)
    };
    if !steps.iter().any(casts) {
        return None;
    }
    let (text, counted) = between_loops(steps, context, false, true);
    (!counted.is_empty()).then_some((text, counted))
}

/// Whether lanes behind the last index do no harm in a nest: they read the nearest elements, no check
/// sees them, and loops end with all their lanes together. `told`: checks outside of loops are told
/// which lane they are of.
pub fn may_overhang(steps: &[Step], context: &Context<'_>, told: bool) -> bool {
    let reads = Reads::new(steps, context.index, context.arrays, context.types);
    let may = |step: &Step| match step {
        Step::Check { .. } => told,
        other => reads.may_overhang(other),
    };
    context.rows.is_some() && steps.iter().all(may)
}

/// Whether arrays are read anywhere.
pub fn reads_anywhere(steps: &[Step], context: &Context<'_>) -> bool {
    let reads = Reads::new(steps, context.index, context.arrays, context.types);
    !reads.gathered(steps).is_empty()
}

/// The text of the body of `block`; `in_memory`: what goes from one lane loop to the next lies where
/// it is filled, and elements of arrays are read again, else LLVM may find registers for it. `count`:
/// lanes of indices as floats are there; these come with the text.
fn between_loops(
    steps: &[Step],
    context: &Context<'_>,
    in_memory: bool,
    count: bool,
) -> (String, Vec<Counted>) {
    let mut reads = Reads::new(steps, context.index, context.arrays, context.types);
    reads.vary(context.inputs);
    reads.each_once(context.once);
    reads.in_nest(context.rows);
    reads.overhang(context.overhangs);
    reads.again(context.again);
    if count {
        reads.count();
    }
    let again = in_memory.then(|| reads.in_place(steps));
    let mut layout = Layout::default();
    layout.again = again.unwrap_or_default();
    if context.in_parts {
        layout.gathered = reads.gathered(steps);
    }
    let pieces = split(steps, context.types, &mut layout);
    layout.in_lanes.extend(context.inputs);
    for piece in &pieces {
        match piece {
            Piece::Simple(it) if reads.goes_on(it).is_some() => {
                layout.single.extend(reads.even(&it.params));
            }
            Piece::Simple(_)
            | Piece::Straight(_)
            | Piece::Abreast(..)
            | Piece::Lanes { .. }
            | Piece::Gather { .. }
            | Piece::Nested { .. } => {}
        }
    }
    let mut printer = Printer::new(context, layout.clone(), reads);
    printer.once = in_memory;
    printer.pieces(&pieces);
    let counted = printer.reads.counted().to_vec();
    (printer.finish(&layout.lanes), counted)
}

/// The text of a block of a row, and what it reads.
pub fn row_block<'a>(
    steps: &'a [Step],
    context: &'a Context<'a>,
    reads: Reads<'a>,
) -> (String, Reads<'a>) {
    let mut layout = Layout::default();
    let pieces = split(steps, context.types, &mut layout);
    let mut printer = Printer::new(context, layout.clone(), reads);
    printer.pieces(&pieces);
    let reads = printer.reads.clone();
    (printer.finish(&layout.lanes), reads)
}

pub(super) struct Printer<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) layout: Layout,
    pub(super) reads: Reads<'a>,
    /// Values of outputs seen so far.
    results: HashMap<usize, Atom>,
    /// Whether `hidden` has the constants that the optimiser must not know (see the run time's
    /// `Hidden`).
    pub(super) hidden: bool,
    /// Whether this runs at levels that have fused operations only, but in fewer lanes than they do.
    pub(super) fusing: bool,
    /// Whether what is printed runs once in a block, and all of it.
    pub(super) once: bool,
    /// Expressions of what is read again where it is used.
    again: HashMap<Var, String>,
    /// Arrays of lanes that are declared where they are filled.
    filled: HashSet<Var>,
    /// Checks of which the loop that is printed notes where they are violated.
    pub(super) noted: usize,
    /// The group of lanes whose steps are printed, if these are abreast.
    pub(super) group: Option<Group>,
    pub(super) text: String,
}

impl<'a> Printer<'a> {
    /// Nothing printed yet.
    pub(super) fn new(context: &'a Context<'a>, layout: Layout, reads: Reads<'a>) -> Self {
        Printer {
            context,
            layout,
            reads,
            results: HashMap::default(),
            hidden: false,
            fusing: context.fusing,
            once: false,
            again: HashMap::default(),
            filled: HashSet::default(),
            noted: 0,
            group: None,
            text: String::new(),
        }
    }

    /// What has been printed, with declarations of `arrays` and of what it reads in front.
    pub(super) fn finish(self, arrays: &[Var]) -> String {
        let mut text = self.reads.declarations();
        for var in arrays.iter().filter(|var| !self.filled.contains(var)) {
            let zero = zero((self.context.types)(*var));
            let width = self.layout.width(*var);
            let _ = writeln!(text, "let mut a{} = [{zero}; {width}];", var.0);
        }
        text.push_str(&self.text);
        text
    }

    /// From here on, takes divisors of the index to be at least as large as a block.
    pub(super) fn assume_long(&mut self) {
        self.reads.assume_long();
    }

    /// As `finish`, and the divisors of which that was assumed.
    pub(super) fn finish_long(self, arrays: &[Var]) -> (String, Vec<String>) {
        let long = self.reads.long().to_vec();
        (self.finish(arrays), long)
    }

    /// Prints pieces in order.
    pub(super) fn pieces(&mut self, pieces: &[Piece<'_>]) {
        for piece in pieces {
            match piece {
                Piece::Straight(steps) => self.straight(steps),
                Piece::Abreast(steps, alive) => self.abreast(steps, *alive),
                Piece::Lanes { out, name, args } => self.lanes(*out, name, args),
                Piece::Gather { out, array, index } => self.gather(*out, *array, *index),
                Piece::Simple(it) => self.simple(it),
                Piece::Nested { it, cond, body } => self.nested(it, cond, body),
            }
        }
    }

    fn straight(&mut self, steps: &[&Step]) {
        let used = steps
            .iter()
            .flat_map(|step| operands(step))
            .collect::<Vec<_>>();
        let outs = self.complete_outputs(steps);
        let results: Vec<Atom> = outs
            .iter()
            .flat_map(|out| self.result_atoms(*out))
            .collect();
        let start = self.text.len();
        let filled = self.open_filling(steps);
        self.text.push_str("for l in 0..L {\n");
        self.bring(
            used.into_iter().chain(results),
            &defined(steps.iter().copied()),
        );
        steps.iter().for_each(|step| self.step(step));
        outs.into_iter().for_each(|out| self.output(out));
        self.text.push_str("}\n");
        for var in filled {
            let _ = writeln!(self.text, "let a{0} = a{0}.filled();", var.0);
        }
        self.look_at_noted(start);
        let ahead = self.reads.take_ahead();
        self.text.insert_str(start, &ahead);
    }

    /// Declares arrays of lanes that `steps` alone write, if they run once.
    fn open_filling(&mut self, steps: &[&Step]) -> Vec<Var> {
        if !self.once {
            return Vec::new();
        }
        let outs = steps.iter().filter_map(|step| out_of(step));
        let filled: Vec<Var> = outs
            .filter(|it| self.layout.in_lanes.contains(it))
            .collect();
        for var in &filled {
            let ty = scalar::type_name((self.context.types)(*var));
            let _ = writeln!(
                self.text,
                "let mut r{0} = __r::Room::<{ty}, {{ L }}>::new();\n\
                 let mut a{0} = __r::Filling::new(&mut r{0});",
                var.0
            );
        }
        self.filled.extend(&filled);
        filled
    }

    /// Outputs whose last component is among `steps`.
    fn complete_outputs(&mut self, steps: &[&Step]) -> Vec<usize> {
        let mut outs = Vec::new();
        for step in steps {
            if let Step::Out { at, value } = step {
                self.results.insert(*at, *value);
                let complete = self
                    .context
                    .outputs
                    .iter()
                    .position(|output| output.results.last() == Some(at));
                outs.extend(complete);
            }
        }
        outs
    }

    fn result_atoms(&self, out: usize) -> Vec<Atom> {
        self.context.outputs[out]
            .results
            .iter()
            .map(|at| self.results[at])
            .collect()
    }

    fn output(&mut self, out: usize) {
        let values: Vec<String> = self
            .result_atoms(out)
            .iter()
            .map(|it| self.atom(*it))
            .collect();
        let expr = fill(&self.context.outputs[out].pattern, &values);
        let _ = writeln!(self.text, "o{out}[l] = {expr};");
    }

    fn lanes(&mut self, out: Var, name: &str, args: &[Atom]) {
        let half = (self.context.types)(out).is_half();
        let arg = |arg: &Atom| match half {
            true => format!("__r::half_lanes::widen({})", self.whole(*arg)),
            false => self.whole(*arg),
        };
        let args: Vec<String> = args.iter().map(arg).collect();
        let value = format!("{name}({})", args.join(", "));
        let value = match half {
            true => format!("__r::half_lanes::narrow({value})"),
            false => value,
        };
        let _ = writeln!(self.text, "a{} = {value};", out.0);
    }

    /// An operand as a whole block.
    pub(super) fn whole(&self, atom: Atom) -> String {
        match atom {
            Atom::Var(var) if self.layout.in_lanes.contains(&self.layout.resolve(var)) => {
                let home = self.layout.resolve(var);
                match self.layout.single.contains(&home) {
                    true => format!("[a{}[0]; L]", home.0),
                    false if self.filled.contains(&home) => format!("*a{}", home.0),
                    false => format!("a{}", home.0),
                }
            }
            other => format!("[{}; L]", self.atom(other)),
        }
    }

    /// Loads what a lane loop uses from arrays of lanes.
    pub(super) fn bring(&mut self, used: impl Iterator<Item = Atom>, own: &HashSet<Var>) {
        let mut seen = HashSet::default();
        for atom in used {
            let Atom::Var(var) = atom else { continue };
            if own.contains(&var) || !seen.insert(var) {
                continue;
            }
            let home = self.layout.resolve(var);
            if var == self.context.index {
                let _ = writeln!(self.text, "let v{} = start.wrapping_add(l);", var.0);
            } else if self.layout.in_lanes.contains(&home) {
                let at = if self.layout.single.contains(&home) {
                    "0"
                } else {
                    "l"
                };
                let _ = writeln!(self.text, "let v{} = a{}[{at}];", var.0, home.0);
            } else if let Some(read) = self.again.get(&var) {
                let _ = writeln!(self.text, "let v{} = {read};", var.0);
            }
        }
    }

    pub(super) fn step(&mut self, step: &Step) {
        match step {
            Step::Scalar { out, op, args } => {
                let block = self.reads.by_block(*out, *op, args);
                let expr = block.unwrap_or_else(|| self.expr(*out, *op, args));
                self.define(*out, &expr);
            }
            Step::Read {
                out,
                array,
                index,
                sure,
            } => {
                let at = self.atom(*index);
                let expr = self.reads.expr(*array, *index, *sure, &at);
                self.define(*out, &expr);
                if self.layout.again.contains(out) {
                    self.again.insert(*out, expr);
                }
            }
            Step::Check {
                mask,
                ok,
                id,
                values,
            } => self.check(*mask, *ok, id.0, values),
            Step::Out { .. } => {}
            Step::Loop(_) => unreachable!("a loop is a piece of its own"),
        }
    }

    fn define(&mut self, out: Var, expr: &str) {
        let v = out.0;
        let _ = writeln!(self.text, "let v{v} = {expr};");
        if self.filled.contains(&out) {
            let _ = writeln!(self.text, "a{v}.push(v{v});");
        } else if self.layout.in_lanes.contains(&out) {
            let _ = writeln!(self.text, "a{v}[l] = v{v};");
        }
    }

    pub(super) fn expr(&self, out: Var, op: ScalarOp, args: &[Atom]) -> String {
        let to = (self.context.types)(out);
        let from = match (op, args[0]) {
            (_, Atom::Var(var)) => (self.context.types)(var),
            (_, Atom::Const(it)) => it.ty,
        };
        let texts: Vec<String> = args.iter().map(|arg| self.operand(op, *arg)).collect();
        let consts: Vec<_> = args.iter().map(|arg| as_const(*arg)).collect();
        let lanes = if self.fusing { "__r::FUSING" } else { "L" };
        scalar::expr(op, &texts, &consts, from, to, lanes)
    }

    /// An operand of `op`.
    fn operand(&self, op: ScalarOp, atom: Atom) -> String {
        let Atom::Const(it) = atom else {
            return self.atom(atom);
        };
        let ty = it.ty.name();
        match op {
            ScalarOp::Add if self.hidden && it.ty.is_int() && it.bits == 1 => {
                format!("(hidden.one as {ty})")
            }
            ScalarOp::Mul if self.hidden && is_two(it) => format!("(hidden.two as {ty})"),
            _other => self.atom(atom),
        }
    }

    pub(super) fn atom(&self, atom: Atom) -> String {
        match atom {
            Atom::Const(it) => scalar::constant(it),
            Atom::Var(var) => {
                let suffix = self.group.as_ref().map(|group| group.suffix(var));
                format!("v{}{}", var.0, suffix.unwrap_or_default())
            }
        }
    }
}

/// Whether a constant is 2.0.
fn is_two(it: Const) -> bool {
    match it.ty {
        Scalar::F32 => it.bits == u64::from(2f32.to_bits()),
        Scalar::F64 => it.bits == 2f64.to_bits(),
        _integer => false,
    }
}

/// `pattern` with its holes filled.
pub fn fill(pattern: &str, values: &[String]) -> String {
    let mut text = String::with_capacity(pattern.len() + 8 * values.len());
    let mut values = values.iter();
    for (at, part) in pattern.split(HOLE).enumerate() {
        if at > 0 {
            text.push_str(values.next().map_or("", String::as_str));
        }
        text.push_str(part);
    }
    text
}

pub(super) fn defined<'s>(steps: impl Iterator<Item = &'s Step>) -> HashSet<Var> {
    steps.filter_map(out_of).collect()
}

/// What a step that is no loop defines.
pub(super) fn out_of(step: &Step) -> Option<Var> {
    match step {
        Step::Scalar { out, .. } | Step::Read { out, .. } => Some(*out),
        Step::Check { .. } | Step::Out { .. } | Step::Loop(_) => None,
    }
}

/// A value of the type, for arrays that are written before they are read.
pub fn zero(ty: Scalar) -> &'static str {
    match ty {
        Scalar::Bool => "false",
        Scalar::I8 => "0i8",
        Scalar::I16 => "0i16",
        Scalar::I32 => "0i32",
        Scalar::I64 => "0i64",
        Scalar::U8 => "0u8",
        Scalar::U16 => "0u16",
        Scalar::U32 => "0u32",
        Scalar::U64 => "0u64",
        Scalar::Usize => "0usize",
        Scalar::F16 => "__r::half::f16::ZERO",
        Scalar::Bf16 => "__r::half::bf16::ZERO",
        Scalar::F32 => "0f32",
        Scalar::F64 => "0f64",
    }
}
