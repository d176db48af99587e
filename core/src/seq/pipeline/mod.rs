//! Three stages at once: one chunk is read, one is computed, and the results of one are handed on.
//!
//! In: a source that may go to another thread, limits, a step, and a sink for results. Out: nothing,
//! or the first error by position; see Note \[Ends\].
//! Assumes: nothing.
//!
//! Note \[Stages\]. A thread of its own reads. The pool computes chunks, within a scope in which the
//! calling thread hands on the results of those before; so neither the step nor the sink leaves its
//! caller. The job on the pool goes on with the next chunk itself, since waking the calling thread and
//! then the pool again takes as long as a small chunk; but it waits for nothing, no more than any worker:
//! where the next chunk has not been read, or there is no room for its results, it is over, and the
//! calling thread waits and spawns it again. The reader needs a permit for each chunk, an empty one: it gets
//! it when the chunk before it begins to be computed (a quick one may get it a little later, from another
//! thread), or, if that is so large that the limit leaves no room beside it, when it has been. So there are
//! at most two chunks of items and two of results; of small ones three of items, since to wake one thread after
//! another for each chunk costs a reader that is slower than the others a tenth of its time. The reader comes before those that compute where it has
//! waited: see Note \[Short slices\] in `slices.rs`. Whoever ends early drops its ends of the channels, which
//! ends the reader at its next chunk; the scope of threads waits for it.

mod compute;
mod handover;
mod slices;

use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::error;
use std::panic;
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use compute::{Compute, Next};
use handover::Handover;

use super::chunk::{Chunk, Reused};
use super::limits::Limits;
use super::pump::{Read, Sets};
use super::results::Items;
use super::size::Size;
use super::source::{Quota, Source};
use super::watch::{self, Staged};
use crate::error::{ErrorKind, Result, Site};

/// Computes a sequence, and hands each result to `sink`, on the calling thread and in order.
///
/// Reading, computing and handing on go on at once: see [`stream`](super::stream) for what the step
/// is given. A source that waits in the middle of an item is waited for, also after an error: `next` of an
/// iterator cannot be interrupted.
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
        let (resume, resumed) = mpsc::channel();
        let shared = &shared;
        let asked = (empty, resumed);
        let reader = scope.spawn(move || read_all(source, reading, shared, &asked, &chunks));
        let driver = Driver {
            compute: Compute::new((shared, step, computed), read, permits, resume),
            sink: Sink {
                site,
                sink,
                handed_on: 0,
                took: Duration::ZERO,
                delivering,
            },
        };
        let result = driver.run(shared);
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
    /// The nanoseconds that it took to read the last chunk.
    reading: AtomicU64,
    /// Those that the last step took.
    step: AtomicU64,
    limits: Limits,
}

