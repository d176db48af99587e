//! Breadth-first levels, connected components and PageRank of a graph: `cargo run --release --example
//! graph [edges.txt [least]]`. A line is two nodes, from and to, and perhaps a weight; edges of less
//! weight than `least` are left out. Without a file, routes between airports that are flown daily.

use ragged::{Ragged, accel};
use std::collections::HashMap;
use std::str::FromStr;

accel! {
    /// How many edges each node is away from `start`; `n` where no path leads.
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

    /// The least node that each is connected with: nodes take over the least that a neighbour has,
    /// and what that one has taken over itself, until nothing changes.
    pub fn components(near: [[usize]; n]) -> [usize; n] {
        let mut least = generate(n, |v| v);
        let mut done = false;
        while !done {
            let taken = for (own, others) in zip(least, near) {
                min(own, others.map(|w| least[w]).min_or(own))
            };
            let next = for v in taken { taken[v] };
            done = zip(next, least).all(|(a, b)| a == b);
            least = next;
        }
        least
    }

    /// How often somebody passes who follows edges at random, and one time in seven starts anew.
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let graph = match (args.next(), args.next()) {
        (Some(path), least) => {
            let least = least.map_or(Ok(0.0), |it| it.parse())?;
            let text =
                std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
            read(&path, &text, least)?
        }
        (None, _) => read("flights.txt", include_str!("data/flights.txt"), 366.0)?,
    };
    let to = graph.lists(|(from, to)| vec![(from, to)]);
    let from = graph.lists(|(from, to)| vec![(to, from)]);
    let near = graph.lists(|(from, to)| vec![(from, to), (to, from)]);
    println!("{} nodes, {} edges", graph.nodes.len(), graph.edges.len());

    let mut sizes = vec![0; graph.nodes.len()];
    components(&near)?.iter().for_each(|&it| sizes[it] += 1);
    let (count, most) = (
        sizes.iter().filter(|it| **it > 0).count(),
        sizes.iter().max(),
    );
    println!(
        "{count} components, the largest of {} nodes",
        most.unwrap_or(&0)
    );

    let leaving: Vec<usize> = to.lens().collect();
    let rank = page_rank(&from, &leaving, 100)?;
    let mut order: Vec<usize> = (0..rank.len()).collect();
    order.sort_by(|a, b| rank[*b].total_cmp(&rank[*a]));
    println!("\nwhere one passes most often");
    for &v in order.iter().take(10) {
        let bar = "▒".repeat((40.0 * rank[v] / rank[order[0]]) as usize);
        println!("  {:8} {:5.2} % {bar}", graph.nodes[v], 100.0 * rank[v]);
    }
    if let Some(&start) = order.first() {
        let level = levels(&to, start)?;
        println!("\nhow many edges away from {}", graph.nodes[start]);
        for depth in 0..level.len() {
            let there: Vec<usize> = (0..level.len()).filter(|v| level[*v] == depth).collect();
            let names = there
                .iter()
                .take(6)
                .map(|v| format!(" {}", graph.nodes[*v]));
            if !there.is_empty() {
                println!(
                    "  {depth:2} {:7} nodes:{} …",
                    there.len(),
                    names.collect::<String>()
                );
            }
        }
    }
    println!(
        "\n{}\n{}\n{}",
        levels::EXPLAIN,
        components::EXPLAIN,
        page_rank::EXPLAIN
    );
    Ok(())
}

/// Nodes by name, edges between their positions.
struct Graph {
    nodes: Vec<String>,
    edges: Vec<(usize, usize)>,
}

impl Graph {
    /// Per node the ends of what `ends` makes of each edge.
    fn lists(&self, ends: impl Fn((usize, usize)) -> Vec<(usize, usize)>) -> Ragged<usize> {
        let mut lists = vec![Vec::new(); self.nodes.len()];
        let ends = self.edges.iter().flat_map(|edge| ends(*edge));
        ends.for_each(|(at, end)| lists[at].push(end));
        lists.into_iter().collect()
    }
}

/// Reads a list of edges; lines that begin with `#` or `%` say something else.
fn read(path: &str, text: &str, least: f64) -> Result<Graph, String> {
    let mut at: HashMap<&str, usize> = HashMap::new();
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    let lines = (1..).zip(text.lines().map(str::trim));
    for (line, text) in lines.filter(|(_, it)| !it.is_empty() && !it.starts_with(['#', '%'])) {
        let mut words = text.split([' ', '\t', ',']).filter(|it| !it.is_empty());
        let (Some(from), Some(to)) = (words.next(), words.next()) else {
            return Err(format!("{path}:{line}: expected two nodes, found `{text}`"));
        };
        let weight = words.next().map_or(Ok(f64::INFINITY), f64::from_str);
        let weight = weight.map_err(|error| format!("{path}:{line}: the weight: {error}"))?;
        let ends = [from, to].map(|name| {
            *at.entry(name).or_insert_with(|| {
                nodes.push(name.to_owned());
                nodes.len() - 1
            })
        });
        if weight >= least {
            edges.push((ends[0], ends[1]));
        }
    }
    Ok(Graph { nodes, edges })
}
