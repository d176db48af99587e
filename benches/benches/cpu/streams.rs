//! Rows of programs that the papers stream: here all of their input is in memory.

use crate::inputs::scattered;
use crate::table::{Row, Table, assert_near, run};
use ragged::DenseArg;
use ragged_bench::limits::Limit;
use ragged_bench::programs::{audio as signals, words as programs};
use ragged_bench::rivals::audio::{self, Windows};
use ragged_bench::rivals::md5::{self, Words};

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

/// Windows of 200 to 1500 samples that overlap by half.
pub(crate) fn audio(table: &mut Table) {
    const LAGS: usize = 64;
    let n = table.size(10_000_000);
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
