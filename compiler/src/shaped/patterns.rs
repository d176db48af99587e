//! Patterns: whether a value matches, and what it binds.

use super::ir::Atom;
use super::lower::{Lower, Lowered};
use super::value::{Value, bool_const};
use crate::ids::LocalId;
use crate::prims::{Scalar, ScalarOp};
use crate::source::SrcSpan;
use crate::typed::ir::{Const, Pattern, PatternKind};

impl Lower<'_> {
    /// Binds the names of a pattern that matches.
    pub(super) fn bind(&mut self, pattern: &Pattern, value: &Value) -> Lowered<()> {
        match &pattern.kind {
            PatternKind::Wild | PatternKind::Const(_) | PatternKind::Range { .. } => Ok(()),
            PatternKind::Bind(local, inner) => {
                self.set_local(*local, value.clone());
                self.name_size(*local, value);
                self.note_local(*local, value);
                inner
                    .as_deref()
                    .map_or(Ok(()), |inner| self.bind(inner, value))
            }
            PatternKind::Tuple(parts) => {
                let mut parts = parts.iter().enumerate();
                parts.try_for_each(|(at, part)| self.bind(part, &value.field(at)))
            }
            PatternKind::Or(alternatives) => self.bind_alternative(alternatives, value),
        }
    }

    /// Lets messages call a `usize` that the pass made as the user calls it.
    fn name_size(&mut self, local: LocalId, value: &Value) {
        if let Value::Scalar(Atom::Var(var)) = value
            && self.elem_type(Atom::Var(*var)) == Scalar::Usize
            && let Some(info) = self.frames[self.frame].function.locals.get(local.index())
            && !info.temporary
        {
            self.facts.size_of(Atom::Var(*var));
            self.facts.suggest_name(*var, &info.name);
        }
    }

    /// Whether `value` matches.
    pub(super) fn matches(&mut self, pattern: &Pattern, value: &Value) -> Lowered<Atom> {
        match &pattern.kind {
            PatternKind::Wild => Ok(bool_const(true)),
            PatternKind::Bind(_, None) => Ok(bool_const(true)),
            PatternKind::Bind(_, Some(inner)) => self.matches(inner, value),
            PatternKind::Const(constant) => Ok(self.equals(value.atom(), *constant, pattern.src)),
            PatternKind::Range { lo, hi } => Ok(self.within(value.atom(), *lo, *hi, pattern.src)),
            PatternKind::Tuple(parts) => {
                let mut all = bool_const(true);
                for (at, part) in parts.iter().enumerate() {
                    let one = self.matches(part, &value.field(at))?;
                    all = self.test(ScalarOp::BitAnd, all, one, pattern.src);
                }
                Ok(all)
            }
            PatternKind::Or(alternatives) => {
                let mut any = bool_const(false);
                for alternative in alternatives {
                    let one = self.matches(alternative, value)?;
                    any = self.test(ScalarOp::BitOr, any, one, pattern.src);
                }
                Ok(any)
            }
        }
    }

    fn equals(&mut self, value: Atom, constant: Const, src: SrcSpan) -> Atom {
        match (constant.ty, constant.bits) {
            (Scalar::Bool, 0) => self.scalar(ScalarOp::Not, &[value], Scalar::Bool, src),
            (Scalar::Bool, _) => value,
            _ => self.test(ScalarOp::Eq, value, Atom::Const(constant), src),
        }
    }

    fn within(&mut self, value: Atom, lo: Option<Const>, hi: Option<Const>, src: SrcSpan) -> Atom {
        let mut bound = |op, bound: Option<Const>| match bound {
            Some(bound) => self.test(op, value, Atom::Const(bound), src),
            None => bool_const(true),
        };
        let (above, below) = (bound(ScalarOp::Ge, lo), bound(ScalarOp::Le, hi));
        self.test(ScalarOp::BitAnd, above, below, src)
    }
}
