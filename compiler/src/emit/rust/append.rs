//! Arrays that grow.
//!
//! In: a kernel that appends. Out: statements that grow its arrays and write behind their ends. Assumes
//! as `kernel.rs`.

use crate::emit::rust::host::Host;
use crate::emit::rust::tuples::tuple;
use crate::fused::ir::{Kernel, Sink, Stmt};
use crate::ids::Var;
use crate::shaped::ir::Atom;
use std::fmt::Write;

/// Whether a kernel appends what its body yields once, which no loop is needed for.
pub fn is_one(kernel: &Kernel) -> bool {
    let one = |extent: &Atom| matches!(extent, Atom::Const(it) if it.bits == 1);
    matches!(kernel.sink, Sink::Append { .. }) && kernel.extents.iter().all(one)
}

/// Prints such a kernel: its body, once.
pub fn one(host: &mut Host<'_>, stmt: &Stmt, kernel: &Kernel) {
    let _ = writeln!(host.text, "let v{}: usize = 0usize;", kernel.index.0);
    host.stmts(&kernel.body);
    let Sink::Append { into } = &kernel.sink else {
        unreachable!("it appends")
    };
    start(host, stmt, into);
    let results = &kernel.body.results;
    for (out, elements) in stmt
        .outs
        .iter()
        .zip(results.chunks(results.len() / into.len()))
    {
        for element in elements {
            let element = host.atom(*element);
            let push = host.checked(&format!("__r::Buffer::push(&mut v{}, {element})", out.0));
            let _ = writeln!(host.text, "{push};");
        }
    }
}

/// The call of a kernel that appends to `into`.
pub fn call(host: &mut Host<'_>, stmt: &Stmt, into: &[Var], (literal, n): (&str, &str)) {
    start(host, stmt, into);
    let run = format!("__r::append({literal}, {n}, {})", ends(stmt));
    let run = host.checked(&run);
    let _ = writeln!(host.text, "{run};");
}

/// The same in the body of a nest.
pub fn call_inside(host: &mut Host<'_>, stmt: &Stmt, into: &[Var], (literal, n): (&str, &str)) {
    start(host, stmt, into);
    let ends = ends(stmt);
    let _ = writeln!(
        host.text,
        "__r::inner::append::<{{ L }}, _, F>({literal}, {n}, {ends}, flag);"
    );
}

fn start(host: &mut Host<'_>, stmt: &Stmt, into: &[Var]) {
    for (out, array) in stmt.outs.iter().zip(into) {
        host.start(stmt, *out, *array);
    }
}

fn ends(stmt: &Stmt) -> String {
    let ends = stmt.outs.iter();
    tuple(ends.map(|out| format!("&mut __r::End::own(&mut v{})", out.0)))
}
