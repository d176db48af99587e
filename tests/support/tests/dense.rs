//! Arrays of arrays from text, as Rust's arrays of several axes, and back.

use ndarray::{Array2, Array3, array};
use ragged_compiler::interpret::Value;
use ragged_compiler::typed::ir::SigType;
use ragged_core::{AsDense, DenseVec};
use ragged_test_support::border::{FromValue, by_columns, value};
use ragged_test_support::random::check::{load, store};
use ragged_test_support::{literal, typing};

/// The value that `text` stands for, of type `ty`.
fn of(text: &str, ty: &str) -> Value {
    let program = typing::program(&format!("pub fn f(a: {ty}) -> usize {{ 1 }}"));
    let program = program.expect("a type");
    let (_, function) = typing::exported(&program).next().expect("a function");
    let ty: &SigType = typing::params(function)[0];
    literal::value(&syn::parse_str(text).expect("an expression"), ty)
}

fn matrix(text: &str) -> Array2<i32> {
    Array2::from_value(&of(text, "[[i32; m]; n]"))
}

#[test]
fn literals_of_rows() {
    assert_eq!(
        matrix("[[1, 2, 3], [4, 5, 6]]"),
        array![[1, 2, 3], [4, 5, 6]]
    );
    assert_eq!(matrix("[[7; 3]; 2]"), Array2::from_elem((2, 3), 7));
    assert_eq!(matrix("[ramp(2), [5, 6]]"), array![[0, 1], [5, 6]]);
}

#[test]
fn arrays_without_elements_have_a_shape() {
    for (text, shape) in [
        ("[]", [0, 0]),
        ("[[]; 0]", [0, 0]),
        ("[[0; 3]; 0]", [0, 3]),
        ("[[]; 4]", [4, 0]),
        ("[[], []]", [2, 0]),
        ("ramp((0, 5))", [0, 5]),
        ("random(1, (5, 0))", [5, 0]),
    ] {
        assert_eq!(matrix(text).shape(), shape, "{text}");
    }
    let cube = Array3::<u8>::from_value(&of("ramp((0, 2, 3))", "[[[u8; k]; m]; n]"));
    assert_eq!(cube.shape(), [0, 2, 3]);
}

#[test]
fn generated_arrays_of_a_shape() {
    assert_eq!(matrix("ramp((2, 3))"), array![[0, 1, 2], [3, 4, 5]]);
    let random = matrix("random(7, (40, 50), -3..4)");
    assert_eq!(random.shape(), [40, 50]);
    assert!((-3..4).all(|x| random.iter().any(|y| *y == x)));
    assert!(random.iter().all(|x| (-3..4).contains(x)));
    // The same numbers as those of the flat array.
    let flat = of("random(7, 2000, -3..4)", "[i32]");
    let flat: Vec<i32> = FromValue::from_value(&flat);
    assert_eq!(random.into_raw_vec_and_offset().0, flat);
    let pairs = of("zip(ramp((2, 2)), [[9, 8], [7, 6]])", "[[(u8, i32); m]; n]");
    assert_eq!(
        Array2::<(u8, i32)>::from_value(&pairs),
        array![[(0, 9), (1, 8)], [(2, 7), (3, 6)]]
    );
}

#[test]
#[should_panic(expected = "the shape has too many axes")]
fn a_shape_of_another_rank_is_refused() {
    let _ = of("ramp((2, 2))", "[i32]");
}

#[test]
#[should_panic(expected = "the shape has too few axes")]
fn a_length_is_no_shape() {
    let _ = of("ramp(2)", "[[i32; m]; n]");
}

#[test]
fn and_back() {
    let text = "[[1, 2, 3], [4, 5, 6]]";
    assert_eq!(value(matrix(text)), of(text, "[[i32; m]; n]"));
    assert_eq!(value(by_columns(&matrix(text))), of(text, "[[i32; m]; n]"));
    let dense = DenseVec::new([3, 2], vec![1_u8, 2, 3, 4, 5, 6]).expect("3 × 2 are 6");
    assert_eq!(value(dense), of("[[1, 2], [3, 4], [5, 6]]", "[[u8; m]; n]"));
}

#[test]
fn by_columns_is_the_same_array_elsewhere() {
    let rows = matrix("[[1, 2, 3], [4, 5, 6]]");
    let columns = by_columns(&rows);
    assert_eq!(rows, columns);
    let columns = &columns;
    assert!(!AsDense::<i32, 2>::dense_arg(&columns).is_borrowed());
}

#[test]
fn stored_arrays_keep_their_shape() {
    for text in ["[[1, 2], [3, 4]]", "[[0; 3]; 0]", "[[]; 2]"] {
        let stored = store(&of(text, "[[i32; m]; n]"));
        let loaded = Array2::<i32>::from_value(&load(&mut stored.split(' ')));
        assert_eq!(loaded, matrix(text), "{text}");
        assert_eq!(loaded.shape(), matrix(text).shape(), "{text}");
    }
}
