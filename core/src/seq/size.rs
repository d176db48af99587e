//! How large chunks are.
//!
//! In: what each step took. Out: how many items, or bytes of items, the next chunk is to have.
//! Assumes: nothing; wrong times give chunks of a bad size, and no wrong results.
//!
//! Note \[Chunk sizes\]. A chunk is measured in units: it has as many as items, or as times
//! [`UNIT`] bytes, whichever is more, so that tiny items count by number and large ones by size, and
//! items of very different sizes give chunks of nearly one. The first has few. It grows, to twice its
//! size at a time, as long as steps are so short that starting them matters, or as threads wait for
//! each other (utilisation, the share of the time in which a step or the source was at work, is under
//! 80 %). Then it goes on growing only while that makes a unit cheaper, and shrinks, half as fast,
//! when units become dearer, if that helps. What a unit costs is an average over a few steps, each
//! with the weight of its time; changes within a few percent are none.

use std::time::Duration;

/// Bytes that count as much as an item has overhead.
pub(super) const UNIT: usize = 64;

/// The units of the first chunk.
const FIRST: usize = 64;

/// The units of the largest chunk: for items that take no memory.
const MOST: usize = 1 << 21;

/// Under this starting a step matters.
const SHORT: f64 = 100e-6;

/// The utilisation that is aimed at.
const UTILISED: f64 = 0.8;

/// The steps, or else seconds, that are enough for an average.
const STEPS: u32 = 4;
const LONG: f64 = 20e-3;

/// What one turn took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    /// The units of the chunk that was computed.
    pub units: usize,
    /// The time of its step.
    pub step: Duration,
    /// The time in which the step or the source was at work.
    pub busy: Duration,
    /// All time.
    pub whole: Duration,
}

/// The size of chunks: see Note \[Chunk sizes\].
#[derive(Debug)]
pub(super) struct Size {
    units: usize,
    state: State,
    seen: Seen,
}

/// What the last change of size was, and what a unit cost before it.
#[derive(Clone, Copy, Debug)]
enum State {
    Grown { before: f64 },
    Shrunk { before: f64 },
    Kept { usual: f64 },
}

/// Sums over turns of one size.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    turns: u32,
    units: f64,
    step: f64,
    busy: f64,
    whole: f64,
}

impl Seen {
    fn add(&mut self, taken: Taken) {
        self.turns += 1;
        self.units += taken.units as f64;
        self.step += taken.step.as_secs_f64();
        self.busy += taken.busy.as_secs_f64();
        self.whole += taken.whole.as_secs_f64();
    }

    /// What a unit costs.
    fn cost(&self) -> f64 {
        self.step / self.units.max(1.0)
    }

    fn is_short(&self) -> bool {
        self.step < SHORT * f64::from(self.turns)
    }

    fn is_idle(&self) -> bool {
        self.busy < UTILISED * self.whole
    }

    fn is_enough(&self) -> bool {
        self.turns >= STEPS || self.step >= LONG
    }
}

impl Size {
    /// That of the first chunk.
    pub(super) fn new() -> Self {
        Size {
            units: FIRST,
            state: State::Grown {
                before: f64::INFINITY,
            },
            seen: Seen::default(),
        }
    }

    /// The items of the next chunk, and the bytes: where one is reached, it has enough.
    pub(super) fn quota(&self) -> (usize, usize) {
        (self.units, self.units * UNIT)
    }

    /// The units of a chunk.
    pub(super) fn units(items: usize, bytes: usize) -> usize {
        items.max(bytes / UNIT)
    }

    /// Learns from a turn.
    pub(super) fn learn(&mut self, taken: Taken) {
        self.seen.add(taken);
        let cost = self.seen.cost();
        // A chunk that ended for other reasons says nothing about larger ones.
        let is_full = taken.units >= self.units;
        if self.seen.is_short() || self.seen.is_idle() {
            if is_full {
                self.grow(cost);
            }
        } else if self.seen.is_enough() {
            self.decide(cost, is_full);
            self.seen = Seen::default();
        }
    }

    fn decide(&mut self, cost: f64, is_full: bool) {
        match self.state {
            State::Grown { before } if cost < 0.95 * before && is_full => self.grow(cost),
            State::Kept { usual } if cost < 0.9 * usual && is_full => self.grow(cost),
            State::Grown { before: usual } | State::Kept { usual } if cost > 1.1 * usual => {
                self.shrink(cost);
            }
            State::Shrunk { before } if cost < 0.95 * before => self.shrink(cost),
            State::Shrunk { before } if cost > 1.05 * before => {
                self.resize(core::f64::consts::SQRT_2);
                self.state = State::Kept { usual: before };
            }
            State::Kept { usual } => {
                let usual = usual + (cost - usual) / 8.0;
                self.state = State::Kept { usual };
            }
            State::Grown { .. } | State::Shrunk { .. } => self.state = State::Kept { usual: cost },
        }
    }

    fn grow(&mut self, cost: f64) {
        self.resize(2.0);
        self.state = State::Grown { before: cost };
    }

    fn shrink(&mut self, cost: f64) {
        self.resize(core::f64::consts::FRAC_1_SQRT_2);
        self.state = State::Shrunk { before: cost };
    }

    fn resize(&mut self, factor: f64) {
        self.units = ((self.units as f64 * factor) as usize).clamp(1, MOST);
        self.seen = Seen::default();
    }
}
