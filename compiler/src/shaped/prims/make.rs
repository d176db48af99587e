//! Operators that make arrays from sizes.

use super::Use;
use crate::shaped::lower::{Lower, Lowered};
use crate::shaped::value::Value;
use crate::source::SrcSpan;
use crate::typed::ir::Expr;

impl<'p> Lower<'p> {
    /// `generate(n, f)`
    pub(super) fn generate(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let extent = self.extent(it.atom(0), it.src);
        self.build(&extent, it.src, |lower, index| {
            lower.apply(it.fns[0], &[Value::Scalar(index)])
        })
    }

    /// `fill(v, n)`
    pub(super) fn fill(&mut self, it: &Use<'p>) -> Lowered<Value> {
        let extent = self.extent(it.atom(1), it.src);
        self.build(&extent, it.src, |_, _| Ok(it.args[0].clone()))
    }

    /// `lo..hi` as an array.
    pub(in crate::shaped) fn range_array(
        &mut self,
        lo: &'p Expr,
        hi: &'p Expr,
        inclusive: bool,
        src: SrcSpan,
    ) -> Lowered<Value> {
        let (extent, lo) = self.range(lo, hi, inclusive, src)?;
        self.build(&extent, src, |lower, index| {
            Ok(Value::Scalar(lower.range_element(lo, index, src)))
        })
    }
}
