//! Calls on a hundred elements: what counts is what the call itself costs.

/// `2 x + 1` of each element, as a loop.
pub fn affine(xs: &[f32]) -> Vec<f32> {
    xs.iter().map(|x| x * 2.0 + 1.0).collect()
}

/// `2 x + 1` of each element into a buffer, as a loop.
pub fn affine_into(out: &mut [f32], xs: &[f32]) {
    for (y, x) in out.iter_mut().zip(xs) {
        *y = x * 2.0 + 1.0;
    }
}

/// Inner product with 16 accumulators, combined as a tree, so that no addition waits for the last.
pub fn dot(xs: &[f32], ys: &[f32]) -> f32 {
    let mut sums = [0.0; 16];
    let (x_blocks, x_rest) = xs.as_chunks::<16>();
    let (y_blocks, y_rest) = ys.as_chunks::<16>();
    for (x, y) in x_blocks.iter().zip(y_blocks) {
        for lane in 0..16 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    for (lane, (x, y)) in x_rest.iter().zip(y_rest).enumerate() {
        sums[lane] += x * y;
    }
    for width in [8, 4, 2, 1] {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
    }
    sums[0]
}

/// Inner product as a loop of one accumulator.
pub fn dot_plain(xs: &[f32], ys: &[f32]) -> f32 {
    xs.iter().zip(ys).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agree_with_the_definition() {
        let xs: Vec<f32> = (0..100).map(|i| i as f32).collect();
        let mut ys = affine(&xs);
        assert_eq!((ys[0], ys[99]), (1.0, 199.0));
        affine_into(&mut ys, &xs);
        assert_eq!((ys[0], ys[99]), (1.0, 199.0));
        assert_eq!(dot(&xs, &ys), 661_650.0);
        assert_eq!(dot_plain(&xs, &ys), 661_650.0);
    }
}
