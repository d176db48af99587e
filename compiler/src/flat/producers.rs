//! What reductions read, through the arrays that are made for them.
//!
//! In: statements, as they come. Out: for a reduction, where its elements come from
//! ([`Sources`]). Assumes that variables are assigned once.

use crate::flat::flatten::holds_seg;
use crate::flat::ir::{Body, Consumer, Op, Seg, Stmt, VarInfo};
use crate::fused::cost::{CHEAP, body_cost};
use crate::fused::total::may_fail;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::shaped::ir::Atom;

/// The arrays that operations build, element by element.
#[derive(Default)]
pub struct Producers {
    /// By array; those of one operation have one producer, called by its first array.
    by_array: HashMap<Var, Var>,
    known: HashMap<Var, Sources>,
}

/// Where elements come from.
#[derive(Clone, Default)]
pub struct Sources {
    /// Arrays in memory, of which more than a fixed element is read, and dear operations.
    dear: HashSet<Var>,
    /// Operations that may fail.
    failing: HashSet<Var>,
    /// What goes through a loop per element: operations, or the reduction itself.
    looping: HashSet<Var>,
}

impl Sources {
    /// Whether two reductions have something to read in common, and nothing to keep them apart: a
    /// loop per element runs best in a kernel of its own.
    pub fn share(a: &Sources, b: &Sources) -> bool {
        a.dear.intersection(&b.dear).next().is_some()
            && a.failing.union(&b.failing).count() <= 1
            && a.looping == b.looping
    }

    /// Whether some element may fail.
    pub fn may_fail(&self) -> bool {
        !self.failing.is_empty()
    }
}

impl Producers {
    /// Takes note of what a statement builds.
    pub fn add(&mut self, stmt: &Stmt, vars: &[VarInfo]) {
        let Op::Seg(seg) = &stmt.op else { return };
        if !matches!(seg.consumer, Consumer::Build) {
            return;
        }
        let name = stmt.outs[0];
        let mut sources = self.sources(seg);
        if body_cost(&seg.body) > CHEAP {
            sources.dear.insert(name);
        }
        if may_fail(&seg.body) {
            sources.failing.insert(name);
        }
        if loops(&seg.body) || holds_seg(&seg.body, vars) {
            sources.looping.insert(name);
        }
        self.by_array
            .extend(stmt.outs.iter().map(|out| (*out, name)));
        self.known.insert(name, sources);
    }

    /// Where the elements of an operation come from.
    pub fn sources(&self, seg: &Seg) -> Sources {
        let mut inside: HashSet<Var> = seg.space.levels.iter().map(|level| level.index).collect();
        let mut sources = Sources::default();
        if loops(&seg.body) {
            sources.looping.insert(seg.space.levels[0].index);
        }
        self.body(&seg.body, &mut inside, &mut sources);
        sources
    }

    fn body(&self, body: &Body, inside: &mut HashSet<Var>, sources: &mut Sources) {
        for stmt in &body.stmts {
            inside.extend(&stmt.outs);
            match &stmt.op {
                Op::Read { array, index } => {
                    let varies = |atom: &Atom| match atom {
                        Atom::Var(var) => inside.contains(var),
                        Atom::Const(_) => false,
                    };
                    self.read(*array, index.iter().any(varies), sources);
                }
                Op::If { then, else_, .. } => {
                    self.body(then, inside, sources);
                    self.body(else_, inside, sources);
                }
                Op::Loop(it) => {
                    inside.extend(&it.params);
                    self.body(&it.cond, inside, sources);
                    self.body(&it.body, inside, sources);
                }
                Op::Seg(seg) => {
                    inside.extend(seg.space.levels.iter().map(|level| level.index));
                    self.body(&seg.body, inside, sources);
                }
                Op::Scalar(..)
                | Op::Check { .. }
                | Op::Len { .. }
                | Op::Literal(_)
                | Op::Update { .. } => {}
            }
        }
    }

    fn read(&self, array: Var, varies: bool, sources: &mut Sources) {
        let Some(name) = self.by_array.get(&array) else {
            sources.dear.extend(varies.then_some(array));
            return;
        };
        let it = &self.known[name];
        sources.dear.extend(it.dear.iter().filter(|_| varies));
        sources.failing.extend(&it.failing);
        sources.looping.extend(&it.looping);
    }
}

/// Whether a body goes through loops.
fn loops(body: &Body) -> bool {
    body.stmts.iter().any(|stmt| match &stmt.op {
        Op::Loop(_) => true,
        Op::If { then, else_, .. } => loops(then) || loops(else_),
        Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. }
        | Op::Seg(_) => false,
    })
}
