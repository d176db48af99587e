//! A kernel as a struct that implements the run time's traits.
//!
//! In: a kernel statement. Out: items and statements, as Rust text. Assumes that the host printer
//! has printed all that the kernel captures. See Note [Lane blocks] in `steps.rs`.

use crate::emit::rust::accumulate;
use crate::emit::rust::border::{constructor, elem_type};
use crate::emit::rust::call::call;
use crate::emit::rust::captured::{Captured, Names};
use crate::emit::rust::carried;
use crate::emit::rust::columns::reads_down;
use crate::emit::rust::counts;
use crate::emit::rust::fresh::FreshVars;
use crate::emit::rust::host::{Checks, Host};
use crate::emit::rust::inside;
use crate::emit::rust::lanes::{
    Context, Output, block, counting_block, may_overhang, reads_anywhere, sum_block,
};
use crate::emit::rust::looping;
use crate::emit::rust::lying;
use crate::emit::rust::reads::gathers;
use crate::emit::rust::rough::{self, Open};
use crate::emit::rust::rowed::{RowForm, may_be_useful, row_form};
use crate::emit::rust::scalar;
use crate::emit::rust::seeks;
use crate::emit::rust::steps::{Fresh, Step, has_checks, linearise, step_cost};
use crate::emit::rust::tuples::{led, names, tuple};
use crate::fused::ir::{Body, Combine, Kernel, Layout, Op, Sink, SortOf, Stmt};
use crate::hash::HashSet;
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp, Sorted};
use crate::shaped::ir::Atom;
use crate::typed::ir::SigType;
use std::cell::RefCell;

/// Prints a kernel and its call.
pub fn emit(host: &mut Host<'_>, stmt: &Stmt, kernel: &Kernel) {
    let (literal, form) = item(host, stmt, kernel);
    match host.checks {
        Checks::Nest => inside::call(host, stmt, kernel, &literal),
        Checks::Return | Checks::Flag => call(host, stmt, kernel, &literal, form),
    }
}

/// Prints the items of a kernel; gives a reference to it as an expression, and how it comes.
pub fn item(host: &mut Host<'_>, stmt: &Stmt, kernel: &Kernel) -> (String, Form) {
    let name = format!("__K{}", host.kernels);
    host.kernels += 1;
    let captured = Captured::new(host, kernel).with_length(host.rows.as_ref());
    let parts = Parts::new(host, stmt, kernel, captured);
    let (items, form) = parts.items(host, &name, (stmt, kernel), false);
    host.items.push_str(&items);
    (parts.captured.literal(&name), form)
}

/// Prints the items of a kernel that reads `rows` of `width` again and again, see
/// [`Captured::with_repeated`]; gives it as an expression.
pub fn repeated_item(
    host: &mut Host<'_>,
    stmt: &Stmt,
    kernel: &Kernel,
    width: Atom,
    rows: &[(Var, String)],
) -> String {
    let name = format!("__K{}", host.kernels);
    host.kernels += 1;
    let captured = Captured::new(host, kernel).with_repeated(width, rows);
    let parts = Parts::new(host, stmt, kernel, captured);
    let (items, _) = parts.items(host, &name, (stmt, kernel), false);
    host.items.push_str(&items);
    parts.captured.literal(&name)
}

/// Prints the items of a kernel of a convoy, which reads strips of `made`, or rows of them, and then comes
/// row by row; gives a reference to it as an expression, and the types of what it yields.
pub fn strip_item(
    host: &mut Host<'_>,
    stmt: &Stmt,
    kernel: &Kernel,
    made: &[Var],
    rowed: bool,
) -> (String, Vec<String>) {
    let mut captured = Captured::with_strips(host, kernel, made);
    if rowed {
        captured = captured.with_width(kernel);
    }
    let (name, parts) = named(host, stmt, kernel, captured, rowed);
    (parts.captured.literal(&name), parts.outs)
}

/// Prints the items of a kernel that is a trip of a loop with these arrays as its state; gives its name and what it
/// captures.
pub fn trip_item(
    host: &mut Host<'_>,
    stmt: &Stmt,
    kernel: &Kernel,
    states: &[Var],
) -> (String, Captured) {
    let captured = Captured::with_states(host, kernel, states).with_width(kernel);
    let (name, parts) = named(host, stmt, kernel, captured, true);
    (name, parts.captured)
}

