//! Which steps share a lane loop, and which variables cross from one to another.
//!
//! In: the steps of a kernel. Out: pieces to print in order, and a layout: variables that are used
//! in another lane loop than their own live in arrays of lanes, all others in registers.

use crate::emit::rust::abreast::{self, variables};
use crate::emit::rust::steps::{LaneLoop, Step, operands, step_cost};
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::{FastOp, MathsFn, Scalar, ScalarOp};
use crate::shaped::ir::Atom;

/// A segment: steps that share one lane loop. Numbers are unique in the block.
type Segment = usize;

/// Steps grouped by how they are printed.
pub(super) enum Piece<'s> {
    Straight(Vec<&'s Step>),
    /// The same, made for groups of lanes abreast: see Note [Abreast].
    /// So many values of a lane are alive at a time.
    Abreast(Vec<&'s Step>, usize),
    /// A function that takes whole blocks: `out = f(args)`.
    Lanes {
        out: Var,
        name: &'static str,
        args: &'s [Atom],
    },
    /// Elements anywhere in an array, those of a whole block together.
    Gather {
        out: Var,
        array: Var,
        index: Atom,
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
#[derive(Default, Clone)]
pub(super) struct Layout {
    segments: usize,
    defined: HashMap<Var, Segment>,
    /// Variables that cross segments, in order of appearance, with an array of lanes each.
    pub(super) lanes: Vec<Var>,
    pub(super) in_lanes: HashSet<Var>,
    /// Those of them that are the same in every lane, and have an array of one element instead.
    pub(super) single: HashSet<Var>,
    /// A loop's outs are its parameters' arrays after the loop.
    alias: HashMap<Var, Var>,
    /// Variables that are read again in each lane loop that uses them.
    pub(super) again: HashSet<Var>,
    /// Variables that are read anywhere, for whole blocks.
    pub(super) gathered: HashSet<Var>,
}

impl Layout {
    fn segment(&mut self) -> Segment {
        self.segments += 1;
        self.segments
    }

    /// The variable whose array holds `var`.
    pub(super) fn resolve(&self, var: Var) -> Var {
        self.alias.get(&var).copied().unwrap_or(var)
    }

    /// How long the array of a variable is.
    pub(super) fn width(&self, var: Var) -> &'static str {
        if self.single.contains(&var) { "1" } else { "L" }
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
            let elsewhere = self.defined.get(&var).is_some_and(|it| *it != segment);
            if elsewhere && (segment == WHOLE || !self.again.contains(&var)) {
                self.keep(var);
            }
        }
    }
}

/// The weight of scalar operations in one lane loop. A longer chain waits for its own latencies,
/// since the processor does not see far enough ahead to overlap it with the next lanes; shorter
/// loops over more lanes overlap by themselves, and what goes between them stays in the first cache.
const LONG: u32 = 40;

/// The types of scalar variables.
pub(super) type Types<'t> = &'t dyn Fn(Var) -> Scalar;

/// No segment: a use outside of all lane loops.
const WHOLE: Segment = 0;

/// Groups `steps`, and notes in `layout` which variables cross segments.
pub(super) fn split<'s>(
    steps: &'s [Step],
    types: Types<'_>,
    layout: &mut Layout,
) -> Vec<Piece<'s>> {
    let mut pieces = Vec::new();
    let mut run: Vec<&Step> = Vec::new();
    for step in steps {
        if is_barrier(step, types, layout) {
            straight(&std::mem::take(&mut run), types, layout, &mut pieces);
            pieces.push(barrier(step, types, layout));
        } else {
            run.push(step);
        }
    }
    straight(&run, types, layout, &mut pieces);
    pieces
}

/// Groups steps between loops.
fn straight<'s>(
    steps: &[&'s Step],
    types: Types<'_>,
    layout: &mut Layout,
    pieces: &mut Vec<Piece<'s>>,
) {
    let varies = |var| layout.defined.contains_key(&layout.resolve(var));
    let Some(parts) = abreast::parts(steps, types, &varies) else {
        return cut(steps, types, layout, pieces);
    };
    for var in parts.abreast.iter().flat_map(|step| variables(step)) {
        layout.again.remove(&var);
    }
    cut(&parts.before, types, layout, pieces);
    let segment = layout.segment();
    for step in &parts.abreast {
        place(step, segment, layout);
    }
    pieces.push(Piece::Abreast(parts.abreast, parts.alive));
    cut(&parts.behind, types, layout, pieces);
}

