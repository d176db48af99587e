//! Every operator has lifted forms: it compiles wherever it stands. (`tests/lifted` runs them.)

use ragged_compiler::prims::records;
use ragged_test_support::{lifted, typing};

#[test]
fn every_operator_compiles_at_any_depth() {
    let refused: Vec<String> = records()
        .filter_map(|info| {
            let text = lifted::program(info);
            let why = typing::compiles(&text).err()?;
            Some(format!("`{}`: {why}\n{text}", info.name))
        })
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
