//! What an iterator must give for a sequence.

use ragged::{DenseVec, SeqItem, seq::Rows};

fn lists<'i, M>(_: impl IntoIterator<Item = impl SeqItem<Rows<'i, f64>, M>>) {}
fn matrices<M>(_: impl IntoIterator<Item = impl SeqItem<DenseVec<f64, 3>, M>>) {}
fn numbers<M>(_: impl IntoIterator<Item = impl SeqItem<Vec<f64>, M>>) {}

fn main() {
    lists(vec![vec![1_i32]]);
    lists(["no list"]);
    lists(vec![1.0, 2.0]);
    lists(1.0);
    matrices(vec![vec![vec![1.0]]]);
    numbers(vec!["1.0"]);
    numbers("1 2".split(' ').map(str::parse::<i32>));
}
