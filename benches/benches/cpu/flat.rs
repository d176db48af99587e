//! Rows of programs on plain arrays and on numbers.

use crate::table::{Row, Table, assert_near, run};
use ragged_bench::limits::Limit;
use ragged_bench::memory;
use ragged_bench::programs::flat as programs;
use ragged_bench::rivals::black_scholes::{self, Options};
use ragged_bench::rivals::{dot, iota_square_sum, mandelbrot, scan, small};
use std::hint::black_box;

macro_rules! dots {
    ($name:ident, $T:ident, $module:ident, $full:literal) => {
        pub(crate) fn $name(table: &mut Table) {
            let len = table.size($full);
            let xs = &memory::generate(len, |i| (i % 1000) as $T * 1e-3)[..];
            let ys = &memory::generate(len, |i| (i % 777) as $T * 1e-3)[..];
            let ours = || programs::$name(xs, ys).unwrap();
            assert_near(ours().into(), dot::$module::expert(xs, ys).into(), 1e-3);
            table.row(Row {
                rival: run(|| dot::$module::expert(xs, ys)),
                ours: run(ours),
                limit: Some(Limit::Read((2 * size_of::<$T>() * len) as f64)),
                expert: Some(1.0),
            });
        }
    };
}

dots!(dot_f32, f32, of_f32, 134_217_728);
dots!(dot_f64, f64, of_f64, 67_108_864);

pub(crate) fn iota(table: &mut Table) {
    let ours = |n| programs::iota_square_sum(n).unwrap();
    iota_row(table, ours, iota_square_sum::expert, 1.0);
}

pub(crate) fn iota_fast(table: &mut Table) {
    // Fused, two of the three operations are one: the share may pass 1.
    let ours = |n| programs::iota_square_sum_fast(n).unwrap();
    iota_row(table, ours, iota_square_sum::fast, 1.2);
}

fn iota_row(table: &mut Table, ours: fn(u64) -> f64, rival: fn(u64) -> f64, expert: f64) {
    let n = table.size(1_000_000_000) as u64;
    assert_near(ours(n), rival(n), 1e-9);
    table.row(Row {
        rival: run(|| rival(black_box(n))),
        ours: run(|| ours(black_box(n))),
        limit: Some(Limit::Lanes64(3.0 * n as f64)),
        expert: Some(expert),
    });
}

/// What experts reached into an array that was there before, and into a fresh one.
const EXPERT_SCAN: [f64; 2] = [0.85, 0.4];

macro_rules! scans {
    ($fresh:ident, $into:ident, $T:ident, $module:ident) => {
        pub(crate) fn $fresh(table: &mut Table) {
            let len = table.size(33_554_432);
            let xs = &memory::generate(len, |i| (i % 5) as $T)[..];
            let ours = || programs::$fresh(xs).unwrap();
            let (found, expected) = (ours(), scan::$module::expert(xs));
            assert_eq!(found.len(), expected.len());
            assert_near(found[len - 1] as f64, expected[len - 1] as f64, 1e-3);
            drop((found, expected));
            table.row(Row {
                rival: run(|| scan::$module::expert(xs)),
                ours: run(ours),
                limit: Some(Limit::Copy((2 * size_of::<$T>() * len) as f64)),
                expert: Some(EXPERT_SCAN[1]),
            });
        }

        pub(crate) fn $into(table: &mut Table) {
            let len = table.size(33_554_432);
            let xs = &memory::generate(len, |i| (i % 5) as $T)[..];
            let mut rival_out = memory::generate(len, |_| <$T>::default());
            let out = &mut memory::generate(len, |_| <$T>::default());
            programs::$fresh::into(out, xs).unwrap();
            scan::$module::expert_into(&mut rival_out, xs);
            assert_near(out[len - 1] as f64, rival_out[len - 1] as f64, 1e-3);
            table.row(Row {
                rival: run(|| scan::$module::expert_into(&mut rival_out, xs)),
                ours: run(|| programs::$fresh::into(out, xs).unwrap()),
                limit: Some(Limit::Copy((2 * size_of::<$T>() * len) as f64)),
                expert: Some(EXPERT_SCAN[0]),
            });
        }
    };
}

scans!(scan_f64, scan_f64_into, f64, of_f64);
scans!(scan_f32, scan_f32_into, f32, of_f32);
scans!(scan_i32, scan_i32_into, i32, of_i32);

/// Bytes that the prices of one option need: three floats in, two out.
const BYTES_PER_OPTION: f64 = 20.0;

const OPTIONS: usize = 20_000_000;

/// What experts reached into an array that was there before, with IEEE operations only.
const EXPERT_PRICES: f64 = 0.38;

/// The same with estimates.
const EXPERT_PRICES_FAST: f64 = 0.4;

/// What they reached into a fresh array, whose pages the system clears.
const EXPERT_PRICES_FRESH: f64 = 0.25;

/// Prices, strikes and years.
type Book<'a> = (&'a [f32], &'a [f32], &'a [f32]);

type Prices = fn(Book) -> Vec<(f32, f32)>;

type PricesInto = fn(&mut Vec<(f32, f32)>, Book);

pub(crate) fn prices(table: &mut Table) {
    let ours = |(s, x, t): Book| programs::black_scholes(s, x, t).unwrap();
    prices_row(table, ours, black_scholes::expert);
}

