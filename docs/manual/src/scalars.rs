//! The scalar functions as a table.

use ragged_compiler::prims::{COMPLEX_FNS, Domain, SCALAR_FNS, ScalarFn};

/// One row per function: how it is called, on which types, what it gives.
pub fn table() -> String {
    let mut out = String::from("| function | of | gives |\n|---|---|---|\n");
    for function in SCALAR_FNS {
        let (call, domain) = (call(function), domain(function.domain));
        out += &format!("| `{call}` | {domain} | {} |\n", function.doc);
    }
    out
}

/// One row per function of complex numbers.
pub fn complex() -> String {
    let row = |name: &str, doc: &str| format!("| `z.{name}()` | {doc} |\n");
    let rows = COMPLEX_FNS
        .iter()
        .map(|function| row(function.name, function.doc));
    rows.collect()
}

fn call(function: &ScalarFn) -> String {
    let rest: Vec<&str> = match function.name {
        "clamp" => vec!["lo", "hi"],
        "rotate_left" | "rotate_right" => vec!["k"],
        "powi" | "wrapping_pow" => vec!["n"],
        "log" => vec!["b"],
        _ => ["y", "z"].into_iter().take(function.arity - 1).collect(),
    };
    match function.name {
        "atan2" => "y.atan2(x)".to_owned(),
        name => format!("x.{name}({})", rest.join(", ")),
    }
}

fn domain(domain: Domain) -> &'static str {
    match domain {
        Domain::Float => "floats",
        Domain::Int => "integers",
        Domain::Unsigned => "unsigned integers",
        Domain::SignedInt => "signed integers",
        Domain::Num => "numbers",
        Domain::Signed => "signed numbers",
    }
}
