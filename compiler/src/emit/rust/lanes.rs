//! Steps of a kernel as the text of its `block` function.
//!
//! In: steps (see `steps.rs`), types, what is captured from outside. Out: Rust statements that fill
//! the block's slots. Assumes `start`, `L`, `flag`, `o0…`, and a local of its own name for each
//! captured scalar.

use crate::emit::rust::border::HOLE;
use crate::emit::rust::reads::{Arrays, Reads};
use crate::emit::rust::scalar;
use crate::emit::rust::steps::{LaneLoop, Step, as_const, has_checks, operands, step_cost};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::Atom;
use std::collections::{HashMap, HashSet};
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
}

/// An output slot: which results it is made of, and the element expression around them, in which
/// [`HOLE`] stands for each in turn.
pub struct Output {
    pub results: Vec<usize>,
    pub pattern: String,
}

/// The text of the body of `block`.
pub fn block(steps: &[Step], context: &Context<'_>) -> String {
    let mut layout = Layout::default();
    let pieces = split(steps, context.types, &mut layout);
    let reads = Reads::new(steps, context.index, context.arrays, context.types);
    let mut printer = Printer {
        context,
        layout,
        reads,
        results: HashMap::new(),
        text: String::new(),
    };
    printer.pieces(&pieces);
    let mut text = printer.declarations();
    text.push_str(&printer.text);
    text
}

/// A segment: steps that share one lane loop. Numbers are unique in the block.
type Segment = usize;

/// Steps grouped by how they are printed.
enum Piece<'s> {
    Straight(Vec<&'s Step>),
    /// A function that takes whole blocks: `out = f(args)`.
    Lanes {
        out: Var,
        name: &'static str,
        args: &'s [Atom],
    },
    /// A loop that is one lane loop: condition, body and update together.
    Simple(&'s LaneLoop),
    Nested {
        it: &'s LaneLoop,
        cond: Vec<Piece<'s>>,
        body: Vec<Piece<'s>>,
    },
}

/// Where each variable lives.
#[derive(Default)]
struct Layout {
    segments: usize,
    defined: HashMap<Var, Segment>,
    /// Variables that cross segments, in order of appearance, with an array of lanes each.
    lanes: Vec<Var>,
    in_lanes: HashSet<Var>,
    /// A loop's outs are its parameters' arrays after the loop.
    alias: HashMap<Var, Var>,
}

impl Layout {
    fn segment(&mut self) -> Segment {
        self.segments += 1;
        self.segments
    }

    fn resolve(&self, var: Var) -> Var {
        self.alias.get(&var).copied().unwrap_or(var)
    }

    fn keep(&mut self, var: Var) {
        let var = self.resolve(var);
        if self.in_lanes.insert(var) {
            self.lanes.push(var);
        }
    }

    fn use_in(&mut self, atom: Atom, segment: Segment) {
        if let Atom::Var(var) = atom {
            let var = self.resolve(var);
            if self
                .defined
                .get(&var)
                .is_some_and(|defined| *defined != segment)
            {
                self.keep(var);
            }
        }
    }
}

/// Scalar operations in one lane loop. A longer chain waits for its own latencies, since the
/// processor does not see far enough ahead to overlap it with the next lanes; shorter loops over
/// more lanes overlap by themselves, and what goes between them stays in the first cache.
const LONG: u32 = 40;

/// The types of scalar variables.
type Types<'t> = &'t dyn Fn(Var) -> Scalar;

/// No segment: a use outside of all lane loops.
const WHOLE: Segment = 0;

fn split<'s>(steps: &'s [Step], types: Types<'_>, layout: &mut Layout) -> Vec<Piece<'s>> {
    let mut pieces = Vec::new();
    let mut run: Vec<&Step> = Vec::new();
    let mut segment = layout.segment();
    let mut weight = 0;
    for step in steps {
        if is_barrier(step) {
            flush(&mut pieces, &mut run);
            pieces.push(barrier(step, types, layout));
            segment = layout.segment();
            weight = 0;
            continue;
        }
        if weight >= LONG {
            flush(&mut pieces, &mut run);
            segment = layout.segment();
            weight = 0;
        }
        place(step, segment, layout);
        run.push(step);
        weight += step_cost(step, types);
    }
    flush(&mut pieces, &mut run);
    pieces
}

fn flush<'s>(pieces: &mut Vec<Piece<'s>>, run: &mut Vec<&'s Step>) {
    if !run.is_empty() {
        pieces.push(Piece::Straight(std::mem::take(run)));
    }
}

