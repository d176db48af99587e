//! Each program, compiled, gives what its header says and what the interpreter gives.

macro_rules! test {
    ($name:ident) => {
        #[test]
        fn $name() {
            ragged_test_support::agree::named(ragged_sequences::PROGRAMS, stringify!($name));
        }
    };
}

include!(concat!(env!("OUT_DIR"), "/tests.rs"));
