//! Loops of a lane block as text.
//!
//! In: a loop, or its pieces. Out: a loop over trips around lane loops. Assumes that the layout has
//! arrays of lanes for its state.

use crate::emit::rust::lanes::{Printer, defined, zero};
use crate::emit::rust::layout::Piece;
use crate::emit::rust::looping::ends_together;
use crate::emit::rust::steps::{LaneLoop, operands};
use crate::hash::HashSet;
use crate::ids::Var;
use crate::shaped::ir::Atom;
use std::fmt::Write;

impl Printer<'_> {
    /// One lane loop per trip: a lane that has left keeps its state, so its condition stays false
    /// and no mask has to be stored.
    pub(super) fn simple(&mut self, it: &LaneLoop) {
        if let Some(go_on) = self.reads.goes_on(it) {
            return self.together(it, &go_on);
        }
        self.enter(it);
        self.text.push_str("loop {\nlet mut any = 0u32;\n");
        self.trip(it);
        self.leave();
    }

    /// The same where all lanes go on as long as `go_on` says: what is the same in all of them is found
    /// once, and none keeps its state.
    fn together(&mut self, it: &LaneLoop, go_on: &str) {
        self.enter(it);
        let front = self.text.len();
        self.reads.take_fetches();
        let _ = writeln!(self.text, "loop {{\nif !({go_on}) {{ break; }}");
        self.open_update(it);
        let start = self.open_trip(it);
        let _ = writeln!(self.text, "let v{} = true;", it.live.0);
        self.close_trip(it, start, &|_| "");
        self.close_update(it, "");
        if self.context.checks {
            self.text.push_str("if flag.violated() { break; }\n");
        }
        self.text.push_str("}\n");
        let fetches = self.reads.take_fetches();
        self.text.insert_str(front, &fetches);
    }

    /// One trip of all lanes; notes in `any` which are live.
    fn trip(&mut self, it: &LaneLoop) {
        self.open_update(it);
        let start = self.open_trip(it);
        self.decide(it, "");
        let _ = writeln!(self.text, "any |= v{} as u32;", it.live.0);
        self.close_trip(it, start, &|_| "");
        self.close_update(it, "");
    }

    /// One trip of the lanes in `live`, a mask that outlives it; the state is behind references.
    /// With `KEEP` lanes that leave keep their state, else what is `masked` of it.
    pub(super) fn sticky_trip(&mut self, it: &LaneLoop, masked: &HashSet<Var>) {
        self.fusing = true;
        self.open_update(it);
        self.text.push_str("let mut still = [false; L];\n");
        let start = self.open_trip(it);
        let also = if ends_together(it) {
            ""
        } else {
            " & (KEEP | live[l])"
        };
        self.decide(it, also);
        let _ = writeln!(self.text, "still[l] = v{};", it.live.0);
        self.hidden = true;
        self.close_trip(it, start, &|param| match masked.contains(&param) {
            true => "",
            false => " | !KEEP",
        });
        (self.hidden, self.fusing) = (false, self.context.fusing);
        self.close_update(it, "*");
        self.text.push_str("*live = still;\n");
    }

    /// Up to a trip's condition; gives where the lane loop starts.
    fn open_trip(&mut self, it: &LaneLoop) -> usize {
        let steps = || it.cond.iter().chain(&it.body);
        let used = steps().flat_map(operands).chain(it.next.iter().copied());
        let params = it.params.iter().map(|param| Atom::Var(*param));
        let used: Vec<Atom> = used
            .chain([it.go_on])
            .chain(it.mask)
            .chain(params)
            .collect();
        let start = self.text.len();
        self.text.push_str("for l in 0..L {\n");
        let mut own = defined(steps());
        own.insert(it.live);
        self.bring(used.into_iter(), &own);
        it.cond.iter().for_each(|step| self.step(step));
        start
    }

    /// What follows a trip's condition, of the lane loop from `start` on.
    fn close_trip(&mut self, it: &LaneLoop, start: usize, or: &dyn Fn(Var) -> &'static str) {
        it.body.iter().for_each(|step| self.step(step));
        self.update(it, or);
        self.text.push_str("}\n");
        let ahead = self.reads.take_ahead();
        self.text.insert_str(start, &ahead);
    }

    pub(super) fn nested(&mut self, it: &LaneLoop, cond: &[Piece<'_>], body: &[Piece<'_>]) {
        self.enter(it);
        let once = std::mem::replace(&mut self.once, false);
        self.text.push_str("loop {\nlet mut any = 0u32;\n");
        self.pieces(cond);
        self.text.push_str("for l in 0..L {\n");
        self.bring([it.go_on].into_iter().chain(it.mask), &HashSet::default());
        self.decide(it, "");
        let _ = writeln!(
            self.text,
            "any |= v{0} as u32;\na{0}[l] = v{0};\n}}\nif any == 0 {{ break; }}",
            it.live.0
        );
        self.pieces(body);
        self.open_update(it);
        self.text.push_str("for l in 0..L {\n");
        let used = it
            .next
            .iter()
            .chain([&Atom::Var(it.live)])
            .copied()
            .collect::<Vec<_>>();
        let params = it.params.iter().map(|param| Atom::Var(*param));
        self.bring(used.into_iter().chain(params), &HashSet::default());
        self.update(it, &|_| "");
        self.text.push_str("}\n");
        self.close_update(it, "");
        self.leave();
        self.once = once;
    }

    /// The loop's parameters get their first values.
    pub(super) fn enter(&mut self, it: &LaneLoop) {
        if it.params.is_empty() {
            return;
        }
        self.text.push_str("for l in 0..L {\n");
        self.bring(it.init.iter().copied(), &HashSet::default());
        for (param, init) in it.params.iter().zip(&it.init) {
            let init = self.atom(*init);
            let at = if self.layout.single.contains(param) {
                "0"
            } else {
                "l"
            };
            let _ = writeln!(self.text, "a{}[{at}] = {init};", param.0);
        }
        self.text.push_str("}\n");
    }

    /// Whether a lane is live: what the loop's condition, its mask and `also` say.
    fn decide(&mut self, it: &LaneLoop, also: &str) {
        let go_on = self.atom(it.go_on);
        let mask = it
            .mask
            .map(|mask| format!(" & {}", self.atom(mask)))
            .unwrap_or_default();
        let _ = writeln!(self.text, "let v{} = {go_on}{mask}{also};", it.live.0);
    }

    /// The next state of each lane, in new arrays: a select over the old ones in place would become
    /// masked stores, which the processor cannot forward to the loads of the next trip.
    /// `or`: what makes a parameter change in lanes that are not live.
    fn update(&mut self, it: &LaneLoop, or: &dyn Fn(Var) -> &'static str) {
        for (param, next) in changed(it) {
            if self.layout.single.contains(&param) {
                continue;
            }
            let next = self.atom(next);
            let (p, live, or) = (param.0, it.live.0, or(param));
            let _ = writeln!(
                self.text,
                "n{p}[l] = __r::choose(v{live}{or}, {next}, v{p});"
            );
        }
    }

    /// Declares what `update` writes.
    fn open_update(&mut self, it: &LaneLoop) {
        for (param, next) in changed(it) {
            if self.layout.single.contains(&param) {
                let next = self
                    .reads
                    .in_trip(next)
                    .expect("it is the same in every lane");
                let _ = writeln!(self.text, "let n{} = [{next}];", param.0);
                continue;
            }
            let zero = zero((self.context.types)(param));
            let _ = writeln!(self.text, "let mut n{} = [{zero}; L];", param.0);
        }
    }

    /// The new state becomes the state; `place` is `*` where the state is behind references.
    fn close_update(&mut self, it: &LaneLoop, place: &str) {
        for (param, _) in changed(it) {
            let _ = writeln!(self.text, "{place}a{0} = n{0};", param.0);
        }
    }

    /// A violated check, wherever in the kernel, ends the loop: what is computed from replaced values
    /// may never end.
    fn leave(&mut self) {
        let stop = if self.context.checks {
            "any == 0 || flag.violated()"
        } else {
            "any == 0"
        };
        let _ = writeln!(self.text, "if {stop} {{ break; }}\n}}");
    }
}

/// Parameters that a trip changes, with their next values.
fn changed(it: &LaneLoop) -> Vec<(Var, Atom)> {
    let pairs = it.params.iter().copied().zip(it.next.iter().copied());
    pairs
        .filter(|(param, next)| *next != Atom::Var(*param))
        .collect()
}
