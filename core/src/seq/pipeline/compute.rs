//! What computes chunks: on the calling thread one, or on the pool as many as have been read.
//!
//! In: chunks, and a step. Out: results, and whether there are more.
//! Assumes: nothing.

use core::mem;
use core::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

use super::handover::{Ends, Handover};
use super::{Batch, Shared, nanos};
use crate::error::{Error, Result};
use crate::seq::chunk::{Chunk, Reused};
use crate::seq::parts::{self, Rest};
use crate::seq::pump::{HOP, Rates, Read, units};
use crate::seq::results::Items;
use crate::seq::size::{Size, Taken};
use crate::seq::watch::{Computed, Span, Timer};

/// The chunks that a job computes at most: others may wait for the only thread of the pool.
const TOGETHER: usize = 16;

/// The stage in the middle.
pub(super) struct Compute<'a, C: Chunk, F> {
    shared: &'a Shared,
    step: F,
    read: Receiver<Batch<C>>,
    /// Where chunks go that the reader may fill.
    permits: Sender<Reused<C>>,
    /// That of which the reader does not know, while one that it has filled leaves no room for it.
    spare: Option<Reused<C>>,
    /// That which the reader is to get when the next step begins.
    due: Option<Reused<C>>,
    /// What is to be computed next.
    current: Option<Current<C>>,
    /// Where the reader is asked to go on behind an error, if nobody wants any more what has failed.
    resume: Sender<()>,
    /// That error, until the reader does.
    refused: Option<Error>,
    computed: Computed,
    size: Size,
    rates: Rates,
    /// When the step before was over, or when waiting for a chunk was.
    since: Instant,
}

/// A chunk of which nothing has been computed, or not all.
struct Current<C: Chunk> {
    chunk: Reused<C>,
    read: Read,
    rest: Rest,
}

/// What comes behind results.
pub(super) enum Next {
    More,
    /// Nothing, or this error.
    End(Option<Error>),
}