impl Shared {
    fn new(limits: Limits) -> Self {
        let shared = Shared {
            items: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
            idle: AtomicBool::new(true),
            reading: AtomicU64::new(u64::MAX),
            step: AtomicU64::new(u64::MAX),
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

    /// Whether reading takes so little of a step of so many seconds that it may begin late.
    fn reads_quickly(&self, step: f64) -> bool {
        8e-9 * (self.reading.load(Ordering::Relaxed) as f64) < step
    }

    /// Whether the driver waits for the reader, which took longer to read than a step takes.
    fn waits_for_reader(&self) -> bool {
        let [reading, step] = [&self.reading, &self.step].map(|it| it.load(Ordering::Relaxed));
        reading > step && self.idle.load(Ordering::Relaxed)
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

/// The reader: a chunk for each permit. Behind an error it goes on if it is asked to, which it is when all before
/// has been computed and somebody wants more, and if nobody wants any more what has failed.
fn read_all<S: Source>(
    mut source: S,
    mut reading: Staged,
    shared: &Shared,
    (permits, resumed): &(Receiver<Reused<S::Chunk>>, Receiver<()>),
    chunks: &Sender<Batch<S::Chunk>>,
) {
    slices::shorten();
    let mut ahead = Ahead::new(&shared.limits, permits);
    let mut next = permits.recv().ok();
    while let Some(mut chunk) = next {
        chunk.clear();
        let (begin, start) = (reading.begin(), Instant::now());
        let read = Read::of(source.fill(&mut *chunk, &mut shared.quota()));
        shared
            .reading
            .store(nanos(start.elapsed()), Ordering::Relaxed);
        reading.end(&*chunk, begin);
        let (bytes, is_late) = (chunk.bytes(), shared.waits_for_reader());
        let has_failed = matches!(read, Read::Failed(_));
        let is_last = !has_failed && !matches!(read, Read::More);
        if chunks.send((chunk, read)).is_err() || is_last {
            return;
        }
        if has_failed && (resumed.recv().is_err() || !source.forgive()) {
            return;
        }
        next = ahead.next(bytes, is_late);
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// What the reader fills next: what it has a permit for, or, if chunks are small and it is what the others wait
/// for, another one, so that it need not wait itself until somebody has been woken who takes the last one.
struct Ahead<'a, C: Chunk> {
    limits: &'a Limits,
    permits: &'a Receiver<Reused<C>>,
    /// That for which no permit is needed.
    third: Option<Reused<C>>,
    /// The bytes of the last two chunks that were filled.
    filled: [usize; 2],
    /// How many were not yet taken to be computed, as far as permits tell: there is one for each that was.
    waiting: usize,
}

impl<'a, C: Chunk> Ahead<'a, C> {
    fn new(limits: &'a Limits, permits: &'a Receiver<Reused<C>>) -> Self {
        Ahead {
            limits,
            permits,
            third: Some(Reused::default()),
            filled: [0; 2],
            waiting: 0,
        }
    }

    /// After a chunk of so many bytes, which was waited for if the reader is late; nothing if no other is
    /// wanted.
    fn next(&mut self, bytes: usize, is_late: bool) -> Option<Reused<C>> {
        self.filled = [self.filled[1], bytes];
        self.waiting += 1;
        let goes_on = is_late && self.limits.leaves_many(self.filled[0] + self.filled[1]);
        loop {
            let permit = match self.permits.try_recv() {
                Ok(chunk) => chunk,
                Err(TryRecvError::Disconnected) => return None,
                Err(TryRecvError::Empty) => {
                    let is_next = goes_on && self.waiting == 1;
                    if let Some(third) = self.third.take_if(|_| is_next) {
                        return Some(third);
                    }
                    self.permits.recv().ok()?
                }
            };
            self.waiting -= 1;
            if self.waiting == 0 || goes_on {
                return Some(permit);
            }
            self.third = Some(permit);
        }
    }
}

/// What hands results on.
struct Sink<G> {
    site: &'static Site,
    sink: G,
    handed_on: usize,
    /// How long it took the last time that others were computed meanwhile.
    took: Duration,
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

    /// Hands on what is ready, and then what a job makes meanwhile, but for its last results. A worker of
    /// the pool waits for nothing but the job as a whole, so this makes no room for others: it is put
    /// aside.
    fn take_each<O, E>(
        &mut self,
        mut ready: Reused<O>,
        handover: &Handover<Reused<O>>,
    ) -> Result<Option<Reused<O>>>
    where
        O: Items,
        G: for<'a> FnMut(O::Lent<'a>) -> core::result::Result<(), E>,
        E: Into<Box<dyn error::Error + Send + Sync>>,
    {
        let is_worker = rayon::current_thread_index().is_some();
        loop {
            let start = Instant::now();
            self.take(&mut *ready)?;
            self.took = start.elapsed();
            if is_worker {
                return Ok(Some(ready));
            }
            ready = match handover.next(ready, self.took) {
                Some(next) => next,
                None => return Ok(None),
            };
        }
    }
}

/// The calling thread.
struct Driver<'a, C: Chunk, F, G> {
    compute: Compute<'a, C, F>,
    sink: Sink<G>,
}

impl<C: Chunk, F, G> Driver<'_, C, F, G> {
    fn run<O, E>(mut self, shared: &Shared) -> Result<()>
    where
        O: Items,
        F: FnMut(&C, bool, &mut O) -> Result<bool> + Send,
        G: for<'a> FnMut(O::Lent<'a>) -> core::result::Result<(), E>,
        E: Into<Box<dyn error::Error + Send + Sync>>,
    {
        // However this ends, the reader is not to go on for long.
        let _at_last = Sets(&shared.idle);
        let (mut ready, mut room) = (Reused::<O>::default(), Reused::<O>::default());
        loop {
            if !self.compute.has_chunk() {
                shared.idle.store(true, Ordering::Relaxed);
                self.sink.take(&mut *ready)?;
                if !self.compute.wait()? {
                    return Ok(());
                }
                shared.idle.store(false, Ordering::Relaxed);
            }
            if !self.compute.may_keep(ready.bytes()) {
                self.sink.take(&mut *ready)?;
                (*ready, *room) = (O::default(), O::default());
            }
            let next;
            (ready, room, next) = self.turn(ready, room)?;
            if let Next::End(error) = next {
                self.sink.take(&mut *ready)?;
                return error.map_or(Ok(()), Err);
            }
        }
    }

    /// Hands on what is ready, and computes: here a chunk, or on the pool one chunk after the other while
    /// their results are handed on here. Gives the last results, which are ready then.
    fn turn<O, E>(
        &mut self,
        mut ready: Reused<O>,
        mut room: Reused<O>,
    ) -> Result<(Reused<O>, Reused<O>, Next)>
    where
        O: Items,
        F: FnMut(&C, bool, &mut O) -> Result<bool> + Send,
        G: for<'a> FnMut(O::Lent<'a>) -> core::result::Result<(), E>,
        E: Into<Box<dyn error::Error + Send + Sync>>,
    {
        let Driver { compute, sink } = self;
        let (timer, before) = (compute.timer(), ready.bytes());
        if ready.items() == 0 || !compute.is_worth_a_hop() {
            sink.take(&mut *ready)?;
            let next = compute.results(&timer, &mut *room, before, None);
            return Ok((room, ready, next));
        }
        let behind = (before, sink.took);
        let handover = Handover::new();
        let mut next = None;
        let aside = rayon::in_place_scope(|scope| {
            let handover = &handover;
            scope.spawn(|_| next = Some(compute.ahead(&timer, room, behind, handover)));
            sink.take_each(ready, handover)
        })?;
        let (ready, room) = handover.rest();
        let next = next.expect("a scope waits for what is spawned in it");
        Ok((ready, room.or(aside).unwrap_or_default(), next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_chunk_is_filled_where_it_is_waited_for_and_chunks_are_small() {
        let limits = Limits::new().memory(3200);
        let (permits, empty) = mpsc::channel();
        let permit = || {
            permits
                .send(Reused::default())
                .expect("the reader is there")
        };
        let mut ahead = Ahead::<Vec<u8>>::new(&limits, &empty);
        assert!(ahead.next(50, true).is_some(), "without a permit");
        assert_eq!(ahead.waiting, 1);
        permit();
        assert!(ahead.next(40, true).is_some());
        assert_eq!(ahead.waiting, 1, "one is computed, one waits");
        permit();
        permit();
        assert!(ahead.next(90, true).is_some());
        assert_eq!(ahead.waiting, 0, "both are too large for a third");
        permit();
        assert!(ahead.next(10, false).is_some());
        assert!(ahead.third.is_some(), "it is not late");
        drop(permits);
        assert!(ahead.next(10, true).is_none(), "nobody wants it");
    }
}
