//! What is left out of the tests of elements that are arrays and products, the compiler refuses.

#[test]
fn every_operator_takes_elements_of_each_kind_or_refuses_them() {
    let unknown = ragged_test_support::lifted::elements::unknown();
    assert!(
        unknown.is_empty(),
        "these are to be said in `tests/support/src/lifted/elements.rs`: {}",
        unknown.join(", ")
    );
}
