//! Kernels whose values are the elements of an array, or of two one behind the other, as they lie in memory.
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

/// Of a kernel whose values are the elements of two arrays, one behind the other, as those that `merge` sorts; `ty` is
/// the type of these.
pub fn joined_text(kernel: &Kernel, captured: &Captured, ty: &str) -> Option<String> {
    let (arrays, bound) = joined(kernel)?;
    let plain = |array| {
        let field = captured.arrays().get(&array)?;
        field.is_plain().then_some(&field.field)
    };
    let [Some(first), Some(second)] = arrays.map(plain) else {
        return None;
    };
    Some(format!(
        "const JOINS: bool = true;\n#[inline(always)]\nfn joins(&self, n: usize) -> [&[{ty}]; 2] \
         {{ {}__r::joined(self.{first}, self.{second}, v{}, n) }}\n",
        captured.scalar_locals("self"),
        bound.0
    ))
}

/// The two arrays of which a kernel's values are elements, and from which index on those of the second are, if
/// they are and it says so as plainly as `merge` does.
fn joined(kernel: &Kernel) -> Option<([Var; 2], Var)> {
    let own = Atom::Var(kernel.index);
    let [is_first, choice] = kernel.body.stmts.as_slice() else {
        return None;
    };
    let (Op::Scalar(ScalarOp::Lt, operands), Op::If { cond, then, else_ }) =
        (&is_first.op, &choice.op)
    else {
        return None;
    };
    let [left, Atom::Var(bound)] = operands.as_slice() else {
        return None;
    };
    let [of_first] = then.stmts.as_slice() else {
        return None;
    };
    let [place, of_second] = else_.stmts.as_slice() else {
        return None;
    };
    let is_place = match &place.op {
        Op::Scalar(ScalarOp::Sub, operands) => operands.as_slice() == [own, Atom::Var(*bound)],
        _other => false,
    };
    let read = |stmt: &Stmt, at: Atom| match &stmt.op {
        Op::Read { array, index } if *index == at => Some(*array),
        _other => None,
    };
    let gives = |stmt: &Stmt, results: &[Atom]| match stmt.outs.as_slice() {
        [out] => results == [Atom::Var(*out)],
        _others => false,
    };
    let is_plain = *left == own
        && *bound != kernel.index
        && gives(is_first, &[*cond])
        && gives(of_first, &then.results)
        && gives(of_second, &else_.results)
        && gives(choice, &kernel.body.results);
    let [at] = place.outs.as_slice() else {
        return None;
    };
    let arrays = [read(of_first, own)?, read(of_second, Atom::Var(*at))?];
    (is_plain && is_place).then_some((arrays, *bound))
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
