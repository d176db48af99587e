//! Matrices of `ndarray` as arrays of rows, and back.

use ndarray::{Array2, ArrayView2, ShapeBuilder, array, s};
use ragged_core::{Ragged, RaggedError, RaggedView};

/// 10 `i` + `j` at `[[i, j]]`.
fn counted(rows: usize, columns: usize) -> Array2<usize> {
    Array2::from_shape_fn((rows, columns), |(i, j)| 10 * i + j)
}

/// The rows of the matrix, got at element by element.
fn expected(matrix: ArrayView2<'_, usize>) -> Vec<Vec<usize>> {
    let rows = matrix.outer_iter();
    rows.map(|row| row.iter().copied().collect()).collect()
}

#[test]
fn views_of_any_strides() {
    let matrix = counted(6, 8);
    let by_columns = Array2::from_shape_fn((3, 4).f(), |(i, j)| 10 * i + j);
    let number = array![[7]];
    let views = [
        matrix.view(),
        matrix.t(),
        by_columns.view(),
        matrix.slice(s![1..4, 2..7]),
        matrix.slice(s![..;-2, ..]),
        matrix.slice(s![.., ..;-3]),
        matrix.slice(s![2..3, ..;2]),
        matrix.slice(s![.., 3..4]),
        number.broadcast((2, 3)).unwrap(),
    ];
    for view in views {
        let want = expected(view);
        assert_eq!(Ragged::from(view), want);
        assert_eq!(Ragged::from(&view), want);
        assert_eq!(Ragged::from(view.to_owned()), want);
        assert_eq!(Array2::try_from(Ragged::from(view)).unwrap(), view);
    }
}

#[test]
fn matrices_by_reference() {
    let matrix = counted(2, 3);
    assert_eq!(Ragged::from(&matrix), [[0, 1, 2], [10, 11, 12]]);
    let shared = matrix.to_shared();
    assert_eq!(Ragged::from(&shared), Ragged::from(matrix));
}

#[test]
fn elements_are_moved() {
    let matrix = counted(3, 4);
    let start = matrix.as_ptr();
    let rows = Ragged::from(matrix);
    assert_eq!(rows.values().as_ptr(), start);
    let matrix = Array2::try_from(rows).unwrap();
    assert_eq!((matrix.as_ptr(), matrix), (start, counted(3, 4)));
}

/// What a matrix was cut out of is not among the values.
#[test]
fn cut_out_in_place() {
    let mut matrix = counted(5, 4);
    matrix.slice_collapse(s![1..3, ..]);
    assert_eq!(Ragged::from(matrix).into_parts(), {
        let values = vec![10, 11, 12, 13, 20, 21, 22, 23];
        (vec![0, 4, 8], values)
    });
    let mut none = counted(5, 4);
    none.slice_collapse(s![2..2, ..]);
    assert_eq!(Ragged::from(none).into_parts(), (vec![0], vec![]));
    let mut column = counted(3, 4);
    column.slice_collapse(s![..;-1, 2..3]);
    assert_eq!(Ragged::from(column), [[22], [12], [2]]);
}

#[test]
fn without_rows_or_columns() {
    let no_columns = Array2::<f32>::zeros((3, 0));
    let rows = Ragged::from(no_columns.view());
    assert_eq!(rows.offsets(), [0, 0, 0, 0]);
    assert_eq!(rows, Ragged::from(no_columns.clone()));
    assert_eq!(Array2::try_from(rows), Ok(no_columns));
    // How long rows are that are not there is not kept.
    let no_rows = Ragged::from(Array2::<f32>::zeros((0, 3)));
    assert!(no_rows.is_empty());
    assert_eq!(Array2::try_from(&no_rows).unwrap().dim(), (0, 0));
    assert_eq!(Array2::try_from(no_rows).unwrap().dim(), (0, 0));
    assert_eq!(Array2::try_from(Ragged::<u8>::new()).unwrap().dim(), (0, 0));
}

#[test]
fn elements_without_size() {
    let rows = Ragged::from(Array2::from_elem((2, 3), ()));
    assert_eq!(rows, [[(); 3]; 2]);
    assert_eq!(Array2::try_from(rows).unwrap().dim(), (2, 3));
}

#[test]
fn views_of_rows_of_one_length() {
    let view = RaggedView::new(&[1, 3, 5], &[1, 2, 3, 4, 5, 6]).unwrap();
    assert_eq!(Array2::try_from(view), Ok(array![[2, 3], [4, 5]]));
    let rows = Ragged::from(vec![vec![0], vec![1, 2], vec![3, 4]]);
    let last: Result<Array2<i32>, _> = rows.view().rows(1..3).try_into();
    assert_eq!(last, Ok(array![[1, 2], [3, 4]]));
}

#[test]
fn rows_of_several_lengths() {
    let rows = Ragged::from(vec![vec![1, 2], vec![3, 4], vec![], vec![5, 6, 7]]);
    let uneven = RaggedError::Uneven {
        row: 2,
        length: 0,
        first: 2,
    };
    assert_eq!(
        uneven.to_string(),
        "row 2 has length 0, but row 0 has length 2"
    );
    assert_eq!(Array2::try_from(rows.view()), Err(uneven.clone()));
    assert_eq!(Array2::try_from(&rows), Err(uneven.clone()));
    assert_eq!(Array2::try_from(rows), Err(uneven));
    // As many values as a matrix would have.
    let rows = Ragged::from(vec![vec![1], vec![2, 3, 4]]);
    let error = Array2::try_from(rows).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 1 has length 3, but row 0 has length 1"
    );
}
