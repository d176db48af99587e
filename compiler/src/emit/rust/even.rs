//! State of loops that is the same in every lane.
//!
//! In: the loops of a kernel, outer ones first, and what scalars are made of. Out: the parameters that
//! hold one value in all lanes, trip by trip: a counter, and what follows from it. Assumes: a block's
//! lanes enter a loop together.
//!
//! A loop is even if its condition is made of such values and of what comes from outside: then its
//! lanes also leave together. So an array read at a counter gives one element for all lanes, where a
//! gather would fetch one for each.

use crate::emit::rust::steps::LaneLoop;
use crate::fused::linear::Defs;
use crate::hash::HashSet;
use crate::ids::Var;
use crate::shaped::ir::Atom;

/// What is known of the variables of a block.
pub struct Values<'v, 'd> {
    /// The kernel's index.
    pub index: Var,
    /// Variables that loops and reads define, and others that differ between lanes.
    pub varying: &'v HashSet<Var>,
    /// What scalars are made of.
    pub defs: &'v Defs<'d>,
}

impl Values<'_, '_> {
    /// The parameters that are the same in every lane.
    pub fn even(&self, loops: &[&LaneLoop]) -> HashSet<Var> {
        let mut even = HashSet::default();
        for it in loops {
            let mask = it.mask.is_none_or(|mask| self.is_even(mask, &even));
            let found = self.of_loop(it, &even);
            if mask && self.is_even(it.go_on, &found) {
                even = found;
                even.insert(it.live);
            }
        }
        even
    }

    /// `outer`, and what is even in a loop if it is.
    fn of_loop(&self, it: &LaneLoop, outer: &HashSet<Var>) -> HashSet<Var> {
        let mut found = outer.clone();
        let starts = it.params.iter().zip(&it.init);
        found.extend(
            starts
                .filter(|(_, init)| self.is_even(**init, outer))
                .map(|(param, _)| *param),
        );
        // What follows from something else is out, until all that is left follows from itself.
        loop {
            let mut pairs = it.params.iter().zip(&it.next);
            let out =
                pairs.find(|(param, next)| found.contains(param) && !self.is_even(**next, &found));
            match out {
                Some((param, _)) => found.remove(param),
                None => return found,
            };
        }
    }

    /// Whether a value is the same in every lane if these variables are.
    pub fn is_even(&self, atom: Atom, even: &HashSet<Var>) -> bool {
        let Atom::Var(var) = atom else { return true };
        if even.contains(&var) {
            return true;
        }
        if var == self.index || self.varying.contains(&var) {
            return false;
        }
        let Some((_, args)) = self.defs.get(&var) else {
            return true;
        };
        args.iter().all(|arg| self.is_even(*arg, even))
    }
}
