//! Arrays that are read at the positions of a sort.
//!
//! In: a body in which a sort gives positions. Out: the same with a sort that gives the elements at these
//! positions, if whoever reads the positions reads no more than elements there. Assumes that positions are
//! read at indices that there are.
//!
//! Note \[In order\]. What is read at the `i`th position is then the `i`th element of an array, wherever it
//! is read: in reductions and scans, in nests, or at an index that is computed, as where groups begin. All
//! elements are read for that, so all of them have to be there: the array has as many as the sort, or
//! the reader reads all. In a nest, rows begin somewhere: a position may be added to that.

use crate::fused::carried::{Carry, may_follow};
use crate::fused::fast::{bodies, given_inside, operands};
use crate::fused::ir::{Body, Kernel, Layout, Op, Sink, Stmt, VarInfo};
use crate::fused::sweep::body_may_fail;
use crate::hash::{HashMap, HashSet};
use crate::ids::Var;
use crate::prims::{Scalar, ScalarOp};
use crate::shaped::ir::{ArrayType, Atom, Extent, VarType};

/// What moves along, at most, in bits: some of it may not be read.
const BITS: u32 = 64;

/// Elements at a position, or so far behind it.
type Wanted = (Var, Option<Atom>);

impl Carry {
    /// Makes the sort at `at` give elements; whether that may be.
    pub(super) fn put_in_order(&mut self, body: &mut Body, at: usize) -> bool {
        let Some((reader, sort, reads)) = self.in_order(body, at) else {
            return false;
        };
        let like = |it: &Wanted| self.like(it.0, reads.positions);
        let outs: Vec<Var> = reads.wanted.iter().map(like).collect();
        let mut rest = body.stmts.split_off(reader);
        reads.replace(&mut rest, &outs);
        let mut stmt = body.stmts.remove(at);
        stmt.op = Op::Kernel(sort);
        stmt.outs = outs;
        body.stmts.push(stmt);
        body.stmts.append(&mut rest);
        true
    }

    /// The first statement that reads the positions that the sort at `at` gives, the sort of elements, and
    /// what is read of these.
    fn in_order(&mut self, body: &Body, at: usize) -> Option<(usize, Kernel, Reads)> {
        let Op::Kernel(sort) = &body.stmts[at].op else {
            return None;
        };
        let mut reads = Reads {
            positions: body.stmts[at].outs[0],
            derived: HashMap::default(),
            extents: sort.extents.clone(),
            inside: HashSet::default(),
            wanted: Vec::new(),
            everywhere: HashSet::default(),
        };
        let rest = &body.stmts[at + 1..];
        let mentions = |stmt: &Stmt| reads.mentioned(stmt);
        let reader = at + 1 + rest.iter().position(mentions)?;
        let fails = body_may_fail(&sort.body);
        if !body.stmts[at + 1..reader]
            .iter()
            .all(|it| may_follow(it, fails))
        {
            return None;
        }
        let rest = &body.stmts[reader..];
        rest.iter().for_each(|stmt| define(stmt, &mut reads.inside));
        rest.iter()
            .try_for_each(|stmt| reads.statement(stmt, Around::Nothing))?;
        if reads.is_used(&body.results) {
            return None;
        }
        let extent = &array_type(&self.vars[reads.positions.index()])?.dims[0];
        let all_there = reads
            .wanted
            .iter()
            .all(|it| reads.everywhere.contains(it) || self.is_there(*it, extent, sort));
        if !all_there {
            return None;
        }
        let kernel = self.gather(&reads.wanted, sort);
        let sort = self.elements(sort, kernel, BITS)?;
        Some((reader, sort, reads))
    }

    /// Whether there are as many elements as are sorted.
    fn is_there(&self, (array, offset): Wanted, extent: &Extent, sort: &Kernel) -> bool {
        let alike = |a: &Extent, b: &Extent| a.value == b.value || a.size == b.size;
        let dims = |array: Var| array_type(&self.vars[array.index()]).map(|ty| &ty.dims);
        let Some([own]) = dims(array).map(Vec::as_slice) else {
            return false;
        };
        let Some(offset) = offset else {
            return alike(own, extent);
        };
        let stmts = &sort.body.stmts;
        let is_position = |index: &Atom| {
            stmts.iter().any(|stmt| match &stmt.op {
                Op::Scalar(ScalarOp::Add, args) => {
                    Atom::Var(stmt.outs[0]) == *index
                        && (*args == [offset, Atom::Var(sort.index)]
                            || *args == [Atom::Var(sort.index), offset])
                }
                _other => false,
            })
        };
        stmts.iter().any(|stmt| match &stmt.op {
            Op::Read { array, index } if is_position(index) => {
                matches!(dims(*array).map(Vec::as_slice), Some([other]) if alike(own, other))
            }
            _other => false,
        })
    }

