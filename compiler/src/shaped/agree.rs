//! Sizes that must be equal: proven, or checked once, or a mistake of the user's.

use super::ir::Extent;
use super::lower::{Declared, Lower};
use super::signature::Origin;
use super::value::Array;
use crate::checks::CheckKind;
use crate::prims::ScalarOp;
use crate::report::Diagnostic;
use crate::source::SrcSpan;

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
            let (left, right) = (
                (&first.extent, &first_origin.name),
                (&array.extent, &origin.name),
            );
            if self.agree(left, right, src) {
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
        declared: &Declared,
        size: &str,
        declared_at: SrcSpan,
    ) {
        let (left, right) = ((&declared.extent, &declared.by), (extent, &origin.name));
        if self.agree(left, right, declared_at) {
            return;
        }
        let declared = &declared.extent;
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

    /// Whether both may be equal; afterwards they are. Each side comes with what it is the size of.
    fn agree(
        &mut self,
        (left, left_name): (&Extent, &String),
        (right, right_name): (&Extent, &String),
        src: SrcSpan,
    ) -> bool {
        if let Some(difference) = self.facts.difference(&left.size, &right.size) {
            return difference == 0;
        }
        let ok = self.test(ScalarOp::Eq, left.value, right.value, src);
        // The run time puts its own quotes round names.
        let (left_name, right_name) = (left_name.replace('`', ""), right_name.replace('`', ""));
        let kind = CheckKind::Sizes {
            left: left_name,
            right: right_name,
        };
        self.check(kind, ok, vec![left.value, right.value], src);
        true
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
