//! The messages that users meet, as rustc shows them.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes what has changed; read it before you keep it.

#[test]
fn messages() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