    /// A kernel that reads elements at its index.
    fn gather(&mut self, wanted: &[Wanted], sort: &Kernel) -> Kernel {
        let size = VarType::Scalar(Scalar::Usize);
        let index = self.fresh(Layout::Plain(size.clone()), sort.index);
        let mut body = Body::default();
        for (array, offset) in wanted {
            let mut at = Atom::Var(index);
            if let Some(offset) = offset {
                let sum = self.fresh(Layout::Plain(size.clone()), sort.index);
                body.stmts.push(Stmt {
                    outs: vec![sum],
                    op: Op::Scalar(ScalarOp::Add, vec![*offset, at]),
                    src: self.vars[array.index()].src,
                });
                at = Atom::Var(sum);
            }
            let elem = self.elem(*array);
            let value = self.fresh(Layout::Plain(VarType::Scalar(elem)), *array);
            body.stmts.push(Stmt {
                outs: vec![value],
                op: Op::Read {
                    array: *array,
                    index: at,
                },
                src: self.vars[array.index()].src,
            });
            body.results.push(Atom::Var(value));
        }
        Kernel {
            extents: sort.extents.clone(),
            index,
            body,
            sink: Sink::Write,
            parts: Vec::new(),
            nest: false,
        }
    }

    /// A new array of the elements of another, as many as positions.
    fn like(&mut self, array: Var, positions: Var) -> Var {
        let dims = array_type(&self.vars[positions.index()]).map(|ty| ty.dims.clone());
        let (elem, dims) = (self.elem(array), dims.unwrap_or_default());
        let ty = Layout::Plain(VarType::Array(ArrayType { elem, dims }));
        self.fresh(ty, array)
    }

    fn elem(&self, array: Var) -> Scalar {
        let ty = array_type(&self.vars[array.index()]);
        ty.expect("verified: an array is read").elem
    }

    /// A new variable, otherwise as another.
    fn fresh(&mut self, ty: Layout, of: Var) -> Var {
        let var = Var::next(&self.vars);
        let info = VarInfo {
            ty,
            ..self.vars[of.index()].clone()
        };
        self.vars.push(info);
        var
    }
}

/// What is around a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    /// The sort's own body.
    Nothing,
    /// A kernel over as many indices as are sorted, of this name.
    All(Atom),
    /// Anything else.
    Some,
}

/// What is read at positions.
struct Reads {
    positions: Var,
    /// Of the sort.
    extents: Vec<Atom>,
    /// Positions that have been read, and sums of these: the index of each, and what is added.
    derived: HashMap<Var, (Atom, Option<Atom>)>,
    /// What is not there yet where the sort is.
    inside: HashSet<Var>,
    wanted: Vec<Wanted>,
    /// Of these, what is read at all positions.
    everywhere: HashSet<Wanted>,
}

impl Reads {
    /// Whether a statement mentions the positions.
    fn mentioned(&self, stmt: &Stmt) -> bool {
        let of = |body: &&Body| {
            body.results.contains(&Atom::Var(self.positions))
                || body.stmts.iter().any(|stmt| self.mentioned(stmt))
        };
        operands(stmt).contains(&Atom::Var(self.positions)) || bodies(stmt).iter().any(of)
    }

    /// Whether these hold positions.
    fn is_used(&self, atoms: &[Atom]) -> bool {
        let is_used = |atom: &Atom| match atom {
            Atom::Var(var) => *var == self.positions || self.derived.contains_key(var),
            Atom::Const(_) => false,
        };
        atoms.iter().any(is_used)
    }

    fn derived(&self, atom: Atom) -> Option<(Atom, Option<Atom>)> {
        match atom {
            Atom::Var(var) => self.derived.get(&var).copied(),
            Atom::Const(_) => None,
        }
    }

    /// Whether it is there where the sort is.
    fn is_outside(&self, atom: Atom) -> bool {
        matches!(atom, Atom::Var(var) if !self.inside.contains(&var) && var != self.positions)
    }