impl<'a, C: Chunk, F> Compute<'a, C, F> {
    pub(super) fn new(
        (shared, step, computed): (&'a Shared, F, Computed),
        read: Receiver<Batch<C>>,
        permits: Sender<Reused<C>>,
        resume: Sender<()>,
    ) -> Self {
        let compute = Compute {
            shared,
            step,
            read,
            permits,
            spare: Some(Reused::default()),
            due: None,
            current: None,
            resume,
            refused: None,
            computed,
            size: Size::new(),
            rates: Rates::default(),
            since: Instant::now(),
        };
        compute.permit(Reused::default());
        compute
    }

    /// The reader is gone only after its last chunk, or after a panic, which its end will tell: then
    /// nobody wants the chunk.
    fn permit(&self, chunk: Reused<C>) {
        drop(self.permits.send(chunk));
    }

    /// Whether there is a chunk to be computed, without waiting for one.
    pub(super) fn has_chunk(&mut self) -> bool {
        if self.current.is_none()
            && let Ok(batch) = self.read.try_recv()
        {
            self.take(batch);
        }
        self.current.is_some()
    }

    /// Waits for a chunk: `false` if there is none any more.
    ///
    /// Errors: that of the source, if the reader has not gone on behind it.
    pub(super) fn wait(&mut self) -> Result<bool> {
        match self.read.recv() {
            Ok(batch) => self.take(batch),
            Err(_gone) => return self.refused.take().map_or(Ok(false), Err),
        }
        self.since = Instant::now();
        Ok(true)
    }

    fn take(&mut self, (chunk, read): Batch<C>) {
        let limits = &self.shared.limits;
        self.refused = None;
        self.due = (self.spare).take_if(|_| limits.leaves_another(chunk.bytes()));
        let rest = Rest::ALL;
        self.current = Some(Current { chunk, read, rest });
    }

    /// The chunk has been computed.
    fn leave(&mut self, chunk: Reused<C>) {
        match self.spare {
            Some(_) => self.permit(chunk),
            None => self.spare = Some(chunk),
        }
    }

    /// Whether results of so many bytes may be there while the next chunk is computed.
    pub(super) fn may_keep(&self, bytes: usize) -> bool {
        let limits = &self.shared.limits;
        let current = self.current.as_ref();
        let chunk = current.map_or(0, |current| current.chunk.bytes());
        limits.leaves_another(chunk) && limits.leaves_another(bytes)
    }

    /// Whether the next chunk is worth a hop to another thread.
    pub(super) fn is_worth_a_hop(&self) -> bool {
        let current = self.current.as_ref();
        current.is_some_and(|current| self.rates.step(units(&*current.chunk)) > HOP)
    }

    pub(super) fn timer(&self) -> Timer {
        self.computed.timer()
    }

    /// On the pool: computes what has been read, as long as there is room for results, and no reason to
    /// go back to the calling thread. There are results of so many bytes; those before them took so long to
    /// be handed on.
    pub(super) fn ahead<O>(
        &mut self,
        timer: &Timer,
        mut results: Reused<O>,
        (mut before, mut took): (usize, Duration),
        handover: &Handover<Reused<O>>,
    ) -> Next
    where
        O: Items,
        F: FnMut(&C, bool, &mut O) -> Result<bool> + Send,
    {
        let _at_last = Ends(handover);
        let mut steps = 0;
        loop {
            let next = self.results(timer, &mut *results, before, Some(took));
            before = results.bytes();
            steps += 1;
            let goes_on = matches!(next, Next::More)
                && steps < TOGETHER
                && self.has_chunk()
                && self.may_keep(before)
                && self.is_worth_a_hop();
            match handover.give(results, goes_on) {
                Some(room) => (results, took) = room,
                None => return next,
            }
        }
    }

    /// Computes the chunk, or a part of it, while there are results of so many bytes. `beside` is given on
    /// the pool, while others are handed on: how long that took the last time.
    pub(super) fn results<O>(
        &mut self,
        timer: &Timer,
        results: &mut O,
        before: usize,
        beside: Option<Duration>,
    ) -> Next
    where
        O: Items,
        F: FnMut(&C, bool, &mut O) -> Result<bool> + Send,
    {
        results.clear();
        let mut current = self.current.take().expect("a chunk has been waited for");
        let (chunk, rest) = (&mut *current.chunk, &mut current.rest);
        let is_last = matches!(current.read, Read::End);
        let due = self.due.take();
        let permits = &self.permits;
        let permit = || due.map(|chunk| permits.send(chunk));
        if chunk.items() == 0 && !is_last {
            permit();
            return self.over(current, true);
        }
        let allowed = self.shared.limits.allowed(chunk.bytes(), before);
        let expected = self.rates.step(units(chunk));
        let step = &mut self.step;
        let (start, mut span) = (Instant::now(), None);
        let mut compute = || {
            chunk.gather();
            let chunk = &*chunk;
            timer.time(chunk, &mut span, || {
                parts::results(step, (chunk, is_last), allowed, rest, results)
            })
        };
        // The reader may take the place of the thread that wakes it: better one that waits for its share
        // of the step than the one that begins it. If there is none, reading begins when the step is over.
        let made = if beside.is_some()
            && rayon::current_num_threads() > 1
            && self.shared.reads_quickly(expected)
        {
            rayon::join(compute, permit).0
        } else {
            permit();
            compute()
        };
        let step = start.elapsed();
        match made {
            Ok(done) => {
                let bytes = results.bytes().max(done.too_little.unwrap_or(0));
                self.rates.learn_results(bytes, done.size);
                self.made(current, done.more, (step, span), beside)
            }
            Err(error) => Next::End(Some(error)),
        }
    }

    /// So long took a step.
    fn made(
        &mut self,
        current: Current<C>,
        more: bool,
        (step, span): (Duration, Span),
        beside: Option<Duration>,
    ) -> Next {
        let now = Instant::now();
        let since = mem::replace(&mut self.since, now);
        if current.rest.is_some() {
            self.current = Some(current);
            return if more { Next::More } else { Next::End(None) };
        }
        self.computed.end(&*current.chunk, span);
        let units = units(&*current.chunk);
        self.rates.learn_step(step, units);
        self.shared.step.store(nanos(step), Ordering::Relaxed);
        let (busy, whole) = match beside {
            Some(took) => (step.max(took), now - since),
            None => (step, step),
        };
        self.size.learn(Taken {
            units,
            bytes: current.chunk.bytes(),
            step,
            busy: busy.min(whole),
            whole,
        });
        self.shared.set_quota(&self.size, self.rates.results);
        self.over(current, more)
    }

    /// What follows a chunk.
    fn over(&mut self, current: Current<C>, more: bool) -> Next {
        match current.read {
            Read::More if more => {}
            Read::Failed(error) if more => {
                self.refused = Some(error);
                // The reader waits for it, or is gone after a panic.
                self.resume.send(()).ok();
            }
            _no_more => return Next::End(None),
        }
        self.leave(current.chunk);
        Next::More
    }
}
