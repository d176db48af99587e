//! Where results go.

use ragged_core::{AsRaggedOut, Element, Failure, Nested, Ragged, RaggedOf};

/// What a compiled function does: `n` rows of lengths 0, 1, 2, …, or an error after some of it.
fn triangle(
    mut out: impl AsRaggedOut<usize, 1>,
    n: usize,
    fails: Option<Failure>,
) -> Result<(), Failure> {
    let mut out = out.ragged_out();
    let (elements, [ends]) = out.parts();
    let ends_of: Vec<i64> = (0..=n as i64).map(|i| i * (i - 1).max(0) / 2).collect();
    ends.copy(&ends_of)?;
    if let Some(failure) = fails {
        return Err(failure);
    }
    let all: Vec<usize> = (0..n).flat_map(|i| 0..i).collect();
    elements.copy(&all)?;
    out.done();
    Ok(())
}

#[test]
fn the_result_replaces_what_was_there() {
    let mut rows = Ragged::from([[9, 9, 9], [9, 9, 9]]);
    triangle(&mut rows, 3, None).unwrap();
    assert_eq!(rows, Ragged::from([&[][..], &[0], &[0, 1]]));
    triangle(&mut &mut rows, 1, None).unwrap();
    assert_eq!(rows, Ragged::from([[]]));
    triangle(&mut rows, 0, None).unwrap();
    assert_eq!((rows.len(), rows.offsets()), (0, &[0][..]));
}

#[test]
fn memory_is_used_again() {
    let mut rows = Ragged::new();
    triangle(&mut rows, 50, None).unwrap();
    let (elements, offsets) = (rows.values().as_ptr(), rows.offsets().as_ptr());
    triangle(&mut rows, 40, None).unwrap();
    assert_eq!(rows.len(), 40);
    assert_eq!(
        (rows.values().as_ptr(), rows.offsets().as_ptr()),
        (elements, offsets)
    );
}

#[test]
fn after_an_error_there_are_no_rows_but_their_memory() {
    let mut rows = Ragged::new();
    triangle(&mut rows, 50, None).unwrap();
    let elements = rows.values().as_ptr();
    let failed = triangle(&mut rows, 3, Some(Failure::Internal));
    assert_eq!(failed, Err(Failure::Internal));
    assert_eq!(rows, Ragged::new());
    triangle(&mut rows, 50, None).unwrap();
    assert_eq!((rows.len(), rows.values().as_ptr()), (50, elements));
}

#[test]
fn several_levels() {
    fn write<T: Element, const LEVELS: usize>(
        out: &mut impl AsRaggedOut<T, LEVELS>,
        offsets: [&[i64]; LEVELS],
        values: &[T],
    ) {
        let mut out = out.ragged_out();
        let (elements, places) = out.parts();
        for (place, offsets) in places.into_iter().zip(offsets) {
            place.copy(offsets).expect("memory");
        }
        elements.copy(values).expect("memory");
        out.done();
    }
    let mut two = Ragged::<Ragged<char>>::new();
    write(&mut two, [&[0, 0, 2], &[0, 1, 1]], &['a']);
    assert_eq!(format!("{two:?}"), "[[], [['a'], []]]");
    write(&mut two, [&[0], &[0]], &[]);
    assert_eq!(two, Ragged::new());
    let mut three = RaggedOf::<u8, 3>::new();
    write(&mut three, [&[0, 1], &[0, 1], &[0, 2]], &[1, 2]);
    assert_eq!(format!("{three:?}"), "[[[[1, 2]]]]");
    let mut four = RaggedOf::<u8, 4>::new();
    write(&mut four, [&[0, 1], &[0, 1], &[0, 1], &[0, 2]], &[1, 2]);
    assert_eq!(format!("{four:?}"), "[[[[[1, 2]]]]]");
    let mut five = RaggedOf::<u8, 5>::new();
    write(
        &mut five,
        [&[0, 1], &[0, 1], &[0, 1], &[0, 1], &[0, 2]],
        &[1, 2],
    );
    assert_eq!(format!("{five:?}"), "[[[[[[1, 2]]]]]]");
}

#[test]
fn made_of_offsets_per_level() {
    let made: RaggedOf<i32, 2> = Nested::made([vec![0, 2], vec![0, 0, 1]], vec![5]);
    assert_eq!(made, Ragged::from(vec![vec![vec![], vec![5]]]));
    assert_eq!(
        <i32 as Nested<2>>::memory(made),
        ([vec![0, 2], vec![0, 0, 1]], vec![5])
    );
}

/// A mistake of the compiler, found where the tests run.
#[cfg(debug_assertions)]
#[test]
#[should_panic(expected = "Last { offset: 2, values: 1 }")]
fn wrong_offsets_of_results() {
    let mut rows = Ragged::new();
    let mut out = AsRaggedOut::<u8, 1>::ragged_out(&mut rows);
    let (elements, [ends]) = out.parts();
    elements.copy(&[1]).unwrap();
    ends.copy(&[0, 2]).unwrap();
    out.done();
}
