//! The same tokens give the same text, byte for byte: no order of a hash map gets out.

use std::path::{Path, PathBuf};

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

fn expand(text: &str) -> String {
    let block = text.parse().expect("program files are tokens");
    ragged_compiler::expand(block).to_string()
}

#[test]
fn every_program_file_expands_to_the_same_text_again() {
    let mut files = Vec::new();
    for package in ["programs", "dense", "nested", "bodies"] {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
        collect(&tests.join(package).join("programs"), &mut files);
    }
    assert!(files.len() > 30, "the program files have moved");
    for file in files {
        let text = std::fs::read_to_string(&file).expect("it was found there");
        // Of a template, one instance; what its other words stand for does not matter here.
        let text = text.replace("$T", "i32").replace('$', "");
        assert!(expand(&text) == expand(&text), "{}", file.display());
    }
}
