//! The table of programs on the CPU: `cargo bench -p ragged-bench [-- [name] [--quick] [--check]]`.
//!
//! Each row runs the program, its rival and the machine's limit in interleaved rounds. See the README for the columns.

mod dense;
mod nested;

use ragged_bench::limits::{self, Limit, Mix};
use ragged_bench::measure::{self, Interval, ROUNDS};
use ragged_bench::memory;
use ragged_bench::programs::{self, Book};
use ragged_bench::rivals::black_scholes::{self, Options};
use ragged_bench::rivals::{dot, iota_square_sum, mandelbrot, scan, small};
use std::hint::black_box;
use std::process::ExitCode;

/// A program that takes longer than this beside its rival has failed.
const TOLERANCE: f64 = 1.05;

fn main() -> ExitCode {
    let mut table = Table::from_arguments();
    if table.filter.is_empty() {
        print_limits();
    }
    print_head();
    for &(name, program) in PROGRAMS {
        if name.contains(&table.filter) {
            table.name = name;
            program(&mut table);
        }
    }
    if table.check && table.failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

type Program = fn(&mut Table);

const PROGRAMS: &[(&str, Program)] = &[
    ("dot f32", dot_f32),
    ("dot f64", dot_f64),
    ("iota-square-sum", iota),
    ("iota-square-sum fast", iota_fast),
    ("scan f64", scan_f64),
    ("scan f64 into", scan_f64_into),
    ("scan f32", scan_f32),
    ("scan f32 into", scan_f32_into),
    ("scan i32", scan_i32),
    ("scan i32 into", scan_i32_into),
    ("black-scholes", prices),
    ("black-scholes into", prices_into),
    ("black-scholes apart", prices_apart),
    ("black-scholes fast", prices_fast),
    ("black-scholes fast into", prices_fast_into),
    ("mandelbrot", escape_times),
    ("nbody", dense::bodies),
    ("nbody fast", dense::bodies_fast),
    ("row sums", dense::row_sums),
    ("column sums", dense::column_sums),
    ("softmax", dense::softmax),
    ("softmax into", dense::softmax_into),
    ("distances", dense::distances),
    ("distances into", dense::distances_into),
    ("jacobi", dense::jacobi),
    ("product f32", dense::product_f32),
    ("product f32 fast", dense::product_fast_f32),
    ("product f64", dense::product_f64),
    ("product f64 fast", dense::product_fast_f64),
    ("smvm dense", nested::dense),
    ("smvm banded", nested::banded),
    ("smvm power law", nested::power_law),
    ("smvm long rows", nested::long_rows),
    ("filter 1 %", nested::filter_few),
    ("filter 50 %", nested::filter_half),
    ("filter 99 %", nested::filter_most),
    #[cfg(feature = "faer")]
    ("product f32 faer", dense::faer::product_f32),
    #[cfg(feature = "faer")]
    ("product f32 fast faer", dense::faer::product_fast_f32),
    #[cfg(feature = "faer")]
    ("product f64 faer", dense::faer::product_f64),
    #[cfg(feature = "faer")]
    ("product f64 fast faer", dense::faer::product_fast_f64),
    ("small affine", small_affine),
    ("small affine into", small_affine_into),
    ("small dot", small_dot),
];

/// A rival that takes less, in seconds, is held to the difference instead of the ratio.
const SMALL: f64 = 1e-6;

/// What one row of the table compares.
struct Row<'a> {
    rival: Run<'a>,
    ours: Option<Run<'a>>,
    /// Stands in for `ours` where there is none.
    plain: Run<'a>,
    limit: Option<Limit>,
    /// The share of the limit that an expert was seen to reach before.
    expected: Option<f64>,
}

type Run<'a> = Box<dyn FnMut() + 'a>;

fn run<'a, T>(mut f: impl FnMut() -> T + 'a) -> Run<'a> {
    Box::new(move || {
        black_box(f());
    })
}

struct Table {
    filter: String,
    quick: bool,
    check: bool,
    name: &'static str,
    failed: bool,
}

impl Table {
    fn from_arguments() -> Table {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
        let filter = arguments
            .iter()
            .find(|argument| !argument.starts_with("--"));
        Table {
            filter: filter.cloned().unwrap_or_default(),
            quick: has("--quick"),
            check: has("--check"),
            name: "",
            failed: false,
        }
    }

    /// The full size, or a tenth of it.
    fn size(&self, full: usize) -> usize {
        if self.quick { full / 10 } else { full }
    }

    /// A third of the full side of a square, or all of it.
    fn side(&self, full: usize) -> usize {
        if self.quick { full / 3 } else { full }
    }

