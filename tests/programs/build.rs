//! Every program file, and every example of the operator table, as a Rust module.
//!
//! Out: `OUT_DIR/NAME.rs` for each program, `modules.rs` (the modules and the table of programs) and
//! `tests.rs` (a test for each). A program that the compiler refuses has a test that says why. With
//! `RAGGED_PROGRAMS=text,text` only those whose name contains one of the texts: all take minutes to build.

use ragged_compiler::prims::{Status, records};
use ragged_test_support::header::{header, instances};
use ragged_test_support::{typing, wrap};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

const PROGRAMS: &str = "programs";

fn main() {
    println!("cargo::rerun-if-changed={PROGRAMS}");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RAGGED_PROGRAMS");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    let (mut modules, mut table, mut tests) = (String::new(), String::new(), String::new());
    for (name, text) in programs() {
        let functions = write_module(&out, &name, &text, &mut modules);
        let _ = writeln!(
            table,
            "Program {{ name: {name:?}, text: {text:?}, functions: {functions} }},"
        );
        let _ = writeln!(tests, "test!({name});");
    }
    modules += &format!("pub static PROGRAMS: &[Program] = &[\n{table}];\n");
    fs::write(out.join("modules.rs"), modules).expect("OUT_DIR can be written");
    fs::write(out.join("tests.rs"), tests).expect("OUT_DIR can be written");
}

/// Writes the module of a program; gives the expression of its functions.
fn write_module(out: &Path, name: &str, text: &str, modules: &mut String) -> String {
    let _ = header(text);
    let Ok(()) = typing::compiles(text) else {
        return "&[]".to_owned();
    };
    let typed = typing::program(text).expect("what compiles is typed");
    let file = out.join(format!("{name}.rs"));
    fs::write(&file, wrap::file(text, &typed)).expect("OUT_DIR can be written");
    let _ = writeln!(
        modules,
        "pub mod {name} {{ include!(concat!(env!(\"OUT_DIR\"), \"/{name}.rs\")); }}"
    );
    format!("{name}::FUNCTIONS")
}

/// Name and text of each program.
fn programs() -> Vec<(String, String)> {
    let mut files = Vec::new();
    collect(Path::new(PROGRAMS), &mut files);
    files.sort();
    let mut programs: Vec<(String, String)> = files.iter().flat_map(|file| of_file(file)).collect();
    let compiled = records().filter(|info| info.status == Status::Compiled);
    programs.extend(compiled.map(|info| {
        let text = format!(
            "// call: {} => {}\n{}\n",
            info.call, info.gives, info.example
        );
        (format!("table_{}", info.name), text)
    }));
    let wanted = env::var("RAGGED_PROGRAMS").unwrap_or_default();
    programs.retain(|(name, _)| wanted.split(',').any(|text| name.contains(text)));
    programs
}

fn of_file(file: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(file).expect("program files can be read");
    let stem = file.with_extension("");
    let stem = stem.strip_prefix(PROGRAMS).expect("it was found there");
    let stem = stem.to_str().expect("names of program files are text");
    let stem = stem.replace(['/', '\\'], "_");
    let instances = instances(&text).into_iter();
    instances
        .map(|(words, text)| {
            let words: Vec<String> = words.iter().map(|word| format!("_{word}")).collect();
            (format!("{stem}{}", words.concat()), text)
        })
        .collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder of programs can be read") {
        let path = entry.expect("its entries too").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|it| it == "ragged") {
            files.push(path);
        }
    }
}
