//! Nests that go through the row of their index several times, which the run time does for many short
//! rows together, operation by operation.
//!
//! In: a nest. Out: whether it is such a one; its impl of the run time's `Batches`, as Rust text.
//! Assumes that the nest itself has been printed.
//!
//! Note [Operations of a batch]: an operation's kernel stays what it is, with an index that runs over the
//! elements of all rows of the batch: what it reads where the row begins and the index goes on it reads
//! where the batch begins, and arrays of the body hold all rows' elements. Scalars of the body that it
//! needs have become arrays, which are read at the index. Reductions give one total per row. All other
//! scalars are computed in loops over the rows in between, anew in each loop that needs them.

use crate::emit::rust::body::{Rows, arrays_read, read_again, rows};
use crate::emit::rust::by_position::uses_only_sum;
use crate::emit::rust::captured::{Captured, Names};
use crate::emit::rust::columns::needed;
use crate::emit::rust::free::captured;
use crate::emit::rust::host::Host;
use crate::emit::rust::kernel::item;
use crate::emit::rust::nest::inner_host;
use crate::emit::rust::scalar::type_name;
use crate::emit::rust::segments::{is_scalar, reduction, row};
use crate::emit::rust::tuples::{names, numbered, tuple};
use crate::fused::ir::{Body, Kernel, Layout, Op, Sink, Stmt, VarInfo};
use crate::fused::liveness::uses_of_stmt;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::shaped::ir::{ArrayType, Atom, VarType};
use std::fmt::Write;

/// The most arrays that a batch may have: they lie on the stack.
const MOST: usize = 24;

/// A nest whose body can be run for a batch of rows.
pub struct Batches<'k> {
    nest: &'k Kernel,
    /// Where the row of the index begins.
    start: Var,
    /// How many elements it has.
    len: Var,
}

