//! `flat` → `fused`.
//!
//! In: segmented operations, each array by shape and index function. Out: kernels; delayed arrays
//! have been substituted into their readers, and what is left of arrays lies in memory, where an
//! element has a position. Assumes a verified `flat` program.

use crate::flat::ir as flat;
use crate::fused::border::{Packs, add_border};
use crate::fused::indices::Indices;
use crate::fused::ir::{
    Body, Combine, Function, Kernel, Layout, Loop, Op, Program, Sink, SortOf, Stmt, VarInfo,
};
use crate::fused::layouts::{layouts, packed};
use crate::fused::linear::Poly;
use crate::fused::passes::passes;
use crate::fused::plan::{Plan, plan};
use crate::hash::{HashMap, HashSet};
use crate::ids::{CheckId, Var};
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::{Atom, VarType};
use crate::source::SrcSpan;

/// Fuses every function.
pub fn fuse(program: flat::Program) -> Program {
    let structs = program.structs;
    let functions = program.functions.into_iter().map(fuse_function).collect();
    Program { structs, functions }
}

fn fuse_function(mut function: flat::Function) -> Function {
    let packs = add_border(&mut function);
    let plan = plan(&function, &packs);
    let body = std::mem::take(&mut function.body);
    let mut pass = Fuse {
        vars: layouts(&function),
        plan: &plan,
        packs: &packs,
        delayed: HashMap::default(),
        names: HashMap::default(),
        scopes: vec![Scope::default()],
        parts: Vec::new(),
        renaming: false,
        looping: false,
        indices: Indices::default(),
    };
    let body = pass.host(&body);
    let mut fused = Function {
        name: function.name,
        ident: function.ident,
        export: function.export,
        params: function.params,
        ret: function.ret,
        body,
        vars: pass.vars,
        checks: function.checks,
        values: function.values,
        size_names: function.size_names,
        convoys: Vec::new(),
        manifests: Vec::new(),
        src: function.src,
    };
    passes(&mut fused, &plan, &packs);
    fused
}

/// What has been computed in a scope, for reuse in it and in scopes inside.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) stmts: Vec<Stmt>,
    pub(super) scalars: HashMap<(ScalarOp, Vec<Atom>, Var), Atom>,
    /// Sizes that count the points of rows, as sums.
    pub(super) sums: Vec<(Var, Poly)>,
    reads: HashMap<(Var, Vec<Atom>), Atom>,
    checked: HashSet<(CheckId, Atom)>,
    /// The condition of the branch that the scope is, and whether it holds there.
    given: Option<(Atom, bool)>,
}

pub(super) struct Fuse<'a> {
    pub(super) vars: Vec<VarInfo>,
    plan: &'a Plan,
    packs: &'a Packs,
    /// Delayed arrays: the operation, the component, its source.
    delayed: HashMap<Var, (&'a flat::Seg, usize, SrcSpan)>,
    /// What a flat variable is called here.
    pub(super) names: HashMap<Var, Atom>,
    pub(super) scopes: Vec<Scope>,
    /// Constructs fused into the current kernel.
    parts: Vec<SrcSpan>,
    /// Inside a delayed body: every definition gets a new variable.
    renaming: bool,
    /// Inside a loop, whose trips may run together over its state's own shape (`sweeps.rs`).
    looping: bool,
    pub(super) indices: Indices,
}

impl<'a> Fuse<'a> {
    fn host(&mut self, body: &'a flat::Body) -> Body {
        self.body(body)
    }

    pub(super) fn body(&mut self, body: &'a flat::Body) -> Body {
        self.scopes.push(Scope::default());
        let results = self.inline(body);
        let scope = self.scopes.pop().expect("pushed above");
        Body {
            stmts: scope.stmts,
            results,
        }
    }

    /// The branch of a conditional that runs if `cond` is as told.
    fn branch(&mut self, body: &'a flat::Body, cond: Atom, holds: bool) -> Body {
        self.scopes.push(Scope {
            given: Some((cond, holds)),
            ..Scope::default()
        });
        let results = self.inline(body);
        let stmts = self.scopes.pop().expect("pushed above").stmts;
        Body { stmts, results }
    }

    /// What a condition is in the branches around the current scope, if it is that of one.
    fn given(&self, cond: Atom) -> Option<bool> {
        let mut given = self.scopes.iter().rev().filter_map(|scope| scope.given);
        given.find_map(|(known, holds)| (known == cond).then_some(holds))
    }

