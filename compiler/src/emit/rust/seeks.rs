//! Reductions that give the first index at which a condition holds.
//!
//! In: a kernel. Out: whether it is such a search, and the text of what the run time's `Combine` has for
//! one. Assumes what `lanes.rs` assumes.

use crate::emit::rust::abreast::IN_THREES;
use crate::emit::rust::border::HOLE;
use crate::emit::rust::conjuncts::{self, needed};
use crate::emit::rust::host::Host;
use crate::emit::rust::lanes::{Context, Output, block};
use crate::emit::rust::rough;
use crate::emit::rust::steps::Step;
use crate::fused::ir::{Kernel, Op, Sink};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::Atom;

/// What is sought: the least index with this condition, or without it; `usize::MAX` if there is none.
pub struct Sought {
    condition: Var,
    holds: bool,
}

/// What a kernel seeks, if it does nothing else.
pub fn sought(host: &Host<'_>, kernel: &Kernel) -> Option<Sought> {
    let Sink::Reduce { combine, .. } = &kernel.sink else {
        return None;
    };
    let [Atom::Var(value)] = kernel.body.results.as_slice() else {
        return None;
    };
    let value = *value;
    if host.scalar_of(value) != Scalar::Usize
        || rough::known(host, kernel, combine) != Some("Least")
    {
        return None;
    }
    let mut stmts = kernel.body.stmts.iter();
    let made = stmts.find(|stmt| stmt.outs == [value])?;
    let Op::Scalar(ScalarOp::Select, args) = &made.op else {
        return None;
    };
    let index = |atom: &Atom| *atom == Atom::Var(kernel.index);
    let nowhere = |atom: &Atom| matches!(atom, Atom::Const(it) if it.bits == u64::MAX);
    let (condition, holds) = match args.as_slice() {
        [Atom::Var(condition), place, none] if index(place) && nowhere(none) => (*condition, true),
        [Atom::Var(condition), none, place] if index(place) && nowhere(none) => (*condition, false),
        _other => return None,
    };
    Some(Sought { condition, holds })
}

/// The text of `block`, by the conditions that `holds` gives.
pub fn block_text() -> &'static str {
    "let mut holds = [false; L];\n\
     <Self as __r::Combine>::holds::<{ L }, F>(self, start, &mut holds, flag);\n\
     for l in 0..L {\n\
     o0[l] = __r::choose(holds[l], start.wrapping_add(l), usize::MAX);\n}\n"
}

/// The texts of bodies.
pub struct Texts {
    /// That of `holds`.
    pub holds: String,
    /// That of `may_hold`, if there is one.
    may_hold: Option<String>,
}

/// The texts of what the steps say of what is sought.
pub fn texts(steps: &[Step], sought: &Sought, context: &Context<'_>) -> Texts {
    let outputs = [Output {
        results: vec![0],
        pattern: match sought.holds {
            true => HOLE.to_owned(),
            false => format!("!{HOLE}"),
        },
    }];
    let context = Context {
        outputs: &outputs,
        in_threes: true,
        ..*context
    };
    let whole = needed(steps, sought.condition);
    let part = conjuncts::first_part(&whole, sought.condition, sought.holds, context.types);
    Texts {
        holds: block(&whole, &context),
        may_hold: part.map(|part| block(&part, &context)),
    }
}

/// What `Combine` has for a search with these texts.
pub fn text(locals: &str, texts: &Texts) -> String {
    let in_threes = match texts.holds.contains(IN_THREES) {
        true => "const IN_THREES: bool = true;\n",
        false => "",
    };
    let condition = |name: &str, body: &str| {
        format!(
            "#[inline(always)]\n\
             fn {name}<const L: usize, F: __r::Flag>(&self, start: usize, o0: &mut [bool; L], \
             flag: &mut F) {{\n{locals}{body}}}\n"
        )
    };
    let may_hold = texts
        .may_hold
        .as_ref()
        .map(|body| "const IN_PARTS: bool = true;\n".to_owned() + &condition("may_hold", body));
    format!(
        "const SEEKS: bool = true;\n{in_threes}{holds}{may_hold}\
         #[inline(always)]\n\
         fn number(&self, count: usize) -> Self::Out {{ (count,) }}\n\
         #[inline(always)]\n\
         fn index(&self, (value,): Self::Out) -> usize {{ value }}\n",
        holds = condition("holds", &texts.holds),
        may_hold = may_hold.unwrap_or_default(),
    )
}