/// Prints the items of a kernel that captures this; gives its name.
fn named(
    host: &mut Host<'_>,
    stmt: &Stmt,
    kernel: &Kernel,
    captured: Captured,
    rowed: bool,
) -> (String, Parts) {
    let name = format!("__K{}", host.kernels);
    host.kernels += 1;
    let parts = Parts::new(host, stmt, kernel, captured);
    let (items, _) = parts.items(host, &name, (stmt, kernel), rowed);
    host.items.push_str(&items);
    (name, parts)
}

/// How a kernel that writes comes.
#[derive(Clone, Copy)]
pub enum Form {
    /// As one loop.
    Flat,
    /// As a loop in parts.
    Loop,
    /// Also row by row.
    Rows,
    /// Over a matrix, in squares.
    Squares,
}

/// What a kernel captures and yields.
struct Parts {
    captured: Captured,
    /// Element types of the outputs.
    outs: Vec<String>,
    outputs: Vec<Output>,
    /// Whether the first output says what becomes of the others.
    led: bool,
}

impl Parts {
    fn new(host: &Host<'_>, stmt: &Stmt, kernel: &Kernel, captured: Captured) -> Parts {
        let (outs, outputs) = outputs(host, stmt, kernel);
        Parts {
            captured,
            outs,
            outputs,
            led: matches!(kernel.sink, Sink::Keep | Sink::Scatter { .. }),
        }
    }

    fn out_type(&self) -> String {
        self.product(self.outs.iter())
    }

    /// A product of the outputs.
    fn product(&self, parts: impl Iterator<Item = impl AsRef<str>>) -> String {
        match self.led {
            true => led(parts),
            false => tuple(parts),
        }
    }

