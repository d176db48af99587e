//! Functions over sequences in the middle of faults: whatever fails, runs end, what was handed on is
//! right, as much as was before the fault, and no thread is left.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use ragged::Result;
use ragged::seq::Limits;

ragged::accel! {
    /// Each item with its number, what it says in a table, and a division by its first element.
    pub fn steps(items: Seq<[usize]>, table: [i64]) -> Seq<(usize, [i64], usize)> {
        items.enumerate().map(|(i, item)| (i, item.map(|x| table[x]), 1000 / item[0]))
    }
}

/// The table: `table()[x]` is `3 x`.
fn table() -> Vec<i64> {
    (0..100).map(|x| 3 * x).collect()
}

/// Where and how a run fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    Nothing,
    SourceError,
    SourcePanic,
    SourceBlocks,
    TooLarge,
    /// A step's index is out of range.
    Index,
    /// A step divides by zero.
    Division,
    /// The sink fails; an iterator is dropped.
    SinkError,
    /// The sink panics; so does who reads an iterator.
    SinkPanic,
}

const FAULTS: [Fault; 9] = [
    Fault::Nothing,
    Fault::SourceError,
    Fault::SourcePanic,
    Fault::SourceBlocks,
    Fault::TooLarge,
    Fault::Index,
    Fault::Division,
    Fault::SinkError,
    Fault::SinkPanic,
];

/// One run: `items` items, and the fault at one of them.
#[derive(Clone, Copy, Debug)]
struct Run {
    fault: Fault,
    items: usize,
    at: usize,
    limit: Limit,
    in_stages: bool,
}

/// What limits it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Limit {
    Nothing,
    /// Chunks of so many items.
    Items(usize),
    /// So many bytes, of which a [`Fault::TooLarge`] needs more.
    Memory(usize),
}

impl Limit {
    fn limits(self) -> Limits {
        match self {
            Limit::Nothing => Limits::new(),
            Limit::Items(most) => Limits::new().items(most),
            Limit::Memory(bytes) => Limits::new().memory(bytes),
        }
    }
}

const LIMITS: [Limit; 5] = [
    Limit::Nothing,
    Limit::Items(1),
    Limit::Items(3),
    Limit::Items(64),
    Limit::Memory(20_000),
];

impl Run {
    fn item(self, i: usize) -> Vec<usize> {
        let mut item: Vec<usize> = (0..1 + i * 7 % 5).map(|x| 1 + (i + x) % 90).collect();
        match self.fault {
            Fault::Index if i == self.at => item.push(100),
            Fault::Division if i == self.at => item[0] = 0,
            Fault::TooLarge if i == self.at => item = vec![1; 4000],
            _other => {}
        }
        item
    }

    fn source(self) -> impl Iterator<Item = std::result::Result<Vec<usize>, String>> + Send {
        (0..self.items).map(move |i| {
            match self.fault {
                Fault::SourceError if i == self.at => return Err("torn".to_owned()),
                Fault::SourcePanic if i == self.at => panic!("injected"),
                Fault::SourceBlocks if i == self.at => thread::sleep(Duration::from_millis(3)),
                _other => {}
            }
            Ok(self.item(i))
        })
    }

    /// How many results there were, and the end.
    fn outcome(self) -> (usize, Result<()>) {
        let mut seen = 0;
        let (limits, table) = (self.limit.limits(), table());
        let end = match self.in_stages {
            true => steps::for_each_with(limits, self.source(), &table, |result| {
                match self.see(result, &mut seen) {
                    true => Ok(()),
                    false => Err("full"),
                }
            }),
            false => steps::with(limits, self.source(), &table).and_then(|mut results| {
                let mut go_on = true;
                while let (true, Some(result)) = (go_on, results.next()) {
                    let (i, values, share) = result?;
                    go_on = self.see((i, &values, share), &mut seen);
                }
                assert!(!go_on || results.next().is_none());
                Ok(())
            }),
        };
        (seen, end)
    }

