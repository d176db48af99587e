//! `#[regular]`: no array inside is irregular.
//!
//! In: a fused function. Out: a message for each part of the signature that is, or else for where
//! arrays of different lengths come from first.

use crate::contracts::{kernel_stmts, makes_rows};
use crate::fused::ir::{Function, Sink};
use crate::report::{Diagnostic, Errors};
use crate::shaped::ir::ragged_levels;
use crate::source::SrcSpan;
use crate::typed::ir::SigType;
use crate::values::{Named, Repr};

/// Says what of `function` breaks the promise that its attribute `promise` makes.
pub(super) fn check(function: &Function, promise: SrcSpan, errors: &mut Errors) {
    let mut found: Vec<Diagnostic> = of_signature(function);
    if found.is_empty() {
        found.extend(of_value(function).or_else(|| of_kernel(function)));
    }
    for (at, message) in found.into_iter().enumerate() {
        errors.push(match at {
            0 => message.also(
                promise,
                format!(
                    "here `{}` promises that inner arrays of one array have one length",
                    function.name
                ),
            ),
            _more => message,
        });
    }
}

fn irregular(function: &Function, src: SrcSpan, what: &str) -> Diagnostic {
    Diagnostic::new(
        src,
        format!("{what} irregular, and `{}` is `#[regular]`", function.name),
    )
}

fn of_signature(function: &Function) -> Vec<Diagnostic> {
    let params = function.params.iter();
    let params = params.map(|it| (format!("`{}` is", it.name), &it.ty));
    let all = params.chain([("the result is".to_owned(), &function.ret)]);
    let all = all.filter_map(|(what, ty)| {
        let src = without_size(ty)?;
        Some(
            irregular(function, src, &what)
                .note("its inner arrays have no size in the type, so their lengths may differ")
                .help("give them one: `[[T; m]; n]`"),
        )
    });
    all.collect()
}

/// The type as written whose inner arrays have no size.
fn without_size(ty: &SigType) -> Option<SrcSpan> {
    match ty {
        SigType::Scalar(_) => None,
        SigType::Tuple(fields) | SigType::Struct(_, fields) | SigType::Vector(_, fields) => {
            fields.iter().find_map(without_size)
        }
        SigType::Array { elem, src, .. } => (ragged_levels(elem) > 0).then_some(*src),
    }
}

/// The value that is declared first.
fn of_value(function: &Function) -> Option<Diagnostic> {
    let values = function.values.iter();
    let values = values.filter(|it| it.repr == Repr::Irregular && !it.name.is_empty());
    let first: &Named = values.min_by_key(|it| it.src.start())?;
    Some(
        irregular(function, first.src, &format!("`{}` is", first.name))
            .note("the lengths of its arrays differ from one index of a body to another")
            .help(SAME_LENGTHS),
    )
}

fn of_kernel(function: &Function) -> Option<Diagnostic> {
    let kernels = kernel_stmts(&function.body).into_iter();
    let mut rows = kernels.filter(|(_, it)| {
        matches!(it.sink, Sink::Rows { .. } | Sink::Join) || makes_rows(&it.body)
    });
    let (stmt, _) = rows.next()?;
    Some(
        irregular(function, stmt.src, "this is")
            .note("the lengths of the arrays that it joins may differ")
            .help(SAME_LENGTHS),
    )
}

const SAME_LENGTHS: &str = "make arrays of a length that does not depend on the index or on values";
