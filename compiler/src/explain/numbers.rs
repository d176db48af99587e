//! Numbers for kernels: `1`, `2`, and `2.1` for what is inside of the second.

use super::page::{Kernel, KernelId};
use super::source::Source;
use super::{place, sizes, words};
use crate::contracts::{kernels, passes, together};
use crate::emit::rust::explain;
use crate::fused::ir::{self, Function};
use crate::hash::HashMap;
use crate::ids::Var;
use std::collections::BTreeSet;

/// The kernels of a function by their indices.
pub struct Numbers {
    /// By index variable.
    pub ids: HashMap<Var, KernelId>,
    /// In order, those inside of others behind these.
    pub all: Vec<KernelId>,
}

struct Numbering<'a> {
    function: &'a Function,
    source: &'a Source,
    own: &'a str,
    tiled: BTreeSet<Var>,
    kernels: &'a mut Vec<Kernel>,
    numbers: Numbers,
}

impl Numbers {
    /// Numbers the kernels of a function and adds them to the page's.
    pub fn of(
        function: &Function,
        source: &Source,
        own: &str,
        kernels: &mut Vec<Kernel>,
    ) -> Numbers {
        let mut numbering = Numbering {
            function,
            source,
            own,
            tiled: explain::trips(&function.body),
            kernels,
            numbers: Numbers {
                ids: HashMap::default(),
                all: Vec::new(),
            },
        };
        numbering.passes();
        numbering.numbers
    }
}

impl Numbering<'_> {
    /// The kernels outside of others: `2`, or `2a` and `2b` where two of them run together.
    fn passes(&mut self) {
        let before = self.kernels.iter().map(|it| it.hue + 1).max().unwrap_or(0);
        for (at, pass) in passes(self.function).into_iter().enumerate() {
            let number = at + 1;
            let (several, how) = (pass.len() > 1, together(&pass));
            for (kernel, letter) in pass.into_iter().zip('a'..) {
                let label = match several {
                    true => format!("{number}{letter}"),
                    false => number.to_string(),
                };
                self.kernel(kernel, label, how, before + at, None);
            }
        }
    }

    fn kernel(
        &mut self,
        kernel: &ir::Kernel,
        label: String,
        how: &str,
        hue: usize,
        parent: Option<KernelId>,
    ) {
        let id = KernelId(self.kernels.len());
        let made = self.made(kernel, label.clone(), how, hue, parent);
        self.kernels.push(made);
        self.numbers.ids.insert(kernel.index, id);
        self.numbers.all.push(id);
        for (at, inner) in kernels(&kernel.body).into_iter().enumerate() {
            self.kernel(inner, format!("{label}.{}", at + 1), "", hue, Some(id));
        }
    }

    fn made(
        &self,
        kernel: &ir::Kernel,
        label: String,
        how: &str,
        hue: usize,
        parent: Option<KernelId>,
    ) -> Kernel {
        let tiled = match self.tiled.contains(&kernel.index) {
            true => ", tiled in time",
            false => "",
        };
        let mut lines: Vec<_> = explain::parts(kernel)
            .into_iter()
            .map(|part| place(part, self.own))
            .collect();
        lines.sort();
        lines.dedup();
        let extents = kernel.extents.iter();
        let extents = extents.map(|it| sizes::extent(self.function, *it));
        Kernel {
            label,
            hue,
            function: self.function.export.name.to_string(),
            parent,
            what: format!("{}{tiled}{how}", explain::verb(kernel)),
            extent: extents.collect::<Vec<_>>().join(" × "),
            operators: self.operators(kernel),
            lines,
        }
    }

    /// The operators of a kernel of its own, in the order in which they end.
    fn operators(&self, kernel: &ir::Kernel) -> Vec<String> {
        let parts = kernel.parts.iter();
        let mut ranges: Vec<_> = parts.filter_map(|it| self.source.range(*it)).collect();
        ranges.sort_by_key(|(first, last)| (*last, *first));
        ranges.dedup();
        let operators = ranges.into_iter();
        let mut operators: Vec<String> = operators
            .filter_map(|range| words::operator(self.source, range))
            .collect();
        operators.dedup();
        operators
    }
}
