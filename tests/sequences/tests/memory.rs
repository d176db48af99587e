//! The memory limit where items do not tell what is made of them: chunks are computed in parts, whose
//! arrays fit. Allocations are counted, so all is one test.

#![allow(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use ragged::seq::Limits;
use ragged::{ErrorKind, Result};

ragged::accel! {
    pub fn counted(ns: Seq<usize>) -> Seq<usize> { ns.flat_map(|n| 0..n) }
    pub fn small_ones(ns: Seq<usize>) -> Seq<usize> { ns.flat_map(|n| (0..n).filter(|i| i % 2 == 0)) }
    pub fn rows(n: usize, width: usize) -> Seq<[f64]> { produce(n, |i| fill(i as f64, width)) }
    /// Pieces are arrays.
    pub fn largest(ns: Seq<usize>) -> usize {
        ns.flat_map(|n| 0..n).chunks(1000).map(|piece| piece.sort().last_or(0)).max_or(0)
    }
    /// Two passes, which share the memory.
    pub fn beside(ns: Seq<usize>, more: Seq<usize>) -> Seq<usize> {
        zip(ns.flat_map(|n| 0..n), more).map(|(i, m)| i + m)
    }
    pub fn rows_beside(ns: Seq<usize>, more: Seq<f64>) -> Seq<f64> {
        zip(ns.map(|n| fill(0.5, n)).filter(|row| row.len() > 0), more).map(|(row, m)| row.sum() + m)
    }
    /// What is kept may take any memory.
    pub fn grown(ns: Seq<usize>) -> [usize] {
        ns.fold(fill(0, 3000000), |counts, n| if n > 1 { counts.map(|c| c + 1) } else { counts })
    }
}

/// Counts what is allocated, and the most that was at a time.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(start, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// What `f` gives, and the most memory that it had at a time.
fn most<T>(f: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let got = f();
    (got, MOST.load(Ordering::Relaxed) - before)
}

const LIMIT: usize = 16 << 20;

fn limits() -> Limits {
    Limits::new().memory(LIMIT)
}

/// Many small numbers, so that chunks have many items, then large ones, of which each gives 1 MB of
/// items.
fn bursts() -> impl Iterator<Item = usize> + Send + Clone {
    let some = |n, count| std::iter::repeat_n(n, count);
    some(1, 60_000)
        .chain(some(1 << 17, 60))
        .chain(some(1, 60_000))
}

#[test]
fn what_is_made_of_items_fits_the_limit() {
    ragged::memory::keep_at_most(0);
    let within = |most: usize, what: &str| {
        assert!(most <= LIMIT + LIMIT / 10, "{what}: {most} of {LIMIT}");
    };

    let want: usize = bursts().map(|n| n * (n - 1) / 2).sum();
    let (sum, bytes) = most(|| -> Result<usize> { counted::with(limits(), bursts())?.sum() });
    assert_eq!(sum, Ok(want));
    within(bytes, "an iterator");
    let mut sum = 0;
    let (ended, bytes) = most(|| {
        counted::for_each_with(limits(), bursts(), |i| {
            sum += i;
            Ok::<(), std::fmt::Error>(())
        })
    });
    assert_eq!((ended, sum), (Ok(()), want));
    within(bytes, "a sink");

    let want: usize = bursts().map(|n| (0..n).step_by(2).sum::<usize>()).sum();
    let (sum, bytes) = most(|| -> Result<usize> { small_ones::with(limits(), bursts())?.sum() });
    assert_eq!(sum, Ok(want));
    within(bytes, "lengths that are not known");

    let (sum, bytes) = most(|| -> Result<f64> {
        rows::with(limits(), 2000, 50_000)?
            .map(|row| row.map(|row| row[0]))
            .sum()
    });
    assert_eq!(sum, Ok(1999.0 * 1000.0));
    within(bytes, "items without bytes");

    let (greatest, bytes) = most(|| largest::with(limits(), bursts()));
    assert_eq!(greatest, Ok((1 << 17) - 1));
    within(bytes, "a value");

    let want: usize = bursts().map(|n| n * (n - 1) / 2).sum();
    let (sum, bytes) =
        most(|| -> Result<usize> { beside::with(limits(), bursts(), std::iter::repeat(0))?.sum() });
    assert_eq!(sum, Ok(want));
    within(bytes, "a pass within another");
    let want: f64 = bursts().map(|n| n as f64 / 2.0).sum();
    let (sum, bytes) = most(|| -> Result<f64> {
        rows_beside::with(limits(), bursts(), std::iter::repeat(0.0))?.sum()
    });
    assert_eq!(sum, Ok(want));
    within(bytes, "rows of a pass within another");

    let tried = counted::with(limits(), [1, 10_000_000]).map(|all| all.take(3).collect::<Vec<_>>());
    let tried = tried.expect("nothing is computed yet");
    assert_eq!(tried[0], Ok(0));
    let error = tried[1].clone().expect_err("80 MB");
    assert!(
        matches!(error.kind(), ErrorKind::OutOfMemory { .. }),
        "{error}"
    );
    assert_eq!(tried.len(), 2);
    let counts = grown::with(limits(), [1, 2, 3]);
    assert!(counts.is_ok_and(|it| it.len() == 3_000_000 && it.iter().all(|c| *c == 2)));
}