    /// Adds the statements of `body` to the current scope.
    pub(super) fn inline(&mut self, body: &'a flat::Body) -> Vec<Atom> {
        for stmt in &body.stmts {
            self.stmt(stmt);
        }
        self.atoms(&body.results)
    }

    fn stmt(&mut self, stmt: &'a flat::Stmt) {
        match &stmt.op {
            flat::Op::Scalar(op, args) => self.scalar(stmt, *op, args),
            flat::Op::Check { ok, id, values } => self.check(stmt, *ok, *id, values),
            flat::Op::Len { array, axis } => {
                let (array, axis) = (*array, *axis);
                self.push(stmt, Op::Len { array, axis });
            }
            flat::Op::Read { array, index } => self.read(stmt, *array, index),
            flat::Op::Literal(elems) => {
                let elems = self.atoms(elems);
                self.push(stmt, Op::Literal(elems));
            }
            flat::Op::Update {
                array,
                index,
                value,
            } => {
                let (array, index) = (self.array(*array), self.atoms(index));
                let op = Op::Update {
                    array,
                    index: self.position(array, &index, stmt.src),
                    value: self.atom(*value),
                };
                self.push(stmt, op);
            }
            flat::Op::If { cond, then, else_ } => {
                let cond = self.atom(*cond);
                if let Some(holds) = self.given(cond) {
                    let results = self.inline(if holds { then } else { else_ });
                    self.names.extend(stmt.outs.iter().copied().zip(results));
                    return;
                }
                let then = self.branch(then, cond, true);
                let else_ = self.branch(else_, cond, false);
                self.push(stmt, Op::If { cond, then, else_ });
            }
            flat::Op::Loop(it) => {
                let init = self.atoms(&it.init);
                let params = self.define(&it.params);
                let outer = std::mem::replace(&mut self.looping, true);
                let op = Loop {
                    params,
                    init,
                    cond: self.body(&it.cond),
                    body: self.body(&it.body),
                    reach: None,
                };
                self.looping = outer;
                self.push(stmt, Op::Loop(op));
            }
            flat::Op::Seg(seg) => self.seg(stmt, seg),
        }
    }

    fn seg(&mut self, stmt: &'a flat::Stmt, seg: &'a flat::Seg) {
        let builds = matches!(seg.consumer, flat::Consumer::Build);
        if builds && self.plan.reason(stmt.outs[0]).is_none() {
            for (component, out) in stmt.outs.iter().enumerate() {
                self.delayed.insert(*out, (seg, component, stmt.src));
            }
            return;
        }
        let parts = [&[stmt.src], seg.parts.as_slice()].concat();
        let outer = std::mem::replace(&mut self.parts, parts);
        let levels = seg.space.levels.iter();
        let extents: Vec<Atom> = levels.map(|it| self.atom(it.extent.value)).collect();
        let (index, body) = self.over(seg, &extents, stmt.src);
        let nest = self.holds_arrays(&body);
        let rows = match seg.space.levels.as_slice() {
            [level] if builds && !self.looping && !nest => {
                self.in_rows(index, &level.extent, &body, stmt.src)
            }
            _several => None,
        };
        let extents = rows.map_or(extents, Vec::from);
        let sink = self.sink(&stmt.outs, &seg.consumer);
        let outs = match &sink {
            Sink::Pack => self.define(&stmt.outs[..1]),
            _unpacked => self.define(&stmt.outs),
        };
        let parts = std::mem::replace(&mut self.parts, outer);
        let op = Op::Kernel(Kernel {
            extents,
            index,
            body,
            sink,
            parts,
            nest,
        });
        self.scope().stmts.push(Stmt {
            outs,
            op,
            src: stmt.src,
        });
    }

    /// Whether a body holds other kernels or arrays of its own.
    fn holds_arrays(&self, body: &Body) -> bool {
        let is_array = |var: &Var| self.vars[var.index()].is_array();
        body.stmts.iter().any(|stmt| {
            stmt.outs.iter().any(is_array)
                || match &stmt.op {
                    Op::Kernel(_) => true,
                    Op::If { then, else_, .. } => {
                        self.holds_arrays(then) || self.holds_arrays(else_)
                    }
                    Op::Loop(it) => self.holds_arrays(&it.cond) || self.holds_arrays(&it.body),
                    Op::Scalar(..)
                    | Op::Check { .. }
                    | Op::Len { .. }
                    | Op::Read { .. }
                    | Op::Literal(_)
                    | Op::Update { .. } => false,
                }
        })
    }

