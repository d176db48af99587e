//! Black-Scholes prices of European options in f32, as in the classical CUDA sample: the cumulative
//! normal distribution is the polynomial 26.2.17 of Abramowitz and Stegun.
//!
//! The expert computes straight lines of IEEE operations in blocks that stay in the first cache
//! and streams them out from there. `fast` adds what IEEE forbids: fused operations, estimates
//! with a Newton step, and one exponential for both densities.

#[cfg(target_arch = "x86_64")]
mod wide;

use super::maths::{exp, ln};
use crate::levels::{Level, kernel};
use crate::memory::{self, as_uninit, copy, fence, prefetch, stream, worth_streaming};
use rayon::prelude::*;
use std::mem::MaybeUninit;

/// Riskless rate per year, as in the sample.
pub const RISKFREE: f32 = 0.02;

/// Volatility, as in the sample.
pub const VOLATILITY: f32 = 0.30;

/// Options per task.
const TASK: usize = 1 << 16;

/// Options computed before they are stored.
const BLOCK: usize = 512;

/// Options computed together: one line of the cache, and one vector where those are widest.
const LANES: usize = 16;

/// Bytes from what is computed to what is fetched.
const AHEAD: usize = 2048;

/// Prices, strikes and years to run, of one length.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Price of the share now.
    pub price: &'a [f32],
    /// Price agreed for later.
    pub strike: &'a [f32],
    /// Years until then.
    pub years: &'a [f32],
}

impl<'a> Options<'a> {
    /// The three as one.
    ///
    /// # Panics
    /// If their lengths differ.
    pub fn new(price: &'a [f32], strike: &'a [f32], years: &'a [f32]) -> Self {
        assert!(price.len() == strike.len() && price.len() == years.len());
        Options {
            price,
            strike,
            years,
        }
    }

    fn len(&self) -> usize {
        self.price.len()
    }

    fn part(&self, from: usize, len: usize) -> Options<'a> {
        let to = self.len().min(from + len);
        Options::new(
            &self.price[from..to],
            &self.strike[from..to],
            &self.years[from..to],
        )
    }
}

/// As rayon and `std` give it.
pub fn plain(options: Options) -> Vec<(f32, f32)> {
    let prices = options
        .price
        .par_iter()
        .zip(options.strike)
        .zip(options.years);
    prices
        .map(|((&price, &strike), &years)| price_plain(price, strike, years))
        .collect()
}

fn price_plain(price: f32, strike: f32, years: f32) -> (f32, f32) {
    let deviation = VOLATILITY * years.sqrt();
    let drift = (RISKFREE + 0.5 * VOLATILITY * VOLATILITY) * years;
    let d1 = ((price / strike).ln() + drift) / deviation;
    let d2 = d1 - deviation;
    let (below1, below2) = (normal_plain(d1), normal_plain(d2));
    let discounted = strike * (-RISKFREE * years).exp();
    let call = price * below1 - discounted * below2;
    let put = discounted * (1.0 - below2) - price * (1.0 - below1);
    (call, put)
}

fn normal_plain(d: f32) -> f32 {
    let k = 1.0 / (1.0 + 0.231_641_9 * d.abs());
    let tail = SQRT_TAU_INVERSE * (-0.5 * d * d).exp() * tail_polynomial(k);
    if d > 0.0 { 1.0 - tail } else { tail }
}

const SQRT_TAU_INVERSE: f32 = 0.398_942_3;

#[inline(always)]
fn tail_polynomial(k: f32) -> f32 {
    const A: [f32; 5] = [
        0.319_381_54,
        -0.356_563_78,
        1.781_477_9,
        -1.821_256,
        1.330_274_5,
    ];
    k * (A[0] + k * (A[1] + k * (A[2] + k * (A[3] + k * A[4]))))
}

#[inline(always)]
fn normal_lane(d: f32) -> f32 {
    let k = 1.0 / (1.0 + 0.231_641_9 * d.abs());
    let tail = SQRT_TAU_INVERSE * exp(-0.5 * d * d) * tail_polynomial(k);
    if d > 0.0 { 1.0 - tail } else { tail }
}

/// The inputs of a block.
#[derive(Clone, Copy)]
struct Block<'a> {
    price: &'a [f32; BLOCK],
    strike: &'a [f32; BLOCK],
    years: &'a [f32; BLOCK],
}

impl Block<'_> {
    /// Fetches what the next block will want from there.
    #[inline(always)]
    fn prefetch(&self, at: usize) {
        prefetch(&raw const self.price[at], AHEAD);
        prefetch(&raw const self.strike[at], AHEAD);
        prefetch(&raw const self.years[at], AHEAD);
    }
}

/// The results of a block, before they leave the first cache.
struct Staged {
    call: [f32; BLOCK],
    put: [f32; BLOCK],
    pairs: [(f32, f32); BLOCK],
}

impl Staged {
    fn new() -> Staged {
        Staged {
            call: [0.0; BLOCK],
            put: [0.0; BLOCK],
            pairs: [(0.0, 0.0); BLOCK],
        }
    }
}

