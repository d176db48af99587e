//! Arrays of which some elements are kept, as kernels of their own.
//!
//! In, out: a fused function. What keeps some of the elements comes as rows of one element or none at
//! the offsets that a scan of flags gives (`shaped/prims/select.rs`); here it becomes one kernel that
//! keeps values, so that no offsets are written. A scan of flags of which nothing but the total is
//! read becomes a sum, and so does one whose rows nobody reads, as where lengths alone are asked for.
//! Flags that check something are an array, since the scan looks at one more place than there are;
//! here they are computed where they are summed. Assumes that offsets are sums of the lengths of the
//! rows that are written there.

use crate::fused::fast::{bodies, operands};
use crate::fused::ir::{Body, Combine, Function, Kernel, Op, Sink, Stmt, VarInfo};
use crate::hash::{HashMap, HashSet};
use crate::ids::{CheckId, Var};
use crate::prims::ScalarOp;
use crate::shaped::ir::Atom;
use crate::typed::ir::Const;

/// The values that a kernel can have besides the flag.
pub(super) const MOST: usize = 11;

/// Finds such kernels in the whole function; whether it may have changed.
pub(super) fn keep(function: &mut Function) -> bool {
    let scans = has_scan(&function.body);
    if scans {
        let facts = Facts::of(&function.vars, &function.body);
        facts.body(&mut function.body);
    }
    scans
}

/// Whether anything is scanned: most functions need no survey.
pub(super) fn has_scan(body: &Body) -> bool {
    body.stmts.iter().any(|stmt| {
        matches!(&stmt.op, Op::Kernel(kernel) if matches!(kernel.sink, Sink::Scan { .. }))
            || bodies(stmt).into_iter().any(has_scan)
    })
}

pub(super) struct Facts<'v> {
    pub(super) vars: &'v [VarInfo],
    /// What sums and casts are of.
    defs: HashMap<Var, (ScalarOp, Vec<Atom>)>,
    /// How often each variable is mentioned.
    pub(super) uses: HashMap<Var, usize>,
}

/// The offsets of rows.
pub(super) struct Offsets<'k> {
    array: Var,
    /// How many rows there are.
    pub(super) count: Atom,
    scan: &'k Kernel,
    combine: &'k Combine,
    init: &'k [Atom],
    /// The length of a row, for its number in `index`.
    pub(super) len: &'k Body,
    pub(super) index: Var,
    /// Where the lengths are made as an array for the scan, if they are.
    made: Option<usize>,
}

impl<'v> Facts<'v> {
    /// Of a function's variables and its body.
    pub(super) fn of(vars: &'v [VarInfo], body: &Body) -> Self {
        let mut facts = Facts {
            vars,
            defs: HashMap::default(),
            uses: HashMap::default(),
        };
        facts.survey(body);
        facts
    }

    /// Whether a number is another, as a size.
    pub(super) fn is_cast(&self, size: Var, number: Var) -> bool {
        let def = self.defs.get(&size);
        def.is_some_and(|(op, args)| *op == ScalarOp::Cast && *args == [Atom::Var(number)])
    }

    fn survey(&mut self, body: &Body) {
        self.mention(&body.results);
        for stmt in &body.stmts {
            if let Op::Scalar(op, args) = &stmt.op {
                self.defs.insert(stmt.outs[0], (*op, args.clone()));
            }
            self.mention(&operands(stmt));
            bodies(stmt).into_iter().for_each(|body| self.survey(body));
        }
    }

    fn mention(&mut self, atoms: &[Atom]) {
        for atom in atoms {
            if let Atom::Var(var) = atom {
                *self.uses.entry(*var).or_insert(0) += 1;
            }
        }
    }

    fn body(&self, body: &mut Body) {
        for stmt in &mut body.stmts {
            for body in stmt.op.bodies_mut() {
                self.body(body);
            }
        }
        let mut at = 0;
        while at < body.stmts.len() {
            if let Some(change) = self.change(&body.stmts, at) {
                body.stmts[at] = change.stmt;
                for gone in change.gone.into_iter().rev() {
                    body.stmts.remove(gone);
                    at -= usize::from(gone < at);
                }
            }
            at += 1;
        }
    }