    /// Notes what a statement reads at positions; nothing if it uses them for something else.
    fn statement(&mut self, stmt: &Stmt, around: Around) -> Option<()> {
        match (&stmt.op, stmt.outs.as_slice()) {
            (Op::Read { array, index }, [out])
                if *array == self.positions && !self.is_used(&[*index]) =>
            {
                self.derived.insert(*out, (*index, None));
            }
            (Op::Read { array, index }, _)
                if self.is_outside(Atom::Var(*array)) && self.derived(*index).is_some() =>
            {
                let (at, offset) = self.derived(*index)?;
                let wanted = (*array, offset);
                if !self.wanted.contains(&wanted) {
                    self.wanted.push(wanted);
                }
                if around == Around::All(at) {
                    self.everywhere.insert(wanted);
                }
            }
            (Op::Scalar(ScalarOp::Add, args), [out]) if self.is_used(args) => {
                let [a, b] = args.as_slice() else {
                    return None;
                };
                let sum = match (self.derived(*a), self.derived(*b)) {
                    (Some((at, None)), None) if self.is_outside(*b) => (at, Some(*b)),
                    (None, Some((at, None))) if self.is_outside(*a) => (at, Some(*a)),
                    _other => return None,
                };
                self.derived.insert(*out, sum);
            }
            _other if self.is_used(&operands(stmt)) => return None,
            (Op::Kernel(kernel), _)
                if around == Around::Nothing && kernel.extents == self.extents =>
            {
                let own = Around::All(Atom::Var(kernel.index));
                self.body(&kernel.body, own)?;
                let rest = bodies(stmt).into_iter().skip(1);
                rest.map(|it| self.body(it, Around::Some))
                    .collect::<Option<()>>()?;
            }
            _other => {
                let all = bodies(stmt).into_iter();
                all.map(|it| self.body(it, Around::Some))
                    .collect::<Option<()>>()?;
            }
        }
        Some(())
    }

    fn body(&mut self, body: &Body, around: Around) -> Option<()> {
        for stmt in &body.stmts {
            self.statement(stmt, around)?;
        }
        (!self.is_used(&body.results)).then_some(())
    }

    /// Reads elements in their order, which the sort gives as `outs`.
    fn replace(&self, stmts: &mut Vec<Stmt>, outs: &[Var]) {
        stmts.retain_mut(|stmt| {
            if stmt
                .outs
                .first()
                .is_some_and(|out| self.derived.contains_key(out))
            {
                return false;
            }
            if let Op::Read { array, index } = &mut stmt.op
                && let Some((at, offset)) = self.derived(*index)
            {
                let wanted = (*array, offset);
                let sorted = self.wanted.iter().zip(outs);
                for (_, out) in sorted.filter(|(it, _)| **it == wanted) {
                    (*array, *index) = (*out, at);
                }
            }
            bodies_mut(&mut stmt.op, &mut |inner| {
                self.replace(&mut inner.stmts, outs)
            });
            true
        });
    }
}

pub(super) fn array_type(var: &VarInfo) -> Option<&ArrayType> {
    match &var.ty {
        Layout::Plain(VarType::Array(ty))
        | Layout::Component {
            ty: VarType::Array(ty),
            ..
        } => Some(ty),
        Layout::Plain(VarType::Scalar(_))
        | Layout::Component {
            ty: VarType::Scalar(_),
            ..
        }
        | Layout::Packed { .. } => None,
    }
}

/// Adds what a statement and all inside of it define.
fn define(stmt: &Stmt, found: &mut HashSet<Var>) {
    found.extend(&stmt.outs);
    found.extend(given_inside(&stmt.op));
    for body in bodies(stmt) {
        body.stmts.iter().for_each(|stmt| define(stmt, found));
    }
}

/// Calls a function on each body of an operation.
pub(super) fn bodies_mut(op: &mut Op, of: &mut impl FnMut(&mut Body)) {
    match op {
        Op::If { then, else_, .. } => {
            of(then);
            of(else_);
        }
        Op::Loop(it) => {
            of(&mut it.cond);
            of(&mut it.body);
        }
        Op::Kernel(kernel) => {
            of(&mut kernel.body);
            match &mut kernel.sink {
                Sink::Reduce { combine, .. } | Sink::Scan { combine, .. } => of(&mut combine.body),
                Sink::Fold { step, .. } => of(step),
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
        Op::Scalar(..)
        | Op::Check { .. }
        | Op::Len { .. }
        | Op::Read { .. }
        | Op::Literal(_)
        | Op::Update { .. } => {}
    }
}
