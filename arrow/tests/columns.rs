//! Columns as arrays, and back.

use arrow_array::builder::{FixedSizeListBuilder, Float32Builder};
use arrow_array::types::{Int16Type, Int32Type, Int64Type};
use arrow_array::{
    Array, BinaryArray, Float32Array, Int32Array, LargeListArray, LargeStringArray, ListArray,
    StringArray, TimestampSecondArray, UInt8Array,
};
use ragged::{AsRagged, Ragged};
use ragged_arrow::{Error, array, list, rows, values};

ragged::accel! {
    pub fn total(xs: [i32]) -> i32 { xs.sum() }
    pub fn sums(rows: [[i64]]) -> [i64] { for row in rows { row.sum() } }
    pub fn twice(rows: [[i64]]) -> [[i64]] { for row in rows { row.map(|x| 2 * x) } }
}

type List = Option<Vec<Option<i64>>>;

fn some(list: &[i64]) -> List {
    Some(list.iter().copied().map(Some).collect())
}

#[test]
fn numbers_stay_where_they_are() {
    let column = Int32Array::from(vec![1, 2, 3, 4]);
    assert_eq!(values::<i32>(&column).expect("numbers"), [1, 2, 3, 4]);
    assert_eq!(
        values::<i32>(&column).expect("numbers").as_ptr(),
        column.values().as_ptr()
    );
    let part = column.slice(1, 2);
    assert_eq!(values::<i32>(&part).expect("numbers"), [2, 3]);
    assert_eq!(total(values(&part).expect("numbers")), Ok(5));
    let times = TimestampSecondArray::from(vec![60, 120]);
    assert_eq!(values::<i64>(&times).expect("numbers"), [60, 120]);
    assert_eq!(
        values::<i32>(&Int32Array::from(Vec::<i32>::new())).expect("none"),
        []
    );
}

#[test]
fn what_is_no_such_column() {
    let column = Int32Array::from(vec![Some(1), None, Some(3), None]);
    assert!(matches!(
        values::<i32>(&column),
        Err(Error::Nulls { count: 2 })
    ));
    assert_eq!(
        values::<i32>(&column.slice(2, 1)).expect("no null in it"),
        [3]
    );
    let error = values::<f32>(&column).expect_err("integers");
    assert_eq!(
        error.to_string(),
        "a column of `f32` was expected, not of `Int32`"
    );
    let error = rows::<f32>(&column).expect_err("no lists");
    let text = "a column of lists of `f32` was expected, not of `Int32`";
    assert_eq!(error.to_string(), text);
    let error = rows::<f32>(&StringArray::from(vec!["no"])).expect_err("bytes");
    assert!(matches!(error, Error::Type { .. }));
    let lists = ListArray::from_iter_primitive::<Int64Type, _, _>([some(&[1])]);
    assert!(matches!(rows::<f32>(&lists), Err(Error::Type { .. })));
}

#[test]
fn lists_of_both_sizes_and_slices_of_them() {
    let lists = || [some(&[1, 2]), some(&[]), some(&[3]), some(&[4, 5, 6])];
    let large = LargeListArray::from_iter_primitive::<Int64Type, _, _>(lists());
    let small = ListArray::from_iter_primitive::<Int64Type, _, _>(lists());
    for column in [&large as &dyn Array, &small] {
        let given = rows::<i64>(column).expect("lists");
        assert_eq!((given.len(), given.is_empty()), (4, false));
        assert_eq!(format!("{given:?}"), "[[1, 2], [], [3], [4, 5, 6]]");
        assert_eq!(sums(&given), Ok(vec![3, 0, 3, 15]));
        for (offset, len) in [(0, 0), (1, 2), (2, 2), (3, 1), (4, 0)] {
            let part = column.slice(offset, len);
            let given = rows::<i64>(&part).expect("lists");
            assert_eq!(
                sums(&given).expect("sums"),
                [3, 0, 3, 15][offset..offset + len]
            );
        }
    }
    // Nothing is copied of large lists.
    let given = rows::<i64>(&large).expect("lists");
    let arg = &given;
    assert!(arg.ragged_arg().is_borrowed());
    assert_eq!(
        given.view().offsets().as_ptr(),
        large.value_offsets().as_ptr()
    );
    let none = ListArray::from_iter_primitive::<Int64Type, _, _>([] as [List; 0]);
    assert_eq!(sums(&rows(&none).expect("none")), Ok(vec![]));
}

#[test]
fn nulls_in_lists() {
    let column = ListArray::from_iter_primitive::<Int64Type, _, _>([some(&[1]), None]);
    assert!(matches!(
        rows::<i64>(&column),
        Err(Error::Nulls { count: 1 })
    ));
    let lists = [some(&[1]), Some(vec![None, None]), some(&[4])];
    let column = LargeListArray::from_iter_primitive::<Int64Type, _, _>(lists);
    assert!(matches!(
        rows::<i64>(&column),
        Err(Error::Nulls { count: 2 })
    ));
    let given = rows::<i64>(&column.slice(2, 1)).expect("no null in it");
    assert_eq!(format!("{given:?}"), "[[4]]");
}

#[test]
fn lists_of_one_length() {
    let mut lists = FixedSizeListBuilder::new(Float32Builder::new(), 2);
    for x in [1.0, 2.0, 3.0] {
        lists.values().append_slice(&[x, -x]);
        lists.append(true);
    }
    let column = lists.finish();
    let given = rows::<f32>(&column.slice(1, 2)).expect("lists");
    assert_eq!(format!("{given:?}"), "[[2.0, -2.0], [3.0, -3.0]]");
}

#[test]
fn texts_and_bytes() {
    let texts = ["to", "", "be"];
    let columns: [&dyn Array; 3] = [
        &StringArray::from(texts.to_vec()),
        &LargeStringArray::from(texts.to_vec()),
        &BinaryArray::from_iter_values(texts),
    ];
    for column in columns {
        let given = rows::<u8>(&column.slice(1, 2)).expect("texts");
        assert_eq!(
            (&given.row(0)[..], &given.row(1)[..]),
            (&b""[..], &b"be"[..])
        );
        assert_eq!(given.view().len(), 2);
    }
    let bytes = UInt8Array::from(vec![7]);
    assert_eq!(values::<u8>(&bytes).expect("numbers"), [7]);
}

#[test]
fn results_become_columns() {
    let column = array(vec![1.5_f32, 2.0]);
    assert_eq!(column, Float32Array::from(vec![1.5, 2.0]));
    let lists = [some(&[1, 2]), some(&[]), some(&[3])];
    let column = LargeListArray::from_iter_primitive::<Int64Type, _, _>(lists);
    let doubled = list(twice(&rows(&column).expect("lists")).expect("numbers"));
    let lists = [some(&[2, 4]), some(&[]), some(&[6])];
    assert_eq!(
        doubled,
        LargeListArray::from_iter_primitive::<Int64Type, _, _>(lists)
    );
    assert_eq!(list(Ragged::<i16>::new()).len(), 0);
    let none: [Option<Vec<Option<i16>>>; 0] = [];
    assert_eq!(
        list(Ragged::<i16>::new()),
        LargeListArray::from_iter_primitive::<Int16Type, _, _>(none)
    );
    let rows = Ragged::from(vec![vec![1], vec![]]);
    let values = rows.values().as_ptr();
    let column = list::<i32>(rows);
    let inner = column
        .values()
        .as_any()
        .downcast_ref::<arrow_array::PrimitiveArray<Int32Type>>();
    assert_eq!(inner.expect("numbers").values().as_ptr(), values);
}