kernel! {
    /// Short loops over the block: the chain of one option is longer than a processor looks ahead, so
    /// a loop over all of it would wait for latencies.
    fn compute(block: Block, call: &mut [f32; BLOCK], put: &mut [f32; BLOCK]) {
        let (mut d1, mut d2) = ([0.0; BLOCK], [0.0; BLOCK]);
        for line in 0..BLOCK / LANES {
            block.prefetch(line * LANES);
            for i in line * LANES..(line + 1) * LANES {
                let deviation = VOLATILITY * block.years[i].sqrt();
                let drift = (RISKFREE + 0.5 * VOLATILITY * VOLATILITY) * block.years[i];
                d1[i] = (ln(block.price[i] / block.strike[i]) + drift) / deviation;
                d2[i] = d1[i] - deviation;
            }
        }
        for d in &mut d1 {
            *d = normal_lane(*d);
        }
        for d in &mut d2 {
            *d = normal_lane(*d);
        }
        for i in 0..BLOCK {
            let discounted = block.strike[i] * exp(-RISKFREE * block.years[i]);
            call[i] = block.price[i] * d1[i] - discounted * d2[i];
            put[i] = discounted * (1.0 - d2[i]) - block.price[i] * (1.0 - d1[i]);
        }
    }
}

kernel! {
    fn interleave(pairs: &mut [(f32, f32); BLOCK], call: &[f32; BLOCK], put: &[f32; BLOCK]) {
        for i in 0..BLOCK {
            pairs[i] = (call[i], put[i]);
        }
    }
}

kernel! {
    fn store(out: &mut [MaybeUninit<f32>], from: &[f32], past_cache: bool) {
        if past_cache {
            stream(out, from);
        } else {
            copy(out, from);
        }
    }
}

kernel! {
    fn store_pairs(out: &mut [MaybeUninit<(f32, f32)>], from: &[(f32, f32)], past_cache: bool) {
        if past_cache {
            stream(out, from);
        } else {
            copy(out, from);
        }
    }
}

/// Which operations are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// IEEE only: the same bits on every level.
    Exact,
    /// Fused operations and estimates, where the machine has them.
    Fast,
}

/// As an expert writes it.
pub fn expert(options: Options) -> Vec<(f32, f32)> {
    pairs(Level::best(), Arithmetic::Exact, options)
}

/// As an expert writes it, calls and puts apart.
pub fn expert_apart(options: Options) -> (Vec<f32>, Vec<f32>) {
    apart(Level::best(), Arithmetic::Exact, options)
}

/// As an expert writes it, into a buffer.
pub fn expert_into(out: &mut [(f32, f32)], options: Options) {
    pairs_into(Level::best(), Arithmetic::Exact, as_uninit(out), options);
}

/// With fused operations and estimates.
pub fn fast(options: Options) -> Vec<(f32, f32)> {
    pairs(Level::best(), Arithmetic::Fast, options)
}

/// With fused operations and estimates, into a buffer.
pub fn fast_into(out: &mut [(f32, f32)], options: Options) {
    pairs_into(Level::best(), Arithmetic::Fast, as_uninit(out), options);
}

/// A fresh vector of (call, put).
pub fn pairs(level: Level, arithmetic: Arithmetic, options: Options) -> Vec<(f32, f32)> {
    // SAFETY: `pairs_into` writes every element.
    unsafe {
        memory::fresh(options.len(), |out| {
            pairs_into(level, arithmetic, out, options)
        })
    }
}

/// Two fresh vectors, of calls and of puts.
pub fn apart(level: Level, arithmetic: Arithmetic, options: Options) -> (Vec<f32>, Vec<f32>) {
    let len = options.len();
    let mut call = Vec::new();
    // SAFETY: `apart_into` writes every element of both.
    let put = unsafe {
        memory::fresh(len, |put| {
            call = memory::fresh(len, |call| {
                apart_into(level, arithmetic, call, put, options)
            });
        })
    };
    (call, put)
}

fn pairs_into(
    level: Level,
    arithmetic: Arithmetic,
    out: &mut [MaybeUninit<(f32, f32)>],
    options: Options,
) {
    let past_cache = worth_streaming(out);
    out.par_chunks_mut(TASK)
        .enumerate()
        .for_each(|(task, out)| {
            let mut staged = Staged::new();
            for (block, out) in out.chunks_mut(BLOCK).enumerate() {
                let part = options.part(task * TASK + block * BLOCK, BLOCK);
                price(level, arithmetic, part, &mut staged);
                interleave(level, &mut staged.pairs, &staged.call, &staged.put);
                store_pairs(level, out, &staged.pairs[..part.len()], past_cache);
            }
            fence();
        });
}

