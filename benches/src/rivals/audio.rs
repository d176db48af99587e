//! What a processor of audio finds in windows of a signal, f64: how alike each is to itself some samples
//! later, and how often it passes through zero.
//!
//! Windows lie in a buffer with zeros behind them. One sample at a time is multiplied by those some lags
//! later, a vector of lags at a time, in as many vectors of sums as registers allow. Samples whose
//! distance is a vector's width follow each other: all but one of the vectors that the next needs are
//! there. So there is one load for all multiplications, and the window is gone through once for
//! each of the vector's lanes. Samples are numbers: what is behind a window is multiplied by zero.

use super::rows::parts;
use crate::levels::{Level, kernel};
use rayon::prelude::*;

/// A signal, and where windows begin and how long they are.
#[derive(Clone, Copy, Debug)]
pub struct Windows<'a> {
    /// All samples.
    pub signal: &'a [f64],
    /// First sample and length of each window.
    pub places: &'a [(usize, usize)],
}

/// Samples per task, about.
const TASK: usize = 1 << 14;

/// As rayon and `std` give it.
pub fn plain(windows: Windows, lags: usize) -> (Vec<f64>, Vec<usize>) {
    let all = windows.places.par_iter();
    let found = all.map(|(start, len)| {
        let window = &windows.signal[*start..start + len];
        let alike = (0..lags).map(|lag| {
            let later = window.iter().skip(lag);
            later.zip(window).map(|(a, b)| a * b).sum::<f64>()
        });
        let pairs = window.windows(2);
        let crossings = pairs.filter(|pair| (pair[0] < 0.0) != (pair[1] < 0.0));
        (alike.collect::<Vec<f64>>(), crossings.count())
    });
    let (alike, crossings): (Vec<_>, _) = found.unzip();
    (alike.concat(), crossings)
}

/// As an expert writes it.
///
/// # Panics
/// If a window is not within the signal, or lengths differ.
pub fn expert_into(alike: &mut [f64], crossings: &mut [usize], windows: Windows, lags: usize) {
    at_level(Level::best(), alike, crossings, windows, lags);
}

/// The expert's version at a level.
///
/// # Panics
/// If a window is not within the signal, or lengths differ.
pub fn at_level(
    level: Level,
    alike: &mut [f64],
    crossings: &mut [usize],
    windows: Windows,
    lags: usize,
) {
    assert_eq!(alike.len(), lags * windows.places.len());
    assert_eq!(crossings.len(), windows.places.len());
    let tasks = tasks(windows.places);
    let lens = || tasks.iter().map(|task| task.len());
    let alike = parts(alike, lens().map(|len| lags * len));
    let outs = alike.into_iter().zip(parts(crossings, lens()));
    let all: Vec<_> = tasks.iter().zip(outs).collect();
    all.into_par_iter()
        .for_each(|(places, (alike, crossings))| {
            let mut buffer = Vec::new();
            for (at, (start, len)) in places.iter().enumerate() {
                let window = &windows.signal[*start..start + len];
                crossings[at] = crossings_of(level, window);
                buffer.clear();
                buffer.extend_from_slice(window);
                buffer.resize(len + lags.next_multiple_of(MOST_LANES) + MOST_LANES, 0.0);
                autocorrelation(level, &mut alike[at * lags..][..lags], &buffer, *len);
            }
        });
}

/// Lanes of the widest vectors.
const MOST_LANES: usize = 8;

/// Windows that follow each other, of about as many samples.
fn tasks(mut places: &[(usize, usize)]) -> Vec<&[(usize, usize)]> {
    let mut tasks = Vec::new();
    while !places.is_empty() {
        let mut samples = 0;
        let count = places.iter().take_while(|(_, len)| {
            samples += len;
            samples <= TASK
        });
        tasks.push(places.split_off(..count.count().max(1)).expect("a part"));
    }
    tasks
}

kernel! {
    fn crossings_of(window: &[f64]) -> usize {
        let mut count = 0;
        for i in 1..window.len() {
            count += usize::from((window[i] < 0.0) != (window[i - 1] < 0.0));
        }
        count
    }
}

/// For each lag, of a window of `len` samples with zeros behind it.
fn autocorrelation(level: Level, alike: &mut [f64], buffer: &[f64], len: usize) {
    #[cfg(target_arch = "x86_64")]
    if level.is_v4() {
        // SAFETY: the level says that the machine has AVX-512.
        return unsafe { avx512::autocorrelation(alike, buffer, len) };
    } else if level.has_fma() {
        // SAFETY: the level says that the machine has AVX.
        return unsafe { avx::autocorrelation(alike, buffer, len) };
    }
    in_pairs(level, alike, buffer, len);
}

kernel! {
    /// With eight lags at a time.
    fn in_pairs(alike: &mut [f64], buffer: &[f64], len: usize) {
        for (tile, alike) in alike.chunks_mut(8).enumerate() {
            let mut sums = [0.0; 8];
            for at in 0..len.saturating_sub(8 * tile) {
                let later = &buffer[at + 8 * tile..][..8];
                for lane in 0..8 {
                    sums[lane] += buffer[at] * later[lane];
                }
            }
            alike.copy_from_slice(&sums[..alike.len()]);
        }
    }
}