    fn row(&mut self, row: Row) {
        self.row_within(TOLERANCE, row);
    }

    fn row_within(&mut self, tolerance: f64, row: Row) {
        let is_ours = row.ours.is_some();
        let mut rival = measure::timed(row.rival);
        let mut candidate = measure::timed(row.ours.unwrap_or(row.plain));
        let mut limit = row.limit.map_or_else(no_limit, Limit::contestant);
        let times = measure::rounds(ROUNDS, &mut [&mut rival, &mut candidate, &mut limit]);
        let ratio = measure::ratio(&times[1], &times[0]);
        let share = |i: usize| {
            row.limit
                .map(|_| measure::ratio(&times[2], &times[i]).median)
        };
        let verdict = if !is_ours {
            "no program yet"
        } else if measure::interval(&times[0]).median < SMALL {
            let over = measure::interval(&times[1]).high - measure::interval(&times[0]).median;
            self.judge_small(over)
        } else {
            self.judge(ratio, tolerance)
        };
        println!(
            "{:<24} {:>11} {:>6} {:>21} {:>7} {:>7} {:>7}  {}",
            self.name,
            duration(measure::interval(&times[0]).median),
            if is_ours { "ours" } else { "plain" },
            format!("{:.3} [{:.3}, {:.3}]", ratio.median, ratio.low, ratio.high),
            two_digits(share(0)),
            two_digits(share(1)),
            two_digits(row.expected),
            verdict,
        );
    }

    /// A call on a handful of elements may take a microsecond more than a plain loop.
    fn judge_small(&mut self, over: f64) -> &'static str {
        if over <= SMALL {
            "holds (less than 1 µs over)"
        } else {
            self.failed = true;
            "fails"
        }
    }

    fn judge(&mut self, ratio: Interval, tolerance: f64) -> &'static str {
        if ratio.low > tolerance {
            self.failed = true;
            "fails"
        } else if ratio.high <= tolerance {
            "holds"
        } else {
            "open"
        }
    }
}

fn no_limit() -> Box<dyn FnMut() -> f64> {
    Box::new(|| 0.0)
}

fn print_head() {
    println!(
        "{:<24} {:>11} {:>6} {:>21} {:>7} {:>7} {:>7}  verdict",
        "program", "rival", "with", "with / rival", "rival's", "with's", "expert"
    );
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.1} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.2} us", s * 1e6),
        s => format!("{:.2} ms", s * 1e3),
    }
}

fn two_digits(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{share:.2}"))
}

