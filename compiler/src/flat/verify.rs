//! Checks a `flat` program after its pass, in all builds.
//!
//! In: a function. Out: `Err` with a sentence for a bug report. Linear in the program.

use crate::flat::ir::{Body, Combine, Consumer, Function, Op, Seg, Stmt};
use crate::ids::Var;
use crate::shaped::ir::Atom;

/// Checks that every variable is assigned once and before its uses, that every body yields as many
/// values as are taken, and that bodies of parallel operations hold scalars only.
pub fn verify(function: &Function) -> Result<(), String> {
    let mut check = Verify {
        known: vec![false; function.vars.len()],
    };
    for param in &function.params {
        check.define(&param.vars)?;
    }
    check.body(&function.body, function.body.results.len())
}

struct Verify {
    known: Vec<bool>,
}

impl Verify {
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
                self.uses(index)?;
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
                self.uses(index)?;
                self.uses(&[*value])?;
            }
            Op::Seg(it) => {
                for level in &it.space.levels {
                    self.uses(&[level.extent.value])?;
                    self.define(&[level.index])?;
                }
                let levels = it.space.levels.len();
                let several = match &it.consumer {
                    Consumer::Build => true,
                    Consumer::Scan { along, .. } => along.is_some_and(|it| it.axis + 1 < levels),
                    _other => false,
                };
                if levels != 1 && !several {
                    return Err("several levels in an operation over one".to_owned());
                }
                self.seg(it, stmt.outs.len())?;
            }
        }
        self.define(&stmt.outs)
    }

    fn seg(&mut self, it: &Seg, outs: usize) -> Result<(), String> {
        let values = it.body.results.len();
        self.body(&it.body, values)?;
        match &it.consumer {
            Consumer::Build => count("a build gives", outs, values)?,
            Consumer::Rows { offsets } => {
                offsets.iter().try_for_each(|array| self.array(*array))?;
                count("rows have", offsets.len(), values)?;
                count("a build of rows gives", outs, values)?;
            }
            Consumer::Reduce { init, combine } => {
                self.uses(init)?;
                count("a reduction starts with", init.len(), values)?;
                self.combine(combine, values)?;
                count("a reduction gives", outs, values)?;
            }
            Consumer::Scan {
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
            Consumer::Fold {
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
            Consumer::Scatter { into, .. } => {
                into.iter().try_for_each(|array| self.array(*array))?;
                count("a scatter takes", values, into.len() + 1)?;
                count("a scatter gives", outs, into.len())?;
            }
            Consumer::Sort(_) => {
                count("a sort takes", values, 1)?;
                count("a sort gives", outs, 1)?;
            }
        }
        Ok(())
    }

    fn combine(&mut self, it: &Combine, values: usize) -> Result<(), String> {
        count("an operator takes", it.left.len(), values)?;
        count("an operator takes", it.right.len(), values)?;
        if let Some(neutral) = &it.neutral {
            count("an operator keeps", neutral.len(), values)?;
        }
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