    fn sink(&mut self, outs: &[Var], consumer: &'a flat::Consumer) -> Sink {
        match consumer {
            flat::Consumer::Build if self.packs.contains_key(&outs[0]) => Sink::Pack,
            flat::Consumer::Build => Sink::Write,
            flat::Consumer::Rows { offsets } => Sink::Rows {
                offsets: offsets.iter().map(|array| self.array(*array)).collect(),
            },
            flat::Consumer::Reduce { init, combine } => Sink::Reduce {
                init: self.atoms(init),
                combine: self.combine(combine),
            },
            flat::Consumer::Scan {
                init,
                combine,
                exclusive,
                total,
                along,
            } => Sink::Scan {
                init: init.as_ref().map(|init| self.atoms(init)),
                combine: self.combine(combine),
                exclusive: *exclusive,
                total: *total,
                along: *along,
            },
            flat::Consumer::Fold {
                init,
                acc,
                elem,
                step,
            } => Sink::Fold {
                init: self.atoms(init),
                acc: self.define(acc),
                elem: self.define(elem),
                step: self.body(step),
            },
            flat::Consumer::Sort(sorted) => Sink::Sort(SortOf::Keys(*sorted)),
            flat::Consumer::Scatter { into, id } => Sink::Scatter {
                into: into.iter().map(|array| self.array(*array)).collect(),
                id: *id,
            },
        }
    }

    fn combine(&mut self, combine: &'a flat::Combine) -> Combine {
        Combine {
            left: self.define(&combine.left),
            right: self.define(&combine.right),
            body: self.body(&combine.body),
            neutral: combine.neutral.clone(),
            goes_on: combine.goes_on,
        }
    }

    fn scalar(&mut self, stmt: &flat::Stmt, op: ScalarOp, args: &[Atom]) {
        let args = self.atoms(args);
        // A cast's meaning is in its result type, which is that of any earlier equal key only if
        // the types agree: so the key of a cast holds its own variable's type representative.
        let key = (op, args.clone(), self.type_key(op, stmt.outs[0]));
        if let Some(known) = self
            .scopes
            .iter()
            .rev()
            .find_map(|scope| scope.scalars.get(&key))
        {
            let known = *known;
            self.names.insert(stmt.outs[0], known);
            return;
        }
        let is_size = self.is_size(stmt.outs[0]);
        if is_size
            && matches!(op, ScalarOp::Div | ScalarOp::Rem)
            && let Some(known) = self.divided(op, &args, stmt.src)
        {
            self.names.insert(stmt.outs[0], known);
            self.scope().scalars.insert(key, known);
            return;
        }
        self.push(stmt, Op::Scalar(op, args.clone()));
        let out = self.atom(Atom::Var(stmt.outs[0]));
        if let Atom::Var(var) = out
            && (is_size || self.are_one_size(op, &args))
        {
            self.indices.defs.insert(var, (op, args));
        }
        self.scope().scalars.insert(key, out);
    }

    /// Whether these are compared and are the same size, computed once.
    fn are_one_size(&self, op: ScalarOp, args: &[Atom]) -> bool {
        match args {
            [Atom::Var(left), Atom::Var(right)] => {
                op == ScalarOp::Eq && left == right && self.is_size(*left)
            }
            _other => false,
        }
    }

    /// Whether a condition is known to hold, also of sizes that are one only after fusion. (It does not become a
    /// literal: a check of one prints.)
    fn holds(&self, ok: Atom) -> bool {
        let of_one_size = |var: Var| {
            let def = self.indices.defs.get(&var);
            def.is_some_and(|(op, args)| self.are_one_size(*op, args))
        };
        self.given(ok) == Some(true) || matches!(ok, Atom::Var(var) if of_one_size(var))
    }

    fn is_size(&self, var: Var) -> bool {
        let ty = &self.vars[var.index()].ty;
        matches!(ty, Layout::Plain(VarType::Scalar(Scalar::Usize)))
    }

    /// The first variable of the result's type for casts, otherwise one for all, and one for floats
    /// that need not be rounded as written.
    fn type_key(&self, op: ScalarOp, out: Var) -> Var {
        if op != ScalarOp::Cast {
            let fast = self.vars[out.index()].is_fast_float();
            return Var(u32::MAX - u32::from(fast));
        }
        let scalar = |info: &VarInfo| match &info.ty {
            Layout::Plain(VarType::Scalar(scalar)) => Some(*scalar),
            Layout::Plain(VarType::Array(_)) | Layout::Component { .. } | Layout::Packed { .. } => {
                None
            }
        };
        let wanted = scalar(&self.vars[out.index()]);
        wanted.map_or(out, |wanted| Var(wanted as u32))
    }

