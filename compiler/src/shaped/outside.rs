//! What is outside of a body that is being written, and what of it can move there.

use super::facts::Mark;
use super::ir::{Atom, Extent, Op, Stmt, VarType};
use super::lower::{Lower, Lowered};
use super::par::irregular;
use super::value::Value;
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::source::SrcSpan;

/// What is outside of a body.
#[derive(Clone)]
pub(super) struct Outside {
    /// Variables up to here are.
    pub(super) vars: usize,
    /// And these, which have moved.
    moved: Vec<Var>,
    /// What is known of sizes there.
    facts: Mark,
}

impl Outside {
    pub(super) fn new(vars: usize, facts: Mark) -> Self {
        Outside {
            vars,
            moved: Vec::new(),
            facts,
        }
    }

    /// What was known of sizes when the body began.
    pub(super) fn facts(&self) -> Mark {
        self.facts
    }

    pub(super) fn has(&self, var: Var) -> bool {
        var.index() < self.vars || self.moved.contains(&var)
    }

    pub(super) fn knows(&self, atom: Atom) -> bool {
        match atom {
            Atom::Const(_) => true,
            Atom::Var(var) => self.has(var),
        }
    }

    /// Whether a statement can stand outside; from then on it does.
    pub(super) fn takes(&mut self, stmt: &Stmt) -> bool {
        let moves = match &stmt.op {
            Op::Scalar(_, args) => args.iter().all(|arg| self.knows(*arg)),
            Op::Len { .. }
            | Op::Check { .. }
            | Op::Read { .. }
            | Op::Literal(_)
            | Op::Update { .. }
            | Op::If { .. }
            | Op::Loop(_)
            | Op::Par(_) => false,
        };
        if moves {
            self.moved.extend(&stmt.outs);
        }
        moves
    }
}

impl Lower<'_> {
    /// Whether an extent in the innermost open body is known outside of it. What a check in the body
    /// says of it does not count: the array was made before that.
    pub(super) fn is_outside(&self, extent: &Extent, outside: &Outside) -> bool {
        let size = self.facts.normal_at(&extent.size, outside.facts);
        let homes = self.facts.homes(&size);
        outside.knows(extent.value) || homes.iter().all(|home| outside.knows(*home))
    }

    /// What will be outside of the innermost open body when all that can has moved there.
    pub(super) fn with_movable(&self, outside: &Outside) -> Outside {
        let mut outside = outside.clone();
        for stmt in self.written() {
            outside.takes(stmt);
        }
        outside
    }

    /// The extents of the arrays in `elem`, which a body yields, as values from outside of it.
    /// Scalars that depend on nothing inside move out for that.
    pub(super) fn outer_extents(
        &mut self,
        elem: &Value,
        mut outside: Outside,
        stmts: &mut Vec<Stmt>,
        src: SrcSpan,
    ) -> Lowered<Vec<Extent>> {
        self.move_outside(&mut outside, stmts);
        let mut extents = Vec::new();
        elem.extents(&mut extents);
        let extents = extents
            .iter()
            .map(|it| self.outer_extent(it, &outside, src));
        extents.collect()
    }

    /// Moves the statements that need nothing of their body out of it.
    pub(super) fn move_outside(&mut self, outside: &mut Outside, stmts: &mut Vec<Stmt>) {
        let (fixed, varying) = std::mem::take(stmts)
            .into_iter()
            .partition(|stmt| outside.takes(stmt));
        *stmts = varying;
        for stmt in fixed {
            self.splice_outside(stmt);
        }
    }

    /// Writes a statement of a body outside of it. The body's checks stay inside, and do not run
    /// if it has no elements: a difference then is 0 where it would be below. (One that wraps has no
    /// check, and no size.)
    fn splice_outside(&mut self, mut stmt: Stmt) {
        if let Op::Scalar(ScalarOp::Sub, args) = &mut stmt.op
            && let [out] = stmt.outs[..]
            && matches!(self.vars[out.index()].ty, VarType::Scalar(Scalar::Usize))
            && self.is_difference(out)
        {
            args[0] = self.scalar(ScalarOp::Max, args, Scalar::Usize, stmt.src);
        }
        self.splice(vec![stmt]);
    }

    /// Whether the size of `out` is known from what it is the difference of.
    fn is_difference(&self, out: Var) -> bool {
        let size = self.facts.recorded(out);
        size.is_some_and(|size| !self.facts.homes(&size).contains(&Atom::Var(out)))
    }

    /// An extent of a body as a value from outside.
    pub(super) fn outer_extent(
        &mut self,
        extent: &Extent,
        outside: &Outside,
        src: SrcSpan,
    ) -> Lowered<Extent> {
        if outside.knows(extent.value) {
            return Ok(extent.clone());
        }
        let size = self.facts.normal(&extent.size);
        let homes = self.facts.homes(&size);
        if !homes.iter().all(|home| outside.knows(*home)) {
            return Err(irregular(src));
        }
        let value = self.compute_size(&size, src);
        Ok(Extent { value, size })
    }
}
