//! What is seen of a sequence while it runs.
//!
//! In: what drivers say of each chunk: when it was read, computed, and its results handed on. Out:
//! events and totals for those who watch.
//! Assumes: nothing. Where nobody watches, no clock is looked at.

mod chrome;
mod plot;
mod trace;

use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use trace::Trace;

use super::chunk::Chunk;

/// What watches a sequence: see [`Limits::watch`](super::Limits::watch).
///
/// It is called on the threads that read and compute, which wait for it. A closure that takes a
/// [`Progress`] is one; [`Trace`] keeps all for a picture of it.
pub trait Watch: Send + Sync {
    /// A stage of a chunk is over.
    fn stage(&self, _event: &Event) {}

    /// A chunk has been computed.
    fn progress(&self, _progress: &Progress) {}

    /// Nothing further comes of a run: its end, an error, a panic, or an iterator that was dropped. A
    /// chunk that is being read then, on another thread, may still be told of.
    fn end(&self, _progress: &Progress) {}
}

impl<F: Fn(&Progress) + Send + Sync> Watch for F {
    fn progress(&self, progress: &Progress) {
        self(progress);
    }
}

/// What was done with a chunk, in which time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Event {
    /// What was done.
    pub stage: Stage,
    /// The run: a number for each pass over sequences, in the order in which they began.
    pub run: usize,
    /// The number of the chunk among those of its stage, from 0.
    pub chunk: usize,
    /// How many items it has, or results.
    pub items: usize,
    /// The bytes that these take.
    pub bytes: usize,
    /// When it began.
    pub start: Instant,
    /// How long it took.
    pub time: Duration,
}

/// What is done with a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Its items are read.
    Read,
    /// It is computed.
    Compute,
    /// Its results are handed on: to a sink, or to the caller of an iterator, who has not asked for
    /// those of the next chunk yet.
    Deliver,
}

/// How far a run has come. As text it is one line.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Progress {
    /// The run: a number for each pass over sequences, in the order in which they began.
    pub run: usize,
    /// The chunks that have been computed.
    pub chunks: usize,
    /// Their items.
    pub items: usize,
    /// The bytes that these took.
    pub bytes: usize,
    /// The time since the first item was asked for.
    pub time: Duration,
    /// The items of the last chunk.
    pub chunk_items: usize,
    /// The bytes of the last chunk.
    pub chunk_bytes: usize,
    /// The part, from 0 to 1, of the time since the chunk before was done in which the last chunk was
    /// computed: low where the source, or what takes the results, is slower than the step.
    pub utilisation: f64,
}

impl Progress {
    /// Items in a second, since the beginning.
    pub fn items_per_second(&self) -> f64 {
        self.items as f64 / self.time.as_secs_f64().max(1e-9)
    }

    /// Bytes in a second, since the beginning.
    pub fn bytes_per_second(&self) -> f64 {
        self.bytes as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, {}B, {}/s, {}B/s, chunks of {}, {:.0} % busy",
            items(self.items as f64),
            short(self.bytes as f64),
            items(self.items_per_second()),
            short(self.bytes_per_second()),
            items(self.chunk_items as f64),
            100.0 * self.utilisation
        )
    }
}

/// The same with its unit, before which a letter is no part of it.
fn items(number: f64) -> String {
    format!("{} items", short(number).trim_end())
}

/// A number with three digits and a letter for its size: `1.23 M`, behind which a unit may stand.
fn short(number: f64) -> String {
    let (left, unit) = scaled(number);
    let digits = match left {
        _ if unit.is_empty() && left.fract() == 0.0 => 0,
        left if left < 9.995 => 2,
        left if left < 99.95 => 1,
        _ => 0,
    };
    format!("{left:.digits$} {unit}")
}

/// A number, and the letter for a power of a thousand that it has to be multiplied by.
fn scaled(number: f64) -> (f64, &'static str) {
    let units = ["", "k", "M", "G", "T", "P"];
    let mut left = number;
    let mut at = 0;
    while left >= 999.5 && at + 1 < units.len() {
        left /= 1000.0;
        at += 1;
    }
    (left, units[at])
}

/// Those who watch.
#[derive(Clone, Default)]
pub(super) struct Watches(Vec<Arc<dyn Watch>>);

impl Watches {
    pub(super) fn add(&mut self, watch: impl Watch + 'static) {
        self.0.push(Arc::new(watch));
    }

    /// Calls all.
    fn each(&self, call: impl Fn(&dyn Watch)) {
        for watch in &self.0 {
            call(&**watch);
        }
    }
}

impl fmt::Debug for Watches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} watching", self.0.len())
    }
}

/// The same ones.
impl PartialEq for Watches {
    fn eq(&self, other: &Self) -> bool {
        let same = |(a, b): (&Arc<dyn Watch>, &Arc<dyn Watch>)| Arc::ptr_eq(a, b);
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(same)
    }
}

impl Eq for Watches {}