/// What is the same for all widths of vectors; `$most` vectors of sums.
#[cfg(target_arch = "x86_64")]
macro_rules! tiles {
    ($feature:literal, $V:ident, $most:literal: $($vectors:literal)*; $zero:ident, $splat:ident, $load:ident, $store:ident, $add:ident, $mul:ident) => {
        const LANES: usize = size_of::<$V>() / 8;

        /// For each lag, of a window of `len` samples with zeros behind it.
        #[target_feature(enable = $feature)]
        pub fn autocorrelation(alike: &mut [f64], buffer: &[f64], len: usize) {
            let vectors = alike.len().div_ceil(LANES);
            assert!(buffer.len() >= len + (vectors + 1) * LANES);
            let tiles = vectors.div_ceil($most).max(1);
            let mut from = 0;
            for tile in 1..=tiles {
                let end = vectors * tile / tiles;
                let (first, count) = (from * LANES, end - from);
                let part = alike.len().min(end * LANES);
                let (part, later) = (&mut alike[first..part], &buffer[first..]);
                let len = len.saturating_sub(first);
                match count {
                    $($vectors => in_registers::<$vectors>(part, &buffer[..len], later),)*
                    _ => {}
                }
                from = end;
            }
        }

        /// So many vectors of lags, the first of which are those of `later`.
        #[target_feature(enable = $feature)]
        fn in_registers<const VECTORS: usize>(alike: &mut [f64], window: &[f64], later: &[f64]) {
            assert!(later.len() >= window.len() + VECTORS * LANES);
            // SAFETY: the places are at most `window.len() + (VECTORS - 1) * LANES`, and a vector
            // more is there.
            let load = |at: usize| unsafe { $load(later.as_ptr().add(at)) };
            let mut sums = [$zero(); VECTORS];
            for phase in 0..LANES.min(window.len()) {
                let mut at = phase;
                let mut ahead: [$V; VECTORS] = std::array::from_fn(|v| load(at + v * LANES));
                while at + VECTORS * LANES <= window.len() {
                    for round in 0..VECTORS {
                        let sample = $splat(window[at]);
                        for v in 0..VECTORS {
                            let product = $mul(sample, ahead[(round + v) % VECTORS]);
                            sums[v] = $add(sums[v], product);
                        }
                        ahead[round] = load(at + VECTORS * LANES);
                        at += LANES;
                    }
                }
                while at < window.len() {
                    let sample = $splat(window[at]);
                    for v in 0..VECTORS {
                        sums[v] = $add(sums[v], $mul(sample, load(at + v * LANES)));
                    }
                    at += LANES;
                }
            }
            let mut found = [[0.0; LANES]; VECTORS];
            for (found, sums) in found.iter_mut().zip(sums) {
                // SAFETY: a vector's worth of elements is there.
                unsafe { $store(found.as_mut_ptr(), sums) };
            }
            alike.copy_from_slice(&found.as_flattened()[..alike.len()]);
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx512 {
    use std::arch::x86_64::*;

    tiles!("avx512f", __m512d, 8: 1 2 3 4 5 6 7 8; _mm512_setzero_pd, _mm512_set1_pd, _mm512_loadu_pd, _mm512_storeu_pd, _mm512_add_pd, _mm512_mul_pd);
}

#[cfg(target_arch = "x86_64")]
mod avx {
    use std::arch::x86_64::*;

    tiles!("avx", __m256d, 6: 1 2 3 4 5 6; _mm256_setzero_pd, _mm256_set1_pd, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_add_pd, _mm256_mul_pd);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_definition_on_every_level() {
        let signal: Vec<f64> = (0..5000)
            .map(|i| (i * 7919 % 2003) as f64 - 1000.0)
            .collect();
        let places: Vec<(usize, usize)> = (0..200).map(|i| (i * 17, i * 37 % 1500)).collect();
        let windows = Windows {
            signal: &signal,
            places: &places,
        };
        // All sums are of whole numbers: exact in any order.
        for lags in [0, 1, 4, 7, 24, 33, 64, 100] {
            let mut wanted = Vec::new();
            for (start, len) in &places {
                let w = &signal[*start..start + len];
                wanted.extend(
                    (0..lags).map(|lag| (lag..*len).map(|i| w[i] * w[i - lag]).sum::<f64>()),
                );
            }
            let (alike, crossings) = plain(windows, lags);
            assert!(alike.iter().eq(&wanted));
            for level in Level::available() {
                let mut found = (vec![1.0; wanted.len()], vec![0; places.len()]);
                at_level(level, &mut found.0, &mut found.1, windows, lags);
                assert!(found.0 == wanted, "{level:?} {lags}");
                assert_eq!(found.1, crossings);
            }
        }
        let passes = |w: &[f64]| {
            (1..w.len())
                .filter(|i| (w[*i] < 0.0) != (w[i - 1] < 0.0))
                .count()
        };
        let by_hand = places
            .iter()
            .map(|(start, len)| passes(&signal[*start..start + len]));
        assert!(by_hand.eq(plain(windows, 3).1));
    }
}
