//! Kernels that run together, some rows ahead of each other, as a struct that implements the run time's
//! `Cascade`, and the call that runs it.
//!
//! In: the statements of its kernels, by how many rows each is ahead, and whether rows go round. Out: items and statements, as Rust
//! text. Each kernel is an item that comes row by row, made anew for each step around the rows of what the
//! kernels before have made. Assumes that the host printer has printed all that the kernels capture.

use crate::emit::rust::call::{places, written};
use crate::emit::rust::captured::{Captured, Names};
use crate::emit::rust::convoy::{inside, together};
use crate::emit::rust::host::{Checks, Host};
use crate::emit::rust::kernel::strip_item;
use crate::emit::rust::nest;
use crate::emit::rust::results::Places;
use crate::emit::rust::tuples::{names, numbered, tuple};
use crate::fused::ir::{Convoy, Kernel, Op, Stmt};
use crate::ids::Var;
use std::fmt::Write;

/// Prints such kernels and their call.
pub fn emit(host: &mut Host<'_>, convoy: &Convoy, stmts: &[Stmt]) {
    let name = format!("__C{}", host.kernels);
    host.kernels += 1;
    let all = together(stmts);
    let captured = Captured::new(host, &all);
    item(host, &name, convoy, stmts, (&all, &captured));
    let (_, last) = ends(stmts);
    let extents: Vec<String> = kernel(&stmts[0])
        .extents
        .iter()
        .map(|it| host.atom(*it))
        .collect();
    let (literal, places) = (captured.literal(&name), places(host, &last.outs));
    let run = format!(
        "__r::cascade_to({literal}, [{}], {places})",
        extents.join(", ")
    );
    let _ = writeln!(host.text, "{};", host.checked(&run));
    written(host, &last.outs);
}

fn ends(stmts: &[Stmt]) -> (&[Stmt], &Stmt) {
    let (last, before) = stmts.split_last().expect("verified: at least two");
    (before, last)
}

fn kernel(stmt: &Stmt) -> &Kernel {
    let Op::Kernel(kernel) = &stmt.op else {
        unreachable!("verified: these are kernels")
    };
    kernel
}

/// The items: the struct captures what `all` the kernels do.
fn item(
    host: &mut Host<'_>,
    name: &str,
    convoy: &Convoy,
    stmts: &[Stmt],
    (all, captured): (&Kernel, &Captured),
) {
    let none = Places::default();
    let mut inner = inside(host, captured, &none, Checks::Return);
    let (before, last) = ends(stmts);
    let (mut made, mut windows): (Vec<Var>, Vec<String>) = (Vec::new(), Vec::new());
    let _ = writeln!(inner.text, "let {} = windows;", numbered('h', before.len()));
    for (at, stmt) in before.iter().enumerate() {
        let (literal, types) = strip_item(&mut inner, stmt, kernel(stmt), &made, true);
        let _ = writeln!(
            inner.text,
            "while let Some(from) = __r::Step::part(step, {at}) {{\n\
             __r::Step::window::<{{ L }}, _>(step, {literal}, h{at});\n}}\n\
             let {} = __r::Window::views(h{at});",
            names(&stmt.outs)
        );
        windows.push(format!("__r::Window<{}>", tuple(types.iter())));
        made.extend(&stmt.outs);
    }
    let (literal, out) = strip_item(&mut inner, last, kernel(last), &made, true);
    let _ = writeln!(
        inner.text,
        "while let Some(from) = __r::Step::part(step, {}) {{\n\
         __r::Step::last::<{{ L }}, _>(step, {literal});\n}}",
        before.len()
    );
    let Names {
        declared,
        head,
        tail,
        ..
    } = captured.names();
    let leads: Vec<String> = convoy.leads.iter().map(u64::to_string).collect();
    let _ = write!(
        inner.items,
        "struct {name}{declared} {{ {fields} }}\n\
         {head} __r::Cascade for {name}{tail} {{\ntype Out = {out};\ntype Windows = {windows};\n\
         const LEADS: &'static [usize] = &[{leads}];\nconst ROUND: bool = {round};\n\
         fn cost(&self) -> usize {{\n{locals}{cost}\n}}\n\
         #[inline(always)]\n\
         fn step<const L: usize>(&self, step: &mut __r::Step<Self::Out>, \
         windows: &mut Self::Windows) {{\n{text}}}\n}}\n",
        fields = captured.declarations(),
        out = tuple(out.iter()),
        windows = tuple(windows.iter()),
        leads = leads.join(", "),
        round = convoy.round,
        locals = captured.locals(),
        cost = nest::cost(host, &all.body, captured),
        text = inner.text,
    );
    let (items, kernels) = (inner.items, inner.kernels);
    host.items.push_str(&items);
    host.kernels = kernels;
}
