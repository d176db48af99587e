//! Operators with a rough form, as a part of the run time's `Combine` and `Across`: `min` and `max` of
//! floats.
//!
//! In: an operator. Out: its rough form as Rust text, if it has one. Assumes that the operator is
//! printed too. What the form is for, the run time's `rough.rs` says.

use crate::emit::rust::captured::Captured;
use crate::emit::rust::host::Host;
use crate::emit::rust::kernel::operator_with;
use crate::emit::rust::scalar;
use crate::emit::rust::tuples::{names, tuple};
use crate::fused::ir::{Combine, Kernel, Op, Stmt};
use crate::ids::Var;
use crate::prims::{self, Scalar, ScalarOp};
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

/// The functions by which a reduction is found to be one of `argmin` or `argmax` over the kernel's own
/// indices, if it is.
pub fn first(host: &Host<'_>, kernel: &Kernel, combine: &Combine, ty: &str) -> Option<String> {
    Some(first_of(host, kernel, combine)?.text(ty))
}

/// Whether a reduction is one of `argmin` or `argmax` over the kernel's own indices.
pub fn finds(host: &Host<'_>, kernel: &Kernel, combine: &Combine) -> bool {
    first_of(host, kernel, combine).is_some()
}

fn first_of(host: &Host<'_>, kernel: &Kernel, combine: &Combine) -> Option<First> {
    let by_index = kernel.body.results.get(1) == Some(&Atom::Var(kernel.index));
    First::new(host, combine).filter(|_| by_index)
}

/// The run time's name for an operator that is `min` or `max` of one number, or of the first of a number
/// and its index.
pub fn known(host: &Host<'_>, kernel: &Kernel, combine: &Combine) -> Option<&'static str> {
    combine.neutral.as_ref()?;
    let greatest = match first_of(host, kernel, combine) {
        Some(first) => first.extreme == prims::Extreme::Max,
        None => match combine.body.stmts.as_slice() {
            [stmt] if combine.body.results == [Atom::Var(stmt.outs[0])] => {
                is_greatest(stmt, [combine.left[0], combine.right[0]])?
            }
            _several => return None,
        },
    };
    Some(if greatest { "Greatest" } else { "Least" })
}

/// The component `at` of an operator, if it is one, and nothing else follows from it.
fn extreme(host: &Host<'_>, combine: &Combine, at: usize) -> Option<Extreme> {
    let operands = [combine.left[at], combine.right[at]];
    let Atom::Var(out) = combine.body.results[at] else {
        return None;
    };
    let stmts = &combine.body.stmts;
    let stmt = stmts.iter().find(|stmt| stmt.outs == [out])?;
    let greatest = is_greatest(stmt, operands)?;
    let ty = host.scalar_of(out);
    let plain = matches!(ty, Scalar::F32 | Scalar::F64);
    (plain && !stmts.iter().any(|stmt| uses(stmt, out))).then_some(Extreme {
        out,
        operands,
        greatest,
        ty,
    })
}

/// Whether a statement gives the greatest of two operands, if it gives that or the least.
fn is_greatest(stmt: &Stmt, operands: [Var; 2]) -> Option<bool> {
    match &stmt.op {
        Op::Scalar(ScalarOp::Max, args) if *args == operands.map(Atom::Var) => Some(true),
        Op::Scalar(ScalarOp::Min, args) if *args == operands.map(Atom::Var) => Some(false),
        _other => None,
    }
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

/// The operator of `argmin` or `argmax`: of two pairs of value and index that whose value is first, or
/// whose index is less.
struct First {
    extreme: prims::Extreme,
    /// Where the values' accumulators start.
    start: Const,
}

impl First {
    fn new(host: &Host<'_>, combine: &Combine) -> Option<First> {
        let ([a, at_a], [b, at_b]) = (&combine.left[..], &combine.right[..]) else {
            return None;
        };
        let [a, at_a, b, at_b] = [*a, *at_a, *b, *at_b].map(Atom::Var);
        let made = |atom: Atom| {
            let stmts = combine.body.stmts.iter();
            let found =
                stmts.filter(|stmt| stmt.outs.first().map(|out| Atom::Var(*out)) == Some(atom));
            let mut scalars = found.filter_map(|stmt| match &stmt.op {
                Op::Scalar(op, args) => Some((*op, args.as_slice())),
                _other => None,
            });
            scalars.next()
        };
        let [value, index] = combine.body.results[..] else {
            return None;
        };
        let (ScalarOp::Select, &[take_b, of_b, of_a]) = made(value)? else {
            return None;
        };
        let alike = made(index)? == (ScalarOp::Select, &[take_b, at_b, at_a]);
        let (ScalarOp::BitOr, &[b_first, by_index]) = made(take_b)? else {
            return None;
        };
        let (ScalarOp::Before(extreme), &[first, second]) = made(b_first)? else {
            return None;
        };
        let (ScalarOp::BitAnd, &[tie, earlier]) = made(by_index)? else {
            return None;
        };
        let (ScalarOp::Not, &[a_first]) = made(tie)? else {
            return None;
        };
        let is_it = alike
            && [of_b, of_a, first, second] == [b, a, b, a]
            && made(a_first)? == (ScalarOp::Before(extreme), &[a, b])
            && made(earlier)? == (ScalarOp::Lt, &[at_b, at_a]);
        let ty = host.scalar_of(combine.left[0]);
        let start = match ty {
            Scalar::F32 | Scalar::F64 => least(ty, extreme == prims::Extreme::Max),
            _exact => combine.neutral.as_ref()?[0],
        };
        (is_it && !ty.is_half()).then_some(First { extreme, start })
    }

    fn text(&self, ty: &str) -> String {
        let greatest = self.extreme == prims::Extreme::Max;
        let start = scalar::constant(self.start);
        let (step, sure) = match (self.start.ty.is_float(), greatest) {
            (true, true) => ("Rough::greater", "__r::Rough::is_sure(total.0)"),
            (true, false) => ("Rough::lesser", "__r::Rough::is_sure(total.0)"),
            (false, true) => ("Order::max", "true"),
            (false, false) => ("Order::min", "true"),
        };
        format!(
            "const FINDS: bool = true;\n\
             #[inline(always)]\nfn rough_start(&self) -> {ty} {{ ({start}, usize::MAX) }}\n\
             #[inline(always)]\nfn roughly(&self, a: {ty}, b: {ty}) -> {ty} {{\n\
             (__r::{step}(a.0, b.0), a.1)\n}}\n\
             #[inline(always)]\nfn is_sure(&self, total: {ty}) -> bool {{ {sure} }}\n\
             #[inline(always)]\nfn is_found(&self, total: {ty}, x: {ty}) -> bool {{ x.0 == total.0 }}\n\
             #[inline(always)]\nfn found(&self, total: {ty}, index: usize) -> {ty} {{ (total.0, index) }}\n"
        )
    }
}

/// Where accumulators start.
fn least(ty: Scalar, greatest: bool) -> Const {
    let least = if greatest {
        -f64::INFINITY
    } else {
        f64::INFINITY
    };
    let bits = ty.float_bits(least);
    Const { ty, bits }
}

impl Extreme {
    fn start(&self) -> Const {
        least(self.ty, self.greatest)
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
