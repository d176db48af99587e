//! Every program file, and every example of the operator table, as a Rust module (see
//! `ragged_test_support::modules`).

use ragged_compiler::prims::{Status, records};
use ragged_test_support::header::instances;
use ragged_test_support::modules;
use std::path::{Path, PathBuf};
use std::{env, fs};

const PROGRAMS: &str = "programs";

fn main() {
    println!("cargo::rerun-if-changed={PROGRAMS}");
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    modules::write(&out, programs());
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