fn is_barrier(step: &Step) -> bool {
    match step {
        Step::Loop(_) => true,
        Step::Scalar { op, .. } => on_lanes(*op).is_some(),
        Step::Read { .. } | Step::Check { .. } | Step::Out { .. } => false,
    }
}

/// Functions that take whole blocks: their slow path is chosen once per block.
fn on_lanes(op: ScalarOp) -> Option<&'static str> {
    match op {
        ScalarOp::Sin => Some("sin_lanes"),
        ScalarOp::Cos => Some("cos_lanes"),
        ScalarOp::Pow => Some("pow_lanes"),
        _elsewhere => None,
    }
}

fn place(step: &Step, segment: Segment, layout: &mut Layout) {
    operands(step)
        .into_iter()
        .for_each(|atom| layout.use_in(atom, segment));
    match step {
        Step::Scalar { out, .. } | Step::Read { out, .. } => {
            layout.defined.insert(*out, segment);
        }
        Step::Check { .. } | Step::Out { .. } => {}
        Step::Loop(_) => unreachable!("a loop is a barrier"),
    }
}

fn barrier<'s>(step: &'s Step, types: Types<'_>, layout: &mut Layout) -> Piece<'s> {
    match step {
        Step::Loop(it) => lane_loop(it, types, layout),
        Step::Scalar { out, op, args } => {
            args.iter().for_each(|arg| layout.use_in(*arg, WHOLE));
            layout.defined.insert(*out, WHOLE);
            layout.keep(*out);
            let name = on_lanes(*op).expect("a barrier among scalars takes whole blocks");
            Piece::Lanes {
                out: *out,
                name,
                args,
            }
        }
        Step::Read { .. } | Step::Check { .. } | Step::Out { .. } => {
            unreachable!("only loops and block functions are barriers")
        }
    }
}

fn lane_loop<'s>(it: &'s LaneLoop, types: Types<'_>, layout: &mut Layout) -> Piece<'s> {
    let entry = layout.segment();
    it.init.iter().for_each(|atom| layout.use_in(*atom, entry));
    for param in &it.params {
        layout.defined.insert(*param, WHOLE);
        layout.keep(*param);
    }
    let piece = if it.cond.iter().chain(&it.body).any(is_barrier) {
        let cond = split(&it.cond, types, layout);
        let decide = layout.segment();
        it.mask
            .iter()
            .chain([&it.go_on])
            .for_each(|atom| layout.use_in(*atom, decide));
        layout.defined.insert(it.live, decide);
        layout.keep(it.live);
        let body = split(&it.body, types, layout);
        let update = layout.segment();
        it.next.iter().for_each(|atom| layout.use_in(*atom, update));
        Piece::Nested { it, cond, body }
    } else {
        let segment = layout.segment();
        it.mask
            .iter()
            .for_each(|atom| layout.use_in(*atom, segment));
        layout.defined.insert(it.live, segment);
        it.cond
            .iter()
            .chain(&it.body)
            .for_each(|step| place(step, segment, layout));
        it.next
            .iter()
            .chain([&it.go_on])
            .for_each(|atom| layout.use_in(*atom, segment));
        Piece::Simple(it)
    };
    for (out, param) in it.outs.iter().zip(&it.params) {
        layout.alias.insert(*out, *param);
    }
    piece
}

