//! The operator table as text.

use ragged_compiler::prims::{PRIMS, PrimGroup, PrimInfo};

/// Groups in the order of the manual.
const GROUPS: [(PrimGroup, &str); 6] = [
    (PrimGroup::Make, "Make"),
    (PrimGroup::Elementwise, "Elementwise"),
    (PrimGroup::IndexSpace, "Index space"),
    (PrimGroup::Reduce, "Reduce"),
    (PrimGroup::Scan, "Scan"),
    (PrimGroup::Scatter, "Scatter"),
];

/// An overview, then each operator: signature, meaning, and an example with its result.
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
    PRIMS.iter().filter(move |info| info.group == group)
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
    format!(
        "\n#### {name}\n\n`{signature}`\n\n{doc}\n\n```rust\nragged::accel! {{\n{}\n}}\n\
         assert_eq!({call}.unwrap(), {gives});\n```\n",
        indented(example)
    )
}

fn indented(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("    {line}")).collect();
    lines.join("\n")
}
