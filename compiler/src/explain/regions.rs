//! Which tokens went into which kernels.
//!
//! In: a fused function. Out: for each token the kernels of the smallest construct around it of which
//! something was made. What is computed once, outside of kernels, has none.

use super::numbers::Numbers;
use super::page::KernelId;
use super::source::Source;
use crate::fused::ir::{Body, Function, Kernel, Op, Sink};
use crate::source::SrcSpan;
use std::collections::BTreeMap;

/// Adds the kernels of a function to the tokens that it is made of.
pub fn paint(
    function: &Function,
    numbers: &Numbers,
    source: &Source,
    painted: &mut [Vec<KernelId>],
) {
    let mut regions = Regions {
        function,
        numbers,
        source,
        found: BTreeMap::new(),
    };
    regions.body(&function.body, None);
    let mut found: Vec<_> = regions.found.into_iter().collect();
    // What is inside of something else comes later.
    found.sort_by_key(|((first, last), _)| std::cmp::Reverse(last - first));
    let mut mine: Vec<&[KernelId]> = vec![&[]; painted.len()];
    for ((first, last), kernels) in &found {
        mine[*first..=*last].fill(kernels);
    }
    for (token, kernels) in painted.iter_mut().zip(mine) {
        token.extend(kernels);
    }
}

struct Regions<'a> {
    function: &'a Function,
    numbers: &'a Numbers,
    source: &'a Source,
    /// By first and last token.
    found: BTreeMap<(usize, usize), Vec<KernelId>>,
}

impl Regions<'_> {
    fn add(&mut self, src: SrcSpan, kernel: Option<KernelId>) {
        if let Some(range) = self.source.range(src) {
            let range = self.without_signature(range);
            let kernels = self.found.entry(range).or_default();
            if let Some(kernel) = kernel.filter(|it| !kernels.contains(it)) {
                kernels.push(kernel);
            }
        }
    }

    /// Where the result is made as a whole, that is of the type behind `->`.
    fn without_signature(&self, (first, last): (usize, usize)) -> (usize, usize) {
        let signature = self.source.range(self.function.src);
        let arrow = (first..last).rev().find(|at| {
            let texts = [*at, at + 1].map(|at| self.source.tokens[at].text.as_str());
            texts == ["-", ">"]
        });
        match arrow {
            Some(arrow) if signature == Some((first, last)) && arrow + 2 <= last => {
                (arrow + 2, last)
            }
            _ => (first, last),
        }
    }

    fn body(&mut self, body: &Body, kernel: Option<KernelId>) {
        for stmt in &body.stmts {
            match &stmt.op {
                Op::Kernel(inner) => self.kernel(inner),
                Op::If { then, else_, .. } => {
                    self.body(then, kernel);
                    self.body(else_, kernel);
                }
                Op::Loop(it) => {
                    self.body(&it.cond, kernel);
                    self.body(&it.body, kernel);
                }
                Op::Scalar(..)
                | Op::Check { .. }
                | Op::Len { .. }
                | Op::Read { .. }
                | Op::Literal(_)
                | Op::Update { .. } => self.add(stmt.src, kernel),
            }
        }
    }

    fn kernel(&mut self, kernel: &Kernel) {
        let id = Some(self.numbers.ids[&kernel.index]);
        for part in &kernel.parts {
            self.add(*part, id);
        }
        self.body(&kernel.body, id);
        match &kernel.sink {
            Sink::Reduce { combine, .. } | Sink::Scan { combine, .. } => {
                self.body(&combine.body, id);
            }
            Sink::Fold { step, .. } => self.body(step, id),
            Sink::Write
            | Sink::Rows { .. }
            | Sink::Pack
            | Sink::Keep
            | Sink::Join
            | Sink::Scatter { .. }
            | Sink::Append { .. }
            | Sink::Sort(_) => {}
        }
    }
}