/// Cuts steps into short lane loops.
fn cut<'s>(steps: &[&'s Step], types: Types<'_>, layout: &mut Layout, pieces: &mut Vec<Piece<'s>>) {
    let mut run: Vec<&Step> = Vec::new();
    let mut segment = layout.segment();
    let mut weight = 0;
    for step in steps {
        // Outputs stay together: a product is stored where its last component is known.
        if weight >= LONG && !matches!(step, Step::Out { .. }) {
            flush(pieces, &mut run);
            segment = layout.segment();
            weight = 0;
        }
        place(step, segment, layout);
        run.push(step);
        weight += step_weight(step, types);
    }
    flush(pieces, &mut run);
}

/// What a step adds to the chain of its lane loop: what it costs, twice for floats, whose additions
/// take three to four cycles where those of integers take one.
pub(super) fn step_weight(step: &Step, types: Types<'_>) -> u32 {
    let cost = step_cost(step, types);
    match step {
        Step::Scalar { out, .. } if types(*out).is_float() => 2 * cost,
        _other => cost,
    }
}

fn flush<'s>(pieces: &mut Vec<Piece<'s>>, run: &mut Vec<&'s Step>) {
    if !run.is_empty() {
        pieces.push(Piece::Straight(std::mem::take(run)));
    }
}

fn is_barrier(step: &Step, types: Types<'_>, layout: &Layout) -> bool {
    match step {
        Step::Loop(_) => true,
        Step::Scalar { .. } => is_for_block(step, types),
        Step::Read { out, .. } => layout.gathered.contains(out),
        Step::Check { .. } | Step::Out { .. } => false,
    }
}

/// Whether one of the steps outside of loops is such a function.
pub(super) fn take_block(steps: &[Step], types: Types<'_>) -> bool {
    steps.iter().any(|step| is_for_block(step, types))
}

/// Whether a step is a function that takes whole blocks. Powers and logarithms of `f64` gain nothing by it, and a lane
/// loop loses if it is cut there.
fn is_for_block(step: &Step, types: Types<'_>) -> bool {
    let Step::Scalar { op, out, .. } = step else {
        return false;
    };
    let is_cheap = matches!(
        op,
        ScalarOp::Maths(MathsFn::Exp | MathsFn::Ln) | ScalarOp::Fast(FastOp::Exp)
    );
    on_lanes(*op).is_some() && !(is_cheap && types(*out) == Scalar::F64)
}

/// Functions that take whole blocks: their slow path is chosen once per block, or they are written in
/// vectors.
fn on_lanes(op: ScalarOp) -> Option<&'static str> {
    match op {
        ScalarOp::Maths(MathsFn::Exp) => Some("__r::Maths::exp_lanes"),
        ScalarOp::Fast(FastOp::Exp) => Some("__r::MulAdd::exp_lanes"),
        ScalarOp::Maths(MathsFn::Ln) => Some("__r::Maths::ln_lanes"),
        ScalarOp::Maths(MathsFn::Sin) => Some("__r::Maths::sin_lanes"),
        ScalarOp::Maths(MathsFn::Cos) => Some("__r::Maths::cos_lanes"),
        ScalarOp::Maths(MathsFn::Tan) => Some("__r::Maths::tan_lanes"),
        ScalarOp::Maths(MathsFn::Pow) => Some("__r::Maths::pow_lanes"),
        ScalarOp::Fast(FastOp::Rsqrt) => Some("estimates.rsqrt_lanes"),
        ScalarOp::Fast(FastOp::OverCube) => Some("estimates.over_cube_lanes"),
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
        Step::Read {
            out, array, index, ..
        } => {
            layout.use_in(*index, WHOLE);
            layout.defined.insert(*out, WHOLE);
            layout.keep(*out);
            Piece::Gather {
                out: *out,
                array: *array,
                index: *index,
            }
        }
        Step::Check { .. } | Step::Out { .. } => {
            unreachable!("only loops and what is done for whole blocks are barriers")
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
    let mut steps = it.cond.iter().chain(&it.body);
    let piece = if steps.any(|step| is_barrier(step, types, layout)) {
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
