//! The language's meaning, slow and obvious.

use ragged_core::{CHUNK, LANES};

/// One chunk's total.
fn chunk_total<P: Copy>(xs: &[P], neutral: Option<P>, op: &impl Fn(P, P) -> P) -> P {
    let Some(neutral) = neutral else {
        return xs[1..].iter().fold(xs[0], |total, &x| op(total, x));
    };
    let mut acc = [neutral; LANES];
    for (i, &x) in xs.iter().enumerate() {
        acc[i % LANES] = op(acc[i % LANES], x);
    }
    for w in [32, 16, 8, 4, 2, 1] {
        for l in 0..w {
            acc[l] = op(acc[l], acc[l + w]);
        }
    }
    acc[0]
}

/// A reduction; `neutral` is given for commutative operators.
pub fn reduce<P: Copy>(xs: &[P], neutral: Option<P>, op: impl Fn(P, P) -> P) -> Option<P> {
    let totals = xs
        .chunks(CHUNK)
        .map(|chunk| chunk_total(chunk, neutral, &op));
    totals.reduce(&op)
}

/// A scan: the prefixes, and the total.
pub fn scan<P: Copy>(
    xs: &[P],
    neutral: Option<P>,
    start: Option<P>,
    exclusive: bool,
    op: impl Fn(P, P) -> P,
) -> (Vec<P>, Option<P>) {
    let mut out = Vec::new();
    if xs.is_empty() {
        return (out, start);
    }
    let mut into = start.or(neutral);
    for chunk in xs.chunks(CHUNK) {
        let mut carry = into;
        for block in chunk.chunks(if neutral.is_some() { 16 } else { 1 }) {
            let mut t = block.to_vec();
            for d in [1, 2, 4, 8] {
                let old = t.clone();
                for l in d..t.len() {
                    t[l] = op(old[l - d], old[l]);
                }
            }
            let prefixes: Vec<P> = t
                .iter()
                .map(|&x| carry.map_or(x, |carry| op(carry, x)))
                .collect();
            if exclusive {
                out.push(carry.unwrap());
                out.extend(&prefixes[..prefixes.len() - 1]);
            } else {
                out.extend(&prefixes);
            }
            carry = prefixes.last().copied();
        }
        let total = chunk_total(chunk, neutral, &op);
        into = Some(into.map_or(total, |into| op(into, total)));
    }
    (out, into)
}
