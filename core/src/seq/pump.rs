//! One turn after the other: a chunk is computed, and the next one is read meanwhile.
//!
//! In: a source, and what is to be done with a chunk. Out: whether there are more, or an error; see
//! Note \[Turns\] and Note \[Ends\].
//! Assumes: nothing.

use core::mem;
use core::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::chunk::{Chunk, Reused};
use super::limits::Limits;
use super::size::{Size, Taken};
use super::source::{Quota, Source};
use super::watch::{self, Computed, Staged};
use crate::error::{Error, Result};

/// What the driver of a sequence keeps between turns.
pub(super) struct Pump<S: Source> {
    source: S,
    /// What is computed in this turn.
    chunk: Reused<S::Chunk>,
    /// What was read in the last one.
    ahead: Reused<S::Chunk>,
    read: Read,
    /// What reading the chunk has come to of which a part has been computed, and the rest has not.
    again: Option<Read>,
    /// The same of the chunk in which the step has failed.
    failed: Option<Read>,
    /// The error of the source with which the last turn has ended.
    refused: Option<Error>,
    size: Size,
    limits: Limits,
    rates: Rates,
    reading: Staged,
    computed: Computed,
    pub(super) delivering: Staged,
}

/// What reading a chunk has come to.
pub(super) enum Read {
    /// Nothing was read yet.
    Nothing,
    /// A chunk, and there may be more.
    More,
    /// The last items.
    End,
    /// Items, and in the place of the next one this error.
    Failed(Error),
    /// There are no further turns.
    Over,
}

impl Read {
    pub(super) fn of(filled: Result<bool>) -> Self {
        match filled {
            Ok(true) => Read::More,
            Ok(false) => Read::End,
            Err(error) => Read::Failed(error),
        }
    }
}

/// What a step gives: whether it wants more items, how many bytes its results take and what they are
/// made of, and whether only of a part of the chunk.
pub(super) struct Made {
    pub more: bool,
    pub bytes: usize,
    pub size: usize,
    pub is_part: bool,
}

/// What came of a turn.
pub(super) enum Turn {
    /// Results, and there is another turn.
    More,
    /// Results, which are the last ones; then this error.
    Last(Option<Error>),
    /// No further turn, since the step or the source has failed; results only if the step has left some.
    Over(Option<Error>),
}

/// What units and bytes took lately: moving averages.
#[derive(Default)]
pub(super) struct Rates {
    /// Seconds to read a unit.
    read: f64,
    /// Seconds to compute a unit.
    step: f64,
    /// Bytes of results for each byte of items, and for each item.
    pub results: f64,
}

/// What a hop to another thread is worth: below this, reading and computing go on one thread.
pub(super) const HOP: f64 = 30e-6;

