//! How large chunks are.
//!
//! In: what each step took. Out: how many items, or bytes of items, the next chunk is to have.
//! Assumes: nothing; wrong times give chunks of a bad size, and no wrong results.
//!
//! Note \[Chunk sizes\]. A chunk is measured in units: it has as many as items, or as times
//! [`UNIT`] bytes, whichever is more, so that tiny items count by number and large ones by size, and
//! items of very different sizes give chunks of nearly one. The first has one item. Chunks grow as long
//! as steps are so short that starting them matters, or as threads wait for each other (utilisation,
//! the share of the time in which a step or the source was at work, is under 95 %); those of more than
//! [`CACHED`] bytes only while that made a unit cheaper. Then they go on
//! growing only while that makes a unit cheaper, and shrink, half as fast, when units become dearer,
//! if that helps. A size that was too large, or no better than half of it, is tried again after some
//! time, which doubles each time: what made units dear may have been others who had the processors.
//! What a unit costs, to read where the same thread reads and to compute, is an average over a few steps, each
//! with the weight of its time; changes within a few percent are none.

use std::time::Duration;

/// Bytes that count as much as an item has overhead.
pub(super) const UNIT: usize = 64;

/// The units of the largest chunk: for items that take no memory.
const MOST: usize = 1 << 21;

/// Under this starting a step matters: it wakes threads, which take the place of those that compute for
/// longer than it seems, and its shares are not all done at once.
const SHORT: f64 = 1e-3;

/// Over this it does not.
const LONG: f64 = 5e-3;

/// By how much chunks grow at once, at least and, where steps are very short, at most.
const GROWTH: f64 = 2.0;
const LEAP: f64 = 8.0;

/// The decisions after which a size that was too large is tried again: at first, and when it was too
/// large again and again.
const DOUBT: u32 = 2;
const MEMORY: u32 = 128;

/// Chunks of more bytes, of which there are two, may not fit what each thread has for itself of the caches: short
/// steps grow beyond only as far as units become cheaper.
const CACHED: usize = 256 << 10;

/// The utilisation that is aimed at.
const UTILISED: f64 = 0.95;

/// The steps, or else seconds, that are enough for an average.
const STEPS: u32 = 8;
const ENOUGH: f64 = 40e-3;

/// The steps after which there are too many units without a doubt, if they are so much dearer.
const FEW: u32 = 2;
const DEAR: f64 = 1.3;

/// What one turn took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    /// The units of the chunk that was computed.
    pub units: usize,
    /// Its bytes.
    pub bytes: usize,
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
    /// What is too large, and for how many decisions.
    roof: usize,
    memory: u32,
    /// What was last, and for how many it was then.
    last_roof: usize,
    last_memory: u32,
}

/// What the last change of size was, and what a unit cost before it.
#[derive(Clone, Copy, Debug)]
enum State {
    Grown {
        before: f64,
    },
    /// Grown for no reason, but to see what becomes of it.
    Tried {
        before: f64,
    },
    Shrunk {
        before: f64,
    },
    Kept {
        usual: f64,
    },
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

    /// What a unit costs: all that is done for it, or, of what is done meanwhile, what takes longest.
    fn cost(&self) -> f64 {
        self.busy / self.units.max(1.0)
    }

    /// What a step takes.
    fn mean(&self) -> f64 {
        self.step / f64::from(self.turns.max(1))
    }

    /// The part of what a unit cost before below which it has become cheaper. What a long step would
    /// gain by more items is to keep more threads busy: much, or nothing.
    fn cheaper(&self) -> f64 {
        if self.is_long() { 0.8 } else { 0.95 }
    }

    fn is_short(&self) -> bool {
        self.mean() < SHORT
    }

    fn is_long(&self) -> bool {
        self.mean() > LONG
    }

    /// Whether threads wait for more than each other: a long step is not waited for because of what it
    /// takes to start it.
    fn is_idle(&self) -> bool {
        self.busy < UTILISED * self.whole && !self.is_long()
    }

    fn is_enough(&self) -> bool {
        self.turns >= STEPS || self.step >= ENOUGH
    }
}

