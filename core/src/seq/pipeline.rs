//! Three stages at once: one chunk is read, one is computed, and the results of one are handed on.
//!
//! In: a source that may go to another thread, limits, a step, and a sink for results. Out: nothing,
//! or the first error by position; see Note \[Ends\].
//! Assumes: nothing.
//!
//! Note \[Stages\]. A thread of its own reads. The pool computes a chunk, within a scope in which the
//! calling thread hands on the results of the chunk before it; so no worker of the pool waits for
//! anything, and neither the step nor the sink leaves its caller. The reader needs a permit for each
//! chunk, an empty one: it gets it when the chunk before it begins to be computed, or, if that is so
//! large that the limit leaves no room beside it, when it has been. So there are at most two chunks of
//! items and two of results. Whoever ends early drops its ends of the channels, which ends the reader
//! at its next chunk; the scope of threads waits for it.

use core::mem;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::error;
use std::panic;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::chunk::{Chunk, Reused};
use super::limits::Limits;
use super::parts::{self, Rest};
use super::pump::{HOP, Rates, Read, Sets, units};
use super::results::Items;
use super::size::{Size, Taken};
use super::source::{Quota, Source};
use super::watch::{self, Computed, Staged};
use crate::error::{ErrorKind, Result, Site};

/// Computes a sequence, and hands each result to `sink`, on the calling thread and in order.
///
/// Reading, computing and handing on go on at once: see [`stream`](super::stream) for what the step
/// is given. A source that waits in the middle of an item is waited for, also after an error.
///
/// Errors: those of the step, of the source and of the sink, whichever comes first by position; the
/// results before it have been handed on. A panic in any of them goes on to the caller.
pub fn for_each<S, O, F, E>(
    site: &'static Site,
    source: S,
    limits: Limits,
    step: F,
    sink: impl for<'a> FnMut(O::Lent<'a>) -> core::result::Result<(), E>,
) -> Result<()>
where
    S: Source + Send,
    O: Items,
    F: FnMut(&S::Chunk, bool, &mut O) -> Result<bool> + Send,
    E: Into<Box<dyn error::Error + Send + Sync>>,
{
    let (reading, computed, delivering) = watch::stages(limits.watches());
    let shared = Shared::new(limits);
    thread::scope(|scope| {
        let (chunks, read) = mpsc::channel();
        let (permits, empty) = mpsc::channel();
        let shared = &shared;
        let reader = scope.spawn(move || read_all(source, reading, shared, &empty, &chunks));
        let driver = Driver {
            shared,
            step,
            sink: Sink {
                site,
                sink,
                handed_on: 0,
                delivering,
            },
            computed,
            size: Size::new(),
            rates: Rates::default(),
        };
        let result = driver.run(&read, permits);
        drop(read);
        match reader.join() {
            Ok(()) => result,
            Err(payload) => panic::resume_unwind(payload),
        }
    })
}

/// What the reader has to know.
struct Shared {
    items: AtomicUsize,
    bytes: AtomicUsize,
    /// Whether the driver has nothing to compute.
    idle: AtomicBool,
    limits: Limits,
}

impl Shared {
    fn new(limits: Limits) -> Self {
        let shared = Shared {
            items: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
            idle: AtomicBool::new(true),
            limits,
        };
        shared.set_quota(&Size::new(), 0.0);
        shared
    }

    fn set_quota(&self, size: &Size, ratio: f64) {
        let (items, bytes) = self.limits.quota(size, ratio);
        self.items.store(items, Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
    }

    fn quota(&self) -> Quota<'_> {
        let items = self.items.load(Ordering::Relaxed);
        let bytes = self.bytes.load(Ordering::Relaxed);
        let (largest, idle) = (self.limits.item(), &self.idle);
        let quota = Quota::new((items, bytes), largest, idle, Instant::now());
        quota.in_blocks(self.limits.block())
    }
}

/// A chunk, and what reading it has come to.
type Batch<C> = (Reused<C>, Read);

/// The reader: a chunk for each permit.
fn read_all<S: Source>(
    mut source: S,
    mut reading: Staged,
    shared: &Shared,
    permits: &Receiver<Reused<S::Chunk>>,
    chunks: &Sender<Batch<S::Chunk>>,
) {
    while let Ok(mut chunk) = permits.recv() {
        chunk.clear();
        let begin = reading.begin();
        let read = Read::of(source.fill(&mut *chunk, &mut shared.quota()));
        reading.end(&*chunk, begin);
        let is_last = !matches!(read, Read::More);
        if chunks.send((chunk, read)).is_err() || is_last {
            return;
        }
    }
}

/// What hands results on.
struct Sink<G> {
    site: &'static Site,
    sink: G,
    handed_on: usize,
    delivering: Staged,
}

impl<G> Sink<G> {
    fn take<O, E>(&mut self, results: &mut O) -> Result<()>
    where
        O: Items,
        G: for<'a> FnMut(O::Lent<'a>) -> core::result::Result<(), E>,
        E: Into<Box<dyn error::Error + Send + Sync>>,
    {
        let begin = self.delivering.begin().filter(|_| results.items() > 0);
        for i in 0..results.items() {
            (self.sink)(results.lent(i)).map_err(|error| {
                self.site.whole(ErrorKind::Sink {
                    result: self.handed_on,
                    error: error.into().into(),
                })
            })?;
            self.handed_on += 1;
        }
        self.delivering.end(results, begin);
        results.clear();
        Ok(())
    }
}

