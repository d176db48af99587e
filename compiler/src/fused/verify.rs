//! Checks a `fused` program after its pass, in all builds.
//!
//! In: a function. Out: `Err` with a sentence for a bug report. Linear in the program.

use crate::fused::ir::{
    Body, Combine, Convoy, Function, Kernel, Layout, Loop, Op, Sink, SortOf, Stmt, VarInfo,
};
use crate::ids::Var;
use crate::shaped::ir::Atom;

/// Checks that every variable is assigned once and before its uses, that every body yields as many
/// values as are taken.
pub fn verify(function: &Function) -> Result<(), String> {
    let mut check = Verify {
        vars: &function.vars,
        known: vec![false; function.vars.len()],
    };
    for param in &function.params {
        check.define(&param.vars)?;
    }
    check.body(&function.body, function.body.results.len())?;
    function.convoys.iter().try_for_each(|it| {
        let together = stand_together(&function.body, it);
        together
            .then_some(())
            .ok_or(format!("no convoy of {:?}", it.members))
    })
}

/// Whether the kernels of a convoy are consecutive statements of a body, over one space.
fn stand_together(body: &Body, convoy: &Convoy) -> bool {
    let first = convoy.members.first();
    match body.stmts.iter().position(|it| it.outs.first() == first) {
        Some(at) => {
            let stmts = body.stmts[at..].iter().take(convoy.members.len());
            let extents = stmts.map(|stmt| match &stmt.op {
                Op::Kernel(kernel) => (stmt.outs.first(), Some(&kernel.extents)),
                _other => (None, None),
            });
            let (names, extents): (Vec<_>, Vec<_>) = extents.unzip();
            names.into_iter().eq(convoy.members.iter().map(Some))
                && extents.windows(2).all(|pair| pair[0] == pair[1])
        }
        None => body.stmts.iter().any(|stmt| match &stmt.op {
            Op::If { then, else_, .. } => {
                stand_together(then, convoy) || stand_together(else_, convoy)
            }
            Op::Loop(it) => stand_together(&it.body, convoy),
            Op::Scalar(..)
            | Op::Check { .. }
            | Op::Len { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. }
            | Op::Kernel(_) => false,
        }),
    }
}

struct Verify<'f> {
    vars: &'f [VarInfo],
    known: Vec<bool>,
}

