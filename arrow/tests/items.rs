//! Record batches as sequences.

use std::error::Error as _;
use std::sync::Arc;

use arrow_array::types::Float32Type;
use arrow_array::{ArrayRef, BooleanArray, LargeListArray, ListArray, RecordBatch, UInt32Array};
use arrow_schema::ArrowError;
use ragged::__private::{Site, seq};
use ragged::ErrorKind;
use ragged::seq::Limits;
use ragged_arrow::{Error, Result, Row, items, rows};

ragged::accel! {
    pub fn energy(frames: Seq<[f32]>) -> Seq<f32> { frames.map(|xs| xs.map(|x| x * x).sum()) }
    /// All frames, one behind the other: a result of one shape is of `ndarray` with its feature.
    pub fn stereo(frames: Seq<[f32; n]>) -> [f32] { frames.tabulate().flatten() }
    pub fn weighed(frames: Seq<([f32], u32)>) -> f32 {
        frames.map(|(xs, n)| xs.sum() * n as f32).sum()
    }
    pub fn truths(xs: Seq<bool>) -> usize { xs.count(|x| x) }
}

/// A batch of these lists, with their numbers in the sequence and whether these are even.
fn batch(first: u32, lists: &[&[f32]], is_large: bool) -> RecordBatch {
    let given = || lists.iter().map(|it| Some(it.iter().copied().map(Some)));
    let numbers = || first..first + lists.len() as u32;
    let lists: ArrayRef = match is_large {
        true => Arc::new(LargeListArray::from_iter_primitive::<Float32Type, _, _>(
            given(),
        )),
        false => Arc::new(ListArray::from_iter_primitive::<Float32Type, _, _>(given())),
    };
    let even: BooleanArray = numbers().map(|n| Some(n % 2 == 0)).collect();
    RecordBatch::try_from_iter([
        ("xs", lists),
        (
            "n",
            Arc::new(UInt32Array::from_iter_values(numbers())) as ArrayRef,
        ),
        ("even", Arc::new(even) as ArrayRef),
    ])
    .expect("columns of one length")
}

fn batches() -> [Result<RecordBatch>; 4] {
    let all = batch(4, &[&[9.0], &[5.0], &[7.0, 1.0], &[9.0]], true);
    [
        Ok(batch(0, &[&[1.0, 2.0], &[], &[3.0]], false)),
        Ok(batch(3, &[], false)),
        Ok(batch(3, &[&[4.0]], true)),
        Ok(all.slice(1, 2)),
    ]
}

#[test]
fn lists_of_several_batches() {
    let frames = energy(items::<Row<f32>>(batches(), &["xs"])).expect("it begins");
    let got: ragged::Result<Vec<f32>> = frames.collect();
    assert_eq!(got, Ok(vec![5.0, 0.0, 9.0, 16.0, 25.0, 50.0]));
}

#[test]
fn no_batches() {
    let none: [Result<RecordBatch>; 0] = [];
    assert_eq!(
        energy(items::<Row<f32>>(none, &["xs"]))
            .expect("it begins")
            .count(),
        0
    );
}

#[test]
fn columns_side_by_side() {
    let frames = items::<(Row<f32>, u32)>(batches(), &["xs", "n"]);
    assert_eq!(
        weighed(frames),
        Ok(3.0 * 2.0 + 4.0 * 3.0 + 5.0 * 5.0 + 8.0 * 6.0)
    );
    assert_eq!(truths(items::<bool>(batches(), &["even"])), Ok(3));
    let numbers: Result<Vec<(u32, bool)>> = items(batches(), &["n", "even"]).collect();
    let numbers = numbers.expect("columns");
    assert_eq!(numbers[3..], [(3, false), (5, false), (6, true)]);
}

#[test]
fn lists_of_one_length() {
    let batches = || [Result::Ok(batch(0, &[&[1.0, 2.0], &[3.0, 4.0]], true))];
    let got = stereo(items::<Row<f32>>(batches(), &["xs"])).expect("one length");
    assert_eq!(got, [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn rows_of_a_batch_are_where_the_column_has_them() {
    static SITE: Site = Site {
        function: "test",
        file: "test.rs",
        line: 3,
        column: 8,
        checks: &[],
    };
    for is_large in [false, true] {
        let batch = batch(0, &[&[1.0, 2.0], &[], &[3.0], &[4.0, 5.0]], is_large);
        let column = rows::<f32>(&batch["xs"]).expect("lists");
        let numbers = column.view().values();
        let mut next = 0;
        let given = items::<Row<f32>>([Result::Ok(batch.clone())], &["xs"]);
        let source = seq::items::<seq::Rows<'_, f32>, _, _>(&SITE, "xs", given);
        let limits = Limits::new().items(2);
        let end = seq::run(source, limits, |chunk: &seq::Rows<'_, f32>, _| {
            let values = chunk.view().values();
            if !values.is_empty() {
                assert!(chunk.is_lent());
                assert_eq!(values.as_ptr(), numbers[next..].as_ptr());
            }
            next += values.len();
            Ok(true)
        });
        assert_eq!((end, next), (Ok(()), 5));
    }
}

#[test]
fn errors_come_in_the_place_of_an_item() {
    let lost = || Err(ArrowError::IpcError("the line is dead".to_owned()));
    let torn = || [Ok(batch(0, &[&[1.0], &[2.0]], true)), lost()];
    let mut got = energy(items::<Row<f32>>(torn(), &["xs"])).expect("it begins");
    assert_eq!((got.next(), got.next()), (Some(Ok(1.0)), Some(Ok(4.0))));
    let error = got.next().expect("an error").expect_err("torn");
    assert!(matches!(error.kind(), ErrorKind::Source { item: 2, .. }));
    let cause = error.source().map(ToString::to_string).expect("a cause");
    assert!(cause.contains("the line is dead"), "{cause}");
    assert!(got.next().is_none());
    assert_eq!(items::<u32>(torn(), &["n"]).count(), 3);
    let mut wrong = items::<u32>(batches(), &["m"]);
    assert!(matches!(wrong.next(), Some(Err(Error::NoColumn(name))) if name == "m"));
    assert!(wrong.next().is_none());
    let mut wrong = items::<f32>(batches(), &["n"]);
    assert!(matches!(wrong.next(), Some(Err(Error::Type { .. }))));
    let mut wrong = items::<bool>(batches(), &["n"]);
    assert!(matches!(wrong.next(), Some(Err(Error::Type { .. }))));
}