struct Printer<'a> {
    context: &'a Context<'a>,
    layout: Layout,
    reads: Reads<'a>,
    /// Values of outputs seen so far.
    results: HashMap<usize, Atom>,
    text: String,
}

impl Printer<'_> {
    fn declarations(&mut self) -> String {
        let mut text = self.reads.declarations();
        for var in &self.layout.lanes {
            let zero = zero((self.context.types)(*var));
            let _ = writeln!(text, "let mut a{} = [{zero}; L];", var.0);
        }
        text
    }

    fn pieces(&mut self, pieces: &[Piece<'_>]) {
        for piece in pieces {
            match piece {
                Piece::Straight(steps) => self.straight(steps),
                Piece::Lanes { out, name, args } => self.lanes(*out, name, args),
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
        self.text.push_str("for l in 0..L {\n");
        self.bring(
            used.into_iter().chain(results),
            &defined(steps.iter().copied()),
        );
        steps.iter().for_each(|step| self.step(step));
        outs.into_iter().for_each(|out| self.output(out));
        self.text.push_str("}\n");
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
        let args: Vec<String> = args.iter().map(|arg| self.whole(*arg)).collect();
        let _ = writeln!(
            self.text,
            "a{} = __r::Maths::{name}({});",
            out.0,
            args.join(", ")
        );
    }

    /// An operand as a whole block.
    fn whole(&self, atom: Atom) -> String {
        match atom {
            Atom::Var(var) if self.layout.in_lanes.contains(&self.layout.resolve(var)) => {
                format!("a{}", self.layout.resolve(var).0)
            }
            other => format!("[{}; L]", self.atom(other)),
        }
    }

    /// One lane loop per trip: a lane that has left keeps its state, so its condition stays false
    /// and no mask has to be stored.
    fn simple(&mut self, it: &LaneLoop) {
        self.enter(it);
        let steps = || it.cond.iter().chain(&it.body);
        let used: Vec<Atom> = steps()
            .flat_map(operands)
            .chain(it.next.iter().copied())
            .chain([it.go_on])
            .chain(it.mask)
            .chain(it.params.iter().map(|param| Atom::Var(*param)))
            .collect();
        self.text
            .push_str("loop {\nlet mut any = 0u32;\nfor l in 0..L {\n");
        let mut own = defined(steps());
        own.insert(it.live);
        self.bring(used.into_iter(), &own);
        it.cond.iter().for_each(|step| self.step(step));
        self.decide(it);
        it.body.iter().for_each(|step| self.step(step));
        self.update(it);
        self.text.push_str("}\n");
        self.leave(it);
    }

    fn nested(&mut self, it: &LaneLoop, cond: &[Piece<'_>], body: &[Piece<'_>]) {
        self.enter(it);
        self.text.push_str("loop {\nlet mut any = 0u32;\n");
        self.pieces(cond);
        self.text.push_str("for l in 0..L {\n");
        self.bring([it.go_on].into_iter().chain(it.mask), &HashSet::new());
        self.decide(it);
        let _ = writeln!(
            self.text,
            "a{0}[l] = v{0};\n}}\nif any == 0 {{ break; }}",
            it.live.0
        );
        self.pieces(body);
        self.text.push_str("for l in 0..L {\n");
        let used = it
            .next
            .iter()
            .chain([&Atom::Var(it.live)])
            .copied()
            .collect::<Vec<_>>();
        let params = it.params.iter().map(|param| Atom::Var(*param));
        self.bring(used.into_iter().chain(params), &HashSet::new());
        self.update(it);
        self.text.push_str("}\n");
        self.leave(it);
    }

    fn enter(&mut self, it: &LaneLoop) {
        if it.params.is_empty() {
            return;
        }
        self.text.push_str("for l in 0..L {\n");
        self.bring(it.init.iter().copied(), &HashSet::new());
        for (param, init) in it.params.iter().zip(&it.init) {
            let init = self.atom(*init);
            let _ = writeln!(self.text, "a{}[l] = {init};", param.0);
        }
        self.text.push_str("}\n");
    }

    fn decide(&mut self, it: &LaneLoop) {
        let go_on = self.atom(it.go_on);
        let mask = it
            .mask
            .map(|mask| format!(" & {}", self.atom(mask)))
            .unwrap_or_default();
        let live = it.live.0;
        let _ = writeln!(
            self.text,
            "let v{live} = {go_on}{mask};\nany |= v{live} as u32;"
        );
    }

    fn update(&mut self, it: &LaneLoop) {
        for (param, next) in it.params.iter().zip(&it.next) {
            if *next != Atom::Var(*param) {
                let next = self.atom(*next);
                let (p, live) = (param.0, it.live.0);
                let _ = writeln!(
                    self.text,
                    "a{p}[l] = if v{live} {{ {next} }} else {{ v{p} }};"
                );
            }
        }
    }

    /// A violated check ends the loop: what it computes from replaced values may never end.
    fn leave(&mut self, it: &LaneLoop) {
        let checks = has_checks(&it.cond) || has_checks(&it.body);
        let stop = if checks {
            "any == 0 || flag.violated()"
        } else {
            "any == 0"
        };
        let _ = writeln!(self.text, "if {stop} {{ break; }}\n}}");
    }

    /// Loads what a lane loop uses from arrays of lanes.
    fn bring(&mut self, used: impl Iterator<Item = Atom>, own: &HashSet<Var>) {
        let mut seen = HashSet::new();
        for atom in used {
            let Atom::Var(var) = atom else { continue };
            if own.contains(&var) || !seen.insert(var) {
                continue;
            }
            let home = self.layout.resolve(var);
            if var == self.context.index {
                let _ = writeln!(self.text, "let v{} = start.wrapping_add(l);", var.0);
            } else if self.layout.in_lanes.contains(&home) {
                let _ = writeln!(self.text, "let v{} = a{}[l];", var.0, home.0);
            }
        }
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Scalar { out, op, args } => {
                let expr = self.expr(*out, *op, args);
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
        if self.layout.in_lanes.contains(&out) {
            let _ = writeln!(self.text, "a{v}[l] = v{v};");
        }
    }

    fn check(&mut self, mask: Option<Atom>, ok: Atom, id: u32, values: &[Atom]) {
        let ok = self.atom(ok);
        let violated = match mask {
            Some(mask) => format!("{} & !{ok}", self.atom(mask)),
            None => format!("!{ok}"),
        };
        let values = self.check_values(values);
        let _ = writeln!(self.text, "flag.check({violated}, {id}, {values});");
    }

    fn check_values(&self, values: &[Atom]) -> String {
        let mut shown: Vec<String> = values
            .iter()
            .map(|value| format!("{} as i64", self.atom(*value)))
            .collect();
        shown.resize(3, "0".to_owned());
        format!("[{}]", shown.join(", "))
    }

    fn expr(&self, out: Var, op: ScalarOp, args: &[Atom]) -> String {
        let to = (self.context.types)(out);
        let from = match (op, args[0]) {
            (_, Atom::Var(var)) => (self.context.types)(var),
            (_, Atom::Const(it)) => it.ty,
        };
        let texts: Vec<String> = args.iter().map(|arg| self.atom(*arg)).collect();
        let consts: Vec<_> = args.iter().map(|arg| as_const(*arg)).collect();
        scalar::expr(op, &texts, &consts, from, to)
    }

    fn atom(&self, atom: Atom) -> String {
        match atom {
            Atom::Const(it) => scalar::constant(it),
            Atom::Var(var) => format!("v{}", var.0),
        }
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

fn defined<'s>(steps: impl Iterator<Item = &'s Step>) -> HashSet<Var> {
    steps
        .filter_map(|step| match step {
            Step::Scalar { out, .. } | Step::Read { out, .. } => Some(*out),
            Step::Check { .. } | Step::Out { .. } | Step::Loop(_) => None,
        })
        .collect()
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
        Scalar::F32 => "0f32",
        Scalar::F64 => "0f64",
    }
}
