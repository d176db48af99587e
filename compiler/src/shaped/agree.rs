//! Sizes that must be equal: proven, or checked once, or a mistake of the user's.

use super::ir::Extent;
use super::lower::Lower;
use super::signature::Origin;
use super::value::Array;
use crate::checks::CheckKind;
use crate::prims::ScalarOp;
use crate::report::Diagnostic;
use crate::source::SrcSpan;

/// One of two sizes that must be equal.
struct Side<'a> {
    extent: &'a Extent,
    /// As the value of a check is described: `` `xs` (size `n`) ``.
    described: String,
}

impl Lower<'_> {
    /// Requires all arrays to have the length of the first; `construct` is what needs it.
    pub(super) fn require_equal(
        &mut self,
        arrays: &[(&Array, Origin)],
        construct: &str,
        src: SrcSpan,
    ) {
        let Some(((first, first_origin), rest)) = arrays.split_first() else {
            return;
        };
        for (array, origin) in rest {
            let left = self.party(&first.extent, first_origin);
            let right = self.party(&array.extent, origin);
            if self.agree(&left, &right, src) {
                continue;
            }
            let (left, right) = (self.shown(&first.extent), self.shown(&array.extent));
            let title = format!("sizes {left} and {right} do not match");
            let why = format!(
                "`{construct}` needs arrays of one length; {} has length {left}, {} has length {right}",
                first_origin.name, origin.name,
            );
            let mistake = Diagnostic::new(src, title)
                .note(why)
                .help("cut the longer one with `take`, `skip` or a slice")
                .also(origin.src, format!("{} has length {right}", origin.name));
            self.mistakes.push(mistake);
        }
    }

    /// Requires `extent` to be what a signature declares under the name `size`.
    pub(super) fn require_declared(
        &mut self,
        extent: &Extent,
        origin: &Origin,
        declared: &Extent,
        size: &str,
        declared_at: SrcSpan,
    ) {
        let left = self.party(extent, origin);
        let right = Side {
            extent: declared,
            described: format!("size `{size}`"),
        };
        if self.agree(&left, &right, origin.src) {
            return;
        }
        let (found, wanted) = (self.shown(extent), self.shown(declared));
        let title = format!("sizes {found} and {wanted} do not match");
        let mistake = Diagnostic::new(origin.src, title)
            .note(format!(
                "{} has length {found}; the signature says `{size}`",
                origin.name
            ))
            .help("change the size in the signature, or the length of the array")
            .also(declared_at, format!("declared with size `{size}` here"));
        self.mistakes.push(mistake);
    }

    /// Whether both may be equal; afterwards they are.
    fn agree(&mut self, left: &Side<'_>, right: &Side<'_>, src: SrcSpan) -> bool {
        match self.facts.difference(&left.extent.size, &right.extent.size) {
            Some(difference) => difference == 0,
            None => {
                let (a, b) = (left.extent.value, right.extent.value);
                let ok = self.test(ScalarOp::Eq, a, b, src);
                let (left_text, right_text) = (left.described.clone(), right.described.clone());
                let kind = CheckKind::Sizes {
                    left: left_text,
                    right: right_text,
                };
                self.check(kind, ok, vec![a, b], src);
                true
            }
        }
    }

    fn party<'a>(&self, extent: &'a Extent, origin: &Origin) -> Side<'a> {
        let size = self.facts.show(&self.facts.normal(&extent.size));
        let named = size.chars().all(|c| c.is_alphanumeric() || c == '_')
            && !size.starts_with(|c: char| c.is_ascii_digit() || c == 'α');
        let described = if named {
            format!("{} (size `{size}`)", origin.name)
        } else {
            origin.name.clone()
        };
        Side { extent, described }
    }

    /// A size for a message: `` `n - 1` ``, `5`.
    fn shown(&self, extent: &Extent) -> String {
        let size = self.facts.normal(&extent.size);
        match size.as_known() {
            Some(known) => known.to_string(),
            None => format!("`{}`", self.facts.show(&size)),
        }
    }
}
