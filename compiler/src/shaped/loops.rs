//! `while`, `loop` and `for` with statements: loops over the locals that they assign.
//!
//! `break` and `continue` set flags, which are locals like any other; code after them stands in a
//! conditional on the flags (see `block`). An array that a loop assigns keeps its extent if every
//! round leaves it the same, which is tried first; otherwise the extent goes round with it.

use super::carry::{Carried, cargo, extents};
use super::effects::{Effects, Exit, bound};
use super::in_rows::same_structure;
use super::ir::{Atom, Body, Extent, Loop, Op};
use super::lower::{LoopFlags, Lower, Lowered};
use super::value::{Array, Value, bool_const, usize_const};
use crate::ids::LocalId;
use crate::prims::{Scalar, ScalarOp};
use crate::source::SrcSpan;
use crate::typed::ir::{Expr, ExprKind, LoopId, Pattern, Type};

/// What a `for` goes over.
enum Source {
    Range(Atom),
    Array(Array),
}

/// A loop with everything that it does to its surroundings.
struct Shape {
    state: Vec<LocalId>,
    /// Flags that end the loop.
    stops: Vec<LocalId>,
    /// The flag that `continue` of this loop sets, if the body has one.
    skip: Option<LocalId>,
}

impl<'p> Lower<'p> {
    /// `while cond { body }`
    pub(super) fn while_loop(
        &mut self,
        cond: &'p Expr,
        body: &'p Expr,
        label: LoopId,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let shape = self.enter_loop(&[cond, body], label, None)?;
        if !Effects::of([cond]).assigned.is_empty() {
            return self.while_assigning(cond, body, shape, src);
        }
        self.run_loop(
            &shape.state,
            src,
            &mut |lower| lower.unless_stopped(&shape, src, |lower| lower.atom(cond)),
            &mut |lower| lower.round(&shape, body),
        )?;
        self.loops.pop();
        Ok(Value::unit())
    }

    /// `while` whose condition assigns: the condition is evaluated before the loop and at the end
    /// of each round, and goes round as a local.
    fn while_assigning(
        &mut self,
        cond: &'p Expr,
        body: &'p Expr,
        mut shape: Shape,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let go = self.new_local();
        let first = self.expr(cond)?;
        self.set_local(go, first);
        shape.state.push(go);
        let of_cond = self.state(&Effects::of([cond]));
        self.run_loop(
            &shape.state,
            src,
            &mut |lower| {
                let going = lower.locals(&[go])[0].atom();
                lower.unless_stopped(&shape, src, |_| Ok(going))
            },
            &mut |lower| {
                lower.round(&shape, body)?;
                let stopped = lower.any_set(&shape.stops, src);
                let next = lower.branch(
                    stopped,
                    &of_cond,
                    src,
                    |_| Ok(Value::Scalar(bool_const(false))),
                    |lower| lower.expr(cond),
                )?;
                lower.set_local(go, next);
                Ok(())
            },
        )?;
        self.loops.pop();
        Ok(Value::unit())
    }

    /// `loop { body }`; its value is that of `break`.
    pub(super) fn loop_loop(
        &mut self,
        body: &'p Expr,
        label: LoopId,
        ty: &Type,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let value = self.new_local();
        let zero = self.zero(ty, src)?;
        self.set_local(value, zero);
        let shape = self.enter_loop(&[body], label, Some(value))?;
        self.run_loop(
            &shape.state,
            src,
            &mut |lower| lower.unless_stopped(&shape, src, |_| Ok(bool_const(true))),
            &mut |lower| lower.round(&shape, body),
        )?;
        self.loops.pop();
        Ok(self.locals(&[value]).remove(0))
    }

    /// A body that `return` leaves; its value is that of `break`.
    pub(super) fn labelled(
        &mut self,
        body: &'p Expr,
        label: LoopId,
        ty: &Type,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let (done, skip, value) = (self.new_local(), self.new_local(), self.new_local());
        self.set_local(done, Value::Scalar(bool_const(false)));
        let zero = self.zero(ty, src)?;
        self.set_local(value, zero);
        self.loops.push(LoopFlags {
            label,
            frame: self.frame,
            done,
            skip,
            value: Some(value),
        });
        self.expr(body)?;
        self.loops.pop();
        Ok(self.locals(&[value]).remove(0))
    }

