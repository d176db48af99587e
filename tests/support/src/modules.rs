//! Programs as Rust modules, for build scripts.
//!
//! In: names and texts. Out: `NAME.rs` for each program, `modules.rs` (the modules and the table of
//! programs) and `tests.rs` (a test for each). A program that the compiler refuses has a test that says
//! why. With `RAGGED_PROGRAMS=text,text` only those whose name contains one of the texts: all take minutes to
//! build.

use crate::header::header;
use crate::{typing, wrap};
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

/// Writes the modules of `programs` to the folder `out`.
///
/// # Panics
/// If a header comment cannot be read, or a file not be written.
pub fn write(out: &Path, mut programs: Vec<(String, String)>) {
    println!("cargo::rerun-if-env-changed=RAGGED_PROGRAMS");
    let wanted = env::var("RAGGED_PROGRAMS").unwrap_or_default();
    programs.retain(|(name, _)| wanted.split(',').any(|text| name.contains(text)));
    let (mut modules, mut table, mut tests) = (String::new(), String::new(), String::new());
    for (name, text) in programs {
        let functions = write_module(out, &name, &text, &mut modules);
        let _ = writeln!(
            table,
            "Program {{ name: {name:?}, text: {text:?}, functions: {functions} }},"
        );
        let _ = writeln!(tests, "test!({name});");
    }
    modules += &format!("pub static PROGRAMS: &[Program] = &[\n{table}];\n");
    fs::write(out.join("modules.rs"), modules).expect("the folder can be written");
    fs::write(out.join("tests.rs"), tests).expect("the folder can be written");
}

/// Writes the module of a program; gives the expression of its functions.
fn write_module(out: &Path, name: &str, text: &str, modules: &mut String) -> String {
    let _ = header(text);
    let Ok(()) = typing::compiles(text) else {
        return "&[]".to_owned();
    };
    let typed = typing::program(text).expect("what compiles is typed");
    let file = out.join(format!("{name}.rs"));
    fs::write(&file, wrap::file(text, &typed)).expect("the folder can be written");
    let _ = writeln!(
        modules,
        "pub mod {name} {{ include!(concat!(env!(\"OUT_DIR\"), \"/{name}.rs\")); }}"
    );
    format!("{name}::FUNCTIONS")
}