    /// What becomes of the statement at `at`, if it makes offsets that need not be.
    fn change(&self, stmts: &[Stmt], at: usize) -> Option<Change> {
        let mut offsets = self.offsets(&stmts[at])?;
        self.look_through(&mut offsets, stmts, at);
        let uses = *self.uses.get(&offsets.array)?;
        let made = || offsets.made.into_iter();
        let is_total = |stmt: &Stmt| {
            matches!(stmt.op, Op::Read { array, index }
                if array == offsets.array && index == offsets.count)
        };
        let total = at + 1 + stmts[at + 1..].iter().position(is_total)?;
        let count = stmts[total].outs[0];
        if uses == 1 {
            let stmt = offsets.sum(&stmts[at], count);
            let gone = made().chain([total]).collect();
            return Some(Change { stmt, gone });
        }
        let is_rows = |stmt: &Stmt| match &stmt.op {
            Op::Kernel(kernel) => match &kernel.sink {
                Sink::Rows { offsets: all } => {
                    all.len() + 1 == uses && all.iter().all(|it| *it == offsets.array)
                }
                _other => false,
            },
            _other => false,
        };
        let rows = at + 1 + stmts[at + 1..].iter().position(is_rows)?;
        let between = &stmts[at + 1..rows];
        if total > rows || !between.iter().all(is_passed) {
            return None;
        }
        if self.is_idle(&stmts[rows], offsets.len) {
            let stmt = offsets.sum(&stmts[at], count);
            let gone = made().chain([total, rows]).collect();
            return Some(Change { stmt, gone });
        }
        let defined: HashSet<Var> = between.iter().flat_map(|it| &it.outs).copied().collect();
        let kept = self.kept(&stmts[rows], offsets.count, &defined, offsets.len);
        let kept = kept.map(|stmt| (stmt, offsets.made));
        let joined = || {
            let (stmt, lens) = self.joined(stmts, at, &stmts[rows], &offsets, &defined)?;
            Some((stmt, Some(lens)))
        };
        let (mut stmt, lens) = kept.or_else(joined)?;
        stmt.outs.push(count);
        Some(Change {
            stmt,
            gone: lens.into_iter().chain([total, rows]).collect(),
        })
    }

