//! Two sorted arrays in one.
//!
//! Results are cut into pieces of one length; where a piece begins in either array is found by halving. Four
//! parts of a piece are merged together, a step of each in turn and without branches, so that as many chains
//! of loads and comparisons are under way, into a cache, from where results go round the caches.

use crate::memory::{self, advise_huge_pages, fence, worth_streaming};
use rayon::prelude::*;
use std::mem::MaybeUninit;

/// Results of a task.
const TASK: usize = 1 << 16;

/// Parts that are merged together.
const CHAINS: usize = 4;

/// Results of a part that are kept in a cache.
const BLOCK: usize = 1 << 10;

/// As rayon gives it.
pub fn plain(out: &mut Vec<i32>, xs: &[i32], ys: &[i32]) {
    out.clear();
    out.extend_from_slice(xs);
    out.extend_from_slice(ys);
    out.par_sort();
}

/// As an expert writes it.
pub fn expert_into(out: &mut Vec<i32>, xs: &[i32], ys: &[i32]) {
    let n = xs.len() + ys.len();
    out.clear();
    out.reserve(n);
    let room = &mut out.spare_capacity_mut()[..n];
    advise_huge_pages(room);
    let streams = worth_streaming(room);
    let pieces = room.par_chunks_mut(TASK).enumerate();
    pieces.for_each(|(task, room)| piece(room, task * TASK, xs, ys, streams));
    // SAFETY: each task has written all of its piece, which together are these elements.
    unsafe { out.set_len(n) };
}

/// Writes the results from number `first` on, which are as many as there is room for.
fn piece(room: &mut [MaybeUninit<i32>], first: usize, xs: &[i32], ys: &[i32], streams: bool) {
    let len = room.len().div_ceil(CHAINS).max(1);
    let mut chains = [0; CHAINS].map(|_| Chain::default());
    for (at, (chain, room)) in chains.iter_mut().zip(room.chunks_mut(len)).enumerate() {
        *chain = Chain::at(first + at * len, xs, ys, room);
    }
    let mut cache = [[0; BLOCK]; CHAINS];
    while chains.iter().any(|chain| !chain.room.is_empty()) {
        let counts = block(&mut chains, &mut cache);
        for ((chain, cache), count) in chains.iter_mut().zip(&cache).zip(counts) {
            let to = chain
                .room
                .split_off_mut(..count)
                .expect("no more than room");
            match streams {
                true => memory::stream(to, &cache[..count]),
                false => memory::copy(to, &cache[..count]),
            }
        }
    }
    fence();
}

/// What is left of two arrays, and where the least of it goes.
#[derive(Default)]
struct Chain<'a, 'b> {
    xs: &'a [i32],
    ys: &'a [i32],
    room: &'b mut [MaybeUninit<i32>],
}

impl<'a, 'b> Chain<'a, 'b> {
    /// What is left behind so many results.
    fn at(place: usize, xs: &'a [i32], ys: &'a [i32], room: &'b mut [MaybeUninit<i32>]) -> Self {
        let (mut low, mut high) = (place.saturating_sub(ys.len()), place.min(xs.len()));
        while low < high {
            let middle = low.midpoint(high);
            match xs[middle] <= ys[place - middle - 1] {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let (xs, ys) = (&xs[low..], &ys[place - low..]);
        Chain { xs, ys, room }
    }

    /// How many results come before either array may be at its end.
    fn steps(&self) -> usize {
        self.xs.len().min(self.ys.len()).min(self.room.len())
    }

    /// Writes results one by one, until `to` is full or there is no more room.
    fn end(&mut self, to: &mut [i32], room: usize) {
        for to in to.iter_mut().take(room) {
            let from = match (self.xs.first(), self.ys.first()) {
                (Some(x), Some(y)) if y < x => &mut self.ys,
                (Some(_), _) => &mut self.xs,
                _ => &mut self.ys,
            };
            *to = *from.split_off_first().expect("results are left");
        }
    }
}

/// Merges up to [`BLOCK`] results of each chain; gives how many these are.
#[inline(never)]
fn block(chains: &mut [Chain; CHAINS], cache: &mut [[i32; BLOCK]; CHAINS]) -> [usize; CHAINS] {
    let steps = chains.iter().map(Chain::steps).fold(BLOCK, usize::min);
    let mut xs = [0; CHAINS].map(|_| std::ptr::null::<i32>());
    let mut ys = xs;
    for at in 0..CHAINS {
        (xs[at], ys[at]) = (chains[at].xs.as_ptr(), chains[at].ys.as_ptr());
    }
    let to = cache.each_mut().map(|cache| cache.as_mut_ptr());
    for step in 0..steps {
        for at in 0..CHAINS {
            // SAFETY: with each step one of the two goes on by one, and both have as many elements as there
            // are steps, of which there are no more than `BLOCK`.
            unsafe {
                let (x, y) = (*xs[at], *ys[at]);
                let takes_y = y < x;
                to[at].add(step).write(if takes_y { y } else { x });
                xs[at] = xs[at].add(usize::from(!takes_y));
                ys[at] = ys[at].add(usize::from(takes_y));
            }
        }
    }
    let mut counts = [steps; CHAINS];
    for at in 0..CHAINS {
        let chain = &mut chains[at];
        // SAFETY: both point into the slices that they come from, or at their ends.
        let of_xs = unsafe { xs[at].offset_from_unsigned(chain.xs.as_ptr()) };
        chain.xs = &chain.xs[of_xs..];
        chain.ys = &chain.ys[steps - of_xs..];
        if steps < BLOCK {
            let more = (chain.room.len() - steps).min(BLOCK - steps);
            chain.end(&mut cache[at][steps..], more);
            counts[at] += more;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(n: usize, factor: usize, most: usize) -> Vec<i32> {
        let mut xs: Vec<i32> = (0..n).map(|i| (i * factor % most) as i32 - 100).collect();
        xs.sort_unstable();
        xs
    }

    #[test]
    fn agrees_with_std() {
        let (mut out, mut wanted) = (vec![7], Vec::new());
        for n in [0, 1, 3, 100, 5000, TASK, 3 * TASK + 77] {
            for m in [0, 1, 1000, 2 * TASK + 1] {
                for most in [1, 50, 1_000_003] {
                    let (xs, ys) = (sorted(n, 7919, most), sorted(m, 6101, most));
                    plain(&mut wanted, &xs, &ys);
                    expert_into(&mut out, &xs, &ys);
                    assert!(out == wanted, "{n} and {m} of {most}");
                }
            }
        }
    }

    #[test]
    fn arrays_behind_each_other() {
        let (low, high) = (Vec::from_iter(0..100_000), Vec::from_iter(99_990..300_000));
        let (mut out, mut wanted) = (Vec::new(), Vec::new());
        plain(&mut wanted, &low, &high);
        for (xs, ys) in [(&low, &high), (&high, &low)] {
            expert_into(&mut out, xs, ys);
            assert!(out == wanted);
        }
    }
}
