//! The table: what a row compares, how it is judged, how it is printed.

use crate::suite::{self, Figures};
use ragged_bench::limits::{self, Limit, Mix};
use ragged_bench::measure::{self, Effort, Interval};
use ragged_bench::verdict::Verdict;
use std::hint::black_box;

/// A program that takes longer than this beside its rival has failed.
const TOLERANCE: f64 = 1.05;

/// A rival that takes less, in seconds, is held to the difference instead of the ratio.
const SMALL: f64 = 1e-6;

/// A program must reach this part of the share of the limit that an expert reached.
const LEAST_OF_EXPERT: f64 = 0.8;

/// What one row of the table compares.
pub(crate) struct Row<'a> {
    pub(crate) rival: Run<'a>,
    pub(crate) ours: Run<'a>,
    pub(crate) limit: Option<Limit>,
    /// The share of the limit that an expert was seen to reach before.
    pub(crate) expert: Option<f64>,
}

pub(crate) type Run<'a> = Box<dyn FnMut() + Send + 'a>;

pub(crate) fn run<'a, T>(mut f: impl FnMut() -> T + Send + 'a) -> Run<'a> {
    Box::new(move || {
        black_box(f());
    })
}

pub(crate) struct Table {
    pub(crate) filter: String,
    pub(crate) quick: bool,
    /// Whether the suite alone is asked for.
    pub(crate) suite: bool,
    pub(crate) check: bool,
    pub(crate) effort: Effort,
    pub(crate) name: &'static str,
    pub(crate) failed: bool,
    /// How many times all sizes are divided by ten.
    pub(crate) tenths: u32,
    /// Rows of the suite go here instead of being judged and printed.
    pub(crate) figures: Option<Vec<Figures>>,
}

impl Table {
    pub(crate) fn from_arguments() -> Table {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
        let value = |flag: &str| {
            let argument = arguments
                .iter()
                .find_map(|argument| argument.strip_prefix(flag))?;
            Some(argument.parse().expect("seconds are a number"))
        };
        let filter = arguments
            .iter()
            .find(|argument| !argument.starts_with("--"));
        Table {
            filter: filter.cloned().unwrap_or_default(),
            effort: value("--seconds=").map_or_else(Effort::default, Effort::of_seconds),
            quick: has("--quick"),
            suite: has("--suite"),
            check: has("--check"),
            name: "",
            failed: false,
            tenths: 0,
            figures: None,
        }
    }

    /// By how much sizes are divided.
    pub(crate) fn part(&self) -> usize {
        10_usize.pow(self.tenths + u32::from(self.quick))
    }

    /// The full size, or a tenth of it and so on.
    pub(crate) fn size(&self, full: usize) -> usize {
        (full / self.part()).max(1)
    }

    /// The side of a square of the full side, or of a tenth of that and so on.
    pub(crate) fn side(&self, full: usize) -> usize {
        (full as f64 / (self.part() as f64).sqrt()) as usize
    }

    pub(crate) fn row(&mut self, row: Row) {
        self.row_within(TOLERANCE, row);
    }

    pub(crate) fn row_within(&mut self, tolerance: f64, row: Row) {
        if let Some(figures) = &mut self.figures {
            return figures.push(suite::measured(row, &self.effort));
        }
        let mut rival = measure::timed(row.rival);
        let mut ours = measure::timed(row.ours);
        let mut limit = row.limit.map_or_else(no_limit, Limit::contestant);
        let times = measure::rounds(&self.effort, &mut [&mut rival, &mut ours, &mut limit]);
        let [rival, ours] = [0, 1].map(|i| measure::interval(&times[i]));
        let ratio = measure::ratio(&times[1], &times[0]);
        let share = |i: usize| row.limit.map(|_| measure::ratio(&times[2], &times[i]));
        let beside_rival = match rival.median < SMALL {
            true => small_verdict(ours, rival),
            false => Verdict::at_most(ratio, tolerance),
        };
        let of_expert = share(1)
            .zip(row.expert)
            .map(|(share, expert)| Verdict::at_least(share, LEAST_OF_EXPERT * expert));
        self.failed |= beside_rival == Verdict::Fails || of_expert == Some(Verdict::Fails);
        println!(
            "{:<24} {:>11} {:>21} {:>7} {:>7} {:>7}  {:<8}{}",
            self.name,
            duration(rival.median),
            format!("{:.3} [{:.3}, {:.3}]", ratio.median, ratio.low, ratio.high),
            two_digits(share(0).map(|share| share.median)),
            two_digits(share(1).map(|share| share.median)),
            two_digits(row.expert),
            beside_rival,
            of_expert.map_or_else(|| "-".to_owned(), |verdict| verdict.to_string()),
        );
    }
}

/// A call on a handful of elements may take a microsecond more than a plain loop.
fn small_verdict(ours: Interval, rival: Interval) -> Verdict {
    let most = rival.median + SMALL;
    match ours.high <= most {
        true => Verdict::Holds,
        false => Verdict::Fails,
    }
}

pub(crate) fn no_limit() -> Box<dyn FnMut() -> f64> {
    Box::new(|| 0.0)
}

pub(crate) fn print_head() {
    println!(
        "{:<24} {:>11} {:>21} {:>7} {:>7} {:>7}  {:<8}share",
        "program", "rival", "ours / rival", "rival's", "ours", "expert", "ratio"
    );
}

pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.1} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.2} us", s * 1e6),
        s => format!("{:.2} ms", s * 1e3),
    }
}

pub(crate) fn two_digits(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{share:.2}"))
}

pub(crate) fn print_limits() {
    let giga =
        |what: &str, rate: f64, unit: &str| println!("{what:<44}{:>8.2} G{unit}/s", rate * 1e-9);
    println!("{} threads", rayon::current_num_threads());
    giga("read", limits::read_bandwidth(), "B");
    giga(
        "copy, read and written together",
        limits::copy_bandwidth(),
        "B",
    );
    giga(
        "random reads of 8 bytes in 16 MiB",
        limits::random_reads(16 << 20),
        "",
    );
    giga(
        "random reads of 8 bytes in 1 GiB",
        limits::random_reads(1 << 30),
        "",
    );
    giga(
        "fused multiply-add f32, two each",
        limits::fma_peak_f32(),
        "FLOP",
    );
    for (name, mix) in [
        ("multiplications", Mix::Mul),
        ("additions", Mix::Add),
        ("multiplications and additions", Mix::MulAndAdd),
        ("additions and comparisons counted", Mix::CmpAndAdd),
    ] {
        let (singles, doubles) = (|| limits::lanes_f32(mix), || limits::lanes_f64(mix));
        giga(&format!("f32 {name}"), limits::best(singles), "op");
        giga(&format!("f64 {name}"), limits::best(doubles), "op");
    }
    println!();
}

/// Stops the run if a program does not compute what its rival computes.
pub(crate) fn assert_near(ours: f64, rival: f64, tolerance: f64) {
    let near = (ours - rival).abs() <= tolerance * rival.abs().max(1.0);
    assert!(near, "the program gives {ours}, its rival {rival}");
}
