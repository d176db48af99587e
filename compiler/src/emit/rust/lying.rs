//! Kernels whose values are the elements of an array, as they lie in memory.
//!
//! In: a kernel. Out: what says so to the run time, as Rust text. Assumes that arrays and scalars are
//! captured under the names that `captured.rs` gives them.

use crate::emit::rust::body::Rows;
use crate::emit::rust::captured::Captured;
use crate::fused::ir::{Kernel, Op, Stmt};
use crate::ids::Var;
use crate::prims::ScalarOp;
use crate::shaped::ir::Atom;

/// Of a kernel whose first value is an element at the index, or as far from it at each; `ty` is the type
/// of that. `rows` says how it reads arrays, if it is in a nest.
pub fn text(kernel: &Kernel, captured: &Captured, ty: &str, rows: Option<&Rows>) -> Option<String> {
    let (array, offset) = elements(kernel)?;
    let field = captured.arrays().get(&array)?;
    let name = field.is_plain().then_some(&field.field)?;
    let slice = match offset {
        None => format!("self.{name}"),
        Some(offset) => format!(
            "{}__r::behind(self.{name}, v{})",
            captured.scalar_locals("self"),
            offset.0
        ),
    };
    let near = match rows.is_some_and(|rows| rows.are_near(array)) {
        true => "const NEAR: bool = true;\n",
        false => "",
    };
    Some(format!(
        "const LIES: bool = true;\n{near}#[inline(always)]\nfn lies(&self) -> &[{ty}] {{ {slice} }}\n"
    ))
}

/// The array of which a kernel's first values are elements, and what stands there before the first, if its
/// values need no more than reading.
pub fn elements(kernel: &Kernel) -> Option<(Var, Option<Var>)> {
    let plain = |stmt: &Stmt| matches!(stmt.op, Op::Scalar(..) | Op::Read { .. });
    let Atom::Var(first) = *kernel.body.results.first()? else {
        return None;
    };
    let made = |var: Var| {
        let mut stmts = kernel.body.stmts.iter();
        stmts.find(|stmt| stmt.outs == [var]).map(|stmt| &stmt.op)
    };
    let Op::Read { array, index } = made(first)? else {
        return None;
    };
    let own = Atom::Var(kernel.index);
    let offset = match (*index, index) {
        (at, _) if at == own => None,
        (Atom::Var(at), _) => match made(at)? {
            Op::Scalar(ScalarOp::Add, args) => match args.as_slice() {
                [Atom::Var(other), at] | [at, Atom::Var(other)]
                    if *at == own && *other != kernel.index && made(*other).is_none() =>
                {
                    Some(*other)
                }
                _other => return None,
            },
            _other => return None,
        },
        (Atom::Const(_), _) => return None,
    };
    kernel
        .body
        .stmts
        .iter()
        .all(plain)
        .then_some((*array, offset))
}
