//! How often somebody passes each node of a graph who follows edges at random, and one time in seven
//! starts anew, after some rounds from where all nodes are alike.
//!
//! One pass per round: what comes in over a node's edges is summed, and what the node passes on over each
//! of its own is left for the next round, with what sticks in nodes that no edge leaves. Nodes are cut
//! among threads by the edges that lead to them.

use super::rows::{Rows, parts};
use crate::levels::{Level, kernel};
use crate::memory::prefetch;
use rayon::prelude::*;

/// How much of what is there goes on over edges.
const ON: f64 = 0.85;

/// Bytes from what is summed to what is fetched.
const AHEAD: usize = 512;

/// As rayon and `std` give it. `from` has the nodes from which edges lead to each.
pub fn plain(from: Rows<'_, usize>, leaving: &[usize], rounds: usize) -> Vec<f64> {
    let n = from.count();
    let mut rank = vec![1.0 / n as f64; n];
    for _ in 0..rounds {
        let pairs = rank.par_iter().zip(leaving);
        let share: Vec<f64> = pairs.map(|(r, edges)| r / (*edges).max(1) as f64).collect();
        let stuck = rank
            .par_iter()
            .zip(leaving)
            .filter(|(_, edges)| **edges == 0);
        let stuck: f64 = stuck.map(|(r, _)| r).sum();
        let anew = (1.0 - ON + ON * stuck) / n as f64;
        let nodes = (0..n).into_par_iter();
        let sums = nodes.map(|v| from.row(v).iter().map(|w| share[*w]).sum::<f64>());
        rank = sums.map(|sum| ON * sum + anew).collect();
    }
    rank
}

/// As an expert writes it. `None` if an edge leads from a node that is none.
pub fn expert_into(
    rank: &mut [f64],
    from: Rows<'_, usize>,
    leaving: &[usize],
    rounds: usize,
) -> Option<()> {
    at_level(Level::best(), rank, from, leaving, rounds)
}

/// The expert's version at a level.
pub fn at_level(
    level: Level,
    rank: &mut [f64],
    from: Rows<'_, usize>,
    leaving: &[usize],
    rounds: usize,
) -> Option<()> {
    let n = from.count();
    assert!(rank.len() == n && leaving.len() == n);
    let tasks = from.tasks();
    let lens = || tasks.iter().map(ExactSizeIterator::len);
    let first = 1.0 / n as f64;
    rank.fill(first);
    let parts_of: Vec<f64> = leaving.iter().map(|edges| 1.0 / *edges as f64).collect();
    let (mut share, mut next) = (vec![0.0; n], vec![0.0; n]);
    let mut stuck = pass_on(level, rank, &parts_of, &mut share);
    for _ in 0..rounds {
        let anew = (1.0 - ON + ON * stuck) / n as f64;
        let outs = parts(rank, lens())
            .into_iter()
            .zip(parts(&mut next, lens()));
        let stuck_here = tasks.par_iter().zip(outs.collect::<Vec<_>>());
        let stuck_here: Vec<Option<f64>> = stuck_here
            .map(|(task, (rank, next))| {
                let sound = gather(level, rank, from, task.start, &share, anew);
                sound.then(|| pass_on(level, rank, &parts_of[task.clone()], next))
            })
            .collect();
        stuck = stuck_here.into_iter().sum::<Option<f64>>()?;
        std::mem::swap(&mut share, &mut next);
    }
    Some(())
}

kernel! {
    /// What each node passes on over each edge, and how much sticks in nodes without any.
    fn pass_on(rank: &[f64], parts_of: &[f64], share: &mut [f64]) -> f64 {
        let mut stuck = [0.0; 16];
        let (ranks, last_ranks) = rank.as_chunks::<16>();
        let (parts, last_parts) = parts_of.as_chunks::<16>();
        let (shares, last_shares) = share.as_chunks_mut::<16>();
        for ((rank, part), share) in ranks.iter().zip(parts).zip(shares) {
            for lane in 0..16 {
                share[lane] = rank[lane] * part[lane];
                stuck[lane] += if part[lane] == f64::INFINITY { rank[lane] } else { 0.0 };
            }
        }
        for ((rank, part), share) in last_ranks.iter().zip(last_parts).zip(last_shares) {
            *share = rank * part;
            stuck[0] += if *part == f64::INFINITY { *rank } else { 0.0 };
        }
        stuck.iter().sum::<f64>()
    }
}

kernel! {
    /// The ranks of nodes from `first` on; whether all edges lead from a node.
    fn gather(
        rank: &mut [f64],
        from: Rows<'_, usize>,
        first: usize,
        share: &[f64],
        anew: f64,
    ) -> bool {
        let mut sound = true;
        for (at, rank) in rank.iter_mut().enumerate() {
            let row = from.row(first + at);
            prefetch(row.as_ptr(), AHEAD);
            let mut sums = [0.0; 4];
            let (blocks, rest) = row.as_chunks::<4>();
            for block in blocks {
                prefetch(block.as_ptr(), AHEAD);
                for lane in 0..4 {
                    sound &= block[lane] < share.len();
                    sums[lane] += share.get(block[lane]).copied().unwrap_or(0.0);
                }
            }
            for (sum, w) in sums.iter_mut().zip(rest) {
                sound &= *w < share.len();
                *sum += share.get(*w).copied().unwrap_or(0.0);
            }
            *rank = ON * ((sums[0] + sums[2]) + (sums[1] + sums[3])) + anew;
        }
        sound
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::samples;
    use super::*;

    #[test]
    fn agrees_with_the_definition_on_every_level() {
        let (offsets, mut nodes) = samples(|i| i * 7919 % 1733 % 1400);
        let from = Rows {
            offsets: &offsets,
            elements: &nodes,
        };
        let n = from.count();
        let mut leaving = vec![0; n];
        nodes.iter().for_each(|v| leaving[*v] += 1);
        let mut wanted = vec![1.0 / n as f64; n];
        for _ in 0..7 {
            let passed = |v: usize| wanted[v] / leaving[v] as f64;
            let stuck: f64 = (0..n).filter(|v| leaving[*v] == 0).map(|v| wanted[v]).sum();
            let sum = |v: usize| from.row(v).iter().map(|w| passed(*w)).sum::<f64>();
            let anew = (0.15 + 0.85 * stuck) / n as f64;
            wanted = (0..n).map(|v| 0.85 * sum(v) + anew).collect();
        }
        let near = |found: &[f64]| {
            let mut pairs = found.iter().zip(&wanted);
            found.len() == n && pairs.all(|(a, b)| (a - b).abs() <= 1e-12)
        };
        for level in Level::available() {
            let mut rank = vec![-1.0; n];
            assert_eq!(at_level(level, &mut rank, from, &leaving, 7), Some(()));
            assert!(near(&rank));
        }
        assert!(near(&plain(from, &leaving, 7)));
        nodes[5] = n;
        let from = Rows {
            offsets: &offsets,
            elements: &nodes,
        };
        for level in Level::available() {
            assert_eq!(at_level(level, &mut vec![0.0; n], from, &leaving, 7), None);
        }
    }
}
