//! Spans of `tracing` around chunks.

#![cfg(feature = "tracing")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use ragged_core::Site;
use ragged_core::seq::{Limits, items, run};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// The names of spans, and how many items they are about.
#[derive(Default)]
struct Spans {
    next: AtomicU64,
    names: Arc<Mutex<Vec<&'static str>>>,
    items: Arc<AtomicU64>,
}

/// Adds up `items`.
struct Items<'a>(&'a AtomicU64);

impl Visit for Items<'_> {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "items" {
            self.0.fetch_add(value, Ordering::Relaxed);
        }
    }

    fn record_debug(&mut self, _field: &Field, _value: &dyn core::fmt::Debug) {}
}

impl Subscriber for Spans {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "ragged"
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut Items(&self.items));
        let mut names = self.names.lock().expect("no panic");
        names.push(span.metadata().name());
        Id::from_u64(1 + self.next.fetch_add(1, Ordering::Relaxed))
    }

    fn record(&self, _span: &Id, _values: &Record<'_>) {}
    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}
    fn event(&self, _event: &Event<'_>) {}
    fn enter(&self, _span: &Id) {}
    fn exit(&self, _span: &Id) {}
}

#[test]
fn a_span_for_each_chunk() {
    static SITE: Site = Site {
        function: "test",
        file: "test.rs",
        line: 3,
        column: 8,
        checks: &[],
    };
    let spans = Spans::default();
    let items_of_spans = Arc::clone(&spans.items);
    let names = Arc::clone(&spans.names);
    tracing::subscriber::set_global_default(spans).expect("it is the only one");
    let mut chunks = 0;
    let xs = items::<Vec<u64>, _, _>(&SITE, "xs", 0..1000);
    let limits = Limits::new().items(100);
    let outer = tracing::info_span!(target: "ragged", "outer").entered();
    let end = run(xs, limits, |_, _| {
        chunks += 1;
        Ok(true)
    });
    drop(outer);
    assert_eq!(end, Ok(()));
    assert_eq!(items_of_spans.load(Ordering::Relaxed), 1000);
    let names = names.lock().expect("no panic");
    assert_eq!(names[0], "outer");
    assert!(chunks >= 10 && names[1..] == vec!["chunk"; chunks]);
}
