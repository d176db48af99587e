//! Arrays that grow.
//!
//! In: a fused function. Out: a kernel in a loop that writes the elements of an array which nobody reads
//! afterwards, and others behind them, appends these to it instead. Assumes that dead code is gone.
//!
//! Note \[Appending\]. `out = out.chain(part)` is a new array of both, so a loop of such steps would take
//! time that is quadratic in what it gathers. Where the old array is used for the last time, its memory
//! has room for more (`core/src/append.rs`), and the part goes there: the kernel runs over the indices
//! behind the old elements only, where what the body decides by `index < length` is known. So whatever
//! gives the part is computed straight into its place, as in any kernel. What is chained to an array that
//! has been chained to before, in one step, is one kernel with both decisions, and appends both parts.

use crate::fused::ir::{Body, Function, Kernel, Layout, Op, Sink, Stmt, VarInfo};
use crate::fused::liveness::{last_uses, uses_of_body, uses_of_kernel};
use crate::fused::sweep::may_fail;
use crate::fused::together::rename;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::shaped::ir::{Atom, VarType};
use crate::typed::ir::Const;

/// Makes kernels append where they may; says whether any does.
pub(super) fn append(function: &mut Function) -> bool {
    if !has_loop(&function.body) {
        return false;
    }
    let before = function.body.clone();
    let mut kept = HashSet::default();
    loop {
        let mut pass = Pass::new(&mut function.vars, &kept);
        pass.body(&mut function.body, false);
        let found = pass.found;
        let copied = copied(function);
        if copied.is_empty() {
            return found;
        }
        // An array that is read afterwards would be copied: so the kernel that it was is as good.
        kept.extend(copied);
        function.body = before.clone();
    }
}

fn has_loop(body: &Body) -> bool {
    let mut found = false;
    visit(body, &mut |stmt| found |= matches!(stmt.op, Op::Loop(_)));
    found
}

/// The first outs of kernels that append to an array which is used afterwards.
fn copied(function: &Function) -> Vec<Var> {
    let last = last_uses(function);
    let mut found = Vec::new();
    visit(&function.body, &mut |stmt| {
        if let Op::Kernel(kernel) = &stmt.op
            && let Sink::Append { into } = &kernel.sink
            && !into.iter().all(|array| last.is_last(stmt, *array))
        {
            found.push(stmt.outs[0]);
        }
    });
    found
}

fn visit(body: &Body, f: &mut impl FnMut(&Stmt)) {
    for stmt in &body.stmts {
        f(stmt);
        inner(&stmt.op).into_iter().for_each(|body| visit(body, f));
    }
}

/// The bodies in which arrays are made.
fn inner(op: &Op) -> Vec<&Body> {
    match op {
        Op::If { then, else_, .. } => vec![then, else_],
        Op::Loop(it) => vec![&it.cond, &it.body],
        Op::Kernel(kernel) => vec![&kernel.body],
        Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. } => Vec::new(),
    }
}

struct Pass<'a> {
    vars: &'a mut Vec<VarInfo>,
    /// First outs of kernels that stay as they are.
    kept: &'a HashSet<Var>,
    /// Arrays that are handed from step to step: state, and what conditionals make of it.
    handed: HashSet<Var>,
    /// Sums, of which sizes are.
    sums: HashMap<Var, [Atom; 2]>,
    /// The elements of array literals.
    literals: HashMap<Var, Vec<Atom>>,
    found: bool,
}

impl<'a> Pass<'a> {
    fn new(vars: &'a mut Vec<VarInfo>, kept: &'a HashSet<Var>) -> Self {
        Pass {
            vars,
            kept,
            handed: HashSet::default(),
            sums: HashMap::default(),
            literals: HashMap::default(),
            found: false,
        }
    }

    fn body(&mut self, body: &mut Body, in_loop: bool) {
        for mut stmt in std::mem::take(&mut body.stmts) {
            let distance = self.stmt(&mut stmt, in_loop);
            body.stmts.extend(distance);
            body.stmts.push(stmt);
        }
    }