impl<'k> Batches<'k> {
    /// What `nest` does with rows at these offsets, if its values at elements depend on positions and on
    /// scalars of their rows alone.
    pub fn new(host: &Host<'_>, nest: &'k Kernel, offsets: Var) -> Option<Batches<'k>> {
        let (start, len) = row(nest, offsets)?;
        let it = Batches { nest, start, len };
        let kernels = || nest.body.stmts.iter().filter_map(kernel_of);
        let sound = it.results_are_rows_or_scalars(host, offsets)
            && kernels().next().is_some()
            && nest.body.stmts.iter().all(|stmt| match kernel_of(stmt) {
                Some(kernel) => it.is_by_position(host, kernel),
                None => it.is_scalar(host, stmt),
            });
        sound.then_some(it)
    }

    /// The index, and what is made in the body.
    fn own(&self) -> HashSet<Var> {
        let stmts = self.nest.body.stmts.iter();
        let made = stmts.flat_map(|stmt| &stmt.outs);
        made.chain([&self.nest.index]).copied().collect()
    }

    /// Whether a statement computes scalars, of no element of an array of the body.
    fn is_scalar(&self, host: &Host<'_>, stmt: &Stmt) -> bool {
        let (own, mut used) = (self.own(), HashSet::default());
        uses_of_stmt(stmt, &mut used);
        let is_row = |var: &Var| own.contains(var) && host.is_array(*var);
        is_scalar(stmt) && !used.iter().any(is_row)
    }

    /// Whether each result is a row as long as that which is read, or each is a scalar.
    fn results_are_rows_or_scalars(&self, host: &Host<'_>, offsets: Var) -> bool {
        let results = &self.nest.body.results;
        let is_array = |atom: &Atom| matches!(atom, Atom::Var(var) if host.is_array(*var));
        match &self.nest.sink {
            Sink::Write => !results.iter().any(is_array),
            Sink::Rows { offsets: own } => {
                let places = rows(host.vars, self.nest);
                let in_place = |(at, atom): (usize, &Atom)| match atom {
                    Atom::Var(var) => places.get(var) == Some(&at),
                    Atom::Const(_) => false,
                };
                own.iter().all(|own| *own == offsets)
                    && results.iter().enumerate().all(in_place)
                    && self.nest.body.stmts.iter().all(|stmt| {
                        let placed = stmt.outs.iter().filter(|it| places.contains_key(it));
                        [0, stmt.outs.len()].contains(&placed.count())
                    })
            }
            Sink::Pack
            | Sink::Keep
            | Sink::Join
            | Sink::Reduce { .. }
            | Sink::Scan { .. }
            | Sink::Fold { .. }
            | Sink::Scatter { .. }
            | Sink::Append { .. }
            | Sink::Sort(_) => false,
        }
    }

    /// Whether a kernel's values depend on positions in the row, which it runs over, and on scalars.
    fn is_by_position(&self, host: &Host<'_>, kernel: &Kernel) -> bool {
        let own = self.own();
        let operator = match &kernel.sink {
            Sink::Write => Body::default(),
            Sink::Reduce { combine, .. } => combine.body.clone(),
            Sink::Rows { .. }
            | Sink::Pack
            | Sink::Keep
            | Sink::Join
            | Sink::Scan { .. }
            | Sink::Fold { .. }
            | Sink::Scatter { .. }
            | Sink::Append { .. }
            | Sink::Sort(_) => return false,
        };
        let is_own = |var: &Var| own.contains(var);
        let is_row = |var: &Var| own.contains(var) && host.is_array(*var);
        let with = |body: Body| Kernel {
            body,
            sink: Sink::Write,
            ..kernel.clone()
        };
        let mut body = kernel.body.clone();
        body.stmts
            .retain(|stmt| !is_element(stmt, kernel.index, &own));
        let reads = captured(&with(body.clone()), host.vars);
        !kernel.nest
            && kernel.extents == [Atom::Var(self.len)]
            && !reads.iter().any(is_row)
            && !captured(&with(operator), host.vars).iter().any(is_own)
            && uses_only_sum(&body, self.start, kernel.index)
    }

    /// What runs the nest.
    pub fn skeleton(&self) -> &'static str {
        match &self.nest.sink {
            Sink::Rows { .. } => "batches_uneven_to",
            _even => "batches_to",
        }
    }

    /// The impl for the nest of this name, and how many kernels have been printed then; `None` if it takes
    /// too many arrays.
    pub fn items(
        &self,
        host: &Host<'_>,
        name: &str,
        outside: &Captured,
    ) -> Option<(String, usize)> {
        let scalars = self.scalars();
        let mut vars = host.vars.to_vec();
        vars.extend(scalars.iter().map(|var| as_array(&host.vars[var.index()])));
        let first = host.vars.len();
        let arrays = scalars.iter().enumerate();
        let arrays = arrays.map(|(at, var)| (*var, Var((first + at) as u32)));
        let places = rows(host.vars, self.nest);
        let inner = Host {
            vars: &vars,
            rows: None,
            locals: HashSet::default(),
            ..inner_host(host, self.nest, outside, &places)
        };
        let mut printer = Printer {
            it: self,
            host: inner,
            arrays: arrays.collect(),
            spread: HashSet::default(),
            totals: HashMap::default(),
            checked: 0,
            room: Vec::new(),
        };
        printer.body();
        (printer.room.len() <= MOST).then(|| printer.item(name, outside))
    }

    /// The scalars of the body, and the index.
    fn scalars(&self) -> Vec<Var> {
        let stmts = self.nest.body.stmts.iter();
        let scalars = stmts.filter(|stmt| match kernel_of(stmt) {
            Some(kernel) => matches!(kernel.sink, Sink::Reduce { .. }),
            None => true,
        });
        let scalars = scalars.flat_map(|stmt| &stmt.outs);
        scalars.chain([&self.nest.index]).copied().collect()
    }
}

