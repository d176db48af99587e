//! The messages that users meet, as rustc shows them.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes what has changed; read it before you keep it.

#[test]
fn messages() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}

#[test]
fn the_readme_shows_a_message_as_it_is() {
    let message = include_str!("ui/readme.stderr").replace("tests/ui/readme.rs", "src/main.rs");
    let readme = include_str!("../README.md");
    assert!(
        readme.contains(&format!("```text\n{message}```")),
        "the README does not show\n{message}"
    );
}
