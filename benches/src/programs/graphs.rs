//! Programs on graphs, as one would first write them.

ragged::accel! {
    pub fn levels(to: [[usize]; n], start: usize) -> [usize; n] {
        let mut level = for v in 0..n { if v == start { 0 } else { n } };
        let mut front = [start];
        let mut depth = 0;
        while front.len() > 0 {
            depth += 1;
            let reached = front.flat_map(|v| to[v].filter(|w| level[w] == n));
            level = level.scatter(reached, fill(depth, reached.len()));
            front = (0..n).filter(|v| level[v] == depth);
        }
        level
    }

    pub fn page_rank(from: [[usize]; n], leaving: [usize; n], rounds: usize) -> [f64; n] {
        let mut rank = fill(1.0 / n as f64, n);
        for _ in 0..rounds {
            let share = for (r, edges) in zip(rank, leaving) { r / max(edges, 1) as f64 };
            let stuck = for (r, edges) in zip(rank, leaving) { if edges == 0 { r } else { 0.0 } };
            let anew = 0.15 + 0.85 * stuck.sum();
            rank = for nodes in from { 0.85 * nodes.map(|v| share[v]).sum() + anew / n as f64 };
        }
        rank
    }
}
