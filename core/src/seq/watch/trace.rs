//! All that was seen of runs.
//!
//! In: events. Out: the events again, in order, for a picture of them.
//! Assumes: nothing.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::{Event, Progress, Watch, chrome, plot};

/// What was done with each chunk, and how the runs went on: for
/// [`write_chrome`](Trace::write_chrome), which shows the stages side by side, and
/// [`svg`](Trace::svg), which shows sizes of chunks over time. A clone is the same trace.
///
/// It keeps about 200 bytes for each chunk.
///
/// ```
/// use ragged_core::seq::{Limits, Trace};
///
/// let trace = Trace::new();
/// let limits = Limits::new().watch(trace.clone());
/// // … NAME::with(limits, …) …
/// let mut json = Vec::new();
/// trace.write_chrome(&mut json)?;
/// assert!(json.starts_with(b"{\"traceEvents\":["));
/// assert!(trace.svg().starts_with("<svg"));
/// # drop(limits);
/// # std::io::Result::Ok(())
/// ```
#[derive(Clone, Debug)]
pub struct Trace(Arc<Kept>);

#[derive(Debug)]
struct Kept {
    start: Instant,
    seen: Mutex<Seen>,
}

/// What was seen, in the order in which it ended.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub events: Vec<Event>,
    /// With the seconds since the trace began.
    pub progress: Vec<(f64, Progress)>,
}

impl Trace {
    /// A trace that begins now.
    pub fn new() -> Self {
        let start = Instant::now();
        let seen = Mutex::default();
        Trace(Arc::new(Kept { start, seen }))
    }

    /// What was done with chunks so far, in the order in which it was over.
    pub fn events(&self) -> Vec<Event> {
        self.with(|seen| seen.events.clone())
    }

    /// Writes the trace as JSON for `chrome://tracing` and <https://ui.perfetto.dev>: for each run
    /// three tracks, of reading, computing and delivering, and beside them how large chunks were.
    ///
    /// Errors: those of the writer.
    pub fn write_chrome(&self, to: impl Write) -> io::Result<()> {
        let seen = self.with(|seen| seen.clone());
        chrome::write(&seen, self.0.start, to)
    }

    /// A plot of the chunks' items and bytes, and of utilisation (see [`Progress::utilisation`]), over
    /// time: a picture that needs no other file.
    pub fn svg(&self) -> String {
        plot::svg(&self.with(|seen| seen.progress.clone()))
    }

    /// What was seen is as good after a panic of somebody else.
    fn with<T>(&self, f: impl FnOnce(&mut Seen) -> T) -> T {
        f(&mut self.0.seen.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Default for Trace {
    fn default() -> Self {
        Trace::new()
    }
}

impl Watch for Trace {
    fn stage(&self, event: &Event) {
        self.with(|seen| seen.events.push(*event));
    }

    fn progress(&self, progress: &Progress) {
        let time = self.0.start.elapsed().as_secs_f64();
        self.with(|seen| seen.progress.push((time, *progress)));
    }
}
