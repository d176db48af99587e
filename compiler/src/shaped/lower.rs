//! The state of the pass: the body being written, the frames of inlined calls, what is known.
//!
//! Statements are written to the innermost open body ([`Lower::scoped`]). Locals live in frames,
//! one per inlined call; a closure is lowered at its use, in the frame that it comes from.

use super::alike::{KnownAlike, Noted};
use super::facts::{Facts, MOST_EXTENT, Mark, is_condition};
use super::fold::{fold, simplify};
use super::ir::{ArrayType, Atom, Extent, Op, Stmt, VarInfo, VarType};
use super::lengths::KnownLengths;
use super::named::Note;
use super::outside::Outside;
use super::rows::{KnownBase, KnownPart, KnownRow};
use super::size::Size;
use super::value::{Closure, Rows, Value, usize_const};
use crate::checks::{Check, CheckKind};
use crate::ids::{CheckId, LocalId, Var};
use crate::prims::{Scalar, ScalarOp};
use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::typed::ir::{Function, LoopId, Program};

/// What cannot be lowered ends the function.
pub(super) type Lowered<T> = Result<T, Diagnostic>;

/// The pass over one exported function.
pub(super) struct Lower<'p> {
    pub(super) program: &'p Program,
    pub(super) vars: Vec<VarInfo>,
    pub(super) checks: Vec<Check>,
    /// What the user's values are, for EXPLAIN.
    pub(super) notes: Vec<Note<'p>>,
    /// What is outside of each of the parallel bodies that are open, the outermost first.
    pub(super) bodies: Vec<Outside>,
    pub(super) facts: Facts,
    /// Whether `dbg!` prints; else it is its value.
    pub(super) prints: bool,
    /// Whether no operator is recognised: see Note [Printing operators].
    pub(super) in_order: bool,
    /// Mistakes after which lowering goes on.
    pub(super) mistakes: Vec<Diagnostic>,
    /// Conditionals and loops that are open, of which nobody knows whether they get here.
    pub(super) sides: usize,
    pub(super) frames: Vec<Frame<'p>>,
    /// The frame of the code being lowered.
    pub(super) frame: usize,
    /// Whether that code is in a `#[fast]` function, or called by one.
    pub(super) fast: bool,
    /// Loops around the code being lowered, innermost last.
    pub(super) loops: Vec<LoopFlags>,
    /// Rows that have been looked up in open bodies.
    pub(super) known_rows: Vec<KnownRow>,
    /// The same for the elements of some of the rows of an array.
    pub(super) known_parts: Vec<KnownPart>,
    /// Rows of arrays that begin in the midst of others.
    pub(super) known_bases: Vec<KnownBase>,
    /// Rows of which it is known what their lengths are.
    pub(super) known_lengths: Vec<KnownLengths>,
    /// Offsets that are those of some rows, from a base on and counted from there, and how many elements
    /// these have.
    pub(super) known_offsets: Vec<(Var, Rows, Size)>,
    /// Rows that were found to have one length, or the lengths of others.
    pub(super) known_alike: Vec<KnownAlike>,
    /// Checks in bodies that may be for all rows of a body around.
    pub(super) noted_alike: Noted,
    /// Whether such rows are read by their offsets all the same.
    pub(super) by_offsets: bool,
    stmts: Vec<Stmt>,
    /// Sizes that were computed by an operation of which size expressions know nothing: one that is
    /// computed again is the same size.
    computed: Vec<(ScalarOp, Vec<Atom>, Var)>,
}

/// The locals of an inlined call.
pub(super) struct Frame<'p> {
    pub(super) function: &'p Function,
    /// By local; locals of the pass's own come after those of the function.
    pub(super) slots: Vec<Option<Slot<'p>>>,
    /// By local, how many parallel bodies were open when it was set.
    pub(super) depths: Vec<usize>,
    /// By size name.
    pub(super) sizes: Vec<Option<Declared>>,
}

/// A size that a signature requires.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) extent: Extent,
    /// What has this size.
    pub(super) by: String,
}

/// What a local holds.
#[derive(Clone, Debug)]
pub(super) enum Slot<'p> {
    Value(Value),
    Fn(Closure<'p>),
}

/// The state that `break` and `continue` of a loop set. All are locals of `frame`.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoopFlags {
    pub(super) label: LoopId,
    pub(super) frame: usize,
    /// Set by `break`.
    pub(super) done: LocalId,
    /// Set by `continue`.
    pub(super) skip: LocalId,
    /// The value of `break`.
    pub(super) value: Option<LocalId>,
}

/// A point to go back to when a loop has to be lowered again.
pub(super) struct Snapshot {
    vars: usize,
    checks: usize,
    notes: usize,
    mistakes: usize,
    facts: Mark,
}

