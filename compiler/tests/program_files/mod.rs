//! All program files of the tests.

use std::path::{Path, PathBuf};

/// Each with its text; of a template, one instance: what its other words stand for does not matter
/// here.
pub fn all() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for package in ["programs", "dense", "nested", "bodies", "sequences"] {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
        collect(&tests.join(package).join("programs"), &mut files);
    }
    assert!(files.len() > 30, "the program files have moved");
    let files = files.into_iter().map(|file| {
        let text = std::fs::read_to_string(&file).expect("it was found there");
        (file, text.replace("$T", "i32").replace('$', ""))
    });
    files.collect()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the program files are in the repository") {
        let path = entry.expect("its entries can be read").path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
