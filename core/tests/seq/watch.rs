//! What is seen of a sequence while it runs.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex};

use ragged_core::seq::{
    Event, Limits, Progress, Stage, Trace, Watch, for_each, items, run, stream,
};
use ragged_core::{Error, Result};

use super::{SITE, with_threads};

/// Counts what it is told.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Counts>>);

#[derive(Default)]
struct Counts {
    progress: Vec<Progress>,
    ends: Vec<Progress>,
}

impl Watch for Told {
    fn progress(&self, progress: &Progress) {
        self.0.lock().expect("no panic").progress.push(*progress);
    }

    fn end(&self, progress: &Progress) {
        self.0.lock().expect("no panic").ends.push(*progress);
    }
}

#[expect(clippy::ptr_arg, reason = "what a step takes")]
fn doubled(xs: &Vec<u64>, _last: bool, out: &mut Vec<u64>) -> Result<bool> {
    out.extend(xs.iter().map(|x| 2 * x));
    Ok(true)
}

fn run_all(xs: impl Iterator<Item = u64> + Send, limits: Limits) {
    let source = items::<Vec<u64>, _, _>(&SITE, "xs", xs);
    assert_eq!(run(source, limits, |_, _| Ok(true)), Ok(()));
}

fn stream_all(xs: impl Iterator<Item = u64> + Send, limits: Limits) {
    let source = items::<Vec<u64>, _, _>(&SITE, "xs", xs);
    assert!(stream(source, limits, doubled).all(|it| it.is_ok()));
}

fn for_each_of_all(xs: impl Iterator<Item = u64> + Send, limits: Limits) {
    let source = items::<Vec<u64>, _, _>(&SITE, "xs", xs);
    let sink = |_| core::result::Result::<(), Error>::Ok(());
    assert_eq!(for_each(&SITE, source, limits, doubled, sink), Ok(()));
}

/// What is true of each driver.
fn check(drive: impl Fn(Limits), delivers: bool) {
    const N: usize = 300_000;
    let (told, trace) = (Told::default(), Trace::new());
    drive(Limits::new().watch(told.clone()).watch(trace.clone()));
    let told = told.0.lock().expect("no panic");
    let last = told.progress.last().expect("chunks");
    assert_eq!((last.items, last.bytes), (N, 8 * N));
    assert_eq!(last.chunks, told.progress.len());
    assert_eq!(&told.ends[..], [*last]);
    for (at, pair) in told.progress.windows(2).enumerate() {
        assert_eq!(pair[0].chunks, at + 1);
        assert!(pair[0].time <= pair[1].time);
        assert!((0.0..=1.0).contains(&pair[1].utilisation));
        assert_eq!(pair[0].items + pair[1].chunk_items, pair[1].items);
    }
    let events = trace.events();
    for (stage, items) in [
        (Stage::Read, N),
        (Stage::Compute, N),
        (Stage::Deliver, if delivers { N } else { 0 }),
    ] {
        let events: Vec<&Event> = events.iter().filter(|it| it.stage == stage).collect();
        assert_eq!(events.iter().map(|it| it.items).sum::<usize>(), items);
        assert!((0..).zip(&events).all(|(at, event)| event.chunk == at));
        assert!(events.iter().all(|it| it.run == last.run));
        // A stage does one thing after the other.
        let mut pairs = events.windows(2);
        assert!(pairs.all(|it| it[0].start + it[0].time <= it[1].start));
    }
}

#[test]
fn every_driver_tells() {
    for threads in [1, 2] {
        with_threads(threads, || {
            check(|limits| run_all(0..300_000, limits), false);
            check(|limits| stream_all(0..300_000, limits), true);
            check(|limits| for_each_of_all(0..300_000, limits), true);
        });
    }
}

#[test]
fn runs_have_numbers() {
    let told = Told::default();
    for _ in 0..2 {
        run_all(0..10, Limits::new().watch(told.clone()));
    }
    let told = told.0.lock().expect("no panic");
    assert!(told.ends[0].run < told.ends[1].run);
}

