//! Rows of programs on plain arrays and on numbers.

use crate::table::{Row, Table, assert_near, run};
use ragged_bench::limits::Limit;
use ragged_bench::memory;
use ragged_bench::programs::{self, Book};
use ragged_bench::rivals::black_scholes::{self, Options};
use ragged_bench::rivals::{dot, iota_square_sum, mandelbrot, scan, small};
use std::hint::black_box;

macro_rules! dots {
    ($name:ident, $T:ident, $module:ident, $ours:ident, $full:literal) => {
        pub(crate) fn $name(table: &mut Table) {
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

pub(crate) fn iota(table: &mut Table) {
    iota_row(
        table,
        programs::IOTA_SQUARE_SUM,
        iota_square_sum::expert,
        1.0,
    );
}

pub(crate) fn iota_fast(table: &mut Table) {
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
        pub(crate) fn $fresh(table: &mut Table) {
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

        pub(crate) fn $into(table: &mut Table) {
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

pub(crate) fn prices(table: &mut Table) {
    prices_row(table, programs::BLACK_SCHOLES, black_scholes::expert, None);
}

pub(crate) fn prices_fast(table: &mut Table) {
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

pub(crate) fn prices_apart(table: &mut Table) {
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

pub(crate) fn prices_into(table: &mut Table) {
    let ours = programs::BLACK_SCHOLES_INTO;
    prices_into_row(table, ours, black_scholes::expert_into, None);
}

pub(crate) fn prices_fast_into(table: &mut Table) {
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

pub(crate) fn escape_times(table: &mut Table) {
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

pub(crate) fn small_affine(table: &mut Table) {
    let xs = &memory::generate(100, |i| i as f32)[..];
    table.row(Row {
        rival: run(|| small::affine(black_box(xs))),
        ours: programs::AFFINE.map(|ours| run(move || ours(black_box(xs)))),
        plain: run(|| small::affine(black_box(xs))),
        limit: None,
        expected: None,
    });
}

pub(crate) fn small_affine_into(table: &mut Table) {
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

pub(crate) fn small_dot(table: &mut Table) {
    let xs = &memory::generate(100, |i| i as f32)[..];
    table.row(Row {
        rival: run(|| small::dot(black_box(xs), black_box(xs))),
        ours: programs::DOT_F32.map(|ours| run(move || ours(black_box(xs), black_box(xs)))),
        plain: run(|| small::dot_plain(black_box(xs), black_box(xs))),
        limit: None,
        expected: None,
    });
}
