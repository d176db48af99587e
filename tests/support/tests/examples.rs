//! Programs that are said to be as an example has them are.

use ragged_test_support::files::programs;
use std::fs;
use std::path::Path;

#[test]
fn programs_of_examples_are_theirs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let found = programs(&root.join("tests/nested/programs/examples"));
    assert!(!found.is_empty());
    for (name, program) in found {
        let paths = ["examples/NAME.rs", "examples/NAME/main.rs"];
        let mut examples = paths
            .map(|path| root.join(path.replace("NAME", &name)))
            .into_iter();
        let example = examples.find_map(|path| fs::read_to_string(path).ok());
        let example = example.expect("the example of this name");
        let lines: Vec<&str> = example.lines().map(str::trim).collect();
        let code = program.lines().map(str::trim);
        let mut code = code.filter(|line| !line.starts_with("//"));
        let other = code.find(|line| !lines.contains(line));
        assert!(other.is_none(), "{name} has `{}`", other.unwrap_or(""));
    }
}
