//! Calls are inlined: their names show what became of the functions' bodies.
//!
//! In: the kernels of each token. Out: the same, where the name of a call that went into no kernel by
//! itself has those of the function that it calls; of several calls of one function each has all.

use super::page::{Class, KernelId};
use super::source::{Item, Source};
use super::words;
use std::collections::BTreeSet;

/// Adds them; `own` are the kernels of an item's own functions, if it has any.
pub fn paint(source: &Source, painted: &mut [Vec<KernelId>], own: &[Vec<KernelId>]) {
    // Functions call functions that call others.
    for _ in &source.items {
        let mut changed = false;
        for (item, own) in source.items.iter().zip(own) {
            for at in item.tokens.clone() {
                if !painted[at].is_empty() {
                    continue;
                }
                let Some(callee) = callee(source, at) else {
                    continue;
                };
                let inside = callee.tokens.clone().flat_map(|it| &painted[it]);
                let inside = inside.filter(|id| own.is_empty() || own.contains(id));
                let kernels: BTreeSet<KernelId> = inside.copied().collect();
                changed |= !kernels.is_empty();
                painted[at] = kernels.into_iter().collect();
            }
        }
        if !changed {
            return;
        }
    }
}

/// The function of the source that is called here.
fn callee(source: &Source, at: usize) -> Option<&Item> {
    let before = at
        .checked_sub(1)
        .map(|before| source.tokens[before].text.as_str());
    if words::class(source, at) != Class::Call || before == Some("fn") {
        return None;
    }
    let name = Some(&source.tokens[at].text);
    source
        .items
        .iter()
        .find(|item| item.function.as_ref() == name)
}
