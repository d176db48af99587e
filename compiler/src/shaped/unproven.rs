//! Why a check is left for run time, in the user's names, for EXPLAIN.

use super::ir::Atom;
use super::lower::Lower;
use super::size::Size;
use crate::checks::Unproven;
use crate::prims::ScalarOp;

impl Lower<'_> {
    /// What the condition `ok` of a check says, and what of it may be anything; nothing where the
    /// user has no names for it.
    pub(super) fn unproven(&self, ok: Atom) -> Option<Unproven> {
        let Atom::Var(ok) = ok else { return None };
        let (op, sides) = self.facts.condition(ok)?;
        let [left, right] = sides.as_slice() else {
            return None;
        };
        let (left, right) = (self.normal_size(*left)?, self.normal_size(*right)?);
        let relation = match op {
            ScalarOp::Eq => "is",
            ScalarOp::Ne => "is not",
            ScalarOp::Lt => "is below",
            ScalarOp::Le => "is at most",
            ScalarOp::Gt => "is above",
            ScalarOp::Ge => "is at least",
            _connective => return None,
        };
        let (first, second) = (self.facts.show(&left)?, self.facts.show(&right)?);
        let mut free = [self.facts.free(&left), self.facts.free(&right)].concat();
        free.dedup();
        Some(Unproven {
            claim: format!("`{first}` {relation} `{second}`"),
            left: first,
            free,
        })
    }

    fn normal_size(&self, atom: Atom) -> Option<Size> {
        self.known_size(atom).map(|size| self.facts.normal(&size))
    }
}
