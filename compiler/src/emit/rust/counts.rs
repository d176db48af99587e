//! Sums of conditions, of which the run time counts those that hold.
//!
//! In: a kernel. Out: the functions `holds` and `number` of the run time's `Combine`, as text, where
//! the kernel adds up conditions as integers. Assumes what `lanes.rs` assumes.

use crate::emit::rust::border::HOLE;
use crate::emit::rust::kernel::is_sum;
use crate::emit::rust::lanes::{Context, Output, block, sum_block};
use crate::emit::rust::scalar::type_name;
use crate::emit::rust::steps::Step;
use crate::fused::ir::{Body, Kernel, Layout, Op, Sink, VarInfo};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::{Atom, VarType};

/// The condition that a kernel adds up, if it does, and the type of the sum.
pub fn condition(kernel: &Kernel, vars: &[VarInfo]) -> Option<(Var, Scalar)> {
    let Sink::Reduce { combine, .. } = &kernel.sink else {
        return None;
    };
    match kernel.body.results.as_slice() {
        [Atom::Var(value)] if is_sum(combine) => {
            Some((uncast(&kernel.body, *value, vars)?, scalar(*value, vars)?))
        }
        _other => None,
    }
}

/// The condition that an integer is the number of.
fn uncast(body: &Body, value: Var, vars: &[VarInfo]) -> Option<Var> {
    let mut at = value;
    loop {
        match scalar(at, vars)? {
            Scalar::Bool => return Some(at),
            ty if ty.is_int() => {}
            _float => return None,
        }
        let stmt = body.stmts.iter().find(|stmt| stmt.outs == [at])?;
        match &stmt.op {
            Op::Scalar(ScalarOp::Cast, args) => match args.as_slice() {
                [Atom::Var(from)] => at = *from,
                _other => return None,
            },
            _other => return None,
        }
    }
}

fn scalar(var: Var, vars: &[VarInfo]) -> Option<Scalar> {
    match &vars[var.index()].ty {
        Layout::Plain(VarType::Scalar(scalar)) => Some(*scalar),
        Layout::Plain(VarType::Array(_)) | Layout::Component { .. } | Layout::Packed { .. } => None,
    }
}

/// The functions, of the steps of the kernel's body.
pub fn text(
    locals: &str,
    steps: &[Step],
    (condition, ty): (Var, Scalar),
    context: &Context<'_>,
) -> String {
    let outputs = [Output::plain(0)];
    let context = Context {
        outputs: &outputs,
        ..*context
    };
    let mut steps = steps.to_vec();
    for step in &mut steps {
        if let Step::Out { value, .. } = step {
            *value = Atom::Var(condition);
        }
    }
    let tally = tally(locals, &steps, &context).unwrap_or_default();
    format!(
        "const TELLS: bool = true;\n{tally}\
         #[inline(always)]\n\
         fn holds<const L: usize, F: __r::Flag>(&self, start: usize, o0: &mut [bool; L], \
         flag: &mut F) {{\n{locals}{body}}}\n\
         #[inline(always)]\n\
         fn number(&self, count: usize) -> Self::Out {{ (count as {ty},) }}\n",
        body = block(&steps, &context),
        ty = type_name(ty),
    )
}

/// The function that counts conditions in lanes of their own, where these are as wide as what they are told from.
fn tally(locals: &str, steps: &[Step], context: &Context<'_>) -> Option<String> {
    let (name, ty) = match width(steps, context)? {
        4 => ("tally_words", "u32"),
        8 => ("tally", "u64"),
        _narrow => return None,
    };
    let outputs = [Output {
        results: vec![0],
        pattern: format!("o0[l].wrapping_add({ty}::from({HOLE}))"),
    }];
    let context = Context {
        outputs: &outputs,
        ..*context
    };
    Some(format!(
        "const TALLY: __r::Tally = __r::Tally::{form};\n\
         #[inline(always)]\n\
         fn {name}<const L: usize, F: __r::Flag>(&self, start: usize, o0: &mut [{ty}; L], \
         flag: &mut F) {{\n{locals}{body}}}\n",
        form = if ty == "u32" { "Words" } else { "Longs" },
        body = sum_block(steps, &context),
    ))
}

/// Bytes of the narrowest number that a condition is told from; nothing where bytes themselves are conditions.
fn width(steps: &[Step], context: &Context<'_>) -> Option<usize> {
    let types = context.types;
    let ty = |atom: &Atom| match atom {
        Atom::Var(var) => types(*var),
        Atom::Const(it) => it.ty,
    };
    let mut narrowest = None;
    for step in steps {
        match step {
            Step::Scalar { out, args, .. } if types(*out) == Scalar::Bool => {
                let numbers = args.iter().map(ty).filter(|ty| *ty != Scalar::Bool);
                let least = numbers.map(|ty| ty.bits() as usize / 8).min();
                narrowest = narrowest.into_iter().chain(least).min();
            }
            Step::Read { out, .. } if types(*out) == Scalar::Bool => return None,
            Step::Loop(_) => return None,
            Step::Scalar { .. } | Step::Read { .. } | Step::Check { .. } | Step::Out { .. } => {}
        }
    }
    narrowest
}
