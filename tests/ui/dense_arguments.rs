//! Wrong arguments for arrays of several axes. The functions take what those of a block take.

use ndarray::{Array2, array};
use ragged::{AsArray, AsDense, AsDenseOut};

/// As `a: [[f32; m]; n]`.
fn norm(_: impl AsDense<f32, 2>) {}

/// As `a: [f32; n]`.
fn sum(_: impl AsArray<f32>) {}

/// As a result `[[f32; m]; n]`.
fn into(_: &mut impl AsDenseOut<f32, 2>) {}

fn main() {
    let floats = vec![1.0f32, 2.0];
    norm(&floats);
    norm(&floats[..]);
    norm(&array![1.0f32, 2.0]);
    norm(&array![[[1.0f32, 2.0]]]);
    norm(&[[[1.0f32, 2.0]]]);
    norm(&array![[1.0f64, 2.0]]);
    norm(&[[1.0f64, 2.0]]);
    norm(&array![[1, 2]]);
    norm(array![[1.0f32, 2.0]]);
    norm(&vec![floats.clone()]);
    sum(&array![[1.0f32, 2.0]]);
    into(&mut vec![1.0f32]);
    into(&mut Array2::<f64>::zeros((1, 2)));
}