    /// `for pattern in source { body }`
    pub(super) fn for_loop(
        &mut self,
        pattern: &'p Pattern,
        source: &'p Expr,
        body: &'p Expr,
        label: LoopId,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let (extent, source) = if let ExprKind::Range { lo, hi, inclusive } = &source.kind {
            let (extent, lo) = self.range(lo, hi, *inclusive, source.src)?;
            (extent, Source::Range(lo))
        } else {
            let array = self.array(source)?;
            (array.extent.clone(), Source::Array(array))
        };
        let mut shape = self.enter_loop(&[body], label, None)?;
        // Elements are new in each round, also those that the body assigns.
        let mut own = Vec::new();
        bound(pattern, &mut own);
        shape.state.retain(|local| !own.contains(local));
        let counter = self.new_local();
        self.set_local(counter, Value::Scalar(usize_const(0)));
        shape.state.push(counter);
        let mut trip = |lower: &mut Self, index: Atom| {
            let element = match &source {
                Source::Range(lo) => Value::Scalar(lower.range_element(*lo, index, pattern.src)),
                Source::Array(array) => lower.read_elem(array, index, pattern.src),
            };
            lower.bind(pattern, &element)?;
            lower.round(&shape, body)
        };
        match extent.value {
            Atom::Const(trips) if self.is_written_out(trips.bits, body) => {
                (0..trips.bits).try_for_each(|at| trip(self, usize_const(at)))?;
            }
            Atom::Const(_) | Atom::Var(_) => {
                self.counted(&shape, counter, &extent, src, &mut trip)?;
            }
        }
        self.loops.pop();
        Ok(Value::unit())
    }

    /// Runs `round` for each index below `extent`, with the local `counter` for the index.
    fn counted(
        &mut self,
        shape: &Shape,
        counter: LocalId,
        extent: &Extent,
        src: SrcSpan,
        round: &mut dyn FnMut(&mut Self, Atom) -> Lowered<()>,
    ) -> Lowered<()> {
        self.run_loop(
            &shape.state,
            src,
            &mut |lower| {
                let index = lower.locals(&[counter])[0].atom();
                lower.unless_stopped(shape, src, |lower| {
                    Ok(lower.test(ScalarOp::Lt, index, extent.value, src))
                })
            },
            &mut |lower| {
                let index = lower.locals(&[counter])[0].atom();
                if let Atom::Var(var) = index {
                    lower.facts.enter_index(var, &extent.size);
                }
                round(lower, index)?;
                let next = lower.exact(ScalarOp::Add, index, usize_const(1), src);
                lower.set_local(counter, Value::Scalar(next));
                Ok(())
            },
        )
    }

    /// `acc` put through `step` for each index below `extent`, one after the other; for
    /// accumulators that hold arrays.
    pub(super) fn sequential(
        &mut self,
        extent: &Extent,
        init: Value,
        src: SrcSpan,
        step: &mut dyn FnMut(&mut Self, Value, Atom) -> Lowered<Value>,
    ) -> Lowered<Value> {
        let (acc, counter) = (self.new_local(), self.new_local());
        self.set_local(acc, init);
        self.set_local(counter, Value::Scalar(usize_const(0)));
        let shape = Shape {
            state: vec![acc, counter],
            stops: Vec::new(),
            skip: None,
        };
        self.counted(&shape, counter, extent, src, &mut |lower, index| {
            let before = lower.locals(&[acc]).remove(0);
            let after = step(lower, before, index)?;
            lower.set_local(acc, after);
            Ok(())
        })?;
        Ok(self.locals(&[acc]).remove(0))
    }

