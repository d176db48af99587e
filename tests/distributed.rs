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
