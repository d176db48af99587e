//! One step of the reductions of a nest's columns: what is the same for all columns of a row is found
//! once, before the loop over them.
//!
//! In: the steps of a value. Out: the text of the run time's `Across::along`, and of the struct that it
//! gives, where whatever is read along the columns may be read in all of them. Assumes steps without
//! loops.

use crate::emit::rust::captured::{Captured, Names};
use crate::emit::rust::lanes::{Context, row_block};
use crate::emit::rust::reads::Reads;
use crate::emit::rust::spans;
use crate::emit::rust::steps::Step;
use crate::emit::rust::tuples::numbered;
use crate::ids::Var;

/// The names around a step.
pub struct Place<'a> {
    /// The struct of the nest.
    pub name: &'a str,
    /// The row of results.
    pub row: Var,
    /// The reduction's index.
    pub k: Var,
    /// The type of a value.
    pub value: &'a str,
}

/// Text for the implementation of `Across`, and items beside it.
pub struct StepText {
    /// The members that say what a step is.
    pub members: String,
    /// The struct.
    pub item: String,
}

/// A step that has nothing but its number.
pub fn plain() -> StepText {
    StepText {
        members: "type Step<'s> = __r::StepOf<'s, Self> where Self: 's;\n\
                  #[inline(always)]\n\
                  fn along(&self, row: usize, k: usize, columns: __r::Range<usize>) \
                  -> __r::StepOf<'_, Self> {\n__r::StepOf::new(self, row, k, columns)\n}\n"
            .to_owned(),
        item: String::new(),
    }
}

/// A step that has the part of each array that its columns read, if there is one and all may be read.
pub fn spanning(
    steps: &[Step],
    context: &Context<'_>,
    captured: &Captured,
    place: &Place<'_>,
) -> Option<StepText> {
    let mut reads = Reads::new(steps, context.index, context.arrays, context.types);
    if !steps.iter().all(|step| may_span(step, context, &reads)) {
        return None;
    }
    reads.along_steps();
    let (block, reads) = row_block(steps, context, reads);
    if reads.spans().is_empty() {
        return None;
    }
    let (fields, given) = spans::fields(reads.spans());
    let Place { name, value, .. } = place;
    let (row, k) = (place.row.0, place.k.0);
    let Names {
        declared,
        head,
        params,
        ..
    } = captured.names();
    let bounds = captured.bounds();
    let (own, locals) = (
        captured.scalar_locals("self"),
        captured.scalar_locals("self.k"),
    );
    let slots = numbered('o', context.outputs.len());
    Some(StepText {
        members: format!(
            "type Step<'s> = {name}Step<'s{params}> where Self: 's;\n\
             #[inline(always)]\n\
             fn along(&self, v{row}: usize, v{k}: usize, columns: __r::Range<usize>) \
             -> {name}Step<'_{params}> {{\n{own}let start = columns.start;\n\
             {name}Step {{ k: self, row: v{row}, step: v{k}, start, {given} }}\n}}\n"
        ),
        item: format!(
            "struct {name}Step<'a{params}> {{ k: &'a {name}{declared}, row: usize, step: usize, \
             start: usize, {fields} }}\n\
             {head} __r::Row for {name}Step<'_{params}>{bounds} {{\n\
             type Out = {value};\n\
             #[inline(always)]\n\
             fn block<const L: usize, F: __r::Flag>(&self, at: usize, \
             out: <Self::Out as __r::Product>::Slots<'_, {{ L }}>, flag: &mut F) {{\n\
             {locals}let v{row} = self.row;\nlet v{k} = self.step;\n\
             let start = self.start.wrapping_add(at);\nlet {slots} = out;\n{block}}}\n}}\n"
        ),
    })
}

/// Whether a read, if it is one along the columns, may be done in all of them, from a slice.
fn may_span(step: &Step, context: &Context<'_>, reads: &Reads<'_>) -> bool {
    match step {
        Step::Read {
            array, index, sure, ..
        } => {
            let field = &context.arrays[array];
            reads.forward(*index).is_none() || *sure && field.param.is_none() && !field.moved
        }
        Step::Scalar { .. } | Step::Check { .. } | Step::Out { .. } => true,
        Step::Loop(_) => false,
    }
}