/// What is known of an array of a scalar's values.
fn as_array(scalar: &VarInfo) -> VarInfo {
    let Layout::Plain(VarType::Scalar(elem)) = &scalar.ty else {
        unreachable!("a scalar")
    };
    let ty = ArrayType {
        elem: *elem,
        dims: Vec::new(),
    };
    VarInfo {
        ty: Layout::Plain(VarType::Array(ty)),
        ..scalar.clone()
    }
}

/// Prints the body for a batch.
struct Printer<'p> {
    it: &'p Batches<'p>,
    host: Host<'p>,
    /// The array of each scalar.
    arrays: HashMap<Var, Var>,
    /// Scalars of which the array has been written.
    spread: HashSet<Var>,
    /// By the first result of a reduction: the kernel, and where the totals are.
    totals: HashMap<Var, (String, usize)>,
    /// Statements whose checks have been printed.
    checked: usize,
    /// Types of what operations leave to those after them.
    room: Vec<String>,
}

impl Printer<'_> {
    fn body(&mut self) {
        let nest = self.it.nest;
        let _ = writeln!(self.host.text, "let v{} = batch.start();", self.it.start.0);
        for (at, stmt) in nest.body.stmts.iter().enumerate() {
            if let Some(kernel) = kernel_of(stmt) {
                self.operation(at, stmt, kernel);
            }
        }
        let results = nest.body.results.iter().enumerate();
        let scalars: Vec<(usize, Atom)> = match &nest.sink {
            Sink::Write => results.map(|(at, atom)| (at, *atom)).collect(),
            _rows => Vec::new(),
        };
        for (at, _) in &scalars {
            let _ = writeln!(self.host.text, "let o{at} = r{at}.slice();");
        }
        let wanted: Vec<Atom> = scalars.iter().map(|(_, atom)| *atom).collect();
        let puts = scalars.iter().map(|(at, atom)| {
            let value = self.host.atom(*atom);
            format!("if let __r::Some(to) = o{at}.get_mut(row) {{ *to = {value}; }}\n")
        });
        let puts = puts.collect::<String>();
        self.per_row(nest.body.stmts.len(), &wanted, false, &puts);
    }

    /// Prints the operation of a kernel, which is the statement `at`, with all that it needs.
    fn operation(&mut self, at: usize, stmt: &Stmt, kernel: &Kernel) {
        let scalars: Vec<Var> = captured(kernel, self.host.vars)
            .into_iter()
            .filter(|var| *var != self.it.start && self.arrays.contains_key(var))
            .collect();
        let new = |var: &Var| !self.spread.contains(var);
        let new: Vec<Var> = scalars.iter().copied().filter(new).collect();
        self.spread(at, &new);
        let reads = scalars.iter().map(|var| Stmt {
            outs: vec![*var],
            op: Op::Read {
                array: self.arrays[var],
                index: Atom::Var(kernel.index),
            },
            src: stmt.src,
        });
        let stmts = reads.chain(kernel.body.stmts.iter().cloned()).collect();
        let kernel = Kernel {
            body: Body {
                stmts,
                results: kernel.body.results.clone(),
            },
            ..kernel.clone()
        };
        self.host.rows = Some(self.reads(at));
        let (literal, _) = item(&mut self.host, stmt, &kernel);
        match &kernel.sink {
            Sink::Reduce { combine, .. } => self.reduction(stmt, &combine.left, &literal),
            _write => self.elements(stmt, &literal),
        }
        self.host.text.push_str("if flag.violated() { return; }\n");
    }

    /// How the kernel that is the statement `at` reads arrays.
    fn reads(&self, at: usize) -> Rows {
        let nest = self.it.nest;
        let later: HashSet<Var> = nest.body.stmts[at + 1..]
            .iter()
            .flat_map(arrays_read)
            .collect();
        let read = arrays_read(&nest.body.stmts[at]);
        let (fetched, last) = read.into_iter().partition(|array| later.contains(array));
        let own = self
            .it
            .own()
            .into_iter()
            .chain(self.arrays.values().copied());
        Rows {
            index: nest.index,
            uneven: None,
            whole: None,
            last,
            fetched,
            own: own.collect(),
            together: Some("__r::batches::TOGETHER"),
        }
    }

    fn reduction(&mut self, stmt: &Stmt, value: &[Var], literal: &str) {
        let value = self.product(value);
        let values = self.member(format!("__r::Flat<{value}>"));
        let totals = self.member(format!("__r::PerRow<{value}>"));
        let name = format!("k{totals}");
        let _ = writeln!(
            self.host.text,
            "let {name} = {literal};\n\
             __r::batches::reduce::<{{ L }}, _, F>({name}, batch, m{values}, m{totals}, flag);"
        );
        self.totals.insert(stmt.outs[0], (name, totals));
    }

    fn elements(&mut self, stmt: &Stmt, literal: &str) {
        let places = stmt.outs.iter().map(|out| self.host.places.get(out));
        if let Some(places) = places.collect::<Option<Vec<_>>>() {
            let targets = tuple(places.iter().map(|row| format!("&mut *r{row}")));
            let _ = writeln!(
                self.host.text,
                "__r::inner::write_rows::<{{ L }}, _, F>({literal}, batch.count(), {targets}, flag);"
            );
            for (out, row) in stmt.outs.iter().zip(places) {
                let _ = writeln!(self.host.text, "let v{} = &*r{row}.slice();", out.0);
            }
            return;
        }
        let value = self.product(&stmt.outs);
        let member = self.member(format!("__r::Flat<{value}>"));
        let outs = names(&stmt.outs);
        let _ = writeln!(
            self.host.text,
            "__r::batches::write::<{{ L }}, _, F>({literal}, batch, m{member}, flag);\n\
             let {outs} = m{member}.lanes();"
        );
    }

    /// Computes scalars that are made before the statement `at`, for each element of the batch.
    fn spread(&mut self, at: usize, scalars: &[Var]) {
        let mut sets = String::new();
        let mut spreads = String::new();
        for var in scalars {
            let value = self.product(&[*var]);
            let of_rows = self.member(format!("__r::PerRow<{value}>"));
            let of_elements = self.member(format!("__r::Flat<{value}>"));
            let _ = writeln!(sets, "m{of_rows}.set(row, (v{},));", var.0);
            let _ = writeln!(
                spreads,
                "__r::batches::spread(batch, m{of_rows}, m{of_elements});\n\
                 let (v{},) = m{of_elements}.lanes();",
                self.arrays[var].0
            );
        }
        let wanted: Vec<Atom> = scalars.iter().map(|var| Atom::Var(*var)).collect();
        self.per_row(at, &wanted, true, &sets);
        self.host.text.push_str(&spreads);
        self.spread.extend(scalars);
    }

    /// Prints a loop over the rows that computes `wanted` of what is made before the statement `at`, looks
    /// at checks that no loop before has looked at, and ends with `then`.
    fn per_row(&mut self, at: usize, wanted: &[Atom], spreads: bool, then: &str) {
        let nest = self.it.nest;
        let before = &nest.body.stmts[..at];
        let new = &before[self.checked..];
        let new_checks = new
            .iter()
            .any(|stmt| matches!(stmt.op, Op::Check { .. } | Op::If { .. }));
        if wanted.is_empty() && !new_checks {
            return;
        }
        let stmts = before.iter().enumerate();
        let scalars = stmts.filter(|(at, stmt)| {
            let checked = *at < self.checked && matches!(stmt.op, Op::Check { .. });
            !checked && kernel_of(stmt).is_none() && stmt.outs != [self.it.len]
        });
        let scalars = scalars.map(|(_, stmt)| stmt.clone()).collect();
        let inits = before.iter().filter_map(init_of).flatten();
        let results: Vec<Atom> = inits.chain(wanted).copied().collect();
        let kept = needed(scalars, &results).stmts;
        let kept: HashSet<Var> = kept.iter().flat_map(|it| &it.outs).copied().collect();
        // Rows that fill vectors up do no harm where nothing is read or checked.
        let is_kept = |stmt: &&Stmt| stmt.outs.iter().any(|out| kept.contains(out));
        let plain = !new_checks
            && spreads
            && before
                .iter()
                .filter(is_kept)
                .all(|stmt| matches!(stmt.op, Op::Scalar(..)));
        let rows = if plain { "padded" } else { "rows" };
        let _ = writeln!(
            self.host.text,
            "for row in 0..batch.{rows}() {{\n\
             let v{} = batch.first().wrapping_add(row);\nlet v{} = batch.len(row);",
            nest.index.0, self.it.len.0
        );
        for (number, stmt) in before.iter().enumerate() {
            if let Some(init) = init_of(stmt) {
                self.total(stmt, init);
            } else if stmt.outs.iter().any(|out| kept.contains(out))
                || number >= self.checked && matches!(stmt.op, Op::Check { .. })
            {
                self.host.stmt(stmt);
            }
        }
        self.host.text.push_str(then);
        self.host.text.push_str("}\n");
        self.checked = at;
    }

    /// Prints a row's result of a reduction.
    fn total(&mut self, stmt: &Stmt, init: &[Atom]) {
        let (kernel, totals) = &self.totals[&stmt.outs[0]];
        let init = tuple(init.iter().map(|it| self.host.atom(*it)));
        let _ = writeln!(
            self.host.text,
            "let {outs} = match v{len} {{\n0 => {init},\n\
             _ => __r::Combine::combine({kernel}, {init}, m{totals}.get(row), flag),\n}};",
            outs = names(&stmt.outs),
            len = self.it.len.0,
        );
    }

    /// The type of a product of the values of variables.
    fn product(&self, vars: &[Var]) -> String {
        tuple(vars.iter().map(|var| type_name(self.host.scalar_of(*var))))
    }

    /// A new array of the batch.
    fn member(&mut self, ty: String) -> usize {
        self.room.push(ty);
        self.room.len() - 1
    }

    fn item(self, name: &str, outside: &Captured) -> (String, usize) {
        let Names { head, tail, .. } = outside.names();
        let members = self
            .room
            .iter()
            .map(|ty| format!("{ty}::new()").replacen('<', "::<", 1));
        let (types, members) = (tuple(self.room.iter()), tuple(members));
        let results = self.it.nest.body.results.len();
        let rows = numbered('r', results);
        let all = numbered('m', self.room.len());
        let near = read_again(&self.it.nest.body, self.host.places);
        let near: String = near.iter().map(|row| format!("r{row}.near();\n")).collect();
        // What elements need is computed before the results are written.
        let ask: String = (0..results).map(|row| format!("r{row}.ask();\n")).collect();
        let text = format!(
            "{head} __r::Batches for {name}{tail} {{\ntype Room = {types};\n\
             #[inline(always)]\nfn room() -> Self::Room {{ {members} }}\n\
             #[inline(always)]\n\
             fn batch<const L: usize, F: __r::Flag>(&self, batch: &__r::Batch, \
             room: &mut Self::Room, rows: &mut <Self::Outs as __r::Rows>::Places<'_>, \
             flag: &mut F) {{\n\
             let {rows} = rows;\nlet {all} = room;\nlet index = batch.first();\n\
             {near}{ask}{body}}}\n}}\n",
            body = self.host.text,
        );
        (self.host.items + &text, self.host.kernels)
    }
}

/// The kernel of a statement.
fn kernel_of(stmt: &Stmt) -> Option<&Kernel> {
    match &stmt.op {
        Op::Kernel(kernel) => Some(kernel),
        Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::If { .. }
        | Op::Loop(_) => None,
    }
}

/// What a reduction starts from.
fn init_of(stmt: &Stmt) -> Option<&[Atom]> {
    reduction(stmt).map(|(_, (_, init))| init)
}

/// Whether a statement reads an array of the body at the index.
fn is_element(stmt: &Stmt, index: Var, own: &HashSet<Var>) -> bool {
    matches!(&stmt.op, Op::Read { array, index: at }
        if own.contains(array) && *at == Atom::Var(index))
}
