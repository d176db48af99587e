//! A dozen small programs over 44 years of weekly CO₂ measurements: `cargo run --release --example
//! tour`. Prints their results and what the compiler made of each.

use ragged::accel;

accel! {
    /// How many weeks have a measurement.
    pub fn measured(ppm: [f64]) -> usize { ppm.count(|x| x > 0.0) }

    /// Mean over the weeks that have one: two reductions, no copy of the data.
    pub fn mean_level(ppm: [f64]) -> f64 {
        let total = ppm.map(|x| present(x)).sum();
        total / measured_weeks(ppm) as f64
    }

    fn present(x: f64) -> f64 { if x > 0.0 { x } else { 0.0 } }

    fn measured_weeks(ppm: [f64]) -> usize { ppm.count(|x| x > 0.0) }

    /// Gaps filled with the last measurement before them: a scan whose operator keeps the right
    /// operand if there is one (associative, not commutative).
    pub fn fill_gaps(ppm: [f64; n]) -> [f64; n] {
        ppm.scan(|a, b| if b > 0.0 { b } else { a })
    }

    /// Moving average over `w` weeks, by differences of prefix sums.
    pub fn moving_average(ppm: [f64], w: usize) -> [f64] {
        assert!(w > 0, "the window must not be empty");
        let prefix = ppm.prescan(0.0, |a, b| a + b).chain([ppm.sum()]);
        let (lo, hi) = (prefix[..prefix.len() - w], prefix[w..]);
        for (a, b) in zip(lo, hi) { (b - a) / w as f64 }
    }

    /// Growth over a year, in ppm, for each week from the second year on.
    pub fn yearly_growth(ppm: [f64]) -> [f64] {
        zip(ppm.skip(52), ppm[..ppm.len() - 52]).map(|(now, before)| now - before)
    }

    /// The week of the steepest climb over a year, and the climb.
    pub fn steepest(ppm: [f64]) -> (usize, f64) {
        let growth = yearly(ppm);
        let week = growth.argmax();
        (week + 52, growth[week])
    }

    fn yearly(ppm: [f64]) -> [f64] {
        zip(ppm.skip(52), ppm[..ppm.len() - 52]).map(|(now, before)| now - before)
    }

    /// Least-squares line through the weeks: (ppm at week 0, ppm per week).
    pub fn trend(ppm: [f64; n]) -> (f64, f64) {
        let t = (n as f64 - 1.0) / 2.0;
        let y = ppm.mean();
        let sxy = for (i, x) in ppm.enumerate() { (i as f64 - t) * (x - y) }.sum();
        let sxx = generate(n, |i| (i as f64 - t) * (i as f64 - t)).sum();
        let slope = sxy / sxx;
        (y - slope * t, slope)
    }

    /// Strength of the yearly cycle: the discrete Fourier coefficient of period 365.25 / 7 weeks.
    pub fn yearly_cycle(ppm: [f64], start: f64, slope: f64) -> f64 {
        let turns = 7.0 * 2.0 * f64::PI / 365.25;
        let waves = for (i, x) in ppm.enumerate() {
            let rest = x - (start + slope * i as f64);
            let angle = turns * i as f64;
            (rest * cos(angle), rest * sin(angle))
        };
        let (c, s) = waves.reduce((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
        2.0 * sqrt(c * c + s * s) / ppm.len() as f64
    }

    /// The first week above `level`; a sequential search.
    pub fn first_above(ppm: [f64], level: f64) -> usize {
        let mut week = 0;
        while week < ppm.len() && ppm[week] <= level { week += 1; }
        week
    }

    /// The longest run of weeks with rising values, as a fold with a pair for accumulator.
    pub fn longest_climb(ppm: [f64]) -> usize {
        let rises = ppm.pairwise(|a, b| b > a);
        let (_, best) = rises.fold((0usize, 0usize), |(run, best), up| {
            let run = if up { run + 1 } else { 0 };
            (run, max(best, run))
        });
        best
    }

    /// A histogram with `bins` bins between the extremes, counted in place.
    pub fn histogram(ppm: [f64], bins: usize) -> [usize] {
        let (lo, hi) = (ppm.min(), ppm.max());
        let width = (hi - lo) / bins as f64;
        let bin = for x in ppm { min(((x - lo) / width) as usize, bins - 1) };
        let mut counts = fill(0usize, bins);
        for b in bin { counts[b] += 1; }
        counts
    }

    /// Weeks since the last record, for each week: a scan over (is a record, week) pairs.
    pub fn since_record(ppm: [f64; n]) -> [usize; n] {
        let best = ppm.scan(f64::max);
        let at = for (i, (x, b)) in zip(ppm, best).enumerate() { if x >= b { i } else { 0 } };
        zip(0..n, at.scan(|a, b| max(a, b))).map(|(i, record)| i - record)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let raw = read(include_str!("data/co2.csv"))?;
    println!(
        "{} weeks of CO₂ at Mauna Loa, {} measured\n",
        raw.len(),
        measured(&raw)?
    );
    let ppm = fill_gaps(&raw)?;
    let (start, slope) = trend(&ppm)?;
    let (week, climb) = steepest(&ppm)?;
    let smooth = moving_average(&ppm, 52)?;
    let growth = yearly_growth(&ppm)?;

    println!("mean of the measured weeks   {:8.2} ppm", mean_level(&raw)?);
    println!(
        "line through all weeks       {start:8.2} ppm + {:.2} ppm a year",
        slope * 365.25 / 7.0
    );
    println!(
        "yearly cycle                 {:8.2} ppm up and down",
        yearly_cycle(&ppm, start, slope)?
    );
    println!(
        "steepest year                {climb:8.2} ppm, ending {}",
        date(week)
    );
    println!(
        "first week above 350 ppm     {}",
        date(first_above(&ppm, 350.0)?)
    );
    println!(
        "longest climb without a dip  {:8} weeks",
        longest_climb(&ppm)?
    );
    println!(
        "last week's yearly average   {:8.2} ppm",
        smooth[smooth.len() - 1]
    );
    println!(
        "last week's yearly growth    {:8.2} ppm",
        growth[growth.len() - 1]
    );
    println!(
        "weeks since the record       {:8}",
        since_record(&ppm)?[ppm.len() - 1]
    );

    println!("\nhow many weeks were how high");
    let counts = histogram(&ppm, 12)?;
    let (lo, hi) = (
        ppm.iter().copied().fold(f64::MAX, f64::min),
        ppm.iter().copied().fold(0.0, f64::max),
    );
    for (bin, count) in counts.iter().enumerate() {
        let from = lo + (hi - lo) * bin as f64 / 12.0;
        println!("  from {from:5.1} ppm {count:5} {}", "▒".repeat(count / 8));
    }

    println!("\nan error: {}", moving_average(&ppm, 0).unwrap_err());
    println!("another:  {}\n", moving_average(&ppm, 5000).unwrap_err());

    println!("what the compiler did");
    for explain in [
        measured::EXPLAIN,
        mean_level::EXPLAIN,
        fill_gaps::EXPLAIN,
        moving_average::EXPLAIN,
        yearly_growth::EXPLAIN,
        steepest::EXPLAIN,
        trend::EXPLAIN,
        yearly_cycle::EXPLAIN,
        first_above::EXPLAIN,
        longest_climb::EXPLAIN,
        histogram::EXPLAIN,
        since_record::EXPLAIN,
    ] {
        print!("{explain}");
    }
    Ok(())
}

/// The second column; 0 where the week has no measurement.
fn read(csv: &str) -> Result<Vec<f64>, std::num::ParseFloatError> {
    let fields = csv
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').nth(1));
    fields
        .map(|field| {
            if field.is_empty() {
                Ok(0.0)
            } else {
                field.parse()
            }
        })
        .collect()
}

/// The date of a week, from the record's own first column.
fn date(week: usize) -> String {
    let line = include_str!("data/co2.csv")
        .lines()
        .nth(week + 1)
        .unwrap_or("????????");
    format!("{}-{}-{}", &line[..4], &line[4..6], &line[6..8])
}