    /// Gives a statement that is needed in front.
    fn stmt(&mut self, stmt: &mut Stmt, in_loop: bool) -> Option<Stmt> {
        let mut distance = None;
        match &mut stmt.op {
            Op::Scalar(ScalarOp::Add, args) => {
                self.sums.insert(stmt.outs[0], [args[0], args[1]]);
            }
            Op::Literal(elems) => {
                self.literals.insert(stmt.outs[0], elems.clone());
            }
            Op::If { then, else_, .. } => {
                self.body(then, in_loop);
                self.body(else_, in_loop);
                self.handed.extend(&stmt.outs);
            }
            Op::Loop(it) => {
                self.handed.extend(&it.params);
                self.body(&mut it.cond, true);
                self.body(&mut it.body, true);
                self.handed.extend(&stmt.outs);
            }
            Op::Update { .. } => self.handed.extend(&stmt.outs),
            Op::Kernel(kernel) => {
                self.body(&mut kernel.body, false);
                if in_loop
                    && !self.kept.contains(&stmt.outs[0])
                    && self.kernel(kernel, &mut distance).is_some()
                {
                    self.handed.extend(&stmt.outs);
                    self.found = true;
                }
            }
            Op::Scalar(..) | Op::Check { .. } | Op::Len { .. } | Op::Read { .. } => {}
        }
        distance
    }

    /// Makes a kernel append, if it may; `distance` computes how much, if nothing did.
    fn kernel(&mut self, kernel: &mut Kernel, distance: &mut Option<Stmt>) -> Option<()> {
        if !matches!(kernel.sink, Sink::Write) || kernel.nest {
            return None;
        }
        let (over, body) = Over::of(kernel)?;
        let Grown { into, length, body } = self.grown(&body, &over)?;
        let total = kernel.extents[0];
        let (more, computed) = match self.more(total, length)? {
            More::Is(more) => (more, None),
            More::Distance => {
                let stmt = self.distance(kernel.index, total, length);
                (Atom::Var(stmt.outs[0]), Some(stmt))
            }
        };
        let mut tried = Kernel {
            extents: vec![more],
            body,
            ..kernel.clone()
        };
        match &over.columns {
            None => self.count_from(&mut tried, length),
            Some(columns) => self.rows_from(&mut tried, length, (over.place, columns)),
        }
        let mut used = HashSet::default();
        uses_of_kernel(&tried, &mut used);
        if into.iter().any(|array| used.contains(array)) {
            return None;
        }
        if over.columns.is_none() {
            self.without_literals(&mut tried, more);
        }
        tried.sink = Sink::Append { into };
        *kernel = tried;
        *distance = computed;
        Some(())
    }

    /// Computes how much longer `total` is than `length`; `index` is another size.
    fn distance(&mut self, index: Var, total: Atom, length: Atom) -> Stmt {
        let out = self.size(index);
        Stmt {
            outs: vec![out],
            op: Op::Scalar(ScalarOp::Sub, vec![total, length]),
            src: self.vars[out.index()].src,
        }
    }

    /// A new variable like the size `other`.
    fn size(&mut self, other: Var) -> Var {
        let out = Var::next(self.vars);
        let VarInfo { ty, fast, src } = &self.vars[other.index()];
        let (ty, fast, src) = (ty.clone(), *fast, *src);
        self.vars.push(VarInfo { ty, fast, src });
        out
    }

    /// The body of a kernel that writes arrays and others behind them: a decision between these, or
    /// between what is in front of something more and that.
    fn grown(&self, body: &Body, over: &Over) -> Option<Grown> {
        let (Stmt { outs, op, .. }, before) = body.stmts.split_last()?;
        let Op::If { cond, then, else_ } = op else {
            return None;
        };
        let results = outs.iter().copied().map(Atom::Var);
        if !results.eq(body.results.iter().copied()) || before.iter().any(|it| may_fail(&it.op)) {
            return None;
        }
        let bound = bound(before, *cond, over.place)?;
        match self.grown(then, over) {
            // What is below the one length is below the other.
            Some(inner) => {
                self.more(bound, inner.length)?;
                let mut body = body.clone();
                let last = body.stmts.last_mut()?;
                if let Op::If { then, .. } = &mut last.op {
                    *then = inner.body;
                }
                Some(Grown { body, ..inner })
            }
            None => {
                let mut body = else_.clone();
                body.stmts.splice(0..0, before.iter().cloned());
                Some(Grown {
                    into: self.whole(then, over, bound)?,
                    length: bound,
                    body,
                })
            }
        }
    }

    /// The arrays of this length of which a body gives the elements at the index.
    fn whole(&self, body: &Body, over: &Over, length: Atom) -> Option<Vec<Var>> {
        let mut arrays = Vec::new();
        for result in &body.results {
            let read = body.stmts.iter().find_map(|stmt| match &stmt.op {
                Op::Read { array, index: at } if *result == Atom::Var(stmt.outs[0]) => {
                    over.is_at(body, *at).then_some(*array)
                }
                _other => None,
            });
            let extents = [&[length], over.width().as_slice()].concat();
            let array = read.filter(|it| self.handed.contains(it) && self.is_of(*it, &extents))?;
            if arrays.contains(&array) {
                return None;
            }
            arrays.push(array);
        }
        Some(arrays)
    }

