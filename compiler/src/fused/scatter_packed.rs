//! Scatters into arrays of products.
//!
//! In: a fused function. Out: the same, where an array of products that leaves the function, whose components
//! are filled by one kernel and changed by one scatter, is that array from the start: it is filled and
//! scattered into as it leaves. Assumes that arrays are assigned once, and that nobody uses what they are not
//! needed for.
//!
//! What is scattered by turns at random wants one cache line for each element then, not one for each
//! component, and nothing is copied.

use crate::fused::fast::bodies;
use crate::fused::ir::{Body, Function, Kernel, Op, Sink, Stmt, VarInfo};
use crate::fused::keep::Facts;
use crate::fused::together::{inner_bodies, is_straight};
use crate::hash::HashMap;
use crate::ids::Var;
use crate::shaped::ir::Atom;

/// Finds such arrays in the whole function.
pub(super) fn scatter_packed(function: &mut Function) {
    if has_scatter(&function.body) {
        let uses = Facts::of(&function.vars, &function.body).uses;
        in_body(&uses, &mut function.vars, &mut function.body);
    }
}

/// Whether anything is scattered: most functions need no survey.
fn has_scatter(body: &Body) -> bool {
    body.stmts.iter().any(|stmt| {
        matches!(&stmt.op, Op::Kernel(kernel) if matches!(kernel.sink, Sink::Scatter { .. }))
            || bodies(stmt).into_iter().any(has_scatter)
    })
}

fn in_body(uses: &HashMap<Var, usize>, vars: &mut Vec<VarInfo>, body: &mut Body) {
    for inner in body.stmts.iter_mut().flat_map(inner_bodies) {
        in_body(uses, vars, inner);
    }
    let mut at = 0;
    while at < body.stmts.len() {
        match found(uses, &body.stmts[..=at]) {
            Some(found) => {
                let pack = body.stmts.remove(at);
                let packed = pack.outs[0];
                let filled = Var::next(vars);
                vars.push(vars[packed.index()].clone());
                found.fill(&mut body.stmts[found.fill], filled);
                found.scatter(&mut body.stmts[found.scatter], filled, packed);
            }
            None => at += 1,
        }
    }
}

/// What makes such an array.
struct Found {
    /// The statement that fills components.
    fill: usize,
    /// The one that scatters.
    scatter: usize,
    /// For each component of the product, which of the kernels' values it is.
    components: Vec<Component>,
}

/// A component, as the place of its array among the outs of a kernel.
struct Component {
    filled: usize,
    scattered: usize,
}

impl Found {
    /// Fills `filled`.
    fn fill(&self, stmt: &mut Stmt, filled: Var) {
        if let Op::Kernel(kernel) = &mut stmt.op {
            let values = std::mem::take(&mut kernel.body.results);
            kernel.body.results = self.components.iter().map(|it| values[it.filled]).collect();
            kernel.sink = Sink::Pack;
            stmt.outs = vec![filled];
        }
    }

    /// Scatters into that, which is `packed` then.
    fn scatter(&self, stmt: &mut Stmt, filled: Var, packed: Var) {
        if let Op::Kernel(kernel) = &mut stmt.op
            && let Sink::Scatter { into, .. } = &mut kernel.sink
        {
            let values = kernel.body.results.split_off(1);
            let of_each = self.components.iter().map(|it| values[it.scattered]);
            kernel.body.results.extend(of_each);
            *into = vec![filled];
            stmt.outs = vec![packed];
        }
    }
}

/// What makes the array that the last of these statements does, if that is such an array.
fn found(uses: &HashMap<Var, usize>, stmts: &[Stmt]) -> Option<Found> {
    let (pack, before) = stmts.split_last()?;
    let pack = kernel(pack).filter(|it| matches!(it.sink, Sink::Pack))?;
    let read = copied(pack)?;
    let used_once = |var: &Var| uses.get(var) == Some(&1);
    let makes = |var: Var| before.iter().position(|stmt| stmt.outs.contains(&var));
    let scatter = makes(*read.first()?)?;
    let scattered = &before[scatter].outs;
    let Sink::Scatter { into, .. } = &kernel(&before[scatter])?.sink else {
        return None;
    };
    let fill = makes(into[0])?;
    let filled = &before[fill].outs;
    let fills = kernel(&before[fill]).filter(|it| {
        matches!(it.sink, Sink::Write) && it.extents == pack.extents && is_straight(&it.body)
    });
    let all_of_each = filled.len() == into.len()
        && scattered.iter().all(|it| read.contains(it))
        && filled.iter().chain(scattered).all(used_once);
    let components = read.iter().map(|array| {
        let scattered = scattered.iter().position(|it| it == array)?;
        let filled = filled.iter().position(|it| *it == into[scattered])?;
        Some(Component { filled, scattered })
    });
    let components = components.collect::<Option<Vec<_>>>()?;
    (fills.is_some() && all_of_each).then_some(Found {
        fill,
        scatter,
        components,
    })
}

/// A kernel over one level that is no nest.
fn kernel(stmt: &Stmt) -> Option<&Kernel> {
    match &stmt.op {
        Op::Kernel(kernel) if !kernel.nest && kernel.extents.len() == 1 => Some(kernel),
        _other => None,
    }
}

/// The arrays whose elements at its own index are all that a kernel gives, one for each value.
fn copied(kernel: &Kernel) -> Option<Vec<Var>> {
    let Body { stmts, results } = &kernel.body;
    let read = |result: &Atom| {
        let stmt = stmts.iter().find(|stmt| is_out(stmt, *result))?;
        match &stmt.op {
            Op::Read { array, index } if *index == Atom::Var(kernel.index) => Some(*array),
            _other => None,
        }
    };
    let is_given = |stmt: &Stmt| results.iter().any(|result| is_out(stmt, *result));
    let read = results.iter().map(read).collect();
    stmts.iter().all(is_given).then_some(read).flatten()
}

fn is_out(stmt: &Stmt, value: Atom) -> bool {
    stmt.outs.iter().any(|out| Atom::Var(*out) == value)
}