impl Size {
    /// That of the first chunk.
    pub(super) fn new() -> Self {
        Size {
            units: 1,
            state: State::Grown {
                before: f64::INFINITY,
            },
            seen: Seen::default(),
            roof: usize::MAX,
            memory: 0,
            last_roof: usize::MAX,
            last_memory: 0,
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
        // A chunk that ended for other reasons says nothing about larger ones.
        let is_full = taken.units >= self.units;
        let cost = self.seen.cost();
        let matters = self.seen.is_short() || self.seen.is_idle();
        if self.may_grow(is_full) && matters && self.may_gain(taken, cost) {
            let leap = (CACHED as f64 / taken.bytes as f64).clamp(GROWTH, LEAP);
            let factor = (SHORT / self.seen.mean()).clamp(GROWTH, leap);
            self.grow(factor, cost);
        } else if self.seen.is_enough() || self.is_much_dearer(cost) {
            self.decide(cost, is_full);
            self.seen = Seen::default();
        }
    }

    fn may_grow(&self, is_full: bool) -> bool {
        let next = self.grown(GROWTH);
        is_full && self.units < next && next < self.roof
    }

    /// Whether more units may be cheaper: chunks fit in caches, or have the one item that they would have anyway,
    /// or units have become cheaper since chunks have grown.
    fn may_gain(&self, taken: Taken, cost: f64) -> bool {
        let has_gained = match self.state {
            State::Grown { before } | State::Tried { before } => cost < 0.97 * before,
            State::Shrunk { .. } | State::Kept { .. } => false,
        };
        taken.bytes < CACHED || taken.units >= 2 * self.units || has_gained
    }

    /// Whether it need not be looked at for longer that there are too many: so many fit no cache, say.
    fn is_much_dearer(&self, cost: f64) -> bool {
        match self.state {
            State::Grown { before } | State::Tried { before } => {
                self.seen.turns >= FEW && cost > DEAR * before
            }
            State::Shrunk { .. } | State::Kept { .. } => false,
        }
    }

    fn decide(&mut self, cost: f64, is_full: bool) {
        self.memory = self.memory.saturating_sub(1);
        if self.memory == 0 {
            self.roof = usize::MAX;
        }
        let may_grow = self.may_grow(is_full);
        match self.state {
            State::Grown { before: usual }
            | State::Tried { before: usual }
            | State::Kept { usual }
                if cost < self.seen.cheaper() * usual && may_grow =>
            {
                self.grow(GROWTH, cost);
            }
            State::Tried { before } if cost < self.seen.cheaper() * before => {
                self.state = State::Kept { usual: cost };
            }
            State::Tried { before } => self.give_up(before),
            State::Grown { before } if cost > 1.1 * before => self.give_up(before),
            State::Grown { .. } => {
                self.set_roof(self.grown(GROWTH));
                // It is not too large: short steps may grow to it before it is tried.
                self.roof = usize::MAX;
                self.state = State::Kept { usual: cost };
            }
            State::Kept { usual } if cost > 1.15 * usual => self.shrink(cost),
            State::Kept { .. } if may_grow && self.memory == 0 => {
                self.units = self.grown(GROWTH);
                self.state = State::Tried { before: cost };
            }
            State::Kept { usual } => {
                let usual = usual + (cost - usual) / 8.0;
                self.state = State::Kept { usual };
            }
            State::Shrunk { before } if cost < 0.95 * before => {
                self.set_roof(self.grown(GROWTH.sqrt()));
                self.shrink(cost);
            }
            State::Shrunk { before } if cost > 1.05 * before => {
                self.units = self.grown(GROWTH.sqrt());
                self.state = State::Kept { usual: before };
            }
            State::Shrunk { .. } => self.state = State::Kept { usual: cost },
        }
    }

    /// Goes back to the size before, at which a unit cost so much.
    fn give_up(&mut self, before: f64) {
        self.set_roof(self.units);
        self.units = self.grown(1.0 / GROWTH);
        self.state = State::Kept { usual: before };
    }

    /// So many units are too large: for longer, if they were before.
    fn set_roof(&mut self, units: usize) {
        let near = units <= self.last_roof.saturating_mul(2) && self.last_roof <= units * 2;
        self.memory = match near {
            true => (self.last_memory * 2).clamp(DOUBT, MEMORY),
            false => DOUBT,
        };
        (self.roof, self.last_roof, self.last_memory) = (units, units, self.memory);
    }

    fn grow(&mut self, factor: f64, cost: f64) {
        self.units = self.grown(factor).min(self.roof);
        self.state = State::Grown { before: cost };
        self.seen = Seen::default();
    }

    fn shrink(&mut self, cost: f64) {
        self.units = self.grown(1.0 / GROWTH.sqrt());
        self.state = State::Shrunk { before: cost };
    }

    fn grown(&self, factor: f64) -> usize {
        ((self.units as f64 * factor).round() as usize).clamp(1, MOST)
    }
}

#[cfg(test)]
mod tests;
