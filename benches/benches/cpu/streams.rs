//! Rows of programs that the papers stream: with all of their input in memory, and as sequences.

use crate::inputs::{self, medium, scattered};
use crate::table::{Row, Table, assert_near, run};
use ragged::DenseArg;
use ragged_bench::limits::Limit;
use ragged_bench::programs::{audio as signals, nested, streams, words as programs};
use ragged_bench::rivals::audio::{self, Windows};
use ragged_bench::rivals::md5::{self, Words};
use ragged_bench::rivals::pipeline;
use std::hint::black_box;

/// The last of 14 million words is looked for.
pub(crate) fn md5(table: &mut Table) {
    /// Of each of 64 steps: three to mix, three additions, a rotation. And the additions of what is not zero.
    const OPERATIONS_PER_WORD: usize = 64 * 7 + 20;
    let n = table.size(14_000_000);
    // Eight letters, and the bit behind them.
    let blocks = Vec::from_iter((0..n).map(|i| [scattered(i, 1) as u32, i as u32, 0x80, 0]));
    let bits = &vec![64_u32; n][..];
    let wanted = md5::digest(blocks[n - 1], 64);
    let words = Words::new(&blocks, bits);
    let argument = || DenseArg::new([n, 4], blocks.as_flattened()).expect("four in each");
    let ours = || programs::find(argument(), bits, wanted.into()).expect("as many lengths");
    assert_eq!((ours(), md5::expert(words, wanted)), (n - 1, n - 1));
    table.row(Row {
        rival: run(|| md5::expert(words, wanted)),
        ours: run(ours),
        limit: Some(Limit::Lanes32((OPERATIONS_PER_WORD * n) as f64)),
        expert: None,
    });
}

const LAGS: usize = 64;

/// A signal of so many samples, and the windows in it.
fn signal(n: usize) -> (Vec<f64>, Vec<(usize, usize)>) {
    let signal = Vec::from_iter((0..n).map(|i| {
        let t = i as f64;
        (t * 0.05).sin() + (t * 0.0131).cos() * 0.3 + (scattered(i, 1) % 1000) as f64 * 2e-4
    }));
    let (mut places, mut start) = (Vec::new(), 0);
    while start + 1500 <= n {
        let len = 200 + scattered(start, 5) % 1301;
        places.push((start, len));
        start += len / 2;
    }
    (signal, places)
}

/// Windows of 200 to 1500 samples that overlap by half.
pub(crate) fn audio(table: &mut Table) {
    let (signal, places) = signal(table.size(10_000_000));
    let windows = Windows {
        signal: &signal,
        places: &places,
    };
    let found = signals::windows(&signal, &places, LAGS);
    let (mut alike, mut crossings) = found.expect("windows are in the signal");
    let mut rival_alike = vec![0.0; LAGS * places.len()];
    let mut rival_crossings = vec![0; places.len()];
    audio::expert_into(&mut rival_alike, &mut rival_crossings, windows, LAGS);
    assert_eq!(crossings, rival_crossings);
    for (ours, rival) in alike.iter().zip(&rival_alike) {
        assert_near(*ours, *rival, 1e-9);
    }
    let products = |len: usize| LAGS * len - LAGS * (LAGS - 1) / 2;
    let products: usize = places.iter().map(|(_, len)| products(*len)).sum();
    table.row(Row {
        rival: run(|| audio::expert_into(&mut rival_alike, &mut rival_crossings, windows, LAGS)),
        ours: run(|| {
            let out = (&mut alike, &mut crossings);
            signals::windows::into(out, &signal, &places, LAGS).expect("as before");
        }),
        limit: Some(Limit::Lanes64(2.0 * products as f64)),
        expert: None,
    });
}

/// The last of 14 million words is looked for, which come one by one.
pub(crate) fn md5_streamed(table: &mut Table) {
    let n = table.size(14_000_000);
    let blocks = Vec::from_iter((0..n).map(|i| [scattered(i, 1) as u32, i as u32, 0x80, 0]));
    let wanted = md5::digest(blocks[n - 1], 64);
    let words = || blocks.iter().map(|block| (*block, 64));
    let ours = || streams::find(words(), wanted.into()).expect("words have one length");
    assert_eq!((ours(), pipeline::find(words(), wanted)), (n - 1, n - 1));
    table.row(Row {
        rival: run(|| pipeline::find(words(), wanted)),
        ours: run(ours),
        limit: None,
        expert: None,
    });
}

/// The windows of `audio`, one by one, and what is found in each handed on.
pub(crate) fn audio_streamed(table: &mut Table) {
    let (signal, places) = signal(table.size(10_000_000));
    let windows = || places.iter().map(|(start, len)| &signal[*start..][..*len]);
    let ours = |take: &mut dyn FnMut(&[f64], usize)| {
        streams::windows::for_each(windows(), LAGS, |(alike, crossings)| {
            take(alike, crossings);
            Ok::<(), std::fmt::Error>(())
        })
        .expect("windows are there");
    };
    let (mut found, mut at) = (Vec::new(), 0);
    ours(&mut |alike, crossings| found.push((alike.to_vec(), crossings)));
    pipeline::windows(windows(), LAGS, |alike, crossings| {
        assert_eq!(crossings, found[at].1);
        for (ours, rival) in found[at].0.iter().zip(alike) {
            assert_near(*ours, *rival, 1e-9);
        }
        at += 1;
    });
    assert_eq!(at, found.len());
    let sink = |alike: &[f64], crossings: usize| {
        black_box((alike, crossings));
    };
    table.row(Row {
        rival: run(|| pipeline::windows(windows(), LAGS, sink)),
        ours: run(|| ours(&mut { sink })),
        limit: None,
        expert: None,
    });
}

/// Softmax of rows that come one by one; the rival is the program with all of them in memory.
pub(crate) fn softmax_streamed(table: &mut Table) {
    let rows = inputs::numbers((0..table.size(40_000)).map(medium));
    let mut out = nested::softmax(&rows).expect("there is memory");
    let ours = |take: &mut dyn FnMut(&[f32])| {
        streams::softmax::for_each(rows.iter(), |row| {
            take(row);
            Ok::<(), std::fmt::Error>(())
        })
        .expect("rows are there");
    };
    let mut elements = Vec::new();
    ours(&mut |row| elements.extend_from_slice(row));
    assert_eq!(elements, out.values());
    table.row(Row {
        rival: run(|| nested::softmax::into(&mut out, &rows).expect("as before")),
        ours: run(|| {
            ours(&mut |row| {
                black_box(row);
            })
        }),
        limit: None,
        expert: None,
    });
}