impl<S: Source> Pump<S> {
    pub(super) fn new(source: S, limits: Limits) -> Self {
        let (reading, computed, delivering) = watch::stages(limits.watches());
        Pump {
            source,
            chunk: Reused::default(),
            ahead: Reused::default(),
            read: Read::Nothing,
            again: None,
            failed: None,
            refused: None,
            size: Size::new(),
            limits,
            rates: Rates::default(),
            reading,
            computed,
            delivering,
        }
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Whether the step has failed in the last turn, which can then be taken again, for what is left of the chunk.
    pub(super) fn take_again(&mut self) -> bool {
        self.again = self.failed.take();
        self.again.is_some()
    }

    /// Asks the step again, with no items, whether it wants more: behind the last turn if what was read was
    /// followed by an error, or between two, of which the next may still be for a part of the chunk.
    pub(super) fn ask(
        &mut self,
        step: impl FnOnce(&S::Chunk, bool) -> Result<Made> + Send,
    ) -> Option<Turn> {
        if self.again.is_some() {
            return None;
        }
        let read = match self.refused.take() {
            Some(error) => Read::Failed(error),
            None => Read::More,
        };
        self.chunk.clear();
        self.source.assume(&mut self.chunk);
        let made = step(&self.chunk, false);
        Some(self.made(made, read))
    }

    /// Takes a turn. After a panic in the source or in the step there is no other.
    pub(super) fn turn(
        &mut self,
        step: impl FnOnce(&S::Chunk, bool) -> Result<Made> + Send,
    ) -> Turn {
        let timer = self.computed.timer();
        let mut span = None;
        let step = |chunk: &S::Chunk, last| timer.time(chunk, &mut span, || step(chunk, last));
        let turn = match self.again.take() {
            Some(read) => {
                let made = step(&self.chunk, matches!(read, Read::End));
                self.made(made, read)
            }
            None => self.take(step),
        };
        if self.again.is_none() {
            self.computed.end(&*self.chunk, span);
        }
        turn
    }

    /// What comes of a step for a chunk, or for a part of it.
    fn made(&mut self, made: Result<Made>, read: Read) -> Turn {
        let error = match (made, read) {
            (Ok(made), read) if made.more && (made.is_part || matches!(read, Read::More)) => {
                self.rates.learn_results(made.bytes, made.size);
                self.again = Some(read).filter(|_| made.is_part);
                return Turn::More;
            }
            (Err(error), read) => {
                self.failed = Some(read);
                return Turn::Over(Some(error));
            }
            (Ok(made), Read::Failed(error)) if made.more => match self.refuses(error) {
                Some(error) => Some(error),
                None => return Turn::More,
            },
            (Ok(_), _no_more) => None,
        };
        self.read = Read::Over;
        Turn::Last(error)
    }

    /// The error of the source, where all has been computed that was read before it, unless nobody wants any
    /// more what has failed: then it is read on.
    fn refuses(&mut self, error: Error) -> Option<Error> {
        if self.source.forgive() {
            self.read = Read::Nothing;
            return None;
        }
        self.refused = Some(error.clone());
        Some(error)
    }

    fn take(&mut self, step: impl FnOnce(&S::Chunk, bool) -> Result<Made> + Send) -> Turn {
        let start = Instant::now();
        let mut reading = Duration::ZERO;
        let read = match mem::replace(&mut self.read, Read::Over) {
            Read::Nothing => {
                self.computed.start();
                let idle = AtomicBool::new(true);
                let read = self.fill(&idle, start);
                reading = start.elapsed();
                self.rates.learn_read(reading, units(&*self.ahead));
                read
            }
            read => read,
        };
        mem::swap(&mut self.chunk, &mut self.ahead);
        match read {
            Read::More => self.middle(step, start, reading),
            Read::Failed(error) if self.chunk.items() == 0 => match self.refuses(error) {
                Some(error) => Turn::Over(Some(error)),
                None => Turn::More,
            },
            Read::End | Read::Failed(_) => {
                self.chunk.gather();
                let made = step(&self.chunk, matches!(read, Read::End));
                self.made(made, read)
            }
            Read::Nothing | Read::Over => Turn::Over(None),
        }
    }

    /// A turn with a chunk behind which there may be others.
    fn middle(
        &mut self,
        step: impl FnOnce(&S::Chunk, bool) -> Result<Made> + Send,
        start: Instant,
        reading: Duration,
    ) -> Turn {
        let units = units(&*self.chunk);
        let overlapped = self.is_worth_a_hop(units);
        let (made, stepping, reading) = if overlapped {
            let (made, stepping, read, reading) = self.side_by_side(step);
            self.read = read;
            (made, stepping, reading)
        } else {
            self.chunk.gather();
            let made = step(&self.chunk, false);
            self.read = Read::Nothing;
            (made, start.elapsed() - reading, reading)
        };
        let turn = self.made(made, Read::More);
        if !matches!(turn, Turn::More) || self.again.is_some() {
            return turn;
        }
        self.rates.learn_step(stepping, units);
        let whole = match overlapped {
            true => start.elapsed(),
            false => stepping + reading,
        };
        self.size.learn(Taken {
            units,
            bytes: self.chunk.bytes(),
            step: stepping,
            busy: match overlapped {
                true => stepping.max(reading),
                false => whole,
            },
            whole,
        });
        turn
    }

    /// Whether a chunk of so many units is to be computed on another thread while the next is read.
    fn is_worth_a_hop(&self, units: usize) -> bool {
        let shorter = self.rates.read.min(self.rates.step) * units as f64;
        shorter > HOP && self.limits.leaves_another(self.chunk.bytes())
    }

    /// Computes the chunk on the pool, and reads the next one here.
    fn side_by_side(
        &mut self,
        step: impl FnOnce(&S::Chunk, bool) -> Result<Made> + Send,
    ) -> (Result<Made>, Duration, Read, Duration) {
        let idle = AtomicBool::new(false);
        let mut made = None;
        let mut chunk = mem::take(&mut self.chunk);
        let (read, reading) = rayon::in_place_scope(|scope| {
            let (made, chunk, idle) = (&mut made, &mut chunk, &idle);
            scope.spawn(move |_| {
                let _at_last = Sets(idle);
                let start = Instant::now();
                chunk.gather();
                *made = Some((step(chunk, false), start.elapsed()));
            });
            let start = Instant::now();
            let read = self.fill(idle, start);
            (read, start.elapsed())
        });
        self.chunk = chunk;
        self.rates.learn_read(reading, units(&*self.ahead));
        let (made, stepping) = made.expect("a scope waits for what is spawned in it");
        (made, stepping, read, reading)
    }

    /// Reads the next chunk.
    fn fill(&mut self, idle: &AtomicBool, start: Instant) -> Read {
        self.ahead.clear();
        let enough = self.limits.quota(&self.size, self.rates.results);
        let quota = Quota::new(enough, self.limits.item(), idle, start);
        let mut quota = quota.in_blocks(self.limits.block());
        let begin = self.reading.begin();
        let read = Read::of(self.source.fill(&mut self.ahead, &mut quota));
        self.reading.end(&*self.ahead, begin);
        read
    }
}

pub(super) fn units(chunk: &impl Chunk) -> usize {
    Size::units(chunk.items(), chunk.bytes())
}

/// Sets a flag at last, also after a panic.
pub(super) struct Sets<'a>(pub &'a AtomicBool);

impl Drop for Sets<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Rates {
    pub(super) fn learn_read(&mut self, time: Duration, units: usize) {
        average(&mut self.read, time.as_secs_f64() / units.max(1) as f64);
    }

    pub(super) fn learn_step(&mut self, time: Duration, units: usize) {
        average(&mut self.step, time.as_secs_f64() / units.max(1) as f64);
    }

    /// Learns from results of items that take so many bytes, or are so many.
    pub(super) fn learn_results(&mut self, results: usize, items: usize) {
        average(&mut self.results, results as f64 / items.max(1) as f64);
    }

    /// Seconds to compute so many.
    pub(super) fn step(&self, units: usize) -> f64 {
        self.step * units as f64
    }
}

/// A moving average of the last few values; the first counts whole.
fn average(average: &mut f64, value: f64) {
    *average = match *average {
        0.0 => value,
        before => before + (value - before) / 4.0,
    };
}
