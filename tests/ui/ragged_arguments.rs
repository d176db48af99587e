//! Arguments and results that no impl takes as arrays of arrays of any lengths.

use ragged::{AsRagged, AsRaggedOut, Ragged};

fn sums(_: impl AsRagged<f64, 1>) {}
fn lists(_: impl AsRagged<f64, 2>) {}
fn into(_: &mut impl AsRaggedOut<f64, 1>) {}

fn main() {
    let rows = Ragged::from(vec![vec![1.0, 2.0], vec![]]);
    sums(&[1.0, 2.0]);
    sums(rows.clone());
    sums(&Ragged::from(vec![vec![1, 2]]));
    sums(&vec![vec!["a"]]);
    lists(&rows);
    into(&mut vec![vec![1.0]]);
    let _ = Ragged::<String>::new();
    let mut rows = rows;
    rows.push("row");
}
