//! A kernel whose body is a prologue, one loop and an epilogue, in these parts.
//!
//! In: steps. Out: the text of the functions of the run time's `Looping`, which keeps several blocks
//! of lanes in flight; `None` where the body has another form.

use crate::emit::rust::lanes::{Context, Printer};
use crate::emit::rust::layout::{Layout, Piece, split};
use crate::emit::rust::reads::Reads;
use crate::emit::rust::steps::{LaneLoop, Step};
use crate::ids::Var;
use crate::prims::Scalar;
use std::collections::HashSet;

/// The parts.
pub struct Parts {
    /// Arrays of lanes that live through the loop.
    pub state: Vec<(Var, Scalar)>,
    pub enter: String,
    pub step: String,
    pub live: String,
    pub leave: String,
    /// Whether `leave` hands whole blocks to functions, which take them by value.
    by_value: bool,
}

/// Takes a body apart, if it has one loop, without a loop in it, and outputs after it.
pub fn parts(steps: &[Step], context: &Context<'_>) -> Option<Parts> {
    let mut layout = Layout::default();
    let pieces = split(steps, context.types, &mut layout);
    let loops = |piece: &&Piece<'_>| matches!(piece, Piece::Simple(_) | Piece::Nested { .. });
    if pieces.iter().filter(loops).count() != 1 {
        return None;
    }
    let at = pieces
        .iter()
        .position(|piece| matches!(piece, Piece::Simple(_)))?;
    let Piece::Simple(it) = pieces[at] else {
        return None;
    };
    let after = &pieces[at + 1..];
    let outputs = steps
        .iter()
        .filter(|step| matches!(step, Step::Out { .. }))
        .count();
    if outputs != outputs_of(after) {
        return None;
    }
    let (state, own) = divide(steps, it, &layout);
    let reads = Reads::new(steps, context.index, context.arrays, context.types);
    let print = |arrays: &[Var], body: &dyn Fn(&mut Printer<'_>)| {
        let mut printer = Printer::new(context, layout.clone(), reads.clone());
        body(&mut printer);
        printer.finish(arrays)
    };
    let enter = print(&state, &|printer| {
        printer.pieces(&pieces[..at]);
        printer.enter(it);
    });
    Some(Parts {
        enter,
        step: print(&[], &|printer| printer.trip(it, "", "*")),
        live: print(&[], &|printer| printer.look(it)),
        leave: print(&own, &|printer| printer.pieces(after)),
        by_value: after
            .iter()
            .any(|piece| matches!(piece, Piece::Lanes { .. })),
        state: state
            .into_iter()
            .map(|var| (var, (context.types)(var)))
            .collect(),
    })
}

impl Parts {
    /// The implementation of `Looping` for the kernel `name`.
    pub fn text(&self, name: &str, anonymous: &str, locals: &str, slots: &str) -> String {
        let arrays: String = self
            .state
            .iter()
            .map(|(var, _)| format!("a{},", var.0))
            .collect();
        let types: String = self
            .state
            .iter()
            .map(|(_, ty)| format!("[{}; L],", ty.name()))
            .collect();
        let Parts {
            enter,
            step,
            live,
            leave,
            by_value,
            ..
        } = self;
        let copied = if *by_value { "&" } else { "" };
        let head = "#[inline(always)]\nfn";
        let lanes = "<const L: usize, F: __r::Flag>(&self, start: usize";
        format!(
            "impl __r::Looping for {name}{anonymous} {{\ntype State<const L: usize> = ({types});\n\
             {head} enter{lanes}, flag: &mut F) -> Self::State<{{ L }}> {{\n{locals}{enter}({arrays})\n}}\n\
             {head} step{lanes}, state: &mut Self::State<{{ L }}>, flag: &mut F) {{\n\
             {locals}let ({arrays}) = state;\n{step}}}\n\
             {head} live{lanes}, state: &Self::State<{{ L }}>, flag: &mut F) -> bool {{\n\
             {locals}let ({arrays}) = state;\n{live}}}\n\
             {head} leave{lanes}, state: &Self::State<{{ L }}>, \
             out: <Self::Out as __r::Product>::Slots<'_, {{ L }}>, flag: &mut F) {{\n\
             {locals}let {copied}({arrays}) = state;\nlet ({slots}) = out;\n{leave}}}\n}}\n"
        )
    }
}

fn outputs_of(pieces: &[Piece<'_>]) -> usize {
    let count = |piece: &Piece<'_>| match piece {
        Piece::Straight(steps) => steps
            .iter()
            .filter(|step| matches!(step, Step::Out { .. }))
            .count(),
        Piece::Lanes { .. } | Piece::Simple(_) | Piece::Nested { .. } => 0,
    };
    pieces.iter().map(count).sum()
}

/// The arrays of lanes that are written before or in the loop, and those written after it.
fn divide(steps: &[Step], it: &LaneLoop, layout: &Layout) -> (Vec<Var>, Vec<Var>) {
    let mut before: HashSet<Var> = it.params.iter().copied().collect();
    for step in steps {
        match step {
            Step::Scalar { out, .. } | Step::Read { out, .. } => {
                before.insert(*out);
            }
            Step::Check { .. } | Step::Out { .. } => {}
            Step::Loop(_) => break,
        }
    }
    layout.lanes.iter().partition(|var| before.contains(var))
}
