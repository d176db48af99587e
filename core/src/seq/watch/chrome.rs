//! Traces for `chrome://tracing` and Perfetto: the JSON of Chrome's trace event format.
//!
//! In: events. Out: text.
//! Assumes: nothing.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::time::Instant;

use super::trace::Seen;
use super::{Event, Stage};

pub(super) fn write(seen: &Seen, start: Instant, to: impl Write) -> io::Result<()> {
    let mut to = BufWriter::new(to);
    to.write_all(b"{\"traceEvents\":[")?;
    let runs: BTreeSet<usize> = seen.events.iter().map(|event| event.run).collect();
    let mut separator = "\n";
    for run in runs {
        write!(
            to,
            "{separator}{{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":{run},\"args\":{{\"name\":\"run {run}\"}}}}"
        )?;
        separator = ",\n";
        for stage in [Stage::Read, Stage::Compute, Stage::Deliver] {
            let (track, name) = (track(stage), name(stage));
            write!(
                to,
                "{separator}{{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":{run},\"tid\":{track},\"args\":{{\"name\":\"{name}\"}}}}"
            )?;
        }
    }
    for event in &seen.events {
        let Event {
            stage,
            run,
            chunk,
            items,
            bytes,
            ..
        } = *event;
        let (track, name) = (track(stage), name(stage));
        let at = micros(event.start.saturating_duration_since(start).as_nanos());
        let time = micros(event.time.as_nanos());
        write!(
            to,
            "{separator}{{\"name\":\"{name} {chunk}\",\"cat\":\"{name}\",\"ph\":\"X\",\"ts\":{at},\"dur\":{time},\"pid\":{run},\"tid\":{track},\"args\":{{\"chunk\":{chunk},\"items\":{items},\"bytes\":{bytes}}}}}"
        )?;
    }
    for (time, progress) in &seen.progress {
        let at = micros((time * 1e9) as u128);
        let (run, items) = (progress.run, progress.chunk_items);
        let percent = 100.0 * progress.utilisation;
        write!(
            to,
            "{separator}{{\"name\":\"items of a chunk\",\"ph\":\"C\",\"ts\":{at},\"pid\":{run},\"args\":{{\"items\":{items}}}}},\n{{\"name\":\"utilisation\",\"ph\":\"C\",\"ts\":{at},\"pid\":{run},\"args\":{{\"percent\":{percent:.1}}}}}"
        )?;
    }
    to.write_all(b"\n],\"displayTimeUnit\":\"ms\"}\n")?;
    to.flush()
}

fn track(stage: Stage) -> usize {
    match stage {
        Stage::Read => 0,
        Stage::Compute => 1,
        Stage::Deliver => 2,
    }
}

fn name(stage: Stage) -> &'static str {
    match stage {
        Stage::Read => "reading",
        Stage::Compute => "computing",
        Stage::Deliver => "delivering",
    }
}

fn micros(nanos: u128) -> String {
    format!("{}.{:03}", nanos / 1000, nanos % 1000)
}
