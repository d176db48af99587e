//! Inputs of rows: arrays of arrays of any lengths.

use ragged::Ragged;
use ragged_bench::memory;
use ragged_bench::rivals::rows::Rows;

/// Some number for each place, without a pattern.
pub(crate) fn scattered(i: usize, k: usize) -> usize {
    let mixed = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (k as u64).wrapping_mul(0xff51_afd7_ed55_8ccd);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) as usize >> 20
}

/// Some number between 0 and 1 for each place, never 0.
fn share(i: usize, k: usize) -> f64 {
    const STEPS: usize = 1 << 20;
    (scattered(i, k) % STEPS + 1) as f64 / STEPS as f64
}

/// A length that follows a power law: half are below 4, one in a hundred is above 90, one in a million
/// thousands, nine on average.
pub(crate) fn skewed(i: usize) -> usize {
    (6.0 * share(i, 8).powf(-0.6) - 6.0) as usize
}

/// What rows are of.
pub(crate) trait Element: Copy + Default + Send + Sync + 'static {}
impl<T: Copy + Default + Send + Sync + 'static> Element for T {}

/// The rows, for a rival.
pub(crate) fn plain<T: Element>(rows: &Ragged<T>) -> Rows<'_, T> {
    Rows {
        offsets: rows.offsets(),
        elements: rows.values(),
    }
}

/// Rows of these lengths; `element` makes element `k` of row `i`, which has so many.
pub(crate) fn rows<T: Element>(
    lens: impl IntoIterator<Item = usize>,
    element: impl Fn(usize, usize, usize) -> T,
) -> Ragged<T> {
    let lengths = Vec::from_iter(lens);
    let mut elements = Vec::with_capacity(lengths.iter().sum());
    // As all inputs are.
    memory::advise_huge_pages(elements.spare_capacity_mut());
    for (i, len) in lengths.iter().copied().enumerate() {
        elements.extend((0..len).map(|k| element(i, k, len)));
    }
    Ragged::from_lengths(lengths, elements).expect("lengths of what was made")
}

/// Lengths from 65 to 500.
pub(crate) fn medium(i: usize) -> usize {
    65 + scattered(i, 4) % 436
}

/// Rows of numbers between 0 and 1.
pub(crate) fn numbers(lens: impl IntoIterator<Item = usize>) -> Ragged<f32> {
    rows(lens, |i, k, _| (scattered(i, k) % (1 << 20)) as f32 * 1e-6)
}

/// Lines of up to 200 bytes, of words that follow each other in a text.
pub(crate) fn lines(count: usize) -> Ragged<u8> {
    const TEXT: &str = include_str!("../../../examples/data/alice.txt");
    let text: Vec<&str> = TEXT.split_whitespace().collect();
    let (mut lengths, mut bytes) = (Vec::new(), Vec::new());
    for line in 0..count {
        let (before, room) = (bytes.len(), scattered(line, 1) % 201);
        for word in text.iter().cycle().skip(scattered(line, 2) % text.len()) {
            if bytes.len() - before + word.len() + 1 > room {
                break;
            }
            bytes.extend_from_slice(word.as_bytes());
            bytes.push(b' ');
        }
        lengths.push(bytes.len() - before);
    }
    let bytes = memory::generate(bytes.len(), |at| bytes[at]);
    Ragged::from_lengths(lengths, bytes).expect("lengths of what was made")
}

/// The edges of a graph: for each node, where edges lead to. Both follow a power law, so a few nodes have
/// thousands of edges, and a few are at the end of thousands.
pub(crate) fn graph(nodes: usize) -> Ragged<usize> {
    let end = |i: usize, k: usize, _| {
        let rank = nodes as f64 * share(i, k + 9).powi(3);
        (rank as usize).min(nodes - 1) * 7919 % nodes
    };
    rows((0..nodes).map(skewed), end)
}

/// The same edges from their ends: for each node, where edges come from.
pub(crate) fn turned(to: &Ragged<usize>) -> Ragged<usize> {
    let mut lens = vec![0; to.len()];
    to.values().iter().for_each(|w| lens[*w] += 1);
    let mut place = 0;
    let mut places: Vec<usize> = Vec::from_iter(lens.iter().map(|len| {
        place += len;
        place - len
    }));
    let mut from = memory::generate(to.values().len(), |_| 0);
    for (v, ends) in to.iter().enumerate() {
        for w in ends {
            from[places[*w]] = v;
            places[*w] += 1;
        }
    }
    Ragged::from_lengths(lens, from).expect("each edge has been counted")
}
