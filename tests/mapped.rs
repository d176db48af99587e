//! Files that are mapped into memory, as sequences.

#![allow(
    unsafe_code,
    reason = "whoever maps a file promises that it stays as it is"
)]

use std::fs;
use std::path::PathBuf;

use ragged::{Mapped, Result};

ragged::accel! {
    pub fn sums(rows: Seq<[f32]>) -> Seq<f32> { rows.map(|row| row.sum()) }
    pub fn halves(rows: Seq<[f32; n]>) -> Seq<f32> { rows.map(|row| row.sum() / 2.0) }
    pub fn beside(rows: Seq<([f32], u8)>) -> Seq<f32> { rows.map(|(row, x)| row.sum() + x as f32) }
}

/// A file of `1..=n`, which is removed in the end.
struct Numbers(PathBuf, Mapped<f32>);

impl Numbers {
    fn new(name: &str, n: u8) -> Self {
        let path = std::env::temp_dir().join(format!("ragged-{name}-{}", std::process::id()));
        let bytes: Vec<u8> = (1..=n).flat_map(|x| f32::from(x).to_ne_bytes()).collect();
        fs::write(&path, bytes).expect("a file can be written");
        // SAFETY: nobody writes the file.
        let xs = unsafe { Mapped::open(&path) }.expect("numbers");
        Numbers(path, xs)
    }
}

impl Drop for Numbers {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn rows_are_passed_for_sequences() {
    let Numbers(_, xs) = &Numbers::new("sequences", 5);
    let got: Result<Vec<f32>> = sums(xs.rows(2)).expect("it begins").collect();
    assert_eq!(got, Ok(vec![3.0, 7.0, 5.0]));
    let got: Result<Vec<f32>> = halves(xs.rows(5)).expect("it begins").collect();
    assert_eq!(got, Ok(vec![7.5]));
    let pairs = xs.rows(3).zip([10_u8, 20]);
    let got: Result<Vec<f32>> = beside(pairs).expect("it begins").collect();
    assert_eq!(got, Ok(vec![16.0, 29.0]));
    let slices: Result<Vec<f32>> = sums(xs.chunks(2)).expect("it begins").collect();
    assert_eq!(slices, Ok(vec![3.0, 7.0, 5.0]));
}

#[test]
fn rows_go_to_the_thread_that_reads() {
    let Numbers(_, xs) = &Numbers::new("stages", 5);
    let mut got = Vec::new();
    let end = sums::for_each(xs.rows(4), |sum| -> std::result::Result<(), &str> {
        got.push(sum);
        Ok(())
    });
    assert_eq!((end, got), (Ok(()), vec![10.0, 5.0]));
}

#[test]
fn an_empty_file_has_no_rows() {
    let Numbers(_, xs) = &Numbers::new("no-rows", 0);
    assert_eq!(sums(xs.rows(4)).expect("it begins").count(), 0);
}
