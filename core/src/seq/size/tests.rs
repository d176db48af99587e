//! Chunk sizes on simulated machines, beside the best size that does not change.

use std::time::Duration;

use super::{Size, Taken};

/// What steps cost: seconds.
#[derive(Clone, Copy)]
struct Machine {
    /// To start one.
    start: f64,
    /// For each item, and for each byte.
    item: f64,
    byte: f64,
    threads: f64,
    /// The bytes that the caches hold; what is larger costs half as much again.
    cache: usize,
}

const MACHINE: Machine = Machine {
    start: 10e-6,
    item: 5e-9,
    byte: 0.5e-9,
    threads: 4.0,
    cache: 4 << 20,
};

impl Machine {
    fn step(&self, items: usize, bytes: usize) -> f64 {
        let work = items as f64 * self.item + bytes as f64 * self.byte;
        let work = if bytes > self.cache { 1.5 * work } else { work };
        // Work of less than 50 microseconds is not worth another thread.
        let threads = (work / 50e-6).clamp(1.0, self.threads);
        self.start + work / threads
    }
}

/// The bytes of each item.
type Sizes<'a> = &'a dyn Fn(usize) -> usize;

/// Computes all items in chunks; `quota` gives their items and bytes, `learn` gets what each took.
fn total<S>(
    (n, sizes): (usize, Sizes<'_>),
    mut state: S,
    quota: impl Fn(&S) -> (usize, usize),
    mut step: impl FnMut(&mut S, f64, (usize, usize)) -> f64,
) -> f64 {
    let (mut next, mut time) = (0, 0.0);
    while next < n {
        let (most, enough) = quota(&state);
        let (mut items, mut bytes) = (0, 0);
        while next < n && items < most && (items == 0 || bytes < enough) {
            bytes += sizes(next);
            items += 1;
            next += 1;
        }
        time += step(&mut state, time, (items, bytes));
    }
    time
}

/// By what the time of a step has to be multiplied: by its number, and by when it begins.
type Noise<'a> = &'a dyn Fn(usize, f64) -> f64;

/// Seconds with sizes that are found, and with the best ones of all that do not change.
fn times(machine: Machine, items: (usize, Sizes<'_>), noise: Noise<'_>) -> (f64, f64) {
    let mut steps = 0;
    let adaptive = total(items, Size::new(), Size::quota, |size, at, chunk| {
        let (items, bytes) = chunk;
        steps += 1;
        let step = machine.step(items, bytes) * noise(steps, at);
        let step_time = Duration::from_secs_f64(step);
        size.learn(Taken {
            units: Size::units(items, bytes),
            bytes,
            step: step_time,
            busy: step_time,
            whole: step_time + Duration::from_micros(1),
        });
        step
    });
    let fixed = |quota: (usize, usize)| {
        let mut steps = 0;
        total(
            items,
            (),
            |()| quota,
            |(), at, (items, bytes)| {
                steps += 1;
                machine.step(items, bytes) * noise(steps, at)
            },
        )
    };
    let numbers = (0..=22).map(|k| (1 << k, usize::MAX));
    let bytes = (6..=28).map(|k| (usize::MAX, 1 << k));
    let best = numbers
        .chain(bytes)
        .map(fixed)
        .fold(f64::INFINITY, f64::min);
    (adaptive, best)
}

fn check(name: &str, machine: Machine, items: (usize, Sizes<'_>)) {
    let quiet = |_, _| 1.0;
    // Up to a tenth more or less, and now and then twice as long.
    let noisy = |k: usize, _| {
        let hash = k.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let spread = 0.9 + 0.2 * (hash % 1000) as f64 / 1000.0;
        if hash.is_multiple_of(67) { 2.0 } else { spread }
    };
    let (adaptive, best) = times(machine, items, &quiet);
    println!(
        "{name}: {adaptive:.4} s, best {best:.4} s: {:.3}",
        adaptive / best
    );
    assert!(adaptive <= 1.15 * best, "{name}: {adaptive} {best}");
    let (adaptive, best) = times(machine, items, &noisy);
    println!(
        "{name}, noisy: {adaptive:.4} s, best {best:.4} s: {:.3}",
        adaptive / best
    );
    assert!(adaptive <= 1.15 * best, "{name}, noisy: {adaptive} {best}");
}

#[test]
fn tiny_items() {
    let light = Machine {
        item: 50e-9,
        ..MACHINE
    };
    check("tiny", light, (4_000_000, &|_| 8));
    let heavy = Machine {
        item: 2e-6,
        ..MACHINE
    };
    check("tiny, much work", heavy, (300_000, &|_| 8));
}

/// What the first steps cost is not much, either.
#[test]
fn few_items() {
    let light = Machine {
        item: 50e-9,
        ..MACHINE
    };
    let few: [(Machine, usize, Sizes<'_>); 2] = [
        (light, 1_000_000, &|_| 8),
        (MACHINE, 300_000, &|i| i % 8000),
    ];
    for (machine, n, sizes) in few {
        let (adaptive, best) = times(machine, (n, sizes), &|_, _| 1.0);
        println!(
            "few: {adaptive:.4} s, best {best:.4} s: {:.3}",
            adaptive / best
        );
        assert!(adaptive <= 1.15 * best, "{adaptive} {best}");
    }
}

#[test]
fn large_items() {
    check("large", MACHINE, (5_000, &|_| 1 << 20));
    check("huge", MACHINE, (200, &|_| 40 << 20));
    let slow = Machine {
        item: 10e-3,
        ..MACHINE
    };
    check("slow", slow, (20_000, &|_| 100));
}

/// Steps over numbers that are only added are short however large chunks are.
#[test]
fn tiny_items_of_little_work_stay_in_the_cache() {
    let machine = Machine {
        start: 1e-6,
        item: 0.4e-9,
        byte: 0.0,
        threads: 1.0,
        cache: 1 << 20,
    };
    check("tiny, little work", machine, (8_000_000, &|_| 8));
}

#[test]
fn growing_items() {
    check("growing", MACHINE, (20_000, &|i| 16 * i));
    check("shrinking", MACHINE, (20_000, &|i| 16 * (20_000 - i)));
}

#[test]
fn items_of_one_and_of_a_million_elements() {
    // 1, 10⁶, 1, 1, 10⁶, 10⁶, 1, 1, 1 …
    let sizes: Vec<usize> = (1..50)
        .flat_map(|k| {
            [4; 50]
                .into_iter()
                .take(k)
                .chain([4_000_000; 50].into_iter().take(k))
        })
        .collect();
    check("alternating", MACHINE, (sizes.len(), &|i| sizes[i]));
    check(
        "by turns",
        MACHINE,
        (4_000, &|i| if i % 2 == 0 { 4 } else { 4_000_000 }),
    );
    let seldom = |i| if i % 1000 == 999 { 4_000_000 } else { 4 };
    check("seldom", MACHINE, (500_000, &seldom));
}

#[test]
fn larger_caches_and_more_threads() {
    for cache in [1 << 20, 64 << 20] {
        for threads in [1.0, 64.0] {
            let machine = Machine {
                cache,
                threads,
                ..MACHINE
            };
            let name = format!("{} KiB, {threads} threads", cache >> 10);
            check(&name, machine, (1_200_000, &|i| i % 8000));
        }
    }
}

/// A burst of slow steps while chunks grow, as where others have the processors, says nothing of sizes.
#[test]
fn a_slow_moment_is_forgotten() {
    let machine = Machine {
        start: 60e-6,
        cache: usize::MAX,
        ..MACHINE
    };
    for (from, to) in [(0.5e-3, 2e-3), (2e-3, 5e-3), (1e-3, 10e-3), (4e-3, 20e-3)] {
        let slow = |_, at| if from < at && at < to { 2.0 } else { 1.0 };
        let quiet = |_, _| 1.0;
        let items: (usize, Sizes<'_>) = (400_000, &|i| 200 + i % 3000);
        let ((adaptive, _), (_, best)) =
            (times(machine, items, &slow), times(machine, items, &quiet));
        // Half of the work of that time is left to be done.
        let best = best + (to - from) / 2.0;
        println!("slow from {from} to {to}: {:.3}", adaptive / best);
        assert!(adaptive <= 1.15 * best, "{from} to {to}: {adaptive} {best}");
    }
}
