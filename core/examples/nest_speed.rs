//! Rows of a 64 MB matrix: nests beside hand-written loops on rayon.
//! `cargo run --release --example nest_speed`.
//!
//! The hand-written ones are compiled for the machine's level too, and add up in 64 lanes, or one by
//! one where that is faster; all write to memory that has been written before.

#![allow(clippy::needless_range_loop, reason = "the loops are what is measured")]

use std::hint::black_box;
use std::time::Instant;

use ragged_core::*;
use rayon::prelude::*;

/// The elements of a row.
struct Row<'a>(&'a [f32]);

/// A polynomial of each.
struct Cubic<'a>(&'a [f32]);

macro_rules! kernel {
    ($name:ident, |$x:ident| $e:expr) => {
        impl Kernel for $name<'_> {
            type Out = (f32,);
            const COST: u32 = 4;
            const CHECKS: bool = false;
            #[inline(always)]
            fn block<const L: usize, F: Flag>(
                &self,
                start: usize,
                out: <Self::Out as Product>::Slots<'_, L>,
                _flag: &mut F,
            ) {
                let xs = load::<f32, L>(self.0, start);
                for l in 0..L {
                    let $x = xs[l];
                    out.0[l] = $e;
                }
            }
        }
    };
}
kernel!(Row, |x| x);
kernel!(Cubic, |x| ((x * 0.5 + 0.25) * x - 1.0) * x + 2.0);

impl Combine for Row<'_> {
    const COMMUTATIVE: bool = true;
    const OPERATOR: Operator = Operator::Add;
    #[inline(always)]
    fn neutral(&self) -> (f32,) {
        (-0.0,)
    }
    #[inline(always)]
    fn combine<F: Flag>(&self, a: (f32,), b: (f32,), _flag: &mut F) -> (f32,) {
        (a.0 + b.0,)
    }
}

/// What is computed of each row.
#[derive(Clone, Copy, PartialEq)]
enum What {
    Sums,
    Maps,
    Prefixes,
}

macro_rules! nest {
    ($name:ident, |$row:ident, $out:ident, $flag:ident, $lanes:ident| $body:block) => {
        struct $name<'a>(&'a [f32], usize);
        impl Nest for $name<'_> {
            type Outs = (f32,);
            const CHECKS: bool = false;
            fn cost(&self) -> usize {
                4 * self.1
            }
            #[inline(always)]
            fn run<const $lanes: usize, F: Flag>(
                &self,
                index: usize,
                rows: &mut <Self::Outs as Rows>::Places<'_>,
                $flag: &mut F,
            ) {
                let ($out,) = Self::Outs::slices(rows);
                let $row = &self.0[index * self.1..][..self.1];
                $body
            }
        }
    };
}
nest!(Sums, |row, out, flag, L| {
    (out[0],) = inner::reduce_from::<L, _, F>(&Row(row), row.len(), (0.0,), flag);
});
nest!(Maps, |row, out, flag, L| {
    inner::write::<L, _, F>(&Cubic(row), row.len(), (out,), flag);
});
nest!(Prefixes, |row, out, flag, L| {
    inner::scan::<L, _, F>(&Row(row), row.len(), None, false, (out,), flag);
});

#[inline(always)]
fn sum_in_lanes(row: &[f32]) -> f32 {
    let mut acc = [0.0; 64];
    let blocks = row.chunks_exact(64);
    let rest = blocks.remainder();
    for block in blocks {
        for l in 0..64 {
            acc[l] += block[l];
        }
    }
    let mut sum: f32 = acc.iter().sum();
    for x in rest {
        sum += x;
    }
    sum
}