    /// Where the lengths are an array that nobody else reads, takes how it is made for them.
    fn look_through<'k>(&self, offsets: &mut Offsets<'k>, stmts: &'k [Stmt], at: usize) {
        let [read] = offsets.len.stmts.as_slice() else {
            return;
        };
        let Op::Read { array, index } = &read.op else {
            return;
        };
        let as_it_is = *index == Atom::Var(offsets.index)
            && offsets.len.results == [Atom::Var(read.outs[0])]
            && self.uses.get(array) == Some(&1);
        let Some(made) = stmts[..at].iter().position(|stmt| stmt.outs == [*array]) else {
            return;
        };
        let Op::Kernel(kernel) = &stmts[made].op else {
            return;
        };
        let plain = matches!(kernel.sink, Sink::Write)
            && kernel.extents == [offsets.count]
            && kernel.body.stmts.iter().all(|stmt| self.is_scalar(stmt));
        let near = stmts[made + 1..at]
            .iter()
            .all(|stmt| is_passed(stmt) && !matches!(stmt.op, Op::Check { .. }));
        if as_it_is && plain && near {
            (offsets.len, offsets.index) = (&kernel.body, kernel.index);
            offsets.made = Some(made);
        }
    }

    /// Whether nobody reads the rows that a statement writes, and it checks nothing but what is
    /// checked in `known`.
    fn is_idle(&self, stmt: &Stmt, known: &Body) -> bool {
        let seen = checks(&known.stmts);
        stmt.outs.iter().all(|out| !self.uses.contains_key(out))
            && checks(std::slice::from_ref(stmt)).is_subset(&seen)
    }

    /// The offsets that a statement makes: a sum of the lengths before each row, and of all.
    fn offsets<'k>(&self, stmt: &'k Stmt) -> Option<Offsets<'k>> {
        let Op::Kernel(scan) = &stmt.op else {
            return None;
        };
        let Sink::Scan {
            init: Some(init),
            combine,
            exclusive: true,
            total: false,
            along: None,
        } = &scan.sink
        else {
            return None;
        };
        let ([array], [one_more]) = (stmt.outs.as_slice(), scan.extents.as_slice()) else {
            return None;
        };
        let count = self.one_less(*one_more)?;
        let [before, choice] = scan.body.stmts.as_slice() else {
            return None;
        };
        let Op::If { cond, then, else_ } = &choice.op else {
            return None;
        };
        let is_before = matches!(&before.op, Op::Scalar(ScalarOp::Lt, args)
            if *args == [Atom::Var(scan.index), count])
            && *cond == Atom::Var(before.outs[0]);
        let is_zero = |it: &Atom| matches!(it, Atom::Const(it) if it.bits == 0);
        let rest = else_.stmts.is_empty() && else_.results.iter().all(is_zero);
        let sums = init.iter().all(is_zero) && !scan.nest;
        let gives = scan.body.results == [Atom::Var(choice.outs[0])];
        // The lengths are computed without the condition, which not only this `if` may look at.
        let apart = self.uses.get(&before.outs[0]) == Some(&1);
        let fits = is_before && rest && sums && gives && apart && combine.neutral.is_some();
        fits.then_some(Offsets {
            array: *array,
            count,
            scan,
            combine,
            init,
            len: then,
            index: scan.index,
            made: None,
        })
    }

    /// A size, given that and one more.
    fn one_less(&self, size: Atom) -> Option<Atom> {
        match size {
            Atom::Const(it) => {
                let bits = it.bits.checked_sub(1)?;
                Some(Atom::Const(Const { bits, ..it }))
            }
            Atom::Var(var) => match self.defs.get(&var)? {
                (ScalarOp::Add, args) if matches!(args[1], Atom::Const(one) if one.bits == 1) => {
                    Some(args[0])
                }
                _other => None,
            },
        }
    }

    /// The kernel that keeps values, for one that writes rows of one of these or none; it mentions
    /// nothing that is defined `between`, and checks nothing but what is checked in `known`, which
    /// is computed before what stands between.
    fn kept(&self, stmt: &Stmt, count: Atom, between: &HashSet<Var>, known: &Body) -> Option<Stmt> {
        let Op::Kernel(rows) = &stmt.op else {
            return None;
        };
        let (row, before) = rows.body.stmts.split_last()?;
        let Op::Kernel(write) = &row.op else {
            return None;
        };
        let [Atom::Var(len)] = write.extents.as_slice() else {
            return None;
        };
        let (ScalarOp::Cast, flag) = self.defs.get(len)? else {
            return None;
        };
        let outs = row.outs.iter().map(|out| Atom::Var(*out));
        let as_it_is = matches!(write.sink, Sink::Write)
            && write.body.stmts.is_empty()
            && write.body.results.len() <= MOST
            && !write.body.results.contains(&Atom::Var(write.index))
            && outs.eq(rows.body.results.iter().copied())
            && rows.extents == [count];
        if !as_it_is
            || !before.iter().all(|stmt| self.is_scalar(stmt))
            || self.mentions(&rows.body, between)
        {
            return None;
        }
        let (flag, seen) = (flag[0], checks(&known.stmts));
        if !checks(before).is_subset(&seen) {
            return None;
        }
        let results = [flag].into_iter().chain(write.body.results.iter().copied());
        let mut kernel = rows.clone();
        kernel.nest = false;
        kernel.sink = Sink::Keep;
        kernel.body = Body {
            stmts: before.to_vec(),
            results: results.collect(),
        };
        Some(Stmt {
            op: Op::Kernel(kernel),
            ..stmt.clone()
        })
    }

    /// Whether a statement computes scalars without loops over arrays: a body that has arrays of its own, which an
    /// `if` may choose, is a nest's.
    fn is_scalar(&self, stmt: &Stmt) -> bool {
        let all = |bodies: [&Body; 2]| {
            let mut stmts = bodies.into_iter().flat_map(|body| &body.stmts);
            stmts.all(|stmt| self.is_scalar(stmt))
        };
        let is_array = |out: &Var| self.vars[out.index()].is_array();
        !stmt.outs.iter().any(is_array)
            && match &stmt.op {
                Op::Scalar(..) | Op::Check { .. } | Op::Len { .. } | Op::Read { .. } => true,
                Op::If { then, else_, .. } => all([then, else_]),
                Op::Loop(it) => all([&it.cond, &it.body]),
                Op::Literal(_) | Op::Update { .. } | Op::Kernel(_) => false,
            }
    }

    pub(super) fn mentions(&self, body: &Body, vars: &HashSet<Var>) -> bool {
        let any = |atoms: &[Atom]| {
            let mut atoms = atoms.iter();
            atoms.any(|atom| matches!(atom, Atom::Var(var) if vars.contains(var)))
        };
        any(&body.results)
            || body.stmts.iter().any(|stmt| {
                let mut inside = bodies(stmt).into_iter();
                any(&operands(stmt)) || inside.any(|body| self.mentions(body, vars))
            })
    }
}

impl Offsets<'_> {
    /// The sum of all lengths.
    fn sum(&self, stmt: &Stmt, total: Var) -> Stmt {
        let mut kernel = self.scan.clone();
        kernel.extents = vec![self.count];
        kernel.index = self.index;
        kernel.body = self.len.clone();
        kernel.sink = Sink::Reduce {
            init: self.init.to_vec(),
            combine: self.combine.clone(),
        };
        Stmt {
            outs: vec![total],
            op: Op::Kernel(kernel),
            ..stmt.clone()
        }
    }
}

/// What a scan of offsets becomes, and the statements that are no longer needed, in order.
struct Change {
    stmt: Stmt,
    gone: Vec<usize>,
}

/// The checks of statements that compute scalars.
pub(super) fn checks(stmts: &[Stmt]) -> HashSet<CheckId> {
    let mut found = HashSet::default();
    for stmt in stmts {
        if let Op::Check { id, .. } = &stmt.op {
            found.insert(*id);
        }
        for body in bodies(stmt) {
            found.extend(checks(&body.stmts));
        }
    }
    found
}

/// Whether a kernel may be computed before a statement that stands in front of it.
pub(super) fn is_passed(stmt: &Stmt) -> bool {
    matches!(
        stmt.op,
        Op::Scalar(..) | Op::Read { .. } | Op::Check { .. } | Op::Len { .. }
    )
}
