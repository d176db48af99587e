//! The R-pentomino, five cells that need 1103 generations to settle, as an animated PNG: `cargo run
//! --release --example game_of_life [file.png] [generations]`.

mod picture;

use ndarray::{Array2, s};
use ragged::accel;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

accel! {
    use crate::picture::glow;

    /// Generations of Conway's game of life; cells are 0 or 1, those at the edge stay.
    pub fn life(start: [[u8; m]; n], generations: usize) -> [[u8; m]; n] {
        let mut cells = start;
        for _ in 0..generations { cells = for i in 0..n { for j in 0..m { next(cells, i, j) } }; }
        cells
    }

    /// The same, with a trace of where cells were: 1 where one lives, fading where one has died.
    pub fn traced(
        start: [[u8; m]; n], traces: [[f32; m]; n], generations: usize,
    ) -> ([[u8; m]; n], [[f32; m]; n]) {
        let (mut cells, mut traces) = (start, traces);
        for _ in 0..generations {
            cells = for i in 0..n { for j in 0..m { next(cells, i, j) } };
            traces = for (cells, traces) in zip(cells, traces) {
                for (cell, trace) in zip(cells, traces) { if cell == 1 { 1.0 } else { 0.97 * trace } }
            };
        }
        (cells, traces)
    }

    fn next(cells: [[u8; m]; n], i: usize, j: usize) -> u8 {
        if i == 0 || j == 0 || i + 1 == n || j + 1 == m { cells[i][j] }
        else {
            let three = for row in cells[i - 1..=i + 1] { row[j - 1..=j + 1].sum() }.sum();
            if three == 3 || three == 4 && cells[i][j] == 1 { 1 } else { 0 }
        }
    }

    /// Each cell a square of `size` pixels, with a line between squares.
    pub fn draw(cells: [[u8; m]; n], traces: [[f32; m]; n], size: usize) -> [[(u8, u8, u8); w]] {
        for y in 0..n * size {
            for x in 0..m * size {
                let (i, j) = (y / size, x / size);
                let line = y % size == 0 || x % size == 0;
                if cells[i][j] == 1 && !line { (255, 255, 240) }
                else { glow(0.03 + 0.6 * traces[i][j]) }
            }
        }
    }

    pub fn population(cells: [[u8; m]; n]) -> usize {
        for row in cells { row.count(|c| c == 1) }.sum()
    }
}

/// Cells on either side of the middle: the five gliders that leave stay on this board.
const HALF: usize = 320;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = picture::path_or("game_of_life.png");
    let generations = picture::number_or(1103)?;
    let start = [(0, 1), (0, 2), (1, 0), (1, 1), (2, 1)].map(|(i, j)| (HALF + i, HALF + j));
    let mut board = Array2::zeros((2 * HALF, 2 * HALF));
    start.iter().for_each(|&at| board[at] = 1);

    let begin = Instant::now();
    let settled = life(&board, generations)?;
    let time = begin.elapsed().as_secs_f64();
    let rate = (generations * board.len()) as f64 / time / 1e9;
    let count = population(&settled)?;
    println!("{count} cells live after {generations} generations on a board of 640 × 640");
    println!("{:.1} ms, {rate:.2} billion cells a second", time * 1e3);
    assert!(live(&settled) == by_hand(start.into(), generations));
    println!("a set of living cells, by hand, has the same\n");
    print!("{}", life::EXPLAIN);

    let pictures = generations / STEP + 40;
    let middle = s![HALF - 60..HALF + 60, HALF - 80..HALF + 80];
    let mut traces = board.mapv(f32::from);
    let mut film = picture::Animation::new(&path, (480, 640), pictures, 25)?;
    for _ in 0..pictures {
        film.add(&draw(board.slice(middle), traces.slice(middle), 4)?)?;
        (board, traces) = traced(&board, &traces, STEP)?;
    }
    film.finish()?;
    println!("\n{pictures} pictures of the middle, written to {path}");
    Ok(())
}

/// Generations from one picture to the next.
const STEP: usize = 3;

fn live(board: &Array2<u8>) -> BTreeSet<(usize, usize)> {
    let cells = board.indexed_iter().filter(|(_, cell)| **cell == 1);
    cells.map(|(at, _)| at).collect()
}

/// Counts neighbours of living cells only, and knows no edge.
fn by_hand(mut live: BTreeSet<(usize, usize)>, generations: usize) -> BTreeSet<(usize, usize)> {
    for _ in 0..generations {
        let mut counts = BTreeMap::new();
        for &(i, j) in &live {
            let around = (i - 1..=i + 1).flat_map(|i| (j - 1..=j + 1).map(move |j| (i, j)));
            around.for_each(|at| *counts.entry(at).or_insert(0) += 1);
        }
        let next = counts
            .iter()
            .filter(|(at, count)| **count == 3 || **count == 4 && live.contains(at));
        live = next.map(|(at, _)| *at).collect();
    }
    live
}