impl Verify<'_> {
    fn define(&mut self, vars: &[Var]) -> Result<(), String> {
        for var in vars {
            match self.known.get_mut(var.index()) {
                Some(known) if !*known => *known = true,
                Some(_) => return Err(format!("{var} is assigned twice")),
                None => return Err(format!("{var} is not in the table")),
            }
        }
        Ok(())
    }

    fn uses(&self, atoms: &[Atom]) -> Result<(), String> {
        for atom in atoms {
            if let Atom::Var(var) = atom
                && !self.known.get(var.index()).copied().unwrap_or(false)
            {
                return Err(format!("{var} is used before it is assigned"));
            }
        }
        Ok(())
    }

    fn array(&self, array: Var) -> Result<(), String> {
        self.uses(&[Atom::Var(array)])
    }

    fn body(&mut self, body: &Body, results: usize) -> Result<(), String> {
        for stmt in &body.stmts {
            self.stmt(stmt)?;
        }
        count("a body yields", body.results.len(), results)?;
        self.uses(&body.results)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), String> {
        match &stmt.op {
            Op::Scalar(_, args) => self.uses(args)?,
            Op::Check { ok, values, .. } => {
                self.uses(&[*ok])?;
                self.uses(values)?;
            }
            Op::Read { array, index } => {
                self.array(*array)?;
                self.uses(&[*index])?;
            }
            Op::If { cond, then, else_ } => {
                self.uses(&[*cond])?;
                self.body(then, stmt.outs.len())?;
                self.body(else_, stmt.outs.len())?;
            }
            Op::Loop(it) => {
                self.uses(&it.init)?;
                count("a loop starts with", it.init.len(), it.params.len())?;
                self.define(&it.params)?;
                self.body(&it.cond, 1)?;
                self.beyond(it)?;
                self.body(&it.body, it.params.len())?;
                count("a loop gives", stmt.outs.len(), it.params.len())?;
            }
            Op::Len { array, .. } => self.array(*array)?,
            Op::Literal(elems) => {
                self.uses(elems)?;
            }
            Op::Update {
                array,
                index,
                value,
            } => {
                self.array(*array)?;
                self.uses(&[*index, *value])?;
            }
            Op::Kernel(it) => {
                self.uses(&it.extents)?;
                self.define(&[it.index])?;
                self.kernel(it, &stmt.outs)?;
            }
        }
        self.define(&stmt.outs)
    }

    /// A trip by the kernel's body for arrays with rows beyond both ends, which has variables of the other.
    fn beyond(&self, it: &Loop) -> Result<(), String> {
        let Some(beyond) = it.reach.as_ref().and_then(|it| it.beyond.as_ref()) else {
            return Ok(());
        };
        let mut body = it.body.clone();
        for stmt in &mut body.stmts {
            if let Op::Kernel(kernel) = &mut stmt.op {
                kernel.body.clone_from(beyond);
            }
        }
        let mut apart = Verify {
            vars: self.vars,
            known: self.known.clone(),
        };
        apart.body(&body, it.params.len())
    }

    fn kernel(&mut self, it: &Kernel, defined: &[Var]) -> Result<(), String> {
        let (outs, values) = (defined.len(), it.body.results.len());
        self.body(&it.body, values)?;
        match &it.sink {
            Sink::Write => count("a kernel writes", outs, values)?,
            Sink::Rows { offsets } => {
                offsets.iter().try_for_each(|array| self.array(*array))?;
                count("rows have", offsets.len(), values)?;
                count("a kernel writes", outs, values)?;
            }
            Sink::Pack => count("a kernel packs", outs, 1)?,
            Sink::Keep if self.is_packed(defined[0]) => count("a kernel keeps", outs, 2)?,
            Sink::Keep => count("a kernel keeps", outs, values)?,
            Sink::Join => count("a kernel joins", outs, values + 1)?,
            Sink::Reduce { init, combine } => {
                self.uses(init)?;
                count("a reduction starts with", init.len(), values)?;
                self.combine(combine, values)?;
                count("a reduction gives", outs, values)?;
            }
            Sink::Scan {
                init,
                combine,
                total,
                ..
            } => {
                if let Some(init) = init {
                    self.uses(init)?;
                    count("a scan starts with", init.len(), values)?;
                }
                self.combine(combine, values)?;
                count(
                    "a scan gives",
                    outs,
                    if *total { 2 * values } else { values },
                )?;
            }
            Sink::Fold {
                init,
                acc,
                elem,
                step,
            } => {
                self.uses(init)?;
                self.define(acc)?;
                self.define(elem)?;
                count("a fold takes", elem.len(), values)?;
                self.body(step, acc.len())?;
                count("a fold gives", outs, acc.len())?;
            }
            Sink::Scatter { into, .. } => {
                into.iter().try_for_each(|array| self.array(*array))?;
                if !self.is_packed(defined[0]) {
                    count("a scatter takes", values, into.len() + 1)?;
                }
                count("a scatter gives", outs, into.len())?;
            }
            Sink::Append { into } => {
                into.iter().try_for_each(|array| self.array(*array))?;
                let several = it
                    .extents
                    .iter()
                    .all(|it| matches!(it, Atom::Const(it) if it.bits == 1));
                let each = if several { values / into.len() } else { 1 };
                count("an append takes", values, each * into.len())?;
                count("an append gives", outs, into.len())?;
            }
            Sink::Sort(SortOf::Keys(_)) => {
                count("a sort takes", values, 1)?;
                count("a sort gives", outs, 1)?;
            }
            Sink::Sort(SortOf::At(_, places)) => {
                self.uses(places)?;
                count("a selection takes", values, 1)?;
                count("a selection gives", outs, places.len())?;
            }
            Sink::Sort(SortOf::Elements(components)) => {
                if components.iter().any(|at| *at >= values) {
                    return Err(format!("a sort of {values} values gives {components:?}"));
                }
                if outs != 1 {
                    count("a sort gives", outs, components.len())?;
                }
            }
        }
        Ok(())
    }

    /// Whether an array is one of products, as it leaves the function.
    fn is_packed(&self, array: Var) -> bool {
        matches!(self.vars[array.index()].ty, Layout::Packed { .. })
    }

    fn combine(&mut self, it: &Combine, values: usize) -> Result<(), String> {
        count("an operator takes", it.left.len(), values)?;
        count("an operator takes", it.right.len(), values)?;
        self.define(&it.left)?;
        self.define(&it.right)?;
        self.body(&it.body, values)
    }
}

fn count(what: &str, found: usize, wanted: usize) -> Result<(), String> {
    if found == wanted {
        Ok(())
    } else {
        Err(format!("{what} {found} values where {wanted} are taken"))
    }
}