    /// Whether an array has these extents.
    fn is_of(&self, array: Var, extents: &[Atom]) -> bool {
        match &self.vars[array.index()].ty {
            Layout::Plain(VarType::Array(ty)) => ty
                .dims
                .iter()
                .map(|dim| dim.value)
                .eq(extents.iter().copied()),
            Layout::Plain(VarType::Scalar(_))
            | Layout::Component { .. }
            | Layout::Packed { .. } => false,
        }
    }

    /// What is added to `length` for `total`.
    fn more(&self, total: Atom, length: Atom) -> Option<More> {
        let Atom::Var(var) = total else { return None };
        match *self.sums.get(&var)? {
            [left, more] | [more, left] if left == length => Some(More::Is(more)),
            [left, more] => Some(match (self.more(left, length)?, more) {
                (More::Is(Atom::Const(one)), Atom::Const(other)) => More::Is(Atom::Const(Const {
                    bits: one.bits.checked_add(other.bits)?,
                    ..one
                })),
                (More::Is(_) | More::Distance, _) => More::Distance,
            }),
        }
    }

    /// Counts the indices of a kernel from `length` on, which the body counts from 0.
    fn count_from(&mut self, kernel: &mut Kernel, length: Atom) {
        let place = kernel.index;
        let taken = take_distance(&mut kernel.body, place, length);
        kernel.index = taken.unwrap_or_else(|| self.size(place));
        let place = Stmt {
            outs: vec![place],
            op: Op::Scalar(ScalarOp::Add, vec![length, Atom::Var(kernel.index)]),
            src: self.vars[place.index()].src,
        };
        kernel.body.stmts.insert(0, place);
    }

    /// The same of a kernel over rows, whose number is in `place`.
    fn rows_from(&mut self, kernel: &mut Kernel, length: Atom, (place, columns): (Var, &Columns)) {
        let (index, width) = (Atom::Var(kernel.index), columns.width);
        let column = columns.column.unwrap_or_else(|| self.size(place));
        let src = self.vars[place.index()].src;
        let define = |out, op, args: [Atom; 2]| Stmt {
            outs: vec![out],
            op: Op::Scalar(op, args.to_vec()),
            src,
        };
        if let Atom::Const(it) = kernel.extents[0]
            && it.bits == 1
        {
            let zero = Atom::Const(Const { bits: 0, ..it });
            let first = define(place, ScalarOp::Add, [length, zero]);
            kernel.body.stmts.insert(0, first);
            (kernel.extents, kernel.index) = (vec![width], column);
            return;
        }
        kernel.extents.push(width);
        let row = take_distance(&mut kernel.body, place, length);
        let row = row.unwrap_or_else(|| self.size(place));
        let parts = [
            define(row, ScalarOp::Div, [index, width]),
            define(column, ScalarOp::Rem, [index, width]),
            define(place, ScalarOp::Add, [length, Atom::Var(row)]),
        ];
        kernel.body.stmts.splice(0..0, parts);
    }

    /// Leaves out array literals of which a kernel appends `more` elements.
    fn without_literals(&self, kernel: &mut Kernel, more: Atom) {
        match more {
            Atom::Const(it) if it.bits == 1 && is_straight(&kernel.body) => {
                self.take_literals(kernel);
            }
            Atom::Const(one) => {
                if let Some(results) = self.elements(kernel) {
                    kernel.extents = vec![Atom::Const(Const { bits: 1, ..one })];
                    kernel.body = Body {
                        results,
                        ..Body::default()
                    };
                }
            }
            Atom::Var(_) => {}
        }
    }

    /// The elements of array literals that a kernel appends, if it does nothing else: all of one component
    /// before those of the next.
    fn elements(&self, kernel: &Kernel) -> Option<Vec<Atom>> {
        let index = Atom::Var(kernel.index);
        let mut elements = Vec::new();
        for result in &kernel.body.results {
            let literal = kernel.body.stmts.iter().find_map(|stmt| match &stmt.op {
                Op::Read { array, index: at } if *result == Atom::Var(stmt.outs[0]) => {
                    (*at == index).then(|| self.literals.get(array))?
                }
                _other => None,
            });
            elements.extend(literal.filter(|it| (1..=FEW).contains(&it.len()))?);
        }
        (!kernel.body.stmts.iter().any(|it| may_fail(&it.op))).then_some(elements)
    }

