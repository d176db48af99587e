//! Pipelines as one writes them: a thread that reads batches, one that hands each to rayon, and the
//! caller, which takes results; bounded channels of `crossbeam` between them.

use super::audio::{self, Windows};
use super::md5::{self, Digest, Words};
use crossbeam_channel::bounded;
use std::thread;

/// Batches that wait.
const WAITING: usize = 2;

/// Hands what `work` makes of each batch to `sink`, in order, until that wants no more.
pub fn run<B: Send, R: Send>(
    batches: impl Iterator<Item = B> + Send,
    work: impl Fn(B) -> R + Sync,
    mut sink: impl FnMut(R) -> bool,
) {
    thread::scope(|scope| {
        let (to_work, read) = bounded(WAITING);
        let (to_sink, made) = bounded(WAITING);
        // Whoever is not listened to any more ends.
        scope.spawn(move || {
            batches
                .into_iter()
                .try_for_each(|batch| to_work.send(batch))
                .ok()
        });
        let work = &work;
        scope.spawn(move || {
            read.into_iter()
                .try_for_each(|batch| to_sink.send(work(batch)))
                .ok()
        });
        for results in made {
            if !sink(results) {
                return;
            }
        }
    });
}

/// Words of a batch.
const BATCH: usize = 1 << 16;

/// How many words come before the one with this digest: words as [`Words`] has them, and their bits.
pub fn find(mut words: impl Iterator<Item = ([u32; 4], u32)> + Send, wanted: Digest) -> usize {
    let batches = std::iter::from_fn(|| {
        let (blocks, bits): (Vec<_>, Vec<_>) = words.by_ref().take(BATCH).unzip();
        (!bits.is_empty()).then_some((blocks, bits))
    });
    let among = |(blocks, bits): (Vec<[u32; 4]>, Vec<u32>)| {
        let found = md5::expert(Words::new(&blocks, &bits), wanted);
        (found, bits.len())
    };
    let mut before = 0;
    run(batches, among, |(found, count)| {
        before += found;
        found == count
    });
    before
}

/// Samples of a batch, about.
const SAMPLES: usize = 1 << 18;

/// Hands on what `audio` finds in each window.
pub fn windows<'a>(
    mut windows: impl Iterator<Item = &'a [f64]> + Send,
    lags: usize,
    mut sink: impl FnMut(&[f64], usize),
) {
    let batches = std::iter::from_fn(|| {
        let (mut signal, mut places) = (Vec::new(), Vec::new());
        while signal.len() < SAMPLES
            && let Some(window) = windows.next()
        {
            places.push((signal.len(), window.len()));
            signal.extend_from_slice(window);
        }
        (!places.is_empty()).then_some((signal, places))
    });
    let found = |(signal, places): (Vec<f64>, Vec<(usize, usize)>)| {
        let (mut alike, mut crossings) = (vec![0.0; lags * places.len()], vec![0; places.len()]);
        let windows = Windows {
            signal: &signal,
            places: &places,
        };
        audio::expert_into(&mut alike, &mut crossings, windows, lags);
        (alike, crossings)
    };
    run(batches, found, |(alike, crossings)| {
        for (alike, crossings) in alike.chunks(lags).zip(crossings) {
            sink(alike, crossings);
        }
        true
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_is_found_in_any_batch() {
        let word = |i: usize| ([i as u32, 0x80, 0, 0], 32);
        for (count, at) in [
            (0, 0),
            (1, 0),
            (BATCH, BATCH - 1),
            (BATCH + 1, BATCH),
            (10, 10),
        ] {
            let wanted = md5::digest(word(at).0, 32);
            assert_eq!(find((0..count).map(word), wanted), at, "{count}");
        }
    }

    #[test]
    fn windows_are_those_of_the_whole_signal() {
        let signal: Vec<f64> = (0..1000).map(|i| f64::from(i * 37 % 101) - 50.0).collect();
        let places = [(0, 200), (100, 0), (150, 333), (500, 500)];
        let whole = Windows {
            signal: &signal,
            places: &places,
        };
        let (mut alike, mut crossings) = (vec![0.0; 4 * 8], vec![0; 4]);
        audio::expert_into(&mut alike, &mut crossings, whole, 8);
        let (mut found, mut counts) = (Vec::new(), Vec::new());
        let all = places.iter().map(|(start, len)| &signal[*start..][..*len]);
        windows(all, 8, |alike, crossings| {
            found.extend_from_slice(alike);
            counts.push(crossings);
        });
        assert_eq!((found, counts), (alike, crossings));
    }
}
