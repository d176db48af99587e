//! See `ragged_test_support::levels`.

#[test]
fn results_depend_on_neither_level_nor_threads() {
    ragged_test_support::levels::check(ragged_lifted::PROGRAMS);
}