    /// Takes the one element of array literals for reads of them.
    fn take_literals(&self, kernel: &mut Kernel) {
        let index = Atom::Var(kernel.index);
        let mut names = HashMap::default();
        kernel.body.stmts.retain(|stmt| match &stmt.op {
            Op::Read { array, index: at } if *at == index => match self.literals.get(array) {
                Some(elems) => {
                    names.insert(stmt.outs[0], elems[0]);
                    false
                }
                None => true,
            },
            _other => true,
        });
        rename(&mut kernel.body, &names);
    }
}

/// Elements of a literal that are appended one by one.
const FEW: usize = 8;

/// What a kernel goes over.
struct Over {
    /// The number of an element, or of a row.
    place: Var,
    /// Of rows, what is in them.
    columns: Option<Columns>,
}

/// The elements of rows.
struct Columns {
    width: Atom,
    /// The number of an element in its row, if it is asked for.
    column: Option<Var>,
}

impl Over {
    /// What a kernel goes over, and its body without the statements that say so of its index.
    fn of(kernel: &Kernel) -> Option<(Over, Body)> {
        let mut body = kernel.body.clone();
        let (place, columns) = match kernel.extents.as_slice() {
            [_] => (kernel.index, None),
            [_, width] => {
                let args = [Atom::Var(kernel.index), *width];
                let place = take(&mut body, ScalarOp::Div, args)?;
                let column = take(&mut body, ScalarOp::Rem, args);
                let mut used = HashSet::default();
                uses_of_body(&body, &mut used);
                if used.contains(&kernel.index) {
                    return None;
                }
                let width = *width;
                (place, Some(Columns { width, column }))
            }
            _more => return None,
        };
        Some((Over { place, columns }, body))
    }

    fn width(&self) -> Option<Atom> {
        self.columns.as_ref().map(|it| it.width)
    }

    /// Whether a position is that of the index.
    fn is_at(&self, body: &Body, at: Atom) -> bool {
        let Some(Columns { width, column }) = &self.columns else {
            return at == Atom::Var(self.place);
        };
        let args = |of: Atom, op: ScalarOp| {
            body.stmts.iter().find_map(|stmt| match &stmt.op {
                Op::Scalar(is, args) if *is == op && of == Atom::Var(stmt.outs[0]) => {
                    Some([args[0], args[1]])
                }
                _other => None,
            })
        };
        let Some([row, in_row]) = args(at, ScalarOp::Add) else {
            return false;
        };
        column.is_some_and(|column| in_row == Atom::Var(column))
            && args(row, ScalarOp::Mul) == Some([Atom::Var(self.place), *width])
    }
}

/// How much longer one length is than another.
enum More {
    /// By this.
    Is(Atom),
    /// By several numbers.
    Distance,
}

/// What a kernel writes behind arrays.
struct Grown {
    /// The arrays.
    into: Vec<Var>,
    /// How long they are.
    length: Atom,
    /// The elements behind them, by indices that are counted from the start of all.
    body: Body,
}

/// What a condition says that an index is below.
fn bound(stmts: &[Stmt], cond: Atom, index: Var) -> Option<Atom> {
    stmts.iter().find_map(|stmt| match &stmt.op {
        Op::Scalar(ScalarOp::Lt, args) if cond == Atom::Var(stmt.outs[0]) => {
            (args[0] == Atom::Var(index)).then_some(args[1])
        }
        _other => None,
    })
}

/// Removes the statement that computes how far behind `length` an index is, and gives its out.
fn take_distance(body: &mut Body, index: Var, length: Atom) -> Option<Var> {
    take(body, ScalarOp::Sub, [Atom::Var(index), length])
}

/// Removes the statement that computes this, and gives its out.
fn take(body: &mut Body, op: ScalarOp, args: [Atom; 2]) -> Option<Var> {
    let is_it = |stmt: &Stmt| matches!(&stmt.op, Op::Scalar(is, it) if *is == op && *it == args);
    let at = body.stmts.iter().position(is_it)?;
    Some(body.stmts.remove(at).outs[0])
}

/// Whether a body holds scalars alone, and no loops.
fn is_straight(body: &Body) -> bool {
    body.stmts.iter().all(|stmt| match &stmt.op {
        Op::Scalar(..) | Op::Check { .. } | Op::Read { .. } => true,
        Op::If { then, else_, .. } => is_straight(then) && is_straight(else_),
        Op::Len { .. } | Op::Literal(_) | Op::Update { .. } | Op::Loop(_) | Op::Kernel(_) => false,
    })
}
