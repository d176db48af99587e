//! Where slots are from left to right, once their order is known.

use super::layers::Layers;

/// Between slots.
const APART: f64 = 18.0;
/// Rounds down and up.
const ROUNDS: usize = 12;

/// Places all slots; the leftmost border is at 0.
pub fn place(layers: &mut Layers) {
    for row in layers.rows.clone() {
        let wanted = vec![0.0; row.len()];
        settle(layers, &row, &wanted);
    }
    for round in 0..ROUNDS {
        let mut rows = layers.rows.clone();
        if round % 2 == 1 {
            rows.reverse();
        }
        for row in rows {
            let wanted: Vec<f64> = row.iter().map(|slot| mean(layers, *slot)).collect();
            settle(layers, &row, &wanted);
        }
    }
    let slots = layers.slots.iter();
    let left = slots
        .map(|slot| slot.x - slot.width / 2.0)
        .fold(f64::MAX, f64::min);
    layers.slots.iter_mut().for_each(|slot| slot.x -= left);
}

fn mean(layers: &Layers, slot: usize) -> f64 {
    let it = &layers.slots[slot];
    let near = it.up.iter().chain(&it.down);
    let sum: f64 = near.map(|other| layers.slots[*other].x).sum();
    match it.up.len() + it.down.len() {
        0 => it.x,
        count => sum / count as f64,
    }
}

/// As near to what is wanted as the widths allow, by least squares: with the widths before taken off,
/// places may only grow, so whatever falls is pooled with what is before.
fn settle(layers: &mut Layers, row: &[usize], wanted: &[f64]) {
    let mut before = Vec::with_capacity(row.len());
    let mut at = 0.0;
    for (place, slot) in row.iter().enumerate() {
        let half = layers.slots[*slot].width / 2.0;
        at += if place == 0 { 0.0 } else { half + APART };
        before.push(at);
        at += half;
    }
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (wanted, before) in wanted.iter().zip(&before) {
        let mut pool = (wanted - before, 1);
        while let Some((last, count)) = pools.pop_if(|(last, _)| *last > pool.0) {
            let all = count + pool.1;
            pool = (
                (last * count as f64 + pool.0 * pool.1 as f64) / all as f64,
                all,
            );
        }
        pools.push(pool);
    }
    let settled = pools
        .into_iter()
        .flat_map(|(it, count)| std::iter::repeat_n(it, count));
    for ((slot, settled), before) in row.iter().zip(settled).zip(before) {
        layers.slots[*slot].x = settled + before;
    }
}
