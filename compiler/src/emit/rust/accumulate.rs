//! Sums that take their products without a rounding, as the run time's `Combine::accumulate`.
//!
//! In: a kernel of a `#[fast]` function. Out: the function's text, where the kernel is such a sum.
//! Assumes what `lanes.rs` assumes; the slots hold what the elements are added to.

use crate::emit::rust::border::HOLE;
use crate::emit::rust::lanes::Output;
use crate::fused::fast::{Term, terms};
use crate::fused::ir::{Body, Kernel, VarInfo};

/// The kernel's body with the factors of products for results, and what becomes of them.
pub fn body(kernel: &Kernel, vars: &[VarInfo]) -> Option<(Body, Vec<Output>)> {
    let terms = terms(kernel, vars)?;
    let (mut results, mut outputs) = (Vec::new(), Vec::new());
    for (at, term) in terms.into_iter().enumerate() {
        let first = results.len();
        let pattern = match term {
            Term::Product(factors) => {
                results.extend(factors);
                format!("__r::MulAdd::mul_add::<{{ L }}>({HOLE}, {HOLE}, o{at}[l])")
            }
            Term::Value(value) => {
                results.push(value);
                format!("(o{at}[l] + {HOLE})")
            }
        };
        let results = (first..results.len()).collect();
        outputs.push(Output { results, pattern });
    }
    let stmts = kernel.body.stmts.clone();
    Some((Body { stmts, results }, outputs))
}

/// The function around the text of its body.
pub fn text(locals: &str, slots: &str, body: &str) -> String {
    format!(
        "const FUSES: bool = true;\n\
         #[inline(always)]\n\
         fn accumulate<const L: usize, F: __r::Flag>(&self, start: usize, \
         out: <Self::Out as __r::Product>::Slots<'_, {{ L }}>, flag: &mut F) {{\n\
         {locals}let ({slots}) = out;\n{body}}}\n"
    )
}
