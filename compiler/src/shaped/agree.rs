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
            let Some(difference) = self.agree(left, right, src) else {
                continue;
            };
            let longer = longer(difference);
            let sizes = (self.shown(&first.extent), self.shown(&array.extent));
            let why = match &sizes {
                (Some(left), Some(right)) => format!(
                    "{} has length {left}, {} has length {right}",
                    first_origin.name, origin.name
                ),
                (None, _) | (_, None) => {
                    format!("{} is {longer} than {}", origin.name, first_origin.name)
                }
            };
            let mistake = Diagnostic::new(src, mismatch(sizes))
                .note(format!("`{construct}` needs arrays of one length; {why}"))
                .help("cut the longer one with `take`, `skip` or a slice")
                .also(
                    origin.src,
                    format!("this is {longer} than {}", first_origin.name),
                );
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
        let Some(difference) = self.agree(left, right, declared_at) else {
            return;
        };
        let declared = &declared.extent;
        let sizes = (self.shown(extent), self.shown(declared));
        let why = match &sizes {
            (Some(found), Some(_)) => format!("{} has length {found}", origin.name),
            (None, _) | (_, None) => {
                format!("{} is {} than that", origin.name, longer(difference))
            }
        };
        let mistake = Diagnostic::new(origin.src, mismatch(sizes))
            .note(format!("the signature says `{size}`; {why}"))
            .help("change the size in the signature, or the length of the array")
            .also(declared_at, format!("declared with size `{size}` here"));
        self.mistakes.push(mistake);
    }

    /// Requires an array to have the size that the type of a variable says.
    pub(super) fn require_written(
        &mut self,
        written: &Extent,
        size: &str,
        found: &Extent,
        origin: &Origin,
        src: SrcSpan,
    ) {
        let by = format!("the type `[_; {size}]`");
        let Some(difference) = self.agree((written, &by), (found, &origin.name), src) else {
            return;
        };
        let sizes = (self.shown(found), self.shown(written));
        let is = match &sizes.0 {
            Some(found) => format!("{} has length {found}", origin.name),
            None => format!("{} is {} than that", origin.name, longer(difference)),
        };
        let mistake = Diagnostic::new(src, mismatch(sizes))
            .note(format!("the type says `{size}`; {is}"))
            .help("change the size in the type, or the length of the array")
            .also(origin.src, is);
        self.mistakes.push(mistake);
    }

    /// Requires two numbers of elements to be the same; each comes with what it is the number of.
    pub(super) fn require_elements(
        &mut self,
        left: (&Extent, &String),
        right: (&Extent, &String),
        src: SrcSpan,
    ) {
        if self.agree(left, right, src).is_none() {
            return;
        }
        let sizes = (self.shown(left.0), self.shown(right.0));
        let mistake = Diagnostic::new(src, mismatch(sizes))
            .note(format!(
                "the product of the extents must be the number of elements of {}",
                right.1
            ))
            .help("change the extents, or the length of the array");
        self.mistakes.push(mistake);
    }

    /// Requires what is assigned to have the length of what is there.
    pub(super) fn require_length(&mut self, place: &Extent, value: &Extent, src: SrcSpan) {
        let names = [
            "what is there".to_owned(),
            "what is assigned there".to_owned(),
        ];
        let Some(difference) = self.agree((place, &names[0]), (value, &names[1]), src) else {
            return;
        };
        let sizes = (self.shown(place), self.shown(value));
        let longer = longer(difference);
        let mistake = Diagnostic::new(src, mismatch(sizes))
            .note(format!(
                "assignment to a part of an array keeps its shape; what is assigned is {longer} than what is there"
            ))
            .help("cut the longer one with `take`, `skip` or a slice");
        self.mistakes.push(mistake);
    }

    /// By how much the right side is known to be longer than the left one, if they are known to
    /// differ; else they are equal afterwards. Each comes with what it is the size of.
    pub(super) fn agree(
        &mut self,
        (left, left_name): (&Extent, &String),
        (right, right_name): (&Extent, &String),
        src: SrcSpan,
    ) -> Option<i64> {
        if let Some(difference) = self.facts.difference(&right.size, &left.size) {
            return (difference != 0).then_some(difference);
        }
        if self.are_alike(left, right) {
            self.facts.equate(&left.size, &right.size);
            return None;
        }
        let ok = self.test(ScalarOp::Eq, left.value, right.value, src);
        let kind = CheckKind::sizes(left_name.clone(), right_name.clone());
        self.check(kind, ok, vec![left.value, right.value], src);
        None
    }

    /// A size for a message: `` `n - 1` ``, `5`; nothing if the user has no name for it.
    fn shown(&self, extent: &Extent) -> Option<String> {
        let size = self.facts.normal(&extent.size);
        match size.as_known() {
            Some(known) => Some(known.to_string()),
            None => self.facts.show(&size).map(|size| format!("`{size}`")),
        }
    }
}

fn mismatch(sizes: (Option<String>, Option<String>)) -> String {
    match sizes {
        (Some(left), Some(right)) => format!("sizes {left} and {right} do not match"),
        (None, _) | (_, None) => "sizes do not match".to_owned(),
    }
}

/// "2 longer", "1 shorter".
fn longer(difference: i64) -> String {
    match difference {
        ..0 => format!("{} shorter", -difference),
        0.. => format!("{difference} longer"),
    }
}
