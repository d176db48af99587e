//! Parquet files as sequences.

#![cfg(feature = "parquet")]

use std::sync::Arc;

use arrow_array::types::Float64Type;
use arrow_array::{ArrayRef, ListArray, RecordBatch, UInt32Array};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use ragged_arrow::{Error, Row, items, parquet as file};

ragged::accel! {
    pub fn total(rows: Seq<([f64], u32)>) -> (f64, u32) {
        (rows.map(|(xs, _)| xs.sum()).sum(), rows.map(|(_, n)| n).sum())
    }
}

#[test]
fn several_row_groups() {
    // Row `i` has `i % 3` numbers, all of them `i`.
    let lists = (0..1000).map(|i| Some(vec![Some(f64::from(i)); i as usize % 3]));
    let xs = ListArray::from_iter_primitive::<Float64Type, _, _>(lists);
    let n = UInt32Array::from_iter_values(0..1000);
    let batch = RecordBatch::try_from_iter([
        ("xs", Arc::new(xs) as ArrayRef),
        (
            "other",
            Arc::new(UInt32Array::from(vec![0; 1000])) as ArrayRef,
        ),
        ("n", Arc::new(n) as ArrayRef),
    ])
    .expect("columns of one length");
    let groups = WriterProperties::builder()
        .set_max_row_group_row_count(Some(300))
        .build();
    let mut bytes = Vec::new();
    let mut writer =
        ArrowWriter::try_new(&mut bytes, batch.schema(), Some(groups)).expect("a writer");
    writer.write(&batch).expect("it takes all");
    let written = writer.close().expect("it takes all");
    assert_eq!(written.num_row_groups(), 4);

    let bytes = bytes::Bytes::from(bytes);
    let reader = file::open(bytes.clone(), &["n", "xs"]).expect("columns");
    let expected: f64 = (0..1000).map(|i| f64::from(i * (i % 3))).sum();
    let got = total(items::<(Row<f64>, u32)>(reader, &["xs", "n"]));
    assert_eq!(got, Ok((expected, 499_500)));
    let error = file::open(bytes, &["m"]).expect_err("no such column");
    assert!(matches!(error, Error::NoColumn(name) if name == "m"));
    let error = file::open(bytes::Bytes::from_static(b"no such file"), &["m"]);
    assert!(matches!(error, Err(Error::Batches(_))));
}