pub(crate) fn prices_fast(table: &mut Table) {
    let ours = |(s, x, t): Book| programs::black_scholes_fast(s, x, t).unwrap();
    prices_row(table, ours, black_scholes::fast);
}

fn assert_same_prices(ours: &[(f32, f32)], rival: &[(f32, f32)]) {
    assert_eq!(ours.len(), rival.len());
    for (ours, rival) in ours.iter().zip(rival) {
        assert_near(ours.0.into(), rival.0.into(), 1e-4);
        assert_near(ours.1.into(), rival.1.into(), 1e-4);
    }
}

fn prices_row(table: &mut Table, ours: Prices, rival: fn(Options) -> Vec<(f32, f32)>) {
    let [price, strike, years] = black_scholes::inputs(table.size(OPTIONS));
    let book = (&price[..], &strike[..], &years[..]);
    let options = Options::new(book.0, book.1, book.2);
    assert_same_prices(&ours(book), &rival(options));
    table.row(Row {
        rival: run(|| rival(options)),
        ours: run(|| ours(book)),
        limit: Some(Limit::Copy(BYTES_PER_OPTION * price.len() as f64)),
        expert: Some(EXPERT_PRICES_FRESH),
    });
}

pub(crate) fn prices_apart(table: &mut Table) {
    let [price, strike, years] = &black_scholes::inputs(table.size(OPTIONS));
    let options = Options::new(price, strike, years);
    let ours = || programs::black_scholes_apart(price, strike, years).unwrap();
    let (call, put) = ours();
    let pairs: Vec<_> = call.into_iter().zip(put).collect();
    assert_same_prices(&pairs, &black_scholes::expert(options));
    drop(pairs);
    table.row(Row {
        rival: run(|| black_scholes::expert_apart(options)),
        ours: run(ours),
        limit: Some(Limit::Copy(BYTES_PER_OPTION * price.len() as f64)),
        expert: Some(EXPERT_PRICES_FRESH),
    });
}

pub(crate) fn prices_into(table: &mut Table) {
    let ours = |out: &mut _, (s, x, t): Book| programs::black_scholes::into(out, s, x, t).unwrap();
    prices_into_row(table, ours, black_scholes::expert_into, EXPERT_PRICES);
}

pub(crate) fn prices_fast_into(table: &mut Table) {
    let ours =
        |out: &mut _, (s, x, t): Book| programs::black_scholes_fast::into(out, s, x, t).unwrap();
    prices_into_row(table, ours, black_scholes::fast_into, EXPERT_PRICES_FAST);
}

fn prices_into_row(
    table: &mut Table,
    ours: PricesInto,
    rival: fn(&mut [(f32, f32)], Options),
    expert: f64,
) {
    let [price, strike, years] = black_scholes::inputs(table.size(OPTIONS));
    let book = (&price[..], &strike[..], &years[..]);
    let options = Options::new(book.0, book.1, book.2);
    let mut rival_out = memory::generate(price.len(), |_| (0.0, 0.0));
    let out = &mut memory::generate(price.len(), |_| (0.0, 0.0));
    ours(out, book);
    rival(&mut rival_out, options);
    assert_same_prices(out, &rival_out);
    table.row(Row {
        rival: run(|| rival(&mut rival_out, options)),
        ours: run(|| ours(out, book)),
        limit: Some(Limit::Copy(BYTES_PER_OPTION * price.len() as f64)),
        expert: Some(expert),
    });
}

pub(crate) fn escape_times(table: &mut Table) {
    /// Multiplications, additions, a comparison and a count, as written.
    const OPERATIONS_PER_STEP: f64 = 10.0;
    let (width, height, limit) = (1920, table.size(1080), 255);
    let expected = mandelbrot::expert(width, height, limit);
    let ours = || programs::mandelbrot(width, height, limit).unwrap();
    assert!(ours() == expected, "the program and its rival differ");
    let operations = OPERATIONS_PER_STEP * mandelbrot::total_steps(&expected);
    table.row(Row {
        rival: run(|| mandelbrot::expert(width, height, limit)),
        ours: run(ours),
        limit: Some(Limit::Lanes32(operations)),
        expert: Some(0.7),
    });
}

pub(crate) fn small_affine(table: &mut Table) {
    let xs = &memory::generate(100, |i| i as f32)[..];
    table.row(Row {
        rival: run(|| small::affine(black_box(xs))),
        ours: run(|| programs::affine(black_box(xs)).unwrap()),
        limit: None,
        expert: None,
    });
}

pub(crate) fn small_affine_into(table: &mut Table) {
    let xs = &memory::generate(100, |i| i as f32)[..];
    let [mut rival_out, mut out] = [xs.to_vec(), xs.to_vec()];
    table.row(Row {
        rival: run(|| small::affine_into(black_box(&mut rival_out), black_box(xs))),
        ours: run(|| programs::affine::into(black_box(&mut out), black_box(xs)).unwrap()),
        limit: None,
        expert: None,
    });
}

pub(crate) fn small_dot(table: &mut Table) {
    let xs = &memory::generate(100, |i| i as f32)[..];
    table.row(Row {
        rival: run(|| small::dot(black_box(xs), black_box(xs))),
        ours: run(|| programs::dot_f32(black_box(xs), black_box(xs)).unwrap()),
        limit: None,
        expert: None,
    });
}
