//! Program files, for build scripts.
//!
//! In: a folder. Out: name and text of each program in it, at any depth. A file with instances gives one
//! for each.

use crate::header::instances;
use std::fs;
use std::path::{Path, PathBuf};

/// Name and text of each program in the folder `root`, in order.
///
/// # Panics
/// If a file cannot be read.
pub fn programs(root: &Path) -> Vec<(String, String)> {
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(root, &mut files);
    files.sort();
    files.iter().flat_map(|file| of_file(root, file)).collect()
}

fn of_file(root: &Path, file: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(file).expect("program files can be read");
    let stem = file.with_extension("");
    let stem = stem.strip_prefix(root).expect("it was found there");
    let stem = stem.to_str().expect("names of program files are text");
    let stem = stem.replace(['/', '\\'], "_");
    let instances = instances(&text).into_iter();
    instances
        .map(|(words, text)| {
            let words = words.join("_");
            let parts = words.split(|c: char| !c.is_ascii_alphanumeric());
            let named = parts.filter(|part| !part.is_empty());
            let name: Vec<&str> = [stem.as_str()].into_iter().chain(named).collect();
            (name.join("_"), text)
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
