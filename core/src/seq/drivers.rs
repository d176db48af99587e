//! Drivers: turn after turn, until the source ends.
//!
//! In: a source, limits and a step. Out: the step's last word, or its results one by one; see
//! Note \[Ends\].
//! Assumes: nothing.

use core::iter::FusedIterator;
use std::time::Instant;

use super::chunk::{Chunk, Reused};
use super::limits::Limits;
use super::parts::{self, Rest};
use super::pump::{Made, Pump, Turn};
use super::results::Items;
use super::source::Source;
use crate::error::{Error, Failure, Result};

/// Computes a sequence whose results stay in the step's state.
///
/// The step gets a chunk, and whether it is the last one, and says whether it wants more items. If it
/// fails its state must be what it was before.
///
/// Errors: those of the step and of the source. What was read before an error of the source is
/// computed first, as the last chunk of which the step is not told that it is.
pub fn run<S, F>(source: S, limits: Limits, mut step: F) -> Result<()>
where
    S: Source,
    F: FnMut(&S::Chunk, bool) -> Result<bool> + Send,
{
    // What it keeps is all that it makes.
    let limits = limits.keeping();
    let mut pump = Pump::new(source, limits.clone());
    loop {
        let turn = pump.turn(|chunk, last| {
            let allowed = limits.allowed(chunk.bytes(), 0);
            let more = parts::state(&mut step, chunk, last, allowed)?;
            Ok(Made {
                more,
                bytes: 0,
                size: 0,
                is_part: false,
            })
        });
        match turn {
            Turn::More => {}
            Turn::Last(None) | Turn::Over(None) => return Ok(()),
            Turn::Last(Some(error)) | Turn::Over(Some(error)) => return Err(error),
        }
    }
}

/// The results of a sequence, one by one: they are computed as they are asked for.
///
/// The step gets a chunk, whether it is the last one, and where the results go, of which there may be
/// more or fewer than items; it says whether it wants more items. If it fails its state must be what it
/// was before: it is called for parts of the chunk then.
pub fn stream<S, O, F>(source: S, limits: Limits, step: F) -> Stream<S, O, F>
where
    S: Source,
    O: Items,
    F: FnMut(&S::Chunk, bool, &mut O) -> Result<bool> + Send,
{
    Stream {
        pump: Pump::new(source, limits),
        step,
        rest: Rest::ALL,
        results: Reused::default(),
        next: 0,
        delivering: None,
        end: None,
    }
}

/// The results of a sequence: a lazy iterator.
///
/// Nothing is read nor computed before the first [`next`](Iterator::next), nor while nobody calls it;
/// within it, a chunk of items is computed on the pool of `rayon` while the calling thread reads the
/// next chunk. So a source is read further than the results that were given need. After an error or
/// a panic there are no further results; what came before an error has been given then.
pub struct Stream<S: Source, O: Items, F> {
    pump: Pump<S>,
    step: F,
    /// What is left of the chunk that is computed.
    rest: Rest,
    results: Reused<O>,
    /// The next one to be given.
    next: usize,
    /// Since when these results are handed out, if somebody wants to know.
    delivering: Option<Instant>,
    /// Once there are no further turns: what comes behind the results.
    end: Option<Option<Error>>,
}

impl<S, O, F> Iterator for Stream<S, O, F>
where
    S: Source,
    O: Items,
    F: FnMut(&S::Chunk, bool, &mut O) -> Result<bool> + Send,
{
    type Item = Result<O::Item>;

    #[inline]
    fn next(&mut self) -> Option<Result<O::Item>> {
        if !self.has_results() {
            return self.take_error().map(Err);
        }
        let item = self.results.item(self.next);
        self.next += 1;
        Some(Ok(item))
    }
}

impl<S, O, F> FusedIterator for Stream<S, O, F>
where
    S: Source,
    O: Items,
    F: FnMut(&S::Chunk, bool, &mut O) -> Result<bool> + Send,
{
}

impl<S, O, F> Stream<S, O, F>
where
    S: Source,
    O: Items,
    F: FnMut(&S::Chunk, bool, &mut O) -> Result<bool> + Send,
{
    /// Whether there is another result: computes it if need be.
    #[inline]
    pub(super) fn has_results(&mut self) -> bool {
        self.next < self.results.items() || self.refill()
    }

    /// What came in the place of the result behind the last one.
    pub(super) fn take_error(&mut self) -> Option<Error> {
        self.end.as_mut().and_then(Option::take)
    }

    /// Puts the next result, which there is, behind those of a chunk. If that fails it is the next one still.
    #[inline]
    pub(super) fn give_to(&mut self, chunk: &mut O) -> core::result::Result<(), Failure> {
        chunk.append_some(&self.results, self.next..self.next + 1, 0)?;
        self.next += 1;
        Ok(())
    }

    /// Takes turns until there are results; `false` if there are none any more.
    fn refill(&mut self) -> bool {
        self.pump
            .delivering
            .end(&*self.results, self.delivering.take());
        while self.end.is_none() {
            self.turn();
            if self.results.items() > 0 {
                self.delivering = self.pump.delivering.begin();
                return true;
            }
        }
        false
    }

    /// Takes all turns that are left, the last one again if the step has failed in it; there are no results
    /// then. What came in the place of a result may have been `given` before.
    pub(super) fn finish(&mut self, given: Option<Error>) -> Result<()> {
        let mut end = self.end.take().map(|error| error.or(given));
        match end {
            Some(Some(_)) if self.pump.take_again() => end = None,
            Some(None) => {}
            // The step may want less than before.
            Some(Some(_)) | None => {
                self.ask();
                end = self.end.take();
            }
        }
        while end.is_none() {
            self.turn();
            end = self.end.take();
        }
        self.end = Some(None);
        end.flatten().map_or(Ok(()), Err)
    }

    /// Asks the step whether it wants more.
    fn ask(&mut self) {
        let (step, results) = (&mut self.step, &mut *self.results);
        self.next = usize::MAX;
        let turn = self.pump.ask(|chunk, last| {
            results.clear();
            Ok(Made {
                more: step(chunk, last, results)?,
                bytes: 0,
                size: 0,
                is_part: false,
            })
        });
        self.end = match turn {
            None | Some(Turn::More) => None,
            Some(Turn::Last(error) | Turn::Over(error)) => Some(error),
        };
    }

    fn turn(&mut self) {
        if !self.pump.limits().leaves_another(self.results.bytes()) {
            *self.results = O::default();
        }
        // Memory that is there for the next ones.
        let room = self.results.bytes();
        self.results.clear();
        // What holds if the step or the source panics: nothing follows.
        self.end = Some(None);
        self.next = usize::MAX;
        let (step, results) = (&mut self.step, &mut *self.results);
        let (rest, limits) = (&mut self.rest, self.pump.limits().clone());
        let turn = self.pump.turn(|chunk, last| {
            let allowed = limits.allowed(chunk.bytes(), room);
            let done = parts::results(step, (chunk, last), allowed, rest, results)?;
            Ok(Made {
                more: done.more,
                bytes: results.bytes().max(done.too_little.unwrap_or(0)),
                size: done.size,
                is_part: rest.is_some(),
            })
        });
        self.next = 0;
        self.end = match turn {
            Turn::More => None,
            Turn::Last(error) | Turn::Over(error) => Some(error),
        };
    }
}
