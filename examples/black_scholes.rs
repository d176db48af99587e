//! European option prices by the Black–Scholes formula: `cargo run --release --example
//! black_scholes [millions]`. Throughput beside a rayon loop as most people would write it.

use ragged::accel;
use rayon::prelude::*;
use std::time::Instant;

accel! {
    const RISK_FREE: f32 = 0.02;
    const VOLATILITY: f32 = 0.3;

    /// Prices of a call and a put for each (stock price, strike price, years).
    pub fn black_scholes(options: [(f32, f32, f32); n]) -> [(f32, f32); n] {
        for (price, strike, years) in options { option(price, strike, years) }
    }

    fn option(price: f32, strike: f32, years: f32) -> (f32, f32) {
        let spread = VOLATILITY * sqrt(years);
        let d1 = (ln(price / strike) + (RISK_FREE + 0.5 * VOLATILITY * VOLATILITY) * years) / spread;
        let d2 = d1 - spread;
        let discounted = strike * exp(-RISK_FREE * years);
        let (p1, p2) = (normal(d1), normal(d2));
        (price * p1 - discounted * p2, discounted * (1.0 - p2) - price * (1.0 - p1))
    }

    /// The cumulative normal distribution (Abramowitz and Stegun 26.2.17).
    fn normal(d: f32) -> f32 {
        let k = 1.0 / (1.0 + 0.2316419 * abs(d));
        let poly = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937
            + k * (-1.821255978 + k * 1.330274429))));
        let tail = 0.39894228 * exp(-0.5 * d * d) * poly;
        if d > 0.0 { 1.0 - tail } else { tail }
    }
}

/// The same formula by hand, element by element.
fn by_hand((price, strike, years): (f32, f32, f32)) -> (f32, f32) {
    let (risk_free, volatility) = (0.02f32, 0.3f32);
    let normal = |d: f32| {
        let k = 1.0 / (1.0 + 0.231_641_9 * d.abs());
        let poly = k
            * (0.319_381_53
                + k * (-0.356_563_78 + k * (1.781_477_9 + k * (-1.821_255_9 + k * 1.330_274_4))));
        let tail = 0.398_942_3 * (-0.5 * d * d).exp() * poly;
        if d > 0.0 { 1.0 - tail } else { tail }
    };
    let spread = volatility * years.sqrt();
    let d1 = ((price / strike).ln() + (risk_free + 0.5 * volatility * volatility) * years) / spread;
    let d2 = d1 - spread;
    let discounted = strike * (-risk_free * years).exp();
    let (p1, p2) = (normal(d1), normal(d2));
    (
        price * p1 - discounted * p2,
        discounted * (1.0 - p2) - price * (1.0 - p1),
    )
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let millions: usize = std::env::args().nth(1).map_or(Ok(20), |it| it.parse())?;
    let options = options(millions * 1_000_000);

    let ours = black_scholes(&options)?;
    let hand: Vec<(f32, f32)> = options.par_iter().map(|it| by_hand(*it)).collect();
    let furthest = ours
        .iter()
        .zip(&hand)
        .map(|(a, b)| (a.0 - b.0).abs().max((a.1 - b.1).abs()));
    println!(
        "{millions} million options; the two differ by at most {:e}",
        furthest.fold(0.0, f32::max)
    );
    drop((ours, hand));

    let time = |name: &str, run: &mut dyn FnMut()| {
        let mut times: Vec<f64> = (0..7)
            .map(|_| {
                let start = Instant::now();
                run();
                start.elapsed().as_secs_f64()
            })
            .collect();
        times.sort_by(f64::total_cmp);
        println!(
            "{name:18} {:6.0} million options a second",
            millions as f64 / times[3]
        );
        times[3]
    };
    let ours = time("accel!", &mut || drop(black_scholes(&options)));
    let hand = time("rayon by hand", &mut || {
        drop(
            options
                .par_iter()
                .map(|it| by_hand(*it))
                .collect::<Vec<_>>(),
        );
    });
    println!(
        "accel! takes {:.2} of the time\n\n{}",
        ours / hand,
        black_scholes::EXPLAIN
    );
    Ok(())
}

/// Options with prices, strikes and times in the ranges of the usual benchmark.
fn options(n: usize) -> Vec<(f32, f32, f32)> {
    let unit = |i: usize, salt: u64| {
        let mut x = (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ salt;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ (x >> 31)) >> 40) as f32 / (1u64 << 24) as f32
    };
    let option = |i| {
        (
            5.0 + 25.0 * unit(i, 1),
            1.0 + 99.0 * unit(i, 2),
            0.25 + 9.75 * unit(i, 3),
        )
    };
    (0..n).into_par_iter().map(option).collect()
}
