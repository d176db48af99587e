//! Operators with a rough form, as a part of the run time's `Combine` and `Across`: `min` and `max` of
//! floats.
//!
//! In: an operator. Out: its rough form as Rust text, if it has one. Assumes that the operator is
//! printed too. What the form is for, the run time's `rough.rs` says.

use crate::emit::rust::captured::Captured;
use crate::emit::rust::host::Host;
use crate::emit::rust::kernel::{names, operator_with, tuple};
use crate::emit::rust::scalar;
use crate::fused::ir::{Combine, Op, Stmt};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::Atom;
use crate::typed::ir::Const;

/// A component that is a minimum or a maximum.
struct Extreme {
    out: Var,
    operands: [Var; 2],
    greatest: bool,
    ty: Scalar,
}

/// What a form leaves open.
#[derive(Clone, Copy)]
pub enum Open {
    /// The sign of a zero, and what all that is NaN gives.
    ZerosAndNan,
    /// The latter.
    Nan,
}

/// The functions of a rough form of an operator on values of type `ty`.
pub fn text(
    host: &Host<'_>,
    captured: &Captured,
    combine: &Combine,
    ty: &str,
    open: Open,
) -> String {
    let Some(neutral) = &combine.neutral else {
        return String::new();
    };
    let found: Vec<Option<Extreme>> = (0..neutral.len())
        .map(|at| extreme(host, combine, at))
        .collect();
    if found.iter().all(Option::is_none) {
        return String::new();
    }
    let starts = found.iter().zip(neutral);
    let starts =
        tuple(starts.map(|(found, neutral)| {
            scalar::constant(found.as_ref().map_or(*neutral, Extreme::start))
        }));
    let body = operator_with(host, captured, &combine.body, |stmt| {
        let mut extremes = found.iter().flatten();
        let found = extremes.find(|it| stmt.outs == [it.out])?;
        Some(found.step(open))
    });
    let (left, right) = (names(&combine.left), names(&combine.right));
    let totals = tuple(found.iter().enumerate().map(|(at, found)| match found {
        Some(_) => format!("t{at}"),
        None => "_".to_owned(),
    }));
    let sure = found
        .iter()
        .enumerate()
        .filter(|(_, found)| found.is_some());
    let test = match open {
        Open::ZerosAndNan => "is_sure",
        Open::Nan => "is_finite",
    };
    let sure = sure.map(|(at, _)| format!("__r::Rough::{test}(t{at})"));
    let sure = sure.collect::<Vec<_>>().join(" & ");
    format!(
        "const ROUGH: bool = true;\n\
         #[inline(always)]\nfn rough_start(&self) -> {ty} {{ {starts} }}\n\
         #[inline(always)]\nfn roughly(&self, {left}: {ty}, {right}: {ty}) -> {ty} {{\n{body}}}\n\
         #[inline(always)]\nfn is_sure(&self, {totals}: {ty}) -> bool {{ {sure} }}\n"
    )
}

/// The component `at` of an operator, if it is one, and nothing else follows from it.
fn extreme(host: &Host<'_>, combine: &Combine, at: usize) -> Option<Extreme> {
    let operands = [combine.left[at], combine.right[at]];
    let Atom::Var(out) = combine.body.results[at] else {
        return None;
    };
    let stmts = &combine.body.stmts;
    let stmt = stmts.iter().find(|stmt| stmt.outs == [out])?;
    let greatest = match &stmt.op {
        Op::Scalar(ScalarOp::Max, args) if *args == operands.map(Atom::Var) => true,
        Op::Scalar(ScalarOp::Min, args) if *args == operands.map(Atom::Var) => false,
        _other => return None,
    };
    let ty = host.scalar_of(out);
    let plain = matches!(ty, Scalar::F32 | Scalar::F64);
    (plain && !stmts.iter().any(|stmt| uses(stmt, out))).then_some(Extreme {
        out,
        operands,
        greatest,
        ty,
    })
}

/// Whether a statement of an operator uses a variable, or may.
fn uses(stmt: &Stmt, var: Var) -> bool {
    match &stmt.op {
        Op::Scalar(_, args) => args.contains(&Atom::Var(var)),
        Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::If { .. }
        | Op::Loop(_)
        | Op::Kernel(_) => true,
    }
}

impl Extreme {
    fn start(&self) -> Const {
        let least = if self.greatest {
            -f64::INFINITY
        } else {
            f64::INFINITY
        };
        let (ty, bits) = (self.ty, self.ty.float_bits(least));
        Const { ty, bits }
    }

    fn step(&self, open: Open) -> String {
        let name = match (open, self.greatest) {
            (Open::ZerosAndNan, true) => "greater",
            (Open::ZerosAndNan, false) => "lesser",
            (Open::Nan, true) => "greatest",
            (Open::Nan, false) => "least",
        };
        let (out, [a, b]) = (self.out.0, self.operands.map(|var| var.0));
        format!("let v{out} = __r::Rough::{name}(v{a}, v{b});\n")
    }
}
