//! Which reductions of columns have dear values, for the run time's `Across::DEAR`.
//!
//! In: the parts of such a nest. Out: whether its columns should go through all steps, some at a time,
//! and text that says so. Assumes costs as `steps.rs` counts them.

use crate::emit::rust::columns::{Columns, Merit};
use crate::emit::rust::host::Host;
use crate::emit::rust::steps::{Step, linearise, step_cost};
use crate::ids::Var;

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

    /// What says so; and whether they need not be computed as written.
    pub fn dear(&self, host: &Host<'_>) -> String {
        if !self.is_dear(host) {
            return String::new();
        }
        let mut text = "const DEAR: bool = true;\n".to_owned();
        let mut made = self.combine.left.iter();
        if made.any(|var| host.vars[var.index()].fast) {
            text.push_str("const FAST: bool = true;\n");
        }
        text
    }
}
