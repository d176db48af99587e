//! Scans of which one worker is held up, or panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ragged_core::{CHUNK, Combine, Flag, Kernel, Operator, Product, load, scan};

use crate::on_each_pool;
use crate::reference;
use crate::values::{Cheap, One, Value, values};

/// What a kernel does before it gives the block in which the element `at` is, the first time.
struct Once<H: Fn()> {
    at: usize,
    first: AtomicBool,
    what: H,
}

impl<H: Fn()> Once<H> {
    fn new(at: usize, what: H) -> Self {
        let first = AtomicBool::new(true);
        Once { at, first, what }
    }

    fn come_to(&self, start: usize, lanes: usize) {
        if (start..start + lanes).contains(&self.at) && self.first.swap(false, Ordering::Relaxed) {
            (self.what)();
        }
    }
}

fn sleep() {
    std::thread::sleep(Duration::from_millis(30));
}

/// Sums that are computed twice rather than kept.
struct Sums<'a, H: Fn()>(Cheap<'a, u64, true>, Once<H>);

impl<H: Fn() + Sync> Kernel for Sums<'_, H> {
    type Out = (u64,);
    const COST: u32 = 1;
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        flag: &mut F,
    ) {
        self.1.come_to(start, L);
        self.0.block::<L, F>(start, out, flag);
    }
}

impl<H: Fn() + Sync> Combine for Sums<'_, H> {
    const COMMUTATIVE: bool = true;
    const OPERATOR: Operator = u64::OPERATOR;
    fn neutral(&self) -> (u64,) {
        self.0.neutral()
    }
    fn combine<F: Flag>(&self, a: (u64,), b: (u64,), flag: &mut F) -> (u64,) {
        self.0.combine(a, b, flag)
    }
}

/// More than workers sum without knowing what comes before.
const MANY: usize = 2_500_003;

#[test]
fn others_go_on_meanwhile() {
    let xs = values::<u64>(MANY);
    let (expected, _) = reference::scan(&xs, Some(0), None, false, u64::add);
    on_each_pool(|_| {
        for (n, at) in [
            (MANY, 0),
            (MANY, MANY / 2),
            (MANY, MANY - CHUNK),
            (100_000, 0),
        ] {
            let kernel = Sums(Cheap(One(&xs)), Once::new(at, sleep));
            let ((ys,), total) = scan(&kernel, n, None, false).unwrap();
            assert!(ys == expected[..n], "{n} {at}");
            assert_eq!(total, ys.last().map(|&y| (y,)), "{n} {at}");
        }
    });
}

#[test]
fn others_do_not_wait_for_who_panicked() {
    let xs = values::<u64>(MANY);
    on_each_pool(|_| {
        for at in [0, MANY / 2] {
            let kernel = Sums(Cheap(One(&xs)), Once::new(at, || panic!("at {at}")));
            let run = || scan(&kernel, MANY, None, false).is_ok();
            assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
        }
    });
}

/// Products beside the greatest, or affine maps: zero is neutral in neither, and where `CHECKED` it fails.
struct Small<'a, const COMMUTATIVE: bool, const CHECKED: bool> {
    xs: &'a [u8],
    ys: &'a [u8],
    once: Once<fn()>,
}

fn op<const COMMUTATIVE: bool>(a: (u8, u8), b: (u8, u8)) -> (u8, u8) {
    let product = a.0.wrapping_mul(b.0);
    match COMMUTATIVE {
        true => (product, a.1.max(b.1)),
        false => (product, a.1.wrapping_mul(b.0).wrapping_add(b.1)),
    }
}

impl<const C: bool, const CHECKED: bool> Kernel for Small<'_, C, CHECKED> {
    type Out = (u8, u8);
    const COST: u32 = 8;
    const CHECKS: bool = CHECKED;
    fn block<const L: usize, F: Flag>(
        &self,
        start: usize,
        out: <Self::Out as Product>::Slots<'_, L>,
        _flag: &mut F,
    ) {
        self.once.come_to(start, L);
        out.0.copy_from_slice(load::<u8, L>(self.xs, start));
        out.1.copy_from_slice(load::<u8, L>(self.ys, start));
    }
}

impl<const C: bool, const CHECKED: bool> Combine for Small<'_, C, CHECKED> {
    const COMMUTATIVE: bool = C;
    fn neutral(&self) -> (u8, u8) {
        (1, 0)
    }
    fn combine<F: Flag>(&self, a: (u8, u8), b: (u8, u8), flag: &mut F) -> (u8, u8) {
        if CHECKED {
            flag.check(a.0 == 0 || b.0 == 0, 0, [0; 3]);
        }
        op::<C>(a, b)
    }
}

/// The last part is summed before the one in front of it, and has fewer chunks.
fn check_small<const C: bool, const CHECKED: bool>() {
    let n = 130 * CHUNK + 5;
    // Odd, so that no product is zero.
    let xs: Vec<u8> = values::<u8>(n).iter().map(|x| x | 1).collect();
    let ys = values::<u8>(n);
    let all: Vec<_> = xs.iter().copied().zip(ys.iter().copied()).collect();
    for (start, exclusive) in [(None, false), (Some((3, 5)), true)] {
        let neutral = C.then_some((1, 0));
        let (expected, sum) = reference::scan(&all, neutral, start, exclusive, op::<C>);
        on_each_pool(|threads| {
            // The last part but one has up to four chunks, the last has up to three.
            for chunk in [126, 129] {
                let once = Once::new(chunk * CHUNK, sleep as fn());
                let (xs, ys) = (&xs[..], &ys[..]);
                let kernel = Small::<C, CHECKED> { xs, ys, once };
                let ((a, b), total) = scan(&kernel, n, start, exclusive).unwrap();
                let made = a.iter().copied().zip(b);
                assert!(made.eq(expected.iter().copied()), "{threads} {chunk}");
                assert_eq!(total, sum, "{threads} {chunk}");
            }
        });
    }
}

#[test]
fn totals_of_short_parts_are_joined_by_others() {
    check_small::<true, false>();
    check_small::<false, false>();
    check_small::<false, true>();
}