    fn check(&mut self, stmt: &flat::Stmt, ok: Atom, id: CheckId, values: &[Atom]) {
        let ok = self.atom(ok);
        // What prints has a condition that holds, and does so each time.
        let prints = matches!(ok, Atom::Const(it) if it.bits != 0);
        let mut scopes = self.scopes.iter();
        let mut known = || scopes.any(|scope| scope.checked.contains(&(id, ok)));
        if !prints && (self.holds(ok) || known()) {
            return;
        }
        let values = self.atoms(values);
        self.push(stmt, Op::Check { ok, id, values });
        self.scope().checked.insert((id, ok));
    }

    fn read(&mut self, stmt: &'a flat::Stmt, array: Var, index: &[Atom]) {
        let array = self.array(array);
        let key = (array, self.atoms(index));
        let known = self
            .scopes
            .iter()
            .rev()
            .find_map(|scope| scope.reads.get(&key));
        if let Some(known) = known {
            let known = *known;
            self.names.insert(stmt.outs[0], known);
        } else if let Some((seg, component, src)) = self.delayed.get(&array).copied() {
            let elem = self.force(seg, &key.1, src);
            self.names.insert(stmt.outs[0], elem[component]);
            self.remember(seg, &key.1, &elem);
        } else {
            let index = self.position(array, &key.1, stmt.src);
            self.push(stmt, Op::Read { array, index });
            let out = self.atom(Atom::Var(stmt.outs[0]));
            self.scope().reads.insert(key, out);
        }
    }

    /// The element of a delayed operation at `index`, its body substituted.
    fn force(&mut self, seg: &'a flat::Seg, index: &[Atom], src: SrcSpan) -> Vec<Atom> {
        self.parts.push(src);
        let outer = std::mem::replace(&mut self.renaming, true);
        for (level, index) in seg.space.levels.iter().zip(index) {
            self.names.insert(level.index, *index);
        }
        let elem = self.inline(&seg.body);
        self.renaming = outer;
        elem
    }

    /// All components of an element are known once one has been asked for.
    fn remember(&mut self, seg: &'a flat::Seg, index: &[Atom], elem: &[Atom]) {
        let arrays: Vec<(Var, usize)> = self
            .delayed
            .iter()
            .filter(|(_, (other, ..))| std::ptr::eq(*other, seg))
            .map(|(array, (_, component, _))| (*array, *component))
            .collect();
        for (array, component) in arrays {
            let key = (array, index.to_vec());
            self.scope().reads.insert(key, elem[component]);
        }
    }

    fn push(&mut self, stmt: &flat::Stmt, op: Op) {
        let outs = self.define(&stmt.outs);
        self.scope().stmts.push(Stmt {
            outs,
            op,
            src: stmt.src,
        });
    }

    /// Names for definitions: their own, or new ones inside a delayed body, which may be
    /// substituted more than once.
    pub(super) fn define(&mut self, vars: &[Var]) -> Vec<Var> {
        if !self.renaming {
            for var in vars {
                let named = self.named(&self.vars[var.index()].ty);
                self.vars[var.index()].ty = match self.packs.get(var) {
                    Some(elem) => packed(&named, elem.clone()),
                    None => named,
                };
            }
            return vars.to_vec();
        }
        let mut fresh = Vec::with_capacity(vars.len());
        for var in vars {
            let new = Var::next(&self.vars);
            let VarInfo { ty, fast, src } = &self.vars[var.index()];
            let (ty, fast, src) = (self.named(ty), *fast, *src);
            self.vars.push(VarInfo { ty, fast, src });
            self.names.insert(*var, Atom::Var(new));
            fresh.push(new);
        }
        fresh
    }

    /// A layout with the extents by their names here.
    fn named(&self, layout: &Layout) -> Layout {
        let mut layout = layout.clone();
        if let Layout::Plain(VarType::Array(ty)) = &mut layout {
            for dim in &mut ty.dims {
                dim.value = self.atom(dim.value);
            }
        }
        layout
    }

    pub(super) fn atom(&self, atom: Atom) -> Atom {
        match atom {
            Atom::Var(var) => self.names.get(&var).copied().unwrap_or(atom),
            Atom::Const(_) => atom,
        }
    }

    fn atoms(&self, atoms: &[Atom]) -> Vec<Atom> {
        atoms.iter().map(|atom| self.atom(*atom)).collect()
    }

    fn array(&self, array: Var) -> Var {
        match self.atom(Atom::Var(array)) {
            Atom::Var(var) => var,
            Atom::Const(_) => unreachable!("an array is a variable"),
        }
    }

    pub(super) fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the outermost scope stays")
    }
}
