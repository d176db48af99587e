//! Operators that make arrays.

use super::{Body, PrimCall};
use crate::report::Diagnostic;
use crate::syntax::ir::ExprKind;
use crate::typed::call::Arg;
use crate::typed::types::Ty;

impl<'a> Body<'_, 'a> {
    pub(super) fn generate(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        if let Arg::Expr(expr) = call.given[0]
            && matches!(expr.kind, ExprKind::Tuple(_))
        {
            let error = Diagnostic::unsupported(expr.src, "`generate` in several dimensions").help(
                "generate `n * m` elements: `generate(n * m, |k| …)` with `k / m` and `k % m`",
            );
            self.error(error);
            return None;
        }
        self.prim_value(call, 0, Ty::USIZE)?;
        let elem = self.prim_function(call, 1, &[Ty::USIZE], None)?;
        Some(self.types.array(elem))
    }

    pub(super) fn fill(&mut self, call: &mut PrimCall<'a>) -> Option<Ty> {
        let elem = self.types.any();
        self.prim_value(call, 0, elem)?;
        self.prim_value(call, 1, Ty::USIZE)?;
        Some(self.types.array(elem))
    }
}
