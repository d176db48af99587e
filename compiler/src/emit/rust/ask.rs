//! What a nest reads at places that others of its reads tell, asked for some indices before.
//!
//! In: the body of a nest. Out: the text of two functions of an index. The far one asks for what is read
//! where an element says that stands at the index; the near one, for fewer indices ahead, for what is
//! read where such an element says: `offsets[front[i]]`, and then the beginning of that row. Assumes as
//! `nest.rs`. What is read in order processors fetch by themselves.

use crate::emit::rust::captured::Captured;
use crate::emit::rust::host::Host;
use crate::emit::rust::nest::inner_host;
use crate::emit::rust::results::Places;
use crate::fused::ir::{Kernel, Op, Stmt};
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::shaped::ir::Atom;
use std::fmt::Write;

/// The function that asks, in the impl of the nest; nothing where nothing is to be asked for.
pub fn text(host: &Host<'_>, kernel: &Kernel, captured: &Captured) -> String {
    let mut asked = Asked {
        captured,
        steps: Vec::new(),
        far: HashMap::default(),
        places: [Vec::new(), Vec::new()],
    };
    asked.far.insert(kernel.index, 0);
    asked.body(kernel);
    let [far, near] = [0, 1].map(|at| asked.stage(host, kernel, &asked.places[at]));
    match asked.places.iter().all(Vec::is_empty) {
        true => String::new(),
        false => format!(
            "const ASKS: bool = true;\n\
             #[inline(always)]\nfn ask_far(&self, index: usize) {{\n{far}}}\n\
             #[inline(always)]\nfn ask_near(&self, index: usize) {{\n{near}}}\n"
        ),
    }
}

/// How a variable is computed.
enum Step<'k> {
    /// As the nest does it.
    Same(&'k Stmt),
    /// The index of a kernel inside, of which the first is meant.
    First(Var),
}

/// What is read of an array: the first place of each.
struct Place {
    array: Var,
    index: Atom,
    /// Whether more is read behind it.
    row: bool,
}

struct Asked<'k> {
    captured: &'k Captured,
    steps: Vec<Step<'k>>,
    /// By how many reads in a row what is computed is told.
    far: HashMap<Var, usize>,
    /// What is read at places that one read tells, and two.
    places: [Vec<Place>; 2],
}

impl<'k> Asked<'k> {
    fn body(&mut self, nest: &'k Kernel) {
        for stmt in &nest.body.stmts {
            if let Op::Kernel(kernel) = &stmt.op {
                self.steps.push(Step::First(kernel.index));
                self.far.insert(kernel.index, 0);
                kernel.body.stmts.iter().for_each(|it| self.stmt(it, true));
            } else {
                self.stmt(stmt, false);
            }
        }
    }

    fn stmt(&mut self, stmt: &'k Stmt, row: bool) {
        let far = match &stmt.op {
            Op::Scalar(_, args) => args.iter().map(|it| self.of(*it)).try_fold(0, most),
            Op::Read { array, index } => self.of(*index).and_then(|far| {
                let (array, index) = (*array, *index);
                self.place(far, Place { array, index, row });
                self.may_read(array).then_some(far + 1)
            }),
            Op::Check { .. }
            | Op::Len { .. }
            | Op::Literal(_)
            | Op::Update { .. }
            | Op::If { .. }
            | Op::Loop(_)
            | Op::Kernel(_) => None,
        };
        if let (Some(far), [out]) = (far, stmt.outs.as_slice()) {
            self.far.insert(*out, far);
            self.steps.push(Step::Same(stmt));
        }
    }

    fn of(&self, atom: Atom) -> Option<usize> {
        match atom {
            Atom::Const(_) => Some(0),
            Atom::Var(var) if self.captured.has(var) => Some(0),
            Atom::Var(var) => self.far.get(&var).copied(),
        }
    }

    fn may_read(&self, array: Var) -> bool {
        let field = self.captured.arrays().get(&array);
        field.is_some_and(|it| it.param.is_none() && !it.moved)
    }

    fn place(&mut self, far: usize, place: Place) {
        let Some(at) = far.checked_sub(1).filter(|at| *at < self.places.len()) else {
            return;
        };
        let known = self.places[at].iter().any(|it| it.array == place.array);
        if !known && self.may_read(place.array) {
            self.places[at].push(place);
        }
    }

    /// The text that asks for some places.
    fn stage(&self, host: &Host<'_>, kernel: &Kernel, places: &[Place]) -> String {
        let none = Places::default();
        let mut inner = inner_host(host, kernel, self.captured, &none);
        let needed = self.needed(places);
        for step in &self.steps {
            match step {
                Step::First(index) if needed.contains(index) => {
                    let _ = writeln!(inner.text, "let v{} = 0usize;", index.0);
                }
                Step::Same(stmt) if needed.contains(&stmt.outs[0]) => self.same(&mut inner, stmt),
                Step::First(_) | Step::Same(_) => {}
            }
        }
        for it in places {
            let (array, index) = (&self.captured.arrays()[&it.array], inner.atom(it.index));
            let (elem, field, lines) = (&array.elem, &array.field, if it.row { 2 } else { 1 });
            let _ = writeln!(inner.text, "__r::ask::<{elem}, {lines}>({field}, {index});");
        }
        inner.text
    }

    fn same(&self, inner: &mut Host<'_>, stmt: &Stmt) {
        match &stmt.op {
            Op::Read { array, index } => {
                let (array, index) = (&self.captured.arrays()[array], inner.atom(*index));
                let value = array.get(&array.field, &index);
                let _ = writeln!(inner.text, "let v{} = {value};", stmt.outs[0].0);
            }
            _scalar => inner.stmt(stmt),
        }
    }

    /// What is computed to know these places.
    fn needed(&self, places: &[Place]) -> HashSet<Var> {
        let mut needed: HashSet<Var> = HashSet::default();
        let need = |atom: &Atom, needed: &mut HashSet<Var>| {
            if let Atom::Var(var) = atom {
                needed.insert(*var);
            }
        };
        places.iter().for_each(|it| need(&it.index, &mut needed));
        for step in self.steps.iter().rev() {
            let Step::Same(stmt) = step else { continue };
            if !needed.contains(&stmt.outs[0]) {
                continue;
            }
            match &stmt.op {
                Op::Scalar(_, args) => args.iter().for_each(|it| need(it, &mut needed)),
                Op::Read { index, .. } => need(index, &mut needed),
                _none_is_a_step => {}
            }
        }
        needed
    }
}

fn most(far: usize, other: Option<usize>) -> Option<usize> {
    other.map(|other| far.max(other))
}