#[inline(always)]
fn by_hand(what: What, xs: &[f32], width: usize, out: &mut [f32]) {
    match what {
        What::Sums if width >= 64 => {
            for (row, out) in xs.chunks_exact(width).zip(out) {
                *out = sum_in_lanes(row);
            }
        }
        What::Sums => {
            for (row, out) in xs.chunks_exact(width).zip(out) {
                *out = row.iter().sum();
            }
        }
        What::Maps => {
            for (row, out) in xs.chunks_exact(width).zip(out.chunks_exact_mut(width)) {
                for (x, out) in row.iter().zip(out) {
                    *out = ((x * 0.5 + 0.25) * x - 1.0) * x + 2.0;
                }
            }
        }
        What::Prefixes => {
            for (row, out) in xs.chunks_exact(width).zip(out.chunks_exact_mut(width)) {
                let mut sum = 0.0;
                for (x, out) in row.iter().zip(out) {
                    sum += x;
                    *out = sum;
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
fn by_hand_v4(what: What, xs: &[f32], width: usize, out: &mut [f32]) {
    by_hand(what, xs, width, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn by_hand_v3(what: What, xs: &[f32], width: usize, out: &mut [f32]) {
    by_hand(what, xs, width, out);
}

fn rival(what: What, xs: &[f32], width: usize, out: &mut [f32]) {
    let per_row = if what == What::Sums { 1 } else { width };
    let rows = (1_usize << 17).div_ceil(width);
    out.par_chunks_mut(rows * per_row)
        .zip(xs.par_chunks(rows * width))
        .for_each(|(out, xs)| match Level::current() {
            // SAFETY: the level is at most the machine's.
            #[cfg(target_arch = "x86_64")]
            Level::V4 => unsafe { by_hand_v4(what, xs, width, out) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::V3 => unsafe { by_hand_v3(what, xs, width, out) },
            _ => by_hand(what, xs, width, out),
        });
}

fn ours(what: What, xs: &[f32], width: usize, out: &mut [f32]) {
    let (n, out) = (xs.len() / width, (ArrayOut::slice(out),));
    match what {
        What::Sums => nest_to(&Sums(xs, width), n, (1,), out),
        What::Maps => nest_to(&Maps(xs, width), n, (width,), out),
        What::Prefixes => nest_to(&Prefixes(xs, width), n, (width,), out),
    }
    .unwrap();
}

/// Seconds of one call.
fn time<R>(f: impl FnOnce() -> R) -> f64 {
    let start = Instant::now();
    black_box(f());
    start.elapsed().as_secs_f64()
}

fn median(mut xs: Vec<f64>) -> f64 {
    xs.sort_by(f64::total_cmp);
    xs[xs.len() / 2]
}

fn read(xs: &[f32]) {
    xs.par_chunks(xs.len() / 2 + 1).for_each(|xs| {
        let mut acc = [0_u32; 128];
        for block in xs.chunks_exact(128) {
            for l in 0..128 {
                acc[l] = acc[l].wrapping_add(block[l].to_bits());
            }
        }
        black_box(acc);
    });
}

fn main() {
    let only = std::env::args().nth(1).unwrap_or_default();
    let all: Vec<f32> = (0..16 << 20).map(|i| (i % 1000) as f32 * 0.001).collect();
    let limit = median((0..15).map(|_| time(|| read(&all))).collect());
    println!(
        "level {:?}, threads {}, read {:.1} GB/s = {:.3} ns per element",
        Level::current(),
        rayon::current_num_threads(),
        4.0 * all.len() as f64 / limit / 1e9,
        limit / all.len() as f64 * 1e9,
    );
    for (what, name) in [
        (What::Sums, "sums"),
        (What::Maps, "maps"),
        (What::Prefixes, "prefixes"),
    ] {
        for width in [1, 3, 8, 16, 63, 64, 65, 100, 1000, 8192] {
            if !only.is_empty() && !format!("{name}{width}.").starts_with(&only) {
                continue;
            }
            let n = all.len() / width * width;
            let xs = &all[..n];
            let per_row = if what == What::Sums { 1 } else { width };
            let mut out = vec![1.0; n / width * per_row];
            let (mut nests, mut hands) = (Vec::new(), Vec::new());
            for _ in 0..15 {
                nests.push(time(|| ours(what, xs, width, &mut out)) / n as f64 * 1e9);
                hands.push(time(|| rival(what, xs, width, &mut out)) / n as f64 * 1e9);
            }
            let ratios = nests.iter().zip(&hands).map(|(a, b)| a / b).collect();
            let nests = median(nests);
            println!(
                "{name:8} of {width:5}: {nests:7.3} ns per element, by hand {:7.3}, ratio {:5.2}, \
                 {:3.0} % of read",
                median(hands),
                median(ratios),
                100.0 * limit / all.len() as f64 * 1e9 / nests,
            );
        }
    }
}
