//! Sums that are added to where they are, as the run time's `Combine::accumulate`: those that take
//! their products without a rounding, and those of what is made of the index as a float.
//!
//! In: a kernel. Out: the functions' text, where the kernel is such a sum. Assumes what `lanes.rs`
//! assumes; the slots hold what the elements are added to.

use crate::emit::rust::border::HOLE;
use crate::emit::rust::kernel::is_sum;
use crate::emit::rust::lanes::Output;
use crate::emit::rust::reads::Counted;
use crate::fused::fast::{Term, terms};
use crate::fused::ir::{Body, Kernel, Layout, Sink, VarInfo};
use crate::prims::Scalar;
use crate::shaped::ir::VarType;
use std::fmt::Write;

/// What elements are added to, at the position `at` of the operator.
fn sum(at: usize) -> String {
    format!("(o{at}[l] + {HOLE})")
}

/// The kernel's body with the factors of products for results, and what becomes of them at a level of so
/// many `lanes`.
pub fn products(kernel: &Kernel, vars: &[VarInfo], lanes: &str) -> Option<(Body, Vec<Output>)> {
    let terms = terms(kernel, vars)?;
    let (mut results, mut outputs) = (Vec::new(), Vec::new());
    for (at, term) in terms.into_iter().enumerate() {
        let first = results.len();
        let pattern = match term {
            Term::Product(factors) => {
                results.extend(factors);
                format!("__r::MulAdd::mul_add::<{{ {lanes} }}>({HOLE}, {HOLE}, o{at}[l])")
            }
            Term::Value(value) => {
                results.push(value);
                sum(at)
            }
        };
        let results = (first..results.len()).collect();
        outputs.push(Output { results, pattern });
    }
    let stmts = kernel.body.stmts.clone();
    Some((Body { stmts, results }, outputs))
}

/// What becomes of the value of a kernel that is one sum of floats.
pub fn plain(kernel: &Kernel, vars: &[VarInfo]) -> Option<Vec<Output>> {
    let Sink::Reduce { combine, .. } = &kernel.sink else {
        return None;
    };
    let is_float = match &vars[combine.left.first()?.index()].ty {
        Layout::Plain(VarType::Scalar(scalar)) => matches!(scalar, Scalar::F32 | Scalar::F64),
        Layout::Plain(VarType::Array(_)) | Layout::Component { .. } | Layout::Packed { .. } => {
            false
        }
    };
    let output = Output {
        results: vec![0],
        pattern: sum(0),
    };
    (is_float && is_sum(combine)).then(|| vec![output])
}

/// The function around the text of a block.
pub fn text(locals: &str, slots: &str, body: &str) -> String {
    format!(
        "const FUSES: bool = true;\n\
         #[inline(always)]\n\
         fn accumulate<const L: usize, F: __r::Flag>(&self, start: usize, \
         out: <Self::Out as __r::Product>::Slots<'_, {{ L }}>, flag: &mut F) {{\n\
         {locals}let {slots} = out;\n{body}}}\n"
    )
}

/// The function that counts indices as floats from block to block, around the text of one. With
/// `half`, in multipliers too: where products are added without a rounding, these have work.
pub fn counting_text(
    locals: &str,
    slots: &str,
    (body, counted): &(String, Vec<Counted>),
    half: bool,
) -> String {
    let (mut first, mut lanes, mut next) = (String::new(), String::new(), String::new());
    for (at, Counted { start, limit }) in counted.iter().enumerate() {
        let _ = write!(
            first,
            "let (mut c{at}, exact) = __r::count_f64::<{{ L }}>({start}, rounds, {limit});\n\
             if !exact {{ return false; }}\n"
        );
        let _ = writeln!(lanes, "let n{at} = c{at}.lanes::<{half}>(one);");
        let _ = writeln!(next, "c{at}.next::<{half}>(one);");
    }
    format!(
        "const COUNTS: bool = true;\n\
         #[inline(always)]\n\
         fn accumulate_rounds<const L: usize, F: __r::Flag>(&self, mut start: usize, rounds: usize, \
         out: <Self::Out as __r::Product>::Slots<'_, {{ L }}>, flag: &mut F) -> bool {{\n\
         {locals}let {slots} = out;\n{first}let one = __r::black_box(1.0);\n\
         for _ in 0..rounds {{\n{lanes}{body}{next}start = start.wrapping_add(__r::LANES);\n}}\ntrue\n}}\n"
    )
}
