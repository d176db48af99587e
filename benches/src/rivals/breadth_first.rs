//! How many edges each node of a graph is away from one of them.
//!
//! Who has been reached is a set of bits, small enough for a near cache: one look at it tells most edges
//! apart, and only a node that is new costs an atomic operation. The nodes of a level are cut among
//! threads by their edges; each task keeps a list of its own of those that it reaches. Where the next
//! nodes' edges begin, and the edges, are fetched meanwhile.

use super::rows::Rows;
use crate::memory::prefetch;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Edges and nodes per task; fewer are not handed out.
const TASK: usize = 1 << 13;

/// Nodes from what is looked at to what is fetched.
const AHEAD: usize = 8;

/// As rayon and `std` give it: the number of nodes where no path leads.
pub fn plain(to: Rows<'_, usize>, start: usize) -> Vec<usize> {
    let n = to.count();
    let level: Vec<AtomicUsize> = (0..n).map(|_| AtomicUsize::new(n)).collect();
    level[start].store(0, Ordering::Relaxed);
    let mut front = vec![start];
    let mut depth = 0;
    while !front.is_empty() {
        depth += 1;
        let level = &level;
        let new = |w: &usize| {
            let swapped =
                level[*w].compare_exchange(n, depth, Ordering::Relaxed, Ordering::Relaxed);
            swapped.is_ok()
        };
        let ends = front
            .par_iter()
            .flat_map_iter(|v| to.row(*v).iter().copied());
        front = ends.filter(new).collect();
    }
    level.into_iter().map(AtomicUsize::into_inner).collect()
}

/// As an expert writes it.
pub fn expert_into(out: &mut [usize], to: Rows<'_, usize>, start: usize) {
    let n = to.count();
    assert_eq!(out.len(), n);
    out.par_chunks_mut(1 << 16).for_each(|part| part.fill(n));
    let reached: Vec<AtomicU64> = (0..n.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
    // SAFETY: as `out`, which nobody reads or writes meanwhile, and atomics have the same layout.
    let level = unsafe { &*(std::ptr::from_mut(out) as *const [AtomicUsize]) };
    let search = Search {
        to,
        reached: &reached,
        level,
    };
    search.reach(start, 0);
    let mut front = vec![start];
    let mut depth = 0;
    while !front.is_empty() {
        depth += 1;
        front = search.next(&front, depth);
    }
}

/// What is known of a graph in a search.
struct Search<'a> {
    to: Rows<'a, usize>,
    reached: &'a [AtomicU64],
    level: &'a [AtomicUsize],
}

impl Search<'_> {
    /// The nodes that are reached from these for the first time.
    fn next(&self, front: &[usize], depth: usize) -> Vec<usize> {
        let tasks = self.tasks(front);
        if let [task] = &tasks[..] {
            return self.reached_from(task, depth);
        }
        let lists: Vec<Vec<usize>> = tasks
            .into_par_iter()
            .map(|task| self.reached_from(task, depth))
            .collect();
        lists.concat()
    }

    /// The nodes in parts of as many edges.
    fn tasks<'f>(&self, front: &'f [usize]) -> Vec<&'f [usize]> {
        let (mut tasks, mut first, mut weight) = (Vec::new(), 0, 0);
        for (at, &v) in front.iter().enumerate() {
            if let Some(&far) = front.get(at + AHEAD) {
                prefetch(&raw const self.to.offsets[far], 0);
            }
            weight += self.to.row(v).len() + 1;
            if weight >= TASK {
                tasks.push(&front[first..=at]);
                (first, weight) = (at + 1, 0);
            }
        }
        if first < front.len() {
            tasks.push(&front[first..]);
        }
        tasks
    }

    fn reached_from(&self, front: &[usize], depth: usize) -> Vec<usize> {
        let mut list = Vec::new();
        for (at, &v) in front.iter().enumerate() {
            if let Some(&far) = front.get(at + 2 * AHEAD) {
                prefetch(&raw const self.to.offsets[far], 0);
            }
            if let Some(&near) = front.get(at + AHEAD) {
                prefetch(self.to.row(near).as_ptr(), 0);
            }
            for &w in self.to.row(v) {
                if self.is_new(w) && self.reach(w, depth) {
                    list.push(w);
                }
            }
        }
        list
    }

    /// Whether nobody has been seen to reach the node.
    fn is_new(&self, node: usize) -> bool {
        self.reached[node / 64].load(Ordering::Relaxed) >> (node % 64) & 1 == 0
    }

    /// Gives the node its level if it has none. Whether it had none.
    fn reach(&self, node: usize, depth: usize) -> bool {
        let bit = 1 << (node % 64);
        let is_first = self.reached[node / 64].fetch_or(bit, Ordering::Relaxed) & bit == 0;
        if is_first {
            self.level[node].store(depth, Ordering::Relaxed);
        }
        is_first
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::samples;
    use super::*;

    #[test]
    fn agrees_with_the_definition() {
        let (offsets, ends) = samples(|i| i * 7919 % 1733 % 1400);
        let to = Rows {
            offsets: &offsets,
            elements: &ends,
        };
        let n = to.count();
        // A path has at most `n` edges: levels settle after as many rounds.
        let mut wanted = vec![n; n];
        wanted[3] = 0;
        let mut settled = false;
        while !settled {
            settled = true;
            for v in 0..n {
                for &w in to.row(v) {
                    if wanted[v] + 1 < wanted[w] {
                        wanted[w] = wanted[v] + 1;
                        settled = false;
                    }
                }
            }
        }
        assert!(wanted.contains(&n) && wanted.contains(&2));
        let mut out = vec![77; n];
        expert_into(&mut out, to, 3);
        assert_eq!(out, wanted);
        assert_eq!(plain(to, 3), wanted);
    }
}
