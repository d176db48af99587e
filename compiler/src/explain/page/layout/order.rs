//! The order in layers, so that few arrows cross.

use super::layers::Layers;

/// Rounds down and up.
const ROUNDS: usize = 8;

/// Orders all layers.
pub fn order(layers: &mut Layers) {
    let mut best = (crossings(layers), layers.rows.clone());
    for round in 0..ROUNDS {
        let down = round % 2 == 0;
        let count = layers.rows.len();
        for at in 0..count {
            sort(layers, if down { at } else { count - 1 - at }, down);
        }
        let crossed = crossings(layers);
        if crossed < best.0 {
            best = (crossed, layers.rows.clone());
        }
    }
    layers.rows = best.1;
}

/// Sorts a layer by the barycentres of neighbours above, or below.
fn sort(layers: &mut Layers, row: usize, down: bool) {
    let places = places(layers);
    let mut keyed: Vec<(f64, usize)> = Vec::new();
    for slot in &layers.rows[row] {
        let it = &layers.slots[*slot];
        let near = if down { &it.up } else { &it.down };
        let sum: usize = near.iter().map(|other| places[*other]).sum();
        let key = match near.len() {
            0 => places[*slot] as f64,
            count => sum as f64 / count as f64,
        };
        keyed.push((key, *slot));
    }
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    layers.rows[row] = keyed.into_iter().map(|(_, slot)| slot).collect();
}

/// The position of each slot in its layer.
fn places(layers: &Layers) -> Vec<usize> {
    let mut places = vec![0; layers.slots.len()];
    for row in &layers.rows {
        for (at, slot) in row.iter().enumerate() {
            places[*slot] = at;
        }
    }
    places
}

fn crossings(layers: &Layers) -> usize {
    let places = places(layers);
    let of_row = |row: &Vec<usize>| {
        let lines = row.iter().flat_map(|slot| {
            let down = layers.slots[*slot].down.iter();
            down.map(|other| (places[*slot], places[*other]))
        });
        let lines: Vec<(usize, usize)> = lines.collect();
        let pairs = lines.iter().enumerate();
        let crossed = pairs.map(|(at, a)| {
            let others = lines[at + 1..].iter();
            others
                .filter(|b| (a.0 < b.0 && a.1 > b.1) || (a.0 > b.0 && a.1 < b.1))
                .count()
        });
        crossed.sum::<usize>()
    };
    layers.rows.iter().map(of_row).sum()
}