    /// The items, and how the kernel comes; row by row if asked for, else if that is of use.
    fn items(
        &self,
        host: &Host<'_>,
        name: &str,
        (stmt, kernel): (&Stmt, &Kernel),
        rowed: bool,
    ) -> (String, Form) {
        let names = self.captured.names();
        let fields = self.captured.declarations();
        let mut fresh = FreshVars::new(host);
        let steps = linearise(&kernel.body, &mut fresh);
        let indices = [0; 4].map(|_| fresh.fresh(Scalar::Usize));
        let types = |var| fresh.type_of(host, var);
        let context = Context {
            types: &types,
            index: kernel.index,
            arrays: self.captured.arrays(),
            outputs: &self.outputs,
            checks: has_checks(&steps),
            inputs: &[],
            rows: host.rows.as_ref(),
            overhangs: false,
            in_parts: false,
            again: false,
            once: Some(&kernel.extents[..]).filter(|_| !goes_twice(&kernel.sink)),
            fusing: false,
            in_threes: false,
            ends: false,
        };
        let keeps = matches!(kernel.sink, Sink::Keep);
        let overhangs = !sink_checks(&kernel.sink) && may_overhang(&steps, &context, keeps);
        let context = Context {
            overhangs,
            in_parts: overhangs && keeps,
            ..context
        };
        let sought = seeks::sought(host, kernel).filter(|_| !context.checks);
        let sought = sought.map(|sought| seeks::texts(&steps, &sought, &context));
        let text = match &sought {
            Some(_) => seeks::block_text().to_owned(),
            None => {
                // Of these there are versions that read elements one by one: see `core/src/gathered.rs`.
                let sums_or_keeps = matches!(kernel.sink, Sink::Reduce { .. } | Sink::Keep);
                let ends = sums_or_keeps && context.checks && reads_anywhere(&steps, &context);
                block(&steps, &Context { ends, ..context })
            }
        };
        let rows = self.rows(host, kernel, &steps, &context, indices, rowed);
        let cost = match &rows {
            Some(rows) => rows.cost(&context),
            None => {
                let costs = steps.iter().map(|step| step_cost(step, context.types));
                costs.fold(0, u32::saturating_add)
            }
        };
        let checks = context.checks || sink_checks(&kernel.sink);
        let (locals, outs) = (self.captured.scalar_locals("self"), self.out_type());
        let slots = self.product((0..self.outs.len()).map(|at| format!("o{at}")));
        let gathers = match gathers(sought.as_ref().map_or(&text, |texts| &texts.holds)) {
            true => "const GATHERS: bool = true;\n",
            false => "",
        };
        let overhangs = match context.overhangs {
            true => "const OVERHANGS: bool = true;\n",
            false => "",
        };
        let joins = match &kernel.sink {
            Sink::Sort(SortOf::Keys(Sorted::Values)) if host.rows.is_none() => {
                lying::joined_text(kernel, &self.captured, &self.outs[0])
            }
            _other => None,
        };
        let lies = match &kernel.sink {
            Sink::Reduce { .. } | Sink::Sort(SortOf::Keys(_) | SortOf::At(..)) => {
                lying::text(kernel, &self.captured, &self.outs[0], host.rows.as_ref())
            }
            Sink::Write
            | Sink::Sort(SortOf::Elements(_))
            | Sink::Rows { .. }
            | Sink::Pack
            | Sink::Keep
            | Sink::Join
            | Sink::Scan { .. }
            | Sink::Fold { .. }
            | Sink::Scatter { .. }
            | Sink::Append { .. } => None,
        };
        let lies = lies.or(joins).unwrap_or_default();
        let mut items = format!(
            "struct {name}{declared} {{ {fields} }}\n\
             {head} __r::Kernel for {name}{tail} {{\n\
             type Out = {outs};\nconst COST: u32 = {cost};\nconst CHECKS: bool = {checks};\n\
             {gathers}{overhangs}{lies}\
             #[inline(always)]\n\
             fn block<const L: usize, F: __r::Flag>(&self, start: usize, \
             out: <Self::Out as __r::Product>::Slots<'_, {{ L }}>, flag: &mut F) {{\n\
             {locals}let {slots} = out;\n{text}}}\n}}\n",
            declared = names.declared,
            head = names.head,
            tail = names.tail,
        );
        let accumulate = match accumulate::products(kernel, host.vars, "L") {
            Some((body, outputs)) => {
                let mut fresh = FreshVars::new(host);
                let steps = linearise(&body, &mut fresh);
                let context = Context {
                    types: &|var| fresh.type_of(host, var),
                    outputs: &outputs,
                    ..context
                };
                let counting = counting_block(&steps, &context)
                    .map(|it| accumulate::counting_text(&locals, &slots, &it, false));
                let text = accumulate::text(&locals, &slots, &sum_block(&steps, &context));
                text + &counting.unwrap_or_default()
            }
            None => accumulate::plain(kernel, host.vars)
                .and_then(|outputs| {
                    let outputs = &outputs;
                    counting_block(&steps, &Context { outputs, ..context })
                })
                .map(|it| accumulate::counting_text(&locals, &slots, &it, true))
                .unwrap_or_default(),
        };
        let counts = counts::condition(kernel, host.vars)
            .map(|condition| counts::text(&locals, &steps, condition, &context));
        let seeks = sought.map(|texts| seeks::text(&locals, &texts));
        let accumulate = accumulate + &counts.or(seeks).unwrap_or_default();
        match &kernel.sink {
            Sink::Scatter { .. }
            | Sink::Append { .. }
            | Sink::Keep
            | Sink::Sort(SortOf::Keys(_) | SortOf::At(..)) => {}
            Sink::Sort(SortOf::Elements(components)) => {
                items.push_str(&carried::text(
                    host,
                    stmt,
                    (name, &names),
                    &self.outs,
                    components,
                ));
            }
            Sink::Rows { .. } | Sink::Join => unreachable!("a nest"),
            Sink::Write | Sink::Pack => {
                if let Some(rows) = rows {
                    let row = name.replace('K', "R");
                    items.push_str(&rows.text(name, &row, &self.captured, &context, &outs));
                    if rowed {
                        items.push_str(&rows.edges(name, &self.captured, &context));
                    }
                    return (items, Form::Rows);
                }
                if let Some(parts) = looping::parts(&steps, &context) {
                    items.push_str(&parts.text(name, &names, &locals, &slots));
                    return (items, Form::Loop);
                }
                if reads_down(host, kernel) {
                    return (items, Form::Squares);
                }
            }
            Sink::Reduce { combine, .. } | Sink::Scan { combine, .. } => {
                let rough = rough::first(host, kernel, combine, &outs).unwrap_or_else(|| {
                    rough::text(host, &self.captured, combine, &outs, Open::ZerosAndNan)
                });
                let forms = accumulate + &rough;
                items.push_str(&self.combine(host, name, &names, (kernel, combine), &forms));
            }
            Sink::Fold {
                acc, elem, step, ..
            } => {
                items.push_str(&self.fold(host, name, &names, acc, elem, step));
            }
        }
        (items, Form::Flat)
    }

