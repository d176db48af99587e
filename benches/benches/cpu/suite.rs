//! The twelve programs of the papers at four sizes, each about a tenth of the next: one table, in Markdown,
//! and a drawing of each.

use crate::table::{Row, Table, duration, no_limit, two_digits};
use crate::{Program, dense, flat, graphs, images, nested, order, streams};
use ragged_bench::drawing::{self, Line};
use ragged_bench::limits::Limit;
use ragged_bench::measure::{self, Effort, Interval};
use rayon::ThreadPoolBuilder;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// One program: its name, what its size counts, its sizes.
struct Growth(&'static str, &'static str, &'static [Sizes]);

/// A full size, its row, and at how many sizes that runs, each a tenth of the next.
struct Sizes(f64, Program, u32);

const SUITE: &[Growth] = &[
    Growth(
        "dot product",
        "numbers",
        &[Sizes(134_217_728.0, flat::dot_f32, 4)],
    ),
    Growth("Black-Scholes", "options", &[Sizes(20e6, flat::prices, 4)]),
    Growth(
        "Mandelbrot",
        "pixels",
        &[Sizes(1920.0 * 1080.0, flat::escape_times, 4)],
    ),
    Growth("N-body", "bodies", &[Sizes(32_768.0, dense::bodies, 4)]),
    Growth("fluid flow", "pixels", &[Sizes(4e6, images::flow, 4)]),
    Growth(
        "Canny edges",
        "pixels",
        &[Sizes(4096.0 * 4096.0, images::edges, 4)],
    ),
    Growth(
        "sort",
        "keys",
        &[
            Sizes(4_194_304.0, order::sort_4, 3),
            Sizes(33e6, order::sort_33, 1),
        ],
    ),
    Growth(
        "sparse product, dense",
        "elements",
        &[Sizes(4e6, nested::dense, 4)],
    ),
    Growth(
        "sparse product, banded",
        "elements",
        &[Sizes(6e6, nested::banded, 4)],
    ),
    Growth(
        "sparse product, power law",
        "elements",
        &[Sizes(5e6, nested::power_law, 4)],
    ),
    Growth(
        "sparse product, long rows",
        "elements",
        &[Sizes(12e6, nested::long_rows, 4)],
    ),
    Growth("MD5", "words", &[Sizes(14e6, streams::md5, 4)]),
    Growth(
        "PageRank",
        "nodes",
        &[Sizes(1.2e6, graphs::page_rank_large, 4)],
    ),
    Growth(
        "audio windows",
        "samples",
        &[Sizes(10e6, streams::audio, 4)],
    ),
    Growth("iota-square-sum", "numbers", &[Sizes(1e9, flat::iota, 4)]),
];

/// One size: the row at its full size, divided by ten so many times.
struct Step {
    full: f64,
    row: Program,
    tenths: u32,
}

impl Growth {
    /// From the smallest size on.
    fn steps(&self) -> impl Iterator<Item = Step> {
        self.2.iter().flat_map(|&Sizes(full, row, count)| {
            let step = move |tenths| Step { full, row, tenths };
            (0..count).rev().map(step)
        })
    }
}

/// What a row of the suite found.
pub(crate) struct Figures {
    rival: Interval,
    ours: Interval,
    /// With one thread.
    alone: Interval,
    /// The least that the machine's limit allows.
    least: Option<Interval>,
    /// Ours over the rival's, round by round.
    ratio: Interval,
    /// One thread's time over that of all.
    gain: Interval,
    /// Of the limit, the rival's and ours.
    shares: Option<[Interval; 2]>,
}

/// Runs what a row compares, and ours with one thread.
pub(crate) fn measured(row: Row, effort: &Effort) -> Figures {
    let one = ThreadPoolBuilder::new().num_threads(1).build();
    let one = one.expect("a thread can be started");
    let ours = Mutex::new(row.ours);
    let call = || (ours.lock().expect("nobody panicked"))();
    let mut rival = measure::timed(row.rival);
    let mut all = measure::timed(call);
    // Timed on the pool's thread: to hand it a call takes longer than small calls do.
    let mut alone = one.install(|| measure::timed(call));
    let mut alone = || one.install(&mut alone);
    let mut limit = row.limit.map_or_else(no_limit, Limit::contestant);
    let times = measure::rounds(effort, &mut [&mut rival, &mut all, &mut alone, &mut limit]);
    let [rival, ours, alone, least] = [0, 1, 2, 3].map(|i| measure::interval(&times[i]));
    Figures {
        rival,
        ours,
        alone,
        least: row.limit.map(|_| least),
        ratio: measure::ratio(&times[1], &times[0]),
        gain: measure::ratio(&times[2], &times[1]),
        shares: row
            .limit
            .map(|_| [0, 1].map(|i| measure::ratio(&times[3], &times[i]))),
    }
}

/// Prints the table, and draws.
pub(crate) fn run(table: &mut Table) {
    let wanted = |program: &&Growth| program.0.contains(&table.filter);
    let programs: Vec<&Growth> = SUITE.iter().filter(wanted).collect();
    // No names would ask for all.
    let costs = match table.quick || programs.is_empty() {
        true => Vec::new(),
        false => costs(programs.iter().map(|program| program.0)),
    };
    println!(
        "\n| program | size | rival | ours / rival (95 %) | of the limit, rival's and ours | ours | with one thread | macro, rustc |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for program in programs {
        let cost = costs.iter().find(|cost| program.0.starts_with(&cost.name));
        let mut grown = Vec::new();
        for (at, Step { full, row, tenths }) in program.steps().enumerate() {
            table.tenths = tenths;
            table.figures = Some(Vec::new());
            row(table);
            let figures = table.figures.take().into_iter().flatten();
            let size = full / table.part() as f64;
            for figures in figures {
                let is_largest = at + 1 == program.steps().count();
                print_line(program, size, &figures, cost.filter(|_| is_largest));
                grown.push((size, figures));
            }
        }
        draw(program, &grown);
    }
    table.tenths = 0;
}

/// What a program costs to compile.
struct Cost {
    name: String,
    /// Milliseconds of the macro and seconds of rustc, as text.
    times: String,
}

/// Of these programs, as `ragged-budget` finds them; none if it cannot be run, and it says why.
fn costs<'a>(programs: impl Iterator<Item = &'a str>) -> Vec<Cost> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["run", "--quiet", "-p", "ragged-budget", "--", "programs"];
    let mut command = Command::new(cargo);
    command.args(arguments).args(programs);
    let output = match command.stderr(Stdio::inherit()).output() {
        Ok(output) => output,
        Err(error) => {
            eprintln!("what programs cost to compile is not known: {error}");
            return Vec::new();
        }
    };
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().filter_map(cost).collect()
}

