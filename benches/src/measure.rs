//! Times contestants side by side.
//!
//! In each round every contestant runs once, in random order, so that a slow moment of the machine
//! meets all of them. What is reported is the median over the rounds of each round's ratio, with
//! its 95 % interval from order statistics, which assumes nothing about the noise.

use std::f64::consts::LN_2;
use std::hint::black_box;
use std::ops::RangeInclusive;
use std::time::Instant;

/// How many rounds a figure rests on: as many as there is time for, within bounds.
///
/// An interval gets narrower with the root of the rounds, and where others use the machine too,
/// fifteen of a few milliseconds leave it a tenth wide.
#[derive(Clone, Debug)]
pub struct Effort {
    /// The fewest rounds and the most.
    pub count: RangeInclusive<usize>,
    /// After so many seconds there are no more rounds than the fewest.
    pub seconds: f64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort {
            count: 15..=101,
            seconds: 1.5,
        }
    }
}

impl Effort {
    /// As many rounds as these seconds have time for.
    pub fn of_seconds(seconds: f64) -> Effort {
        Effort {
            count: 15..=usize::MAX,
            seconds,
        }
    }
}

/// A call shorter than this is repeated until the sum is longer.
const SHORTEST_SAMPLE: f64 = 1e-3;

/// A median with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The middle of all figures.
    pub median: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// Turns a function into a contestant: a call of it gives the seconds that one call takes.
///
/// The results are dropped within the time measured: a rival that allocates more pays for it.
pub fn timed<T>(mut run: impl FnMut() -> T) -> impl FnMut() -> f64 {
    let mut repeats = 1;
    loop {
        let seconds = seconds(repeats, &mut run);
        if seconds >= SHORTEST_SAMPLE {
            break;
        }
        repeats = next_repeats(repeats, seconds);
    }
    move || seconds(repeats, &mut run) / f64::from(repeats)
}

fn next_repeats(repeats: u32, seconds: f64) -> u32 {
    let wanted = 1.5 * SHORTEST_SAMPLE / seconds.max(1e-9);
    let factor = wanted.clamp(2.0, 100.0);
    (f64::from(repeats) * factor) as u32
}

fn seconds<T>(repeats: u32, run: &mut impl FnMut() -> T) -> f64 {
    let start = Instant::now();
    for _ in 0..repeats {
        black_box(run());
    }
    start.elapsed().as_secs_f64()
}

/// Runs every contestant once per round, in random order, after one round of warm-up: as many rounds as `effort` says.
///
/// The result has one list per contestant, in the order given; figures at one index are of one round.
pub fn rounds(effort: &Effort, contestants: &mut [&mut dyn FnMut() -> f64]) -> Vec<Vec<f64>> {
    let mut figures = vec![Vec::new(); contestants.len()];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for contestant in contestants.iter_mut() {
        black_box(contestant());
    }
    let start = Instant::now();
    for round in 0..*effort.count.end() {
        if round >= *effort.count.start() && start.elapsed().as_secs_f64() >= effort.seconds {
            break;
        }
        for i in random.order(contestants.len()) {
            figures[i].push(contestants[i]());
        }
    }
    figures
}

/// The median of one list divided by another, round by round.
pub fn ratio(above: &[f64], below: &[f64]) -> Interval {
    let ratios: Vec<f64> = above.iter().zip(below).map(|(a, b)| a / b).collect();
    interval(&ratios)
}

/// The median of a list with its 95 % interval.
///
/// # Panics
/// If the list is empty.
pub fn interval(figures: &[f64]) -> Interval {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    let len = sorted.len();
    let skip = outside(len);
    Interval {
        median: (sorted[(len - 1) / 2] + sorted[len / 2]) / 2.0,
        low: sorted[skip],
        high: sorted[len - 1 - skip],
    }
}

/// How many of `len` sorted figures lie below an interval that holds the median with 95 %.
///
/// The number of figures below the median is binomial (`len`, 1/2): this is the largest number
/// that it stays within with a chance of at most 2.5 %, or 0 for so few figures that none is.
fn outside(len: usize) -> usize {
    // By its logarithm: 2^-len is less than any float where there are many.
    let mut exactly = -(len as f64) * LN_2;
    let mut at_most = exactly.exp();
    let mut skip = 0;
    loop {
        exactly += ((len - skip) as f64 / (skip + 1) as f64).ln();
        at_most += exactly.exp();
        if at_most > 0.025 {
            return skip;
        }
        skip += 1;
    }
}

/// A small xorshift generator: the order within a round needs no more.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) as usize) % bound
    }

    fn order(&mut self, len: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..len).collect();
        for i in (1..len).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interval_of_fifteen_leaves_three_out_on_each_side() {
        let figures: Vec<f64> = (1..=15).rev().map(f64::from).collect();
        let expected = Interval {
            median: 8.0,
            low: 4.0,
            high: 12.0,
        };
        assert_eq!(interval(&figures), expected);
    }

    #[test]
    fn interval_of_many_is_about_as_wide_as_the_normal_distributions() {
        // 1.96 times half the root of 10000.
        assert!((4900..=4903).contains(&outside(10_000)));
    }

    #[test]
    fn interval_of_few_is_their_range() {
        let expected = Interval {
            median: 1.5,
            low: 1.0,
            high: 2.0,
        };
        assert_eq!(interval(&[2.0, 1.0]), expected);
    }

    #[test]
    fn every_order_visits_all() {
        let mut random = Random(1);
        for _ in 0..100 {
            let mut order = random.order(4);
            order.sort_unstable();
            assert_eq!(order, [0, 1, 2, 3]);
        }
    }

    #[test]
    fn rounds_give_a_figure_of_each_contestant_per_round() {
        let [mut one, mut two] = [1, 2].map(|result| timed(move || result));
        let effort = Effort {
            count: 3..=3,
            ..Effort::default()
        };
        let times = rounds(&effort, &mut [&mut one, &mut two]);
        assert_eq!([times[0].len(), times[1].len()], [3, 3]);
        assert!(times.iter().flatten().all(|seconds| *seconds > 0.0));
    }
}
