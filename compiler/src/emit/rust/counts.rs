//! Sums of conditions, of which the run time counts those that hold.
//!
//! In: a kernel. Out: the functions `holds` and `number` of the run time's `Combine`, as text, where
//! the kernel adds up conditions as integers. Assumes what `lanes.rs` assumes.

use crate::emit::rust::kernel::is_sum;
use crate::emit::rust::lanes::{Context, Output, block};
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
    format!(
        "const TELLS: bool = true;\n\
         #[inline(always)]\n\
         fn holds<const L: usize, F: __r::Flag>(&self, start: usize, o0: &mut [bool; L], \
         flag: &mut F) {{\n{locals}{body}}}\n\
         #[inline(always)]\n\
         fn number(&self, count: usize) -> Self::Out {{ (count as {ty},) }}\n",
        body = block(&steps, &context),
        ty = type_name(ty),
    )
}
