//! Types that traits of others do not reach: tuples of many fields, and arrays of many axes.
//!
//! In: types of signatures and of structs, with their places. Out: what is wrong with them.
//! Assumes: structs have been looked at where they are declared.

use crate::report::Diagnostic;
use crate::source::SrcSpan;
use crate::typed::ir::{SigType, SizeSpec};

/// As many fields as tuples may have to be `Default`, `Debug` and the like.
const FIELDS: usize = 12;

/// As many axes as `ndarray`, and levels as `Ragged`, has implementations for.
const AXES: usize = 6;

/// What is wrong with the type of an exported function's parameter or result.
pub(super) fn in_signature(ty: &SigType) -> Option<Diagnostic> {
    match array_of(ty) {
        Some(array) => Some(too_wide(array, "an element of an array in a signature")),
        None => many_axes(ty, None, 0).map(too_deep),
    }
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

fn too_deep(src: SrcSpan) -> Diagnostic {
    Diagnostic::new(
        src,
        format!("an array of more than {AXES} axes cannot be in a signature"),
    )
    .note(format!(
        "what it is in Rust, an array of `ndarray` or a `Ragged`, has {AXES} at most; inside of a block \
         there is no such limit"
    ))
    .help("take two axes as one, and take them apart inside: `a.map(|b| b.reshape((n, m)))`")
}

/// The array in a type, of which `outer` is the one that this is in after so many `axes`, whose
/// components have too many.
fn many_axes(ty: &SigType, outer: Option<SrcSpan>, axes: usize) -> Option<SrcSpan> {
    match ty {
        SigType::Scalar(_) | SigType::Vector(..) => outer.filter(|_| axes > AXES),
        SigType::Tuple(fields) | SigType::Struct(_, fields) => fields
            .iter()
            .find_map(|field| many_axes(field, outer, axes)),
        SigType::Array { elem, size, .. } if *size == SizeSpec::Seq => many_axes(elem, None, 0),
        SigType::Array { elem, src, .. } => many_axes(elem, outer.or(Some(*src)), axes + 1),
    }
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