fn print_limits() {
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
fn assert_near(ours: f64, rival: f64, tolerance: f64) {
    let near = (ours - rival).abs() <= tolerance * rival.abs().max(1.0);
    assert!(near, "the program gives {ours}, its rival {rival}");
}

macro_rules! dots {
    ($name:ident, $T:ident, $module:ident, $ours:ident, $full:literal) => {
        fn $name(table: &mut Table) {
            let len = table.size($full);
            let xs = &memory::generate(len, |i| (i % 1000) as $T * 1e-3)[..];
            let ys = &memory::generate(len, |i| (i % 777) as $T * 1e-3)[..];
            if let Some(ours) = programs::$ours {
                let (ours, rival) = (ours(xs, ys), dot::$module::expert(xs, ys));
                assert_near(ours.into(), rival.into(), 1e-3);
            }
            table.row(Row {
                rival: run(|| dot::$module::expert(xs, ys)),
                ours: programs::$ours.map(|ours| run(move || ours(xs, ys))),
                plain: run(|| dot::$module::plain(xs, ys)),
                limit: Some(Limit::Read((2 * size_of::<$T>() * len) as f64)),
                expected: Some(1.0),
            });
        }
    };
}

dots!(dot_f32, f32, of_f32, DOT_F32, 134_217_728);
dots!(dot_f64, f64, of_f64, DOT_F64, 67_108_864);

fn iota(table: &mut Table) {
    iota_row(
        table,
        programs::IOTA_SQUARE_SUM,
        iota_square_sum::expert,
        1.0,
    );
}

fn iota_fast(table: &mut Table) {
    // Fused, two of the three operations are one: the share may pass 1.
    iota_row(
        table,
        programs::IOTA_SQUARE_SUM_FAST,
        iota_square_sum::fast,
        1.5,
    );
}

fn iota_row(table: &mut Table, ours: Option<fn(u64) -> f64>, rival: fn(u64) -> f64, expected: f64) {
    let n = table.size(1_000_000_000) as u64;
    if let Some(ours) = ours {
        assert_near(ours(n), rival(n), 1e-9);
    }
    table.row(Row {
        rival: run(|| rival(black_box(n))),
        ours: ours.map(|ours| run(move || ours(black_box(n)))),
        plain: run(|| iota_square_sum::plain(black_box(n))),
        limit: Some(Limit::Lanes64(3.0 * n as f64)),
        expected: Some(expected),
    });
}

macro_rules! scans {
    ($fresh:ident, $into:ident, $T:ident, $module:ident, $ours:ident, $ours_into:ident) => {
        fn $fresh(table: &mut Table) {
            let len = table.size(33_554_432);
            let xs = &memory::generate(len, |i| (i % 5) as $T)[..];
            if let Some(ours) = programs::$ours {
                let (ours, rival) = (ours(xs), scan::$module::expert(xs));
                assert_eq!(ours.len(), rival.len());
                assert_near(ours[len - 1] as f64, rival[len - 1] as f64, 1e-3);
            }
            table.row(Row {
                rival: run(|| scan::$module::expert(xs)),
                ours: programs::$ours.map(|ours| run(move || ours(xs))),
                plain: run(|| scan::$module::plain(xs)),
                limit: Some(Limit::Copy((2 * size_of::<$T>() * len) as f64)),
                expected: None,
            });
        }

        fn $into(table: &mut Table) {
            let len = table.size(33_554_432);
            let xs = &memory::generate(len, |i| (i % 5) as $T)[..];
            let mut rival_out = memory::generate(len, |_| <$T>::default());
            let mut out = memory::generate(len, |_| <$T>::default());
            let mut plain_out = Vec::new();
            if programs::$ours_into.is_none() {
                std::mem::swap(&mut out, &mut plain_out);
            }
            let out = &mut out;
            if let Some(ours) = programs::$ours_into {
                ours(out, xs);
                scan::$module::expert_into(&mut rival_out, xs);
                assert_near(out[len - 1] as f64, rival_out[len - 1] as f64, 1e-3);
            }
            table.row(Row {
                rival: run(|| scan::$module::expert_into(&mut rival_out, xs)),
                ours: programs::$ours_into.map(|ours| run(move || ours(out, xs))),
                plain: run(|| scan::$module::plain_into(&mut plain_out, xs)),
                limit: Some(Limit::Copy((2 * size_of::<$T>() * len) as f64)),
                expected: None,
            });
        }
    };
}

scans!(
    scan_f64,
    scan_f64_into,
    f64,
    of_f64,
    SCAN_F64,
    SCAN_F64_INTO
);
scans!(
    scan_f32,
    scan_f32_into,
    f32,
    of_f32,
    SCAN_F32,
    SCAN_F32_INTO
);
scans!(
    scan_i32,
    scan_i32_into,
    i32,
    of_i32,
    SCAN_I32,
    SCAN_I32_INTO
);

/// Bytes that the prices of one option need: three floats in, two out.
const BYTES_PER_OPTION: f64 = 20.0;

const OPTIONS: usize = 20_000_000;

/// Share of copy that the expert table gives: for the fast version.
const EXPERT_PRICES: f64 = 0.4;

fn prices(table: &mut Table) {
    prices_row(table, programs::BLACK_SCHOLES, black_scholes::expert, None);
}

fn prices_fast(table: &mut Table) {
    let ours = programs::BLACK_SCHOLES_FAST;
    prices_row(table, ours, black_scholes::fast, Some(EXPERT_PRICES));
}

type Prices = fn(Book) -> Vec<(f32, f32)>;

type PricesInto = fn(&mut Vec<(f32, f32)>, Book);

fn assert_same_prices(ours: &[(f32, f32)], rival: &[(f32, f32)]) {
    assert_eq!(ours.len(), rival.len());
    for (ours, rival) in ours.iter().zip(rival) {
        assert_near(ours.0.into(), rival.0.into(), 1e-4);
        assert_near(ours.1.into(), rival.1.into(), 1e-4);
    }
}

fn prices_row(
    table: &mut Table,
    ours: Option<Prices>,
    rival: fn(Options) -> Vec<(f32, f32)>,
    expected: Option<f64>,
) {
    let [price, strike, years] = black_scholes::inputs(table.size(OPTIONS));
    let book = (&price[..], &strike[..], &years[..]);
    let options = Options::new(book.0, book.1, book.2);
    if let Some(ours) = ours {
        assert_same_prices(&ours(book), &rival(options));
    }
    table.row(Row {
        rival: run(|| rival(options)),
        ours: ours.map(|ours| run(move || ours(book))),
        plain: run(|| black_scholes::plain(options)),
        limit: Some(Limit::Copy(BYTES_PER_OPTION * price.len() as f64)),
        expected,
    });
}

fn prices_apart(table: &mut Table) {
    let [price, strike, years] = black_scholes::inputs(table.size(OPTIONS));
    let book = (&price[..], &strike[..], &years[..]);
    let options = Options::new(book.0, book.1, book.2);
    if let Some(ours) = programs::BLACK_SCHOLES_APART {
        let (call, put) = ours(book);
        let pairs: Vec<_> = call.into_iter().zip(put).collect();
        assert_same_prices(&pairs, &black_scholes::expert(options));
    }
    table.row(Row {
        rival: run(|| black_scholes::expert_apart(options)),
        ours: programs::BLACK_SCHOLES_APART.map(|ours| run(move || ours(book))),
        plain: run(|| black_scholes::plain(options)),
        limit: Some(Limit::Copy(BYTES_PER_OPTION * price.len() as f64)),
        expected: None,
    });
}

fn prices_into(table: &mut Table) {
    let ours = programs::BLACK_SCHOLES_INTO;
    prices_into_row(table, ours, black_scholes::expert_into, None);
}

fn prices_fast_into(table: &mut Table) {
    let ours = programs::BLACK_SCHOLES_FAST_INTO;
    prices_into_row(table, ours, black_scholes::fast_into, Some(EXPERT_PRICES));
}

fn prices_into_row(
    table: &mut Table,
    ours: Option<PricesInto>,
    rival: fn(&mut [(f32, f32)], Options),
    expected: Option<f64>,
) {
    let [price, strike, years] = black_scholes::inputs(table.size(OPTIONS));
    let book = (&price[..], &strike[..], &years[..]);
    let options = Options::new(book.0, book.1, book.2);
    let mut rival_out = memory::generate(price.len(), |_| (0.0, 0.0));
    let out = &mut memory::generate(price.len(), |_| (0.0, 0.0));
    if let Some(ours) = ours {
        ours(out, book);
        rival(&mut rival_out, options);
        assert_same_prices(out, &rival_out);
    }
    table.row(Row {
        rival: run(|| rival(&mut rival_out, options)),
        ours: ours.map(|ours| run(move || ours(out, book))),
        plain: run(|| black_scholes::plain(options)),
        limit: Some(Limit::Copy(BYTES_PER_OPTION * price.len() as f64)),
        expected,
    });
}

fn escape_times(table: &mut Table) {
    /// Multiplications, additions, a comparison and a count, as written.
    const OPERATIONS_PER_STEP: f64 = 10.0;
    let (width, height, limit) = (1920, table.size(1080), 255);
    let expected = mandelbrot::expert(width, height, limit);
    if let Some(ours) = programs::MANDELBROT {
        assert!(
            ours(width, height, limit) == expected,
            "the program and its rival differ"
        );
    }
    let operations = OPERATIONS_PER_STEP * mandelbrot::total_steps(&expected);
    table.row(Row {
        rival: run(|| mandelbrot::expert(width, height, limit)),
        ours: programs::MANDELBROT.map(|ours| run(move || ours(width, height, limit))),
        plain: run(|| mandelbrot::plain(width, height, limit)),
        limit: Some(Limit::Lanes32(operations)),
        expected: Some(0.7),
    });
}

fn small_affine(table: &mut Table) {
    let xs = &memory::generate(100, |i| i as f32)[..];
    table.row(Row {
        rival: run(|| small::affine(black_box(xs))),
        ours: programs::AFFINE.map(|ours| run(move || ours(black_box(xs)))),
        plain: run(|| small::affine(black_box(xs))),
        limit: None,
        expected: None,
    });
}

fn small_affine_into(table: &mut Table) {
    let xs = &memory::generate(100, |i| i as f32)[..];
    let [mut rival_out, mut plain_out] = [xs.to_vec(), xs.to_vec()];
    let out = &mut xs.to_vec();
    table.row(Row {
        rival: run(|| small::affine_into(black_box(&mut rival_out), black_box(xs))),
        ours: programs::AFFINE_INTO.map(|ours| run(move || ours(black_box(out), black_box(xs)))),
        plain: run(|| small::affine_into(black_box(&mut plain_out), black_box(xs))),
        limit: None,
        expected: None,
    });
}

fn small_dot(table: &mut Table) {
    let xs = &memory::generate(100, |i| i as f32)[..];
    table.row(Row {
        rival: run(|| small::dot(black_box(xs), black_box(xs))),
        ours: programs::DOT_F32.map(|ours| run(move || ours(black_box(xs), black_box(xs)))),
        plain: run(|| small::dot_plain(black_box(xs), black_box(xs))),
        limit: None,
        expected: None,
    });
}
