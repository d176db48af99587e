//! Each operator, at each depth, gives what the interpreter gives.

macro_rules! test {
    ($name:ident) => {
        #[test]
        fn $name() {
            ragged_test_support::agree::named(ragged_lifted::PROGRAMS, stringify!($name));
        }
    };
}

include!(concat!(env!("OUT_DIR"), "/tests.rs"));
