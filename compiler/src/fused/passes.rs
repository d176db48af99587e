//! What is done to kernels once arrays are delayed or in memory.
//!
//! In, out: a fused function. Assumes the order of these passes: each says what it needs of those before.

use crate::fused::after_keep::after_keep;
use crate::fused::append::append;
use crate::fused::border::Packs;
use crate::fused::carried::carry;
use crate::fused::cascades::cascades;
use crate::fused::convoys::convoys;
use crate::fused::fast::contract;
use crate::fused::into_readers::into_readers;
use crate::fused::ir::Function;
use crate::fused::keep::keep;
use crate::fused::last::last;
use crate::fused::manifests::manifests;
use crate::fused::outside::checks_outside;
use crate::fused::plan::Plan;
use crate::fused::scatter_packed::scatter_packed;
use crate::fused::select::select;
use crate::fused::sweep::sweep;
use crate::fused::sweeps::mark;
use crate::fused::together::together;

/// Runs all of them.
pub(super) fn passes(fused: &mut Function, plan: &Plan, packs: &Packs) {
    // What nobody uses would hide what is used once.
    sweep(fused);
    if keep(fused) | contract(fused) {
        sweep(fused);
    }
    if after_keep(fused) {
        sweep(fused);
    }
    checks_outside(fused);
    if append(fused) {
        sweep(fused);
    }
    select(fused);
    last(fused);
    let moved = together(fused);
    carry(fused);
    into_readers(fused);
    scatter_packed(fused);
    // Trips that run together write each state to an array of its own.
    mark(fused);
    fused.convoys = convoys(fused);
    let cascades = cascades(fused);
    fused.convoys.extend(cascades);
    fused.manifests = manifests(fused, plan, packs, &moved);
}
