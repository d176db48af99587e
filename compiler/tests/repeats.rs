//! The same tokens give the same text, byte for byte: no order of a hash map gets out.

mod program_files;

fn expand(text: &str) -> String {
    let block = text.parse().expect("program files are tokens");
    ragged_compiler::expand(block).to_string()
}

#[test]
fn every_program_file_expands_to_the_same_text_again() {
    for (file, text) in program_files::all() {
        assert!(expand(&text) == expand(&text), "{}", file.display());
    }
}
