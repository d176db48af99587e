//! What contracts are held against, as text, for tests and bug reports.
//!
//! In: a function. Out: its contracts and facts, and a line per array in memory.

use super::Facts;
use super::cost::Costs;
use super::reasons::why;
use crate::fused::ir::Function;
use crate::fused::liveness::last_uses;
use crate::print::Lines;

/// Prints a function.
pub fn print(function: &Function) -> String {
    let mut lines = Lines::default();
    let export = &function.export;
    let costs = Costs::of(function, &last_uses(function));
    lines.line(format!(
        "{}{}: {}, {costs}",
        export.contracts,
        export.name,
        Facts::of(function)
    ));
    for it in &function.manifests {
        let because = why(it.reason);
        lines.nest(|lines| lines.line(format!("{} in memory: {because}", it.array)));
    }
    lines.finish()
}
