//! The operator table as text.

use ragged_compiler::prims::{PrimGroup, PrimInfo, records};

/// Groups in the order of the manual.
const GROUPS: [(PrimGroup, &str); 10] = [
    (PrimGroup::Make, "Make"),
    (PrimGroup::Elementwise, "Elementwise"),
    (PrimGroup::IndexSpace, "Index space"),
    (PrimGroup::Reduce, "Reduce"),
    (PrimGroup::Scan, "Scan"),
    (PrimGroup::Scatter, "Scatter"),
    (PrimGroup::Select, "Select"),
    (PrimGroup::Order, "Order"),
    (PrimGroup::PairUp, "Pair up"),
    (PrimGroup::Neighbourhood, "Neighbourhood"),
];

/// An overview, then each operator: signature, meaning,
/// and an example with its result.
pub fn entries() -> String {
    let mut out = String::from("| group | operators |\n|---|---|\n");
    for (group, title) in GROUPS {
        let names: Vec<String> = of(group).map(|info| format!("`{}`", info.name)).collect();
        out += &format!("| {title} | {} |\n", names.join(" "));
    }
    for (group, title) in GROUPS {
        out += &format!("\n### {title}\n");
        for info in of(group) {
            out += &entry(info);
        }
    }
    out
}

fn of(group: PrimGroup) -> impl Iterator<Item = &'static PrimInfo> {
    records().filter(move |info| info.group == group)
}

fn entry(info: &PrimInfo) -> String {
    let PrimInfo {
        name,
        signature,
        doc,
        example,
        call,
        gives,
        ..
    } = info;
    let example = indented(example);
    let (uses, as_rust) = in_rust(gives);
    format!(
        "\n#### {name}\n\n`{signature}`\n\n{doc}\n\n```rust\n{uses}ragged::accel! {{\n{example}\n}}\n\
         assert_eq!({call}.unwrap(), {as_rust});\n```\n"
    )
}

/// What an example gives, in Rust, behind the imports for it: arrays of arrays are `ndarray`'s.
fn in_rust(gives: &str) -> (&'static str, String) {
    let uses = if gives.contains("[[") {
        "# use ndarray::array;\n"
    } else {
        ""
    };
    (uses, gives.replace("[[", "array![["))
}

fn indented(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("    {line}")).collect();
    lines.join("\n")
}
