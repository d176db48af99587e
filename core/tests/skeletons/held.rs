//! Scans of which one worker is held up, or panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ragged_core::{Combine, Flag, Kernel, Operator, Product, scan};

use crate::on_each_pool;
use crate::reference;
use crate::values::{Cheap, One, Value, values};

/// Values, of which the block at `at` is not made at first before something else has been done.
struct Held<'a, F: Fn()> {
    values: Cheap<'a, u64, true>,
    at: usize,
    first: AtomicBool,
    until: F,
}

impl<'a, F: Fn()> Held<'a, F> {
    fn new(xs: &'a [u64], at: usize, until: F) -> Self {
        Held {
            values: Cheap(One(xs)),
            at,
            first: AtomicBool::new(true),
            until,
        }
    }
}

impl<H: Fn() + Sync> Kernel for Held<'_, H> {
    type Out = (u64,);
    const COST: u32 = 1;
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        if (start..start + L).contains(&self.at) && self.first.swap(false, Ordering::Relaxed) {
            (self.until)();
        }
        self.values.block::<L, F>(start, out, flag);
    }
}

impl<H: Fn() + Sync> Combine for Held<'_, H> {
    const COMMUTATIVE: bool = true;
    const OPERATOR: Operator = u64::OPERATOR;
    fn neutral(&self) -> (u64,) {
        self.values.neutral()
    }
    fn combine<F: Flag>(&self, a: (u64,), b: (u64,), flag: &mut F) -> (u64,) {
        self.values.combine(a, b, flag)
    }
}

/// More than workers sum without knowing what comes before.
const MANY: usize = 2_500_003;

#[test]
fn others_go_on_meanwhile() {
    let xs = values::<u64>(MANY);
    let (expected, sum) = reference::scan(&xs, Some(0), None, false, u64::add);
    on_each_pool(|_| {
        for (n, at) in [(MANY, 0), (MANY, MANY / 2), (MANY, MANY - 1), (100_000, 0)] {
            let kernel = Held::new(&xs, at, || std::thread::sleep(Duration::from_millis(100)));
            let ((ys,), total) = scan(&kernel, n, None, false).unwrap();
            assert!(ys == expected[..n], "{n} {at}");
            assert_eq!(
                total,
                if n == MANY {
                    sum.map(|sum| (sum,))
                } else {
                    expected[..n].last().map(|&y| (y,))
                }
            );
        }
    });
}

#[test]
fn others_do_not_wait_for_who_panicked() {
    let xs = values::<u64>(MANY);
    on_each_pool(|_| {
        for at in [0, MANY / 2] {
            let kernel = Held::new(&xs, at, || panic!("at {at}"));
            let scanned = catch_unwind(AssertUnwindSafe(|| {
                scan(&kernel, MANY, None, false).is_ok()
            }));
            assert!(scanned.is_err());
        }
    });
}