    /// The kernel row by row.
    fn rows(
        &self,
        host: &Host<'_>,
        kernel: &Kernel,
        steps: &[Step],
        context: &Context<'_>,
        indices: [Var; 4],
        asked: bool,
    ) -> Option<RowForm> {
        let writes = matches!(kernel.sink, Sink::Write | Sink::Pack);
        let has_loop = steps.iter().any(|step| matches!(step, Step::Loop(_)));
        if !writes || has_loop || host.checks != Checks::Return {
            return None;
        }
        // Where nothing in it knows how many columns there are, it does not take its index apart.
        let knows = || {
            let mut width = kernel.extents.last().into_iter();
            width.all(|width| self.captured.knows(*width))
        };
        let useful = || {
            (kernel.extents.len() == 1 || knows())
                && may_be_useful(steps, kernel.index, &kernel.extents, context)
        };
        if !asked && (!useful() || reads_down(host, kernel)) {
            return None;
        }
        let form = row_form(steps, kernel.index, &kernel.extents, context, indices);
        let use_it = asked || form.is_useful(steps, kernel.index, context);
        use_it.then_some(form)
    }

    fn combine(
        &self,
        host: &Host<'_>,
        name: &str,
        Names { head, tail, .. }: &Names,
        (kernel, combine): (&Kernel, &Combine),
        forms: &str,
    ) -> String {
        let ty = self.out_type();
        let neutral = match &combine.neutral {
            Some(neutral) => tuple(neutral.iter().map(|it| scalar::constant(*it))),
            None => tuple(
                self.outs
                    .iter()
                    .map(|ty| format!("<{ty} as __r::Default>::default()")),
            ),
        };
        let commutative = combine.neutral.is_some();
        let known = match () {
            () if is_sum(combine) => "Add",
            () => rough::known(host, kernel, combine).unwrap_or("Other"),
        };
        let (left, right) = (names(&combine.left), names(&combine.right));
        let fast = match combine.left.iter().any(|var| host.vars[var.index()].fast) {
            true => "const FAST: bool = true;\n",
            false => "",
        };
        let body = operator(host, &self.captured, &combine.body);
        format!(
            "{head} __r::Combine for {name}{tail} {{\n\
             const COMMUTATIVE: bool = {commutative};\n\
             const OPERATOR: __r::Operator = __r::Operator::{known};\n\
             {fast}#[inline(always)]\nfn neutral(&self) -> {ty} {{ {neutral} }}\n\
             #[inline(always)]\n\
             fn combine<F: __r::Flag>(&self, {left}: {ty}, {right}: {ty}, flag: &mut F) -> {ty} {{\n\
             {body}}}\n{forms}}}\n"
        )
    }

    fn fold(
        &self,
        host: &Host<'_>,
        name: &str,
        Names { head, tail, .. }: &Names,
        acc: &[Var],
        elem: &[Var],
        step: &Body,
    ) -> String {
        let ty = tuple(acc.iter().map(|var| host.type_of(*var)));
        let (acc, elem, outs) = (names(acc), names(elem), self.out_type());
        let body = operator(host, &self.captured, step);
        format!(
            "{head} __r::Fold for {name}{tail} {{\ntype Acc = {ty};\n\
             #[inline(always)]\n\
             fn step<F: __r::Flag>(&self, {acc}: {ty}, {elem}: {outs}, flag: &mut F) -> {ty} {{\n\
             {body}}}\n}}\n"
        )
    }
}