/// The calling thread.
struct Driver<'a, F, G> {
    shared: &'a Shared,
    step: F,
    sink: Sink<G>,
    computed: Computed,
    size: Size,
    rates: Rates,
}

impl<F, G> Driver<'_, F, G> {
    fn run<C, O, E>(mut self, read: &Receiver<Batch<C>>, permits: Sender<Reused<C>>) -> Result<()>
    where
        C: Chunk,
        O: Items,
        F: FnMut(&C, bool, &mut O) -> Result<bool> + Send,
        G: for<'a> FnMut(O::Lent<'a>) -> core::result::Result<(), E>,
        E: Into<Box<dyn error::Error + Send + Sync>>,
    {
        // However this ends, the reader is not to go on for long.
        let _at_last = Sets(&self.shared.idle);
        let (mut results, mut ready) = (Reused::<O>::default(), Reused::<O>::default());
        let mut spare = Some(Reused::default());
        // The reader is gone only after its last chunk, or after a panic, which its end will tell.
        let permit = |chunk: Reused<C>| drop(permits.send(chunk));
        permit(Reused::default());
        loop {
            let Some((chunk, read)) = self.next(read, &mut *ready)? else {
                return Ok(());
            };
            if let Some(spare) = spare.take_if(|_| self.shared.limits.leaves_another(chunk.bytes()))
            {
                permit(spare);
            }
            let is_last = matches!(read, Read::End);
            let (mut more, mut rest) = (true, Rest::ALL);
            let mut is_over = !is_last && chunk.items() == 0;
            while more && !is_over {
                more = self.turn((&*chunk, is_last), &mut rest, &mut *results, &mut *ready)?;
                mem::swap(&mut results, &mut ready);
                is_over = !rest.is_some();
            }
            match read {
                Read::More if more => {}
                Read::Failed(error) if more => return self.sink.take(&mut *ready).and(Err(error)),
                _no_more => return self.sink.take(&mut *ready),
            }
            match spare {
                Some(_) => permit(chunk),
                None => spare = Some(chunk),
            }
        }
    }

    /// The next chunk; where that takes time, results are handed on first.
    fn next<C, O, E>(
        &mut self,
        read: &Receiver<Batch<C>>,
        ready: &mut O,
    ) -> Result<Option<Batch<C>>>
    where
        C: Chunk,
        O: Items,
        G: for<'a> FnMut(O::Lent<'a>) -> core::result::Result<(), E>,
        E: Into<Box<dyn error::Error + Send + Sync>>,
    {
        if let Ok(batch) = read.try_recv() {
            return Ok(Some(batch));
        }
        self.shared.idle.store(true, Ordering::Relaxed);
        self.sink.take(ready)?;
        let batch = read.recv().ok();
        self.shared.idle.store(false, Ordering::Relaxed);
        Ok(batch)
    }

    /// Computes a chunk, while the results of the one before it are handed on.
    fn turn<C, O, E>(
        &mut self,
        (chunk, is_last): (&C, bool),
        rest: &mut Rest,
        results: &mut O,
        ready: &mut O,
    ) -> Result<bool>
    where
        C: Chunk,
        O: Items,
        F: FnMut(&C, bool, &mut O) -> Result<bool> + Send,
        G: for<'a> FnMut(O::Lent<'a>) -> core::result::Result<(), E>,
        E: Into<Box<dyn error::Error + Send + Sync>>,
    {
        let limits = &self.shared.limits;
        if !limits.leaves_another(chunk.bytes()) || !limits.leaves_another(ready.bytes()) {
            self.sink.take(ready)?;
            (*results, *ready) = (O::default(), O::default());
        }
        let start = Instant::now();
        let allowed = limits.allowed(chunk.bytes(), ready.bytes());
        results.clear();
        let units = units(chunk);
        let (step, sink) = (&mut self.step, &mut self.sink);
        let (timer, mut span) = (self.computed.timer(), None);
        let mut compute = || {
            let start = Instant::now();
            let made = timer.time(chunk, &mut span, || {
                parts::results(step, (chunk, is_last), allowed, rest, results)
            });
            (made, start.elapsed())
        };
        let ((made, stepping), sinking) = if ready.items() > 0 && self.rates.step(units) > HOP {
            let mut made = None;
            let sunk = rayon::in_place_scope(|scope| {
                scope.spawn(|_| made = Some(compute()));
                let start = Instant::now();
                sink.take(ready).map(|()| start.elapsed())
            });
            (
                made.expect("a scope waits for what is spawned in it"),
                sunk?,
            )
        } else {
            sink.take(ready)?;
            (compute(), Duration::ZERO)
        };
        let done = match made {
            Ok(done) => done,
            Err(error) => return sink.take(results).and(Err(error)),
        };
        let bytes = results.bytes().max(done.too_little.unwrap_or(0));
        self.rates.learn_results(bytes, done.size);
        if rest.is_some() {
            return Ok(done.more);
        }
        self.computed.end(chunk, span);
        self.rates.learn_step(stepping, units);
        self.size.learn(Taken {
            units,
            step: stepping,
            busy: stepping.max(sinking),
            whole: match sinking {
                Duration::ZERO => stepping,
                _beside => start.elapsed(),
            },
        });
        let ratio = self.rates.results;
        self.shared.set_quota(&self.size, ratio);
        Ok(done.more)
    }
}
