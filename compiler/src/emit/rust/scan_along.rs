//! The call of a scan along one of several levels.
//!
//! In: its kernel. Out: statements, as Rust text. Assumes that the kernel's struct is printed.

use crate::emit::rust::call::{places, product, scan_start, written};
use crate::emit::rust::host::Host;
use crate::fused::ir::{Along, Kernel, Sink, Stmt};
use crate::shaped::ir::Atom;
use std::fmt::Write;

/// Prints the call.
pub fn call(host: &mut Host<'_>, stmt: &Stmt, kernel: &Kernel, along: Along, literal: &str) {
    let Sink::Scan {
        init, exclusive, ..
    } = &kernel.sink
    else {
        unreachable!("a scan");
    };
    let (_, from) = scan_start(host, init.as_deref());
    let (arrays, totals) = stmt.outs.split_at(kernel.body.results.len());
    let arrays = places(host, arrays);
    let totals = match totals {
        [] => "__r::None".to_owned(),
        totals => format!("__r::Some({})", places(host, totals)),
    };
    let shape = shape(host, &kernel.extents, along.axis);
    let back = along.back;
    let how = format!("__r::Along {{ exclusive: {exclusive}, back: {back} }}");
    let run = host.checked(&format!(
        "__r::scan_along_to({literal}, {shape}, {from}, {how}, {arrays}, {totals})"
    ));
    let _ = writeln!(host.text, "{run};");
    written(host, &stmt.outs);
}

/// A space as the run time's `Shape`, with the steps along an axis.
fn shape(host: &Host<'_>, extents: &[Atom], axis: usize) -> String {
    let (rows, rest) = extents.split_at(axis);
    let (steps, columns) = (host.atom(rest[0]), product(host, &rest[1..]));
    let rows = product(host, rows);
    format!("__r::Shape {{ rows: {rows}, columns: {columns}, steps: {steps} }}")
}
