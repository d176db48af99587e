//! Tuples that Rust's own traits do not reach.
//!
//! In: types of signatures and of structs, with their places. Out: what is wrong with them.
//! Assumes: structs have been looked at where they are declared.

use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::typed::ir::SigType;

/// As many fields as tuples may have to be `Default`, `Debug` and the like.
const FIELDS: usize = 12;

/// The array of the type of an exported function's parameter or result whose elements are such tuples.
pub(super) fn in_array(ty: &SigType) -> Option<Diagnostic> {
    let array = array_of(ty)?;
    Some(too_wide(array, "an element of an array in a signature"))
}

/// A struct's field that holds such a tuple.
pub(super) fn in_field(ty: &SigType, src: SrcSpan) -> Option<Diagnostic> {
    holds(ty).then(|| too_wide(src, "in a field of a struct"))
}

fn too_wide(src: SrcSpan, place: &str) -> Diagnostic {
    let title = format!("a tuple of more than {FIELDS} fields cannot be {place}");
    Diagnostic::new(src, title)
        .note(format!(
            "Rust has `Default` and other traits for tuples of {FIELDS} fields at most"
        ))
        .help("declare a struct with these fields, or nest tuples: `((A, B), (C, D))`")
}

fn array_of(ty: &SigType) -> Option<SrcSpan> {
    match ty {
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) => None,
        SigType::Tuple(fields) => fields.iter().find_map(array_of),
        SigType::Array { elem, src, .. } => match holds(elem) {
            true => array_of(elem).or(Some(*src)),
            false => None,
        },
    }
}

/// Whether such a tuple is in a type, apart from the structs in it.
fn holds(ty: &SigType) -> bool {
    match ty {
        SigType::Scalar(_) | SigType::Struct(..) | SigType::Vector(..) => false,
        SigType::Tuple(fields) => fields.len() > FIELDS || fields.iter().any(holds),
        SigType::Array { elem, .. } => holds(elem),
    }
}
