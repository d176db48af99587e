//! Arrays of products that hold arrays go over the border as products of arrays.

use ndarray::array;

ragged::accel! {
    pub fn pairs(xs: [i32; n]) -> [([i32; 2], i32); n] { for x in xs { ([x, 2 * x], x * x) } }
    pub fn sums(ps: [([i32; 2], i32); n]) -> [i32; n] { for (p, q) in ps { p[0] + p[1] * q } }
}

#[test]
fn as_a_result_and_as_an_argument() {
    let (rows, squares) = pairs(&[1, 2, 3]).unwrap();
    assert_eq!(rows, array![[1, 2], [2, 4], [3, 6]]);
    assert_eq!(squares, [1, 4, 9]);
    assert_eq!(sums((&rows, &squares)), Ok(vec![3, 18, 57]));
}

ragged::accel! {
    pub fn lists(n: usize) -> [([usize], usize)] { for i in 0..n { (0..i, i * i) } }
    pub fn with_lists(ps: [([usize], usize); n]) -> [usize; n] {
        for (list, x) in ps { list.sum() + x }
    }
}

#[test]
fn with_rows_of_any_lengths() {
    let (rows, squares) = lists(3).unwrap();
    assert_eq!(
        rows,
        ragged::Ragged::from(vec![vec![], vec![0], vec![0, 1]])
    );
    assert_eq!(squares, [0, 1, 4]);
    assert_eq!(with_lists((&rows, &squares)), Ok(vec![0, 1, 5]));
}

#[test]
fn of_different_lengths() {
    let error = sums((&[[1, 2], [3, 4]], &[1, 2, 3])).unwrap_err();
    assert_eq!(
        error.kind().to_string(),
        "the first array of `ps` has size 2, but array 2 of `ps` has size 3; they must be equal"
    );
    let error = with_lists((&[vec![1]], &[1, 2])).unwrap_err();
    assert!(error.to_string().ends_with("they must be equal"), "{error}");
}
