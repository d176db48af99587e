//! Matrix times vector of f32, the matrix being some columns of a larger one: an inner product per
//! row, which is read where it lies.

use super::{dot, sums};
use crate::levels::Level;
use rayon::prelude::*;
use std::ops::Range;

/// As rayon gives it.
pub fn plain(a: &[f32], stride: usize, columns: Range<usize>, x: &[f32]) -> Vec<f32> {
    let rows = a.par_chunks(stride).map(|row| &row[columns.clone()]);
    rows.map(|row| row.iter().zip(x).map(|(p, q)| p * q).sum())
        .collect()
}

/// As an expert writes it.
pub fn expert(a: &[f32], stride: usize, columns: Range<usize>, x: &[f32]) -> Vec<f32> {
    let level = Level::best();
    sums::of_rows(a, stride, columns, |row| dot::of_f32::at(level, row, x))
}

#[cfg(test)]
mod tests {
    #[test]
    fn agrees_with_the_definition() {
        for (height, width) in [(1, 3), (3, 70), (300, 17)] {
            // Small whole numbers: every order of summation is exact.
            let a: Vec<f32> = (0..height * width).map(|i| (i * 7 % 23) as f32).collect();
            let x: Vec<f32> = (0..width - 2).map(|j| (j % 5) as f32).collect();
            let rows = a.chunks(width).map(|row| &row[1..width - 1]);
            let products = rows.map(|row| row.iter().zip(&x).map(|(p, q)| p * q).sum());
            let expected: Vec<f32> = products.collect();
            assert_eq!(super::expert(&a, width, 1..width - 1, &x), expected);
            assert_eq!(super::plain(&a, width, 1..width - 1, &x), expected);
        }
    }
}
