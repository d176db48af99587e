//! Statements outside of lane blocks, as Rust text.
//!
//! In: fused bodies. Out: Rust statements with real control flow. Used for the function itself,
//! where a violated check returns an error, and for operators, fold steps and the bodies of nests,
//! where it goes to the kernel's flag. Assumes a verified function; `SITE` is in scope in the function itself.

use crate::checks::CheckKind;
use crate::emit::rust::body::Rows;
use crate::emit::rust::in_place::InPlace;
use crate::emit::rust::reads::Arrays;
use crate::emit::rust::results::Places;
use crate::emit::rust::scalar;
use crate::emit::rust::slots::shape_name;
use crate::emit::rust::steps::as_const;
use crate::emit::rust::tuples::{names, tuple};
use crate::emit::rust::{append, convoy, join, kernel, nest, sweeps};
use crate::fused::ir::{Body, Function, Layout, Loop, Op, Sink, Stmt, VarInfo};
use crate::fused::liveness::{LastUses, deaths};
use crate::hash::HashSet;
use crate::ids::{CheckId, Var};
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::{Atom, VarType};
use crate::typed::ir::StructDef;
use std::fmt::Write;

/// How a violated check ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Checks {
    /// `return Err(…)`
    Return,
    /// `flag.check(…)`
    Flag,
    /// `flag.check(…)`, and nothing more is done for this index.
    Nest,
}

/// Prints bodies.
pub struct Host<'a> {
    /// The function that is printed.
    pub function: &'a Function,
    /// Its variables, and others.
    pub vars: &'a [VarInfo],
    /// The structs of the program.
    pub structs: &'a [StructDef],
    /// Array parameters.
    pub arrays: &'a Arrays,
    /// Where arrays are used for the last time.
    pub last: &'a LastUses,
    /// Which arrays live in the caller's memory: as which result, or in which row.
    pub places: &'a Places,
    /// What is read where it lies.
    pub in_place: &'a InPlace,
    /// How a violated check ends.
    pub checks: Checks,
    /// In the body of a nest: rows that the next kernel is the last to read.
    pub rows: Option<Rows>,
    /// In the body of a nest: arrays that it makes and only reads.
    pub locals: HashSet<Var>,
    /// Inside a kernel's operator: arrays that the kernel holds as fields.
    pub fields: Option<&'a Arrays>,
    /// Items (kernels) that the text relies on.
    pub items: String,
    /// Kernels printed so far.
    pub kernels: usize,
    /// Statements printed so far.
    pub text: String,
}

