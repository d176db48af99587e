//! Indices and slices with constants that no array of the known length has.
//!
//! A constant is what the user has written as one: in a body that is inlined, or a loop that is
//! written out, an index may be out of range where nothing reads it. Nor is anything said behind a
//! condition, which may have asked for the length.

use super::lower::Lower;
use super::value::Array;
use crate::report::Diagnostic;
use crate::typed::ir::{Expr, ExprKind};

/// The ends of a slice as written, and whether it holds the last.
type Ends<'p> = (Option<&'p Expr>, Option<&'p Expr>, bool);

impl Lower<'_> {
    /// Whether `index` is known to be none of `array`, which is reported.
    pub(super) fn refuse_index(&mut self, array: &Expr, of: &Array, index: &Expr) -> bool {
        let (Some(at), Some(length)) = (constant(index), self.certain_length(of)) else {
            return false;
        };
        if at < length {
            return false;
        }
        let error = Diagnostic::new(index.src, format!("index {at} is out of range"));
        self.refuse(error, array, length);
        true
    }

    /// Reports a slice that is known to be none of `array`.
    pub(super) fn refuse_slice(&mut self, array: &Expr, of: &Array, ends: Ends<'_>) {
        let (lo, hi, inclusive) = ends;
        let Some(length) = self.certain_length(of) else {
            return;
        };
        let end = |end: &Expr| Some((constant(end)?.checked_add(u64::from(inclusive))?, end.src));
        let first = lo.and_then(|lo| Some((constant(lo)?, lo.src)));
        let end = hi.and_then(end);
        if let Some((at, src)) = end.into_iter().chain(first).find(|(at, _)| *at > length) {
            let title = format!("a slice that reaches to {at} is out of range");
            self.refuse(Diagnostic::new(src, title), array, length);
        } else if let (Some((first, src)), Some((end, _))) = (first, end)
            && first > end
        {
            let title = format!("a slice from {first} to {end} is reversed");
            self.refuse(Diagnostic::new(src, title), array, length);
        }
    }

    /// The length of an array, where a mistake about it can be one.
    fn certain_length(&self, array: &Array) -> Option<u64> {
        let size = self.facts.normal(&array.extent.size).as_known();
        size.filter(|_| self.sides == 0)
            .and_then(|size| u64::try_from(size).ok())
    }

    fn refuse(&mut self, error: Diagnostic, array: &Expr, length: u64) {
        let name = self.name_of(array);
        let declared = match &array.kind {
            ExprKind::Local(local) => self.frames[self.frame].function.locals[local.index()].src,
            _anything => array.src,
        };
        let error = error.also(declared, format!("{name} has length {length}"));
        self.mistakes.push(error);
    }
}

/// The number that an expression is as written.
fn constant(expr: &Expr) -> Option<u64> {
    match &expr.kind {
        ExprKind::Const(constant) => Some(constant.bits),
        _other => None,
    }
}