fn apart_into(
    level: Level,
    arithmetic: Arithmetic,
    call: &mut [MaybeUninit<f32>],
    put: &mut [MaybeUninit<f32>],
    options: Options,
) {
    let past_cache = worth_streaming(call);
    let parts = call.par_chunks_mut(TASK).zip(put.par_chunks_mut(TASK));
    parts.enumerate().for_each(|(task, (call, put))| {
        let mut staged = Staged::new();
        let blocks = call.chunks_mut(BLOCK).zip(put.chunks_mut(BLOCK));
        for (block, (call, put)) in blocks.enumerate() {
            let part = options.part(task * TASK + block * BLOCK, BLOCK);
            price(level, arithmetic, part, &mut staged);
            store(level, call, &staged.call[..part.len()], past_cache);
            store(level, put, &staged.put[..part.len()], past_cache);
        }
        fence();
    });
}

/// Prices a part of at most `BLOCK` options.
#[inline(always)]
fn price(level: Level, arithmetic: Arithmetic, part: Options, staged: &mut Staged) {
    if let (Ok(price), Ok(strike), Ok(years)) = (
        part.price.try_into(),
        part.strike.try_into(),
        part.years.try_into(),
    ) {
        price_block(
            level,
            arithmetic,
            Block {
                price,
                strike,
                years,
            },
            staged,
        );
    } else {
        let fill = |from: &[f32]| {
            let mut block = [1.0; BLOCK];
            block[..from.len()].copy_from_slice(from);
            block
        };
        let (price, strike, years) = (&fill(part.price), &fill(part.strike), &fill(part.years));
        price_block(
            level,
            arithmetic,
            Block {
                price,
                strike,
                years,
            },
            staged,
        );
    }
}

#[inline(always)]
fn price_block(level: Level, arithmetic: Arithmetic, block: Block, staged: &mut Staged) {
    match arithmetic {
        #[cfg(target_arch = "x86_64")]
        Arithmetic::Fast if level.is_v4() => {
            wide::compute(level, block, &mut staged.call, &mut staged.put);
        }
        _ => compute(level, block, &mut staged.call, &mut staged.put),
    }
}

/// Inputs as in the sample: prices 5 to 30, strikes 1 to 100, 0.25 to 10 years.
pub fn inputs(len: usize) -> [Vec<f32>; 3] {
    let between = |salt: u64, low: f32, high: f32| {
        memory::generate(len, move |i| {
            let mut x = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ salt;
            x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            low + (high - low) * ((x >> 40) as f32 / (1_u64 << 24) as f32)
        })
    };
    [
        between(1, 5.0, 30.0),
        between(2, 1.0, 100.0),
        between(3, 0.25, 10.0),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The formula in f64.
    fn definition(price: f32, strike: f32, years: f32) -> (f64, f64) {
        let normal = |d: f64| {
            let k = 1.0 / (1.0 + 0.231_641_9 * d.abs());
            let a = [
                0.319381530,
                -0.356563782,
                1.781477937,
                -1.821255978,
                1.330274429,
            ];
            let polynomial = a.iter().rev().fold(0.0, |p, a| k * (a + p));
            let tail = (-0.5 * d * d).exp() / std::f64::consts::TAU.sqrt() * polynomial;
            if d > 0.0 { 1.0 - tail } else { tail }
        };
        let (price, strike, years) = (f64::from(price), f64::from(strike), f64::from(years));
        let deviation = 0.3 * years.sqrt();
        let d1 = ((price / strike).ln() + (0.02 + 0.5 * 0.09) * years) / deviation;
        let (below1, below2) = (normal(d1), normal(d1 - deviation));
        let discounted = strike * (-0.02 * years).exp();
        let call = price * below1 - discounted * below2;
        (call, discounted * (1.0 - below2) - price * (1.0 - below1))
    }

    #[test]
    fn agrees_with_the_definition() {
        let [price, strike, years] = inputs(70_001);
        let options = Options::new(&price, &strike, &years);
        let best = Level::best();
        for prices in [
            plain(options),
            pairs(best, Arithmetic::Exact, options),
            pairs(best, Arithmetic::Fast, options),
        ] {
            for (i, (call, put)) in prices.into_iter().enumerate() {
                let (exact_call, exact_put) = definition(price[i], strike[i], years[i]);
                let error = (f64::from(call) - exact_call).abs();
                assert!(
                    error.max((f64::from(put) - exact_put).abs()) < 4e-5,
                    "{i}: {error}"
                );
            }
        }
    }

    #[test]
    fn exact_prices_have_the_same_bits_on_every_level() {
        let [price, strike, years] = inputs(1_003);
        let options = Options::new(&price, &strike, &years);
        let expected = pairs(Level::best(), Arithmetic::Exact, options);
        for level in Level::available() {
            assert_eq!(
                pairs(level, Arithmetic::Exact, options),
                expected,
                "{level:?}"
            );
            let (call, put) = apart(level, Arithmetic::Exact, options);
            assert!(call.into_iter().zip(put).eq(expected.iter().copied()));
        }
        let mut out = vec![(0.0, 0.0); price.len()];
        expert_into(&mut out, options);
        assert_eq!(out, expected);
    }
}