/// One stage of a run, for those who watch, if there are any.
#[derive(Clone)]
pub(super) struct Staged(Option<Box<Stages>>);

#[derive(Clone)]
struct Stages {
    watches: Watches,
    run: usize,
    stage: Stage,
    next: usize,
}

impl Staged {
    /// What this is done to began then, if somebody wants to know.
    pub(super) fn begin(&self) -> Option<Instant> {
        self.0.as_ref().map(|_| Instant::now())
    }

    /// It is done to this chunk.
    pub(super) fn end(&mut self, chunk: &impl Chunk, begin: Option<Instant>) {
        if let (Some(stages), Some(start)) = (&mut self.0, begin) {
            stages.tell(chunk, start, start.elapsed());
        }
    }
}

impl Stages {
    fn tell(&mut self, chunk: &impl Chunk, start: Instant, time: Duration) {
        let event = Event {
            stage: self.stage,
            run: self.run,
            chunk: self.next,
            items: chunk.items(),
            bytes: chunk.bytes(),
            start,
            time,
        };
        self.next += 1;
        self.watches.each(|watch| watch.stage(&event));
    }
}

/// The stage in which chunks are computed, and what has been computed.
pub(super) struct Computed(Option<Box<Totals>>);

struct Totals {
    stages: Stages,
    created: Instant,
    /// When the chunk before was done.
    last: Instant,
    progress: Progress,
}

/// A run of those who watch: each stage of it.
pub(super) fn stages(watches: &Watches) -> (Staged, Computed, Staged) {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    if watches.0.is_empty() {
        return (Staged(None), Computed(None), Staged(None));
    }
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let [read, compute, deliver] =
        [Stage::Read, Stage::Compute, Stage::Deliver].map(|stage| Stages {
            watches: watches.clone(),
            run,
            stage,
            next: 0,
        });
    let now = Instant::now();
    let totals = Totals {
        stages: compute,
        created: now,
        last: now,
        progress: Progress {
            run,
            ..Progress::default()
        },
    };
    (
        Staged(Some(Box::new(read))),
        Computed(Some(Box::new(totals))),
        Staged(Some(Box::new(deliver))),
    )
}

/// When a chunk was computed, and how long, if somebody wants to know.
pub(super) type Span = Option<(Instant, Duration)>;

impl Computed {
    /// The run begins now.
    pub(super) fn start(&mut self) {
        if let Some(totals) = &mut self.0
            && totals.progress.chunks == 0
        {
            totals.created = Instant::now();
            totals.last = totals.created;
        }
    }

    /// What measures the time of a step.
    pub(super) fn timer(&self) -> Timer {
        Timer {
            is_wanted: self.0.is_some(),
            #[cfg(feature = "tracing")]
            parent: tracing::Span::current(),
        }
    }

    /// This chunk has been computed in this time.
    pub(super) fn end(&mut self, chunk: &impl Chunk, span: Span) {
        let (Some(totals), Some((start, time))) = (&mut self.0, span) else {
            return;
        };
        let now = Instant::now();
        let (items, bytes) = (chunk.items(), chunk.bytes());
        let whole = now.duration_since(totals.last).max(Duration::from_nanos(1));
        let progress = &mut totals.progress;
        progress.chunks += 1;
        progress.items += items;
        progress.bytes += bytes;
        progress.time = now.duration_since(totals.created);
        progress.chunk_items = items;
        progress.chunk_bytes = bytes;
        progress.utilisation = (time.as_secs_f64() / whole.as_secs_f64()).min(1.0);
        totals.last = now;
        totals.stages.tell(chunk, start, time);
        let watches = &totals.stages.watches;
        watches.each(|watch| watch.progress(&totals.progress));
    }
}

impl Drop for Computed {
    fn drop(&mut self) {
        if let Some(totals) = &mut self.0 {
            let watches = &totals.stages.watches;
            watches.each(|watch| watch.end(&totals.progress));
        }
    }
}

/// Measures steps, on whatever thread they run, and opens a span of `tracing` around each.
pub(super) struct Timer {
    is_wanted: bool,
    #[cfg(feature = "tracing")]
    parent: tracing::Span,
}

impl Timer {
    /// Runs the step of a chunk.
    #[cfg_attr(
        not(feature = "tracing"),
        expect(unused_variables, reason = "only a span names the chunk")
    )]
    pub(super) fn time<T>(
        &self,
        chunk: &impl Chunk,
        span: &mut Span,
        step: impl FnOnce() -> T,
    ) -> T {
        #[cfg(feature = "tracing")]
        let _entered = tracing::debug_span!(
            target: "ragged",
            parent: &self.parent,
            "chunk",
            items = chunk.items(),
            bytes = chunk.bytes()
        )
        .entered();
        if !self.is_wanted {
            return step();
        }
        let start = Instant::now();
        let made = step();
        *span = Some((start, start.elapsed()));
        made
    }
}