#[test]
fn every_end_is_told_once() {
    let ends = |drive: &dyn Fn(Limits)| {
        let told = Told::default();
        drive(Limits::new().watch(told.clone()));
        told.0.lock().expect("no panic").ends.len()
    };
    // Nothing to read.
    assert_eq!(ends(&|limits| run_all(0..0, limits)), 1);
    assert_eq!(ends(&|limits| for_each_of_all(0..0, limits)), 1);
    // An error of the source.
    let torn = |limits| {
        let xs = (0..9).map(|x| if x < 7 { Ok(x) } else { Err("torn") });
        let source = items::<Vec<u64>, _, _>(&SITE, "xs", xs);
        assert!(run(source, limits, |_, _| Ok(true)).is_err());
    };
    assert_eq!(ends(&torn), 1);
    // A panic in the step.
    let panics = |limits| {
        let source = items::<Vec<u64>, _, _>(&SITE, "xs", 0..9);
        let all = || run(source, limits, |_, _| panic!("as expected"));
        assert!(panic::catch_unwind(AssertUnwindSafe(all)).is_err());
    };
    assert_eq!(ends(&panics), 1);
    // An iterator that is dropped.
    let dropped = |limits| {
        let source = items::<Vec<u64>, _, _>(&SITE, "xs", 0..);
        assert_eq!(stream(source, limits, doubled).nth(10), Some(Ok(20)));
    };
    assert_eq!(ends(&dropped), 1);
}

#[test]
fn closures_watch() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&lines);
    let watch = move |progress: &Progress| {
        told.lock().expect("no panic").push(progress.to_string());
    };
    run_all(0..2000, Limits::new().watch(watch));
    let lines = lines.lock().expect("no panic");
    let last = lines.last().expect("chunks");
    assert!(last.starts_with("2.00 k items, 16.0 kB, "), "{last}");
    assert!(
        last.ends_with(" % busy") && last.contains(" items/s, "),
        "{last}"
    );
}

#[test]
fn limits_are_equal_with_the_same_watches() {
    let one = Limits::new().watch(Trace::new());
    assert_eq!(one, one.clone());
    assert_ne!(one, Limits::new());
    assert_ne!(one, Limits::new().watch(Trace::new()));
}

/// What is behind a value of JSON. Panics if there is none.
fn behind_value(text: &str) -> &str {
    let text = text.trim_start();
    let rest = match text.as_bytes()[0] {
        b'{' => behind_list(&text[1..], '}', |text| {
            assert!(text.starts_with('"'), "{text:.40}");
            behind_value(behind_value(text).strip_prefix(':').expect("a colon"))
        }),
        b'[' => behind_list(&text[1..], ']', behind_value),
        b'"' => text[1..].split_once('"').expect("an end of the string").1,
        _number => {
            let end = text.find([',', '}', ']']).expect("an end of the number");
            text[..end].parse::<f64>().expect("a number");
            &text[end..]
        }
    };
    rest.trim_start()
}

fn behind_list(text: &str, end: char, item: impl Fn(&str) -> &str) -> &str {
    let mut rest = text.trim_start();
    while !rest.starts_with(end) {
        rest = item(rest);
        match rest.strip_prefix(',') {
            Some(more) => rest = more.trim_start(),
            None => assert!(rest.starts_with(end), "{rest:.40}"),
        }
    }
    &rest[1..]
}

#[test]
fn traces_for_chrome() {
    for n in [0, 10, 100_000] {
        let trace = Trace::new();
        stream_all(0..n, Limits::new().watch(trace.clone()));
        run_all(0..n, Limits::new().watch(trace.clone()));
        let mut json = Vec::new();
        trace.write_chrome(&mut json).expect("a vector takes all");
        let json = String::from_utf8(json).expect("text");
        assert_eq!(behind_value(&json), "");
        assert!(json.contains(r#""args":{"name":"reading"}"#), "{json:.400}");
        let begun = json.matches(r#""cat":"reading","ph":"X""#).count();
        let events = trace.events();
        let read = events.iter().filter(|it| it.stage == Stage::Read);
        assert_eq!(begun, read.count());
    }
}

#[test]
fn plots() {
    let trace = Trace::new();
    let text = trace.svg();
    assert!(text.starts_with("<svg") && text.ends_with("</svg>\n") && !text.contains("NaN"));
    stream_all(0..1_000_000, Limits::new().watch(trace.clone()));
    let text = trace.svg();
    assert_eq!(
        text.matches("stroke-width=\"1.5\"").count(),
        3,
        "three lines"
    );
    assert!(!text.contains("NaN") && !text.contains("inf"));
    let chunks = trace.events().len() / 3;
    assert!(
        text.len() < 10_000 + 3 * 24 * chunks.min(900),
        "{}",
        text.len()
    );
}