fn cost(line: &str) -> Option<Cost> {
    let mut fields = line.split('\t');
    let (name, millis, seconds) = (fields.next()?, fields.next()?, fields.next()?);
    Some(Cost {
        name: name.to_owned(),
        times: format!("{millis} ms, {seconds} s"),
    })
}

fn print_line(program: &Growth, size: f64, figures: &Figures, cost: Option<&Cost>) {
    let [rival, ours] = [0, 1].map(|i| two_digits(figures.shares.map(|shares| shares[i].median)));
    println!(
        "| {} | {} {} | {} | {:.3} [{:.3}, {:.3}] | {rival}, {ours} | {} | {}, {:.2} × | {} |",
        program.0,
        drawing::short(size),
        program.1,
        duration(figures.rival.median),
        figures.ratio.median,
        figures.ratio.low,
        figures.ratio.high,
        duration(figures.ours.median),
        duration(figures.alone.median),
        figures.gain.median,
        cost.map_or("", |cost| &cost.times),
    );
}

/// Time over size, of all that was measured.
fn draw(program: &Growth, grown: &[(f64, Figures)]) {
    let line = |name, colour, seconds: &dyn Fn(&Figures) -> Option<f64>| Line {
        name,
        colour,
        points: grown
            .iter()
            .filter_map(|(size, figures)| Some((*size, seconds(figures)?)))
            .collect(),
    };
    let lines = [
        line("limit", "#8b949e", &|it| Some(it.least?.median)),
        line("ours, one thread", "#7fb3f5", &|it| Some(it.alone.median)),
        line("rival", "#d9730d", &|it| Some(it.rival.median)),
        line("ours", "#1257b5", &|it| Some(it.ours.median)),
    ];
    let name = program
        .0
        .to_lowercase()
        .replace(", ", "-")
        .replace(' ', "-");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name + ".svg");
    match std::fs::write(&path, drawing::svg(program.0, program.1, &lines)) {
        Ok(()) => eprintln!("{} is drawn in {}", program.0, path.display()),
        Err(error) => eprintln!("{} is not drawn: {error}", program.0),
    }
}