    /// Looks at the next result; `false` if no other is wanted.
    fn see(self, result: (usize, &[i64], usize), seen: &mut usize) -> bool {
        let item = self.item(*seen);
        let values = Vec::from_iter(item.iter().map(|x| 3 * *x as i64));
        assert_eq!(result, (*seen, &values[..], 1000 / item[0]), "{self:?}");
        let is_it = *seen == self.at;
        assert!(self.fault != Fault::SinkPanic || !is_it, "injected");
        *seen += 1;
        self.fault != Fault::SinkError || !is_it
    }

    /// How many results come, and the error behind them; none for a run that panics.
    fn expected(self) -> Option<(usize, Option<&'static str>)> {
        let is_limited = matches!(self.limit, Limit::Memory(_));
        match self.fault {
            Fault::SourcePanic | Fault::SinkPanic => None,
            Fault::SourceError => Some((self.at, Some("could not be read"))),
            Fault::TooLarge if is_limited => Some((self.at, Some("takes 32"))),
            Fault::Index => Some((self.at, Some("index 100 is out of range"))),
            Fault::Division => Some((self.at, Some("division by zero"))),
            Fault::SinkError => {
                let error = self.in_stages.then_some("could not be handed on");
                Some((self.at + 1, error))
            }
            Fault::Nothing | Fault::SourceBlocks | Fault::TooLarge => Some((self.items, None)),
        }
    }

    fn check(self) {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.outcome()));
        match (outcome, self.expected()) {
            (Ok((seen, end)), Some((expected, error))) => {
                assert_eq!(seen, expected, "{self:?}: {end:?}");
                let end = end.map_err(|it| it.to_string()).err();
                let is_right = match (&end, error) {
                    (Some(end), Some(error)) => end.contains(error),
                    (end, error) => end.is_none() && error.is_none(),
                };
                assert!(is_right, "{self:?}: {end:?}");
            }
            (Err(panic), None) => assert_eq!(panic.downcast_ref(), Some(&"injected"), "{self:?}"),
            (outcome, expected) => panic!("{self:?}: {:?}, not {expected:?}", outcome.ok()),
        }
    }
}

/// All runs of a pool: few items and many, the fault at the first, in the middle and at the last.
fn runs() -> impl Iterator<Item = Run> {
    let places = [(1, 0), (40, 0), (40, 23), (40, 39), (500, 377)];
    FAULTS.into_iter().flat_map(move |fault| {
        places.into_iter().flat_map(move |(items, at)| {
            LIMITS.into_iter().flat_map(move |limit| {
                [false, true].map(|in_stages| Run {
                    fault,
                    items,
                    at,
                    limit,
                    in_stages,
                })
            })
        })
    })
}

/// The threads of this process.
#[cfg(target_os = "linux")]
fn threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task");
    tasks.expect("Linux has it").count()
}

/// Threads that have ended may still be listed for a moment.
#[cfg(target_os = "linux")]
fn are_gone(before: usize) -> bool {
    let start = Instant::now();
    while threads() > before {
        if start.elapsed() > Duration::from_secs(5) {
            return false;
        }
        thread::yield_now();
    }
    true
}

/// Everywhere else nobody counts.
#[cfg(not(target_os = "linux"))]
fn threads() -> usize {
    0
}

#[cfg(not(target_os = "linux"))]
fn are_gone(_before: usize) -> bool {
    true
}

/// Gives each run before it is done, so that one that hangs has a name.
fn all_runs(next: &mpsc::Sender<Run>) {
    for threads_of_pool in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads_of_pool);
        let pool = pool.build().expect("threads can be started");
        pool.install(|| {
            let before = threads();
            for run in runs() {
                next.send(run).expect("the test waits");
                run.check();
                assert!(are_gone(before), "{run:?} leaves a thread");
            }
        });
    }
}

#[test]
fn whatever_fails_what_was_handed_on_is_right() {
    // Panics are injected: nobody wants to read of them.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if info.payload().downcast_ref() != Some(&"injected") {
            hook(info);
        }
    }));
    let (next, runs) = mpsc::channel();
    let worker = thread::spawn(move || all_runs(&next));
    let (mut last, mut count) = (None, 0);
    loop {
        match runs.recv_timeout(Duration::from_secs(60)) {
            Ok(run) => (last, count) = (Some(run), count + 1),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("{last:?} hangs"),
        }
    }
    worker.join().expect("each run is right");
    assert_eq!(count, 3 * 9 * 5 * 5 * 2);
}