impl Host<'_> {
    /// Prints the statements of `body`.
    pub fn stmts(&mut self, body: &Body) {
        let mut rest = body.stmts.as_slice();
        while !rest.is_empty() {
            let printed = self.first(rest);
            rest = &rest[printed..];
        }
    }

    /// Prints the first statement, with those that run together with it; says how many these are.
    fn first(&mut self, stmts: &[Stmt]) -> usize {
        let function = self.function;
        match function.convoy(&stmts[0]) {
            Some(convoy) => {
                let count = convoy.members.len();
                convoy::emit(self, convoy, &stmts[..count]);
                count
            }
            None => {
                self.stmt(&stmts[0]);
                1
            }
        }
    }

    /// Prints the statements of the function itself, or of a branch of it. What is read for the last time leaves
    /// its memory to the arrays after it.
    pub fn function(&mut self, body: &Body) {
        let outs = body.stmts.iter().flat_map(|stmt| &stmt.outs).copied();
        let own = outs.filter(|out| {
            self.is_array(*out) && !self.places.contains_key(out) && !self.function.is_strip(*out)
        });
        let deaths = deaths(body, &own.collect());
        let mut at = 0;
        while at < body.stmts.len() {
            let printed = at..at + self.first(&body.stmts[at..]);
            for (stmt, dead) in body.stmts[printed.clone()]
                .iter()
                .zip(&deaths[printed.clone()])
            {
                for array in dead {
                    if self.only_read(stmt, *array) {
                        let _ = writeln!(self.text, "__r::drop(v{});", array.0);
                    }
                }
            }
            at = printed.end;
        }
    }

    /// Whether a statement leaves an array that it uses where it is.
    fn only_read(&self, stmt: &Stmt, array: Var) -> bool {
        match &stmt.op {
            Op::Kernel(_) | Op::Update { .. } => !self.last.is_last(stmt, array),
            Op::Read { .. }
            | Op::Len { .. }
            | Op::Scalar(..)
            | Op::Check { .. }
            | Op::Literal(_) => true,
            // What is in them may have taken it.
            Op::If { .. } | Op::Loop(_) => false,
        }
    }

    /// Prints a statement.
    pub fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.op {
            Op::Scalar(op, args) => {
                let expr = self.expr(stmt.outs[0], *op, args);
                self.define(stmt.outs[0], &expr);
            }
            Op::Check { ok, id, values } => self.check(*ok, *id, values),
            Op::Len { array, axis } => {
                let length = self.length(*array, *axis);
                self.define(stmt.outs[0], &length);
            }
            Op::Read { array, index } => {
                let expr = self.read(*array, *index);
                self.define(stmt.outs[0], &expr);
            }
            Op::Literal(elems) => {
                let elems: Vec<String> = elems.iter().map(|elem| self.atom(*elem)).collect();
                let expr = self.checked(&format!("__r::copy(&[{}])", elems.join(", ")));
                self.define(stmt.outs[0], &expr);
            }
            Op::Update {
                array,
                index,
                value,
            } => self.update(stmt, *array, *index, *value),
            Op::If { cond, then, else_ } => self.conditional(stmt, *cond, then, else_),
            Op::Loop(it) => match &it.reach {
                Some(reach) if self.checks == Checks::Return => {
                    sweeps::emit(self, stmt, it, reach);
                }
                Some(_) | None => self.lay_loop(stmt, it),
            },
            Op::Kernel(it) if append::is_one(it) => append::one(self, stmt, it),
            Op::Kernel(it) if matches!(it.sink, Sink::Join) => join::emit(self, stmt, it),
            Op::Kernel(it) if it.nest => nest::emit(self, stmt, it),
            Op::Kernel(it) => kernel::emit(self, stmt, it),
        }
    }

    fn define(&mut self, out: Var, expr: &str) {
        let ty = self.type_of(out);
        let _ = writeln!(self.text, "let v{}: {ty} = {expr};", out.0);
    }

    /// The Rust type of a variable.
    pub fn type_of(&self, var: Var) -> String {
        match &self.vars[var.index()].ty {
            Layout::Plain(ty) | Layout::Component { ty, .. } => match ty {
                VarType::Scalar(scalar) => scalar::type_name(*scalar).to_owned(),
                VarType::Array(array) => format!("__r::Buffer<{}>", scalar::type_name(array.elem)),
            },
            Layout::Packed { elem, .. } => {
                let elem = crate::emit::rust::border::elem_type(elem);
                format!("__r::Buffer<{elem}>")
            }
        }
    }

    /// The scalar type of a scalar, or of an array's elements.
    pub fn scalar_of(&self, var: Var) -> Scalar {
        match &self.vars[var.index()].ty {
            Layout::Plain(ty) | Layout::Component { ty, .. } => match ty {
                VarType::Scalar(scalar) => *scalar,
                VarType::Array(array) => array.elem,
            },
            Layout::Packed { .. } => unreachable!("a packed result is not read"),
        }
    }

    /// An operand's text.
    pub fn atom(&self, atom: Atom) -> String {
        match atom {
            Atom::Const(it) => scalar::constant(it),
            Atom::Var(var) => format!("v{}", var.0),
        }
    }

    /// An array (of elements as they lie in memory): a slice, if it is of scalars.
    pub fn slice(&self, array: Var) -> String {
        match self.arrays.get(&array) {
            Some(field) => field.field.clone(),
            None => format!("(&v{}[..])", array.0),
        }
    }

    /// The length of a parameter along an axis.
    fn length(&self, array: Var, axis: usize) -> String {
        let slice = self.slice(array);
        match self.extents(array).len() {
            1 if self.arrays.get(&array).is_some_and(|it| it.param.is_some()) => {
                format!("__r::Elements::len({slice})")
            }
            1 => format!("{slice}.len()"),
            _ => format!("{}[{axis}]", shape_name(&slice)),
        }
    }

    /// The lengths of an array along its axes.
    pub fn extents(&self, array: Var) -> Vec<Atom> {
        match &self.vars[array.index()].ty {
            Layout::Plain(VarType::Array(array))
            | Layout::Component {
                ty: VarType::Array(array),
                ..
            } => array.dims.iter().map(|dim| dim.value).collect(),
            Layout::Plain(VarType::Scalar(_))
            | Layout::Component {
                ty: VarType::Scalar(_),
                ..
            } => Vec::new(),
            Layout::Packed { dims, .. } => dims.iter().map(|dim| dim.value).collect(),
        }
    }

    /// Sets the shape of a result of several axes.
    pub fn set_shape(&mut self, body: &Body, result: usize) {
        let Atom::Var(array) = body.results[result] else {
            unreachable!("an array is a variable")
        };
        let extents = self.extents(array).into_iter();
        let extents: Vec<String> = extents.map(|extent| self.atom(extent)).collect();
        let shape = format!("s{result}.set([{}])", extents.join(", "));
        let set = self.checked(&shape);
        let _ = writeln!(self.text, "{set};");
    }

    fn read(&self, array: Var, index: Atom) -> String {
        let index = self.atom(index);
        if let Some(fields) = self.fields {
            let field = &fields[&array];
            return field.get(&format!("self.{}", field.field), &index);
        }
        match self.arrays.get(&array) {
            Some(field) if field.param.is_some() => field.get(&field.field, &index),
            Some(field) => format!("{}[{index}]{}", field.field, field.path),
            None => format!("v{}[{index}]", array.0),
        }
    }

    fn check(&mut self, ok: Atom, id: CheckId, values: &[Atom]) {
        if let CheckKind::Print { text, ends } = &self.function.checks[id.index()].kind {
            return self.print(text, *ends, id, values);
        }
        let ok = self.atom(ok);
        let mut shown: Vec<String> = values
            .iter()
            .map(|value| format!("{} as i64", self.atom(*value)))
            .collect();
        shown.resize(3, "0".to_owned());
        let (id, shown) = (id.0, shown.join(", "));
        let _ = match self.checks {
            Checks::Return => writeln!(
                self.text,
                "if !{ok} {{ return __r::Err(SITE.error({id}, [{shown}])); }}"
            ),
            Checks::Flag => writeln!(self.text, "flag.check(!{ok}, {id}, [{shown}]);"),
            Checks::Nest => writeln!(
                self.text,
                "if !{ok} {{ flag.check(true, {id}, [{shown}]); return; }}"
            ),
        };
    }

    /// Prints the text of a `dbg!`, or a part of it.
    fn print(&mut self, text: &str, ends: bool, id: CheckId, values: &[Atom]) {
        let values = values
            .iter()
            .map(|value| format!(", {}", self.atom(*value)));
        let values: String = values.collect();
        let _ = writeln!(
            self.text,
            "__r::Site::print(&SITE, {}, {ends}, ::core::format_args!({text:?}{values}));",
            id.0
        );
    }

    fn update(&mut self, stmt: &Stmt, array: Var, index: Atom, value: Atom) {
        let out = stmt.outs[0];
        self.start(stmt, out, array);
        let (index, value) = (self.atom(index), self.atom(value));
        let _ = writeln!(self.text, "v{}[{index}] = {value};", out.0);
    }

    /// Defines `out`, which `stmt` is about to change in place, as `array`.
    pub fn start(&mut self, stmt: &Stmt, out: Var, array: Var) {
        match self.places.get(&out) {
            // Also where the array is another result, which stays as it is.
            Some(result) if self.places.get(&array) != Some(result) => {
                let copied = format!(
                    "__r::ArrayOut::copy(__r::ArrayOut::reborrow(&mut o{result}), {})",
                    self.slice(array)
                );
                let _ = writeln!(self.text, "{};", self.checked(&copied));
                self.placed(out);
            }
            _in_place => {
                let owned = self.owned(stmt, array);
                let _ = writeln!(self.text, "let mut v{} = {owned};", out.0);
            }
        }
    }

    /// Defines an array of the caller's memory, or a row of it, which has been written.
    pub fn placed(&mut self, out: Var) {
        let (name, place) = (out.0, self.places[&out]);
        let _ = match self.checks {
            Checks::Return => writeln!(
                self.text,
                "let mut v{name} = __r::ArrayOut::into_slice(__r::ArrayOut::reborrow(&mut o{place}));"
            ),
            Checks::Flag | Checks::Nest => {
                writeln!(self.text, "let v{name} = &*r{place}.slice();")
            }
        };
    }

    /// An array to keep: moved where `at` is its last use, else copied.
    fn owned<T>(&self, at: &T, array: Var) -> String {
        match self.arrays.get(&array) {
            Some(field) if !field.path.is_empty() => self.checked(&format!(
                "__r::component({}, |it| it{})",
                field.field, field.path
            )),
            None if self.last.is_last(at, array) => format!("v{}", array.0),
            _copied => self.checked(&format!("__r::copy({})", self.slice(array))),
        }
    }

    /// Writes the results of the function that are not where they belong already.
    pub fn hand_over(&mut self, body: &Body) {
        for (result, atom) in body.results.iter().enumerate() {
            let text = match atom {
                Atom::Var(var) if self.places.get(var) == Some(&result) => continue,
                Atom::Var(var) if self.is_array(*var) => {
                    self.give(body, *var, &format!("o{result}"))
                }
                other => format!("*o{result} = {}", self.atom(*other)),
            };
            let _ = writeln!(self.text, "{text};");
        }
    }

    /// An array that `body` yields becomes a result, at `place`.
    fn give(&self, body: &Body, array: Var, place: &str) -> String {
        let is_param = self.arrays.get(&array).is_some_and(|it| it.path.is_empty());
        let is_kept = self.places.contains_key(&array) || !self.last.is_last(body, array);
        self.checked(&match is_param || is_kept {
            true => format!("__r::ArrayOut::copy({place}, {})", self.slice(array)),
            false => format!("__r::ArrayOut::give({place}, {})", self.owned(body, array)),
        })
    }

    fn handed_on<T>(&self, at: &T, atom: Atom) -> String {
        match atom {
            Atom::Var(var) if self.is_array(var) => self.owned(at, var),
            other => self.atom(other),
        }
    }

    /// Whether a variable is an array.
    pub fn is_array(&self, var: Var) -> bool {
        !matches!(self.vars[var.index()].ty, Layout::Plain(VarType::Scalar(_)))
    }

    /// The values that `body` yields, as a tuple.
    pub fn results(&self, body: &Body) -> String {
        let results = body.results.iter();
        tuple(results.map(|atom| self.handed_on(body, *atom)))
    }

    fn conditional(&mut self, stmt: &Stmt, cond: Atom, then: &Body, else_: &Body) {
        let (placed, outs): (Vec<Var>, Vec<Var>) =
            (stmt.outs.iter()).partition(|out| self.places.contains_key(out));
        let types = tuple(outs.iter().map(|out| self.type_of(*out)));
        let (outs, cond) = (names(&outs), self.atom(cond));
        let _ = writeln!(self.text, "let {outs}: {types} = if {cond} {{");
        self.branch(then, &stmt.outs);
        self.text.push_str("} else {\n");
        self.branch(else_, &stmt.outs);
        self.text.push_str("};\n");
        placed.into_iter().for_each(|out| self.placed(out));
    }

    fn branch(&mut self, body: &Body, outs: &[Var]) {
        match self.checks {
            Checks::Return => self.function(body),
            Checks::Flag | Checks::Nest => self.stmts(body),
        }
        let mut yields = Vec::new();
        for (out, atom) in outs.iter().zip(&body.results) {
            match (self.places.get(out), *atom) {
                (Some(result), Atom::Var(var)) if self.places.get(&var) == Some(result) => {}
                (Some(result), Atom::Var(var)) => {
                    let given = match self.checks {
                        Checks::Return => {
                            let place = format!("__r::ArrayOut::reborrow(&mut o{result})");
                            self.give(body, var, &place)
                        }
                        Checks::Flag | Checks::Nest => {
                            format!("r{result}.copy({})", self.slice(var))
                        }
                    };
                    let _ = writeln!(self.text, "{given};");
                }
                (_elsewhere, atom) => yields.push(self.handed_on(body, atom)),
            }
        }
        let results = tuple(yields.into_iter());
        let _ = writeln!(self.text, "{results}");
    }

    fn lay_loop(&mut self, stmt: &Stmt, it: &Loop) {
        self.first_state(stmt, it);
        self.text.push_str("loop {\n");
        self.stmts(&it.cond);
        let go_on = self.atom(it.cond.results[0]);
        let stop = match self.checks {
            Checks::Return | Checks::Nest => format!("!{go_on}"),
            // What is computed from replaced values may never end.
            Checks::Flag => format!("!{go_on} || flag.violated()"),
        };
        let _ = writeln!(self.text, "if {stop} {{ break; }}");
        self.stmts(&it.body);
        let changed: HashSet<usize> = (0..it.params.len())
            .filter(|at| it.body.results[*at] != Atom::Var(it.params[*at]))
            .collect();
        let names: Vec<String> = (0..it.params.len())
            .filter(|at| changed.contains(at))
            .map(|at| format!("v{},", it.params[at].0))
            .collect();
        let values: Vec<String> = (0..it.params.len())
            .filter(|at| changed.contains(at))
            .map(|at| self.handed_on(&it.body, it.body.results[at]) + ",")
            .collect();
        let _ = writeln!(
            self.text,
            "({}) = ({});\n}}",
            names.concat(),
            values.concat()
        );
        self.last_state(stmt, it);
    }

    /// The first state of a loop.
    pub fn first_state(&mut self, stmt: &Stmt, it: &Loop) {
        for (param, init) in it.params.iter().zip(&it.init) {
            let (ty, init) = (self.type_of(*param), self.handed_on(stmt, *init));
            let _ = writeln!(self.text, "let mut v{}: {ty} = {init};", param.0);
        }
    }

    /// What a loop gives.
    pub fn last_state(&mut self, stmt: &Stmt, it: &Loop) {
        for (out, param) in stmt.outs.iter().zip(&it.params) {
            let ty = self.type_of(*out);
            let _ = writeln!(self.text, "let v{}: {ty} = v{};", out.0, param.0);
        }
    }

    fn expr(&self, out: Var, op: ScalarOp, args: &[Atom]) -> String {
        let from = match args[0] {
            Atom::Var(var) => self.scalar_of(var),
            Atom::Const(it) => it.ty,
        };
        let texts: Vec<String> = args.iter().map(|arg| self.atom(*arg)).collect();
        let consts: Vec<_> = args.iter().map(|arg| as_const(*arg)).collect();
        let lanes = match self.checks {
            Checks::Nest => "L",
            Checks::Return | Checks::Flag => scalar::ANY,
        };
        scalar::expr(op, &texts, &consts, from, self.scalar_of(out), lanes)
    }

    /// The value of a call of the run time; its failure ends the function, or the index of a nest.
    pub fn checked(&self, run: &str) -> String {
        let failed = match self.checks {
            Checks::Return => "return __r::Err(SITE.failure(failure))",
            Checks::Flag | Checks::Nest => "{ flag.fail(failure); return; }",
        };
        format!("match {run} {{ __r::Ok(it) => it, __r::Err(failure) => {failed} }}")
    }
}
