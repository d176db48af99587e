//! Lanes of blocks that reach over the end of few indices: what is done for a whole block at once.
//!
//! In: steps that read arrays anywhere. Out: calls of the flag, which knows how many lanes
//! are indices and what the level has, as the number of lanes does not tell it there. Of loops over so
//! few lanes that gather LLVM makes single loads.

use crate::emit::rust::lanes::Printer;
use crate::ids::Var;
use crate::shaped::ir::Atom;
use std::fmt::Write;

impl Printer<'_> {
    /// Prints a read of each lane's element.
    pub(super) fn gather(&mut self, out: Var, array: Var, index: Atom) {
        let (array, index) = (self.reads.gatherer(array), self.whole(index));
        let _ = writeln!(
            self.text,
            "a{} = __r::Flag::gather(flag, &{array}, &{index});",
            out.0
        );
    }
}