    /// Opens a loop: its flags, and the locals that go round.
    fn enter_loop(
        &mut self,
        code: &[&'p Expr],
        label: LoopId,
        value: Option<LocalId>,
    ) -> Lowered<Shape> {
        let done = self.new_local();
        let skip = self.new_local();
        let frame = self.frame;
        let (exits, own) = own_exits(code, label);
        let mut state = self.state(&exits);
        let mut stops: Vec<LocalId> = exits.exits.iter().map(|exit| self.flag(*exit)).collect();
        if own.breaks {
            self.set_local(done, Value::Scalar(bool_const(false)));
            state.push(done);
            state.extend(value);
            stops.push(done);
        }
        self.loops.push(LoopFlags {
            label,
            frame,
            done,
            skip,
            value,
        });
        Ok(Shape {
            state,
            stops,
            skip: own.continues.then_some(skip),
        })
    }

    /// The body, once.
    fn round(&mut self, shape: &Shape, body: &'p Expr) -> Lowered<()> {
        if let Some(skip) = shape.skip {
            self.set_local(skip, Value::Scalar(bool_const(false)));
        }
        self.expr(body).map(drop)
    }

    /// `cond`, if no flag stops the loop before.
    fn unless_stopped(
        &mut self,
        shape: &Shape,
        src: SrcSpan,
        cond: impl FnOnce(&mut Self) -> Lowered<Atom>,
    ) -> Lowered<Atom> {
        let stopped = self.any_set(&shape.stops, src);
        match stopped {
            Atom::Const(_) => cond(self),
            Atom::Var(_) => {
                let going = self.scalar(ScalarOp::Not, &[stopped], Scalar::Bool, src);
                self.unless(going, false, src, cond)
            }
        }
    }

    /// Whether any of these flags is set.
    fn any_set(&mut self, flags: &[LocalId], src: SrcSpan) -> Atom {
        let flags: Vec<Atom> = self.locals(flags).iter().map(Value::atom).collect();
        let or = |any, flag| self.test(ScalarOp::BitOr, any, flag, src);
        flags.into_iter().fold(bool_const(false), or)
    }

    /// Whether one of `exits` was taken.
    pub(super) fn left_by(&mut self, exits: &[Exit], src: SrcSpan) -> Atom {
        let flags: Vec<LocalId> = exits.iter().map(|exit| self.flag(*exit)).collect();
        self.any_set(&flags, src)
    }

    /// The locals that code with these effects may set.
    pub(super) fn state(&self, effects: &Effects) -> Vec<LocalId> {
        let mut state = effects.assigned.clone();
        for exit in &effects.exits {
            state.push(self.flag(*exit));
            if exit.is_break {
                state.extend(self.flags(exit.label).value);
            }
        }
        state
    }

    fn flag(&self, exit: Exit) -> LocalId {
        let flags = self.flags(exit.label);
        if exit.is_break {
            flags.done
        } else {
            flags.skip
        }
    }

    fn flags(&self, label: LoopId) -> LoopFlags {
        let own = |flags: &&LoopFlags| flags.label == label && flags.frame == self.frame;
        *self
            .loops
            .iter()
            .rev()
            .find(own)
            .expect("typed: labels are in scope")
    }

    /// `break value`
    pub(super) fn break_loop(&mut self, label: LoopId, value: Option<&'p Expr>) -> Lowered<Value> {
        let flags = self.flags(label);
        if let (Some(local), Some(value)) = (flags.value, value) {
            let value = self.expr(value)?;
            self.set_local(local, value);
        }
        self.set_local(flags.done, Value::Scalar(bool_const(true)));
        Ok(Value::unit())
    }

    /// `continue`
    pub(super) fn continue_loop(&mut self, label: LoopId) -> Value {
        let flags = self.flags(label);
        self.set_local(flags.skip, Value::Scalar(bool_const(true)));
        Value::unit()
    }

    /// A loop over `state`. Lowered again, with more extents carried along, until every extent that
    /// is kept is left the same by the body.
    pub(super) fn run_loop(
        &mut self,
        state: &[LocalId],
        src: SrcSpan,
        cond: &mut dyn FnMut(&mut Self) -> Lowered<Atom>,
        body: &mut dyn FnMut(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let init = self.locals(state).into_iter();
        let init = init.map(|value| self.owned(value, src));
        let mut init = init.collect::<Lowered<Vec<_>>>()?;
        let mut extents = self.kept(&init);
        loop {
            let start = self.snapshot();
            let (op, changed) = match self.try_loop(state, &init, &extents, src, cond, body)? {
                Ok(tried) => tried,
                Err(results) => {
                    // The first state in the form of those after it.
                    self.go_back(&start);
                    let pairs = init.into_iter().zip(&results);
                    let matched = pairs.map(|(value, result)| {
                        let value = self.matched(value, result, src)?;
                        self.owned(value, src)
                    });
                    init = matched.collect::<Lowered<Vec<_>>>()?;
                    extents = self.kept(&init);
                    continue;
                }
            };
            if changed.is_empty() {
                let (values, outs) = self.carrier(&init, &extents, src);
                self.push(outs, Op::Loop(op), src);
                for (local, value) in state.iter().zip(values) {
                    self.set_local(*local, value);
                }
                return Ok(());
            }
            self.go_back(&start);
            changed
                .into_iter()
                .for_each(|at| extents[at] = Carried::Along(None));
        }
    }

    /// The loop that starts with `init` and carries `extents`.
    fn try_loop(
        &mut self,
        state: &[LocalId],
        init: &[Value],
        extents: &[Carried],
        src: SrcSpan,
        cond: &mut dyn FnMut(&mut Self) -> Lowered<Atom>,
        body: &mut dyn FnMut(&mut Self) -> Lowered<()>,
    ) -> Lowered<Trial> {
        let (values, params) = self.carrier(init, extents, src);
        let start = |lower: &mut Self| {
            for (local, value) in state.iter().zip(&values) {
                lower.set_local(*local, value.clone());
            }
        };
        let (cond_stmts, going) = self.scoped(|lower| {
            start(lower);
            cond(lower)
        })?;
        let (body_stmts, tried) = self.perhaps(|lower| {
            start(lower);
            lower.facts.assume_from_elsewhere(going);
            body(lower)?;
            let results = lower.locals(state).into_iter();
            let results = results.zip(init).map(|(value, init)| {
                let value = lower.owned(value, src)?;
                let value = lower.matched(value, init, src)?;
                lower.owned(value, src)
            });
            let results = results.collect::<Lowered<Vec<_>>>()?;
            let mut pairs = results.iter().zip(init);
            if !pairs.all(|(result, init)| same_structure(result, init)) {
                return Ok(Err(results));
            }
            let changed = lower.changed(&results, extents);
            Ok(Ok((cargo(&results, extents), changed)))
        })?;
        let (results, changed) = match tried {
            Ok(tried) => tried,
            Err(results) => return Ok(Err(results)),
        };
        let init = cargo(init, extents);
        let cond = Body {
            stmts: cond_stmts,
            results: vec![going],
        };
        let body = Body {
            stmts: body_stmts,
            results,
        };
        let op = Loop {
            params,
            init,
            cond,
            body,
        };
        Ok(Ok((op, changed)))
    }

    fn changed(&self, results: &[Value], carried: &[Carried]) -> Vec<usize> {
        let pairs = extents(results).into_iter().zip(carried).enumerate();
        let changed = pairs.filter(|(_, (extent, carried))| match carried {
            Carried::Kept(kept) => !self.facts.same(&extent.size, &kept.size),
            Carried::Along(_) | Carried::Below(_) => false,
        });
        changed.map(|(at, _)| at).collect()
    }
}

/// A loop and the arrays whose extent it does not keep; or the state after a trip, if that has offsets
/// where the first state has none.
type Trial = Result<(Loop, Vec<usize>), Vec<Value>>;

/// Which exits of its own a loop has.
struct OwnExits {
    breaks: bool,
    continues: bool,
}

/// The effects of a loop on its surroundings, and its own exits.
fn own_exits(code: &[&Expr], label: LoopId) -> (Effects, OwnExits) {
    let mut effects = Effects::of(code.iter().copied());
    let own = |is_break| effects.exits.contains(&Exit { label, is_break });
    let own = OwnExits {
        breaks: own(true),
        continues: own(false),
    };
    effects.exits.retain(|exit| exit.label != label);
    (effects, own)
}
