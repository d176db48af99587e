//! Sources that wait where the sink has failed: the call waits for `next()`, which nothing can
//! interrupt, then gives the sink's error, and the thread that reads has ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use ragged::seq::Limits;
use ragged::{ErrorKind, Result};

ragged::accel! {
    pub fn doubled(xs: Seq<u32>) -> Seq<u32> { xs.map(|x| 2 * x) }
}

/// Long enough for whoever does not wait to be seen.
const WHILE: Duration = Duration::from_millis(50);

/// Long enough for whoever hangs to be told from who is slow.
const AT_MOST: Duration = Duration::from_secs(60);

/// Set when it is dropped: with what owns it, or with the thread that it is kept in.
struct Told(Arc<AtomicBool>);

impl Drop for Told {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

thread_local! {
    /// What tells of the end of the thread that reads.
    static END: std::cell::RefCell<Option<Told>> = const { std::cell::RefCell::new(None) };
}

/// Runs until the sink fails at the first item; `next` gives those behind it. Its error, and whether the
/// thread that read is over.
fn fails(
    mut next: impl FnMut() -> Option<std::result::Result<u32, String>> + Send,
) -> (Result<()>, bool) {
    let over = Arc::new(AtomicBool::new(false));
    let mut told = Some(Told(over.clone()));
    let source = std::iter::from_fn(move || match told.take() {
        Some(told) => {
            END.set(Some(told));
            Some(Ok(1))
        }
        None => next(),
    });
    let limits = Limits::new().items(1);
    let end = doubled::for_each_with(limits, source, |_| Err("full"));
    (end, over.load(Ordering::SeqCst))
}

fn check((end, is_over): (Result<()>, bool)) {
    let error = end.expect_err("the sink fails");
    assert!(
        matches!(error.kind(), ErrorKind::Sink { result: 0, .. }),
        "{error}"
    );
    assert!(is_over, "the thread that reads is left");
}

/// What another thread gives within [`AT_MOST`].
fn in_time<T>(of: &Receiver<T>) -> T {
    of.recv_timeout(AT_MOST).expect("nothing hangs")
}

#[test]
fn the_error_comes_when_the_source_goes_on() {
    // Another item, the end, and an error of the source, which comes after that of the sink.
    for last in [Some(Ok(7)), None, Some(Err("torn".to_owned()))] {
        let (release, released) = mpsc::channel();
        let (asked, blocks) = mpsc::channel();
        let (done, ended) = mpsc::channel();
        let call = thread::spawn(move || {
            let end = fails(move || {
                asked.send(()).expect("the test waits");
                in_time(&released)
            });
            done.send(end).expect("the test waits");
        });
        in_time(&blocks);
        let waits = ended.recv_timeout(WHILE);
        assert!(waits.is_err(), "the reader is waited for: {waits:?}");
        release.send(last).expect("the source waits");
        check(in_time(&ended));
        assert!(blocks.recv().is_err(), "nothing more is asked for");
        call.join().expect("no panic");
    }
}

#[test]
fn a_source_with_a_time_out_is_waited_for_as_long() {
    let (_nobody_sends, items) = mpsc::channel();
    check(fails(move || {
        Some(items.recv_timeout(WHILE).map_err(|error| error.to_string()))
    }));
}

#[test]
fn a_sink_may_let_its_source_go() {
    let (feed, items) = mpsc::channel();
    let mut feed = Some(feed);
    feed.as_ref()
        .map(|feed| feed.send(1))
        .expect("a feed")
        .expect("it is read");
    let source = std::iter::from_fn(move || items.recv().ok());
    let end = doubled::for_each_with(Limits::new().items(1), source, |_| {
        feed.take();
        Err("full")
    });
    assert!(matches!(
        end.expect_err("full").kind(),
        ErrorKind::Sink { result: 0, .. }
    ));
}
