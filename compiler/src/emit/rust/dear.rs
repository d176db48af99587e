//! Which reductions of columns have dear values, for the run time's `Across::DEAR`.
//!
//! In: the parts of such a nest. Out: whether its columns should go through all steps, some at a time,
//! and text that says so, with the functions that say how many steps there are to read and that add to
//! sums without rounding what is added. Assumes costs as `steps.rs` counts them.

use crate::emit::rust::accumulate;
use crate::emit::rust::captured::Captured;
use crate::emit::rust::columns::{Columns, Merit, needed};
use crate::emit::rust::host::Host;
use crate::emit::rust::lanes::{Context, sum_block};
use crate::emit::rust::steps::{Step, linearise, step_cost};
use crate::emit::rust::tuples::numbered;
use crate::ids::Var;
use crate::prims::{FastOp, ScalarOp};
use crate::shaped::ir::Atom;
use std::collections::BTreeSet;

/// From this cost on a value takes longer than reading what it is made of.
const DEAR: u32 = 16;

impl Columns<'_> {
    /// The cost of some of its steps.
    pub fn cost(&self, steps: &[Step], host: &Host<'_>) -> u32 {
        let types = |var: Var| self.fresh.type_of(host, var);
        let cost = steps.iter().map(|step| step_cost(step, &types));
        cost.fold(0, u32::saturating_add)
    }

    /// Whether values are dear for each step and not for each column alone, of arrays that lie
    /// together either way: then some columns go through all steps.
    pub fn is_dear(&self, host: &Host<'_>) -> bool {
        let own = linearise(&self.inner.body, &mut self.fresh.clone());
        let (own, all) = (self.cost(&own, host), self.cost(&self.value_steps(), host));
        self.merit() == Merit::ForFewSteps && own >= DEAR && all.saturating_sub(own) <= own / 4
    }

    /// What says so, for the struct `name`; whether they need not be computed as written, and how they
    /// are added then.
    pub fn dear(&self, host: &Host<'_>, name: &str, captured: &Captured, locals: &str) -> String {
        if !self.is_dear(host) {
            return String::new();
        }
        let mut text = format!(
            "const DEAR: bool = true;\n\
             #[inline(always)]\nfn copied(&self) -> Self {{ {name} {{ {} }} }}\n",
            captured.kept(&|_| false)
        );
        let mut made = self.combine.left.iter();
        if made.any(|var| host.vars[var.index()].fast) {
            text.push_str("const FAST: bool = true;\n");
        }
        text.push_str(&self.reach(captured).unwrap_or_default());
        text + &self.accumulate(host, captured, locals).unwrap_or_default()
    }

    /// The run time's `Across::reach`: the shortest of the arrays that are read at the step, wherever
    /// lanes are.
    fn reach(&self, captured: &Captured) -> Option<String> {
        let steps = self.value_steps();
        let read = steps.iter().filter_map(|step| match step {
            Step::Read {
                array,
                index,
                sure: true,
                ..
            } if *index == Atom::Var(self.inner.index) => Some(&captured.arrays()[array]),
            Step::Read { .. }
            | Step::Scalar { .. }
            | Step::Check { .. }
            | Step::Loop(_)
            | Step::Out { .. } => None,
        });
        let slices = read.filter(|field| field.param.is_none() && !field.moved);
        let slices: BTreeSet<&str> = slices.map(|field| field.field.as_str()).collect();
        let lens = slices.iter().map(|field| format!("self.{field}.len()"));
        let least = lens.reduce(|least, len| format!("{least}.min({len})"))?;
        Some(format!(
            "#[inline(always)]\nfn reach(&self) -> usize {{ {least} }}\n"
        ))
    }

    /// The run time's `Across::accumulate`, if values are products that may be added without a rounding.
    fn accumulate(&self, host: &Host<'_>, captured: &Captured, locals: &str) -> Option<String> {
        let (products, outputs) = accumulate::products(self.inner, host.vars, "__r::FUSING")?;
        let mut stmts = self.before.clone();
        stmts.extend(products.stmts);
        let body = needed(stmts, &products.results);
        let steps = linearise(&body, &mut self.fresh.clone());
        let text = self.with_context(&steps, host, captured, self.column, &[], |context| {
            let outputs = &outputs;
            let context = Context {
                outputs,
                fusing: true,
                ..*context
            };
            sum_block(&steps, &context)
        });
        let slots = numbered('o', outputs.len());
        let is_hasty = shows_in_sums(&steps);
        let estimates = match is_hasty {
            true => "let estimates = estimates.hasty::<HASTY>();\n",
            false => "",
        };
        let mut functions = format!(
            "const FUSES: bool = true;\n\
             #[inline(always)]\n\
             fn accumulate<const L: usize, const HASTY: bool, F: __r::Flag>(&self, row: usize, \
             start: usize, k: usize, out: <Self::Value as __r::Product>::Slots<'_, {{ L }}>, \
             flag: &mut F) {{\n\
             {locals}{estimates}let v{row} = row;\nlet v{k} = k;\nlet {slots} = out;\n{text}}}\n",
            row = self.row.0,
            k = self.inner.index.0,
        );
        if is_hasty {
            let finite: String = (0..outputs.len())
                .map(|at| format!("all &= o{at}[l].is_finite();\n"))
                .collect();
            functions.push_str(&format!(
                "const HASTY: bool = true;\n\
                 #[inline(always)]\n\
                 fn are_finite<const L: usize>(&self, \
                 {slots}: &<Self::Value as __r::Product>::Lanes<L>) -> bool {{\n\
                 let mut all = true;\nfor l in 0..L {{\n{finite}}}\nall\n}}\n"
            ));
        }
        Some(functions)
    }
}

/// Whether cubes of reciprocal roots are estimated, and a sum of products of what is computed is not finite
/// if one of these is not: then no one need look at each, see `Hasty` in the run time.
fn shows_in_sums(steps: &[Step]) -> bool {
    let mut estimated = BTreeSet::new();
    for step in steps {
        let passes = |args: &[Atom]| {
            let mut vars = args.iter().filter_map(|arg| match arg {
                Atom::Var(var) => Some(*var),
                Atom::Const(_) => None,
            });
            vars.any(|var| estimated.contains(&var))
        };
        match step {
            Step::Scalar { out, op, args } => match (op, passes(args)) {
                (ScalarOp::Fast(FastOp::OverCube), false) => {
                    estimated.insert(*out);
                }
                (_op, false) => {}
                (ScalarOp::Neg | ScalarOp::Add | ScalarOp::Sub | ScalarOp::Mul, true)
                | (ScalarOp::Fast(FastOp::MulAdd | FastOp::MulSub | FastOp::SubMul), true) => {
                    estimated.insert(*out);
                }
                (_op, true) => return false,
            },
            Step::Read { index, .. } if passes(&[*index]) => return false,
            Step::Read { .. } | Step::Out { .. } => {}
            Step::Check { .. } | Step::Loop(_) => return false,
        }
    }
    !estimated.is_empty()
}