impl<'p> Lower<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        Lower {
            program,
            vars: Vec::new(),
            checks: Vec::new(),
            notes: Vec::new(),
            bodies: Vec::new(),
            facts: Facts::default(),
            prints: program.prints,
            in_order: false,
            mistakes: Vec::new(),
            sides: 0,
            frames: Vec::new(),
            frame: 0,
            fast: false,
            loops: Vec::new(),
            known_rows: Vec::new(),
            known_parts: Vec::new(),
            known_bases: Vec::new(),
            known_lengths: Vec::new(),
            known_offsets: Vec::new(),
            known_alike: Vec::new(),
            noted_alike: Noted::new(),
            by_offsets: false,
            stmts: Vec::new(),
            computed: Vec::new(),
        }
    }

    /// The statements that `f` writes, as a body of their own; facts found in it end with it.
    pub(super) fn scoped<T>(
        &mut self,
        f: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<(Vec<Stmt>, T)> {
        let outer = std::mem::take(&mut self.stmts);
        let (mark, computed) = (self.facts.mark(), self.computed.len());
        let (rows, lengths) = (self.known_rows.len(), self.known_lengths.len());
        let (parts, bases) = (self.known_parts.len(), self.known_bases.len());
        let (offsets, alike) = (self.known_offsets.len(), self.known_alike.len());
        let result = f(self);
        self.facts.reset(mark);
        self.computed.truncate(computed);
        self.known_rows.truncate(rows);
        self.known_parts.truncate(parts);
        self.known_bases.truncate(bases);
        self.known_offsets.truncate(offsets);
        self.known_alike.truncate(alike);
        self.known_lengths.truncate(lengths);
        let stmts = std::mem::replace(&mut self.stmts, outer);
        Ok((stmts, result?))
    }

    /// As [`Lower::scoped`], for what may never run.
    pub(super) fn perhaps<T>(
        &mut self,
        f: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<(Vec<Stmt>, T)> {
        self.sides += 1;
        let result = self.scoped(f);
        self.sides -= 1;
        result
    }

    /// Whether the code being lowered stands in the body of an operation.
    pub(super) fn in_body(&self) -> bool {
        !self.bodies.is_empty()
    }

    /// Writes the statements of a body that turned out to need none of its own.
    pub(super) fn splice(&mut self, stmts: Vec<Stmt>) {
        self.stmts.extend(stmts);
    }

    /// The statements of the innermost open body.
    pub(super) fn written(&self) -> &[Stmt] {
        &self.stmts
    }

    /// A point to go back to.
    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot {
            vars: self.vars.len(),
            checks: self.checks.len(),
            notes: self.notes.len(),
            mistakes: self.mistakes.len(),
            facts: self.facts.mark(),
        }
    }

    /// Forgets what was made since. Assumes that the statements were dropped.
    pub(super) fn go_back(&mut self, to: &Snapshot) {
        self.vars.truncate(to.vars);
        self.checks.truncate(to.checks);
        self.forget_noted(to.checks);
        self.notes.truncate(to.notes);
        self.mistakes.truncate(to.mistakes);
        self.facts.reset(to.facts);
        self.facts.forget_vars(to.vars);
    }

    /// As [`Lower::go_back`], but leaves what was noted of the user's values.
    pub(super) fn go_back_with_notes(&mut self, to: &Snapshot) {
        let notes = self.notes.split_off(to.notes);
        self.go_back(to);
        self.notes.extend(notes);
    }

    /// A new scalar variable.
    pub(super) fn scalar_var(&mut self, ty: Scalar, src: SrcSpan) -> Var {
        self.var(VarType::Scalar(ty), src)
    }

    /// A new array variable.
    pub(super) fn array_var(&mut self, elem: Scalar, dims: Vec<Extent>, src: SrcSpan) -> Var {
        self.var(VarType::Array(ArrayType { elem, dims }), src)
    }

    fn var(&mut self, ty: VarType, src: SrcSpan) -> Var {
        let var = Var::next(&self.vars);
        let fast = self.fast;
        self.vars.push(VarInfo { ty, fast, src });
        var
    }

    /// The scalar type of an atom, or of the elements of an array.
    pub(super) fn elem_type(&self, atom: Atom) -> Scalar {
        match atom {
            Atom::Const(constant) => constant.ty,
            Atom::Var(var) => match &self.vars[var.index()].ty {
                VarType::Scalar(scalar) => *scalar,
                VarType::Array(array) => array.elem,
            },
        }
    }

    /// Writes a statement.
    pub(super) fn push(&mut self, outs: Vec<Var>, op: Op, src: SrcSpan) {
        self.stmts.push(Stmt { outs, op, src });
    }

    /// The result of a scalar operation, computed now if that is possible.
    pub(super) fn scalar(&mut self, op: ScalarOp, args: &[Atom], ty: Scalar, src: SrcSpan) -> Atom {
        if let Some(known) = fold(op, args, ty).or_else(|| simplify(op, args, ty)) {
            return known;
        }
        let out = self.scalar_var(ty, src);
        if ty == Scalar::Bool && is_condition(op, self.elem_type(args[0])) {
            self.facts.set_condition(out, op, args);
        }
        self.push(vec![out], Op::Scalar(op, args.to_vec()), src);
        Atom::Var(out)
    }

    /// The `usize` that `op` gives for these, if it has been computed.
    pub(super) fn computed(&self, op: ScalarOp, args: &[Atom]) -> Option<Atom> {
        let mut computed = self.computed.iter();
        let found = computed.find(|(of, on, _)| *of == op && on == args)?;
        Some(Atom::Var(found.2))
    }

    /// Notes that `out` is what `op` gives for these.
    pub(super) fn set_computed(&mut self, op: ScalarOp, args: &[Atom], out: Var) {
        self.computed.push((op, args.to_vec(), out));
    }

    /// A comparison or a connective of truth values.
    pub(super) fn test(&mut self, op: ScalarOp, left: Atom, right: Atom, src: SrcSpan) -> Atom {
        self.scalar(op, &[left, right], Scalar::Bool, src)
    }

    /// Writes a check, unless it is known to pass; returns its entry in that case too.
    pub(super) fn check(&mut self, kind: CheckKind, ok: Atom, values: Vec<Atom>, src: SrcSpan) {
        if matches!(ok, Atom::Const(truth) if truth.bits != 0) {
            return;
        }
        let why = self.unproven(ok);
        self.check_as(Check { kind, src, why }, ok, values);
    }

    /// Writes a check, with this entry.
    pub(super) fn check_as(&mut self, check: Check, ok: Atom, values: Vec<Atom>) {
        let (id, src) = (CheckId::next(&self.checks), check.src);
        self.checks.push(check);
        self.push(Vec::new(), Op::Check { ok, id, values }, src);
        self.facts.assume(ok, true);
    }

    /// A new entry in the table of checks.
    pub(super) fn new_check(&mut self, kind: CheckKind, src: SrcSpan) -> CheckId {
        let id = CheckId::next(&self.checks);
        let why = None;
        self.checks.push(Check { kind, src, why });
        id
    }

    /// `value` as an extent: checked to be one that memory could hold.
    pub(super) fn extent(&mut self, value: Atom, src: SrcSpan) -> Extent {
        let size = self.facts.size_of(value);
        let fits = self.facts.most(&size) <= MOST_EXTENT;
        if !fits {
            let most = usize_const(MOST_EXTENT as u64);
            let ok = self.test(ScalarOp::Le, value, most, src);
            self.check(CheckKind::TooLarge, ok, vec![value], src);
        }
        if !fits {
            self.facts.set_bounded(&size);
        }
        self.facts.canonical(&Extent { value, size })
    }

    /// The value of a local of the current frame.
    pub(super) fn local(&self, local: LocalId) -> Option<Value> {
        match self.slot(local)? {
            Slot::Value(value) => Some(value.clone()),
            Slot::Fn(_) => None,
        }
    }

    /// What a local of the current frame holds.
    pub(super) fn slot(&self, local: LocalId) -> Option<&Slot<'p>> {
        self.frames[self.frame].slots.get(local.index())?.as_ref()
    }

    /// Sets a local of the current frame.
    pub(super) fn set_local(&mut self, local: LocalId, value: Value) {
        self.set_slot(local, Some(Slot::Value(value)));
    }

    /// Sets or clears a local of the current frame.
    pub(super) fn set_slot(&mut self, local: LocalId, slot: Option<Slot<'p>>) {
        let depth = self.bodies.len();
        let Frame { slots, depths, .. } = &mut self.frames[self.frame];
        if slots.len() <= local.index() {
            slots.resize_with(local.index() + 1, || None);
        }
        depths.resize(slots.len(), 0);
        (slots[local.index()], depths[local.index()]) = (slot, depth);
    }

    /// A local of the pass's own.
    pub(super) fn new_local(&mut self) -> LocalId {
        let slots = &mut self.frames[self.frame].slots;
        let local = LocalId::next(slots);
        slots.push(None);
        local
    }

    /// The values of locals that are all set.
    pub(super) fn locals(&self, locals: &[LocalId]) -> Vec<Value> {
        let value = |local: &LocalId| self.local(*local).expect("a local is set before its use");
        locals.iter().map(value).collect()
    }
}
