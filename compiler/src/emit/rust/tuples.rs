//! Tuples as text: products of values, types and patterns.
//!
//! In: components as text. Out: a tuple as the run time takes it. Assumes nothing.

use crate::ids::Var;

/// `(v1, v2,)`
pub fn names(vars: &[Var]) -> String {
    tuple(vars.iter().map(|var| format!("v{}", var.0)))
}

/// `(o0, o1,)`, of a letter.
pub fn numbered(letter: char, count: usize) -> String {
    tuple((0..count).map(|at| format!("{letter}{at}")))
}

/// As many components as the run time has impls for.
const COMPONENTS: usize = 12;

/// `(a, b,)`: a product, as a type, a value or a pattern. Of more components, one of products: see
/// `Wide` in the run time.
pub fn tuple(parts: impl Iterator<Item = impl AsRef<str>>) -> String {
    let parts: Vec<String> = parts.map(|part| part.as_ref().to_owned()).collect();
    nested(&parts, COMPONENTS)
}

/// The same, the first component being a part of its own where there is more than one part.
pub fn led(parts: impl Iterator<Item = impl AsRef<str>>) -> String {
    let parts: Vec<String> = parts.map(|part| part.as_ref().to_owned()).collect();
    nested(&parts, 1)
}

/// With so many components in the first part.
fn nested(parts: &[String], first: usize) -> String {
    match parts.split_at_checked(first) {
        Some((first, rest)) if parts.len() > COMPONENTS => {
            let rest = nested(rest, COMPONENTS);
            format!("(__r::Wide,({},),{rest},)", first.join(","))
        }
        _few => {
            let parts: String = parts.iter().map(|part| format!("{part},")).collect();
            format!("({parts})")
        }
    }
}