/// The body of an operator or a fold step: scalar code with real control flow.
pub fn operator(host: &Host<'_>, captured: &Captured, body: &Body) -> String {
    operator_with(host, captured, body, |_| None)
}

/// The same; `instead` has the text of some statements.
pub fn operator_with(
    host: &Host<'_>,
    captured: &Captured,
    body: &Body,
    instead: impl Fn(&Stmt) -> Option<String>,
) -> String {
    let mut inner = Host {
        function: host.function,
        vars: host.vars,
        structs: host.structs,
        arrays: host.arrays,
        last: host.last,
        places: host.places,
        in_place: host.in_place,
        checks: Checks::Flag,
        rows: None,
        locals: HashSet::default(),
        fields: Some(captured.arrays()),
        items: String::new(),
        kernels: 0,
        text: captured.scalar_locals("self"),
    };
    for stmt in &body.stmts {
        match instead(stmt) {
            Some(text) => inner.text.push_str(&text),
            None => inner.stmt(stmt),
        }
    }
    let results = inner.results(body);
    inner.text + &results + "\n"
}

fn outputs(host: &Host<'_>, stmt: &Stmt, kernel: &Kernel) -> (Vec<String>, Vec<Output>) {
    let values = 0..kernel.body.results.len();
    let types = || value_types(host, kernel);
    let packed = |elem: &SigType, first: usize| Output {
        results: (first..values.end).collect(),
        pattern: constructor(elem, host.structs),
    };
    match (&kernel.sink, &host.vars[stmt.outs[0].index()].ty) {
        (Sink::Pack, Layout::Packed { elem, .. }) => (vec![elem_type(elem)], vec![packed(elem, 0)]),
        (Sink::Scatter { .. }, Layout::Packed { elem, .. }) => (
            vec![types().swap_remove(0), elem_type(elem)],
            vec![Output::plain(0), packed(elem, 1)],
        ),
        _values => (types(), values.clone().map(Output::plain).collect()),
    }
}

/// The types of the values that a kernel computes of an index.
pub fn value_types(host: &Host<'_>, kernel: &Kernel) -> Vec<String> {
    let of = |atom: &Atom| match atom {
        Atom::Var(var) => scalar::type_name(host.scalar_of(*var)).to_owned(),
        Atom::Const(it) => scalar::type_name(it.ty).to_owned(),
    };
    kernel.body.results.iter().map(of).collect()
}

/// Whether the run time computes each block twice: what is scanned, or kept, is summed, or counted, first.
fn goes_twice(sink: &Sink) -> bool {
    matches!(sink, Sink::Scan { .. } | Sink::Keep)
}

/// A plain sum of one component, for which the run time has code of its own.
pub fn is_sum(combine: &Combine) -> bool {
    let [stmt] = combine.body.stmts.as_slice() else {
        return false;
    };
    let operands = [Atom::Var(combine.left[0]), Atom::Var(combine.right[0])];
    combine.left.len() == 1
        && combine.neutral.is_some()
        && combine.body.results == [Atom::Var(stmt.outs[0])]
        && matches!(&stmt.op, Op::Scalar(ScalarOp::Add, args) if *args == operands)
}

fn sink_checks(sink: &Sink) -> bool {
    fn any(body: &Body) -> bool {
        let found = RefCell::new(false);
        crate::emit::rust::free::visit_stmts(body, &mut |stmt| {
            if matches!(stmt.op, crate::fused::ir::Op::Check { .. }) {
                *found.borrow_mut() = true;
            }
        });
        found.into_inner()
    }
    match sink {
        Sink::Write
        | Sink::Rows { .. }
        | Sink::Pack
        | Sink::Keep
        | Sink::Join
        | Sink::Append { .. }
        | Sink::Sort(_) => false,
        Sink::Scatter { .. } => true,
        Sink::Reduce { combine, .. } | Sink::Scan { combine, .. } => any(&combine.body),
        Sink::Fold { step, .. } => any(step),
    }
}
